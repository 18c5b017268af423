#include "lithe/dynamics/linear_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/dynamics/timed.h"
#include "lithe/linalg/choose_solver.h"
#include "lithe/system/mass.h"

namespace lithe {

namespace {

constexpr int most_multiplier_iterations = 200;
// Projections: solves at most, by how much each must help, and what may be left of forces and rates.
constexpr int most_refinements = 10;
constexpr double slow_refinement = 0.5, force_share = 1e-5, rate_share = 1e-5;

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (double y : x) sum += y * y;
  return std::sqrt(sum);
}
double largest(const std::vector<double>& x) {
  double size = 0;
  for (double y : x) size = std::max(size, std::abs(y));
  return size;
}

MatrixKind matrix_kind(const System& system) {
  return !system.symmetric          ? MatrixKind::unsymmetric
         : system.has_multipliers() ? MatrixKind::symmetric_indefinite
                                    : MatrixKind::positive_definite;
}

// The kind of matrix that a solver asked for by name is to see: this one, or a wider one where it has no other.
MatrixKind widest(const std::string& solver, MatrixKind kind) {
  const SolverInfo& info = find_linear_solver(solver);
  for (MatrixKind k : {kind, MatrixKind::symmetric_indefinite, MatrixKind::unsymmetric})
    if (k >= kind && std::find(info.kinds.begin(), info.kinds.end(), k) != info.kinds.end() &&
        (kind != MatrixKind::symmetric_indefinite || info.zero_diagonal))
      return k;
  throw InputError(Where{"", 0, "analysis.solver"},
                   "linear solver '" + solver + "' is for " + to_string(info.kinds.back()) +
                       " matrices, but that of this model is " + to_string(kind) + "; use 'auto'" +
                       (kind == MatrixKind::symmetric_indefinite ? ", or 'treatment: augmented'" : ""));
}

}  // namespace

void require_solver(const System& system) {
  for (const Analysis& stage : system.model.analysis)
    if (const auto* dynamic = std::get_if<DynamicAnalysis>(&stage); dynamic && dynamic->solver != "auto")
      widest(dynamic->solver, matrix_kind(system));
}

LinearSystem::LinearSystem(const System& system, const std::string& solver, const std::string& ordering,
                           Workspace& work, Phases& phases)
    : system_(system), work_(work), phases_(phases) {
  if (system.size == 0) return;  // everything is prescribed: nothing to solve
  const MatrixKind kind = matrix_kind(system);
  const Ordering wanted = ordering == "auto" ? Ordering::automatic : ordering_named(ordering);
  if (solver == "auto") {
    const SolverChoice choice = choose_linear_solver(system.pattern, kind);
    candidates_.push_back({choice.name, kind, wanted == Ordering::automatic ? choice.ordering : wanted, nullptr, 0});
    reason_ = choice.why;
  } else {
    candidates_.push_back({solver, widest(solver, kind), wanted, nullptr, 0});
    reason_ = std::string("as asked; the matrix is ") + to_string(kind);
  }
  // A positive definite matrix may become indefinite (compressed or slack parts), a pivot order may lose its digits.
  if (candidates_[0].kind == MatrixKind::positive_definite) {
    candidates_.push_back({"cholmod_ldl", MatrixKind::symmetric_indefinite, Ordering::automatic, nullptr, 0});
    candidates_.push_back({"mumps", MatrixKind::symmetric_indefinite, Ordering::automatic, nullptr, 0});
  }
  if (candidates_[0].name != "umfpack")
    candidates_.push_back({"umfpack", MatrixKind::unsymmetric, Ordering::automatic, nullptr, 0});
  rhs_.resize(system.pattern.size);
  solution_.resize(system.pattern.size);
  if (!system.rows.empty() && !system.has_multipliers()) {
    penalty_ = system.model.penalty;
    penalties_.assign(system.rows.size(), 1.0);
    for (auto* v : {&gap_, &direction_, &image_}) v->resize(system.rows.size());
    const ConstraintJacobian& G = system.jacobian;
    normal_ = std::make_unique<NormalProduct>(RowPattern{system.row_count(), system.size, G.row_start, G.column},
                                              system.pattern);
  }
  G_.resize(system.jacobian.column.size());
  left_.resize(system.size);
  dx_.resize(system.size);
  rates_.resize(system.rows.size());
  dy_.resize(system.rows.size());
  mean_mass_ = std::max(1e-300, MassMatrix(system).mean_diagonal());
  solver_at(0);
}

LinearSolver& LinearSystem::solver_at(std::size_t which) {
  Candidate& candidate = candidates_[which];
  if (!candidate.solver) {
    candidate.solver =
        make_linear_solver(candidate.name, SolverOptions{.kind = candidate.kind, .ordering = candidate.ordering});
    candidate.solver->analyse(system_.pattern);
  }
  return *candidate.solver;
}

// Seconds by counts of operations and round speeds of a core, not by a clock: a run must not depend on one.
void LinearSystem::estimate_cost() {
  const LinearSolver& solver = *candidates_[active_].solver;
  if (solver.factor_flops() < 0 || solver.factor_nonzeros() < 0) return;
  double tangent = 0, force = 0;
  for (const Batch& batch : system_.batches)
    if (batch.kernel) {
      tangent += batch.elements * (batch.kernel->tangent_flops() / 2e10);
      force += batch.elements * (batch.kernel->force_flops() / 1e10);
    }
  const double entries = static_cast<double>(system_.pattern.nonzeros());
  const double factor = solver.factor_flops() / 2e10 + solver.factor_nonzeros() * 1.2e-8 + entries * 5e-9 + tangent;
  const double solve = solver.factor_nonzeros() * 1.5e-9 + force + system_.vectors() * 4e-8;
  factor_cost_ = factor / solve;
}

bool LinearSystem::factor(const State& state, double c_q, double c_v, double c_a, double c_g, bool stiffness) {
  evaluate(state, c_q, c_v, c_a, c_g, stiffness);
  return factor();
}

const std::vector<double>& LinearSystem::evaluate(const State& state, double c_q, double c_v, double c_a, double c_g,
                                                  bool stiffness) {
  valid_ = false;
  c_q_ = c_q;
  c_v_ = c_v;
  c_a_ = c_a;
  c_g_ = c_g;
  {
    const Timed timed(phases_.tangent);
    evaluate_tangent(system_, state, c_q, c_v, work_, values_, c_a);
  }
  const Timed timed(phases_.assembly);
  if (stiffness && !system_.rows.empty()) add_constraint_stiffness(system_, state, c_g, state.lambda, work_, values_);
  return values_;
}

bool LinearSystem::factor() {
  if (!system_.rows.empty()) {
    const Timed timed(phases_.assembly);
    G_ = work_.G;
    if (system_.has_multipliers()) {
      scale_ = c_a_ > 0 ? c_a_ * mean_mass_ : mean_diagonal();
      set_borders(system_, work_, scale_, values_);
    } else {
      normal_->add(work_.G, penalties_, c_g_ * penalty_, values_);
    }
  }
  valid_ = factor_values();
  return valid_;
}

// Size of A where no mass tells it; 1 where A is zero (a mechanism that nothing loads).
double LinearSystem::mean_diagonal() const {
  const SparsePattern& pattern = system_.pattern;
  double sum = 0;
  for (int j = 0; j < system_.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) sum += std::abs(values_[p]);
  return sum > 0 ? sum / system_.size : 1;
}

bool LinearSystem::factor_values() {
  const Timed timed(phases_.factorisation);
  failure_.clear();
  for (active_ = 0; active_ < candidates_.size(); ++active_) {
    ++factorisations_;
    const FactorReport& report = factor_report_ = solver_at(active_).factor(values_);
    if (report.ok() ||
        (report.usable && report.reason == FactorReport::Reason::singular && system_.has_multipliers())) {
      ++candidates_[active_].used;
      estimate_cost();
      return true;
    }
    failure_ = report.text();
    if (report.column >= 0) failure_ += ", " + system_.unknown_name(report.column);
    if (report.reason == FactorReport::Reason::not_finite || report.reason == FactorReport::Reason::out_of_memory)
      break;
  }
  return false;
}

bool LinearSystem::correct(const std::vector<double>& residual, const std::vector<double>& c, double exactness,
                           std::vector<double>& dz, std::vector<double>& d_lambda) {
  std::fill(d_lambda.begin(), d_lambda.end(), 0.0);
  return solve(&residual, c, exactness, dz, d_lambda);
}

bool LinearSystem::project(const std::vector<double>& rates, double exactness, std::vector<double>& dz,
                           std::vector<double>& mu) {
  if (!solve(nullptr, rates, exactness, dz, mu)) return false;
  // The matrix's own G leaves c_g (G - G_)^T mu. That must go: it would move the state along the constraints, step by
  // step the same way, and cost the scheme an order.
  dy_ = mu;
  double previous = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_refinements; ++k) {
    double force = 0, size = 0;
    {
      const Timed timed(phases_.projection);
      std::fill(left_.begin(), left_.end(), 0.0);
      add_transposed(system_, work_.G, c_g_, mu, left_);
      force = norm(left_);
      std::fill(left_.begin(), left_.end(), 0.0);
      add_transposed(system_, work_.G, c_g_, dy_, left_);
      add_transposed(system_, G_, -c_g_, dy_, left_);
      for (int r = 0; r < system_.row_count(); ++r) rates_[r] = rates[r] + product(work_.G, r, dz);
      size = norm(left_);
    }
    if (size <= force_share * force && largest(rates_) <= std::max(exactness, rate_share * largest(rates))) return true;
    if (!(size <= slow_refinement * previous)) return false;
    previous = size;
    std::fill(dy_.begin(), dy_.end(), 0.0);
    if (!solve(&left_, rates_, exactness, dx_, dy_)) return false;
    for (int i = 0; i < system_.size; ++i) dz[i] += dx_[i];
    for (int r = 0; r < system_.row_count(); ++r) mu[r] += dy_[r];
  }
  return false;
}

// A x + c_g G^T y = -f, G x = -d, with the matrix's G.
bool LinearSystem::solve(const std::vector<double>* f, const std::vector<double>& d, double exactness,
                         std::vector<double>& x, std::vector<double>& y) {
  const Timed timed(phases_.solve);
  const int n = system_.size, m = system_.row_count();
  for (int i = 0; i < n; ++i) rhs_[i] = f ? -(*f)[i] : 0.0;
  if (m > 0 && !system_.has_multipliers()) return solve_penalised(d, exactness, x, y);
  for (int r = 0; r < m; ++r) rhs_[n + r] = -scale_ * d[r];
  if (!apply_inverse()) return false;
  std::copy(solution_.begin(), solution_.begin() + n, x.begin());
  for (int r = 0; r < m; ++r) y[r] = scale_ / c_g_ * solution_[n + r];
  return true;
}

// Multiplier iteration (P4 eq. 1) with the penalised matrix P = A + c_g p G^T G. For given y,
//   x(y) = P^-1 (-f - c_g G^T (y + p d)) satisfies A x + c_g G^T (y + p (G x + d)) = -f,
// so that y + p (G x + d) is the next y. What is left, r = G x + d, depends on y by the symmetric positive matrix
// T = c_g G P^-1 G^T: conjugate gradients on T y = r take a handful of solves where the plain iteration (eigenvalues
// p s / (1 + p s) of p T near 0 for long chains, s those of G A^-1 G^T) takes hundreds.
bool LinearSystem::solve_penalised(const std::vector<double>& d, double exactness, std::vector<double>& x,
                                   std::vector<double>& y) {
  const int n = system_.size, m = system_.row_count();
  for (int r = 0; r < m; ++r) gap_[r] = y[r] + penalty_ * d[r];
  add_transposed(system_, G_, -c_g_, gap_, rhs_);
  if (!apply_inverse()) return false;
  std::copy(solution_.begin(), solution_.begin() + n, x.begin());
  double size = 0, worst = 0;
  for (int r = 0; r < m; ++r) {
    gap_[r] = d[r] + product(G_, r, x);
    direction_[r] = gap_[r];
    size += gap_[r] * gap_[r];
    worst = std::max(worst, std::abs(gap_[r]));
  }
  for (int k = 0; worst > exactness && k < most_multiplier_iterations; ++k) {
    std::fill(rhs_.begin(), rhs_.end(), 0.0);
    add_transposed(system_, G_, c_g_, direction_, rhs_);
    if (!apply_inverse()) return false;
    double curvature = 0;
    for (int r = 0; r < m; ++r) {
      image_[r] = product(G_, r, solution_);
      curvature += direction_[r] * image_[r];
    }
    if (!(curvature > 0)) break;
    const double length = size / curvature;
    for (int i = 0; i < n; ++i) x[i] -= length * solution_[i];
    double next = 0;
    worst = 0;
    for (int r = 0; r < m; ++r) {
      y[r] += length * direction_[r];
      gap_[r] -= length * image_[r];
      next += gap_[r] * gap_[r];
      worst = std::max(worst, std::abs(gap_[r]));
    }
    const double share = next / size;
    for (int r = 0; r < m; ++r) direction_[r] = gap_[r] + share * direction_[r];
    size = next;
  }
  for (int r = 0; r < m; ++r) y[r] += penalty_ * gap_[r];
  return true;
}

// Solutions that a factorisation without pivoting made inaccurate are taken: the residual and the contraction judge
// them.
bool LinearSystem::apply_inverse() {
  ++solves_;
  return solver_at(active_).solve(rhs_, solution_).reason != SolveReport::Reason::not_finite;
}

// Row r of G times x.
double LinearSystem::product(const std::vector<double>& G, int r, const std::vector<double>& x) const {
  const ConstraintJacobian& J = system_.jacobian;
  double sum = 0;
  for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e) sum += G[e] * x[J.column[e]];
  return sum;
}

std::string LinearSystem::text() const {
  if (candidates_.empty()) return "none: no coordinate is free";
  const Candidate& chosen = candidates_[0];
  std::string text = fmt::format(
      "{}{} ({})", chosen.name,
      chosen.ordering == Ordering::automatic ? std::string() : std::string(", ") + to_string(chosen.ordering), reason_);
  for (std::size_t i = 1; i < candidates_.size(); ++i)
    if (candidates_[i].used > 0)
      text += fmt::format(", {} for {} of {} factorisations where that failed", candidates_[i].name,
                          candidates_[i].used, factorisations_);
  return text;
}

const std::vector<double>* LinearSystem::pivot_values() const {
  return !candidates_.empty() && candidates_[0].solver ? candidates_[0].solver->pivot_values() : nullptr;
}
void LinearSystem::set_pivots(const std::vector<double>& values) { (void)solver_at(0).factor(values); }

}  // namespace lithe

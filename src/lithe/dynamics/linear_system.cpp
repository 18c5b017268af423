#include "lithe/dynamics/linear_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/dynamics/timed.h"
#include "lithe/system/mass.h"

namespace lithe {

namespace {

constexpr int most_multiplier_iterations = 200;
// Penalties: the multiplier iteration of solve() goes on until rows hold to this share of the size of the model.
constexpr double exact_rows = 1e-14;
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

}  // namespace

void require_solver(const System& system) {
  for (const Analysis& stage : system.model.analysis)
    std::visit(
        [&](const auto& analysis) {
          if (analysis.solver != "auto") kind_for(analysis.solver, matrix_kind(system));
        },
        stage);
}

LinearSystem::LinearSystem(const System& system, LadderOptions options, Workspace& work, Phases& phases)
    : system_(system), work_(work), phases_(phases) {
  if (system.map.size == 0) return;  // everything is prescribed: nothing to solve
  options.take_singular = system.has_multipliers();
  ladder_ = SolverLadder(system.pattern, matrix_kind(system), options);
  rhs_.resize(system.pattern.size);
  solution_.resize(system.pattern.size);
  if (!system.rows.empty() && !system.has_multipliers()) {
    penalty_ = system.model.penalty;
    penalties_.assign(system.rows.size(), 1.0);
    for (auto* v : {&gap_, &direction_, &image_}) v->resize(system.rows.size());
    const ConstraintJacobian& G = system.jacobian;
    normal_ = std::make_unique<NormalProduct>(RowPattern{system.row_count(), system.map.size, G.row_start, G.column},
                                              system.pattern);
  }
  G_.resize(system.jacobian.column.size());
  left_.resize(system.map.size);
  dx_.resize(system.map.size);
  rates_.resize(system.rows.size());
  dy_.resize(system.rows.size());
  if (system.has_multipliers()) mean_mass_ = std::max(1e-300, MassMatrix(system).mean_diagonal());
}

// Seconds by counts of operations and round speeds of a core, not by a clock: a run must not depend on one.
void LinearSystem::estimate_cost() {
  const LinearSolver& solver = ladder_.active();
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

bool LinearSystem::factor(const std::vector<double>& values) {
  valid_ = false;
  values_ = values;
  return factor();
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
  for (int j = 0; j < system_.map.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) sum += std::abs(values_[p]);
  return sum > 0 ? sum / system_.map.size : 1;
}

bool LinearSystem::factor_values() {
  const Timed timed(phases_.factorisation);
  failure_.clear();
  if (ladder_.factor(values_)) {
    estimate_cost();
    return true;
  }
  const FactorReport& report = factor_report();
  failure_ = report.text();
  if (report.column >= 0) failure_ += ", " + system_.unknown_name(report.column);
  return false;
}

bool LinearSystem::correct(const std::vector<double>& residual, const std::vector<double>& c, double exactness,
                           std::vector<double>& dz, std::vector<double>& d_lambda) {
  std::fill(d_lambda.begin(), d_lambda.end(), 0.0);
  return solve_negative(&residual, c, exactness, dz, d_lambda);
}

bool LinearSystem::solve(const std::vector<double>& b, std::vector<double>& x, const SolveRequest& request) {
  const Timed timed(phases_.solve);
  const std::size_t n = system_.map.size, m = system_.rows.size();
  LITHE_INVARIANT(b.size() == (n + m) * request.columns);
  if (request.half() && m > 0)
    throw RunError("half solves are for models without rows of constraints: their matrix is not positive definite");
  if (m == 0 || system_.has_multipliers()) return solve_bordered(b, x, request);
  SolveRequest one = request;
  one.columns = 1;
  x.resize(b.size());
  for (int c = 0; c < request.columns; ++c) {
    const auto from = b.begin() + c * (n + m);
    const auto to = x.begin() + c * (n + m);
    double gap = system_.length_scale;
    for (std::size_t r = 0; r < m; ++r) {
      rates_[r] = -from[n + r];
      gap = std::max(gap, std::abs(rates_[r]));
    }
    std::copy(from, from + n, rhs_.begin());
    std::fill(dy_.begin(), dy_.end(), 0.0);
    if (!solve_penalised(rates_, exact_rows * gap, dx_, dy_, one)) return false;
    std::copy(dx_.begin(), dx_.end(), to);
    std::copy(dy_.begin(), dy_.end(), to + n);
  }
  return true;
}

// [A s G^T; s G 0] of unknowns and multipliers over s / c_g.
bool LinearSystem::solve_bordered(const std::vector<double>& b, std::vector<double>& x, const SolveRequest& request) {
  const std::size_t n = system_.map.size, m = system_.rows.size();
  block_ = b;
  for (int c = 0; c < request.columns; ++c)
    for (std::size_t r = n; r < n + m; ++r) block_[c * (n + m) + r] *= scale_;
  if (ladder_.solve(block_, x, request).reason == SolveReport::Reason::not_finite) return false;
  for (int c = 0; c < request.columns; ++c)
    for (std::size_t r = n; r < n + m; ++r) x[c * (n + m) + r] *= scale_ / c_g_;
  return true;
}

bool LinearSystem::project(const std::vector<double>& rates, double exactness, std::vector<double>& dz,
                           std::vector<double>& mu) {
  if (!solve_negative(nullptr, rates, exactness, dz, mu)) return false;
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
    if (!solve_negative(&left_, rates_, exactness, dx_, dy_)) return false;
    for (int i = 0; i < system_.map.size; ++i) dz[i] += dx_[i];
    for (int r = 0; r < system_.row_count(); ++r) mu[r] += dy_[r];
  }
  return false;
}

// A x + c_g G^T y = -f, G x = -d, with the matrix's G.
bool LinearSystem::solve_negative(const std::vector<double>* f, const std::vector<double>& d, double exactness,
                                  std::vector<double>& x, std::vector<double>& y) {
  const Timed timed(phases_.solve);
  const int n = system_.map.size, m = system_.row_count();
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
                                   std::vector<double>& y, const SolveRequest& request) {
  const int n = system_.map.size, m = system_.row_count();
  for (int r = 0; r < m; ++r) gap_[r] = y[r] + penalty_ * d[r];
  add_transposed(system_, G_, -c_g_, gap_, rhs_);
  if (!apply_inverse(request)) return false;
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
    if (!apply_inverse(request)) return false;
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

// Solutions that are inaccurate are taken: the residual and the contraction judge them.
bool LinearSystem::apply_inverse(const SolveRequest& request) {
  return ladder_.solve(rhs_, solution_, request).reason != SolveReport::Reason::not_finite;
}

// Row r of G times x.
double LinearSystem::product(const std::vector<double>& G, int r, const std::vector<double>& x) const {
  const ConstraintJacobian& J = system_.jacobian;
  double sum = 0;
  for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e) sum += G[e] * x[J.column[e]];
  return sum;
}

}  // namespace lithe

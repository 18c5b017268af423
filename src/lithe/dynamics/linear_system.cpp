#include "lithe/dynamics/linear_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/dynamics/timed.h"
#include "lithe/linalg/krylov/preconditioner.h"
#include "lithe/system/mass.h"

namespace lithe {

namespace {

constexpr int most_multiplier_iterations = 200;
constexpr std::size_t decided = 3;  // of solver_counts(): before those of the ladder
// The mass matrix in place of A: entries of A's factors below which solves take no time that counts; changes above
// which Newton would creep, and below which it is A itself; corrections of a step with kept factors, and by how much
// all of them together shrink; the share of their work that is worth the change.
constexpr double worth_a_mass = 1e5, largest_near = 0.1, same_matrix = 1e-13;
constexpr double kept_iterations = 2, usual_gain = 14, worth_it = 0.8;
// Penalties: the multiplier iteration of solve() goes on until rows hold to this share of the size of the model.
constexpr double exact_rows = 1e-14;
// Iterative solvers: |b - A x| / |b| of a Newton correction, and of what the multiplier iteration is made of.
constexpr double iterative_tolerance = 1e-10, penalised_tolerance = 1e-13;
// Projections: solves at most, by how much each must help, and what may be left of forces and rates.
constexpr int most_refinements = 10;
constexpr double slow_refinement = 0.5, force_share = 1e-5, rate_share = 1e-5;

}  // namespace

MatrixKind matrix_kind(const System& system) {
  return !system.symmetric          ? MatrixKind::unsymmetric
         : system.has_multipliers() ? MatrixKind::symmetric_indefinite
                                    : MatrixKind::positive_definite;
}

int multipliers(const System& system) { return system.has_multipliers() ? system.row_count() : 0; }

void require_solver(const System& system) {
  for (const Analysis& stage : system.model.analysis)
    std::visit(
        [&](const auto& analysis) {
          if constexpr (requires { analysis.solver; })
            if (analysis.solver != "auto") {
              const MatrixKind kind = kind_for(analysis.solver, matrix_kind(system));
              if (!find_linear_solver(analysis.solver).iterative) return;
              PreconditionerCase of{
                  .method = krylov_method(analysis.solver), .kind = kind, .multipliers = multipliers(system)};
              if constexpr (requires { analysis.krylov; }) of.options = analysis.krylov;
              require_preconditioner(of);
              if (of.options.product == KrylovOperator::matrix_free) require_products(system, analysis.solver);
            }
        },
        stage);
}

LinearSystem::LinearSystem(Equations& model, LadderOptions options, Phases& phases)
    : model_(model), system_(model.system), place_(model.place), phases_(phases) {
  if (system_.map.size == 0) return;  // everything is prescribed: nothing to solve
  options.take_singular = system_.has_multipliers();
  options.multipliers = multipliers(system_);
  const bool penalised = !system_.rows.empty() && !system_.has_multipliers();
  KrylovTolerance& tolerance = options.krylov.tolerance;
  tolerance = {KrylovTolerance::Rule::given, tolerance.value_or(iterative_tolerance)};
  // The multiplier iteration sees its rows through differences of solutions.
  if (penalised) tolerance.value = std::min(tolerance.value, penalised_tolerance);
  options.team = model.work.team.get();
  options.mass = &mass_;
  wants_mass_ = options.krylov.preconditioner == PreconditionerKind::mass;
  if (options.krylov.product == KrylovOperator::matrix_free) {
    product_ = std::make_unique<MatrixFree>(model);
    options.product = product_.get();
    options.assemble = [this](std::vector<double>& values) { assemble_late(values); };
    stiffness_.resize(system_.map.size);
    factor_cost_ = 0;  // renewed products cost nothing, and preconditioners are kept by a rule of their own
  }
  options_ = options;
  if (model.contact) contact_pattern_ = model.contact->pattern().pattern();
  ladder_options_ = options;
  ladder_ = SolverLadder(pattern(), matrix_kind(system_), options);
  rhs_.resize(system_.pattern.size);
  solution_.resize(system_.pattern.size);
  for (Array* x : {&f_, &x_, &left_, &dx_}) *x = model.unknown_array();
  if (place_.on_host()) {  // they are what the ladder has: nothing to bring there and back
    f_ = Array::view(place_, std::span(rhs_).first(f_.size()));
    x_ = Array::view(place_, std::span(solution_).first(x_.size()));
  }
  for (Array* x : {&y_, &rates_, &dy_}) *x = model.row_array();
  G_ = Array(place_, model.G.size());
  if (penalised) {
    penalty_ = system_.model.penalty;
    penalties_.assign(system_.rows.size(), 1.0);
    for (Array* x : {&gap_, &direction_, &image_}) *x = model.row_array();
    const ConstraintJacobian& G = system_.jacobian;
    normal_ = std::make_unique<NormalProduct>(RowPattern{system_.row_count(), system_.map.size, G.row_start, G.column},
                                              system_.pattern);
  }
  if (system_.has_multipliers()) mean_mass_ = std::max(1e-300, MassMatrix(system_).mean_diagonal());
  const SparsePattern& pattern = system_.pattern;
  for (int j = 0; j < system_.map.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) diagonal_.push_back(p);
  LITHE_INVARIANT(static_cast<int>(diagonal_.size()) == system_.map.size);
}

// Seconds by counts of operations and round speeds of a core, not by a clock: a run must not depend on one.
double LinearSystem::tangent_seconds() const {
  double sum = 0;
  for (const Batch& batch : system_.batches)
    if (batch.kernel) sum += batch.elements * (batch.kernel->tangent_flops() / 2e10);
  return sum;
}
// Of an evaluation, and of what an iteration does with vectors.
double LinearSystem::force_seconds() const {
  double sum = 0;
  for (const Batch& batch : system_.batches)
    if (batch.kernel) sum += batch.elements * (batch.kernel->force_flops() / 1e10);
  return sum + system_.vectors() * 4e-8;
}
void LinearSystem::estimate_cost() {
  if (product_) return;
  const LinearSolver& solver = ladder_.active();
  if (solver.factor_flops() < 0 || solver.factor_nonzeros() < 0) return;
  const double tangent = tangent_seconds(), force = force_seconds();
  const double entries = static_cast<double>(system_.pattern.nonzeros());
  const double factor = solver.factor_flops() / 2e10 + solver.factor_nonzeros() * 1.2e-8 + entries * 5e-9 + tangent;
  const double solve = solver.factor_nonzeros() * 1.5e-9 + force;
  factor_cost_ = factor / solve;
}

bool LinearSystem::factor(const State& state, double c_q, double c_v, double c_a, double c_g, bool stiffness,
                          bool near) {
  evaluate(state, c_q, c_v, c_a, c_g, stiffness);
  return factor(near);
}

const std::vector<double>& LinearSystem::evaluate(const State& state, double c_q, double c_v, double c_a, double c_g,
                                                  bool stiffness) {
  valid_ = false;
  c_q_ = c_q;
  c_v_ = c_v;
  c_a_ = c_a;
  c_g_ = c_g;
  stiffness_wanted_ = stiffness;
  if (product_) {
    const Timed timed(phases_.tangent);
    product_->linearise(state, c_q, c_v, c_a, c_g, stiffness);
    if (c_a > 0 && ladder_.keeps()) return values_;
  }
  assemble(state);
  if (model_.contact) {
    const Timed timed(phases_.contact);
    model_.contact->linearise(state, c_q, c_v);
    contact_values_.assign(model_.contact->pattern().pattern()->nonzeros(), 0.0);
    model_.contact->add_tangent(contact_values_);
  }
  if (product_ && c_q != 0 && !mass_diagonal_.empty())
    for (std::size_t i = 0; i < diagonal_.size(); ++i)
      stiffness_[i] = (values_[diagonal_[i]] - c_a * mass_diagonal_[i]) / c_q;
  return values_;
}

void LinearSystem::assemble(const State& state) {
  {
    const Timed timed(phases_.tangent);
    evaluate_tangent(system_, state, c_q_, c_v_, model_.work, values_, c_a_);
  }
  const Timed timed(phases_.assembly);
  if (stiffness_wanted_ && !system_.rows.empty())
    add_constraint_stiffness(system_, state, c_g_, state.lambda, model_.work, values_);
}

void LinearSystem::add_rows() {
  const Timed timed(phases_.assembly);
  if (system_.has_multipliers()) set_borders(system_, model_.work, scale_, values_);
  else if (!system_.rows.empty()) normal_->add(model_.work.G, penalties_, c_g_ * penalty_, values_);
}

// The values of the matrix that products are made with, after all: its preconditioner did not serve. Forces and rows at
// hand may be those of a later state.
void LinearSystem::assemble_late(std::vector<double>& values) {
  const std::vector<double> internal = model_.work.internal, G = model_.work.G;
  std::ranges::copy(product_->G(), model_.work.G.begin());
  assemble(product_->state());
  add_rows();
  std::ranges::copy(internal, model_.work.internal.begin());
  std::ranges::copy(G, model_.work.G.begin());
  values = values_;
}

bool LinearSystem::factor(const std::vector<double>& values) {
  LITHE_INVARIANT(!product_);  // it is not of these values
  valid_ = false;
  values_ = values;
  return factor();
}

bool LinearSystem::factor(bool near) {
  by_mass_ = near && near_mass_ && c_a_ > 0 && mass_serves();
  if (by_mass_) {
    ++near_;
    return valid_ = true;
  }
  const bool kept = product_ && c_a_ > 0 && ladder_.keeps();
  if (!system_.rows.empty()) {
    place_.copy(model_.G, G_);
    if (system_.has_multipliers()) scale_ = c_a_ > 0 ? c_a_ * mean_mass_ : mean_diagonal();
    if (product_) product_->set_rows(G_, system_.has_multipliers() ? scale_ : c_g_ * penalty_);
    if (!kept) add_rows();
  }
  if (kept) {
    failure_.clear();
    ladder_.keep();
    return valid_ = true;
  }
  valid_ = factor_values();
  return valid_;
}

// Size of A where no mass tells it; 1 where A is zero (a mechanism that nothing loads).
double LinearSystem::mean_diagonal() const {
  double sum = 0;
  for (const int p : diagonal_) sum += std::abs(values_[p]);
  return sum > 0 ? sum / system_.map.size : 1;
}

void LinearSystem::measure_mass() {
  if (system_.map.size == 0) return;
  evaluate(system_.initial_state(), 0, 0, 1, 1, false);
  for (const int p : diagonal_) mass_diagonal_.push_back(values_[p]);
  if (wants_mass_) own_mass_ = values_;
  spread_mass();
  if (model_.contact || !system_.rows.empty() || !system_.symmetric || ladder_.expected().nonzeros < worth_a_mass)
    return;
  near_mass_ = std::make_unique<NearMass>(system_.pattern, values_, place_);
  if (!near_mass_->usable()) near_mass_.reset();
}

// Is Newton with c_a M in place of A less work? By counts of operations and round speeds of a core, as below.
bool LinearSystem::mass_serves() {
  const Timed timed(phases_.factorisation);
  change_ = near_mass_->change(values_, c_a_);
  if (!(change_ < largest_near)) return false;
  const double force = force_seconds(), iterations = std::max(kept_iterations, usual_gain / -std::log(change_));
  const double by_mass = near_mass_->factors().solved() * 1e-9 + force;
  const double by_factors = ladder_.expected().nonzeros * 1.5e-9 + force;
  if (change_ > same_matrix && iterations * by_mass > worth_it * kept_iterations * by_factors) return false;
  if (change_ > same_matrix) largest_change_ = std::max(largest_change_, change_);
  factor_cost_ = (tangent_seconds() + 1e-8 * static_cast<double>(system_.pattern.nonzeros())) / by_mass;
  return true;
}

void LinearSystem::find_rounding(const State& state, double factor, Array& rounding) {
  const HostWriting out(rounding, room_, HostWriting::Old::blank);
  std::fill(std::span<double>(out).begin(), std::span<double>(out).end(), 0.0);
  const CoordinateMap& map = system_.map;
  for (int v = 0; v < map.vectors(); ++v) {
    const VectorUnknowns& u = map.unknowns[v];
    if (map.representative[v] != v || u.count == 0) continue;
    Vec3<double> q{{state.q[3ul * v], state.q[3ul * v + 1], state.q[3ul * v + 2]}};
    if (u.basis >= 0) q = transpose(map.bases[u.basis]) * q;
    for (int k = 0; k < u.count; ++k) {
      const int i = u.first + k;
      double stiffness = product_ ? c_q_ * stiffness_[i] : values_[diagonal_[i]] - c_a_ * mass_diagonal_[i];
      if (model_.contact) stiffness += contact_values_[position(*model_.contact->pattern().pattern(), i, i)];
      out[i] = factor * std::abs(stiffness * q[u.component[k]]);
    }
  }
}

bool LinearSystem::factor_values() {
  const Timed timed(phases_.factorisation);
  failure_.clear();
  if (model_.contact) {
    follow_pattern();
    model_.contact->pattern().spread(values_, sum_);
    for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += contact_values_[k];
  }
  const std::vector<double>& values = model_.contact ? sum_ : values_;
  if (way_ == Way::open || way_ == Way::iterations) choose_way(values);
  if (ladder_.factor(values)) {
    estimate_cost();
    return true;
  }
  const FactorReport& report = factor_report();
  failure_ = report.text();
  if (report.column >= 0) failure_ += ", " + system_.unknown_name(report.column);
  return false;
}

std::vector<double> LinearSystem::solver_counts() const {
  std::vector<double> counts{double(way_ == Way::iterations), double(way_ == Way::open), double(trial_.most)};
  const std::vector<double> own = ladder_.counts();
  if (product_) counts.insert(counts.end(), stiffness_.begin(), stiffness_.end());
  counts.insert(counts.end(), own.begin(), own.end());
  return counts;
}
void LinearSystem::choose_again(const std::vector<double>& counts) {
  follow_pattern();
  if (counts.size() >= decided + stiffness_.size())
    std::copy_n(counts.begin() + decided, stiffness_.size(), stiffness_.begin());
  if (counts.size() < decided || way_ == Way::given) return;
  way_ = counts[1] != 0 ? Way::open : Way::factors;
  trial_.most = static_cast<int>(counts[2]);
  if (counts[0] != 0) iterate(system_.has_multipliers() ? "projected_minres" : "cg", "as before the restart");
}
void LinearSystem::set_solver_counts(const std::vector<double>& counts) {
  const std::size_t first = decided + stiffness_.size();
  if (counts.size() > first) ladder_.set_counts({counts.begin() + static_cast<std::ptrdiff_t>(first), counts.end()});
  else ladder_.set_counts({});
}

bool LinearSystem::correct(const Array& residual, const Array& c, double exactness, Array& dz, Array& d_lambda,
                           double tolerance) {
  place_.fill(0, d_lambda);
  return solve_negative(&residual, c, exactness, dz, d_lambda, {.tolerance = tolerance});
}

bool LinearSystem::solve(std::span<const double> b, std::vector<double>& x, const SolveRequest& request) {
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
    room_.assign(from + n, from + n + m);
    for (double& d : room_) {
      d = -d;
      gap = std::max(gap, std::abs(d));
    }
    place_.upload(room_, rates_);
    place_.upload(std::span(from, from + n), f_);
    place_.fill(0, dy_);
    if (!solve_penalised(rates_, exact_rows * gap, dx_, dy_, one)) return false;
    place_.download(dx_, std::span(to, to + n));
    place_.download(dy_, std::span(to + n, to + n + m));
  }
  return true;
}

// [A s G^T; s G 0] of unknowns and multipliers over s / c_g.
bool LinearSystem::solve_bordered(std::span<const double> b, std::vector<double>& x, const SolveRequest& request) {
  const std::size_t n = system_.map.size, m = system_.rows.size();
  block_.assign(b.begin(), b.end());
  for (int c = 0; c < request.columns; ++c)
    for (std::size_t r = n; r < n + m; ++r) block_[c * (n + m) + r] *= scale_;
  if (ladder_.solve(block_, x, request).reason == SolveReport::Reason::not_finite) return false;
  for (int c = 0; c < request.columns; ++c)
    for (std::size_t r = n; r < n + m; ++r) x[c * (n + m) + r] *= scale_ / c_g_;
  return true;
}

bool LinearSystem::project(const Array& rates, double exactness, Array& dz, Array& mu) {
  if (!solve_negative(nullptr, rates, exactness, dz, mu)) return false;
  // The matrix's own G leaves c_g (G - G_)^T mu. That must go: it would move the state along the constraints, step by
  // step the same way, and cost the scheme an order.
  place_.copy(mu, dy_);
  double previous = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_refinements; ++k) {
    double force = 0, size = 0;
    {
      const Timed timed(phases_.projection);
      place_.fill(0, left_);
      model_.add_transposed(model_.G, c_g_, mu, left_);
      force = std::sqrt(place_.dot(left_, left_));
      place_.fill(0, left_);
      model_.add_transposed(model_.G, c_g_, dy_, left_);
      model_.add_transposed(G_, -c_g_, dy_, left_);
      model_.multiply(model_.G, dz, rates_);
      place_.combine({{1, rates}, {1, rates_}}, rates_);
      size = std::sqrt(place_.dot(left_, left_));
    }
    if (size <= force_share * force &&
        place_.largest(rates_) <= std::max(exactness, rate_share * place_.largest(rates)))
      return true;
    if (!(size <= slow_refinement * previous)) return false;
    previous = size;
    place_.fill(0, dy_);
    if (!solve_negative(&left_, rates_, exactness, dx_, dy_)) return false;
    place_.combine({{1, dz}, {1, dx_}}, dz);
    place_.combine({{1, mu}, {1, dy_}}, mu);
  }
  return false;
}

// A x + c_g G^T y = -f, G x = -d, with the matrix's G.
bool LinearSystem::solve_negative(const Array* f, const Array& d, double exactness, Array& x, Array& y,
                                  const SolveRequest& request) {
  const Timed timed(phases_.solve);
  if (f) place_.combine({{-1, *f}}, f_);
  else place_.fill(0, f_);
  if (!system_.rows.empty() && !system_.has_multipliers()) return solve_penalised(d, exactness, x, y);
  if (!system_.rows.empty()) place_.combine({{-scale_, d}}, y_);
  if (!apply_inverse(request)) return false;
  place_.copy(x_, x);
  if (!system_.rows.empty()) place_.combine({{scale_ / c_g_, y_}}, y);
  return true;
}

// Multiplier iteration (P4 eq. 1) with the penalised matrix P = A + c_g p G^T G. For given y,
//   x(y) = P^-1 (-f - c_g G^T (y + p d)) satisfies A x + c_g G^T (y + p (G x + d)) = -f,
// so that y + p (G x + d) is the next y. What is left, r = G x + d, depends on y by the symmetric positive matrix
// T = c_g G P^-1 G^T: conjugate gradients on T y = r take a handful of solves where the plain iteration (eigenvalues
// p s / (1 + p s) of p T near 0 for long chains, s those of G A^-1 G^T) takes hundreds.
bool LinearSystem::solve_penalised(const Array& d, double exactness, Array& x, Array& y, const SolveRequest& request) {
  place_.combine({{1, y}, {penalty_, d}}, gap_);
  model_.add_transposed(G_, -c_g_, gap_, f_);
  if (!apply_inverse(request)) return false;
  place_.copy(x_, x);
  model_.multiply(G_, x, gap_);
  place_.combine({{1, d}, {1, gap_}}, gap_);
  place_.copy(gap_, direction_);
  double size = place_.dot(gap_, gap_), worst = place_.largest(gap_);
  for (int k = 0; worst > exactness && k < most_multiplier_iterations; ++k) {
    place_.fill(0, f_);
    model_.add_transposed(G_, c_g_, direction_, f_);
    if (!apply_inverse(request)) return false;
    model_.multiply(G_, x_, image_);
    const double curvature = place_.dot(direction_, image_);
    if (!(curvature > 0)) break;
    const double length = size / curvature;
    place_.combine({{1, x}, {-length, x_}}, x);
    place_.combine({{1, y}, {length, direction_}}, y);
    place_.combine({{1, gap_}, {-length, image_}}, gap_);
    const double next = place_.dot(gap_, gap_);
    worst = place_.largest(gap_);
    place_.combine({{1, gap_}, {next / size, direction_}}, direction_);
    size = next;
  }
  place_.combine({{1, y}, {penalty_, gap_}}, y);
  return true;
}

std::string LinearSystem::text() const {
  if (largest_change_ == 0) return report().text();  // starts alone, whose matrix it is
  const PartFactors& factors = near_mass_->factors();
  std::string text = fmt::format(
      "mass matrix ({} unknowns in {} that nothing couples, of which {} factored, once): the steps are so short that "
      "it is "
      "the whole matrix but for {:.1g}",
      system_.map.size, factors.parts() == 1 ? "one part" : fmt::format("{} parts", factors.parts()),
      factors.factored() == 1 ? "one was" : fmt::format("{} were", factors.factored()), largest_change_);
  if (report().factorisations > 0) text += "; " + report().text();
  return text;
}

// x_, and y_ with borders, = the inverse times f_ and y_. Solutions that are inaccurate are taken: the residual and the
// contraction judge them.
bool LinearSystem::apply_inverse(const SolveRequest& request) {
  const std::size_t n = f_.size();
  const bool bordered = system_.has_multipliers();
  if (!place_.on_host()) place_.download(f_, std::span(rhs_).first(n));
  if (by_mass_) {
    near_mass_->solve(rhs_, c_a_, solution_);
    if (!all_finite(solution_)) return false;
    if (!place_.on_host()) place_.upload(solution_, x_);
    return true;
  }
  if (bordered) place_.download(y_, std::span(rhs_).subspan(n));
  if (ladder_.solve(rhs_, solution_, request).reason == SolveReport::Reason::not_finite) return false;
  if (!place_.on_host()) place_.upload(std::span(solution_).first(n), x_);
  if (bordered) place_.upload(std::span(solution_).subspan(n), y_);
  return true;
}

}  // namespace lithe

#include "lithe/dynamics/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lithe/system/springs.h"

namespace lithe {

namespace {

constexpr const char* solver_names[3] = {"cholmod", "cholmod_ldl", "umfpack"};
enum { llt, ldlt, lu };
// Penalties: the multiplier iteration of a solve goes on until rows hold to this share of the size of the model.
constexpr double exact_rows = 1e-14;

}  // namespace

Equilibrium::Equilibrium(const System& s, const StaticAnalysis& o, Workspace& w, StaticReport& rep)
    : system(s), options(o), work(w), report(rep), r(s.size + s.rows.size(), 0.0) {
  is_position_.assign(system.vectors(), 0);
  for (const auto& body : system.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node) is_position_[body.vector(node, 0)] = 1;
  force_weight_.assign(system.size, 1.0);
  correction_weight_.assign(system.size, 1.0);
  for (int v = 0; v < system.vectors(); ++v) {
    const auto& u = system.unknowns[v];
    for (int k = 0; k < u.count; ++k)
      (is_position_[v] ? correction_weight_ : force_weight_)[u.first + k] = 1 / system.length_scale;
  }
  active_ = system.symmetric ? llt : lu;
  rates_.assign(system.q0.size(), 0.0);
  if (system.rows.empty()) return;
  linear_ = std::make_unique<LinearSystem>(system, "auto", "auto", work, phases_);
  for (auto* x : {&force_, &dz_}) x->assign(system.size, 0.0);
  for (auto* x : {&gap_, &dy_}) x->assign(system.rows.size(), 0.0);
}

void Equilibrium::set_load(State& state, double share) {
  state.load_factor = goes_on ? 1 : share;
  state.t = begin + share * options.duration;
  follow(state);
}

void Equilibrium::follow(State& state) { follow_motions(system, state.t, state.t, state.q, rates_, rates_); }

void Equilibrium::count_turns(State& state) const {
  for (std::size_t i = 0; i < system.angles.size(); ++i)
    state.angles[i] = angle_value(system.angles[i], state.q, state.angles[i]);
}

void Equilibrium::add(const std::vector<double>& dx, double factor, State& state) const {
  add_unknowns(system, dx, factor, state.q);
  for (int i = 0; i < system.row_count(); ++i) state.lambda[i] += factor * dx[system.size + i];
}

bool Equilibrium::guess_multipliers(State& state) {
  const std::vector<double> before = state.lambda;
  std::fill(state.lambda.begin(), state.lambda.end(), 0.0);
  (void)residual(state);
  std::copy(r.begin(), r.begin() + system.size, force_.begin());
  std::fill(gap_.begin(), gap_.end(), 0.0);
  if (linear_->factor(state, 0, 0, 1, 1, false) && linear_->factor_report().ok() &&
      linear_->correct(force_, gap_, 1e-6 * system.length_scale, dz_, dy_)) {
    state.lambda = dy_;
    return true;
  }
  state.lambda = before;
  return false;
}

ResidualSize Equilibrium::residual(const State& state) {
  const Timed timed(report.seconds_force);
  evaluate_internal(system, state, work);
  if (proportional) {
    State full = state;
    full.load_factor = 1;
    evaluate_external(system, full, work);
    scratch_ = work.external;
    add_prestress(system, state, scratch_);
    restrict_to_unknowns(system, scratch_, reference);
    reference.resize(size(), 0.0);
    for (double& f : work.external) f *= state.load_factor;
  } else {
    evaluate_external(system, state, work);
  }
  double internal = 0, external = 0;
  scratch_.resize(work.internal.size());
  for (int v = 0; v < system.vectors(); ++v) {
    const double weight = is_position_[v] ? 1 : 1 / system.length_scale;
    for (int c = 0; c < 3; ++c) {
      const double a = work.internal[3 * v + c], b = work.external[3 * v + c];
      internal += weight * weight * a * a;
      external += weight * weight * b * b;
      scratch_[3 * v + c] = a - b;
    }
  }
  restrict_to_unknowns(system, scratch_, r);
  if (linear_) {
    evaluate_constraints(system, state, work);
    add_transposed(system, work.G, 1, state.lambda, r);
    r.insert(r.end(), work.c.begin(), work.c.end());
  }
  if (offset_factor != 0)
    for (int i = 0; i < size(); ++i) r[i] -= offset_factor * offset[i];

  double sum = 0, largest = -1;
  int worst = -1;
  for (int i = 0; i < system.size; ++i) {
    const double a = force_weight_[i] * r[i];
    sum += a * a;
    if (std::abs(a) > largest) {
      largest = std::abs(a);
      worst = i;
    }
  }
  double violation = 0, gap = 0;
  int row = -1;
  for (int i = system.size; i < size(); ++i) {
    violation += r[i] * r[i];
    if (std::abs(r[i]) > gap) {
      gap = std::abs(r[i]);
      row = i;
    }
  }
  ResidualSize result;
  result.norm = std::sqrt(sum);
  result.finite =
      std::isfinite(result.norm) && std::isfinite(internal) && std::isfinite(external) && std::isfinite(violation);
  if (!result.finite) return result;
  worst_ = worst;
  external_ = std::sqrt(external);
  violation_ = std::sqrt(violation);
  scale_ = std::sqrt(std::max(internal, external));
  double scale = std::max(scale_, 1e-3 * largest_scale_);
  // A motion that no force answers yet: rows that do not hold are measured all the same, in newtons by the length.
  if (scale == 0 && violation_ > 1e-14 * system.length_scale) scale = 1;
  if (row >= 0) {
    const double apart = scale * std::sqrt(violation) / system.length_scale;  // N
    if (scale * gap / system.length_scale > largest) worst_ = row;
    result.norm = std::hypot(result.norm, apart);
  }
  result.relative = scale > 0 ? result.norm / scale : 0;
  return result;
}

void Equilibrium::remember_scale() { largest_scale_ = std::max(largest_scale_, scale_); }

int Equilibrium::negative_directions() const {
  const int negative = factor_report_.negative_pivots;
  if (negative < 0 || system.rows.empty()) return negative;
  // Penalties that are too small leave negative pivots of their own; borders have one for each row.
  if (!system.has_multipliers()) return negative == 0 ? 0 : -1;
  return std::max(-1, negative - system.row_count());
}

bool Equilibrium::factor_with(int which) {
  auto& solver = solvers_[which];
  if (!solver) {
    solver = make_linear_solver(solver_names[which]);
    solver->analyse(system.pattern);
  }
  active_ = which;
  ++report.factorisations;
  ++counts_[which];
  factor_report_ = solver->factor(values_);
  return factor_report_.ok();
}

const std::vector<double>& Equilibrium::evaluate(const State& state) {
  const Timed timed(report.seconds_tangent);
  if (linear_) evaluate_constraints(system, state, work);
  else evaluate_tangent(system, state, 1, 0, work, values_);
  const std::vector<double>& K = linear_ ? linear_->evaluate(state, 1, 0, 0, 1, true) : values_;
  restrict_to_unknowns(system, state.q, scratch_);
  scratch_.resize(system.pattern.size, 0.0);  // multipliers
  multiply_absolute(system.pattern, K, scratch_, magnitude_);
  double sum = 0;
  for (int i = 0; i < system.size; ++i) {
    const double a = force_weight_[i] * magnitude_[i];
    sum += a * a;
  }
  rounding_ = std::numeric_limits<double>::epsilon() * std::sqrt(sum);
  return K;
}

bool Equilibrium::factor() {
  const Timed timed(report.seconds_factor);
  if (linear_) {
    ++report.factorisations;
    const bool done = linear_->factor();
    factor_report_ = linear_->factor_report();
    return done && (factor_report_.ok() || proportional);
  }
  if (!system.symmetric) return factor_with(lu) || (proportional && factor_report_.usable);
  // A matrix that was indefinite usually stays so for a while: LDLt goes on until it counts no negative pivot.
  if (active_ == llt || factor_report_.negative_pivots == 0) {
    if (factor_with(llt)) return true;
    if (factor_report_.reason == FactorReport::Reason::not_finite ||
        factor_report_.reason == FactorReport::Reason::out_of_memory)
      return false;
    ++indefinite_;
  } else {
    ++indefinite_;
  }
  // Along an arc the matrix may be singular at a limit point: the bordered system is not.
  return factor_with(ldlt) || (proportional && factor_report_.usable);
}

bool Equilibrium::solve(const std::vector<double>& b, std::vector<double>& x) {
  if (linear_) {
    const Timed timed(report.seconds_solve);
    double largest = 0;
    for (int i = 0; i < system.size; ++i) force_[i] = -b[i];
    for (int i = 0; i < system.row_count(); ++i) {
      gap_[i] = -b[system.size + i];
      largest = std::max(largest, std::abs(gap_[i]));
    }
    if (!linear_->correct(force_, gap_, exact_rows * std::max(largest, system.length_scale), dz_, dy_)) return false;
    x.assign(dz_.begin(), dz_.end());
    x.insert(x.end(), dy_.begin(), dy_.end());
    return true;
  }
  SolveReport solved;
  {
    const Timed timed(report.seconds_solve);
    solved = solvers_[active_]->solve(b, x);
  }
  if (solved.ok() || active_ != ldlt) return solved.reason != SolveReport::Reason::not_finite;
  // LDLt without pivoting lost its digits: LU with pivoting, for this matrix.
  ++inaccurate_;
  {
    const Timed timed(report.seconds_factor);
    if (!factor_with(lu) && !factor_report_.usable) return false;
  }
  const Timed timed(report.seconds_solve);
  return solvers_[active_]->solve(b, x).reason != SolveReport::Reason::not_finite;
}

double Equilibrium::inner(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0;
  for (int i = 0; i < system.size; ++i) sum += correction_weight_[i] * correction_weight_[i] * a[i] * b[i];
  return sum / system.size;
}

double Equilibrium::correction_norm(const std::vector<double>& dz) const { return std::sqrt(inner(dz, dz)); }

double Equilibrium::displacement_norm(const State& state) const {
  double sum = 0;
  for (int v = 0; v < system.vectors(); ++v) {
    const double weight = is_position_[v] ? 1 / system.length_scale : 1;
    for (int c = 0; c < 3; ++c) {
      const double d = weight * (state.q[3 * v + c] - system.q0[3 * v + c]);
      sum += d * d;
    }
  }
  return std::sqrt(sum / std::max(1, system.size));
}

std::string Equilibrium::inverted_node(const State& state) const {
  for (const auto& body : system.bodies) {
    if (body.node_vectors < 4) continue;
    for (int node = 0; node < body.mesh.node_count(); ++node) {
      const double* a = &state.q[3 * body.vector(node, 1)];
      const double *b = a + 3, *c = a + 6;
      const double det =
          a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
      if (!(det > 0)) return fmt::format("body '{}', node {}", body.name, node);
    }
  }
  return "";
}

std::string Equilibrium::worst() const { return worst_ >= 0 ? system.unknown_name(worst_) : ""; }

// Inverse iteration with K + shift diag(K): after a few rounds the softest mode stands alone.
std::string Equilibrium::softest(const State& state) {
  if (linear_) return factor_report_.column >= 0 ? system.unknown_name(factor_report_.column) : "";
  evaluate_tangent(system, state, 1, 0, work, values_);
  const auto& pattern = system.pattern;
  column_maxima(pattern, values_, magnitude_);
  const double largest = *std::max_element(magnitude_.begin(), magnitude_.end());
  if (!std::isfinite(largest)) return "";
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) values_[p] += 1e-9 * std::max(magnitude_[j], 1e-6 * largest);
  if (!factor_with(system.symmetric ? ldlt : lu) && !factor_report_.usable) return "";
  std::vector<double> x(system.size), b(system.size);
  for (int i = 0; i < system.size; ++i) x[i] = 1 + 0.3 * std::sin(1.7 * i);
  for (int round = 0; round < 4; ++round) {
    double size = 0;
    for (int i = 0; i < system.size; ++i) size = std::max(size, std::abs(x[i]));
    for (int i = 0; i < system.size; ++i) b[i] = magnitude_[i] * (x[i] / size);
    if (!solvers_[active_]->solve(b, x).ok() && round == 0) return "";
  }
  std::vector<int> order(system.size);
  std::iota(order.begin(), order.end(), 0);
  const auto amplitude = [&](int i) { return std::abs(correction_weight_[i] * x[i]); };
  const std::size_t named = std::min<std::size_t>(3, order.size());
  std::partial_sort(order.begin(), order.begin() + named, order.end(),
                    [&](int a, int b_) { return amplitude(a) > amplitude(b_); });
  std::string text;
  for (std::size_t k = 0; k < named && amplitude(order[k]) > 0.1 * amplitude(order[0]); ++k)
    text += (k ? "; " : "") + system.unknown_name(order[k]);
  return text;
}

std::string Equilibrium::solver_text() const {
  if (system.size == 0) return "none: no coordinate is free";
  if (linear_) return linear_->text();
  std::string text;
  const auto add = [&](int which, const std::string& words) {
    if (counts_[which] > 0)
      text += fmt::format("{}{} {}x ({})", text.empty() ? "" : ", ", solver_names[which], counts_[which], words);
  };
  add(llt, indefinite_ > 0 ? "LLt first; it fails where the matrix is not positive definite"
                           : "LLt, matrix positive definite");
  add(ldlt, fmt::format("LDLt, matrix not positive definite {}x", indefinite_));
  add(lu, system.symmetric ? fmt::format("LU, LDLt was inaccurate {}x", inaccurate_) : "LU, matrix not symmetric");
  return text;
}

}  // namespace lithe

#include "lithe/dynamics/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lithe/system/springs.h"

namespace lithe {

Equilibrium::Equilibrium(const System& s, const StaticAnalysis& o, Workspace& w, StaticReport& rep)
    : system(s),
      options(o),
      work(w),
      report(rep),
      weights_(s),
      model_(s, w, place),
      linear_(model_, {.solver = o.solver, .ordering = o.ordering, .keep_rung = true}, phases_) {
  for (Array* x : {&r, &reference, &offset, &forgiven_, &force_squares_, &correction_squares_}) *x = array();
  std::ranges::copy(squares(weights_.force), force_squares_.host().begin());
  std::ranges::copy(squares(weights_.correction), correction_squares_.host().begin());
  coordinate_squares_ = model_.coordinate_array();
  unbalanced_ = model_.coordinate_array();
  place.upload(squares(weights_.coordinate_force), coordinate_squares_);
  rates_.assign(system.q0.size(), 0.0);
}

void Equilibrium::set_load(State& state, double share) {
  state.load_factor = goes_on ? 1 : share;
  state.t = begin + share * options.duration;
  follow(state);
}

void Equilibrium::follow(State& state) { system.map.follow(system.q0, state.t, state.t, state.q, rates_, rates_); }

void Equilibrium::count_turns(State& state) const {
  for (std::size_t i = 0; i < system.angles.size(); ++i)
    state.slots.values[i] = angle_value(system.angles[i], state.q, state.slots.values[i]);
}

void Equilibrium::add(const Array& dx, double factor, State& state) const {
  const std::span<const double> x = dx.host();
  system.map.prolong(state.slots, x, factor, state.q);
  for (int i = 0; i < system.row_count(); ++i) state.lambda[i] += factor * x[system.map.size + i];
}

bool Equilibrium::guess_multipliers(State& state) {
  const std::vector<double> before = state.lambda;
  std::fill(state.lambda.begin(), state.lambda.end(), 0.0);
  (void)residual(state);
  const Array force = Array::view(place, r.host().first(system.map.size)), gap = model_.row_array();
  Array dz = model_.unknown_array(), dy = Array::view(place, state.lambda);
  if (linear_.factor(state, 0, 0, 1, 1, false) && linear_.factor_report().ok() &&
      linear_.correct(force, gap, 1e-6 * system.length_scale, dz, dy))
    return true;
  state.lambda = before;
  return false;
}

ResidualSize Equilibrium::residual(const State& state) {
  const Timed timed(report.seconds_force);
  evaluate_internal(system, state, work);
  const std::size_t n = system.map.size;
  if (proportional) {
    State full = state;
    full.load_factor = 1;
    evaluate_external(system, full, work);
    scratch_ = work.external;
    add_prestress(system, state, scratch_);
    system.map.restrict(state.slots, scratch_, reference.host().first(n));
    place.combine({{state.load_factor, model_.external}}, model_.external);
  } else {
    evaluate_external(system, state, work);
  }
  place.combine({{1, model_.internal}, {-1, model_.external}}, unbalanced_);
  system.map.restrict(state.slots, unbalanced_.host(), r.host().first(n));
  if (!system.rows.empty()) {
    evaluate_constraints(system, state, work);
    add_transposed(system, work.G, 1, state.lambda, r.host().first(n));
    std::ranges::copy(work.c, r.host().begin() + n);
  }
  if (offset_factor != 0) place.combine({{1, r}, {-offset_factor, offset}}, r);
  if (forgives_) place.combine({{1, r}, {-1, forgiven_}}, r);

  const Product forces[] = {{&coordinate_squares_, model_.internal, model_.internal},
                            {&coordinate_squares_, model_.external, model_.external}};
  double sums[2];
  place.dots(forces, sums);
  const double internal = sums[0], external = sums[1], sum = place.dot(r, r, &force_squares_);
  // The worst coordinate and row have names for the user.
  const std::span<const double> left = r.host();
  double largest = -1, violation = 0, gap = 0;
  int worst = -1, row = -1;
  for (std::size_t i = 0; i < n; ++i)
    if (const double a = std::abs(weights_.force[i] * left[i]); a > largest) {
      largest = a;
      worst = static_cast<int>(i);
    }
  for (std::size_t i = n; i < left.size(); ++i) {
    violation += left[i] * left[i];
    if (std::abs(left[i]) > gap) {
      gap = std::abs(left[i]);
      row = static_cast<int>(i);
    }
  }
  ResidualSize result;
  result.norm = sum > 0 ? std::sqrt(sum) : std::max(largest, 0.0);  // squares of tiny forces are 0
  result.finite = std::isfinite(result.norm) && std::isfinite(sum) && std::isfinite(internal) &&
                  std::isfinite(external) && std::isfinite(violation);
  if (!result.finite) return result;
  worst_ = worst;
  external_ = external > 0 ? std::sqrt(external) : place.largest(model_.external, nullptr);
  violation_ = std::sqrt(violation);
  scale_ = std::max(std::sqrt(std::max(internal, external)), sum > 0 ? 0.0 : largest);
  double scale = tiny_load() ? external_ : std::max(scale_, 1e-3 * largest_scale_);
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

void Equilibrium::forgive_rounding() {
  place.combine({{1, forgiven_}, {1, r}}, forgiven_);
  forgives_ = true;
}

void Equilibrium::remember_scale() { largest_scale_ = std::max(largest_scale_, scale_); }

int Equilibrium::negative_directions() const {
  const int negative = factor_report().negative_pivots;
  if (negative < 0 || system.rows.empty()) return negative;
  // Penalties that are too small leave negative pivots of their own; borders have one for each row.
  if (!system.has_multipliers()) return negative == 0 ? 0 : -1;
  return std::max(-1, negative - system.row_count());
}

const std::vector<double>& Equilibrium::evaluate(const State& state) {
  const Timed timed(report.seconds_tangent);
  if (!system.rows.empty()) evaluate_constraints(system, state, work);
  const std::vector<double>& K = linear_.evaluate(state, 1, 0, 0, 1, true);
  system.map.restrict(state.slots, state.q, scratch_);
  scratch_.resize(system.pattern.size, 0.0);  // multipliers
  multiply_absolute(system.pattern, K, scratch_, magnitude_);
  double sum = 0;
  for (int i = 0; i < system.map.size; ++i) {
    const double a = weights_.force[i] * magnitude_[i];
    sum += a * a;
  }
  rounding_ = std::numeric_limits<double>::epsilon() * std::sqrt(sum);
  return K;
}

bool Equilibrium::factor() {
  const Timed timed(report.seconds_factor);
  const long long before = linear_.factorisations();
  const bool done = linear_.factor();
  report.factorisations += static_cast<int>(linear_.factorisations() - before);
  // Along an arc the matrix may be singular at a limit point: the bordered system is not.
  return (done && factor_report().ok()) || (proportional && factor_report().usable);
}

bool Equilibrium::solve(const Array& b, Array& x) {
  const Timed timed(report.seconds_solve);
  if (!linear_.solve(b.host(), solution_)) return false;
  place.upload(solution_, x);
  return true;
}

double Equilibrium::inner(const Array& a, const Array& b) {
  return place.dot(a, b, &correction_squares_) / system.map.size;
}

double Equilibrium::correction_norm(const Array& dz) { return std::sqrt(inner(dz, dz)); }

double Equilibrium::displacement_norm(const State& state) const {
  double sum = 0;
  for (int v = 0; v < system.vectors(); ++v) {
    const double weight = weights_.coordinate_correction[3ul * v];
    for (int c = 0; c < 3; ++c) {
      const double d = weight * (state.q[3 * v + c] - system.q0[3 * v + c]);
      sum += d * d;
    }
  }
  return std::sqrt(sum / std::max(1, system.map.size));
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

std::string Equilibrium::place_text(const State& state) const {
  return goes_on ? fmt::format("t = {:.6g} s", state.t) : fmt::format("load factor {:.6g}", state.load_factor);
}

std::string Equilibrium::reached_text(const State& state) const {
  if (goes_on)
    return fmt::format("t = {:.6g} s reached, of {:.6g} to {:.6g} s", state.t, begin, begin + options.duration);
  return fmt::format("load factor {:.6g} of 1 reached (t = {:.6g} s)", state.load_factor, state.t);
}

std::string Equilibrium::worst() const { return worst_ >= 0 ? system.unknown_name(worst_) : ""; }

// Inverse iteration with K + shift diag(K): after a few rounds the softest mode stands alone. Multipliers, behind the
// unknowns, keep it within the constraints.
std::string Equilibrium::softest(const State& state) {
  std::vector<double> shifted = linear_.evaluate(state, 1, 0, 0, 1, true);
  const auto& pattern = system.pattern;
  std::vector<double> stiffness;
  column_maxima(pattern, shifted, stiffness);
  const double largest = *std::max_element(stiffness.begin(), stiffness.end());
  if (!std::isfinite(largest)) return "";
  for (double& k : stiffness) k = largest > 0 ? std::max(k, 1e-6 * largest) : 1;  // nothing may be stiff at all
  for (int j = 0; j < system.map.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) shifted[p] += 1e-9 * stiffness[j];
  if (!linear_.factor(shifted) && !factor_report().usable) return "";
  const auto size_of_all = static_cast<std::size_t>(system.map.size + system.row_count());
  std::vector<double> x(size_of_all), b(size_of_all, 0.0);
  for (int i = 0; i < system.map.size; ++i) x[i] = 1 + 0.3 * std::sin(1.7 * i);
  for (int round = 0; round < 4; ++round) {
    double size = 0;
    for (int i = 0; i < system.map.size; ++i) size = std::max(size, std::abs(x[i]));
    for (int i = 0; i < system.map.size; ++i) b[i] = stiffness[i] * (x[i] / size);
    if (!linear_.solve(b, x)) return "";
  }
  std::vector<int> order(system.map.size);
  std::iota(order.begin(), order.end(), 0);
  const auto amplitude = [&](int i) { return std::abs(weights_.correction[i] * x[i]); };
  const std::size_t named = std::min<std::size_t>(3, order.size());
  std::partial_sort(order.begin(), order.begin() + named, order.end(),
                    [&](int a, int b_) { return amplitude(a) > amplitude(b_); });
  std::string text;
  for (std::size_t k = 0; k < named && amplitude(order[k]) > 0.1 * amplitude(order[0]); ++k)
    text += (k ? "; " : "") + system.unknown_name(order[k]);
  return text;
}

}  // namespace lithe

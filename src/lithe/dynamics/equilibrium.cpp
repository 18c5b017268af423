#include "lithe/dynamics/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lithe {

namespace {
// As far as points of contact are found beyond what touches, over the size of the model.
constexpr double contact_reach = 0.02;
}  // namespace

Equilibrium::Equilibrium(const System& s, const StaticAnalysis& o, Workspace& w, StaticReport& rep)
    : system(s),
      options(o),
      work(w),
      report(rep),
      place(*w.place),
      weights_(s),
      model_(s, w, place),
      linear_(model_, {.solver = o.solver, .ordering = o.ordering, .keep_rung = true}, phases_) {
  const auto bring = [&](std::vector<double> numbers, std::size_t size, Array& array) {
    numbers.resize(size, 0.0);
    array = Array(place, size);
    place.upload(numbers, array);
  };
  const std::size_t all = size(), coordinates = system.q0.size();
  for (Array* x : {&r, &reference, &offset, &forgiven_, &finite_, &scaled_}) *x = array();
  bring(weights_.force, all, force_weight_);
  bring(squares(weights_.force), all, force_squares_);
  bring(weights_.correction, all, correction_weight_);
  bring(squares(weights_.correction), all, correction_squares_);
  bring(squares(weights_.coordinate_force), coordinates, coordinate_force_squares_);
  bring(squares(weights_.coordinate_correction), coordinates, coordinate_correction_squares_);
  bring(system.q0, coordinates, q0_);
  for (Array* x : {&unbalanced_, &rates_}) *x = model_.coordinate_array();
}

void Equilibrium::set_load(Configuration& state, double share) {
  state.load_factor() = goes_on ? 1 : share;
  state.t() = begin + share * options.duration;
  follow(state);
}

// Overlaps at the start are an error of the first stage: later ones begin as the one before has pressed them.
void Equilibrium::start_contacts(Configuration& state) {
  if (!model_.contact) return;
  const State& here = model_.on_host(state);
  if (here.slots.size(here.slots.count() - 1) == 0) model_.contact->check_start(here);
  model_.contact->resume(here);
  (void)residual(state);
  find_contacts(state, state);
  (void)residual(state);
  if (here.slots.size(here.slots.count() - 1) > 0) return;
  model_.contact->keep(model_.on_host(state), state.scalars());  // what presses at the start has its stiffness
  (void)residual(state);
  find_contacts(state, state);
}

void Equilibrium::find_contacts(const Configuration& trial, const Configuration& from) {
  begin_ = model_.on_host(from);
  model_.contact->find_near(model_.on_host(trial), begin_, contact_reach * system.length_scale);
}

bool Equilibrium::same_contacts(const Configuration& state) {
  return model_.contact->same_features(model_.on_host(state));
}

void Equilibrium::accept_contacts(Configuration& state) {
  if (!model_.contact) return;
  model_.contact->accept(model_.on_host(state), state.scalars());
  (void)residual(state);
}

void Equilibrium::follow(Configuration& state) { model_.follow(state.t(), state.t(), state.q, rates_, rates_); }

void Equilibrium::add(const Array& dx, double factor, Configuration& state) {
  model_.prolong(state, dx.part(0, system.map.size), factor, state.q);
  if (system.rows.empty()) return;
  place.combine({{factor, dx.part(system.map.size, system.rows.size())}, {1, state.lambda}}, state.lambda);
}

bool Equilibrium::guess_multipliers(Configuration& state) {
  Array before = model_.row_array(), dz = model_.unknown_array();
  place.copy(state.lambda, before);
  place.fill(0, state.lambda);
  (void)residual(state);
  if (linear_.factor(model_.on_host(state), 0, 0, 1, 1, false) && linear_.factor_report().ok() &&
      linear_.correct(forces_of(r), model_.row_array(), 1e-6 * system.length_scale, dz, state.lambda))
    return true;
  place.copy(before, state.lambda);
  return false;
}

ResidualSize Equilibrium::residual(const Configuration& state) {
  const Timed timed(report.seconds_force);
  Array forces = forces_of(r), gaps = rows_of(r);
  if (proportional) {
    model_.forces(state, 1);
    place.copy(model_.external, unbalanced_);
    model_.add_prestress(state, unbalanced_);
    Array full = forces_of(reference);
    model_.restrict(state, unbalanced_, full);
    place.combine({{state.load_factor(), model_.external}}, model_.external);
  } else {
    model_.forces(state);
  }
  place.combine({{1, model_.internal}, {-1, model_.external}}, unbalanced_);
  model_.restrict(state, unbalanced_, forces);
  if (!system.rows.empty()) {
    model_.constraints(state);
    model_.add_transposed(model_.G, 1, state.lambda, forces);
    place.copy(model_.c, gaps);
  }
  if (offset_factor != 0) place.combine({{1, r}, {-offset_factor, offset}}, r);
  if (forgives_) place.combine({{1, r}, {-1, forgiven_}}, r);

  const Product sizes[] = {{&coordinate_force_squares_, model_.internal, model_.internal},
                           {&coordinate_force_squares_, model_.external, model_.external}};
  double sums[2];
  place.dots(sizes, sums);
  const double internal = sums[0], external = sums[1], sum = place.dot(r, r, &force_squares_);
  const double violation = place.dot(gaps, gaps);
  place.multiply(force_weight_, r, scaled_);
  const double largest = place.largest(scaled_);
  ResidualSize result;
  result.norm = sum > 0 ? std::sqrt(sum) : largest;  // squares of tiny forces are 0
  result.finite = std::isfinite(result.norm) && std::isfinite(sum) && std::isfinite(internal) &&
                  std::isfinite(external) && std::isfinite(violation);
  if (!result.finite) return result;
  external_ = external > 0 ? std::sqrt(external) : place.largest(model_.external, nullptr);
  violation_ = std::sqrt(violation);
  scale_ = std::max(std::sqrt(std::max(internal, external)), sum > 0 ? 0.0 : largest);
  double scale = tiny_load() ? external_ : std::max(scale_, 1e-3 * largest_scale_);
  // A motion that no force answers yet: rows that do not hold are measured all the same, in newtons by the length.
  if (scale == 0 && violation_ > 1e-14 * system.length_scale) scale = 1;
  newtons_of_rows_ = scale / system.length_scale;
  if (violation > 0) result.norm = std::hypot(result.norm, scale * violation_ / system.length_scale);
  result.relative = scale > 0 ? result.norm / scale : 0;
  place.copy(r, finite_);
  any_finite_ = true;
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

const std::vector<double>& Equilibrium::evaluate(const Configuration& state) {
  const Timed timed(report.seconds_tangent);
  model_.constraints(state);
  const std::vector<double>& K = linear_.evaluate(model_.on_host(state), 1, 0, 0, 1, true);
  // |K| |q| where the matrix is, on the host.
  Array q = forces_of(scaled_), gaps = rows_of(scaled_);
  model_.restrict(state, state.q, q);
  place.fill(0, gaps);
  from_.assign(system.pattern.size, 0.0);
  place.download(q, std::span(from_).first(q.size()));
  multiply_absolute(system.pattern, K, from_, magnitude_);
  place.upload(std::span(magnitude_).first(q.size()), q);
  rounding_ = std::numeric_limits<double>::epsilon() * std::sqrt(place.dot(scaled_, scaled_, &force_squares_));
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
  if (!linear_.solve(HostReading(b, from_), solution_)) return false;
  place.upload(solution_, x);
  return true;
}

double Equilibrium::inner(const Array& a, const Array& b) {
  return place.dot(a, b, &correction_squares_) / system.map.size;
}

double Equilibrium::correction_norm(const Array& dz) { return std::sqrt(inner(dz, dz)); }

double Equilibrium::displacement_norm(const Configuration& state) {
  place.combine({{1, state.q}, {-1, q0_}}, rates_);
  const double sum = place.dot(rates_, rates_, &coordinate_correction_squares_);
  return std::sqrt(sum / std::max(1, system.map.size));
}

std::string Equilibrium::inverted_node(const Configuration& state) {
  const HostReading q(state.q, room_);
  for (const auto& body : system.bodies) {
    if (body.node_vectors < 4) continue;
    for (int node = 0; node < body.mesh.node_count(); ++node) {
      const double* a = &std::span<const double>(q)[3 * body.vector(node, 1)];
      const double *b = a + 3, *c = a + 6;
      const double det =
          a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
      if (!(det > 0)) return fmt::format("body '{}', node {}", body.name, node);
    }
  }
  return "";
}

int Equilibrium::largest_unknown(const Array& x) {
  const HostReading here(x, room_);
  int largest = 0;
  for (int i = 0; i < system.map.size; ++i)
    if (std::abs(weights_.correction[i] * here[i]) > std::abs(weights_.correction[largest] * here[largest]))
      largest = i;
  return largest;
}

std::string Equilibrium::place_text(const Configuration& state) const {
  return goes_on ? fmt::format("t = {:.6g} s", state.t()) : fmt::format("load factor {:.6g}", state.load_factor());
}

std::string Equilibrium::reached_text(const Configuration& state) const {
  if (goes_on)
    return fmt::format("t = {:.6g} s reached, of {:.6g} to {:.6g} s", state.t(), begin, begin + options.duration);
  return fmt::format("load factor {:.6g} of 1 reached (t = {:.6g} s)", state.load_factor(), state.t());
}

std::string Equilibrium::worst() {
  if (!any_finite_ || system.map.size == 0) return "";
  const HostReading left(finite_, room_);
  int worst = 0;
  double most = -1;
  for (int i = 0; i < size(); ++i)
    if (const double a = std::abs(left[i]) * (i < system.map.size ? weights_.force[i] : newtons_of_rows_); a > most) {
      worst = i;
      most = a;
    }
  return system.unknown_name(worst);
}

// Inverse iteration with K + shift diag(K): after a few rounds the softest mode stands alone. Multipliers, behind the
// unknowns, keep it within the constraints.
std::string Equilibrium::softest(const Configuration& state) {
  std::vector<double> shifted = linear_.evaluate(model_.on_host(state), 1, 0, 0, 1, true);
  const auto& pattern = system.pattern;
  const int n = system.map.size;
  std::vector<double> stiffness;
  column_maxima(pattern, shifted, stiffness);
  const double largest = *std::max_element(stiffness.begin(), stiffness.end());
  if (!std::isfinite(largest)) return "";
  stiffness.resize(n);
  for (double& k : stiffness) k = largest > 0 ? std::max(k, 1e-6 * largest) : 1;  // nothing may be stiff at all
  for (int j = 0; j < n; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) shifted[p] += 1e-9 * stiffness[j];
  if (!linear_.factor(shifted) && !factor_report().usable) return "";
  Array x = array(), b = array(), k = array(), moved = x.part(0, n);
  {
    const HostWriting start(x, room_);
    for (int i = 0; i < n; ++i) start[i] = 1 + 0.3 * std::sin(1.7 * i);
  }
  stiffness.resize(size(), 0.0);
  place.upload(stiffness, k);
  for (int round = 0; round < 4; ++round) {
    const double length = place.largest(moved);
    place.multiply(k, x, b);
    place.combine({{1 / length, b}}, b);
    if (!solve(b, x)) return "";
  }
  place.multiply(correction_weight_, x, x);
  const HostReading mode(x, room_);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto amplitude = [&](int i) { return std::abs(mode[i]); };
  const std::size_t named = std::min<std::size_t>(3, order.size());
  std::partial_sort(order.begin(), order.begin() + named, order.end(),
                    [&](int a, int b_) { return amplitude(a) > amplitude(b_); });
  std::string text;
  for (std::size_t i = 0; i < named && amplitude(order[i]) > 0.1 * amplitude(order[0]); ++i)
    text += (i ? "; " : "") + system.unknown_name(order[i]);
  return text;
}

}  // namespace lithe

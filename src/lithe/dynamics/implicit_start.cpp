// Consistent velocities, accelerations and multipliers at the start of a run and after a makeshift step; restarts.
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/dynamics/implicit_stepper.h"
#include "lithe/dynamics/start_failure.h"

namespace lithe {

namespace {

constexpr int most = 50;
constexpr double exact = 1e-13;
// Penalties hold constraints that depend on each other somehow: what they leave of the first gap tells, or of rates.
constexpr double met_of_gap = 1e-6, met_of_rates = 1e-9;
// Share of a step over which rates of accelerations are measured.
constexpr double probe = 1.0 / 64;

double size_of(const std::vector<double>& x) {
  double largest = 0;
  for (double y : x) largest = std::max(largest, std::abs(y));
  return largest;
}

}  // namespace

void ImplicitStepper::start(State& state) {
  state.a.assign(state.q.size(), 0.0);
  wanted_v_ = state.v;
  for (auto* x : {&state.lambda, &state.velocity_multipliers, &state.acceleration_multipliers})
    x->assign(system_.rows.size(), 0.0);
  system_.map.admit(state.slots, state.v, dz_);
  system_.map.follow(system_.q0, state.t, state.t, state.q, state.v, state.a);
  for (auto& a : state.past.a) a.assign(state.a.size(), 0.0);
  if (!settle(wanted_v_, state)) throw RunError(start_failure_);
  seed_past(options_.step, state);
  state.linearisation = {};
  state.energy = {};
  state.energy.kinetic_start = state.energy.kinetic = state.energy.size = kinetic_energy(state);
}

// The velocities nearest to `wanted`, in the sense of the mass, that the constraints allow, then accelerations and
// multipliers with M a + F = 0 and constraints that hold to their second rates. False: there are none.
bool ImplicitStepper::settle(const std::vector<double>& wanted, State& state) {
  have_last_force_ = false;
  evaluate_constraints(system_, state, work_);
  if (system_.map.size > 0 && !linear_.factor(state, 0, 0, 1, 1, false)) {
    const FactorReport report = linear_.factor_report();
    start_failure_ = start_failure(system_, linear_.evaluate(state, 0, 0, 1, 1, false), report, linear_.why());
    return false;
  }
  const bool found = settle_velocities(wanted, state) && settle_accelerations(state);
  if (found) probe_jerk(state);
  linear_.forget();
  point_.valid = false;
  if (!found) return false;
  if (std::isfinite(size_of(state.a)) && std::isfinite(size_of(state.v))) return true;
  start_failure_ = "the accelerations at the start are not finite; check loads and masses";
  return false;
}

// M (v - wanted) + G^T mu = 0, G v = rates of the drives; eliminated constraints are met by the unknowns themselves.
bool ImplicitStepper::settle_velocities(const std::vector<double>& wanted, State& state) {
  std::vector<double> mu(system_.rows.size(), 0.0);
  double first = 0;
  for (int k = 0; k < most && system_.map.size > 0; ++k) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = state.v[i] - wanted[i];
    constraint_rates(system_, state, rates_);
    if (k == 0) first = size_of(rates_);
    if (std::max(size_of(scratch_), size_of(rates_)) <= exact * size_of(state.v)) break;
    mass_.multiply(scratch_, inertia_);
    system_.map.restrict(state.slots, inertia_, residual_);
    add_transposed(system_, work_.G, 1, mu, residual_);
    if (!linear_.correct(residual_, rates_, exact * size_of(rates_), dz_, d_lambda_)) {
      start_failure_ = "no velocities satisfy the constraints at the start";
      return false;
    }
    system_.map.prolong(state.slots, dz_, 1, state.v);
    for (std::size_t r = 0; r < d_lambda_.size(); ++r) mu[r] += d_lambda_[r];
    if (size_of(dz_) <= exact * size_of(state.v)) break;
  }
  constraint_rates(system_, state, rates_);
  return constraints_met("velocity", met_of_gap * first + met_of_rates * size_of(state.v));
}

// Is what rates_ tells of the constraints within `limit`?
bool ImplicitStepper::constraints_met(const char* what, double limit) {
  const auto larger = [](double x, double y) { return std::abs(x) < std::abs(y); };
  const auto worst = std::max_element(rates_.begin(), rates_.end(), larger) - rates_.begin();
  if (rates_.empty() || !(std::abs(rates_[worst]) > limit)) return true;
  start_failure_ =
      dependent_at_start(std::string("no ") + what + " there satisfies " +
                         system_.owners[system_.rows[static_cast<std::size_t>(worst)].owner].text + " and the others");
  return false;
}

bool ImplicitStepper::settle_accelerations(State& state) {
  evaluate_internal(system_, state, work_);
  evaluate_external(system_, state, work_);
  double first = 0;
  for (int k = 0; k < most && system_.map.size > 0; ++k) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = work_.internal[i] - work_.external[i];
    mass_.add_product(1, state.a, scratch_);
    system_.map.restrict(state.slots, scratch_, residual_);
    add_transposed(system_, work_.G, 1, state.lambda, residual_);
    constraint_accelerations(system_, state, rates_);
    if (k == 0) first = size_of(rates_);
    if (!linear_.correct(residual_, rates_, exact * size_of(rates_), dz_, d_lambda_)) {
      start_failure_ = "no accelerations at the start";
      return false;
    }
    system_.map.prolong(state.slots, dz_, 1, state.a);
    for (std::size_t r = 0; r < d_lambda_.size(); ++r) state.lambda[r] += d_lambda_[r];
    if (size_of(dz_) <= exact * size_of(state.a)) break;
  }
  constraint_accelerations(system_, state, rates_);
  return constraints_met("acceleration", met_of_gap * first + met_of_rates * size_of(state.a));
}

// Rates of the accelerations across the constraints, into jerk_: G j = -d3c/dt3 at j = 0, M j + G^T mu = 0. Schemes
// begin with what they have to do there (scheme.h). Along the constraints that costs no order, and there stiff parts
// make rates of accelerations that a step does not see.
void ImplicitStepper::probe_jerk(const State& state) {
  std::fill(jerk_.begin(), jerk_.end(), 0.0);
  if (system_.rows.empty() || system_.map.size == 0 || project_) return;
  const double e = probe * options_.step;
  State moved = state;
  std::vector<double> third(system_.rows.size());
  constraint_accelerations(system_, state, rates_);
  for (std::size_t r = 0; r < third.size(); ++r) third[r] = -3 * rates_[r];
  for (const double k : {1.0, 2.0}) {  // (-3 f(0) + 4 f(e) - f(2 e)) / 2 e: signals need not exist before the start
    moved.t = state.t + k * e;
    for (std::size_t i = 0; i < state.q.size(); ++i) {
      moved.q[i] = state.q[i] + k * e * state.v[i] + 0.5 * k * k * e * e * state.a[i];
      moved.v[i] = state.v[i] + k * e * state.a[i];
    }
    constraint_accelerations(system_, moved, rates_);
    for (std::size_t r = 0; r < third.size(); ++r) third[r] += (k == 1 ? 4 : -1) * rates_[r];
  }
  for (double& x : third) x /= 2 * e;
  std::fill(residual_.begin(), residual_.end(), 0.0);
  if (linear_.correct(residual_, third, exact * size_of(third), dz_, d_lambda_))
    system_.map.prolong(state.slots, dz_, 1, jerk_);
}

// A past of one step of size h as the rates of accelerations have it.
void ImplicitStepper::seed_past(double h, State& state) {
  Past& past = state.past;
  past.count = past.order = 0;
  past.step = h;
  past.scheme.clear();
  for (std::size_t i = 0; i < state.a.size(); ++i) past.a[0][i] = state.a[i] - h * jerk_[i];
}

void ImplicitStepper::corner(bool jump, State& state) {
  if (jump) {
    wanted_v_ = state.v;
    if (!settle(wanted_v_, state)) throw RunError("after a jump of a load: " + start_failure_);
    return seed_past(state.past.step, state);
  }
  state.past.count = state.past.order = 0;
  state.past.scheme.clear();
  state.past.a[0] = state.a;
}

void ImplicitStepper::resume(State& state) {
  have_last_force_ = false;
  linear_.forget();
  point_ = state.linearisation;
  if (!point_.pivot_values.empty()) linear_.set_pivots(point_.pivot_values);
  if (!point_.valid) return;
  State at = state;
  at.t = point_.t;
  at.q = point_.q;
  at.v = point_.v;
  at.lambda = point_.lambda;
  evaluate_constraints(system_, at, work_);
  find_rounding(linear_.evaluate(at, point_.c_q, point_.c_v, point_.c_a, point_.c_q, system_.has_multipliers()), at);
  if (!linear_.factor()) throw RunError("the checkpoint's matrix cannot be factored again: " + linear_.why());
}

void ImplicitStepper::save(State& state) {
  state.linearisation = point_;
  state.linearisation.pivot_values.clear();
  if (const std::vector<double>* values = linear_.pivot_values()) state.linearisation.pivot_values = *values;
}

}  // namespace lithe

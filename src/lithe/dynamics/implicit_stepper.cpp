#include "lithe/dynamics/implicit_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/dynamics/timed.h"

namespace lithe {

namespace {

// Share of the forces that a predicted residual may have before another prediction is tried.
constexpr double jolt = 0.5;
// Backward Euler makes a step where the chosen scheme fails although the step is this share of the one asked for.
constexpr double last_resort = 1.0 / 8;
// Or where, after a jolt, the error of backward Euler is smaller by this factor.
constexpr double far_less = 4;

}  // namespace

ImplicitStepper::ImplicitStepper(const System& system, const DynamicAnalysis& options, Workspace& work)
    : data_(system, options, work),
      start_(data_),
      prediction_(data_),
      newton_(data_),
      projection_(data_, newton_),
      watch_(data_) {}

// ---- the step ----

StepReport ImplicitStepper::step(double h, State& state) {
  data_.now.attach(state);
  // Constraints of index 3 bear no change of the step: velocities and accelerations across them belong to its size.
  const bool restart = !data_.system.rows.empty() && !data_.projects && !same_size(state.past.step, h);
  if (restart) {
    put_aside(before_);
    if (!start_.settle()) {
      take_back(before_);
      StepReport report;
      report.reason = StepReport::Reason::singular;
      return report;
    }
    start_.seed_past(h);
  }
  keep_begin();
  StepReport report = climb(h);
  if (report.ok() && !finish(h, report)) report.reason = StepReport::Reason::singular;
  if (report.ok()) return report;
  if (report.reason != StepReport::Reason::inaccurate) report.worst = newton_.worst();
  go_back();
  if (restart) {
    take_back(before_);
    data_.have_last = false;
  }
  return report;
}

// What is tried until the step comes out: the chosen scheme; after a start with a jolt of damping, backward Euler; new
// tangents at every iteration; backward Euler.
StepReport ImplicitStepper::climb(double h) {
  StepData& d = data_;
  StepReport report;
  bool moved = false;
  const auto attempt_by = [&](const Scheme& scheme, TangentPolicy policy) {
    if (moved) go_back();
    moved = true;
    d.scheme = scheme;
    d.policy = policy;
    const StepReport before = report;
    report = attempt(h);
    report.iterations += before.iterations;
    report.factorisations += before.factorisations;
    return report.ok() || report.reason == StepReport::Reason::inaccurate;
  };
  const TangentPolicy policy = d.options.tangent_policy;
  const bool may_fall_back =
      d.options.control == StepControl::fixed && integrator_of(d.system, d.options) != Integrator::backward_euler;
  d.fallback = false;
  const bool start = d.now.scalars().past.count == 0;
  bool done = attempt_by(d.chosen, policy);
  // A start whose accelerations damping takes away within the step: the scheme weighs them and makes them a swing,
  // backward Euler forgets them, and is taken where it misses less by far. Where it does not come out nothing tells
  // what the scheme made of the jolt: a smaller step.
  if (may_fall_back && start && jolted_ && watch_.damping_rules()) {
    const double missed = done ? watch_.own_error(h) : std::numeric_limits<double>::infinity();
    const StepReport other = report;
    if (done) put_aside(jolt_);
    const bool other_done = attempt_by(backward_euler(), TangentPolicy::every_iteration);
    d.fallback = other_done && far_less * watch_.own_error(h) < missed;
    done = done && other_done;
    if (!d.fallback && done) {
      take_back(jolt_);
      d.scheme = d.chosen;
      const int iterations = report.iterations, factorisations = report.factorisations;
      report = other;
      report.iterations = iterations;
      report.factorisations = factorisations;
      newton_.evaluate();
    }
    done = done || d.fallback;
  }
  // Old tangents are never the reason why a step fails.
  if (!done && policy != TangentPolicy::every_iteration) {
    done = attempt_by(d.chosen, TangentPolicy::every_iteration);
    if (done && policy == TangentPolicy::adaptive) StepNewton::put_aside(d.now.scalars().memory, 1);
  }
  // The last resort.
  if (!done && may_fall_back && h <= last_resort * d.options.step * (1 + 1e-9))
    d.fallback = attempt_by(backward_euler(), TangentPolicy::every_iteration);
  report.fallback = d.fallback;
  return report;
}

// Newton's way to the end of the step, from the state at its beginning.
StepReport ImplicitStepper::attempt(double h) {
  StepData& d = data_;
  // A time moved by a rounding (to meet an output exactly) counts as another state: a restart sees no difference.
  if (!d.have_last || d.last_time != d.now.t()) {
    d.model.recall_contacts(d.now);
    newton_.evaluate();
    d.evaluate_reactions();
    d.keep_forces();
  }
  if (d.model.contact) {
    const Timed timed(d.phases.detection);
    d.model.find_contacts(d.now, h);
  }
  prediction_.begin(h);
  predict(h);
  StepReport report = newton_.iterate(h);
  if (report.ok() && d.options.control == StepControl::error) {
    report.error = watch_.own_error(h) / d.options.error_tolerance;
    if (report.error > 1 && h > d.options.smallest_step) report.reason = StepReport::Reason::inaccurate;
  }
  return report;
}

// a_1 from the accelerations of the last steps: constant, linear or quadratic, whichever would have been nearest the
// last time. Multipliers stay: near singular positions their iteration is slow, and extrapolation would make it grow.
// Where that misses by more than the forces themselves (after a jolt: accelerations that damping takes away within the
// step), velocities go on instead, if that is nearer.
void ImplicitStepper::predict(double h) {
  data_.now.t() += h;
  const int order = prediction_.order(h);
  const auto advance = [&] {
    prediction_.advance(h);
    newton_.evaluate();
  };
  prediction_.extrapolate(order);
  advance();
  const double first = newton_.residual_norm();
  jolted_ = newton_.residual_exceeds(jolt);
  if (!jolted_) return;
  prediction_.coast();
  advance();
  jolted_ = newton_.residual_exceeds(jolt);
  if (newton_.residual_norm() < first || !std::isfinite(first)) return;
  prediction_.extrapolate(order);
  advance();
}

// A step that converged: accelerations at its end, constraints of velocities and accelerations, energies, and what the
// next step needs.
bool ImplicitStepper::finish(double h, StepReport& report) {
  StepData& d = data_;
  PlacedState& now = d.now;
  const double m = d.scheme.m, f = d.scheme.f;
  Past& past = now.scalars().past;
  past.weighted = m != 0 || f != 0;
  if (past.weighted) {
    d.place.copy(now.a, now.scheme);
    d.place.combine({{(1 - m) / (1 - f), now.scheme}, {m / (1 - f), d.begin.a}, {-f / (1 - f), d.begin.w}}, now.a);
    d.follow_accelerations(now.t(), now.a);
  }
  const bool settled = d.fallback && !d.system.rows.empty();
  if (settled && !start_.settle()) return false;
  if (!settled && d.projects) report.factorisations += projection_.run(h);
  d.model.count_turns(now);
  if (d.fallback) start_.seed_past(h);
  else prediction_.remember(h);
  // Forces at what became of the state, and with the friction of what presses on lines at its end.
  if (settled || d.projects || d.system.springs.presses()) newton_.evaluate();
  if (d.model.contact) {
    report.contacts = d.model.contact->count();
    report.patterns = d.model.contact->pattern().epochs();
    d.model.contact->accept(d.model.on_host(d.now), now.scalars());
    report.coarse = d.model.contact->coarse();
    if (!d.model.contact->empty()) newton_.evaluate();  // as a restart will have them
  }
  watch_.energy(h);
  d.keep_forces();
  return true;
}

// ---- beginnings and ends ----

void ImplicitStepper::start(State& state) {
  const std::size_t n = state.q.size();
  for (auto* x : {&state.a, &state.past.a[0], &state.past.a[1], &state.past.scheme}) x->assign(n, 0.0);
  for (auto* x : {&state.lambda, &state.velocity_multipliers, &state.acceleration_multipliers})
    x->assign(data_.system.rows.size(), 0.0);
  state.linearisation = {};
  data_.now.bring(state);
  start_contacts(state);
  if (!start_.begin()) throw RunError(start_.failure());
  data_.linear.forget_preconditioner();  // the masses' alone: steps have stiffness, too
  // Friction is of the force across a line, which friction changes little: a few rounds.
  for (int round = 0; round < 3 && data_.system.springs.presses(); ++round) {
    data_.model.count_turns(data_.now);
    if (!start_.settle()) throw RunError(start_.failure());
  }
  if (data_.model.contact) data_.model.contact->keep(data_.model.on_host(data_.now), state);
  start_.seed_past(data_.options.step);
  watch_.start();
}

// Overlaps at the start are an error of the first stage: later ones begin as the one before has pressed them.
void ImplicitStepper::start_contacts(const State& state) {
  if (!data_.model.contact) return;
  const State& here = data_.model.on_host(data_.now);
  if (state.slots.size(state.slots.count() - 1) == 0) data_.model.contact->check_start(here);
  data_.model.contact->find_first(here, data_.options.step);
}

void ImplicitStepper::corner(bool jump, State& state) {
  data_.now.attach(state);
  if (jump) {
    if (!start_.settle()) throw RunError("after a jump of a load: " + start_.failure());
    return start_.seed_past(state.past.step);
  }
  state.past.count = state.past.order = 0;
  state.past.weighted = false;
  data_.place.copy(data_.now.a, data_.now.past[0]);
}

void ImplicitStepper::resume(State& state) {
  StepData& d = data_;
  d.now.bring(state);
  d.have_last = false;
  if (d.model.contact) d.model.contact->resume(d.model.on_host(d.now));
  d.linear.forget();
  d.point = state.linearisation;
  d.linear.choose_again(d.point.solver_counts);
  if (!d.point.pivot_values.empty()) d.linear.set_pivots(d.point.pivot_values);
  if (d.point.valid && !newton_.factor_again(d.point, state))
    throw RunError("the checkpoint's matrix cannot be factored again: " + d.linear.why());
  d.linear.set_solver_counts(d.point.solver_counts);
}

void ImplicitStepper::fetch(State& state) {
  data_.now.fetch(state);
  data_.model.fetch_forces();
}

void ImplicitStepper::save(State& state) {
  fetch(state);
  Linearisation& point = state.linearisation = data_.point;
  const auto copy = [&](const Array& from, std::vector<double>& to) {
    to.resize(from.size());
    data_.place.download(from, to);
  };
  copy(data_.point_q, point.q);
  copy(data_.point_v, point.v);
  copy(data_.point_lambda, point.lambda);
  point.pivot_values.clear();
  if (const std::vector<double>* values = data_.linear.pivot_values()) point.pivot_values = *values;
  point.solver_counts = data_.linear.solver_counts();
}

// ---- the state at the beginning, and states put aside ----

void ImplicitStepper::keep_begin() {
  StepData& d = data_;
  d.place.copy(d.now.q, d.begin.q);
  d.place.copy(d.now.v, d.begin.v);
  d.place.copy(d.now.a, d.begin.w);
  d.place.copy(d.now.lambda, d.begin.lambda);
  d.begin.t = d.now.t();
  d.begin.memory = d.now.scalars().memory;
}

void ImplicitStepper::go_back() {
  StepData& d = data_;
  d.place.copy(d.begin.q, d.now.q);
  d.place.copy(d.begin.v, d.now.v);
  d.place.copy(d.begin.w, d.now.a);
  d.place.copy(d.begin.lambda, d.now.lambda);
  d.now.t() = d.begin.t;
  d.now.scalars().memory = d.begin.memory;
}

void ImplicitStepper::put_aside(Aside& aside) {
  PlacedState& now = data_.now;
  const State& state = now.scalars();
  aside.t = state.t;
  aside.memory = state.memory;
  aside.steps = state.past;
  const auto copy = [&](const Array& from, Array& to) {
    if (to.size() != from.size()) to = Array(data_.place, from.size());
    data_.place.copy(from, to);
  };
  copy(now.q, aside.q);
  copy(now.v, aside.v);
  copy(now.a, aside.a);
  copy(now.lambda, aside.lambda);
  copy(now.past[0], aside.past);
}

void ImplicitStepper::take_back(const Aside& aside) {
  PlacedState& now = data_.now;
  State& state = now.scalars();
  state.t = aside.t;
  state.memory = aside.memory;
  static_cast<PastSteps&>(state.past) = aside.steps;
  data_.place.copy(aside.q, now.q);
  data_.place.copy(aside.v, now.v);
  data_.place.copy(aside.a, now.a);
  data_.place.copy(aside.lambda, now.lambda);
  data_.place.copy(aside.past, now.past[0]);
}

}  // namespace lithe

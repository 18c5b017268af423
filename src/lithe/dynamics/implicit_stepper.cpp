// One step: begin, predict, iterate (implicit_newton.cpp), finish; and what is tried when that fails.
#include "lithe/dynamics/implicit_stepper.h"

#include <fmt/format.h>

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
// Steps over which an imbalance of energies must stay to count.
constexpr int passing_steps = 8;
// Share of the inertia that damping forces balance where a jolt is one of damping.
constexpr double mostly = 0.5;

}  // namespace

std::string StepReport::text() const {
  switch (reason) {
    case Reason::converged:
      return "converged";
    case Reason::too_many_iterations:
      return fmt::format("Newton did not converge in {} iterations", iterations);
    case Reason::diverged:
      return fmt::format("Newton diverged after {} iterations", iterations);
    case Reason::not_finite:
      return "the forces are not finite";
    case Reason::singular:
      return "the matrix of the step is singular";
    case Reason::inaccurate:
      return fmt::format("the error of the step is {:.2g} times the tolerance", error);
  }
  return "";
}

ImplicitStepper::ImplicitStepper(const System& system, const DynamicAnalysis& options, Workspace& work)
    : system_(system),
      options_(options),
      work_(work),
      chosen_(scheme_of(options)),
      scheme_(chosen_),
      policy_(options.tangent_policy),
      mass_(system),
      linear_(system, {.solver = options.solver, .ordering = options.ordering}, work, phases_),
      project_(!system.rows.empty() && options.projection.value_or(chosen_.needs_projection())) {
  const int n = system.map.size, m = system.row_count();
  weight_.assign(n, 1.0);
  force_weight_.assign(n, 1.0);
  for (const BodyInfo& body : system.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node) {
      const VectorUnknowns& u = system.map.unknowns[body.vector(node, 0)];
      for (int c = 0; c < u.count; ++c) weight_[u.first + c] = 1 / system.length_scale;
    }
  std::vector<char> is_position(system.vectors(), 0);
  for (const BodyInfo& body : system.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node) is_position[body.vector(node, 0)] = 1;
  const double L = system.length_scale;
  for (int i = 0; i < n; ++i)
    if (!is_position[system.map.owner[i]]) force_weight_[i] = 1 / L;
  for (int v = 0; v < system.vectors(); ++v) {
    position_weight_.push_back(is_position[v] ? 1 : 1 / (L * L));
    position_error_weight_.push_back(is_position[v] ? 1 / (L * L) : 1);
  }
  for (auto* x : {&residual_, &force_, &last_force_, &dz_}) x->assign(n, 0.0);
  for (auto* x :
       {&q_, &v_, &w_, &a_, &inertia_, &scratch_, &wanted_v_, &start_v_, &jerk_, &last_internal_, &last_external_})
    x->assign(system.q0.size(), 0.0);
  if (!system.map.driven.empty())
    for (auto* x : {&reaction_, &last_reaction_}) x->assign(system.q0.size(), 0.0);
  for (auto* x : {&lambda_, &rates_, &d_lambda_, &last_targets_}) x->assign(m, 0.0);
  for (const ConstraintRow& row : system.rows) row_size_.push_back(std::abs(row.constant));
  for (const BodyInfo& body : system.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node)
      for (int k = 1; k < body.node_vectors; ++k) directions_.push_back(body.vector(node, k));
  for (double x : system.q0) coordinate_size_ = std::max(coordinate_size_, std::abs(x));

  const SparsePattern& pattern = system.pattern;
  for (int j = 0; j < n; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) diagonal_.push_back(p);
  LITHE_INVARIANT(static_cast<int>(diagonal_.size()) == n);
  if (n == 0) return;  // everything is prescribed
  const std::vector<double>& mass = linear_.evaluate(system.initial_state(), 0, 0, 1, 1, false);
  for (int p : diagonal_) mass_diagonal_.push_back(mass[p]);
}

// ---- the step ----

StepReport ImplicitStepper::step(double h, State& state) {
  const StepMemory memory = state.memory;
  // Constraints of index 3 bear no change of the step: velocities and accelerations across them belong to its size.
  const bool restart = !system_.rows.empty() && !project_ && !same_size(state.past.step, h);
  if (restart) {
    before_ = state;
    wanted_v_ = state.v;
    if (!settle(wanted_v_, state)) {
      state = before_;
      StepReport report;
      report.reason = StepReport::Reason::singular;
      return report;
    }
    seed_past(h, state);
  }
  q_ = state.q;
  v_ = state.v;
  w_ = state.a;
  lambda_ = state.lambda;
  const double t = state.t;
  const auto restore = [&] {
    state.t = t;
    state.q = q_;
    state.v = v_;
    state.a = w_;
    state.lambda = lambda_;
    state.memory = memory;
  };
  StepReport report;
  const auto attempt_by = [&](const Scheme& scheme, TangentPolicy policy) {
    restore();
    scheme_ = scheme;
    policy_ = policy;
    const StepReport before = report;
    report = attempt(h, state);
    report.iterations += before.iterations;
    report.factorisations += before.factorisations;
    return report.ok() || report.reason == StepReport::Reason::inaccurate;
  };
  fallback_ = false;
  const bool start = state.past.count == 0;
  bool done = attempt_by(chosen_, options_.tangent_policy);
  // A start whose accelerations damping takes away within the step: the scheme weighs them and makes them a swing,
  // backward Euler forgets them, and is taken where it misses less by far.
  const bool may_fall_back =
      options_.control == StepControl::fixed && options_.integrator != Integrator::backward_euler;
  if (may_fall_back && start && jolted_ && damping_rules()) {
    const double missed = done ? own_error(h, state) : std::numeric_limits<double>::infinity();
    const StepReport other = report;
    if (done) jolt_ = state;
    fallback_ = attempt_by(backward_euler(), options_.tangent_policy) && far_less * own_error(h, state) < missed;
    if (!fallback_ && done) {
      state = jolt_;
      scheme_ = chosen_;
      const int iterations = report.iterations, factorisations = report.factorisations;
      report = other;
      report.iterations = iterations;
      report.factorisations = factorisations;
      evaluate(state);
    }
    done = done || fallback_;
  }
  // Old tangents are never the reason why a step fails.
  if (!done && options_.tangent_policy != TangentPolicy::every_iteration) {
    done = attempt_by(chosen_, TangentPolicy::every_iteration);
    if (done && options_.tangent_policy == TangentPolicy::adaptive) put_aside(state.memory);
  }
  // The last resort.
  if (!done && may_fall_back && h <= last_resort * options_.step * (1 + 1e-9))
    fallback_ = attempt_by(backward_euler(), TangentPolicy::every_iteration);
  report.fallback = fallback_;
  if (report.ok() && !finish(h, state, report)) report.reason = StepReport::Reason::singular;
  if (!report.ok()) {
    if (report.reason != StepReport::Reason::inaccurate) find_worst(report);
    restore();
    if (restart) {
      state = before_;
      have_last_force_ = false;
    }
  }
  return report;
}

// Newton's way to the end of the step, from the state at its beginning.
StepReport ImplicitStepper::attempt(double h, State& state) {
  // A time moved by a rounding (to meet an output exactly) counts as another state: a restart sees no difference.
  if (!have_last_force_ || last_force_time_ != state.t) {
    evaluate(state);
    evaluate_reactions(state);
    keep_force(state);
  }
  begin(h, state);
  predict(h, state);
  StepReport report = iterate(h, state);
  if (report.ok() && options_.control == StepControl::error) {
    report.error = own_error(h, state) / options_.error_tolerance;
    if (report.error > 1 && h > options_.smallest_step) report.reason = StepReport::Reason::inaccurate;
  }
  return report;
}

// Are the accelerations at the beginning of the step mostly those of damping? work_ is left as it was.
bool ImplicitStepper::damping_rules() {
  State rest;
  rest.t = last_force_time_;
  rest.q = q_;
  rest.v.assign(v_.size(), 0.0);
  scratch_ = work_.internal;
  evaluate_internal(system_, rest, work_);
  mass_.multiply(w_, inertia_);
  double damping = 0, inertia = 0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double w = position_weight_[i / 3], d = last_internal_[i] - work_.internal[i];
    damping += w * d * d;
    inertia += w * inertia_[i] * inertia_[i];
  }
  work_.internal = scratch_;
  return damping > mostly * mostly * inertia;
}

// What the scheme begins with: its own accelerations of the last step; or, where that had another size or none, w
// carried back by the lag, and at a start the velocities that go with it across constraints (scheme.h).
void ImplicitStepper::begin(double h, const State& state) {
  const Past& past = state.past;
  const bool weighted = scheme_.m != 0 || scheme_.f != 0, start = past.count == 0;
  const double lag = start || weighted ? scheme_.lag() : 0;
  start_v_ = v_;
  a_ = w_;
  if (project_ || fallback_) {
    if (weighted && !past.scheme.empty() && same_size(past.step, h)) a_ = past.scheme;
    return;
  }
  if (!past.scheme.empty() && same_size(past.step, h)) {
    a_ = past.scheme;
    return;
  }
  const double share = lag * h / past.step, shift = start ? scheme_.error_h2 * h * h / past.step : 0;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double change = w_[i] - past.a[0][i];
    a_[i] -= share * change;
    start_v_[i] -= shift * change;
  }
  follow_accelerations(state.t - lag * h, a_);
}

// Accelerations of driven directions and slaves at t; coordinates stay to the last bit, forces were evaluated at them.
void ImplicitStepper::follow_accelerations(double t, std::vector<double>& a) {
  if (!system_.map.follows_time()) return;
  scratch_ = q_;
  wanted_v_ = v_;
  system_.map.follow(system_.q0, t, t, scratch_, wanted_v_, a);
}

// a_1 from the accelerations of the last steps: constant, linear or quadratic, whichever would have been nearest the
// last time. Multipliers stay: near singular positions their iteration is slow, and extrapolation would make it grow.
// Where that misses by more than the forces themselves (after a jolt: accelerations that damping takes away within the
// step), velocities go on instead, if that is nearer.
void ImplicitStepper::predict(double h, State& state) {
  state.t += h;
  const Past& past = state.past;
  const int order = same_size(past.step, h) ? std::min(past.order, past.count) : 0;
  const double acceleration_lag = scheme_.f - scheme_.m;
  const auto advance = [&] {
    for (std::size_t i = 0; i < state.q.size(); ++i) {
      state.q[i] = q_[i] + h * start_v_[i] + h * h * (scheme_.b0 * a_[i] + scheme_.b1 * state.a[i]);
      state.v[i] = start_v_[i] + h * (scheme_.g0 * a_[i] + scheme_.g1 * state.a[i]);
    }
    system_.map.follow(system_.q0, state.t, state.t - acceleration_lag * h, state.q, state.v, state.a);
    evaluate(state);
  };
  extrapolate(order, past, state.a);
  advance();
  const double first = residual_norm_;
  jolted_ = !(first <= force_norm_ * jolt);
  if (!jolted_) return;
  for (std::size_t i = 0; i < state.a.size(); ++i) state.a[i] = -scheme_.b0 / scheme_.b1 * a_[i];  // q_1 = q_0 + h v_0
  advance();
  jolted_ = !(residual_norm_ <= force_norm_ * jolt);
  if (residual_norm_ < first || !std::isfinite(first)) return;
  extrapolate(order, past, state.a);
  advance();
}

void ImplicitStepper::extrapolate(int order, const Past& past, std::vector<double>& next) const {
  next = a_;
  if (order == 1)
    for (std::size_t i = 0; i < next.size(); ++i) next[i] += w_[i] - past.a[0][i];
  if (order == 2)
    for (std::size_t i = 0; i < next.size(); ++i) next[i] += 2 * w_[i] - 3 * past.a[0][i] + past.a[1][i];
}

// A step that converged: accelerations at its end, constraints of velocities and accelerations, energies, and what the
// next step needs.
bool ImplicitStepper::finish(double h, State& state, StepReport& report) {
  const double m = scheme_.m, f = scheme_.f;
  std::vector<double>& scheme = state.past.scheme;
  scheme.clear();
  if (m != 0 || f != 0) {
    scheme = state.a;
    for (std::size_t i = 0; i < scheme.size(); ++i)
      state.a[i] = ((1 - m) * scheme[i] + m * a_[i] - f * w_[i]) / (1 - f);
    follow_accelerations(state.t, state.a);
  }
  const bool settled = fallback_ && !system_.rows.empty();
  if (settled) {
    wanted_v_ = state.v;
    if (!settle(wanted_v_, state)) return false;
  } else if (project_) {
    report.factorisations += project(h, state);
  }
  for (std::size_t i = 0; i < system_.angles.size(); ++i)
    state.slots.values[i] = angle_value(system_.angles[i], state.q, state.slots.values[i]);
  if (fallback_) seed_past(h, state);
  else remember(h, state);
  if (settled || project_) evaluate(state);  // forces at what became of the state
  watch_energy(h, state);
  keep_force(state);
  return true;
}

// Velocities and accelerations back onto the constraints, with the factorisation at hand (P4 eq. 6), or a new one where
// that one is too old.
int ImplicitStepper::project(double h, State& state) {
  int factorisations = 0;
  const double gap = 0.1 * wanted(h, state).gap;
  const auto onto = [&](double exactness, std::vector<double>& mu, std::vector<double>& x) {
    bool done = linear_.project(rates_, exactness, dz_, mu);
    if (!done) {
      std::fill(mu.begin(), mu.end(), 0.0);
      ++factorisations;
      done = factor(state, h) && linear_.project(rates_, exactness, dz_, mu);
    }
    if (done) system_.map.prolong(state.slots, dz_, 1, x);
    else std::fill(mu.begin(), mu.end(), 0.0);
    return done;
  };
  {
    const Timed timed(phases_.projection);
    constraint_rates(system_, state, rates_);
  }
  onto(gap / h, state.velocity_multipliers, state.v);
  {
    const Timed timed(phases_.projection);
    constraint_accelerations(system_, state, rates_);
  }
  if (onto(gap / (h * h), state.acceleration_multipliers, state.a) && !state.past.scheme.empty())
    system_.map.prolong(state.slots, dz_, (1 - scheme_.f) / (1 - scheme_.m), state.past.scheme);
  // The equation of motion goes on to hold: c_a M dz = -c_g G^T mu, up to the stiffness in the matrix.
  const double share = scheme_.c_q() / scheme_.c_a(h);
  for (std::size_t r = 0; r < state.lambda.size(); ++r) state.lambda[r] += share * state.acceleration_multipliers[r];
  return factorisations;
}

// Which extrapolation would have been nearest to what came out; then the step becomes the past.
void ImplicitStepper::remember(double h, State& state) {
  Past& past = state.past;
  if (!same_size(past.step, h)) past.count = 0;
  past.step = h;
  double miss[3] = {0, 0, 0};
  for (std::size_t i = 0; i < w_.size(); ++i) {
    const double w = position_error_weight_[i / 3], d0 = state.a[i] - w_[i];
    miss[0] += w * d0 * d0;
    if (past.count < 1) continue;
    const double d1 = d0 - (w_[i] - past.a[0][i]);
    miss[1] += w * d1 * d1;
    if (past.count < 2) continue;
    const double d2 = d1 - (w_[i] - 2 * past.a[0][i] + past.a[1][i]);
    miss[2] += w * d2 * d2;
  }
  past.order = 0;
  for (int k = 1; k <= past.count; ++k)
    if (miss[k] < miss[past.order]) past.order = k;
  past.count = std::min(2, past.count + 1);
  past.a[1].swap(past.a[0]);
  past.a[0] = w_;
}

// What holds at the end of a step and is asked for at the beginning of the next one. work_ and force_ are at `state`.
void ImplicitStepper::keep_force(const State& state) {
  last_force_.swap(force_);
  last_internal_ = work_.internal;
  last_external_ = work_.external;
  for (int r = 0; r < system_.row_count(); ++r) last_targets_[r] = target(r, state.t);
  if (!last_reaction_.empty()) last_reaction_.swap(reaction_);
  have_last_force_ = true;
  last_force_time_ = state.t;
}

double ImplicitStepper::target(int row, double t) const {
  const Signal& s = system_.rows[row].target;
  return s.is_constant() ? 0 : s(t);
}

// ---- watches ----

// Forces of drives whose directions were eliminated: M w + f_int - f_ext + G^T lambda over all coordinates.
void ImplicitStepper::evaluate_reactions(const State& state) {
  if (reaction_.empty()) return;
  for (std::size_t i = 0; i < reaction_.size(); ++i) reaction_[i] = work_.internal[i] - work_.external[i];
  mass_.add_product(1, state.a, reaction_);
  add_row_forces(system_, state, state.lambda, reaction_);
}

double ImplicitStepper::kinetic_energy(const State& state) {
  mass_.multiply(state.v, inertia_, *work_.team);
  double sum = 0;
  for (std::size_t i = 0; i < inertia_.size(); ++i) sum += state.v[i] * inertia_[i];
  return 0.5 * sum;
}

// Work by the trapezoidal rule over the step: what it misses of smooth forces is of the order of the schemes, and of
// linear ones it misses nothing. Driven directions: what the reactions do; they are at right angles to all others.
void ImplicitStepper::watch_energy(double h, State& state) {
  const Timed timed(phases_.watch);
  EnergyBalance& energy = state.energy;
  evaluate_reactions(state);
  double internal = 0, applied = 0, drives = 0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double dq = state.q[i] - q_[i];
    internal += dq * (work_.internal[i] + last_internal_[i]);
    applied += dq * (work_.external[i] + last_external_[i]);
  }
  for (std::size_t i = 0; i < reaction_.size(); ++i)
    drives += (state.q[i] - q_[i]) * (reaction_[i] + last_reaction_[i]);
  for (int r = 0; r < system_.row_count(); ++r)
    drives -= (target(r, state.t) - last_targets_[r]) * (state.lambda[r] + lambda_[r]);
  energy.internal += 0.5 * internal;
  energy.applied += 0.5 * applied;
  energy.drives += 0.5 * drives;
  energy.kinetic = kinetic_energy(state);
  energy.size = std::max(
      {energy.size, energy.kinetic, std::abs(energy.internal), std::abs(energy.applied), std::abs(energy.drives)});
  // After a jolt schemes with weights need some steps to have velocities that fit their forces again.
  const double off = std::abs(energy.off());
  energy.lowest = energy.few == 0 ? off : std::min(energy.lowest, off);
  if (++energy.few == passing_steps) {
    if (energy.lowest > energy.worst) {
      energy.worst = energy.lowest;
      energy.worst_time = state.t;
    }
    energy.few = 0;
  }
  double turn = 0;
  for (int v : directions_) {
    const double *q = &state.q[3ul * v], *rate = &state.v[3ul * v];
    const double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    turn = std::max(turn, (rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]) / size);
  }
  energy.largest_turn = std::max(energy.largest_turn, h * std::sqrt(turn));
}

// The local error of positions, weighted as corrections are.
double ImplicitStepper::own_error(double h, const State& state) const {
  double sum = 0;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double e = h * h * (scheme_.error_h2 * (state.a[i] - a_[i]) + scheme_.first_h2 * state.a[i]);
    sum += position_error_weight_[i / 3] * e * e;
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, a_.size())));
}

std::unique_ptr<Stepper> make_stepper(const System& system, const DynamicAnalysis& options, Workspace& work) {
  return std::make_unique<ImplicitStepper>(system, options, work);
}

}  // namespace lithe

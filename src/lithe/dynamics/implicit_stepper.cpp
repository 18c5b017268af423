#include "lithe/dynamics/implicit_stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/dynamics/timed.h"

namespace lithe {

namespace {

// A correction that shrinks by less than this wants a new tangent at once.
constexpr double poor_contraction = 0.7;
// Constraints hold to this share of the tolerance of corrections: near singular positions a mechanism that is let off
// its constraints by more takes another branch, and Newton makes them exact at no cost.
constexpr double constraint_share = 1e-3;
// Share of the forces that a predicted residual may have before another prediction is tried.
constexpr double jolt = 0.5;
// Corrections of this size change the last digits of coordinates.
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
// A correction this much larger than the first one of its step: Newton will not come back.
constexpr double hopeless = 10;
// Steps whose size is this close to that of the factorisation keep it.
constexpr double same_step = 1e-9;

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
      linear_(system, options.solver, options.ordering, work, phases_),
      project_(!system.rows.empty() && options.projection.value_or(options.integrator == Integrator::trapezoidal)) {
  const int n = system.size, m = system.row_count();
  weight_.assign(n, 1.0);
  force_weight_.assign(n, 1.0);
  for (const BodyInfo& body : system.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node) {
      const VectorUnknowns& u = system.unknowns[body.vector(node, 0)];
      for (int c = 0; c < u.count; ++c) weight_[u.first + c] = 1 / system.length_scale;
    }
  std::vector<char> is_position(system.vectors(), 0);
  for (const BodyInfo& body : system.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node) is_position[body.vector(node, 0)] = 1;
  const double L = system.length_scale;
  for (int i = 0; i < n; ++i)
    if (!is_position[system.owner_of_unknown[i]]) force_weight_[i] = 1 / L;
  for (int v = 0; v < system.vectors(); ++v) {
    position_weight_.push_back(is_position[v] ? 1 : 1 / (L * L));
    position_error_weight_.push_back(is_position[v] ? 1 / (L * L) : 1);
  }
  for (auto* x : {&residual_, &force_, &last_force_, &dz_}) x->assign(n, 0.0);
  for (auto* x : {&q_, &v_, &a_, &inertia_, &scratch_}) x->assign(system.q0.size(), 0.0);
  for (auto* x : {&lambda_, &rates_, &d_lambda_}) x->assign(m, 0.0);
}

// ---- the start ----

// Velocities of held directions are zero (or follow their motion), aliases have those of their representative.
void ImplicitStepper::admissible(std::vector<double>& x) {
  std::fill(dz_.begin(), dz_.end(), 0.0);
  for (int v = 0; v < system_.vectors(); ++v) {
    const VectorUnknowns& u = system_.unknowns[v];
    if (system_.representative[v] != v || u.count == 0) continue;
    Vec3<double> y{{x[3ul * v], x[3ul * v + 1], x[3ul * v + 2]}};
    if (u.basis >= 0) y = transpose(system_.bases[u.basis]) * y;
    for (int c = 0; c < u.count; ++c) dz_[u.first + c] = y[u.component[c]];
  }
  std::fill(x.begin(), x.end(), 0.0);
  add_unknowns(system_, dz_, 1, x);
}

void ImplicitStepper::start(State& state) {
  state.a.assign(state.q.size(), 0.0);
  state.v = system_.v0;
  for (auto* x : {&state.lambda, &state.velocity_multipliers, &state.acceleration_multipliers})
    x->assign(system_.rows.size(), 0.0);
  admissible(state.v);
  follow_motions(system_, state.t, state.t, state.q, state.v, state.a);
  evaluate_constraints(system_, state, work_);
  if (system_.size > 0 && !linear_.factor(state, 0, 0, 1, 1, false))
    throw RunError("the mass matrix is singular (" + linear_.why() +
                   "): some part has no mass, or constraints repeat each other; give every material a density");
  // Velocities: the nearest ones to those given, in the sense of the mass, that the constraints allow, eliminated ones
  // among them: M (v - v_0) + G^T mu = 0.
  constexpr int most = 50;
  constexpr double exact = 1e-13;
  const auto size = [](const std::vector<double>& x) {
    double largest = 0;
    for (double y : x) largest = std::max(largest, std::abs(y));
    return largest;
  };
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (int k = 0; k < most && system_.size > 0; ++k) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = state.v[i] - system_.v0[i];
    constraint_rates(system_, state, rates_);
    if (std::max(size(scratch_), size(rates_)) <= exact * size(state.v)) break;
    mass_.multiply(scratch_, inertia_);
    restrict_to_unknowns(system_, inertia_, residual_);
    add_transposed(system_, work_.G, 1, lambda_, residual_);
    if (!linear_.correct(residual_, rates_, exact * size(rates_), dz_, d_lambda_))
      throw RunError("no velocities satisfy the constraints at the start");
    add_unknowns(system_, dz_, 1, state.v);
    for (std::size_t r = 0; r < d_lambda_.size(); ++r) lambda_[r] += d_lambda_[r];
    if (size(dz_) <= exact * size(state.v)) break;
  }
  // Accelerations and multipliers: M a + F = 0 with constraints that hold to their second rate.
  evaluate_internal(system_, state, work_);
  evaluate_external(system_, state, work_);
  for (int k = 0; k < most && system_.size > 0; ++k) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = work_.internal[i] - work_.external[i];
    mass_.add_product(1, state.a, scratch_);
    restrict_to_unknowns(system_, scratch_, residual_);
    add_transposed(system_, work_.G, 1, state.lambda, residual_);
    constraint_accelerations(system_, state, rates_);
    if (!linear_.correct(residual_, rates_, exact * size(rates_), dz_, d_lambda_))
      throw RunError("no accelerations at the start");
    add_unknowns(system_, dz_, 1, state.a);
    for (std::size_t r = 0; r < d_lambda_.size(); ++r) state.lambda[r] += d_lambda_[r];
    if (size(dz_) <= exact * size(state.a)) break;
  }
  if (!std::isfinite(size(state.a)) || !std::isfinite(size(state.v)))
    throw RunError("the accelerations at the start are not finite; check loads and masses");
  linear_.forget();
  have_last_force_ = false;
  state.linearisation.valid = false;
  state.past = {};
  for (auto& a : state.past.a) a.assign(state.a.size(), 0.0);
}

void ImplicitStepper::resume(State& state) {
  have_last_force_ = false;
  linear_.forget();
  const Linearisation& point = state.linearisation;
  if (!point.pivot_values.empty()) linear_.set_pivots(point.pivot_values);
  if (!point.valid) return;
  State at = state;
  at.t = point.t;
  at.q = point.q;
  at.v = point.v;
  at.lambda = point.lambda;
  evaluate_constraints(system_, at, work_);
  if (!linear_.factor(at, point.c_q, point.c_v, point.c_a, point.c_q, system_.has_multipliers()))
    throw RunError("the checkpoint's matrix cannot be factored again: " + linear_.why());
}

void ImplicitStepper::save(State& state) {
  state.linearisation.pivot_values.clear();
  if (const std::vector<double>* values = linear_.pivot_values()) state.linearisation.pivot_values = *values;
}

// ---- one step ----

StepReport ImplicitStepper::step(double h, State& state) {
  q_ = state.q;
  v_ = state.v;
  a_ = state.a;
  lambda_ = state.lambda;
  scheme_ = chosen_;
  policy_ = options_.tangent_policy;
  StepReport report = attempt(h, state);
  const auto again = [&] {
    const StepReport before = report;
    report = attempt(h, state);
    report.iterations += before.iterations;
    report.factorisations += before.factorisations;
  };
  const auto failed = [&] { return !report.ok() && report.reason != StepReport::Reason::inaccurate; };
  // Old tangents mislead near singular positions; where a jolt leads new ones astray, more of them will not help.
  const bool astray = jolted_ && report.correction > hopeless * report.history[0];
  if (failed() && !astray && policy_ != TangentPolicy::every_iteration) {
    policy_ = TangentPolicy::every_iteration;
    again();
  }
  // A jolt that the scheme cannot take in one step (it weighs forces of before): backward Euler forgets them.
  if (failed() && options_.control == StepControl::fixed && options_.integrator != Integrator::backward_euler) {
    scheme_ = backward_euler();
    again();
    report.fallback = report.ok();
  }
  return report;
}

StepReport ImplicitStepper::attempt(double h, State& state) {
  const double t = state.t;
  // A time moved by a rounding (to meet an output exactly) counts as another state: a restart sees no difference.
  if (scheme_.f != 0 && (!have_last_force_ || last_force_time_ != state.t)) keep_force(state);
  predict(h, state);
  jolted_ = residual_norm_ > jolt * force_norm_;
  StepReport report = iterate(h, state);
  if (report.ok()) {
    report.error = error_norm(h, state);
    if (report.error > 1 && h > options_.smallest_step) report.reason = StepReport::Reason::inaccurate;
  }
  if (report.ok()) {
    if (project_) report.factorisations += project(h, state);
    remember(h, state);
    last_force_.swap(force_);
    have_last_force_ = !project_;
    last_force_time_ = state.t;
    for (std::size_t i = 0; i < system_.angles.size(); ++i)
      state.angles[i] = angle_value(system_.angles[i], state.q, state.angles[i]);
    return report;
  }
  if (report.reason != StepReport::Reason::inaccurate) find_worst(report);
  state.t = t;
  state.q = q_;
  state.v = v_;
  state.a = a_;
  state.lambda = lambda_;
  have_last_force_ = false;
  return report;
}

// Newton with a matrix that may be old: corrections dz with M^ dz = -r, until what is left of them is below the
// tolerance. A geometric series of ratio rho leaves rho / (1 - rho) times the last correction.
StepReport ImplicitStepper::iterate(double h, State& state) {
  StepReport report;
  StepMemory& memory = state.memory;
  const bool adaptive = policy_ == TangentPolicy::adaptive;
  const auto fail = [&](StepReport::Reason reason) {
    report.reason = reason;
    return report;
  };
  if (!std::isfinite(residual_norm_) || !std::isfinite(violation_)) return fail(StepReport::Reason::not_finite);
  if (system_.size == 0) return report;

  const double gap = constraint_share * options_.tolerance * system_.length_scale;
  const bool same = linear_.valid() && std::abs(linear_.c_a() / scheme_.c_a(h) - 1) < same_step;
  bool renew = !adaptive || !same || memory.excess >= linear_.factor_cost();
  bool renewed = false;
  int since = 0;  // iterations since the matrix was renewed, or since the start of the step
  double previous = 0;
  for (;;) {
    if (renew || policy_ == TangentPolicy::every_iteration) {
      if (!factor(state, h)) return fail(StepReport::Reason::singular);
      ++report.factorisations;
      renew = false;
      renewed = true;
      since = 0;
      previous = 0;
    }
    if (report.iterations >= options_.iterations) return fail(StepReport::Reason::too_many_iterations);
    if (!linear_.correct(residual_, work_.c, 0.1 * gap, dz_, d_lambda_)) return fail(StepReport::Reason::singular);
    const double norm = correction_norm();
    if (!std::isfinite(norm)) return fail(StepReport::Reason::not_finite);
    correct(h, state);
    evaluate(state);
    if (report.iterations < static_cast<int>(report.history.size())) report.history[report.iterations] = norm;
    ++report.iterations;
    ++since;
    report.correction = norm;
    report.residual = force_norm_ > 0 ? residual_norm_ / force_norm_ : 0;
    report.violation = violation_;
    if (!std::isfinite(residual_norm_) || !std::isfinite(violation_)) return fail(StepReport::Reason::not_finite);

    const double rho = since > 1 && previous > 0 ? norm / previous : 0;
    const double usual = renewed ? 0 : memory.contraction;  // before a ratio was seen in this step
    const double ratio = since > 1 ? rho : usual;
    const double left = ratio < 1 ? (ratio > 0 ? std::min(1.0, ratio / (1 - ratio)) : 1) * norm : norm;
    if (left <= options_.tolerance && report.residual <= options_.residual_tolerance && violation_ <= gap) break;
    if (norm <= rounding && violation_ <= gap) break;  // no digits left to gain, however small the forces are
    if (renewed && norm > hopeless * report.history[0]) return fail(StepReport::Reason::diverged);
    if (since > 1 && rho > poor_contraction) {
      if (renewed && since > 2 && rho > 2) return fail(StepReport::Reason::diverged);
      renew = adaptive || !renewed;
    }
    previous = norm;
    if (since > 1) memory.contraction = rho;
  }
  if (renewed) {
    memory.baseline = since;
    memory.excess = 0;
  } else {
    memory.excess += std::max(0, report.iterations - memory.baseline);
  }
  memory.force_scale = std::max(memory.force_scale, force_norm_);
  return report;
}

// a_1 from those of the last steps: constant, linear or quadratic, whichever would have been nearest the last time.
// Multipliers stay: near singular positions their iteration is slow, and extrapolation would make it grow. Where that
// misses by more than the forces themselves (after a jolt: accelerations that damping takes away within the step),
// velocities go on instead, if that is nearer.
void ImplicitStepper::predict(double h, State& state) {
  state.t += h;
  const Past& past = state.past;
  const int order = std::abs(past.step / h - 1) < same_step ? std::min(past.order, past.count) : 0;
  extrapolate(order, a_, past.a, state.a);
  const auto advance = [&] {
    for (std::size_t i = 0; i < state.q.size(); ++i) {
      state.q[i] = q_[i] + h * v_[i] + h * h * (scheme_.b0 * a_[i] + scheme_.b1 * state.a[i]);
      state.v[i] = v_[i] + h * (scheme_.g0 * a_[i] + scheme_.g1 * state.a[i]);
    }
    follow_motions(system_, state.t, state.t + (scheme_.m - scheme_.f) * h, state.q, state.v, state.a);
    evaluate(state);
  };
  advance();
  const double first = residual_norm_;
  if (first <= force_norm_ * jolt && std::isfinite(first)) return;
  for (std::size_t i = 0; i < state.a.size(); ++i) state.a[i] = -scheme_.b0 / scheme_.b1 * a_[i];  // q_1 = q_0 + h v_0
  advance();
  if (residual_norm_ < first || !std::isfinite(first)) return;
  extrapolate(order, a_, past.a, state.a);
  advance();
}

void ImplicitStepper::extrapolate(int order, const std::vector<double>& now, const std::vector<double>* before,
                                  std::vector<double>& next) {
  if (order == 0) next = now;
  else if (order == 1)
    for (std::size_t i = 0; i < now.size(); ++i) next[i] = 2 * now[i] - before[0][i];
  else
    for (std::size_t i = 0; i < now.size(); ++i) next[i] = 3 * (now[i] - before[0][i]) + before[1][i];
}

// Which extrapolation would have been nearest to what came out; then the step becomes the past.
void ImplicitStepper::remember(double h, State& state) {
  Past& past = state.past;
  if (std::abs(past.step / h - 1) >= same_step) past.count = 0;
  past.step = h;
  past.lag = scheme_.f - scheme_.m;
  double miss[3] = {0, 0, 0};
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double w = position_error_weight_[i / 3], d0 = state.a[i] - a_[i];
    miss[0] += w * d0 * d0;
    if (past.count < 1) continue;
    const double d1 = d0 - (a_[i] - past.a[0][i]);
    miss[1] += w * d1 * d1;
    if (past.count < 2) continue;
    const double d2 = d1 - (a_[i] - 2 * past.a[0][i] + past.a[1][i]);
    miss[2] += w * d2 * d2;
  }
  past.order = 0;
  for (int k = 1; k <= past.count; ++k)
    if (miss[k] < miss[past.order]) past.order = k;
  past.count = std::min(2, past.count + 1);
  past.a[1].swap(past.a[0]);
  past.a[0] = a_;
}

void ImplicitStepper::evaluate(const State& state) {
  const Timed timed(phases_.force);
  evaluate_internal(system_, state, work_);
  evaluate_external(system_, state, work_);
  evaluate_constraints(system_, state, work_);
  const std::vector<double>* a = &state.a;
  if (const double m = scheme_.m; m != 0) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = (1 - m) * state.a[i] + m * a_[i];
    a = &scratch_;
  }
  mass_.multiply(*a, inertia_, work_.threads);
  // Sizes: of internal and external forces too, which cancel inside F (gravity against stress). Three sums side by
  // side.
  double internal[3] = {0, 0, 0}, external[3] = {0, 0, 0};
  for (int v = 0; v < system_.vectors(); ++v) {
    const double w = position_weight_[v];
    const double *in = &work_.internal[3ul * v], *out = &work_.external[3ul * v];
    for (int k = 0; k < 3; ++k) {
      scratch_[3ul * v + k] = in[k] - out[k];
      internal[k] += w * in[k] * in[k];
      external[k] += w * out[k] * out[k];
    }
  }
  restrict_to_unknowns(system_, scratch_, force_);
  add_transposed(system_, work_.G, 1, state.lambda, force_);
  restrict_to_unknowns(system_, inertia_, residual_);
  double total[4] = {0, 0, 0, 0}, inertia[4] = {0, 0, 0, 0}, forces[4] = {0, 0, 0, 0};
  const double c_q = scheme_.c_q(), f = scheme_.f;
  for (int i = 0; i < system_.size; ++i) {
    const double w = force_weight_[i], x = w * residual_[i], y = w * force_[i];
    const double r = residual_[i] += c_q * force_[i] + f * last_force_[i];
    inertia[i & 3] += x * x;
    forces[i & 3] += y * y;
    total[i & 3] += w * w * r * r;
  }
  const auto sum_of = [](const auto& parts) { return std::accumulate(std::begin(parts), std::end(parts), 0.0); };
  const double sum = sum_of(total);
  residual_norm_ = std::sqrt(sum);
  force_norm_ = std::sqrt(std::max({sum_of(inertia), sum_of(forces), sum_of(internal), sum_of(external)}));
  violation_ = 0;
  for (double c : work_.c) violation_ = std::isfinite(c) ? std::max(violation_, std::abs(c)) : c;
}

bool ImplicitStepper::factor(const State& state, double h) {
  const bool exact = system_.has_multipliers();  // P4 leaves (G^T lambda)_q out: the matrix stays positive definite
  const bool ok = linear_.factor(state, scheme_.c_q(), scheme_.c_v(h), scheme_.c_a(h), scheme_.c_q(), exact);
  if (options_.tangent_policy == TangentPolicy::adaptive) {
    Linearisation& point = const_cast<State&>(state).linearisation;
    point.valid = ok;
    point.t = state.t;
    point.step = h;
    point.c_q = scheme_.c_q();
    point.c_v = scheme_.c_v(h);
    point.c_a = scheme_.c_a(h);
    point.q = state.q;
    point.v = state.v;
    point.lambda = state.lambda;
  }
  return ok;
}

void ImplicitStepper::correct(double h, State& state) {
  add_unknowns(system_, dz_, 1, state.q);
  add_unknowns(system_, dz_, scheme_.g1 / (scheme_.b1 * h), state.v);
  add_unknowns(system_, dz_, 1 / (scheme_.b1 * h * h), state.a);
  for (std::size_t r = 0; r < d_lambda_.size(); ++r) state.lambda[r] += d_lambda_[r];
}

// Velocities and accelerations back onto the constraints, with the factorisation at hand (P4 eq. 6), or a new one where
// that one is too old.
int ImplicitStepper::project(double h, State& state) {
  int factorisations = 0;
  const double gap = 0.1 * constraint_share * options_.tolerance * system_.length_scale;
  const auto onto = [&](double exactness, std::vector<double>& mu, std::vector<double>& x) {
    bool done = linear_.project(rates_, exactness, dz_, mu);
    if (!done) {
      std::fill(mu.begin(), mu.end(), 0.0);
      ++factorisations;
      done = factor(state, h) && linear_.project(rates_, exactness, dz_, mu);
    }
    if (done) add_unknowns(system_, dz_, 1, x);
    else std::fill(mu.begin(), mu.end(), 0.0);
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
  onto(gap / (h * h), state.acceleration_multipliers, state.a);
  // The equation of motion goes on to hold: c_a M dz = -c_g G^T mu, up to the stiffness in the matrix.
  const double share = scheme_.c_q() / scheme_.c_a(h);
  for (std::size_t r = 0; r < state.lambda.size(); ++r) state.lambda[r] += share * state.acceleration_multipliers[r];
  return factorisations;
}

void ImplicitStepper::keep_force(const State& state) {
  const Timed timed(phases_.force);
  evaluate_internal(system_, state, work_);
  evaluate_external(system_, state, work_);
  evaluate_constraints(system_, state, work_);
  for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = work_.internal[i] - work_.external[i];
  restrict_to_unknowns(system_, scratch_, last_force_);
  add_transposed(system_, work_.G, 1, state.lambda, last_force_);
  have_last_force_ = true;
  last_force_time_ = state.t;
}

double ImplicitStepper::correction_norm() const {
  double sum = 0;
  for (int i = 0; i < system_.size; ++i) sum += weight_[i] * weight_[i] * dz_[i] * dz_[i];
  return std::sqrt(sum / system_.size);
}

double ImplicitStepper::error_norm(double h, const State& state) const {
  if (options_.control != StepControl::error) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double e = h * h * (scheme_.error_h2 * (state.a[i] - a_[i]) + scheme_.first_h2 * state.a[i]);
    sum += position_error_weight_[i / 3] * e * e;
  }
  return std::sqrt(sum / std::max<std::size_t>(1, a_.size())) / options_.error_tolerance;
}

void ImplicitStepper::find_worst(StepReport& report) const {
  int worst = -1;
  double largest = -1;
  for (int i = 0; i < system_.size; ++i)
    if (const double r = force_weight_[i] * std::abs(residual_[i]); r > largest || !std::isfinite(r)) {
      largest = r;
      worst = i;
      if (!std::isfinite(r)) break;
    }
  if (violation_ > constraint_share * options_.tolerance * system_.length_scale) {
    double gap = -1;
    for (std::size_t r = 0; r < work_.c.size(); ++r)
      if (std::abs(work_.c[r]) > gap) {
        gap = std::abs(work_.c[r]);
        worst = system_.size + static_cast<int>(r);
      }
  }
  if (worst >= 0) report.worst = system_.unknown_name(worst);
}

std::unique_ptr<Stepper> make_stepper(const System& system, const DynamicAnalysis& options, Workspace& work) {
  return std::make_unique<ImplicitStepper>(system, options, work);
}

}  // namespace lithe

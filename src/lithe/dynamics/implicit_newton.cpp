// Newton's iteration of a step: forces, matrix, corrections, and when they are small enough.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lithe/dynamics/implicit_stepper.h"
#include "lithe/dynamics/timed.h"

namespace lithe {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// A correction that shrinks by less than this wants a new tangent at once.
constexpr double poor_contraction = 0.7;
// Ones that shrink by less than this, with a tangent of this step or of this very iteration, are rounding.
constexpr double no_contraction = 0.9, no_fresh_contraction = 0.3;
// A correction larger than the model, and this much larger than the first one of its step: Newton will not come back.
constexpr double hopeless = 10;
// Corrections of this size change the last digits of coordinates.
constexpr double rounding = 4 * epsilon;
// Constraints hold to this share of the tolerance of corrections: near singular positions a mechanism that is let off
// its constraints by more takes another branch, and Newton makes them exact at no cost.
constexpr double constraint_share = 1e-3;
// Tolerances that were not given. Corrections: the smaller of these shares of the scheme's own error, the second one
// times the relative change of accelerations over the step, so that accelerations and multipliers (corrections over
// h^2) keep the order of the scheme; the residual likewise by the square of that change.
constexpr double share_of_error = 1e-2, share_of_change = 1e-2;
constexpr double loosest_correction = 1e-9, loosest_residual = 1e-4, tightest_residual = 1e-10;
constexpr double smallest_error_factor = 1.0 / 24;  // of h^2 (a_1 - a_0)

// Adaptive tangents: iterations of a step beside its factorisation, steps to take the mean over, steps between trials.
constexpr double few_iterations = 4, some_steps = 4;
constexpr int first_backoff = 16, longest_backoff = 1024;

double sum_of(const double (&parts)[4]) { return (parts[0] + parts[1]) + (parts[2] + parts[3]); }

}  // namespace

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
  if (system_.map.size == 0) return report;

  bool fresh = policy_ == TangentPolicy::every_iteration || (adaptive && memory.fresh);
  const bool same = linear_.valid() && same_size(linear_.c_a(), scheme_.c_a(h));
  bool renew = !adaptive || !same || memory.excess >= linear_.factor_cost();
  bool renewed = false;
  int since = 0;    // iterations since the matrix was renewed, or since the start of the step
  int stalled = 0;  // iterations with a new matrix that did not shrink
  double previous = 0;
  double gap = wanted(h, state).gap;
  for (;;) {
    if (renew || fresh) {
      if (!factor(state, h)) return fail(StepReport::Reason::singular);
      ++report.factorisations;
      renew = false;
      renewed = true;
      since = 0;
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

    // A new matrix contracts at least as well as the one before it did.
    const double rho = previous > 0 ? norm / previous : 0;
    const double ratio = rho > 0 ? rho : renewed ? 0 : memory.contraction;
    const double left = ratio < 1 ? (ratio > 0 ? std::min(1.0, ratio / (1 - ratio)) : 1) * norm : norm;
    const Wanted want = wanted(h, state);
    gap = want.gap;
    const bool holds = excess_ <= gap;
    const bool small = left <= want.correction && report.residual <= want.residual;
    // No digits left to gain: corrections change the last ones of coordinates, or the residual is what rounding leaves.
    const bool exhausted = norm <= rounding || at_rounding_;
    const bool stands = since > 1 ? rho > no_contraction : rho > no_fresh_contraction;
    stalled = renewed && report.iterations > 2 && stands && norm <= loosest_correction ? stalled + 1 : 0;
    if (holds && (small || exhausted || stalled > 1)) {
      report.at_rounding = !small;
      break;
    }
    if (norm > hopeless && norm > hopeless * report.history[0]) return fail(StepReport::Reason::diverged);
    if (since > 1 && rho > poor_contraction) {
      fresh = fresh || renewed;  // an iteration was enough to make the new one old
      renew = true;
    }
    if (since > 1) memory.contraction = rho;
    previous = norm;
  }
  if (renewed) {
    memory.baseline = since;
    memory.excess = 0;
  } else {
    memory.excess += std::max(0, report.iterations - memory.baseline);
  }
  if (adaptive) learn(report, memory);
  return report;
}

// Which is cheaper, tangents that are kept or new ones at every iteration? Work is counted in iterations. Kept tangents
// that cost more than a factorisation and some iterations a step are put aside, and tried again ever more rarely.
void ImplicitStepper::learn(const StepReport& report, StepMemory& memory) const {
  const double cost = linear_.factor_cost(), work = report.iterations + cost * report.factorisations;
  const auto mean = [&](double& of) { of = of > 0 ? of + (work - of) / some_steps : work; };
  if (memory.fresh) {
    mean(memory.fresh_work);
    if (memory.steps < memory.trial) return;
    memory.fresh = false;
    memory.kept_work = 0;
    memory.trial = memory.steps;
    return;
  }
  mean(memory.kept_work);
  if (memory.steps - memory.trial > 2 * memory.backoff) memory.backoff = 0;  // they have done well for a while
  if (memory.kept_work <= cost + few_iterations || (memory.fresh_work > 0 && memory.kept_work <= memory.fresh_work))
    return;
  put_aside(memory);
}

void ImplicitStepper::put_aside(StepMemory& memory) {
  memory.fresh = true;
  memory.fresh_work = 0;
  memory.backoff = std::clamp(2 * memory.backoff, first_backoff, longest_backoff);
  memory.trial = memory.steps + memory.backoff;
}

// What is small enough in this step.
ImplicitStepper::Wanted ImplicitStepper::wanted(double h, const State& state) const {
  double change = 1, own = 1;
  if (!options_.tolerance || !options_.residual_tolerance) {
    double difference = 0, now = 0, before = 0;
    for (int v = 0; v < system_.vectors(); ++v) {
      const double *a1 = &state.a[3ul * v], *a0 = &a_[3ul * v], w = position_error_weight_[v];
      for (int k = 0; k < 3; ++k) {
        difference += w * (a1[k] - a0[k]) * (a1[k] - a0[k]);
        now += w * a1[k] * a1[k];
        before += w * a0[k] * a0[k];
      }
    }
    const double size = std::max(now, before), count = 3.0 * std::max(1, system_.vectors());
    change = size > 0 ? std::sqrt(difference / size) : 1;
    own = h * h *
          (std::max(std::abs(scheme_.error_h2), smallest_error_factor) * std::sqrt(difference / count) +
           scheme_.first_h2 * std::sqrt(now / count));
  }
  Wanted want;
  want.correction = options_.tolerance.value_or(
      std::clamp(own * std::min(share_of_error, share_of_change * change), rounding, loosest_correction));
  want.residual = options_.residual_tolerance.value_or(
      std::clamp(share_of_change * change * change, tightest_residual, loosest_residual));
  want.gap = std::max(constraint_share * want.correction * system_.length_scale,
                      rounding * std::max(system_.length_scale, coordinate_size_));
  return want;
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
  mass_.multiply(*a, inertia_, *work_.team);
  // Sizes: of internal and external forces too, which cancel inside F (gravity against stress). Three sums side by
  // side.
  double internal[4] = {0, 0, 0, 0}, external[4] = {0, 0, 0, 0};
  for (int v = 0; v < system_.vectors(); ++v) {
    const double w = position_weight_[v];
    const double *in = &work_.internal[3ul * v], *out = &work_.external[3ul * v];
    for (int k = 0; k < 3; ++k) {
      scratch_[3ul * v + k] = in[k] - out[k];
      internal[k] += w * in[k] * in[k];
      external[k] += w * out[k] * out[k];
    }
  }
  system_.map.restrict(state.slots, scratch_, force_);
  add_transposed(system_, work_.G, 1, state.lambda, force_);
  system_.map.restrict(state.slots, inertia_, residual_);
  double total[4] = {0, 0, 0, 0}, inertia[4] = {0, 0, 0, 0}, forces[4] = {0, 0, 0, 0};
  const double c_q = scheme_.c_q(), f = scheme_.f;
  for (int i = 0; i < system_.map.size; ++i) {
    const double w = force_weight_[i], x = w * residual_[i], y = w * force_[i];
    const double r = residual_[i] += c_q * force_[i] + f * last_force_[i];
    inertia[i & 3] += x * x;
    forces[i & 3] += y * y;
    total[i & 3] += w * w * r * r;
  }
  residual_norm_ = std::sqrt(sum_of(total));
  at_rounding_ = !rounding_.empty();
  for (std::size_t i = 0; i < rounding_.size() && at_rounding_; ++i)
    at_rounding_ = std::abs(residual_[i]) <= rounding_[i];
  force_norm_ = std::sqrt(std::max({sum_of(inertia), sum_of(forces), sum_of(internal), sum_of(external)}));
  violation_ = excess_ = 0;
  for (std::size_t r = 0; r < work_.c.size(); ++r) {
    const double c = std::abs(work_.c[r]);
    violation_ = std::isfinite(c) ? std::max(violation_, c) : c;
    excess_ = std::max(excess_, c - rounding * (row_size_[r] + std::abs(last_targets_[r])));
  }
}

bool ImplicitStepper::factor(const State& state, double h) {
  const bool exact = system_.has_multipliers();  // P4 leaves (G^T lambda)_q out: the matrix stays positive definite
  const std::vector<double>& values =
      linear_.evaluate(state, scheme_.c_q(), scheme_.c_v(h), scheme_.c_a(h), scheme_.c_q(), exact);
  find_rounding(values, state);
  const bool ok = linear_.factor();
  if (options_.tangent_policy == TangentPolicy::adaptive) {
    point_.valid = ok;
    point_.t = state.t;
    point_.step = h;
    point_.c_q = scheme_.c_q();
    point_.c_v = scheme_.c_v(h);
    point_.c_a = scheme_.c_a(h);
    point_.q = state.q;
    point_.v = state.v;
    point_.lambda = state.lambda;
  }
  return ok;
}

// Coordinates have a relative error of epsilon each, which stiffness turns into forces: what it leaves of residual_.
void ImplicitStepper::find_rounding(const std::vector<double>& values, const State& state) {
  rounding_.resize(system_.map.size);
  for (int v = 0; v < system_.vectors(); ++v) {
    const VectorUnknowns& u = system_.map.unknowns[v];
    if (system_.map.representative[v] != v || u.count == 0) continue;
    Vec3<double> q{{state.q[3ul * v], state.q[3ul * v + 1], state.q[3ul * v + 2]}};
    if (u.basis >= 0) q = transpose(system_.map.bases[u.basis]) * q;
    for (int c = 0; c < u.count; ++c) {
      const int i = u.first + c;
      const double stiffness = values[diagonal_[i]] - linear_.c_a() * mass_diagonal_[i];
      rounding_[i] = rounding * std::abs(stiffness * q[u.component[c]]);
    }
  }
}

void ImplicitStepper::correct(double h, State& state) {
  system_.map.prolong(state.slots, dz_, 1, state.q);
  system_.map.prolong(state.slots, dz_, scheme_.g1 / (scheme_.b1 * h), state.v);
  system_.map.prolong(state.slots, dz_, 1 / (scheme_.b1 * h * h), state.a);
  for (std::size_t r = 0; r < d_lambda_.size(); ++r) state.lambda[r] += d_lambda_[r];
}

double ImplicitStepper::correction_norm() const {
  double sum = 0;
  for (int i = 0; i < system_.map.size; ++i) sum += weight_[i] * weight_[i] * dz_[i] * dz_[i];
  return std::sqrt(sum / system_.map.size);
}

void ImplicitStepper::find_worst(StepReport& report) const {
  int worst = -1;
  double largest = -1;
  for (int i = 0; i < system_.map.size; ++i)
    if (const double r = force_weight_[i] * std::abs(residual_[i]); r > largest || !std::isfinite(r)) {
      largest = r;
      worst = i;
      if (!std::isfinite(r)) break;
    }
  if (violation_ > constraint_share * loosest_correction * system_.length_scale) {
    double gap = -1;
    for (std::size_t r = 0; r < work_.c.size(); ++r)
      if (std::abs(work_.c[r]) > gap) {
        gap = std::abs(work_.c[r]);
        worst = system_.map.size + static_cast<int>(r);
      }
  }
  if (worst >= 0) report.worst = system_.unknown_name(worst);
}

}  // namespace lithe

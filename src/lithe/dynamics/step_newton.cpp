#include "lithe/dynamics/step_newton.h"

#include <algorithm>
#include <cmath>

#include "lithe/dynamics/timed.h"

namespace lithe {

namespace {

// A correction that shrinks by less than this wants a new tangent at once.
constexpr double poor_contraction = 0.7;
// Ones that shrink by less than this, with a tangent of this step or of this very iteration, are rounding.
constexpr double no_contraction = 0.9, no_fresh_contraction = 0.3;
// A correction larger than the model, and this much larger than the first one of its step: Newton will not come back.
constexpr double hopeless = 10;
constexpr double rounding = StepData::rounding;
// Constraints hold to this share of the tolerance of corrections: near singular positions a mechanism that is let off
// its constraints by more takes another branch, and Newton makes them exact at no cost.
constexpr double constraint_share = 1e-3;
// Tolerances that were not given. Corrections: the smaller of these shares of the scheme's own error, the second one
// times the relative change of accelerations over the step, so that accelerations and multipliers (corrections over
// h^2) keep the order of the scheme; the residual likewise by the square of that change.
constexpr double share_of_error = 1e-2, share_of_change = 1e-2;
constexpr double loosest_correction = 1e-9, loosest_residual = 1e-4, tightest_residual = 1e-10;
// Tolerances of iterative solvers.
constexpr double share_of_wanted = 0.1, tightest_solve = 1e-10, loosest_solve = 0.1;
constexpr double paper_share = 0.01, paper_most = 1e-6;
// Where corrections shrink by less, residuals say too little of errors: solves are so much stricter until the step
// ends.
constexpr double inexact_contraction = 0.5, stricter = 1e-2, strictest_solve = 1e-12;
constexpr double smallest_error_factor = 1.0 / 24;  // of h^2 (a_1 - a_0)

// Adaptive tangents: iterations of a step beside its factorisation, steps to take the mean over, steps between trials.
constexpr double few_iterations = 4, some_steps = 4;
constexpr int first_backoff = 16, longest_backoff = 128;
// Iterations that a new tangent takes to the end of a step.
constexpr double with_new = 2;

}  // namespace

StepNewton::StepNewton(StepData& data) : data_(data), rounding_(data.model.unknown_array()) {
  for (const double x : data.system.q0) coordinate_size_ = std::max(coordinate_size_, std::abs(x));
}

// A geometric series of ratio rho leaves rho / (1 - rho) times the last correction.
StepReport StepNewton::iterate(double h) {
  StepData& d = data_;
  StepReport report;
  StepMemory& memory = d.now.scalars().memory;
  const bool adaptive = d.policy == TangentPolicy::adaptive;
  const auto fail = [&](StepReport::Reason reason) {
    report.reason = reason;
    return report;
  };
  if (!std::isfinite(residual_norm_) || !std::isfinite(violation_)) return fail(StepReport::Reason::not_finite);
  if (d.system.map.size == 0) return report;

  bool fresh =
      d.policy == TangentPolicy::every_iteration || (adaptive && memory.fresh && memory.contraction > poor_contraction);
  const bool same = d.linear.valid() && same_size(d.linear.c_a(), d.scheme.c_a(h));
  // A restart knows points of contact as they press at the end of a step: a matrix with some is of one step alone.
  const bool touched = d.model.contact && (!d.model.contact->empty() || !d.point.valid);
  bool renew = !adaptive || !same || touched || memory.fresh || memory.excess >= d.linear.factor_cost();
  bool renewed = false;
  int since = 0;    // iterations since the matrix was renewed, or since the start of the step
  int stalled = 0;  // iterations with a new matrix that did not shrink
  double previous = 0;
  double gap = wanted(h).gap;
  double strictness = 1;  // of iterative solvers
  for (;;) {
    if (renew || fresh) {
      if (!factor(h, adaptive && !fresh && !renewed)) return fail(StepReport::Reason::singular);
      ++report.factorisations;
      renew = false;
      renewed = true;
      since = 0;
    }
    if (report.iterations >= d.options.iterations) return fail(StepReport::Reason::too_many_iterations);
    if (!d.linear.correct(d.residual, d.model.c, 0.1 * gap, d.dz, d.d_lambda, tolerance(h, previous, strictness)))
      return fail(StepReport::Reason::singular);
    const double norm = correction_norm();
    if (!std::isfinite(norm)) return fail(StepReport::Reason::not_finite);
    correct(h);
    evaluate();
    if (report.iterations == 0) memory.correction = norm;
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
    const Wanted want = wanted(h);
    gap = want.gap;
    // Beyond what rounding of targets leaves.
    const bool holds = violation_ <= gap || d.place.largest(d.model.c, &d.row_rounding) <= gap;
    const bool small = left <= want.correction && report.residual <= want.residual;
    // No digits left to gain: corrections change the last ones of coordinates, or the residual is what rounding leaves.
    const bool exhausted = small || norm <= rounding || at_rounding();
    const bool stands = since > 1 ? rho > no_contraction : rho > no_fresh_contraction;
    stalled = renewed && report.iterations > 2 && stands && norm <= loosest_correction ? stalled + 1 : 0;
    if (holds && (exhausted || stalled > 1)) {
      report.at_rounding = !small;
      break;
    }
    if (norm > hopeless && norm > hopeless * report.history[0]) return fail(StepReport::Reason::diverged);
    if (since > 1 && (rho > poor_contraction || (adaptive && renewal_pays(rho, left / want.correction)))) {
      fresh = fresh || renewed;  // an iteration was enough to make the new one old
      renew = true;
    }
    if (since > 1) memory.contraction = rho;
    if (rho > inexact_contraction) strictness *= stricter;
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

// Corrections that shrink by rho are `times` too large: are the iterations to come more than a factorisation and what
// follows it?
bool StepNewton::renewal_pays(double rho, double times) const {
  const double cost = data_.linear.factor_cost();
  if (!(cost > 0 && rho > 0 && rho < 1 && times > 1)) return false;
  return std::log(times) / -std::log(rho) > cost + with_new;
}

// Which is cheaper, tangents that are kept as long as they serve or a new one for every step? Work is counted in
// iterations. Kept ones that cost more than a factorisation and some iterations a step are put aside, and tried again
// ever more rarely, or as soon as new ones cost more than they did. While they are aside, a step whose new tangent was
// poor at once makes the next ones renew it at every iteration.
void StepNewton::learn(const StepReport& report, StepMemory& memory) const {
  const double cost = data_.linear.factor_cost(), work = report.iterations + cost * report.factorisations;
  const auto mean = [&](double& of) { of = of > 0 ? of + (work - of) / some_steps : work; };
  if (memory.fresh) {
    mean(memory.fresh_work);
    if (memory.steps < memory.trial && !(memory.kept_work > 0 && memory.fresh_work > memory.kept_work)) return;
    memory.fresh = false;
    memory.kept_work = 0;
    memory.trial = memory.steps;
    return;
  }
  mean(memory.kept_work);
  if (memory.steps - memory.trial > 2 * memory.backoff) memory.backoff = 0;  // they have done well for a while
  if (memory.kept_work <= (memory.fresh_work > 0 ? memory.fresh_work : cost + few_iterations)) return;
  put_aside(memory, 0);
}

void StepNewton::put_aside(StepMemory& memory, double contraction) {
  memory.fresh = true;
  memory.contraction = contraction;
  memory.fresh_work = 0;
  memory.backoff = std::clamp(2 * memory.backoff, first_backoff, longest_backoff);
  memory.trial = memory.steps + memory.backoff;
}

StepNewton::Wanted StepNewton::wanted(double h) {
  StepData& d = data_;
  double change = 1, own = 1;
  if (!d.options.tolerance || !d.options.residual_tolerance) {
    const Array *w = &d.coordinate_correction_weight, &a1 = d.now.a, &a0 = d.begin.a;
    const Term difference[] = {{1, a1}, {-1, a0}};
    const Product products[] = {{w, d.scratch, d.scratch}, {w, a1, a1}, {w, a0, a0}};
    double sums[3];
    d.chain.run({{.terms = difference, .y = &d.scratch}, {.products = products, .sums = sums}});
    const double size = std::max(sums[1], sums[2]), count = static_cast<double>(std::max<std::size_t>(1, a1.size()));
    change = size > 0 ? std::sqrt(sums[0] / size) : 1;
    own = h * h *
          (std::max(std::abs(d.scheme.error_h2), smallest_error_factor) * std::sqrt(sums[0] / count) +
           d.scheme.first_h2 * std::sqrt(sums[1] / count));
  }
  Wanted want;
  want.correction = d.options.tolerance.value_or(
      std::clamp(own * std::min(share_of_error, share_of_change * change), rounding, loosest_correction));
  want.residual = d.options.residual_tolerance.value_or(
      std::clamp(share_of_change * change * change, tightest_residual, loosest_residual));
  want.gap = std::max(constraint_share * want.correction * d.system.length_scale,
                      rounding * std::max(d.system.length_scale, coordinate_size_));
  return want;
}

// Of an iterative solver. A correction need be no better than what is wanted of the last one; how large it will be is
// told by the one before it, in this step or in the last. The residual that it leaves bounds its error only as far as
// the matrix is well conditioned: where corrections do not shrink, solves become stricter.
double StepNewton::tolerance(double h, double previous, double strictness) {
  using Rule = KrylovTolerance::Rule;
  StepData& d = data_;
  const KrylovTolerance& said = d.options.krylov.tolerance;
  if (!d.linear.iterative() || said.rule == Rule::given) return 0;
  const double last = wanted(h).correction;
  const auto tightened = [&](double usual) { return std::max(std::min(usual, strictest_solve), usual * strictness); };
  if (said.rule == Rule::paper)
    return tightened(std::min(paper_share * last * d.system.length_scale / (h * h), paper_most));
  const StepMemory& memory = d.now.scalars().memory;
  const double expected =
      previous > 0 ? previous * (memory.contraction > 0 ? std::min(1.0, memory.contraction) : 1) : memory.correction;
  return tightened(expected > 0 ? std::clamp(share_of_wanted * last / expected, tightest_solve, loosest_solve)
                                : tightest_solve);
}

void StepNewton::evaluate() {
  StepData& d = data_;
  const Timed timed(d.phases.force);
  Equations& model = d.model;
  Place& place = d.place;
  const double m = d.scheme.m;
  model.forces(d.now);
  model.constraints(d.now);
  if (m != 0) place.combine({{1 - m, d.now.a}, {m, d.begin.a}}, d.scratch);
  model.mass_product(m != 0 ? d.scratch : d.now.a, d.inertia);
  // Sizes: of internal and external forces too, which cancel inside F (gravity against stress).
  const Array *all = &d.coordinate_force_weight, *weight = &d.force_weight;
  const Term unbalanced[] = {{1, model.internal}, {-1, model.external}};
  const Product parts[] = {{all, model.internal, model.internal}, {all, model.external, model.external}};
  double part[2], sum[2], square;
  d.chain.run({{.terms = unbalanced, .y = &d.scratch}, {.products = parts, .sums = part}});
  model.restrict(d.now, d.scratch, d.force);
  model.add_transposed(model.G, 1, d.now.lambda, d.force);
  model.restrict(d.now, d.inertia, d.residual);
  const Product sums[] = {{weight, d.residual, d.residual}, {weight, d.force, d.force}};
  const Term residual[] = {{1, d.residual}, {d.scheme.c_q(), d.force}, {d.scheme.f, d.last_force}};
  const Product own[] = {{weight, d.residual, d.residual}};
  d.chain.run(
      {{.products = sums, .sums = sum}, {.terms = residual, .y = &d.residual}, {.products = own, .sums = &square}});
  force_norm_ = std::sqrt(std::max({part[0], part[1], sum[0], sum[1]}));
  residual_norm_ = std::sqrt(square);
  violation_ = place.largest(model.c);
}

bool StepNewton::factor(double h, bool near) {
  StepData& d = data_;
  const State& state = d.model.on_host(d.now);
  const Scheme& s = d.scheme;
  const bool exact = d.system.has_multipliers();  // P4 leaves (G^T lambda)_q out: the matrix stays positive definite
  d.linear.evaluate(state, s.c_q(), s.c_v(h), s.c_a(h), s.c_q(), exact);
  d.linear.find_rounding(state, rounding, rounding_);
  rounding_known_ = true;
  const bool ok = d.linear.factor(near);
  if (d.options.tangent_policy == TangentPolicy::adaptive) {
    d.point.valid = ok && (!d.model.contact || d.model.contact->empty());
    d.point.t = d.now.t();
    d.point.step = h;
    d.point.c_q = s.c_q();
    d.point.c_v = s.c_v(h);
    d.point.c_a = s.c_a(h);
    d.point.near = near;
    d.point.slots = state.slots.values;
    d.place.copy(d.now.q, d.point_q);
    d.place.copy(d.now.v, d.point_v);
    d.place.copy(d.now.lambda, d.point_lambda);
  }
  return ok;
}

bool StepNewton::factor_again(const Linearisation& point, State& state) {
  StepData& d = data_;
  State at = state;
  at.t = point.t;
  at.q = point.q;
  at.v = point.v;
  at.lambda = point.lambda;
  at.slots.values = point.slots;
  PlacedState there(d.place);
  there.bring(at);
  d.model.constraints(there);
  d.linear.evaluate(at, point.c_q, point.c_v, point.c_a, point.c_q, d.system.has_multipliers());
  d.linear.find_rounding(at, rounding, rounding_);
  rounding_known_ = true;
  d.place.copy(there.q, d.point_q);
  d.place.copy(there.v, d.point_v);
  d.place.copy(there.lambda, d.point_lambda);
  return d.linear.factor(point.near);
}

void StepNewton::correct(double h) {
  StepData& d = data_;
  const Scheme& s = d.scheme;
  d.model.prolong(d.now, d.dz, 1, d.now.q);
  d.model.prolong(d.now, d.dz, s.g1 / (s.b1 * h), d.now.v);
  d.model.prolong(d.now, d.dz, 1 / (s.b1 * h * h), d.now.a);
  d.place.combine({{1, d.now.lambda}, {1, d.d_lambda}}, d.now.lambda);
}

// Is all of the residual below what rounding alone leaves of it?
bool StepNewton::at_rounding() { return rounding_known_ && data_.place.largest(data_.residual, &rounding_) <= 0; }

double StepNewton::correction_norm() {
  return std::sqrt(data_.place.dot(data_.dz, data_.dz, &data_.correction_weight) / data_.system.map.size);
}

std::string StepNewton::worst() {
  StepData& d = data_;
  std::vector<double> room;
  int worst = -1;
  double largest = -1;
  const std::vector<double> weight = NormWeights(d.system).force;
  {
    const HostReading residual(d.residual, room);
    for (int i = 0; i < d.system.map.size && std::isfinite(largest); ++i)
      if (const double r = weight[i] * std::abs(residual[i]); !(r <= largest)) {
        largest = r;
        worst = i;
      }
  }
  if (violation_ > constraint_share * loosest_correction * d.system.length_scale) {
    const HostReading c(d.model.c, room);
    double gap = -1;
    for (int r = 0; r < d.system.row_count(); ++r)
      if (std::abs(c[r]) > gap) {
        gap = std::abs(c[r]);
        worst = d.system.map.size + r;
      }
  }
  return worst >= 0 ? d.system.unknown_name(worst) : "";
}

}  // namespace lithe

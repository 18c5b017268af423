// Unknowns (z, lambda), one more equation: the increment of a step has a given length,
//
//   r(z, lambda) = 0,   <Dz, Dz> = s^2     (cylindrical; <a, b> is the weighted mean of a_i b_i)
//
// Newton on both (linearised about the current increment, Riks 1979, Wempner 1971, with the consistent update of
// Crisfield 1981) through two solves with K: K dz_r = -r, K dz_F = F,
//
//   d lambda = -((<Dz,Dz> - s^2)/2 + <Dz, dz_r>) / <Dz, dz_F>,   dz = dz_r + d lambda dz_F.
//
// The tangent (dz_F, 1) is taken in the sense in which it continues the last increment, <Dz_last, dz_F> > 0, so that
// nothing has to be known about determinants or pivots at limit points.
#include "lithe/dynamics/arc_length.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lithe {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int wanted_iterations = 5;
constexpr double largest_radius = 20, smallest_radius = 1e-6;  // of the first
// A structure that hardly moves before it buckles begins with a tiny arc: this much of the size of the model is never
// too far for the next one.
constexpr double harmless_radius = 0.01;

struct Increment {
  Array z;
  double load = 0;
};

// Corrector: `trial` = base + increment, with the increment's length kept at `radius`.
NewtonOutcome correct(Equilibrium& problem, const Configuration& base, double radius, Increment& increment,
                      Configuration& trial) {
  const auto& options = problem.options;
  Place& place = problem.place;
  NewtonOutcome outcome;
  Array minus_r = problem.array(), dz_r = problem.array(), dz_f = problem.array(), reference = problem.array();
  double previous_norm = infinite, correction = infinite;
  for (;; ++outcome.iterations) {
    place.copy(base.q, trial.q);
    place.copy(base.lambda, trial.lambda);
    problem.add(increment.z, 1, trial);
    problem.set_load(trial, base.load_factor() + increment.load);
    const ResidualSize size = problem.residual(trial);
    const auto finish = [&](NewtonOutcome::Reason reason) {
      outcome.reason = reason;
      outcome.rounding = size.norm > 0 ? problem.rounding() * size.relative / size.norm : 0;
      return outcome;
    };
    if (!size.finite) return finish(NewtonOutcome::Reason::not_finite);
    outcome.where = problem.inverted_node(trial);
    if (!outcome.where.empty()) return finish(NewtonOutcome::Reason::inverted);
    outcome.history.push_back(outcome.residual = size.relative);
    switch (judge(problem, trial, size, previous_norm, correction)) {
      case Verdict::converged:
        return finish(NewtonOutcome::Reason::converged);
      case Verdict::at_rounding:
        return finish(NewtonOutcome::Reason::at_rounding);
      case Verdict::rounding_too_large:
        return finish(NewtonOutcome::Reason::rounding_too_large);
      case Verdict::go_on:
        break;
    }
    if (outcome.iterations >= options.iterations) return finish(NewtonOutcome::Reason::too_many);
    if (outcome.iterations >= 8 && size.norm > 0.5 * previous_norm && size.norm > problem.rounding())
      return finish(NewtonOutcome::Reason::diverged);
    previous_norm = size.norm;

    place.copy(problem.reference, reference);
    place.combine({{-1, problem.r}}, minus_r);
    if (!problem.factor(trial)) return finish(NewtonOutcome::Reason::singular);
    ++problem.report.iterations;
    if (!problem.solve(minus_r, dz_r) || !problem.solve(reference, dz_f))
      return finish(NewtonOutcome::Reason::singular);
    const double gap = problem.inner(increment.z, increment.z) - radius * radius;
    const double load = -(gap / 2 + problem.inner(increment.z, dz_r)) / problem.inner(increment.z, dz_f);
    if (!std::isfinite(load)) return finish(NewtonOutcome::Reason::singular);
    place.combine({{1, dz_r}, {load, dz_f}}, dz_r);
    place.combine({{1, increment.z}, {1, dz_r}}, increment.z);
    increment.load += load;
    correction = problem.correction_norm(dz_r);
    if (!(correction < 10 * radius)) return finish(NewtonOutcome::Reason::diverged);
  }
}

}  // namespace

NewtonOutcome follow_arc(Equilibrium& problem, Configuration& state,
                         const std::function<bool(const Configuration&, const NewtonOutcome&)>& accept) {
  const auto& options = problem.options;
  auto& report = problem.report;
  Place& place = problem.place;
  NewtonOutcome outcome;
  Increment last{problem.array()}, increment{problem.array()};  // of the step before, of this one
  bool first = true;
  Array dz_f = problem.array(), reference = problem.array(), way(place, state.q.size());
  double radius = 0, first_radius = 0;

  while (state.load_factor() != 1) {
    if (report.steps >= options.largest_steps) {
      report.reason = StaticReport::Reason::too_many_steps;
      return outcome;
    }
    // Predict along the tangent.
    (void)problem.residual(state);
    place.copy(problem.reference, reference);
    if (!problem.factor(state) || !problem.solve(reference, dz_f)) {
      outcome.reason = NewtonOutcome::Reason::singular;
      report.reason = StaticReport::Reason::singular;
      return outcome;
    }
    const double speed = problem.correction_norm(dz_f);  // displacement per load
    if (!(speed > 0) || !std::isfinite(speed)) {
      outcome.reason = NewtonOutcome::Reason::singular;
      report.reason = StaticReport::Reason::singular;
      return outcome;
    }
    const double sense = first || problem.inner(last.z, dz_f) > 0 ? 1 : -1;
    if (first_radius == 0) first_radius = radius = options.arc_length * speed;

    // Correct; with a shorter arc where that fails.
    Configuration trial = state;
    for (;;) {
      radius = std::min(radius, options.largest_step * speed);
      increment.load = sense * radius / speed;
      place.combine({{increment.load, dz_f}}, increment.z);
      outcome = correct(problem, state, radius, increment, trial);
      // A step that turns back sharply has lost the path.
      if (outcome.ok() && !first && radius > 1e-2 * first_radius &&
          problem.inner(last.z, increment.z) < 0.3 * problem.correction_norm(last.z) * radius)
        outcome.reason = NewtonOutcome::Reason::diverged;
      if (outcome.ok() && trial.load_factor() >= 1) {  // land on the full load
        const double share = (1 - state.load_factor()) / increment.load;
        place.copy(state.q, trial.q);
        place.copy(state.lambda, trial.lambda);
        problem.add(increment.z, share, trial);
        problem.set_load(trial, 1);
        place.copy(trial.q, way);
        const int iterations = outcome.iterations;
        outcome = newton(problem, trial);
        outcome.iterations += iterations;
        // The landing must stay on this arc.
        place.combine({{1, trial.q}, {-1, way}}, way);
        const Array reach = increment.z.part(0, problem.system.map.size);
        if (outcome.ok() && place.largest(way) > place.largest(reach)) outcome.reason = NewtonOutcome::Reason::diverged;
      }
      if (outcome.ok()) break;
      ++report.cut_backs;
      radius *= 0.5;
      if (radius < smallest_radius * first_radius || outcome.reason == NewtonOutcome::Reason::rounding_too_large) {
        report.reason = StaticReport::Reason::step_too_small;
        return outcome;
      }
    }
    state = trial;
    problem.count_turns(state);
    std::swap(last, increment);
    first = false;
    if (!accept(state, outcome)) {
      report.reason = StaticReport::Reason::stopped;
      return outcome;
    }
    radius *= std::clamp(std::sqrt(double(wanted_iterations) / std::max(1, outcome.iterations)), 0.5, 1.5);
    radius = std::min(radius, std::max(largest_radius * first_radius, harmless_radius));
  }
  return outcome;
}

}  // namespace lithe

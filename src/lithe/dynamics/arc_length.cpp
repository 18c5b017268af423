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
  std::vector<double> z;
  double load = 0;
};

// Corrector: `trial` = base + increment, with the increment's length kept at `radius`.
NewtonOutcome correct(Equilibrium& problem, const State& base, double radius, Increment& increment, State& trial) {
  const auto& options = problem.options;
  const int n = problem.size();
  NewtonOutcome outcome;
  std::vector<double> minus_r(n), dz_r, dz_f, reference;
  double previous_norm = infinite, correction = infinite;
  for (;; ++outcome.iterations) {
    trial.q = base.q;
    trial.lambda = base.lambda;
    problem.add(increment.z, 1, trial);
    problem.set_load(trial, base.load_factor + increment.load);
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

    reference = problem.reference;
    for (int i = 0; i < n; ++i) minus_r[i] = -problem.r[i];
    if (!problem.factor(trial)) return finish(NewtonOutcome::Reason::singular);
    ++problem.report.iterations;
    if (!problem.solve(minus_r, dz_r) || !problem.solve(reference, dz_f))
      return finish(NewtonOutcome::Reason::singular);
    const double gap = problem.inner(increment.z, increment.z) - radius * radius;
    const double load = -(gap / 2 + problem.inner(increment.z, dz_r)) / problem.inner(increment.z, dz_f);
    if (!std::isfinite(load)) return finish(NewtonOutcome::Reason::singular);
    for (int i = 0; i < n; ++i) {
      dz_r[i] += load * dz_f[i];
      increment.z[i] += dz_r[i];
    }
    increment.load += load;
    correction = problem.correction_norm(dz_r);
    if (!(correction < 10 * radius)) return finish(NewtonOutcome::Reason::diverged);
  }
}

}  // namespace

NewtonOutcome follow_arc(Equilibrium& problem, State& state,
                         const std::function<bool(const State&, const NewtonOutcome&)>& accept) {
  const auto& options = problem.options;
  auto& report = problem.report;
  const int n = problem.size();
  NewtonOutcome outcome;
  Increment last;  // of the step before; empty at first
  std::vector<double> dz_f, reference;
  double radius = 0, first_radius = 0;

  while (state.load_factor != 1) {
    if (report.steps >= options.largest_steps) {
      report.reason = StaticReport::Reason::too_many_steps;
      return outcome;
    }
    // Predict along the tangent.
    (void)problem.residual(state);
    reference = problem.reference;
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
    const double sense = last.z.empty() || problem.inner(last.z, dz_f) > 0 ? 1 : -1;
    if (first_radius == 0) first_radius = radius = options.arc_length * speed;

    // Correct; with a shorter arc where that fails.
    State trial = state;
    Increment increment;
    for (;;) {
      radius = std::min(radius, options.largest_step * speed);
      increment.load = sense * radius / speed;
      increment.z.resize(n);
      for (int i = 0; i < n; ++i) increment.z[i] = increment.load * dz_f[i];
      outcome = correct(problem, state, radius, increment, trial);
      // A step that turns back sharply has lost the path.
      if (outcome.ok() && !last.z.empty() && radius > 1e-2 * first_radius &&
          problem.inner(last.z, increment.z) < 0.3 * problem.correction_norm(last.z) * radius)
        outcome.reason = NewtonOutcome::Reason::diverged;
      if (outcome.ok() && trial.load_factor >= 1) {  // land on the full load
        const double share = (1 - state.load_factor) / increment.load;
        trial.q = state.q;
        trial.lambda = state.lambda;
        problem.add(increment.z, share, trial);
        problem.set_load(trial, 1);
        const std::vector<double> guess = trial.q;
        const int iterations = outcome.iterations;
        outcome = newton(problem, trial);
        outcome.iterations += iterations;
        double distance = 0;  // the landing must stay on this arc
        for (std::size_t i = 0; i < guess.size(); ++i) distance = std::max(distance, std::abs(trial.q[i] - guess[i]));
        double reach = 0;
        for (int i = 0; i < problem.system.map.size; ++i) reach = std::max(reach, std::abs(increment.z[i]));
        if (outcome.ok() && distance > reach) outcome.reason = NewtonOutcome::Reason::diverged;
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
    last = increment;
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

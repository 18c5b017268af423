#include "lithe/dynamics/newton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lithe {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// A residual that stands at rounding level above the tolerance is accepted, and reported, up to this times the
// tolerance.
constexpr double rounding_allowance = 1e3;
// A full step of a thin structure first stretches it: the residual grows by the ratio of axial to bending stiffness and
// then falls fast. Steps shortened until residual, work or natural correction fall need 3 to 20 times the iterations
// (measured, docs/theory/statics.md), so only growth beyond all such ratios is taken for a step too long.
constexpr double allowed_growth = 1e8;
// Displacements that rounding lets wander by more than this share of themselves are not accepted.
constexpr double rounding_displacement = 1e-4;
// Equilibria at one load, each with the points of contact that the one before shows.
constexpr int most_contact_rounds = 8;

}  // namespace

std::string NewtonOutcome::text() const {
  switch (reason) {
    case Reason::converged:
      return "converged";
    case Reason::at_rounding:
      return "converged to rounding";
    case Reason::linear:
      return "the linear answer";
    case Reason::rounding_too_large:
      return fmt::format("the residual stands at the rounding error of the forces ({:.1e} of them)", rounding);
    case Reason::too_many:
      return fmt::format("Newton did not converge in {} iterations", iterations);
    case Reason::diverged:
      return fmt::format("Newton diverged after {} iterations", iterations);
    case Reason::not_finite:
      return "the forces are not finite";
    case Reason::inverted:
      return "an element turned inside out at " + where;
    case Reason::singular:
      return "the stiffness matrix is singular";
  }
  return "";
}

Verdict judge(Equilibrium& problem, const Configuration& state, const ResidualSize& size, double previous_norm,
              double correction) {
  const auto& options = problem.options;
  const bool small = size.relative <= options.tolerance;
  if (size.norm == 0) return Verdict::converged;
  // Forces at their rounding error hide a load that is smaller still: one correction shows it.
  if (small &&
      (correction <= options.correction_tolerance || (correction < infinite && size.norm <= problem.rounding())))
    return Verdict::converged;
  // Above the tolerance, but no longer falling and no larger than the rounding error of the forces.
  if (!small && size.norm <= problem.rounding() && size.norm > 0.1 * previous_norm) {
    return size.relative <= rounding_allowance * options.tolerance ||
                   correction < rounding_displacement * problem.displacement_norm(state)
               ? Verdict::at_rounding
               : Verdict::rounding_too_large;
  }
  return Verdict::go_on;
}

NewtonOutcome newton(Equilibrium& problem, Configuration& state) {
  const auto& options = problem.options;
  NewtonOutcome outcome;
  Place& place = problem.place;
  Array dz = problem.array(), minus_r = problem.array();
  Array q_base(place, state.q.size()), lambda_base(place, state.lambda.size());
  std::vector<double> norms;
  double correction = infinite, previous_norm = infinite;
  bool factorised = false;
  std::optional<Configuration> linear;  // after the first correction
  double linear_error = infinite;

  ResidualSize size = problem.residual(state);
  const auto finish = [&](NewtonOutcome::Reason reason) {
    outcome.reason = reason;
    outcome.correction = correction;
    const double scale = size.relative > 0 ? size.norm / size.relative : 0;
    outcome.rounding = scale > 0 ? problem.rounding() / scale : 0;
    return outcome;
  };
  if (!size.finite) return finish(NewtonOutcome::Reason::not_finite);

  for (;; ++outcome.iterations) {
    outcome.history.push_back(outcome.residual = size.relative);
    norms.push_back(size.norm);
    switch (judge(problem, state, size, previous_norm, correction)) {
      case Verdict::converged:
        return finish(NewtonOutcome::Reason::converged);
      case Verdict::at_rounding:
        return finish(NewtonOutcome::Reason::at_rounding);
      case Verdict::rounding_too_large:
        if (!(linear_error <= rounding_displacement)) return finish(NewtonOutcome::Reason::rounding_too_large);
        state = *linear;
        (void)problem.residual(state);
        return finish(NewtonOutcome::Reason::linear);
      case Verdict::go_on:
        break;
    }
    const int k = outcome.iterations;
    if (k >= options.iterations) return finish(NewtonOutcome::Reason::too_many);
    if (k >= 10 && norms[k] > 0.5 * norms[k - 6]) return finish(NewtonOutcome::Reason::diverged);

    // Where the residual is small enough already, the factors at hand tell the size of the correction.
    const bool polish = factorised && size.relative <= options.tolerance;
    if (!polish) problem.evaluate(state);
    if (k == 0 && problem.tiny_load()) size = problem.residual(state);  // the tangent has told
    // Where no load acts, forces at their rounding error have no scale but that: nothing is to be done.
    if (k == 0 && problem.unloaded() && size.norm <= problem.rounding()) {
      outcome.residual = 0;
      return finish(NewtonOutcome::Reason::converged);
    }
    bool factored = polish || problem.factor();
    if (!factored && k == 0 && !state.lambda.empty() && problem.guess_multipliers(state)) {
      size = problem.residual(state);
      outcome.residual = size.relative;
      factored = problem.factor(state);
    }
    if (!factored)
      return finish(problem.factor_report().reason == FactorReport::Reason::not_finite
                        ? NewtonOutcome::Reason::not_finite
                        : NewtonOutcome::Reason::singular);
    factorised = true;
    if (!polish) outcome.since_factor = 0;
    place.combine({{-1, problem.r}}, minus_r);
    if (!problem.solve(minus_r, dz)) return finish(NewtonOutcome::Reason::singular);
    const double full = problem.correction_norm(dz);
    if (!std::isfinite(full)) return finish(NewtonOutcome::Reason::not_finite);
    if (size.relative <= options.tolerance && full <= options.correction_tolerance &&
        full < rounding_displacement * problem.displacement_norm(state))
      return finish(NewtonOutcome::Reason::converged);

    ++problem.report.iterations;
    // Full step; shorter where the forces are not finite, an element turns inside out or the residual explodes.
    place.copy(state.q, q_base);
    place.copy(state.lambda, lambda_base);
    previous_norm = size.norm;
    double length = 1;
    for (int trial = 0;; ++trial) {
      place.copy(q_base, state.q);
      place.copy(lambda_base, state.lambda);
      problem.add(dz, length, state);
      size = problem.residual(state);
      const std::string inverted = size.finite ? problem.inverted_node(state) : "";
      const bool admissible = size.finite && inverted.empty();
      const bool grown = admissible && size.norm > allowed_growth * std::max(previous_norm, problem.rounding());
      if (admissible && (!grown || !options.line_search)) break;
      if (!options.line_search || trial == 10) {
        outcome.where = inverted;
        ++outcome.iterations;
        return finish(!size.finite        ? NewtonOutcome::Reason::not_finite
                      : !inverted.empty() ? NewtonOutcome::Reason::inverted
                                          : NewtonOutcome::Reason::diverged);
      }
      length *= 0.5;
    }
    correction = length * full;
    outcome.since_factor += correction;
    if (k == 0 && length == 1) {
      // Nonlinear terms are of the order of the square of the displacement, times the ratio of the largest to the
      // smallest stiffness that rounding error, load and displacement show.
      linear_error = full * full * (problem.rounding() / previous_norm) * full / std::numeric_limits<double>::epsilon();
      linear.emplace(state);
    }
  }
}

NewtonOutcome newton(Equilibrium& problem, Configuration& state, const Configuration& from) {
  if (!problem.has_contacts()) return newton(problem, state);
  for (int round = 0;; ++round) {
    problem.find_contacts(state, from);
    const NewtonOutcome outcome = newton(problem, state);
    if (!outcome.ok() || round == most_contact_rounds || problem.same_contacts(state)) return outcome;
  }
}

}  // namespace lithe

#include "lithe/dynamics/settle.h"

#include <algorithm>
#include <cmath>

namespace lithe {

namespace {

constexpr int most_steps = 2000, most_iterations = 10, most_disturbances = 20;
constexpr double largest_move = 0.2;  // of a step: positions over the size of the model, gradients
constexpr double inner_tolerance = 1e-3, still = 1e-7;
constexpr double first_shift = 1e-6;  // of the stiffness; it grows at once where that is too small

class Descent {
 public:
  Descent(Equilibrium& problem, StabilityMatrix& matrix)
      : problem_(problem),
        matrix_(matrix),
        place_(problem.place),
        left_(problem.array()),
        way_(problem.array()),
        dx_(problem.array()),
        scaled_(problem.array()) {}

  Settling run(Configuration& state, bool disturb_first) {
    Settling result;
    if (disturb_first && !disturb(state, result.where)) return result;
    if (!disturb_first) sigma_ = first_shift * size_of_stiffness(state);
    double tried = 1e300;
    for (int disturbances = 1; result.steps < most_steps; ++result.steps) {
      Configuration trial = state;
      if (!step(trial)) {
        sigma_ *= 2.5;
        if (!std::isfinite(sigma_)) return result;
        continue;
      }
      state = trial;
      problem_.count_turns(state);
      const int below = look(state);
      if (below == 0 && sigma_ < 0.1 * tried) {  // in a valley: Newton finds its bottom
        tried = sigma_;
        trial = state;
        result.outcome = newton(problem_, trial);
        if (result.outcome.ok() && look(trial) == 0) {
          state = trial;
          problem_.count_turns(state);
          result.settled = true;
          return result;
        }
      }
      if (below == 0 && at_rest(state, result.outcome)) {
        result.settled = true;
        return result;
      }
      if (below > 0 && moved_ < still) {  // another one that is not stable
        std::string where;
        if (++disturbances > most_disturbances || !disturb(state, where)) return result;
        tried = 1e300;
        continue;
      }
      sigma_ *= below == 0 ? 0.3 : 0.7;
    }
    return result;
  }

 private:
  // Directions in which the equilibrium gives way at `state`; one that is neutral does not.
  int look(const Configuration& state) {
    const std::vector<double>& K = problem_.evaluate(state);
    const Timed timed(problem_.report.seconds_factor);
    matrix_.set(K, problem_.work.G);
    ++problem_.report.factorisations;
    return matrix_.judge().directions;
  }

  // Newton does not converge along a neutral direction (a buckled column of round section may turn about its axis), the
  // descent does.
  bool at_rest(const Configuration& state, NewtonOutcome& outcome) {
    const ResidualSize size = problem_.residual(state);
    if (!(size.relative <= problem_.options.tolerance) && !(size.norm <= problem_.rounding())) return false;
    outcome = {};
    outcome.reason = size.relative <= problem_.options.tolerance ? NewtonOutcome::Reason::converged
                                                                 : NewtonOutcome::Reason::at_rounding;
    outcome.residual = size.relative;
    outcome.history = {size.relative};
    return true;
  }

  double size_of_stiffness(const Configuration& state) {
    (void)look(state);
    return matrix_.size();
  }

  bool disturb(Configuration& state, std::string& where) {
    (void)look(state);
    LowestMode mode;
    {
      const Timed timed(problem_.report.seconds_factor);
      mode = matrix_.lowest_mode();
    }
    if (!mode.found) return false;
    where = problem_.system.unknown_name(problem_.largest_unknown(mode.x));
    problem_.add(mode.x, disturbance, state);
    sigma_ = -2 * mode.eigenvalue;
    return true;
  }

  // One implicit Euler step from `state`; false: too long, or K + sigma D is not positive definite on the way.
  bool step(Configuration& state) {
    place_.fill(0, way_);
    for (int k = 0; k < most_iterations; ++k) {
      const ResidualSize size = problem_.residual(state);
      if (!size.finite || !problem_.inverted_node(state).empty()) return false;
      place_.multiply(problem_.correction_squares(), way_, scaled_);
      place_.combine({{sigma_, scaled_}, {1, problem_.r}}, left_);
      const std::vector<double>& K = problem_.evaluate(state);
      {
        const Timed timed(problem_.report.seconds_factor);
        matrix_.set(K, problem_.work.G);
        ++problem_.report.factorisations;
        if (matrix_.factor(sigma_) != 0) return false;
      }
      {
        const Timed timed(problem_.report.seconds_solve);
        if (!matrix_.solve(left_, dx_)) return false;
      }
      ++problem_.report.iterations;
      place_.combine({{1, way_}, {1, dx_}}, way_);
      const double correction = size_of(dx_);
      moved_ = size_of(way_);
      if (!(moved_ <= largest_move) || !(correction <= largest_move)) return false;
      problem_.add(dx_, 1, state);
      if (correction <= inner_tolerance * moved_ || correction <= still * inner_tolerance) return true;
    }
    return false;
  }

  // Largest entry, free of units.
  double size_of(const Array& x) {
    place_.multiply(problem_.correction_weight(), x, scaled_);
    return place_.largest(scaled_);
  }

  Equilibrium& problem_;
  StabilityMatrix& matrix_;
  Place& place_;
  Array left_, way_, dx_, scaled_;  // [unknown, row]
  double sigma_ = 0, moved_ = 0;
};

}  // namespace

Settling settle(Equilibrium& problem, StabilityMatrix& matrix, Configuration& state, bool disturb_first) {
  return Descent(problem, matrix).run(state, disturb_first);
}

}  // namespace lithe

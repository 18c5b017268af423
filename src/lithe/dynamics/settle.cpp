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
        f_(problem.system.map.size),
        c_(problem.system.row_count()),
        dz_(problem.system.map.size),
        dy_(problem.system.row_count()),
        way_(problem.system.map.size),
        dx_(problem.array()) {}

  Settling run(State& state, bool disturb_first) {
    Settling result;
    if (disturb_first && !disturb(state, result.where)) return result;
    if (!disturb_first) sigma_ = first_shift * size_of_stiffness(state);
    double tried = 1e300;
    for (int disturbances = 1; result.steps < most_steps; ++result.steps) {
      State trial = state;
      if (!step(trial)) {
        sigma_ *= 2.5;
        if (!std::isfinite(sigma_)) return result;
        continue;
      }
      state = std::move(trial);
      problem_.count_turns(state);
      const int below = look(state);
      if (below == 0 && sigma_ < 0.1 * tried) {  // in a valley: Newton finds its bottom
        tried = sigma_;
        trial = state;
        result.outcome = newton(problem_, trial);
        if (result.outcome.ok() && look(trial) == 0) {
          state = std::move(trial);
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
  int look(const State& state) {
    const std::vector<double>& K = problem_.evaluate(state);
    const Timed timed(problem_.report.seconds_factor);
    matrix_.set(K, problem_.work.G);
    ++problem_.report.factorisations;
    return matrix_.judge().directions;
  }

  // Newton does not converge along a neutral direction (a buckled column of round section may turn about its axis), the
  // descent does.
  bool at_rest(const State& state, NewtonOutcome& outcome) {
    const ResidualSize size = problem_.residual(state);
    if (!(size.relative <= problem_.options.tolerance) && !(size.norm <= problem_.rounding())) return false;
    outcome = {};
    outcome.reason = size.relative <= problem_.options.tolerance ? NewtonOutcome::Reason::converged
                                                                 : NewtonOutcome::Reason::at_rounding;
    outcome.residual = size.relative;
    outcome.history = {size.relative};
    return true;
  }

  double size_of_stiffness(const State& state) {
    (void)look(state);
    return matrix_.size();
  }

  bool disturb(State& state, std::string& where) {
    (void)look(state);
    LowestMode mode;
    {
      const Timed timed(problem_.report.seconds_factor);
      mode = matrix_.lowest_mode();
    }
    if (!mode.found) return false;
    const std::vector<double>& w = problem_.correction_weight();
    int largest = 0;
    for (int i = 0; i < problem_.system.map.size; ++i)
      if (std::abs(w[i] * mode.x[i]) > std::abs(w[largest] * mode.x[largest])) largest = i;
    where = problem_.system.unknown_name(largest);
    problem_.place.fill(0, dx_);
    std::ranges::copy(mode.x, dx_.host().begin());
    problem_.add(dx_, disturbance, state);
    sigma_ = -2 * mode.eigenvalue;
    return true;
  }

  // One implicit Euler step from `state`; false: too long, or K + sigma D is not positive definite on the way.
  bool step(State& state) {
    const int n = problem_.system.map.size, m = problem_.system.row_count();
    const std::vector<double>& w = problem_.correction_weight();
    std::fill(way_.begin(), way_.end(), 0.0);
    for (int k = 0; k < most_iterations; ++k) {
      const ResidualSize size = problem_.residual(state);
      if (!size.finite || !problem_.inverted_node(state).empty()) return false;
      const std::span<const double> left = problem_.r.host();
      for (int i = 0; i < n; ++i) f_[i] = left[i] + sigma_ * w[i] * w[i] * way_[i];
      for (int r = 0; r < m; ++r) c_[r] = left[n + r];
      const std::vector<double>& K = problem_.evaluate(state);
      {
        const Timed timed(problem_.report.seconds_factor);
        matrix_.set(K, problem_.work.G);
        ++problem_.report.factorisations;
        if (matrix_.factor(sigma_) != 0) return false;
      }
      {
        const Timed timed(problem_.report.seconds_solve);
        if (!matrix_.solve(f_, c_, dz_, dy_)) return false;
      }
      ++problem_.report.iterations;
      double correction = 0;
      moved_ = 0;
      for (int i = 0; i < n; ++i) {
        way_[i] += dz_[i];
        correction = std::max(correction, std::abs(w[i] * dz_[i]));
        moved_ = std::max(moved_, std::abs(w[i] * way_[i]));
      }
      if (!(moved_ <= largest_move) || !(correction <= largest_move)) return false;
      std::ranges::copy(dz_, dx_.host().begin());
      std::ranges::copy(dy_, dx_.host().begin() + n);
      problem_.add(dx_, 1, state);
      if (correction <= inner_tolerance * moved_ || correction <= still * inner_tolerance) return true;
    }
    return false;
  }

  Equilibrium& problem_;
  StabilityMatrix& matrix_;
  std::vector<double> f_, c_, dz_, dy_, way_;
  Array dx_;
  double sigma_ = 0, moved_ = 0;
};

}  // namespace

Settling settle(Equilibrium& problem, StabilityMatrix& matrix, State& state, bool disturb_first) {
  return Descent(problem, matrix).run(state, disturb_first);
}

}  // namespace lithe

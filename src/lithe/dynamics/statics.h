// Nonlinear statics: Newton with automatic load steps and line search, or arc-length continuation
// (docs/theory/statics.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lithe/system/system.h"

namespace lithe {

struct StaticStep {
  int step = 0;
  int iterations = 0;
  double load_factor = 0;
  double residual = 0;          // relative to the forces in the system
  std::vector<double> history;  // residual at each iteration
  int negative_pivots = -1;     // directions in which the equilibrium gives way; > 0: unstable; -1: not known
  bool output = true;           // an output is due (output_factors)
  bool at_rounding = false;     // the residual stands above the tolerance, at the rounding error of the forces
};

struct StaticReport {
  enum class Reason {
    done,
    not_converged,
    step_too_small,
    too_many_steps,
    singular,
    unstable,
    past_end,
    contradiction,
    stopped
  } reason = Reason::done;
  std::optional<bool> stable;  // the last equilibrium; none: not known
  int negative_pivots = -1;    // of the last equilibrium, multipliers not counted: directions in which it gives way
  int disturbances = 0;        // unstable equilibria that were left for stable ones (on_instability: perturb)
  int steps = 0, iterations = 0, cut_backs = 0, factorisations = 0;
  int rounding_steps = 0;  // steps accepted at rounding level although above the tolerance
  double load_factor = 0;  // reached
  double residual = 0;
  std::string worst;                  // name of the coordinate with the largest residual
  std::string message;                // whole sentence for the user, with a suggestion; notes on a run that succeeded
  std::vector<std::string> warnings;  // of a run that succeeded, each a whole sentence
  std::string solver;                 // what solved the linear systems, and why
  double seconds_force = 0, seconds_tangent = 0, seconds_factor = 0, seconds_solve = 0, seconds_output = 0,
         seconds_total = 0;
  bool ok() const { return reason == Reason::done; }
};

// Called after every accepted step (and once for the starting state, step 0) with work.internal and work.external at
// that state; returning false ends the run.
using StaticObserver = std::function<bool(const State&, const StaticStep&)>;

// From `state` (usually system.initial_state()) to the full load; starts at state.load_factor where that is below 1,
// else at 0. On failure the state is the last converged one and the report says why; nothing is thrown for
// non-convergence. InputError: arc length asked for with loads that are not constants. goes_on: `state` is an
// equilibrium under all constant loads; they stay, and the time goes on from state.t.
[[nodiscard]] StaticReport solve_static(const System& system, const StaticAnalysis& options, State& state,
                                        Workspace& work, const StaticObserver& observer, bool goes_on = false);

}  // namespace lithe

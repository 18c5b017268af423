// Arc-length continuation: follows the equilibrium path through limit points of the load (snap-through) and of the
// displacement (snap-back).
#pragma once

#include "lithe/dynamics/newton.h"

namespace lithe {

// Follows the path from `state` (in equilibrium) until the load factor passes 1, and ends in equilibrium at exactly 1.
// `accept` records an accepted step and returns false to end the run. The result has the last outcome; reason and
// message of problem.report are the caller's to fill, except too_many_steps, step_too_small and stopped.
NewtonOutcome follow_arc(Equilibrium& problem, Configuration& state,
                         const std::function<bool(const Configuration&, const NewtonOutcome&)>& accept);

}  // namespace lithe

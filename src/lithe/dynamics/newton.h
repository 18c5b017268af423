// Newton's method for the equilibrium at a fixed load.
#pragma once

#include <string>
#include <vector>

#include "lithe/dynamics/equilibrium.h"

namespace lithe {

struct NewtonOutcome {
  enum class Reason {
    converged,
    at_rounding,
    linear,  // one correction: the load lies below the rounding error of the internal forces, nonlinear terms far lower
    rounding_too_large,
    too_many,
    diverged,
    not_finite,
    inverted,
    singular
  } reason = Reason::converged;
  int iterations = 0;
  double residual = 0;          // relative, last finite
  double rounding = 0;          // relative
  double correction = 0;        // the last, weighted RMS
  double since_factor = -1;     // corrections since the last factorisation, weighted RMS; -1: there was none
  std::vector<double> history;  // relative residual at each iteration
  std::string where;            // inverted: which node
  bool ok() const { return reason == Reason::converged || reason == Reason::at_rounding || reason == Reason::linear; }
  std::string text() const;  // why it failed, a clause without capital and full stop
};

// Is the residual as small as it must be, or as small as rounding lets it? Both tests of docs/theory/statics.md.
enum class Verdict { go_on, converged, at_rounding, rounding_too_large };
Verdict judge(Equilibrium& problem, const Configuration& state, const ResidualSize& size, double previous_norm,
              double correction);

// From `state` (load factor and time set) to equilibrium there; on failure `state` is anywhere.
NewtonOutcome newton(Equilibrium& problem, Configuration& state);
// The same, on the way from an accepted state: where there are penalty contacts once more as long as others press at
// the equilibrium than those it was found with.
NewtonOutcome newton(Equilibrium& problem, Configuration& state, const Configuration& from);

}  // namespace lithe

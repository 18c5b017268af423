// From an unstable equilibrium to a stable one at the same load: a disturbance along the most unstable mode, then the
// way down without inertia,
//
//   D dz/d(tau) = -r(z, y),   c(z) = 0,
//
// by implicit Euler steps, (K + sigma D) dz + G^T dy = -r - sigma D (z - z_n) with sigma = 1/d(tau). Of this motion the
// stable equilibria alone are limits, whatever the metric D = diag(w^2). A step is taken where K + sigma D is positive
// definite over the motions that the rows allow: sigma grows where it is not, and falls to zero (Newton) in a valley.
#pragma once

#include "lithe/dynamics/newton.h"
#include "lithe/dynamics/stability.h"

namespace lithe {

// Largest entry of the disturbance: of positions over the size of the model, of gradients.
inline constexpr double disturbance = 1e-3;

struct Settling {
  bool settled = false;
  int steps = 0;
  std::string where;      // coordinate that the first disturbance moved most
  NewtonOutcome outcome;  // of the last Newton
};

// `state`, load set: in an equilibrium that is not stable (it is disturbed first), or in none; at the end in a stable
// one, else anywhere.
Settling settle(Equilibrium& problem, StabilityMatrix& matrix, Configuration& state, bool disturb_first);

}  // namespace lithe

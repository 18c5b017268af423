// Linear buckling about an equilibrium: with p the share of the constant loads, K(p) = K + (p - p0) K_p along the path
// of equilibria, and critical p where K(p) is singular among the motions that the rows allow (docs/theory/modes.md).
#pragma once

#include "lithe/dynamics/modes.h"

namespace lithe {

struct BucklingMode {
  double factor = 0;          // of the constant loads
  double residual = 0;        // how far an iteration still turns it
  std::vector<double> shape;  // [vector][3], largest displacement 1 m
};

struct Buckling {
  std::vector<BucklingMode> modes;  // ascending factors, above that of the state
  double from = 0;                  // p0
  int counted = 0;                  // critical factors up to `high`
  double high = 0;
  bool dense = false;
  int unknowns = 0, rows = 0;
  long long factorisations = 0, solves = 0;
  std::string solver, note;
  double seconds_matrices = 0, seconds_total = 0;
};

// At state.load_factor: 0 at rest, 1 after a static stage. InputError: nothing moves, no constant loads. RunError: the
// state is unstable, or nothing buckles.
Buckling find_buckling(const System& system, const State& state, Workspace& work, int count);

}  // namespace lithe

// Equations of constraints and joints as compile() makes and sorts them; what a System keeps of them is in rows.h.
#pragma once

#include <vector>

#include "lithe/constraints/part.h"
#include "lithe/model/signal.h"

namespace lithe {

// How a virtual motion of a joint's side b enters an equation, for its reaction: a translation through an argument that
// holds b's point, a rotation through one that turns with b. `sign` is -1 where the turn of a stands for it.
struct Bearing {
  int argument = 0;
  bool position = true;
  double sign = 1;
  Form arm;  // rotation: what turns
};

// Three linear equations x(q) = constant.
struct Tie {
  Form x;
  Vec3<double> constant{};
  int owner = 0;
  std::vector<Bearing> bearings = {};  // of joints
};

// One equation phi(x(q)) = constant + target(t).
struct ConstraintRow {
  Part part;
  double constant = 0;
  Signal target;
  int owner = 0;
  std::vector<Bearing> bearings = {};  // of joints
};

struct ConstraintEquations {
  std::vector<Tie> ties;
  std::vector<ConstraintRow> rows;        // all; after eliminate() those that are kept, ties among them
  std::vector<ConstraintRow> eliminated;  // eliminate() | those of `rows` that left the unknowns
};

}  // namespace lithe

// From what the user said (constraints, joints, rigid bodies, bars, meshes joined by constraints) to equations.
#pragma once

#include "lithe/system/constraint_equations.h"
#include "lithe/system/system.h"

namespace lithe {

// All equations of the model; fills system.owners and system.angles. Part of compile(), before eliminate().
ConstraintEquations compile_constraints(System& system);
// The part of it that is joints: also fills system.joints.
void compile_joints(System& system, ConstraintEquations& equations);

// The points that a constraint holds: nodes, of a pin or roller also a point of a body.
std::vector<Form> held_nodes(const System& system, const At& at);
std::vector<Form> held_places(const System& system, const At& at);
template <class T>
std::vector<Form> held_points(const System& system, const T& constraint) {
  return held_nodes(system, constraint.at);
}
inline std::vector<Form> held_points(const System& system, const Pin& pin) { return held_places(system, pin.at); }
inline std::vector<Form> held_points(const System& system, const Roller& roller) {
  return held_places(system, roller.at);
}

}  // namespace lithe

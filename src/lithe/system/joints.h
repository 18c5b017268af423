// From what the user said (constraints, joints, rigid bodies, bars, meshes joined by constraints) to equations.
#pragma once

#include "lithe/system/constraint_equations.h"
#include "lithe/system/system.h"

namespace lithe {

// All equations of the model; fills system.owners and system.angles. Part of compile(), before eliminate().
ConstraintEquations compile_constraints(System& system);
// The part of it that is joints: also fills system.joints.
void compile_joints(System& system, ConstraintEquations& equations);

}  // namespace lithe

// From what the user said (constraints, joints, rigid bodies, bars, meshes joined by constraints) to equations.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

// Fills system.ties, system.rows, system.owners and system.angles; part of compile(), before eliminate().
void compile_constraints(System& system);
// The part of it that is joints: also fills system.joints.
void compile_joints(System& system);

}  // namespace lithe

// Velocities at the start, as the user gave them.
#pragma once

#include "lithe/system/constraint_equations.h"
#include "lithe/system/system.h"

namespace lithe {

// system.v0 from the bodies' own velocities and model.initial_velocities.
void compile_initial_velocities(System& system);
// A note in system.warnings for each drive of a dynamic run that starts with another rate than system.v0 has there.
void compare_drives_with_velocities(System& system, const ConstraintEquations& equations);

}  // namespace lithe

// Where bodies start, if not in their reference configuration.
#pragma once

#include "lithe/system/constraint_equations.h"
#include "lithe/system/system.h"

namespace lithe {

// Fills system.q_start: bodies turned and displaced as they say, on the constraints. Part of compile(), after the rows
// are settled.
void compile_start(System& system, ConstraintEquations& equations);

}  // namespace lithe

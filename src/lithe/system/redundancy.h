// Rows that others imply, rows that contradict others, and a start that satisfies the rest.
#pragma once

#include "lithe/system/constraint_equations.h"
#include "lithe/system/system.h"

namespace lithe {

// After eliminate(): moves the start onto the constraints where it is slightly off (system.q0), removes redundant rows
// with a note in system.warnings, and throws InputError naming the joints that cannot hold together.
void settle_rows(System& system, ConstraintEquations& equations);
// system.q_start onto the rows that are left; an error where it is far off.
void settle_start(System& system, ConstraintEquations& equations);

}  // namespace lithe

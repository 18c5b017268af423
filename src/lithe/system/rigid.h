// Rigid bodies, bars and points as batches of mass without a kernel, and the velocities at the start.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

// Batches of body number `body`, which is not flexible; part of compile().
void add_rigid_batches(System& system, int body);
// system.v0 from the bodies' own velocities and model.initial_velocities.
void compile_initial_velocities(System& system);

}  // namespace lithe

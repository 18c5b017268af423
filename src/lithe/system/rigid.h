// Rigid bodies, bars and points as batches of mass without a kernel.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

// Batches of body number `body`, which is not flexible; part of compile().
void add_rigid_batches(System& system, int body);

}  // namespace lithe

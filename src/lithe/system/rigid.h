// Rigid bodies, bars and points as batches of mass without a kernel.
#pragma once

#include <array>
#include <string>

#include "lithe/system/system.h"

namespace lithe {

// Upper triangle of the compact mass matrix over the point and the three base vectors.
std::array<double, 10> rigid_mass(const RigidBody& body, const Where& where, const std::string& name);
// Batches of body number `body`, which is not flexible; part of compile().
void add_rigid_batches(System& system, int body);

}  // namespace lithe

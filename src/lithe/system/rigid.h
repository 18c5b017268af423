// Rigid bodies, bars and points as batches of mass without a kernel.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

class MeshFiles;

// Its mass matrix and centre into `info`.
void take_mass(const RigidBody& body, const Where& where, MeshFiles& files, BodyInfo& info);
// Batches of body number `body`, which is not flexible; part of compile().
void add_rigid_batches(System& system, int body);

}  // namespace lithe

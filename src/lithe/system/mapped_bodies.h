// Bodies that move as a BodyMap says: co-rotated, reduced and rigid ones. Their shapes are made here, once for all bodies
// of equal meshes, and their elastic forces and energies where outputs ask for them.
#pragma once

#include <memory>

#include "lithe/system/system.h"

namespace lithe {

// Parts of compile(): before the constraints, which they keep from being eliminated; after the elimination.
void mark_mapped_bodies(System& system);
void attach_bodies(System& system);

// force += elastic and damping forces of mapped bodies, over all coordinates.
void add_mapped_forces(const System& system, const State& state, std::vector<double>& force);
double mapped_energy(const System& system, const State& state);

// The shape of a body of the model alone, as if nothing held it.
std::shared_ptr<Shape> free_shape(const Model& model, const std::string& body, bool stiff);

}  // namespace lithe

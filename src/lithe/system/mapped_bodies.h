// Bodies that move as a BodyMap says: co-rotated, reduced and rigid ones. Their shapes are made here, once for all
// bodies of equal meshes, and their elastic forces and energies where outputs ask for them.
#pragma once

#include <memory>
#include <span>

#include "lithe/system/system.h"

namespace lithe {

// Parts of compile(): before the constraints, which they keep from being eliminated; after the elimination.
void mark_mapped_bodies(System& system);
void attach_bodies(System& system);

// Warns of reduced bodies that more rows hold than they have modes; after the rows are settled.
void warn_of_held_modes(System& system);

// work.internal += elastic and damping forces of mapped bodies.
enum class MappedForces { all, viscous };
void add_mapped_forces(const System& system, const State& state, Workspace& work, MappedForces which);
// Room for one of them, doubles.
std::size_t mapped_room(const System& system);
// room: [thread][mapped_room()]
double mapped_energy(const System& system, const State& state, Team& team, std::vector<AlignedVector<double>>& room);
// Where strain and stress of a body come from: of a reduced one its deformation in the span of the base (P2 eq. 58), as
// its elastic forces do; `room` gets coordinates and rates of that body alone. Of others the state itself.
const State& strained_state(const System& system, const State& state, int body, State& room);

// A body of elements as the only one of a model: total Lagrangian, where its mesh lies, nothing holds or loads it.
Model body_alone(const Model& model, const std::string& body);
// Instead of the mesh of a file, which may be gone and is read once: its nodes, [node][width], and corners of elements.
void give_nodes(Body& body, std::span<const double> nodes, int width, std::span<const int> elements, int corners);
// The shape of a body of the model alone, as if nothing held it; `mesh`: of the body, where it is made already.
std::shared_ptr<Shape> free_shape(const Model& model, const std::string& body, const Mesh& mesh, bool stiff);
std::shared_ptr<Shape> free_shape(const Model& model, const std::string& body, bool stiff);

}  // namespace lithe

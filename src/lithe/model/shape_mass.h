// Mass, centre and inertia of shapes: closed forms; of meshes by their triangles, of compounds sums about the common
// centre, I = sum R I_i R^T + m_i (d . d 1 - d d^T) with d from the common centre to that of the part (Steiner).
#pragma once

#include <optional>
#include <string>

#include "lithe/model/bodies.h"

namespace lithe {

class MeshFiles;
struct SurfaceFile;

struct SolidMass {
  double mass = 0;         // kg
  Vec3<double> centre{};   // in the frame of the shape | m
  Mat3<double> inertia{};  // about the centre | kg m^2
};
// Of a shape with a density, or with a mass spread over it. `said`: the file it was said in, beside which meshes are.
SolidMass solid_mass(const RigidShape& shape, double density, const std::optional<double>& mass, const Where& said,
                     MeshFiles& files);
SolidMass solid_mass(const RigidBody& body, const Where& said, MeshFiles& files);
// The surface of a shape from a file, in m, and what follows from it.
const SurfaceFile& mesh_of(const MeshShape& shape, const Where& said, MeshFiles& files);

}  // namespace lithe

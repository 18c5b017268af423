// Shapes of rigid bodies and obstacles, in a frame of their own.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/base/small.h"
#include "lithe/model/triple.h"

namespace lithe {

struct BoxShape {
  Triple size{0, 0, 0};
};
const Schema& schema(const BoxShape*);
struct SphereShape {
  double radius = 0;
};
const Schema& schema(const SphereShape*);
struct CylinderShape {  // along z
  double radius = 0, length = 0;
};
const Schema& schema(const CylinderShape*);
struct TubeShape {  // along z
  double inner_radius = 0, outer_radius = 0, length = 0;
};
const Schema& schema(const TubeShape*);
struct CapsuleShape {             // along z: a cylinder with half a ball on either end
  double radius = 0, length = 0;  // of the cylinder
};
const Schema& schema(const CapsuleShape*);
struct MeshShape {     // triangles of a file, STL or OBJ (triangle_surface.h)
  std::string path;    // relative to the model's file
  double scale = 1;    // m of a unit of the file
  bool open = false;   // it has a rim
  std::string digest;  // of the file, as results keep it: another file is refused
};
const Schema& schema(const MeshShape*);
using SimpleShape = std::variant<BoxShape, SphereShape, CylinderShape, TubeShape, CapsuleShape, MeshShape>;

using Quaternion = std::array<double, 4>;  // w, x, y, z; made of unit length

struct ShapePart {  // of a compound
  SimpleShape shape;
  Triple position{0, 0, 0};              // of its frame in that of the compound
  std::optional<Triple> x_axis, y_axis;  // of its frame; default: those of the compound
  std::optional<Quaternion> orientation = {};
  std::optional<double> density = {};  // default: the body's
};
const Schema& schema(const ShapePart*);
struct CompoundShape {
  std::vector<ShapePart> shapes;
};
const Schema& schema(const CompoundShape*);
using RigidShape =
    std::variant<BoxShape, SphereShape, CylinderShape, TubeShape, CapsuleShape, MeshShape, CompoundShape>;

struct PlaneShape {};  // endless, through the origin of its frame, outside where z is positive
const Schema& schema(const PlaneShape*);
using ObstacleShape =
    std::variant<PlaneShape, BoxShape, SphereShape, CylinderShape, TubeShape, CapsuleShape, MeshShape, CompoundShape>;

// Unit vectors of a frame, by x and y as they are given or by a quaternion.
std::array<Triple, 3> frame_of(const std::optional<Triple>& x_axis, const std::optional<Triple>& y_axis,
                               const std::optional<Quaternion>& orientation);
// One of the parts in the frame of the compound.
struct ShapePlace {
  Mat3<double> frame{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec3<double> origin{};
};
ShapePlace place_of(const ShapePart& part);

// What a shape is for: mass by a density, or spread evenly; or touching alone.
enum class ShapeUse { density, mass, touching };
class Spot;
void check(const Spot& here, const RigidShape& shape, ShapeUse use);
void check_obstacle(const Spot& here, const ObstacleShape& shape);
void check_frame(const Spot& here, const std::optional<Triple>& x_axis, const std::optional<Triple>& y_axis,
                 const std::optional<Quaternion>& orientation);
// Has it an inside? Thin boxes, rods and discs, whose mass is given, have none.
bool has_volume(const RigidShape& shape);

// Has each of its parts a density of its own?
bool has_densities(const RigidShape& shape);

// Files that it is made of: action(MeshShape).
template <class Shape, class Action>
void for_files(Shape& shape, Action&& action) {
  if (auto* mesh = std::get_if<MeshShape>(&shape)) action(*mesh);
  if constexpr (requires { std::get_if<CompoundShape>(&shape); }) {
    if (auto* compound = std::get_if<CompoundShape>(&shape))
      for (auto& part : compound->shapes)
        if (auto* mesh = std::get_if<MeshShape>(&part.shape)) action(*mesh);
  }
}

}  // namespace lithe

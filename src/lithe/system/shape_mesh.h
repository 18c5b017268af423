// Shapes of rigid bodies and obstacles as contact sees them (contact/scene.h): corners, triangles and rods with a
// radius, in the frame of the body. Boxes are eight corners, balls one with a radius, capsules an edge with a radius.
// Cylinders and tubes are round outside, an edge with a radius and flat ends; their ends are those of prisms of
// `facets` sides whose corners lie on the circle (inside it by 0.12 % of the radius midway). The bore of a tube is
// round for what is round itself, an edge with a negative radius, and for all else that of the prism. Meshes are as
// they are in the file, compounds what their shapes are, without what lies within another box, ball, cylinder or
// capsule of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/contact/scene.h"
#include "lithe/model/shapes.h"

namespace lithe {

class MeshFiles;

struct ShapeMesh {
  static constexpr int facets = 64;

  double radius = 0;  // m, around all of it; negative: of a bore
  double wall = 0;    // m, of tubes
  bool is_plane = false;
  bool flat_ends = false;                     // of one rod: discs instead of half balls
  bool is_core = false;                       // within a round one
  std::vector<Vec3<double>> corners;          // m
  std::vector<std::array<int, 3>> triangles;  // outside where (x1 - x0) x (x2 - x0) points
  std::vector<std::array<int, 2>> rods;
  std::vector<std::uint8_t> covered;  // [triangle] Cover; or empty
};
// `centre`: of the body's frame in that of the shape. `said`: the file it was said in, beside which meshes are.
std::vector<ShapeMesh> shape_meshes(const ObstacleShape& shape, const Vec3<double>& centre, const Where& said,
                                    MeshFiles& files);

}  // namespace lithe

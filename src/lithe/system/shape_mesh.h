// Shapes of rigid bodies and obstacles as contact sees them (contact/scene.h): corners, triangles and rods with a radius,
// in the frame of the body. Boxes are eight corners, balls one with a radius, capsules an edge with a radius; cylinders
// and tubes prisms of `facets` sides whose corners lie on the circle (inside it by 0.12 % of the radius midway); meshes
// are as they are in the file, compounds one of these for each shape.
#pragma once

#include <array>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/model/shapes.h"

namespace lithe {

class MeshFiles;

struct ShapeMesh {
  static constexpr int facets = 64;

  double radius = 0;  // m, around all of it
  bool is_plane = false;
  std::vector<Vec3<double>> corners;          // m
  std::vector<std::array<int, 3>> triangles;  // outside where (x1 - x0) x (x2 - x0) points
  std::vector<std::array<int, 2>> rods;
};
// `centre`: of the body's frame in that of the shape. `said`: the file it was said in, beside which meshes are.
std::vector<ShapeMesh> shape_meshes(const ObstacleShape& shape, const Vec3<double>& centre, const Where& said,
                                    MeshFiles& files);

}  // namespace lithe

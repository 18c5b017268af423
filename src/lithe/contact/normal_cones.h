// Which directions a corner, an edge or a triangle of a surface can be touched from, now. With n from what touches to
// the outside, a feature at x touches along n where the surface around it lies behind the plane through x normal to n:
//
//   (x_j - x) . n <= 0   of the neighbours j of a corner, of the corners beside an edge.
//
// For a triangle that is its normal alone, for an edge the arc between two normals, for a corner the polygon between
// several, on the sphere of directions: together they cover it once on a convex body. So a body that slides over a flat
// face of many triangles meets no normals but that of the face. At the rim of a cylinder, whose round side covers some
// of the faces (scene.h), the rim is touched from the end that is not covered: by faces if they lie nearly flat on the
// end, otherwise anywhere but from the side.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/contact/surface_topology.h"

namespace lithe {

class NormalCones {
 public:
  explicit NormalCones(const SurfaceTopology& topology);
  void update(const ContactScene& scene, Team& team);

  const Vec3<double>& normal(int triangle) const { return normal_[triangle]; }  // 0: it has no area
  // Convex, or the rim of an open surface: what two edges need to meet. Flat and hollow ones are met by corners.
  bool is_ridge(int edge) const { return ridge_[edge] != 0; }
  // Sum of the normals at an edge, at a corner.
  Vec3<double> outward_of_edge(int edge) const;
  Vec3<double> outward_of_corner(int corner) const;

  // What lies around it is behind the plane normal to n, but for `slack`, m; that of an edge no more than a small
  // angle.
  bool corner_holds(int corner, const Vec3<double>& n, double slack) const;
  bool edge_holds(int edge, const Vec3<double>& n, double slack) const;
  // One of its faces looks along n; a corner without faces looks everywhere.
  bool corner_looks(int corner, const Vec3<double>& n) const;
  // It looks along n, and where it sticks out holds too, but for `slack` and a small angle. So corners of two bodies
  // that lie flush with each other meet the faces between them, not those that they have side by side. In a hollow, as
  // a body that deforms may have, cones are empty.
  bool corner_meets(int corner, const Vec3<double>& n, double slack) const;

 private:
  bool looks_from_ends(int corner, const Vec3<double>& n, double least) const;
  int opposite(int edge, int side) const;

  const SurfaceTopology& topology_;
  const ContactScene* scene_ = nullptr;
  std::vector<Vec3<double>> normal_;  // [triangle]
  std::vector<std::uint8_t> ridge_;   // [edge]
};

}  // namespace lithe

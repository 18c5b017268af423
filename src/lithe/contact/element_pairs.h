// Points of contact of boundary elements that overlap, after P2: by areas instead of corners and edges. Of two
// triangles of their outer sides, with normals m_a and m_b that look against each other, what lies behind both is
//
//   n = (m_b - m_a) / |m_b - m_a|,    the part of both triangles, seen along n, where 0 < z_b - z_a < depth,
//
// z heights along n, depth that of the shallower of the two elements at rest: further behind a triangle there is
// another element, or nothing. A pair of elements has the area A of all such parts, their centroid c and the normal of
// the sum of A_i^2 n_i. Left out are pairs with less than 1 % of the area of another one that one of the two elements
// is in (rims that just meet), and those within 2e-6 m of another one of larger area (P2).
// Where two sides overlap deeper than two others of the same pair of quite another direction (by more than 60 degrees),
// that is no way out: a slab that two blocks share has narrow sides too.
//
// P2 has one point, c. About one point two long sides can turn: what is held in the middle dives in at its ends by
// turns, and every time something is lost. So there are four, with the same second moments as the area: with C = L L^T
// the covariance of the area in the plane of contact,
//
//   c + L_1 + L_2,   c + L_1 - L_2,   c - L_1 + L_2,   c - L_1 - L_2,
//
// the Gauss points of a rectangle; where C is less than 1/20 as wide as it is long, two along its own direction: lines,
// ridge on ridge. Each lies on the sides that are nearest to it.
//
// Corners and edges of elements play no part, so that flush faces of equal meshes, or of meshes that do not match, get
// the points that belong to their areas, the same from step to step.
#pragma once

#include <array>
#include <vector>

#include "lithe/contact/normal_cones.h"
#include "lithe/contact/scene.h"
#include "lithe/contact/surface_topology.h"

namespace lithe {

class ElementPairs {
 public:
  // `scene`: that of the topology; without cells every triangle is an element of its own.
  ElementPairs(const ContactScene& scene, const SurfaceTopology& topology, const NormalCones& cones);

  // Begins a step: as many lists of pieces as chunks look for them.
  void begin(const ContactScene& scene, int chunks);
  void meet(int chunk, int part, int other);
  // The points, sorted by surfaces and features, added to `points`.
  void gather(std::vector<ContactPoint>& points);

 private:
  struct Piece {
    std::int32_t a, b;            // triangles, of surfaces and cells in order
    std::int32_t cell_a, cell_b;  // numbers within their surfaces
    double area, depth;           // depth: mean, m
    Vec3<double> center, normal;
    Mat3<double> moments;  // second, of the area about its centre
  };
  struct Pair {
    int first, last;  // pieces
    double area;
    Vec3<double> center, normal;
    bool kept;
  };
  double distance(const Vec3<double>& x, int triangle) const;
  ContactSide side_at(int triangle, std::uint64_t feature, const Vec3<double>& x, const Vec3<double>& n) const;
  int drop_long_ways(int first, int last);
  Pair join(int first, int last) const;
  void add_points(const Pair& pair, std::vector<ContactPoint>& points) const;
  void drop_small(int first, int last);

  const SurfaceTopology& topology_;
  const NormalCones& cones_;
  const ContactScene* scene_ = nullptr;
  std::vector<std::int32_t> cell_;                 // [triangle] number within its surface
  std::vector<double> depth_;                      // [triangle] m
  std::vector<std::array<std::int32_t, 4>> side_;  // [triangle]
  std::vector<std::int32_t> surface_;              // [triangle]
  std::vector<std::vector<Piece>> found_;          // [chunk]
  std::vector<Piece> pieces_;
  std::vector<Pair> pairs_;
  std::vector<std::uint8_t> keep_;  // [piece of a pair]
};

}  // namespace lithe

#include "lithe/contact/normal_cones.h"

#include "lithe/contact/closest_points.h"
#include "lithe/contact/strides.h"

namespace lithe {
namespace {

constexpr double same_face_sine = 1e-6;  // sine of the angle below which two faces are one
constexpr double nearly_flat = 1e-3;     // sine of the angle to which faces may be turned to meet as parallel ones
constexpr double corner_tilt = 0.1;      // sine of the angle to which what lies around a corner may lean over it
// Cosines to the normal of a flat end: of what lies upon it, of what is not beside it.
constexpr double upon_end = 0.985, off_side = 1e-3;

}  // namespace

NormalCones::NormalCones(const SurfaceTopology& topology)
    : topology_(topology), normal_(topology.triangle.size()), ridge_(topology.edge.size()) {}

void NormalCones::update(const ContactScene& scene, Team& team) {
  scene_ = &scene;
  in_strides(team, normal_.size(), [&](int t) {
    const auto& c = topology_.triangle[t];
    const Vec3<double> n = cross(scene.corner[c[1]] - scene.corner[c[0]], scene.corner[c[2]] - scene.corner[c[0]]);
    const double area = norm(n);
    normal_[t] = area > 0 ? (1 / area) * n : Vec3<double>{};
  });
  in_strides(team, ridge_.size(), [&](int e) {
    const SceneEdge& edge = topology_.edge[e];
    const bool rim = edge.triangle[0] < 0 || edge.triangle[1] < 0;
    if (rim) {
      ridge_[e] = 1;
      return;
    }
    if (topology_.is_covered(edge.triangle[0]) && topology_.is_covered(edge.triangle[1])) {
      ridge_[e] = 0;
      return;
    }
    const Vec3<double> beside = scene.corner[opposite(e, 1)] - scene.corner[edge.corner[0]];
    ridge_[e] = dot(beside, normal_[edge.triangle[0]]) < -same_face_sine * norm(beside);
  });
}

int NormalCones::opposite(int edge, int side) const {
  const SceneEdge& of = topology_.edge[edge];
  for (const int c : topology_.triangle[of.triangle[side]])
    if (c != of.corner[0] && c != of.corner[1]) return c;
  return of.corner[0];
}

Vec3<double> NormalCones::outward_of_edge(int edge) const {
  Vec3<double> sum{};
  for (const int t : topology_.edge[edge].triangle)
    if (t >= 0) sum = sum + normal_[t];
  return sum;
}

Vec3<double> NormalCones::outward_of_corner(int corner) const {
  Vec3<double> sum{};
  for (const auto* t = topology_.triangles.begin(corner); t < topology_.triangles.end(corner); ++t)
    sum = sum + normal_[*t];
  return sum;
}

bool NormalCones::looks_from_ends(int corner, const Vec3<double>& n, double least) const {
  for (const auto* t = topology_.triangles.begin(corner); t < topology_.triangles.end(corner); ++t)
    if (!topology_.is_covered(*t) && dot(normal_[*t], n) > least) return true;
  return false;
}

bool NormalCones::corner_holds(int corner, const Vec3<double>& n, double slack) const {
  if (topology_.covered_corner[corner] && !looks_from_ends(corner, n, off_side)) return false;
  for (const auto* j = topology_.corners.begin(corner); j < topology_.corners.end(corner); ++j) {
    const Vec3<double> d = scene_->corner[*j] - scene_->corner[corner];
    if (dot(d, n) > slack + closest::zero * norm(d)) return false;
  }
  return true;
}

bool NormalCones::edge_holds(int edge, const Vec3<double>& n, double slack) const {
  const SceneEdge& of = topology_.edge[edge];
  for (int side = 0; side < 2; ++side) {
    if (of.triangle[side] < 0) continue;
    const std::int32_t beyond = of.triangle[1 - side];
    if (beyond >= 0 && topology_.is_covered(beyond) && !(dot(normal_[of.triangle[side]], n) > off_side)) return false;
    const Vec3<double> d = scene_->corner[opposite(edge, side)] - scene_->corner[of.corner[0]];
    const double length = norm(d);
    if (dot(d, n) > std::min(slack, nearly_flat * length) + closest::zero * length) return false;
  }
  return true;
}

bool NormalCones::corner_looks(int corner, const Vec3<double>& n) const {
  if (!topology_.has_faces(corner)) return true;
  if (topology_.covered_corner[corner]) return looks_from_ends(corner, n, upon_end);
  for (const auto* t = topology_.triangles.begin(corner); t < topology_.triangles.end(corner); ++t)
    if (dot(normal_[*t], n) > closest::zero) return true;
  return false;
}

bool NormalCones::corner_meets(int corner, const Vec3<double>& n, double slack) const {
  if (!corner_looks(corner, n)) return false;
  if (!topology_.has_faces(corner)) return true;
  const Vec3<double> out = outward_of_corner(corner);
  const double length = norm(out);
  bool holds = true;
  for (const auto* j = topology_.corners.begin(corner); j < topology_.corners.end(corner); ++j) {
    const Vec3<double> d = scene_->corner[*j] - scene_->corner[corner];
    const double tilt = corner_tilt * norm(d);
    if (dot(d, out) > tilt * length) return true;  // a hollow
    holds = holds && dot(d, n) <= slack + tilt;
  }
  return holds;
}

}  // namespace lithe

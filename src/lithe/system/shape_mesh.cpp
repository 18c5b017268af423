#include "lithe/system/shape_mesh.h"

#include <cmath>
#include <numbers>

#include "lithe/model/mesh_file.h"
#include "lithe/model/shape_mass.h"

namespace lithe {

namespace {

constexpr double small = 1e-5;  // of a triangle: beside it; its square: what is no rounding

// Is a point in a part of a compound, or on it? Of those that are convex: all that is between such points is.
struct Inside {
  const ShapePart& part;
  double slack;  // m

  bool operator()(const Vec3<double>& point) const {
    const ShapePlace place = place_of(part);
    const Vec3<double> x = transpose(place.frame) * (point - place.origin);
    return std::visit([&](const auto& shape) { return holds(shape, x); }, part.shape);
  }
  bool holds(const BoxShape& box, const Vec3<double>& x) const {
    for (int m = 0; m < 3; ++m)
      if (std::fabs(x[m]) > 0.5 * box.size[m] + slack) return false;
    return true;
  }
  bool holds(const SphereShape& sphere, const Vec3<double>& x) const { return norm(x) <= sphere.radius + slack; }
  bool holds(const CylinderShape& cylinder, const Vec3<double>& x) const {
    return std::hypot(x[0], x[1]) <= cylinder.radius + slack && std::fabs(x[2]) <= 0.5 * cylinder.length + slack;
  }
  bool holds(const CapsuleShape& capsule, const Vec3<double>& x) const {
    const double beyond = std::fmax(std::fabs(x[2]) - 0.5 * capsule.length, 0);
    return std::hypot(x[0], x[1], beyond) <= capsule.radius + slack;
  }
  template <class Shape>
  bool holds(const Shape&, const Vec3<double>&) const {  // tubes and meshes may be hollow
    return false;
  }
};

class Maker {
 public:
  Maker(const Vec3<double>& centre, const Where& said, MeshFiles& files)
      : centre_(centre), said_(said), files_(files) {}
  std::vector<ShapeMesh> made;

  void operator()(const PlaneShape&) {
    ShapeMesh& mesh = fresh();
    mesh.is_plane = true;
    mesh.triangles.push_back({corner(0, 0, 0), corner(1, 0, 0), corner(0, 1, 0)});
  }
  void operator()(const BoxShape& box) {
    fresh();
    for (int k = 0; k < 8; ++k)
      corner((k & 1 ? 0.5 : -0.5) * box.size[0], (k & 2 ? 0.5 : -0.5) * box.size[1],
             (k & 4 ? 0.5 : -0.5) * box.size[2]);
    quad(0, 2, 3, 1);
    quad(4, 5, 7, 6);
    quad(0, 1, 5, 4);
    quad(2, 6, 7, 3);
    quad(0, 4, 6, 2);
    quad(1, 3, 7, 5);
  }
  void operator()(const SphereShape& sphere) {
    fresh().radius = sphere.radius;
    corner(0, 0, 0);
  }
  void operator()(const CapsuleShape& capsule) {
    ShapeMesh& mesh = fresh();
    mesh.radius = capsule.radius;
    const int a = corner(0, 0, -0.5 * capsule.length), b = corner(0, 0, 0.5 * capsule.length);
    mesh.rods.push_back({a, b});
  }
  void operator()(const CylinderShape& cylinder) {
    rings(0, cylinder.radius, cylinder.length);
    round(cylinder.radius, cylinder.length);
  }
  void operator()(const TubeShape& tube) {
    rings(tube.inner_radius, tube.outer_radius, tube.length);
    const double wall = tube.outer_radius - tube.inner_radius;
    round(tube.outer_radius, tube.length, wall);
    round(-tube.inner_radius, tube.length, wall);
  }
  void operator()(const MeshShape& shape) {
    const TriangleSurface& surface = mesh_of(shape, said_, files_).surface;
    ShapeMesh& mesh = fresh();
    for (const Triple& x : surface.corners) corner(shape.scale * x[0], shape.scale * x[1], shape.scale * x[2]);
    mesh.triangles = surface.triangles;
  }
  void operator()(const CompoundShape& compound) {
    std::vector<std::size_t> end;  // [part] in `made`
    for (const ShapePart& part : compound.shapes) {
      place_ = place_of(part);
      std::visit(*this, part.shape);
      end.push_back(made.size());
    }
    cover(compound, end);
  }

 private:
  // Faces that lie within another part, or on it, are covered: what slides over a seam does not meet them. Of two that
  // lie in one plane and look one way the first is left.
  void cover(const CompoundShape& compound, const std::vector<std::size_t>& end) {
    std::size_t m = 0;
    for (std::size_t i = 0; i < compound.shapes.size(); ++i)
      for (; m < end[i]; ++m) {
        ShapeMesh& mesh = made[m];
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
          Vec3<double> x[3];
          for (int k = 0; k < 3; ++k) x[k] = mesh.corners[mesh.triangles[t][k]] + centre_;
          const Vec3<double> across = cross(x[1] - x[0], x[2] - x[0]);
          const double size = std::sqrt(norm(across));
          const Vec3<double> before =
              (1.0 / 3) * (x[0] + x[1] + x[2]) + (small * size / norm(across)) * across;  // just outside
          for (std::size_t j = 0; j < compound.shapes.size(); ++j) {
            if (j == i) continue;
            const Inside inside{compound.shapes[j], small * small * size};
            if (!inside(x[0]) || !inside(x[1]) || !inside(x[2]) || !(inside(before) || j < i)) continue;
            mesh.covered.resize(mesh.triangles.size(), bare);
            mesh.covered[t] = under_round;
          }
        }
      }
  }

  ShapeMesh& fresh() { return made.emplace_back(); }
  int corner(double x, double y, double z) {
    std::vector<Vec3<double>>& corners = made.back().corners;
    corners.push_back(place_.origin + place_.frame * Vec3<double>{{x, y, z}} - centre_);
    return static_cast<int>(corners.size()) - 1;
  }
  void triangle(int a, int b, int c) { made.back().triangles.push_back({a, b, c}); }
  void quad(int a, int b, int c, int d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  // The side of a cylinder, or a bore.
  void round(double radius, double length, double wall = 0) {
    ShapeMesh& mesh = fresh();
    mesh.radius = radius;
    mesh.wall = wall;
    mesh.flat_ends = true;
    const int a = corner(0, 0, -0.5 * length), b = corner(0, 0, 0.5 * length);
    mesh.rods.push_back({a, b});
  }
  // Rings of corners: outer below, outer above, and of tubes inner below, inner above.
  void rings(double inner, double outer, double length) {
    constexpr int facets = ShapeMesh::facets;
    ShapeMesh& mesh = fresh();
    mesh.is_core = true;
    for (const double radius : {outer, inner})
      for (const double z : {-0.5 * length, 0.5 * length})
        for (int k = 0; radius > 0 && k < facets; ++k) {
          const double angle = 2 * std::numbers::pi * k / facets;
          corner(radius * std::cos(angle), radius * std::sin(angle), z);
        }
    const int below = inner > 0 ? 0 : corner(0, 0, -0.5 * length), above = inner > 0 ? 0 : corner(0, 0, 0.5 * length);
    for (int k = 0; k < facets; ++k) {
      const int l = (k + 1) % facets, up = facets, in = 2 * facets;
      quad(k, l, up + l, up + k);
      mesh.covered.resize(mesh.triangles.size() - 2, bare);
      mesh.covered.resize(mesh.triangles.size(), under_round);
      if (inner > 0) {
        quad(in + l, in + k, in + up + k, in + up + l);
        mesh.covered.resize(mesh.triangles.size(), in_bore);
        quad(in + k, in + l, l, k);
        quad(in + up + l, in + up + k, up + k, up + l);
      } else {
        triangle(below, l, k);
        triangle(above, up + k, up + l);
      }
    }
    mesh.covered.resize(mesh.triangles.size(), bare);
  }

  const Vec3<double> centre_;
  const Where& said_;
  MeshFiles& files_;
  ShapePlace place_;
};

}  // namespace

std::vector<ShapeMesh> shape_meshes(const ObstacleShape& shape, const Vec3<double>& centre, const Where& said,
                                    MeshFiles& files) {
  Maker maker(centre, said, files);
  std::visit([&](const auto& one) { maker(one); }, shape);
  return std::move(maker.made);
}

}  // namespace lithe

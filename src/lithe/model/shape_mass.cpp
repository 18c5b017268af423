#include "lithe/model/shape_mass.h"

#include <cmath>
#include <numbers>

#include "lithe/model/mesh_file.h"

namespace lithe {

namespace {

// a . a 1 - a a^T
Mat3<double> about(const Vec3<double>& a) {
  Mat3<double> I;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I[i][j] = (i == j ? dot(a, a) : 0) - a[i] * a[j];
  return I;
}

void add(Mat3<double>& to, double s, const Mat3<double>& A) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) to[i][j] += s * A[i][j];
}

// Of a density, or of a mass, which a shape without volume needs.
struct MassOfShape {
  double density;
  const std::optional<double>& mass;
  const Where& said;
  MeshFiles& files;

  SolidMass diagonal(double volume, double x, double y, double z) const {
    SolidMass result;
    result.mass = mass ? *mass : density * volume;
    result.inertia[0][0] = result.mass * x;
    result.inertia[1][1] = result.mass * y;
    result.inertia[2][2] = result.mass * z;
    return result;
  }
  SolidMass tube(double inner, double outer, double length) const {
    const double sum = inner * inner + outer * outer, side = sum / 4 + length * length / 12;
    return diagonal(std::numbers::pi * (outer * outer - inner * inner) * length, side, side, sum / 2);
  }
  SolidMass operator()(const BoxShape& box) const {
    const auto& [a, b, c] = box.size;
    return diagonal(a * b * c, (b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12);
  }
  SolidMass operator()(const SphereShape& sphere) const {
    const double r2 = sphere.radius * sphere.radius;
    return diagonal(4.0 / 3 * std::numbers::pi * r2 * sphere.radius, 0.4 * r2, 0.4 * r2, 0.4 * r2);
  }
  SolidMass operator()(const CylinderShape& cylinder) const { return tube(0, cylinder.radius, cylinder.length); }
  SolidMass operator()(const TubeShape& hollow) const {
    return tube(hollow.inner_radius, hollow.outer_radius, hollow.length);
  }
  SolidMass operator()(const CapsuleShape& capsule) const {
    // Two half balls, their centres of mass 3/8 r outside of the cylinder's ends.
    const double r2 = capsule.radius * capsule.radius, l = capsule.length;
    const double rod = std::numbers::pi * r2 * l, ball = 4.0 / 3 * std::numbers::pi * r2 * capsule.radius;
    const double along = 0.5 * rod * r2 + 0.4 * ball * r2;
    const double across = rod * (r2 / 4 + l * l / 12) + ball * (0.4 * r2 + l * l / 4 + 0.375 * l * capsule.radius);
    const double volume = rod + ball;
    return diagonal(volume, across / volume, across / volume, along / volume);
  }
  SolidMass operator()(const MeshShape& mesh) const {
    const SolidMoments& unit = mesh_of(mesh, said, files).moments;
    const double s = mesh.scale;
    SolidMass result;
    result.mass = mass ? *mass : density * s * s * s * unit.volume;
    result.centre = s * unit.centre;
    add(result.inertia, result.mass * s * s / unit.volume, unit.inertia);
    return result;
  }
  SolidMass operator()(const CompoundShape& compound) const {
    SolidMass sum;
    std::vector<SolidMass> parts;
    const std::optional<double> none;
    const bool alone = compound.shapes.size() == 1;
    for (const ShapePart& part : compound.shapes) {
      const ShapePlace place = place_of(part);
      const double own = mass ? 1 : part.density.value_or(density);
      const MassOfShape of{own, alone ? mass : none, said, files};
      SolidMass one = std::visit(of, part.shape);
      one.centre = place.origin + place.frame * one.centre;
      one.inertia = place.frame * (one.inertia * transpose(place.frame));
      sum.mass += one.mass;
      sum.centre = sum.centre + one.mass * one.centre;
      parts.push_back(one);
    }
    sum.centre = (1 / sum.mass) * sum.centre;
    for (const SolidMass& part : parts) {
      add(sum.inertia, 1, part.inertia);
      add(sum.inertia, part.mass, about(part.centre - sum.centre));
    }
    if (mass && !alone) {
      const double share = *mass / sum.mass;
      Mat3<double> scaled{};
      add(scaled, share, sum.inertia);
      sum.inertia = scaled;
      sum.mass = *mass;
    }
    return sum;
  }
};

}  // namespace

const SurfaceFile& mesh_of(const MeshShape& shape, const Where& said, MeshFiles& files) {
  const std::string path = path_beside(shape.path, said);
  files.check(path, shape.digest, said);
  return files.surface(path, shape.open);
}

SolidMass solid_mass(const RigidShape& shape, double density, const std::optional<double>& mass, const Where& said,
                     MeshFiles& files) {
  return std::visit(MassOfShape{density, mass, said, files}, shape);
}

SolidMass solid_mass(const RigidBody& body, const Where& said, MeshFiles& files) {
  if (body.shape) return solid_mass(*body.shape, body.density, body.mass, said, files);
  SolidMass result;
  if (body.is_massless()) return result;
  const std::vector<double>& I = *body.inertia;
  result.mass = *body.mass;
  for (int m = 0; m < 3; ++m) result.inertia[m][m] = I[m];
  if (I.size() == 6) {
    result.inertia[0][1] = result.inertia[1][0] = I[3];
    result.inertia[0][2] = result.inertia[2][0] = I[4];
    result.inertia[1][2] = result.inertia[2][1] = I[5];
  }
  if (body.inertia_point)  // Steiner: I_centre = I_point - m (d . d 1 - d d^T)
    add(result.inertia, -result.mass, about(vec(*body.inertia_point)));
  return result;
}

}  // namespace lithe

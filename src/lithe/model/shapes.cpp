#include "lithe/model/shapes.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/length_field.h"
#include "lithe/model/spot.h"

namespace lithe {

LITHE_DESCRIBE(BoxShape, "box", "box, edges along the body's axes") {
  visit("size", &BoxShape::size,
        Field{.help = "edges; 0 for a thin plate or rod, with 'mass'",
              .unit = "m",
              .required = true,
              .allowed = not_negative});
}

LITHE_DESCRIBE(SphereShape, "sphere", "ball") { visit("radius", &SphereShape::radius, length_field("radius")); }

LITHE_DESCRIBE(CylinderShape, "cylinder", "cylinder along the body's z") {
  visit("radius", &CylinderShape::radius,
        Field{.help = "radius; 0 for a thin rod, with 'mass'", .unit = "m", .required = true, .allowed = not_negative});
  visit("length", &CylinderShape::length,
        Field{.help = "length along z; 0 for a thin disc, with 'mass'",
              .unit = "m",
              .required = true,
              .allowed = not_negative});
}

LITHE_DESCRIBE(TubeShape, "tube", "hollow cylinder along the body's z") {
  visit("inner_radius", &TubeShape::inner_radius, length_field("inner radius"));
  visit("outer_radius", &TubeShape::outer_radius, length_field("outer radius"));
  visit("length", &TubeShape::length, length_field("length along z"));
}

LITHE_DESCRIBE(CapsuleShape, "capsule", "cylinder along the body's z with half a ball on either end") {
  visit("radius", &CapsuleShape::radius, length_field("radius"));
  visit("length", &CapsuleShape::length, length_field("length of the cylinder, without its ends"));
}

LITHE_DESCRIBE(MeshShape, "mesh", "triangles of a file: STL (binary and text) or OBJ") {
  visit("path", &MeshShape::path, Field{.help = "file, relative to that of the model", .required = true});
  visit("scale", &MeshShape::scale,
        Field{.help = "length of one unit of the file, which does not say it: 0.001 for millimetres",
              .unit = "m",
              .allowed = positive});
  visit("open", &MeshShape::open,
        Field{.help = "the surface has a rim, and is touched from outside alone: terrain (obstacles, contact_shape)"});
  visit("digest", &MeshShape::digest, Field{.help = "of the file, as results keep it: another file is refused"});
}

LITHE_DESCRIBE(ShapePart, "part", "a shape of a compound and where it is") {
  visit("shape", &ShapePart::shape, Field{.help = "what it looks like", .required = true});
  visit("position", &ShapePart::position,
        Field{.help = "of the origin of its frame in that of the compound", .unit = "m"});
  visit("x_axis", &ShapePart::x_axis, Field{.help = "x of its frame; default: that of the compound"});
  visit("y_axis", &ShapePart::y_axis,
        Field{.help = "y of its frame (made orthogonal to x); default: that of the compound"});
  visit("orientation", &ShapePart::orientation,
        Field{.help = "of its frame as a quaternion [w, x, y, z], instead of x_axis and y_axis; made of unit length"});
  visit("density", &ShapePart::density,
        Field{.help = "mass density; default: the body's", .unit = "kg/m^3", .allowed = positive});
}

LITHE_DESCRIBE(CompoundShape, "compound", "several shapes as one; where they overlap mass counts twice") {
  visit("shapes", &CompoundShape::shapes, Field{.help = "the shapes and where they are", .required = true});
}

LITHE_DESCRIBE(PlaneShape, "plane", "endless plane through its origin, outside on the side of its z") {}

namespace {

// A size that is 0 leaves no volume.
void check_sizes(const Spot& here, const std::vector<double>& sizes, ShapeUse use) {
  const auto zeros = std::ranges::count(sizes, 0.0);
  if (zeros == 0) return;
  if (use == ShapeUse::touching) here.fail("a size is 0, but what touches needs a volume");
  if (zeros == static_cast<std::ptrdiff_t>(sizes.size()))
    here.fail("all sizes are 0; use 'type: point_mass' for a body without extent");
  if (use == ShapeUse::density)
    here.fail("one size is 0, so that the density gives no mass; give 'mass' instead of 'density'");
}

void check_shape(const Spot&, const PlaneShape&, ShapeUse) {}
void check_shape(const Spot& here, const BoxShape& box, ShapeUse use) {
  check_sizes(here, {box.size.begin(), box.size.end()}, use);
}
void check_shape(const Spot&, const SphereShape&, ShapeUse) {}
void check_shape(const Spot& here, const CylinderShape& cylinder, ShapeUse use) {
  check_sizes(here, {cylinder.radius, cylinder.length}, use);
}
void check_shape(const Spot& here, const TubeShape& tube, ShapeUse) {
  if (!(tube.inner_radius < tube.outer_radius))
    here["outer_radius"].fail("this is " + number_text(tube.outer_radius) +
                              " m, but it must be larger than inner_radius = " + number_text(tube.inner_radius) + " m");
}
void check_shape(const Spot&, const CapsuleShape&, ShapeUse) {}
void check_shape(const Spot& here, const MeshShape& mesh, ShapeUse use) {
  if (mesh.path.empty()) here["path"].fail("this is empty; give the name of a file, STL or OBJ");
  if (mesh.open && use != ShapeUse::touching)
    here["open"].fail(
        "an open surface has no volume and no mass; remove this key, or give 'mass' and 'inertia' and make "
        "this the 'contact_shape'");
}
void check_shape(const Spot& here, const CompoundShape& compound, ShapeUse use) {
  if (compound.shapes.empty()) here["shapes"].fail("the list of shapes is empty; give at least one");
  for (std::size_t i = 0; i < compound.shapes.size(); ++i) {
    const ShapePart& part = compound.shapes[i];
    const Spot there = here["shapes"][i];
    check_frame(there, part.x_axis, part.y_axis, part.orientation);
    if (part.density && use == ShapeUse::touching) there["density"].fail("this shape gives no mass; remove this key");
    if (part.density && use == ShapeUse::mass)
      there["density"].fail(
          "the body's 'mass' is spread over all of its shapes evenly; remove this key, or give "
          "densities instead of the mass");
    // Of several the mass follows from volumes: a part without one would get none.
    const ShapeUse own = use == ShapeUse::mass && compound.shapes.size() > 1 ? ShapeUse::density : use;
    std::visit([&](const auto& shape) { check_shape(there["shape"], shape, own); }, part.shape);
  }
}

}  // namespace

void check(const Spot& here, const RigidShape& shape, ShapeUse use) {
  std::visit([&](const auto& one) { check_shape(here, one, use); }, shape);
}

void check_obstacle(const Spot& here, const ObstacleShape& shape) {
  std::visit([&](const auto& one) { check_shape(here, one, ShapeUse::touching); }, shape);
}

void check_frame(const Spot& here, const std::optional<Triple>& x_axis, const std::optional<Triple>& y_axis,
                 const std::optional<Quaternion>& orientation) {
  check_axes(here, x_axis, y_axis);
  if (!orientation) return;
  if (x_axis || y_axis)
    here[x_axis ? "x_axis" : "y_axis"].fail("'orientation' gives the axes already; remove one of them");
  const Quaternion& q = *orientation;
  if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-24))
    here["orientation"].fail("this quaternion is zero and gives no rotation; [1, 0, 0, 0] is none");
}

bool has_volume(const RigidShape& shape) {
  if (const auto* box = std::get_if<BoxShape>(&shape)) return box->size[0] * box->size[1] * box->size[2] > 0;
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) return cylinder->radius * cylinder->length > 0;
  if (const auto* compound = std::get_if<CompoundShape>(&shape))
    return std::ranges::all_of(compound->shapes, [](const ShapePart& part) {
      return std::visit([](const auto& one) { return has_volume(RigidShape(one)); }, part.shape);
    });
  return true;
}

bool has_densities(const RigidShape& shape) {
  const auto* compound = std::get_if<CompoundShape>(&shape);
  return compound &&
         std::ranges::all_of(compound->shapes, [](const ShapePart& part) { return part.density.has_value(); });
}

std::array<Triple, 3> frame_of(const std::optional<Triple>& x_axis, const std::optional<Triple>& y_axis,
                               const std::optional<Quaternion>& orientation) {
  const auto scaled = [](const Triple& a) { return Triple{a[0] / norm(a), a[1] / norm(a), a[2] / norm(a)}; };
  if (orientation) {
    auto [w, x, y, z] = *orientation;
    const double n = std::sqrt(w * w + x * x + y * y + z * z);
    for (double* c : {&w, &x, &y, &z}) *c /= n;
    return {Triple{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
            Triple{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
            Triple{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
  }
  const Triple x = scaled(x_axis.value_or(Triple{1, 0, 0}));
  Triple y = scaled(y_axis.value_or(std::abs(x[1]) < 0.9 ? Triple{0, 1, 0} : Triple{0, 0, 1}));
  const double along = dot(x, y);
  y = scaled({y[0] - along * x[0], y[1] - along * x[1], y[2] - along * x[2]});
  return {x, y, cross(x, y)};
}

ShapePlace place_of(const ShapePart& part) {
  const std::array<Triple, 3> axes = frame_of(part.x_axis, part.y_axis, part.orientation);
  ShapePlace place;
  place.origin = vec(part.position);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) place.frame[i][j] = axes[j][i];
  return place;
}

}  // namespace lithe

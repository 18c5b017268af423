#include "lithe/model/bodies.h"

#include "lithe/base/describe.h"
#include "lithe/model/length_field.h"

namespace lithe {

LITHE_DESCRIBE(Body, "flexible", "elements of one kind, material and section") {
  visit("element", &Body::element, Field{.help = "element kind", .required = true});
  visit("material", &Body::material, Field{.help = "name of a material", .required = true});
  visit("section", &Body::section, Field{.help = "name of a section (not for blocks)"});
  visit("mesh", &Body::mesh, Field{.help = "where its nodes and elements come from", .required = true});
  visit("quadrature", &Body::quadrature,
        Field{.help = "Gauss points per direction; default: cable [5, 3], beam [3, 2, 2], shell [4, 4, 2] a layer, "
                      "hexa [4, 4, 4]",
              .allowed = positive});
  visit("poisson_quadrature", &Body::poisson_quadrature,
        Field{.help = "beam: Gauss points of the Poisson part; default [n, 1, 1]", .allowed = positive});
  visit("material_axes", &Body::material_axes,
        Field{.help =
                  "axes of the law: of the body at each point, or global (P0 gives its beams' law along global axes)"});
  visit("connect", &Body::connect,
        Field{.help = "elements share nodes, or have their own and are joined by constraints (P1)"});
  visit("strategy", &Body::strategy, Field{.help = "how forces are computed; default: the model's"});
}

LITHE_DESCRIBE(BoxShape, "box", "box, edges along the body's axes") {
  visit("size", &BoxShape::size, Field{.help = "edges", .unit = "m", .required = true, .allowed = positive});
}

LITHE_DESCRIBE(SphereShape, "sphere", "ball") {
  visit("radius", &SphereShape::radius, length_field("radius"));
}

LITHE_DESCRIBE(CylinderShape, "cylinder", "cylinder along the body's z") {
  visit("radius", &CylinderShape::radius, length_field("radius"));
  visit("length", &CylinderShape::length, length_field("length along z"));
}

LITHE_DESCRIBE(TubeShape, "tube", "hollow cylinder along the body's z") {
  visit("inner_radius", &TubeShape::inner_radius, length_field("inner radius"));
  visit("outer_radius", &TubeShape::outer_radius, length_field("outer radius"));
  visit("length", &TubeShape::length, length_field("length along z"));
}

LITHE_DESCRIBE(RigidBody, "rigid", "rigid body; mass and inertia given, or from a shape and density") {
  visit("position", &RigidBody::position, Field{.help = "centre of mass, the origin of its frame", .unit = "m"});
  visit("x_axis", &RigidBody::x_axis, Field{.help = "x of its frame in global components; default: global x"});
  visit("y_axis", &RigidBody::y_axis, Field{.help = "y of its frame (made orthogonal to x); default: global y"});
  visit("mass", &RigidBody::mass, Field{.help = "mass, with inertia", .unit = "kg", .allowed = positive});
  visit("inertia", &RigidBody::inertia,
        Field{.help = "about the centre along the frame: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] (entries "
                      "of the tensor)",
              .unit = "kg m^2"});
  visit("shape", &RigidBody::shape, Field{.help = "solid that gives mass and inertia, with density"});
  visit("density", &RigidBody::density,
        Field{.help = "mass density of the shape", .unit = "kg/m^3", .allowed = not_negative});
  visit("velocity", &RigidBody::velocity, Field{.help = "of the centre at the start", .unit = "m/s"});
  visit("angular_velocity", &RigidBody::angular_velocity,
        Field{.help = "at the start, global components", .unit = "rad/s"});
  visit("points", &RigidBody::points, Field{.help = "named places in the body's frame", .unit = "m"});
}

LITHE_DESCRIBE(PointMass, "point_mass", "a mass without extent") {
  visit("mass", &PointMass::mass, Field{.help = "mass", .unit = "kg", .required = true, .allowed = positive});
  visit("position", &PointMass::position, Field{.help = "at the start", .unit = "m"});
  visit("velocity", &PointMass::velocity, Field{.help = "at the start", .unit = "m/s"});
}

LITHE_DESCRIBE(Linkage, "linkage", "points joined by thin rigid bars (natural coordinates, P4)") {
  visit("points", &Linkage::points, Field{.help = "the points", .unit = "m", .required = true});
  visit("bars", &Linkage::bars, Field{.help = "pairs of points, from 0", .allowed = not_negative});
  visit("bar_mass", &Linkage::bar_mass, Field{.help = "mass of every bar", .unit = "kg", .allowed = not_negative});
  visit("bar_masses", &Linkage::bar_masses,
        Field{.help = "one per bar instead", .unit = "kg", .allowed = not_negative});
  visit("point_masses", &Linkage::point_masses,
        Field{.help = "one per point in addition", .unit = "kg", .allowed = not_negative});
  visit("plane", &Linkage::plane, Field{.help = "normal of the plane in which the points stay; default: none"});
  visit("ground", &Linkage::ground, Field{.help = "points that do not move", .allowed = not_negative});
  visit("sets", &Linkage::sets, Field{.help = "named lists of points", .allowed = not_negative});
}

}  // namespace lithe

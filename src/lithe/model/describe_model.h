// The one description of every option of a model. Order is the order in which `lithe list` shows them.
#pragma once

#include "lithe/model/parts.h"

namespace lithe {

#define LITHE_DESCRIBE(Type, type_name, type_help)       \
  template <>                                            \
  struct Description<Type> {                             \
    static constexpr const char* name = type_name;       \
    static constexpr const char* help = type_help;       \
    template <class Visitor>                             \
    static void fields([[maybe_unused]] Visitor& visit); \
  };                                                     \
  template <class Visitor>                               \
  void Description<Type>::fields([[maybe_unused]] Visitor& visit)

LITHE_DESCRIBE(Isotropic, "isotropic", "isotropic St. Venant-Kirchhoff with Kelvin-Voigt damping") {
  visit("E", &Isotropic::E,
        Field{.help = "Young's modulus",
              .unit = "Pa",
              .required = true,
              .allowed = positive,
              .usual_low = 1e3,
              .usual_high = 2e12});
  visit("nu", &Isotropic::nu, Field{.help = "Poisson's ratio", .allowed = poisson_ratio});
  visit("density", &Isotropic::density,
        Field{.help = "mass density", .unit = "kg/m^3", .allowed = not_negative, .usual_low = 1, .usual_high = 3e4});
  visit("damping", &Isotropic::damping,
        Field{.help = "Kelvin-Voigt coefficient tau: S = D (E + tau dE/dt)", .unit = "s", .allowed = not_negative});
}

LITHE_DESCRIBE(Orthotropic, "orthotropic", "orthotropic along the axes of the body or layer") {
  const Field modulus{
      .help = "modulus", .unit = "Pa", .required = true, .allowed = positive, .usual_low = 1e3, .usual_high = 2e12};
  visit("E1", &Orthotropic::E1, modulus);
  visit("E2", &Orthotropic::E2, modulus);
  visit("E3", &Orthotropic::E3, modulus);
  visit("nu12", &Orthotropic::nu12, Field{.help = "Poisson's ratio: strain along 2 under stress along 1"});
  visit("nu13", &Orthotropic::nu13, Field{.help = "Poisson's ratio: strain along 3 under stress along 1"});
  visit("nu23", &Orthotropic::nu23, Field{.help = "Poisson's ratio: strain along 3 under stress along 2"});
  visit("G12", &Orthotropic::G12, modulus);
  visit("G13", &Orthotropic::G13, modulus);
  visit("G23", &Orthotropic::G23, modulus);
  visit("density", &Orthotropic::density,
        Field{.help = "mass density", .unit = "kg/m^3", .allowed = not_negative, .usual_low = 1, .usual_high = 3e4});
  visit("damping", &Orthotropic::damping,
        Field{.help = "Kelvin-Voigt coefficient tau", .unit = "s", .allowed = not_negative});
}

inline constexpr Field length_field{
    .help = "length", .unit = "m", .required = true, .allowed = positive, .usual_low = 1e-7, .usual_high = 1e4};

LITHE_DESCRIBE(Rectangle, "rectangle", "rectangular section of a beam") {
  Field field = length_field;
  field.help = "width, along the body's y";
  visit("width", &Rectangle::width, field);
  field.help = "thickness, along the body's z";
  visit("thickness", &Rectangle::thickness, field);
  visit("shear_factors", &Rectangle::shear_factors,
        Field{.help = "shear factors of the 13 and 12 components; default 10(1+nu)/(12+11nu) for both",
              .allowed = positive});
}
LITHE_DESCRIBE(Circle, "circle", "round section of a cable") {
  Field field = length_field;
  field.help = "radius";
  visit("radius", &Circle::radius, field);
}
LITHE_DESCRIBE(Bar, "bar", "section of a cable given by its area and second moment") {
  visit("area", &Bar::area, Field{.help = "area", .unit = "m^2", .required = true, .allowed = positive});
  visit("inertia", &Bar::inertia,
        Field{.help = "second moment of area", .unit = "m^4", .required = true, .allowed = not_negative});
}
LITHE_DESCRIBE(Plate, "plate", "shell or plate of one layer") {
  Field field = length_field;
  field.help = "thickness";
  visit("thickness", &Plate::thickness, field);
}
LITHE_DESCRIBE(Layer, "layer", "one layer of a shell") {
  Field field = length_field;
  field.help = "thickness of the layer";
  visit("thickness", &Layer::thickness, field);
  visit("angle", &Layer::angle,
        Field{.help = "from the body's x to the material's 1, about the normal", .unit = "deg"});
  visit("material", &Layer::material, Field{.help = "name of a material; default: the body's"});
}
LITHE_DESCRIBE(Layered, "layered", "shell of several layers, bottom first") {
  visit("layers", &Layered::layers, Field{.help = "the layers, bottom first", .required = true});
}

LITHE_DESCRIBE(LineMesh, "line", "elements along a straight line (cable, beam)") {
  visit("from", &LineMesh::from, Field{.help = "start", .unit = "m", .required = true});
  visit("to", &LineMesh::to, Field{.help = "end", .unit = "m", .required = true});
  visit("elements", &LineMesh::elements, Field{.help = "number of elements", .required = true, .allowed = positive});
  visit("width_direction", &LineMesh::width_direction,
        Field{.help = "direction of the section's width (made orthogonal to the line); default: horizontal"});
}
LITHE_DESCRIBE(ArcMesh, "arc", "elements along a circular arc or a full circle, optionally twisted (beam)") {
  visit("center", &ArcMesh::center, Field{.help = "center of the circle", .unit = "m"});
  visit("normal", &ArcMesh::normal, Field{.help = "normal of the circle's plane"});
  visit("start", &ArcMesh::start, Field{.help = "direction from the center to the start"});
  Field field = length_field;
  field.help = "radius of the axis";
  visit("radius", &ArcMesh::radius, field);
  visit("angle", &ArcMesh::angle, Field{.help = "angle of the arc", .unit = "deg", .allowed = positive});
  visit("twist", &ArcMesh::twist,
        Field{.help = "rotation of the section about the axis from start to end", .unit = "deg"});
  visit("elements", &ArcMesh::elements, Field{.help = "number of elements", .required = true, .allowed = positive});
}
LITHE_DESCRIBE(PlateMesh, "plate", "flat rectangular plate (shell, hexa of one layer)") {
  visit("corner", &PlateMesh::corner, Field{.help = "corner of the mid-surface", .unit = "m"});
  visit("length", &PlateMesh::length, Field{.help = "edge along x from the corner", .unit = "m", .required = true});
  visit("width", &PlateMesh::width, Field{.help = "edge along y from the corner", .unit = "m", .required = true});
  visit("elements", &PlateMesh::elements,
        Field{.help = "elements along length and width", .required = true, .allowed = positive});
}
LITHE_DESCRIBE(AnnularPlateMesh, "annular_plate", "flat ring or sector of a ring (shell, hexa of one layer)") {
  visit("center", &AnnularPlateMesh::center, Field{.help = "center", .unit = "m"});
  visit("normal", &AnnularPlateMesh::normal, Field{.help = "normal of the plane"});
  visit("start", &AnnularPlateMesh::start, Field{.help = "direction from the center to the first edge"});
  Field field = length_field;
  field.help = "inner radius";
  visit("inner_radius", &AnnularPlateMesh::inner_radius, field);
  field.help = "outer radius";
  visit("outer_radius", &AnnularPlateMesh::outer_radius, field);
  visit("angle", &AnnularPlateMesh::angle, Field{.help = "angle of the sector", .unit = "deg", .allowed = positive});
  visit("elements", &AnnularPlateMesh::elements,
        Field{.help = "elements around and across", .required = true, .allowed = positive});
}
LITHE_DESCRIBE(BlockMesh, "block", "box of solid elements (hexa)") {
  visit("corner", &BlockMesh::corner, Field{.help = "corner", .unit = "m"});
  visit("length", &BlockMesh::length, Field{.help = "edge along x from the corner", .unit = "m", .required = true});
  visit("width", &BlockMesh::width, Field{.help = "edge along y from the corner", .unit = "m", .required = true});
  visit("height", &BlockMesh::height, Field{.help = "edge along z from the corner", .unit = "m", .required = true});
  visit("elements", &BlockMesh::elements,
        Field{.help = "elements along length, width and height", .required = true, .allowed = positive});
}

LITHE_DESCRIBE(NodeMesh, "nodes", "nodes and elements given one by one (any element)") {
  visit("nodes", &NodeMesh::nodes,
        Field{.help = "per node r, r_x, r_y, r_z: 12 numbers (cables r, r_x: 6)", .unit = "m and 1", .required = true});
  visit("elements", &NodeMesh::elements,
        Field{.help = "per element its nodes, from 0", .required = true, .allowed = not_negative});
  visit("size", &NodeMesh::size,
        Field{.help = "per element L, W, T over which x, y, z run; a single row serves all",
              .unit = "m",
              .required = true,
              .allowed = not_negative});
  visit("sets", &NodeMesh::sets, Field{.help = "named lists of nodes", .allowed = not_negative});
}

LITHE_DESCRIBE(NetMesh, "net", "cables in two directions, tied at every crossing") {
  visit("corner", &NetMesh::corner, Field{.help = "first crossing", .unit = "m"});
  visit("along", &NetMesh::along, Field{.help = "side of a cell along the rows", .unit = "m"});
  visit("across", &NetMesh::across, Field{.help = "side of a cell along the columns", .unit = "m"});
  visit("cells", &NetMesh::cells, Field{.help = "cells along and across", .required = true, .allowed = positive});
  visit("elements", &NetMesh::elements, Field{.help = "elements along the side of a cell", .allowed = positive});
}

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
  Field field = length_field;
  field.help = "radius";
  visit("radius", &SphereShape::radius, field);
}
LITHE_DESCRIBE(CylinderShape, "cylinder", "cylinder along the body's z") {
  Field field = length_field;
  field.help = "radius";
  visit("radius", &CylinderShape::radius, field);
  field.help = "length along z";
  visit("length", &CylinderShape::length, field);
}
LITHE_DESCRIBE(TubeShape, "tube", "hollow cylinder along the body's z") {
  Field field = length_field;
  field.help = "inner radius";
  visit("inner_radius", &TubeShape::inner_radius, field);
  field.help = "outer radius";
  visit("outer_radius", &TubeShape::outer_radius, field);
  field.help = "length along z";
  visit("length", &TubeShape::length, field);
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

LITHE_DESCRIBE(Clamp, "clamp", "holds position and rotation of nodes") {
  visit("at", &Clamp::at, Field{.help = "node or set of nodes", .required = true});
  visit("hold", &Clamp::hold,
        Field{.help = "section (position and rotation; it may stretch) or all (every coordinate)"});
}
LITHE_DESCRIBE(Fix, "fix", "holds chosen coordinates of nodes, along any directions") {
  visit("at", &Fix::at, Field{.help = "node or set of nodes", .required = true});
  visit("coordinates", &Fix::coordinates, Field{.help = "position, x_gradient, y_gradient, z_gradient"});
  visit("along", &Fix::along, Field{.help = "directions that are held; default: all"});
}

LITHE_DESCRIBE(Weld, "weld", "joins position and frame") {
  visit("a", &Weld::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Weld::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Weld::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
}
LITHE_DESCRIBE(Spherical, "spherical", "joins two points") {
  visit("a", &Spherical::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Spherical::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Spherical::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
}
LITHE_DESCRIBE(Revolute, "revolute", "turns about an axis") {
  visit("a", &Revolute::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Revolute::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Revolute::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &Revolute::axis, Field{.help = "of the joint in the reference configuration"});
}
LITHE_DESCRIBE(Universal, "universal", "two crossed axes that stay perpendicular") {
  visit("a", &Universal::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Universal::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Universal::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis_a", &Universal::axis_a, Field{.help = "axis that stays in a"});
  visit("axis_b", &Universal::axis_b, Field{.help = "axis that stays in b"});
}
LITHE_DESCRIBE(Cylindrical, "cylindrical", "turns about and slides along an axis") {
  visit("a", &Cylindrical::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Cylindrical::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Cylindrical::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &Cylindrical::axis, Field{.help = "of the joint in the reference configuration"});
}
LITHE_DESCRIBE(Prismatic, "prismatic", "slides along an axis") {
  visit("a", &Prismatic::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Prismatic::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Prismatic::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &Prismatic::axis, Field{.help = "of the joint in the reference configuration"});
}
LITHE_DESCRIBE(Planar, "planar", "slides in a plane and turns about its normal") {
  visit("a", &Planar::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Planar::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Planar::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("normal", &Planar::normal, Field{.help = "of the plane, belongs to a"});
}
LITHE_DESCRIBE(Distance, "distance", "keeps two points at a distance") {
  visit("a", &Distance::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Distance::b, Field{.help = "second place, or ground", .required = true});
  visit("distance", &Distance::distance,
        Field{.help = "default: the one of the reference configuration", .unit = "m", .allowed = positive});
}
LITHE_DESCRIBE(PointOnLine, "point_on_line", "a point of b stays on a line of a") {
  visit("a", &PointOnLine::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &PointOnLine::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &PointOnLine::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &PointOnLine::axis, Field{.help = "direction of the line, belongs to a"});
}
LITHE_DESCRIBE(Gear, "gear", "angle of joint_b = ratio * angle of joint_a") {
  visit("joint_a", &Gear::joint_a, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("joint_b", &Gear::joint_b, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("ratio", &Gear::ratio, Field{.help = "of the angles, with its sign"});
}
LITHE_DESCRIBE(Motion, "motion", "a point follows given displacements") {
  visit("at", &Motion::at, Field{.help = "node, point of a rigid body or material point", .required = true});
  visit("displacement", &Motion::displacement,
        Field{.help = "x, y, z from the reference position; null: free", .unit = "m", .required = true});
}
LITHE_DESCRIBE(Turn, "turn", "the angle of a joint follows a signal") {
  visit("joint", &Turn::joint, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("angle", &Turn::angle, Field{.help = "of b against a, from the reference", .unit = "rad", .required = true});
}
LITHE_DESCRIBE(Slide, "slide", "the travel of a joint follows a signal") {
  visit("joint", &Slide::joint, Field{.help = "a prismatic or cylindrical joint", .required = true});
  visit("travel", &Slide::travel, Field{.help = "of b against a, from the reference", .unit = "m", .required = true});
}

LITHE_DESCRIBE(Spring, "spring", "spring, damper and force along the line between two points") {
  visit("a", &Spring::a, Field{.help = "first point, or {body: ground, point: [x, y, z]}", .required = true});
  visit("b", &Spring::b, Field{.help = "second point", .required = true});
  visit("stiffness", &Spring::stiffness, Field{.help = "stiffness", .unit = "N/m", .allowed = not_negative});
  visit("damping", &Spring::damping, Field{.help = "damping", .unit = "N s/m", .allowed = not_negative});
  visit("free_length", &Spring::free_length,
        Field{.help = "default: the length of the reference configuration", .unit = "m", .allowed = not_negative});
  visit("force", &Spring::force, Field{.help = "pulls the points together", .unit = "N"});
}
LITHE_DESCRIBE(TorsionSpring, "torsion_spring", "spring, damper and moment about the axis of a joint") {
  visit("joint", &TorsionSpring::joint, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("stiffness", &TorsionSpring::stiffness, Field{.help = "stiffness", .unit = "N m/rad", .allowed = not_negative});
  visit("damping", &TorsionSpring::damping, Field{.help = "damping", .unit = "N m s/rad", .allowed = not_negative});
  visit("free_angle", &TorsionSpring::free_angle, Field{.help = "angle without moment", .unit = "rad"});
  visit("moment", &TorsionSpring::moment, Field{.help = "turns b against a", .unit = "N m"});
}
LITHE_DESCRIBE(Bushing, "bushing", "elastic and viscous connection of two frames") {
  visit("a", &Bushing::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Bushing::b, Field{.help = "second place", .required = true});
  visit("point", &Bushing::point, Field{.help = "of the bushing, for a body given without a place", .unit = "m"});
  visit("x_axis", &Bushing::x_axis, Field{.help = "of the bushing in the reference configuration; default: global x"});
  visit("y_axis", &Bushing::y_axis, Field{.help = "made orthogonal to x; default: global y"});
  visit("stiffness", &Bushing::stiffness, Field{.help = "along x, y, z", .unit = "N/m", .allowed = not_negative});
  visit("damping", &Bushing::damping, Field{.help = "along x, y, z", .unit = "N s/m", .allowed = not_negative});
  visit("torsion_stiffness", &Bushing::torsion_stiffness,
        Field{.help = "about x, y, z", .unit = "N m/rad", .allowed = not_negative});
  visit("torsion_damping", &Bushing::torsion_damping,
        Field{.help = "about x, y, z", .unit = "N m s/rad", .allowed = not_negative});
}

LITHE_DESCRIBE(InitialVelocity, "initial_velocity", "velocities at the start; several add up") {
  visit("on", &InitialVelocity::on, Field{.help = "body, set of nodes or node", .required = true});
  visit("velocity", &InitialVelocity::velocity,
        Field{.help = "components: numbers or expressions of x, y, z (reference position)", .unit = "m/s"});
  visit("gradient_rates", &InitialVelocity::gradient_rates,
        Field{.help = "of the nodes' gradients under 'velocity': field (its derivatives) or zero"});
  visit("angular_velocity", &InitialVelocity::angular_velocity,
        Field{.help = "rigid rotation in addition, gradients turn too", .unit = "rad/s"});
  visit("center", &InitialVelocity::center, Field{.help = "of that rotation", .unit = "m"});
}

LITHE_DESCRIBE(PointForce, "force", "dead force at a point") {
  visit("at", &PointForce::at, Field{.help = "node or material point", .required = true});
  visit("force", &PointForce::force, Field{.help = "components", .unit = "N", .required = true});
}
LITHE_DESCRIBE(PointMoment, "moment", "dead moment at a point of a body with gradients r_x, r_y, r_z") {
  visit("at", &PointMoment::at, Field{.help = "node or material point", .required = true});
  visit("moment", &PointMoment::moment, Field{.help = "components", .unit = "N m", .required = true});
  visit("turns", &PointMoment::turns, Field{.help = "section (as joints hold it) or gradients (r_x, r_y, r_z alike)"});
}
LITHE_DESCRIBE(LineLoad, "line_load", "dead force per reference length on an edge or along a line") {
  visit("on", &LineLoad::on, Field{.help = "edge, or body of a line", .required = true});
  visit("force", &LineLoad::force, Field{.help = "components", .unit = "N/m", .required = true});
}
LITHE_DESCRIBE(Pressure, "pressure", "pressure that follows a surface") {
  visit("on", &Pressure::on, Field{.help = "surface", .required = true});
  visit("pressure", &Pressure::pressure, Field{.help = "against the surface's normal", .unit = "Pa", .required = true});
}
LITHE_DESCRIBE(Gravity, "gravity", "uniform acceleration on all bodies") {
  visit("acceleration", &Gravity::acceleration, Field{.help = "components", .unit = "m/s^2"});
}

LITHE_DESCRIBE(DisplacementOutput, "displacement", "displacement of a point") {
  visit("at", &DisplacementOutput::at, Field{.help = "node or material point", .required = true});
}
LITHE_DESCRIBE(PositionOutput, "position", "position of a point") {
  visit("at", &PositionOutput::at, Field{.help = "node or material point", .required = true});
}
LITHE_DESCRIBE(GradientOutput, "gradient", "r_x, r_y, r_z at a point, nine components") {
  visit("at", &GradientOutput::at, Field{.help = "node or material point", .required = true});
}
LITHE_DESCRIBE(StressOutput, "stress", "strain and stress at a point") {
  visit("at", &StressOutput::at, Field{.help = "material point", .required = true});
}
LITHE_DESCRIBE(MaxVonMisesOutput, "max_von_mises", "largest von Mises stress of a body") {
  visit("body", &MaxVonMisesOutput::body, Field{.help = "name of a body", .required = true});
  visit("samples", &MaxVonMisesOutput::samples,
        Field{.help = "equally spaced points per direction of an element",
              .allowed = {[](double x) { return x >= 1 && x <= most_samples; }, "from 1 to 64"}});
}
LITHE_DESCRIBE(ReactionOutput, "reaction", "total force that a constraint exerts") {
  visit("constraint", &ReactionOutput::constraint, Field{.help = "name of a constraint", .required = true});
}
LITHE_DESCRIBE(EnergyOutput, "energy", "kinetic, potential (gravity), strain, springs, total") {}
LITHE_DESCRIBE(VelocityOutput, "velocity", "velocity of a point") {
  visit("at", &VelocityOutput::at, Field{.help = "node or material point", .required = true});
}
LITHE_DESCRIBE(AccelerationOutput, "acceleration", "acceleration of a point") {
  visit("at", &AccelerationOutput::at, Field{.help = "node or material point", .required = true});
}
LITHE_DESCRIBE(RotationOutput, "rotation", "axes of a rigid body or of a section, and their angular velocity") {
  visit("body", &RotationOutput::body, Field{.help = "name of a rigid body"});
  visit("at", &RotationOutput::at, Field{.help = "instead: a place on a body with r_x, r_y, r_z"});
}
LITHE_DESCRIBE(JointOutput, "joint", "force and torque of a joint on b, global components; its angle and travel") {
  visit("joint", &JointOutput::joint, Field{.help = "name of a joint", .required = true});
}
LITHE_DESCRIBE(SpringOutput, "spring", "length or angle of a spring, its rate and its force or moment") {
  visit("spring", &SpringOutput::spring, Field{.help = "name of a spring", .required = true});
}
LITHE_DESCRIBE(MomentumOutput, "momentum", "linear momentum, angular momentum about the origin") {}
LITHE_DESCRIBE(ConstraintOutput, "constraints", "largest violation of the constraints and of their rates") {}

LITHE_DESCRIBE(StaticAnalysis, "static", "nonlinear equilibrium by load steps or arc length") {
  visit("method", &StaticAnalysis::method, Field{.help = "newton (load steps) or arc_length (passes limit points)"});
  visit("duration", &StaticAnalysis::duration,
        Field{.help = "time of the full load; tables and expressions run over it", .unit = "s", .allowed = positive});
  visit("first_step", &StaticAnalysis::first_step, Field{.help = "first load step, of 1", .allowed = positive});
  visit("largest_step", &StaticAnalysis::largest_step, Field{.help = "largest load step, of 1", .allowed = positive});
  visit("smallest_step", &StaticAnalysis::smallest_step,
        Field{.help = "the run ends when a smaller step would be needed", .allowed = positive});
  visit("tolerance", &StaticAnalysis::tolerance,
        Field{.help = "residual relative to the forces in the system", .allowed = positive});
  visit("correction_tolerance", &StaticAnalysis::correction_tolerance,
        Field{.help = "correction relative to the size of the model", .allowed = positive});
  visit("iterations", &StaticAnalysis::iterations,
        Field{.help = "largest number of Newton iterations a step", .allowed = positive});
  visit("line_search", &StaticAnalysis::line_search,
        Field{.help = "shorten Newton steps that turn an element inside out or make the residual explode"});
  visit("arc_length", &StaticAnalysis::arc_length,
        Field{.help = "arc_length: first step of the load factor", .allowed = positive});
  visit("on_instability", &StaticAnalysis::on_instability,
        Field{.help =
                  "of an equilibrium: warn, error (the run ends there), or perturb (disturb it by 1e-3 of the size of "
                  "the model along its most unstable mode and follow it to a stable one)"});
  visit("largest_steps", &StaticAnalysis::largest_steps,
        Field{.help = "the run ends after so many load steps", .allowed = positive});
  visit("threads", &StaticAnalysis::threads, Field{.help = "0: all cores", .allowed = thread_count});
}

LITHE_DESCRIBE(DynamicAnalysis, "dynamic", "motion in time by an implicit integrator") {
  visit("duration", &DynamicAnalysis::duration, Field{.help = "length of the run", .unit = "s", .allowed = positive});
  visit("step", &DynamicAnalysis::step,
        Field{.help = "time step, the first one under control error", .unit = "s", .allowed = positive});
  visit("integrator", &DynamicAnalysis::integrator,
        Field{.help = "hht, newmark, generalized_alpha, trapezoidal (with projections, P4) or backward_euler"});
  visit("alpha", &DynamicAnalysis::alpha, Field{.help = "hht: -1/3 (most damping) to 0 (none)"});
  visit("beta", &DynamicAnalysis::beta, Field{.help = "newmark", .allowed = positive});
  visit("gamma", &DynamicAnalysis::gamma, Field{.help = "newmark", .allowed = positive});
  visit(
      "spectral_radius", &DynamicAnalysis::spectral_radius,
      Field{.help = "generalized_alpha: at infinite frequency, 0 (most damping) to 1 (none)", .allowed = not_negative});
  visit("control", &DynamicAnalysis::control, Field{.help = "step size: fixed, or by the estimated error"});
  visit("error_tolerance", &DynamicAnalysis::error_tolerance,
        Field{.help = "local error of positions over the size of the model, of gradients", .allowed = positive});
  visit("smallest_step", &DynamicAnalysis::smallest_step,
        Field{.help = "the run ends when a smaller step would be needed", .unit = "s", .allowed = positive});
  visit("largest_step", &DynamicAnalysis::largest_step,
        Field{.help = "0: duration / 20", .unit = "s", .allowed = not_negative});
  visit("tolerance", &DynamicAnalysis::tolerance,
        Field{.help =
                  "Newton's correction: weighted RMS, positions over the size of the model; default: a small share of "
                  "the scheme's own error in each step, at most 1e-9",
              .allowed = positive});
  visit("residual_tolerance", &DynamicAnalysis::residual_tolerance,
        Field{.help = "residual relative to the forces in the system; default: by the change of accelerations in each "
                      "step, at most 1e-4",
              .allowed = positive});
  visit("iterations", &DynamicAnalysis::iterations,
        Field{.help = "largest number of Newton iterations a step", .allowed = positive});
  visit("tangent_policy", &DynamicAnalysis::tangent_policy,
        Field{.help = "adaptive (keep the factorisation while it converges well), every_step or every_iteration"});
  visit("solver", &DynamicAnalysis::solver, Field{.help = "linear solver by name, or auto"});
  visit("ordering", &DynamicAnalysis::ordering, Field{.help = "ordering of the linear solver, or auto"});
  visit(
      "projection", &DynamicAnalysis::projection,
      Field{.help =
                "of velocities and accelerations onto the constraints; default: where the scheme would keep errors of "
                "accelerations across them (trapezoidal, newmark with beta 1/4, spectral_radius 1)"});
  visit("output_step", &DynamicAnalysis::output_step,
        Field{.help = "time between outputs; 0: every step", .unit = "s", .allowed = not_negative});
  visit("checkpoint_step", &DynamicAnalysis::checkpoint_step,
        Field{.help = "time between checkpoints; 0: none", .unit = "s", .allowed = not_negative});
  visit("threads", &DynamicAnalysis::threads, Field{.help = "0: all cores", .allowed = thread_count});
}

LITHE_DESCRIBE(Model, "model", "everything the user says") {
  visit("name", &Model::name, Field{.help = "name of the model"});
  visit("materials", &Model::materials, Field{.help = "named materials"});
  visit("sections", &Model::sections, Field{.help = "named sections"});
  visit("bodies", &Model::bodies, Field{.help = "named bodies", .required = true});
  visit("constraints", &Model::constraints, Field{.help = "named constraints"});
  visit("joints", &Model::joints, Field{.help = "named joints between bodies and the ground"});
  visit("springs", &Model::springs, Field{.help = "named springs, dampers and bushings"});
  visit("initial_velocities", &Model::initial_velocities, Field{.help = "named velocities at the start"});
  visit("loads", &Model::loads, Field{.help = "named loads"});
  visit("outputs", &Model::outputs, Field{.help = "named channels recorded at every step"});
  visit("strategy", &Model::strategy, Field{.help = "batched, C, D, E, G, L or finite_difference"});
  visit("tangent", &Model::tangent,
        Field{.help = "symmetric (symmetric part of the tangents of damping and pressure) or exact"});
  visit("treatment", &Model::treatment,
        Field{.help = "of constraints: eliminate (linear ones, multipliers for the rest), lagrange (multipliers for "
                      "all) or augmented (penalty with multiplier iteration for what cannot be eliminated)"});
  visit("penalty", &Model::penalty, Field{.help = "treatment augmented: penalty factor", .allowed = positive});
  visit("preset", &Model::preset,
        Field{.help = "none, or paper: strategy E, treatment lagrange, Eigen's SparseLU, tangent every step (P0)"});
  visit("analysis", &Model::analysis, Field{.help = "what to compute"});
}

#undef LITHE_DESCRIBE

}  // namespace lithe

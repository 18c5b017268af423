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

LITHE_DESCRIBE(Body, "body", "elements of one kind, material and section") {
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
  visit("strategy", &Body::strategy, Field{.help = "how forces are computed; default: the model's"});
}

LITHE_DESCRIBE(Clamp, "clamp", "holds all coordinates of nodes") {
  visit("at", &Clamp::at, Field{.help = "node or set of nodes", .required = true});
}
LITHE_DESCRIBE(Fix, "fix", "holds chosen coordinates of nodes, along any directions") {
  visit("at", &Fix::at, Field{.help = "node or set of nodes", .required = true});
  visit("coordinates", &Fix::coordinates, Field{.help = "position, x_gradient, y_gradient, z_gradient"});
  visit("along", &Fix::along, Field{.help = "directions that are held; default: all"});
}

LITHE_DESCRIBE(PointForce, "force", "dead force at a point") {
  visit("at", &PointForce::at, Field{.help = "node or material point", .required = true});
  visit("force", &PointForce::force, Field{.help = "components", .unit = "N", .required = true});
}
LITHE_DESCRIBE(PointMoment, "moment", "dead moment at a point of a body with gradients r_x, r_y, r_z") {
  visit("at", &PointMoment::at, Field{.help = "node or material point", .required = true});
  visit("moment", &PointMoment::moment, Field{.help = "components", .unit = "N m", .required = true});
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
        Field{.help = "equally spaced points per direction of an element", .allowed = positive});
}
LITHE_DESCRIBE(ReactionOutput, "reaction", "total force that a constraint exerts") {
  visit("constraint", &ReactionOutput::constraint, Field{.help = "name of a constraint", .required = true});
}
LITHE_DESCRIBE(EnergyOutput, "energy", "strain and kinetic energy of the model") {}

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
        Field{.help = "shorten Newton steps that do not reduce the residual"});
  visit("arc_length", &StaticAnalysis::arc_length,
        Field{.help = "arc_length: first step of the load factor", .allowed = positive});
  visit("largest_steps", &StaticAnalysis::largest_steps,
        Field{.help = "the run ends after so many load steps", .allowed = positive});
  visit("threads", &StaticAnalysis::threads, Field{.help = "0: all cores", .allowed = not_negative});
}

LITHE_DESCRIBE(Model, "model", "everything the user says") {
  visit("name", &Model::name, Field{.help = "name of the model"});
  visit("materials", &Model::materials, Field{.help = "named materials"});
  visit("sections", &Model::sections, Field{.help = "named sections"});
  visit("bodies", &Model::bodies, Field{.help = "named bodies", .required = true});
  visit("constraints", &Model::constraints, Field{.help = "named constraints"});
  visit("loads", &Model::loads, Field{.help = "named loads"});
  visit("outputs", &Model::outputs, Field{.help = "named channels recorded at every step"});
  visit("strategy", &Model::strategy, Field{.help = "batched, C, D, E, G, L or finite_difference"});
  visit("tangent", &Model::tangent, Field{.help = "symmetric (symmetric part of the damping tangent) or exact"});
  visit("analysis", &Model::analysis, Field{.help = "what to compute"});
}

#undef LITHE_DESCRIBE

}  // namespace lithe

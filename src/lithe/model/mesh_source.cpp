#include "lithe/model/mesh_source.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/describe.h"
#include "lithe/model/length_field.h"
#include "lithe/model/spot.h"

namespace lithe {

LITHE_DESCRIBE(LineMesh, "line", "elements along a straight line (cable, beam)") {
  visit("from", &LineMesh::from, Field{.help = "start", .unit = "m", .required = true});
  visit("to", &LineMesh::to, Field{.help = "end", .unit = "m", .required = true});
  visit("elements", &LineMesh::elements, Field{.help = "number of elements", .required = true, .allowed = positive});
  visit("width_direction", &LineMesh::width_direction,
        Field{.help = "direction of the section's width (made orthogonal to the line); default: horizontal"});
  visit("twist", &LineMesh::twist,
        Field{.help = "of the section about the line, at its start and at its end, linear between; turns the width "
                      "right-handed about the direction from start to end (beam)",
              .unit = "deg"});
  visit("unstretched_length", &LineMesh::unstretched_length,
        Field{.help = "free of stress; shorter than the distance of the ends: starts stretched; longer: starts slack, "
                      "hanging (cable: catenary, beam: bow); default: the distance of the ends",
              .unit = "m",
              .allowed = positive});
}

LITHE_DESCRIBE(ArcMesh, "arc", "elements along a circular arc or a full circle, optionally twisted (beam)") {
  visit("center", &ArcMesh::center, Field{.help = "center of the circle", .unit = "m"});
  visit("normal", &ArcMesh::normal, Field{.help = "normal of the circle's plane"});
  visit("start", &ArcMesh::start, Field{.help = "direction from the center to the start"});
  visit("radius", &ArcMesh::radius, length_field("radius of the axis"));
  visit("angle", &ArcMesh::angle,
        Field{.help = "angle of the arc; the ends of a full circle are not joined (weld the last to the first)",
              .unit = "deg",
              .allowed = positive});
  visit("twist", &ArcMesh::twist,
        Field{.help = "rotation of the section about the axis from start to end", .unit = "deg"});
  visit("elements", &ArcMesh::elements, Field{.help = "number of elements", .required = true, .allowed = positive});
  visit("unstretched_length", &ArcMesh::unstretched_length,
        Field{.help = "free of stress, an arc of the same angle; it starts stretched or compressed to the radius; "
                      "default: the length of the arc",
              .unit = "m",
              .allowed = positive});
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
  visit("inner_radius", &AnnularPlateMesh::inner_radius, length_field("inner radius"));
  visit("outer_radius", &AnnularPlateMesh::outer_radius, length_field("outer radius"));
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

LITHE_DESCRIBE(PipeMesh, "pipe", "thick-walled pipe or a sector of it, along a straight axis (solids)") {
  visit("from", &PipeMesh::from, Field{.help = "start of the axis", .unit = "m", .required = true});
  visit("to", &PipeMesh::to, Field{.help = "end of the axis", .unit = "m", .required = true});
  visit("start", &PipeMesh::start,
        Field{.help = "direction from the axis to the first elements (made orthogonal to the axis); default: "
                      "horizontal"});
  visit("inner_radius", &PipeMesh::inner_radius, length_field("inner radius"));
  visit("outer_radius", &PipeMesh::outer_radius, length_field("outer radius"));
  visit("angle", &PipeMesh::angle, Field{.help = "angle of the sector", .unit = "deg", .allowed = positive});
  visit(
      "elements", &PipeMesh::elements,
      Field{.help = "elements along the axis, around it and through the wall", .required = true, .allowed = positive});
}

LITHE_DESCRIBE(NodeMesh, "nodes", "nodes and elements given one by one (any element)") {
  visit("nodes", &NodeMesh::nodes,
        Field{.help = "per node the vectors of its kind: r, r_x, r_y, r_z, 12 numbers (cables r, r_x: 6)",
              .unit = "m and 1",
              .required = true});
  visit("elements", &NodeMesh::elements,
        Field{.help = "per element its nodes, from 0", .required = true, .allowed = not_negative});
  visit("size", &NodeMesh::size,
        Field{.help = "per element L, W, T over which x, y, z run; a single row serves all",
              .unit = "m",
              .allowed = not_negative});
  visit("sets", &NodeMesh::sets, Field{.help = "named lists of nodes", .allowed = not_negative});
  visit("sides", &NodeMesh::sides, Field{.help = "named edges and surfaces, for loads"});
}

LITHE_DESCRIBE(SideSelection, "side", "edges or surfaces of elements that meet every condition given") {
  visit("of", &SideSelection::of,
        Field{.help = "boundary (what one element alone has: edges of shells, faces of solids), of shells top, bottom, "
                      "surface, of beams top, bottom, left, right"});
  visit("nodes", &SideSelection::nodes, Field{.help = "set of nodes that holds all nodes of a side"});
  visit("normal", &SideSelection::normal, Field{.help = "outward normal of a side at its middle"});
  visit("within", &SideSelection::within,
        Field{.help = "largest angle between the two", .unit = "deg", .allowed = not_negative});
  visit("box", &SideSelection::box,
        Field{.help = "lowest and highest corner, around all nodes of a side", .unit = "m"});
}

LITHE_DESCRIBE(FileMesh, "file", "solids from a file of gmsh (.msh) or of Abaqus and CalculiX (.inp)") {
  visit("path", &FileMesh::path, Field{.help = "the file, relative to that of the model", .required = true});
  visit("instance", &FileMesh::instance, Field{.help = "instance of an assembly; default: the only one"});
  visit("group", &FileMesh::group, Field{.help = "physical volume or element set; default: all elements"});
  visit("digest", &FileMesh::digest, Field{.help = "of the file, as results keep it: another file is refused"});
}

LITHE_DESCRIBE(NetMesh, "net", "cables in two directions, tied at every crossing") {
  visit("corner", &NetMesh::corner, Field{.help = "first crossing", .unit = "m"});
  visit("along", &NetMesh::along, Field{.help = "side of a cell along the rows", .unit = "m"});
  visit("across", &NetMesh::across, Field{.help = "side of a cell along the columns", .unit = "m"});
  visit("cells", &NetMesh::cells, Field{.help = "cells along and across", .required = true, .allowed = positive});
  visit("elements", &NetMesh::elements, Field{.help = "elements along the side of a cell", .allowed = positive});
}

// ---- rules ----

namespace {

void check_count(const Spot& here, double elements) {
  if (elements > largest_element_count)
    here["elements"].fail("the mesh would have " + short_text(elements) + " elements; at most " +
                          short_text(largest_element_count) + " are allowed in a body");
}
// An edge divided into n elements, at coordinates of size `around`: are the elements longer than rounding?
void check_edge(const Spot& here, const char* key, double length, int n, double around) {
  if (!(length / n > 1e-12 * around))
    here[key].fail("the elements would have a length of " + short_text(length / n) +
                   " m, which is zero to rounding; give a longer edge or fewer elements");
}
void check_right_angle(const Spot& here, const char* key, const Triple& a, const char* other, const Triple& b) {
  if (parallel(a, b))
    here[key].fail("this is parallel to '" + std::string(other) + "', so the elements would be flat; turn it");
  if (std::abs(dot(a, b)) > 1e-9 * norm(a) * norm(b))
    here[key].fail("this is " + text(a) + ", but it must be at a right angle to '" + other + "' = " + text(b));
}

// Stretched to twice its length or pressed to less than half of it, no line is in its elastic range.
void check_unstretched(const Spot& here, const std::optional<double>& unstretched, double length, bool may_hang) {
  if (!unstretched) return;
  const double stretch = length / *unstretched;
  if (stretch > 2 || (!may_hang && stretch < 0.5))
    here["unstretched_length"].fail("this is " + number_text(*unstretched) + " m, but the line is " +
                                    short_text(length) + " m long where it is placed, " + short_text(stretch) +
                                    " times as much; at most 2" + (may_hang ? "" : " and at least 0.5") +
                                    " times is allowed");
  if (may_hang && stretch < 0.01)
    here["unstretched_length"].fail("this is " + number_text(*unstretched) + " m, more than 100 times the distance " +
                                    short_text(length) + " m of the ends; move them apart");
}

void check_mesh(const Spot& here, const LineMesh& m) {
  const Triple axis{m.to[0] - m.from[0], m.to[1] - m.from[1], m.to[2] - m.from[2]};
  check_count(here, m.elements);
  if (norm(axis) == 0)
    here["to"].fail("'from' and 'to' are both " + text(m.to) + ", so the elements have zero length; move one of them");
  check_edge(here, "to", norm(axis), m.elements, std::max(norm(m.from), norm(m.to)));
  check_unstretched(here, m.unstretched_length, norm(axis), true);
  const double turn = std::abs(m.twist[1] - m.twist[0]) / m.elements;
  if (turn >= 90)
    here["twist"].fail("this turns the section by " + short_text(turn) +
                       " deg an element, but it must be less than 90; use more elements");
  if (m.unstretched_length && *m.unstretched_length > norm(axis) && m.elements < 4)
    here["elements"].fail("a line that hangs between its ends takes at least 4 elements, and this has " +
                          std::to_string(m.elements));
  if (!m.width_direction) return;
  check_direction(here, "width_direction", *m.width_direction);
  if (parallel(*m.width_direction, axis))
    here["width_direction"].fail("this is " + text(*m.width_direction) +
                                 ", along the line itself; give a direction across it");
}
void check_sector(const Spot& here, double angle, int around) {
  if (angle > 360)
    here["angle"].fail("this is " + number_text(angle) + " deg, but it must be at most 360 (a full circle)");
  if (angle / around >= 180)
    here["elements"].fail(std::to_string(around) + " element" + (around == 1 ? "" : "s") + " around " +
                          number_text(angle) + " deg would each span " + short_text(angle / around) +
                          " deg, but must span less than 180; use more elements");
}
template <class Ring>
void check_radii(const Spot& here, const Ring& m) {
  if (!(m.inner_radius < m.outer_radius))
    here["outer_radius"].fail("this is " + number_text(m.outer_radius) +
                              " m, but it must be larger than inner_radius = " + number_text(m.inner_radius) +
                              " m (elements would be inverted)");
}
template <class Ring>
void check_ring(const Spot& here, const Ring& m, int around) {
  check_direction(here, "normal", m.normal);
  check_direction(here, "start", m.start);
  if (parallel(m.start, m.normal))
    here["start"].fail("this is parallel to 'normal' = " + text(m.normal) +
                       "; give a direction in the plane of the circle");
  check_sector(here, m.angle, around);
}
void check_mesh(const Spot& here, const ArcMesh& m) {
  check_count(here, m.elements);
  check_ring(here, m, m.elements);
  check_edge(here, "radius", m.radius * m.angle * 0.0175, m.elements, norm(m.center) + m.radius);
  check_unstretched(here, m.unstretched_length, m.radius * m.angle * std::numbers::pi / 180, false);
}
void check_mesh(const Spot& here, const AnnularPlateMesh& m) {
  check_count(here, double(m.elements[0]) * m.elements[1]);
  check_ring(here, m, m.elements[0]);
  check_radii(here, m);
  check_edge(here, "outer_radius", m.outer_radius - m.inner_radius, m.elements[1], norm(m.center) + m.outer_radius);
}
void check_mesh(const Spot& here, const PipeMesh& m) {
  const Triple axis{m.to[0] - m.from[0], m.to[1] - m.from[1], m.to[2] - m.from[2]};
  check_count(here, double(m.elements[0]) * m.elements[1] * m.elements[2]);
  if (norm(axis) == 0)
    here["to"].fail("'from' and 'to' are both " + text(m.to) + ", so the pipe has no length; move one of them");
  if (m.start) {
    check_direction(here, "start", *m.start);
    if (parallel(*m.start, axis))
      here["start"].fail("this is " + text(*m.start) + ", along the axis itself; give a direction across it");
  }
  check_sector(here, m.angle, m.elements[1]);
  check_radii(here, m);
  const double around = std::max(norm(m.from), norm(m.to)) + m.outer_radius;
  check_edge(here, "outer_radius", m.outer_radius - m.inner_radius, m.elements[2], around);
  check_edge(here, "to", norm(axis), m.elements[0], around);
}
void check_mesh(const Spot& here, const PlateMesh& m) {
  check_count(here, double(m.elements[0]) * m.elements[1]);
  check_direction(here, "length", m.length);
  check_direction(here, "width", m.width);
  check_edge(here, "length", norm(m.length), m.elements[0], norm(m.corner));
  check_edge(here, "width", norm(m.width), m.elements[1], norm(m.corner));
  check_right_angle(here, "width", m.width, "length", m.length);
}
void check_mesh(const Spot& here, const BlockMesh& m) {
  check_count(here, double(m.elements[0]) * m.elements[1] * m.elements[2]);
  check_direction(here, "length", m.length);
  check_direction(here, "width", m.width);
  check_direction(here, "height", m.height);
  check_edge(here, "length", norm(m.length), m.elements[0], norm(m.corner));
  check_edge(here, "width", norm(m.width), m.elements[1], norm(m.corner));
  check_edge(here, "height", norm(m.height), m.elements[2], norm(m.corner));
  check_right_angle(here, "width", m.width, "length", m.length);
  check_right_angle(here, "height", m.height, "length", m.length);
  check_right_angle(here, "height", m.height, "width", m.width);
  if (dot(cross(m.length, m.width), m.height) < 0)
    here["height"].fail("this is " + text(m.height) +
                        ", so length, width and height are left-handed and every element would " +
                        "be inverted; swap 'length' and 'width' or turn 'height' round");
}

void check_mesh(const Spot& here, const NetMesh& m) {
  check_count(here, 2.0 * (m.cells[0] + 1.0) * (m.cells[1] + 1.0) * m.elements);
  check_direction(here, "along", m.along);
  check_direction(here, "across", m.across);
  check_edge(here, "along", norm(m.along), m.elements, norm(m.corner));
  check_edge(here, "across", norm(m.across), m.elements, norm(m.corner));
  if (parallel(m.along, m.across))
    here["across"].fail("this is parallel to 'along', so the net would be a line; turn it");
}
void check_mesh(const Spot& here, const FileMesh& m) {  // the file is read where the mesh is made
  if (m.path.empty()) here["path"].fail("this is empty; give the name of a .msh or .inp file");
}
void check_mesh(const Spot& here, const NodeMesh& m) {  // the rest needs the body: check_nodes()
  check_count(here, static_cast<double>(m.elements.size()));
}

}  // namespace

void check(const Spot& here, const MeshSource& mesh) {
  std::visit([&](const auto& m) { check_mesh(here, m); }, mesh);
}

}  // namespace lithe

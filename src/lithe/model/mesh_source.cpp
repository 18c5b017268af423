#include "lithe/model/mesh_source.h"

#include "lithe/base/describe.h"
#include "lithe/model/length_field.h"

namespace lithe {

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
  visit("radius", &ArcMesh::radius, length_field("radius of the axis"));
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

}  // namespace lithe

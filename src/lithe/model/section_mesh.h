// Triangles of six nodes on a section, for the finite-element solution of its torsion and flexure.
//
// Polygons: Delaunay refinement (Ruppert 1995). The triangulation of the corners is refined until every edge of the
// outline is made of edges of triangles, no angle is below 20.7 degrees (but at corners that are sharper themselves)
// and no triangle is larger than wanted where it is: an even size, finer towards re-entrant corners, where the shear
// stress is singular.
#pragma once

#include "lithe/model/section_outline.h"

namespace lithe {

struct SectionMesh {
  std::vector<SectionPoint> nodes;
  std::vector<std::array<int, 6>> triangles;  // corners counter-clockwise, then the middles of 01, 12 and 20
};

// `across`: how many edges of triangles go into a wall of mean thickness, 2 area/perimeter, and into a fifth of the
// square root of the area; fewer, down to one, where the walls are very thin. Throws InputError for an outline that
// would need far too many triangles.
SectionMesh mesh_outline(const Outline& outline, double across);
// Throws for most of these without making the mesh.
void require_meshable(const Outline& outline);
// A ring, or a disc (inner radius 0), with curved edges; `rings`: triangles along the radius.
SectionMesh mesh_ring(double outer_radius, double inner_radius, int rings);

}  // namespace lithe

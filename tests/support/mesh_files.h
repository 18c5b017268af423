// Small mesh files for tests, as texts.
#pragma once

#include <string>

namespace lithe {

// Two hex8 in a row along x, [0, 2] x [0, 1] x [0, 1]: group "left" and "right", surface "end" (x = 2) and "middle"
// (x = 1), curve "edge" (y = z = 0), point "tip". Node 1 + i + 3 j + 6 k is at (i, j, k). Format "2.2" or "4.1".
std::string two_bricks_gmsh(const std::string& format);

// The same two bricks as an Abaqus deck: part "bar", instances "a" (where it is) and "b" (moved by (0, 0, 5), then
// turned by 90 degrees around the axis through (1, 0, 0) along z).
std::string two_bricks_abaqus();

// A tet10 with curved edges: corners of the unit tetrahedron under (x, y, z) -> (x, y, z + x z / 2).
std::string curved_tetrahedron_gmsh();
std::string curved_tetrahedron_abaqus();

// A cube of n^3 small cubes with six tet4 each, gmsh 2.2, 4.1 or "inp".
std::string many_tetrahedra(int n, const std::string& format);

}  // namespace lithe

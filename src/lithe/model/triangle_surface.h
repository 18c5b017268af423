// Surfaces of triangles from files of CAD programs: STL (binary and text) and OBJ (docs/mesh_files.md).
//
//   TriangleSurface surface = read_triangles("part.stl");   // what the file says
//   check_closed(surface);                                  // or an InputError with place, count and remedy
//   SolidMoments solid = moments(surface);                  // of the volume within
//
// Nothing is repaired: a surface that is open, branches or has its inside out is the user's to mend.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/base/small.h"
#include "lithe/model/triple.h"

namespace lithe {

// Outside of a triangle: where (x1 - x0) x (x2 - x0) points to.
struct TriangleSurface {
  std::string path;
  std::vector<Triple> corners;                // all different
  std::vector<std::array<int, 3>> triangles;  // with an area
  std::vector<int> lines;  // [triangle] where the file has it; a binary file: its number there, from 1
  bool binary = false;
  std::vector<std::string> notes;  // what was left out

  // "part.stl:17", or of a binary file "triangle 17".
  Where where(int triangle) const { return {path, binary ? 0 : lines[triangle], ""}; }
  std::string place(int triangle) const;
};

// The format is found by the content, else by the ending. Throws InputError.
TriangleSurface read_triangles(const std::string& path);

// Every edge between two triangles that run along it in opposite directions, outsides outside: parts of the surface may
// lie within others as hollows, turned inwards. `open`: edges of one triangle are allowed, and sides are as they are.
void check_closed(const TriangleSurface& surface, bool open = false);

// Of the volume within a closed surface at unit density: by the divergence theorem a sum over tetrahedra (c, x0, x1,
// x2), of volume v = (x0 - c) . ((x1 - c) x (x2 - c)) / 6,
//
//   int dV = sum v,   int x dV = sum v s / 4,   int x x^T dV = sum v (s s^T + sum_i y_i y_i^T) / 20,
//
// with y_i = x_i - c, s = y_0 + y_1 + y_2.
struct SolidMoments {
  double volume = 0;       // m^3
  Vec3<double> centre{};   // m
  Mat3<double> inertia{};  // int (|x|^2 1 - x x^T) dV about the centre | m^5
};
SolidMoments moments(const TriangleSurface& surface);

}  // namespace lithe

// Points on the sides of elements with a volume, over the square [-1, 1]^2: natural coordinates and their derivatives.
// On a cube the square's coordinates are the two that follow the constant one in order; on a tetrahedron the edge xi[0]
// = 1 of the square is collapsed into a corner of the triangle.
#pragma once

#include <array>

#include "lithe/elements/kinds.h"

namespace lithe {

struct SidePoint {
  double xi[3] = {0, 0, 0};
  double along[2][3] = {};  // of xi, over the square's coordinates; along 0 x along 1 points outward where `at` > 0
};

inline SidePoint side_point(const ElementInfo& info, int axis, double at, const std::array<double, 2>& square) {
  SidePoint point;
  const bool slanted = axis == 3;  // the coordinates add up to one
  const int a = slanted ? 0 : (axis + 1) % 3, b = slanted ? 1 : (axis + 2) % 3;
  if (info.cell == Cell::cube) {
    point.xi[axis] = at;
    point.xi[a] = square[0];
    point.xi[b] = square[1];
    point.along[0][a] = point.along[1][b] = 1;
    return point;
  }
  const double p = 0.5 * (1 + square[0]), q = 0.5 * (1 + square[1]) * (1 - p);
  point.xi[a] = p;
  point.xi[b] = q;
  point.along[0][a] = 0.5;
  point.along[0][b] = -0.25 * (1 + square[1]);
  point.along[1][b] = 0.5 * (1 - p);
  if (slanted) {
    point.xi[2] = 1 - p - q;
    for (auto& d : point.along) d[2] = -d[0] - d[1];
  }
  return point;
}

}  // namespace lithe

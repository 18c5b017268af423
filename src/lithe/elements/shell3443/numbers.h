// What the shell by stress resultants (resultant.h) keeps of an element, and how its edges are counted.
#pragma once

#include "lithe/base/config.h"

namespace lithe {

// Generalised strains of a shell's section: E11, E22, 2 E12, K11, K22, 2 K12 and the shears g13, g23.
inline constexpr int shell_strains = 8;

// Quadratic parts of the shear: of the edges, then of the diagonals.
inline constexpr int shell_bubbles = 6;

// Numbers of one element, in the order in which they are stored.
struct ShellNumbers {
  static constexpr int points = 4, nodes = 4, edges = 4, bubbles = shell_bubbles;
  // A point: stiffness of the six covariant strains times the area [21], part of each bubble in the bending
  // [bubble][3], strains of the reference [6].
  static constexpr int stiffness = 0, bubble = 21, reference = bubble + 3 * bubbles, point = reference + 6;
  // After the points: shear stiffness of the nodes [36], their shears in the reference [8], stiffness and strain of the
  // thickness [node][2], of the edges [edge][stiffness of the hourglass 2, reference 3], of the warp [axis][stiffness,
  // reference], of the bubbles [reference], of the diagonals [diagonal][slopes 4, middle 4].
  static constexpr int shear = points * point, shear_reference = shear + 36, thickness = shear_reference + 8,
                       edge = thickness + 8, edge_numbers = 5, warp = edge + edges * edge_numbers,
                       bubble_reference = warp + 4, diagonal = bubble_reference + bubbles, diagonal_numbers = 8,
                       count = diagonal + 2 * diagonal_numbers;
};

// Upper triangle of a symmetric matrix of n rows, row by row.
LITHE_HD constexpr int upper(int n, int i, int j) { return i <= j ? i * n - i * (i - 1) / 2 + j - i : upper(n, j, i); }

// An edge from `from` to `to` along `axis` (0 xi, 1 eta), on the side `side` of the other one.
struct ShellEdge {
  int from, to, axis;
  double side;
};
LITHE_HD constexpr ShellEdge shell_edge(int e) {
  constexpr ShellEdge of[4] = {{0, 1, 0, -1}, {3, 2, 0, 1}, {0, 3, 1, -1}, {1, 2, 1, 1}};
  return of[e];
}

template <class T>
LITHE_FORCE_INLINE LITHE_HD T inner(const T* a, const T* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
LITHE_FORCE_INLINE LITHE_HD void add_scaled(T* sum, const T& c, const T* a) {
  for (int m = 0; m < 3; ++m) sum[m] += c * a[m];
}

}  // namespace lithe

// Tet 10: quadratic tetrahedron, natural coordinates as Tet 4. Nodes 4 to 9 lie in the middle of the edges 01, 12, 02,
// 03, 13, 23 (the order of VTK and Abaqus; gmsh has the last two the other way round). With L_i the linear functions,
// S_i = L_i (2 L_i - 1) at the corners and 4 L_i L_j on the edge ij.
#pragma once

#include "lithe/base/config.h"
#include "lithe/elements/node_vectors.h"
#include "lithe/elements/solid/make_kernel.h"

namespace lithe {

struct Tet10 : PositionVector {
  static constexpr const char *name = "tet10", *help = "solid tetrahedron, ten nodes; quadratic",
                              *theory = "theory/solids.md";
  static constexpr int nodes = 10, node_vectors = 1, N = 10, dimension = 3;
  static constexpr Cell cell = Cell::tetrahedron;
  static constexpr double corner[nodes][3] = {{0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
                                              {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  static constexpr int quadrature[] = {4};
  static constexpr const char* meshes[] = {"block", "pipe", "nodes", "file"};
  static constexpr const char* sections[] = {"plate"};
  static constexpr const char* materials[] = {"isotropic", "orthotropic"};
  static constexpr const char* strategies[] = {"batched", "C"};
  static constexpr bool lumped = true;
  static constexpr auto make_kernel = make_solid_kernel;
  LITHE_HD static constexpr int edge(int k, int end) {
    constexpr int ends[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    return ends[k][end];
  }

  template <class T>
  LITHE_HD static void shape(const T* x, T* S) {
    const T L[4] = {1.0 - x[0] - x[1] - x[2], x[0], x[1], x[2]};
    for (int n = 0; n < 4; ++n) S[n] = L[n] * (2.0 * L[n] - 1.0);
    for (int k = 0; k < 6; ++k) S[4 + k] = 4.0 * L[edge(k, 0)] * L[edge(k, 1)];
  }
  template <class T>
  LITHE_HD static void derivative(const T* x, T (*dS)[3]) {
    const T L[4] = {1.0 - x[0] - x[1] - x[2], x[0], x[1], x[2]};
    const auto slope = [](int n, int d) { return n == 0 ? -1.0 : n == d + 1 ? 1.0 : 0.0; };
    for (int d = 0; d < 3; ++d) {
      for (int n = 0; n < 4; ++n) dS[n][d] = (4.0 * L[n] - 1.0) * slope(n, d);
      for (int k = 0; k < 6; ++k)
        dS[4 + k][d] = 4.0 * (L[edge(k, 0)] * slope(edge(k, 1), d) + L[edge(k, 1)] * slope(edge(k, 0), d));
    }
  }
};

}  // namespace lithe

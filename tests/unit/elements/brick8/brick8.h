// A kind from outside of the library, all of it: a brick of eight nodes that have a position and nothing else.
// S_i = (1 + xi xi_i)(1 + eta eta_i)(1 + zeta zeta_i)/8; St. Venant-Kirchhoff through the plain kernel.
#pragma once

#include "lithe/elements/kind_info.h"

namespace lithe::test {

struct Brick8 : PositionVector {
  static constexpr const char *name = "brick8", *help = "trilinear brick, eight nodes with positions alone",
                              *theory = "theory/meshes.md";
  static constexpr int nodes = 8, node_vectors = 1, N = 8, dimension = 3;
  static constexpr double corner[nodes][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                              {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  static constexpr int quadrature[] = {2, 2, 2};
  static constexpr const char* meshes[] = {"block", "plate", "nodes"};
  static constexpr const char* sections[] = {"plate"};
  static constexpr const char* materials[] = {"isotropic", "orthotropic"};

  template <class T>
  static void shape(const T* x, T* S) {
    for (int n = 0; n < nodes; ++n)
      S[n] = (1.0 + x[0] * corner[n][0]) * (1.0 + x[1] * corner[n][1]) * (1.0 + x[2] * corner[n][2]) * 0.125;
  }
  template <class T>
  static void derivative(const T* x, T (*dS)[3]) {
    for (int n = 0; n < nodes; ++n)
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        dS[n][a] = corner[n][a] * (1.0 + x[b] * corner[n][b]) * (1.0 + x[c] * corner[n][c]) * 0.125;
      }
  }
};

}  // namespace lithe::test

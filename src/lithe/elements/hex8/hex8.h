// Hex 8: trilinear brick of eight nodes with positions alone, S_i = (1 + xi xi_i)(1 + eta eta_i)(1 + zeta zeta_i)/8.
#pragma once

#include "lithe/base/config.h"
#include "lithe/elements/node_vectors.h"
#include "lithe/elements/solid/make_kernel.h"

namespace lithe {

struct Hex8 : PositionVector {
  static constexpr const char *name = "hex8", *help = "solid brick, eight nodes with positions alone",
                              *theory = "theory/solids.md";
  static constexpr int nodes = 8, node_vectors = 1, N = 8, dimension = 3;
  static constexpr double corner[nodes][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                              {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  static constexpr int quadrature[] = {2, 2, 2};
  static constexpr const char* meshes[] = {"plate", "annular_plate", "block", "pipe", "nodes", "file"};
  static constexpr const char* sections[] = {"plate"};
  static constexpr const char* materials[] = {"isotropic", "orthotropic"};
  static constexpr const char* strategies[] = {"batched", "C"};
  static constexpr bool lumped = true;
  static constexpr auto make_kernel = make_solid_kernel;

  template <class T>
  LITHE_HD static void shape(const T* x, T* S) {
    for (int n = 0; n < nodes; ++n)
      S[n] = (1.0 + x[0] * corner[n][0]) * (1.0 + x[1] * corner[n][1]) * (1.0 + x[2] * corner[n][2]) * 0.125;
  }
  template <class T>
  LITHE_HD static void derivative(const T* x, T (*dS)[3]) {
    for (int n = 0; n < nodes; ++n)
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        dS[n][a] = corner[n][a] * (1.0 + x[b] * corner[n][b]) * (1.0 + x[c] * corner[n][c]) * 0.125;
      }
  }
};

}  // namespace lithe

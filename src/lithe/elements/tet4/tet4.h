// Tet 4: linear tetrahedron, natural coordinates xi, eta, zeta >= 0 with xi + eta + zeta <= 1. Its strain is constant.
#pragma once

#include "lithe/base/config.h"
#include "lithe/elements/node_vectors.h"
#include "lithe/elements/solid/make_kernel.h"

namespace lithe {

struct Tet4 : PositionVector {
  static constexpr const char *name = "tet4",
                              *help = "solid tetrahedron, four nodes; constant strain, stiff in bending",
                              *theory = "theory/solids.md";
  static constexpr int nodes = 4, node_vectors = 1, N = 4, dimension = 3;
  static constexpr Cell cell = Cell::tetrahedron;
  static constexpr double corner[nodes][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static constexpr int quadrature[] = {1};
  static constexpr const char* meshes[] = {"block", "pipe", "nodes", "file"};
  static constexpr const char* sections[] = {"plate"};
  static constexpr const char* materials[] = {"isotropic", "orthotropic"};
  static constexpr const char* strategies[] = {"batched", "C"};
  static constexpr bool lumped = true;
  static constexpr auto make_kernel = make_solid_kernel;

  template <class T>
  LITHE_HD static void shape(const T* x, T* S) {
    S[0] = 1.0 - x[0] - x[1] - x[2];
    for (int d = 0; d < 3; ++d) S[1 + d] = x[d];
  }
  template <class T>
  LITHE_HD static void derivative(const T*, T (*dS)[3]) {
    for (int n = 0; n < nodes; ++n)
      for (int d = 0; d < 3; ++d) dS[n][d] = T(n == 0 ? -1.0 : n == d + 1 ? 1.0 : 0.0);
  }
};

}  // namespace lithe

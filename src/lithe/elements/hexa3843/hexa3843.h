// Hexa 3843 (P0 section 3): eight nodes with r, r_x, r_y, r_z; 32 shape functions, 96 coordinates.
//
// Scaled coordinates r, (L/2) r_x, (W/2) r_y, (T/2) r_z make the functions dimensionless. With a = xi xi_i,
// b = eta eta_i, c = zeta zeta_i (bottom face counter-clockwise, then the top face):
//   r:   (1+a)(1+b)(1+c)(2+a+b+c-xi^2-eta^2-zeta^2)/16
//   r_x: xi_i (1+a)^2 (a-1)(1+b)(1+c)/16, and the same for y and z.
#pragma once

#include "lithe/base/config.h"
#include "lithe/elements/node_vectors.h"

namespace lithe {

struct Hexa3843 : GradientVectors {
  static constexpr const char *name = "hexa3843", *help = "solid brick, eight nodes with full gradients",
                              *theory = "theory/hexa3843.md";
  static constexpr int nodes = 8;
  static constexpr int node_vectors = 4;
  static constexpr int N = 32;
  static constexpr int dimension = 3;
  static constexpr double corner[nodes][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                              {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  static constexpr int quadrature[] = {4, 4, 4};
  static constexpr const char* meshes[] = {"plate", "annular_plate", "block", "pipe", "nodes"};
  static constexpr const char* sections[] = {"plate"};
  static constexpr const char* materials[] = {"isotropic", "orthotropic"};
  static constexpr bool every_strategy = true;

  template <class T>
  LITHE_HD static void shape(const T* x, T* S) {
    for (int n = 0; n < nodes; ++n) {
      T s[3], p[3], h = T(2.0);
      for (int d = 0; d < 3; ++d) {
        s[d] = x[d] * corner[n][d];
        p[d] = 1.0 + s[d];
        h = h + s[d] - x[d] * x[d];
      }
      const T bubble = p[0] * p[1] * p[2];
      S[4 * n] = bubble * h * 0.0625;
      for (int d = 0; d < 3; ++d) S[4 * n + 1 + d] = corner[n][d] * bubble * p[d] * (s[d] - 1.0) * 0.0625;
    }
  }

  template <class T>
  LITHE_HD static void derivative(const T* x, T (*dS)[3]) {
    for (int n = 0; n < nodes; ++n) {
      const double* c = corner[n];
      T s[3], p[3], h = T(2.0);
      for (int d = 0; d < 3; ++d) {
        s[d] = x[d] * c[d];
        p[d] = 1.0 + s[d];
        h = h + s[d] - x[d] * x[d];
      }
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        dS[4 * n][k] = p[i] * p[j] * (c[k] * h + p[k] * (c[k] - 2.0 * x[k])) * 0.0625;
        dS[4 * n + 1 + k][k] = (2.0 * p[k] * (s[k] - 1.0) + p[k] * p[k]) * p[i] * p[j] * 0.0625;
        dS[4 * n + 1 + i][k] = c[i] * c[k] * p[i] * p[i] * (s[i] - 1.0) * p[j] * 0.0625;
        dS[4 * n + 1 + j][k] = c[j] * c[k] * p[j] * p[j] * (s[j] - 1.0) * p[i] * 0.0625;
      }
    }
  }
};

}  // namespace lithe

// Shell 3443 (P0 section 3): four nodes with r, r_x, r_y, r_z; 16 shape functions, 48 coordinates.
//
// Scaled coordinates r, (L/2) r_x, (W/2) r_y, (T/2) r_z make the functions dimensionless. With a = xi xi_i,
// b = eta eta_i (nodes counter-clockwise from (-1,-1)):
//   r:   (1+a)(1+b)(2+a+b-xi^2-eta^2)/8        r_x: xi_i (1+a)^2 (a-1)(1+b)/8
//   r_y: eta_i (1+a)(1+b)^2 (b-1)/8            r_z: zeta (1+a)(1+b)/4
// so r = A(xi,eta) + zeta B(xi,eta).
#pragma once

#include "lithe/base/config.h"
#include "lithe/elements/node_vectors.h"

namespace lithe {

struct SectionForm;
extern const SectionForm shell_section_form;  // resultant_kernel.cpp

struct Shell3443 : GradientVectors {
  static constexpr const char *name = "shell3443",
                              *help = "shell of any number of layers, four nodes with full gradients",
                              *theory = "theory/shell3443.md";
  static constexpr int nodes = 4;
  static constexpr int node_vectors = 4;
  static constexpr int N = 16;
  static constexpr int dimension = 2;
  static constexpr double corner[nodes][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  static constexpr int quadrature[] = {4, 4, 2};
  static constexpr const char* meshes[] = {"plate", "annular_plate", "nodes"};
  static constexpr const char* sections[] = {"plate", "layered"};
  static constexpr const char* materials[] = {"isotropic", "orthotropic"};
  static constexpr bool every_strategy = true;
  static constexpr const SectionForm* section_form = &shell_section_form;

  template <class T>
  LITHE_HD static void shape(const T* x, T* S) {
    const T xi = x[0], eta = x[1], zeta = x[2];
    for (int n = 0; n < nodes; ++n) {
      const double xn = corner[n][0], yn = corner[n][1];
      const T a = xi * xn, b = eta * yn, p = 1.0 + a, q = 1.0 + b;
      S[4 * n] = p * q * (2.0 + a + b - xi * xi - eta * eta) * 0.125;
      S[4 * n + 1] = xn * p * p * (a - 1.0) * q * 0.125;
      S[4 * n + 2] = yn * p * q * q * (b - 1.0) * 0.125;
      S[4 * n + 3] = zeta * p * q * 0.25;
    }
  }

  template <class T>
  LITHE_HD static void derivative(const T* x, T (*dS)[3]) {
    const T xi = x[0], eta = x[1], zeta = x[2];
    for (int n = 0; n < nodes; ++n) {
      const double xn = corner[n][0], yn = corner[n][1];
      const T a = xi * xn, b = eta * yn, p = 1.0 + a, q = 1.0 + b;
      const T h = 2.0 + a + b - xi * xi - eta * eta;
      dS[4 * n][0] = (xn * q * h + p * q * (xn - 2.0 * xi)) * 0.125;
      dS[4 * n][1] = (yn * p * h + p * q * (yn - 2.0 * eta)) * 0.125;
      dS[4 * n + 1][0] = (2.0 * p * (a - 1.0) + p * p) * q * 0.125;  // xi_i^2 = 1
      dS[4 * n + 1][1] = xn * yn * p * p * (a - 1.0) * 0.125;
      dS[4 * n + 2][0] = xn * yn * q * q * (b - 1.0) * 0.125;
      dS[4 * n + 2][1] = (2.0 * q * (b - 1.0) + q * q) * p * 0.125;
      dS[4 * n + 3][0] = xn * q * zeta * 0.25;
      dS[4 * n + 3][1] = yn * p * zeta * 0.25;
      dS[4 * n + 3][2] = p * q * 0.25;
      for (int k = 0; k < 3; ++k) dS[4 * n + k][2] = T(0.0);
    }
  }
};

}  // namespace lithe

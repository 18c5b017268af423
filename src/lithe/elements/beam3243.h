// Beam 3243 (P0 section 3): two nodes with r, r_x, r_y, r_z; 8 shape functions, 24 coordinates.
//
// Coordinates are scaled: the kernel works on r, (L/2) r_x, (W/2) r_y, (T/2) r_z, so the functions below carry no
// dimension. With xi in [-1,1] along the axis, eta and zeta across the section:
//   r(xi,eta,zeta) = A(xi) + eta B(xi) + zeta C(xi),
// A a cubic Hermite curve, B and C linear. The section gradients g = (A', B', B, C', C) depend on xi alone; at a point
// of the section dr/d(xi,eta,zeta) = sum_k g_k chi_k(eta,zeta). See docs/theory/section_kernel.md.
#pragma once

#include "lithe/base/config.h"
#include "lithe/elements/shape_group.h"

namespace lithe {

struct Beam3243 {
  static constexpr const char* name = "beam3243";
  static constexpr int nodes = 2;
  static constexpr int node_vectors = 4;
  static constexpr int N = 8;
  static constexpr int section_axes = 1;       // xi alone: points with equal xi form a section
  static constexpr int section_gradients = 5;  // A', B', B, C', C
  static constexpr int groups = 3;
  static constexpr double corner[nodes][3] = {{-1, 0, 0}, {1, 0, 0}};
  // Functions that touch the same section gradients: A {0}, B {1,2}, C {3,4}.
  static constexpr ShapeGroup group[groups] = {{0, 1, 4, {0, 1, 4, 5}}, {1, 2, 2, {2, 6}}, {3, 2, 2, {3, 7}}};

  template <class T>
  LITHE_HD static void shape(const T* x, T* S) {
    const T xi = x[0], eta = x[1], zeta = x[2];
    S[0] = (xi * xi * xi - 3.0 * xi + 2.0) * 0.25;
    S[1] = (xi * xi * xi - xi * xi - xi + 1.0) * 0.25;
    S[2] = eta * (1.0 - xi) * 0.5;
    S[3] = zeta * (1.0 - xi) * 0.5;
    S[4] = (-xi * xi * xi + 3.0 * xi + 2.0) * 0.25;
    S[5] = (xi * xi * xi + xi * xi - xi - 1.0) * 0.25;
    S[6] = eta * (1.0 + xi) * 0.5;
    S[7] = zeta * (1.0 + xi) * 0.5;
  }

  // dS[i][k]: weight of function i in section gradient k; zero outside its group.
  template <class T>
  LITHE_HD static void section_shape(const T* x, T (*dS)[section_gradients]) {
    const T xi = x[0];
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < section_gradients; ++k) dS[i][k] = T(0.0);
    dS[0][0] = (3.0 * xi * xi - 3.0) * 0.25;
    dS[1][0] = (3.0 * xi * xi - 2.0 * xi - 1.0) * 0.25;
    dS[4][0] = (3.0 - 3.0 * xi * xi) * 0.25;
    dS[5][0] = (3.0 * xi * xi + 2.0 * xi - 1.0) * 0.25;
    for (int g = 0; g < 2; ++g) {  // B then C
      dS[2 + g][1 + 2 * g] = T(-0.5);
      dS[2 + g][2 + 2 * g] = (1.0 - xi) * 0.5;
      dS[6 + g][1 + 2 * g] = T(0.5);
      dS[6 + g][2 + 2 * g] = (1.0 + xi) * 0.5;
    }
  }

  // chi[k][alpha]: dr/dxi_alpha = sum_k g_k chi[k][alpha].
  template <class T>
  LITHE_HD static void fibre(const T* x, T (*chi)[3]) {
    for (int k = 0; k < section_gradients; ++k)
      for (int a = 0; a < 3; ++a) chi[k][a] = T(0.0);
    chi[0][0] = T(1.0);
    chi[1][0] = x[1];
    chi[2][1] = T(1.0);
    chi[3][0] = x[2];
    chi[4][2] = T(1.0);
  }
};

}  // namespace lithe

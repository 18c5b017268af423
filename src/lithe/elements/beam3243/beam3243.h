// Beam 3243 (P0 section 3): two nodes with r, r_x, r_y, r_z; 8 shape functions, 24 coordinates.
//
// Coordinates are scaled: the kernel works on r, (L/2) r_x, (W/2) r_y, (T/2) r_z, so the functions below carry no
// dimension. With xi in [-1,1] along the axis, eta and zeta across the section:
//   r(xi,eta,zeta) = A(xi) + eta B(xi) + zeta C(xi),   A a cubic Hermite curve, B and C linear.
#pragma once

#include "lithe/base/config.h"
#include "lithe/elements/node_vectors.h"

namespace lithe {

struct SectionForm;
extern const SectionForm beam_section_form;  // resultant_kernel.cpp

struct Beam3243 : GradientVectors {
  static constexpr const char *name = "beam3243", *help = "beam with deformable section, two nodes with full gradients",
                              *theory = "theory/beam3243.md";
  static constexpr int nodes = 2;
  static constexpr int node_vectors = 4;
  static constexpr int N = 8;
  static constexpr int dimension = 1;
  static constexpr double corner[nodes][3] = {{-1, 0, 0}, {1, 0, 0}};
  static constexpr int quadrature[] = {3, 2, 2};
  static constexpr const char* meshes[] = {"line", "arc", "nodes"};
  static constexpr const char* sections[] = {"rectangle", "circle", "tube",    "box",     "I",
                                             "channel",   "angle",  "polygon", "general", "tapered"};
  static constexpr const char* materials[] = {"isotropic", "orthotropic"};
  static constexpr bool every_strategy = true;
  static constexpr bool split_law = true;
  static constexpr const SectionForm* section_form = &beam_section_form;

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

  template <class T>
  LITHE_HD static void derivative(const T* x, T (*dS)[3]) {
    const T xi = x[0], eta = x[1], zeta = x[2];
    for (int i = 0; i < N; ++i)
      for (int a = 0; a < 3; ++a) dS[i][a] = T(0.0);
    dS[0][0] = (3.0 * xi * xi - 3.0) * 0.25;
    dS[1][0] = (3.0 * xi * xi - 2.0 * xi - 1.0) * 0.25;
    dS[4][0] = (3.0 - 3.0 * xi * xi) * 0.25;
    dS[5][0] = (3.0 * xi * xi + 2.0 * xi - 1.0) * 0.25;
    dS[2][0] = -0.5 * eta;
    dS[3][0] = -0.5 * zeta;
    dS[6][0] = 0.5 * eta;
    dS[7][0] = 0.5 * zeta;
    dS[2][1] = dS[3][2] = (1.0 - xi) * 0.5;
    dS[6][1] = dS[7][2] = (1.0 + xi) * 0.5;
  }
};

}  // namespace lithe

// How the interpolation of Hexa 3843 separates (section_scheme.h, docs/theory/section_kernel.md).
#pragma once

#include "lithe/elements/hexa3843/hexa3843.h"
#include "lithe/elements/section_scheme.h"

namespace lithe {

template <>
struct SectionScheme<Hexa3843> {
  using Kind = Hexa3843;
  static constexpr int stages = 1;
  static constexpr int line_axes = 2;
  struct FibreStage {  // r = sum_c A_c(xi,eta) phi_c(zeta), c = 0..3: gradients A_c,xi, A_c,eta, A_c
    static constexpr int lower = 3, upper = 12, feeds = 12;
    static constexpr Feed feed[feeds] = {{0, 0}, {1, 1}, {2, 2}, {3, 0}, {4, 1},  {5, 2},
                                         {6, 0}, {7, 1}, {8, 2}, {9, 0}, {10, 1}, {11, 2}};
    static void values(const double* x, double* c) {
      const LineFunctions phi(x[2]);
      for (int k = 0; k < 4; ++k) {
        c[3 * k] = c[3 * k + 1] = phi.value[k];
        c[3 * k + 2] = phi.slope[k];
      }
    }
  };
  using LineStage = FibreStage;  // not used
  static constexpr int gradients = 12;
  static constexpr int groups = 4;
  static constexpr ShapeGroup group[groups] = {{0, 3, 12, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14}},
                                               {3, 3, 12, {16, 20, 24, 28, 17, 21, 25, 29, 18, 22, 26, 30}},
                                               {6, 3, 4, {3, 7, 11, 15}},
                                               {9, 3, 4, {19, 23, 27, 31}}};
  static constexpr int edges = 12;
  static constexpr SlopeEdge edge[edges] = {{0, 1, 0}, {3, 2, 0}, {4, 5, 0}, {7, 6, 0}, {0, 3, 1}, {1, 2, 1},
                                            {4, 7, 1}, {5, 6, 1}, {0, 4, 2}, {1, 5, 2}, {2, 6, 2}, {3, 7, 2}};

  static void weights(const double* x, int, int member, double* w) {
    const LineFunctions phi(x[0]), psi(x[1]);
    const int node = member % 4, slope = member / 4;  // 0: value, 1: slope along xi, 2: along eta
    const int a = (node == 1 || node == 2) + (slope == 1 ? 2 : 0), b = (node >= 2) + (slope == 2 ? 2 : 0);
    w[0] = phi.slope[a] * psi.value[b];
    w[1] = phi.value[a] * psi.slope[b];
    w[2] = phi.value[a] * psi.value[b];
  }
};

}  // namespace lithe

// How the interpolation of Shell 3443 separates (section_scheme.h, docs/theory/section_kernel.md).
#pragma once

#include "lithe/elements/section_scheme.h"
#include "lithe/elements/shell3443/shell3443.h"

namespace lithe {

template <>
struct SectionScheme<Shell3443> {
  using Kind = Shell3443;
  static constexpr int stages = 2;
  static constexpr int line_axes = 2;
  struct FibreStage {  // A_xi, A_eta, B_xi, B_eta, B
    static constexpr int lower = 3, upper = 5, feeds = 5;
    static constexpr Feed feed[feeds] = {{0, 0}, {1, 1}, {2, 0}, {3, 1}, {4, 2}};
    static void values(const double* x, double* c) {
      c[0] = c[1] = c[4] = 1;
      c[2] = c[3] = x[2];
    }
  };
  struct LineStage {  // A = sum_c A_c(xi) phi_c(eta), c = 0..3: gradients A_c', A_c; B: the same, c = 0, 1
    static constexpr int lower = 5, upper = 12, feeds = 14;
    static constexpr Feed feed[feeds] = {{0, 0}, {1, 1}, {2, 0}, {3, 1}, {4, 0},  {5, 1},  {6, 0},
                                         {7, 1}, {8, 2}, {9, 3}, {9, 4}, {10, 2}, {11, 3}, {11, 4}};
    static void values(const double* x, double* c) {
      const LineFunctions phi(x[1]);
      for (int k = 0; k < 4; ++k) {
        c[2 * k] = phi.value[k];
        c[2 * k + 1] = phi.slope[k];
      }
      for (int k = 0; k < 2; ++k) {
        c[8 + 3 * k] = c[10 + 3 * k] = phi.value[k];
        c[9 + 3 * k] = phi.slope[k];
      }
    }
  };
  static constexpr int gradients = 12;
  static constexpr int groups = 6;
  static constexpr ShapeGroup group[groups] = {{0, 2, 4, {0, 4, 1, 5}}, {2, 2, 4, {12, 8, 13, 9}},
                                               {4, 2, 2, {2, 6}},       {6, 2, 2, {14, 10}},
                                               {8, 2, 2, {3, 7}},       {10, 2, 2, {15, 11}}};
  static constexpr int edges = 4;
  static constexpr SlopeEdge edge[edges] = {{0, 1, 0}, {3, 2, 0}, {0, 3, 1}, {1, 2, 1}};

  static void weights(const double* x, int, int member, double* w) {
    const LineFunctions phi(x[0]);
    w[0] = phi.slope[member];
    w[1] = phi.value[member];
  }
};

}  // namespace lithe

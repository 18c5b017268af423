// How the interpolation of Beam 3243 separates (section_scheme.h, docs/theory/section_kernel.md).
#pragma once

#include "lithe/elements/beam3243/beam3243.h"
#include "lithe/elements/section_scheme.h"

namespace lithe {

template <>
struct SectionScheme<Beam3243> {
  using Kind = Beam3243;
  static constexpr int stages = 1;
  static constexpr int line_axes = 1;
  struct FibreStage {
    static constexpr int lower = 3, upper = 5, feeds = 5;
    static constexpr Feed feed[feeds] = {{0, 0}, {1, 0}, {2, 1}, {3, 0}, {4, 2}};
    static void values(const double* x, double* c) {
      c[0] = c[2] = c[4] = 1;
      c[1] = x[1];
      c[3] = x[2];
    }
  };
  using LineStage = FibreStage;  // not used
  static constexpr int gradients = 5;
  static constexpr int groups = 3;  // A {A'}, B {B', B}, C {C', C}
  static constexpr ShapeGroup group[groups] = {{0, 1, 4, {0, 1, 4, 5}}, {1, 2, 2, {2, 6}}, {3, 2, 2, {3, 7}}};
  static constexpr int edges = 0;
  static constexpr SlopeEdge edge[1] = {{0, 0, 0}};

  // Weight of the group's member in each gradient of the group.
  static void weights(const double* x, int g, int member, double* w) {
    const double unit[3] = {x[0], 1, 1};  // S of B and C is eta or zeta times a function of xi
    double dS[Kind::N][3];
    Kind::derivative(unit, dS);
    const int i = group[g].member[member];
    w[0] = dS[i][0];
    if (g > 0) w[1] = dS[i][g];
  }
};

}  // namespace lithe

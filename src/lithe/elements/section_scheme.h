// How the interpolation of each continuum kind separates, so that points with equal coordinates share work
// (docs/theory/section_kernel.md). Between the coordinate vectors and the gradients dr/d(xi,eta,zeta) of a point stand
// one or two levels of generalised gradients, each a 3-vector that depends on fewer coordinates:
//   point (xi,eta,zeta)  <- fibre stage -  line (xi,eta)  <- line stage -  section (xi)  <-  coordinate vectors.
// A stage is a list of feeds: lower gradient += value(coordinate) * upper gradient. Kinds with one stage have one line
// per section.
//
// Shell and hexa work on relative slopes: with r_x - (r_plus - r_minus)/2 in place of r_x along every edge, position
// functions become (bi/tri)linear and every function a product of the four functions of one variable below.
#pragma once

#include "lithe/elements/beam3243.h"
#include "lithe/elements/hexa3843.h"
#include "lithe/elements/shell3443.h"

namespace lithe {

// Shape functions that feed the same gradients: first_gradient .. first_gradient + gradients - 1.
struct ShapeGroup {
  int first_gradient;
  int gradients;
  int count;
  int member[32];
};

struct Feed {
  int upper, lower;
};

// Two nodes along an axis (0, 1, 2 for xi, eta, zeta); their slopes are coordinate vectors 4 node + 1 + axis.
struct SlopeEdge {
  int minus, plus, axis;
};

// (1-x)/2, (1+x)/2, (1-x)^2 (1+x)/4, -(1+x)^2 (1-x)/4: end values and end slopes. The index of an end is 0 or 1.
struct LineFunctions {
  double value[4], slope[4];
  explicit LineFunctions(double x)
      : value{(1 - x) / 2, (1 + x) / 2, (1 - x) * (1 - x) * (1 + x) / 4, -(1 + x) * (1 + x) * (1 - x) / 4},
        slope{-0.5, 0.5, (3 * x * x - 2 * x - 1) / 4, (3 * x * x + 2 * x - 1) / 4} {}
};

template <class Kind>
struct SectionScheme;

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

// Force of a trilinear brick by its edges. Along an axis the gradient of r depends on the two other coordinates alone:
//
//   dr/dxi (eta, zeta) = sum over the four edges along xi of w_e (eta, zeta) (r_end - r_begin),
//
// so that the eight points of the default rule have four gradients along each axis, not eight, and every one of them
// four terms, not eight. A line is such a pair of coordinates. What points give back, w P B^T (section_point.h), is
// summed by lines the same way before it goes to the nodes: a third of the operations of sums over nodes at each point.
#pragma once

#include <cmath>
#include <vector>

#include "lithe/elements/hex8/hex8.h"
#include "lithe/elements/lanes.h"
#include "lithe/elements/section_point.h"

namespace lithe {

// Shared by the elements of a batch; any rule.
class BrickEdges {
 public:
  static constexpr int edges = 4, axes = 3;

  // dS: [point][node][3].
  BrickEdges(const std::vector<double>& dS, int points) {
    for (int a = 0; a < axes; ++a)
      for (int n = 0, e = 0; n < Hex8::nodes; ++n) {
        if (Hex8::corner[n][a] > 0) continue;
        begin[a][e] = n;
        for (int k = 0; k < Hex8::nodes; ++k)
          if (Hex8::corner[k][a] > 0 && Hex8::corner[k][(a + 1) % 3] == Hex8::corner[n][(a + 1) % 3] &&
              Hex8::corner[k][(a + 2) % 3] == Hex8::corner[n][(a + 2) % 3])
            end[a][e] = k;
        ++e;
      }
    line.resize(static_cast<std::size_t>(axes) * points);
    for (int a = 0; a < axes; ++a)
      for (int p = 0; p < points; ++p) {
        double w[edges];
        for (int e = 0; e < edges; ++e) w[e] = dS[3ul * (Hex8::nodes * p + end[a][e]) + a];
        int l = 0;
        while (l < lines(a) && !same(&weight[a][static_cast<std::size_t>(edges) * l], w)) ++l;
        if (l == lines(a)) weight[a].insert(weight[a].end(), w, w + edges);
        line[static_cast<std::size_t>(axes) * p + a] = l;
      }
    for (int a = 1; a < axes; ++a) first[a] = first[a - 1] + lines(a - 1);
  }
  int lines(int a) const { return static_cast<int>(weight[a].size()) / edges; }
  int lines() const { return lines(0) + lines(1) + lines(2); }
  // Values of T that brick_force needs: gradients of the lines, their rates, and what comes back.
  int scratch() const { return 9 * lines(); }
  double flops(int points, bool damped) const {
    return (damped ? 2 : 1) * (36 + 21.0 * lines()) + 9.0 * points + 24.0 * lines() + 72;
  }

  int begin[axes][edges], end[axes][edges];  // nodes
  std::vector<double> weight[axes];          // [line][edge]
  std::vector<int> line;                     // [point][axis]
  int first[axes] = {};                      // line of an axis among all

 private:
  static bool same(const double* a, const double* b) {
    for (int e = 0; e < edges; ++e)
      if (std::abs(a[e] - b[e]) > 1e-14) return false;
    return true;
  }
};

// x: [node][3]; gradients [line][3].
template <class T>
LITHE_FORCE_INLINE inline void line_gradients(const BrickEdges& brick, const double* x, T* gradients) {
  using Lane = LaneTraits<T>;
  for (int a = 0; a < BrickEdges::axes; ++a) {
    T d[BrickEdges::edges][3];
    for (int e = 0; e < BrickEdges::edges; ++e)
      for (int m = 0; m < 3; ++m)
        d[e][m] = Lane::load(x, 3 * brick.end[a][e] + m) - Lane::load(x, 3 * brick.begin[a][e] + m);
    const double* w = brick.weight[a].data();
    for (T *to = gradients + 3 * brick.first[a], *last = to + 3 * brick.lines(a); to != last; to += 3, w += 4)
      for (int m = 0; m < 3; ++m) to[m] = w[0] * d[0][m] + w[1] * d[1][m] + w[2] * d[2][m] + w[3] * d[3][m];
  }
}

// law: [point]; numbers: [point] as PointGeometry has them.
template <bool damped, class T>
void brick_force(const BrickEdges& brick, const Law* law, int points, const double* numbers, const double* x,
                 const double* v, double* f, T* scratch) {
  using Lane = LaneTraits<T>;
  constexpr int lanes = sizeof(typename Lane::Data) / sizeof(double), axes = BrickEdges::axes;
  T *gradients = scratch, *rates = gradients + 3 * brick.lines(), *sums = rates + 3 * brick.lines();
  line_gradients(brick, x, gradients);
  if constexpr (damped) line_gradients(brick, v, rates);
  for (int k = 0; k < 3 * brick.lines(); ++k) sums[k] = T{};
  for (int p = 0; p < points; ++p) {
    int at[axes];
    T G[axes][3], rate[axes][3], q[9];
    for (int a = 0; a < axes; ++a) {
      at[a] = 3 * (brick.first[a] + brick.line[axes * p + a]);
      for (int m = 0; m < 3; ++m) {
        G[a][m] = gradients[at[a] + m];
        if constexpr (damped) rate[a][m] = rates[at[a] + m];
      }
    }
    point_force<damped ? Damping::own : Damping::none>(law[p], PointGeometry<T>(numbers + 10 * lanes * p), G, rate, q);
    for (int a = 0; a < axes; ++a)
      for (int m = 0; m < 3; ++m) sums[at[a] + m] += q[3 * a + m];
  }
  T sum[Hex8::nodes][3] = {};
  for (int a = 0; a < axes; ++a) {
    T d[BrickEdges::edges][3] = {};
    const double* w = brick.weight[a].data();
    for (T *from = sums + 3 * brick.first[a], *last = from + 3 * brick.lines(a); from != last; from += 3)
      for (int e = 0; e < BrickEdges::edges; ++e, ++w)
        for (int m = 0; m < 3; ++m) d[e][m] += *w * from[m];
    for (int e = 0; e < BrickEdges::edges; ++e)
      for (int m = 0; m < 3; ++m) {
        sum[brick.end[a][e]][m] += d[e][m];
        sum[brick.begin[a][e]][m] -= d[e][m];
      }
  }
  for (int i = 0; i < Hex8::nodes; ++i)
    for (int m = 0; m < 3; ++m) Lane::store(f, 3 * i + m, sum[i][m]);
}

}  // namespace lithe

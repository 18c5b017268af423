// The arithmetic of pressure over plain views that may point into a device. A side of an element has slopes r_a, r_b
// along its two axes (r_a x r_b points outward where `weight` is positive); with Gauss points of weights w,
//
//   f_i = -p sum w S_i r_a x r_b,   -df_i/dq_j = p sum w S_i (S_j,b [r_a] - S_j,a [r_b]),   [a] b = a x b.
//
// A symmetric pattern gets the symmetric part of the tangent: the rest is that of the edges of the loaded surface.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lithe/base/small.h"

namespace lithe {

// Per direction of a side: exact, so that the tangent is symmetric but for the edges.
constexpr int side_points = 5;
constexpr int pressure_points = side_points * side_points;

// One side, plain pointers that may point into a device.
struct PressureSide {
  int vectors;
  const std::int32_t* vector;           // [vector]
  const double *S, *slope_a, *slope_b;  // [point][vector]
  const double* weight;                 // [point]
};

namespace pressure_detail {

struct Slopes {
  Vec3<double> a{}, b{};
};
// Not inlined: force and tangent see the same numbers, whatever the compiler makes of their loops.
LITHE_NOINLINE LITHE_HD Slopes slopes_at(const PressureSide& side, std::size_t point, const double* q) {
  Slopes s;
  const std::size_t N = side.vectors;
  for (std::size_t i = 0; i < N; ++i)
    for (int m = 0; m < 3; ++m) {
      s.a[m] += side.slope_a[point * N + i] * q[3l * side.vector[i] + m];
      s.b[m] += side.slope_b[point * N + i] * q[3l * side.vector[i] + m];
    }
  return s;
}

LITHE_HD Mat3<double> cross_matrix(const Vec3<double>& a) {
  return {{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}};
}

// The slopes at all points, and the tangent's blocks: w (S_j,b [r_a] - S_j,a [r_b]) is the matrix [x] of one vector x.
struct Blocks {
  const PressureSide& side;
  double factor;  // c_q p
  Slopes at[pressure_points];

  LITHE_HD Blocks(const PressureSide& of, double c_q, double pressure, const double* q)
      : side(of), factor(c_q * pressure) {
    for (int p = 0; p < pressure_points; ++p) at[p] = slopes_at(side, p, q);
  }
  LITHE_HD Mat3<double> operator()(std::size_t i, std::size_t j) const {
    const std::size_t N = side.vectors;
    Vec3<double> x{};
    for (std::size_t p = 0; p < pressure_points; ++p) {
      const double w = factor * side.weight[p] * side.S[p * N + i];
      const double along_a = side.slope_a[p * N + j], along_b = side.slope_b[p * N + j];
      for (int m = 0; m < 3; ++m) x[m] += w * (along_b * at[p].a[m] - along_a * at[p].b[m]);
    }
    return cross_matrix(x);
  }
};

}  // namespace pressure_detail

// sink.add(vector, force) at the coordinates q.
template <class Sink>
LITHE_HD void add_pressure_force(const PressureSide& side, double pressure, const double* q, const Sink& sink) {
  for (int p = 0; p < pressure_points; ++p) {
    const pressure_detail::Slopes s = pressure_detail::slopes_at(side, p, q);
    const Vec3<double> area = cross(s.a, s.b);
    for (int i = 0; i < side.vectors; ++i) {
      const double w = -pressure * side.weight[p] * side.S[p * side.vectors + i];
      sink.add(side.vector[i], w * area);
    }
  }
}

// sink.add(row, column, block); symmetric: each unordered pair once, the symmetric part.
template <class Sink>
LITHE_HD void add_pressure_tangent(const PressureSide& side, double pressure, const double* q, double c_q,
                                   bool symmetric, const Sink& sink) {
  const pressure_detail::Blocks exact(side, c_q, pressure, q);
  for (int i = 0; i < side.vectors; ++i)
    for (int j = symmetric ? i : 0; j < side.vectors; ++j) {
      Mat3<double> block = exact(i, j);
      if (symmetric) {
        const Mat3<double> one = block, other = exact(j, i);
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) block[m][n] = 0.5 * (one[m][n] + other[n][m]);
      }
      sink.add(side.vector[i], side.vector[j], block);
    }
}

}  // namespace lithe

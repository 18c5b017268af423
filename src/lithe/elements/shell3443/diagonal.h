// Kirchhoff's constraint along the diagonals of the shell by stress resultants (docs/theory/shell3443.md).
//
// From node d to node d + 2 the middle surface is the cubic with the slopes t = s_1 A_xi + s_2 A_eta at its ends, t
// half of the diagonal in the reference. In its middle, where the bilinear director is B(P) = sum_n m_n B_n, the shear
// is off the mean of its ends by
//
//   a_d = (t_i . B_i + t_j . B_j) / 2 - A_d . B(P),    A_d = 3/4 (r_j - r_i) - (t_i + t_j) / 4
//
// and the director in the middle of the element turns by what the edges' bubbles leave of it.
#pragma once

#include "lithe/elements/section_plan.h"
#include "lithe/elements/shell3443/numbers.h"

namespace lithe {

template <class T>
struct DiagonalMiddle {
  using Data = typename LaneTraits<T>::Data;
  Data slope[4], middle[4];  // s of node i, of node j; m
  int i, j;                  // nodes
  T A[3], B[3];

  // numbers: ShellNumbers.
  LITHE_FORCE_INLINE LITHE_HD DiagonalMiddle(const double* numbers, int d, const T (*x)[3]) : i(d), j(d + 2) {
    for (int k = 0; k < 4; ++k) {
      const int first = ShellNumbers::diagonal + d * ShellNumbers::diagonal_numbers + k;
      slope[k] = LaneTraits<T>::data(numbers, first);
      middle[k] = LaneTraits<T>::data(numbers, first + 4);
    }
    for (int m = 0; m < 3; ++m) {
      A[m] = 0.75 * (x[4 * j][m] - x[4 * i][m]);
      for (int q = 0; q < 4; ++q) A[m] -= (0.25 * slope[q]) * x[vector(d, 2 + q)][m];
      B[m] = middle[0] * x[3][m];
      for (int k = 1; k < 4; ++k) B[m] += middle[k] * x[4 * k + 3][m];
    }
  }
  // Vectors of A (two positions, two slopes at i, two at j), then of B.
  LITHE_FORCE_INLINE LITHE_HD static constexpr int vector(int d, int q) {
    if (q < 2) return 4 * (d + 2 * q);
    if (q < 6) return 4 * (q < 4 ? d : d + 2) + 1 + q % 2;
    return 4 * (q - 6) + 3;
  }
  // Factor of vector q in A.
  LITHE_FORCE_INLINE LITHE_HD Data of_A(int q) const {
    if (q < 2) return Data{} + (q == 0 ? -0.75 : 0.75);
    return -0.25 * slope[q - 2];
  }
  // Mean of the shears along the diagonal at its ends, of the covariant ones of its nodes; and the adjoint.
  LITHE_FORCE_INLINE LITHE_HD T ends(const T* of_i, const T* of_j) const {
    return 0.5 * (slope[0] * of_i[0] + slope[1] * of_i[1] + slope[2] * of_j[0] + slope[3] * of_j[1]);
  }
  LITHE_FORCE_INLINE LITHE_HD void add_ends(const T& stress, T* of_i, T* of_j) const {
    for (int a = 0; a < 2; ++a) {
      of_i[a] += (0.5 * slope[a]) * stress;
      of_j[a] += (0.5 * slope[2 + a]) * stress;
    }
  }
  // f += stress times the gradient of -A . B.
  LITHE_FORCE_INLINE LITHE_HD void add_force(int d, const T& stress, T (*f)[3]) const {
    for (int q = 0; q < 6; ++q) add_scaled<T>(f[vector(d, q)], -(of_A(q) * stress), B);
    for (int k = 0; k < 4; ++k) add_scaled<T>(f[4 * k + 3], -(middle[k] * stress), A);
  }
  // Gradient of a_d over the ten vectors.
  LITHE_FORCE_INLINE LITHE_HD void gradient(const T (*x)[3], T (*g)[3]) const {
    for (int m = 0; m < 3; ++m) {
      for (int q = 0; q < 6; ++q) g[q][m] = -(of_A(q) * B[m]);
      for (int k = 0; k < 4; ++k) g[6 + k][m] = -(middle[k] * A[m]);
      for (int a = 0; a < 2; ++a) {
        g[2 + a][m] += (0.5 * slope[a]) * x[4 * i + 3][m];
        g[4 + a][m] += (0.5 * slope[2 + a]) * x[4 * j + 3][m];
        g[6 + i][m] += (0.5 * slope[a]) * x[4 * i + 1 + a][m];
        g[6 + j][m] += (0.5 * slope[2 + a]) * x[4 * j + 1 + a][m];
      }
    }
  }
};

}  // namespace lithe

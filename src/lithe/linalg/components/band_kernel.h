// Signed Cholesky factors of a matrix whose entries lie in a band along its diagonal, of many such matrices at a time.
//
//   A = L S L^T,   S = diag(+1 or -1) known beforehand: +1 for coordinates, -1 for multipliers.
//
// A is cut into tiles of 3 x 3 and each row of tiles holds those from its first entry to the diagonal (an envelope: the
// factors fill no more than that). By columns j of tiles, with s the sign of a row of tiles:
//
//   s_j L_jj L_jj^T = A_jj - sum_k s_k L_jk L_jk^T
//   s_j L_ij L_jj^T = A_ij - sum_k s_k L_ik L_jk^T                                    i > j
//
// The diagonal of L_jj is stored as its inverse. In A = [K G^T; G 0] with each multiplier behind the coordinates that
// its row of G touches, a pivot of a coordinate is that of K under some of the constraints, and one of a multiplier is
// -G K^-1 G^T under those before it: the signs are right while K is positive definite and the rows are independent.
//
// A scalar T carries one matrix, or one in each of its lanes. A View is what `view[k]` reads and writes as the k-th
// number: a pointer to packs on the host; on a device one that steps from number to number by the number of threads
// that stand side by side, so that they read what lies side by side. Host and device compile the same source.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "lithe/base/config.h"
#ifdef LITHE_HAS_LANES
#include "lithe/base/simd.h"
#endif
#include "lithe/base/thread_group.h"

namespace lithe {

inline constexpr int tile_size = 3, tile_numbers = tile_size * tile_size;

// One for all matrices of a kind; arrays of plain numbers, wherever they live.
struct BandShape {
  int rows = 0;                         // of tiles
  const std::int32_t* first = nullptr;  // [row] its first tile's column
  const std::int32_t* last = nullptr;   // [column] the last row that has a tile there
  const std::int32_t* at = nullptr;     // [row] number of its first tile
  const signed char* sign = nullptr;    // [row]
};

template <class View>
using NumberOf = std::remove_cvref_t<decltype(std::declval<View&>()[0])>;

// Of one number, or of each lane.
template <class T>
LITHE_HD T root(const T& a) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::sqrt(a);
  } else {
    return sqrt(a);
  }
}

// Number 0 of tile (i, j).
LITHE_HD std::int32_t tile_at(const BandShape& shape, int i, int j) {
  return tile_numbers * (shape.at[i] + j - shape.first[i]);
}

// a = A_ij - sum_k s_k L_ik L_jk^T over the tiles that both rows have before column j.
template <class View>
LITHE_HD void reduce_tile(const BandShape& shape, const View& L, int i, int j, NumberOf<View>* a) {
  using T = NumberOf<View>;
  std::int32_t own = tile_at(shape, i, j);
  LITHE_UNROLL
  for (int m = 0; m < tile_numbers; ++m) a[m] = L[own + m];
  int k = shape.first[i] > shape.first[j] ? shape.first[i] : shape.first[j];
  own = tile_at(shape, i, k);
  std::int32_t other = tile_at(shape, j, k);
  for (; k < j; ++k, own += tile_numbers, other += tile_numbers) {
    T b[tile_numbers];
    LITHE_UNROLL
    for (int m = 0; m < tile_numbers; ++m) b[m] = L[other + m];
    if (shape.sign[k] < 0) {
      LITHE_UNROLL
      for (int m = 0; m < tile_numbers; ++m) b[m] = -b[m];
    }
    LITHE_UNROLL
    for (int r = 0; r < 3; ++r) {
      const T c0 = L[own + 3 * r], c1 = L[own + 3 * r + 1], c2 = L[own + 3 * r + 2];
      LITHE_UNROLL
      for (int c = 0; c < 3; ++c) a[3 * r + c] -= c0 * b[3 * c] + c1 * b[3 * c + 1] + c2 * b[3 * c + 2];
    }
  }
}

// The pivots d, before their roots are taken; one that is not positive becomes 1, so that the others in the pack stay
// numbers. Of multipliers `scale` is what their pivots would be without the multipliers before them.
template <class View>
LITHE_HD void factor_diagonal(const BandShape& shape, const View& L, int j, const View& pivot, const View& scale) {
  using T = NumberOf<View>;
  T a[tile_numbers];
  reduce_tile(shape, L, j, j, a);
  if (shape.sign[j] < 0) {
    LITHE_UNROLL
    for (int m = 0; m < tile_numbers; ++m) a[m] = -a[m];
    T sum[3] = {T{}, T{}, T{}};
    for (int k = shape.first[j]; k < j; ++k) {
      if (shape.sign[k] < 0) continue;
      const std::int32_t tile = tile_at(shape, j, k);
      LITHE_UNROLL
      for (int m = 0; m < tile_numbers; ++m) sum[m / 3] += L[tile + m] * L[tile + m];
    }
    LITHE_UNROLL
    for (int r = 0; r < 3; ++r) scale[3 * j + r] = sum[r];
  }
  const T one = T{} + 1.0, zero = T{};
  const auto inverse_root = [&](const T& d, int r) LITHE_FORCE_INLINE {
    pivot[3 * j + r] = d;
    const T good = d > zero ? d : one;
    return one / root(good);
  };
  const T i0 = inverse_root(a[0], 0);
  const T l10 = a[3] * i0, l20 = a[6] * i0;
  const T i1 = inverse_root(a[4] - l10 * l10, 1);
  const T l21 = (a[7] - l20 * l10) * i1;
  const T i2 = inverse_root(a[8] - l20 * l20 - l21 * l21, 2);
  const std::int32_t tile = tile_at(shape, j, j);
  L[tile] = i0;
  L[tile + 3] = l10;
  L[tile + 4] = i1;
  L[tile + 6] = l20;
  L[tile + 7] = l21;
  L[tile + 8] = i2;
}

// L: [tile][9] the lower triangle of A, then of the factors; pivot, scale: [row of tiles][3].
template <class View, class Group>
LITHE_HD void factor_band(const BandShape& shape, const View& L, const View& pivot, const View& scale,
                          const Group& group) {
  using T = NumberOf<View>;
  for (int j = 0; j < shape.rows; ++j) {
    if (group.rank() == 0) factor_diagonal(shape, L, j, pivot, scale);
    group.sync();
    const std::int32_t d = tile_at(shape, j, j);
    const T i0 = L[d], l10 = L[d + 3], i1 = L[d + 4], l20 = L[d + 6], l21 = L[d + 7], i2 = L[d + 8];
    for (int i = j + 1 + group.rank(); i <= shape.last[j]; i += group.size()) {
      if (shape.first[i] > j) continue;
      T a[tile_numbers];
      reduce_tile(shape, L, i, j, a);
      if (shape.sign[j] < 0) {
        LITHE_UNROLL
        for (int m = 0; m < tile_numbers; ++m) a[m] = -a[m];
      }
      const std::int32_t own = tile_at(shape, i, j);
      LITHE_UNROLL
      for (int r = 0; r < 3; ++r) {
        const T x0 = a[3 * r] * i0;
        const T x1 = (a[3 * r + 1] - x0 * l10) * i1;
        const T x2 = (a[3 * r + 2] - x0 * l20 - x1 * l21) * i2;
        L[own + 3 * r] = x0;
        L[own + 3 * r + 1] = x1;
        L[own + 3 * r + 2] = x2;
      }
    }
    group.sync();
  }
}

// x = S L^-1 x. The factors may have another scalar than x: one matrix for many right-hand sides.
template <class Factors, class View, class Group>
LITHE_HD void solve_forward(const BandShape& shape, const Factors& L, const View& x, const Group& group) {
  using T = NumberOf<View>;
  for (int j = 0; j < shape.rows; ++j) {
    const std::int32_t d = tile_at(shape, j, j);
    const T y0 = x[3 * j] * L[d];
    const T y1 = (x[3 * j + 1] - L[d + 3] * y0) * L[d + 4];
    const T y2 = (x[3 * j + 2] - L[d + 6] * y0 - L[d + 7] * y1) * L[d + 8];
    group.sync();  // everyone has read
    if (group.rank() == 0) {
      const bool minus = shape.sign[j] < 0;
      x[3 * j] = minus ? -y0 : y0;
      x[3 * j + 1] = minus ? -y1 : y1;
      x[3 * j + 2] = minus ? -y2 : y2;
    }
    for (int i = j + 1 + group.rank(); i <= shape.last[j]; i += group.size()) {
      if (shape.first[i] > j) continue;
      const std::int32_t tile = tile_at(shape, i, j);
      LITHE_UNROLL
      for (int r = 0; r < 3; ++r)
        x[3 * i + r] -= L[tile + 3 * r] * y0 + L[tile + 3 * r + 1] * y1 + L[tile + 3 * r + 2] * y2;
    }
    group.sync();
  }
}

// x = L^-T x.
template <class Factors, class View, class Group>
LITHE_HD void solve_backward(const BandShape& shape, const Factors& L, const View& x, const Group& group) {
  using T = NumberOf<View>;
  for (int i = shape.rows - 1; i >= 0; --i) {
    const std::int32_t d = tile_at(shape, i, i);
    const T x2 = x[3 * i + 2] * L[d + 8];
    const T x1 = (x[3 * i + 1] - L[d + 7] * x2) * L[d + 4];
    const T x0 = (x[3 * i] - L[d + 3] * x1 - L[d + 6] * x2) * L[d];
    group.sync();
    if (group.rank() == 0) {
      x[3 * i] = x0;
      x[3 * i + 1] = x1;
      x[3 * i + 2] = x2;
    }
    for (int j = shape.first[i] + group.rank(); j < i; j += group.size()) {
      const std::int32_t tile = tile_at(shape, i, j);
      LITHE_UNROLL
      for (int c = 0; c < 3; ++c) x[3 * j + c] -= L[tile + c] * x0 + L[tile + 3 + c] * x1 + L[tile + 6 + c] * x2;
    }
    group.sync();
  }
}

}  // namespace lithe

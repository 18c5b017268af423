// A = L U without pivoting, of a matrix whose entries stand near the diagonal, in dense tiles of `side` rows and
// columns. Row I of tiles of L begins where the first entry of A in these rows stands, column J of tiles of U where the
// first in these columns does: nothing fills in before it. A band of half-width K is the case that all begin K before.
//
//   U_IJ = L_II^-1 (A_IJ - sum_k L_Ik U_kJ),   L_JI = (A_JI - sum_k L_Jk U_kI) U_II^-1
//
// What L_II and U_II become are their inverses. Pivots smaller than `boost` become +-boost and are counted. The tiles
// are room to work in: SkylineLU takes what it needs of them, and the next matrix may have them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lithe/base/aligned.h"

namespace lithe {

template <class T>
class SkylineTiles {
 public:
  static constexpr int side = 64 / sizeof(T);  // a column of a tile fills a cache line, or a register
  static constexpr int tile = side * side;

  // Zeros, and ones on the diagonal of what fills the last tile. first_column: [row] of its first entry, first_row:
  // [column]; both at most the own number.
  void begin(std::span<const std::int32_t> first_column, std::span<const std::int32_t> first_row);
  // Within the skyline.
  void add(int i, int j, T value) {
    const int I = i / side, J = j / side, at = j % side * side + i % side;
    if (I == J) diagonal_[I * 2 * tile + at] += value;
    else if (I > J) lower_[(lower_at_[I] + J) * tile + at] += value;
    else upper_[(upper_at_[J] + I) * tile + at] += value;
  }
  // The number of pivots that were boosted.
  int factor(T boost);

  // Numbers of tiles, rows rounded up to tiles.
  int tiles() const { return tiles_; }
  int lower_first(int i) const { return lower_first_[i]; }
  int upper_first(int j) const { return upper_first_[j]; }
  // Each [column][row].
  const T* lower(int i, int k) const { return lower_.data() + (lower_at_[i] + k) * tile; }
  const T* upper(int k, int j) const { return upper_.data() + (upper_at_[j] + k) * tile; }
  const T* lower_inverse(int i) const { return diagonal_.data() + i * 2 * tile; }
  const T* upper_inverse(int i) const { return diagonal_.data() + (i * 2 + 1) * tile; }
  double flops() const { return flops_; }

 private:
  T* lower(int i, int k) { return lower_.data() + (lower_at_[i] + k) * tile; }
  T* upper(int k, int j) { return upper_.data() + (upper_at_[j] + k) * tile; }

  int tiles_ = 0;
  std::vector<std::int32_t> lower_first_, upper_first_;  // [tile row], [tile column]: the first tile
  std::vector<std::int64_t> lower_at_, upper_at_;        // place of tile k of row i: lower_at_[i] + k
  AlignedVector<T> lower_, upper_;
  AlignedVector<T> diagonal_;  // [tile] A_II, later L_II^-1; U_II^-1
  double flops_ = 0;
};

extern template class SkylineTiles<float>;
extern template class SkylineTiles<double>;

}  // namespace lithe

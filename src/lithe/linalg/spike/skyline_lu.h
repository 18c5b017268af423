// The factors of SkylineTiles to sweep over: L and U strip by strip in the order of the sweep, without the lines of
// tiles that are zero, and the inverses of the diagonal tiles' triangles, both in one tile: below the diagonal that of
// L, whose own is 1, from it on that of U. A sweep is products of lines and numbers.
#pragma once

#include "lithe/linalg/spike/lines.h"
#include "lithe/linalg/spike/skyline_tiles.h"

namespace lithe {

template <class T>
class SkylineLU {
 public:
  static constexpr int side = SkylineTiles<T>::side, tile = SkylineTiles<T>::tile;

  void take(const SkylineTiles<T>& factored);

  int tiles() const { return tiles_; }
  int padded() const { return tiles_ * side; }  // rows rounded up to tiles
  // x: [padded], zeros behind the last row. A^-1 x or A^-T x in place.
  void solve(T* x) const;
  void solve_transposed(T* x) const;
  // `side` right-hand sides at once: [row][right-hand side]. Tiles of rows before `first` are zero; those before `last`
  // are not wanted and hold nothing of meaning afterwards.
  void solve_panel(T* x, int first, int last) const;

  // That a solve reads.
  std::size_t numbers() const { return lower_.numbers() + upper_.numbers() + 2 * diagonal_.size(); }

 private:
  int tiles_ = 0;
  Lines<T> lower_, upper_;     // strip I: row I of L, row tiles - 1 - I of U
  AlignedVector<T> diagonal_;  // [tile][column][row]
};

extern template class SkylineLU<float>;
extern template class SkylineLU<double>;

}  // namespace lithe

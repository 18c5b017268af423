#include "lithe/linalg/spike/skyline_lu.h"

#include <array>
#include <type_traits>

namespace lithe {

namespace {

// The two triangles of a diagonal tile.
template <class T>
struct Triangles {
  static constexpr int side = Lines<T>::side;
  using Line = typename Lines<T>::Line;
  using Number = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using Rows [[gnu::vector_size(64)]] = Number;
  static Rows rows() {
    Rows numbers;
    for (int i = 0; i < side; ++i) numbers[i] = i;
    return numbers;
  }
  static Line column(const T* tile, int m, bool upper) {
    const Line whole = Lines<T>::load(tile + m * side), none = {};
    return upper ? (rows() <= m ? whole : none) : (rows() > m ? whole : none);
  }
  // L^-1 x, or U^-1 x.
  static Line product(const T* tile, bool upper, const T* x) {
    Line sum[2] = {};
    for (int m = 0; m < side; ++m) sum[m % 2] += column(tile, m, upper) * x[m];
    const Line all = sum[0] + sum[1];
    return upper ? all : all + Lines<T>::load(x);
  }
  static Line transposed_product(const T* tile, bool upper, const T* x) {
    const Line xs = Lines<T>::load(x);
    Line result;
    for (int m = 0; m < side; ++m) {
      const Line products = column(tile, m, upper) * xs;
      T sum = 0;
      for (int i = 0; i < side; ++i) sum += products[i];
      result[m] = sum;
    }
    return upper ? result : result + xs;
  }
  // The same of `side` right-hand sides in place.
  static void multiply_panel(const T* tile, bool upper, T* x) {
    std::array<Line, side> before;
    for (int m = 0; m < side; ++m) before[m] = Lines<T>::load(x + m * side);
    for (int i = 0; i < side; ++i) {
      Line sum = upper ? Line{} : before[i];
      for (int m = upper ? i : 0; m < (upper ? side : i); ++m) sum += before[m] * tile[m * side + i];
      Lines<T>::store(x + i * side, sum);
    }
  }
};

}  // namespace

template <class T>
void SkylineLU<T>::take(const SkylineTiles<T>& from) {
  tiles_ = from.tiles();
  lower_.clear();
  upper_.clear();
  diagonal_.resize(static_cast<std::size_t>(tiles_) * tile);
  for (int I = 0; I < tiles_; ++I) {
    for (int k = from.lower_first(I); k < I; ++k)
      for (int m = 0; m < side; ++m) lower_.add(k * side + m, from.lower(I, k) + m * side, T(0));
    lower_.end_strip();
    T* const diagonal = diagonal_.data() + static_cast<std::size_t>(I) * tile;
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i)
        diagonal[j * side + i] = (i > j ? from.lower_inverse(I) : from.upper_inverse(I))[j * side + i];
  }
  // The last column of tiles that reaches up to each row.
  std::vector<std::int32_t> last(tiles_);
  for (int J = 0; J < tiles_; ++J)
    for (int I = from.upper_first(J); I < J; ++I) last[I] = J;
  for (int I = tiles_ - 1; I >= 0; --I) {
    for (int J = I + 1; J <= last[I]; ++J)
      if (from.upper_first(J) <= I)
        for (int m = 0; m < side; ++m) upper_.add(J * side + m, from.upper(I, J) + m * side, T(0));
    upper_.end_strip();
  }
}

template <class T>
void SkylineLU<T>::solve(T* x) const {
  for (int I = 0; I < tiles_; ++I) {
    T* const here = x + I * side;
    Lines<T>::store(here, Lines<T>::load(here) - lower_.product(I, x));
    Lines<T>::store(here, Triangles<T>::product(diagonal_.data() + I * tile, false, here));
  }
  for (int I = tiles_ - 1; I >= 0; --I) {
    T* const here = x + I * side;
    Lines<T>::store(here, Lines<T>::load(here) - upper_.product(tiles_ - 1 - I, x));
    Lines<T>::store(here, Triangles<T>::product(diagonal_.data() + I * tile, true, here));
  }
}

template <class T>
void SkylineLU<T>::solve_transposed(T* x) const {
  for (int I = 0; I < tiles_; ++I) {
    T* const here = x + I * side;
    const auto found = Triangles<T>::transposed_product(diagonal_.data() + I * tile, true, here);
    Lines<T>::store(here, found);
    upper_.subtract_transposed(tiles_ - 1 - I, found, x);
  }
  for (int I = tiles_ - 1; I >= 0; --I) {
    T* const here = x + I * side;
    const auto found = Triangles<T>::transposed_product(diagonal_.data() + I * tile, false, here);
    Lines<T>::store(here, found);
    lower_.subtract_transposed(I, found, x);
  }
}

template <class T>
void SkylineLU<T>::solve_panel(T* x, int first, int last) const {
  for (int I = first; I < tiles_; ++I) {
    T* const here = x + static_cast<std::size_t>(I) * tile;
    lower_.subtract_panel(I, x, first * side, here);
    Triangles<T>::multiply_panel(diagonal_.data() + I * tile, false, here);
  }
  for (int I = tiles_ - 1; I >= last; --I) {
    T* const here = x + static_cast<std::size_t>(I) * tile;
    upper_.subtract_panel(tiles_ - 1 - I, x, 0, here);
    Triangles<T>::multiply_panel(diagonal_.data() + I * tile, true, here);
  }
}

template class SkylineLU<float>;
template class SkylineLU<double>;

}  // namespace lithe

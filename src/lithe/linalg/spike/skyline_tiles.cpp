#include "lithe/linalg/spike/skyline_tiles.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lithe {

namespace {

template <class T>
struct Tile {
  static constexpr int side = SkylineTiles<T>::side, size = side * side;
  using Column [[gnu::vector_size(64)]] = T;
  static constexpr int together = 8;  // columns whose sums stay in registers

  static Column load(const T* p) {
    Column c;
    std::memcpy(&c, p, sizeof c);
    return c;
  }
  static void store(T* p, const Column& c) { std::memcpy(p, &c, sizeof c); }

  // c -= sum_k a_k b_k over `count` tiles that follow each other.
  static void subtract_products(const T* a, const T* b, int count, T* c) {
    for (int first = 0; first < side; first += together) {
      Column sum[together] = {};
      for (int k = 0; k < count; ++k) {
        const T *ak = a + k * size, *bk = b + k * size + first * side;
        for (int m = 0; m < side; ++m) {
          const Column am = load(ak + m * side);
          for (int j = 0; j < together; ++j) sum[j] += am * bk[j * side + m];
        }
      }
      for (int j = 0; j < together; ++j) {
        T* const to = c + (first + j) * side;
        store(to, load(to) - sum[j]);
      }
    }
  }
  // c = a b; c may be b, but not a.
  static void multiply(const T* a, const T* b, T* c) {
    for (int first = 0; first < side; first += together) {
      Column sum[together] = {};
      for (int m = 0; m < side; ++m) {
        const Column am = load(a + m * side);
        for (int j = 0; j < together; ++j) sum[j] += am * b[(first + j) * side + m];
      }
      for (int j = 0; j < together; ++j) store(c + (first + j) * side, sum[j]);
    }
  }
  // c = a b in place of a.
  static void multiply_from_right(T* a, const T* b) {
    T copy[size];
    std::copy_n(a, size, copy);
    multiply(copy, b, a);
  }
  // a = L U, then L^-1 in its place and U^-1 in u. Returns the number of boosted pivots.
  static int factor(T* a, T* u, T boost) {
    const auto at = [](T* m, int i, int j) -> T& { return m[j * side + i]; };
    int boosted = 0;
    for (int k = 0; k < side; ++k) {
      T& pivot = at(a, k, k);
      if (!(std::abs(pivot) >= boost)) {
        if (pivot == pivot) ++boosted;  // NaN goes on as NaN
        if (pivot == pivot) pivot = std::signbit(pivot) ? -boost : boost;
      }
      for (int i = k + 1; i < side; ++i) at(a, i, k) /= pivot;
      for (int j = k + 1; j < side; ++j) {
        const T factor = at(a, k, j);
        for (int i = k + 1; i < side; ++i) at(a, i, j) -= at(a, i, k) * factor;
      }
    }
    T lower[size] = {};
    std::fill_n(u, size, T(0));
    for (int j = 0; j < side; ++j) {
      at(lower, j, j) = 1;
      for (int i = j + 1; i < side; ++i) {
        T sum = 0;
        for (int k = j; k < i; ++k) sum -= at(a, i, k) * at(lower, k, j);
        at(lower, i, j) = sum;
      }
      at(u, j, j) = 1 / at(a, j, j);
      for (int i = j - 1; i >= 0; --i) {
        T sum = 0;
        for (int k = i + 1; k <= j; ++k) sum -= at(a, i, k) * at(u, k, j);
        at(u, i, j) = sum / at(a, i, i);
      }
    }
    std::copy_n(lower, size, a);
    return boosted;
  }
};

}  // namespace

template <class T>
void SkylineTiles<T>::begin(std::span<const std::int32_t> first_column, std::span<const std::int32_t> first_row) {
  const int rows = static_cast<int>(first_column.size());
  tiles_ = (rows + side - 1) / side;
  const auto arrange = [&](std::span<const std::int32_t> first, std::vector<std::int32_t>& first_tile,
                           std::vector<std::int64_t>& at, AlignedVector<T>& numbers) {
    first_tile.resize(tiles_);
    at.resize(tiles_);
    std::int64_t count = 0;
    for (int I = 0; I < tiles_; ++I) {
      int least = I * side;
      for (int i = I * side; i < std::min(rows, (I + 1) * side); ++i) least = std::min<int>(least, first[i]);
      first_tile[I] = least / side;
      at[I] = count - first_tile[I];
      count += I - first_tile[I];
    }
    numbers.assign(static_cast<std::size_t>(count) * tile, T(0));
  };
  arrange(first_column, lower_first_, lower_at_, lower_);
  arrange(first_row, upper_first_, upper_at_, upper_);
  diagonal_.assign(static_cast<std::size_t>(tiles_) * 2 * tile, T(0));
  for (int i = rows; i < tiles_ * side; ++i) add(i, i, T(1));
  double products = 0;
  for (int J = 0; J < tiles_; ++J) {
    for (int I = upper_first_[J]; I < J; ++I)
      products += std::max(0, I - std::max(lower_first_[I], upper_first_[J])) + 1;
    for (int I = lower_first_[J]; I < J; ++I)
      products += std::max(0, I - std::max(lower_first_[J], upper_first_[I])) + 1;
    products += J - std::max(lower_first_[J], upper_first_[J]) + 1;
  }
  flops_ = products * 2 * tile * side;
}

template <class T>
int SkylineTiles<T>::factor(T boost) {
  int boosted = 0;
  for (int J = 0; J < tiles_; ++J) {
    for (int I = upper_first_[J]; I < J; ++I) {
      const int k = std::max(lower_first_[I], upper_first_[J]);
      if (k < I) Tile<T>::subtract_products(lower(I, k), upper(k, J), I - k, upper(I, J));
      Tile<T>::multiply(lower_inverse(I), upper(I, J), upper(I, J));
    }
    for (int I = lower_first_[J]; I < J; ++I) {
      const int k = std::max(lower_first_[J], upper_first_[I]);
      if (k < I) Tile<T>::subtract_products(lower(J, k), upper(k, I), I - k, lower(J, I));
      Tile<T>::multiply_from_right(lower(J, I), upper_inverse(I));
    }
    T* const diagonal = diagonal_.data() + static_cast<std::size_t>(J) * 2 * tile;
    const int k = std::max(lower_first_[J], upper_first_[J]);
    if (k < J) Tile<T>::subtract_products(lower(J, k), upper(k, J), J - k, diagonal);
    boosted += Tile<T>::factor(diagonal, diagonal + tile, boost);
  }
  return boosted;
}

template class SkylineTiles<float>;
template class SkylineTiles<double>;

}  // namespace lithe

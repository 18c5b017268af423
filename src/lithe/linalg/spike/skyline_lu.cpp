#include "lithe/linalg/spike/skyline_lu.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lithe {

namespace {

template <class T>
struct Tile {
  static constexpr int side = SkylineLU<T>::side, size = side * side;
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
  // a x, and y -= sum_k a_k x_k.
  static Column product(const T* a, const T* x) {
    Column sum[4] = {};
    for (int m = 0; m < side; m += 4)
      for (int j = 0; j < 4; ++j) sum[j] += load(a + (m + j) * side) * x[m + j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
  static void subtract_product(const T* a, const T* x, T* y) { store(y, load(y) - product(a, x)); }
  // a^T x.
  static Column transposed_product(const T* a, const T* x) {
    const Column xs = load(x);
    Column result;
    for (int m = 0; m < side; ++m) {
      const Column p = load(a + m * side) * xs;
      T sum = 0;
      for (int i = 0; i < side; ++i) sum += p[i];
      result[m] = sum;
    }
    return result;
  }
  static void subtract_transposed_product(const T* a, const T* x, T* y) {
    store(y, load(y) - transposed_product(a, x));
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
void SkylineLU<T>::analyse(std::span<const std::int32_t> first_column, std::span<const std::int32_t> first_row) {
  rows_ = static_cast<int>(first_column.size());
  tiles_ = (rows_ + side - 1) / side;
  const auto arrange = [&](std::span<const std::int32_t> first, std::vector<std::int32_t>& first_tile,
                           std::vector<std::int64_t>& at, AlignedVector<T>& numbers) {
    first_tile.resize(tiles_);
    at.resize(tiles_);
    std::int64_t count = 0;
    for (int I = 0; I < tiles_; ++I) {
      int least = I * side;
      for (int i = I * side; i < std::min(rows_, (I + 1) * side); ++i) least = std::min<int>(least, first[i]);
      first_tile[I] = least / side;
      at[I] = count - first_tile[I];
      count += I - first_tile[I];
    }
    numbers.resize(static_cast<std::size_t>(count) * tile);
  };
  arrange(first_column, lower_first_, lower_at_, lower_);
  arrange(first_row, upper_first_, upper_at_, upper_);
  diagonal_.resize(static_cast<std::size_t>(tiles_) * 2 * tile);
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
void SkylineLU<T>::clear() {
  for (auto* numbers : {&lower_, &upper_, &diagonal_}) std::fill(numbers->begin(), numbers->end(), T(0));
  for (int i = rows_; i < padded(); ++i) add(i, i, T(1));
}

template <class T>
int SkylineLU<T>::factor(T boost) {
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

template <class T>
void SkylineLU<T>::solve(T* x) const {
  using Block = Tile<T>;
  for (int I = 0; I < tiles_; ++I) {
    typename Block::Column sum = Block::load(x + I * side);
    const T* l = lower(I, lower_first_[I]);
    for (int k = lower_first_[I]; k < I; ++k, l += tile) sum -= Block::product(l, x + k * side);
    Block::store(x + I * side, sum);
    Block::store(x + I * side, Block::product(lower_inverse(I), x + I * side));
  }
  for (int J = tiles_ - 1; J >= 0; --J) {
    Block::store(x + J * side, Block::product(upper_inverse(J), x + J * side));
    const T* u = upper(upper_first_[J], J);
    for (int k = upper_first_[J]; k < J; ++k, u += tile) Block::subtract_product(u, x + J * side, x + k * side);
  }
}

template <class T>
void SkylineLU<T>::solve_transposed(T* x) const {
  using Block = Tile<T>;
  for (int J = 0; J < tiles_; ++J) {
    const T* u = upper(upper_first_[J], J);
    for (int k = upper_first_[J]; k < J; ++k, u += tile)
      Block::subtract_transposed_product(u, x + k * side, x + J * side);
    Block::store(x + J * side, Block::transposed_product(upper_inverse(J), x + J * side));
  }
  for (int I = tiles_ - 1; I >= 0; --I) {
    Block::store(x + I * side, Block::transposed_product(lower_inverse(I), x + I * side));
    const T* l = lower(I, lower_first_[I]);
    for (int k = lower_first_[I]; k < I; ++k, l += tile)
      Block::subtract_transposed_product(l, x + I * side, x + k * side);
  }
}

template <class T>
void SkylineLU<T>::solve_panel(T* x, int first, int last) const {
  using Block = Tile<T>;
  const auto at = [&](int i) { return x + static_cast<std::size_t>(i) * tile; };
  for (int I = first; I < tiles_; ++I) {
    const int k = std::max(lower_first_[I], first);
    if (k < I) Block::subtract_products(lower(I, k), at(k), I - k, at(I));
    Block::multiply(lower_inverse(I), at(I), at(I));
  }
  for (int J = tiles_ - 1; J >= last; --J) {
    Block::multiply(upper_inverse(J), at(J), at(J));
    for (int k = std::max(upper_first_[J], last); k < J; ++k) Block::subtract_products(upper(k, J), at(J), 1, at(k));
  }
}

template class SkylineLU<float>;
template class SkylineLU<double>;

}  // namespace lithe

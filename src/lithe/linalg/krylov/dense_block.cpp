#include "lithe/linalg/krylov/dense_block.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lithe {

namespace {

constexpr double lost_pivot = 1e-14;  // share of what it began as
// Of blocks that a thread reads at a time: some ten microseconds.
constexpr std::int64_t chunk_numbers = 16384;

}  // namespace

BlockPlaces block_places(const UnknownBlocks& blocks, const RowPattern& pattern) {
  BlockPlaces places;
  places.start.push_back(0);
  for (int b = 0; b < blocks.count(); ++b) {
    const int first = blocks.start[b], last = blocks.start[b + 1];
    places.largest = std::max(places.largest, last - first);
    for (int i = first; i < last; ++i)
      for (int j = first; j < last; ++j)
        places.place.push_back(position(pattern, blocks.unknown[i], blocks.unknown[j]));
    places.start.push_back(static_cast<std::int64_t>(places.place.size()));
  }
  for (int b = 0; b < blocks.count(); ++b)
    if (b == 0 || places.start[b] - places.start[places.chunk.back()] >= chunk_numbers) places.chunk.push_back(b);
  places.chunk.push_back(blocks.count());
  return places;
}

void symmetrise(double* block, int m) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < i; ++j) block[i * m + j] = block[j * m + i] = 0.5 * (block[i * m + j] + block[j * m + i]);
}

int cholesky(double* block, int m) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < i; ++j) {
      double sum = block[i * m + j];
      for (int k = 0; k < j; ++k) sum -= block[i * m + k] * block[j * m + k];
      block[i * m + j] = sum / block[j * m + j];
    }
    const double diagonal = block[i * m + i];
    double pivot = diagonal;
    for (int k = 0; k < i; ++k) pivot -= block[i * m + k] * block[i * m + k];
    if (!(pivot > lost_pivot * diagonal)) return i;
    block[i * m + i] = std::sqrt(pivot);
  }
  return -1;
}

void solve_lower(const double* l, int m, double* x) {
  for (int i = 0; i < m; ++i) {
    double sum = x[i];
    for (int k = 0; k < i; ++k) sum -= l[i * m + k] * x[k];
    x[i] = sum / l[i * m + i];
  }
}

void solve_lower_transposed(const double* l, int m, double* x) {
  for (int i = m - 1; i >= 0; --i) {
    x[i] /= l[i * m + i];
    for (int k = 0; k < i; ++k) x[k] -= l[i * m + k] * x[i];
  }
}

void invert_lower(const double* l, int m, double* out) {
  for (int j = 0; j < m; ++j) {
    double* x = out + j * m;
    std::fill(x, x + m, 0.0);
    x[j] = 1;
    solve_lower(l, m, x);
  }
}

void invert_cholesky(const double* l, int m, double* out) {
  // Row j of out: L^-T L^-1 e_j.
  for (int j = 0; j < m; ++j) {
    double* x = out + j * m;
    std::fill(x, x + m, 0.0);
    x[j] = 1;
    solve_lower(l, m, x);
    solve_lower_transposed(l, m, x);
  }
  symmetrise(out, m);
}

bool invert(double* a, int m) {
  std::array<int, 64> pivots;
  double largest = 0;
  for (int k = 0; k < m * m; ++k) largest = std::max(largest, std::abs(a[k]));
  for (int k = 0; k < m; ++k) {
    int best = k;
    for (int i = k + 1; i < m; ++i)
      if (std::abs(a[i * m + k]) > std::abs(a[best * m + k])) best = i;
    pivots[k] = best;
    const double pivot = a[best * m + k];
    if (!(std::abs(pivot) > lost_pivot * largest)) return false;
    if (best != k) std::swap_ranges(a + k * m, a + (k + 1) * m, a + best * m);
    a[k * m + k] = 1;
    for (int j = 0; j < m; ++j) a[k * m + j] /= pivot;
    for (int i = 0; i < m; ++i) {
      if (i == k) continue;
      const double f = a[i * m + k];
      a[i * m + k] = 0;
      for (int j = 0; j < m; ++j) a[i * m + j] -= f * a[k * m + j];
    }
  }
  for (int k = m - 1; k >= 0; --k)
    if (pivots[k] != k)
      for (int i = 0; i < m; ++i) std::swap(a[i * m + k], a[i * m + pivots[k]]);
  return true;
}

}  // namespace lithe

#include "lithe/linalg/shared_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

#include "lithe/base/error.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

SparsePattern unite(const SparsePattern& a, const SparsePattern& b) {
  LITHE_INVARIANT(a.size == b.size);
  if (a.symmetric != b.symmetric) return unite(FullPattern(a).pattern, FullPattern(b).pattern);
  SparsePattern both{a.size, {0}, {}, a.symmetric};
  for (int j = 0; j < a.size; ++j) {
    std::set_union(a.row.begin() + a.column_start[j], a.row.begin() + a.column_start[j + 1],
                   b.row.begin() + b.column_start[j], b.row.begin() + b.column_start[j + 1],
                   std::back_inserter(both.row));
    both.column_start.push_back(static_cast<std::int32_t>(both.row.size()));
  }
  return both;
}

std::vector<std::int32_t> expand(const SparsePattern& from, const SparsePattern& to) {
  LITHE_INVARIANT(from.size == to.size && from.symmetric == to.symmetric);
  std::vector<std::int32_t> positions;
  positions.reserve(from.nonzeros());
  for (int j = 0; j < from.size; ++j)
    for (int p = from.column_start[j]; p < from.column_start[j + 1]; ++p) {
      const int place = position(to, from.row[p], j);
      if (place < 0)
        throw InputError("the wider pattern lacks entry (" + std::to_string(from.row[p]) + ", " + std::to_string(j) +
                         ")");
      positions.push_back(place);
    }
  return positions;
}

void spread(std::span<const std::int32_t> positions, std::span<const double> values_from, std::span<double> values_to) {
  LITHE_INVARIANT(positions.size() == values_from.size());
  std::fill(values_to.begin(), values_to.end(), 0.0);
  for (std::size_t k = 0; k < positions.size(); ++k) values_to[positions[k]] = values_from[k];
}

namespace {

// Numbers before the first one that starts a cache line. Stores of vectors across two lines cost twice.
std::size_t before_line(const double* b, std::size_t count) {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(b) % 64 / sizeof(double);
  return std::min(count, offset == 0 ? 0 : 8 - offset);
}

// a x + c, rounded the same way in the loop before the first line and in the one after it: which numbers belong to
// which depends on an address, and the results must not.
inline double fused(double a, double x, double c) {
#ifdef FP_FAST_FMA
  return std::fma(a, x, c);
#else
  return a * x + c;
#endif
}

}  // namespace

void add_scaled(double t1, std::span<const double> a1, double t2, std::span<const double> a2, std::span<double> b) {
  LITHE_INVARIANT(a1.size() == b.size() && a2.size() == b.size());
  const double *x = a1.data(), *y = a2.data();
  double* z = b.data();
  const std::size_t count = b.size(), first = before_line(z, count);
  for (std::size_t k = 0; k < first; ++k) z[k] = fused(t1, x[k], t2 * y[k]);
#pragma omp simd
  for (std::size_t k = first; k < count; ++k) z[k] = fused(t1, x[k], t2 * y[k]);
}

void add_scaled(double t, std::span<const double> a, std::span<double> b) {
  LITHE_INVARIANT(a.size() == b.size());
  const double* x = a.data();
  double* z = b.data();
  const std::size_t count = b.size(), first = before_line(z, count);
  for (std::size_t k = 0; k < first; ++k) z[k] = fused(t, x[k], z[k]);
#pragma omp simd
  for (std::size_t k = first; k < count; ++k) z[k] = fused(t, x[k], z[k]);
}

}  // namespace lithe

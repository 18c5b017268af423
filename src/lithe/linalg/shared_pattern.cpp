#include "lithe/linalg/shared_pattern.h"

#include <algorithm>
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

void add_scaled(double t1, std::span<const double> a1, double t2, std::span<const double> a2, std::span<double> b) {
  LITHE_INVARIANT(a1.size() == b.size() && a2.size() == b.size());
#pragma omp simd
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = t1 * a1[k] + t2 * a2[k];
}

void add_scaled(double t, std::span<const double> a, std::span<double> b) {
  LITHE_INVARIANT(a.size() == b.size());
#pragma omp simd
  for (std::size_t k = 0; k < b.size(); ++k) b[k] += t * a[k];
}

}  // namespace lithe

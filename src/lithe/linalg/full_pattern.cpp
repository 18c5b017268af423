#include "lithe/linalg/full_pattern.h"

#include <algorithm>
#include <type_traits>

namespace lithe {

std::int64_t full_nonzeros(const SparsePattern& stored) {
  const auto entries = static_cast<std::int64_t>(stored.nonzeros());
  if (!stored.symmetric) return entries;
  std::int64_t diagonal = 0;
  for (int j = 0; j < stored.size; ++j)  // the last of its column, where it is stored
    diagonal += stored.column_start[j + 1] > stored.column_start[j] && stored.row[stored.column_start[j + 1] - 1] == j;
  return 2 * entries - diagonal;
}

template <class Index>
FullPatternOf<Index>::FullPatternOf(const SparsePattern& stored, std::int64_t limit)
    : stored_nonzeros(stored.nonzeros()) {
  const std::int64_t total = full_nonzeros(stored);
  if (std::is_same_v<Index, std::int32_t> && total > std::min(limit, narrow_entries))
    throw TooManyEntries("the matrix has " + std::to_string(total) +
                         " entries, both triangles counted, more than indices of 32 bits count; use a solver with "
                         "indices of 64 bits: cholmod, klu, mumps or umfpack");
  const int n = stored.size;
  if (!stored.symmetric) {
    pattern = {
        n, {stored.column_start.begin(), stored.column_start.end()}, {stored.row.begin(), stored.row.end()}, false};
    return;
  }
  pattern = {n, std::vector<Index>(n + 1, 0), {}, false};
  auto& start = pattern.column_start;
  const auto each = [&](auto visit) {
    for (int j = 0; j < n; ++j)
      for (int p = stored.column_start[j]; p < stored.column_start[j + 1]; ++p) visit(stored.row[p], j, p);
  };
  each([&](int i, int j, int) {
    ++start[j + 1];
    if (i != j) ++start[i + 1];
  });
  for (int j = 0; j < n; ++j) start[j + 1] += start[j];
  pattern.row.resize(total);
  source.resize(total);
  std::vector<Index> next(start.begin(), start.end() - 1);
  const auto put = [&](int i, int j, int p) {
    pattern.row[next[j]] = i;
    source[next[j]++] = p;
  };
  // Columns visited in order: the mirrored entries of column i arrive after its own and by ascending j.
  each([&](int i, int j, int p) {
    put(i, j, p);
    if (i != j) put(j, i, p);
  });
}

template <class Index>
void FullPatternOf<Index>::gather(const std::vector<double>& values, double* full) const {
  if (source.empty()) {
    std::copy(values.begin(), values.end(), full);
    return;
  }
  const std::int32_t* from = source.data();
  const double* v = values.data();
  for (std::size_t p = 0, count = source.size(); p < count; ++p) full[p] = v[from[p]];
}

template struct FullPatternOf<std::int32_t>;
template struct FullPatternOf<std::int64_t>;

}  // namespace lithe

#include "lithe/linalg/full_pattern.h"

#include <algorithm>
#include <limits>

#include "lithe/base/error.h"

namespace lithe {

FullPattern::FullPattern(const SparsePattern& stored) : stored_nonzeros(stored.nonzeros()) {
  if (!stored.symmetric) {
    pattern = stored;
    return;
  }
  const int n = stored.size;
  pattern = SparsePattern{n, std::vector<std::int32_t>(n + 1, 0), {}, false};
  auto& start = pattern.column_start;
  const auto each = [&](auto visit) {
    for (int j = 0; j < n; ++j)
      for (int p = stored.column_start[j]; p < stored.column_start[j + 1]; ++p) visit(stored.row[p], j, p);
  };
  each([&](int i, int j, int) {
    ++start[j + 1];
    if (i != j) ++start[i + 1];
  });
  std::int64_t total = 0;
  for (int j = 0; j < n; ++j) {
    total += start[j + 1];
    if (total > std::numeric_limits<std::int32_t>::max())
      throw RunError("the stiffness matrix is too large for 32-bit indices");
    start[j + 1] = static_cast<std::int32_t>(total);
  }
  pattern.row.resize(total);
  source.resize(total);
  std::vector<std::int32_t> next(start.begin(), start.end() - 1);
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

void FullPattern::gather(const std::vector<double>& values, double* full) const {
  if (source.empty()) {
    std::copy(values.begin(), values.end(), full);
    return;
  }
  const std::int32_t* from = source.data();
  const double* v = values.data();
  for (std::size_t p = 0, count = source.size(); p < count; ++p) full[p] = v[from[p]];
}

}  // namespace lithe

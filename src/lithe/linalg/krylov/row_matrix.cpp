#include "lithe/linalg/krylov/row_matrix.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

constexpr int largest_block = 48;  // four nodes of four vectors: an element that stands alone

}  // namespace

RowMatrix::RowMatrix(const SparsePattern& stored, bool transposed) {
  const int n = stored.size;
  if (full_nonzeros(stored) + n > narrow_entries)
    throw TooManyEntries("the matrix has more entries than the products of iterative solvers count; use cholmod");
  // Stored entry p at (i, j); rows first counted, then filled by ascending columns.
  struct Entry {
    std::int32_t column, source;
  };
  std::vector<std::int32_t> count(n + 1, 0);
  std::vector<char> has_diagonal(n, 0);
  const auto each = [&](auto visit) {
    for (int j = 0; j < n; ++j)
      for (int p = stored.column_start[j]; p < stored.column_start[j + 1]; ++p) {
        const int i = stored.row[p];
        if (stored.symmetric) {
          visit(i, j, p);
          if (i != j) visit(j, i, p);
        } else if (transposed) {
          visit(j, i, p);
        } else {
          visit(i, j, p);
        }
      }
  };
  each([&](int i, int j, int) {
    ++count[i + 1];
    if (i == j) has_diagonal[i] = 1;
  });
  for (int i = 0; i < n; ++i) count[i + 1] += count[i] + (has_diagonal[i] ? 0 : 1);
  std::vector<Entry> entries(count[n]);
  std::vector<std::int32_t> next(count.begin(), count.end() - 1);
  each([&](int i, int j, int p) { entries[next[i]++] = {j, p}; });
  for (int i = 0; i < n; ++i)
    if (!has_diagonal[i]) entries[next[i]++] = {i, -1};
  pattern = {n, n, count, std::vector<std::int32_t>(entries.size())};
  source_.resize(entries.size());
  values.assign(entries.size(), 0.0);
  diagonal.resize(n);
  for (int i = 0; i < n; ++i) {
    std::sort(entries.begin() + count[i], entries.begin() + count[i + 1],
              [](const Entry& a, const Entry& b) { return a.column < b.column; });
    for (int p = count[i]; p < count[i + 1]; ++p) {
      pattern.column[p] = entries[p].column;
      source_[p] = entries[p].source;
      if (entries[p].column == i) diagonal[i] = p;
    }
  }
}

void RowMatrix::gather(const std::vector<double>& stored) {
  for (std::size_t p = 0; p < source_.size(); ++p) values[p] = source_[p] >= 0 ? stored[source_[p]] : 0;
}

void RowMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  const std::int32_t *start = pattern.row_start.data(), *column = pattern.column.data();
  const double* a = values.data();
  for (int i = 0; i < pattern.rows; ++i) {
    double sum = 0;
    for (int p = start[i]; p < start[i + 1]; ++p) sum += a[p] * x[column[p]];
    y[i] = sum;
  }
}

double RowMatrix::largest_row_sum() const {
  double largest = 0;
  for (int i = 0; i < pattern.rows; ++i) {
    double sum = 0;
    for (int p = pattern.row_start[i]; p < pattern.row_start[i + 1]; ++p) sum += std::abs(values[p]);
    largest = std::max(largest, sum);
  }
  return largest;
}

UnknownBlocks find_blocks(const RowPattern& pattern, int n) {
  std::vector<std::int32_t> parent(n), size(n, 0);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const auto leading = [&](int i) {
    const auto first = pattern.column.begin() + pattern.row_start[i],
               last = pattern.column.begin() + pattern.row_start[i + 1];
    return std::span(first, std::lower_bound(first, last, n));
  };
  for (int i = 0; i < n; ++i)
    for (const int j : leading(i)) {
      const int a = root(i), b = root(j);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (int i = 0; i < n; ++i) ++size[root(i)];
  // Key of a block: its smallest unknown.
  std::vector<std::int32_t> key(n);
  for (int i = 0; i < n; ++i) {
    const int whole = root(i);
    if (size[whole] <= largest_block) {
      key[i] = whole;
      continue;
    }
    key[i] = i;
    if (i == 0 || root(i - 1) != whole || i - key[i - 1] >= largest_block) continue;
    const auto mine = leading(i), before = leading(i - 1);
    if (std::ranges::equal(mine, before)) key[i] = key[i - 1];
  }
  UnknownBlocks blocks;
  std::vector<std::int32_t> number(n, -1);
  for (int i = 0; i < n; ++i)
    if (key[i] == i) number[i] = static_cast<std::int32_t>(blocks.start.size()), blocks.start.push_back(0);
  blocks.start.push_back(0);
  for (int i = 0; i < n; ++i) ++blocks.start[number[key[i]] + 1];
  for (int b = 0; b < blocks.count(); ++b) blocks.start[b + 1] += blocks.start[b];
  blocks.unknown.resize(n);
  std::vector<std::int32_t> next(blocks.start.begin(), blocks.start.end() - 1);
  for (int i = 0; i < n; ++i) blocks.unknown[next[number[key[i]]]++] = i;
  return blocks;
}

}  // namespace lithe

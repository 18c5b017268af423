#include "lithe/linalg/krylov/row_matrix.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

constexpr int side_by_side = 3;  // rows of a run: the unknowns of a vector
// Entries that a thread takes at a time: some ten microseconds. Below twice that threads do not pay.
constexpr int chunk_entries = 16384;

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
  const auto columns = [&](int i) { return std::span(pattern.column).subspan(count[i], count[i + 1] - count[i]); };
  std::int32_t entries_since = 0;
  for (int i = 0; i < n; ++i) {
    const bool joins = i > 0 && i - run_.back() < side_by_side && std::ranges::equal(columns(i), columns(i - 1));
    if (!joins) {
      if (i == 0 || entries_since >= chunk_entries) {
        chunk_.push_back(static_cast<std::int32_t>(run_.size()));
        entries_since = 0;
      }
      run_.push_back(i);
    }
    entries_since += count[i + 1] - count[i];
  }
  chunk_.push_back(static_cast<std::int32_t>(run_.size()));
  run_.push_back(n);
}

void RowMatrix::gather(const std::vector<double>& stored) {
  for (std::size_t p = 0; p < source_.size(); ++p) values[p] = source_[p] >= 0 ? stored[source_[p]] : 0;
}

void RowMatrix::multiply(std::span<const double> x, std::span<double> y, Team* team) const {
  const int chunks = static_cast<int>(chunk_.size()) - 1;
  const auto task = [&](int c, int) { multiply_rows(chunk_[c], chunk_[c + 1], x.data(), y.data()); };
  if (team && chunks > 1) team->run(chunks, task);
  else
    for (int c = 0; c < chunks; ++c) task(c, 0);
}

void RowMatrix::multiply_rows(int first_run, int last_run, const double* x, double* y) const {
  for (int r = first_run; r < last_run; ++r) {
    const int i = run_[r], rows = run_[r + 1] - i, length = pattern.row_start[i + 1] - pattern.row_start[i];
    const std::int32_t* column = pattern.column.data() + pattern.row_start[i];
    const double* a = values.data() + pattern.row_start[i];
    if (rows == 3) {
      double sum[3] = {};
      for (int p = 0; p < length; ++p) {
        const double at = x[column[p]];
        sum[0] += a[p] * at;
        sum[1] += a[length + p] * at;
        sum[2] += a[2 * length + p] * at;
      }
      for (int k = 0; k < 3; ++k) y[i + k] = sum[k];
    } else {
      for (int k = 0; k < rows; ++k, a += length) {
        double sum = 0;
        for (int p = 0; p < length; ++p) sum += a[p] * x[column[p]];
        y[i + k] = sum;
      }
    }
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

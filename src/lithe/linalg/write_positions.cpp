#include "lithe/linalg/write_positions.h"

#include <algorithm>
#include <string>

namespace lithe {

namespace {

// Compressed lists of the second numbers, by the first ones.
void compress(std::vector<std::pair<int, int>> pairs, int lists, std::vector<std::int32_t>& start,
              std::vector<std::int32_t>& numbers) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  start.assign(lists + 1, 0);
  for (const auto& [list, number] : pairs) {
    ++start[list + 1];
    numbers.push_back(number);
  }
  for (int k = 0; k < lists; ++k) start[k + 1] += start[k];
}

template <class Pattern>
std::vector<std::int32_t> find(const std::vector<std::pair<int, int>>& writes, const Pattern& pattern) {
  std::vector<std::int32_t> positions;
  positions.reserve(writes.size());
  for (const auto& [i, j] : writes) {
    const int place = position(pattern, i, j);
    if (place < 0) throw InputError("the pattern lacks entry (" + std::to_string(i) + ", " + std::to_string(j) + ")");
    positions.push_back(place);
  }
  return positions;
}

}  // namespace

RowPattern WriteRecorder::row_pattern(int rows, int columns) const {
  for (const auto& [i, j] : writes_) LITHE_INVARIANT(i >= 0 && i < rows && j >= 0 && j < columns);
  RowPattern pattern{rows, columns, {}, {}};
  compress(writes_, rows, pattern.row_start, pattern.column);
  return pattern;
}

SparsePattern WriteRecorder::pattern(int size, bool symmetric) const {
  std::vector<std::pair<int, int>> pairs;  // (column, row)
  for (const auto& [i, j] : writes_) {
    LITHE_INVARIANT(i >= 0 && i < size && j >= 0 && j < size);
    pairs.emplace_back(symmetric ? std::max(i, j) : j, symmetric ? std::min(i, j) : i);
  }
  SparsePattern pattern{size, {}, {}, symmetric};
  compress(std::move(pairs), size, pattern.column_start, pattern.row);
  return pattern;
}

std::vector<std::int32_t> WriteRecorder::positions(const RowPattern& pattern) const { return find(writes_, pattern); }
std::vector<std::int32_t> WriteRecorder::positions(const SparsePattern& pattern) const {
  return find(writes_, pattern);
}

}  // namespace lithe

#include "lithe/linalg/upper_triangle.h"

#include <algorithm>
#include <cmath>

namespace lithe {

UpperTriangle::UpperTriangle(const SparsePattern& from, int size) {
  pattern.size = size;
  pattern.symmetric = true;
  pattern.column_start.push_back(0);
  const auto add = [&](int row, int of, int mirror) {
    pattern.row.push_back(row);
    source.push_back(of);
    other.push_back(mirror);
  };
  for (int j = 0; j < size; ++j) {
    // Rows ascend: the diagonal entry is the last one of the triangle.
    for (int p = from.column_start[j]; p < from.column_start[j + 1] && from.row[p] <= j; ++p)
      add(from.row[p], p, from.symmetric || from.row[p] == j ? -1 : position(from, j, from.row[p]));
    if (static_cast<std::int32_t>(pattern.row.size()) == pattern.column_start[j] || pattern.row.back() != j)
      add(j, -1, -1);
    diagonal.push_back(static_cast<std::int32_t>(pattern.row.size()) - 1);
    pattern.column_start.push_back(static_cast<std::int32_t>(pattern.row.size()));
  }
}

void UpperTriangle::symmetric_part(const std::vector<double>& values, std::span<double> part) const {
  for (std::size_t k = 0; k < source.size(); ++k)
    part[k] = source[k] < 0 ? 0.0 : other[k] < 0 ? values[source[k]] : 0.5 * (values[source[k]] + values[other[k]]);
}

std::vector<double> UpperTriangle::symmetric_part(const std::vector<double>& values) const {
  std::vector<double> part(source.size());
  symmetric_part(values, part);
  return part;
}

double UpperTriangle::skew(const std::vector<double>& values) const {
  double largest = 0, off = 0;
  for (std::size_t k = 0; k < source.size(); ++k) {
    if (source[k] < 0) continue;
    const double x = values[source[k]], y = other[k] < 0 ? x : values[other[k]];
    largest = std::max({largest, std::abs(x), std::abs(y)});
    off = std::max(off, 0.5 * std::abs(x - y));
  }
  return largest > 0 ? off / largest : 0;
}

}  // namespace lithe

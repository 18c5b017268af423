// The upper triangle of the first columns of a matrix, with every diagonal entry, and the symmetric part of values
// over it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

struct UpperTriangle {
  UpperTriangle(const SparsePattern& from, int size);

  SparsePattern pattern;
  std::vector<std::int32_t> source, other;  // [entry] in `from`; other -1: the same entry, both -1: nowhere
  std::vector<std::int32_t> diagonal;       // [column] its entry

  // (A + A^T) / 2, over the entries here.
  void symmetric_part(const std::vector<double>& values, std::span<double> part) const;
  std::vector<double> symmetric_part(const std::vector<double>& values) const;
  // The largest entry of (A - A^T) / 2, over the largest of A.
  double skew(const std::vector<double>& values) const;
};

}  // namespace lithe

// A matrix by rows for products: the stored upper triangle, or the stored columns, expanded once. Each row is one sum
// from left to right, so that products are the same whatever runs beside them. Diagonal entries are always there.
#pragma once

#include <span>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

class RowMatrix {
 public:
  RowMatrix() = default;
  // `transposed`: of A^T.
  explicit RowMatrix(const SparsePattern& stored, bool transposed = false);

  void gather(const std::vector<double>& values);
  void multiply(std::span<const double> x, std::span<double> y) const;
  int size() const { return pattern.rows; }
  double largest_row_sum() const;  // of magnitudes: the maximum norm of the matrix

  RowPattern pattern;
  std::vector<double> values;          // [nonzeros] gather()
  std::vector<std::int32_t> diagonal;  // [row] place

 private:
  std::vector<std::int32_t> source_;  // [nonzeros] place in the stored values; -1: zero
};

// Sets of unknowns that belong together, each unknown in one of them: parts of the matrix that nothing couples with the
// rest, up to a size; else neighbours that are coupled with the same others (the vectors of a node).
struct UnknownBlocks {
  std::vector<std::int32_t> start;    // [block + 1]
  std::vector<std::int32_t> unknown;  // ascending within a block
  int count() const { return static_cast<int>(start.size()) - 1; }
};
// Of the leading n unknowns.
UnknownBlocks find_blocks(const RowPattern& pattern, int n);

}  // namespace lithe

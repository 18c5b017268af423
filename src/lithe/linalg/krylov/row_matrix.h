// A matrix by rows for products: the stored upper triangle, or the stored columns, expanded once. Each row is one sum
// from left to right, so that products are the same on any number of threads. Rows of one vector have the same columns:
// up to three of them go side by side, columns and x are read once. Diagonal entries are always there.
#pragma once

#include <span>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/linalg/sparse.h"

namespace lithe {

class RowMatrix {
 public:
  RowMatrix() = default;
  // `transposed`: of A^T.
  explicit RowMatrix(const SparsePattern& stored, bool transposed = false);

  void gather(const std::vector<double>& values);
  void multiply(std::span<const double> x, std::span<double> y, Team* team = nullptr) const;
  int size() const { return pattern.rows; }
  double largest_row_sum() const;  // of magnitudes: the maximum norm of the matrix

  RowPattern pattern;
  std::vector<double> values;          // [nonzeros] gather()
  std::vector<std::int32_t> diagonal;  // [row] place

 private:
  void multiply_rows(int first_run, int last_run, const double* x, double* y) const;

  std::vector<std::int32_t> run_;     // [run + 1] first row of those that go side by side
  std::vector<std::int32_t> chunk_;   // [chunk + 1] first run of what one thread takes at a time
  std::vector<std::int32_t> source_;  // [nonzeros] place in the stored values; -1: zero
};

inline constexpr int largest_block = 48;  // unknowns: four nodes of four vectors, an element that stands alone
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

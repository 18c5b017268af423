// Fixed-pattern sparse matrices: compressed columns, row numbers ascending. A symmetric matrix stores its upper
// triangle. The pattern is made once; loops touch value arrays alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lithe {

struct SparsePattern {
  int size = 0;
  std::vector<std::int32_t> column_start;  // [size + 1]
  std::vector<std::int32_t> row;           // [nonzeros]
  bool symmetric = true;                   // upper triangle stored
  std::size_t nonzeros() const { return row.size(); }
};

// A rectangular matrix by rows, such as the Jacobian of constraints: column numbers ascending within a row.
struct RowPattern {
  int rows = 0, columns = 0;
  std::vector<std::int32_t> row_start;  // [rows + 1]
  std::vector<std::int32_t> column;     // [nonzeros]
  std::size_t nonzeros() const { return column.size(); }
};

// Where the value of entry (i, j) stands; -1: not in the pattern. Of a symmetric pattern (i, j) and (j, i) are one.
int position(const SparsePattern& pattern, int i, int j);
int position(const RowPattern& pattern, int i, int j);

// y = A x.
void multiply(const SparsePattern& pattern, const std::vector<double>& values, const std::vector<double>& x,
              std::vector<double>& y);
// y = |A| |x|, entry by entry: with the unit roundoff, the rounding error that A x can carry.
void multiply_absolute(const SparsePattern& pattern, const std::vector<double>& values, const std::vector<double>& x,
                       std::vector<double>& y);
// Largest magnitude in each column.
void column_maxima(const SparsePattern& pattern, const std::vector<double>& values, std::vector<double>& maxima);

// The first column with an entry that is not finite; -1: none.
int column_not_finite(const SparsePattern& pattern, const std::vector<double>& values);
bool all_finite(const std::vector<double>& x);

}  // namespace lithe

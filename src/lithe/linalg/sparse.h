// Fixed-pattern sparse matrices: compressed columns, row numbers ascending. A symmetric matrix stores its upper
// triangle. The pattern is made once; loops touch value arrays alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lithe {

// Index counts the entries. What the System stores has 32 bits; a full pattern made of it may need 64, and then its row
// numbers have them too, as the libraries want it.
template <class Index>
struct SparsePatternOf {
  int size = 0;
  std::vector<Index> column_start;  // [size + 1]
  std::vector<Index> row;           // [nonzeros]
  bool symmetric = true;            // upper triangle stored
  std::size_t nonzeros() const { return row.size(); }
};
using SparsePattern = SparsePatternOf<std::int32_t>;
using WideSparsePattern = SparsePatternOf<std::int64_t>;

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
template <class Index>
void multiply(const SparsePatternOf<Index>& pattern, const std::vector<double>& values, const std::vector<double>& x,
              std::vector<double>& y);
// y = A^T x.
template <class Index>
void multiply_transposed(const SparsePatternOf<Index>& pattern, const std::vector<double>& values,
                         const std::vector<double>& x, std::vector<double>& y);
// y = |A| |x|, entry by entry: with the unit roundoff, the rounding error that A x can carry.
template <class Index>
void multiply_absolute(const SparsePatternOf<Index>& pattern, const std::vector<double>& values,
                       const std::vector<double>& x, std::vector<double>& y);
// Largest magnitude in each column.
template <class Index>
void column_maxima(const SparsePatternOf<Index>& pattern, const std::vector<double>& values,
                   std::vector<double>& maxima);

// The first column with an entry that is not finite; -1: none.
template <class Index>
int column_not_finite(const SparsePatternOf<Index>& pattern, const std::vector<double>& values);
bool all_finite(const std::vector<double>& x);

}  // namespace lithe

// Rank of the rows of a sparse matrix: which rows depend on others, on which, and solutions of least norm over the
// independent ones. Rows are given with unit length, so that the tolerance is the sine of an angle.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lithe {

// Rows [row_start[r], row_start[r + 1]) of `column` and `value`; columns are numbered 0 .. columns - 1.
struct SparseRows {
  int columns = 0;
  std::vector<std::int32_t> row_start{0}, column;
  std::vector<double> value;
  int rows() const { return static_cast<int>(row_start.size()) - 1; }
};

class RowRank {
 public:
  // Earlier rows are kept before later ones where the matrix is small (orthogonalisation in order); of a large one
  // SuiteSparseQR chooses (T. A. Davis, Algorithm 915, ACM TOMS 38 (2011)). Between the two it is asked first: where no
  // row depends on others there is nothing to choose.
  RowRank(const SparseRows& matrix, double tolerance);
  ~RowRank();

  double operations() const { return operations_; }  // floating-point, a bound
  const std::vector<int>& dependent() const { return dependent_; }
  bool is_dependent(int row) const { return is_dependent_[row]; }
  // The shortest x with (row r of the matrix) . x = b[r] for all independent rows r.
  std::vector<double> shortest(const std::vector<double>& b) const;
  // Coefficients y over the rows with row = sum_r y_r (row r), independent rows only.
  std::vector<double> combination(int row) const;

 private:
  struct Dense;
  struct Sparse;
  void orthogonalise(double tolerance);
  bool factor(double tolerance);  // by SuiteSparseQR and CHOLMOD; false: the rows are too close to dependent ones

  const SparseRows& matrix_;
  std::vector<int> dependent_;
  std::vector<char> is_dependent_;
  double operations_ = 0;
  std::unique_ptr<Dense> dense_;
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace lithe

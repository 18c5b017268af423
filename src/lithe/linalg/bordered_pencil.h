// Two symmetric matrices A and B over one pattern, on the vectors that rows G allow:
//
//   [ a A + b B   s G^T ]
//   [ s G          0    ],    s a scale that makes the borders as large as the block.
//
// The bordered matrix has as many negative pivots as rows plus those of a A + b B on the null space of G, G of full
// rank (N. I. M. Gould, Math. Program. 32 (1985)): Sylvester's law counts eigenvalues of the pencil on a side of -b/a.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lithe/linalg/solver_ladder.h"

namespace lithe {

class BorderedPencil {
 public:
  // pattern: upper triangle, every diagonal entry there; values of A and B over it; G by rows.
  BorderedPencil(SparsePattern pattern, std::vector<double> A, std::vector<double> B, RowPattern rows = {},
                 std::vector<double> G = {});
  BorderedPencil(const BorderedPencil&) = delete;  // ladders refer to the patterns here
  BorderedPencil& operator=(const BorderedPencil&) = delete;

  int size() const { return pattern_.size; }
  int rows() const { return rows_.rows; }
  const SparsePattern& pattern() const { return pattern_; }
  const RowPattern& row_pattern() const { return rows_; }
  const std::vector<double>& A() const { return A_; }
  const std::vector<double>& B() const { return B_; }
  const std::vector<double>& G() const { return G_; }

  // Negative directions of a A + b B among the motions that the rows allow; -1: the matrix is singular, or nothing
  // counts. Solves belong to the last factor() alone.
  int count_negative(double a, double b);
  // The same for solves. definite: a A + b B is expected to be positive definite, so that without rows Cholesky serves.
  int factor(double a, double b, bool definite);
  // (a A + b B) x + G^T y = f, G x = 0, column by column; x may be f. y: of the first column. False: not finite.
  bool solve(const std::vector<double>& f, std::vector<double>& x, int columns = 1, std::vector<double>* y = nullptr);
  // y = (a A + b B) x.
  void multiply(double a, double b, const double* x, double* y) const;

  long long factorisations() const { return factorisations_; }
  long long solves() const { return solves_; }
  std::string solver() const;

 private:
  const std::vector<double>& combined(double a, double b);
  bool refine(int columns);

  SparsePattern pattern_, bordered_;  // without and with rows
  std::vector<double> A_, B_;
  RowPattern rows_;
  std::vector<double> G_;
  std::vector<std::int32_t> border_;  // [entry of G] in bordered_, whose first entries are those of pattern_
  std::vector<double> values_, largest_, rhs_, solution_, correction_;
  std::unique_ptr<SolverLadder> counting_, definite_;
  SolverLadder* solving_ = nullptr;
  double scale_ = 1;  // of the borders
  long long factorisations_ = 0, solves_ = 0;
};

}  // namespace lithe

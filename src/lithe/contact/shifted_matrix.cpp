#include "lithe/contact/shifted_matrix.h"

#include "lithe/linalg/choose_solver.h"

namespace lithe {

namespace {

// visit(entry of W's blocks, entry of spring or -1, row) down column 3 k + b. W is symmetric: row k of it is column k.
template <class Visit>
void down_column(const ContactProblem& problem, int k, int b, bool upper, Visit&& visit) {
  for (std::int32_t p = problem.row_start[k]; p < problem.row_start[k + 1]; ++p) {
    const int j = problem.column[p];
    if (upper && j > k) return;
    for (int a = 0; a < (upper && j == k ? b + 1 : 3); ++a)
      visit(9 * static_cast<std::size_t>(p) + 3 * b + a, j == k ? 9 * k + 3 * a + b : -1, 3 * j + a);
  }
}

}  // namespace

SparsePattern contact_pattern(const ContactProblem& problem, bool symmetric) {
  SparsePattern pattern{3 * problem.count(), {0}, {}, symmetric};
  for (int c = 0; c < pattern.size; ++c) {
    down_column(problem, c / 3, c % 3, symmetric, [&](std::size_t, int, int row) { pattern.row.push_back(row); });
    pattern.column_start.push_back(static_cast<std::int32_t>(pattern.row.size()));
  }
  return pattern;
}

void ShiftedContactMatrix::analyse(const ContactIsland& island, bool symmetric) {
  pattern_ = contact_pattern(island.problem, symmetric);
  const MatrixKind kind = symmetric ? MatrixKind::positive_definite : MatrixKind::unsymmetric;
  const SolverChoice choice = choose_linear_solver(pattern_, kind);
  solver_ = make_linear_solver(choice.name, {.kind = kind, .ordering = choice.ordering, .keep_pivots = false});
  solver_->analyse(pattern_);
}

bool ShiftedContactMatrix::factor(const ContactIsland& island, const std::vector<double>& spring) {
  values_.clear();
  for (int c = 0; c < pattern_.size; ++c)
    down_column(island.problem, c / 3, c % 3, pattern_.symmetric, [&](std::size_t entry, int place, int) {
      values_.push_back(island.problem.W[entry] + (place >= 0 ? spring[place] : 0));
    });
  return solver_->factor(values_).usable;
}

bool ShiftedContactMatrix::solve(std::vector<double>& x) { return solver_->solve(x, x).ok(); }

}  // namespace lithe

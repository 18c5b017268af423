#include "lithe/linalg/bordered_pencil.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

namespace lithe {

BorderedPencil::BorderedPencil(SparsePattern pattern, std::vector<double> A, std::vector<double> B, RowPattern rows,
                               std::vector<double> G)
    : pattern_(std::move(pattern)), A_(std::move(A)), B_(std::move(B)), rows_(std::move(rows)), G_(std::move(G)) {
  LITHE_INVARIANT(pattern_.symmetric && A_.size() == pattern_.nonzeros() && B_.size() == A_.size());
  const int n = pattern_.size, m = rows_.rows;
  bordered_ = pattern_;
  bordered_.size = n + m;
  for (int r = 0; r < m; ++r) {
    for (int e = rows_.row_start[r]; e < rows_.row_start[r + 1]; ++e) {
      border_.push_back(static_cast<std::int32_t>(bordered_.row.size()));
      bordered_.row.push_back(rows_.column[e]);
    }
    bordered_.row.push_back(n + r);
    bordered_.column_start.push_back(static_cast<std::int32_t>(bordered_.row.size()));
  }
  rhs_.resize(bordered_.size);
}

const std::vector<double>& BorderedPencil::combined(double a, double b) {
  values_.assign(bordered_.nonzeros(), 0.0);
  for (std::size_t p = 0; p < A_.size(); ++p) values_[p] = a * A_[p] + b * B_[p];
  if (rows_.rows == 0) return values_;
  column_maxima(bordered_, values_, largest_);
  double sum = 0;
  for (int j = 0; j < size(); ++j) sum += largest_[j];
  scale_ = sum > 0 ? sum / size() : 1;
  for (std::size_t e = 0; e < border_.size(); ++e) values_[border_[e]] = scale_ * G_[e];
  return values_;
}

int BorderedPencil::count_negative(double a, double b) {
  if (!counting_)
    counting_ = std::make_unique<SolverLadder>(bordered_, MatrixKind::symmetric_indefinite,
                                               LadderOptions{.count_negative = true});
  if (solving_ == counting_.get()) solving_ = nullptr;
  ++factorisations_;
  if (!counting_->factor(combined(a, b)) && counting_->factor_report().reason != FactorReport::Reason::singular)
    return -1;
  const FactorReport& report = counting_->factor_report();
  if (!report.usable || report.negative_pivots < rows()) return -1;
  return report.negative_pivots - rows();
}

int BorderedPencil::factor(double a, double b, bool definite) {
  solving_ = nullptr;
  if (!definite || rows() > 0) {
    const int negative = count_negative(a, b);
    if (negative >= 0) solving_ = counting_.get();
    return negative;
  }
  if (!definite_) definite_ = std::make_unique<SolverLadder>(pattern_, MatrixKind::positive_definite, LadderOptions{});
  ++factorisations_;
  if (!definite_->factor(combined(a, b))) return -1;
  const int negative = definite_->factor_report().negative_pivots;
  if (negative >= 0) solving_ = definite_.get();
  return negative;
}

bool BorderedPencil::solve(const std::vector<double>& f, std::vector<double>& x, int columns, std::vector<double>* y) {
  LITHE_INVARIANT(solving_ && f.size() == static_cast<std::size_t>(size()) * columns);
  solves_ += columns;
  if (y) y->clear();
  const std::size_t n = size(), all = bordered_.size;
  const SolveRequest request{.columns = columns};
  if (rows() == 0) return solving_->solve(f, x, request).reason != SolveReport::Reason::not_finite;
  rhs_.assign(all * columns, 0.0);
  for (int c = 0; c < columns; ++c) std::copy_n(f.begin() + c * n, n, rhs_.begin() + c * all);
  if (solving_->solve(rhs_, solution_, request).reason == SolveReport::Reason::not_finite) return false;
  if (!refine(columns)) return false;
  x.resize(n * columns);
  for (int c = 0; c < columns; ++c) std::copy_n(solution_.begin() + c * all, n, x.begin() + c * n);
  if (y)
    for (std::size_t r = n; r < all; ++r) y->push_back(scale_ * solution_[r]);
  return true;
}

// One step: pivots that were delayed for sparsity cost digits, and rows should hold.
bool BorderedPencil::refine(int columns) {
  const std::size_t all = bordered_.size;
  std::vector<double> x(all), image;
  for (int c = 0; c < columns; ++c) {
    std::copy_n(solution_.begin() + c * all, all, x.begin());
    lithe::multiply(bordered_, values_, x, image);
    for (std::size_t i = 0; i < all; ++i) rhs_[c * all + i] -= image[i];
  }
  if (solving_->solve(rhs_, correction_, {.columns = columns}).reason == SolveReport::Reason::not_finite) return false;
  for (std::size_t i = 0; i < solution_.size(); ++i) solution_[i] += correction_[i];
  return true;
}

void BorderedPencil::multiply(double a, double b, const double* x, double* y) const {
  const int n = size();
  std::fill(y, y + n, 0.0);
  for (int j = 0; j < n; ++j) {
    double sum = 0;
    const double xj = x[j];
    for (int p = pattern_.column_start[j], end = pattern_.column_start[j + 1]; p < end; ++p) {
      const int i = pattern_.row[p];
      const double value = a * A_[p] + b * B_[p];
      sum += value * x[i];
      if (i != j) y[i] += value * xj;
    }
    y[j] += sum;
  }
}

std::string BorderedPencil::solver() const {
  const SolverLadder* told = definite_ ? definite_.get() : counting_.get();
  return told ? told->report().text() : std::string();
}

}  // namespace lithe

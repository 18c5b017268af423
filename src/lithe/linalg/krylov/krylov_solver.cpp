// The Krylov methods as solvers of the registry: factor() makes the preconditioner, renew() takes the values of other
// matrices for the products alone.
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/krylov/methods.h"
#include "lithe/linalg/krylov/preconditioner.h"

namespace lithe {

namespace {

constexpr double own_tolerance = 1e-14;
// |b - A x| / (|A| |x| + |b|): a solution that is the exact one of a matrix that rounding cannot tell from this one.
constexpr double rounding_error = 1e-14;
// It must have taken away all but this share of b, too: of a singular matrix some huge x leaves rounding as large as b.
constexpr double fair_share = 1e-3;
// By which the work of a solve is counted before there was one.
constexpr double usual_iterations = 20;

// A power of two that brings numbers near to 1. A right-hand side of 1e-40, which rounding leaves of rows that hold, is
// nothing to a preconditioner in single precision; the digits of the others stay as they are.
double towards_one(std::span<const double> numbers) {
  constexpr int most = 1000;
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::abs(x));
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  return std::ldexp(1.0, -std::clamp(std::ilogb(largest), -most, most));
}

SolveReport::Reason reason_of(KrylovReport::Reason reason) {
  using enum KrylovReport::Reason;
  switch (reason) {
    case done:
      return SolveReport::Reason::done;
    case not_converged:
      return SolveReport::Reason::not_converged;
    case stagnated:
      return SolveReport::Reason::stagnated;
    case breakdown:
      return SolveReport::Reason::breakdown;
    case not_finite:
      break;
  }
  return SolveReport::Reason::not_finite;
}

class Matrix final : public LinearMap {
 public:
  const RowMatrix* rows = nullptr;
  LinearMap* instead = nullptr;
  Team* team = nullptr;
  void apply(const Array& x, Array& y) override {
    if (instead) instead->apply(x, y);
    else rows->multiply(x.host(), y.host(), team);
  }
};

class Inverse final : public LinearMap {
 public:
  Preconditioner* preconditioner = nullptr;
  bool transposed = false;
  void apply(const Array& r, Array& z) override { preconditioner->apply(r.host(), z.host(), transposed); }
};

class KrylovSolver final : public LinearSolver {
 public:
  KrylovSolver(const SolverInfo& info, const SolverOptions& options)
      : info_(info), options_(options), method_(krylov_method(info.name)), place_(options.team) {
    matrix_.team = options.team;
    matrix_.instead = options.product;
  }

  const char* name() const override { return info_.name.c_str(); }

  void analyse(const SparsePattern& pattern) override {
    kind_ = kind_of(info_, options_, pattern);
    usable_ = false;
    stored_ = pattern;
    rows_ = RowMatrix(pattern);
    columns_ = pattern.symmetric ? RowMatrix() : RowMatrix(pattern, true);
    norm_ = -1;
    residual_.assign(pattern.size, 0.0);
    room_.clear();
    preconditioner_.reset();
    made_ = false;
    if (options_.multipliers >= 0) prepare(options_.multipliers);
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT(values.size() == stored_.nonzeros());
    FactorReport report;
    report.usable = usable_ = false;
    if (const int column = column_not_finite(stored_, values); column >= 0) {
      report.reason = FactorReport::Reason::not_finite;
      report.column = column;
      return report;
    }
    take(values);
    if (const int row = empty_row(); row >= 0) {
      report.reason = FactorReport::Reason::singular;
      report.column = row;
      return report;
    }
    if (options_.multipliers < 0) {
      const int found = count_multipliers();
      if (!made_ || found != case_.multipliers) prepare(found);
    }
    report.usable = true;
    if (preconditioner_) report = preconditioner_->make(rows_, values);
    usable_ = report.usable;
    if (usable_) values_ = values;
    return report;
  }

  bool renew(const std::vector<double>& values) override {
    LITHE_INVARIANT(usable_ && values.size() == stored_.nonzeros());
    if (!all_finite(values)) return false;
    take(values);
    return true;
  }

  const std::vector<double>* pivot_values() const override { return usable_ ? &values_ : nullptr; }
  double factor_flops() const override { return preconditioner_ ? preconditioner_->flops() : 0; }
  double factor_nonzeros() const override { return usual_iterations * iteration_numbers(); }
  double iteration_numbers() const override {
    const double inverse = preconditioner_ ? preconditioner_->nonzeros() : 0;
    return static_cast<double>(rows_.pattern.nonzeros()) + inverse;
  }
  std::vector<std::pair<const char*, double>> figures() const override {
    if (!preconditioner_) return {};
    std::vector<std::pair<const char*, double>> all{{"flops", preconditioner_->flops()},
                                                    {"numbers_read", preconditioner_->nonzeros()}};
    for (const PreconditionerFigure& figure : preconditioner_->figures()) all.emplace_back(figure.name, figure.value);
    return all;
  }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    const std::size_t n = rows_.size();
    LITHE_INVARIANT(usable_ && b.size() == n * request.columns);
    const bool transposed = request.operation == SolveRequest::Operation::transposed;
    LITHE_INVARIANT(!transposed || !options_.product);
    matrix_.rows = transposed && !stored_.symmetric ? &columns_ : &rows_;
    inverse_.preconditioner = preconditioner_.get();
    inverse_.transposed = transposed;
    PlaceSpace space(place_, n, matrix_, preconditioner_ ? &inverse_ : nullptr);
    KrylovLimits limits;
    limits.tolerance = request.tolerance > 0 ? request.tolerance : options_.krylov.tolerance.value_or(own_tolerance);
    limits.iterations = request.iterations >= 0 ? request.iterations : options_.krylov.iterations;
    limits.restart = options_.krylov.restart;
    limits.zero_start = true;
    const bool projects =
        (method_ == KrylovMethod::projected_minres || method_ == KrylovMethod::cg) && case_.multipliers > 0;
    x.resize(b.size());
    right_.resize(n);
    SolveReport all;
    for (int c = 0; c < request.columns; ++c) {
      const std::span<const double> given = std::span(b).subspan(c * n, n);
      const double scale = towards_one(given);
      for (std::size_t i = 0; i < n; ++i) right_[i] = scale * given[i];
      const Array right = Array::view(place_, right_);
      Array found = Array::view(place_, std::span(x).subspan(c * n, n));
      const KrylovReport report = solve_krylov(method_, space, room_, limits, right, found, projects);
      SolveReport column;
      column.reason = reason_of(report.reason);
      column.iterations = report.iterations;
      column.products = report.products;
      column.first_residual = report.first / scale;
      column.last_residual = report.last / scale;
      if (!report.ok() && report.reason != KrylovReport::Reason::not_finite) {
        column.backward_error = backward_error(found);
        if (column.backward_error <= rounding_error && report.last <= fair_share * report.first)
          column.reason = SolveReport::Reason::done;
      }
      for (double& value : std::span(x).subspan(c * n, n)) value /= scale;
      all.join(column);
    }
    return all;
  }

 private:
  void prepare(int multipliers) {
    case_ = {method_, kind_, multipliers, options_.krylov, options_.mass, options_.team};
    require_preconditioner(case_);
    preconditioner_ = make_preconditioner(case_, stored_, rows_);
    made_ = true;
  }

  void take(const std::vector<double>& values) {
    rows_.gather(values);
    if (!stored_.symmetric) columns_.gather(values);
    norm_ = -1;
  }

  // A row or column of zeros; -1: none.
  int empty_row() const {
    for (const RowMatrix* m : {&rows_, &columns_})
      for (int i = 0; i < m->size(); ++i) {
        bool empty = true;
        for (int p = m->pattern.row_start[i]; empty && p < m->pattern.row_start[i + 1]; ++p) empty = m->values[p] == 0;
        if (empty) return i;
      }
    return -1;
  }

  // Rows at the end with nothing among themselves.
  int count_multipliers() const {
    int first = rows_.size();
    while (first > 0 && rows_.values[rows_.diagonal[first - 1]] == 0) --first;
    for (int i = rows_.size() - 1; i >= first; --i)
      for (int p = rows_.pattern.row_start[i]; p < rows_.pattern.row_start[i + 1]; ++p)
        if (const int j = rows_.pattern.column[p]; j >= first && rows_.values[p] != 0) first = std::min(i, j) + 1;
    return first > 0 ? rows_.size() - first : 0;
  }

  // Of the column in right_; by the size of the preconditioner's matrix where products have none that is stored.
  double backward_error(const Array& found) {
    if (norm_ < 0) norm_ = rows_.largest_row_sum();
    Array product = Array::view(place_, residual_);
    matrix_.apply(found, product);
    const std::span<const double> x = found.host();
    double r = 0, size_x = 0, size_b = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      r = std::max(r, std::abs(right_[i] - residual_[i]));
      size_x = std::max(size_x, std::abs(x[i]));
      size_b = std::max(size_b, std::abs(right_[i]));
    }
    return r / (norm_ * size_x + size_b);
  }

  const SolverInfo& info_;
  const SolverOptions options_;
  const KrylovMethod method_;
  MatrixKind kind_ = MatrixKind::unsymmetric;
  SparsePattern stored_;
  RowMatrix rows_, columns_;  // A, and A^T where that is another matrix
  PreconditionerCase case_;
  std::unique_ptr<Preconditioner> preconditioner_;
  bool made_ = false, usable_ = false;
  std::vector<double> values_;  // of the preconditioner
  double norm_ = -1;            // maximum norm of A; -1: not known yet
  HostPlace place_;
  Matrix matrix_;
  Inverse inverse_;
  KrylovRoom<PlaceSpace> room_;
  std::vector<double> right_, residual_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_krylov(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<KrylovSolver>(info, options);
}

}  // namespace lithe

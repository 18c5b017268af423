// LAPACK: dense A = U^T U (dpotrf), A = U D U^T with 1x1 and 2x2 pivots after Bunch and Kaufman (dsytrf), P A = L U
// (dgetrf), from the same sparse values as the other solvers. For small and for full matrices. All memory is taken by
// analyse().
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/choose_solver.h"

extern "C" {
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, double* b,
             const int* ldb, int* info, std::size_t);
void dsytrf_(const char* uplo, const int* n, double* a, const int* lda, int* ipiv, double* work, const int* lwork,
             int* info, std::size_t);
void dsytrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, const int* ipiv,
             double* b, const int* ldb, int* info, std::size_t);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dgetrs_(const char* trans, const int* n, const int* nrhs, const double* a, const int* lda, const int* ipiv,
             double* b, const int* ldb, int* info, std::size_t);
void dtrtrs_(const char* uplo, const char* trans, const char* diag, const int* n, const int* nrhs, const double* a,
             const int* lda, double* b, const int* ldb, int* info, std::size_t, std::size_t, std::size_t);
}

namespace lithe {

namespace {

class Lapack final : public LinearSolver {
 public:
  Lapack(const SolverInfo& info, const SolverOptions& options)
      : info_(info),
        options_(options),
        method_(info.name == "lapack_cholesky" ? Method::cholesky
                : info.name == "lapack_ldl"    ? Method::ldl
                                               : Method::lu) {}

  const char* name() const override { return info_.name.c_str(); }
  double factor_flops() const override {
    const double n = pattern_.size;
    return (method_ == Method::lu ? 2 : 1) * n * n * n / 3;
  }
  double factor_nonzeros() const override {
    const double n = pattern_.size;
    return method_ == Method::lu ? n * n : n * (n + 1) / 2;
  }

  void analyse(const SparsePattern& pattern) override {
    kind_of(info_, options_, pattern);
    usable_ = false;
    if (pattern.size > largest_dense)
      throw RunError(fmt::format("{}: {} unknowns are too many for a dense matrix (limit {}); use a sparse solver",
                                 name(), pattern.size, largest_dense));
    pattern_ = pattern;
    const std::size_t n = pattern.size;
    a_.resize(n * n);
    pivot_.resize(n);
    order_.resize(n);
    scale_.resize(n);
    if (method_ != Method::ldl) return;
    double best = 1;
    int info = 0;
    const int query = -1;
    dsytrf_("U", &pattern_.size, a_.data(), &pattern_.size, pivot_.data(), &best, &query, &info, 1);
    work_.resize(std::max<std::size_t>(1, static_cast<std::size_t>(best)));
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT(values.size() == pattern_.nonzeros());
    FactorReport report;
    report.usable = usable_ = false;
    if (const int column = column_not_finite(pattern_, values); column >= 0) {
      report.reason = FactorReport::Reason::not_finite;
      report.column = column;
      return report;
    }
    fill(values);
    const int n = pattern_.size;
    int info = 0;
    if (method_ == Method::cholesky) dpotrf_("U", &n, a_.data(), &n, &info, 1);
    else if (method_ == Method::lu) dgetrf_(&n, &n, a_.data(), &n, pivot_.data(), &info);
    else {
      const int room = static_cast<int>(work_.size());
      dsytrf_("U", &n, a_.data(), &n, pivot_.data(), work_.data(), &room, &info, 1);
    }
    if (info != 0) {
      report.reason = info < 0                      ? FactorReport::Reason::failed
                      : method_ == Method::cholesky ? FactorReport::Reason::not_positive_definite
                                                    : FactorReport::Reason::singular;
      report.column = info - 1;
      return report;
    }
    judge_pivots(values, report);
    report.usable = usable_ = true;
    return report;
  }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    using enum SolveRequest::Operation;
    const int n = pattern_.size, columns = request.columns;
    LITHE_INVARIANT(usable_ && b.size() == static_cast<std::size_t>(n) * columns);
    if (&b != &x) x.assign(b.begin(), b.end());
    int info = 0;
    if (request.half())  // U^T U: U^T is L
      dtrtrs_("U", request.operation == forward ? "T" : "N", "N", &n, &columns, a_.data(), &n, x.data(), &n, &info, 1,
              1, 1);
    else if (method_ == Method::cholesky) dpotrs_("U", &n, &columns, a_.data(), &n, x.data(), &n, &info, 1);
    else if (method_ == Method::lu)
      dgetrs_(request.operation == transposed ? "T" : "N", &n, &columns, a_.data(), &n, pivot_.data(), x.data(), &n,
              &info, 1);
    else dsytrs_("U", &n, &columns, a_.data(), &n, pivot_.data(), x.data(), &n, &info, 1);
    return {info == 0 && all_finite(x) ? SolveReport::Reason::done : SolveReport::Reason::not_finite};
  }

 private:
  enum class Method { cholesky, ldl, lu };

  // The upper triangle is enough for the symmetric methods.
  void fill(const std::vector<double>& values) {
    const std::size_t n = pattern_.size;
    std::fill(a_.begin(), a_.end(), 0.0);
    const bool mirror = pattern_.symmetric && method_ == Method::lu;
    for (std::size_t j = 0; j < n; ++j)
      for (int p = pattern_.column_start[j]; p < pattern_.column_start[j + 1]; ++p) {
        const std::size_t i = pattern_.row[p];
        a_[j * n + i] = values[p];
        if (mirror) a_[i * n + j] = values[p];
      }
  }

  void judge_pivots(const std::vector<double>& values, FactorReport& report) {
    column_maxima(pattern_, values, scale_);
    double least = std::numeric_limits<double>::infinity(), most = 0;
    report.smallest_pivot = least;
    const auto judge = [&](int column, double size) {
      least = std::min(least, size);
      most = std::max(most, size);
      const double share = scale_[column] > 0 ? size / scale_[column] : 0;
      if (share >= report.smallest_pivot) return;
      report.smallest_pivot = share;
      report.column = column;
    };
    const int n = pattern_.size;
    const auto entry = [&](int i, int j) { return a_[static_cast<std::size_t>(j) * n + i]; };
    if (method_ != Method::lu) report.negative_pivots = 0;
    if (method_ == Method::ldl) follow_interchanges();
    for (int j = 0; j < n; ++j) {
      const double d = entry(j, j);
      if (method_ == Method::cholesky) judge(j, d * d);
      else if (method_ == Method::lu) judge(j, std::abs(d));
      else if (pivot_[j] > 0) {
        report.negative_pivots += d < 0;
        judge(order_[j], std::abs(d));
      } else {  // a 2x2 pivot in columns j and j + 1: its determinant is negative, one eigenvalue of each sign
        const double c = entry(j, j + 1), e = entry(j + 1, j + 1);
        const double large = 0.5 * std::abs(d + e) + std::hypot(0.5 * (d - e), c), product = std::abs(d * e - c * c);
        ++report.negative_pivots;
        least = std::min(least, product / large);  // by the determinant, which does not cancel
        most = std::max(most, large);
        const double scale = scale_[order_[j]] * scale_[order_[j + 1]], share = scale > 0 ? product / scale : 0;
        if (share < report.smallest_pivot) {
          report.smallest_pivot = share;
          report.column = order_[j];
        }
        ++j;
      }
    }
    report.reciprocal_condition = most > 0 ? least / most : 0;
    if (report.smallest_pivot < singular_pivot) report.reason = FactorReport::Reason::singular;
  }

  // order_[k]: column of A whose pivot stands at k. dsytrf works from the last column to the first and interchanges as
  // it goes.
  void follow_interchanges() {
    for (int k = 0; k < pattern_.size; ++k) order_[k] = k;
    for (int k = pattern_.size - 1; k >= 0; --k)
      if (pivot_[k] > 0) std::swap(order_[k], order_[pivot_[k] - 1]);
      else {
        std::swap(order_[k - 1], order_[-pivot_[k] - 1]);
        --k;
      }
  }

  const SingleThreadedBlas one_thread_;
  const SolverInfo& info_;
  const SolverOptions options_;
  const Method method_;
  bool usable_ = false;
  SparsePattern pattern_;
  std::vector<double> a_;  // [size][size] by columns
  std::vector<double> scale_, work_;
  std::vector<int> pivot_, order_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_lapack(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<Lapack>(info, options);
}

}  // namespace lithe

// UMFPACK: P R A Q = L U with row scaling R and partial pivoting, iterative refinement in each solve. T. A. Davis,
// Algorithm 832, ACM TOMS 30 (2004). A symmetric pattern (upper triangle) is expanded once; its values are copied into
// place at each factorisation.
#include <umfpack.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/linear_solver.h"

namespace lithe {

namespace {

class Umfpack final : public LinearSolver {
 public:
  Umfpack() { umfpack_di_defaults(control_); }
  ~Umfpack() override {
    umfpack_di_free_numeric(&numeric_);
    umfpack_di_free_symbolic(&symbolic_);
  }

  const char* name() const override { return "umfpack"; }

  void analyse(const SparsePattern& pattern) override {
    umfpack_di_free_numeric(&numeric_);
    umfpack_di_free_symbolic(&symbolic_);
    expand(pattern);
    const SingleThreadedBlas one_thread;
    const int n = full_.size;
    const int status =
        umfpack_di_symbolic(n, n, full_.column_start.data(), full_.row.data(), nullptr, &symbolic_, control_, info_);
    if (status < 0 && status != UMFPACK_ERROR_out_of_memory)
      throw RunError("UMFPACK could not analyse the matrix (status " + std::to_string(status) + ")");
    if (status < 0) throw RunError("the ordering of the stiffness matrix ran out of memory");
    integers_.resize(n);
    doubles_.resize(5 * static_cast<std::size_t>(n));
    row_scale_.resize(n);
    pivots_.resize(n);
    column_order_.resize(n);
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT(symbolic_ && values.size() == nonzeros_);
    const SingleThreadedBlas one_thread;
    FactorReport report;
    report.usable = false;
    umfpack_di_free_numeric(&numeric_);
    for (std::size_t p = 0; p < source_.size(); ++p) values_[p] = values[source_[p]];
    for (int j = 0; j < full_.size; ++j)
      for (int p = full_.column_start[j]; p < full_.column_start[j + 1]; ++p)
        if (!std::isfinite(values_[p])) {
          report.reason = FactorReport::Reason::not_finite;
          report.column = j;
          return report;
        }
    const int status = umfpack_di_numeric(full_.column_start.data(), full_.row.data(), values_.data(), symbolic_,
                                          &numeric_, control_, info_);
    if (status == UMFPACK_ERROR_out_of_memory) {
      report.reason = FactorReport::Reason::out_of_memory;
      return report;
    }
    if (status < 0) {
      report.reason = FactorReport::Reason::failed;
      return report;
    }
    judge_pivots(report);
    report.reciprocal_condition = info_[UMFPACK_RCOND];
    report.usable = status != UMFPACK_WARNING_singular_matrix;
    if (!report.usable || report.smallest_pivot < singular_pivot) report.reason = FactorReport::Reason::singular;
    return report;
  }

  SolveReport solve(const std::vector<double>& b, std::vector<double>& x) override {
    LITHE_INVARIANT(numeric_ && b.size() == static_cast<std::size_t>(full_.size));
    const SingleThreadedBlas one_thread;
    const double* rhs = b.data();
    if (&b == &x) {
      copy_ = b;
      rhs = copy_.data();
    }
    x.resize(b.size());
    const int status = umfpack_di_wsolve(UMFPACK_A, full_.column_start.data(), full_.row.data(), values_.data(),
                                         x.data(), rhs, numeric_, control_, info_, integers_.data(), doubles_.data());
    SolveReport report;
    report.backward_error = std::max(info_[UMFPACK_OMEGA1], info_[UMFPACK_OMEGA2]);
    if (status < 0 || !std::all_of(x.begin(), x.end(), [](double a) { return std::isfinite(a); }))
      report.reason = SolveReport::Reason::not_finite;
    else if (report.backward_error > 1e-8) report.reason = SolveReport::Reason::inaccurate;
    return report;
  }

 private:
  // Full pattern, with for each entry its place in the caller's values.
  void expand(const SparsePattern& pattern) {
    const int n = pattern.size;
    nonzeros_ = pattern.nonzeros();
    full_ = SparsePattern{n, std::vector<std::int32_t>(n + 1, 0), {}, false};
    auto& start = full_.column_start;
    const auto each = [&](auto visit) {
      for (int j = 0; j < n; ++j)
        for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) visit(pattern.row[p], j, p);
    };
    each([&](int i, int j, int) {
      ++start[j + 1];
      if (pattern.symmetric && i != j) ++start[i + 1];
    });
    std::int64_t total = 0;
    for (int j = 0; j < n; ++j) {
      total += start[j + 1];
      if (total > std::numeric_limits<std::int32_t>::max())
        throw RunError("the stiffness matrix is too large for 32-bit indices");
      start[j + 1] = static_cast<std::int32_t>(total);
    }
    full_.row.resize(total);
    source_.resize(total);
    values_.resize(total);
    std::vector<std::int32_t> next(start.begin(), start.end() - 1);
    const auto put = [&](int i, int j, int p) {
      full_.row[next[j]] = i;
      source_[next[j]++] = p;
    };
    // Columns visited in order: the mirrored entries of column i arrive after its own and by ascending j.
    each([&](int i, int j, int p) {
      put(i, j, p);
      if (pattern.symmetric && i != j) put(j, i, p);
    });
  }

  void judge_pivots(FactorReport& report) {
    int reciprocal = 0;
    const int status =
        umfpack_di_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, column_order_.data(),
                               pivots_.data(), &reciprocal, row_scale_.data(), numeric_);
    if (status < 0) return;
    report.smallest_pivot = std::numeric_limits<double>::infinity();
    for (int k = 0; k < full_.size; ++k) {
      const int j = column_order_[k];
      double largest = 0;
      for (int p = full_.column_start[j]; p < full_.column_start[j + 1]; ++p) {
        const double r = row_scale_[full_.row[p]];
        largest = std::max(largest, std::abs(reciprocal ? values_[p] * r : values_[p] / r));
      }
      const double share = largest > 0 ? std::abs(pivots_[k]) / largest : 0;
      if (share < report.smallest_pivot) {
        report.smallest_pivot = share;
        report.column = j;
      }
    }
  }

  double control_[UMFPACK_CONTROL], info_[UMFPACK_INFO];
  void *symbolic_ = nullptr, *numeric_ = nullptr;
  SparsePattern full_;
  std::size_t nonzeros_ = 0;          // of the caller's pattern
  std::vector<std::int32_t> source_;  // [full entry] place in the caller's values
  std::vector<double> values_, doubles_, row_scale_, pivots_, copy_;
  std::vector<int> integers_, column_order_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_umfpack() { return std::make_unique<Umfpack>(); }

}  // namespace lithe

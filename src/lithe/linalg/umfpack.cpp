// UMFPACK: P R A Q = L U with row scaling R and partial pivoting, iterative refinement in each solve. T. A. Davis,
// Algorithm 832, ACM TOMS 30 (2004). UMFPACK takes the memory of its factors at each factorisation.
#include <umfpack.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

class Umfpack final : public LinearSolver {
 public:
  Umfpack(const SolverInfo& info, const SolverOptions& options) : info_(info), options_(options) {
    umfpack_di_defaults(control_);
    switch (options.ordering) {
      case Ordering::amd:
        control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
        control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_AMD;
        break;
      case Ordering::colamd:
        control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
        control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_AMD;
        break;
      case Ordering::metis:
        control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
        break;
      case Ordering::natural:
        control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_NONE;
        break;
      default:
        break;
    }
    if (options.kind == MatrixKind::positive_definite && options.ordering != Ordering::colamd)
      control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;  // pivots on the diagonal
  }
  ~Umfpack() override {
    umfpack_di_free_numeric(&numeric_);
    umfpack_di_free_symbolic(&symbolic_);
  }

  const char* name() const override { return "umfpack"; }
  double factor_flops() const override { return numeric_ ? flops_ : -1; }
  double factor_nonzeros() const override { return numeric_ ? factor_nonzeros_ : -1; }

  void analyse(const SparsePattern& pattern) override {
    umfpack_di_free_numeric(&numeric_);
    umfpack_di_free_symbolic(&symbolic_);
    kind_of(info_, options_, pattern);
    expanded_ = FullPattern(pattern);
    const SparsePattern& full = expanded_.pattern;
    const int n = full.size;
    values_.resize(full.nonzeros());
    const int status = umfpack_di_symbolic(n, n, full.column_start.data(), full.row.data(), nullptr, &symbolic_,
                                           control_, info_values_);
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
    LITHE_INVARIANT(symbolic_ && values.size() == expanded_.stored_nonzeros);
    const SparsePattern& full = expanded_.pattern;
    FactorReport report;
    report.usable = false;
    umfpack_di_free_numeric(&numeric_);
    expanded_.gather(values, values_.data());
    if (const int column = column_not_finite(full, values_); column >= 0) {
      report.reason = FactorReport::Reason::not_finite;
      report.column = column;
      return report;
    }
    const int status = umfpack_di_numeric(full.column_start.data(), full.row.data(), values_.data(), symbolic_,
                                          &numeric_, control_, info_values_);
    if (status == UMFPACK_ERROR_out_of_memory) {
      report.reason = FactorReport::Reason::out_of_memory;
      return report;
    }
    if (status < 0) {
      report.reason = FactorReport::Reason::failed;
      return report;
    }
    flops_ = info_values_[UMFPACK_FLOPS];
    factor_nonzeros_ = info_values_[UMFPACK_LNZ] + info_values_[UMFPACK_UNZ];
    judge_pivots(report);
    report.reciprocal_condition = info_values_[UMFPACK_RCOND];
    report.usable = status != UMFPACK_WARNING_singular_matrix;
    if (!report.usable || report.smallest_pivot < singular_pivot) report.reason = FactorReport::Reason::singular;
    return report;
  }

  SolveReport solve(const std::vector<double>& b, std::vector<double>& x) override {
    const SparsePattern& full = expanded_.pattern;
    LITHE_INVARIANT(numeric_ && b.size() == static_cast<std::size_t>(full.size));
    const double* rhs = b.data();
    if (&b == &x) {
      copy_ = b;
      rhs = copy_.data();
    }
    x.resize(b.size());
    const int status = umfpack_di_wsolve(UMFPACK_A, full.column_start.data(), full.row.data(), values_.data(), x.data(),
                                         rhs, numeric_, control_, info_values_, integers_.data(), doubles_.data());
    SolveReport report;
    report.backward_error = std::max(info_values_[UMFPACK_OMEGA1], info_values_[UMFPACK_OMEGA2]);
    if (status < 0 || !all_finite(x)) report.reason = SolveReport::Reason::not_finite;
    else if (report.backward_error > 1e-8) report.reason = SolveReport::Reason::inaccurate;
    return report;
  }

 private:
  void judge_pivots(FactorReport& report) {
    const SparsePattern& full = expanded_.pattern;
    int reciprocal = 0;
    const int status =
        umfpack_di_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, column_order_.data(),
                               pivots_.data(), &reciprocal, row_scale_.data(), numeric_);
    if (status < 0) return;
    report.smallest_pivot = std::numeric_limits<double>::infinity();
    for (int k = 0; k < full.size; ++k) {
      const int j = column_order_[k];
      double largest = 0;
      for (int p = full.column_start[j]; p < full.column_start[j + 1]; ++p) {
        const double r = row_scale_[full.row[p]];
        largest = std::max(largest, std::abs(reciprocal ? values_[p] * r : values_[p] / r));
      }
      const double share = largest > 0 ? std::abs(pivots_[k]) / largest : 0;
      if (share < report.smallest_pivot) {
        report.smallest_pivot = share;
        report.column = j;
      }
    }
  }

  const SingleThreadedBlas one_thread_;
  const SolverInfo& info_;
  const SolverOptions options_;
  double control_[UMFPACK_CONTROL], info_values_[UMFPACK_INFO];
  void *symbolic_ = nullptr, *numeric_ = nullptr;
  FullPattern expanded_;
  std::vector<double> values_, doubles_, row_scale_, pivots_, copy_;
  std::vector<int> integers_, column_order_;
  double flops_ = -1, factor_nonzeros_ = -1;
};

}  // namespace

std::unique_ptr<LinearSolver> make_umfpack(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<Umfpack>(info, options);
}

}  // namespace lithe

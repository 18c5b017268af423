// CHOLMOD: P A P^T = L L^T (supernodal where that pays) or L D L^T (simplicial, no pivoting: exists for most indefinite
// matrices without zero pivots, its signs count the negative eigenvalues, and its accuracy is checked at each solve).
// Ordering: AMD, then METIS where the fill of AMD is large. Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam,
// Algorithm 887, ACM TOMS 35 (2008).
#include <cholmod.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/linear_solver.h"

namespace lithe {

namespace {

class Cholmod final : public LinearSolver {
 public:
  explicit Cholmod(bool positive_definite) : positive_definite_(positive_definite) {
    cholmod_start(&common_);
    common_.print = 0;
    common_.supernodal = positive_definite ? CHOLMOD_AUTO : CHOLMOD_SIMPLICIAL;
    common_.final_ll = positive_definite;
  }
  ~Cholmod() override {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_dense(&x_, &common_);
    cholmod_free_dense(&y_, &common_);
    cholmod_free_dense(&e_, &common_);
    cholmod_finish(&common_);
  }

  const char* name() const override { return positive_definite_ ? "cholmod" : "cholmod_ldl"; }

  void analyse(const SparsePattern& pattern) override {
    require(pattern.symmetric, std::string(name()) + " takes symmetric matrices; use umfpack");
    pattern_ = pattern;
    const SingleThreadedBlas one_thread;
    cholmod_free_factor(&factor_, &common_);
    cholmod_sparse matrix = view(nullptr);
    matrix.xtype = CHOLMOD_PATTERN;
    factor_ = cholmod_analyze(&matrix, &common_);
    if (!factor_ || common_.status < 0)
      throw RunError(common_.status == CHOLMOD_TOO_LARGE
                         ? "the stiffness matrix is too large for 32-bit indices"
                         : "the ordering of the stiffness matrix ran out of memory (or failed)");
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT(factor_ && values.size() == pattern_.nonzeros());
    const SingleThreadedBlas one_thread;
    FactorReport report;
    usable_ = false;
    report.usable = false;
    for (int j = 0; j < pattern_.size; ++j)
      for (int p = pattern_.column_start[j]; p < pattern_.column_start[j + 1]; ++p)
        if (!std::isfinite(values[p])) {
          report.reason = FactorReport::Reason::not_finite;
          report.column = j;
          return report;
        }
    values_ = values;
    cholmod_sparse matrix = view(values_.data());
    cholmod_factorize(&matrix, factor_, &common_);
    if (common_.status == CHOLMOD_OUT_OF_MEMORY || common_.status == CHOLMOD_TOO_LARGE) {
      report.reason = FactorReport::Reason::out_of_memory;
      return report;
    }
    if (common_.status < 0) {
      report.reason = FactorReport::Reason::failed;
      return report;
    }
    if (factor_->minor < factor_->n) {
      report.column = static_cast<const int*>(factor_->Perm)[factor_->minor];
      report.reason = positive_definite_ ? FactorReport::Reason::not_positive_definite : FactorReport::Reason::singular;
      return report;
    }
    usable_ = report.usable = true;
    judge_pivots(report);
    return report;
  }

  SolveReport solve(const std::vector<double>& b, std::vector<double>& x) override {
    LITHE_INVARIANT(usable_ && b.size() == static_cast<std::size_t>(pattern_.size));
    const SingleThreadedBlas one_thread;
    if (positive_definite_) {  // backward stable: no check
      apply(b, x);
      return {all_finite(x) ? SolveReport::Reason::done : SolveReport::Reason::not_finite, -1};
    }
    // Without pivoting the factors may have grown: measure, refine while that helps.
    rhs_ = b;
    apply(rhs_, x);
    SolveReport report;
    for (int step = 0;; ++step) {
      const double error = backward_error(x);
      if (!std::isfinite(error)) return {SolveReport::Reason::not_finite, error};
      if (step > 0 && error >= report.backward_error) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= correction_[i];
        break;
      }
      report.backward_error = error;
      if (error < 1e-15 || step == 3) break;
      apply(residual_, correction_);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction_[i];
    }
    if (report.backward_error > 1e-10) report.reason = SolveReport::Reason::inaccurate;
    return report;
  }

 private:
  cholmod_sparse view(double* values) {
    cholmod_sparse a{};
    a.nrow = a.ncol = pattern_.size;
    a.nzmax = pattern_.nonzeros();
    a.p = pattern_.column_start.data();
    a.i = pattern_.row.data();
    a.x = values;
    a.stype = 1;
    a.itype = CHOLMOD_INT;
    a.xtype = CHOLMOD_REAL;
    a.dtype = CHOLMOD_DOUBLE;
    a.sorted = 1;
    a.packed = 1;
    return a;
  }

  void apply(const std::vector<double>& b, std::vector<double>& x) {
    cholmod_dense rhs{};
    rhs.nrow = rhs.d = rhs.nzmax = b.size();
    rhs.ncol = 1;
    rhs.x = const_cast<double*>(b.data());  // CHOLMOD does not write here
    rhs.xtype = CHOLMOD_REAL;
    rhs.dtype = CHOLMOD_DOUBLE;
    const int ok = cholmod_solve2(CHOLMOD_A, factor_, &rhs, nullptr, &x_, nullptr, &y_, &e_, &common_);
    if (!ok) throw RunError("CHOLMOD could not solve: out of memory");
    x.resize(b.size());
    std::memcpy(x.data(), x_->x, b.size() * sizeof(double));
  }

  static bool all_finite(const std::vector<double>& x) {
    return std::all_of(x.begin(), x.end(), [](double a) { return std::isfinite(a); });
  }

  double backward_error(const std::vector<double>& x) {
    multiply(pattern_, values_, x, residual_);
    double r = 0, size_x = 0, size_b = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      residual_[i] = rhs_[i] - residual_[i];
      if (!std::isfinite(residual_[i])) return residual_[i];
      r = std::max(r, std::abs(residual_[i]));
      size_x = std::max(size_x, std::abs(x[i]));
      size_b = std::max(size_b, std::abs(rhs_[i]));
    }
    const double size = norm_ * size_x + size_b;
    return size > 0 ? r / size : 0;
  }

  // Pivot j of the permuted matrix, in the units of A.
  template <class Visit>
  void each_pivot(Visit visit) const {
    const auto* x = static_cast<const double*>(factor_->x);
    const auto* permutation = static_cast<const int*>(factor_->Perm);
    if (factor_->is_super) {
      const auto* super = static_cast<const int*>(factor_->super);
      const auto* pi = static_cast<const int*>(factor_->pi);
      const auto* px = static_cast<const int*>(factor_->px);
      for (std::size_t s = 0; s < factor_->nsuper; ++s) {
        const int rows = pi[s + 1] - pi[s];
        for (int j = super[s]; j < super[s + 1]; ++j) {
          const double d = x[px[s] + (j - super[s]) * (rows + 1)];
          visit(permutation[j], d * d);
        }
      }
      return;
    }
    const auto* start = static_cast<const int*>(factor_->p);
    for (std::size_t j = 0; j < factor_->n; ++j) {
      const double d = x[start[j]];
      visit(permutation[j], factor_->is_ll ? d * d : d);
    }
  }

  void judge_pivots(FactorReport& report) {
    scale_.assign(pattern_.size, 1.0);
    multiply_absolute(pattern_, values_, scale_, residual_);
    norm_ = 0;
    for (double row_sum : residual_) norm_ = std::max(norm_, row_sum);
    column_maxima(pattern_, values_, scale_);
    report.negative_pivots = 0;
    report.smallest_pivot = std::numeric_limits<double>::infinity();
    each_pivot([&](int column, double d) {
      if (d < 0) ++report.negative_pivots;
      const double share = scale_[column] > 0 ? std::abs(d) / scale_[column] : 0;
      if (share < report.smallest_pivot) {
        report.smallest_pivot = share;
        report.column = column;
      }
    });
    report.reciprocal_condition = cholmod_rcond(factor_, &common_);
    if (report.smallest_pivot < singular_pivot) report.reason = FactorReport::Reason::singular;
  }

  bool positive_definite_, usable_ = false;
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *x_ = nullptr, *y_ = nullptr, *e_ = nullptr;  // CHOLMOD's workspaces, kept between solves
  SparsePattern pattern_;
  std::vector<double> values_, scale_, rhs_, residual_, correction_;
  double norm_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod(bool positive_definite) {
  return std::make_unique<Cholmod>(positive_definite);
}

}  // namespace lithe

// SuperLU: P_r A P_c = L U on supernodes. J. W. Demmel, S. C. Eisenstat, J. R. Gilbert, X. S. Li, J. W. H. Liu, SIAM J.
// Matrix Anal. Appl. 20 (1999). The column order and its elimination tree are found once. A factorisation takes over
// the rows of the last one (SamePattern_SameRowPerm) and the memory of its factors as long as every kept pivot passes
// the threshold test; when one does not, rows are chosen anew from the values alone.
//
// SuperLU takes work arrays at each factorisation and each solve, and ends the program when the system refuses these,
// through superlu_abort_and_exit. A definition of that name here comes before the library's (the dynamic linker looks
// there first) and throws instead; what SuperLU held at that moment is lost to us and left alone. It writes outside its
// arrays when a column has no row left to pivot on, so patterns without full rank are not given to it.
#include <slu_ddefs.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/full_pattern.h"
#include "lithe/linalg/index_width.h"
#include "lithe/linalg/pivots.h"

namespace {

struct SuperLuAborts {
  std::string message;
};

}  // namespace

// Seen by the library also where everything else of ours is hidden (the Python module).
extern "C" __attribute__((visibility("default"))) void superlu_abort_and_exit(char* message) {
  throw SuperLuAborts{message};
}

namespace lithe {

namespace {

[[noreturn]] void refuse(const char* doing, const SuperLuAborts& aborts) {
  throw RunError(std::string("SuperLU could not ") + doing + ": " + aborts.message +
                 "; it is short of memory: use another solver or a smaller model");
}

class SuperLu final : public LinearSolver {
 public:
  SuperLu(const SolverInfo& info, const SolverOptions& options) : info_(info), options_(options) {
    try {
      StatInit(&statistics_);
    } catch (const SuperLuAborts& aborts) {
      refuse("start", aborts);
    }
  }
  ~SuperLu() override {
    release();
    StatFree(&statistics_);
  }

  const char* name() const override { return "superlu"; }
  const std::vector<double>* pivot_values() const override {
    return options_.keep_pivots && have_factors_ ? &pivot_values_ : nullptr;
  }
  int pivot_choices() const override { return choices_; }
  double factor_flops() const override { return have_factors_ ? flops_ : -1; }
  double factor_nonzeros() const override {
    if (!have_factors_) return -1;
    return double(static_cast<const SCformat*>(l_.Store)->nnz) + static_cast<const NCformat*>(u_.Store)->nnz;
  }

  void analyse(const SparsePattern& pattern) override {
    release();
    const bool symmetric = kind_of(info_, options_, pattern) != MatrixKind::unsymmetric;
    require_narrow_factors(info_.name, pattern, options_.narrow);
    full_ = FullPattern(pattern, options_.narrow);
    const int n = pattern.size;
    values_.assign(full_.pattern.nonzeros(), 0.0);
    column_order_.resize(n);
    row_order_.resize(n);
    kept_rows_.resize(n);
    tree_.resize(n);
    scale_.resize(n);
    set_default_options(&control_);
    control_.PrintStat = NO;
    // Diagonal pivots keep the order of A + A^T useful; a kept pivot may fall to this share of its column's largest.
    control_.SymmetricMode = symmetric ? YES : NO;
    control_.DiagPivotThresh = symmetric ? 1e-3 : 0.1;
    try {
      dCreate_CompCol_Matrix(&a_, n, n, static_cast<int>(values_.size()), values_.data(), full_.pattern.row.data(),
                             full_.pattern.column_start.data(), SLU_NC, SLU_D, SLU_GE);
      order_columns(symmetric);
      control_.Fact = DOFACT;
      sp_preorder(&control_, &a_, column_order_.data(), tree_.data(), &permuted_);  // a view: no values are copied
    } catch (const SuperLuAborts& aborts) {
      refuse("analyse the matrix", aborts);
    }
    analysed_ = true;
    structurally_singular_ = structural_rank(full_.pattern) < n;
    choices_ = 0;
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT(analysed_ && values.size() == full_.stored_nonzeros);
    FactorReport report;
    report.usable = usable_ = false;
    full_.gather(values, values_.data());
    if (const int column = column_not_finite(full_.pattern, values_); column >= 0) {
      report.reason = FactorReport::Reason::not_finite;
      report.column = column;
      return report;
    }
    if (structurally_singular_) {
      report.reason = FactorReport::Reason::singular;
      return report;
    }
    int info = -1;
    if (have_factors_ && options_.keep_pivots) {
      std::copy(row_order_.begin(), row_order_.end(), kept_rows_.begin());
      info = factorise(SamePattern_SameRowPerm);
      report.fresh_pivots = info != 0 || kept_rows_ != row_order_;
    }
    if (report.fresh_pivots) {
      free_factors();
      ++choices_;
      info = factorise(SamePattern);
      pivot_values_ = values;
    }
    if (info != 0) {
      report.reason = info > 0 && info <= full_.pattern.size ? FactorReport::Reason::singular
                      : info > 0                             ? FactorReport::Reason::out_of_memory
                                                             : FactorReport::Reason::failed;
      if (report.reason == FactorReport::Reason::singular)
        for (int j = 0; j < full_.pattern.size; ++j)
          if (column_order_[j] == info - 1) report.column = j;
      if (report.reason == FactorReport::Reason::out_of_memory) have_factors_ = false;  // SuperLU freed them itself
      free_factors();
      return report;
    }
    judge_pivots(report);
    report.usable = usable_ = true;
    return report;
  }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    const int n = full_.pattern.size;
    LITHE_INVARIANT(usable_ && b.size() == static_cast<std::size_t>(n) * request.columns);
    if (&b != &x) x.assign(b.begin(), b.end());
    DNformat dense{n, x.data()};
    SuperMatrix rhs{SLU_DN, SLU_D, SLU_GE, n, request.columns, &dense};
    int info = 0;
    try {
      dgstrs(request.operation == SolveRequest::Operation::transposed ? TRANS : NOTRANS, &l_, &u_, column_order_.data(),
             row_order_.data(), &rhs, &statistics_, &info);
    } catch (const SuperLuAborts& aborts) {
      refuse("solve", aborts);
    }
    return {info == 0 && all_finite(x) ? SolveReport::Reason::done : SolveReport::Reason::not_finite};
  }

 private:
  void release() {
    free_factors();
    if (!analysed_) return;
    Destroy_SuperMatrix_Store(&a_);
    Destroy_CompCol_Permuted(&permuted_);
    analysed_ = false;
  }

  void free_factors() {
    usable_ = false;
    if (!have_factors_) return;
    Destroy_SuperNode_Matrix(&l_);
    Destroy_CompCol_Matrix(&u_);
    have_factors_ = false;
  }

  // column_order_[j]: when column j is eliminated.
  void order_columns(bool symmetric) {
    switch (options_.ordering) {
      case Ordering::mmd:
        get_perm_c(MMD_AT_PLUS_A, &a_, column_order_.data());
        return;
      case Ordering::mmd_ata:
        get_perm_c(MMD_ATA, &a_, column_order_.data());
        return;
      case Ordering::automatic:
        get_perm_c(symmetric ? MMD_AT_PLUS_A : COLAMD, &a_, column_order_.data());
        return;
      case Ordering::colamd:
        get_perm_c(COLAMD, &a_, column_order_.data());
        return;
      default: {
        const std::vector<int> order = elimination_order(full_.pattern, options_.ordering);
        for (std::size_t k = 0; k < order.size(); ++k) column_order_[order[k]] = static_cast<int>(k);
      }
    }
  }

  int factorise(fact_t how) {
    control_.Fact = how;
    std::fill(statistics_.ops, statistics_.ops + NPHASES, flops_t(0));
    int info = 0;
    have_factors_ = false;
    try {
      dgstrf(&control_, &permuted_, sp_ienv(2), sp_ienv(1), tree_.data(), nullptr, 0, column_order_.data(),
             row_order_.data(), &l_, &u_, &memory_, &statistics_, &info);
    } catch (const SuperLuAborts&) {
      return full_.pattern.size + 1;  // as SuperLU says where it returns: out of memory
    }
    have_factors_ = true;
    flops_ = statistics_.ops[FACT];
    return info;
  }

  void judge_pivots(FactorReport& report) {
    column_maxima(full_.pattern, values_, scale_);
    const auto* store = static_cast<const SCformat*>(l_.Store);
    const auto* x = static_cast<const double*>(store->nzval);
    PivotJudge judge(report);
    for (int j = 0; j < full_.pattern.size; ++j) {
      const int k = column_order_[j];
      const int first = store->sup_to_col[store->col_to_sup[k]];
      const double size = std::abs(x[store->nzval_colptr[k] + k - first]);
      judge.see(size, scale_[j], j);
    }
    judge.finish();
  }

  const SingleThreadedBlas one_thread_;
  const SolverInfo& info_;
  const SolverOptions options_;
  superlu_options_t control_{};
  SuperLUStat_t statistics_{};
  GlobalLU_t memory_{};
  SuperMatrix a_{}, permuted_{}, l_{}, u_{};
  bool analysed_ = false, have_factors_ = false, usable_ = false, structurally_singular_ = false;
  FullPattern full_;
  std::vector<double> values_, scale_, pivot_values_;
  std::vector<int> column_order_, row_order_, kept_rows_, tree_;
  double flops_ = -1;
  int choices_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_superlu(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<SuperLu>(info, options);
}

}  // namespace lithe

// Eigen's SparseLU: supernodal LU with partial pivoting after SuperLU, the baseline that papers compare with. The
// pattern is analysed once; Eigen takes memory at each factorisation and each solve.
#include <Eigen/OrderingMethods>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/full_pattern.h"
#include "lithe/linalg/index_width.h"
#include "lithe/linalg/pivots.h"

namespace lithe {

namespace {

using EigenMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// Eigen makes the object that orders itself, without arguments: what it should do lies here while analyzePattern runs.
thread_local Ordering ordering_now = Ordering::colamd;

struct ChosenOrdering {
  using PermutationType = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;
  void operator()(const EigenMatrix& a, PermutationType& permutation) const {
    if (ordering_now == Ordering::colamd) {
      Eigen::COLAMDOrdering<int>()(a, permutation);
      return;
    }
    const int n = static_cast<int>(a.cols());
    const SparsePattern pattern{n,
                                {a.outerIndexPtr(), a.outerIndexPtr() + n + 1},
                                {a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros()},
                                false};
    const std::vector<int> order = elimination_order(pattern, ordering_now);
    permutation.resize(n);
    for (int k = 0; k < n; ++k) permutation.indices()(order[k]) = k;
  }
};

class EigenSparseLu final : public LinearSolver {
 public:
  EigenSparseLu(const SolverInfo& info, const SolverOptions& options) : info_(info), options_(options) {}

  const char* name() const override { return "eigen_sparselu"; }
  double factor_nonzeros() const override { return usable_ ? double(lu_.nnzL()) + double(lu_.nnzU()) : -1; }

  void analyse(const SparsePattern& pattern) override {
    usable_ = false;
    const bool symmetric = kind_of(info_, options_, pattern) != MatrixKind::unsymmetric;
    require_narrow_factors(info_.name, pattern, options_.narrow);
    full_ = FullPattern(pattern, options_.narrow);
    const SparsePattern& full = full_.pattern;
    values_.assign(full.nonzeros(), 0.0);
    a_ = Eigen::Map<const EigenMatrix>(full.size, full.size, static_cast<int>(full.nonzeros()),
                                       full.column_start.data(), full.row.data(), values_.data());
    scale_.resize(full.size);
    ordering_now = options_.ordering == Ordering::automatic ? Ordering::colamd : options_.ordering;
    // Eigen's symmetric mode prefers the diagonal, for the orders of A + A^T.
    lu_.isSymmetric(symmetric && (ordering_now == Ordering::amd || ordering_now == Ordering::metis));
    lu_.analyzePattern(a_);
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT(values.size() == full_.stored_nonzeros);
    FactorReport report;
    report.usable = usable_ = false;
    full_.gather(values, values_.data());
    if (const int column = column_not_finite(full_.pattern, values_); column >= 0) {
      report.reason = FactorReport::Reason::not_finite;
      report.column = column;
      return report;
    }
    std::copy(values_.begin(), values_.end(), a_.valuePtr());
    lu_.factorize(a_);
    if (lu_.info() != Eigen::Success) {
      report.reason = FactorReport::Reason::singular;
      return report;
    }
    usable_ = report.usable = true;
    judge_pivots(report);
    return report;
  }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    LITHE_INVARIANT(usable_ && b.size() == scale_.size() * request.columns);
    const Eigen::Map<const Eigen::MatrixXd> rhs(b.data(), static_cast<Eigen::Index>(scale_.size()), request.columns);
    if (request.operation == SolveRequest::Operation::transposed) solution_ = lu_.transpose().solve(rhs);
    else solution_ = lu_.solve(rhs);
    x.assign(solution_.data(), solution_.data() + solution_.size());
    return {all_finite(x) ? SolveReport::Reason::done : SolveReport::Reason::not_finite};
  }

 private:
  void judge_pivots(FactorReport& report) {
    column_maxima(full_.pattern, values_, scale_);
    const auto upper = lu_.matrixU();
    PivotJudge judge(report);
    for (int j = 0; j < full_.pattern.size; ++j) {
      const int k = lu_.colsPermutation().indices()(j);
      double size = 0;
      using Factor = std::decay_t<decltype(upper.m_mapL)>;
      for (typename Factor::InnerIterator entry(upper.m_mapL, k); entry; ++entry)
        if (entry.index() == k) {
          size = std::abs(entry.value());
          break;
        }
      judge.see(size, scale_[j], j);
    }
    judge.finish();
  }

  const SolverInfo& info_;
  const SolverOptions options_;
  FullPattern full_;
  EigenMatrix a_;
  Eigen::SparseLU<EigenMatrix, ChosenOrdering> lu_;
  bool usable_ = false;
  std::vector<double> values_, scale_;
  Eigen::MatrixXd solution_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_eigen_sparselu(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<EigenSparseLu>(info, options);
}

}  // namespace lithe

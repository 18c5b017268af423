// KLU: P R A Q = L U by blocks of the block triangular form, row scaling R, partial pivoting that prefers the diagonal.
// T. A. Davis, E. Palamadai Natarajan, Algorithm 907, ACM TOMS 37 (2010). The fastest solver of P4, section 4.2, thanks
// to its refactorisation: the pivots of an earlier matrix are used again, L and U are computed in their old pattern,
// without searches and without taking memory.
//
// P4 warns that kept pivots may become bad when values change much. So each refactorisation is judged by its reciprocal
// pivot growth g = min over columns of max|R A| / max|U| (klu_rgrowth) and by its pivots. When g has dropped below a
// share of what it was at the last choice, or below a limit, or when a pivot lost its digits, pivots are chosen anew.
// Fresh pivots may have grown too (KLU takes a diagonal of a thousandth of its column's largest entry), so solves are
// refined where g is small. Structural matrices have g near one: they never pay for it.
#include <klu.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/index_width.h"

namespace lithe {

namespace {

constexpr double refine_below = 1e-3;  // reciprocal growth: three of sixteen digits

// KLU's names for its two widths of indices.
template <class Index>
struct Api;
template <>
struct Api<std::int32_t> {
  using Common = klu_common;
  using Symbolic = klu_symbolic;
  using Numeric = klu_numeric;
  static constexpr auto defaults = klu_defaults;
  static constexpr auto analyze = klu_analyze;
  static constexpr auto factor = klu_factor;
  static constexpr auto refactor = klu_refactor;
  static constexpr auto solve = klu_solve, tsolve = klu_tsolve;
  static constexpr auto rgrowth = klu_rgrowth;
  static constexpr auto flops = klu_flops;
  static constexpr auto free_numeric = klu_free_numeric;
  static constexpr auto free_symbolic = klu_free_symbolic;
};
template <>
struct Api<std::int64_t> {
  using Common = klu_l_common;
  using Symbolic = klu_l_symbolic;
  using Numeric = klu_l_numeric;
  static constexpr auto defaults = klu_l_defaults;
  static constexpr auto analyze = klu_l_analyze;
  static constexpr auto factor = klu_l_factor;
  static constexpr auto refactor = klu_l_refactor;
  static constexpr auto solve = klu_l_solve, tsolve = klu_l_tsolve;
  static constexpr auto rgrowth = klu_l_rgrowth;
  static constexpr auto flops = klu_l_flops;
  static constexpr auto free_numeric = klu_l_free_numeric;
  static constexpr auto free_symbolic = klu_l_free_symbolic;
};

template <class Index>
class Klu final : public LinearSolver {
  using Library = Api<Index>;
  static constexpr bool narrow = std::is_same_v<Index, std::int32_t>;

 public:
  Klu(const SolverInfo& info, const SolverOptions& options) : info_(info), options_(options) {
    Library::defaults(&common_);
  }
  ~Klu() override { release(); }

  const char* name() const override { return "klu"; }
  const std::vector<double>* pivot_values() const override {
    return options_.keep_pivots && numeric_ ? &pivot_values_ : nullptr;
  }
  int pivot_choices() const override { return choices_; }
  double factor_flops() const override { return numeric_ ? flops_ : -1; }
  double factor_nonzeros() const override { return numeric_ ? double(numeric_->lnz) + numeric_->unz : -1; }

  void analyse(const SparsePattern& pattern) override {
    release();
    kind_of(info_, options_, pattern);
    full_ = FullPatternOf<Index>(pattern, options_.narrow);
    symmetric_ = pattern.symmetric;
    const int n = pattern.size;
    switch (options_.ordering) {
      case Ordering::colamd:
        common_.ordering = 1;
        break;
      case Ordering::natural:
      case Ordering::metis:
        common_.ordering = 3;
        common_.user_order = order_block;
        common_.user_data = const_cast<Ordering*>(&options_.ordering);
        break;
      default:
        common_.ordering = 0;  // AMD
    }
    symbolic_ = Library::analyze(n, full_.pattern.column_start.data(), full_.pattern.row.data(), &common_);
    if (!symbolic_ && common_.status == KLU_SINGULAR) structurally_singular_ = true;
    else if (narrow && (symbolic_ ? symbolic_->lnz + symbolic_->unz > static_cast<double>(options_.narrow)
                                  : common_.status == KLU_TOO_LARGE))
      refuse_size();
    else if (!symbolic_)
      throw RunError(common_.status == KLU_TOO_LARGE ? "the matrix is too large for KLU"
                                                     : "the ordering of the matrix ran out of memory (or failed)");
    values_.resize(full_.pattern.nonzeros());
    inverse_scale_.resize(n);
    for (auto* work : {&rhs_, &residual_, &row_sums_, &column_}) work->resize(n);
    choices_ = 0;
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT((symbolic_ || structurally_singular_) && values.size() == full_.stored_nonzeros);
    FactorReport report;
    report.usable = false;
    usable_ = false;
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
    if (!numeric_ || !options_.keep_pivots || !refactor_kept(report)) choose_pivots(values, report);
    usable_ = report.usable;
    return report;
  }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    const auto n = static_cast<std::size_t>(symbolic_->n);
    LITHE_INVARIANT(usable_ && b.size() == n * request.columns);
    const bool transposed = request.operation == SolveRequest::Operation::transposed && !symmetric_;
    const int refinements = request.iterations >= 0  ? request.iterations
                            : growth_ < refine_below ? 1
                            : request.tolerance > 0  ? 3
                                                     : 0;
    if (refinements == 0 && request.tolerance <= 0) {
      if (&b != &x) x.assign(b.begin(), b.end());
      const bool ok = apply(x.data(), request.columns, transposed);
      return {ok && all_finite(x) ? SolveReport::Reason::done : SolveReport::Reason::not_finite};
    }
    SolveReport report;
    x.resize(b.size());
    for (int c = 0; c < request.columns; ++c) {
      rhs_.assign(b.begin() + c * n, b.begin() + (c + 1) * n);
      column_.assign(rhs_.begin(), rhs_.end());
      if (!apply(column_.data(), 1, transposed) || !all_finite(column_)) report.join({SolveReport::Reason::not_finite});
      else report.join(refine(column_, refinements, transposed, request));
      std::copy(column_.begin(), column_.end(), x.begin() + c * n);
    }
    return report;
  }

 private:
  void release() {
    Library::free_numeric(&numeric_, &common_);
    Library::free_symbolic(&symbolic_, &common_);
    structurally_singular_ = usable_ = false;
  }

  [[noreturn]] void refuse_size() {
    release();
    throw TooManyEntries("the factors of KLU have more entries than indices of 32 bits count");
  }

  bool apply(double* x, int columns, bool transposed) {
    const auto solve = transposed ? Library::tsolve : Library::solve;
    return solve(symbolic_, numeric_, symbolic_->n, columns, x, &common_);
  }

  // KLU's form of an ordering: one diagonal block; 0 would mean failure, -1 an unknown number of entries.
  static Index order_block(Index n, Index* column_start, Index* row, Index* order, typename Library::Common* common) {
    const auto ordering = *static_cast<const Ordering*>(common->user_data);
    const SparsePatternOf<Index> block{
        static_cast<int>(n), {column_start, column_start + n + 1}, {row, row + column_start[n]}, false};
    try {
      const std::vector<int> found = elimination_order_full(block, ordering);
      std::copy(found.begin(), found.end(), order);
    } catch (const std::exception&) {
      return 0;
    }
    return -1;
  }

  bool refactor() {
    return Library::refactor(full_.pattern.column_start.data(), full_.pattern.row.data(), values_.data(), symbolic_,
                             numeric_, &common_) &&
           common_.status == KLU_OK;
  }

  double reciprocal_growth() {
    Library::rgrowth(full_.pattern.column_start.data(), full_.pattern.row.data(), values_.data(), symbolic_, numeric_,
                     &common_);
    return common_.rgrowth;
  }

  // One step gives back the digits that growth has cost.
  SolveReport refine(std::vector<double>& x, int most, bool transposed, const SolveRequest& request) {
    SolveReport report{SolveReport::Reason::done, backward_error(x, transposed)};
    while (report.iterations < most && !(report.backward_error <= request.tolerance)) {
      apply(residual_.data(), 1, transposed);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += residual_[i];
      ++report.iterations;
      report.backward_error = backward_error(x, transposed);
    }
    if (!std::isfinite(report.backward_error)) report.reason = SolveReport::Reason::not_finite;
    else if (report.backward_error > inaccurate_above(request)) report.reason = SolveReport::Reason::inaccurate;
    return report;
  }

  // Leaves the residual.
  double backward_error(const std::vector<double>& x, bool transposed) {
    const SparsePatternOf<Index>& a = full_.pattern;
    row_sums_.assign(x.size(), 0.0);
    if (transposed) {
      multiply_transposed(a, values_, x, residual_);
      for (int j = 0; j < a.size; ++j)
        for (Index p = a.column_start[j]; p < a.column_start[j + 1]; ++p) row_sums_[j] += std::abs(values_[p]);
    } else {
      multiply(a, values_, x, residual_);
      for (std::size_t p = 0; p < values_.size(); ++p) row_sums_[a.row[p]] += std::abs(values_[p]);
    }
    double r = 0, norm = 0, size_x = 0, size_b = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      residual_[i] = rhs_[i] - residual_[i];
      r = std::max(r, std::abs(residual_[i]));
      norm = std::max(norm, row_sums_[i]);
      size_x = std::max(size_x, std::abs(x[i]));
      size_b = std::max(size_b, std::abs(rhs_[i]));
    }
    const double size = norm * size_x + size_b;
    return size > 0 ? r / size : 0;
  }

  // false: the kept pivots do not serve these values.
  bool refactor_kept(FactorReport& report) {
    if (!refactor()) return false;
    growth_ = reciprocal_growth();
    if (!(growth_ >= options_.growth_drop * chosen_growth_)) return false;  // also when it is not a number
    if (growth_ < options_.growth_limit && chosen_growth_ >= options_.growth_limit) return false;
    judge_pivots(report);
    if (!report.ok()) return false;
    report.usable = true;
    report.fresh_pivots = false;
    return true;
  }

  // Takes memory. The factors are then computed once more with the pivots found, so that they depend on pivots and
  // values alone, not on whether the pivots are new: the sums of klu_factor run in another order.
  void choose_pivots(const std::vector<double>& values, FactorReport& report) {
    report = FactorReport{};
    report.usable = false;
    Library::free_numeric(&numeric_, &common_);
    ++choices_;
    numeric_ = Library::factor(full_.pattern.column_start.data(), full_.pattern.row.data(), values_.data(), symbolic_,
                               &common_);
    const bool ok = numeric_ && (!options_.keep_pivots || refactor());
    // An order of ours leaves the analysis without a count: it is told here.
    if (narrow && (ok ? factor_nonzeros() > static_cast<double>(options_.narrow) : common_.status == KLU_TOO_LARGE))
      refuse_size();
    if (!ok) {
      report.reason = common_.status == KLU_SINGULAR ? FactorReport::Reason::singular
                      : common_.status == KLU_OUT_OF_MEMORY || common_.status == KLU_TOO_LARGE
                          ? FactorReport::Reason::out_of_memory
                          : FactorReport::Reason::failed;
      if (common_.status == KLU_SINGULAR && common_.singular_col < full_.pattern.size)
        report.column = static_cast<int>(common_.singular_col);
      Library::free_numeric(&numeric_, &common_);
      return;
    }
    growth_ = chosen_growth_ = reciprocal_growth();
    if (options_.keep_pivots) pivot_values_ = values;
    Library::flops(symbolic_, numeric_, &common_);
    flops_ = common_.flops;
    judge_pivots(report);
    report.usable = true;
  }

  void judge_pivots(FactorReport& report) {
    const SparsePatternOf<Index>& a = full_.pattern;
    const int n = a.size;
    const auto* pivot = static_cast<const double*>(numeric_->Udiag);
    for (int k = 0; k < n; ++k) inverse_scale_[numeric_->Pnum[k]] = numeric_->Rs ? 1 / numeric_->Rs[k] : 1;
    double least = std::numeric_limits<double>::infinity(), most = 0, smallest = least;
    for (int k = 0; k < n; ++k) {
      const auto j = static_cast<int>(symbolic_->Q[k]);
      double largest = 0;
      for (Index p = a.column_start[j], end = a.column_start[j + 1]; p < end; ++p)
        largest = std::max(largest, std::abs(values_[p]) * inverse_scale_[a.row[p]]);
      const double size = std::abs(pivot[k]);
      least = std::min(least, size);
      most = std::max(most, size);
      if (!(size >= smallest * largest)) {
        smallest = largest > 0 ? size / largest : 0;
        report.column = j;
      }
    }
    report.smallest_pivot = smallest;
    report.reciprocal_condition = most > 0 ? least / most : 0;
    if (!(smallest >= singular_pivot)) report.reason = FactorReport::Reason::singular;
  }

  const SolverInfo& info_;
  const SolverOptions options_;
  typename Library::Common common_{};
  typename Library::Symbolic* symbolic_ = nullptr;
  typename Library::Numeric* numeric_ = nullptr;
  bool structurally_singular_ = false, usable_ = false, symmetric_ = false;
  FullPatternOf<Index> full_;
  std::vector<double> values_;                              // [full nonzeros]
  std::vector<double> inverse_scale_;                       // [size] of the rows of A
  std::vector<double> rhs_, residual_, row_sums_, column_;  // [size] of a refinement
  std::vector<double> pivot_values_;                        // [stored nonzeros] for which the pivots were chosen
  double growth_ = 1, chosen_growth_ = 1;                   // reciprocal: now, and when the pivots were chosen
  double flops_ = -1;
  int choices_ = 0;
};

}  // namespace

std::unique_ptr<LinearSolver> make_klu(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<WidthBySize<Klu>>(info, options);
}

}  // namespace lithe

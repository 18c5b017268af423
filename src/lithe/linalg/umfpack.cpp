// UMFPACK: P R A Q = L U with row scaling R and partial pivoting, iterative refinement in each solve. T. A. Davis,
// Algorithm 832, ACM TOMS 30 (2004). UMFPACK takes the memory of its factors at each factorisation.
#include <umfpack.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/index_width.h"

namespace lithe {

namespace {

// UMFPACK's names for its two widths of indices.
template <class Index>
struct Api;
template <>
struct Api<std::int32_t> {
  static constexpr auto defaults = umfpack_di_defaults;
  static constexpr auto symbolic = umfpack_di_symbolic;
  static constexpr auto numeric = umfpack_di_numeric;
  static constexpr auto wsolve = umfpack_di_wsolve;
  static constexpr auto get_numeric = umfpack_di_get_numeric;
  static constexpr auto free_symbolic = umfpack_di_free_symbolic, free_numeric = umfpack_di_free_numeric;
};
template <>
struct Api<std::int64_t> {
  static constexpr auto defaults = umfpack_dl_defaults;
  static constexpr auto symbolic = umfpack_dl_symbolic;
  static constexpr auto numeric = umfpack_dl_numeric;
  static constexpr auto wsolve = umfpack_dl_wsolve;
  static constexpr auto get_numeric = umfpack_dl_get_numeric;
  static constexpr auto free_symbolic = umfpack_dl_free_symbolic, free_numeric = umfpack_dl_free_numeric;
};

template <class Index>
class Umfpack final : public LinearSolver {
  using Library = Api<Index>;
  static constexpr bool narrow = std::is_same_v<Index, std::int32_t>;

 public:
  Umfpack(const SolverInfo& info, const SolverOptions& options) : info_(info), options_(options) {
    Library::defaults(control_);
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
    Library::free_numeric(&numeric_);
    Library::free_symbolic(&symbolic_);
  }

  const char* name() const override { return "umfpack"; }
  double factor_flops() const override { return numeric_ ? flops_ : -1; }
  double factor_nonzeros() const override { return numeric_ ? factor_nonzeros_ : -1; }

  void analyse(const SparsePattern& pattern) override {
    Library::free_numeric(&numeric_);
    Library::free_symbolic(&symbolic_);
    kind_of(info_, options_, pattern);
    expanded_ = FullPatternOf<Index>(pattern, options_.narrow);
    symmetric_ = pattern.symmetric;
    const SparsePatternOf<Index>& full = expanded_.pattern;
    const int n = full.size;
    values_.resize(full.nonzeros());
    const auto status =
        Library::symbolic(n, n, full.column_start.data(), full.row.data(), nullptr, &symbolic_, control_, info_values_);
    // UMFPACK calls it a lack of memory where its indices do not suffice.
    if (narrow && (status == UMFPACK_ERROR_out_of_memory || entries_expected() > static_cast<double>(options_.narrow)))
      refuse_size();
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
    const SparsePatternOf<Index>& full = expanded_.pattern;
    FactorReport report;
    report.usable = false;
    Library::free_numeric(&numeric_);
    expanded_.gather(values, values_.data());
    if (const int column = column_not_finite(full, values_); column >= 0) {
      report.reason = FactorReport::Reason::not_finite;
      report.column = column;
      return report;
    }
    const auto status = Library::numeric(full.column_start.data(), full.row.data(), values_.data(), symbolic_,
                                         &numeric_, control_, info_values_);
    if (narrow && status == UMFPACK_ERROR_out_of_memory) refuse_size();
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

 protected:
  // Column by column: UMFPACK knows no several right-hand sides.
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    const SparsePatternOf<Index>& full = expanded_.pattern;
    const std::size_t n = full.size;
    LITHE_INVARIANT(numeric_ && b.size() == n * request.columns);
    const double* rhs = b.data();
    if (&b == &x) {
      copy_ = b;
      rhs = copy_.data();
    }
    x.resize(b.size());
    const bool transposed = request.operation == SolveRequest::Operation::transposed && !symmetric_;
    control_[UMFPACK_IRSTEP] = request.iterations >= 0 ? request.iterations : UMFPACK_DEFAULT_IRSTEP;
    SolveReport report;
    for (int c = 0; c < request.columns; ++c) {
      const auto status = Library::wsolve(transposed ? UMFPACK_At : UMFPACK_A, full.column_start.data(),
                                          full.row.data(), values_.data(), x.data() + c * n, rhs + c * n, numeric_,
                                          control_, info_values_, integers_.data(), doubles_.data());
      SolveReport column;
      if (request.iterations != 0)  // UMFPACK measures where it refines
        column.backward_error = std::max(info_values_[UMFPACK_OMEGA1], info_values_[UMFPACK_OMEGA2]);
      column.iterations = static_cast<int>(std::max(0.0, info_values_[UMFPACK_IR_TAKEN]));
      if (status < 0) column.reason = SolveReport::Reason::not_finite;
      else if (column.backward_error > (request.tolerance > 0 ? request.tolerance : 1e-8))
        column.reason = SolveReport::Reason::inaccurate;
      report.join(column);
    }
    if (!all_finite(x)) report.reason = SolveReport::Reason::not_finite;
    return report;
  }

 private:
  // Of the factors, as the analysis bounds them.
  double entries_expected() const { return info_values_[UMFPACK_LNZ_ESTIMATE] + info_values_[UMFPACK_UNZ_ESTIMATE]; }
  [[noreturn]] void refuse_size() {
    Library::free_numeric(&numeric_);
    Library::free_symbolic(&symbolic_);
    throw TooManyEntries("the factors of UMFPACK have more entries than indices of 32 bits count");
  }

  void judge_pivots(FactorReport& report) {
    const SparsePatternOf<Index>& full = expanded_.pattern;
    Index reciprocal = 0;
    const auto status =
        Library::get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, column_order_.data(),
                             pivots_.data(), &reciprocal, row_scale_.data(), numeric_);
    if (status < 0) return;
    report.smallest_pivot = std::numeric_limits<double>::infinity();
    for (int k = 0; k < full.size; ++k) {
      const auto j = static_cast<int>(column_order_[k]);
      double largest = 0;
      for (Index p = full.column_start[j]; p < full.column_start[j + 1]; ++p) {
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
  FullPatternOf<Index> expanded_;
  bool symmetric_ = false;
  std::vector<double> values_, doubles_, row_scale_, pivots_, copy_;
  std::vector<Index> integers_, column_order_;
  double flops_ = -1, factor_nonzeros_ = -1;
};

}  // namespace

std::unique_ptr<LinearSolver> make_umfpack(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<WidthBySize<Umfpack>>(info, options);
}

}  // namespace lithe

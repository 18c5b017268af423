// CHOLMOD: P A P^T = L L^T (supernodal where that pays) or L D L^T (simplicial, no pivoting: exists for most indefinite
// matrices without zero pivots, its signs count the negative eigenvalues, and its accuracy is checked at each solve).
// Ordering: AMD, then METIS where the fill of AMD is large, unless another one is asked for. Y. Chen, T. A. Davis,
// W. W. Hager, S. Rajamanickam, Algorithm 887, ACM TOMS 35 (2008).
//
// CHOLMOD permutes A anew at each factorisation, into memory that it takes and gives back. Here the permutation is
// found once, P A P^T has a pattern of its own whose values are gathered in one loop, and CHOLMOD is told to keep the
// order. Then the simplicial factorisation takes no memory; the supernodal one takes its dense update block each time.
//
// Several right-hand sides go through the factors in panels: the simplicial form has the columns of a panel side by
// side, so that an entry of L is read once for all of them, the supernodal one leaves them to BLAS.
#include <cholmod.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/index_width.h"

namespace lithe {

namespace {

// The supernodal code opens parallel regions of its own, of a fixed number of threads, around a few microseconds of
// work; on a machine that is busy they cost more than the factorisation. While this lives they run on one thread.
class SerialOpenMP {
 public:
  SerialOpenMP() : before_(omp_get_max_active_levels()) { omp_set_max_active_levels(0); }
  ~SerialOpenMP() { omp_set_max_active_levels(before_); }
  SerialOpenMP(const SerialOpenMP&) = delete;
  SerialOpenMP& operator=(const SerialOpenMP&) = delete;

 private:
  int before_;
};

// CHOLMOD's names for its two widths of indices.
template <class Index>
struct Api;
template <>
struct Api<std::int32_t> {
  static constexpr int itype = CHOLMOD_INT;
  static constexpr auto start = cholmod_start, finish = cholmod_finish;
  static constexpr auto free_factor = cholmod_free_factor;
  static constexpr auto analyze = cholmod_analyze;
  static constexpr auto analyze_p = cholmod_analyze_p;
  static constexpr auto factorize = cholmod_factorize;
  static constexpr auto super_lsolve = cholmod_super_lsolve, super_ltsolve = cholmod_super_ltsolve;
};
template <>
struct Api<std::int64_t> {
  static constexpr int itype = CHOLMOD_LONG;
  static constexpr auto start = cholmod_l_start, finish = cholmod_l_finish;
  static constexpr auto free_factor = cholmod_l_free_factor;
  static constexpr auto analyze = cholmod_l_analyze;
  static constexpr auto analyze_p = cholmod_l_analyze_p;
  static constexpr auto factorize = cholmod_l_factorize;
  static constexpr auto super_lsolve = cholmod_l_super_lsolve, super_ltsolve = cholmod_l_super_ltsolve;
};

// Right-hand sides that go through L together: simplicial, supernodal.
constexpr int panel = 4, block = 16;

// Numbers of the columns of a panel in one row.
template <int width>
struct LanesOf;
template <>
struct LanesOf<1> {
  using type = double;
};
template <>
struct LanesOf<2> {
  using type = double __attribute__((vector_size(16)));
};
template <>
struct LanesOf<4> {
  using type = double __attribute__((vector_size(32)));
};
template <int width>
using Lanes = typename LanesOf<width>::type;
template <int width>
Lanes<width> load(const double* from) {
  Lanes<width> x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
template <int width>
void store(double* to, Lanes<width> x) {
  std::memcpy(to, &x, sizeof x);
}

template <class Index>
class Cholmod final : public LinearSolver {
  using Library = Api<Index>;

 public:
  Cholmod(const SolverInfo& info, const SolverOptions& options)
      : info_(info), options_(options), positive_definite_(info.name != "cholmod_ldl") {
    Library::start(&common_);
    common_.print = 0;
  }
  ~Cholmod() override {
    Library::free_factor(&factor_, &common_);
    Library::finish(&common_);
  }

  const char* name() const override { return info_.name.c_str(); }
  double factor_flops() const override { return flops_; }
  double factor_nonzeros() const override { return nonzeros_; }

  void analyse(const SparsePattern& pattern) override {
    kind_of(info_, options_, pattern);
    usable_ = false;
    Library::free_factor(&factor_, &common_);
    common_.supernodal = info_.name == "cholmod"              ? CHOLMOD_AUTO
                         : info_.name == "cholmod_supernodal" ? CHOLMOD_SUPERNODAL
                                                              : CHOLMOD_SIMPLICIAL;
    common_.final_ll = false;  // of the simplicial kind: L D L^T, which needs no square roots
    order(pattern);
    flops_ = common_.fl;
    nonzeros_ = common_.lnz;
    permute(pattern);
    Library::free_factor(&factor_, &common_);
    common_.supernodal = supernodal_ ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_NATURAL;
    common_.postorder = false;
    cholmod_sparse matrix = view(permuted_, nullptr, supernodal_ ? -1 : 1);
    factor_ = Library::analyze(&matrix, &common_);
    check_analysis();
    const std::size_t n = pattern.size;
    update_.resize(std::max<std::size_t>(1, supernodal_ ? factor_->maxesize : 0));
    for (auto* work : {&scale_, &rhs_, &residual_, &correction_, &solution_}) work->resize(n);
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT(factor_ && values.size() == permuted_.nonzeros());
    FactorReport report;
    usable_ = false;
    report.usable = false;
    for (std::size_t p = 0; p < values.size(); ++p) values_[p] = values[source_[p]];
    if (const int column = column_not_finite(permuted_, values_); column >= 0) {
      report.reason = FactorReport::Reason::not_finite;
      report.column = order_[column];
      return report;
    }
    cholmod_sparse matrix = view(permuted_, values_.data(), supernodal_ ? -1 : 1);
    {
      const SerialOpenMP serial;
      Library::factorize(&matrix, factor_, &common_);
    }
    if (common_.status == CHOLMOD_OUT_OF_MEMORY || common_.status == CHOLMOD_TOO_LARGE) {
      report.reason = FactorReport::Reason::out_of_memory;
      return report;
    }
    if (common_.status < 0) {
      report.reason = FactorReport::Reason::failed;
      return report;
    }
    if (factor_->minor < factor_->n) {
      report.column = order_[factor_->minor];
      report.reason = positive_definite_ ? FactorReport::Reason::not_positive_definite : FactorReport::Reason::singular;
      return report;
    }
    judge_pivots(report);
    usable_ = report.usable = report.reason != FactorReport::Reason::not_positive_definite;
    return report;
  }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    const std::size_t n = order_.size();
    LITHE_INVARIANT(usable_ && b.size() == n * request.columns);
    x.resize(b.size());
    SolveReport report;
    for (int first = 0, width; first < request.columns; first += width) {
      const int left = request.columns - first;
      width = !positive_definite_ ? 1 : std::min(left, supernodal_ ? block : panel);
      // Columns of a simplicial panel; a third one is as quick with a fourth of zeros beside it.
      const int room = supernodal_ || width < 3 ? width : panel;
      const auto place = [&](std::size_t k, int c) { return supernodal_ ? c * n + k : k * room + c; };
      for (auto* work : {&rhs_, &solution_}) work->resize(n * room);
      if (room > width)
        for (std::size_t k = 0; k < n; ++k) rhs_[k * room + width] = 0;
      for (int c = 0; c < width; ++c)
        for (std::size_t k = 0; k < n; ++k) rhs_[place(k, c)] = b[(first + c) * n + order_[k]];
      apply(rhs_, solution_, request.operation);
      if (!positive_definite_) report.join(refine(request));
      else if (!all_finite(solution_))
        report.reason = SolveReport::Reason::not_finite;  // backward stable: no other check
      for (int c = 0; c < width; ++c)
        for (std::size_t k = 0; k < n; ++k) x[(first + c) * n + order_[k]] = solution_[place(k, c)];
    }
    return report;
  }

 private:
  static cholmod_sparse view(SparsePatternOf<Index>& pattern, double* values, int triangle) {
    cholmod_sparse a{};
    a.nrow = a.ncol = pattern.size;
    a.nzmax = pattern.nonzeros();
    a.p = pattern.column_start.data();
    a.i = pattern.row.data();
    a.x = values;
    a.stype = triangle;
    a.itype = Library::itype;
    a.xtype = values ? CHOLMOD_REAL : CHOLMOD_PATTERN;
    a.dtype = CHOLMOD_DOUBLE;
    a.sorted = 1;
    a.packed = 1;
    return a;
  }

  void check_analysis() const {
    const auto limit = static_cast<double>(options_.narrow);
    if (std::is_same_v<Index, std::int32_t> &&
        (common_.status == CHOLMOD_TOO_LARGE || (factor_ && common_.lnz > limit)))
      throw TooManyEntries("the factors of CHOLMOD have more entries than indices of 32 bits count");
    if (!factor_ || common_.status < 0)
      throw RunError(common_.status == CHOLMOD_TOO_LARGE
                         ? "the stiffness matrix is too large for CHOLMOD"
                         : "the ordering of the stiffness matrix ran out of memory (or failed)");
  }

  // order_, postordered, and whether supernodes pay.
  void order(const SparsePattern& pattern) {
    SparsePatternOf<Index> upper{pattern.size,
                                 {pattern.column_start.begin(), pattern.column_start.end()},
                                 {pattern.row.begin(), pattern.row.end()},
                                 true};
    cholmod_sparse matrix = view(upper, nullptr, 1);
    common_.postorder = true;
    common_.nmethods = options_.ordering == Ordering::automatic ? 0 : 1;
    std::vector<Index> given;
    switch (options_.ordering) {
      case Ordering::amd:
        common_.method[0].ordering = CHOLMOD_AMD;
        break;
      case Ordering::metis:
        common_.method[0].ordering = CHOLMOD_METIS;
        break;
      case Ordering::natural:
        common_.method[0].ordering = CHOLMOD_NATURAL;
        break;
      case Ordering::colamd:  // CHOLMOD's own name for it means AMD where the matrix is symmetric
        for (int k : elimination_order(pattern, Ordering::colamd, options_.narrow)) given.push_back(k);
        common_.method[0].ordering = CHOLMOD_GIVEN;
        break;
      default:
        cholmod_start_methods();
    }
    factor_ = given.empty() ? Library::analyze(&matrix, &common_)
                            : Library::analyze_p(&matrix, given.data(), nullptr, 0, &common_);
    check_analysis();
    const auto* permutation = static_cast<const Index*>(factor_->Perm);
    order_.assign(permutation, permutation + pattern.size);
    supernodal_ = factor_->is_super;
  }

  // The methods as CHOLMOD starts with them; analyse() may have changed the first.
  void cholmod_start_methods() {
    common_.method[0].ordering = CHOLMOD_GIVEN;
    common_.method[1].ordering = CHOLMOD_AMD;
    common_.method[2].ordering = CHOLMOD_METIS;
  }

  // permuted_: P A P^T, upper triangle for the simplicial, lower triangle for the supernodal factorisation.
  void permute(const SparsePattern& pattern) {
    const int n = pattern.size;
    std::vector<std::int32_t> inverse(n);
    for (int k = 0; k < n; ++k) inverse[order_[k]] = k;
    const auto visit = [&](auto&& action) {  // action(row, column, place in the stored values)
      for (int j = 0; j < n; ++j)
        for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
          const auto [low, high] = std::minmax(inverse[pattern.row[p]], inverse[j]);
          supernodal_ ? action(high, low, p) : action(low, high, p);
        }
    };
    // Into buckets by rows, from there into columns, where rows then ascend.
    const std::size_t entries = pattern.nonzeros();  // of a triangle: no more than are stored
    permuted_ = {n, std::vector<Index>(n + 1, 0), std::vector<Index>(entries), true};
    source_.resize(entries);
    values_.resize(entries);
    std::vector<std::int32_t> row_start(n + 1, 0), column_of(entries), source_of(entries);
    visit([&](int row, int column, int) {
      ++row_start[row + 1];
      ++permuted_.column_start[column + 1];
    });
    for (int k = 0; k < n; ++k) {
      row_start[k + 1] += row_start[k];
      permuted_.column_start[k + 1] += permuted_.column_start[k];
    }
    std::vector<std::int32_t> next(row_start.begin(), row_start.end() - 1);
    visit([&](int row, int column, int source) {
      const std::int32_t at = next[row]++;
      column_of[at] = column;
      source_of[at] = source;
    });
    next.assign(permuted_.column_start.begin(), permuted_.column_start.end() - 1);
    for (int row = 0; row < n; ++row)
      for (std::int32_t k = row_start[row]; k < row_start[row + 1]; ++k) {
        const std::int32_t at = next[column_of[k]]++;
        permuted_.row[at] = row;
        source_[at] = source_of[k];
      }
  }

  // y = (L D L^T)^-1 b (simplicial) or (L L^T)^-1 b (supernodal), or a half of it: D^-1/2 L^-1 b and L^-T D^-1/2 b
  // where there is a D. cholmod_solve2 would take memory each time and permute once more.
  void apply(const std::vector<double>& b, std::vector<double>& y, SolveRequest::Operation operation) {
    using enum SolveRequest::Operation;
    std::copy(b.begin(), b.end(), y.begin());
    const std::size_t width = y.size() / std::max<std::size_t>(1, order_.size());
    if (!supernodal_) {
      static_assert(panel == 4);
      return width == 1   ? sweep<1>(y.data(), operation)
             : width == 2 ? sweep<2>(y.data(), operation)
                          : sweep<4>(y.data(), operation);
    }
    const std::size_t room = std::max<std::size_t>(1, factor_->maxesize);
    update_.resize(room * width);
    cholmod_dense x = dense(y.data(), order_.size(), width), e = dense(update_.data(), room, width);
    const SerialOpenMP serial;
    if ((operation != backward && !Library::super_lsolve(factor_, &x, &e, &common_)) ||
        (operation != forward && !Library::super_ltsolve(factor_, &x, &e, &common_)))
      throw RunError("CHOLMOD could not solve: out of memory");
  }

  // Columns side by side: y[k * width + c].
  template <int width>
  void sweep(double* y, SolveRequest::Operation operation) const {
    using enum SolveRequest::Operation;
    const auto* start = static_cast<const Index*>(factor_->p);
    const auto* count = static_cast<const Index*>(factor_->nz);
    const auto* row = static_cast<const Index*>(factor_->i);
    const auto* l = static_cast<const double*>(factor_->x);
    const auto n = static_cast<Index>(factor_->n);
    if (operation != backward)
      for (Index j = 0; j < n; ++j) {
        const Lanes<width> yj = load<width>(y + j * width);
        for (Index p = start[j] + 1, end = start[j] + count[j]; p < end; ++p) {
          double* to = y + std::ptrdiff_t{row[p]} * width;
          store<width>(to, load<width>(to) - l[p] * yj);
        }
      }
    const bool half = operation == forward || operation == backward;
    if (half)
      for (Index j = 0; j < n; ++j)
        for (int c = 0; c < width; ++c) y[j * width + c] /= std::sqrt(l[start[j]]);
    if (operation == forward) return;
    for (Index j = n - 1; j >= 0; --j) {
      Lanes<width> yj = load<width>(y + j * width);
      if (!half) yj /= l[start[j]];  // D
      for (Index p = start[j] + 1, end = start[j] + count[j]; p < end; ++p)
        yj -= l[p] * load<width>(y + std::ptrdiff_t{row[p]} * width);
      store<width>(y + j * width, yj);
    }
  }

  static cholmod_dense dense(double* values, std::size_t rows, std::size_t columns) {
    cholmod_dense x{};
    x.nrow = x.d = rows;
    x.ncol = columns;
    x.nzmax = rows * columns;
    x.x = values;
    x.xtype = CHOLMOD_REAL;
    x.dtype = CHOLMOD_DOUBLE;
    return x;
  }

  // Without pivoting the factors may have grown: measure, refine while that helps.
  SolveReport refine(const SolveRequest& request) {
    const double enough = request.tolerance > 0 ? request.tolerance : 1e-15;
    const int most = request.iterations >= 0 ? request.iterations : 3;
    SolveReport report;
    std::vector<double>& x = solution_;
    for (int step = 0;; ++step) {
      const double error = backward_error(x);
      if (!std::isfinite(error)) return {SolveReport::Reason::not_finite, error, step};
      if (step > 0 && error >= report.backward_error) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= correction_[i];
        break;
      }
      report.backward_error = error;
      report.iterations = step;
      if (error < enough || step == most) break;
      apply(residual_, correction_, SolveRequest::Operation::plain);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction_[i];
    }
    if (report.backward_error > std::max(enough, inaccurate_above(request)))
      report.reason = SolveReport::Reason::inaccurate;
    return report;
  }

  double backward_error(const std::vector<double>& x) {
    multiply(permuted_, values_, x, residual_);
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
    if (factor_->is_super) {
      const auto* super = static_cast<const Index*>(factor_->super);
      const auto* pi = static_cast<const Index*>(factor_->pi);
      const auto* px = static_cast<const Index*>(factor_->px);
      for (std::size_t s = 0; s < factor_->nsuper; ++s) {
        const Index rows = pi[s + 1] - pi[s];
        for (Index j = super[s]; j < super[s + 1]; ++j) {
          const double d = x[px[s] + (j - super[s]) * (rows + 1)];
          visit(static_cast<int>(j), d * d);
        }
      }
      return;
    }
    const auto* start = static_cast<const Index*>(factor_->p);
    for (std::size_t j = 0; j < factor_->n; ++j) {
      visit(static_cast<int>(j), x[start[j]]);
    }
  }

  void judge_pivots(FactorReport& report) {
    column_maxima(permuted_, values_, scale_);
    report.negative_pivots = 0;
    report.smallest_pivot = std::numeric_limits<double>::infinity();
    int first_negative = -1;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    each_pivot([&](int column, double d) {
      if (d <= 0 && report.negative_pivots++ == 0) first_negative = column;
      const double size = std::abs(d), share = scale_[column] > 0 ? size / scale_[column] : 0;
      least = std::min(least, size);
      most = std::max(most, size);
      if (share < report.smallest_pivot) {
        report.smallest_pivot = share;
        report.column = order_[column];
      }
    });
    report.reciprocal_condition = most > 0 ? least / most : 0;
    if (positive_definite_ && first_negative >= 0) {
      report.reason = FactorReport::Reason::not_positive_definite;
      report.column = order_[first_negative];
      return;
    }
    if (report.smallest_pivot < singular_pivot) report.reason = FactorReport::Reason::singular;
    if (positive_definite_) return;
    solution_.assign(order_.size(), 1.0);  // the norm that backward errors are measured with
    multiply_absolute(permuted_, values_, solution_, residual_);
    norm_ = *std::max_element(residual_.begin(), residual_.end());
  }

  const SingleThreadedBlas one_thread_;
  const SolverInfo& info_;
  const SolverOptions options_;
  const bool positive_definite_;
  bool usable_ = false, supernodal_ = false;
  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  std::vector<int> order_;            // [size] row of A that is eliminated k-th
  SparsePatternOf<Index> permuted_;   // P A P^T
  std::vector<std::int32_t> source_;  // [nonzeros] place in the values of A
  // In the order of elimination from here on.
  std::vector<double> values_, scale_, rhs_, residual_, correction_, solution_;
  std::vector<double> update_;  // CHOLMOD's workspace of a supernodal solve
  double norm_ = 0, flops_ = -1, nonzeros_ = -1;
};

}  // namespace

std::unique_ptr<LinearSolver> make_cholmod(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<WidthBySize<Cholmod>>(info, options);
}

}  // namespace lithe

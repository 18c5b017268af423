// constraint: P = [D G^T; G 0], D the block diagonal of A (its symmetric part), G as it is. A negative A is taken with
// the other sign, and G with it.
//
// With D = L L^T block by block and W = L^-1 G^T,
//   S = G D^-1 G^T = W^T W,   P [x; y] = [f; g]:   t = L^-1 f,   S y = W^T t - g,   x = L^-T (t - W y),
// so that all it needs is W, whose rows are as long as constraints touch a block, and S, factored by CHOLMOD. Where
// bodies meet in constraints alone, A is block diagonal, D = A, and P is the matrix itself.
//
// minres needs a positive definite P: for it P = [D 0; 0 S], with which [A G^T; G 0] has three eigenvalues where D = A
// (Murphy, Golub, Wathen 2000).
#include <algorithm>
#include <cmath>

#include "lithe/linalg/krylov/dense_block.h"
#include "lithe/linalg/krylov/preconditioner.h"
#include "lithe/linalg/normal_product.h"

namespace lithe {

namespace {

class ConstraintPreconditioner final : public Preconditioner {
 public:
  ConstraintPreconditioner(const PreconditionerCase& of, const RowMatrix& a)
      : of_(of), n_(a.size() - of.multipliers), kind_(preconditioner_for(of)) {
    if (kind_ == PreconditionerKind::none || kind_ == PreconditionerKind::jacobi) {
      for (int i = 0; i <= n_; ++i) blocks_.start.push_back(i);
      for (int i = 0; i < n_; ++i) blocks_.unknown.push_back(i);
    } else {
      blocks_ = find_blocks(a.pattern, n_);
    }
    places_ = block_places(blocks_, a.pattern);
    factors_.resize(places_.total());
    // W: each row of a block meets all constraints that touch the block.
    w_ = {n_, of.multipliers, {0}, {}};
    std::vector<std::vector<std::int32_t>> touching(blocks_.count());
    for (int b = 0; b < blocks_.count(); ++b) {
      auto& list = touching[b];
      for (int k = blocks_.start[b]; k < blocks_.start[b + 1]; ++k) {
        const int i = blocks_.unknown[k];
        for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p)
          if (a.pattern.column[p] >= n_) list.push_back(a.pattern.column[p] - n_);
      }
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      longest_ = std::max(longest_, list.size());
    }
    std::vector<std::int32_t> block_of(n_);
    for (int b = 0; b < blocks_.count(); ++b)
      for (int k = blocks_.start[b]; k < blocks_.start[b + 1]; ++k) block_of[blocks_.unknown[k]] = b;
    for (int i = 0; i < n_; ++i) {
      const auto& list = touching[block_of[i]];
      w_.column.insert(w_.column.end(), list.begin(), list.end());
      w_.row_start.push_back(static_cast<std::int32_t>(w_.column.size()));
    }
    // Where the entries of G^T go.
    for (int i = 0; i < n_; ++i)
      for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p)
        if (a.pattern.column[p] >= n_) {
          g_from_.push_back(p);
          g_to_.push_back(position(w_, i, a.pattern.column[p] - n_));
        }
    w_values_.resize(w_.nonzeros());
    s_pattern_ = NormalProduct::pattern(w_, true);
    s_values_.resize(s_pattern_.nonzeros());
    product_ = std::make_unique<NormalProduct>(w_, s_pattern_);
    ones_.assign(n_, 1.0);
    solver_ = make_linear_solver("cholmod");
    solver_->analyse(s_pattern_);
    column_.resize(places_.largest);
    t_.resize(n_);
    rhs_.resize(of.multipliers);
  }

  FactorReport make(const RowMatrix& a, const std::vector<double>&) override {
    std::fill(w_values_.begin(), w_values_.end(), 0.0);
    double trace = 0;
    for (int i = 0; i < n_; ++i) trace += a.values[a.diagonal[i]];
    sign_ = trace < 0 ? -1 : 1;
    for (std::size_t k = 0; k < g_from_.size(); ++k) w_values_[g_to_[k]] = sign_ * a.values[g_from_[k]];
    for (int b = 0; b < blocks_.count(); ++b) {
      const int first = blocks_.start[b], m = blocks_.start[b + 1] - first;
      double* l = factors_.data() + places_.start[b];
      if (kind_ == PreconditionerKind::none) {
        *l = 1;
      } else {
        places_.gather(b, a.values, l);
        symmetrise(l, m);
        for (int k = 0; k < m * m; ++k) l[k] *= sign_;
        if (const int failed = cholesky(l, m); failed >= 0) {
          FactorReport report;
          report.reason = FactorReport::Reason::not_positive_definite;
          report.column = blocks_.unknown[first + failed];
          report.usable = false;
          return report;
        }
      }
      // Columns of W: the same places in each row of the block.
      const int width = w_.row_start[blocks_.unknown[first] + 1] - w_.row_start[blocks_.unknown[first]];
      for (int c = 0; c < width; ++c) {
        for (int k = 0; k < m; ++k) column_[k] = w_values_[w_.row_start[blocks_.unknown[first + k]] + c];
        solve_lower(l, m, column_.data());
        for (int k = 0; k < m; ++k) w_values_[w_.row_start[blocks_.unknown[first + k]] + c] = column_[k];
      }
    }
    std::fill(s_values_.begin(), s_values_.end(), 0.0);
    product_->add(w_values_, ones_, 1, s_values_);
    FactorReport report = solver_->factor(s_values_);
    if (report.column >= 0) report.column += n_;
    return report;
  }

  // P is symmetric.
  void apply(std::span<const double> r, std::span<double> z, bool) override {
    const int m = of_.multipliers;
    const bool diagonal = of_.method == KrylovMethod::minres;
    const double sign = diagonal ? 1 : sign_;
    lower(r, false, sign);
    std::copy(r.begin() + n_, r.end(), rhs_.begin());
    if (diagonal) {
      (void)solver_->solve(rhs_, y_);
    } else {
      for (double& g : rhs_) g *= -sign;
      for (int i = 0; i < n_; ++i)
        for (int p = w_.row_start[i]; p < w_.row_start[i + 1]; ++p) rhs_[w_.column[p]] += w_values_[p] * t_[i];
      (void)solver_->solve(rhs_, y_);
      for (int i = 0; i < n_; ++i) {
        double sum = t_[i];
        for (int p = w_.row_start[i]; p < w_.row_start[i + 1]; ++p) sum -= w_values_[p] * y_[w_.column[p]];
        t_[i] = sum;
      }
    }
    lower(t_, true, 1);
    std::copy(t_.begin(), t_.end(), z.begin());
    std::copy(y_.begin(), y_.begin() + m, z.begin() + n_);
  }

  double nonzeros() const override {
    return 2 * static_cast<double>(factors_.size() + w_values_.size()) + 2 * std::max(0.0, solver_->factor_nonzeros());
  }
  double flops() const override {
    return static_cast<double>(factors_.size()) * places_.largest +
           static_cast<double>(w_values_.size()) * static_cast<double>(places_.largest + longest_) +
           std::max(0.0, solver_->factor_flops());
  }

 private:
  // t = factor L^-1 x, or L^-T x.
  void lower(std::span<const double> x, bool transposed, double factor) {
    for (int b = 0; b < blocks_.count(); ++b) {
      const int first = blocks_.start[b], m = blocks_.start[b + 1] - first;
      const double* l = factors_.data() + places_.start[b];
      for (int k = 0; k < m; ++k) column_[k] = factor * x[blocks_.unknown[first + k]];
      if (transposed) solve_lower_transposed(l, m, column_.data());
      else solve_lower(l, m, column_.data());
      for (int k = 0; k < m; ++k) t_[blocks_.unknown[first + k]] = column_[k];
    }
  }

  const PreconditionerCase of_;
  const int n_;
  const PreconditionerKind kind_;
  UnknownBlocks blocks_;
  BlockPlaces places_;
  double sign_ = 1;              // -1: A is negative, and what is factored is -A and -G
  std::vector<double> factors_;  // [block][row][column] L
  RowPattern w_;                 // [unknown][multiplier]
  std::vector<double> w_values_;
  std::vector<std::int32_t> g_from_, g_to_;  // entries of G^T in the matrix and in W
  std::size_t longest_ = 0;                  // row of W
  SparsePattern s_pattern_;
  std::vector<double> s_values_, ones_;
  std::unique_ptr<NormalProduct> product_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<double> column_, t_, rhs_, y_;
};

}  // namespace

std::unique_ptr<Preconditioner> make_constraint(const PreconditionerCase& of, const RowMatrix& a) {
  return std::make_unique<ConstraintPreconditioner>(of, a);
}

}  // namespace lithe

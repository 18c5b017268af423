// constraint: P = [D G^T; G 0], D the block diagonal of A (its symmetric part), G as it is. A negative A is taken with
// the other sign, and G with it.
//
// With D = L L^T block by block, K = L^-1 and W = K G^T,
//   S = G D^-1 G^T = W^T W,   P [x; y] = [f; g]:   u = K^T K f,   S y = G u - g,   x = u - K^T K G^T y,
// with S factored by CHOLMOD. The same K in W and in the rest lets G x = g hold to rounding, however far D is from 1. W
// has rows as long as constraints touch a block, G has two or three entries a row: an application reads K and G, not W.
// Where bodies meet in constraints alone, A is block diagonal, D = A, and P is the matrix itself.
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
    inverse_.resize(places_.total());
    block_.resize(places_.largest * places_.largest);
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
    // Where the entries of G^T and of G go.
    gt_ = {n_, of.multipliers, {0}, {}};
    for (int i = 0; i < n_; ++i) {
      for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p)
        if (a.pattern.column[p] >= n_) {
          gt_from_.push_back(p);
          gt_.column.push_back(a.pattern.column[p] - n_);
          w_to_.push_back(position(w_, i, a.pattern.column[p] - n_));
        }
      gt_.row_start.push_back(static_cast<std::int32_t>(gt_.column.size()));
    }
    g_ = {of.multipliers, n_, {0}, {}};
    for (int i = n_; i < a.size(); ++i) {
      for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p)
        if (a.pattern.column[p] < n_) {
          g_from_.push_back(p);
          g_.column.push_back(a.pattern.column[p]);
        }
      g_.row_start.push_back(static_cast<std::int32_t>(g_.column.size()));
    }
    gt_values_.resize(gt_.nonzeros());
    g_values_.resize(g_.nonzeros());
    w_values_.resize(w_.nonzeros());
    s_pattern_ = NormalProduct::pattern(w_, true);
    s_values_.resize(s_pattern_.nonzeros());
    product_ = std::make_unique<NormalProduct>(w_, s_pattern_);
    ones_.assign(n_, 1.0);
    solver_ = make_linear_solver("cholmod");
    solver_->analyse(s_pattern_);
    column_.resize(places_.largest);
    u_.resize(n_);
    rhs_.resize(of.multipliers);
  }

  FactorReport make(const RowMatrix& a, const std::vector<double>&) override {
    std::fill(w_values_.begin(), w_values_.end(), 0.0);
    double trace = 0;
    for (int i = 0; i < n_; ++i) trace += a.values[a.diagonal[i]];
    sign_ = trace < 0 ? -1 : 1;
    for (std::size_t k = 0; k < g_from_.size(); ++k) g_values_[k] = sign_ * a.values[g_from_[k]];
    for (std::size_t k = 0; k < gt_from_.size(); ++k)
      w_values_[w_to_[k]] = gt_values_[k] = sign_ * a.values[gt_from_[k]];
    for (int b = 0; b < blocks_.count(); ++b) {
      const int first = blocks_.start[b], m = blocks_.start[b + 1] - first;
      double *inverse = inverse_.data() + places_.start[b], *l = block_.data();
      if (kind_ == PreconditionerKind::none) {
        *inverse = 1;
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
        invert_lower(l, m, inverse);
      }
      // Columns of W: the same places in each row of the block.
      const int width = w_.row_start[blocks_.unknown[first] + 1] - w_.row_start[blocks_.unknown[first]];
      for (int c = 0; c < width; ++c) {
        for (int k = 0; k < m; ++k) column_[k] = w_values_[w_.row_start[blocks_.unknown[first + k]] + c];
        multiply_lower(inverse, m, column_.data(), block_.data());
        for (int k = 0; k < m; ++k) w_values_[w_.row_start[blocks_.unknown[first + k]] + c] = block_[k];
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
    const bool diagonal = of_.method == KrylovMethod::minres;
    const double sign = diagonal ? 1 : sign_;
    each_block([&](std::span<const std::int32_t> unknown, const double* inverse, double* x, double* y) {
      const int m = static_cast<int>(unknown.size());
      for (int k = 0; k < m; ++k) x[k] = sign * r[unknown[k]];
      multiply_lower(inverse, m, x, y);
      multiply_lower_transposed(inverse, m, y, x);
      for (int k = 0; k < m; ++k) u_[unknown[k]] = x[k];
    });
    for (int i = 0; i < of_.multipliers; ++i) {
      double sum = diagonal ? r[n_ + i] : -sign * r[n_ + i];
      for (int p = g_.row_start[i]; !diagonal && p < g_.row_start[i + 1]; ++p) sum += g_values_[p] * u_[g_.column[p]];
      rhs_[i] = sum;
    }
    (void)solver_->solve(rhs_, y_);
    std::copy(y_.begin(), y_.end(), z.begin() + n_);
    if (diagonal) {
      std::copy(u_.begin(), u_.end(), z.begin());
      return;
    }
    each_block([&](std::span<const std::int32_t> unknown, const double* inverse, double* x, double* y) {
      const int m = static_cast<int>(unknown.size());
      for (int k = 0; k < m; ++k) {
        x[k] = 0;
        for (int p = gt_.row_start[unknown[k]]; p < gt_.row_start[unknown[k] + 1]; ++p)
          x[k] += gt_values_[p] * y_[gt_.column[p]];
      }
      multiply_lower(inverse, m, x, y);
      multiply_lower_transposed(inverse, m, y, x);
      for (int k = 0; k < m; ++k) z[unknown[k]] = u_[unknown[k]] - x[k];
    });
  }

  double nonzeros() const override {
    return 2 * static_cast<double>(inverse_.size() + g_values_.size()) + 2 * std::max(0.0, solver_->factor_nonzeros());
  }
  double flops() const override {
    return 2 * static_cast<double>(inverse_.size()) * places_.largest +
           static_cast<double>(w_values_.size()) * static_cast<double>(places_.largest + longest_) +
           std::max(0.0, solver_->factor_flops());
  }

 private:
  // function(unknowns of the block, K, room, room), over the threads of the run.
  template <class Function>
  void each_block(Function&& function) const {
    const int chunks = static_cast<int>(places_.chunk.size()) - 1;
    const auto task = [&](int c, int) {
      double x[largest_block], y[largest_block];
      for (int b = places_.chunk[c]; b < places_.chunk[c + 1]; ++b)
        function(std::span(blocks_.unknown).subspan(blocks_.start[b], blocks_.start[b + 1] - blocks_.start[b]),
                 inverse_.data() + places_.start[b], x, y);
    };
    if (of_.team && chunks > 1) of_.team->run(chunks, task);
    else
      for (int c = 0; c < chunks; ++c) task(c, 0);
  }

  const PreconditionerCase of_;
  const int n_;
  const PreconditionerKind kind_;
  UnknownBlocks blocks_;
  BlockPlaces places_;
  double sign_ = 1;              // -1: A is negative, and what is factored is -A and -G
  std::vector<double> inverse_;  // [block][column][row] K
  RowPattern w_, g_, gt_;        // [unknown][multiplier], the other way round
  std::vector<double> w_values_, g_values_, gt_values_;
  std::vector<std::int32_t> g_from_, gt_from_, w_to_;  // entries of G and G^T in the matrix, those of G^T in W
  std::size_t longest_ = 0;                            // row of W
  SparsePattern s_pattern_;
  std::vector<double> s_values_, ones_;
  std::unique_ptr<NormalProduct> product_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<double> column_, block_, u_, rhs_, y_;
};

}  // namespace

std::unique_ptr<Preconditioner> make_constraint(const PreconditionerCase& of, const RowMatrix& a) {
  return std::make_unique<ConstraintPreconditioner>(of, a);
}

}  // namespace lithe

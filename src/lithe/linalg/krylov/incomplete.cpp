// incomplete: A + alpha S ~ L U on the pattern of A, without fill (Meijerink and van der Vorst 1977; ILU(0)). Of a
// symmetric matrix U = D L^T, so that it is incomplete Cholesky without square roots, and positive definite where all
// pivots are positive.
//
// Pivots may vanish or turn negative although A is regular or positive definite. Then everything is tried again with a
// larger alpha (Manteuffel 1980): S has the size of each row on its diagonal, negative for multipliers.
#include <algorithm>
#include <cmath>

#include "lithe/linalg/krylov/preconditioner.h"

namespace lithe {

namespace {

constexpr double shifts[] = {0, 1e-3, 1e-2, 1e-1, 1, 10};
constexpr double smallest_pivot_share = 1e-10;  // of the row's largest entry

class Incomplete final : public Preconditioner {
 public:
  Incomplete(const PreconditionerCase& of, const RowMatrix& a)
      : of_(of), rows_(a.pattern), diagonal_(a.diagonal), place_(a.size(), -1), scale_(a.size(), 0.0) {}

  FactorReport make(const RowMatrix& a, const std::vector<double>&) override {
    const int size = rows_.rows, n = size - of_.multipliers;
    for (int i = 0; i < size; ++i) {
      scale_[i] = 0;
      for (int p = rows_.row_start[i]; p < rows_.row_start[i + 1]; ++p)
        scale_[i] = std::max(scale_[i], std::abs(a.values[p]));
    }
    FactorReport report;
    for (const double shift : shifts) {
      values_ = a.values;
      for (int i = 0; i < size; ++i) values_[diagonal_[i]] += (i < n ? shift : -shift) * scale_[i];
      report.column = factor();
      if (report.column < 0) return report;
    }
    report.reason = of_.positive() ? FactorReport::Reason::not_positive_definite : FactorReport::Reason::singular;
    report.usable = false;
    return report;
  }

  void apply(std::span<const double> r, std::span<double> z, bool transposed) override {
    const int size = rows_.rows;
    const std::int32_t *start = rows_.row_start.data(), *column = rows_.column.data();
    const double* a = values_.data();
    if (r.data() != z.data()) std::copy(r.begin(), r.end(), z.begin());
    if (!transposed) {
      for (int i = 0; i < size; ++i) {
        double sum = z[i];
        for (int p = start[i]; p < diagonal_[i]; ++p) sum -= a[p] * z[column[p]];
        z[i] = sum;
      }
      for (int i = size - 1; i >= 0; --i) {
        double sum = z[i];
        for (int p = diagonal_[i] + 1; p < start[i + 1]; ++p) sum -= a[p] * z[column[p]];
        z[i] = sum / a[diagonal_[i]];
      }
      return;
    }
    for (int i = 0; i < size; ++i) {
      z[i] /= a[diagonal_[i]];
      for (int p = diagonal_[i] + 1; p < start[i + 1]; ++p) z[column[p]] -= a[p] * z[i];
    }
    for (int i = size - 1; i >= 0; --i)
      for (int p = start[i]; p < diagonal_[i]; ++p) z[column[p]] -= a[p] * z[i];
  }

  double nonzeros() const override { return static_cast<double>(rows_.nonzeros()); }
  double flops() const override {
    const double entries = static_cast<double>(rows_.nonzeros());
    return rows_.rows > 0 ? entries * entries / rows_.rows : 0;
  }

 private:
  // Row by row; -1, or the row whose pivot failed.
  int factor() {
    const std::int32_t *start = rows_.row_start.data(), *column = rows_.column.data();
    double* a = values_.data();
    for (int i = 0; i < rows_.rows; ++i) {
      for (int p = start[i]; p < start[i + 1]; ++p) place_[column[p]] = p;
      for (int p = start[i]; p < diagonal_[i]; ++p) {
        const int k = column[p];
        const double l = a[p] /= a[diagonal_[k]];
        for (int q = diagonal_[k] + 1; q < start[k + 1]; ++q)
          if (const int at = place_[column[q]]; at >= 0) a[at] -= l * a[q];
      }
      for (int p = start[i]; p < start[i + 1]; ++p) place_[column[p]] = -1;
      const double pivot = a[diagonal_[i]], least = smallest_pivot_share * scale_[i];
      if (!(of_.positive() ? pivot > least : std::abs(pivot) > least)) return i;
    }
    return -1;
  }

  const PreconditionerCase of_;
  const RowPattern rows_;
  const std::vector<std::int32_t> diagonal_;
  std::vector<double> values_;       // L below the diagonal (ones on it), U on and above
  std::vector<std::int32_t> place_;  // [column] of the row at hand
  std::vector<double> scale_;        // [row]
};

}  // namespace

std::unique_ptr<Preconditioner> make_incomplete(const PreconditionerCase& of, const RowMatrix& a) {
  return std::make_unique<Incomplete>(of, a);
}

}  // namespace lithe

// jacobi, block_jacobi: the diagonal, or the diagonal blocks, of A; of multipliers the diagonal of G diag(A)^-1 G^T,
// which is what they weigh against A. Blocks are kept as their inverses: apply() is small products.
#include <algorithm>
#include <cmath>

#include "lithe/linalg/krylov/dense_block.h"
#include "lithe/linalg/krylov/preconditioner.h"

namespace lithe {

namespace {

class BlockJacobi final : public Preconditioner {
 public:
  BlockJacobi(const PreconditionerCase& of, const RowMatrix& a, bool blocks)
      : of_(of), size_(a.size()), n_(size_ - of.multipliers) {
    if (blocks) {
      blocks_ = find_blocks(a.pattern, n_);
    } else {
      for (int i = 0; i <= n_; ++i) blocks_.start.push_back(i);
      for (int i = 0; i < n_; ++i) blocks_.unknown.push_back(i);
    }
    places_ = block_places(blocks_, a.pattern);
    inverse_.resize(places_.total());
    room_.resize(2ul * places_.largest * places_.largest);
    weight_.assign(of.multipliers, 1.0);
  }

  FactorReport make(const RowMatrix& a, const std::vector<double>&) override {
    FactorReport report;
    for (int b = 0; b < blocks_.count(); ++b) {
      const int m = blocks_.start[b + 1] - blocks_.start[b];
      double *out = inverse_.data() + places_.start[b], *block = room_.data();
      places_.gather(b, a.values, block);
      bool done = false;
      if (of_.symmetric()) {
        symmetrise(block, m);
        std::copy(block, block + m * m, room_.data() + m * m);
        const int failed = cholesky(block, m);
        if (failed >= 0 && of_.method == KrylovMethod::cg) {
          report.reason = FactorReport::Reason::not_positive_definite;
          report.column = blocks_.unknown[blocks_.start[b] + failed];
          report.usable = false;
          return report;
        }
        done = failed < 0;
        if (done) invert_cholesky(block, m, out);
        block = room_.data() + m * m;  // as it was
      }
      if (!done && !of_.positive()) {
        std::copy(block, block + m * m, out);
        done = invert(out, m);
        if (!done) places_.gather(b, a.values, block);
      }
      if (!done) invert_magnitudes(a, b, out);
    }
    for (int r = 0; r < of_.multipliers; ++r) {
      const int row = n_ + r;
      double sum = 0;
      for (int p = a.pattern.row_start[row]; p < a.pattern.row_start[row + 1]; ++p) {
        const int j = a.pattern.column[p];
        const double d = j < n_ ? std::abs(a.values[a.diagonal[j]]) : 0;
        if (d > 0) sum += a.values[p] * a.values[p] / d;
      }
      weight_[r] = sum > 0 ? 1 / sum : 1;
    }
    return report;
  }

  void apply(std::span<const double> r, std::span<double> z, bool transposed) override {
    const int chunks = static_cast<int>(places_.chunk.size()) - 1;
    const auto task = [&](int c, int) { apply_blocks(places_.chunk[c], places_.chunk[c + 1], r, z, transposed); };
    if (of_.team && chunks > 1) of_.team->run(chunks, task);
    else
      for (int c = 0; c < chunks; ++c) task(c, 0);
    for (int k = 0; k < of_.multipliers; ++k) z[n_ + k] = weight_[k] * r[n_ + k];
  }

  double nonzeros() const override { return static_cast<double>(inverse_.size() + weight_.size()); }
  double flops() const override { return 2 * static_cast<double>(inverse_.size()) * places_.largest; }

 private:
  void apply_blocks(int first, int last, std::span<const double> r, std::span<double> z, bool transposed) const {
    double in[largest_block];
    for (int b = first; b < last; ++b) {
      const int m = blocks_.start[b + 1] - blocks_.start[b];
      const std::int32_t* unknown = blocks_.unknown.data() + blocks_.start[b];
      const double* inverse = inverse_.data() + places_.start[b];
      for (int i = 0; i < m; ++i) in[i] = r[unknown[i]];
      for (int i = 0; i < m; ++i) {
        double sum = 0;
        if (transposed)
          for (int j = 0; j < m; ++j) sum += inverse[j * m + i] * in[j];
        else
          for (int j = 0; j < m; ++j) sum += inverse[i * m + j] * in[j];
        z[unknown[i]] = sum;
      }
    }
  }

  // A block that nothing better is known of: its diagonal's magnitudes, where that is zero the row's largest entry.
  void invert_magnitudes(const RowMatrix& a, int b, double* out) const {
    const int m = blocks_.start[b + 1] - blocks_.start[b];
    std::fill(out, out + m * m, 0.0);
    for (int k = 0; k < m; ++k) {
      const int i = blocks_.unknown[blocks_.start[b] + k];
      double d = std::abs(a.values[a.diagonal[i]]);
      if (d == 0)
        for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p)
          d = std::max(d, std::abs(a.values[p]));
      out[k * m + k] = d > 0 ? 1 / d : 1;
    }
  }

  const PreconditionerCase of_;
  const int size_, n_;
  UnknownBlocks blocks_;
  BlockPlaces places_;
  std::vector<double> inverse_;  // [block][row][column]
  std::vector<double> weight_;   // [multiplier]
  std::vector<double> room_;
};

}  // namespace

std::unique_ptr<Preconditioner> make_block_jacobi(const PreconditionerCase& of, const RowMatrix& a, bool blocks) {
  return std::make_unique<BlockJacobi>(of, a, blocks);
}

}  // namespace lithe

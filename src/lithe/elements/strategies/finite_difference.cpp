// The tangent by differences (P0 table 7, "Numeric"), for comparison only: the force of C along each coordinate,
//   J_col j = c_q [f(e + h u_j, v + r h u_j) - f(e - h u_j, v - r h u_j)] / 2h,   r = c_v / c_q,
// two forces a coordinate as in P0. f is cubic in e and linear in v, so h = eps^(1/3) of the coordinate's size (1 for a
// gradient, the smallest half size for a position) leaves an error near eps^(2/3). With c_q = 0 only v moves.
#include "lithe/elements/strategies/finite_difference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lithe/elements/strategies/c.h"
#include "lithe/elements/strategies/classic.h"

namespace lithe {

namespace {

using namespace classic;

class FiniteDifferenceKernel final : public ClassicKernel {
 public:
  FiniteDifferenceKernel(const ContinuumBatch& batch, TangentForm form)
      : ClassicKernel(batch, form), force_(make_c_kernel(batch, form)), node_vectors_(batch.kind->node_vectors) {
    for (int element = 0; element < batch.elements; ++element) {
      const double* half = &batch.half_size[std::size_t(3) * element];
      length_.push_back(std::min({half[0], half[1], half[2]}));
    }
  }

  std::size_t scratch_doubles() const override {
    return padded(force_->scratch_doubles()) + 4 * padded(3 * vectors_) + padded(9 * vectors_ * vectors_);
  }
  std::size_t stored_bytes() const override { return force_->stored_bytes() + length_.size() * sizeof(double); }
  double force_flops() const override { return force_->force_flops(); }
  double tangent_flops() const override {
    const double n = 3.0 * vectors_;
    return n * (2 * force_->force_flops() + 4 + 2 * n);
  }

  void force(int pack, const double* e, const double* v, double* f, double* saved, double* scratch) const override {
    force_->force(pack, e, v, f, saved, scratch);
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double* scratch) const override {
    const int n = 3 * vectors_, stride = int(padded(n));
    double* x = scratch + padded(force_->scratch_doubles());
    double* y = x + stride;
    double* up = y + stride;
    double* down = up + stride;
    double* J = down + stride;  // [j][i]
    std::memcpy(x, e, n * sizeof(double));
    std::memcpy(y, v, n * sizeof(double));
    for (int j = 0; j < n; ++j) {
      const double h = std::cbrt(2.2e-16) * ((j / 3) % node_vectors_ == 0 ? length_[pack] : 1.0);
      const double on_e = c_q != 0 ? h : 0.0, on_v = c_q != 0 ? h * c_v / c_q : h;
      x[j] = e[j] + on_e;
      y[j] = v[j] + on_v;
      force_->force(pack, x, y, up, nullptr, scratch);
      const double upper = c_q != 0 ? x[j] : y[j];
      x[j] = e[j] - on_e;
      y[j] = v[j] - on_v;
      force_->force(pack, x, y, down, nullptr, scratch);
      const double factor = (c_q != 0 ? c_q : c_v) / (upper - (c_q != 0 ? x[j] : y[j]));
      for (int i = 0; i < n; ++i) J[j * n + i] = factor * (up[i] - down[i]);
      x[j] = e[j];
      y[j] = v[j];
    }
    const auto at = [&](int i, int k, int a, int b) { return J[(3 * k + b) * n + 3 * i + a]; };
    switch (vectors_) {
      case 8:
        return pack_tangent<8>(form_, K, at);
      case 16:
        return pack_tangent<16>(form_, K, at);
      default:
        return pack_tangent<32>(form_, K, at);
    }
  }

 private:
  std::unique_ptr<BatchKernel> force_;
  int node_vectors_;
  std::vector<double> length_;  // [element] smallest half size, m
};

}  // namespace

std::unique_ptr<BatchKernel> make_finite_difference_kernel(const ContinuumBatch& batch, TangentForm form) {
  return std::make_unique<FiniteDifferenceKernel>(batch, form);
}

}  // namespace lithe

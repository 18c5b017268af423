// Strategy L (P0 appendices C and D, after Liu, Tian and Hu): with Theta of all shape functions integrated once,
//   Theta1 (t k; f v) = int D_anbc S^D_ta S^D_kn S^D_fb S^D_vc dV,   Theta2 (t v; f k) = Theta1 (t k; f v),
//   K3 (t k) = -1/2 int D_anbb S^D_ta S^D_kn dV,
// the force needs one matrix-vector product and the tangent one product with nine rows:
//   Pi1 (f v) = (ebar/2 + tau ebardot)_df ebar_dv,   K13 = Theta1 Pi1 + K3  [N x N],   f = K13 ebar^T,
//   PiB (d m; t v) = ebar_mt eC_dv,   eC = (c_q + tau c_v) ebar + tau c_q ebardot,
//   J (k m; f d) = (PiB Theta2)(d m; f k) + c_q K13_kf I.
// K13 is kept by the force. Nothing depends on the points or layers after the set-up. Theta2 is stored beside Theta1
// as in the paper: reordering during the tangent costs more.
#include "lithe/elements/strategies/l.h"

#include <cstring>

#include "lithe/base/simd.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/strategies/classic.h"

namespace lithe {

namespace {

using namespace classic;

template <class Kind>
class LKernel final : public ClassicKernel {
  static constexpr int N = Kind::N;
  static constexpr int N2 = N * N;
  static constexpr std::size_t per_element = std::size_t(N2) * N2;
  template <int rows, int columns, int options = Eigen::RowMajor>
  using ConstMap = Eigen::Map<const Eigen::Matrix<double, rows, columns, options>, Eigen::Aligned64>;
  template <int rows, int columns, int options = Eigen::RowMajor>
  using Map = Eigen::Map<Eigen::Matrix<double, rows, columns, options>, Eigen::Aligned64>;

 public:
  LKernel(const ContinuumBatch& batch, TangentForm form)
      : ClassicKernel(batch, form),
        tau_(common_tau(batch, "L")),
        theta1_(batch.elements * per_element),
        theta2_(batch.elements * per_element),
        K3_(std::size_t(batch.elements) * N2) {
    const std::vector<double> dS = shape_derivatives(batch);
    std::vector<double> SD(batch.points.size() * 3 * N), volume(batch.points.size());
    for (int element = 0; element < batch.elements; ++element) {
      scaled_derivatives(batch, dS, element, SD.data(), volume.data());
      double* theta1 = &theta1_[element * per_element];
      double* theta2 = &theta2_[element * per_element];
      preintegrate(batch, SD.data(), volume.data(), theta1, &K3_[std::size_t(element) * N2]);
      for (int t = 0; t < N; ++t)
        for (int k = 0; k < N; ++k)
          for (int f = 0; f < N; ++f)
            for (int v = 0; v < N; ++v)
              theta2[std::size_t(t * N + v) * N2 + f * N + k] = theta1[std::size_t(t * N + k) * N2 + f * N + v];
    }
  }

  std::size_t saved_doubles() const override { return N2; }
  std::size_t scratch_doubles() const override { return 6 * N + N2 + 16 * N2 + 9 * N2; }
  std::size_t stored_bytes() const override { return (theta1_.size() + theta2_.size() + K3_.size()) * sizeof(double); }
  double force_flops() const override {
    return 9 * N + relative_flops<Kind>() + product_flops(N, 3, N) + product_flops(N2, N2, 1) + N2 +
           product_flops(N, N, 3);
  }
  double tangent_flops() const override {
    return 9 * N + relative_flops<Kind>() + 9 * N2 + product_flops(9, N2, N2) + N2 + 3 * N2;
  }

  void force(int pack, const double* e, const double* v, double* f, double* K13, double* scratch) const override {
    double* E = scratch;    // [N][3]
    double* H = E + 3 * N;  // [N][3] e/2 + tau v
    double* Pi = H + 3 * N;
    for (int i = 0; i < N; ++i)
      for (int m = 0; m < 3; ++m) {
        E[3 * i + m] = relative<Kind>(e, i, m);
        H[3 * i + m] = 0.5 * E[3 * i + m] + tau_ * relative<Kind>(v, i, m);
      }
    Map<N, N>(Pi).noalias() = ConstMap<N, 3>(H).lazyProduct(ConstMap<N, 3>(E).transpose());
    // Theta1 is symmetric, so its rows serve as columns.
    Eigen::Map<const Eigen::MatrixXd, Eigen::Aligned64> theta(&theta1_[pack * per_element], N2, N2);
    Eigen::Map<Eigen::VectorXd, Eigen::Aligned64> sum(K13, N2);
    sum = Eigen::Map<const Eigen::VectorXd, Eigen::Aligned64>(&K3_[std::size_t(pack) * N2], N2);
    sum.noalias() += theta * Eigen::Map<const Eigen::VectorXd, Eigen::Aligned64>(Pi, N2);
    Map<N, 3>(f).noalias() = ConstMap<N, N, Eigen::ColMajor>(K13).lazyProduct(ConstMap<N, 3>(E));
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double* K13,
               double* scratch) const override {
    double* Pi = scratch;      // [t v][16]: nine products e_mt eC_dv, at 3d + m
    double* R = Pi + 16 * N2;  // [9][f k]
    double E[3 * N], eC[3 * N];
    for (int i = 0; i < N; ++i)
      for (int m = 0; m < 3; ++m) {
        E[3 * i + m] = relative<Kind>(e, i, m);
        eC[3 * i + m] = (c_q + tau_ * c_v) * E[3 * i + m] + c_q * tau_ * relative<Kind>(v, i, m);
      }
    for (int t = 0; t < N; ++t)
      for (int w = 0; w < N; ++w)
        for (int d = 0; d < 3; ++d)
          for (int m = 0; m < 3; ++m) Pi[(t * N + w) * 16 + 3 * d + m] = E[3 * t + m] * eC[3 * w + d];
    multiply(Pi, &theta2_[pack * per_element], R);
    pack_tangent<N>(form_, K, [&](int i, int j, int m, int n) {
      const double x = R[(3 * n + m) * N2 + j * N + i];
      return m == n ? x + c_q * K13[i * N + j] : x;
    });
  }

 private:
  // R [9 x N^2] = Pi [9 x N^2] Theta2, eight rows of Theta2 at a time so that it streams through once.
  static void multiply(const double* Pi, const double* theta, double* R) {
    std::memset(R, 0, 9 * N2 * sizeof(double));
    constexpr int rows = 8;
    for (int b = 0; b < N2; b += rows, Pi += 16 * rows, theta += std::size_t(rows) * N2)
      for (int c = 0; c < N2; c += simd_width) {
        Pack sum[9];
        for (int q = 0; q < 9; ++q) sum[q] = load(R + q * N2 + c);
        for (int r = 0; r < rows; ++r) {
          const Pack x = load(theta + std::size_t(r) * N2 + c);
          for (int q = 0; q < 9; ++q) sum[q] += Pi[16 * r + q] * x;
        }
        for (int q = 0; q < 9; ++q) store(R + q * N2 + c, sum[q]);
      }
  }

  double tau_;
  AlignedDoubles theta1_, theta2_;  // [element][N^2][N^2]
  AlignedDoubles K3_;               // [element][N][N]
};

template class LKernel<Beam3243>;
template class LKernel<Shell3443>;
template class LKernel<Hexa3843>;

}  // namespace

std::unique_ptr<BatchKernel> make_l_kernel(const ContinuumBatch& batch, TangentForm form) {
  return with_kind(batch.kind, [&](auto kind) -> std::unique_ptr<BatchKernel> {
    return std::make_unique<LKernel<decltype(kind)>>(batch, form);
  });
}

}  // namespace lithe

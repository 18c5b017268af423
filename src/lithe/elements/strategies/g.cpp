// Strategy G (P0 appendices A and B, after Garcia-Vallejo et al.): the force is f = K2(e) (e + 2 tau edot) + K1 e with
//   K2 blocks (m, n)  [3 x 3] = ebar C^mn ebar^T,   C^mn_kl = 1/2 int sum_tv D_tv s^(t)_mk s^(v)_nl dV   [N x N],
//   K1 = -1/2 int sum_t (D_t1 + D_t2 + D_t3) s^(t) dV   (kron I),
// all C^mn with n >= m and K1 integrated once: nothing depends on the points or layers afterwards. K2, 9 N^2 values, is
// kept by the force. The tangent is c_q K3 + (c_q + 2 tau c_v) K2 + c_q K1, and with A = ebar + 2 tau ebardot,
// B = ebar^T A,
//   K3 block (m, k) = sum_n (ebar C^mn)_col k A_col n^T + (C^mn B_col n)_k I,
// where C^nm = C^mn^T serves the blocks below the diagonal.
#include "lithe/elements/strategies/g.h"

#include <cstring>

#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/strategies/classic.h"

namespace lithe {

namespace {

using namespace classic;

template <class Kind>
class GKernel final : public ClassicKernel {
  static constexpr int N = Kind::N;
  static constexpr int pairs = N * (N + 1) / 2;
  static constexpr std::size_t per_element = std::size_t(pairs) * N * N;
  template <int rows, int columns, int options = Eigen::RowMajor>
  using ConstMap = Eigen::Map<const Eigen::Matrix<double, rows, columns, options>, Eigen::Aligned64>;
  template <int rows, int columns, int options = Eigen::RowMajor>
  using Map = Eigen::Map<Eigen::Matrix<double, rows, columns, options>, Eigen::Aligned64>;

 public:
  GKernel(const ContinuumBatch& batch, TangentForm form)
      : ClassicKernel(batch, form),
        tau_(common_tau(batch, "G")),
        C_(std::size_t(batch.elements) * per_element),
        K1_(std::size_t(batch.elements) * 9 * N * N) {
    const std::vector<double> dS = shape_derivatives(batch);
    std::vector<double> SD(batch.points.size() * 3 * N), volume(batch.points.size()), theta(std::size_t(N) * N * N * N),
        k3(N * N);
    for (int element = 0; element < batch.elements; ++element) {
      scaled_derivatives(batch, dS, element, SD.data(), volume.data());
      preintegrate(batch, SD.data(), volume.data(), theta.data(), k3.data());
      double* C = &C_[element * per_element];
      for (int m = 0; m < N; ++m)
        for (int n = m; n < N; ++n)
          for (int k = 0; k < N; ++k)
            for (int l = 0; l < N; ++l) *C++ = 0.5 * theta[std::size_t(m * N + k) * N * N + n * N + l];
      double* K1 = &K1_[std::size_t(element) * 9 * N * N];
      for (int a = 0; a < 3; ++a)
        for (int m = 0; m < N; ++m)
          for (int n = 0; n < N; ++n) K1[(a * N + m) * 3 * N + a * N + n] = k3[m * N + n];
    }
  }

  std::size_t saved_doubles() const override { return 9 * N * N; }
  std::size_t scratch_doubles() const override { return 9 * N * N + N * N + 3 * (3 * N) + 8 * N + 8 * N; }
  std::size_t stored_bytes() const override { return (C_.size() + K1_.size()) * sizeof(double); }
  double force_flops() const override {
    return pairs * (product_flops(3, N, N) + product_flops(3, N, 3)) + 2 * product_flops(3 * N, 3 * N, 1) + 9 * N +
           relative_flops<Kind>();
  }
  double tangent_flops() const override {
    const double block = product_flops(N, N, 1) + product_flops(3, N, N) + N * (9 + 3 + 18);
    return 9 * N * N * 3 + 6 * N + relative_flops<Kind>() + product_flops(N, 3, N) + N * N * block;
  }

  void force(int pack, const double* e, const double* v, double* f, double* K2, double* scratch) const override {
    double* E = scratch;      // [3][N] ebar
    double* A = E + 3 * N;    // [3][N] ebar + 2 tau ebardot
    double* out = A + 3 * N;  // [3][N]
    gather(e, v, E, A);
    const ConstMap<3, N> ebar(E);
    const double* C = &C_[pack * per_element];
    for (int m = 0; m < N; ++m)
      for (int n = m; n < N; ++n, C += N * N) {
        Eigen::Matrix<double, 3, N, Eigen::RowMajor> L;
        L.noalias() = ebar.lazyProduct(ConstMap<N, N>(C));
        Eigen::Matrix3d block;
        block.noalias() = L.lazyProduct(ebar.transpose());
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            K2[(a * N + m) * 3 * N + b * N + n] = K2[(b * N + n) * 3 * N + a * N + m] = block(a, b);
      }
    using Vector = ConstMap<3 * N, 1, Eigen::ColMajor>;
    Map<3 * N, 1, Eigen::ColMajor> sum(out);
    // K1 and K2 are symmetric: column-major access, the faster product, is the same matrix.
    sum.noalias() = ConstMap<3 * N, 3 * N, Eigen::ColMajor>(K2) * Vector(A);
    sum.noalias() += ConstMap<3 * N, 3 * N, Eigen::ColMajor>(&K1_[std::size_t(pack) * 9 * N * N]) * Vector(E);
    for (int i = 0; i < N; ++i)
      for (int m = 0; m < 3; ++m) f[3 * i + m] = out[m * N + i];
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double* K2,
               double* scratch) const override {
    double* J = scratch;        // [3N][3N]
    double* B = J + 9 * N * N;  // [N][N]  column n of ebar^T A as row n
    double* left = B + N * N;   // [4][N]  ebar and column m of B
    double* A = left + 4 * N;   // [3][N]
    double* right = A + 4 * N;  // [4][N]  ebar and column n of B
    const double* K1 = &K1_[std::size_t(pack) * 9 * N * N];
    gather(e, v, left, A);
    std::memcpy(right, left, 3 * N * sizeof(double));
    const double on_K2 = c_q + 2 * tau_ * c_v;
    for (int i = 0; i < 9 * N * N; ++i) J[i] = on_K2 * K2[i] + c_q * K1[i];
    Map<N, N> columns(B);
    columns.noalias() = ConstMap<3, N>(A).transpose().lazyProduct(ConstMap<3, N>(left));
    const double* C = &C_[pack * per_element];
    for (int m = 0; m < N; ++m) {
      std::memcpy(left + 3 * N, B + m * N, N * sizeof(double));
      for (int n = m; n < N; ++n, C += N * N) {
        std::memcpy(right + 3 * N, B + n * N, N * sizeof(double));
        Eigen::Matrix<double, 4, N, Eigen::RowMajor> L, R;
        L.noalias() = ConstMap<4, N>(left).lazyProduct(ConstMap<N, N>(C));               // ebar C, C^T B_m
        R.noalias() = ConstMap<4, N>(right).lazyProduct(ConstMap<N, N>(C).transpose());  // ebar C^T, C B_n
        add_rows(J, m, n, L.data(), R.data() + 3 * N, A, c_q);
        if (m != n) add_rows(J, n, m, R.data(), L.data() + 3 * N, A, c_q);
      }
    }
    pack_tangent<N>(form_, K, [&](int i, int j, int m, int n) { return J[(m * N + i) * 3 * N + n * N + j]; });
  }

 private:
  void gather(const double* e, const double* v, double* E, double* A) const {
    for (int i = 0; i < N; ++i)
      for (int m = 0; m < 3; ++m) {
        E[m * N + i] = relative<Kind>(e, i, m);
        A[m * N + i] = E[m * N + i] + 2 * tau_ * relative<Kind>(v, i, m);
      }
  }

  // Rows m of J += c_q (L_col k A_col n^T + G_k I) for all k.
  static void add_rows(double* J, int m, int n, const double* __restrict L, const double* __restrict G, const double* A,
                       double c_q) {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const double factor = c_q * A[b * N + n];
        const double on_G = a == b ? c_q : 0;
        double* __restrict row = J + (a * N + m) * 3 * N + b * N;
        if (a == b)
          for (int k = 0; k < N; ++k) row[k] += factor * L[a * N + k] + on_G * G[k];
        else
          for (int k = 0; k < N; ++k) row[k] += factor * L[a * N + k];
      }
  }

  double tau_;
  AlignedDoubles C_;   // [element][pair n >= m][N][N]  N/m and so on, by the coordinates
  AlignedDoubles K1_;  // [element][3N][3N], ordered by component
};

template class GKernel<Beam3243>;
template class GKernel<Shell3443>;
template class GKernel<Hexa3843>;

}  // namespace

std::unique_ptr<BatchKernel> make_g_kernel(const ContinuumBatch& batch, TangentForm form) {
  return with_kind(batch.kind, [&](auto kind) -> std::unique_ptr<BatchKernel> {
    return std::make_unique<GKernel<decltype(kind)>>(batch, form);
  });
}

}  // namespace lithe

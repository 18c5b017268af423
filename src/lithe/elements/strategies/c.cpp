// Strategy C (P0 section 2, after Gerstmayr and Shabana): point by point. With S^D [N x 3] and the volume w stored for
// each point, (3N+1) N_Q values an element,
//   F = ebar S^D,   Fdot = ebardot S^D,   H = F/2 + tau Fdot,   E = sym(F^T H) - I/2,   S = w D E,   P = F S,
//   f  += S^D P^T,
//   J  += (dE/de)^T w D (dE/de)^C + c_q (S^D S S^D^T) kron I,
// where dE/de [6 x 3N] is linear in F and (.)^C takes F^C = (c_q + tau c_v) F + tau c_q Fdot in its place.
// A point whose law has no shear (the beam's D^v) needs only the first three rows of dE/de.
#include "lithe/elements/strategies/c.h"

#include <cstring>

#include "lithe/base/simd.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/strategies/classic.h"

namespace lithe {

namespace {

using namespace classic;

template <class Kind>
class CKernel final : public ClassicKernel {
  static constexpr int N = Kind::N;
  static constexpr bool even = N % 8 == 0;  // rows fill registers, and each begins on a cache line
  static constexpr int alignment = even ? Eigen::Aligned64 : Eigen::Unaligned;
  using Derivatives = Eigen::Map<const Eigen::Matrix<double, 3, N, Eigen::RowMajor>, alignment>;
  // Coordinate vectors and rates side by side, padded to a cache line: [N][e0 e1 e2 v0 v1 v2 0 0].
  using Coordinates = Eigen::Map<Eigen::Matrix<double, N, 8, Eigen::RowMajor>, alignment>;
  using Gradients = Eigen::Matrix<double, 3, 8, Eigen::RowMajor>;  // [a][m]: columns of F, then of Fdot

 public:
  CKernel(const ContinuumBatch& batch, TangentForm form)
      : ClassicKernel(batch, form),
        points_(int(batch.points.size())),
        derivatives_(std::size_t(batch.elements) * batch.points.size() * 3 * N),
        volume_(std::size_t(batch.elements) * batch.points.size()) {
    const std::vector<double> dS = shape_derivatives(batch);
    for (int element = 0; element < batch.elements; ++element)
      scaled_derivatives(batch, dS, element, &derivatives_[std::size_t(element) * points_ * 3 * N],
                         &volume_[std::size_t(element) * points_]);
    for (const auto& point : batch.points) laws_.push_back(batch.laws[point.law]);
    for (const Law& law : laws_) {
      sheared_.push_back(law.G23 != 0 || law.G13 != 0 || law.G12 != 0);
      sheared_points_ += sheared_.back();
    }
  }

  std::size_t scratch_doubles() const override { return 8 * N + 2 * 18 * N + 6 * N + 9 * N * N + N * N; }
  std::size_t stored_bytes() const override {
    return (derivatives_.size() + volume_.size()) * sizeof(double) + laws_.size() * (sizeof(Law) + 1);
  }

  double force_flops() const override {
    return points_ * (product_flops(6, N, 3) + product_flops(N, 3, 3) + 3 * N + 147);
  }
  double tangent_flops() const override {
    const double normal = 3 * (3 * N) + 3 * (3 * N) * 5 + product_flops(3 * N, 3, 3 * N) + 9 * N * N;
    const double shear = 2 * 3 * (3 * N) * 3 + 9 * N * N * 6;
    return points_ * (product_flops(6, N, 3) + 102 + 36 + 36 + normal + 15 * N + product_flops(N, 3, N) + N * N) +
           sheared_points_ * shear + 3 * N * N;
  }

  void force(int pack, const double* e, const double* v, double* f, double*, double* scratch) const override {
    const double* SD = &derivatives_[std::size_t(pack) * points_ * 3 * N];
    const double* volume = &volume_[std::size_t(pack) * points_];
    Coordinates coordinates(scratch);
    gather(e, v, coordinates);
    Eigen::Matrix<double, N, 3> sum = Eigen::Matrix<double, N, 3>::Zero();
    for (int p = 0; p < points_; ++p) {
      const Derivatives sd(SD + p * 3 * N);
      Gradients FC;
      FC.noalias() = sd.lazyProduct(coordinates);
      double S[6];
      second_piola(FC, laws_[p], volume[p], S);
      Eigen::Matrix3d P;  // [a][m], transposed
      for (int m = 0; m < 3; ++m) {
        P(0, m) = FC(0, m) * S[0] + FC(1, m) * S[5] + FC(2, m) * S[4];
        P(1, m) = FC(0, m) * S[5] + FC(1, m) * S[1] + FC(2, m) * S[3];
        P(2, m) = FC(0, m) * S[4] + FC(1, m) * S[3] + FC(2, m) * S[2];
      }
      sum.noalias() += sd.transpose().lazyProduct(P);
    }
    Eigen::Map<Eigen::Matrix<double, N, 3, Eigen::RowMajor>, alignment>(f).noalias() = sum;
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double* scratch) const override {
    const double* SD = &derivatives_[std::size_t(pack) * points_ * 3 * N];
    const double* volume = &volume_[std::size_t(pack) * points_];
    double* B = scratch + 8 * N;  // [6][3N] dE/de
    double* DB = B + 18 * N;      // [6][3N] w D (dE/de)^C
    double* SS = DB + 18 * N;     // [3][N]  c_q S S^D^T
    double* J = SS + 6 * N;       // [3N][3N]
    double* compact = J + 9 * N * N;
    Coordinates coordinates(scratch);
    gather(e, v, coordinates);
    std::memset(J, 0, sizeof(double) * 10 * N * N);
    for (int p = 0; p < points_; ++p) {
      const double* __restrict s = SD + p * 3 * N;
      const Law& law = laws_[p];
      Gradients FC;
      FC.noalias() = Derivatives(s).lazyProduct(coordinates);
      double S[6];
      second_piola(FC, law, c_q * volume[p], S);
      strain_rows(s, FC, law, volume[p] * (c_q + law.tau * c_v), volume[p] * law.tau * c_q, sheared_[p], B, DB);
      if (sheared_[p]) add_product<6>(B, DB, J);
      else add_product<3>(B, DB, J);
      geometric_rows(s, S, SS);
      add_compact(s, SS, compact);
    }
    pack_tangent<N>(form_, J, compact, K);
  }

 private:
  static void gather(const double* e, const double* v, Coordinates& coordinates) {
    for (int i = 0; i < N; ++i) {
      double* row = coordinates.data() + 8 * i;
      for (int m = 0; m < 3; ++m) {
        row[m] = e[3 * i + m];
        row[3 + m] = v[3 * i + m];
      }
      row[6] = row[7] = 0;
    }
  }

  // S = scale D (E + tau dE/dt), Voigt.
  static void second_piola(const Gradients& FC, const Law& law, double scale, double* S) {
    Mat3<double> F, H;
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) {
        F[m][a] = FC(a, m);
        H[m][a] = 0.5 * FC(a, m) + law.tau * FC(a, 3 + m);
      }
    double E[6];
    strain(F, H, E);
    stress(law, E, S);
    for (int k = 0; k < 6; ++k) S[k] *= scale;
  }

  static void strain_rows(const double* __restrict s, const Gradients& FC, const Law& law, double on_F, double on_rate,
                          bool sheared, double* __restrict B, double* __restrict DB) {
    const double* __restrict s0 = s;
    const double* __restrict s1 = s + N;
    const double* __restrict s2 = s + 2 * N;
    for (int m = 0; m < 3; ++m) {
      const double F0 = FC(0, m), F1 = FC(1, m), F2 = FC(2, m);
      const double G0 = on_F * F0 + on_rate * FC(0, 3 + m), G1 = on_F * F1 + on_rate * FC(1, 3 + m),
                   G2 = on_F * F2 + on_rate * FC(2, 3 + m);
      double* __restrict b = B + m * N;
      double* __restrict d = DB + m * N;
      {
        const double x00 = law.C11 * G0, x01 = law.C12 * G1, x02 = law.C13 * G2;
        const double x10 = law.C12 * G0, x11 = law.C22 * G1, x12 = law.C23 * G2;
        const double x20 = law.C13 * G0, x21 = law.C23 * G1, x22 = law.C33 * G2;
        for (int i = 0; i < N; ++i) {
          b[i] = s0[i] * F0;
          b[3 * N + i] = s1[i] * F1;
          b[6 * N + i] = s2[i] * F2;
          d[i] = s0[i] * x00 + s1[i] * x01 + s2[i] * x02;
          d[3 * N + i] = s0[i] * x10 + s1[i] * x11 + s2[i] * x12;
          d[6 * N + i] = s0[i] * x20 + s1[i] * x21 + s2[i] * x22;
        }
      }
      if (!sheared) continue;
      const double g31 = law.G23 * G1, g32 = law.G23 * G2, g40 = law.G13 * G0, g42 = law.G13 * G2, g50 = law.G12 * G0,
                   g51 = law.G12 * G1;
      for (int i = 0; i < N; ++i) {
        b[9 * N + i] = s1[i] * F2 + s2[i] * F1;
        b[12 * N + i] = s0[i] * F2 + s2[i] * F0;
        b[15 * N + i] = s0[i] * F1 + s1[i] * F0;
        d[9 * N + i] = s1[i] * g32 + s2[i] * g31;
        d[12 * N + i] = s0[i] * g42 + s2[i] * g40;
        d[15 * N + i] = s0[i] * g51 + s1[i] * g50;
      }
    }
  }

  // J += B^T DB, a rank-6 (or 3) update in tiles of R rows by one register. Eigen's products took 1.1 (beam) to 1.6
  // times as long.
  template <int rows>
  static void add_product(const double* B, const double* DB, double* J) {
    if constexpr (!even) {
      for (int k = 0; k < rows; ++k)
        for (int r = 0; r < 3 * N; ++r)
          for (int c = 0; c < 3 * N; ++c) J[r * 3 * N + c] += B[k * 3 * N + r] * DB[k * 3 * N + c];
      return;
    }
    constexpr int R = simd_width == 8 ? 4 : 2;  // as many rows as the registers hold
    for (int r = 0; r < 3 * N; r += R) {
      Pack b[rows][R];
      for (int k = 0; k < rows; ++k)
        for (int q = 0; q < R; ++q) b[k][q] = Pack{} + B[k * 3 * N + r + q];
      double* j = J + r * 3 * N;
      for (int c = 0; c < 3 * N; c += simd_width) {
        Pack sum[R];
        for (int q = 0; q < R; ++q) sum[q] = load(j + q * 3 * N + c);
        for (int k = 0; k < rows; ++k) {
          const Pack d = load(DB + k * 3 * N + c);
          for (int q = 0; q < R; ++q) sum[q] += b[k][q] * d;
        }
        for (int q = 0; q < R; ++q) store(j + q * 3 * N + c, sum[q]);
      }
    }
  }

  static void geometric_rows(const double* __restrict s, const double* S, double* __restrict SS) {
    for (int i = 0; i < N; ++i) {
      SS[i] = S[0] * s[i] + S[5] * s[N + i] + S[4] * s[2 * N + i];
      SS[N + i] = S[5] * s[i] + S[1] * s[N + i] + S[3] * s[2 * N + i];
      SS[2 * N + i] = S[4] * s[i] + S[3] * s[N + i] + S[2] * s[2 * N + i];
    }
  }

  static void add_compact(const double* s, const double* SS, double* compact) {
    Eigen::Map<Eigen::Matrix<double, N, N, Eigen::RowMajor>, alignment>(compact).noalias() +=
        Derivatives(s).transpose().lazyProduct(Derivatives(SS));
  }

  int points_;
  AlignedDoubles derivatives_;  // [element][point][3][N]  S^D, 1/m and 1
  AlignedDoubles volume_;       // [element][point]        m^3
  std::vector<Law> laws_;       // [point]
  std::vector<char> sheared_;   // [point]
  int sheared_points_ = 0;
};

template class CKernel<Beam3243>;
template class CKernel<Shell3443>;
template class CKernel<Hexa3843>;
template class CKernel<Hex8>;
template class CKernel<Tet4>;
template class CKernel<Tet10>;

}  // namespace

std::unique_ptr<BatchKernel> make_c_kernel(const ContinuumBatch& batch, TangentForm form) {
  const auto make = [&](auto kind) -> std::unique_ptr<BatchKernel> {
    return std::make_unique<CKernel<decltype(kind)>>(batch, form);
  };
  return batch.kind->every_strategy ? with_kind(batch.kind, make) : with_solid(batch.kind, make);
}

}  // namespace lithe

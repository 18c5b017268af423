// What the strategies of P0 (C, D, E, G, L and the finite differences) have in common. They work element by element on
//   ebar [3 x N] (in memory [N][3]),   S^D = s dS/dxi B  [N x 3] at each point, s the scale of the coordinate vectors,
// so that F = ebar S^D, and end with a tangent J whose rows and columns are ordered by component: (m, i) -> m N + i.
#pragma once

#ifndef EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_PARALLELIZE
#endif
#include <Eigen/Core>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/strategies/plain.h"

namespace lithe::classic {

using AlignedDoubles = AlignedVector<double>;

// Flops of a product [a x b][b x c] by P0's rule.
constexpr double product_flops(double a, double b, double c) { return a * b * c + a * (b - 1) * c; }

class ClassicKernel : public BatchKernel {
 public:
  ClassicKernel(const ContinuumBatch& batch, TangentForm form)
      : vectors_(vector_count(batch.kind)), elements_(batch.elements), form_(form) {}
  int width() const final { return 1; }
  int vectors() const final { return vectors_; }
  int packs() const final { return elements_; }
  TangentForm form() const final { return form_; }

  bool has_product() const final { return true; }
  void product(int pack, const ContinuumBatch& batch, const double* e, const double* v, double* f,
               double*) const final {
    plain_product(batch, pack, e, v, f);
  }

 protected:
  int vectors_, elements_;
  TangentForm form_;
};

// S^D of every point of one element, [point][3][N], and the volume of every point, m^3.
void scaled_derivatives(const ContinuumBatch& batch, const std::vector<double>& dS, int element, double* SD,
                        double* volume);

// The one relaxation time of all laws of a batch; throws InputError naming the strategy when they differ.
double common_tau(const ContinuumBatch& batch, const char* strategy);

// Theta[(t,k),(f,v)] = int sum_su D_su s^(s)_tk s^(u)_fv dV of one element, [N^2 x N^2] (P0 eq. 43; C^mn of appendix A
// is half of it), where s^(11)_tk = S^D_t1 S^D_k1, s^(23)_tk = S^D_t2 S^D_k3 + S^D_t3 S^D_k2 and so on. And the compact
// form of the constant part, k3[t][k] = -1/2 int sum_s (D_s1 + D_s2 + D_s3) s^(s)_tk dV (P0 eq. 14 and 63).
void preintegrate(const ContinuumBatch& batch, const double* SD, const double* volume, double* theta, double* k3);

// Component m of coordinate vector i, positions (or their rates) relative to the first node's. A translation makes no
// force, but the pre-integrated sums are cubic in e: taken from the origin they lose three times the digits that
// distance over element size has. Costs relative_flops.
template <class Kind>
double relative(const double* e, int i, int m) {
  return i % Kind::node_vectors == 0 ? e[3 * i + m] - e[m] : e[3 * i + m];
}
template <class Kind>
constexpr int relative_flops() {
  return 2 * 3 * (Kind::nodes - 1);
}

// From the orders the strategies compute in to the layout of BatchKernel: at(i, j, m, n) is d f_im / d e_jn.
template <int N, class At>
inline void pack_tangent(TangentForm form, double* __restrict K, At&& at) {
  if (form == TangentForm::exact) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j, K += 9)
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) K[3 * m + n] = at(i, j, m, n);
  } else {
    for (int i = 0; i < N; ++i)
      for (int j = i; j < N; ++j, K += 9)
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) K[3 * m + n] = 0.5 * (at(i, j, m, n) + at(j, i, n, m));
  }
}

// The same from J [3N x 3N], row major, ordered by component, plus a compact part that acts on each component alike.
template <int N>
inline void pack_tangent(TangentForm form, const double* __restrict J, const double* __restrict compact,
                         double* __restrict K) {
  pack_tangent<N>(form, K, [&](int i, int j, int m, int n) {
    const double x = J[(m * N + i) * 3 * N + n * N + j];
    return m == n ? x + compact[i * N + j] : x;
  });
}

}  // namespace lithe::classic

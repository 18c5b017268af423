// Force and tangent of one point from its gradients: docs/theory/section_kernel.md.
#pragma once

#include "lithe/base/small.h"
#include "lithe/elements/section_plan.h"

namespace lithe {

template <class T>
struct PointGeometry {
  typename LaneTraits<T>::Data B[3][3];
  typename LaneTraits<T>::Data w;
  LITHE_FORCE_INLINE LITHE_HD explicit PointGeometry(const double* p) {
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) B[a][i] = LaneTraits<T>::data(p, 3 * a + i);
    w = LaneTraits<T>::data(p, 9);
  }
};

// F[m][i] = sum_a G[a][m] B[a][i].
template <class T>
LITHE_FORCE_INLINE LITHE_HD Mat3<T> material_gradient(const PointGeometry<T>& point, const T (*G)[3]) {
  Mat3<T> F;
  for (int m = 0; m < 3; ++m)
    for (int i = 0; i < 3; ++i) F[m][i] = G[0][m] * point.B[0][i] + G[1][m] * point.B[1][i] + G[2][m] * point.B[2][i];
  return F;
}

// w S with S = D : (E + tau dE/dt), Voigt.
template <bool damped, class T>
LITHE_FORCE_INLINE LITHE_HD void weighted_stress(const Law& law, const PointGeometry<T>& point, const Mat3<T>& F,
                                                 const Mat3<T>& rate, T* S) {
  T E[6];
  if constexpr (damped) {
    Mat3<T> H;
    for (int m = 0; m < 3; ++m)
      for (int i = 0; i < 3; ++i) H[m][i] = 0.5 * F[m][i] + law.tau * rate[m][i];
    strain(F, H, E);
  } else {
    auto ff = [&](int a, int b)
                  LITHE_FORCE_INLINE { return F[0][a] * F[0][b] + F[1][a] * F[1][b] + F[2][a] * F[2][b]; };
    for (int i = 0; i < 3; ++i) E[i] = 0.5 * ff(i, i) - 0.5;
    E[3] = ff(1, 2);
    E[4] = ff(0, 2);
    E[5] = ff(0, 1);
  }
  stress(law, E, S);
  for (int i = 0; i < 6; ++i) S[i] = point.w * S[i];
}

// What stands beside G in point_force: nothing, the gradient of e/2 + tau v (the laws have tau in common), or that of
// v.
enum class Damping { none, common, own };

// e/2 + tau v.
template <class T>
LITHE_FORCE_INLINE LITHE_HD T half_and_rate(double tau, const T& e, const T& v) {
  return 0.5 * e + tau * v;
}

// p[a][m] = w (P B^T)[m][a]. Row by row, so that F, E and one row of H are all that registers must hold.
template <Damping damping, class T>
LITHE_FORCE_INLINE LITHE_HD void point_force(const Law& law, const PointGeometry<T>& point, const T (*G)[3],
                                             const T (*other)[3], T* p) {
  auto row = [&](const T(*g)[3], int m, T* out) LITHE_FORCE_INLINE {
    for (int i = 0; i < 3; ++i) out[i] = g[0][m] * point.B[0][i] + g[1][m] * point.B[1][i] + g[2][m] * point.B[2][i];
  };
  T F[3][3], E[6], S[6];
  unrolled<3>([&](auto m) LITHE_FORCE_INLINE {
    row(G, m, F[m]);
    const T* f = F[m];
    if constexpr (damping == Damping::none) {
      const T square[6] = {f[0] * f[0], f[1] * f[1], f[2] * f[2], f[1] * f[2], f[0] * f[2], f[0] * f[1]};
      for (int i = 0; i < 6; ++i) {
        if constexpr (m == 0) E[i] = square[i];
        else E[i] += square[i];
      }
    } else {
      T h[3];
      row(other, m, h);
      if constexpr (damping == Damping::own)
        for (int i = 0; i < 3; ++i) h[i] = half_and_rate<T>(law.tau, f[i], h[i]);
      for (int i = 0; i < 3; ++i) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        if constexpr (m == 0) {
          E[i] = f[i] * h[i] - 0.5;
          E[3 + i] = f[a] * h[b];
        } else {
          E[i] += f[i] * h[i];
          E[3 + i] += f[a] * h[b];
        }
        E[3 + i] += f[b] * h[a];
      }
    }
  });
  if constexpr (damping == Damping::none)
    for (int i = 0; i < 3; ++i) E[i] = 0.5 * E[i] - 0.5;
  stress(law, E, S);
  for (int i = 0; i < 6; ++i) S[i] = point.w * S[i];
  unrolled<3>([&](auto m) LITHE_FORCE_INLINE {
    const T* f = F[m];
    const T P[3] = {f[0] * S[0] + f[1] * S[5] + f[2] * S[4], f[0] * S[5] + f[1] * S[1] + f[2] * S[3],
                    f[0] * S[4] + f[1] * S[3] + f[2] * S[2]};
    for (int a = 0; a < 3; ++a) p[3 * a + m] = P[0] * point.B[a][0] + P[1] * point.B[a][1] + P[2] * point.B[a][2];
  });
}

LITHE_HD constexpr int voigt(int i, int j) { return i == j ? i : 6 - i - j; }

// A[pair(a,b)][m][n] = d p[a][m] / d(G[b][n]) for c_q d/dG + c_v d/dGdot. In the material frame, for fixed (m, n),
//   Q[i][j] = C_ij F_mi M_nj + G_ij F_mj M_ni (i != j),   Q[i][i] = C_ii F_mi M_ni + sum_p G_ip F_mp M_np,
// plus c_q S_ij where m = n, with M = (c_q + c_v tau) F + c_q tau dF/dt; pulled back, A_mn = B Q B^T. The symmetric
// form takes half of it plus its mirror (F and M exchanged), which is symmetric in the pairs (a,m), (b,n).
template <bool damped, bool symmetric, class T>
LITHE_FORCE_INLINE LITHE_HD void point_tangent(const Law& law, const PointGeometry<T>& point, double c_q, double c_v,
                                               const T (*G)[3], const T (*Gdot)[3], T* A) {
  const Mat3<T> F = material_gradient<T>(point, G);
  Mat3<T> rate, M;
  if constexpr (damped) rate = material_gradient<T>(point, Gdot);
  T S[6];
  weighted_stress<damped>(law, point, F, rate, S);
  for (int i = 0; i < 6; ++i) S[i] = c_q * S[i];
  if constexpr (damped) {
    const double c0 = c_q + c_v * law.tau, c1 = c_q * law.tau;
    for (int m = 0; m < 3; ++m)
      for (int i = 0; i < 3; ++i) M[m][i] = c0 * F[m][i] + c1 * rate[m][i];
  }
  // Undamped, M = (c_q + c_v tau) F with tau = 0: the factor goes into the constants.
  using Data = typename LaneTraits<T>::Data;
  const Data u = damped ? (symmetric ? 0.5 : 1.0) * point.w : c_q * point.w;
  const Data normal[3][3] = {{law.C11 * u, law.C12 * u, law.C13 * u},
                             {law.C12 * u, law.C22 * u, law.C23 * u},
                             {law.C13 * u, law.C23 * u, law.C33 * u}};
  const Data g23 = law.G23 * u, g13 = law.G13 * u, g12 = law.G12 * u;
  const Data shear[3][3] = {{g12, g12, g13}, {g12, g23, g23}, {g13, g23, g13}};  // diagonal not used

  unrolled<3>([&](auto m_) LITHE_FORCE_INLINE {
    unrolled<3>([&](auto n_) LITHE_FORCE_INLINE {
      constexpr int m = m_, n = n_;
      if constexpr (m > n && symmetric) return;
      constexpr bool mirror = m == n && symmetric;  // Q symmetric
      T o[3][3];                                    // F_mi M_nj
      for (int i = 0; i < 3; ++i)
        for (int j = mirror ? i : 0; j < 3; ++j) {
          if constexpr (!damped) o[i][j] = F[m][i] * F[n][j];
          else if constexpr (!symmetric) o[i][j] = F[m][i] * M[n][j];
          else o[i][j] = F[m][i] * M[n][j] + M[m][i] * F[n][j];
          if constexpr (mirror) o[j][i] = o[i][j];
        }
      T Q[3][3];
      for (int i = 0; i < 3; ++i) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        Q[i][i] = normal[i][i] * o[i][i] + shear[i][a] * o[a][a] + shear[i][b] * o[b][b];
        for (int j = mirror ? i + 1 : 0; j < 3; ++j)
          if (j != i) Q[i][j] = normal[i][j] * o[i][j] + shear[i][j] * o[j][i];
      }
      if constexpr (m == n)
        for (int i = 0; i < 3; ++i)
          for (int j = mirror ? i : 0; j < 3; ++j) Q[i][j] = Q[i][j] + S[voigt(i, j)];
      if constexpr (mirror)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < i; ++j) Q[i][j] = Q[j][i];
      for (int a = 0; a < 3; ++a) {
        T y[3];
        for (int j = 0; j < 3; ++j) y[j] = point.B[a][0] * Q[0][j] + point.B[a][1] * Q[1][j] + point.B[a][2] * Q[2][j];
        for (int b = mirror ? a : 0; b < 3; ++b) {
          const T value = y[0] * point.B[b][0] + y[1] * point.B[b][1] + y[2] * point.B[b][2];
          if (!symmetric || a <= b) A[9 * pair_index(3, symmetric, a, b) + 3 * m + n] = value;
          else A[9 * pair_index(3, symmetric, b, a) + 3 * n + m] = value;
        }
      }
    });
  });
}

}  // namespace lithe

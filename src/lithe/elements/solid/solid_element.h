// Force and tangent of a solid with positions alone, W elements side by side (docs/theory/solids.md). With dS of the
// shape functions at a point, B = J0^-1 R0 and the volume w there:
//   F = (sum x_i dS_i) B,   H = F/2 + tau dF/dt,   E = sym(F^T H) - I/2,   P = F S,   f_i = sum w P B^T dS_i,
//   K_ij = sum w dS_i B A B^T dS_j,   A = dP/dF.
// A's material part is that of F and of Z = c F + c_q tau dF/dt, c = c_q + c_v tau; in the symmetric form of F + (c_q
// tau / 2 c) dF/dt with itself, times c, as in shell3443/resultant_tangent.h.
#pragma once

#include "lithe/elements/lanes.h"
#include "lithe/elements/materials/law.h"
#include "lithe/elements/section_point.h"

namespace lithe {

// Shared by the elements of a batch.
struct SolidPlan {
  int points = 0;
  const double* dS = nullptr;  // [point][N][3]
  const Law* law = nullptr;    // [point]
};
inline constexpr int solid_point_numbers = 10;  // B (9), w

template <class Kind, class T>
LITHE_FORCE_INLINE LITHE_HD Mat3<T> solid_gradient(const double* dS, const typename LaneTraits<T>::Scalar* x) {
  Mat3<T> G{};
  for (int i = 0; i < Kind::N; ++i)
    for (int m = 0; m < 3; ++m) {
      const T r = LaneTraits<T>::load(x, 3 * i + m);
      for (int a = 0; a < 3; ++a) G[m][a] += dS[3 * i + a] * r;
    }
  return G;
}

template <class T>
struct SolidMap {
  typename LaneTraits<T>::Data B[3][3], volume;
  LITHE_FORCE_INLINE LITHE_HD explicit SolidMap(const double* numbers) {
    for (int k = 0; k < 9; ++k) B[k / 3][k % 3] = LaneTraits<T>::data(numbers, k);
    volume = LaneTraits<T>::data(numbers, 9);
  }
  LITHE_FORCE_INLINE LITHE_HD Mat3<T> along_frame(const Mat3<T>& G) const {
    Mat3<T> F;
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) F[m][a] = B[0][a] * G[m][0] + B[1][a] * G[m][1] + B[2][a] * G[m][2];
    return F;
  }
};

template <class Kind, bool damped, class T>
LITHE_HD void solid_force(const SolidPlan& plan, const double* numbers, const typename LaneTraits<T>::Scalar* x,
                          const typename LaneTraits<T>::Scalar* v, typename LaneTraits<T>::Scalar* f) {
  using Lane = LaneTraits<T>;
  constexpr int lanes = sizeof(typename Lane::Data) / sizeof(double);
  T sum[Kind::N][3];
  for (auto& row : sum) row[0] = row[1] = row[2] = T{};
  for (int p = 0; p < plan.points; ++p) {
    const double* dS = plan.dS + 3 * Kind::N * p;
    const Mat3<T> G = transpose(solid_gradient<Kind, T>(dS, x));
    Mat3<T> rate;
    if constexpr (damped) rate = transpose(solid_gradient<Kind, T>(dS, v));
    T q[9];
    point_force<damped ? Damping::own : Damping::none>(
        plan.law[p], PointGeometry<T>(numbers + lanes * solid_point_numbers * p), G.a, rate.a, q);
    for (int i = 0; i < Kind::N; ++i)
      for (int m = 0; m < 3; ++m) sum[i][m] += dS[3 * i] * q[m] + dS[3 * i + 1] * q[3 + m] + dS[3 * i + 2] * q[6 + m];
  }
  for (int i = 0; i < Kind::N; ++i)
    for (int m = 0; m < 3; ++m) Lane::store(f, 3 * i + m, sum[i][m]);
}

// A [alpha][beta][3 m + n] of two deformation gradients, with S on the diagonal of m, n. Symmetric: they are the same
// but for a factor, and A[beta][alpha] is the transpose of A[alpha][beta].
template <bool symmetric, class T>
LITHE_FORCE_INLINE LITHE_HD void solid_moduli(const Law& D, const Mat3<T>& F, const Mat3<T>& Z, const T* S, T* A) {
  const double C[3][3] = {{D.C11, D.C12, D.C13}, {D.C12, D.C22, D.C23}, {D.C13, D.C23, D.C33}};
  const double G[3] = {D.G23, D.G13, D.G12};  // by the axis that is not in it
  constexpr int voigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  for (int a = 0; a < 3; ++a)
    for (int b = symmetric ? a : 0; b < 3; ++b)
      for (int m = 0; m < 3; ++m) {
        T row[3];
        if (a == b) {
          const int c = (a + 1) % 3, d = (a + 2) % 3;
          const T normal = C[a][a] * F[m][a], one = G[d] * F[m][c], other = G[c] * F[m][d];
          for (int n = 0; n < 3; ++n) row[n] = normal * Z[n][a] + one * Z[n][c] + other * Z[n][d];
        } else {
          const T normal = C[a][b] * F[m][a], shear = G[3 - a - b] * F[m][b];
          for (int n = 0; n < 3; ++n) row[n] = normal * Z[n][b] + shear * Z[n][a];
        }
        row[m] += S[voigt[a][b]];
        for (int n = 0; n < 3; ++n) {
          A[9 * (3 * a + b) + 3 * m + n] = row[n];
          if (symmetric && a != b) A[9 * (3 * b + a) + 3 * n + m] = row[n];
        }
      }
}

// Values of T that solid_tangent needs: A and gradients of the functions of each point, and what A makes of one.
template <class Kind>
LITHE_HD constexpr int solid_tangent_scratch(int points) {
  return points * (81 + 3 * Kind::N + 27);
}

// K [pair][3][3], c_q df/dx + c_v df/dv.
template <class Kind, bool damped, bool symmetric, class T>
LITHE_HD void solid_tangent(const SolidPlan& plan, const double* numbers, const typename LaneTraits<T>::Scalar* x,
                            const typename LaneTraits<T>::Scalar* v, double c_q, double c_v,
                            typename LaneTraits<T>::Scalar* K, T* scratch) {
  using Lane = LaneTraits<T>;
  constexpr int lanes = sizeof(typename Lane::Data) / sizeof(double), N = Kind::N;
  T *A = scratch, *g = A + 81 * plan.points, *R = g + 3 * N * plan.points;
  for (int p = 0; p < plan.points; ++p) {
    const double* dS = plan.dS + 3 * N * p;
    const Law& law = plan.law[p];
    const SolidMap<T> map(numbers + lanes * solid_point_numbers * p);
    const double own = c_q + c_v * law.tau, rate_weight = c_q * law.tau;
    Mat3<T> F = map.along_frame(solid_gradient<Kind, T>(dS, x)), H, Z;
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) {
        H[m][a] = 0.5 * F[m][a];
        Z[m][a] = own * F[m][a];
      }
    Mat3<T> rate{};
    if constexpr (damped) {
      rate = map.along_frame(solid_gradient<Kind, T>(dS, v));
      for (int m = 0; m < 3; ++m)
        for (int a = 0; a < 3; ++a) H[m][a] += law.tau * rate[m][a];
    }
    T E[6], S[6];
    strain(F, H, E);
    stress(law, E, S);
    const auto stiffness = c_q * map.volume;
    for (T& s : S) s = stiffness * s;
    if constexpr (damped && symmetric) {
      const double shift = own == 0 ? 0.0 : 0.5 * rate_weight / own;
      for (int m = 0; m < 3; ++m)
        for (int a = 0; a < 3; ++a) {
          F[m][a] += shift * rate[m][a];
          Z[m][a] = own * F[m][a];
        }
    } else if constexpr (damped) {
      for (int m = 0; m < 3; ++m)
        for (int a = 0; a < 3; ++a) Z[m][a] += rate_weight * rate[m][a];
    }
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) Z[m][a] = map.volume * Z[m][a];
    solid_moduli<symmetric>(law, F, Z, S, A + 81 * p);
    for (int i = 0; i < N; ++i)  // dS B
      for (int a = 0; a < 3; ++a)
        g[3 * (N * p + i) + a] =
            T{} + (dS[3 * i] * map.B[0][a] + dS[3 * i + 1] * map.B[1][a] + dS[3 * i + 2] * map.B[2][a]);
  }
  constexpr int at_once = 32 / lanes;  // what a row of blocks needs of so many points stays in the nearest cache
  for (int first = 0; first < plan.points; first += at_once) {
    const int last = first + at_once < plan.points ? first + at_once : plan.points;
    for (int j = 0; j < N; ++j) {
      for (int p = first; p < last; ++p) {
        const T* from = A + 81 * p;
        const T g0 = g[3 * (N * p + j)], g1 = g[3 * (N * p + j) + 1], g2 = g[3 * (N * p + j) + 2];
        for (int a = 0; a < 3; ++a)
          for (int k = 0; k < 9; ++k)
            R[27 * (p - first) + 9 * a + k] =
                g0 * from[27 * a + k] + g1 * from[27 * a + 9 + k] + g2 * from[27 * a + 18 + k];
      }
      for (int i = 0; i < (symmetric ? j + 1 : N); ++i) {
        const int place = 9 * pair_index(N, symmetric, i, j);
        T sum[9];
        for (int k = 0; k < 9; ++k) sum[k] = first == 0 ? T{} : Lane::load(K, place + k);
        for (int p = first; p < last; ++p)
          for (int a = 0; a < 3; ++a) {
            const T *from = R + 27 * (p - first) + 9 * a, of = g[3 * (N * p + i) + a];
            for (int k = 0; k < 9; ++k) sum[k] += of * from[k];
          }
        for (int k = 0; k < 9; ++k) Lane::store(K, place + k, sum[k]);
      }
    }
  }
}

}  // namespace lithe

// Force and tangent of one cable from the point functions of cable.h, over any scalar type: a SIMD pack (one element
// per lane) or double (a GPU thread).
//
// Lengths differ between lanes, so the dimensionless derivatives S', S'' over xi in [-1, 1] are shared and half = L/2
// is a value of T. With rate = 2/L:  u = rate sum S'_i x_i,  w = rate^2 sum S''_i x_i  over scaled coordinates
// x = r, (L/2) r_x.
#pragma once

#include "lithe/base/config.h"
#include "lithe/elements/cable/cable.h"

namespace lithe {

// Weights of a point of a cable of length L, in unscaled coordinates (r, r_x).
struct CablePoint {
  double S1[4], S2[4];  // S', S''
  double weight;        // m
};

// What the cables of a batch share; points are those of length 2 (half length 1, dimensionless).
struct CablePlan {
  CableLaw law;
  int axial_points, bending_points;
  const CablePoint* axial;    // [axial_points]
  const CablePoint* bending;  // [bending_points]
};

// half: what a length is made of, where T carries a derivative too.
template <class T, class Half>
LITHE_HD void cable_coordinates(const Half& half, const T* e, T* x) {
  for (int i = 0; i < 4; ++i)
    for (int m = 0; m < 3; ++m) x[3 * i + m] = i % 2 == 0 ? e[3 * i + m] : half * e[3 * i + m];
}

// e, v, f are [4][3].
template <class T, class Half>
LITHE_HD void cable_force(const CablePlan& plan, const Half& half, const T* e, const T* v, T* f) {
  const CableLaw& law = plan.law;
  const Half rate = 1.0 / half, rate2 = rate * rate;
  T x[12], xd[12];
  cable_coordinates(half, e, x);
  cable_coordinates(half, v, xd);
  for (int k = 0; k < 12; ++k) f[k] = T{};
  for (int q = 0; q < plan.axial_points; ++q) {
    const CablePoint& p = plan.axial[q];
    const Vec3<T> u = rate * cable_field(p.S1, x), ud = rate * cable_field(p.S1, xd);
    const T stress = p.weight * (law.EA * (0.5 * (dot(u, u) - 1.0) + law.tau * dot(u, ud)));
    for (int i = 0; i < 4; ++i)
      for (int m = 0; m < 3; ++m) f[3 * i + m] += (p.S1[i] * stress) * u[m];
  }
  for (int q = 0; q < plan.bending_points; ++q) {
    const CablePoint& p = plan.bending[q];
    const Vec3<T> u = rate * cable_field(p.S1, x), w = rate2 * cable_field(p.S2, x);
    Vec3<T> phi_u, phi_w;
    curvature_gradient(u, w, phi_u, phi_w);
    if (law.tau > 0) {
      const CurvatureRate<T> damped(u, w, rate * cable_field(p.S1, xd), rate2 * cable_field(p.S2, xd));
      for (int m = 0; m < 3; ++m) {
        phi_u[m] += law.tau * damped.f_u[m];
        phi_w[m] += law.tau * damped.f_w[m];
      }
    }
    const double scale = p.weight * law.EI;
    for (int i = 0; i < 4; ++i)
      for (int m = 0; m < 3; ++m) f[3 * i + m] += scale * (p.S1[i] * phi_u[m] + p.S2[i] * (rate * phi_w[m]));
  }
  // d/dx = rate d/dxi and dx = half dxi cancel for u; one rate is left for w (inside the loop).
  cable_coordinates<T>(half, f, f);
}

// Tangent over y = (u, w) of a bending point, without its weight.
template <class T>
LITHE_HD void cable_bending_tangent(const CableLaw& law, const Vec3<T>& u, const Vec3<T>& w, const Vec3<T>& ud,
                                    const Vec3<T>& wd, double c_q, double c_v, bool symmetric, T (*A)[6]) {
  curvature_hessian(u, w, A);
  if (law.tau > 0) return cable_bending_damping<T>(law, u, w, ud, wd, c_q, c_v, symmetric, A);
  for (int k = 0; k < 6; ++k)
    for (int l = 0; l < 6; ++l) A[k][l] *= law.EI * c_q;
}

// K is [blocks][3][3], as in batch_kernel.h.
template <class T>
LITHE_HD void cable_tangent(const CablePlan& plan, const T& half, const T* e, const T* v, double c_q, double c_v,
                            bool symmetric, T* K) {
  const CableLaw& law = plan.law;
  const T rate = 1.0 / half, rate2 = rate * rate;
  T x[12], xd[12];
  cable_coordinates(half, e, x);
  cable_coordinates(half, v, xd);
  const int blocks = symmetric ? 10 : 16;
  for (int k = 0; k < 9 * blocks; ++k) K[k] = T{};
  for (int q = 0; q < plan.axial_points; ++q) {
    const CablePoint& p = plan.axial[q];
    const Vec3<T> u = rate * cable_field(p.S1, x), ud = rate * cable_field(p.S1, xd);
    T A[3][3];
    cable_axial_tangent(law, u, ud, c_q, c_v, symmetric, A);
    for (int i = 0, b = 0; i < 4; ++i)
      for (int j = symmetric ? i : 0; j < 4; ++j, ++b) {
        const double s = p.weight * p.S1[i] * p.S1[j];
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) K[9 * b + 3 * m + n] += s * A[m][n];
      }
  }
  for (int q = 0; q < plan.bending_points; ++q) {
    const CablePoint& p = plan.bending[q];
    const Vec3<T> u = rate * cable_field(p.S1, x), w = rate2 * cable_field(p.S2, x);
    const Vec3<T> ud = rate * cable_field(p.S1, xd), wd = rate2 * cable_field(p.S2, xd);
    T A[6][6];
    cable_bending_tangent(law, u, w, ud, wd, c_q, c_v, symmetric, A);
    for (int m = 0; m < 3; ++m)
      for (int n = 0; n < 3; ++n) {
        A[m][n + 3] *= rate;
        A[m + 3][n] *= rate;
        A[m + 3][n + 3] *= rate2;
      }
    for (int i = 0, b = 0; i < 4; ++i)
      for (int j = symmetric ? i : 0; j < 4; ++j, ++b) {
        const double s11 = p.weight * p.S1[i] * p.S1[j], s12 = p.weight * p.S1[i] * p.S2[j];
        const double s21 = p.weight * p.S2[i] * p.S1[j], s22 = p.weight * p.S2[i] * p.S2[j];
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n)
            K[9 * b + 3 * m + n] += s11 * A[m][n] + s12 * A[m][n + 3] + s21 * A[m + 3][n] + s22 * A[m + 3][n + 3];
      }
  }
  for (int i = 0, b = 0; i < 4; ++i)
    for (int j = symmetric ? i : 0; j < 4; ++j, ++b) {
      const int gradients = i % 2 + j % 2;  // one rate of two is left from du/dxi twice against dx
      const T scale = gradients == 0 ? rate : gradients == 1 ? T{} + 1.0 : half;
      for (int k = 0; k < 9; ++k) K[9 * b + k] = scale * K[9 * b + k];
    }
}

}  // namespace lithe

// Cable (P1 eqs. 1-9): two nodes with r and r_x; 4 shape functions, 12 coordinates; gradient deficient.
//
// With u = r_x, w = r_xx (derivatives along the reference arc length x in [0, L]):
//   axial strain  eps = (u.u - 1)/2,          energy  1/2 EA eps^2
//   curvature     kappa = |u x w| / |u|^3,    energy  1/2 EI kappa^2 = EI phi,
//   phi = (W/s^2 - d^2/s^3)/2  with s = u.u, W = w.w, d = u.w.
// phi is smooth where kappa is not (kappa = 0), so everything is written with its gradient G = (phi_u, phi_w) and its
// Hessian H over y = (u, w). Damping (Kelvin-Voigt, tau):
//   axial    EA tau eps' deps/de,
//   bending  EI tau c dn/de,   n = P w/s,   c = P n' = P (w' - (d/s) u' - (2 u.u'/s) w)/s,   P = 1 - u u^T/s.
// n is the curvature vector, |n| = kappa; its rate is taken in the section's plane, so that it is the rate seen from a
// section that turns with the tangent and does not spin about it. kappa' alone would miss that n turns (whirl), and has
// no derivative where kappa = 0. Naturally straight: kappa = 0 in the reference configuration.
//
// Shape functions are dimensionless over scaled coordinates r, (L/2) r_x: cubic Hermite in xi in [-1, 1].
#pragma once

#include "lithe/base/config.h"
#include "lithe/base/small.h"
#include "lithe/elements/node_vectors.h"

namespace lithe {

struct Cable : TangentVectors {
  static constexpr const char *name = "cable",
                              *help = "thin cable, r and r_x at two nodes; stretching and bending, naturally straight",
                              *theory = "theory/cable.md";
  static constexpr int nodes = 2;
  static constexpr int node_vectors = 2;
  static constexpr int N = 4;
  static constexpr int dimension = 1;
  static constexpr double corner[nodes][3] = {{-1, 0, 0}, {1, 0, 0}};
  static constexpr int quadrature[] = {5, 3};  // axial, bending
  static constexpr const char* meshes[] = {"line", "net", "nodes"};
  static constexpr const char* sections[] = {"circle", "bar",     "tube",  "rectangle", "box",
                                             "I",      "channel", "angle", "polygon",   "general"};
  static constexpr const char* materials[] = {"isotropic"};
  static constexpr bool volume = false, straight = true;

  template <class T>
  LITHE_HD static void shape(const T* x, T* S) {
    const T xi = x[0];
    S[0] = (xi * xi * xi - 3.0 * xi + 2.0) * 0.25;
    S[1] = (xi * xi * xi - xi * xi - xi + 1.0) * 0.25;
    S[2] = (-xi * xi * xi + 3.0 * xi + 2.0) * 0.25;
    S[3] = (xi * xi * xi + xi * xi - xi - 1.0) * 0.25;
  }
  template <class T>
  LITHE_HD static void derivative(const T* x, T (*dS)[3]) {
    T first[N];
    shape_first(x[0], first);
    for (int i = 0; i < N; ++i) {
      dS[i][0] = first[i];
      dS[i][1] = dS[i][2] = T(0.0);
    }
  }
  template <class T>
  LITHE_HD static void shape_first(const T& xi, T* dS) {
    dS[0] = (3.0 * xi * xi - 3.0) * 0.25;
    dS[1] = (3.0 * xi * xi - 2.0 * xi - 1.0) * 0.25;
    dS[2] = (3.0 - 3.0 * xi * xi) * 0.25;
    dS[3] = (3.0 * xi * xi + 2.0 * xi - 1.0) * 0.25;
  }
  template <class T>
  LITHE_HD static void shape_second(const T& xi, T* ddS) {
    ddS[0] = 1.5 * xi;
    ddS[1] = (6.0 * xi - 2.0) * 0.25;
    ddS[2] = -1.5 * xi;
    ddS[3] = (6.0 * xi + 2.0) * 0.25;
  }
};

// Stiffness of a cable's section.
struct CableLaw {
  double EA, EI;  // N, N m^2
  double tau;     // s
};

// Gradient of phi over y = (u, w), and phi.
template <class T>
LITHE_HD T curvature_gradient(const Vec3<T>& u, const Vec3<T>& w, Vec3<T>& phi_u, Vec3<T>& phi_w) {
  const T s = dot(u, u), W = dot(w, w), d = dot(u, w);
  const T r = 1.0 / s, r2 = r * r, r3 = r2 * r;
  const T phi_s = r3 * (1.5 * d * d * r - W), phi_W = 0.5 * r2, phi_d = -d * r3;
  for (int m = 0; m < 3; ++m) {
    phi_u[m] = 2.0 * phi_s * u[m] + phi_d * w[m];
    phi_w[m] = 2.0 * phi_W * w[m] + phi_d * u[m];
  }
  return 0.5 * r2 * (W - d * d * r);
}

// Hessian of phi: H[0..2][0..2] = uu, [0..2][3..5] = uw, [3..5][3..5] = ww.
template <class T>
LITHE_HD void curvature_hessian(const Vec3<T>& u, const Vec3<T>& w, T (*H)[6]) {
  const T s = dot(u, u), W = dot(w, w), d = dot(u, w);
  const T r = 1.0 / s, r2 = r * r, r3 = r2 * r, r4 = r2 * r2;
  const T phi_s = r3 * (1.5 * d * d * r - W), phi_W = 0.5 * r2, phi_d = -d * r3;
  const T phi_ss = r4 * (3.0 * W - 6.0 * d * d * r), phi_sd = 3.0 * d * r4, phi_sW = -r3, phi_dd = -r3;
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) {
      H[m][n] = 4.0 * phi_ss * (u[m] * u[n]) + 2.0 * phi_sd * (u[m] * w[n] + w[m] * u[n]) + phi_dd * (w[m] * w[n]);
      H[m][n + 3] = 4.0 * phi_sW * (u[m] * w[n]) + 2.0 * phi_sd * (u[m] * u[n]) + phi_dd * (w[m] * u[n]);
      H[m + 3][n + 3] = phi_dd * (u[m] * u[n]);
      if (m == n) {
        H[m][n] += 2.0 * phi_s;
        H[m][n + 3] += phi_d;
        H[m + 3][n + 3] += 2.0 * phi_W;
      }
    }
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) H[m + 3][n] = H[n][m + 3];
}

// Derivative along the cable of the field x [4][3]: sum_i D_i x_i, D in unscaled coordinates.
template <class T, class D>
LITHE_HD Vec3<T> cable_field(const D* weight, const T* x) {
  Vec3<T> r;
  for (int m = 0; m < 3; ++m)
    r[m] = weight[0] * x[m] + weight[1] * x[3 + m] + weight[2] * x[6 + m] + weight[3] * x[9 + m];
  return r;
}

// Force at an axial point: f_i += weight S'_i EA (eps + tau eps') u.
template <class T, class D>
LITHE_HD void cable_axial_force(const CableLaw& law, const D* S1, const D& weight, const T* e, const T* v, T* f) {
  const Vec3<T> u = cable_field(S1, e), ud = cable_field(S1, v);
  const T stress = weight * (law.EA * (0.5 * (dot(u, u) - 1.0) + law.tau * dot(u, ud)));
  for (int i = 0; i < 4; ++i)
    for (int m = 0; m < 3; ++m) f[3 * i + m] += (S1[i] * stress) * u[m];
}

// Damping of the curvature vector at a point, over EI tau: c, and the forces f_u, f_w = (dn/du)^T c, (dn/dw)^T c.
template <class T>
struct CurvatureRate {
  T r, a, b, h, g;  // 1/s, d/s, 2 u.u'/s, u.z, w.c
  Vec3<T> z, c, f_u, f_w;

  LITHE_HD CurvatureRate(const Vec3<T>& u, const Vec3<T>& w, const Vec3<T>& ud, const Vec3<T>& wd) {
    r = 1.0 / dot(u, u);
    a = r * dot(u, w);
    b = 2.0 * r * dot(u, ud);
    for (int m = 0; m < 3; ++m) z[m] = wd[m] - a * ud[m] - b * w[m];
    h = dot(u, z);
    for (int m = 0; m < 3; ++m) c[m] = r * (z[m] - r * h * u[m]);
    g = dot(w, c);
    for (int m = 0; m < 3; ++m) {
      f_u[m] = -r * (a * c[m] + 2.0 * r * g * u[m]);
      f_w[m] = r * c[m];
    }
  }
};

// Force at a bending point: f_i += weight EI (S'_i (phi_u + tau f_u) + S''_i (phi_w + tau f_w)).
template <class T, class D>
LITHE_HD void cable_bending_force(const CableLaw& law, const D* S1, const D* S2, const D& weight, const T* e,
                                  const T* v, T* f) {
  const Vec3<T> u = cable_field(S1, e), w = cable_field(S2, e);
  Vec3<T> phi_u, phi_w;
  curvature_gradient(u, w, phi_u, phi_w);
  const CurvatureRate<T> rate(u, w, cable_field(S1, v), cable_field(S2, v));
  for (int i = 0; i < 4; ++i)
    for (int m = 0; m < 3; ++m)
      f[3 * i + m] +=
          weight * (law.EI * (S1[i] * (phi_u[m] + law.tau * rate.f_u[m]) + S2[i] * (phi_w[m] + law.tau * rate.f_w[m])));
}

// Tangent over u at an axial point: A[m][n], to be contracted with S'_i S'_j.
template <class T>
LITHE_HD void cable_axial_tangent(const CableLaw& law, const Vec3<T>& u, const Vec3<T>& ud, double c_q, double c_v,
                                  bool symmetric, T (*A)[3]) {
  const T stress = law.EA * c_q * (0.5 * (dot(u, u) - 1.0) + law.tau * dot(u, ud));
  const double own = law.EA * (c_q + c_v * law.tau), rate = law.EA * c_q * law.tau;
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) {
      const T coupling = symmetric ? 0.5 * (u[m] * ud[n] + ud[m] * u[n]) : u[m] * ud[n];
      A[m][n] = own * (u[m] * u[n]) + rate * coupling;
      if (m == n) A[m][n] += stress;
    }
}

// Turns the Hessian of phi held in A into the 6 x 6 tangent over y = (u, w) of a bending point with damping:
// EI (c_q H + tau (c_q df/dy + c_v df/dy')), f = (f_u, f_w) of CurvatureRate; df/dy' is symmetric, df/dy is not.
template <class T>
LITHE_HD void cable_bending_damping(const CableLaw& law, const Vec3<T>& u, const Vec3<T>& w, const Vec3<T>& ud,
                                    const Vec3<T>& wd, double c_q, double c_v, bool symmetric, T (*A)[6]) {
  const CurvatureRate<T> x(u, w, ud, wd);
  const T& r = x.r;
  const double viscous = law.EI * law.tau;
  T D[6][6];
  for (int k = 0; k < 6; ++k) {  // one column: y_k moves at c_q, y'_k at c_v
    const int n = k % 3;
    const bool of_u = k < 3;
    const T ds = of_u ? 2.0 * c_q * u[n] : T{};
    const T da = r * (c_q * (of_u ? w[n] : u[n]) - x.a * ds);
    const T db = of_u ? r * (2.0 * (c_q * ud[n] + c_v * u[n]) - x.b * ds) : T{};
    Vec3<T> dz, dc;
    for (int m = 0; m < 3; ++m) dz[m] = -1.0 * (da * ud[m] + db * w[m]);
    if (of_u) dz[n] -= c_v * x.a;
    else dz[n] += c_v - c_q * x.b;
    const T dh = dot(u, dz) + (of_u ? c_q * x.z[n] : T{});
    const T along = r * (r * x.h * ds - dh);
    for (int m = 0; m < 3; ++m) dc[m] = r * (dz[m] + along * u[m] - ds * x.c[m]);
    if (of_u) dc[n] -= c_q * r * r * x.h;
    const T dg = dot(w, dc) + (of_u ? T{} : c_q * x.c[n]);
    const T turn = 2.0 * r * (dg - r * x.g * ds);
    for (int m = 0; m < 3; ++m) {
      D[m][k] = -r * (ds * x.f_u[m] + da * x.c[m] + x.a * dc[m] + turn * u[m]);
      D[m + 3][k] = r * (dc[m] - r * ds * x.c[m]);
    }
    if (of_u) D[n][k] -= 2.0 * c_q * r * r * x.g;
  }
  const double elastic = law.EI * c_q;
  for (int k = 0; k < 6; ++k)
    for (int l = 0; l < 6; ++l)
      A[k][l] = elastic * A[k][l] + (symmetric ? 0.5 * viscous * (D[k][l] + D[l][k]) : viscous * D[k][l]);
}

}  // namespace lithe

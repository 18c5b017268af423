// Beam 3243 by stress resultants (docs/theory/beam3243.md): strains of the axis r(xi) against the frame (e_1, e_2, e_3)
// of its section, which follows from r_y and r_z alike (rule `section` of constraints/frame.h), and the stiffness of
// the section as a whole: stretch, two shears, twist, two curvatures (J. C. Simo 1985; for these coordinates K.
// Nachbagauer, P. Gruber, J. Gerstmayr, J. Comput. Nonlinear Dyn. 8 (2013)).
//
// With s = 0, m, 1 the two nodes and the middle of the element, A = dr/dxi and j = |A| in the reference:
//   Gamma_k(s) = e_k . A / j,   curvatures from the frames alone: for one rotation by w between the ends
//   h = 2 sin(w/2) from the middle and the ends, t = sin(w) from the ends, (4 h - t) / 3 = w (1 - 0.002 w^4).
// r is cubic, r_y and r_z are linear: the quadratic part of the shears, (Gamma(0) + Gamma(1)) / 2 - Gamma(m), is a
// bubble of the section's rotation that the linear frame cannot show. It goes into the curvatures, which become linear,
// and the shears are what the nodes say. A slender beam is then the cubic beam of Euler and Bernoulli. The quadratic
// part of the stretch is measured apart (hourglass). The section deforms in itself against the stiffness `across`,
// measured at the nodes.
#pragma once

#include "lithe/base/small.h"
#include "lithe/elements/lanes.h"

namespace lithe {

inline constexpr int beam_strains = 6;

// Numbers of one element, in the order in which they are stored.
struct BeamNumbers {
  // C [21], 1 / j of the three stations, length, stiffness of the stretch's quadratic part, stiffness across, and of
  // the reference Gamma [station][3], curvature [3], section strains [node][3].
  static constexpr int stiffness = 0, inverse = 21, length = 24, hourglass = 25, across = 26, gamma = 27,
                       curvature = 36, section = 39, count = 45;
};

// Frame of a section from r_y and r_z, and what its rotation has to do with them: with the components of a and b in
// the section's plane, s = a_2 + b_3 and D = a_2 b_3 - a_3 b_2,
//   phi_1 = (e_3 . da - e_2 . db) / s,  phi_2 = (a_2 e_1 . db - b_2 e_1 . da) / D,  phi_3 = (a_3 e_1 . db - b_3 e_1 .
//   da) / D.
template <class T>
struct BeamFrame {
  Vec3<T> e[3];
  T a2, a3, b2, b3, inverse_s, inverse_D;

  LITHE_FORCE_INLINE LITHE_HD void of(const Vec3<T>& a, const Vec3<T>& b) {
    const Vec3<T> n = cross(a, b);
    inverse_D = 1.0 / root(dot(n, n));
    e[0] = inverse_D * n;
    const Vec3<T> c = a + cross(b, e[0]);
    inverse_s = 1.0 / root(dot(c, c));
    e[1] = inverse_s * c;
    e[2] = cross(e[0], e[1]);
    a2 = dot(a, e[1]);
    a3 = dot(a, e[2]);
    b2 = dot(b, e[1]);
    b3 = dot(b, e[2]);
  }
  // Rates of the axes.
  LITHE_FORCE_INLINE LITHE_HD void rates(const Vec3<T>& da, const Vec3<T>& db, Vec3<T>* rate) const {
    const T na = dot(e[0], da), nb = dot(e[0], db);
    const T p1 = inverse_s * (dot(e[2], da) - dot(e[1], db)), p2 = inverse_D * (a2 * nb - b2 * na),
            p3 = inverse_D * (a3 * nb - b3 * na);
    rate[0] = p3 * e[1] - p2 * e[2];
    rate[1] = p1 * e[2] - p3 * e[0];
    rate[2] = p2 * e[0] - p1 * e[1];
  }
  // Forces on a and b of forces q on the axes.
  LITHE_FORCE_INLINE LITHE_HD void forces(const Vec3<T>* q, Vec3<T>& on_a, Vec3<T>& on_b) const {
    const T m1 = inverse_s * (dot(q[1], e[2]) - dot(q[2], e[1]));
    const T m2 = dot(q[2], e[0]) - dot(q[0], e[2]), m3 = dot(q[0], e[1]) - dot(q[1], e[0]);
    const T na = inverse_D * (m2 * b2 + m3 * b3), nb = inverse_D * (m2 * a2 + m3 * a3);
    on_a = m1 * e[2] - na * e[0];
    on_b = nb * e[0] - m1 * e[1];
  }
};

// What the strains are made of: axes and derivative of the axis at the three stations, vectors of the section at the
// nodes.
template <class T>
struct BeamStations {
  BeamFrame<T> frame[3];
  Vec3<T> A[3], a[2], b[2];

  // x: r, (L/2) r_x, r_y, r_z of both nodes.
  LITHE_FORCE_INLINE LITHE_HD void at(const Vec3<T>* x) {
    for (int n = 0; n < 2; ++n) {
      a[n] = x[4 * n + 2];
      b[n] = x[4 * n + 3];
      A[2 * n] = x[4 * n + 1];
      frame[2 * n].of(a[n], b[n]);
    }
    for (int m = 0; m < 3; ++m) A[1][m] = 0.75 * (x[4][m] - x[0][m]) - 0.25 * (x[1][m] + x[5][m]);
    frame[1].of(0.5 * (a[0] + a[1]), 0.5 * (b[0] + b[1]));
  }
};

template <class T>
struct BeamStrains {
  T gamma[3][3];    // [station][k], times j
  T curvature[3];   // times the length
  T section[2][3];  // E_yy, E_zz, gamma_yz
};

// h_k and t_k of the header, bilinear in axes of different stations: sums of c e_i(s) . e_j(t).
// curvature k, with n = k + 1 and p = k + 2: (4 h - t) / 3.
template <class Function>
LITHE_FORCE_INLINE LITHE_HD void beam_curvature_terms(int k, Function&& term) {
  const int n = (k + 1) % 3, p = (k + 2) % 3;
  constexpr double h = 2.0 / 3, t = -1.0 / 6;
  term(1, p, 2, n, h);
  term(1, p, 0, n, -h);
  term(1, n, 2, p, -h);
  term(1, n, 0, p, h);
  term(0, p, 2, n, t);
  term(0, n, 2, p, -t);
}

template <class T>
LITHE_FORCE_INLINE LITHE_HD void beam_strains_of(const BeamStations<T>& x, BeamStrains<T>& e) {
  for (int s = 0; s < 3; ++s)
    for (int k = 0; k < 3; ++k) e.gamma[s][k] = dot(x.frame[s].e[k], x.A[s]);
  for (int k = 0; k < 3; ++k) {
    e.curvature[k] = T{};
    beam_curvature_terms(k, [&](int s, int i, int t, int j, double c)
                                LITHE_FORCE_INLINE { e.curvature[k] += c * dot(x.frame[s].e[i], x.frame[t].e[j]); });
  }
  for (int n = 0; n < 2; ++n) {
    e.section[n][0] = 0.5 * dot(x.a[n], x.a[n]);
    e.section[n][1] = 0.5 * dot(x.b[n], x.b[n]);
    e.section[n][2] = dot(x.a[n], x.b[n]);
  }
}

// e += tau times the rates of the strains; v as x.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void add_beam_rates(const BeamStations<T>& x, const Vec3<T>* v, double tau,
                                                BeamStrains<T>& e) {
  Vec3<T> rate[3][3], A[3];
  for (int n = 0; n < 2; ++n) {
    A[2 * n] = v[4 * n + 1];
    x.frame[2 * n].rates(v[4 * n + 2], v[4 * n + 3], rate[2 * n]);
  }
  for (int m = 0; m < 3; ++m) A[1][m] = 0.75 * (v[4][m] - v[0][m]) - 0.25 * (v[1][m] + v[5][m]);
  x.frame[1].rates(0.5 * (v[2] + v[6]), 0.5 * (v[3] + v[7]), rate[1]);
  for (int s = 0; s < 3; ++s)
    for (int k = 0; k < 3; ++k) e.gamma[s][k] += tau * (dot(x.frame[s].e[k], A[s]) + dot(rate[s][k], x.A[s]));
  for (int k = 0; k < 3; ++k)
    beam_curvature_terms(k, [&](int s, int i, int t, int j, double c) LITHE_FORCE_INLINE {
      e.curvature[k] += (tau * c) * (dot(rate[s][i], x.frame[t].e[j]) + dot(x.frame[s].e[i], rate[t][j]));
    });
  for (int n = 0; n < 2; ++n) {
    const Vec3<T>&da = v[4 * n + 2], &db = v[4 * n + 3];
    e.section[n][0] += tau * dot(x.a[n], da);
    e.section[n][1] += tau * dot(x.b[n], db);
    e.section[n][2] += tau * (dot(x.a[n], db) + dot(da, x.b[n]));
  }
}

// Mean and slope over the element of the six strains of the section, and the quadratic part of the stretch.
template <class T>
struct BeamField {
  T mean[6], slope[6], hourglass;

  // e less the reference, divided by j and the length.
  LITHE_FORCE_INLINE LITHE_HD void of(const double* numbers, const BeamStrains<T>& e) {
    using Lane = LaneTraits<T>;
    using N = BeamNumbers;
    T g[3][3];
    for (int s = 0; s < 3; ++s)
      for (int k = 0; k < 3; ++k)
        g[s][k] = Lane::data(numbers, N::inverse + s) * e.gamma[s][k] - Lane::data(numbers, N::gamma + 3 * s + k);
    const auto per_length = 1.0 / Lane::data(numbers, N::length);
    mean[0] = (1.0 / 6) * (g[0][0] + 4.0 * g[1][0] + g[2][0]);
    hourglass = 0.5 * (g[0][0] + g[2][0]) - g[1][0];
    for (int k = 0; k < 3; ++k) {
      if (k > 0) mean[k] = 0.5 * (g[0][k] + g[2][k]);
      slope[k] = 0.5 * (g[2][k] - g[0][k]);
      mean[3 + k] = per_length * e.curvature[k] - Lane::data(numbers, N::curvature + k);
    }
    // theta_3 takes Gamma_2's bubble times (xi^2 - 1), theta_2 that of -Gamma_3; 2 xi / j is 4 xi / length.
    const auto bend = 4.0 * per_length;
    slope[3] = T{};
    slope[4] = -1.0 * (bend * (0.5 * (g[0][2] + g[2][2]) - g[1][2]));
    slope[5] = bend * (0.5 * (g[0][1] + g[2][1]) - g[1][1]);
  }
};

// Stress resultants times the length: of mean and slope.
template <class T>
struct BeamResultants {
  T mean[6], slope[6], hourglass, section[2][3];

  LITHE_FORCE_INLINE LITHE_HD void of(const double* numbers, const BeamField<T>& field, const BeamStrains<T>& e) {
    using Lane = LaneTraits<T>;
    using N = BeamNumbers;
    const auto length = Lane::data(numbers, N::length);
    const auto third = (1.0 / 3) * length;
    for (int k = 0; k < 6; ++k) {
      T m = T{}, s = T{};
      for (int l = 0; l < 6; ++l) {
        const auto C = Lane::data(numbers, N::stiffness + upper_place(6, k, l));
        m += C * field.mean[l];
        if (l != 3) s += C * field.slope[l];
      }
      mean[k] = length * m;
      slope[k] = third * s;
    }
    hourglass = Lane::data(numbers, N::hourglass) * field.hourglass;
    const auto across = 0.5 * (length * Lane::data(numbers, N::across));
    for (int n = 0; n < 2; ++n)
      for (int c = 0; c < 3; ++c)
        section[n][c] =
            (c == 2 ? 0.5 : 1.0) * (across * (e.section[n][c] - Lane::data(numbers, N::section + 3 * n + c)));
  }
  LITHE_HD static constexpr int upper_place(int n, int i, int j) {
    return i <= j ? i * n - i * (i - 1) / 2 + j - i : j * n - j * (j - 1) / 2 + i - j;
  }
};

// f = (d strains / dx)^T resultants.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void beam_force_of(const double* numbers, const BeamStations<T>& x,
                                               const BeamResultants<T>& r, Vec3<T>* f) {
  using Lane = LaneTraits<T>;
  using N = BeamNumbers;
  const auto per_length = 1.0 / Lane::data(numbers, N::length);
  const auto bend = 4.0 * per_length;
  // Back to the stations.
  T g[3][3];
  const T stretch = (1.0 / 6) * r.mean[0], half_hourglass = 0.5 * r.hourglass;
  g[0][0] = stretch - 0.5 * r.slope[0] + half_hourglass;
  g[2][0] = stretch + 0.5 * r.slope[0] + half_hourglass;
  g[1][0] = 4.0 * stretch - r.hourglass;
  const T bubble[3] = {T{}, bend * r.slope[5], -1.0 * (bend * r.slope[4])};
  for (int k = 1; k < 3; ++k) {
    const T half = 0.5 * (r.mean[k] + bubble[k]);
    g[0][k] = half - 0.5 * r.slope[k];
    g[2][k] = half + 0.5 * r.slope[k];
    g[1][k] = -1.0 * bubble[k];
  }
  Vec3<T> on_A[3], q[3][3];
  for (int s = 0; s < 3; ++s) {
    const auto inverse = Lane::data(numbers, N::inverse + s);
    for (int k = 0; k < 3; ++k) {
      g[s][k] = inverse * g[s][k];
      q[s][k] = g[s][k] * x.A[s];
    }
    on_A[s] = g[s][0] * x.frame[s].e[0] + g[s][1] * x.frame[s].e[1] + g[s][2] * x.frame[s].e[2];
  }
  for (int k = 0; k < 3; ++k) {
    const T moment = per_length * r.mean[3 + k];
    beam_curvature_terms(k, [&](int s, int i, int t, int j, double c) LITHE_FORCE_INLINE {
      const T value = c * moment;
      for (int m = 0; m < 3; ++m) {
        q[s][i][m] += value * x.frame[t].e[j][m];
        q[t][j][m] += value * x.frame[s].e[i][m];
      }
    });
  }
  Vec3<T> on_a[3], on_b[3];
  for (int s = 0; s < 3; ++s) x.frame[s].forces(q[s], on_a[s], on_b[s]);
  for (int m = 0; m < 3; ++m) {
    const T pull = 0.75 * on_A[1][m], slope = 0.25 * on_A[1][m];
    f[0][m] = -1.0 * pull;
    f[4][m] = pull;
    f[1][m] = on_A[0][m] - slope;
    f[5][m] = on_A[2][m] - slope;
    for (int n = 0; n < 2; ++n) {
      const T* s = r.section[n];
      f[4 * n + 2][m] = on_a[2 * n][m] + 0.5 * on_a[1][m] + s[0] * x.a[n][m] + s[2] * x.b[n][m];
      f[4 * n + 3][m] = on_b[2 * n][m] + 0.5 * on_b[1][m] + s[1] * x.b[n][m] + s[2] * x.a[n][m];
    }
  }
}

// Over scaled vectors x and rates v: r, (L/2) r_x, r_y, r_z of both nodes.
template <bool damped, class T>
LITHE_FORCE_INLINE LITHE_HD void beam_resultant_force(const double* numbers, double tau, const Vec3<T>* x,
                                                      const Vec3<T>* v, Vec3<T>* f) {
  BeamStations<T> stations;
  stations.at(x);
  BeamStrains<T> strains;
  beam_strains_of(stations, strains);
  if constexpr (damped) add_beam_rates(stations, v, tau, strains);
  BeamField<T> field;
  field.of(numbers, strains);
  BeamResultants<T> resultants;
  resultants.of(numbers, field, strains);
  beam_force_of(numbers, stations, resultants, f);
}

}  // namespace lithe

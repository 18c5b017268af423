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
// and the shears are what the nodes say. A slender beam is then the cubic beam of Euler and Bernoulli. The stretch in
// the middle is that along the section which the bubble has turned: what of A is not its shear, the mean c_k of e_k . A
// at the nodes,
//   S = sqrt(A . A - c_2^2 - c_3^2),   of the first order e_1 . A.
// (e_1 . A itself would not see what lies across the frame, and an element that bends far within itself could grow
// longer at no cost but its bending.) The quadratic part of the stretch is measured apart (hourglass). The section
// deforms in itself against the stiffness `across`, measured at the nodes.
#pragma once

#include "lithe/base/small.h"
#include "lithe/elements/lanes.h"

namespace lithe {

inline constexpr int beam_strains = 6;

// The strains of an element as they are measured: e_k . A at the three stations, [station][k], and the three curvatures
// times the length; instead of e_1 . A in the middle, S.
inline constexpr int beam_measures = 12;
inline constexpr int beam_stretch = 3;  // S among them

// Numbers of one element, in the order in which they are stored.
struct BeamNumbers {
  // Stiffness of the measures (upper triangle), their values in the reference, stiffness across, and strains of the
  // sections in the reference [node][3].
  static constexpr int stiffness = 0, reference = 78, across = 90, section = 91, count = 97;
};
LITHE_HD constexpr int beam_place(int i, int j) {
  return i <= j ? i * beam_measures - i * (i - 1) / 2 + j - i : j * beam_measures - j * (j - 1) / 2 + i - j;
}

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
  T measure[beam_measures];
  T section[2][3];  // E_yy, E_zz, gamma_yz
  T along;          // e_1 . A in the middle
};

// S as a function of the e_k . A: its gradient s, and products with its second derivatives (P - s s^T) / S, where P is
// 1 for the three of the middle, and -1/4 between all e_k . A of the nodes of one k = 2, 3.
template <class T>
struct BeamStretch {
  T s[9], inverse;

  LITHE_FORCE_INLINE LITHE_HD explicit BeamStretch(const BeamStrains<T>& e) {
    inverse = 1.0 / e.measure[beam_stretch];
    s[0] = s[6] = T{};
    s[3] = inverse * e.along;
    for (int k = 1; k < 3; ++k) {
      s[3 + k] = inverse * e.measure[3 + k];
      s[k] = s[6 + k] = -0.25 * (inverse * (e.measure[k] + e.measure[6 + k]));
    }
  }
  // d2S g, g of [9].
  template <class Vector>
  LITHE_FORCE_INLINE LITHE_HD void second(const Vector* g, Vector* out) const {
    Vector along = s[3] * g[3];
    for (int k = 1; k < 3; ++k) along = along + s[3 + k] * g[3 + k] + s[k] * (g[k] + g[6 + k]);
    out[3] = inverse * (g[3] - s[3] * along);
    for (int k = 1; k < 3; ++k) {
      out[3 + k] = inverse * (g[3 + k] - s[3 + k] * along);
      out[k] = out[6 + k] = inverse * (-0.25 * (g[k] + g[6 + k]) - s[k] * along);
    }
  }
  // Forces on the e_k . A from those on the measures.
  LITHE_FORCE_INLINE LITHE_HD void spread(T* force) const {
    const T pull = force[beam_stretch];
    force[3] = s[3] * pull;
    for (int k = 1; k < 3; ++k) {
      force[3 + k] += s[3 + k] * pull;
      const T at_nodes = s[k] * pull;
      force[k] += at_nodes;
      force[6 + k] += at_nodes;
    }
  }
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
    for (int k = 0; k < 3; ++k) e.measure[3 * s + k] = dot(x.frame[s].e[k], x.A[s]);
  e.along = e.measure[beam_stretch];
  const T c2 = 0.5 * (e.measure[1] + e.measure[7]), c3 = 0.5 * (e.measure[2] + e.measure[8]);
  e.measure[beam_stretch] = root(dot(x.A[1], x.A[1]) - c2 * c2 - c3 * c3);
  for (int k = 0; k < 3; ++k) {
    e.measure[9 + k] = T{};
    beam_curvature_terms(k, [&](int s, int i, int t, int j, double c)
                                LITHE_FORCE_INLINE { e.measure[9 + k] += c * dot(x.frame[s].e[i], x.frame[t].e[j]); });
  }
  for (int n = 0; n < 2; ++n) {
    e.section[n][0] = 0.5 * dot(x.a[n], x.a[n]);
    e.section[n][1] = 0.5 * dot(x.b[n], x.b[n]);
    e.section[n][2] = dot(x.a[n], x.b[n]);
  }
}

// e += tau times the rates of the strains; v as x.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void add_beam_rates(const BeamStations<T>& x, const BeamStretch<T>& stretch,
                                                const Vec3<T>* v, double tau, BeamStrains<T>& e) {
  Vec3<T> rate[3][3], A[3];
  for (int n = 0; n < 2; ++n) {
    A[2 * n] = v[4 * n + 1];
    x.frame[2 * n].rates(v[4 * n + 2], v[4 * n + 3], rate[2 * n]);
  }
  for (int m = 0; m < 3; ++m) A[1][m] = 0.75 * (v[4][m] - v[0][m]) - 0.25 * (v[1][m] + v[5][m]);
  x.frame[1].rates(0.5 * (v[2] + v[6]), 0.5 * (v[3] + v[7]), rate[1]);
  T stretching = T{};
  for (int s = 0; s < 3; ++s)
    for (int k = 0; k < 3; ++k) {
      const T grown = tau * (dot(x.frame[s].e[k], A[s]) + dot(rate[s][k], x.A[s]));
      if (s == 1 || k > 0) stretching += stretch.s[3 * s + k] * grown;
      if (3 * s + k != beam_stretch) e.measure[3 * s + k] += grown;
    }
  e.measure[beam_stretch] += stretching;
  for (int k = 0; k < 3; ++k)
    beam_curvature_terms(k, [&](int s, int i, int t, int j, double c) LITHE_FORCE_INLINE {
      e.measure[9 + k] += (tau * c) * (dot(rate[s][i], x.frame[t].e[j]) + dot(x.frame[s].e[i], rate[t][j]));
    });
  for (int n = 0; n < 2; ++n) {
    const Vec3<T>&da = v[4 * n + 2], &db = v[4 * n + 3];
    e.section[n][0] += tau * dot(x.a[n], da);
    e.section[n][1] += tau * dot(x.b[n], db);
    e.section[n][2] += tau * (dot(x.a[n], db) + dot(da, x.b[n]));
  }
}

// Forces that belong to the measures and to the strains of the sections.
template <class T>
struct BeamForces {
  T measure[beam_measures], section[2][3];

  LITHE_FORCE_INLINE LITHE_HD void of(const double* numbers, BeamStrains<T> e) {
    using Lane = LaneTraits<T>;
    using N = BeamNumbers;
    for (int p = 0; p < beam_measures; ++p) e.measure[p] -= Lane::data(numbers, N::reference + p);
    for (int p = 0; p < beam_measures; ++p) {
      T sum = Lane::data(numbers, beam_place(p, 0)) * e.measure[0];
      for (int q = 1; q < beam_measures; ++q) sum += Lane::data(numbers, beam_place(p, q)) * e.measure[q];
      measure[p] = sum;
    }
    const auto across = Lane::data(numbers, N::across);
    for (int n = 0; n < 2; ++n)
      for (int c = 0; c < 3; ++c)
        section[n][c] =
            (c == 2 ? 0.5 : 1.0) * (across * (e.section[n][c] - Lane::data(numbers, N::section + 3 * n + c)));
  }
};

// What the forces of the measures do to A and to the axes of every station.
template <class T>
struct BeamStationForces {
  Vec3<T> on_A[3], q[3][3];
  LITHE_FORCE_INLINE LITHE_HD BeamStationForces(const BeamStations<T>& x, const T* measure) {
    for (int s = 0; s < 3; ++s) {
      const T* g = measure + 3 * s;
      for (int k = 0; k < 3; ++k) q[s][k] = g[k] * x.A[s];
      on_A[s] = g[0] * x.frame[s].e[0] + g[1] * x.frame[s].e[1] + g[2] * x.frame[s].e[2];
    }
    for (int k = 0; k < 3; ++k)
      beam_curvature_terms(k, [&](int s, int i, int t, int j, double c) LITHE_FORCE_INLINE {
        const T value = c * measure[9 + k];
        for (int m = 0; m < 3; ++m) {
          q[s][i][m] += value * x.frame[t].e[j][m];
          q[t][j][m] += value * x.frame[s].e[i][m];
        }
      });
  }
};

// f = (d strains / dx)^T forces, those of S spread.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void beam_force_of(const BeamStations<T>& x, const BeamForces<T>& r, Vec3<T>* f) {
  const BeamStationForces<T> at(x, r.measure);
  Vec3<T> on_a[3], on_b[3];
  for (int s = 0; s < 3; ++s) x.frame[s].forces(at.q[s], on_a[s], on_b[s]);
  for (int m = 0; m < 3; ++m) {
    const T pull = 0.75 * at.on_A[1][m], slope = 0.25 * at.on_A[1][m];
    f[0][m] = -1.0 * pull;
    f[4][m] = pull;
    f[1][m] = at.on_A[0][m] - slope;
    f[5][m] = at.on_A[2][m] - slope;
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
  const BeamStretch<T> stretch(strains);
  if constexpr (damped) add_beam_rates(stations, stretch, v, tau, strains);
  BeamForces<T> forces;
  forces.of(numbers, strains);
  stretch.spread(forces.measure);
  beam_force_of(stations, forces, f);
}

}  // namespace lithe

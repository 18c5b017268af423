// Tangent of the beam by stress resultants (docs/theory/beam3243.md). The variables of a station are y = (A, a, b): the
// derivative of the axis and r_y, r_z there. Axes turn by phi = Phi (da, db), so that of a measure e_k . A the gradient
// is e_k over A and Phi^T (e_k x A) over (a, b), and of c e_i(s) . e_j(t) it is +-Phi^T c (e_i x e_j) over those of s
// and t. With gradients G and their rates G' along v, K = G^T C ((c_q + c_v tau) G + c_q tau G') plus c_q times the
// forces' part.
#pragma once

#include "lithe/elements/beam3243/resultant.h"

namespace lithe {

// Phi and its derivative at a station, from the quantities of BeamFrame: phi = phi_1 e_1 + phi_2 e_2 + phi_3 e_3 with
// the rows phi_1 = (p, -r), phi_2 = (-b_2 e_1, a_2 e_1) / D, phi_3 = (-b_3 e_1, a_3 e_1) / D over (da, db), p = e_3 /
// s, r = e_2 / s.
template <class T>
struct BeamTurning {
  const BeamFrame<T>& frame;
  Vec3<T> a, b, row[3][2];  // row[k][0] over da, [1] over db
  Vec3<T> of_s[2], of_D[2];

  LITHE_FORCE_INLINE LITHE_HD BeamTurning(const BeamFrame<T>& f, const Vec3<T>& ra, const Vec3<T>& rb)
      : frame(f), a(ra), b(rb) {
    const Vec3<T>* e = f.e;
    row[0][0] = f.inverse_s * e[2];
    row[0][1] = (-1.0 * f.inverse_s) * e[1];
    row[1][0] = (-1.0 * f.b2 * f.inverse_D) * e[0];
    row[1][1] = (f.a2 * f.inverse_D) * e[0];
    row[2][0] = (-1.0 * f.b3 * f.inverse_D) * e[0];
    row[2][1] = (f.a3 * f.inverse_D) * e[0];
    of_s[0] = e[1];
    of_s[1] = e[2];
    of_D[0] = cross(b, e[0]);
    of_D[1] = cross(e[0], a);
  }
  // Phi^T g, over da and db.
  LITHE_FORCE_INLINE LITHE_HD void transposed(const Vec3<T>& g, Vec3<T>* out) const {
    const T g1 = dot(g, frame.e[0]), g2 = dot(g, frame.e[1]), g3 = dot(g, frame.e[2]);
    for (int d = 0; d < 2; ++d) out[d] = g1 * row[0][d] + g2 * row[1][d] + g3 * row[2][d];
  }
  // Sum of column x row: out[c][d] += c_ (x row), rows over da and db.
  LITHE_FORCE_INLINE LITHE_HD static void add(const Vec3<T>& column, const Vec3<T>* r, const T& c, T (*out)[6]) {
    for (int m = 0; m < 3; ++m) {
      const T x = c * column[m];
      for (int d = 0; d < 2; ++d)
        for (int n = 0; n < 3; ++n) out[m][3 * d + n] += x * r[d][n];
    }
  }
  // H += d(Phi^T m)/d(a, b), m fixed: rows over a, b.
  LITHE_FORCE_INLINE LITHE_HD void add_second(const Vec3<T>& m, T (*H)[6]) const {
    const Vec3<T>* e = frame.e;
    const T s = frame.inverse_s, D = frame.inverse_D;
    const T mu = s * dot(e[0], m), m2 = dot(m, e[1]), m3 = dot(m, e[2]), bm = dot(b, m), am = dot(a, m);
    // f_a = e_3 mu - e_1 (b . m) / D, f_b = -e_2 mu + e_1 (a . m) / D
    T(*Ha)[6] = H, (*Hb)[6] = H + 3;
    const T minus_mu = -1.0 * mu, mu_s = mu * s, minus_mu_s = minus_mu * s;
    add(e[0], row[1], mu, Ha);
    add(e[1], row[0], minus_mu, Ha);
    add(e[2], of_s, minus_mu_s, Ha);
    add(e[2], row[2], s * m2, Ha);
    add(e[2], row[1], -1.0 * (s * m3), Ha);
    add(e[1], row[2], -1.0 * (D * bm), Ha);
    add(e[2], row[1], D * bm, Ha);
    add(e[0], of_D, D * D * bm, Ha);
    add(e[2], row[0], minus_mu, Hb);
    add(e[0], row[2], mu, Hb);
    add(e[1], of_s, mu_s, Hb);
    add(e[1], row[2], -1.0 * (s * m2), Hb);
    add(e[1], row[1], s * m3, Hb);
    add(e[1], row[2], D * am, Hb);
    add(e[2], row[1], -1.0 * (D * am), Hb);
    add(e[0], of_D, -1.0 * (D * D * am), Hb);
    for (int i = 0; i < 3; ++i)
      for (int n = 0; n < 3; ++n) {
        Ha[i][3 + n] -= D * e[0][i] * m[n];
        Hb[i][n] += D * e[0][i] * m[n];
      }
  }
  // Y = d omega / d(a, b) of omega = Phi (va, vb), rates fixed.
  LITHE_FORCE_INLINE LITHE_HD void rate_slope(const Vec3<T>& va, const Vec3<T>& vb, T (*Y)[6]) const {
    const Vec3<T>* e = frame.e;
    const T s = frame.inverse_s, D = frame.inverse_D;
    const T a1 = dot(e[0], va), a2 = dot(e[1], va), a3 = dot(e[2], va);
    const T b1 = dot(e[0], vb), b2 = dot(e[1], vb), b3 = dot(e[2], vb);
    const T omega1 = s * (a3 - b2);
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 6; ++c) Y[i][c] = T{};
    add(e[1], row[2], omega1, Y);
    add(e[2], row[1], -1.0 * omega1, Y);
    add(e[0], row[1], s * a1, Y);
    add(e[0], row[0], -1.0 * (s * (a2 + b3)), Y);
    add(e[0], of_s, s * s * (b2 - a3), Y);
    add(e[0], row[2], s * b1, Y);
    const T minus = -1.0 * D;
    Vec3<T> fixed;
    for (int i = 0; i < 3; ++i) {
      Y[i][i] += D * b1;
      Y[i][3 + i] += minus * a1;
      fixed[i] = minus * D * (b1 * a[i] - a1 * b[i]);
    }
    add(fixed, of_D, T{} + 1.0, Y);
    add(a, row[2], D * b2, Y);
    add(a, row[1], minus * b3, Y);
    add(b, row[2], minus * a2, Y);
    add(b, row[1], D * a3, Y);
  }
  LITHE_FORCE_INLINE LITHE_HD static void slope_transposed(const T (*Y)[6], const Vec3<T>& g, Vec3<T>* out) {
    for (int d = 0; d < 2; ++d)
      for (int n = 0; n < 3; ++n) out[d][n] += Y[0][3 * d + n] * g[0] + Y[1][3 * d + n] * g[1] + Y[2][3 * d + n] * g[2];
  }
};

// X_k of a station: how curvature k changes with its rotation, and the pairs of stations it is made of.
template <class T>
struct BeamBending {
  Vec3<T> of[3][3];  // [curvature][station]
  LITHE_FORCE_INLINE LITHE_HD explicit BeamBending(const BeamStations<T>& x) {
    for (int k = 0; k < 3; ++k) {
      for (int s = 0; s < 3; ++s) of[k][s] = Vec3<T>{};
      beam_curvature_terms(k, [&](int s, int i, int t, int j, double c) LITHE_FORCE_INLINE {
        const Vec3<T> turn = c * cross(x.frame[s].e[i], x.frame[t].e[j]);
        of[k][s] = of[k][s] + turn;
        of[k][t] = of[k][t] - turn;
      });
    }
  }
};

// Values of T that beam_resultant_tangent needs as scratch.
inline constexpr int beam_tangent_scratch = 3 * beam_measures * 27 + 27 * 27 + 24 * 24;

// K [24][24] over the scaled vectors (r, (L/2) r_x, r_y, r_z of both nodes), c_q df/dx + c_v df/dv; with forces that
// are given instead of those of the strains.
template <bool damped, class T>
LITHE_HD void beam_resultant_tangent(const double* numbers, double tau, const Vec3<T>* x, const Vec3<T>* v, double c_q,
                                     double c_v, T* K, T* scratch, const BeamForces<T>* given = nullptr) {
  using Lane = LaneTraits<T>;
  BeamStations<T> at;
  at.at(x);
  BeamStrains<T> strains;
  beam_strains_of(at, strains);
  if constexpr (damped) add_beam_rates(at, v, tau, strains);
  BeamForces<T> forces;
  if (given) forces = *given;
  else forces.of(numbers, strains);

  const Vec3<T> a_middle = 0.5 * (at.a[0] + at.a[1]), b_middle = 0.5 * (at.b[0] + at.b[1]);
  const BeamTurning<T> turning[3] = {
      {at.frame[0], at.a[0], at.b[0]}, {at.frame[1], a_middle, b_middle}, {at.frame[2], at.a[1], at.b[1]}};
  const BeamBending<T> bending(at);

  // Gradients of the measures over y, and z = (c_q + c_v tau) G + c_q tau G'.
  T(*G)[27] = reinterpret_cast<T(*)[27]>(scratch), (*z)[27] = G + beam_measures, (*S)[27] = z + beam_measures;
  T* Ky = scratch + 3 * beam_measures * 27;
  const double own = c_q + c_v * tau;
  const auto put = [&](int p, int s, const Vec3<T>* of_ab) LITHE_FORCE_INLINE {
    for (int d = 0; d < 2; ++d)
      for (int m = 0; m < 3; ++m) {
        G[p][9 * s + 3 + 3 * d + m] = of_ab[d][m];
        z[p][9 * s + 3 + 3 * d + m] = own * of_ab[d][m];
      }
  };
  for (int s = 0; s < 3; ++s)
    for (int k = 0; k < 3; ++k) {
      Vec3<T> of_ab[2];
      turning[s].transposed(cross(at.frame[s].e[k], at.A[s]), of_ab);
      put(3 * s + k, s, of_ab);
      for (int m = 0; m < 3; ++m) {
        G[3 * s + k][9 * s + m] = at.frame[s].e[k][m];
        z[3 * s + k][9 * s + m] = own * at.frame[s].e[k][m];
      }
      turning[s].transposed(bending.of[k][s], of_ab);
      put(9 + k, s, of_ab);
    }
  if constexpr (damped) {
    const double rate = c_q * tau;
    Vec3<T> omega[3], A_rate[3], va[3], vb[3];
    T Y[3][3][6];
    for (int n = 0; n < 2; ++n) {
      A_rate[2 * n] = v[4 * n + 1];
      va[2 * n] = v[4 * n + 2];
      vb[2 * n] = v[4 * n + 3];
    }
    for (int m = 0; m < 3; ++m) A_rate[1][m] = 0.75 * (v[4][m] - v[0][m]) - 0.25 * (v[1][m] + v[5][m]);
    va[1] = 0.5 * (v[2] + v[6]);
    vb[1] = 0.5 * (v[3] + v[7]);
    for (int s = 0; s < 3; ++s) {
      T turn[3];
      for (int k = 0; k < 3; ++k) turn[k] = dot(turning[s].row[k][0], va[s]) + dot(turning[s].row[k][1], vb[s]);
      omega[s] = turn[0] * at.frame[s].e[0] + turn[1] * at.frame[s].e[1] + turn[2] * at.frame[s].e[2];
      turning[s].rate_slope(va[s], vb[s], Y[s]);
    }
    const auto add = [&](int p, int s, const Vec3<T>& by_phi, const Vec3<T>& by_omega) LITHE_FORCE_INLINE {
      Vec3<T> of_ab[2];
      turning[s].transposed(by_phi, of_ab);
      BeamTurning<T>::slope_transposed(Y[s], by_omega, of_ab);
      for (int d = 0; d < 2; ++d)
        for (int m = 0; m < 3; ++m) z[p][9 * s + 3 + 3 * d + m] += rate * of_ab[d][m];
    };
    for (int s = 0; s < 3; ++s) {
      const Vec3<T> drift = A_rate[s] + cross(at.A[s], omega[s]);
      for (int k = 0; k < 3; ++k) {
        const Vec3<T>& e = at.frame[s].e[k];
        add(3 * s + k, s, cross(e, drift), cross(e, at.A[s]));
        const Vec3<T> turned = cross(omega[s], e);
        for (int m = 0; m < 3; ++m) z[3 * s + k][9 * s + m] += rate * turned[m];
      }
    }
    for (int k = 0; k < 3; ++k) {
      Vec3<T> by_phi[3] = {};
      beam_curvature_terms(k, [&](int s, int i, int t, int j, double c) LITHE_FORCE_INLINE {
        const Vec3<T>&ei = at.frame[s].e[i], &ej = at.frame[t].e[j], d = c * (omega[s] - omega[t]);
        by_phi[s] = by_phi[s] + cross(ei, cross(ej, d));
        by_phi[t] = by_phi[t] + cross(ej, cross(d, ei));
      });
      for (int s = 0; s < 3; ++s) add(9 + k, s, by_phi[s], bending.of[k][s]);
    }
  }
  // S = C z and Ky = G^T S, where there is something.
  for (int p = 0; p < beam_measures; ++p)
    for (int s = 0; s < 3; ++s) {
      typename Lane::Data C[6];
      for (int k = 0; k < 3; ++k) {
        C[k] = Lane::data(numbers, beam_place(p, 3 * s + k));
        C[3 + k] = Lane::data(numbers, beam_place(p, 9 + k));
      }
      for (int c = 0; c < 9; ++c) {
        const int y = 9 * s + c;
        T sum = C[0] * z[3 * s][y] + C[1] * z[3 * s + 1][y] + C[2] * z[3 * s + 2][y];
        if (c >= 3) sum += C[3] * z[9][y] + C[4] * z[10][y] + C[5] * z[11][y];
        S[p][y] = sum;
      }
    }
  for (int s = 0; s < 3; ++s)
    for (int r = 0; r < 9; ++r) {
      const int row = 9 * s + r;
      const T g0 = G[3 * s][row], g1 = G[3 * s + 1][row], g2 = G[3 * s + 2][row];
      if (r < 3) {
        for (int c = 0; c < 27; ++c) Ky[27 * row + c] = g0 * S[3 * s][c] + g1 * S[3 * s + 1][c] + g2 * S[3 * s + 2][c];
      } else {
        const T h0 = G[9][row], h1 = G[10][row], h2 = G[11][row];
        for (int c = 0; c < 27; ++c)
          Ky[27 * row + c] = g0 * S[3 * s][c] + g1 * S[3 * s + 1][c] + g2 * S[3 * s + 2][c] + h0 * S[9][c] +
                             h1 * S[10][c] + h2 * S[11][c];
      }
    }
  // The forces' part: M[s][t] = d moment / d phi, of the stations' own and of the pairs that curvatures join.
  T measure[beam_measures];
  for (int p = 0; p < beam_measures; ++p) measure[p] = c_q * forces.measure[p];
  const BeamStationForces<T> on(at, measure);
  Mat3<T> M[3][3] = {};
  for (int s = 0; s < 3; ++s) {
    const Vec3<T>&t = on.on_A[s], &A = at.A[s];
    const T along = dot(t, A);
    for (int m = 0; m < 3; ++m) {
      for (int n = 0; n < 3; ++n) M[s][s][m][n] += t[m] * A[n];
      M[s][s][m][m] -= along;
    }
  }
  for (int pair = 0; pair < 3; ++pair) {
    const int s = pair == 2 ? 0 : 1, t = pair == 1 ? 0 : 2;
    Mat3<T> W{};
    for (int k = 0; k < 3; ++k)
      beam_curvature_terms(k, [&](int of_s, int i, int of_t, int j, double c) LITHE_FORCE_INLINE {
        if (of_s != s || of_t != t) return;
        const T value = c * measure[9 + k];
        for (int m = 0; m < 3; ++m) {
          const T x_m = value * at.frame[s].e[i][m];
          for (int n = 0; n < 3; ++n) W[m][n] += x_m * at.frame[t].e[j][n];
        }
      });
    const T trace = W[0][0] + W[1][1] + W[2][2];
    for (int m = 0; m < 3; ++m) {
      for (int n = 0; n < 3; ++n) {
        M[s][s][m][n] += W[m][n];
        M[t][t][m][n] += W[n][m];
        M[s][t][m][n] -= W[n][m];
        M[t][s][m][n] -= W[m][n];
      }
      M[s][s][m][m] -= trace;
      M[t][t][m][m] -= trace;
      M[s][t][m][m] += trace;
      M[t][s][m][m] += trace;
    }
  }
  for (int s = 0; s < 3; ++s) {
    // Over A: the force turns with the axes, and its moment with A.
    for (int n = 0; n < 3; ++n) {
      Vec3<T> unit{}, of_ab[2];
      unit[n] = T{} + 1.0;
      turning[s].transposed(cross(on.on_A[s], unit), of_ab);  // Phi^T (t x dA)
      for (int d = 0; d < 2; ++d)
        for (int m = 0; m < 3; ++m) {
          Ky[27 * (9 * s + 3 + 3 * d + m) + 9 * s + n] += of_ab[d][m];
          Ky[27 * (9 * s + n) + 9 * s + 3 + 3 * d + m] += of_ab[d][m];
        }
    }
    T H[6][6] = {};
    Vec3<T> moment{};
    for (int k = 0; k < 3; ++k) moment = moment + cross(at.frame[s].e[k], on.q[s][k]);
    turning[s].add_second(moment, H);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) Ky[27 * (9 * s + 3 + i) + 9 * s + 3 + j] += H[i][j];
    // Phi_s^T M Phi_t
    for (int t = 0; t < 3; ++t)
      for (int d = 0; d < 2; ++d)
        for (int n = 0; n < 3; ++n) {
          Vec3<T> column{}, of_ab[2];  // Phi_t's column, through M
          for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 3; ++m) column[m] += turning[t].row[k][d][n] * at.frame[t].e[k][m];
          Vec3<T> through;
          for (int m = 0; m < 3; ++m)
            through[m] = M[s][t][m][0] * column[0] + M[s][t][m][1] * column[1] + M[s][t][m][2] * column[2];
          turning[s].transposed(through, of_ab);
          for (int e = 0; e < 2; ++e)
            for (int m = 0; m < 3; ++m) Ky[27 * (9 * s + 3 + 3 * e + m) + 9 * t + 3 + 3 * d + n] += of_ab[e][m];
        }
  }
  // To the coordinates: the middle's A = 0.75 (r_1 - r_0) - 0.25 (x_0 + x_1), its a and b the means.
  struct Piece {
    int station, kind;  // 0 A, 1 a, 2 b
    double weight;
  };
  constexpr Piece none{-1, 0, 0};
  constexpr Piece parts[8][2] = {{{1, 0, -0.75}, none},    {{0, 0, 1}, {1, 0, -0.25}}, {{0, 1, 1}, {1, 1, 0.5}},
                                 {{0, 2, 1}, {1, 2, 0.5}}, {{1, 0, 0.75}, none},       {{2, 0, 1}, {1, 0, -0.25}},
                                 {{2, 1, 1}, {1, 1, 0.5}}, {{2, 2, 1}, {1, 2, 0.5}}};
  unrolled<8>([&](auto i) LITHE_FORCE_INLINE {
    unrolled<8>([&](auto j) LITHE_FORCE_INLINE {
      for (int m = 0; m < 3; ++m)
        for (int n = 0; n < 3; ++n) {
          T sum = T{};
          unrolled<2>([&](auto p) LITHE_FORCE_INLINE {
            unrolled<2>([&](auto q) LITHE_FORCE_INLINE {
              constexpr Piece P = parts[i][p], Q = parts[j][q];
              if constexpr (P.station >= 0 && Q.station >= 0)
                sum +=
                    (P.weight * Q.weight) * Ky[27 * (9 * P.station + 3 * P.kind + m) + 9 * Q.station + 3 * Q.kind + n];
            });
          });
          K[24 * (3 * i + m) + 3 * j + n] = sum;
        }
    });
  });
  // Strains of the sections: E_yy = a.a/2, E_zz = b.b/2, gamma = a.b.
  const auto across = Lane::data(numbers, BeamNumbers::across);
  for (int node = 0; node < 2; ++node) {
    const int a = 3 * (4 * node + 2), b = a + 3;
    const Vec3<T>&ra = at.a[node], &rb = at.b[node];
    Vec3<T> za = own * ra, zb = own * rb;
    if constexpr (damped) {
      const double rate = c_q * tau;
      za = za + rate * v[4 * node + 2];
      zb = zb + rate * v[4 * node + 3];
    }
    const T* f = forces.section[node];
    for (int m = 0; m < 3; ++m)
      for (int n = 0; n < 3; ++n) {
        const T half = 0.5 * across;
        K[24 * (a + m) + a + n] += across * (ra[m] * za[n]) + half * (rb[m] * zb[n]);
        K[24 * (b + m) + b + n] += across * (rb[m] * zb[n]) + half * (ra[m] * za[n]);
        K[24 * (a + m) + b + n] += half * (rb[m] * za[n]);
        K[24 * (b + m) + a + n] += half * (ra[m] * zb[n]);
        if (m == n) {
          K[24 * (a + m) + a + n] += c_q * f[0];
          K[24 * (b + m) + b + n] += c_q * f[1];
          K[24 * (a + m) + b + n] += c_q * f[2];
          K[24 * (b + m) + a + n] += c_q * f[2];
        }
      }
  }
}

}  // namespace lithe

// Tangent of the beam by stress resultants (docs/theory/beam3243.md). All of a station is written in its own axes e_k:
// alpha_k = e_k . dA of the derivative A of the axis, and the rotation phi = rows (da, db) with a, b = r_y, r_z there.
// The measures A_k = e_k . A then change by alpha - phi x A, and the components D_ij = e_i(s) . e_j(t) of which the
// curvatures are made by dD = -phi(s) x D + D (phi(t) x). With gradients G over the coordinates and their rates G'
// along v, K = G^T C ((c_q + c_v tau) G + c_q tau G') plus c_q times the forces' part.
// Longer than 500 lines: one formula from the strains to the matrix, cut nowhere.
#pragma once

#include "lithe/elements/beam3243/resultant.h"

namespace lithe {

// rows [3][6] of a station, phi_k = row_k . (da, db), from the quantities of BeamFrame.
template <class T>
struct BeamTurning {
  const BeamFrame<T>& frame;
  T row[3][6];

  LITHE_FORCE_INLINE LITHE_HD explicit BeamTurning(const BeamFrame<T>& f) : frame(f) {
    const T s = f.inverse_s, D = f.inverse_D, minus = -1.0 * s;
    const T a2 = D * f.a2, a3 = D * f.a3, b2 = -1.0 * D * f.b2, b3 = -1.0 * D * f.b3;
    for (int m = 0; m < 3; ++m) {
      row[0][m] = s * f.e[2][m];
      row[0][3 + m] = minus * f.e[1][m];
      row[1][m] = b2 * f.e[0][m];
      row[1][3 + m] = a2 * f.e[0][m];
      row[2][m] = b3 * f.e[0][m];
      row[2][3 + m] = a3 * f.e[0][m];
    }
  }
  // omega = rows (va, vb), rates of the axes, and of the rows.
  LITHE_FORCE_INLINE LITHE_HD void rates(const Vec3<T>& va, const Vec3<T>& vb, Vec3<T>& omega, Vec3<T>* axes,
                                         T (*rate)[6]) const {
    const BeamFrame<T>& f = frame;
    const T s = f.inverse_s, D = f.inverse_D;
    T u[3], w[3];  // va, vb in the axes
    for (int k = 0; k < 3; ++k) {
      u[k] = dot(f.e[k], va);
      w[k] = dot(f.e[k], vb);
    }
    omega[0] = s * (u[2] - w[1]);
    omega[1] = D * (f.a2 * w[0] - f.b2 * u[0]);
    omega[2] = D * (f.a3 * w[0] - f.b3 * u[0]);
    for (int k = 0; k < 3; ++k) axes[k] = omega[(k + 2) % 3] * f.e[(k + 1) % 3] - omega[(k + 1) % 3] * f.e[(k + 2) % 3];
    const T growth = s * (u[1] + w[2]), swell = D * (f.b3 * u[1] - f.b2 * u[2] + f.a2 * w[2] - f.a3 * w[1]);
    const T a2 = D * (u[1] + omega[0] * f.a3 - swell * f.a2), a3 = D * (u[2] - omega[0] * f.a2 - swell * f.a3),
            b2 = D * (w[1] + omega[0] * f.b3 - swell * f.b2), b3 = D * (w[2] - omega[0] * f.b2 - swell * f.b3);
    const T Da2 = D * f.a2, Da3 = D * f.a3, Db2 = D * f.b2, Db3 = D * f.b3;
    for (int m = 0; m < 3; ++m) {
      const T e1 = f.e[0][m], turned = axes[0][m];
      rate[0][m] = s * (axes[2][m] - growth * f.e[2][m]);
      rate[0][3 + m] = s * (growth * f.e[1][m] - axes[1][m]);
      rate[1][m] = -1.0 * (b2 * e1 + Db2 * turned);
      rate[1][3 + m] = a2 * e1 + Da2 * turned;
      rate[2][m] = -1.0 * (b3 * e1 + Db3 * turned);
      rate[2][3 + m] = a3 * e1 + Da3 * turned;
    }
  }
  // H = the sum of m_k d row_k / d(a, b), m fixed.
  LITHE_FORCE_INLINE LITHE_HD void second(const Vec3<T>& m, T (*H)[6]) const {
    const BeamFrame<T>& f = frame;
    const T s = f.inverse_s, D = f.inverse_D, mu = s * m[0], mu_s = s * mu;
    const T alpha = D * (m[1] * f.a2 + m[2] * f.a3), beta = D * (m[1] * f.b2 + m[2] * f.b3);
    const T twist_a = D * (m[1] * f.a3 - m[2] * f.a2), twist_b = D * (m[1] * f.b3 - m[2] * f.b2);
    T of_a[3][6], of_b[3][6];  // factors of e_1, e_2, e_3
    for (int c = 0; c < 6; ++c) {
      const int n = c % 3;
      const T e2 = f.e[1][n], e3 = f.e[2][n];
      const T across = D * (m[1] * e2 + m[2] * e3);
      const T swell = D * (c < 3 ? f.b3 * e2 - f.b2 * e3 : f.a2 * e3 - f.a3 * e2), growth = mu_s * (c < 3 ? e2 : e3);
      of_a[0][c] = mu * row[1][c] - twist_b * row[0][c] + beta * swell;
      of_b[0][c] = mu * row[2][c] + twist_a * row[0][c] - alpha * swell;
      if (c < 3) of_b[0][c] += across;
      else of_a[0][c] -= across;
      const T turned = mu * row[0][c];
      of_a[1][c] = -1.0 * (turned + beta * row[2][c]);
      of_a[2][c] = beta * row[1][c] - growth;
      of_b[1][c] = growth + alpha * row[2][c];
      of_b[2][c] = -1.0 * (turned + alpha * row[1][c]);
    }
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 6; ++c) {
        H[i][c] = f.e[0][i] * of_a[0][c] + f.e[1][i] * of_a[1][c] + f.e[2][i] * of_a[2][c];
        H[3 + i][c] = f.e[0][i] * of_b[0][c] + f.e[1][i] * of_b[1][c] + f.e[2][i] * of_b[2][c];
      }
  }
};

// The pairs (s, t) of stations between which curvatures are measured, with their factors: curvature k is the sum of
// factor (D_pn - D_np), n = k + 1, p = k + 2.
struct BeamPair {
  int s, t;
  double factor;
};
LITHE_HD constexpr BeamPair beam_pair(int i) {
  constexpr BeamPair of[3] = {{1, 2, 2.0 / 3}, {1, 0, -2.0 / 3}, {0, 2, -1.0 / 6}};
  return of[i];
}

// X[k][s] += gradient of curvature k over phi of station s, from D (or its rates).
template <class T>
LITHE_FORCE_INLINE LITHE_HD void add_beam_bending(const BeamPair& pair, const Mat3<T>& D, Vec3<T> (*X)[3]) {
  for (int k = 0; k < 3; ++k) {
    const int n = (k + 1) % 3, p = (k + 2) % 3;
    // e_p(s) x e_n(t) - e_n(s) x e_p(t) in the axes of s; the other way round in those of t
    X[k][pair.s][k] -= pair.factor * (D[n][n] + D[p][p]);
    X[k][pair.s][n] += pair.factor * D[k][n];
    X[k][pair.s][p] += pair.factor * D[k][p];
    X[k][pair.t][k] += pair.factor * (D[p][p] + D[n][n]);
    X[k][pair.t][n] -= pair.factor * D[n][k];
    X[k][pair.t][p] -= pair.factor * D[p][k];
  }
}

// M += d moment / d phi of the forces f on the curvatures: with q_k = D_np - D_pn and g = D^T f,
// (s, s) factor ((f . q) - D [f]), (t, t) factor ((f . q) + D^T [f]), (s, t) factor ([g] - f q^T), [f] = f x.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void add_beam_moments(const BeamPair& pair, const Mat3<T>& D, const T* f, Mat3<T> (*M)[3]) {
  Vec3<T> q, g, F = {{pair.factor * f[0], pair.factor * f[1], pair.factor * f[2]}};
  for (int k = 0; k < 3; ++k) {
    q[k] = D[(k + 1) % 3][(k + 2) % 3] - D[(k + 2) % 3][(k + 1) % 3];
    g[k] = D[0][k] * F[0] + D[1][k] * F[1] + D[2][k] * F[2];
  }
  const T along = dot(F, q);
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) {
      const int n = (l + 1) % 3, p = (l + 2) % 3;
      M[pair.s][pair.s][k][l] += D[k][p] * F[n] - D[k][n] * F[p];
      M[pair.t][pair.t][k][l] += D[n][k] * F[p] - D[p][k] * F[n];
      const T mixed = F[k] * q[l];
      M[pair.s][pair.t][k][l] -= mixed;
      M[pair.t][pair.s][l][k] -= mixed;
    }
    M[pair.s][pair.s][k][k] += along;
    M[pair.t][pair.t][k][k] += along;
    const int n = (k + 1) % 3, p = (k + 2) % 3;
    M[pair.s][pair.t][p][n] += g[k];
    M[pair.s][pair.t][n][p] -= g[k];
    M[pair.t][pair.s][n][p] += g[k];
    M[pair.t][pair.s][p][n] -= g[k];
  }
}

// The vectors r and (L/2) r_x of both nodes among the eight, and their weights in A of the stations: in the middle it
// is 0.75 (r_1 - r_0) - 0.25 (x_0 + x_1).
LITHE_HD constexpr int beam_axis_vector(int i) { return i < 2 ? i : i + 2; }
LITHE_HD constexpr double beam_axis_weight(int i, int station) {
  if (station != 1) return i == 1 + station ? 1 : 0;
  return i == 0 ? -0.75 : i == 2 ? 0.75 : -0.25;
}

// K [24][24] over the scaled vectors (r, (L/2) r_x, r_y, r_z of both nodes), c_q df/dx + c_v df/dv; with forces that
// are given instead of those of the strains. Undamped it is symmetric, and blocks below the diagonal are not written.
template <bool damped, class T>
LITHE_HD void beam_resultant_tangent(const double* numbers, double tau, const Vec3<T>* x, const Vec3<T>* v, double c_q,
                                     double c_v, T* K, const BeamForces<T>* given = nullptr) {
  using Lane = LaneTraits<T>;
  BeamStations<T> at;
  at.at(x);
  BeamStrains<T> strains;
  beam_strains_of(at, strains);
  const BeamTurning<T> turning[3] = {BeamTurning<T>(at.frame[0]), BeamTurning<T>(at.frame[1]),
                                     BeamTurning<T>(at.frame[2])};
  const BeamStretch<T> stretch(strains);
  T A[9];  // e_k . A
  for (int p = 0; p < 9; ++p) A[p] = p == beam_stretch ? strains.along : strains.measure[p];
  Mat3<T> D[3];
  Vec3<T> X[3][3] = {};
  for (int i = 0; i < 3; ++i) {
    const BeamPair pair = beam_pair(i);
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) D[i][k][l] = dot(at.frame[pair.s].e[k], at.frame[pair.t].e[l]);
    add_beam_bending(pair, D[i], X);
  }

  // z = (c_q + c_v tau) G + c_q tau G': over A of the measures of a station, and over (a, b) of the nodes, where the
  // middle gives half to each: of the stations' measures, of which those of the middle are halved, and of curvatures.
  const double own = c_q + c_v * tau;
  Vec3<T> zA[3][3];
  T z[3][3][6], bent[2][3][6];
  const auto over_nodes = [&](int s, const T* local, const Vec3<T>* bending, const T(*rows)[6],
                              bool first) LITHE_FORCE_INLINE {
    const double share = s == 1 ? 0.5 : 1.0;
    for (int c = 0; c < 6; ++c)
      for (int k = 0; k < 3; ++k) {
        const int n = (k + 1) % 3, p = (k + 2) % 3;
        const T value = share * (local[n] * rows[p][c] - local[p] * rows[n][c]);
        z[s][k][c] = first ? value : z[s][k][c] + value;
        const T curved = share * (bending[k][0] * rows[0][c] + bending[k][1] * rows[1][c] + bending[k][2] * rows[2][c]);
        for (int node = 0; node < 2; ++node)
          if (s == 1 || s == 2 * node) bent[node][k][c] += curved;
      }
  };
  for (auto& node : bent)
    for (auto& row : node)
      for (T& value : row) value = T{};
  T s_rate[9];  // damped: c_q tau times the rate of the gradient of S over the e_k . A
  if constexpr (!damped) {
    for (int s = 0; s < 3; ++s) {
      T local[3];
      Vec3<T> bending[3];
      for (int k = 0; k < 3; ++k) {
        zA[s][k] = own * at.frame[s].e[k];
        local[k] = own * A[3 * s + k];
        bending[k] = own * X[k][s];
      }
      over_nodes(s, local, bending, turning[s].row, true);
    }
  } else {
    const double rate = c_q * tau;
    Vec3<T> omega[3], A_rate[3], X_rate[3][3] = {};
    T rows[3][3][6];  // own times the rows, and rate times theirs
    for (int s = 0; s < 3; ++s) {
      Vec3<T> va, vb, vA, axes[3];
      for (int m = 0; m < 3; ++m) {
        va[m] = s == 1 ? 0.5 * (v[2][m] + v[6][m]) : v[2 + 2 * s][m];
        vb[m] = s == 1 ? 0.5 * (v[3][m] + v[7][m]) : v[3 + 2 * s][m];
        vA[m] = s == 1 ? 0.75 * (v[4][m] - v[0][m]) - 0.25 * (v[1][m] + v[5][m]) : v[1 + 2 * s][m];
      }
      turning[s].rates(va, vb, omega[s], axes, rows[s]);
      for (int k = 0; k < 3; ++k) {
        A_rate[s][k] = dot(at.frame[s].e[k], vA) + dot(axes[k], at.A[s]);
        if (3 * s + k != beam_stretch) strains.measure[3 * s + k] += tau * A_rate[s][k];
        strains.measure[beam_stretch] += tau * (stretch.s[3 * s + k] * A_rate[s][k]);
        for (int m = 0; m < 3; ++m) zA[s][k][m] = own * at.frame[s].e[k][m] + rate * axes[k][m];
        for (int c = 0; c < 6; ++c) rows[s][k][c] = own * turning[s].row[k][c] + rate * rows[s][k][c];
      }
    }
    T scaled[9];
    for (int p = 0; p < 9; ++p) scaled[p] = rate * A_rate[p / 3][p % 3];
    stretch.second(scaled, s_rate);
    for (int i = 0; i < 3; ++i) {
      const Vec3<T>&os = omega[beam_pair(i).s], &ot = omega[beam_pair(i).t];
      Mat3<T> D_rate;
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          const int kn = (k + 1) % 3, kp = (k + 2) % 3, ln = (l + 1) % 3, lp = (l + 2) % 3;
          D_rate[k][l] = os[kp] * D[i][kn][l] - os[kn] * D[i][kp][l] + ot[lp] * D[i][k][ln] - ot[ln] * D[i][k][lp];
        }
      add_beam_bending(beam_pair(i), D_rate, X_rate);
    }
    for (int k = 0; k < 3; ++k)
      for (int s = 0; s < 3; ++s) strains.measure[9 + k] += tau * dot(X[k][s], omega[s]);
    for (int n = 0; n < 2; ++n) {
      const Vec3<T>&da = v[4 * n + 2], &db = v[4 * n + 3];
      strains.section[n][0] += tau * dot(at.a[n], da);
      strains.section[n][1] += tau * dot(at.b[n], db);
      strains.section[n][2] += tau * (dot(at.a[n], db) + dot(da, at.b[n]));
    }
    for (int s = 0; s < 3; ++s) {
      T local[3];
      Vec3<T> bending[3], changing[3];
      for (int k = 0; k < 3; ++k) {
        local[k] = rate * A_rate[s][k];
        bending[k] = X[k][s];
        changing[k] = rate * X_rate[k][s];
      }
      over_nodes(s, A + 3 * s, bending, rows[s], true);
      over_nodes(s, local, changing, turning[s].row, false);
    }
  }
  BeamForces<T> forces;
  if (given) forces = *given;
  else forces.of(numbers, strains);

  // Stiffness of the e_k . A instead of that of the measures (upper triangle): with t, the tilt of s from S alone,
  // C + t R^T + R t^T, R = C_S + C_SS t / 2. Undamped, where z is c_q G, the pull on S times its second derivatives is
  // in it, too.
  constexpr int tilted[] = {1, 2, 3, 4, 5, 7, 8};
  T C[BeamNumbers::reference], tilt[beam_measures] = {}, R[beam_measures];
  const auto of_stretch = Lane::data(numbers, beam_place(beam_stretch, beam_stretch));
  const T tight = stretch.inverse * (c_q * forces.measure[beam_stretch]);
  for (const int p : tilted) tilt[p] = stretch.s[p];
  tilt[beam_stretch] -= 1.0;
  for (int p = 0; p < beam_measures; ++p) R[p] = Lane::data(numbers, beam_place(beam_stretch, p));
  for (const int p : tilted) R[p] += (0.5 * of_stretch) * tilt[p];
  unrolled<beam_measures>([&](auto p) LITHE_FORCE_INLINE {
    constexpr int row = decltype(p)::value;
    unrolled<beam_measures - row>([&](auto next) LITHE_FORCE_INLINE {
      constexpr int q = row + decltype(next)::value, place = beam_place(row, q);
      T value = Lane::data(numbers, place);
      if constexpr (row % 6 != 0 && row < 9) value += tilt[row] * R[q];
      if constexpr (q % 6 != 0 && q < 9) value += R[row] * tilt[q];
      C[place] = value;
    });
  });
  if constexpr (!damped) {
    const T pulled = stretch.inverse * forces.measure[beam_stretch];
    for (const int p : tilted)
      for (const int q : tilted)
        if (p <= q) C[beam_place(p, q)] -= pulled * (stretch.s[p] * stretch.s[q]);
    for (int k = 0; k < 3; ++k) C[beam_place(3 + k, 3 + k)] += pulled;
    for (int k = 1; k < 3; ++k)
      for (const int place : {beam_place(k, k), beam_place(k, 6 + k), beam_place(6 + k, 6 + k)})
        C[place] -= 0.25 * pulled;
  }
  // S = C z over (a, b) of the nodes.
  T S[beam_measures][2][6];
  for (int p = 0; p < beam_measures; ++p) {
    T row[beam_measures];
    for (int q = 0; q < beam_measures; ++q) row[q] = C[beam_place(p, q)];
    for (int c = 0; c < 6; ++c) {
      const T middle = row[3] * z[1][0][c] + row[4] * z[1][1][c] + row[5] * z[1][2][c];
      S[p][0][c] = middle + row[0] * z[0][0][c] + row[1] * z[0][1][c] + row[2] * z[0][2][c] + row[9] * bent[0][0][c] +
                   row[10] * bent[0][1][c] + row[11] * bent[0][2][c];
      S[p][1][c] = middle + row[6] * z[2][0][c] + row[7] * z[2][1][c] + row[8] * z[2][2][c] + row[9] * bent[1][0][c] +
                   row[10] * bent[1][1][c] + row[11] * bent[1][2][c];
    }
  }
  // Damped: by what the gradient of S changes, with the rates and times the pull: R (s_rate . G) + tight (P - s s^T) G.
  T drawn[9];
  if constexpr (damped) {
    for (const int p : tilted) {
      R[p] += (0.5 * of_stretch) * tilt[p];
      drawn[p] = tight * stretch.s[p];
    }
    for (int c = 0; c < 6; ++c) {
      T grown_middle = T{}, along_middle = T{}, of_middle[3];
      for (int k = 0; k < 3; ++k) {
        const int n = (k + 1) % 3, p = (k + 2) % 3;
        const T G = 0.5 * (A[3 + n] * turning[1].row[p][c] - A[3 + p] * turning[1].row[n][c]);
        grown_middle += s_rate[3 + k] * G;
        along_middle += stretch.s[3 + k] * G;
        of_middle[k] = tight * G;
      }
      for (int node = 0; node < 2; ++node) {
        const int s = 2 * node;
        T grown = grown_middle, along = along_middle, at_nodes[3];
        for (int k = 1; k < 3; ++k) {
          const int n = (k + 1) % 3, p = (k + 2) % 3;
          const T G = A[3 * s + n] * turning[s].row[p][c] - A[3 * s + p] * turning[s].row[n][c];
          grown += s_rate[3 * s + k] * G;
          along += stretch.s[3 * s + k] * G;
          at_nodes[k] = (-0.25 * tight) * G;
        }
        for (int p = 0; p < beam_measures; ++p) S[p][node][c] += R[p] * grown;
        for (const int p : tilted) S[p][node][c] -= drawn[p] * along;
        for (int k = 0; k < 3; ++k) S[3 + k][node][c] += of_middle[k];
        for (int k = 1; k < 3; ++k) {
          S[k][node][c] += at_nodes[k];
          S[6 + k][node][c] += at_nodes[k];
        }
      }
    }
  }
  // The forces' part over phi.
  T force[beam_measures];
  for (int p = 0; p < beam_measures; ++p) force[p] = c_q * forces.measure[p];
  stretch.spread(force);
  Mat3<T> M[3][3] = {};
  for (int i = 0; i < 3; ++i) add_beam_moments(beam_pair(i), D[i], force + 9, M);
  for (int s = 0; s < 3; ++s) {
    const T *g = force + 3 * s, *own_A = A + 3 * s;
    const T along = g[0] * own_A[0] + g[1] * own_A[1] + g[2] * own_A[2];
    for (int k = 0; k < 3; ++k) {
      for (int l = 0; l < 3; ++l) M[s][s][k][l] += own_A[k] * g[l];
      M[s][s][k][k] -= along;
    }
  }
  // Rows over phi of the stations.
  T turned[3][3][2][6];
  for (int s = 0; s < 3; ++s)
    for (int k = 0; k < 3; ++k) {
      const int n = (k + 1) % 3, p = (k + 2) % 3;
      const T An = A[3 * s + n], Ap = A[3 * s + p];
      for (int c = 0; c < 6; ++c) {
        T middle = T{};
        for (int l = 0; l < 3; ++l) middle += M[s][1][k][l] * turning[1].row[l][c];
        for (int node = 0; node < 2; ++node) {
          T sum = 0.5 * middle + Ap * S[3 * s + n][node][c] - An * S[3 * s + p][node][c];
          for (int l = 0; l < 3; ++l)
            sum += X[l][s][k] * S[9 + l][node][c] + M[s][2 * node][k][l] * turning[2 * node].row[l][c];
          turned[s][k][node][c] = sum;
        }
      }
    }
  // alpha's rows get the forces' part: forces turn with the axes.
  for (int s = 0; s < 3; ++s)
    for (int k = 0; k < 3; ++k) {
      const int n = (k + 1) % 3, p = (k + 2) % 3;
      const double share = s == 1 ? 0.5 : 1.0;
      for (int c = 0; c < 6; ++c) {
        const T value = share * (force[3 * s + p] * turning[s].row[n][c] - force[3 * s + n] * turning[s].row[p][c]);
        for (int node = 0; node < 2; ++node)
          if (s == 1 || s == 2 * node) S[3 * s + k][node][c] += value;
      }
    }
  // To the coordinates: r and (L/2) r_x by the weights of the stations' A.
  const auto weighted = [](auto row, auto&& term) LITHE_FORCE_INLINE {
    T sum = T{};
    unrolled<3>([&](auto s) LITHE_FORCE_INLINE {
      constexpr double weight = beam_axis_weight(decltype(row)::value, decltype(s)::value);
      if constexpr (weight != 0) sum += weight * term(s);
    });
    return sum;
  };
  for (int m = 0; m < 3; ++m)
    for (int node = 0; node < 2; ++node)
      for (int c = 0; c < 6; ++c) {
        T of_A[3];
        for (int s = 0; s < 3; ++s) {
          const Vec3<T>* e = at.frame[s].e;
          of_A[s] = e[0][m] * S[3 * s][node][c] + e[1][m] * S[3 * s + 1][node][c] + e[2][m] * S[3 * s + 2][node][c];
        }
        const int ab = 12 * node + 6 + c;
        unrolled<4>([&](auto i) LITHE_FORCE_INLINE {
          const T value = weighted(i, [&](int s) LITHE_FORCE_INLINE { return of_A[s]; });
          const int row = 3 * beam_axis_vector(i) + m;
          K[24 * row + ab] = value;
          if (!damped && node == 0 && i >= 2) K[24 * ab + row] = value;
        });
      }
  // Columns over A of the stations: C z, rows over A, and over phi where there are rates.
  T columns[beam_measures][3][3];
  for (int p = 0; p < (damped ? beam_measures : 9); ++p)
    for (int t = damped ? 0 : p / 3; t < 3; ++t) {
      const T row[3] = {C[beam_place(p, 3 * t)], C[beam_place(p, 3 * t + 1)], C[beam_place(p, 3 * t + 2)]};
      for (int n = 0; n < 3; ++n) columns[p][t][n] = row[0] * zA[t][0][n] + row[1] * zA[t][1][n] + row[2] * zA[t][2][n];
    }
  if constexpr (damped)
    for (int t = 0; t < 3; ++t)
      for (int n = 0; n < 3; ++n) {
        T grown = T{}, along = T{};
        for (int k = t == 1 ? 0 : 1; k < 3; ++k) {
          const T& G = at.frame[t].e[k][n];
          grown += s_rate[3 * t + k] * G;
          along += stretch.s[3 * t + k] * G;
          if (t == 1) {
            columns[3 + k][t][n] += tight * G;
          } else {
            const T at_nodes = (-0.25 * tight) * G;
            columns[k][t][n] += at_nodes;
            columns[6 + k][t][n] += at_nodes;
          }
        }
        for (int p = 0; p < beam_measures; ++p) columns[p][t][n] += R[p] * grown;
        for (const int p : tilted) columns[p][t][n] -= drawn[p] * along;
      }
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) {
      T of_A[3][3];
      for (int s = 0; s < 3; ++s)
        for (int t = damped ? 0 : s; t < 3; ++t) {
          const Vec3<T>* e = at.frame[s].e;
          of_A[s][t] =
              e[0][m] * columns[3 * s][t][n] + e[1][m] * columns[3 * s + 1][t][n] + e[2][m] * columns[3 * s + 2][t][n];
        }
      if constexpr (!damped)  // the mirrors of those above the diagonal
        for (int s = 0; s < 3; ++s)
          for (int t = 0; t < s; ++t) {
            const Vec3<T>* e = at.frame[t].e;
            of_A[s][t] = e[0][n] * columns[3 * t][s][m] + e[1][n] * columns[3 * t + 1][s][m] +
                         e[2][n] * columns[3 * t + 2][s][m];
          }
      unrolled<4>([&](auto i) LITHE_FORCE_INLINE {
        unrolled<4>([&](auto j) LITHE_FORCE_INLINE {
          if constexpr (damped || i <= j)
            K[24 * (3 * beam_axis_vector(i) + m) + 3 * beam_axis_vector(j) + n] =
                weighted(i, [&](auto s) LITHE_FORCE_INLINE {
                  return weighted(j, [&](auto t) LITHE_FORCE_INLINE { return of_A[s][t]; });
                });
        });
      });
    }
  if constexpr (damped)
    for (int n = 0; n < 3; ++n) {
      T of_phi[3][3][3];  // [station][component][station of the column]
      for (int s = 0; s < 3; ++s)
        for (int k = 0; k < 3; ++k) {
          const int next = (k + 1) % 3, last = (k + 2) % 3;
          const T An = A[3 * s + next], Ap = A[3 * s + last];
          for (int t = 0; t < 3; ++t)
            of_phi[s][k][t] = Ap * columns[3 * s + next][t][n] - An * columns[3 * s + last][t][n] +
                              X[0][s][k] * columns[9][t][n] + X[1][s][k] * columns[10][t][n] +
                              X[2][s][k] * columns[11][t][n];
          of_phi[s][k][s] +=
              force[3 * s + next] * at.frame[s].e[last][n] - force[3 * s + last] * at.frame[s].e[next][n];
        }
      for (int node = 0; node < 2; ++node)
        for (int c = 0; c < 6; ++c) {
          T of_A[3];
          for (int t = 0; t < 3; ++t) {
            T sum = T{}, middle = T{};
            for (int k = 0; k < 3; ++k) {
              sum += turning[2 * node].row[k][c] * of_phi[2 * node][k][t];
              middle += turning[1].row[k][c] * of_phi[1][k][t];
            }
            of_A[t] = sum + 0.5 * middle;
          }
          unrolled<4>([&](auto j) LITHE_FORCE_INLINE {
            K[24 * (12 * node + 6 + c) + 3 * beam_axis_vector(j) + n] =
                weighted(j, [&](auto t) LITHE_FORCE_INLINE { return of_A[t]; });
          });
        }
    }
  // Rows of r_y and r_z.
  T H[3][6][6];
  for (int s = 0; s < 3; ++s) {
    const T *g = force + 3 * s, *own_A = A + 3 * s;
    Vec3<T> moment = force[9] * X[0][s] + force[10] * X[1][s] + force[11] * X[2][s];
    for (int k = 0; k < 3; ++k) moment[k] += g[(k + 1) % 3] * own_A[(k + 2) % 3] - g[(k + 2) % 3] * own_A[(k + 1) % 3];
    turning[s].second(moment, H[s]);
  }
  for (int node = 0; node < 2; ++node)
    for (int other = damped ? 0 : node; other < 2; ++other)
      for (int c = 0; c < 6; ++c)
        for (int d = 0; d < 6; ++d) {
          T sum = 0.25 * H[1][c][d], middle = T{};
          if (node == other) sum += H[2 * node][c][d];
          for (int k = 0; k < 3; ++k) {
            sum += turning[2 * node].row[k][c] * turned[2 * node][k][other][d];
            middle += turning[1].row[k][c] * turned[1][k][other][d];
          }
          K[24 * (12 * node + 6 + c) + 12 * other + 6 + d] = sum + 0.5 * middle;
        }
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

// Of one element (or W side by side) from its coordinates as they are stored: e, v and f [8][3], half the length.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void beam_vectors(const typename LaneTraits<T>::Data& half,
                                              const typename LaneTraits<T>::Scalar* e, Vec3<T>* x) {
  for (int i = 0; i < 8; ++i)
    for (int m = 0; m < 3; ++m) {
      x[i][m] = LaneTraits<T>::load(e, 3 * i + m);
      if (i % 4 == 1) x[i][m] = half * x[i][m];
    }
}
template <bool damped, class T>
LITHE_HD void beam_element_force(const double* numbers, double tau, const double* half_length,
                                 const typename LaneTraits<T>::Scalar* e, const typename LaneTraits<T>::Scalar* v,
                                 typename LaneTraits<T>::Scalar* f) {
  using Lane = LaneTraits<T>;
  const auto half = Lane::data(half_length, 0);
  Vec3<T> x[8], rate[8], out[8];
  beam_vectors<T>(half, e, x);
  if constexpr (damped) beam_vectors<T>(half, v, rate);
  beam_resultant_force<damped, T>(numbers, tau, x, rate, out);
  for (int i = 0; i < 8; ++i)
    for (int m = 0; m < 3; ++m) Lane::store(f, 3 * i + m, i % 4 == 1 ? half * out[i][m] : out[i][m]);
}
// K [pair][3][3]; scratch [24][24].
template <bool damped, bool symmetric, class T>
LITHE_HD void beam_element_tangent(const double* numbers, double tau, const double* half_length,
                                   const typename LaneTraits<T>::Scalar* e, const typename LaneTraits<T>::Scalar* v,
                                   double c_q, double c_v, typename LaneTraits<T>::Scalar* K, T* scratch) {
  static_assert(damped || symmetric);
  using Lane = LaneTraits<T>;
  const auto half = Lane::data(half_length, 0);
  Vec3<T> x[8], rate[8];
  beam_vectors<T>(half, e, x);
  if constexpr (damped) beam_vectors<T>(half, v, rate);
  beam_resultant_tangent<damped, T>(numbers, tau, x, rate, c_q, c_v, scratch);
  constexpr bool mirrored = symmetric && damped;  // undamped it is symmetric by itself
  int at = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = symmetric ? i : 0; j < 8; ++j) {
      typename Lane::Data scale{};
      scale = scale + (mirrored ? 0.5 : 1.0);
      if (i % 4 == 1) scale = scale * half;
      if (j % 4 == 1) scale = scale * half;
      for (int m = 0; m < 3; ++m)
        for (int n = 0; n < 3; ++n) {
          T value = scratch[24 * (3 * i + m) + 3 * j + n];
          if constexpr (mirrored) value += scratch[24 * (3 * j + n) + 3 * i + m];
          Lane::store(K, at++, scale * value);
        }
    }
}

// Operations of an element.
constexpr double beam_force_flops(bool damped) { return damped ? 1973 : 1356; }
constexpr double beam_tangent_flops(bool damped) { return damped ? 20135 : 12770; }

}  // namespace lithe

// Tangent of the shell by stress resultants: docs/theory/shell3443.md. With the strains' gradients B(x) linear in x,
// the material part is B(x)^T C B(z), z = c x + c_q tau v with c = c_q + c_v tau, and the stresses add c_q times the
// second derivatives of the strains, which are constants. The symmetric form takes c B(w)^T C B(w), w = x + c_q tau /
// (2 c) v: the symmetric part of it, and (c_q tau)^2 / (4 c) B(v)^T C B(v), the square of at most a quarter of a step.
#pragma once

#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/shell3443/resultant.h"

namespace lithe {

// Blocks of K, scaled at the end.
template <bool symmetric, class T>
struct ShellBlocks {
  T* K;  // [pair][3][3]
  LITHE_FORCE_INLINE LITHE_HD void add(int i, int j, int m, int n, const T& value) const {
    if (symmetric && i > j) K[9 * pair_index(16, symmetric, j, i) + 3 * n + m] += value;
    else K[9 * pair_index(16, symmetric, i, j) + 3 * m + n] += value;
  }
  // Both (i, j) and its mirror (j, i); the same place once where the form is symmetric and i != j.
  LITHE_FORCE_INLINE LITHE_HD void add_identity(int i, int j, const T& value) const {
    for (int m = 0; m < 3; ++m) {
      add(i, j, m, m, value);
      if (!symmetric && i != j) add(j, i, m, m, value);
    }
  }
};

// Gradient of the edge's shear bubble and of its bow over its six vectors.
template <class T>
struct EdgeGradient {
  T g[6][3], bow[6][3];
  LITHE_FORCE_INLINE LITHE_HD static constexpr int vector(const ShellEdge& k, int q) {
    const int node = q < 3 ? k.from : k.to, which[3] = {0, 1 + k.axis, 3};
    return 4 * node + which[q % 3];
  }
  LITHE_FORCE_INLINE LITHE_HD EdgeGradient(const ShellEdge& k, const T (*x)[3]) {
    const EdgeMiddle<T> u(k, x);
    const int i = 4 * k.from, j = 4 * k.to, s = 1 + k.axis;
    for (int m = 0; m < 3; ++m) {
      g[0][m] = 0.75 * u.B[m];
      g[3][m] = -0.75 * u.B[m];
      g[1][m] = 0.5 * x[i + 3][m] + 0.25 * u.B[m];
      g[4][m] = 0.5 * x[j + 3][m] + 0.25 * u.B[m];
      g[2][m] = 0.5 * x[i + s][m] - 0.5 * u.A[m];
      g[5][m] = 0.5 * x[j + s][m] - 0.5 * u.A[m];
    }
    const EdgeBow<T> b(k, x);
    for (int m = 0; m < 3; ++m) {
      bow[0][m] = bow[1][m] = bow[4][m] = 0.375 * b.q[m];
      bow[3][m] = -0.375 * b.q[m];
      bow[2][m] = -0.375 * b.p[m];
      bow[5][m] = 0.375 * b.p[m];
    }
  }
};

// Gradients of the six strains of a point over A_1, A_2, B_1, B_2: component m of each is a vector of the gradients.
// rows[slot][strain]: which of (A1, A2, B1, B2) stands there, -1 none.
inline constexpr int shell_strain_rows[4][6] = {
    {0, -1, 1, 2, -1, 3}, {-1, 1, 0, -1, 3, 2}, {-1, -1, -1, 0, -1, 1}, {-1, -1, -1, -1, 1, 0}};

template <class T>
struct PointSlots {
  const T* vector[4];
  LITHE_FORCE_INLINE LITHE_HD PointSlots(const ShellGradients<T>& g, int p)
      : vector{g.A[p][0], g.A[p][1], g.B[p][0], g.B[p][1]} {}
};

// M[k][l][m][n], k <= l where symmetric; x and z as B of the header takes them.
template <bool symmetric, class T>
LITHE_FORCE_INLINE LITHE_HD void shell_point_tangent(const double* numbers, const PointSlots<T>& x,
                                                     const PointSlots<T>& z, const T* stress, T (*M)[4][9]) {
  using Lane = LaneTraits<T>;
  typename Lane::Data C[21];
  for (int c = 0; c < 21; ++c) C[c] = Lane::data(numbers, c);
  const auto product = [&](const PointSlots<T>& u, auto slot, int n, T* s) LITHE_FORCE_INLINE {
    unrolled<6>([&](auto c) LITHE_FORCE_INLINE {
      T sum = T{};
      unrolled<6>([&](auto d) LITHE_FORCE_INLINE {
        constexpr int which = shell_strain_rows[slot][d];
        if constexpr (which >= 0) sum += C[upper(6, c, d)] * u.vector[which][n];
      });
      s[c] = sum;
    });
  };
  const auto rows = [&](const PointSlots<T>& u, auto slot, int m, const T* s) LITHE_FORCE_INLINE {
    T sum = T{};
    unrolled<6>([&](auto c) LITHE_FORCE_INLINE {
      constexpr int which = shell_strain_rows[slot][c];
      if constexpr (which >= 0) sum += u.vector[which][m] * s[c];
    });
    return sum;
  };
  unrolled<4>([&](auto l) LITHE_FORCE_INLINE {
    for (int n = 0; n < 3; ++n) {
      T s[6];
      product(z, l, n, s);
      unrolled<4>([&](auto k) LITHE_FORCE_INLINE {
        if constexpr (!symmetric || k <= l)
          for (int m = 0; m < 3; ++m) M[k][l][3 * m + n] = rows(x, k, m, s);
      });
    }
  });
  // A1 A1, A2 A2, A1 A2, A1 B1, A2 B2, A1 B2 and A2 B1.
  const struct {
    int k, l, strain;
  } terms[7] = {{0, 0, 0}, {1, 1, 1}, {0, 1, 2}, {0, 2, 3}, {1, 3, 4}, {0, 3, 5}, {1, 2, 5}};
  for (const auto& t : terms)
    for (int m = 0; m < 3; ++m) {
      M[t.k][t.l][4 * m] += stress[t.strain];
      if (!symmetric && t.k != t.l) M[t.l][t.k][4 * m] += stress[t.strain];
    }
}

// K += the points' part. rows: room for [point][16][4][9].
template <bool symmetric, class T>
LITHE_NOINLINE LITHE_HD void add_shell_points(const ShellShapes& shapes, const T (*M)[4][4][9], T* rows, T* K) {
  // Functions 0..11 of A, 12..15 of B, over the slots that their partners use.
  const auto row = [&](int p, int i, int l) LITHE_FORCE_INLINE { return rows + 9 * ((p * 16 + i) * 4 + l); };
  for (int p = 0; p < 4; ++p) {
    for (int i = 0; i < 12; ++i) {
      const double w0 = shapes.A[p][i][0], w1 = shapes.A[p][i][1];
      for (int l = 0; l < 4; ++l) {
        T* to = row(p, i, l);
        if (symmetric && l == 0) {  // (A2, A1) is the mirror of (A1, A2)
          for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n) to[3 * m + n] = w0 * M[p][0][0][3 * m + n] + w1 * M[p][0][1][3 * n + m];
        } else {
          for (int mn = 0; mn < 9; ++mn) to[mn] = w0 * M[p][0][l][mn] + w1 * M[p][1][l][mn];
        }
      }
    }
    for (int i = 0; i < 4; ++i) {
      const double w0 = shapes.B[p][i][0], w1 = shapes.B[p][i][1];
      for (int l = symmetric ? 2 : 0; l < 4; ++l) {
        T* to = row(p, 12 + i, l);
        if (symmetric && l == 2) {
          for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n) to[3 * m + n] = w0 * M[p][2][2][3 * m + n] + w1 * M[p][2][3][3 * n + m];
        } else {
          for (int mn = 0; mn < 9; ++mn) to[mn] = w0 * M[p][2][l][mn] + w1 * M[p][3][l][mn];
        }
      }
    }
  }
  const auto block = [&](int i, int j, bool of_A, bool mirrored, T* out) LITHE_FORCE_INLINE {
    // sum over points of row(p, i, .) times the weights of j
    T sum[9] = {};
    for (int p = 0; p < 4; ++p)
      for (int a = 0; a < 2; ++a) {
        const double w = of_A ? shapes.A[p][j][a] : shapes.B[p][j][a];
        const T* from = row(p, i, of_A ? a : 2 + a);
        for (int mn = 0; mn < 9; ++mn) sum[mn] += w * from[mn];
      }
    if (mirrored)
      for (int mn = 0; mn < 9; ++mn) out[3 * (mn % 3) + mn / 3] += sum[mn];
    else
      for (int mn = 0; mn < 9; ++mn) out[mn] += sum[mn];
  };
  for (int i = 0; i < 12; ++i) {
    const int vi = surface_vector(i);
    for (int j = symmetric ? i : 0; j < 12; ++j)
      block(i, j, true, false, K + 9 * pair_index(16, symmetric, vi, surface_vector(j)));
    for (int j = 0; j < 4; ++j) {
      const int vj = 4 * j + 3;
      const bool mirrored = symmetric && vi > vj;
      block(i, j, false, mirrored, K + 9 * pair_index(16, symmetric, mirrored ? vj : vi, mirrored ? vi : vj));
    }
  }
  for (int i = 0; i < 4; ++i) {
    if (!symmetric)
      for (int j = 0; j < 12; ++j)
        block(12 + i, j, true, false, K + 9 * pair_index(16, false, 4 * i + 3, surface_vector(j)));
    for (int j = symmetric ? i : 0; j < 4; ++j)
      block(12 + i, j, false, false, K + 9 * pair_index(16, symmetric, 4 * i + 3, 4 * j + 3));
  }
}

// The strains of edges and diagonals that bend: bubbles of the edges 0..3, their bows 4..7, bubbles of the diagonals 8,
// 9. Which of them a vector has a part in, at most six.
inline constexpr int shell_benders = 10;
struct ShellBenders {
  int count[16] = {}, of[16][6] = {};  // [vector]
  int place[shell_benders][10] = {};   // [bender][vector of it] in `of`
  LITHE_HD static constexpr int vectors(int e) { return e < 8 ? 6 : 10; }
  LITHE_HD static constexpr int vector(int e, int q) {
    if (e >= 8) return DiagonalMiddle<double>::vector(e - 8, q);
    return EdgeGradient<double>::vector(shell_edge(e % 4), q);
  }
  LITHE_HD constexpr ShellBenders() {
    for (int e = 0; e < shell_benders; ++e)
      for (int q = 0; q < vectors(e); ++q) {
        const int v = vector(e, q);
        place[e][q] = count[v];
        of[v][count[v]++] = e;
      }
  }
};

// Their gradients g over the vectors, and the force u of each that is one.
template <class T>
struct BenderForces {
  T g[16][6][3], u[16][shell_benders][3];

  LITHE_FORCE_INLINE LITHE_HD void at(const ShellShapes& shapes, const double* numbers, const T (*stress)[4][6],
                                      const T (*Q)[shell_benders], const ShellGradients<T>& of, const T (*x)[3]) {
    constexpr ShellBenders benders;
    const auto set = [&](int e, const T(*gradient)[3]) LITHE_FORCE_INLINE {
      for (int q = 0; q < ShellBenders::vectors(e); ++q)
        for (int m = 0; m < 3; ++m) g[ShellBenders::vector(e, q)][benders.place[e][q]][m] = gradient[q][m];
    };
    for (int e = 0; e < 4; ++e) {
      const EdgeGradient<T> gradient(shell_edge(e), x);
      set(e, gradient.g);
      set(4 + e, gradient.bow);
    }
    for (int d = 0; d < 2; ++d) {
      T gradient[10][3];
      DiagonalMiddle<T>(numbers, d, x).gradient(x, gradient);
      set(8 + d, gradient);
    }
    for (int e = 0; e < shell_benders; ++e) {
      T force[16][3] = {};
      add_shell_point_forces<T>(shapes, of, stress[e], force);
      for (int i = 0; i < 16; ++i) {
        for (int k = 0; k < benders.count[i]; ++k) add_scaled<T>(force[i], 0.5 * Q[e][benders.of[i][k]], g[i][k]);
        for (int m = 0; m < 3; ++m) u[i][e][m] = force[i][m];
      }
    }
  }
};

// What they add: u_e(x) g_e(z)^T + g_e(x) u_e(z)^T; each block of K is touched once.
template <bool symmetric, class T>
LITHE_NOINLINE LITHE_HD void add_shell_bubbles(const ShellShapes& shapes, const double* numbers,
                                               const ShellGradients<T>& g, const T (*x)[3], const ShellGradients<T>& h,
                                               const T (*z)[3], [[maybe_unused]] double multiple, T* K) {
  using Lane = LaneTraits<T>;
  using N = ShellNumbers;
  // Bending by a strain, its stresses at the points, and Q_ef = bending by e . stress of f.
  constexpr int n = shell_benders;
  T stress[n][4][6], Q[n][n] = {};
  for (int p = 0; p < 4; ++p) {
    const int first = p * N::point;
    T bending[n][3] = {};
    for (int d = 0; d < 3; ++d) {
      for (int e = 0; e < 4; ++e) bending[e][d] += Lane::data(numbers, first + N::bubble + 3 * e + d);
      for (int e = 8; e < n; ++e) bending[e][d] += Lane::data(numbers, first + N::bubble + 3 * (e - 4) + d);
    }
    for (int e = 0; e < 4; ++e) bending[4 + e][shell_edge(e).axis] += bow_share(e, p);
    for (int e = 0; e < n; ++e)
      for (int c = 0; c < 6; ++c) {
        T sum = T{};
        for (int d = 0; d < 3; ++d) sum += Lane::data(numbers, first + upper(6, c, 3 + d)) * bending[e][d];
        stress[e][p][c] = sum;
      }
    for (int e = 0; e < n; ++e)
      for (int f = 0; f < n; ++f)
        for (int d = 0; d < 3; ++d) Q[e][f] += bending[f][d] * stress[e][p][3 + d];
  }
  BenderForces<T> at_x, at_z;  // symmetric: z is a multiple of x
  at_x.at(shapes, numbers, stress, Q, g, x);
  if constexpr (!symmetric) at_z.at(shapes, numbers, stress, Q, h, z);
  const BenderForces<T>& right = symmetric ? at_x : at_z;
  constexpr ShellBenders benders;
  for (int i = 0; i < 16; ++i)
    for (int j = symmetric ? i : 0; j < 16; ++j) {
      T sum[9] = {};
      for (int k = 0; k < benders.count[j]; ++k)
        for (int m = 0; m < 3; ++m)
          for (int p = 0; p < 3; ++p) sum[3 * m + p] += at_x.u[i][benders.of[j][k]][m] * right.g[j][k][p];
      for (int k = 0; k < benders.count[i]; ++k)
        for (int m = 0; m < 3; ++m)
          for (int p = 0; p < 3; ++p) sum[3 * m + p] += at_x.g[i][k][m] * right.u[j][benders.of[i][k]][p];
      T* to = K + 9 * pair_index(16, symmetric, i, j);
      for (int mp = 0; mp < 9; ++mp) {
        if constexpr (symmetric) to[mp] += multiple * sum[mp];
        else to[mp] += sum[mp];
      }
    }
}

// Shear, thickness and hourglass, at nodes and edges.
template <bool symmetric, class T>
LITHE_NOINLINE LITHE_HD void add_shell_nodes(const double* numbers, const T (*x)[3], const T (*z)[3],
                                             const ShellStresses<T>& s, double c_q, T* K) {
  using Lane = LaneTraits<T>;
  using N = ShellNumbers;
  const ShellBlocks<symmetric, T> blocks{K};
  // Outer product of a gradient at x and one at z, with stiffness c.
  const auto outer = [&](int i, int j, const auto& c, const T* a, const T* bz) LITHE_FORCE_INLINE {
    for (int m = 0; m < 3; ++m) {
      const T scaled = c * a[m];
      for (int n = 0; n < 3; ++n) blocks.add(i, j, m, n, scaled * bz[n]);
    }
  };
  for (int k = 0; k < 8; ++k)
    for (int l = symmetric ? k : 0; l < 8; ++l) {
      const auto c = Lane::data(numbers, N::shear + upper(8, k, l));
      const int nk = 4 * (k / 2), nl = 4 * (l / 2), gk = nk + 1 + k % 2, gl = nl + 1 + l % 2, bk = nk + 3, bl = nl + 3;
      // gradient of shear k: B over gk, the slope over bk
      outer(gk, gl, c, x[bk], z[bl]);
      outer(gk, bl, c, x[bk], z[gl]);
      if (!symmetric || k != l) outer(bk, gl, c, x[gk], z[bl]);
      outer(bk, bl, c, x[gk], z[gl]);
      // Both shears of one node: what the mirror adds to blocks that hold both triangles.
      if (symmetric && l > k && nk == nl) outer(bk, bl, c, x[gl], z[gk]);
    }
  T shear[4][2];
  for (int n = 0; n < 4; ++n)
    for (int a = 0; a < 2; ++a) shear[n][a] = c_q * s.shear[n][a];
  for (int e = 0; e < 4; ++e) {
    const ShellEdge& k = shell_edge(e);
    const int i = 4 * k.from, j = 4 * k.to, sv = 1 + k.axis, t = 2 - k.axis;
    const T stretch = c_q * s.edge[e][0], plane = c_q * s.edge[e][1], bend = c_q * s.bubble[e];
    shear[k.from][k.axis] += 0.5 * bend;
    shear[k.to][k.axis] += 0.5 * bend;
    // Second derivatives of -A.A/2 (stretch), -A.across and -A.B: A = 0.75 (r_j - r_i) - 0.25 (s_i + s_j), across the
    // mean of the ends' gradients and the bows of all four slopes.
    const int other_i = k.axis == 0   ? 3 - k.from
                        : k.from == 0 ? 1
                                      : 0,
              other_j = k.axis == 0 ? 3 - k.to
                        : k.to == 3 ? 2
                                    : 3;
    const int vectors[8] = {i, j, i + sv, j + sv, 4 * other_i + sv, 4 * other_j + sv, i + t, j + t};
    const double of_A[8] = {-0.75, 0.75, -0.25, -0.25, 0, 0, 0, 0};
    const double of_across[8] = {
        0, 0, bow_weight(k.from), bow_weight(k.to), bow_weight(other_i), bow_weight(other_j), 0.5, 0.5};
    const int* along = vectors;
    for (int p = 0; p < 8; ++p)
      for (int q = p; q < 8; ++q) {
        if (q < 4) blocks.add_identity(vectors[p], vectors[q], (-of_A[p] * of_A[q]) * stretch);
        blocks.add_identity(vectors[p], vectors[q], -(of_A[p] * of_across[q] + of_across[p] * of_A[q]) * plane);
      }
    for (int p = 0; p < 4; ++p) {
      blocks.add_identity(along[p], i + 3, (-0.5 * of_A[p]) * bend);
      blocks.add_identity(along[p], j + 3, (-0.5 * of_A[p]) * bend);
    }
    const T bow = (0.375 * c_q) * s.edge[e][2];
    const double of_p[4] = {1, -1, 1, 1};
    for (int p = 0; p < 4; ++p) {
      blocks.add_identity(along[p], i + 3, -of_p[p] * bow);
      blocks.add_identity(along[p], j + 3, of_p[p] * bow);
    }
    for (const int n : {i, j}) {
      blocks.add_identity(n + sv, n + sv, 0.5 * stretch);
      blocks.add_identity(n + sv, n + t, 0.5 * plane);
    }
    // Material part of the two hourglass strains.
    const EdgeMiddle<T> u(k, x), w(k, z);
    T stretch_x[4][3], stretch_z[4][3], plane_x[8][3], plane_z[8][3];
    const auto gradients = [&](const EdgeMiddle<T>& mid, const T(*at)[3], T(*of_stretch)[3],
                               T(*of_plane)[3]) LITHE_FORCE_INLINE {
      const int partner[8] = {-1, -1, i + t, j + t, -1, -1, i + sv, j + sv};
      for (int m = 0; m < 3; ++m)
        for (int p = 0; p < 8; ++p) {
          if (p < 4) of_stretch[p][m] = -of_A[p] * mid.A[m] + (p >= 2 ? 0.5 : 0.0) * at[vectors[p]][m];
          of_plane[p][m] = -of_A[p] * mid.across[m] - of_across[p] * mid.A[m];
          if (partner[p] >= 0) of_plane[p][m] += 0.5 * at[partner[p]][m];
        }
    };
    gradients(u, x, stretch_x, plane_x);
    gradients(w, z, stretch_z, plane_z);
    const auto c0 = Lane::data(numbers, N::edge + e * N::edge_numbers),
               c1 = Lane::data(numbers, N::edge + e * N::edge_numbers + 1);
    for (int p = 0; p < 8; ++p)
      for (int q = symmetric ? p : 0; q < 8; ++q) {
        if (p < 4 && q < 4) outer(vectors[p], vectors[q], c0, stretch_x[p], stretch_z[q]);
        outer(vectors[p], vectors[q], c1, plane_x[p], plane_z[q]);
      }
  }
  for (int d = 0; d < 2; ++d) {
    const DiagonalMiddle<T> u(numbers, d, x);
    const T bend = c_q * s.bubble[4 + d];
    u.add_ends(bend, shear[d], shear[d + 2]);
    for (int p = 0; p < 6; ++p)
      for (int k = 0; k < 4; ++k) blocks.add_identity(u.vector(d, p), 4 * k + 3, -(u.of_A(p) * (u.middle[k] * bend)));
  }
  const ShellWarp<T> warp(x), warp_z(z);
  for (int a = 0; a < 2; ++a) {
    const auto c = Lane::data(numbers, N::warp + 2 * a);
    const T stress = (c_q / 32) * s.warp[a];
    // Slopes along a take q's sign / 8 times m, those across 1 / 4 times q.
    T gradient[8][3], gradient_z[8][3];
    int vectors[8];
    for (int n = 0; n < 4; ++n) {
      const double sign = n % 2 ? 0.125 : -0.125;
      vectors[n] = 4 * n + 1 + a;
      vectors[4 + n] = 4 * n + 2 - a;
      for (int m = 0; m < 3; ++m) {
        gradient[n][m] = sign * warp.m[a][m];
        gradient_z[n][m] = sign * warp_z.m[a][m];
        gradient[4 + n][m] = 0.25 * warp.q[a][m];
        gradient_z[4 + n][m] = 0.25 * warp_z.q[a][m];
      }
      for (int k = 0; k < 4; ++k) blocks.add_identity(vectors[n], 4 * k + 2 - a, (n % 2 ? 1.0 : -1.0) * stress);
    }
    for (int p = 0; p < 8; ++p)
      for (int q = symmetric ? p : 0; q < 8; ++q) outer(vectors[p], vectors[q], c, gradient[p], gradient_z[q]);
  }
  for (int n = 0; n < 4; ++n) {
    const int b = 4 * n + 3;
    for (int a = 0; a < 2; ++a) blocks.add_identity(4 * n + 1 + a, b, shear[n][a]);
    const T stress = c_q * s.thickness[n];
    blocks.add_identity(b, b, stress);
    outer(b, b, Lane::data(numbers, N::thickness + 2 * n), x[b], z[b]);
  }
}

// Values of T: M and rows of the points; then K.
inline constexpr int shell_part_scratch = 4 * 4 * 4 * 9 + 4 * 16 * 4 * 9,
                     shell_tangent_scratch = shell_part_scratch + 9 * 16 * 16;

// c_q df/de + c_v df/dv, added to K [pair][3][3] over the scaled vectors.
template <bool damped, bool symmetric, class T>
LITHE_HD void add_shell_tangent(const ShellShapes& shapes, double tau, const double* numbers, const T (*x)[3],
                                const T (*v)[3], double c_q, double c_v, T* K, T* scratch) {
  using N = ShellNumbers;
  constexpr int lanes = sizeof(typename LaneTraits<T>::Data) / sizeof(double);
  T y[16][3], w[16][3], z[16][3];  // y: of the strains; w, z: x and z of the header
  const double own = c_q + c_v * tau, rate = c_q * tau;
  [[maybe_unused]] const double shift = own == 0 ? 0.0 : 0.5 * rate / own;
  for (int i = 0; i < 16; ++i)
    for (int m = 0; m < 3; ++m) {
      y[i][m] = 0.5 * x[i][m];
      w[i][m] = x[i][m];
      if constexpr (damped) y[i][m] += tau * v[i][m];
      if constexpr (damped && symmetric) w[i][m] += shift * v[i][m];
      z[i][m] = own * w[i][m];
      if constexpr (damped && !symmetric) z[i][m] += rate * v[i][m];
    }
  ShellGradients<T> g, h;
  g.at(shapes, x);
  h.at(shapes, y);
  ShellStrains<T> strains;
  strains.of(numbers, g, h, x, y);
  ShellStresses<T> stresses;
  stresses.of(numbers, strains);
  if constexpr (damped && symmetric) g.at(shapes, w);
  h.at(shapes, z);
  T(*M)[4][4][9] = reinterpret_cast<T(*)[4][4][9]>(scratch);
  for (int p = 0; p < 4; ++p) {
    T stress[6];
    for (int c = 0; c < 6; ++c) stress[c] = c_q * stresses.point[p][c];
    shell_point_tangent<symmetric, T>(numbers + lanes * p * N::point, PointSlots<T>(g, p), PointSlots<T>(h, p), stress,
                                      M[p]);
  }
  add_shell_points<symmetric, T>(shapes, M, scratch + 4 * 4 * 4 * 9, K);
  add_shell_bubbles<symmetric, T>(shapes, numbers, g, w, h, z, own, K);
  add_shell_nodes<symmetric, T>(numbers, w, z, stresses, c_q, K);
}

// Over the parts of the law, scaled by the half sizes.
template <bool damped, bool symmetric, class T>
LITHE_HD void shell_resultant_tangent(const ShellShapes& shapes, int parts, const double* tau, const double* numbers,
                                      const double* half_size, const typename LaneTraits<T>::Scalar* e,
                                      const typename LaneTraits<T>::Scalar* v, double c_q, double c_v,
                                      typename LaneTraits<T>::Scalar* out, T* scratch) {
  using Lane = LaneTraits<T>;
  constexpr int lanes = sizeof(typename Lane::Data) / sizeof(double), pairs = pair_count(16, symmetric);
  T x[16][3], rate[16][3];
  shell_coordinates<T>(half_size, e, x);
  if constexpr (damped) shell_coordinates<T>(half_size, v, rate);
  T* K = scratch + shell_part_scratch;
  for (int k = 0; k < 9 * pairs; ++k) K[k] = T{};
  for (int part = 0; part < parts; ++part)
    add_shell_tangent<damped, symmetric, T>(shapes, tau[part], numbers + lanes * part * ShellNumbers::count, x, rate,
                                            c_q, c_v, K, scratch);
  for (int i = 0; i < 16; ++i)
    for (int j = symmetric ? i : 0; j < 16; ++j) {
      const int place = 9 * pair_index(16, symmetric, i, j);
      typename Lane::Data scale{};
      scale = scale + 1.0;
      if (i % 4) scale = scale * Lane::data(half_size, i % 4 - 1);
      if (j % 4) scale = scale * Lane::data(half_size, j % 4 - 1);
      for (int mn = 0; mn < 9; ++mn) Lane::store(out, place + mn, scale * K[place + mn]);
    }
}

// Operations of an element and part.
constexpr double shell_force_flops(bool damped) { return damped ? 6562 : 6430; }
constexpr double shell_tangent_flops(bool damped, bool symmetric) {
  return symmetric ? (damped ? 92880 : 91932) : 155150;
}

}  // namespace lithe

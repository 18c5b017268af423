// Shell 3443 by stress resultants (docs/theory/shell3443.md): strains of the middle surface A(xi,eta) and of the
// director B = (T/2) r_z, with the stiffness of the whole section (membrane, bending, shear) instead of points over the
// thickness.
//
// Every strain is half a bilinear form of the scaled coordinate vectors, e = S(x, x/2) - e0, so that with
// y = x/2 + tau v the damped strain is S(x, y) - e0, and the force is S(x, .)^T of the stress.
//
//   points (2 x 2)   membrane  A_a . A_b,   bending  A_a . B_b + A_b . B_a, plus what the edges say
//   nodes            shear  A_a . B, interpolated between the nodes;   thickness  B . B
//   edges            second differences (value at both ends less twice the middle, halved) along the edge of
//                      A_s . A_s and A_s . A_t: what 2 x 2 points do not see, with a part of the stiffness (hourglass)
//                      (and the warp, the one mode that neither sees: opposite bows of opposite edges, one pair in and
//                      the other out) A_s . B: the quadratic part of the shear. B is bilinear and cannot follow the
//                      cubic edge; the part that it misses is a bubble of the director, which bends: it goes into the
//                      bending strains, and what is left of the shear are the values at the nodes. In the limit of a
//                      thin shell that is the discrete Kirchhoff quadrilateral (Batoz and Ben Tahar 1982) with a cubic
//                      middle surface.
//   diagonals        the same quadratic part of the shear between opposite nodes (diagonal.h), a bubble inside: with
//                    edges alone skewed elements are far too soft
//   edges            the bow: A_ss . B_s, which takes the place of A_s at the points by that in the middle less a third
//                    of the change towards the ends. An edge bent to an arc of angle w then has the curvature of the
//                    arc but for w^4, not w^2: the chord of two directors is shorter than their angle.
#pragma once

#include "lithe/base/small.h"
#include "lithe/elements/section_plan.h"
#include "lithe/elements/shell3443/diagonal.h"
#include "lithe/elements/shell3443/numbers.h"
#include "lithe/elements/shell3443/shell3443.h"

namespace lithe {

inline constexpr double shell_gauss = 0.577350269189625764509;  // coordinate of the points
// Signs of a corner's coordinates, as Shell3443::corner.
LITHE_HD constexpr int shell_corner(int p, int axis) { return (axis == 0 ? p == 1 || p == 2 : p >= 2) ? 1 : -1; }
// Part of an edge's bow in the bending along it at point p.
LITHE_HD constexpr double bow_share(int edge, int p) {
  const ShellEdge& k = shell_edge(edge);
  return -(1 + k.side * shell_gauss * shell_corner(p, 1 - k.axis)) / 3;
}

// Derivatives of the shape functions at the points, of A over r, r_x, r_y of the nodes, of B over r_z.
struct ShellShapes {
  double A[4][12][2], B[4][4][2];
};

// Vector number of A's function i: r, r_x, r_y of node i / 3.
LITHE_HD constexpr int surface_vector(int i) { return 4 * (i / 3) + i % 3; }

template <class T>
struct ShellGradients {
  T A[4][2][3], B[4][2][3];  // at the points
  LITHE_FORCE_INLINE LITHE_HD void at(const ShellShapes& shapes, const T (*x)[3]) {
    for (int p = 0; p < 4; ++p)
      for (int a = 0; a < 2; ++a)
        for (int m = 0; m < 3; ++m) {
          T sum = shapes.A[p][0][a] * x[0][m];
          for (int i = 1; i < 12; ++i) sum += shapes.A[p][i][a] * x[surface_vector(i)][m];
          A[p][a][m] = sum;
          T director = shapes.B[p][0][a] * x[3][m];
          for (int n = 1; n < 4; ++n) director += shapes.B[p][n][a] * x[4 * n + 3][m];
          B[p][a][m] = director;
        }
  }
};

// Of the four slopes along an axis, by node: a quarter of the difference of the bows of the two edges along it.
LITHE_HD constexpr double bow_weight(int node) { return node % 2 ? 0.125 : -0.125; }

// Middle of an edge: A along it, the gradient across (mean of the ends, and half the difference to the bow of the edge
// opposite), and the director B (mean of the ends).
template <class T>
struct EdgeMiddle {
  T A[3], across[3], B[3];
  LITHE_FORCE_INLINE LITHE_HD EdgeMiddle(const ShellEdge& edge, const T (*x)[3]) {
    const int i = 4 * edge.from, j = 4 * edge.to, s = 1 + edge.axis, t = 2 - edge.axis;
    for (int m = 0; m < 3; ++m) {
      A[m] = 0.75 * (x[j][m] - x[i][m]) - 0.25 * (x[i + s][m] + x[j + s][m]);
      across[m] = 0.5 * (x[i + t][m] + x[j + t][m]);
      for (int n = 0; n < 4; ++n) across[m] += bow_weight(n) * x[4 * n + s][m];
      B[m] = 0.5 * (x[i + 3][m] + x[j + 3][m]);
    }
  }
};

// Bow of an edge, 3/8 of p . q: p twice the slopes less the chord, q the change of the director.
template <class T>
struct EdgeBow {
  T p[3], q[3];
  LITHE_FORCE_INLINE LITHE_HD EdgeBow(const ShellEdge& edge, const T (*x)[3]) {
    const int i = 4 * edge.from, j = 4 * edge.to, s = 1 + edge.axis;
    for (int m = 0; m < 3; ++m) {
      p[m] = x[i + s][m] + x[j + s][m] - (x[j][m] - x[i][m]);
      q[m] = x[j + 3][m] - x[i + 3][m];
    }
  }
};

// Warp of axis a (0 xi): q . m, q a quarter of the difference of the bows of its two edges, m the mean gradient across.
// Zero where opposite edges bend alike.
template <class T>
struct ShellWarp {
  T q[2][3], m[2][3];
  LITHE_FORCE_INLINE LITHE_HD explicit ShellWarp(const T (*x)[3]) {
    for (int a = 0; a < 2; ++a)
      for (int c = 0; c < 3; ++c) {
        q[a][c] = bow_weight(1) * (x[5 + a][c] - x[1 + a][c] + x[13 + a][c] - x[9 + a][c]);
        m[a][c] = 0.25 * (x[2 - a][c] + x[6 - a][c] + x[10 - a][c] + x[14 - a][c]);
      }
  }
};

// All strains S(x, y), without those of the reference.
template <class T>
struct ShellStrains {
  T point[4][6], shear[4][2], thickness[4], edge[4][3], warp[2], bubble[shell_bubbles];  // edge: stretch, shear, bow

  LITHE_FORCE_INLINE LITHE_HD void of(const double* numbers, const ShellGradients<T>& g, const ShellGradients<T>& h,
                                      const T (*x)[3], const T (*y)[3]) {
    for (int p = 0; p < 4; ++p) {
      const T *a1 = g.A[p][0], *a2 = g.A[p][1], *b1 = g.B[p][0], *b2 = g.B[p][1];
      const T *c1 = h.A[p][0], *c2 = h.A[p][1], *d1 = h.B[p][0], *d2 = h.B[p][1];
      point[p][0] = inner(a1, c1);
      point[p][1] = inner(a2, c2);
      point[p][2] = inner(a1, c2) + inner(a2, c1);
      point[p][3] = inner(a1, d1) + inner(b1, c1);
      point[p][4] = inner(a2, d2) + inner(b2, c2);
      point[p][5] = inner(a1, d2) + inner(b2, c1) + inner(a2, d1) + inner(b1, c2);
    }
    for (int n = 0; n < 4; ++n) {
      for (int a = 0; a < 2; ++a)
        shear[n][a] = inner(x[4 * n + 1 + a], y[4 * n + 3]) + inner(x[4 * n + 3], y[4 * n + 1 + a]);
      thickness[n] = inner(x[4 * n + 3], y[4 * n + 3]);
    }
    for (int e = 0; e < 4; ++e) {
      const ShellEdge& k = shell_edge(e);
      const int i = 4 * k.from, j = 4 * k.to, s = 1 + k.axis, t = 2 - k.axis;
      const EdgeMiddle<T> u(k, x), w(k, y);
      edge[e][0] = 0.5 * (inner(x[i + s], y[i + s]) + inner(x[j + s], y[j + s])) - inner(u.A, w.A);
      edge[e][1] = 0.5 * (inner(x[i + s], y[i + t]) + inner(x[i + t], y[i + s]) + inner(x[j + s], y[j + t]) +
                          inner(x[j + t], y[j + s])) -
                   (inner(u.A, w.across) + inner(u.across, w.A));
      bubble[e] = 0.5 * (shear[k.from][k.axis] + shear[k.to][k.axis]) - (inner(u.A, w.B) + inner(u.B, w.A));
      const EdgeBow<T> b(k, x), c(k, y);
      edge[e][2] = 0.375 * (inner(b.p, c.q) + inner(b.q, c.p));
    }
    for (int d = 0; d < 2; ++d) {
      const DiagonalMiddle<T> u(numbers, d, x), w(numbers, d, y);
      bubble[4 + d] = u.ends(shear[d], shear[d + 2]) - (inner(u.A, w.B) + inner(u.B, w.A));
    }
    const ShellWarp<T> u(x), w(y);
    for (int a = 0; a < 2; ++a) warp[a] = inner(u.q[a], w.m[a]) + inner(u.m[a], w.q[a]);
  }
};

// Stresses that belong to the strains: times area.
template <class T>
struct ShellStresses {
  T point[4][6], shear[4][2], thickness[4], edge[4][3], warp[2], bubble[shell_bubbles];

  // strains less those of the reference.
  LITHE_FORCE_INLINE LITHE_HD void of(const double* numbers, ShellStrains<T>& e) {
    using Lane = LaneTraits<T>;
    using N = ShellNumbers;
    for (int k = 0; k < 4; ++k)
      for (int c = 0; c < 3; ++c) e.edge[k][c] -= Lane::data(numbers, N::edge + k * N::edge_numbers + 2 + c);
    for (int k = 0; k < N::bubbles; ++k) {
      e.bubble[k] -= Lane::data(numbers, N::bubble_reference + k);
      bubble[k] = T{};
    }
    for (int k = 0; k < 4; ++k) {
      edge[k][0] = Lane::data(numbers, N::edge + k * N::edge_numbers) * e.edge[k][0];
      edge[k][1] = Lane::data(numbers, N::edge + k * N::edge_numbers + 1) * e.edge[k][1];
      edge[k][2] = T{};
    }
    for (int p = 0; p < 4; ++p) {
      const int first = p * N::point;
      for (int c = 0; c < 6; ++c) e.point[p][c] -= Lane::data(numbers, first + N::reference + c);
      for (int k = 0; k < N::bubbles; ++k)
        for (int c = 0; c < 3; ++c)
          e.point[p][3 + c] += Lane::data(numbers, first + N::bubble + 3 * k + c) * e.bubble[k];
      for (int k = 0; k < 4; ++k) e.point[p][3 + shell_edge(k).axis] += bow_share(k, p) * e.edge[k][2];
      for (int c = 0; c < 6; ++c) {
        T sum = Lane::data(numbers, first + upper(6, c, 0)) * e.point[p][0];
        for (int d = 1; d < 6; ++d) sum += Lane::data(numbers, first + upper(6, c, d)) * e.point[p][d];
        point[p][c] = sum;
      }
      for (int k = 0; k < N::bubbles; ++k)
        for (int c = 0; c < 3; ++c) bubble[k] += Lane::data(numbers, first + N::bubble + 3 * k + c) * point[p][3 + c];
      for (int k = 0; k < 4; ++k) edge[k][2] += bow_share(k, p) * point[p][3 + shell_edge(k).axis];
    }
    for (int k = 0; k < 8; ++k) e.shear[k / 2][k % 2] -= Lane::data(numbers, N::shear_reference + k);
    for (int k = 0; k < 8; ++k) {
      T sum = Lane::data(numbers, N::shear + upper(8, k, 0)) * e.shear[0][0];
      for (int l = 1; l < 8; ++l) sum += Lane::data(numbers, N::shear + upper(8, k, l)) * e.shear[l / 2][l % 2];
      shear[k / 2][k % 2] = sum;
    }
    for (int n = 0; n < 4; ++n) {
      e.thickness[n] -= Lane::data(numbers, N::thickness + 2 * n + 1);
      thickness[n] = Lane::data(numbers, N::thickness + 2 * n) * e.thickness[n];
    }
    for (int a = 0; a < 2; ++a) {
      e.warp[a] -= Lane::data(numbers, N::warp + 2 * a + 1);
      warp[a] = Lane::data(numbers, N::warp + 2 * a) * e.warp[a];
    }
  }
};

// The part of the points' stresses [point][6].
template <class T>
LITHE_FORCE_INLINE LITHE_HD void add_shell_point_forces(const ShellShapes& shapes, const ShellGradients<T>& g,
                                                        const T (*stress)[6], T (*f)[3]) {
  for (int p = 0; p < 4; ++p) {
    const T(*A)[3] = g.A[p], (*B)[3] = g.B[p];
    const T* n = stress[p];
    T on_A[2][3] = {}, on_B[2][3] = {};
    for (int a = 0; a < 2; ++a) {
      add_scaled(on_A[a], n[a], A[a]);
      add_scaled(on_A[a], n[2], A[1 - a]);
      add_scaled(on_A[a], n[3 + a], B[a]);
      add_scaled(on_A[a], n[5], B[1 - a]);
      add_scaled(on_B[a], n[3 + a], A[a]);
      add_scaled(on_B[a], n[5], A[1 - a]);
    }
    for (int i = 0; i < 12; ++i)
      for (int m = 0; m < 3; ++m)
        f[surface_vector(i)][m] += shapes.A[p][i][0] * on_A[0][m] + shapes.A[p][i][1] * on_A[1][m];
    for (int k = 0; k < 4; ++k)
      for (int m = 0; m < 3; ++m) f[4 * k + 3][m] += shapes.B[p][k][0] * on_B[0][m] + shapes.B[p][k][1] * on_B[1][m];
  }
}

// f += S(x, .)^T stress over the scaled vectors.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void add_shell_force(const ShellShapes& shapes, const double* numbers,
                                                 const ShellGradients<T>& g, const T (*x)[3], const ShellStresses<T>& s,
                                                 T (*f)[3]) {
  add_shell_point_forces<T>(shapes, g, s.point, f);
  T shear[4][2];
  for (int n = 0; n < 4; ++n)
    for (int a = 0; a < 2; ++a) shear[n][a] = s.shear[n][a];
  for (int e = 0; e < 4; ++e) {
    const ShellEdge& k = shell_edge(e);
    const int i = 4 * k.from, j = 4 * k.to, sv = 1 + k.axis, t = 2 - k.axis;
    const EdgeMiddle<T> u(k, x);
    const T stretch = s.edge[e][0], plane = s.edge[e][1], bend = s.bubble[e];
    shear[k.from][k.axis] += 0.5 * bend;
    shear[k.to][k.axis] += 0.5 * bend;
    T on_A[3] = {}, on_across[3] = {}, on_B[3] = {};
    add_scaled(on_A, stretch, u.A);
    add_scaled(on_A, plane, u.across);
    add_scaled(on_A, bend, u.B);
    add_scaled(on_across, plane, u.A);
    for (int n = 0; n < 4; ++n)
      for (int m = 0; m < 3; ++m) f[4 * n + sv][m] -= bow_weight(n) * on_across[m];
    add_scaled(on_B, bend, u.A);
    const T half_stretch = 0.5 * stretch, half_plane = 0.5 * plane;
    for (int m = 0; m < 3; ++m) {
      f[i][m] += 0.75 * on_A[m];
      f[j][m] -= 0.75 * on_A[m];
      f[i + sv][m] += 0.25 * on_A[m] + half_stretch * x[i + sv][m] + half_plane * x[i + t][m];
      f[j + sv][m] += 0.25 * on_A[m] + half_stretch * x[j + sv][m] + half_plane * x[j + t][m];
      f[i + t][m] += half_plane * x[i + sv][m] - 0.5 * on_across[m];
      f[j + t][m] += half_plane * x[j + sv][m] - 0.5 * on_across[m];
      f[i + 3][m] -= 0.5 * on_B[m];
      f[j + 3][m] -= 0.5 * on_B[m];
    }
    const EdgeBow<T> bow(k, x);
    const T c = 0.375 * s.edge[e][2];
    for (int m = 0; m < 3; ++m) {
      const T on_p = c * bow.q[m], on_q = c * bow.p[m];
      f[i][m] += on_p;
      f[j][m] -= on_p;
      f[i + sv][m] += on_p;
      f[j + sv][m] += on_p;
      f[i + 3][m] -= on_q;
      f[j + 3][m] += on_q;
    }
  }
  for (int d = 0; d < 2; ++d) {
    const DiagonalMiddle<T> u(numbers, d, x);
    u.add_ends(s.bubble[4 + d], shear[d], shear[d + 2]);
    u.add_force(d, s.bubble[4 + d], f);
  }
  const ShellWarp<T> warp(x);
  for (int a = 0; a < 2; ++a)
    for (int c = 0; c < 3; ++c) {
      const T on_q = 0.125 * (s.warp[a] * warp.m[a][c]), on_m = 0.25 * (s.warp[a] * warp.q[a][c]);
      for (int n = 0; n < 4; ++n) {
        f[4 * n + 1 + a][c] += (n % 2 ? 1.0 : -1.0) * on_q;
        f[4 * n + 2 - a][c] += on_m;
      }
    }
  for (int n = 0; n < 4; ++n) {
    for (int a = 0; a < 2; ++a) {
      add_scaled(f[4 * n + 1 + a], shear[n][a], x[4 * n + 3]);
      add_scaled(f[4 * n + 3], shear[n][a], x[4 * n + 1 + a]);
    }
    add_scaled(f[4 * n + 3], s.thickness[n], x[4 * n + 3]);
  }
}

// Scaled coordinate vectors: r, (L/2) r_x, (W/2) r_y, (T/2) r_z.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void shell_coordinates(const double* half_size, const typename LaneTraits<T>::Scalar* e,
                                                   T (*x)[3]) {
  for (int i = 0; i < 16; ++i)
    for (int m = 0; m < 3; ++m) {
      x[i][m] = LaneTraits<T>::load(e, 3 * i + m);
      if (i % 4) x[i][m] = LaneTraits<T>::data(half_size, i % 4 - 1) * x[i][m];
    }
}

// Over the parts of the section's law, tau of each; numbers [part][ShellNumbers::count], half_size [3].
template <bool damped, class T>
LITHE_HD void shell_resultant_force(const ShellShapes& shapes, int parts, const double* tau, const double* numbers,
                                    const double* half_size, const typename LaneTraits<T>::Scalar* e,
                                    const typename LaneTraits<T>::Scalar* v, typename LaneTraits<T>::Scalar* f) {
  constexpr int lanes = sizeof(typename LaneTraits<T>::Data) / sizeof(double);
  T x[16][3], rate[16][3], y[16][3], sum[16][3] = {};
  shell_coordinates<T>(half_size, e, x);
  if constexpr (damped) shell_coordinates<T>(half_size, v, rate);
  ShellGradients<T> g, h;
  g.at(shapes, x);
  for (int part = 0; part < parts; ++part) {
    for (int i = 0; i < 16; ++i)
      for (int m = 0; m < 3; ++m) {
        y[i][m] = 0.5 * x[i][m];
        if constexpr (damped) y[i][m] += tau[part] * rate[i][m];
      }
    h.at(shapes, y);
    ShellStrains<T> strains;
    const double* own = numbers + lanes * part * ShellNumbers::count;
    strains.of(own, g, h, x, y);
    ShellStresses<T> stresses;
    stresses.of(own, strains);
    add_shell_force<T>(shapes, own, g, x, stresses, sum);
  }
  for (int i = 0; i < 16; ++i)
    for (int m = 0; m < 3; ++m) {
      if (i % 4) sum[i][m] = LaneTraits<T>::data(half_size, i % 4 - 1) * sum[i][m];
      LaneTraits<T>::store(f, 3 * i + m, sum[i][m]);
    }
}

}  // namespace lithe

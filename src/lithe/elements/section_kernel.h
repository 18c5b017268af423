// Internal force and tangent of the continuum elements by shared sections: docs/theory/section_kernel.md.
//
// Symbols: e coordinate vectors (scaled, relative slopes), g generalised gradients of a level, G = dr/d(xi,eta,zeta),
// B = J0^-1 R0, F = G B, w volume of the point, S stress, P = F S, p = dW/dg section forces, A = dp/dg section
// tangents.
//   down:  g_lower = sum_feeds c g_upper             up:  p_upper = sum_feeds c p_lower
//   lift:  A_upper[k][l] = sum_feeds c_k c_l A_lower      top:  K_ij = sum_sections sum_kl w_ik A_kl w_jl
// Everything is a template over the scalar T: a SIMD pack (one element per lane), double (a GPU thread), Dual (tests).
#pragma once

#include <utility>

#include "lithe/base/config.h"
#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/materials/law.h"
#include "lithe/elements/section_scheme.h"

namespace lithe {

// How values of T lie in memory: Scalar is what the caller's arrays hold, Data the type of precomputed numbers.
template <class T>
struct LaneTraits {
  using Scalar = T;
  using Data = double;
  LITHE_HD static T load(const T* p, int i) { return p[i]; }
  LITHE_HD static void store(T* p, int i, const T& a) { p[i] = a; }
  LITHE_HD static double data(const double* p, int i) { return p[i]; }
};

// The points of a batch as a tree; all arrays shared by its elements.
struct SectionPlan {
  int sections = 0;
  int lines = 0;
  int fibres = 0;  // points
  int max_section_lines = 0;
  int max_line_fibres = 0;
  const int* section_line = nullptr;      // [section + 1]  first line
  const int* line_fibre = nullptr;        // [line + 1]     first fibre
  const int* line_rule = nullptr;         // [line]         row of the line stage's values
  const int* fibre_rule = nullptr;        // [fibre]        row of the fibre stage's values
  const Law* fibre_law = nullptr;         // [fibre]
  const double* weights = nullptr;        // [section][group][member][gradient]
  const double* line_values = nullptr;    // [rule][feed]
  const double* line_products = nullptr;  // [rule][term]   see Lift
  const double* fibre_values = nullptr;
  const double* fibre_products = nullptr;
};

// function(integral_constant) for 0 .. n-1, unrolled.
template <int n, class Function>
LITHE_FORCE_INLINE LITHE_HD void unrolled(Function&& function) {
  [&]<int... i>(std::integer_sequence<int, i...>) LITHE_FORCE_INLINE {
    (function(std::integral_constant<int, i>{}), ...);
  }
  (std::make_integer_sequence<int, n>{});
}

LITHE_HD constexpr int pair_count(int n, bool symmetric) { return symmetric ? n * (n + 1) / 2 : n * n; }
LITHE_HD constexpr int pair_index(int n, bool symmetric, int k, int l) {
  return symmetric ? k * n - k * (k - 1) / 2 + (l - k) : k * n + l;  // symmetric_block, callable on a device
}

// Symmetry of the 3x3 block (k, l) of a level's tangent: at a point where k == l, above where all parts are symmetric.
struct PointLevel {
  static constexpr bool symmetric(int k, int l) { return k == l; }
};
template <class Stage, class Lower>
struct LiftedLevel {
  static constexpr bool symmetric(int k, int l) {
    for (const Feed& f : Stage::feed)
      for (const Feed& h : Stage::feed)
        if (f.upper == k && h.upper == l && !Lower::symmetric(f.lower, h.lower)) return false;
    return true;
  }
};

// The terms of a lift: block (k, l) of the upper level takes c_f c_h times block (f.lower, h.lower) of the lower one.
template <class Stage, bool symmetric>
struct LiftTerms {
  static constexpr int pairs = pair_count(Stage::upper, symmetric);
  static constexpr int count = [] {
    int n = 0;
    for (const Feed& f : Stage::feed)
      for (const Feed& h : Stage::feed) n += !symmetric || f.upper <= h.upper;
    return n;
  }();
  struct List {
    int k[pairs]{}, l[pairs]{}, first[pairs + 1]{};
    int f[count]{}, h[count]{};
  };
  static constexpr List list = [] {
    List r{};
    int n = 0, p = 0;
    for (int k = 0; k < Stage::upper; ++k)
      for (int l = symmetric ? k : 0; l < Stage::upper; ++l) {
        r.k[p] = k;
        r.l[p] = l;
        r.first[p++] = n;
        for (int f = 0; f < Stage::feeds; ++f)
          for (int h = 0; h < Stage::feeds; ++h)
            if (Stage::feed[f].upper == k && Stage::feed[h].upper == l) {
              r.f[n] = f;
              r.h[n++] = h;
            }
      }
    r.first[p] = n;
    return r;
  }();
};

// A shape group as compile-time constants.
template <class Scheme, int g>
struct GroupOf {
  static constexpr int first = Scheme::group[g].first_gradient, gradients = Scheme::group[g].gradients,
                       count = Scheme::group[g].count;
  static constexpr int member(int i) { return Scheme::group[g].member[i]; }
};

template <class Scheme>
struct SectionSizes {
  static constexpr int first_weight(int g) {
    int n = 0;
    for (int i = 0; i < g; ++i) n += Scheme::group[i].count * Scheme::group[i].gradients;
    return n;
  }
  static constexpr int weights = first_weight(Scheme::groups);
  // Blocks (3x3) per section in front of group pair (a, b) of the top tangent.
  static constexpr int first_block(int a, int b, bool symmetric) {
    int n = 0;
    for (int i = 0; i < Scheme::groups; ++i)
      for (int j = symmetric ? i : 0; j < Scheme::groups; ++j) {
        if (i == a && j == b) return n;
        n += Scheme::group[i].gradients * Scheme::group[j].gradients;
      }
    return n;
  }
  static constexpr int blocks(bool symmetric) { return first_block(-1, -1, symmetric); }
  static constexpr int group_of(int k) {
    int g = 0;
    while (k >= Scheme::group[g].first_gradient + Scheme::group[g].gradients) ++g;
    return g;
  }
  // Values of T that section_force and section_tangent need as scratch.
  static int force_scratch(const SectionPlan& plan) {
    return 3 * (3 * plan.max_line_fibres + Scheme::FibreStage::upper * plan.max_section_lines +
                Scheme::gradients * plan.sections);
  }
  static int tangent_scratch(const SectionPlan& plan, bool symmetric) {
    return 9 * (pair_count(3, symmetric) * plan.max_line_fibres +
                pair_count(Scheme::FibreStage::upper, symmetric) * plan.max_section_lines * (Scheme::stages == 2) +
                blocks(symmetric) * plan.sections) +
           36 * plan.sections;  // T_i of at most 12 functions with 3 gradients
  }
};

// ---- point functions ---------------------------------------------------------------------------------------------

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

// p[a][m] = w (P B^T)[m][a].
template <bool damped, class T>
LITHE_FORCE_INLINE LITHE_HD void point_force(const Law& law, const PointGeometry<T>& point, const T (*G)[3],
                                             const T (*Gdot)[3], T* p) {
  const Mat3<T> F = material_gradient<T>(point, G);
  Mat3<T> rate;
  if constexpr (damped) rate = material_gradient<T>(point, Gdot);
  T S[6];
  weighted_stress<damped>(law, point, F, rate, S);
  const Mat3<T> P = first_piola(F, S);
  for (int a = 0; a < 3; ++a)
    for (int m = 0; m < 3; ++m)
      p[3 * a + m] = P[m][0] * point.B[a][0] + P[m][1] * point.B[a][1] + P[m][2] * point.B[a][2];
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

// ---- between levels ----------------------------------------------------------------------------------------------

// g_lower = sum_feeds c g_upper.
template <class Stage, class T>
LITHE_FORCE_INLINE LITHE_HD void down(const double* c, const T (*upper)[3], T (*lower)[3]) {
  unrolled<Stage::lower>([&](auto a) LITHE_FORCE_INLINE {
    T sum[3] = {};
    unrolled<Stage::feeds>([&](auto f) LITHE_FORCE_INLINE {
      if constexpr (Stage::feed[f].lower == a)
        for (int m = 0; m < 3; ++m) sum[m] += c[f] * upper[Stage::feed[f].upper][m];
    });
    for (int m = 0; m < 3; ++m) lower[a][m] = sum[m];
  });
}

// p_upper = sum over items and feeds of c p_lower.
template <class Stage, class T>
LITHE_HD void up(int items, const int* rule, const double* values, const T* lower, T* upper) {
  unrolled<Stage::upper>([&](auto k) LITHE_FORCE_INLINE {
    T sum[3] = {};
    for (int q = 0; q < items; ++q)
      unrolled<Stage::feeds>([&](auto f) LITHE_FORCE_INLINE {
        if constexpr (Stage::feed[f].upper == k) {
          const double c = values[rule[q] * Stage::feeds + f];
          for (int m = 0; m < 3; ++m) sum[m] += c * lower[3 * (Stage::lower * q + Stage::feed[f].lower) + m];
        }
      });
    for (int m = 0; m < 3; ++m) upper[3 * k + m] = sum[m];
  });
}

// sum += c block, or c block^T (flip); half: the block is symmetric and holds its upper triangle only; upper: so will
// the sum.
template <bool upper, bool half, bool flip, class T>
LITHE_FORCE_INLINE LITHE_HD void add_block(double c, const T* block, T* sum) {
  constexpr bool swap = !half && flip;
  sum[0] += c * block[0];
  sum[1] += c * block[swap ? 3 : 1];
  sum[2] += c * block[swap ? 6 : 2];
  sum[4] += c * block[4];
  sum[5] += c * block[swap ? 7 : 5];
  sum[8] += c * block[8];
  if constexpr (!upper) {
    sum[3] += c * block[half || swap ? 1 : 3];
    sum[6] += c * block[half || swap ? 2 : 6];
    sum[7] += c * block[half || swap ? 5 : 7];
  }
}

// Tangent of the upper level from those of its items. Layout::place(k, l) is where block (k, l), [3][3], starts in
// upper; entries lie Layout::stride apart. A function of its own: inlined, its addresses would be hoisted and spilled.
template <class Stage, class Lower, bool symmetric, class Layout, class T>
LITHE_NOINLINE LITHE_HD void lift(int items, const int* rule, const double* products, const T* lower, T* upper) {
  using Terms = LiftTerms<Stage, symmetric>;
  constexpr int lower_pairs = pair_count(Stage::lower, symmetric);
  constexpr int together = 3;  // blocks in registers at a time
  unrolled<(Terms::pairs + together - 1) / together>([&](auto chunk) LITHE_FORCE_INLINE {
    constexpr int begin = together * chunk;
    constexpr int blocks = Terms::pairs - begin < together ? Terms::pairs - begin : together;
    T sum[blocks][9] = {};
    for (int q = 0; q < items; ++q) {
      const T* block = lower + 9 * lower_pairs * q;
      const double* c = products + rule[q] * Terms::count;
      unrolled<blocks>([&](auto b_) LITHE_FORCE_INLINE {
        constexpr int pair = begin + b_, k = Terms::list.k[pair], l = Terms::list.l[pair];
        constexpr bool block_symmetric = symmetric && LiftedLevel<Stage, Lower>::symmetric(k, l);
        constexpr int first = Terms::list.first[pair];
        unrolled<Terms::list.first[pair + 1] - first>([&](auto t_) LITHE_FORCE_INLINE {
          constexpr int t = first + t_;
          constexpr int a = Stage::feed[Terms::list.f[t]].lower, b = Stage::feed[Terms::list.h[t]].lower;
          constexpr bool flip = symmetric && a > b, half = symmetric && Lower::symmetric(a, b);
          constexpr int place = 9 * pair_index(Stage::lower, symmetric, flip ? b : a, flip ? a : b);
          add_block<block_symmetric, half, flip>(c[t], block + place, sum[b_]);
        });
      });
    }
    unrolled<blocks>([&](auto b) LITHE_FORCE_INLINE {
      constexpr int pair = begin + b, k = Terms::list.k[pair], l = Terms::list.l[pair];
      if constexpr (symmetric && LiftedLevel<Stage, Lower>::symmetric(k, l)) {
        sum[b][3] = sum[b][1];
        sum[b][6] = sum[b][2];
        sum[b][7] = sum[b][5];
      }
      T* place = upper + Layout::place(k, l);
      unrolled<9>([&](auto mn) LITHE_FORCE_INLINE { place[Layout::stride * mn] = sum[b][mn]; });
      if constexpr (Layout::mirrored(k, l)) {
        T* mirror = upper + Layout::place(l, k);
        unrolled<9>([&](auto mn) LITHE_FORCE_INLINE { mirror[Layout::stride * (3 * (mn % 3) + mn / 3)] = sum[b][mn]; });
      }
    });
  });
}

// Blocks of a line's tangent, one after the other.
template <int n, bool symmetric>
struct PairLayout {
  static constexpr int stride = 1;
  static constexpr int place(int k, int l) { return 9 * pair_index(n, symmetric, k, l); }
  static constexpr bool mirrored(int, int) { return false; }
};

// A section's part of the top tangent: [3][3][group pair][k][l].
template <class Scheme, bool symmetric>
struct TopLayout {
  using Sizes = SectionSizes<Scheme>;
  static constexpr int stride = Sizes::blocks(symmetric);
  static constexpr int place(int k, int l) {
    const int ga = Sizes::group_of(k), gb = Sizes::group_of(l);
    return Sizes::first_block(ga, gb, symmetric) +
           (k - Scheme::group[ga].first_gradient) * Scheme::group[gb].gradients + l - Scheme::group[gb].first_gradient;
  }
  static constexpr bool mirrored(int k, int l) {
    return symmetric && k < l && Sizes::group_of(k) == Sizes::group_of(l);
  }
};

// ---- coordinates -------------------------------------------------------------------------------------------------

// Scaled coordinate vectors with relative slopes.
template <class Scheme, class T>
LITHE_FORCE_INLINE LITHE_HD void read_coordinates(const double* half_size, const typename LaneTraits<T>::Scalar* e,
                                                  T (*x)[3]) {
  typename LaneTraits<T>::Data s[3];
  for (int d = 0; d < 3; ++d) s[d] = LaneTraits<T>::data(half_size, d);
  unrolled<Scheme::Kind::N>([&](auto i) LITHE_FORCE_INLINE {
    for (int m = 0; m < 3; ++m) {
      x[i][m] = LaneTraits<T>::load(e, 3 * i + m);
      if constexpr (i % 4 != 0) x[i][m] = s[i % 4 - 1] * x[i][m];
    }
  });
  unrolled<Scheme::edges>([&](auto k) LITHE_FORCE_INLINE {
    constexpr int minus = 4 * Scheme::edge[k].minus, plus = 4 * Scheme::edge[k].plus, slope = 1 + Scheme::edge[k].axis;
    for (int m = 0; m < 3; ++m) {
      const T chord = 0.5 * (x[plus][m] - x[minus][m]);
      x[minus + slope][m] -= chord;
      x[plus + slope][m] -= chord;
    }
  });
}

// Its adjoint.
template <class Scheme, class T>
LITHE_FORCE_INLINE LITHE_HD void write_force(const double* half_size, T (*x)[3], typename LaneTraits<T>::Scalar* f) {
  typename LaneTraits<T>::Data s[3];
  for (int d = 0; d < 3; ++d) s[d] = LaneTraits<T>::data(half_size, d);
  unrolled<Scheme::edges>([&](auto k) LITHE_FORCE_INLINE {
    constexpr int minus = 4 * Scheme::edge[k].minus, plus = 4 * Scheme::edge[k].plus, slope = 1 + Scheme::edge[k].axis;
    for (int m = 0; m < 3; ++m) {
      const T slopes = 0.5 * (x[minus + slope][m] + x[plus + slope][m]);
      x[minus][m] += slopes;
      x[plus][m] -= slopes;
    }
  });
  unrolled<Scheme::Kind::N>([&](auto i) LITHE_FORCE_INLINE {
    for (int m = 0; m < 3; ++m) {
      if constexpr (i % 4 == 0) LaneTraits<T>::store(f, 3 * i + m, x[i][m]);
      else LaneTraits<T>::store(f, 3 * i + m, s[i % 4 - 1] * x[i][m]);
    }
  });
}

// Generalised gradients of a section from the coordinate vectors.
template <class Scheme, class T>
LITHE_FORCE_INLINE LITHE_HD void section_gradients(const double* weights, const T (*x)[3], T (*g)[3]) {
  unrolled<Scheme::groups>([&](auto group_) LITHE_FORCE_INLINE {
    using Group = GroupOf<Scheme, group_>;
    constexpr int first = SectionSizes<Scheme>::first_weight(group_);
    T sum[Group::gradients][3] = {};
    unrolled<Group::count>([&](auto i) LITHE_FORCE_INLINE {
      unrolled<Group::gradients>([&](auto k) LITHE_FORCE_INLINE {
        for (int m = 0; m < 3; ++m) sum[k][m] += weights[first + i * Group::gradients + k] * x[Group::member(i)][m];
      });
    });
    for (int k = 0; k < Group::gradients; ++k)
      for (int m = 0; m < 3; ++m) g[Group::first + k][m] = sum[k][m];
  });
}

// Visits the points of a section: line(q, g) with the line's gradients g[rates][...][3] before its fibres.
template <class Scheme, bool damped, class T>
struct SectionState {
  static constexpr int rates = damped ? 2 : 1;
  static constexpr int line_gradients = Scheme::FibreStage::upper;
  T x[rates][Scheme::Kind::N][3];
  T section[rates][Scheme::gradients][3];
  T line[rates][line_gradients][3];
  T G[rates][3][3];

  using Scalar = typename LaneTraits<T>::Scalar;
  LITHE_FORCE_INLINE LITHE_HD void read(const double* half_size, const Scalar* e, const Scalar* v) {
    read_coordinates<Scheme, T>(half_size, e, x[0]);
    if constexpr (damped) read_coordinates<Scheme, T>(half_size, v, x[1]);
  }
  LITHE_FORCE_INLINE LITHE_HD void at_section(const SectionPlan& plan, int s) {
    for (int r = 0; r < rates; ++r)
      section_gradients<Scheme, T>(plan.weights + s * SectionSizes<Scheme>::weights, x[r], section[r]);
  }
  LITHE_FORCE_INLINE LITHE_HD void at_line(const SectionPlan& plan, int l) {
    if constexpr (Scheme::stages == 2)
      for (int r = 0; r < rates; ++r)
        down<typename Scheme::LineStage, T>(plan.line_values + plan.line_rule[l] * Scheme::LineStage::feeds, section[r],
                                            line[r]);
  }
  LITHE_FORCE_INLINE LITHE_HD void at_fibre(const SectionPlan& plan, int q) {
    for (int r = 0; r < rates; ++r) {
      const double* c = plan.fibre_values + plan.fibre_rule[q] * Scheme::FibreStage::feeds;
      if constexpr (Scheme::stages == 2) down<typename Scheme::FibreStage, T>(c, line[r], G[r]);
      else down<typename Scheme::FibreStage, T>(c, section[r], G[r]);
    }
  }
};

// ---- the element -------------------------------------------------------------------------------------------------

// geometry is [fibre][B (9), volume], half_size [3]; scratch holds SectionSizes::force_scratch values of T.
template <class Kind, bool damped, class T>
LITHE_HD void section_force(const SectionPlan& plan, const double* geometry, const double* half_size,
                            const typename LaneTraits<T>::Scalar* e, const typename LaneTraits<T>::Scalar* v,
                            typename LaneTraits<T>::Scalar* f, T* scratch) {
  using Scheme = SectionScheme<Kind>;
  using Sizes = SectionSizes<Scheme>;
  constexpr int lanes = sizeof(typename LaneTraits<T>::Data) / sizeof(double);
  constexpr int line_gradients = Scheme::FibreStage::upper;
  T* p_fibre = scratch;
  T* p_line = p_fibre + 9 * plan.max_line_fibres;
  T* p_section = p_line + 3 * line_gradients * plan.max_section_lines;
  SectionState<Scheme, damped, T> state;
  state.read(half_size, e, v);
  for (int s = 0; s < plan.sections; ++s) {
    state.at_section(plan, s);
    const int first_line = plan.section_line[s], end_line = plan.section_line[s + 1];
    for (int l = first_line; l < end_line; ++l) {
      state.at_line(plan, l);
      const int first = plan.line_fibre[l], end = plan.line_fibre[l + 1];
      for (int q = first; q < end; ++q) {
        state.at_fibre(plan, q);
        point_force<damped, T>(plan.fibre_law[q], PointGeometry<T>(geometry + 10 * lanes * q), state.G[0],
                               state.G[SectionState<Scheme, damped, T>::rates - 1], p_fibre + 9 * (q - first));
      }
      T* p =
          Scheme::stages == 2 ? p_line + 3 * line_gradients * (l - first_line) : p_section + 3 * Scheme::gradients * s;
      up<typename Scheme::FibreStage, T>(end - first, plan.fibre_rule + first, plan.fibre_values, p_fibre, p);
    }
    if constexpr (Scheme::stages == 2)
      up<typename Scheme::LineStage, T>(end_line - first_line, plan.line_rule + first_line, plan.line_values, p_line,
                                        p_section + 3 * Scheme::gradients * s);
  }
  unrolled<Scheme::groups>([&](auto group_) LITHE_FORCE_INLINE {
    using Group = GroupOf<Scheme, group_>;
    constexpr int tile = Group::count % 4 == 0 ? 4 : 2;
    unrolled<Group::count / tile>([&](auto t) LITHE_FORCE_INLINE {
      T sum[tile][3] = {};
      for (int s = 0; s < plan.sections; ++s) {
        const double* w = plan.weights + s * Sizes::weights + Sizes::first_weight(group_) + t * tile * Group::gradients;
        const T* p = p_section + 3 * (Scheme::gradients * s + Group::first);
        unrolled<Group::gradients>([&](auto k) LITHE_FORCE_INLINE {
          unrolled<tile>([&](auto i) LITHE_FORCE_INLINE {
            for (int m = 0; m < 3; ++m) sum[i][m] += w[i * Group::gradients + k] * p[3 * k + m];
          });
        });
      }
      unrolled<tile>([&](auto i) LITHE_FORCE_INLINE {
        for (int m = 0; m < 3; ++m) state.x[0][Group::member(t * tile + i)][m] = sum[i][m];
      });
    });
  });
  write_force<Scheme, T>(half_size, state.x[0], f);
}

// Block (i, j) of K: where it starts, and whether it is stored transposed.
template <int N, bool symmetric>
LITHE_HD int block_place(int i, int j) {
  return 9 * pair_index(N, symmetric, symmetric && i > j ? j : i, symmetric && i > j ? i : j);
}
template <bool symmetric>
LITHE_HD int entry_place(int i, int j, int m, int n) {
  return symmetric && i > j ? 3 * n + m : 3 * m + n;
}

// Entry (m, n) of block (i, j), scaled by the half sizes.
template <class Scheme, int i, int j, bool symmetric, class T>
LITHE_FORCE_INLINE LITHE_HD void store_entry(int m, int n, const typename LaneTraits<T>::Data* scale, T value,
                                             typename LaneTraits<T>::Scalar* K) {
  if constexpr (i % 4 != 0) value = scale[i % 4 - 1] * value;
  if constexpr (j % 4 != 0) value = scale[j % 4 - 1] * value;
  LaneTraits<T>::store(K, block_place<Scheme::Kind::N, symmetric>(i, j) + entry_place<symmetric>(i, j, m, n), value);
}

// Rows i0 .. i0 + rows of K against columns j0 .. j0 + columns of group gb, entry (m, n) of every block in a register.
// t is [section][row of group ga][l].
template <class Scheme, int ga, int gb, int i0, int rows, int j0, int columns, bool symmetric, class T>
LITHE_FORCE_INLINE LITHE_HD void contract_tile(const SectionPlan& plan, const T* t, int m, int n,
                                               const typename LaneTraits<T>::Data* scale,
                                               typename LaneTraits<T>::Scalar* K) {
  using Sizes = SectionSizes<Scheme>;
  using Rows = GroupOf<Scheme, ga>;
  using Columns = GroupOf<Scheme, gb>;
  constexpr int KB = Columns::gradients;
  constexpr bool diagonal = symmetric && ga == gb;
  T sum[rows][columns] = {};
  const double* w = plan.weights + Sizes::first_weight(gb) + j0 * KB;
  t += i0 * KB;
  for (int s = 0; s < plan.sections; ++s) {
    unrolled<KB>([&](auto l) LITHE_FORCE_INLINE {
      T row[rows];
      unrolled<rows>([&](auto i) LITHE_FORCE_INLINE { row[i] = t[i * KB + l]; });
      unrolled<columns>([&](auto j) LITHE_FORCE_INLINE {
        const double wj = w[j * KB + l];
        unrolled<rows>([&](auto i) LITHE_FORCE_INLINE {
          if constexpr (!diagonal || i0 + i <= j0 + j) sum[i][j] += wj * row[i];
        });
      });
    });
    t += Rows::count * KB;
    w += Sizes::weights;
  }
  unrolled<rows>([&](auto i) LITHE_FORCE_INLINE {
    unrolled<columns>([&](auto j) LITHE_FORCE_INLINE {
      if constexpr (!diagonal || i0 + i <= j0 + j)
        store_entry<Scheme, Rows::member(i0 + i), Columns::member(j0 + j), symmetric, T>(m, n, scale, sum[i][j], K);
    });
  });
}

// K_ij = sum over sections and gradients for the functions of two groups, scaled by the half sizes. A is the top
// tangent, t room for [section][row][l]: T_i = sum_k w_ik A_kl first, then K_ij = sum_l T_i w_jl tile by tile.
template <class Scheme, int ga, int gb, bool symmetric, class T>
LITHE_NOINLINE LITHE_HD void contract_large_groups(const SectionPlan& plan, const T* A,
                                                   const typename LaneTraits<T>::Data* scale, T* t,
                                                   typename LaneTraits<T>::Scalar* K) {
  using Sizes = SectionSizes<Scheme>;
  using Rows = GroupOf<Scheme, ga>;
  using Columns = GroupOf<Scheme, gb>;
  constexpr int KA = Rows::gradients, KB = Columns::gradients;
  constexpr int rows = Rows::count < 4 ? Rows::count : 4;
  constexpr int widest = Columns::count % 6 == 0 ? 6 : Columns::count < 4 ? Columns::count : 4;
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) {
      const T* block = A + (3 * m + n) * Sizes::blocks(symmetric) + Sizes::first_block(ga, gb, symmetric);
      const double* w = plan.weights + Sizes::first_weight(ga);
      for (int s = 0; s < plan.sections; ++s) {
        T value[KA * KB];
        unrolled<KA * KB>([&](auto kl) LITHE_FORCE_INLINE { value[kl] = block[kl]; });
        unrolled<Rows::count>([&](auto i) LITHE_FORCE_INLINE {
          unrolled<KB>([&](auto l) LITHE_FORCE_INLINE {
            T sum = w[i * KA] * value[l];
            if constexpr (KA > 1) sum += w[i * KA + 1] * value[KB + l];
            if constexpr (KA > 2) sum += w[i * KA + 2] * value[2 * KB + l];
            t[(s * Rows::count + i) * KB + l] = sum;
          });
        });
        block += 9 * Sizes::blocks(symmetric);
        w += Sizes::weights;
      }
      unrolled<Rows::count / rows>([&](auto tile) LITHE_FORCE_INLINE {
        constexpr int i0 = rows * tile, first = symmetric && ga == gb ? i0 : 0;
        constexpr int width = (Columns::count - first) % widest == 0 ? widest : rows;
        unrolled<(Columns::count - first) / width>([&](auto column) LITHE_FORCE_INLINE {
          contract_tile<Scheme, ga, gb, i0, rows, first + width * column, width, symmetric, T>(plan, t, m, n, scale, K);
        });
      });
    }
}

// The same where the second group is small: one row m of a few blocks in registers, T_i never stored.
template <class Scheme, int ga, int gb, bool symmetric, class T>
LITHE_NOINLINE LITHE_HD void contract_small_groups(const SectionPlan& plan, const T* A,
                                                   const typename LaneTraits<T>::Data* scale,
                                                   typename LaneTraits<T>::Scalar* K) {
  using Sizes = SectionSizes<Scheme>;
  using Rows = GroupOf<Scheme, ga>;
  using Columns = GroupOf<Scheme, gb>;
  constexpr int KA = Rows::gradients, KB = Columns::gradients, columns = Columns::count;
  constexpr int rows = columns > 2 ? 1 : 2;
  constexpr bool diagonal = symmetric && ga == gb;
  for (int m = 0; m < 3; ++m)
    unrolled<Rows::count / rows>([&](auto tile) LITHE_FORCE_INLINE {
      constexpr int i0 = rows * tile;
      T sum[rows][columns][3] = {};
      const T* block = A + 3 * m * Sizes::blocks(symmetric) + Sizes::first_block(ga, gb, symmetric);
      const double* wa = plan.weights + Sizes::first_weight(ga) + i0 * KA;
      const double* wb = plan.weights + Sizes::first_weight(gb);
      for (int s = 0; s < plan.sections; ++s) {
        unrolled<KB>([&](auto l) LITHE_FORCE_INLINE {
          T t[rows][3];
          unrolled<3>([&](auto n) LITHE_FORCE_INLINE {
            unrolled<KA>([&](auto k) LITHE_FORCE_INLINE {
              const T value = block[n * Sizes::blocks(symmetric) + k * KB + l];
              unrolled<rows>([&](auto i) LITHE_FORCE_INLINE {
                if constexpr (k == 0) t[i][n] = wa[i * KA] * value;
                else t[i][n] += wa[i * KA + k] * value;
              });
            });
          });
          unrolled<columns>([&](auto j) LITHE_FORCE_INLINE {
            const double wj = wb[j * KB + l];
            unrolled<rows>([&](auto i) LITHE_FORCE_INLINE {
              if constexpr (!diagonal || i0 + i <= j)
                unrolled<3>([&](auto n) LITHE_FORCE_INLINE { sum[i][j][n] += wj * t[i][n]; });
            });
          });
        });
        block += 9 * Sizes::blocks(symmetric);
        wa += Sizes::weights;
        wb += Sizes::weights;
      }
      unrolled<rows>([&](auto i) LITHE_FORCE_INLINE {
        unrolled<columns>([&](auto j) LITHE_FORCE_INLINE {
          if constexpr (!diagonal || i0 + i <= j)
            unrolled<3>([&](auto n) LITHE_FORCE_INLINE {
              store_entry<Scheme, Rows::member(i0 + i), Columns::member(j), symmetric, T>(m, n, scale, sum[i][j][n], K);
            });
        });
      });
    });
}

// K <- R^T K R, where R turns slopes into relative slopes along one edge: every column (row) of an end position takes
// -+ the sum of the edge's slope columns (rows) over twice the half size.

// Row i of it: K(i, minus) += h (K(i, g0) + K(i, g1)), K(i, plus) -= the same. A block of the lower triangle is stored
// transposed; which of the four are, is known at compile time.
template <bool flip_minus, bool flip_plus, bool flip_g0, bool flip_g1, class T>
LITHE_FORCE_INLINE LITHE_HD void restore_row(typename LaneTraits<T>::Scalar* K, const typename LaneTraits<T>::Data& h,
                                             int minus, int plus, int g0, int g1) {
  using Lane = LaneTraits<T>;
  unrolled<9>([&](auto mn) LITHE_FORCE_INLINE {
    constexpr int nm = 3 * (mn % 3) + mn / 3;
    const T sum = Lane::load(K, g0 + (flip_g0 ? nm : mn)) + Lane::load(K, g1 + (flip_g1 ? nm : mn));
    const int at = minus + (flip_minus ? nm : mn), to = plus + (flip_plus ? nm : mn);
    const T value = h * sum;
    Lane::store(K, at, Lane::load(K, at) + value);
    Lane::store(K, to, Lane::load(K, to) - value);
  });
}

template <class Scheme, bool symmetric, class T>
LITHE_NOINLINE LITHE_HD void restore_slopes(SlopeEdge edge, const typename LaneTraits<T>::Data& half_inverse,
                                            typename LaneTraits<T>::Scalar* K) {
  using Lane = LaneTraits<T>;
  constexpr int N = Scheme::Kind::N;
  const int minus = 4 * edge.minus, plus = 4 * edge.plus, g0 = minus + 1 + edge.axis, g1 = plus + 1 + edge.axis;
  if constexpr (symmetric) {
    auto place = [](int i, int j, int m, int n) LITHE_FORCE_INLINE {
      return block_place<N, symmetric>(i, j) + entry_place<symmetric>(i, j, m, n);
    };
    auto add = [&](int i, int j, int m, int n, const T& value) LITHE_FORCE_INLINE {
      const int at = place(i, j, m, n);
      Lane::store(K, at, Lane::load(K, at) + value);
    };
    auto slopes = [&](int i, int m, int n) LITHE_FORCE_INLINE {
      const T sum = Lane::load(K, place(i, g0, m, n)) + Lane::load(K, place(i, g1, m, n));
      return half_inverse * sum;
    };
    T s[2][9], corner[9];  // slope columns at the two positions, and their own slopes
    for (int m = 0; m < 3; ++m)
      for (int n = 0; n < 3; ++n) {
        s[0][3 * m + n] = slopes(minus, m, n);
        s[1][3 * m + n] = slopes(plus, m, n);
        corner[3 * m + n] = half_inverse * (slopes(g0, m, n) + slopes(g1, m, n));
      }
    for (int i = 0; i < N; ++i) {
      if (i == minus || i == plus) continue;
      const int a = block_place<N, true>(i, minus), b = block_place<N, true>(i, plus);
      const int c = block_place<N, true>(i, g0), d = block_place<N, true>(i, g1);
      // minus < g0 and plus < g1, so three cases for each end.
      const int ends = (i > minus) + (i > g0) + 3 * ((i > plus) + (i > g1));
      switch (ends) {
        case 0:
          restore_row<false, false, false, false, T>(K, half_inverse, a, b, c, d);
          break;
        case 1:
          restore_row<true, false, false, false, T>(K, half_inverse, a, b, c, d);
          break;
        case 2:
          restore_row<true, false, true, false, T>(K, half_inverse, a, b, c, d);
          break;
        case 3:
          restore_row<false, true, false, false, T>(K, half_inverse, a, b, c, d);
          break;
        case 4:
          restore_row<true, true, false, false, T>(K, half_inverse, a, b, c, d);
          break;
        case 5:
          restore_row<true, true, true, false, T>(K, half_inverse, a, b, c, d);
          break;
        case 6:
          restore_row<false, true, false, true, T>(K, half_inverse, a, b, c, d);
          break;
        case 7:
          restore_row<true, true, false, true, T>(K, half_inverse, a, b, c, d);
          break;
        default:
          restore_row<true, true, true, true, T>(K, half_inverse, a, b, c, d);
          break;
      }
    }
    for (int m = 0; m < 3; ++m)
      for (int n = 0; n < 3; ++n) {
        const int mn = 3 * m + n, nm = 3 * n + m;
        add(minus, minus, m, n, s[0][mn] + s[0][nm] + corner[mn]);
        add(plus, plus, m, n, corner[mn] - s[1][mn] - s[1][nm]);
        add(minus, plus, m, n, s[1][nm] - s[0][mn] - corner[mn]);
      }
  } else {
    for (int i = 0; i < N; ++i)
      restore_row<false, false, false, false, T>(K, half_inverse, block_place<N, false>(i, minus),
                                                 block_place<N, false>(i, plus), block_place<N, false>(i, g0),
                                                 block_place<N, false>(i, g1));
    for (int j = 0; j < N; ++j)
      restore_row<false, false, false, false, T>(K, half_inverse, block_place<N, false>(minus, j),
                                                 block_place<N, false>(plus, j), block_place<N, false>(g0, j),
                                                 block_place<N, false>(g1, j));
  }
}

// c_q df/de + c_v df/dv; symmetric: its symmetric part. scratch holds SectionSizes::tangent_scratch values of T.
template <class Kind, bool damped, bool symmetric, class T>
LITHE_HD void section_tangent(const SectionPlan& plan, const double* geometry, const double* half_size,
                              const typename LaneTraits<T>::Scalar* e, const typename LaneTraits<T>::Scalar* v,
                              double c_q, double c_v, typename LaneTraits<T>::Scalar* K, T* scratch) {
  using Scheme = SectionScheme<Kind>;
  using Sizes = SectionSizes<Scheme>;
  using FibreStage = typename Scheme::FibreStage;
  constexpr int lanes = sizeof(typename LaneTraits<T>::Data) / sizeof(double);
  constexpr int point_values = 9 * pair_count(3, symmetric);
  constexpr int line_values = 9 * pair_count(FibreStage::upper, symmetric);
  constexpr int top_values = 9 * Sizes::blocks(symmetric);
  T* A_fibre = scratch;
  T* A_line = A_fibre + point_values * plan.max_line_fibres;
  T* A_top = A_line + (Scheme::stages == 2 ? line_values * plan.max_section_lines : 0);
  T* rows = A_top + top_values * plan.sections;
  SectionState<Scheme, damped, T> state;
  state.read(half_size, e, v);
  for (int s = 0; s < plan.sections; ++s) {
    state.at_section(plan, s);
    const int first_line = plan.section_line[s], end_line = plan.section_line[s + 1];
    for (int l = first_line; l < end_line; ++l) {
      state.at_line(plan, l);
      const int first = plan.line_fibre[l], end = plan.line_fibre[l + 1];
      for (int q = first; q < end; ++q) {
        state.at_fibre(plan, q);
        point_tangent<damped, symmetric, T>(plan.fibre_law[q], PointGeometry<T>(geometry + 10 * lanes * q), c_q, c_v,
                                            state.G[0], state.G[SectionState<Scheme, damped, T>::rates - 1],
                                            A_fibre + point_values * (q - first));
      }
      const int* rule = plan.fibre_rule + first;
      if constexpr (Scheme::stages == 2)
        lift<FibreStage, PointLevel, symmetric, PairLayout<FibreStage::upper, symmetric>, T>(
            end - first, rule, plan.fibre_products, A_fibre, A_line + line_values * (l - first_line));
      else
        lift<FibreStage, PointLevel, symmetric, TopLayout<Scheme, symmetric>, T>(end - first, rule, plan.fibre_products,
                                                                                 A_fibre, A_top + top_values * s);
    }
    if constexpr (Scheme::stages == 2)
      lift<typename Scheme::LineStage, LiftedLevel<FibreStage, PointLevel>, symmetric, TopLayout<Scheme, symmetric>, T>(
          end_line - first_line, plan.line_rule + first_line, plan.line_products, A_line, A_top + top_values * s);
  }
  typename LaneTraits<T>::Data scale[3];
  for (int d = 0; d < 3; ++d) scale[d] = LaneTraits<T>::data(half_size, d);
  unrolled<Scheme::groups>([&](auto ga) LITHE_FORCE_INLINE {
    unrolled<Scheme::groups>([&](auto gb) LITHE_FORCE_INLINE {
      if constexpr (symmetric && ga > gb) return;
      else if constexpr (GroupOf<Scheme, gb>::count <= 4)
        contract_small_groups<Scheme, ga, gb, symmetric, T>(plan, A_top, scale, K);
      else contract_large_groups<Scheme, ga, gb, symmetric, T>(plan, A_top, scale, rows, K);
    });
  });
  unrolled<Scheme::edges>([&](auto k) LITHE_FORCE_INLINE {
    constexpr int minus = Scheme::edge[k].minus, plus = Scheme::edge[k].plus, axis = Scheme::edge[k].axis;
    const typename LaneTraits<T>::Data half_inverse = 0.5 / scale[axis];
    restore_slopes<Scheme, symmetric, T>({minus, plus, axis}, half_inverse, K);
  });
}

}  // namespace lithe

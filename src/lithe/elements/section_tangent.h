// Tangent by shared sections; see section_kernel.h.
#pragma once

#include "lithe/elements/section_force.h"

namespace lithe {

// ---- between levels
// --------------------------------------------------------------------------------------------------

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
      LITHE_UNROLL
      for (int mn = 0; mn < 9; ++mn) place[Layout::stride * mn] = sum[b][mn];
      if constexpr (Layout::mirrored(k, l)) {
        T* mirror = upper + Layout::place(l, k);
        LITHE_UNROLL
        for (int mn = 0; mn < 9; ++mn) mirror[Layout::stride * (3 * (mn % 3) + mn / 3)] = sum[b][mn];
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

// ---- the element
// -----------------------------------------------------------------------------------------------------

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
  constexpr int of_i = scaling_size<typename Scheme::Kind>(i), of_j = scaling_size<typename Scheme::Kind>(j);
  if constexpr (of_i >= 0) value = scale[of_i] * value;
  if constexpr (of_j >= 0) value = scale[of_j] * value;
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
    LITHE_UNROLL
    for (int l = 0; l < KB; ++l) {
      T row[rows];
      LITHE_UNROLL
      for (int i = 0; i < rows; ++i) row[i] = t[i * KB + l];
      LITHE_UNROLL
      for (int j = 0; j < columns; ++j) {
        const double wj = w[j * KB + l];
        LITHE_UNROLL
        for (int i = 0; i < rows; ++i)
          if (!diagonal || i0 + i <= j0 + j) sum[i][j] += wj * row[i];
      }
    }
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
        LITHE_UNROLL
        for (int kl = 0; kl < KA * KB; ++kl) value[kl] = block[kl];
        LITHE_UNROLL
        for (int i = 0; i < Rows::count; ++i) LITHE_UNROLL
        for (int l = 0; l < KB; ++l) {
          T sum = w[i * KA] * value[l];
          if constexpr (KA > 1) sum += w[i * KA + 1] * value[KB + l];
          if constexpr (KA > 2) sum += w[i * KA + 2] * value[2 * KB + l];
          t[(s * Rows::count + i) * KB + l] = sum;
        }
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
  constexpr int rows = columns > 2 ? 1 : 2, blocks = Sizes::blocks(symmetric);
  constexpr bool diagonal = symmetric && ga == gb;
  for (int m = 0; m < 3; ++m)
    unrolled<Rows::count / rows>([&](auto tile) LITHE_FORCE_INLINE {
      constexpr int i0 = rows * tile;
      T sum[rows][columns][3] = {};
      const T* block = A + 3 * m * blocks + Sizes::first_block(ga, gb, symmetric);
      const double* wa = plan.weights + Sizes::first_weight(ga) + i0 * KA;
      const double* wb = plan.weights + Sizes::first_weight(gb);
      for (int s = 0; s < plan.sections; ++s) {
        LITHE_UNROLL
        for (int l = 0; l < KB; ++l) {
          T t[rows][3];
          LITHE_UNROLL
          for (int n = 0; n < 3; ++n) LITHE_UNROLL
          for (int k = 0; k < KA; ++k) {
            const T value = block[n * blocks + k * KB + l];
            LITHE_UNROLL
            for (int i = 0; i < rows; ++i) {
              if (k == 0) t[i][n] = wa[i * KA] * value;
              else t[i][n] += wa[i * KA + k] * value;
            }
          }
          LITHE_UNROLL
          for (int j = 0; j < columns; ++j) {
            const double wj = wb[j * KB + l];
            LITHE_UNROLL
            for (int i = 0; i < rows; ++i)
              if (!diagonal || i0 + i <= j) LITHE_UNROLL
            for (int n = 0; n < 3; ++n) sum[i][j][n] += wj * t[i][n];
          }
        }
        block += 9 * blocks;
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
  LITHE_UNROLL
  for (int mn = 0; mn < 9; ++mn) {
    const int nm = 3 * (mn % 3) + mn / 3;
    const T sum = Lane::load(K, g0 + (flip_g0 ? nm : mn)) + Lane::load(K, g1 + (flip_g1 ? nm : mn));
    const int at = minus + (flip_minus ? nm : mn), to = plus + (flip_plus ? nm : mn);
    const T value = h * sum;
    Lane::store(K, at, Lane::load(K, at) + value);
    Lane::store(K, to, Lane::load(K, to) - value);
  }
}

template <class Scheme, bool symmetric, class T>
LITHE_NOINLINE LITHE_HD void restore_slopes(SlopeEdge edge, const typename LaneTraits<T>::Data& half_inverse,
                                            typename LaneTraits<T>::Scalar* K) {
  using Lane = LaneTraits<T>;
  constexpr int N = Scheme::Kind::N;
  constexpr int own = Scheme::Kind::node_vectors;
  const int minus = own * edge.minus, plus = own * edge.plus, g0 = minus + 1 + edge.axis, g1 = plus + 1 + edge.axis;
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

// Internal force by shared sections; see section_kernel.h.
#pragma once

#include "lithe/elements/section_point.h"
#include "lithe/elements/shell3443/shell_modes.h"

namespace lithe {

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
      constexpr int size = scaling_size<typename Scheme::Kind>(i);
      if constexpr (size >= 0) x[i][m] = s[size] * x[i][m];
    }
  });
  unrolled<Scheme::edges>([&](auto k) LITHE_FORCE_INLINE {
    constexpr int own = Scheme::Kind::node_vectors, slope = 1 + Scheme::edge[k].axis;
    constexpr int minus = own * Scheme::edge[k].minus, plus = own * Scheme::edge[k].plus;
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
    constexpr int own = Scheme::Kind::node_vectors, slope = 1 + Scheme::edge[k].axis;
    constexpr int minus = own * Scheme::edge[k].minus, plus = own * Scheme::edge[k].plus;
    for (int m = 0; m < 3; ++m) {
      const T slopes = 0.5 * (x[minus + slope][m] + x[plus + slope][m]);
      x[minus][m] += slopes;
      x[plus][m] -= slopes;
    }
  });
  unrolled<Scheme::Kind::N>([&](auto i) LITHE_FORCE_INLINE {
    for (int m = 0; m < 3; ++m) {
      constexpr int size = scaling_size<typename Scheme::Kind>(i);
      if constexpr (size < 0) LaneTraits<T>::store(f, 3 * i + m, x[i][m]);
      else LaneTraits<T>::store(f, 3 * i + m, s[size] * x[i][m]);
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
      LITHE_UNROLL
      for (int k = 0; k < Group::gradients; ++k)
        for (int m = 0; m < 3; ++m) sum[k][m] += weights[first + i * Group::gradients + k] * x[Group::member(i)][m];
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

// For kinds with one stage, where a section is a line.
template <class Kind, Damping damping, class T>
LITHE_HD void one_stage_force(const SectionPlan& plan, const double* geometry, const double* half_size,
                              const typename LaneTraits<T>::Scalar* e, const typename LaneTraits<T>::Scalar* v,
                              typename LaneTraits<T>::Scalar* f, T* scratch) {
  using Scheme = SectionScheme<Kind>;
  using Sizes = SectionSizes<Scheme>;
  static_assert(Scheme::stages == 1);
  constexpr int lanes = sizeof(typename LaneTraits<T>::Data) / sizeof(double);
  constexpr bool damped = damping != Damping::none;
  T* p_fibre = scratch;
  T* p_section = p_fibre + 9 * plan.max_line_fibres;
  SectionState<Scheme, damped, T> state;
  state.read(half_size, e, v);
  if constexpr (damping == Damping::common)
    for (int i = 0; i < Kind::N; ++i)
      for (int m = 0; m < 3; ++m) state.x[1][i][m] = half_and_rate<T>(plan.tau, state.x[0][i][m], state.x[1][i][m]);
  for (int s = 0; s < plan.sections; ++s) {
    state.at_section(plan, s);
    const int first = plan.line_fibre[s], end = plan.line_fibre[s + 1];
    for (int q = first; q < end; ++q) {
      state.at_fibre(plan, q);
      point_force<damping, T>(plan.fibre_law[q], PointGeometry<T>(geometry + 10 * lanes * q), state.G[0],
                              state.G[SectionState<Scheme, damped, T>::rates - 1], p_fibre + 9 * (q - first));
    }
    up<typename Scheme::FibreStage, T>(end - first, plan.fibre_rule + first, plan.fibre_values, p_fibre,
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
        LITHE_UNROLL
        for (int k = 0; k < Group::gradients; ++k) LITHE_UNROLL
        for (int i = 0; i < tile; ++i)
          for (int m = 0; m < 3; ++m) sum[i][m] += w[i * Group::gradients + k] * p[3 * k + m];
      }
      unrolled<tile>([&](auto i) LITHE_FORCE_INLINE {
        for (int m = 0; m < 3; ++m) state.x[0][Group::member(t * tile + i)][m] = sum[i][m];
      });
    });
  });
  write_force<Scheme, T>(half_size, state.x[0], f);
}

template <class Kind, Damping damping, class T>
LITHE_HD void section_force_of(const SectionPlan& plan, const double* geometry, const double* half_size,
                               const typename LaneTraits<T>::Scalar* e, const typename LaneTraits<T>::Scalar* v,
                               typename LaneTraits<T>::Scalar* f, T* scratch) {
  if constexpr (SectionScheme<Kind>::stages == 2) shell_force<damping, T>(plan, geometry, half_size, e, v, f, scratch);
  else one_stage_force<Kind, damping, T>(plan, geometry, half_size, e, v, f, scratch);
}

// geometry is [fibre][B (9), volume], half_size [3]; scratch holds SectionSizes::force_scratch values of T.
template <class Kind, bool damped, class T>
LITHE_HD void section_force(const SectionPlan& plan, const double* geometry, const double* half_size,
                            const typename LaneTraits<T>::Scalar* e, const typename LaneTraits<T>::Scalar* v,
                            typename LaneTraits<T>::Scalar* f, T* scratch) {
  auto force = [&]<Damping damping>() {
    section_force_of<Kind, damping, T>(plan, geometry, half_size, e, v, f, scratch);
  };
  if constexpr (!damped) force.template operator()<Damping::none>();
  else if (plan.tau >= 0) force.template operator()<Damping::common>();
  else force.template operator()<Damping::own>();
}

}  // namespace lithe

// The points of a batch as a tree of sections, lines and fibres, for section_force.h and section_tangent.h.
#pragma once

#include <utility>

#include "lithe/base/config.h"
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
  double tau = -1;                        // s, of all laws; negative: they differ
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

}  // namespace lithe

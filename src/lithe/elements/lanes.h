// W doubles in a SIMD register: the type over which kernels evaluate W elements side by side.
#pragma once

#include <cmath>
#include <cstring>

#include "lithe/elements/section_plan.h"

namespace lithe {

#ifndef LITHE_BATCHED_WIDTH
#define LITHE_BATCHED_WIDTH 4
#endif
inline constexpr int batched_width = LITHE_BATCHED_WIDTH;
LITHE_HD double root(double x) { return std::sqrt(x); }

#ifdef LITHE_HAS_LANES
using Lanes = double __attribute__((vector_size(batched_width * sizeof(double))));

template <>
struct LaneTraits<Lanes> {
  using Scalar = double;
  using Data = Lanes;
  static Lanes load(const double* p, int i) {
    Lanes a;
    std::memcpy(&a, p + batched_width * i, sizeof a);
    return a;
  }
  static void store(double* p, int i, const Lanes& a) { std::memcpy(p + batched_width * i, &a, sizeof a); }
  static Lanes data(const double* p, int i) { return load(p, i); }
};

LITHE_FORCE_INLINE inline Lanes root(const Lanes& x) {
  Lanes r;
  for (int k = 0; k < batched_width; ++k) r[k] = std::sqrt(x[k]);
  return r;
}
#endif

}  // namespace lithe

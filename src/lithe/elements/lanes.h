// W doubles in a SIMD register: the type over which kernels evaluate W elements side by side.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "lithe/elements/section_plan.h"
#ifdef LITHE_HAS_LANES
#include "lithe/base/simd.h"
#endif

namespace lithe {

#ifndef LITHE_BATCHED_WIDTH
#define LITHE_BATCHED_WIDTH 4
#endif
inline constexpr int batched_width = LITHE_BATCHED_WIDTH;
LITHE_HD double root(double x) { return std::sqrt(x); }

#ifdef LITHE_HAS_LANES
using Lanes = double __attribute__((vector_size(batched_width * sizeof(double))));

template <class T>
requires std::is_same_v<T, Lanes> || std::is_same_v<T, Pack>
struct LaneTraits<T> {
  static constexpr int width = sizeof(T) / sizeof(double);
  using Scalar = double;
  using Data = T;
  static T load(const double* p, int i) {
    T a;
    std::memcpy(&a, p + width * i, sizeof a);
    return a;
  }
  static void store(double* p, int i, const T& a) { std::memcpy(p + width * i, &a, sizeof a); }
  static T data(const double* p, int i) { return load(p, i); }
};

LITHE_FORCE_INLINE inline Lanes root(const Lanes& x) {
  Lanes r;
  for (int k = 0; k < batched_width; ++k) r[k] = std::sqrt(x[k]);
  return r;
}
#endif

}  // namespace lithe

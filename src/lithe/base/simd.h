// SIMD pack: GCC vector types hold W doubles side by side, one element per lane. A scalar mixes with a pack as a
// broadcast, so kernels written over a scalar type T run unchanged with T = double, Dual or Pack.
#pragma once

#include <cmath>
#include <cstring>

namespace lithe {

#if defined(__AVX512F__)
inline constexpr int simd_width = 8;
#else
inline constexpr int simd_width = 4;
#endif

using Pack = double __attribute__((vector_size(simd_width * sizeof(double))));

inline Pack load(const double* p) {
  Pack a;
  std::memcpy(&a, p, sizeof a);
  return a;
}
inline void store(double* p, const Pack& a) { std::memcpy(p, &a, sizeof a); }

inline Pack sqrt(const Pack& a) {
  Pack r;
  for (int l = 0; l < simd_width; ++l) r[l] = std::sqrt(a[l]);
  return r;
}

// Lanes of a scalar type: how many elements one value of T carries.
template <class T>
inline constexpr int lanes = 1;
template <>
inline constexpr int lanes<Pack> = simd_width;

template <class T>
inline T load_lanes(const double* p) {
  if constexpr (lanes<T> == 1) return *p;
  else return load(p);
}
template <class T>
inline void store_lanes(double* p, const T& a) {
  if constexpr (lanes<T> == 1) *p = a;
  else store(p, a);
}

}  // namespace lithe

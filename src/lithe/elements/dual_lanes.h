// Dual numbers over a SIMD register: the value of W elements and its derivative along a direction, side by side.
// Kernels over this type give products of the exact tangent with a vector: f(q + eps x) = f(q) + eps K x.
#pragma once

#include "lithe/elements/lanes.h"

namespace lithe {

template <class P>
struct DualLanes {
  P v, d;

  DualLanes() = default;
  LITHE_FORCE_INLINE DualLanes(const P& value, const P& derivative) : v(value), d(derivative) {}

  LITHE_FORCE_INLINE DualLanes& operator+=(const DualLanes& b) { return *this = *this + b; }
  LITHE_FORCE_INLINE DualLanes& operator-=(const DualLanes& b) { return *this = *this - b; }
  LITHE_FORCE_INLINE DualLanes& operator-=(const P& b) { return *this = *this - b; }

  friend LITHE_FORCE_INLINE DualLanes operator-(const DualLanes& a) { return {-a.v, -a.d}; }
  friend LITHE_FORCE_INLINE DualLanes operator+(const DualLanes& a, const DualLanes& b) {
    return {a.v + b.v, a.d + b.d};
  }
  friend LITHE_FORCE_INLINE DualLanes operator-(const DualLanes& a, const DualLanes& b) {
    return {a.v - b.v, a.d - b.d};
  }
  friend LITHE_FORCE_INLINE DualLanes operator*(const DualLanes& a, const DualLanes& b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d};
  }
  // With what does not depend on the direction: data of an element, and numbers.
  friend LITHE_FORCE_INLINE DualLanes operator-(const DualLanes& a, const P& b) { return {a.v - b, a.d}; }
  friend LITHE_FORCE_INLINE DualLanes operator*(const P& a, const DualLanes& b) { return {a * b.v, a * b.d}; }
  friend LITHE_FORCE_INLINE DualLanes operator*(const DualLanes& a, const P& b) { return {a.v * b, a.d * b}; }
  friend LITHE_FORCE_INLINE DualLanes operator+(const DualLanes& a, double b) { return {a.v + b, a.d}; }
  friend LITHE_FORCE_INLINE DualLanes operator-(const DualLanes& a, double b) { return {a.v - b, a.d}; }
  friend LITHE_FORCE_INLINE DualLanes operator*(double a, const DualLanes& b) { return {a * b.v, a * b.d}; }
  friend LITHE_FORCE_INLINE DualLanes operator/(double a, const DualLanes& b) {
    const P inverse = 1.0 / b.v, value = a * inverse;
    return {value, -value * inverse * b.d};
  }
  friend LITHE_FORCE_INLINE DualLanes root(const DualLanes& a) {
    const P r = root(a.v);
    return {r, 0.5 * a.d / r};
  }
};

// In memory a value and its derivative, [2][W].
template <class P>
struct LaneTraits<DualLanes<P>> {
  using Scalar = double;
  using Data = P;
  static DualLanes<P> load(const double* p, int i) {
    DualLanes<P> a;
    std::memcpy(&a, p + sizeof a / sizeof(double) * static_cast<std::size_t>(i), sizeof a);
    return a;
  }
  static void store(double* p, int i, const DualLanes<P>& a) {
    std::memcpy(p + sizeof a / sizeof(double) * static_cast<std::size_t>(i), &a, sizeof a);
  }
  static P data(const double* p, int i) { return LaneTraits<P>::load(p, i); }
};

}  // namespace lithe

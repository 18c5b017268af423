// A value with its derivatives along n directions, over any scalar type: forward differentiation of a kernel.
#pragma once

#include <type_traits>

#include "lithe/elements/lanes.h"

namespace lithe {

template <class T, int n>
struct Forward {
  T v;
  T d[n];

  LITHE_FORCE_INLINE Forward() : v{}, d{} {}
  LITHE_FORCE_INLINE explicit Forward(double value) : v(T{} + value), d{} {}
  LITHE_FORCE_INLINE static Forward constant(const T& value) {
    Forward r;
    r.v = value;
    return r;
  }

  LITHE_FORCE_INLINE Forward& operator+=(const Forward& b) { return *this = *this + b; }
  LITHE_FORCE_INLINE Forward& operator-=(const Forward& b) { return *this = *this - b; }
  friend LITHE_FORCE_INLINE Forward operator+(const Forward& a, const Forward& b) {
    Forward r;
    r.v = a.v + b.v;
    for (int k = 0; k < n; ++k) r.d[k] = a.d[k] + b.d[k];
    return r;
  }
  friend LITHE_FORCE_INLINE Forward operator-(const Forward& a, const Forward& b) {
    Forward r;
    r.v = a.v - b.v;
    for (int k = 0; k < n; ++k) r.d[k] = a.d[k] - b.d[k];
    return r;
  }
  friend LITHE_FORCE_INLINE Forward operator*(const Forward& a, const Forward& b) {
    Forward r;
    r.v = a.v * b.v;
    for (int k = 0; k < n; ++k) r.d[k] = a.d[k] * b.v + a.v * b.d[k];
    return r;
  }
  friend LITHE_FORCE_INLINE Forward operator/(const Forward& a, const Forward& b) {
    Forward r;
    const T inverse = 1.0 / b.v;
    r.v = a.v * inverse;
    for (int k = 0; k < n; ++k) r.d[k] = (a.d[k] - r.v * b.d[k]) * inverse;
    return r;
  }
  friend LITHE_FORCE_INLINE Forward operator/(double a, const Forward& b) {
    Forward r;
    r.v = a / b.v;
    const T slope = -1.0 * r.v / b.v;
    for (int k = 0; k < n; ++k) r.d[k] = slope * b.d[k];
    return r;
  }
  // Numbers and precomputed data have no derivatives.
  friend LITHE_FORCE_INLINE Forward operator*(double c, const Forward& a) { return scaled(c, a); }
  friend LITHE_FORCE_INLINE Forward operator*(const T& c, const Forward& a) requires(!std::is_same_v<T, double>) {
    return scaled(c, a);
  }
  friend LITHE_FORCE_INLINE Forward operator-(const Forward& a, const T& c) {
    Forward r = a;
    r.v = a.v - c;
    return r;
  }
  friend LITHE_FORCE_INLINE Forward root(const Forward& a) {
    Forward r;
    r.v = root(a.v);
    const T half = 0.5 / r.v;
    for (int k = 0; k < n; ++k) r.d[k] = half * a.d[k];
    return r;
  }

 private:
  template <class C>
  static LITHE_FORCE_INLINE Forward scaled(const C& c, const Forward& a) {
    Forward r;
    r.v = c * a.v;
    for (int k = 0; k < n; ++k) r.d[k] = c * a.d[k];
    return r;
  }
};

template <class T, int n>
struct LaneTraits<Forward<T, n>> {
  using Scalar = typename LaneTraits<T>::Scalar;
  using Data = typename LaneTraits<T>::Data;
  static Data data(const double* p, int i) { return LaneTraits<T>::data(p, i); }
};

}  // namespace lithe

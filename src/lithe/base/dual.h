// Dual numbers: value and directional derivative. The oracle of every tangent test: a kernel evaluated with Dual
// gives its exact directional derivative.
#pragma once

#include <cmath>

#include "lithe/base/config.h"

namespace lithe {

struct Dual {
  double v = 0, d = 0;
  constexpr Dual() = default;
  constexpr Dual(double value, double derivative = 0) : v(value), d(derivative) {}
  constexpr Dual& operator+=(const Dual& b) {
    v += b.v;
    d += b.d;
    return *this;
  }
  constexpr Dual& operator-=(const Dual& b) {
    v -= b.v;
    d -= b.d;
    return *this;
  }
  constexpr Dual& operator*=(const Dual& b) {
    d = d * b.v + v * b.d;
    v *= b.v;
    return *this;
  }
  constexpr Dual& operator/=(const Dual& b) {
    v /= b.v;
    d = (d - v * b.d) / b.v;
    return *this;
  }
  friend constexpr Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend constexpr Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend constexpr Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend constexpr Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend constexpr Dual operator-(const Dual& a) { return {-a.v, -a.d}; }
  friend Dual sqrt(const Dual& a) {
    const double r = std::sqrt(a.v);
    return {r, a.d / (2 * r)};
  }
};

}  // namespace lithe

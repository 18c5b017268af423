// Hyper-dual numbers: a value with its derivatives along two directions and the mixed second derivative,
// f(x + e1 a + e2 b) = f + e1 f_a + e2 f_b + e1 e2 f_ab with e1^2 = e2^2 = 0. Exact second derivatives of small
// functions (J. A. Fike, J. J. Alonso, AIAA 2011-886).
#pragma once

#include <cmath>

#include "lithe/base/config.h"

namespace lithe {

struct HyperDual {
  double v = 0, a = 0, b = 0, ab = 0;
  constexpr HyperDual() = default;
  constexpr HyperDual(double value, double along_a = 0, double along_b = 0, double mixed = 0)
      : v(value), a(along_a), b(along_b), ab(mixed) {}
  friend constexpr HyperDual operator+(const HyperDual& x, const HyperDual& y) {
    return {x.v + y.v, x.a + y.a, x.b + y.b, x.ab + y.ab};
  }
  friend constexpr HyperDual operator-(const HyperDual& x, const HyperDual& y) {
    return {x.v - y.v, x.a - y.a, x.b - y.b, x.ab - y.ab};
  }
  friend constexpr HyperDual operator-(const HyperDual& x) { return {-x.v, -x.a, -x.b, -x.ab}; }
  friend constexpr HyperDual operator*(const HyperDual& x, const HyperDual& y) {
    return {x.v * y.v, x.a * y.v + x.v * y.a, x.b * y.v + x.v * y.b, x.ab * y.v + x.a * y.b + x.b * y.a + x.v * y.ab};
  }
  // f(x) from f, f' and f'' at x.v.
  constexpr HyperDual chain(double f, double f1, double f2) const { return {f, f1 * a, f1 * b, f1 * ab + f2 * a * b}; }
  friend constexpr HyperDual operator/(const HyperDual& x, const HyperDual& y) {
    const double r = 1 / y.v;
    return x * y.chain(r, -r * r, 2 * r * r * r);
  }
  LITHE_HD HyperDual& operator+=(const HyperDual& y) { return *this = *this + y; }
  friend LITHE_HD HyperDual sqrt(const HyperDual& x) {
    const double r = std::sqrt(x.v);
    return x.chain(r, 0.5 / r, -0.25 / (r * x.v));
  }
  // Angle of the point (x, y), -pi to pi.
  friend LITHE_HD HyperDual atan2(const HyperDual& y, const HyperDual& x) {
    const double s = x.v * x.v + y.v * y.v, s2 = s * s;
    const double fx = -y.v / s, fy = x.v / s;
    const double fxx = 2 * x.v * y.v / s2, fyy = -fxx, fxy = (y.v * y.v - x.v * x.v) / s2;
    return {std::atan2(y.v, x.v), fx * x.a + fy * y.a, fx * x.b + fy * y.b,
            fx * x.ab + fy * y.ab + fxx * x.a * x.b + fyy * y.a * y.b + fxy * (x.a * y.b + x.b * y.a)};
  }
};

}  // namespace lithe

// Values with their derivatives along N directions at once: a function of a few scalars gives its whole gradient in one
// evaluation. For functions of forces that are small and have many arguments; dual.h has one direction, for tests.
#pragma once

#include <cmath>

#include "lithe/base/config.h"
#include "lithe/base/dual.h"

namespace lithe {

template <int N>
struct Duals {
  double v = 0;
  double d[N] = {};
  Duals() = default;
  LITHE_HD Duals(double value) : v(value) {}

  // f(x) of f and f' at x.v.
  LITHE_HD Duals chain(double f, double slope) const {
    Duals y(f);
    for (int i = 0; i < N; ++i) y.d[i] = slope * d[i];
    return y;
  }
  LITHE_HD Duals& operator+=(const Duals& b) {
    v += b.v;
    for (int i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  LITHE_HD Duals& operator-=(const Duals& b) {
    v -= b.v;
    for (int i = 0; i < N; ++i) d[i] -= b.d[i];
    return *this;
  }
  friend LITHE_HD Duals operator+(Duals a, const Duals& b) { return a += b; }
  friend LITHE_HD Duals operator-(Duals a, const Duals& b) { return a -= b; }
  friend LITHE_HD Duals operator-(const Duals& a) { return a.chain(-a.v, -1); }
  friend LITHE_HD Duals operator*(const Duals& a, const Duals& b) {
    Duals y(a.v * b.v);
    for (int i = 0; i < N; ++i) y.d[i] = a.d[i] * b.v + a.v * b.d[i];
    return y;
  }
  friend LITHE_HD Duals operator*(double a, const Duals& b) { return b.chain(a * b.v, a); }
  friend LITHE_HD Duals operator*(const Duals& a, double b) { return a.chain(a.v * b, b); }
  friend LITHE_HD Duals operator/(const Duals& a, const Duals& b) {
    Duals y(a.v / b.v);
    for (int i = 0; i < N; ++i) y.d[i] = (a.d[i] - y.v * b.d[i]) / b.v;
    return y;
  }
  friend LITHE_HD Duals sqrt(const Duals& a) {
    const double r = std::sqrt(a.v);
    return a.chain(r, 0.5 / r);
  }
};

LITHE_HD double value_of(double x) { return x; }
LITHE_HD double value_of(const Dual& x) { return x.v; }
template <int N>
LITHE_HD double value_of(const Duals<N>& x) {
  return x.v;
}

// x^e of x >= 0 and e >= 1.
LITHE_HD double power(double x, double e) { return e == 1 ? x : e == 1.5 ? x * std::sqrt(x) : std::pow(x, e); }
LITHE_HD Dual power(const Dual& x, double e) { return {power(x.v, e), e * std::pow(x.v, e - 1) * x.d}; }
template <int N>
LITHE_HD Duals<N> power(const Duals<N>& x, double e) {
  return x.chain(power(x.v, e), e * std::pow(x.v, e - 1));
}

}  // namespace lithe

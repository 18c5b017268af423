// Small fixed 3-vectors and 3x3 matrices over any scalar type (double, Dual, Pack), as plain arrays:
// Vec3<T> is T[3]; Mat3<T> is T[3][3], row major. Free functions only, no hidden temporaries.
#pragma once

#include <array>
#include <cmath>

#include "lithe/base/config.h"

namespace lithe {

template <class T>
struct Vec3 {
  T a[3];
  LITHE_HD T& operator[](int i) { return a[i]; }
  LITHE_HD const T& operator[](int i) const { return a[i]; }
};

template <class T>
struct Mat3 {
  T a[3][3];
  LITHE_HD T* operator[](int i) { return a[i]; }
  LITHE_HD const T* operator[](int i) const { return a[i]; }
};

template <class A, class B>
LITHE_HD auto dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
LITHE_HD Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}
template <class T>
LITHE_HD Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}
template <class T>
LITHE_HD Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}
template <class S, class T>
LITHE_HD Vec3<T> operator*(const S& s, const Vec3<T>& a) {
  return {{s * a[0], s * a[1], s * a[2]}};
}
inline double norm(const Vec3<double>& a) { return std::sqrt(dot(a, a)); }
inline Vec3<double> unit(const Vec3<double>& a) { return (1 / norm(a)) * a; }
inline Vec3<double> vec(const std::array<double, 3>& a) { return {{a[0], a[1], a[2]}}; }
inline Vec3<double> unit(const std::array<double, 3>& a) { return unit(vec(a)); }
template <class T>
LITHE_HD Vec3<T> column(const Mat3<T>& m, int j) {
  return {{m[0][j], m[1][j], m[2][j]}};
}
template <class T>
LITHE_HD T det(const Mat3<T>& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}
template <class T>
LITHE_HD Mat3<T> inverse(const Mat3<T>& m) {
  const T s = 1.0 / det(m);
  Mat3<T> r;
  r[0][0] = (m[1][1] * m[2][2] - m[1][2] * m[2][1]) * s;
  r[0][1] = (m[0][2] * m[2][1] - m[0][1] * m[2][2]) * s;
  r[0][2] = (m[0][1] * m[1][2] - m[0][2] * m[1][1]) * s;
  r[1][0] = (m[1][2] * m[2][0] - m[1][0] * m[2][2]) * s;
  r[1][1] = (m[0][0] * m[2][2] - m[0][2] * m[2][0]) * s;
  r[1][2] = (m[0][2] * m[1][0] - m[0][0] * m[1][2]) * s;
  r[2][0] = (m[1][0] * m[2][1] - m[1][1] * m[2][0]) * s;
  r[2][1] = (m[0][1] * m[2][0] - m[0][0] * m[2][1]) * s;
  r[2][2] = (m[0][0] * m[1][1] - m[0][1] * m[1][0]) * s;
  return r;
}
template <class A, class B>
LITHE_HD auto operator*(const Mat3<A>& a, const Mat3<B>& b) {
  using T = decltype(a[0][0] * b[0][0]);
  Mat3<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return c;
}
template <class T>
LITHE_HD Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& x) {
  Vec3<T> y;
  for (int i = 0; i < 3; ++i) y[i] = m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2];
  return y;
}
template <class T>
LITHE_HD Mat3<T> transpose(const Mat3<T>& m) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i][j] = m[j][i];
  return r;
}

}  // namespace lithe

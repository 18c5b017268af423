// Numbers that are one double or a pack of them: entry by entry, and over the lanes.
#pragma once

#include <algorithm>

#include "lithe/base/simd.h"

namespace lithe {

template <class T>
T magnitude(const T& a) {
  return a < T{} ? -a : a;
}
template <class T>
T larger(const T& a, const T& b) {
  return a > b ? a : b;
}
template <class T>
T smaller(const T& a, const T& b) {
  return a < b ? a : b;
}
template <class T>
double lane(const T& a, int l) {
  if constexpr (lanes<T> == 1) return a;
  else return a[l];
}
template <class T>
double largest_lane(const T& a) {
  double largest = lane(a, 0);
  for (int l = 1; l < lanes<T>; ++l) largest = std::max(largest, lane(a, l));
  return largest;
}
template <class T>
bool all_zero(const T& a) {
  bool zero = true;
  for (int l = 0; l < lanes<T>; ++l) zero = zero && lane(a, l) == 0;
  return zero;
}
template <class T>
double least_lane(const T& a) {
  return -largest_lane(-a);
}

}  // namespace lithe

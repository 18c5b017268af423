// The point of the difference of two convex bodies that is nearest to 0, by support points (Gilbert, Johnson, Keerthi
// 1988), every simplex minimised by trying all its faces: slow and independent of what it checks.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "lithe/base/small.h"

namespace lithe::fixtures {

using Points = std::vector<Vec3<double>>;

inline Vec3<double> furthest(const Points& of, const Vec3<double>& n) {
  Vec3<double> best = of[0];
  for (const auto& x : of)
    if (dot(x, n) > dot(best, n)) best = x;
  return best;
}

// Weights of the point of their affine hull nearest to 0; false where some are not positive.
inline bool affine_minimum(const Points& s, std::vector<double>& weight) {
  const int n = static_cast<int>(s.size());
  std::vector<std::vector<double>> m(n + 1, std::vector<double>(n + 2, 0));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) m[i][j] = dot(s[i], s[j]);
    m[i][n] = m[n][i] = 1;
  }
  m[n][n + 1] = 1;
  for (int k = 0; k <= n; ++k) {
    int pivot = k;
    for (int i = k; i <= n; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    std::swap(m[k], m[pivot]);
    if (m[k][k] == 0) return false;
    for (int i = 0; i <= n; ++i) {
      if (i == k) continue;
      const double f = m[i][k] / m[k][k];
      for (int j = k; j <= n + 1; ++j) m[i][j] -= f * m[k][j];
    }
  }
  weight.resize(n);
  for (int i = 0; i < n; ++i) {
    weight[i] = m[i][n + 1] / m[i][i];
    if (!(weight[i] > 0)) return false;
  }
  return true;
}

inline Vec3<double> simplex_minimum(Points& s) {
  Vec3<double> best{};
  Points kept;
  double least = -1;
  for (unsigned subset = 1; subset < 1u << s.size(); ++subset) {
    Points of;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (subset >> i & 1) of.push_back(s[i]);
    std::vector<double> weight;
    if (!affine_minimum(of, weight)) continue;
    Vec3<double> x{};
    for (std::size_t i = 0; i < of.size(); ++i) x = x + weight[i] * of[i];
    if (least >= 0 && dot(x, x) >= least) continue;
    least = dot(x, x), best = x, kept = of;
  }
  s = kept;
  return best;
}

// From b to a; 0 where they overlap.
inline Vec3<double> nearest_difference(const Points& a, const Points& b) {
  Points simplex{a[0] - b[0]};
  Vec3<double> v = simplex[0];
  for (int i = 0; i < 1000; ++i) {
    const Vec3<double> w = furthest(a, -1. * v) - furthest(b, v);
    if (dot(v, v) - dot(v, w) <= 1e-14 * dot(v, v)) break;
    simplex.push_back(w);
    const Vec3<double> next = simplex_minimum(simplex);
    if (simplex.size() > 3) return {};
    if (!(dot(next, next) < dot(v, v))) break;
    v = next;
  }
  return v;
}

// Overlap of a and b along n, unit, from b to a.
inline double overlap_along(const Points& a, const Points& b, const Vec3<double>& n) {
  return dot(furthest(b, n), n) - dot(furthest(a, -1. * n), n);
}

}  // namespace lithe::fixtures

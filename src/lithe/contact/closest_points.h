// Closest points of points, lines and triangles as weights of their corners. Weights within `zero` of 0 are 0: a point
// that rounding has put beside an edge or corner is on it.
#pragma once

#include <algorithm>
#include <cmath>

#include "lithe/base/small.h"

namespace lithe {

namespace closest {

inline constexpr double zero = 1e-9;  // of a weight, of a cosine

inline bool is_inside(double t) { return t > zero && t < 1 - zero; }
inline double snapped(double w) { return w < zero ? 0 : w > 1 - zero ? 1 : w; }

inline double along(const Vec3<double>& p, const Vec3<double>& from, const Vec3<double>& to) {
  const Vec3<double> d = to - from;
  const double length = dot(d, d);
  return length > 0 ? snapped(dot(p - from, d) / length) : 0;
}

struct OnTriangle {
  double weight[3];
  bool above;  // the point is within the prism over the triangle: its foot is inside
};

inline OnTriangle on_edge(int from, double t) {
  OnTriangle found{{0, 0, 0}, false};
  found.weight[from] = 1 - t;
  found.weight[(from + 1) % 3] += t;
  return found;
}

// The foot on the plane of the triangle with corners x; weights count where it is above.
inline OnTriangle on_plane(const Vec3<double>& p, const Vec3<double>* x) {
  const Vec3<double> n = cross(x[1] - x[0], x[2] - x[0]);
  const double area = dot(n, n);
  OnTriangle found{{0, 0, 0}, area > 0};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double w = dot(cross(x[(i + 1) % 3] - p, x[(i + 2) % 3] - p), n);
    if (!(w >= -zero * area)) return {{0, 0, 0}, false};
    found.weight[i] = w < zero * area ? 0 : w;
    sum += found.weight[i];
  }
  for (double& w : found.weight) w /= sum;
  return found;
}

// Is p further than `far` (and rounding) from the prism over the triangle, seen from one of its sides? n: unit normal.
inline bool is_aside(const Vec3<double>& p, const Vec3<double>* x, const Vec3<double>& n, double far) {
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> d = x[(i + 1) % 3] - x[i];
    const double w = dot(cross(d, p - x[i]), n);
    const double length = dot(d, d);
    if (w < 0 && w * w > (far * far + zero * zero * length) * length) return true;
  }
  return false;
}

inline OnTriangle on_rim(const Vec3<double>& p, const Vec3<double>* x) {
  OnTriangle best{};
  double least = -1;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double>&from = x[i], &to = x[(i + 1) % 3];
    const double t = along(p, from, to);
    const Vec3<double> d = p - ((1 - t) * from + t * to);
    if (least >= 0 && dot(d, d) >= least) continue;
    least = dot(d, d);
    best = on_edge(i, t);
  }
  return best;
}

inline OnTriangle on_triangle(const Vec3<double>& p, const Vec3<double>* x) {
  const OnTriangle found = on_plane(p, x);
  return found.above ? found : on_rim(p, x);
}

struct OfLines {
  double s, t;  // 0 at the first end, 1 at the second
  double sine;  // of the angle between them, squared
};

// Of two segments (Ericson, Real-Time Collision Detection, 5.1.9); one may be a point. Of parallel ones one of the
// closest points is always an end.
inline OfLines of_segments(const Vec3<double>& p0, const Vec3<double>& p1, const Vec3<double>& q0,
                           const Vec3<double>& q1) {
  const Vec3<double> d = p1 - p0, e = q1 - q0, r = p0 - q0;
  const double a = dot(d, d), c = dot(e, e), b = dot(d, e), f = dot(e, r);
  if (!(a > 0)) return {0, along(p0, q0, q1), 0};
  if (!(c > 0)) return {along(q0, p0, p1), 0, 0};
  const Vec3<double> n = cross(d, e);
  const double area = dot(n, n), sine = area / (a * c);
  double s = sine > zero * zero ? std::clamp((b * f - dot(d, r) * c) / area, 0., 1.) : 0;
  double t = (b * s + f) / c;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0., 1.);
    s = std::clamp((b * t - dot(d, r)) / a, 0., 1.);
  }
  return {snapped(s), snapped(t), sine};
}

}  // namespace closest

}  // namespace lithe

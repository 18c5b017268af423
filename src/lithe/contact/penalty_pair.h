// Two features that may press on each other, and the forces of that on what moves them. A feature is one, two or three
// corners: a point, an edge, a triangle, each with a radius around it. What moves them are local vectors: the corners
// themselves, or the frame (origin and three axes) of a rigid body or an obstacle, of which corners are points.
//
// With x_a, x_b the nearest points of both by weights w of corners, n from b to a, and r the sum of the radii, of
//
//   a point over a triangle         n its normal                       gap = (x_a - x_b) . n - r
//   two edges that cross            n square to both                   gap = (x_a - x_b) . n - r
//   points and edges with a radius  n = +-(x_a - x_b) / |x_a - x_b|    gap = +-|x_a - x_b| - r
//   else                            n and w stay as they were found    gap = (x_a - x_b) . n - r
//
// The end of a cylinder with the axis e over a triangle touches at the point of its rim that is furthest down, R away
// from its middle along n - (n . e) e: its gap has R sqrt(1 - (n . e)^2) in place of a radius.
//
// and everywhere d gap = n . (sum w_a dx_a - sum w_b dx_b), since x_a and x_b are nearest: this makes rate and forces.
// Features are meant without their ends: within a step a point may pass the rim of its triangle.
//
// Friction acts at one point of contact, radius included: of a frame that is the point of the body that is there now,
// c = frame^T (p - origin), so that balls roll; p is the point of the side that has no frame, else midway between both.
// Its way since the begin of the step is sum w (x - x_begin). The stretch of before is turned with what turns, into the
// tangent plane of now and about n as far as both sides turned about it.
#pragma once

#include "lithe/contact/penalty_law.h"

namespace lithe {

struct PenaltySide {
  bool framed = false;
  int corners = 0;
  Vec3<double> in_frame[3]{};  // of its corners
  double weight[3]{0, 0, 0};   // as it was found
  double radius = 0;
  double rim = 0;       // m, of a flat end, framed; its corner is the middle
  Vec3<double> axis{};  // of that, in the frame
  LITHE_HD int vectors() const { return framed ? 4 : corners; }
};

struct PenaltyPair {
  enum class Kind { over_a, over_b, crossed, apart, fixed } kind = Kind::fixed;
  double sign = 1;        // of n against the cross product, or the difference
  Vec3<double> normal{};  // as it was found
  PenaltySide side[2];    // a, b
  LITHE_HD int vectors() const { return side[0].vectors() + side[1].vectors(); }
};
inline constexpr int most_penalty_vectors = 8;

// What a point keeps from step to step.
struct PenaltyHistory {
  Vec3<double> stretch{};  // m
  double tangential = 0;   // N/m
};

template <class T>
struct PenaltyForces {
  T gap = T(0), rate = T(0), normal = T(0);
  Vec3<T> direction{}, friction{}, stretch{};  // n; on a; what is kept
  Vec3<T> point{}, slip{};                     // of contact; velocity of a against b along the surface there
  Vec3<T> force[most_penalty_vectors];         // on the local vectors of a, then of b
  Vec3<T> rub[most_penalty_vectors];           // what friction has in that
};

namespace penalty {

template <class T>
LITHE_HD Vec3<T> scaled(const T& s, const Vec3<T>& a) {
  return {{s * a[0], s * a[1], s * a[2]}};
}
template <class T>
LITHE_HD Vec3<T> less(const Vec3<T>& a, const Vec3<double>& b) {
  return {{a[0] - T(b[0]), a[1] - T(b[1]), a[2] - T(b[2])}};
}
template <class T>
LITHE_HD void add(const T& s, const Vec3<T>& a, Vec3<T>& to) {
  for (int m = 0; m < 3; ++m) to[m] += s * a[m];
}

// Corner i of a side from its local vectors.
template <class T>
LITHE_HD Vec3<T> corner(const PenaltySide& side, const Vec3<T>* x, int i) {
  if (!side.framed) return x[i];
  Vec3<T> sum = x[0];
  for (int m = 0; m < 3; ++m)
    for (int k = 0; k < 3; ++k) sum[k] += side.in_frame[i][m] * x[1 + m][k];
  return sum;
}

template <class T>
struct Nearest {
  T gap;
  Vec3<T> n;
  T weight[2][3];
  Vec3<T> rim{{T(0), T(0), T(0)}};  // from the middle of an end
};

// Of the corner of a side with local vectors `of` over the triangle x: its height, the normal and the weights of its
// foot.
template <class T>
LITHE_HD T over(const PenaltySide& side, const Vec3<T>* of, const Vec3<T>* x, Vec3<T>& n, T* weight, Vec3<T>& rim) {
  const Vec3<T> d1 = x[1] - x[0], d2 = x[2] - x[0];
  n = cross(d1, d2);
  const T area = sqrt(dot(n, n));
  n = scaled(T(1) / area, n);
  Vec3<T> d = corner(side, of, 0) - x[0];
  if (side.rim > 0) {
    Vec3<T> axis{{T(0), T(0), T(0)}};
    for (int m = 0; m < 3; ++m) add(T(side.axis[m]), of[1 + m], axis);
    Vec3<T> across = n;
    add(-dot(n, axis), axis, across);
    rim = scaled(T(-side.rim) / sqrt(dot(across, across)), across);
    d = d + rim;
  }
  weight[1] = dot(cross(d, d2), n) / area;
  weight[2] = dot(cross(d1, d), n) / area;
  weight[0] = T(1) - weight[1] - weight[2];
  return dot(d, n);
}

template <class T>
LITHE_HD Nearest<T> nearest(const PenaltyPair& pair, const Vec3<T>* xa, const Vec3<T>* xb) {
  using Kind = PenaltyPair::Kind;
  const double radius = pair.side[0].radius + pair.side[1].radius;
  Vec3<T> a[3], b[3];
  for (int i = 0; i < pair.side[0].corners; ++i) a[i] = corner(pair.side[0], xa, i);
  for (int i = 0; i < pair.side[1].corners; ++i) b[i] = corner(pair.side[1], xb, i);
  Nearest<T> found;
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < 3; ++i) found.weight[s][i] = T(pair.side[s].weight[i]);
  if (pair.kind == Kind::over_b) {
    found.gap = over(pair.side[0], xa, b, found.n, found.weight[1], found.rim) - T(radius);
  } else if (pair.kind == Kind::over_a) {
    found.gap = over(pair.side[1], xb, a, found.n, found.weight[0], found.rim) - T(radius);
    found.n = scaled(T(-1), found.n);
  } else if (pair.kind == Kind::crossed) {
    const Vec3<T> d = a[1] - a[0], e = b[1] - b[0], r = b[0] - a[0];
    const Vec3<T> square = cross(d, e);
    const T area = dot(square, square);
    found.weight[0][1] = dot(cross(r, e), square) / area;
    found.weight[1][1] = dot(cross(r, d), square) / area;
    for (int s = 0; s < 2; ++s) found.weight[s][0] = T(1) - found.weight[s][1];
    found.n = scaled(T(pair.sign) / sqrt(area), square);
    found.gap = -dot(r, found.n) - T(radius);
  } else if (pair.kind == Kind::apart) {
    Vec3<T> pa = a[0], pb = b[0];
    const int edge = pair.side[0].corners == 2 ? 0 : pair.side[1].corners == 2 ? 1 : -1;
    if (edge >= 0) {
      const Vec3<T>&from = edge == 0 ? a[0] : b[0], &to = edge == 0 ? a[1] : b[1];
      const Vec3<T> d = to - from;
      const T t = dot((edge == 0 ? pb : pa) - from, d) / dot(d, d);
      found.weight[edge][1] = t;
      found.weight[edge][0] = T(1) - t;
      add(t, d, edge == 0 ? pa : pb);
    }
    const Vec3<T> d = pa - pb;
    const T distance = sqrt(dot(d, d));
    found.n = scaled(T(pair.sign) / distance, d);
    found.gap = pair.sign * distance - T(radius);
  } else {
    Vec3<T> d{};
    for (int i = 0; i < pair.side[0].corners; ++i) add(T(pair.side[0].weight[i]), a[i], d);
    for (int i = 0; i < pair.side[1].corners; ++i) add(T(-pair.side[1].weight[i]), b[i], d);
    for (int m = 0; m < 3; ++m) found.n[m] = T(pair.normal[m]);
    found.gap = dot(d, found.n) - T(radius);
  }
  return found;
}

// Weights of the local vectors x for the nearest point, without the radius.
template <class T>
LITHE_HD void vector_weights(const PenaltySide& side, const Vec3<T>* x, const T* weight, const Vec3<T>& rim, T* of) {
  if (!side.framed) {
    for (int i = 0; i < side.corners; ++i) of[i] = weight[i];
    return;
  }
  of[0] = T(1);
  for (int m = 0; m < 3; ++m) {
    of[1 + m] = T(0);
    for (int i = 0; i < side.corners; ++i) of[1 + m] += side.in_frame[i][m] * weight[i];
    if (side.rim > 0) of[1 + m] += dot(rim, x[1 + m]);
  }
}

// The sine by which a side turned about n since the begin of the step; false: nothing of it can tell.
template <class T>
LITHE_HD bool spin(const PenaltySide& side, const Vec3<T>& n, const Vec3<T>* x, const Vec3<double>* begin, T& sine) {
  T turned(0), size(0);
  double all = 0;
  for (int k = 1; k < side.vectors(); ++k) {
    const Vec3<T> d = side.framed ? x[k] : x[k] - x[0];
    const Vec3<double> from = side.framed ? begin[k] : begin[k] - begin[0];
    const Vec3<T> before{{T(from[0]), T(from[1]), T(from[2])}};
    const T up = dot(d, n);
    turned += dot(n, cross(before, d));
    size += dot(d, d) - up * up;
    all += value_of(dot(d, d));
  }
  if (!(value_of(size) > 1e-6 * all)) return false;
  sine = turned / size;
  return value_of(sine) * value_of(sine) < 0.5;
}

// The stretch of before as it lies now.
template <class T>
LITHE_HD Vec3<T> turned(const PenaltyPair& pair, const Vec3<double>& stretch, const Vec3<T>& n, const Vec3<T>* x,
                        const Vec3<double>* begin) {
  Vec3<T> s{{T(stretch[0]), T(stretch[1]), T(stretch[2])}};
  const double length = dot(stretch, stretch);
  if (length == 0) return s;
  add(-dot(s, n), n, s);
  const T square = dot(s, s);
  if (!(value_of(square) > 1e-6 * length)) return Vec3<T>{{T(0), T(0), T(0)}};
  s = scaled(sqrt(T(length) / square), s);
  T sine(0), sum(0);
  int sides = 0, first = 0;
  for (int side = 0; side < 2; ++side) {
    if (spin(pair.side[side], n, x + first, begin + first, sine)) {
      sum += sine;
      ++sides;
    }
    first += pair.side[side].vectors();
  }
  if (sides == 0) return s;
  sum = (1.0 / sides) * sum;
  Vec3<T> result = scaled(sqrt(T(1) - sum * sum), s);
  add(sum, cross(n, s), result);
  return result;
}

}  // namespace penalty

// x, v: local vectors of a, then of b; begin: where they were at the begin of the step.
template <class T>
LITHE_HD void penalty_forces(const PenaltyPair& pair, const PenaltyLaw& law, const PenaltyHistory& history,
                             const Vec3<T>* x, const Vec3<double>* begin, const Vec3<T>* v, PenaltyForces<T>& found) {
  using namespace penalty;
  const int of_a = pair.side[0].vectors(), all = pair.vectors();
  const Nearest<T> at = nearest(pair, x, x + of_a);
  T weight[most_penalty_vectors];
  vector_weights(pair.side[0], x, at.weight[0], at.rim, weight);
  vector_weights(pair.side[1], x + of_a, at.weight[1], at.rim, weight + of_a);
  Vec3<T> rate{{T(0), T(0), T(0)}};
  for (int k = 0; k < all; ++k) add(k < of_a ? weight[k] : -weight[k], v[k], rate);
  found.gap = at.gap;
  found.direction = at.n;
  found.rate = dot(rate, at.n);
  found.normal = penalty_normal(law, found.gap, found.rate);
  found.friction = found.stretch = Vec3<T>{{T(0), T(0), T(0)}};
  for (int k = 0; k < all; ++k) {
    found.force[k] = scaled((k < of_a ? found.normal : -found.normal) * weight[k], at.n);
    found.rub[k] = Vec3<T>{{T(0), T(0), T(0)}};
  }
  // Now the points of the bodies that are at the point of contact.
  Vec3<T> point{{T(0), T(0), T(0)}};
  const bool both = pair.side[0].framed == pair.side[1].framed;
  for (int side = 0, first = 0; side < 2; first += pair.side[side].vectors(), ++side) {
    if (!both && pair.side[side].framed) continue;
    const double share = both ? 0.5 : 1;
    for (int k = 0; k < pair.side[side].vectors(); ++k) add(share * weight[first + k], x[first + k], point);
    add(T((side == 0 ? -share : share) * pair.side[side].radius), at.n, point);
  }
  for (int side = 0, first = 0; side < 2; first += pair.side[side].vectors(), ++side) {
    if (!pair.side[side].framed) continue;
    const Vec3<T> from = point - x[first];
    for (int k = 1; k < 4; ++k) weight[first + k] = dot(from, x[first + k]);
  }
  Vec3<T> way{{T(0), T(0), T(0)}}, slip{{T(0), T(0), T(0)}};
  for (int k = 0; k < all; ++k) {
    const T w = k < of_a ? weight[k] : -weight[k];
    add(w, less(x[k], begin[k]), way);
    add(w, v[k], slip);
  }
  add(-dot(way, at.n), at.n, way);
  add(-dot(slip, at.n), at.n, slip);
  found.point = point;
  found.slip = slip;
  if (!(law.friction > 0 && history.tangential > 0)) return;
  const PenaltyFriction<T> rubs = penalty_friction(law, history.tangential, found.normal,
                                                   turned(pair, history.stretch, at.n, x, begin) + way, slip);
  found.friction = rubs.force;
  found.stretch = rubs.stretch;
  for (int k = 0; k < all; ++k) {
    found.rub[k] = scaled(k < of_a ? weight[k] : -weight[k], rubs.force);
    found.force[k] = found.force[k] + found.rub[k];
  }
}

}  // namespace lithe

// Constraint parts: the scalar functions phi(x_1, ..., x_n) of which all joints are made. Their arguments are 3-vectors
// that are linear in the coordinates (Form), so that with weights w_ik of vector k in argument i
//
//   c = phi(x(q)) - s(t),   dc/dq_k = sum_i w_ik phi_i,   d2c/dq_k dq_l = sum_ij w_ik w_jl phi_ij.
//
//   linear     phi = d . x_1                            a point along a direction of the ground
//   distance   phi = (x_1 . x_1 - l^2) / (2 l)          two points at a distance l; m, gradient of unit length
//   dot        phi = A . B                              directions or a direction and a difference of points
//   angle      phi = sum_k r_k theta_k                  theta = angle of B1 from A1 towards A2 (gears, prescribed
//   angles)
//   advance    phi = A . B + sum_k r_k theta_k          a travel that goes with angles (screw, rack and pinion)
//   on_line    phi = d . (x_1 - r(s))                   a point on an element of a line: s = x_2 . e_x from its start,
//                                                       r cubic through x_3, x_5 with slopes x_4, x_6, straight beyond
//   lengths    phi = sum_k r_k |x_k|                    a rope over sheaves, r_k times between two of them
//   skew       phi = x_1 . x_2 - x_3 . x_4              a mean rotation (distributing connection)
//
// A direction A is an argument itself (base vector of a rigid body, constant of the ground, difference of points), or
// made of gradients: `tangent` x_1 / |x_1|, and `frame` sum_j a_j e_j with the axes of a rule of frame.h.
// First and second derivatives are exact: closed forms for linear, distance and dot of plain arguments, hyper-dual
// numbers for the rest. Everything here is plain: numbers and pointers, for a host or a device.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "lithe/base/hyper_dual.h"
#include "lithe/base/small.h"
#include "lithe/constraints/frame.h"

namespace lithe {

struct DirectionShape {
  enum class Kind { plain, tangent, frame } kind = Kind::plain;
  FrameRule rule = FrameRule::section;
  std::int32_t arguments = 1;  // 1, 1, those of the rule
  Vec3<double> share{};        // frame: components along its axes
};

enum class PartKind { linear, distance, dot, angle, advance, on_line, lengths, skew };

struct PartView {
  PartKind kind;
  std::int32_t arguments;         // how many, all
  std::int32_t thetas;            // angle: how many
  double length;                  // distance: l; on_line: of the element; lengths: smallest
  Vec3<double> along;             // linear, on_line: d
  const DirectionShape* factors;  // dot: A, B; angle: a1, a2, b of every theta; advance: those of both
  const double* ratios;           // angle, lengths: r_k
  const std::int32_t* angles;     // angle: number of theta_k in System::angles, for its turns

  LITHE_HD int count() const { return arguments; }
  LITHE_HD bool is_linear() const { return kind == PartKind::linear; }
};

constexpr int largest_argument_count = 18;  // a gear: two angles, three directions each

template <class T>
LITHE_HD Vec3<T> direction_of(const DirectionShape& d, const Vec3<T>* x) {
  using std::sqrt;
  if (d.kind == DirectionShape::Kind::plain) return x[0];
  if (d.kind == DirectionShape::Kind::tangent) return (T(1) / sqrt(dot(x[0], x[0]))) * x[0];
  Vec3<T> e[3];
  frame_axes(d.rule, x, e);
  return T(d.share[0]) * e[0] + T(d.share[1]) * e[1] + T(d.share[2]) * e[2];
}

// r(s) = sum_k value_k x_k over x = r_a, r'_a, r_b, r'_b of an element of length h, s from its start: Hermite's cubic,
// straight on beyond both ends.
template <class T>
LITHE_HD void line_weights(const T& s, double h, T* value) {
  const double at = frame_detail::plain(s);
  if (at < 0 || at > h) {
    value[0] = T(at < 0 ? 1 : 0);
    value[1] = at < 0 ? s : T(0);
    value[2] = T(at < 0 ? 0 : 1);
    value[3] = at < 0 ? T(0) : s - T(h);
    return;
  }
  const T t = T(1 / h) * s, u = T(1) - t;
  value[0] = u * u * (T(1) + T(2) * t);
  value[1] = s * u * u;
  value[2] = t * t * (T(3) - T(2) * t);
  value[3] = T(-1) * s * t * u;
}
// Their first and second derivatives by s.
struct LineSlopes {
  double first[4] = {}, second[4] = {};
  LITHE_HD LineSlopes(double s, double h) {
    if (s < 0 || s > h) {
      first[s < 0 ? 1 : 3] = 1;
      return;
    }
    const double t = s / h;
    first[2] = 6 * t * (1 - t) / h;
    first[0] = -first[2];
    first[1] = 1 + t * (3 * t - 4);
    first[3] = t * (3 * t - 2);
    second[2] = (6 - 12 * t) / (h * h);
    second[0] = -second[2];
    second[1] = (6 * t - 4) / h;
    second[3] = (6 * t - 2) / h;
  }
};

// theta, the turn nearest to `near`.
LITHE_HD double full_turns(double near, double theta) {
  const double turn = 2 * std::numbers::pi;
  return turn * std::round((near - theta) / turn);
}

// phi over any scalar type. `near`: angles of which those of an angle part are the nearest turn, [number]; null: -pi to
// pi.
template <class T>
LITHE_NOINLINE LITHE_HD T evaluate_part(const PartView& part, const Vec3<T>* x, const double* near) {
  using std::atan2;
  switch (part.kind) {
    case PartKind::linear:
      return T(part.along[0]) * x[0][0] + T(part.along[1]) * x[0][1] + T(part.along[2]) * x[0][2];
    case PartKind::distance:
      return (dot(x[0], x[0]) - T(part.length * part.length)) * T(0.5 / part.length);
    case PartKind::dot: {
      const Vec3<T> a = direction_of(part.factors[0], x);
      const Vec3<T> b = direction_of(part.factors[1], x + part.factors[0].arguments);
      return dot(a, b);
    }
    case PartKind::on_line: {
      T w[4], sum(0);
      line_weights(x[1][0], part.length, w);
      for (int m = 0; m < 3; ++m)
        sum = sum + T(part.along[m]) * (x[0][m] - w[0] * x[2][m] - w[1] * x[3][m] - w[2] * x[4][m] - w[3] * x[5][m]);
      return sum;
    }
    case PartKind::lengths: {
      using std::sqrt;
      T sum(0);
      for (int k = 0; k < part.arguments; ++k)
        sum = sum + T(part.ratios[k]) * sqrt(dot(x[k], x[k]) + T(part.length * part.length));
      return sum;
    }
    case PartKind::skew:
      return dot(x[0], x[1]) - dot(x[2], x[3]);
    case PartKind::angle:
    case PartKind::advance: {
      T sum(0);
      const DirectionShape* factors = part.factors;
      if (part.kind == PartKind::advance) {
        sum = dot(direction_of(factors[0], x), direction_of(factors[1], x + factors[0].arguments));
        x += factors[0].arguments + factors[1].arguments;
        factors += 2;
      }
      for (int k = 0; k < part.thetas; ++k) {
        Vec3<T> d[3];
        for (int i = 0; i < 3; ++i) {
          const DirectionShape& direction = factors[3 * k + i];
          d[i] = direction_of(direction, x);
          x += direction.arguments;
        }
        T theta = atan2(dot(d[2], d[1]), dot(d[2], d[0]));
        if (near) theta = theta + T(full_turns(near[part.angles[k]], frame_detail::plain(theta)));
        sum = sum + T(part.ratios[k]) * theta;
      }
      return sum;
    }
  }
  return T(0);
}

LITHE_HD bool has_closed_form(const PartView& part) {
  if (part.kind == PartKind::angle || part.kind == PartKind::advance) return false;
  return part.kind != PartKind::dot ||
         (part.factors[0].kind == DirectionShape::Kind::plain && part.factors[1].kind == DirectionShape::Kind::plain);
}

LITHE_HD double part_value(const PartView& part, const Vec3<double>* x, const double* near) {
  return evaluate_part<double>(part, x, near);
}

// y = x, n vectors, with the derivatives a along scalar `along_a` and b along scalar `along_b` of [n][3]. Every number
// anew: GCC 12 drops stores that take a derivative back to 0 after a call.
LITHE_HD void seed(const Vec3<double>* x, int n, int along_a, int along_b, Vec3<HyperDual>* y) {
  for (int i = 0; i < n; ++i)
    for (int m = 0; m < 3; ++m) y[i][m] = HyperDual(x[i][m], 3 * i + m == along_a, 3 * i + m == along_b);
}

// Value, and gradient[i] = phi_i.
LITHE_NOINLINE LITHE_HD double part_gradient(const PartView& part, const Vec3<double>* x, const double* near,
                                             Vec3<double>* gradient) {
  switch (part.kind) {
    case PartKind::linear:
      gradient[0] = part.along;
      return dot(part.along, x[0]);
    case PartKind::distance: {
      const double r = 1 / part.length;
      gradient[0] = r * x[0];
      return 0.5 * r * (dot(x[0], x[0]) - part.length * part.length);
    }
    case PartKind::on_line: {
      double w[4];
      const LineSlopes slope(x[1][0], part.length);
      line_weights(x[1][0], part.length, w);
      gradient[0] = part.along;
      gradient[1] = {};
      double value = dot(part.along, x[0]);
      for (int k = 0; k < 4; ++k) {
        gradient[2 + k] = -w[k] * part.along;
        const double along = dot(part.along, x[2 + k]);
        gradient[1][0] -= slope.first[k] * along;
        value -= w[k] * along;
      }
      return value;
    }
    case PartKind::lengths: {
      double value = 0;
      for (int k = 0; k < part.arguments; ++k) {
        const double l = std::sqrt(dot(x[k], x[k]) + part.length * part.length);
        gradient[k] = (part.ratios[k] / l) * x[k];
        value += part.ratios[k] * l;
      }
      return value;
    }
    case PartKind::skew:
      gradient[0] = x[1];
      gradient[1] = x[0];
      gradient[2] = -1.0 * x[3];
      gradient[3] = -1.0 * x[2];
      return dot(x[0], x[1]) - dot(x[2], x[3]);
    default:
      break;
  }
  if (has_closed_form(part)) {
    gradient[0] = x[1];
    gradient[1] = x[0];
    return dot(x[0], x[1]);
  }
  const int n = part.count();
  Vec3<HyperDual> y[largest_argument_count];
  HyperDual value;
  for (int k = 0; k < 3 * n; k += 2) {  // two derivatives at a time
    seed(x, n, k, k + 1, y);
    value = evaluate_part<HyperDual>(part, y, near);
    gradient[k / 3][k % 3] = value.a;
    if (k + 1 < 3 * n) gradient[(k + 1) / 3][(k + 1) % 3] = value.b;
  }
  return value.v;
}

// hessian[i * n + j] = phi_ij, n = part.count().
LITHE_NOINLINE LITHE_HD void part_hessian(const PartView& part, const Vec3<double>* x, Mat3<double>* hessian) {
  const int n = part.count();
  for (int i = 0; i < n * n; ++i) hessian[i] = Mat3<double>{};
  if (part.kind == PartKind::linear) return;
  if (part.kind == PartKind::on_line) {
    const LineSlopes slope(x[1][0], part.length);
    for (int k = 0; k < 4; ++k) {
      hessian[1 * n + 1][0][0] -= slope.second[k] * dot(part.along, x[2 + k]);
      for (int m = 0; m < 3; ++m)
        hessian[1 * n + 2 + k][0][m] = hessian[(2 + k) * n + 1][m][0] = -slope.first[k] * part.along[m];
    }
    return;
  }
  if (part.kind == PartKind::lengths) {
    for (int k = 0; k < n; ++k) {
      const double l = std::sqrt(dot(x[k], x[k]) + part.length * part.length), r = part.ratios[k] / l;
      for (int m = 0; m < 3; ++m)
        for (int o = 0; o < 3; ++o) hessian[k * n + k][m][o] = r * ((m == o) - x[k][m] * x[k][o] / (l * l));
    }
    return;
  }
  if (part.kind == PartKind::skew) {
    for (int m = 0; m < 3; ++m) {
      hessian[0 * n + 1][m][m] = hessian[1 * n + 0][m][m] = 1;
      hessian[2 * n + 3][m][m] = hessian[3 * n + 2][m][m] = -1;
    }
    return;
  }
  if (has_closed_form(part)) {
    const bool distance = part.kind == PartKind::distance;
    for (int m = 0; m < 3; ++m) {
      if (distance) hessian[0][m][m] = 1 / part.length;
      else hessian[1][m][m] = hessian[2][m][m] = 1;
    }
    return;
  }
  Vec3<HyperDual> y[largest_argument_count];
  for (int k = 0; k < 3 * n; ++k)
    for (int l = k; l < 3 * n; ++l) {
      seed(x, n, k, l, y);
      const double second = evaluate_part<HyperDual>(part, y, nullptr).ab;
      hessian[(k / 3) * n + l / 3][k % 3][l % 3] = second;
      hessian[(l / 3) * n + k / 3][l % 3][k % 3] = second;
    }
}

// sum_ij u_i phi_ij u_j: what the velocities u of the arguments add to the second rate of phi.
LITHE_NOINLINE LITHE_HD double part_curvature(const PartView& part, const Vec3<double>* x, const Vec3<double>* u) {
  if (part.kind == PartKind::linear) return 0;
  if (part.kind == PartKind::distance) return dot(u[0], u[0]) / part.length;
  if (part.kind == PartKind::on_line) {
    const LineSlopes slope(x[1][0], part.length);
    const double rate = u[1][0];
    double sum = 0;
    for (int k = 0; k < 4; ++k)
      sum -=
          rate * (slope.second[k] * rate * dot(part.along, x[2 + k]) + 2 * slope.first[k] * dot(part.along, u[2 + k]));
    return sum;
  }
  if (part.kind == PartKind::lengths) {
    double sum = 0;
    for (int k = 0; k < part.arguments; ++k) {
      const double l2 = dot(x[k], x[k]) + part.length * part.length, along = dot(x[k], u[k]);
      sum += part.ratios[k] * (dot(u[k], u[k]) - along * along / l2) / std::sqrt(l2);
    }
    return sum;
  }
  if (part.kind == PartKind::skew) return 2 * (dot(u[0], u[1]) - dot(u[2], u[3]));
  if (has_closed_form(part)) return 2 * dot(u[0], u[1]);
  Vec3<HyperDual> y[largest_argument_count];
  for (int i = 0; i < part.count(); ++i)
    for (int m = 0; m < 3; ++m) y[i][m] = HyperDual(x[i][m], u[i][m], u[i][m]);
  return evaluate_part<HyperDual>(part, y, nullptr).ab;
}

}  // namespace lithe

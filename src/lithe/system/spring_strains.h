// Strains of springs, written once over the scalar type: e_k(x_1, ..., x_n) of 3-vectors linear in the coordinates.
//
//   spring    e = |x|                          x = p_b - p_a; the length
//   bushing   e_1..3 = A^T (p_b - p_a)         A, B: axes of the bushing as they turn with a and b,
//             e_4..6 = rotation vector of A^T B    frames of constraints/frame.h times a constant rotation
//
// (The angle and the travel of a joint are constraint parts, constraints/part.h.)
#pragma once

#include <cmath>
#include <limits>

#include "lithe/base/hyper_dual.h"
#include "lithe/base/small.h"
#include "lithe/constraints/part_view.h"

namespace lithe {

// The axes of a frame times a constant rotation.
struct TurnedFrame {
  FrameRule rule = FrameRule::section;
  Mat3<double> turn{};
};

// What else acts on the coordinate of a joint; forces against its growth.
struct JointForces {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double friction = 0, slow = 1;  // (friction + coefficient N) tanh(rate / slow)
  double coefficient = 0;         // N: State::slots.values[pressed]
  std::int32_t pressed = -1;
  double lower = -none, upper = none, stop = 0, bump = 0, width = 1;  // stiffness and damping beyond the limits
  // Friction and limits that hold exactly, as contacts (dynamics/joint_contacts.h): nothing of them is a spring.
  bool exact = false;
  double restitution = 0;               // of limits
  std::int32_t held_by = -1;            // joint whose force across its line is N
  std::int32_t exerted = -1;            // State::slots.values[exerted]: force of the last step
  double kp = 0, kd = 0, limit = none;  // -limit tanh((kp (s - e) + kd (s' - rate)) / limit)
};

// Numbers of one spring, plain. Its arguments: length: b - a; frames: b - a, arguments of the frames of a and b; angle:
// those of its directions; travel: those of its axis, b - a; cone: an axis of a, of b; lengths: from each point of a
// rope to the next.
struct SpringLaw {
  enum class Kind { length, angle, frames, travel, lengths, cone } kind = Kind::length;
  int strains = 1;  // 1; frames: 3 or, with torsion, 6
  double stiffness[6] = {}, damping[6] = {}, rest[6] = {};
  double start[6] = {};  // strains of the reference configuration: statics ramp the rest from there
  double actuator_sign = 1;
  double smallest_length = 0;
  TurnedFrame frame_a, frame_b;
  DirectionShape factors[3];  // angle: a1, a2, b; travel: axis, b - a; cone: axis of a, of b
  double ratio = 1;
  std::int32_t angle = -1;  // number in System::angles
  double offset = 0;        // travel: axis . (b - a) in the reference configuration
  bool bent = false;        // has more than stiffness and damping: `joint`, or the spring's ForceLaw
  bool viscous = false;     // the force depends on the rate
  JointForces joint;
  double falls[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};  // lengths: of the rope between two points
  double EA = 0, rope_damping = 0;                // lengths: pulls while it is longer than its rest
  bool driven = false;                            // lengths: the rest follows the spring's target

  // Of an angle, a travel or the length of a rope with this many parts.
  LITHE_HD PartView part(std::int32_t count) const {
    if (kind == Kind::lengths) return {PartKind::lengths, count, count, smallest_length, {}, factors, falls, &angle};
    if (kind == Kind::travel || kind == Kind::cone)
      return {PartKind::dot, factors[0].arguments + factors[1].arguments, 0, 0, {}, factors, &ratio, &angle};
    const std::int32_t arguments = factors[0].arguments + factors[1].arguments + factors[2].arguments;
    return {PartKind::angle, arguments, 1, 0, {}, factors, &ratio, &angle};
  }
};

// phi / sin(phi) over c = cos(phi), analytic at c = 1: its series in 1 - c there, elsewhere the closed form with
// (1 - c^2) h' = c h - 1.
struct AngleOverSine {
  double value = 0, first = 0, second = 0;
  LITHE_HD explicit AngleOverSine(double c) {
    const double u = 1 - c;
    if (u < 0.3) {
      constexpr int terms = 26;
      double a[terms] = {1};
      for (int k = 1; k < terms; ++k) a[k] = a[k - 1] * k / (2 * k + 1);
      for (int k = terms - 1; k >= 0; --k) {
        second = second * u + first;
        first = first * u + value;
        value = value * u + a[k];
      }
      first = -first;
      second *= 2;
      return;
    }
    c = std::fmax(c, -1 + 1e-9);  // half a turn has no rotation vector
    const double s2 = 1 - c * c;
    value = std::acos(c) / std::sqrt(s2);
    first = (c * value - 1) / s2;
    second = (value + 3 * c * first) / s2;
  }
};
LITHE_HD double angle_over_sine(double c) { return AngleOverSine(c).value; }
LITHE_HD HyperDual angle_over_sine(const HyperDual& c) {
  const AngleOverSine h(c.v);
  return c.chain(h.value, h.first, h.second);
}

// Axes of a frame times a constant rotation, by columns.
template <class T>
struct Axes {
  Vec3<T> axis[3];
  LITHE_HD Axes(const TurnedFrame& frame, const Vec3<T>* x) {
    Vec3<T> e[3];
    frame_axes(frame.rule, x, e);
    const Mat3<double>& turn = frame.turn;
    for (int k = 0; k < 3; ++k) axis[k] = T(turn[0][k]) * e[0] + T(turn[1][k]) * e[1] + T(turn[2][k]) * e[2];
  }
};

template <class T>
LITHE_HD void evaluate_strains(const SpringLaw& spring, const Vec3<T>* x, T* e) {
  using std::sqrt;
  if (spring.kind == SpringLaw::Kind::length) {
    // The square under the root keeps a spring of no length finite; it is below rounding for any other.
    e[0] = sqrt(dot(x[0], x[0]) + T(spring.smallest_length * spring.smallest_length));
    return;
  }
  const Axes<T> A(spring.frame_a, x + 1);
  for (int k = 0; k < 3; ++k) e[k] = dot(A.axis[k], x[0]);
  if (spring.strains == 3) return;
  const Axes<T> B(spring.frame_b, x + 1 + frame_argument_count(spring.frame_a.rule));
  const auto R = [&](int i, int j) { return dot(A.axis[i], B.axis[j]); };
  const T c = T(0.5) * (R(0, 0) + R(1, 1) + R(2, 2) - T(1));
  const T half = T(0.5) * angle_over_sine(c);
  e[3] = half * (R(2, 1) - R(1, 2));
  e[4] = half * (R(0, 2) - R(2, 0));
  e[5] = half * (R(1, 0) - R(0, 1));
}

}  // namespace lithe

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
//
// A direction A is an argument itself (base vector of a rigid body, constant of the ground, difference of points), or
// made of gradients: `tangent` x_1 / |x_1|, and `frame` sum_j a_j e_j with the axes of a rule of frame.h.
// First and second derivatives are exact: closed forms for linear, distance and dot of plain arguments, hyper-dual
// numbers for the rest.
#pragma once

#include <array>
#include <vector>

#include "lithe/base/small.h"
#include "lithe/constraints/form.h"
#include "lithe/constraints/frame.h"

namespace lithe {

struct Direction {
  enum class Kind { plain, tangent, frame } kind = Kind::plain;
  std::vector<Form> arguments;  // 1, 1, those of the rule
  Vec3<double> share{};         // frame: components along its axes
  FrameRule rule = FrameRule::section;
};

// theta = atan2(b . a2, b . a1), counted on from turn to turn.
struct Angle {
  Direction a1, a2, b;
};

struct Part {
  enum class Kind { linear, distance, dot, angle } kind = Kind::linear;
  Vec3<double> along{};            // linear: d
  double length = 0;               // distance: l
  std::vector<Direction> factors;  // dot: A, B; angle: a1, a2, b of every theta
  std::vector<double> ratios;      // angle: r_k
  std::vector<int> angles;         // angle: number of theta_k in System::angles, for its turns
  std::vector<Form> arguments;     // all arguments in order

  static Part linear(const Vec3<double>& along, Form x);
  static Part distance(Form difference, double length);
  static Part dot(Direction a, Direction b);
  static Part angle(const std::vector<Angle>& thetas, const std::vector<double>& ratios,
                    const std::vector<int>& numbers);

  int count() const { return static_cast<int>(arguments.size()); }
  bool is_linear() const { return kind == Kind::linear; }
};

constexpr int largest_argument_count = 18;  // a gear: two angles, three directions each

// `near`: angles of which those of an angle part are the nearest turn, [number]; may be empty for other parts.
double part_value(const Part& part, const Vec3<double>* x, const std::vector<double>& near);
// Value, and gradient[i] = phi_i.
double part_gradient(const Part& part, const Vec3<double>* x, const std::vector<double>& near, Vec3<double>* gradient);
// hessian[i * n + j] = phi_ij, n = part.count().
void part_hessian(const Part& part, const Vec3<double>* x, Mat3<double>* hessian);
// sum_ij u_i phi_ij u_j: what the velocities u of the arguments add to the second rate of phi.
double part_curvature(const Part& part, const Vec3<double>* x, const Vec3<double>* u);

// The angle itself, the turn nearest to `near`, and its rate.
double angle_value(const Angle& angle, const std::vector<double>& q, double near);
Vec3<double> direction_value(const Direction& direction, const std::vector<double>& q);

}  // namespace lithe

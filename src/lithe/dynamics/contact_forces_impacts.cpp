// Impacts on penalty contacts that a step is too long for. Two sides of masses m_a, m_b at a point come together with
// v:
//
//   1/m = sum w^2 / m_i over the vectors of a side that deforms; 1/m_b + (r x n) . I^-1 (r x n) of a rigid one
//   m v^2 / 2 = k d^(e + 1) / (e + 1)    the depth d that they reach, without damping
//   pi d / v                             how long they touch: pi sqrt(m / k) for e = 1, 2.94 d / v for e = 1.5 (Hertz)
//
// A tenth of that resolves the impact. Joints and neighbours, which make m larger, are left out.
#include <cmath>
#include <numbers>

#include "lithe/dynamics/contact_forces.h"

namespace lithe {

namespace {

constexpr double steps_in_touch = 10;

}  // namespace

// n: of the contact; local: the first local vector of the side.
double ContactForces::inverse_mass(const Point& point, int s, const Vec3<double>& n) const {
  if (surfaces_.is_obstacle(point.surface[s])) return 0;
  const PenaltySide& side = point.pair.side[s];
  const int local = s == 0 ? 0 : point.pair.side[0].vectors();
  if (!side.framed) {
    double sum = 0;
    for (int i = 0; i < side.corners; ++i)
      surfaces_.for_corner(point.corner[s][i], [&](int vector, double weight) {
        const double w = side.weight[i] * weight;
        if (mass_[vector] > 0) sum += w * w / mass_[vector];
      });
    return sum;
  }
  const auto& M = system_.bodies[surfaces_.owner(point.surface[s])].rigid_mass;  // m, three zeros, J
  const Vec3<double>* frame = &point.x[local];
  const Vec3<double> from = point.forces.point - frame[0];
  Vec3<double> r, along;
  for (int m = 0; m < 3; ++m) r[m] = dot(from, frame[1 + m]), along[m] = dot(n, frame[1 + m]);
  const Mat3<double> J{{{M[4], M[5], M[6]}, {M[5], M[7], M[8]}, {M[6], M[8], M[9]}}};
  const double trace = J[0][0] + J[1][1] + J[2][2];
  Mat3<double> I;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I[i][j] = (i == j ? trace : 0) - J[i][j];
  const Vec3<double> arm = cross(r, along);
  return 1 / M[0] + dot(arm, inverse(I) * arm);
}

// Of what came to press in this step.
void ContactForces::look_at_impacts(double h) {
  coarse_ = {};
  double most = 0;
  for (const Point& point : points_) {
    if (!point.presses() || !(point.approach > 0)) continue;
    const Vec3<double>& n = point.forces.direction;
    const double inverse = inverse_mass(point, 0, n) + inverse_mass(point, 1, n), v = point.approach;
    if (!(inverse > 0)) continue;
    const double energy = 0.5 * v * v / inverse, e = point.law.exponent,
                 depth = std::pow((e + 1) * energy / point.law.stiffness, 1 / (e + 1)),
                 needed = std::numbers::pi * depth / v / steps_in_touch;
    if (h <= needed) continue;
    coarse_.energy += energy;
    if (energy <= most) continue;
    most = energy;
    coarse_.step = needed;
    coarse_.pair = surfaces_.name(point.surface[0]) + " and " + surfaces_.name(point.surface[1]);
  }
}

}  // namespace lithe

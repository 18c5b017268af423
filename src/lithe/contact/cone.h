// The cone of Coulomb of one contact, K_mu: |R_T| <= mu R_N, and the natural map over it (contact_solver.h). Where R_N
// is given it is the disc that the cone has there.
#pragma once

#include <algorithm>
#include <cmath>

#include "lithe/base/small.h"

namespace lithe {

// As hypot, which takes four times as long to spare numbers below 1e-154.
inline double length_of(double a, double b) { return std::sqrt(a * a + b * b); }

struct FrictionCone {
  double friction;
  double given = -1;  // R_N; negative: found
  FrictionCone(double mu, double normal = -1) : friction(mu), given(normal) {}
  bool is_given() const { return given >= 0; }
  FrictionCone times(double factor) const { return {friction, is_given() ? factor * given : given}; }
};

// Its nearest point.
inline Vec3<double> project_to_cone(const FrictionCone& cone, const Vec3<double>& R) {
  const double tangent = length_of(R[1], R[2]), mu = cone.friction;
  if (cone.is_given()) {
    const double limit = mu * cone.given, share = tangent <= limit ? 1 : limit / tangent;
    return {{cone.given, share * R[1], share * R[2]}};
  }
  if (tangent <= mu * R[0] && R[0] >= 0) return R;
  if (mu * tangent <= -R[0]) return {{0, 0, 0}};
  const double normal = (R[0] + mu * tangent) / (1 + mu * mu), share = mu * normal / tangent;
  return {{normal, share * R[1], share * R[2]}};
}

// De Saxce's shift, mu |U_T|. A given R_N has none.
inline double cone_shift(const FrictionCone& cone, double first, double second) {
  return cone.is_given() ? 0 : cone.friction * length_of(first, second);
}

// U + mu |U_T| n.
inline Vec3<double> shifted_velocity(const FrictionCone& cone, const Vec3<double>& U) {
  return {{U[0] + cone_shift(cone, U[1], U[2]), U[1], U[2]}};
}

// w e = w R - P_K(w R - (U + mu |U_T| n)) in m/s: also where w = 0.
inline Vec3<double> natural_map(const FrictionCone& cone, double w, const Vec3<double>& R, const Vec3<double>& U) {
  const Vec3<double> scaled = w * R;
  return scaled - project_to_cone(cone.times(w), scaled - shifted_velocity(cone, U));
}

// Of a symmetric block of 3 x 3, row major.
inline double largest_eigenvalue(const double* W) {
  const double mean = (W[0] + W[4] + W[8]) / 3, a = W[0] - mean, b = W[4] - mean, c = W[8] - mean;
  const double spread = std::sqrt((a * a + b * b + c * c + 2 * (W[1] * W[1] + W[2] * W[2] + W[5] * W[5])) / 6);
  if (!(spread > 0)) return mean;
  const double det = a * (b * c - W[5] * W[5]) - W[1] * (W[1] * c - W[5] * W[2]) + W[2] * (W[1] * W[5] - b * W[2]);
  return mean + 2 * spread * std::cos(std::acos(std::clamp(det / (2 * spread * spread * spread), -1.0, 1.0)) / 3);
}

}  // namespace lithe

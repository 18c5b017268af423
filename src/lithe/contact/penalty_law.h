// Forces of a point of contact that gives way, P1's law: with the depth d = -gap, its rate and the velocity u_T of a
// against b in the tangent plane,
//
//   normal     F = k d^e (1 - c gap'), never less than 0          (K. H. Hunt, F. R. E. Crossley 1975)
//   friction   f = -k_T (s + tau u_T), no longer than mu F        on a
//
// s is the tangential stretch: what a went over b since they stick, which the point keeps from step to step. Where the
// limit is reached the point slides, and as much of s is kept as the force holds. k_T never depends on F within a step:
// a spring that stiffens while it is stretched would give more back than it took.
#pragma once

#include "lithe/base/duals.h"
#include "lithe/base/small.h"

namespace lithe {

struct PenaltyLaw {
  double stiffness = 0, exponent = 1.5;  // N/m^exponent
  double damping = 0;                    // s/m
  double friction = 0;
  double tangential_damping = 0;  // s
};

template <class T>
LITHE_HD T penalty_normal(const PenaltyLaw& law, const T& gap, const T& rate) {
  if (value_of(gap) > 0) return T(0);
  const T force = law.stiffness * power(-gap, law.exponent) * (T(1) - law.damping * rate);
  return value_of(force) > 0 ? force : T(0);
}

template <class T>
struct PenaltyFriction {
  Vec3<T> force{};    // N, on a
  Vec3<T> stretch{};  // m, what is kept
  bool slides = false;
};
// `tangential`: k_T, N/m; stretch and rate lie in the tangent plane.
template <class T>
LITHE_HD PenaltyFriction<T> penalty_friction(const PenaltyLaw& law, double tangential, const T& normal,
                                             const Vec3<T>& stretch, const Vec3<T>& rate) {
  PenaltyFriction<T> found;
  found.stretch = stretch;
  for (int m = 0; m < 3; ++m) found.force[m] = -tangential * (stretch[m] + law.tangential_damping * rate[m]);
  const T square = dot(found.force, found.force), most = law.friction * normal;
  if (value_of(square) <= value_of(most) * value_of(most)) return found;
  found.slides = true;
  const T share = most / sqrt(square);
  for (int m = 0; m < 3; ++m) {
    found.force[m] = share * found.force[m];
    found.stretch[m] = (-1 / tangential) * found.force[m] - law.tangential_damping * rate[m];
  }
  return found;
}

}  // namespace lithe

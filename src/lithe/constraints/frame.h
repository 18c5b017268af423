// The rotation of a flexible body at a point, from the images x_k = F e_k of three material unit vectors there (F the
// deformation gradient; x_k are linear in the coordinates). F has nine numbers, a rotation three: the rules say which
// of them stand for it. A gradient across the direction in which a body is thin or long (r_x of a beam) carries no
// moment but through shear, over one element; it is left out (docs/theory/constraints.md).
//
//   section    x_1, x_2 lie in the section; e_0 is its normal:
//              e_0 ~ x_1 x x_2,   e_1 ~ x_1 + x_2 x e_0,   e_2 = e_0 x e_1
//   director   x_2 is a director; x_0 and x_1 turn about it, both alike:
//              e_2 ~ x_2,   e_0 ~ x_0 + x_1 x e_2 less its part along e_2,   e_1 = e_2 x e_0
//   polar      the rotation of the polar decomposition of (x_0, x_1, x_2), all alike
//
// In the plane of two vectors x_1, x_2 that were e_1, e_2, the polar rotation by theta has (x_1 . e_1 + x_2 . e_2) sin
// theta = (x_1 . e_2 - x_2 . e_1) cos theta, which is the direction of x_1 + x_2 x e_0: both vectors count alike.
#pragma once

#include <cmath>

#include "lithe/base/small.h"

namespace lithe {

enum class FrameRule { section, director, polar };

constexpr int frame_argument_count(FrameRule rule) { return rule == FrameRule::section ? 2 : 3; }
constexpr int most_frame_arguments = 3;

namespace frame_detail {
LITHE_HD double plain(double x) { return x; }
template <class T>
LITHE_HD double plain(const T& x) {
  return x.v;
}
template <class T>
LITHE_HD Vec3<T> normalised(const Vec3<T>& x) {
  using std::sqrt;
  return (T(1) / sqrt(dot(x, x))) * x;
}

// N. J. Higham, SIAM J. Sci. Stat. Comput. 7 (1986): X <- (X + X^-T) / 2 converges to the rotation, quadratically. Once
// the values stand, a round makes the first derivatives exact, and another one the second.
template <class T>
LITHE_HD void polar_axes(const Vec3<T>* x, Vec3<T>* e) {
  for (int k = 0; k < 3; ++k) e[k] = x[k];
  int after = 0;
  for (int round = 0; round < 50 && after < 2; ++round) {
    // Columns of X^-T are the dual vectors.
    const Vec3<T> a = cross(e[1], e[2]), b = cross(e[2], e[0]), c = cross(e[0], e[1]);
    const T factor = T(1) / dot(e[0], a);
    const Vec3<T> dual[3] = {factor * a, factor * b, factor * c};
    double change = 0;
    for (int k = 0; k < 3; ++k) {
      for (int m = 0; m < 3; ++m) change = std::fmax(change, std::fabs(plain(dual[k][m]) - plain(e[k][m])));
      e[k] = T(0.5) * (e[k] + dual[k]);
    }
    if (change < 1e-14) ++after;
  }
}
}  // namespace frame_detail

// The three axes e[0..2] from the arguments of the rule (x_1, x_2 of a section, all three of the others).
template <class T>
LITHE_HD void frame_axes(FrameRule rule, const Vec3<T>* x, Vec3<T>* e) {
  using frame_detail::normalised;
  if (rule == FrameRule::section) {
    e[0] = normalised(cross(x[0], x[1]));
    e[1] = normalised(x[0] + cross(x[1], e[0]));
    e[2] = cross(e[0], e[1]);
  } else if (rule == FrameRule::director) {
    e[2] = normalised(x[2]);
    const Vec3<T> s = x[0] + cross(x[1], e[2]);
    e[0] = normalised(s - dot(s, e[2]) * e[2]);
    e[1] = cross(e[2], e[0]);
  } else {
    frame_detail::polar_axes(x, e);
  }
}

}  // namespace lithe

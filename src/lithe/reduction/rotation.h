// Rotations: the one nearest to a matrix, and the one of a rotation vector.
#pragma once

#include "lithe/base/small.h"

namespace lithe {

inline constexpr Mat3<double> unit_matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// R of the polar decomposition F = R U, U symmetric and positive definite; needs det F > 0.
Mat3<double> nearest_rotation(const Mat3<double>& F);
// exp of the skew matrix of w.
Mat3<double> rotation_of(const Vec3<double>& w);

}  // namespace lithe

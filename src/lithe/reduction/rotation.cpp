#include "lithe/reduction/rotation.h"

#include <cmath>

namespace lithe {

// Newton's iteration X <- (s X + X^-T / s) / 2 with Higham's scale s, which converges quadratically from any F; it
// depends on F alone, never on the rotation before, so that a restart repeats it (N. J. Higham 1986).
Mat3<double> nearest_rotation(const Mat3<double>& F) {
  const auto size = [](const Mat3<double>& A) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum += A[i][j] * A[i][j];
    return std::sqrt(sum);
  };
  Mat3<double> X = F;
  for (int k = 0; k < 40; ++k) {
    const Mat3<double> Y = transpose(inverse(X));
    const double ratio = size(Y) / size(X), s = k < 3 ? std::sqrt(ratio) : 1;
    double change = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double next = 0.5 * (s * X[i][j] + Y[i][j] / s);
        change = std::fmax(change, std::fabs(next - X[i][j]));
        X[i][j] = next;
      }
    if (change < 1e-8) {  // the next one is exact to rounding
      const Mat3<double> Z = transpose(inverse(X));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) X[i][j] = 0.5 * (X[i][j] + Z[i][j]);
      break;
    }
  }
  return X;
}

Mat3<double> rotation_of(const Vec3<double>& w) {
  const double angle2 = dot(w, w), angle = std::sqrt(angle2);
  // sin(x)/x and (1 - cos x)/x^2; the half angle keeps the second one's digits.
  const double a = angle < 1e-4 ? 1 - angle2 / 6 : std::sin(angle) / angle;
  const double half = angle < 1e-4 ? 1 - angle2 / 24 : std::sin(angle / 2) / (angle / 2), b = 0.5 * half * half;
  const Mat3<double> W{{{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}}};
  Mat3<double> R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      R[i][j] = (i == j ? 1 - b * angle2 : 0) + a * W[i][j] + b * w[i] * w[j];
  return R;
}

}  // namespace lithe

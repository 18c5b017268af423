#include "lithe/contact/local_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lithe {

namespace {

// Below this share of the block nothing is left but rounding.
constexpr double least_block_share = 1e-14;

}  // namespace

LocalContact::LocalContact(const double* W, const FrictionCone& cone)
    : size_(largest_eigenvalue(W)), friction_(cone.friction), given_(cone.given) {
  const bool found = !cone.is_given();
  if (found && !(W[0] > least_block_share * size_)) return;
  inverse_ = found ? 1 / W[0] : 0;
  const double a = W[4] - W[1] * W[1] * inverse_, b = W[5] - W[1] * W[2] * inverse_, d = W[8] - W[2] * W[2] * inverse_;
  const double angle = 0.5 * std::atan2(2 * b, a - d), half = 0.5 * (a + d), radius = length_of(0.5 * (a - d), b);
  cosine_ = std::cos(angle);
  sine_ = std::sin(angle);
  stiffness_[0] = std::max(half + radius, least_block_share * size_);
  stiffness_[1] = std::max(half - radius, least_block_share * size_);
  coupling_[0] = cosine_ * W[1] + sine_ * W[2];
  coupling_[1] = -sine_ * W[1] + cosine_ * W[2];
}

LocalContact::Impulse LocalContact::at(double lambda, double b_N, const double* c) const {
  const double first = -c[0] / (stiffness_[0] + lambda), second = -c[1] / (stiffness_[1] + lambda);
  const double normal = given_ >= 0 ? given_ : -(b_N + coupling_[0] * first + coupling_[1] * second) * inverse_;
  return {normal, first, second};
}

LocalContact::Impulse LocalContact::slide(double b_N, const double* c) {
  // lower lies outside of the cone; upper inside, since |R_T| <= |c| / lambda.
  double lower = 0;
  const double reach = given_ >= 0 ? 1 / (friction_ * given_)
                                   : (1 / (inverse_ * friction_) + length_of(coupling_[0], coupling_[1])) / -b_N;
  double upper = std::min(length_of(c[0], c[1]) * reach, std::numeric_limits<double>::max());
  double lambda = lambda_ < upper ? lambda_ : 0;
  Impulse R = at(upper, b_N, c);
  for (int i = 0; i < 200; ++i) {
    const Impulse now = at(lambda, b_N, c);
    const double square = now.first * now.first + now.second * now.second, tangent = std::sqrt(square);
    const double value = friction_ * now.normal - tangent;
    if (value >= 0) {
      upper = lambda;
      R = now;
    } else lower = lambda;
    if (std::abs(value) <= 1e-15 * tangent && now.normal > 0) {
      R = now;
      break;
    }
    if (!(upper - lower > 1e-15 * upper)) break;
    // Of mu R_N / |R_T| - 1.
    const double first = -now.first / (stiffness_[0] + lambda), second = -now.second / (stiffness_[1] + lambda);
    const double slope = -friction_ * (coupling_[0] * first + coupling_[1] * second) * inverse_ -
                         friction_ * now.normal * (now.first * first + now.second * second) / square;
    const double next = lambda - value / slope;
    lambda = next > lower && next < upper ? next : lower > 0 ? std::sqrt(lower) * std::sqrt(upper) : 1e-3 * upper;
  }
  lambda_ = lambda;
  const double share = friction_ * R.normal / length_of(R.first, R.second);
  return share < 1 ? Impulse{R.normal, share * R.first, share * R.second} : R;
}

Vec3<double> LocalContact::solve(const Vec3<double>& b) {
  const bool found = given_ < 0;
  if (found && (b[0] >= 0 || inverse_ == 0)) return {{0, 0, 0}};
  const double pressed = found ? -b[0] * inverse_ : given_;  // R_N without friction
  if (friction_ * pressed == 0 || size_ == 0) return {{pressed, 0, 0}};
  const double c[2] = {cosine_ * b[1] + sine_ * b[2] + coupling_[0] * pressed,
                       -sine_ * b[1] + cosine_ * b[2] + coupling_[1] * pressed};
  Impulse R = at(0, b[0], c);
  if (length_of(R.first, R.second) > friction_ * R.normal) R = slide(b[0], c);
  return {{R.normal, cosine_ * R.first - sine_ * R.second, sine_ * R.first + cosine_ * R.second}};
}

}  // namespace lithe

// Dual and hyper-dual numbers against derivatives done by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/base/dual.h"
#include "lithe/base/hyper_dual.h"

namespace lithe {
namespace {

TEST(Dual, FollowsTheRulesOfDifferentiation) {
  const double x = 0.7, y = -1.3, dx = 2.5, dy = 0.4;
  const Dual a(x, dx), b(y, dy);
  const auto expect = [](const Dual& got, double v, double d) {
    EXPECT_DOUBLE_EQ(got.v, v);
    EXPECT_DOUBLE_EQ(got.d, d);
  };
  expect(a + b, x + y, dx + dy);
  expect(a - b, x - y, dx - dy);
  expect(-a, -x, -dx);
  expect(a * b, x * y, dx * y + x * dy);
  expect(a / b, x / y, (dx * y - x * dy) / (y * y));
  expect(sqrt(a), std::sqrt(x), dx / (2 * std::sqrt(x)));
  expect(3.0 * a + 2.0, 3 * x + 2, 3 * dx);
  Dual c = a;
  c += b;
  c *= a;
  c -= b;
  c /= a;  // ((x + y) x - y)/x = x + y - y/x
  expect(c, x + y - y / x, dx + dy - (dy * x - y * dx) / (x * x));
}

// An operator that reads its own result as an operand, as in x *= x.
TEST(Dual, MayBeItsOwnOperand) {
  Dual square(3, 1);
  square *= square;
  EXPECT_EQ(square.v, 9);
  EXPECT_EQ(square.d, 6);
  Dual one(3, 1);
  one /= one;
  EXPECT_EQ(one.v, 1);
  EXPECT_EQ(one.d, 0);
}

// f with its value, its first derivatives along a and b and the mixed one, from a table of partial derivatives at (x,
// y).
struct Partials {
  double f, x, y, xx, yy, xy;
};
void expect_near(const HyperDual& got, const Partials& p, const HyperDual& x, const HyperDual& y) {
  EXPECT_NEAR(got.v, p.f, 1e-14);
  EXPECT_NEAR(got.a, p.x * x.a + p.y * y.a, 1e-13);
  EXPECT_NEAR(got.b, p.x * x.b + p.y * y.b, 1e-13);
  EXPECT_NEAR(got.ab, p.x * x.ab + p.y * y.ab + p.xx * x.a * x.b + p.yy * y.a * y.b + p.xy * (x.a * y.b + x.b * y.a),
              1e-13);
}

TEST(HyperDual, HasExactSecondDerivatives) {
  const HyperDual x(1.2, 0.3, -0.8, 0.1), y(0.9, -0.5, 0.7, -0.2);
  const double X = x.v, Y = y.v, r = std::sqrt(X), s = X * X + Y * Y;
  expect_near(x + y, {X + Y, 1, 1, 0, 0, 0}, x, y);
  expect_near(x - y, {X - Y, 1, -1, 0, 0, 0}, x, y);
  expect_near(-x, {-X, -1, 0, 0, 0, 0}, x, y);
  expect_near(x * y, {X * Y, Y, X, 0, 0, 1}, x, y);
  expect_near(x / y, {X / Y, 1 / Y, -X / (Y * Y), 0, 2 * X / (Y * Y * Y), -1 / (Y * Y)}, x, y);
  expect_near(sqrt(x), {r, 0.5 / r, 0, -0.25 / (r * X), 0, 0}, x, y);
  expect_near(atan2(y, x),
              {std::atan2(Y, X), -Y / s, X / s, 2 * X * Y / (s * s), -2 * X * Y / (s * s), (Y * Y - X * X) / (s * s)},
              x, y);
  HyperDual sum = x;
  sum += y;
  expect_near(sum, {X + Y, 1, 1, 0, 0, 0}, x, y);
}

TEST(HyperDual, AngleIsRightInEveryQuadrant) {
  for (int k = 0; k < 16; ++k) {
    const double angle = -3.0 + 6.0 * k / 15, radius = 1.7;
    // Along the circle the angle grows by one, along the radius not at all.
    const HyperDual x(radius * std::cos(angle), -radius * std::sin(angle), std::cos(angle), -std::sin(angle));
    const HyperDual y(radius * std::sin(angle), radius * std::cos(angle), std::sin(angle), std::cos(angle));
    const HyperDual phi = atan2(y, x);
    EXPECT_NEAR(phi.v, angle, 1e-14);
    EXPECT_NEAR(phi.a, 1, 1e-14);
    EXPECT_NEAR(phi.b, 0, 1e-14);
    EXPECT_NEAR(phi.ab, 0, 1e-14);
  }
}

}  // namespace
}  // namespace lithe

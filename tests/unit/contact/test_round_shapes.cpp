// Cylinders: their sides exactly round, their rims within what the prism at their ends leaves.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "lithe/contact/detection.h"
#include "nearest_points.h"
#include "support/contact_scenes.h"

namespace lithe {
namespace {

using fixtures::Placed;
using fixtures::Points;
using fixtures::SceneMaker;
using fixtures::turn_about;

constexpr double radius = 0.4, half = 0.6;
constexpr int facets = 64;
const double within = radius * (1 - std::cos(M_PI / facets));  // that the prism's rim lies inside the round one

std::vector<ContactPoint> detect(const SceneMaker& maker, Activation activation = Activation::speculative) {
  Team team(1);
  return ContactDetection(maker.scene, {}, &team).detect(maker.scene, activation);
}

struct Random {
  std::mt19937 engine{1};
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> d{{number(-1, 1), number(-1, 1), number(-1, 1)}};
      if (dot(d, d) < 1 && dot(d, d) > 0.01) return unit(d);
    }
  }
  Mat3<double> turn() { return turn_about(direction(), number(-3, 3)); }
};

enum Other { ball, capsule, box, tetrahedron, cylinder, others };
const char* names[] = {"ball", "capsule", "box", "tetrahedron", "cylinder"};

// Number of the surface.
int add(SceneMaker& maker, int shape, const Placed& placed) {
  const Vec3<double> z{{placed.turn[0][2], placed.turn[1][2], placed.turn[2][2]}};
  switch (shape) {
    case ball:
      return maker.ball(placed.at, 0.3);
    case capsule:
      return maker.capsule(placed.at - 0.5 * z, placed.at + 0.5 * z, 0.2);
    case box:
      return maker.box({{0.5, 0.7, 0.3}}, placed);
    case tetrahedron:
      return maker.tetrahedron(0.8, placed);
    default:
      return maker.round(radius, half, facets, placed);
  }
}

// Corners of a shape, many on the rims of a cylinder, and the radius around them.
Points corners_of(int shape, const Placed& placed, double& around) {
  SceneMaker maker;
  if (shape == cylinder) maker.cylinder(radius, half, 256, placed);
  else add(maker, shape, placed);
  around = maker.scene.surface[0].radius;
  return maker.scene.corner;
}

TEST(RoundShapes, GapAndNormalAreThoseOfTheNearestPoints) {
  Random random;
  const double gap = 0.02;
  int missed = 0;
  for (int shape = 0; shape < others; ++shape)
    for (int trial = 0; trial < 60; ++trial) {
      SCOPED_TRACE(std::string(names[shape]) + ", trial " + std::to_string(trial));
      const Placed first{{}, random.turn()}, far{5. * random.direction(), random.turn()};
      double none = 0, around = 0;
      const Vec3<double> v =
          fixtures::nearest_difference(corners_of(cylinder, first, none), corners_of(shape, far, around));
      SceneMaker maker;
      maker.round(radius, half, facets, first);
      const int second = static_cast<int>(maker.scene.surface.size());
      add(maker, shape, {far.at + (norm(v) - around - gap) * unit(v), far.turn});
      for (int s = second; s < static_cast<int>(maker.scene.surface.size()); ++s) maker.move(s, (1.5 * gap) * unit(v));
      const auto points = detect(maker);
      if (points.empty() && shape == cylinder) {  // two rims, nearly beside each other
        ++missed;
        continue;
      }
      ASSERT_FALSE(points.empty());
      // Is its side nearest to a rod or a ball? Then it is exact.
      const Vec3<double> axis{{first.turn[0][2], first.turn[1][2], first.turn[2][2]}}, n = unit(v);
      const bool side = std::abs(dot(n, axis)) < 1e-3 && shape < box;
      const double off = side ? 4e-5 : (shape == cylinder ? 4 : 2) * within;
      bool found = false;
      for (const auto& one : points) {
        found = found || (std::abs(one.gap - gap) < off && dot(one.normal, n) > (side ? 1 - 1e-4 : 0.95));
        EXPECT_GT(one.gap, dot(one.normal, n) * gap - off);  // no other is reached before
      }
      EXPECT_TRUE(found);
      for (const auto& one : points) EXPECT_NEAR(dot(one.a.point - one.b.point, one.normal), one.gap, 1e-14);
    }
  EXPECT_LE(missed, 1);
}

// Upon a plane and upon a face: two points below the axis, however it is turned about itself; exact.
TEST(RoundShapes, LyingOnesHaveTwoPointsBelowTheirAxis) {
  for (const bool plane : {true, false})
    for (int i = 0; i < 50; ++i) {
      SCOPED_TRACE(testing::Message() << plane << ", " << i);
      const Mat3<double> lean = turn_about({{0, 1, 0}}, 0.3);
      const Vec3<double> up = lean * Vec3<double>{{0, 0, 1}};
      SceneMaker maker;
      if (plane) maker.plane({}, up);
      else maker.box({{2, 2, 0.5}}, {-0.5 * up, lean});
      const Mat3<double> turn = lean * turn_about({{1, 0, 0}}, -M_PI / 2) * turn_about({{0, 0, 1}}, 0.01 * i);
      const Vec3<double> at = lean * Vec3<double>{{0.03 * i - 0.8, 0.1, radius - 1e-13}};
      maker.round(radius, half, facets, {at, turn});
      maker.scene.before = maker.scene.corner;
      for (int s = 1; s < 3; ++s) maker.move(s, lean * Vec3<double>{{0.01, 0, 0}});
      for (std::size_t c = 0; c < maker.scene.corner.size(); ++c)
        maker.scene.before[c] = maker.scene.corner[c] - maker.scene.move[c];
      const auto points = detect(maker);
      int low = 0;
      for (const auto& one : points) {
        EXPECT_NEAR(dot(one.normal, up), -1, 1e-12);
        EXPECT_NEAR(one.gap, -1e-13, 1e-14);
        EXPECT_NEAR(std::abs(dot(one.b.point - at, Vec3<double>{{0, 1, 0}})), half, 1e-12);
        EXPECT_NEAR(norm(cross(one.b.point - at + radius * up, Vec3<double>{{0, 1, 0}})), 0, 1e-12);
        ++low;
      }
      EXPECT_EQ(low, 2);
    }
}

TEST(RoundShapes, StandingOnesHaveAllOfTheirRim) {
  for (const bool plane : {true, false}) {
    SceneMaker maker;
    if (plane) maker.plane({}, {{0, 0, 1}});
    else maker.box({{1, 1, 0.5}}, {{{0, 0, -0.5}}});
    for (int s = maker.round(radius, half, facets, {{{0, 0, half - 1e-9}}}), end = s + 2; s < end; ++s)
      maker.move(s, {{0, 0, -1e-6}});
    const auto points = detect(maker);
    EXPECT_EQ(points.size(), facets) << plane;
    for (const auto& one : points) {
      EXPECT_NEAR(one.normal[2], -1, 1e-12);
      EXPECT_NEAR(one.gap, -1e-9, 1e-13);
    }
  }
}

// Over the rim of a table: where the rims cross, and what of the round one is upon it.
TEST(RoundShapes, EndsOverATableAreHeldAsFarAsItGoes) {
  SceneMaker maker;
  maker.box({{1, 1, 0.5}}, {{{-1, 0, -0.5}}});
  maker.round(radius, half, facets, {{{0.1, 0, half - 1e-9}}});
  double furthest = -1, side = 0;
  for (const auto& one : detect(maker)) {
    EXPECT_NEAR(one.normal[2], -1, 1e-9);
    EXPECT_NEAR(one.gap, -1e-9, 1e-12);
    furthest = std::max(furthest, one.a.point[0]);
    if (one.a.point[0] > -1e-9) side = std::max(side, one.a.point[1]);
  }
  EXPECT_NEAR(furthest, 0, 1e-9);
  EXPECT_NEAR(side, std::sqrt(radius * radius - 0.01), 2 * within);
}

TEST(RoundShapes, BallsOnTheEndAndOnTheSide) {
  for (const double gap : {0.01, -0.01}) {
    SceneMaker end;
    end.round(radius, half, facets);
    const int upon = end.ball({{0.3, 0, half + 0.1 + gap}}, 0.1);
    end.move(upon, {{0, 0, -0.02}});
    auto points = detect(end);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].normal[2], -1, 1e-12);
    EXPECT_NEAR(points[0].gap, gap, 1e-12);

    SceneMaker side;
    side.round(radius, half, facets);
    const int beside =
        side.ball({{(radius + 0.1 + gap) * std::cos(0.02), (radius + 0.1 + gap) * std::sin(0.02), 0.3}}, 0.1);
    side.move(beside, {{-0.02, 0, 0}});
    points = detect(side);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].normal[0], -std::cos(0.02), 1e-12);
    EXPECT_NEAR(points[0].gap, gap, 1e-12);
  }
}

}  // namespace
}  // namespace lithe

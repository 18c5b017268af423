// Tubes from within: what is round meets a round bore, where points of the wall are tried one by one it is nearest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>

#include "lithe/contact/containment.h"
#include "lithe/contact/detection.h"
#include "support/contact_scenes.h"

namespace lithe {
namespace {

using fixtures::Placed;
using fixtures::SceneMaker;
using fixtures::turn_about;

constexpr double inner = 0.5, outer = 0.6, half = 0.4;
constexpr int facets = 64;

std::vector<ContactPoint> detect(const SceneMaker& maker) {
  Team team(1);
  return ContactDetection(maker.scene, {}, &team).detect(maker.scene);
}

// Of a point to a solid: a rod with half balls at its ends, or with flat ones; negative within.
struct Rod {
  Vec3<double> from, to;
  double radius;
  bool flat;
  double distance(const Vec3<double>& x) const {
    const Vec3<double> d = to - from;
    const double length = norm(d), up = length > 0 ? dot(x - from, d) / length : 0;
    const double clamped = std::clamp(up, 0.0, length);
    const Vec3<double> on = length > 0 ? from + (clamped / length) * d : from;
    if (!flat) return norm(x - on) - radius;
    const double out = norm(x - from - (up / length) * d) - radius, beyond = std::max(-up, up - length);
    return out > 0 && beyond > 0 ? std::hypot(out, beyond) : std::max(out, beyond);
  }
};

// Least distance of a surface of turning by trying it: first everywhere, then ever finer around the best of it. Of u
// from -1 to 1: radius and height.
template <class Profile>
double tried(const Rod& rod, Profile&& profile) {
  double best = 1e9, u0 = 0, angle0 = 0;
  const auto look = [&](double u, double angle) {
    u = std::clamp(u, -1.0, 1.0);
    const auto [radius, height] = profile(u);
    const double value = rod.distance({{radius * std::cos(angle), radius * std::sin(angle), height}});
    if (value < best) best = value, u0 = u, angle0 = angle;
  };
  for (int i = 0; i <= 40; ++i)
    for (int j = 0; j < 180; ++j) look(i / 20.0 - 1, 2 * M_PI * j / 180);
  double du = 1 / 20.0, da = 2 * M_PI / 180;
  for (int round = 0; round < 12; ++round, du *= 0.4, da *= 0.4) {
    const double u = u0, angle = angle0;
    for (int i = -4; i <= 4; ++i)
      for (int j = -4; j <= 4; ++j) look(u + 0.25 * i * du, angle + 0.25 * j * da);
  }
  return best;
}
double of_bore(const Rod& rod) {
  return tried(rod, [](double u) { return std::pair(inner, half * u); });
}
double of_the_rest(const Rod& rod) {  // clear of the rims of the bore
  constexpr double beside = inner + 0.2 * (outer - inner);
  const double below = tried(rod, [](double u) { return std::pair(beside + (outer - beside) * 0.5 * (u + 1), -half); });
  const double above = tried(rod, [](double u) { return std::pair(beside + (outer - beside) * 0.5 * (u + 1), half); });
  return std::min({below, above, tried(rod, [](double u) { return std::pair(outer, half * u); })});
}

struct Random {
  std::mt19937 engine{7};
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> d{{number(-1, 1), number(-1, 1), number(-1, 1)}};
      if (dot(d, d) < 1 && dot(d, d) > 0.01) return unit(d);
    }
  }
};

enum Kind { ball, capsule, cylinder };
const char* names[] = {"ball", "capsule", "cylinder"};

int add(SceneMaker& maker, Kind kind, const Rod& rod) {
  if (kind == ball) return maker.ball(rod.from, rod.radius);
  if (kind == capsule) return maker.capsule(rod.from, rod.to, rod.radius);
  const Vec3<double> z = unit(rod.to - rod.from),
                     x = unit(cross(z, std::abs(z[2]) < 0.9 ? Vec3<double>{{0, 0, 1}} : Vec3<double>{{1, 0, 0}})),
                     y = cross(z, x);
  Mat3<double> turn;
  for (int i = 0; i < 3; ++i) turn[i][0] = x[i], turn[i][1] = y[i], turn[i][2] = z[i];
  return maker.round(rod.radius, 0.5 * norm(rod.to - rod.from), facets, {0.5 * (rod.from + rod.to), turn});
}

// Within, sticking out at one end, and through both.
Rod random_rod(Random& random, Kind kind) {
  Rod rod{{{random.number(-0.1, 0.1), random.number(-0.1, 0.1), random.number(-0.3, 0.3)}},
          {},
          random.number(0.05, 0.2),
          kind == cylinder};
  const Vec3<double> lean{{random.number(-0.2, 0.2), random.number(-0.2, 0.2), 1}};
  const double reach = random.number(0, 1) < 0.5 ? random.number(0.1, 0.25) : random.number(0.6, 1.2);
  const bool one = random.number(0, 1) < 0.5;
  rod.to = rod.from + reach * lean;
  rod.from = rod.from - (one ? 0.1 : reach) * lean;
  if (kind == ball) rod.to = rod.from;
  return rod;
}

TEST(Bores, GapsAreThoseOfTheNearestPointOfTheWall) {
  Random random;
  for (const Kind kind : {ball, capsule, cylinder}) {
    int met = 0;
    for (int trial = 0; trial < 150; ++trial) {
      SCOPED_TRACE(std::string(names[kind]) + ", trial " + std::to_string(trial));
      const Rod rod = random_rod(random, kind);
      const double gap = of_bore(rod);
      if (gap < 0.01 || of_the_rest(rod) < gap + 0.01) continue;  // it does not fit, or is beside
      // A rim against the rim of a flat end is left to the prisms.
      const double off = kind == cylinder ? 3e-3 : 1e-6;
      const Placed placed{random.direction(), turn_about(random.direction(), random.number(-3, 3))};
      SceneMaker maker;
      maker.tube(inner, outer, half, facets, placed);
      const auto moved = [&](const Vec3<double>& x) { return placed.at + placed.turn * x; };
      add(maker, kind, {moved(rod.from), moved(rod.to), rod.radius, rod.flat});
      maker.scene.margin = 1.2 * gap;
      Team team(1);
      EXPECT_TRUE(find_containments(maker.scene, {}, team).empty());
      const auto points = detect(maker);
      double least = 1e9;
      for (const auto& one : points) {
        least = std::min(least, one.gap);
        EXPECT_NEAR(dot(one.a.point - one.b.point, one.normal), one.gap, 1e-12);
        EXPECT_NEAR(norm(one.normal), 1, 1e-12);
      }
      EXPECT_NEAR(least, gap, off);
      ++met;
    }
    EXPECT_GT(met, 50) << names[kind];
  }
}

// Far from the wall nothing is met, though the tube is around.
TEST(Bores, WhatFallsThroughMeetsNothing) {
  for (const double z : {-1.0, -0.45, -0.2, 0.0, 0.3, 0.41, 1.0}) {
    SceneMaker maker;
    maker.tube(inner, outer, half, facets);
    const int one = maker.ball({{0.05, 0, z}}, 0.2), rod = maker.round(0.1, 2, facets, {{{-0.3, 0, 0}}});
    for (const int s : {one, rod, rod + 1}) maker.scene.surface[s].group = one;
    maker.move(one, {{0, 0, -0.1}});
    for (const int s : {rod, rod + 1}) maker.move(s, {{0, 0, -0.05}});
    EXPECT_TRUE(detect(maker).empty()) << z;
  }
}

// A rod through a tube that moves by more than its radius in the step meets the rims that it goes through alone.
TEST(Bores, FastRodsMeetNoRimFromBehind) {
  Random random;
  for (int trial = 0; trial < 60; ++trial) {
    const Rod rod = random_rod(random, capsule);
    if (of_bore(rod) < 0.01) continue;
    SceneMaker maker;
    maker.tube(inner, outer, half, facets);
    maker.move(maker.capsule(rod.from, rod.to, rod.radius), {{0.4, 0, 0}});
    for (const auto& one : detect(maker)) EXPECT_GT(one.gap, -1e-9) << trial;
  }
}

// A ring upon a rod: two points above, exactly where they are, whatever the turn of its prism.
TEST(Bores, ARingHangsOnARodAtTwoPoints) {
  for (int i = 0; i < 20; ++i) {
    SceneMaker maker;
    const double r = 0.3, deep = 1e-12;
    maker.round(r, 2, facets);
    const int ring =
        maker.tube(inner, outer, half, facets, {{{inner - r + deep, 0, 0.2}}, turn_about({{0, 0, 1}}, 0.1 * i)});
    maker.scene.before = maker.scene.corner;
    for (int s = ring; s < ring + 3; ++s) maker.move(s, {{1e-6, 0, 1e-6}});
    const auto points = detect(maker);
    EXPECT_EQ(points.size(), 2u);
    for (const auto& one : points) {
      EXPECT_NEAR(one.gap, -deep, 1e-14);
      EXPECT_NEAR(std::abs(one.normal[0]), 1, 1e-12);
      EXPECT_NEAR(one.a.point[0], -r, 1e-9);
      EXPECT_NEAR(std::abs(one.a.point[2] - 0.2), half, 1e-9);
    }
  }
}

// From outside it is round and solid as ever; a ball larger than the hole lies on its rim.
TEST(Bores, FromOutside) {
  SceneMaker maker;
  maker.tube(inner, outer, half, facets);
  const int beside = maker.ball({{outer + 0.1 + 0.01, 0, 0.1}}, 0.1);
  maker.move(beside, {{-0.02, 0, 0}});
  auto points = detect(maker);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].gap, 0.01, 1e-12);
  EXPECT_NEAR(std::abs(points[0].normal[0]), 1, 1e-12);

  SceneMaker upon;
  upon.tube(inner, outer, half, facets);
  const double radius = 0.8, height = std::sqrt(radius * radius - inner * inner);
  const int ball = upon.ball({{1e-3, 0, half + height}}, radius);
  upon.move(ball, {{0, 0, -0.01}});
  points = detect(upon);
  ASSERT_GE(points.size(), 3u);
  const double nearest = std::hypot(inner - 1e-3, height) - radius;
  EXPECT_NEAR(std::ranges::min(points, {}, &ContactPoint::gap).gap, nearest, 1e-12);
  for (const auto& one : points) EXPECT_NEAR(std::abs(one.normal[2]), height / radius, 1e-2);
}

// Boxes meet the prism: within 0.12 % of the radius.
TEST(Bores, CornersMeetThePrism) {
  SceneMaker maker;
  maker.tube(inner, outer, half, facets);
  const double gap = 0.005, side = (inner - gap) / std::sqrt(2.0);
  const int box = maker.box({{side, side, 0.2}}, {{}, turn_about({{0, 0, 1}}, 0.3)});
  maker.move(box, {{0.01, 0, 0}});
  Team team(1);
  EXPECT_TRUE(find_containments(maker.scene, {}, team).empty());
  const auto points = detect(maker);
  ASSERT_GE(points.size(), 8u);
  for (const auto& one : points) EXPECT_NEAR(one.gap, gap, inner * (1 - std::cos(M_PI / facets)) + 1e-12);
}

// What sits in the wall is there; what is in the bore is not inside.
TEST(Bores, OnlyTheWallIsInside) {
  for (const double x : {0.0, 0.55}) {
    SceneMaker maker;
    maker.tube(inner, outer, half, facets);
    maker.ball({{x, 0, 0.1}}, 0.01);
    Team team(1);
    EXPECT_EQ(find_containments(maker.scene, {}, team).size(), x > 0 ? 2u : 0u) << x;
  }
}

}  // namespace
}  // namespace lithe

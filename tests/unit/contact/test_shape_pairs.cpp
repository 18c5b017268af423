// Every pair of shapes against the nearest points of convex bodies, anywhere and turned anyhow.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include "lithe/contact/detection.h"
#include "nearest_points.h"
#include "support/contact_scenes.h"

namespace lithe {
namespace {

using fixtures::Placed;
using fixtures::Points;
using fixtures::SceneMaker;

enum class Shape { ball, capsule, box, box_mesh, cylinder, tetrahedron, count };
const char* names[] = {"ball", "capsule", "box", "box_mesh", "cylinder", "tetrahedron"};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3<double> direction() {
    for (;;) {
      const Vec3<double> d{{number(-1, 1), number(-1, 1), number(-1, 1)}};
      if (dot(d, d) < 1 && dot(d, d) > 0.01) return unit(d);
    }
  }
  Mat3<double> turn() { return fixtures::turn_about(direction(), number(-3, 3)); }

 private:
  std::mt19937 engine_;
};

int add(SceneMaker& maker, Shape shape, const Placed& placed) {
  const Vec3<double> z{{placed.turn[0][2], placed.turn[1][2], placed.turn[2][2]}};
  switch (shape) {
    case Shape::ball:
      return maker.ball(placed.at, 0.4);
    case Shape::capsule:
      return maker.capsule(placed.at - 0.6 * z, placed.at + 0.6 * z, 0.3);
    case Shape::box:
      return maker.box({{0.5, 0.7, 0.3}}, placed);
    case Shape::box_mesh:
      return maker.box({{0.5, 0.7, 0.3}}, placed, 3);
    case Shape::cylinder:
      return maker.cylinder(0.4, 0.6, 11, placed);
    default:
      return maker.tetrahedron(0.8, placed);
  }
}

Points corners_of(const ContactScene& scene, int s) {
  const SceneSurface& of = scene.surface[s];
  return {scene.corner.begin() + of.first_corner, scene.corner.begin() + of.first_corner + of.corners};
}

struct Pair {
  SceneMaker maker;
  double radius = 0;
  Vec3<double> apart{};  // of the bodies without radius, from the second to the first

  // Turned anyhow, their gap as given.
  Pair(Shape first, Shape second, double gap, Random& random) {
    const Placed at_first{{}, random.turn()}, at_second{5. * random.direction(), random.turn()};
    SceneMaker far;
    add(far, first, at_first);
    add(far, second, at_second);
    radius = far.scene.surface[0].radius + far.scene.surface[1].radius;
    const Vec3<double> v = fixtures::nearest_difference(corners_of(far.scene, 0), corners_of(far.scene, 1));
    const double nearer = norm(v) - radius - gap;
    add(maker, first, at_first);
    add(maker, second, {at_second.at + nearer * unit(v), at_second.turn});
    apart = (norm(v) - nearer) * unit(v);
  }
  // Straight, while both drift.
  void approach(double by, Random& random) {
    const Vec3<double> drift = by * random.direction();
    maker.move(0, drift - (0.5 * by) * unit(apart));
    maker.move(1, drift + (0.5 * by) * unit(apart));
  }
};

const ContactPoint* nearest(const std::vector<ContactPoint>& points) {
  const ContactPoint* best = nullptr;
  for (const auto& one : points)
    if (!best || one.gap < best->gap) best = &one;
  return best;
}

void expect_on_surface(const ContactScene& scene, const ContactPoint& point) {
  for (const bool of_b : {false, true}) {
    const ContactSide& side = of_b ? point.b : point.a;
    Vec3<double> x = (of_b ? 1. : -1.) * scene.surface[side.surface].radius * point.normal;
    for (int i = 0; i < 3; ++i)
      if (side.corner[i] >= 0) x = x + side.weight[i] * scene.corner[side.corner[i]];
    EXPECT_LT(norm(x - side.point), 1e-14);
  }
  EXPECT_NEAR(dot(point.a.point - point.b.point, point.normal), point.gap, 1e-14);
}

TEST(ShapePairs, GapAndNormalAreThoseOfTheNearestPoints) {
  Random random(1);
  Team team(1);
  for (int i = 0; i < static_cast<int>(Shape::count); ++i)
    for (int j = 0; j < static_cast<int>(Shape::count); ++j)
      for (int trial = 0; trial < 40; ++trial) {
        SCOPED_TRACE(std::string(names[i]) + " and " + names[j] + ", trial " + std::to_string(trial));
        const double gap = 0.02;
        Pair pair(static_cast<Shape>(i), static_cast<Shape>(j), gap, random);
        pair.approach(1.5 * gap, random);
        ContactDetection detection(pair.maker.scene, {}, &team);
        const auto& points = detection.detect(pair.maker.scene);
        ASSERT_FALSE(points.empty());
        const Vec3<double> n = unit(pair.apart), motion = -1.5 * gap * n;
        bool found = false;
        for (const auto& one : points) {
          expect_on_surface(pair.maker.scene, one);
          found = found || (std::abs(one.gap - gap) < 1e-9 && dot(one.normal, n) > 1 - 1e-9);
          // No other is reached before.
          const double closing = -dot(one.normal, motion);
          EXPECT_GT(one.gap, closing * (gap / norm(motion)) - 1e-9);
        }
        EXPECT_TRUE(found);
        EXPECT_TRUE(detection.detect(pair.maker.scene, Activation::touching).empty());
        pair.maker.move(0, {});
        pair.maker.move(1, {});
        EXPECT_TRUE(detection.detect(pair.maker.scene).empty());
      }
}

// The shortest way out, over all normals of faces and pairs of edges.
double least_overlap(const ContactScene& scene, Vec3<double>& way) {
  const Points a = corners_of(scene, 0), b = corners_of(scene, 1);
  Points normals;
  for (const auto& t : scene.triangle)
    normals.push_back(cross(scene.corner[t[1]] - scene.corner[t[0]], scene.corner[t[2]] - scene.corner[t[0]]));
  for (const auto& e : scene.edge)
    for (const auto& f : scene.edge)
      normals.push_back(cross(scene.corner[e.corner[1]] - scene.corner[e.corner[0]],
                              scene.corner[f.corner[1]] - scene.corner[f.corner[0]]));
  double least = INFINITY;
  std::set<std::array<long, 3>> known;
  for (const auto& normal : normals) {
    if (norm(normal) < 1e-6) continue;
    const Vec3<double> one = unit(normal);
    if (!known.insert({std::lround(1e7 * one[0]), std::lround(1e7 * one[1]), std::lround(1e7 * one[2])}).second)
      continue;
    for (const double sign : {-1., 1.}) {
      const Vec3<double> n = sign * unit(normal);
      const double overlap = fixtures::overlap_along(a, b, n);
      if (overlap < least) least = overlap, way = n;
    }
  }
  return least;
}

TEST(ShapePairs, DepthIsTheShortestWayOut) {
  Random random(2);
  int counted = 0, missed = 0;
  Team team(1);
  for (int i = 0; i < static_cast<int>(Shape::count); ++i)
    for (int j = 0; j < static_cast<int>(Shape::count); ++j)
      for (int trial = 0; trial < 40; ++trial) {
        SCOPED_TRACE(std::string(names[i]) + " and " + names[j] + ", trial " + std::to_string(trial));
        const double depth = 0.01;
        Pair pair(static_cast<Shape>(i), static_cast<Shape>(j), -depth, random);
        ContactDetection detection(pair.maker.scene, {}, &team);
        const auto& points = detection.detect(pair.maker.scene);
        Vec3<double> way = unit(pair.apart);
        const double overlap = pair.radius > 0 ? depth : least_overlap(pair.maker.scene, way);
        if (overlap < (1 - 1e-6) * depth) continue;
        ++counted;
        if (points.empty()) {  // two tips that cross beside each other
          ++missed;
          continue;
        }
        const ContactPoint& point = *nearest(points);
        EXPECT_NEAR(point.gap, -overlap, 1e-9);
        EXPECT_GT(dot(point.normal, way), 1 - 1e-9);
        for (const auto& one : points) expect_on_surface(pair.maker.scene, one);
      }
  EXPECT_GT(counted, 600);
  EXPECT_LE(missed, counted / 500);
}

TEST(ShapePairs, PlaneHoldsWhatIsLowest) {
  Random random(3);
  Team team(1);
  for (int i = 0; i < static_cast<int>(Shape::count); ++i)
    for (int trial = 0; trial < 40; ++trial)
      for (const double gap : {-0.01, 0.02}) {
        SCOPED_TRACE(std::string(names[i]) + ", trial " + std::to_string(trial));
        const Vec3<double> n = random.direction(), on = random.direction();
        const Mat3<double> turn = random.turn();
        SceneMaker high;
        const int shape = add(high, static_cast<Shape>(i), {{}, turn});
        const double radius = high.scene.surface[shape].radius;
        const double lowest = dot(fixtures::furthest(corners_of(high.scene, shape), -1. * n) - on, n) - radius;
        SceneMaker maker;
        maker.plane(on, n);
        add(maker, static_cast<Shape>(i), {(gap - lowest) * n, turn});
        maker.move(1, -0.03 * n);
        ContactDetection detection(maker.scene, {}, &team);
        const auto& points = detection.detect(maker.scene);
        ASSERT_FALSE(points.empty());
        EXPECT_NEAR(nearest(points)->gap, gap, 1e-12);
        for (const auto& one : points) {
          EXPECT_GT(dot(one.normal, -1. * n), 1 - 1e-12);
          expect_on_surface(maker.scene, one);
        }
      }
}

}  // namespace
}  // namespace lithe

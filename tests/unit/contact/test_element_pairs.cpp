// P2's points of contact: one for each pair of elements that overlap, at the centroid of what they have in common.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lithe/contact/detection.h"
#include "support/contact_scenes.h"

namespace lithe {
namespace {

using fixtures::Placed;
using fixtures::SceneMaker;
using fixtures::turn_about;

// Every surface one element; behind a triangle it goes on to its furthest corner.
ContactScene of_single_elements(SceneMaker maker) {
  ContactScene& scene = maker.scene;
  scene.cell.assign(scene.triangle.size(), 0);
  for (const SceneSurface& surface : scene.surface)
    for (int t = surface.first_triangle; t < surface.first_triangle + surface.triangles; ++t) {
      const auto& c = scene.triangle[t];
      const Vec3<double> x0 = scene.corner[c[0]], n = unit(cross(scene.corner[c[1]] - x0, scene.corner[c[2]] - x0));
      double depth = 0;
      for (int k = surface.first_corner; k < surface.first_corner + surface.corners; ++k)
        depth = std::max(depth, -dot(scene.corner[k] - x0, n));
      scene.depth.push_back(depth);
    }
  return scene;
}

std::vector<ContactPoint> touching(const ContactScene& scene, int threads = 1) {
  Team team(threads);
  return ContactDetection(scene, {}, &team).detect(scene, Activation::touching, PointsOf::elements);
}

TEST(ElementPairs, BoxesUponEachOtherHaveOnePointAtTheCentroid) {
  for (const double angle : {0., 0.3, 1.}) {
    const Mat3<double> turn = turn_about({{1, 2, -1}}, angle);
    SceneMaker maker;
    maker.box({{0.5, 0.5, 0.5}}, Placed{turn * Vec3<double>{{0, 0, 0}}, turn});
    maker.box({{0.5, 0.5, 0.5}}, Placed{turn * Vec3<double>{{0.5, 0.25, 0.99}}, turn});
    const auto points = touching(of_single_elements(maker));
    ASSERT_EQ(points.size(), 1u);
    const Vec3<double> n = turn * Vec3<double>{{0, 0, -1}};  // to the lower box
    EXPECT_NEAR(dot(points[0].normal, n), 1, 1e-12);
    EXPECT_NEAR(points[0].gap, -0.01, 1e-12);
    const Vec3<double> at = 0.5 * (points[0].a.point + points[0].b.point);
    const Vec3<double> wanted = turn * Vec3<double>{{0.25, 0.125, 0.495}};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(at[k], wanted[k], 1e-12);
    // What is said of corners is where the point is.
    for (const ContactSide* side : {&points[0].a, &points[0].b}) {
      Vec3<double> x{};
      for (int i = 0; i < 3; ++i) x = x + side->weight[i] * maker.scene.corner[side->corner[i]];
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[k], side->point[k], 1e-12);
    }
  }
}

TEST(ElementPairs, NothingBehindAnElement) {
  SceneMaker maker;
  maker.box({{0.5, 0.5, 0.5}});
  maker.box({{0.5, 0.5, 0.5}}, Placed{{{0, 0, 1.01}}});
  EXPECT_TRUE(touching(of_single_elements(maker)).empty());
  SceneMaker beside;  // the far sides of both look against each other
  beside.box({{0.5, 0.5, 0.05}});
  beside.box({{0.5, 0.5, 0.05}}, Placed{{{0, 0, 0.15}}});
  EXPECT_TRUE(touching(of_single_elements(beside)).empty());
}

TEST(ElementPairs, EdgeOnAFaceAndThreadsAndRoundBodies) {
  SceneMaker maker;
  maker.box({{2, 2, 0.5}});
  maker.box({{0.5, 0.5, 0.5}},
            Placed{{{0, 0, 0.5 + std::sqrt(0.5) - 0.01}}, turn_about({{1, 0, 0}}, 0.785398163397448)});
  maker.ball({{1.5, 1.5, 0.69}}, 0.2);
  const ContactScene scene = of_single_elements(maker);
  const auto points = touching(scene);
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& point : points) EXPECT_NEAR(std::abs(point.normal[2]), 1, 1e-9);
  const auto again = touching(scene, 3);
  ASSERT_EQ(again.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(again[i].gap, points[i].gap);
    EXPECT_EQ(again[i].a.feature, points[i].a.feature);
  }
}

TEST(ElementPairs, SmallOnesBesideLargeOnesAreLeftOut) {
  // Two elements side by side under a block that reaches over the second one by little.
  SceneMaker maker;
  maker.box({{0.5, 0.5, 0.5}});
  maker.box({{0.5, 0.5, 0.5}}, Placed{{{0.005, 0, 0.99}}});
  const ContactScene whole = of_single_elements(maker);
  ASSERT_EQ(touching(whole).size(), 1u);
  // The same block against triangles as elements of their own: points lie at the centroids of what overlaps.
  double area = 0;
  for (const ContactPoint& point : touching(maker.scene)) area += point.gap < 0;
  EXPECT_GE(area, 2);
}

}  // namespace
}  // namespace lithe

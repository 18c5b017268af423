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

TEST(ElementPairs, BoxesUponEachOtherHaveTheGaussPointsOfWhatTheyShare) {
  for (const double angle : {0., 0.3, 1.}) {
    const Mat3<double> turn = turn_about({{1, 2, -1}}, angle);
    SceneMaker maker;
    maker.box({{0.5, 0.5, 0.5}}, Placed{turn * Vec3<double>{{0, 0, 0}}, turn});
    maker.box({{0.5, 0.5, 0.5}}, Placed{turn * Vec3<double>{{0.5, 0.25, 0.99}}, turn});
    const auto points = touching(of_single_elements(maker));
    ASSERT_EQ(points.size(), 4u);
    const Vec3<double> n = turn * Vec3<double>{{0, 0, -1}};  // to the lower box
    // They share 0.5 by 0.75 around (0.25, 0.125); points are 0.5 / (2 sqrt 3) and 0.75 / (2 sqrt 3) from its middle.
    Vec3<double> middle{}, moments{};
    for (const ContactPoint& point : points) {
      EXPECT_NEAR(dot(point.normal, n), 1, 1e-12);
      EXPECT_NEAR(point.gap, -0.01, 1e-12);
      const Vec3<double> at = transpose(turn) * (0.5 * (point.a.point + point.b.point));
      middle = middle + 0.25 * at;
      moments = moments + 0.25 * Vec3<double>{{(at[0] - 0.25) * (at[0] - 0.25), (at[1] - 0.125) * (at[1] - 0.125),
                                               (at[0] - 0.25) * (at[1] - 0.125)}};
      // What is said of corners is where the point is.
      for (const ContactSide* side : {&point.a, &point.b}) {
        Vec3<double> x{};
        for (int i = 0; i < 3; ++i) x = x + side->weight[i] * maker.scene.corner[side->corner[i]];
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[k], side->point[k], 1e-12);
      }
    }
    const Vec3<double> wanted{{0.25, 0.125, 0.495}}, second{{0.25 / 12, 0.5625 / 12, 0}};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(middle[k], wanted[k], 1e-12);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(moments[k], second[k], 1e-12);
  }
}

// Two ridges of long prisms, whose faces lean to the plane of contact and whose sides stand at right angles to it: what
// the sides have in common is a sliver at one end, nearer to a point than the middle of the face that the point is on.
TEST(ElementPairs, PointsOfRidgesStayOnTheirFaces) {
  const double lean = 0.24, half = 1, overlap = 1e-5;
  const auto prism = [&](double way, double turned) {  // from the ridge at x = 0 to where `way` points from
    std::vector<Vec3<double>> corners;
    for (const double z : {-half, half})
      for (const auto& [x, y] : {std::pair{-0.1, 0.}, {0., 0.}, {-0.05 * lean, 0.05}, {-0.1, 0.05}})
        corners.push_back({{way * x, y + turned * z, z}});
    return corners;
  };
  fixtures::Triangles sides{{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    sides.push_back({k, next, 4 + next});
    sides.push_back({k, 4 + next, 4 + k});
  }
  fixtures::Triangles mirrored = sides;
  for (auto& t : mirrored) std::swap(t[1], t[2]);
  for (const double turned : {0., 2e-6, -2e-6}) {
    SceneMaker maker;
    maker.add(prism(1, 0), sides, {}, 0);
    maker.add(prism(-1, turned), mirrored, {}, 0, {Vec3<double>{{-overlap, 0, 0}}});
    const auto points = touching(of_single_elements(maker));
    ASSERT_EQ(points.size(), 2u);
    double middle = 0;
    for (const ContactPoint& point : points) {
      EXPECT_LT(point.normal[0], -0.9);
      EXPECT_LT(std::abs(point.gap), 2 * overlap);
      for (const ContactSide* side : {&point.a, &point.b}) {
        EXPECT_NEAR(side->point[0], -0.5 * overlap, overlap);
        EXPECT_NEAR(side->point[1], 0, 1e-4);
        EXPECT_NEAR(std::abs(side->point[2]), half / std::sqrt(3.), 0.02 * half);
      }
      middle += point.a.point[2];
    }
    EXPECT_NEAR(middle, 0, 0.02 * half);
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
  ASSERT_EQ(points.size(), 3u);  // two of the edge, one of the ball
  for (const ContactPoint& point : points) EXPECT_NEAR(std::abs(point.normal[2]), 1, 1e-9);
  const auto again = touching(scene, 3);
  ASSERT_EQ(again.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(again[i].gap, points[i].gap);
    EXPECT_EQ(again[i].a.feature, points[i].a.feature);
  }
}

TEST(ElementPairs, SmallOnesBesideLargeOnesAreLeftOut) {
  // A block of two elements, of which the second one reaches under the other body by 1/200 of its width.
  SceneMaker maker;
  maker.box({{0.5, 0.5, 0.5}});
  maker.box({{0.5, 0.5, 0.5}}, Placed{{{0.495, 0, 0.99}}});
  ContactScene scene = of_single_elements(maker);
  EXPECT_EQ(touching(scene).size(), 4u);
  SceneMaker two;
  two.box({{0.5, 0.5, 0.5}}, Placed{{{0, 0, 0}}});
  two.box({{0.5, 0.5, 0.5}}, Placed{{{0.995, 0, 0.99}}});
  EXPECT_EQ(touching(of_single_elements(two)).size(), 2u);  // a strip: a line
}

}  // namespace
}  // namespace lithe

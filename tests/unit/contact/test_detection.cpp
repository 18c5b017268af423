// Over 500 lines: all promises are kept on one set of small scenes.
// What detection promises: whole faces, no inner edges, no tunnels, no lengths of its own, the same for any order of
// elements and any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "../allocation_counter.h"
#include "lithe/contact/detection.h"
#include "support/contact_scenes.h"

namespace lithe {
namespace {

using fixtures::SceneMaker;
using fixtures::turn_about;

std::vector<ContactPoint> detect(const ContactScene& scene, Activation activation = Activation::speculative) {
  Team team(1);
  return ContactDetection(scene, {}, &team).detect(scene, activation);
}

std::vector<ContactPoint> detect(const SceneMaker& maker, Activation activation = Activation::speculative) {
  return detect(maker.scene, activation);
}

void expect_point(const Vec3<double>& x, const Vec3<double>& expected, double within) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[k], expected[k], within);
}

int floor_of_two_triangles(SceneMaker& maker, double half) {
  return maker.add({{{-half, -half, 0}}, {{half, -half, 0}}, {{half, half, 0}}, {{-half, half, 0}}},
                   {{0, 1, 2}, {0, 2, 3}}, {}, 0);
}

TEST(ContactDetection, BoxOnTwoTrianglesHasItsFourCorners) {
  for (const double height : {0., 0.25, -0.125}) {
    SceneMaker maker;
    floor_of_two_triangles(maker, 4);
    const int box = maker.box({{0.5, 0.5, 0.5}}, {{{0.25, 0, 0.5 + height}}});
    maker.move(box, {{0, 0, -0.5}});
    const auto points = detect(maker);
    ASSERT_EQ(points.size(), 4u);
    std::set<std::pair<double, double>> corners;
    for (const auto& one : points) {
      EXPECT_EQ(one.gap, height);
      EXPECT_EQ(one.normal[0], 0);
      EXPECT_EQ(one.normal[1], 0);
      EXPECT_EQ(one.normal[2], -1);
      EXPECT_NEAR(one.a.point[2], 0, 1e-16);
      corners.emplace(one.b.point[0], one.b.point[1]);
    }
    EXPECT_EQ(corners, (std::set<std::pair<double, double>>{{-0.25, -0.5}, {-0.25, 0.5}, {0.75, -0.5}, {0.75, 0.5}}));
  }
}

TEST(ContactDetection, BoxSlidesOverInnerEdges) {
  for (const bool meshed : {false, true})
    for (int i = 0; i <= 200; ++i) {
      SCOPED_TRACE("meshed " + std::to_string(meshed) + ", place " + std::to_string(i));
      SceneMaker maker;
      const int floor = maker.box({{2, 2, 0.25}}, {{{0, 0, -0.25}}}, 5);
      const double x = -1 + 0.01 * i, y = -0.3 + 0.002 * i;
      const int box = maker.box({{0.5, 0.5, 0.5}}, {{{x, y, 0.5 - 1e-7}}}, meshed ? 3 : 1);
      for (const int s : {floor, box}) maker.scene.surface[s].is_rigid = true;
      maker.move(box, {{0.02, 0.004, -1e-4}});
      const auto points = detect(maker);
      EXPECT_EQ(points.size(), meshed ? 12u : 4u);  // those on its straight edges too
      for (const auto& one : points) {
        expect_point(one.normal, {{0, 0, -1}}, 1e-12);
        EXPECT_NEAR(one.gap, -1e-7, 1e-12);
      }
    }
}

TEST(ContactDetection, OverhangIsTheClippedFace) {
  SceneMaker maker;
  maker.box({{0.5, 0.5, 0.5}}, {{{0, 0, -0.5}}});
  maker.box({{0.5, 0.5, 0.5}}, {{{0.3, 0.2, 0.5 - 1e-4}}});
  const auto points = detect(maker);
  ASSERT_EQ(points.size(), 4u);
  std::set<std::pair<long, long>> corners;
  for (const auto& one : points) {
    expect_point(one.normal, {{0, 0, -1}}, 1e-12);
    EXPECT_NEAR(one.gap, -1e-4, 1e-12);
    corners.emplace(std::lround(10 * one.a.point[0]), std::lround(10 * one.a.point[1]));
  }
  EXPECT_EQ(corners, (std::set<std::pair<long, long>>{{-2, -3}, {-2, 5}, {5, -3}, {5, 5}}));
}

TEST(ContactDetection, EqualBoxesStandOnEachOther) {
  for (const double gap : {0., 1e-3, 1e-9, -1e-9, -1e-4})
    for (const double shift : {0., 1e-13}) {
      SCOPED_TRACE("gap " + std::to_string(1e9 * gap) + "e-9, shift " + std::to_string(1e13 * shift) + "e-13");
      SceneMaker maker;
      maker.box({{0.5, 0.5, 0.5}}, {{{0, 0, -0.5}}});
      const int upper = maker.box({{0.5, 0.5, 0.5}}, {{{shift, 0, 0.5 + gap}}});
      maker.move(upper, {{0, 0, -2e-3}});
      const auto points = detect(maker);
      ASSERT_EQ(points.size(), 4u);
      for (const auto& one : points) {
        expect_point(one.normal, {{0, 0, -1}}, 1e-9);
        EXPECT_NEAR(one.gap, gap, 1e-12);
        EXPECT_NEAR(std::abs(one.a.point[0]), 0.5, 1e-12);
        EXPECT_NEAR(std::abs(one.a.point[1]), 0.5, 1e-12);
      }
    }
}

// Stones of an arch: sides that lie flush with each other beside the face between them are not touched, however the
// stones are shifted and pressed.
TEST(ContactDetection, FlushWedgesHaveOneNormal) {
  const double half = 0.06, lean = 0.05;  // the lower face of the upper stone is the upper face of the lower one
  const auto stone = [&](double from, double to) {
    std::vector<Vec3<double>> corners;
    for (const double angle : {from, to})
      for (const double r : {1 - half, 1 + half})
        for (const double y : {-0.1, 0.1}) corners.push_back({{r * std::cos(angle), y, r * std::sin(angle)}});
    return corners;
  };
  const fixtures::Triangles sides{{0, 3, 2}, {0, 1, 3}, {4, 7, 5}, {4, 6, 7}, {0, 5, 1}, {0, 4, 5},
                                  {2, 7, 6}, {2, 3, 7}, {0, 6, 4}, {0, 2, 6}, {1, 7, 3}, {1, 5, 7}};
  const Vec3<double> n{{-std::sin(lean), 0, std::cos(lean)}}, out{{std::cos(lean), 0, std::sin(lean)}};
  for (const double depth : {-1e-9, 0., 1e-12, 1e-8, 1e-5})
    for (const double shift : {0., 1e-16, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4})
      for (int way = 0; way < 4; ++way) {
        SCOPED_TRACE(testing::Message() << "depth " << depth << ", shift " << shift << ", " << way);
        SceneMaker maker;
        maker.add(stone(-lean, lean), sides, {}, 0);
        const Vec3<double> aside =
            way < 2 ? (way ? -shift : shift) * out : Vec3<double>{{0, way > 2 ? -shift : shift, 0}};
        const int upper = maker.add(stone(lean, 3 * lean), sides, {}, 0, {aside - depth * n});
        maker.move(upper, -1e-8 * n);
        const auto points = detect(maker);
        double low[2]{1, 1}, high[2]{-1, -1};  // the rectangle that they span
        for (const auto& one : points) {
          expect_point(one.normal, -1. * n, 1e-9);
          EXPECT_NEAR(one.gap, -depth, 1e-9 + 1e-9 * std::abs(depth));
          const double along[2]{dot(one.a.point, out) - 1, one.a.point[1]};
          for (int k = 0; k < 2; ++k) low[k] = std::min(low[k], along[k]), high[k] = std::max(high[k], along[k]);
        }
        EXPECT_NEAR(high[0] - low[0], 2 * half, 2e-4);
        EXPECT_NEAR(high[1] - low[1], 0.2, 2e-4);
      }
}

TEST(ContactDetection, EdgesCross) {
  for (const double gap : {0.01, -0.01}) {
    SceneMaker maker;
    maker.box({{0.5, 0.5, 0.5}}, {{}, turn_about({{1, 0, 0}}, M_PI / 4)});
    const int upper = maker.box({{0.5, 0.5, 0.5}}, {{{0, 0, std::sqrt(2.) + gap}}, turn_about({{0, 1, 0}}, M_PI / 4)});
    maker.move(upper, {{0, 0, -0.02}});
    const auto points = detect(maker);
    ASSERT_EQ(points.size(), 1u);
    expect_point(points[0].normal, {{0, 0, -1}}, 1e-12);
    expect_point(points[0].a.point, {{0, 0, std::sqrt(0.5)}}, 1e-12);
    EXPECT_NEAR(points[0].gap, gap, 1e-12);
  }
}

TEST(ContactDetection, CapsulesBesideEachOtherAndOnAFaceHaveTwoPoints) {
  SceneMaker maker;
  maker.capsule({{0, 0, 0}}, {{1, 0, 0}}, 0.1);
  maker.capsule({{0.5, 0, 0.19}}, {{1.5, 0, 0.19}}, 0.1);
  auto points = detect(maker);
  ASSERT_EQ(points.size(), 2u);
  for (const auto& one : points) {
    expect_point(one.normal, {{0, 0, -1}}, 1e-12);
    EXPECT_NEAR(one.gap, -0.01, 1e-12);
  }
  EXPECT_NEAR(std::abs(points[0].a.point[0] - points[1].a.point[0]), 0.5, 1e-12);

  SceneMaker table;  // over both rims
  table.box({{0.2, 0.4, 0.1}}, {{{0, 0, -0.1}}});
  table.capsule({{-0.5, 0.1, 0.09}}, {{1.2, 0.1, 0.09}}, 0.1);
  points = detect(table);
  ASSERT_EQ(points.size(), 2u);
  for (const auto& one : points) {
    expect_point(one.normal, {{0, 0, -1}}, 1e-12);
    EXPECT_NEAR(std::abs(one.a.point[0]), 0.2, 1e-12);
    EXPECT_NEAR(one.gap, -0.01, 1e-12);
  }
}

// 0.3 m in a step against 1 mm, from anywhere before the plate to anywhere behind it, through an inner edge of it too.
TEST(ContactDetection, FastBallIsHeldByTheSideItComesFrom) {
  for (const bool upward : {false, true})
    for (const double x : {0., 0.1})
      for (int i = 0; i <= 28; ++i) {
        SCOPED_TRACE("upward " + std::to_string(upward) + ", x " + std::to_string(x) + ", " + std::to_string(i));
        const double side = upward ? -1 : 1, radius = 0.01;
        const double height = radius + 0.01 * i + 1e-3;  // above the near face, at the begin
        SceneMaker maker;
        maker.box({{1, 1, 0.0005}});
        const int ball = maker.ball({{x, 0, side * (0.0005 + height - 0.15)}}, radius);
        maker.scene.before = maker.scene.corner;
        maker.scene.before.back()[2] = side * (0.0005 + height);
        maker.move(ball, {{0, 0, -0.15 * side}});
        const auto points = detect(maker);
        ASSERT_EQ(points.size(), 1u);
        expect_point(points[0].normal, {{0, 0, -side}}, 1e-12);
        EXPECT_NEAR(points[0].gap, height - 0.15 - radius, 1e-12);
        expect_point(points[0].a.point, {{x, 0, side * 0.0005}}, 1e-12);
      }
}

// Behind the planes of the plate's narrow sides it never is inside.
TEST(ContactDetection, FastBallIsNotHeldByTheRimOfThePlate) {
  SceneMaker maker;
  maker.box({{0.2, 0.2, 0.0005}}, {}, 8);
  const int ball = maker.ball({{0.013, 0.027, 0.287}}, 0.01);
  maker.scene.before = maker.scene.corner;
  maker.scene.before.back()[2] += 0.15;
  maker.move(ball, {{0, 0, -0.3}});
  const auto points = detect(maker);
  ASSERT_FALSE(points.empty());
  for (const auto& one : points) EXPECT_GT(one.gap, 0.27);
}

// Two laths across each other, edge first: no corner comes near a face, from before they touch to when they are
// through.
TEST(ContactDetection, LathsAreHeldBeforeTheirEdgesPassThroughEachOther) {
  const double half = 0.01;  // of their square sections, turned by an eighth
  for (int i = -3; i <= 12; ++i) {
    SCOPED_TRACE(i);
    const double begin = 2 * std::sqrt(2.) * half + 0.002, now = begin - 0.05 + 0.004 * i;
    SceneMaker maker;
    maker.box({{1, half, half}}, {{}, turn_about({{1, 0, 0}}, M_PI / 4)});
    const int upper = maker.box({{half, 1, half}}, {{{0.013, 0.027, now}}, turn_about({{0, 1, 0}}, M_PI / 4)});
    maker.scene.before = maker.scene.corner;
    for (std::size_t c = 8; c < maker.scene.corner.size(); ++c) maker.scene.before[c][2] += begin - now;
    maker.move(upper, {{0, 0, now - begin}});
    const auto points = detect(maker);
    ASSERT_FALSE(points.empty());
    bool held = false;
    for (const auto& one : points) {
      expect_point(one.normal, {{0, 0, -1}}, 1e-9);
      held = held || (std::abs(one.gap - (now - begin + 0.002)) < 1e-9 && one.normal[2] < -1 + 1e-9);
    }
    EXPECT_TRUE(held);
  }
}

TEST(ContactDetection, FastBoxIsHeldByThePlate) {
  for (int i = 0; i <= 28; ++i) {
    SCOPED_TRACE(i);
    const double height = 0.01 * i + 1e-3;
    SceneMaker maker;
    maker.box({{1, 1, 0.0005}}, {{{0, 0, -0.0005}}});
    const int box = maker.box({{0.05, 0.05, 0.05}}, {{{0.1, 0.2, 0.05 + height - 0.15}}});
    maker.scene.before = maker.scene.corner;
    for (std::size_t c = 8; c < maker.scene.corner.size(); ++c) maker.scene.before[c][2] += 0.15;
    maker.move(box, {{0, 0, -0.15}});
    const auto points = detect(maker);
    int low = 0;
    for (const auto& one : points) {
      expect_point(one.normal, {{0, 0, -1}}, 1e-12);
      EXPECT_NEAR(one.a.point[2], 0, 1e-12);
      if (std::abs(one.gap - (height - 0.15)) < 1e-12) ++low;
    }
    EXPECT_EQ(low, 4);
  }
}

TEST(ContactDetection, FastBallThatMissesIsNotDeflected) {
  SceneMaker maker;
  maker.box({{1, 1, 0.05}});
  const int ball = maker.ball({{0.95, 0, 0.3}}, 0.05);
  maker.move(ball, {{0.3, 0, -0.3}});  // past the rim, 0.14 m from it
  for (const auto& one : detect(maker)) {
    const double closing = dot(one.normal, Vec3<double>{{0.3, 0, -0.3}});  // of the ball, side b, to the plate
    EXPECT_LE(closing, one.gap);
  }
}

TEST(ContactDetection, ChainTouchesItselfWhereItComesBackOnly) {
  const double radius = 0.05;
  std::vector<Vec3<double>> straight;
  for (int i = 0; i < 60; ++i) straight.push_back({{0.02 * i, 0, 0}});
  SceneMaker maker;
  const int chain = maker.chain(straight, radius);
  maker.scene.surface[chain].touches_itself = true;
  Team team(1);
  ContactDetection detection(maker.scene, {}, &team);
  EXPECT_TRUE(detection.detect(maker.scene).empty());
  ContactScene bent = maker.scene;  // a helix of one turn and a bit, its ends overlapping by 0.02
  const double around = 0.02 / (2 * M_PI / 50), rise = (2 * radius - 0.02) / 50;
  for (int i = 0; i < 60; ++i)
    bent.corner[i] = {{around * std::cos(2 * M_PI * i / 50), around * std::sin(2 * M_PI * i / 50), rise * i}};
  const auto points = detection.detect(bent);
  ASSERT_FALSE(points.empty());
  double least = 0;
  for (const auto& one : points) {
    EXPECT_LE(one.gap, 0);
    EXPECT_GE(std::abs(one.b.corner[0] - one.a.corner[0]), 45);
    least = std::min(least, one.gap);
  }
  EXPECT_NEAR(least, -0.02, 1e-3);
}

TEST(ContactDetection, ThinBodyTouchesItselfWhenItIsFoldedOnly) {
  const int cells = 16;
  SceneMaker maker;
  const int sheet = maker.box({{0.5, 0.5, 0.005}}, {}, cells);
  maker.scene.surface[sheet].touches_itself = true;
  Team team(1);
  ContactDetection detection(maker.scene, {}, &team);
  EXPECT_TRUE(detection.detect(maker.scene).empty());
  const auto bent = [&](double radius) {  // around an axis along y above its middle
    ContactScene scene = maker.scene;
    for (auto& x : scene.corner) {
      const double angle = x[0] / radius, r = radius - x[2];
      x = {{r * std::sin(angle), x[1], radius - r * std::cos(angle)}};
    }
    return scene;
  };
  EXPECT_TRUE(detection.detect(bent(0.3)).empty());
  ContactScene closed = bent(0.157);  // its ends go into each other
  closed.before = bent(0.161).corner;
  const auto points = detection.detect(closed);
  ASSERT_FALSE(points.empty());
  for (const auto& one : points) EXPECT_GT(one.gap, -0.1);
}

// Bodies of all kinds, many of them touching.
SceneMaker heap(int bodies, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto direction = [&] { return unit(Vec3<double>{{number(engine), number(engine), number(engine) + 1.5}}); };
  SceneMaker maker;
  const double side = std::cbrt(0.8 * bodies);
  maker.plane({{0, 0, -side / 2}}, {{0, 0.1, 1}});
  for (int i = 0; i < bodies; ++i) {
    const Vec3<double> at = (side / 2) * Vec3<double>{{number(engine), number(engine), number(engine)}};
    const Vec3<double> d = direction();
    const fixtures::Placed placed{at, turn_about(direction(), 3 * number(engine))};
    int s = 0;
    switch (i % 6) {
      case 0:
        s = maker.ball(at, 0.3);
        break;
      case 1:
        s = maker.capsule(at - 0.4 * d, at + 0.4 * d, 0.15);
        break;
      case 2:
        s = maker.box({{0.3, 0.2, 0.4}}, placed);
        break;
      case 3:
        s = maker.box({{0.3, 0.2, 0.4}}, placed, 2);
        break;
      case 4:
        s = maker.cylinder(0.25, 0.3, 7, placed);
        break;
      default:
        s = maker.tetrahedron(0.5, placed);
        break;
    }
    maker.move(s, 0.05 * direction());
  }
  return maker;
}

TEST(ContactDetection, KnowsNoLength) {
  const SceneMaker maker = heap(300, 4);
  const auto points = detect(maker);
  ASSERT_GT(points.size(), 100u);
  for (const double scale : {1e-3, 0.1, 10., 1e3}) {
    SCOPED_TRACE(scale);
    ContactScene scene = maker.scene;
    for (auto* vectors : {&scene.corner, &scene.move})
      for (auto& x : *vectors) x = scale * x;
    for (auto& surface : scene.surface) surface.radius *= scale;
    const auto scaled = detect(scene);
    ASSERT_EQ(scaled.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(scaled[i].a.feature, points[i].a.feature);
      EXPECT_EQ(scaled[i].b.feature, points[i].b.feature);
      EXPECT_NEAR(scaled[i].gap / scale, points[i].gap, 1e-12);
      expect_point(scaled[i].normal, points[i].normal, 1e-9);
      expect_point((1 / scale) * scaled[i].a.point, points[i].a.point, 1e-9);
    }
  }
}

// An overlap deeper than the step moves is found as far as the boxes of parts see it, and these have axes and owners.
std::vector<ContactPoint> shallow(std::vector<ContactPoint> points) {
  std::erase_if(points, [](const ContactPoint& one) { return one.gap < -0.05; });
  return points;
}

TEST(ContactDetection, KnowsNoDirection) {
  const SceneMaker maker = heap(300, 5);
  const auto points = shallow(detect(maker));
  const Mat3<double> turn = turn_about({{1, 2, 3}}, 1);
  ContactScene scene = maker.scene;
  for (auto* vectors : {&scene.corner, &scene.move})
    for (auto& x : *vectors) x = turn * x;
  const auto turned = shallow(detect(scene));
  ASSERT_EQ(turned.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(turned[i].a.feature, points[i].a.feature);
    EXPECT_EQ(turned[i].b.feature, points[i].b.feature);
    EXPECT_NEAR(turned[i].gap, points[i].gap, 1e-12);
    expect_point(turned[i].normal, turn * points[i].normal, 1e-9);
  }
}

// Corners, edges and triangles of every surface in another order, triangles begun at another corner.
ContactScene shuffled(const ContactScene& scene) {
  std::mt19937 engine(6);
  ContactScene made = scene;
  std::vector<std::int32_t> corner(scene.corner.size()), triangle(scene.triangle.size()), edge(scene.edge.size());
  const auto shuffle = [&](std::vector<std::int32_t>& to, int first, int count) {
    std::iota(to.begin() + first, to.begin() + first + count, first);
    std::shuffle(to.begin() + first, to.begin() + first + count, engine);
  };
  for (const auto& of : scene.surface) {
    shuffle(corner, of.first_corner, of.corners);
    shuffle(triangle, of.first_triangle, of.triangles);
    shuffle(edge, of.first_edge, of.edges);
  }
  for (std::size_t c = 0; c < corner.size(); ++c) {
    made.corner[corner[c]] = scene.corner[c];
    made.move[corner[c]] = scene.move[c];
  }
  for (std::size_t t = 0; t < triangle.size(); ++t)
    for (int i = 0; i < 3; ++i) made.triangle[triangle[t]][i] = corner[scene.triangle[t][(i + 1) % 3]];
  for (std::size_t e = 0; e < edge.size(); ++e) {
    SceneEdge& to = made.edge[edge[e]];
    for (int i = 0; i < 2; ++i) {
      to.corner[i] = corner[scene.edge[e].corner[1 - i]];
      const int t = scene.edge[e].triangle[1 - i];
      to.triangle[i] = t < 0 ? -1 : triangle[t];
    }
  }
  return made;
}

TEST(ContactDetection, KnowsNoOrder) {
  const SceneMaker maker = heap(300, 7);
  auto points = shallow(detect(maker)), others = shallow(detect(shuffled(maker.scene)));
  ASSERT_GT(points.size(), 100u);
  ASSERT_EQ(others.size(), points.size());
  const auto sort = [](std::vector<ContactPoint>& of) {
    const auto key = [](const ContactPoint& p) {
      return std::tuple(p.a.surface, p.b.surface, std::lround(1e7 * p.gap), std::lround(1e7 * p.a.point[0]));
    };
    std::sort(of.begin(), of.end(), [&](const auto& p, const auto& q) { return key(p) < key(q); });
  };
  sort(points);
  sort(others);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(others[i].a.surface, points[i].a.surface);
    EXPECT_EQ(others[i].b.surface, points[i].b.surface);
    EXPECT_NEAR(others[i].gap, points[i].gap, 1e-12);
    expect_point(others[i].normal, points[i].normal, 1e-9);
    expect_point(others[i].b.point, points[i].b.point, 1e-9);
  }
}

bool same_bits(const ContactSide& a, const ContactSide& b) {
  return a.surface == b.surface && a.feature == b.feature && std::equal(a.corner, a.corner + 3, b.corner) &&
         std::equal(a.weight, a.weight + 3, b.weight) && std::equal(a.point.a, a.point.a + 3, b.point.a);
}

TEST(ContactDetection, SameBitsForAnyNumberOfThreads) {
  const SceneMaker maker = heap(2000, 8);
  const auto points = detect(maker);
  for (const int threads : {2, 3}) {
    Team team(threads);
    ContactDetection detection(maker.scene, {}, &team);
    for (int again = 0; again < 2; ++again) {
      const auto& others = detection.detect(maker.scene);
      ASSERT_EQ(others.size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i)
        ASSERT_TRUE(same_bits(points[i].a, others[i].a) && same_bits(points[i].b, others[i].b) &&
                    points[i].gap == others[i].gap &&
                    std::equal(points[i].normal.a, points[i].normal.a + 3, others[i].normal.a));
    }
  }
}

TEST(ContactDetection, PointsAreSortedAndOncePerPairOfFeatures) {
  const auto points = detect(heap(2000, 9));
  const auto key = [](const ContactPoint& p) { return std::tuple(p.a.surface, p.b.surface, p.a.feature, p.b.feature); };
  for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LT(key(points[i - 1]), key(points[i]));
  for (const auto& one : points) EXPECT_LT(one.a.surface, one.b.surface);
}

TEST(ContactDetection, TakesNoMemoryAgain) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP();
  const SceneMaker maker = heap(1000, 10);
  Team team(1);
  ContactDetection detection(maker.scene, {}, &team);
  detection.detect(maker.scene);
  const fixtures::AllocationCounter counter;
  detection.detect(maker.scene);
  EXPECT_EQ(counter.taken(), 0);
}

TEST(ContactDetection, ScenesOfNothingAndOfOneBody) {
  SceneMaker maker;
  EXPECT_TRUE(detect(maker).empty());
  maker.plane({}, {{0, 0, 1}});
  EXPECT_TRUE(detect(maker).empty());
  maker.ball({{0, 0, 1}}, 1);
  EXPECT_EQ(detect(maker).size(), 1u);
}

TEST(ContactDetection, RulesOfGroups) {
  SceneMaker maker;
  for (int i = 0; i < 3; ++i) maker.ball({{0.5 * i, 0.1 * i, 0}}, 1);
  Team team(1);
  const auto count = [&](const PairRule& rule) {
    return ContactDetection(maker.scene, rule, &team).detect(maker.scene).size();
  };
  EXPECT_EQ(count({}), 3u);
  const auto first_and_last = [](int a, int b) { return std::minmax(a, b) == std::minmax(0, 2); };
  EXPECT_EQ(count([&](int a, int b) { return !first_and_last(a, b); }), 2u);
  EXPECT_EQ(count(first_and_last), 1u);
  EXPECT_EQ(count([](int, int) { return false; }), 0u);
  maker.scene.surface[1].group = 0;
  EXPECT_EQ(count({}), 2u);
}

TEST(BroadPhase, FindsEveryPairOfBoxesOnce) {
  const SceneMaker maker = heap(400, 11);
  const SurfaceTopology topology(maker.scene);
  BroadPhase broad_phase(topology);
  Team team(1);
  broad_phase.update(maker.scene, team);
  std::set<std::pair<int, int>> found;
  for (int chunk = 0; chunk < broad_phase.chunks(); ++chunk)
    broad_phase.pairs(
        chunk, [&](int part, int other, double, bool) { EXPECT_TRUE(found.insert(std::minmax(part, other)).second); });
  std::set<std::pair<int, int>> all;
  for (int i = 0; i < static_cast<int>(topology.part.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(topology.part.size()); ++j)
      if (topology.part[i].surface != topology.part[j].surface && overlap(broad_phase.box(i), broad_phase.box(j)))
        all.emplace(i, j);
  EXPECT_EQ(found, all);
}

}  // namespace
}  // namespace lithe

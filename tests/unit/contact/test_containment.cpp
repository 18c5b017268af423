// What is inside something else, or sticks through it, before a run.
#include <gtest/gtest.h>

#include "lithe/contact/containment.h"
#include "support/contact_scenes.h"

namespace lithe {
namespace {

using fixtures::SceneMaker;
using fixtures::turn_about;

std::vector<Containment> find(const SceneMaker& maker, const PairRule& rule = {}) {
  Team team(1);
  return find_containments(maker.scene, rule, team);
}

TEST(Containment, WhollyInside) {
  SceneMaker maker;
  const int box = maker.box({{0.5, 0.5, 0.5}}, {{{1, 2, 3}}, turn_about({{1, 2, 3}}, 1)}, 3);
  const int small = maker.box({{0.1, 0.1, 0.1}}, {{{1.1, 2, 3}}});
  maker.box({{0.1, 0.1, 0.1}}, {{{2.1, 2, 3}}});  // beside it
  const auto found = find(maker);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].inner, small);
  EXPECT_EQ(found[0].outer, box);
  EXPECT_FALSE(found[0].through);
  EXPECT_TRUE(find(maker, [](int, int) { return false; }).empty());
}

TEST(Containment, RoundOnes) {
  for (const double away : {0., 0.3, 2.}) {
    SceneMaker maker;
    maker.ball({{away, 0, 0}}, 0.1);
    maker.capsule({{0, 0, -1}}, {{0, 0, 1}}, 0.5);
    maker.ball({{0, 0, 10}}, 1);
    maker.tetrahedron(0.2, {{{0, away, 10}}});
    EXPECT_EQ(find(maker).size(), away < 1 ? 2u : 0u) << away;
  }
}

// A cavity is outside: a box around a box, both faces of it there.
TEST(Containment, WithinAShellIsOutside) {
  SceneMaker maker;
  maker.box({{1, 1, 1}});
  maker.box({{0.9, 0.9, 0.9}});
  auto& scene = maker.scene;
  for (int t = 12; t < 24; ++t) std::swap(scene.triangle[t][1], scene.triangle[t][2]);
  scene.surface[0].corners += scene.surface[1].corners;
  scene.surface[0].edges += scene.surface[1].edges;
  scene.surface[0].triangles += scene.surface[1].triangles;
  scene.surface.pop_back();
  for (auto& s : scene.corner_surface) s = 0;
  maker.ball({{0.2, 0, 0}}, 0.1);
  EXPECT_TRUE(find(maker).empty());
  scene.corner.back()[0] = 0.95;
  scene.surface.back().radius = 0.01;
  EXPECT_EQ(find(maker).size(), 1u);
}

TEST(Containment, StickingThrough) {
  for (const bool rod : {true, false})
    for (const double aside : {0., 3.}) {
      SceneMaker maker;
      const int plate = maker.box({{1, 1, 0.01}}, {}, 4);
      const int bar = rod ? maker.capsule({{aside + 0.03, 0.05, -1}}, {{aside, 0.05, 1}}, 0.02)
                          : maker.box({{0.05, 0.05, 1}}, {{{aside + 0.03, 0.05, 0}}});
      const auto found = find(maker);
      ASSERT_EQ(found.size(), aside > 0 ? 0u : 1u);
      if (found.empty()) continue;
      EXPECT_TRUE(found[0].through);
      EXPECT_EQ(found[0].inner, bar);
      EXPECT_EQ(found[0].outer, plate);
    }
}

TEST(Containment, WhatOnlyTouchesIsNot) {
  SceneMaker maker;
  maker.plane({}, {{0, 0, 1}});
  maker.box({{0.5, 0.5, 0.5}}, {{{0, 0, 0.5}}});
  maker.box({{0.5, 0.5, 0.5}}, {{{0, 0, 1.5 - 1e-12}}});
  maker.box({{0.1, 0.1, 0.1}}, {{{0, 0.4, 2.1}}});
  maker.box({{0.5, 0.5, 0.5}}, {{{0.3, 0.2, 2.5}}, turn_about({{0, 0, 1}}, 0.3)});
  EXPECT_TRUE(find(maker).empty());
}

}  // namespace
}  // namespace lithe

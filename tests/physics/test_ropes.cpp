// Ropes over sheaves: Atwood's machine, block and tackle, winch, and elastic ropes.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/system/outputs.h"
#include "lithe/system/springs.h"
#include "support/dynamics.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

constexpr double g = 9.81;

At ground(double x, double y, double z) {
  At place;
  place.body = "ground";
  place.point = Triple{x, y, z};
  return place;
}
double tension(const System& system, const State& state, const Workspace& work) {
  return channel_values(system, state, work)[6];
}

TEST(Reeving, AtwoodsMachine) {
  const double a = 3, b = 2;
  for (const Treatment treatment : {Treatment::eliminate, Treatment::augmented}) {
    SCOPED_TRACE(word(treatment));
    Model model;
    model.bodies.add("a", PointMass{a, {0, 0, 0}, {0, 0, 0}});
    model.bodies.add("b", PointMass{b, {1, 0, -1}, {0, 0, 0}});
    model.joints.add("rope", Reeving{{at("a", ""), ground(0, 0, 2), ground(1, 0, 2), at("b", "")}, {}, {}});
    model.loads.add("weight", Gravity{constant(0, 0, -g)});
    model.outputs.add("rope", JointOutput{"rope"});
    model.treatment = treatment;
    const Trajectory run(model, tight(Integrator::newmark, 0.01, 0.5));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const double expected = g * (a - b) / (a + b);
    EXPECT_NEAR(run.state.q[2], -0.5 * expected * 0.25, 1e-8);
    EXPECT_NEAR(run.state.q[5], -1 + 0.5 * expected * 0.25, 1e-8);
    EXPECT_NEAR(tension(run.system, run.state, run.work), 2 * a * b * g / (a + b), 1e-6);
  }
}

// Whoever lets a body run into its sheave hears of it; who stops before does not.
TEST(Reeving, SaysThatABodyHasReachedItsSheave) {
  for (const double duration : {1.5, 1.745}) {
    Model model;
    model.bodies.add("a", PointMass{3, {0, 0, 0}, {0, 0, 0}});
    model.bodies.add("b", PointMass{2, {1, 0, -1}, {0, 0, 0}});
    model.joints.add("rope", Reeving{{at("a", ""), ground(0, 0, 2), ground(1, 0, 2), at("b", "")}, {}, {}});
    model.loads.add("weight", Gravity{constant(0, 0, -g)});
    const Trajectory run(model, tight(Integrator::newmark, 0.01, duration));  // b is there after 1.749 s
    std::string said;
    for (const std::string& warning : run.report.warnings) said += warning;
    const bool reached = said.find("points 2 and 3 of joint 'rope'") != std::string::npos;
    EXPECT_EQ(reached, duration > 1.7) << said;
  }
}

// A load on a block with four falls is held by a quarter of its weight.
TEST(Reeving, BlockAndTackle) {
  Model model;
  model.bodies.add("block", PointMass{100, {0, 0, -2}, {0, 0, 0}});
  model.bodies.add("hand", PointMass{1, {1, 0, -1}, {0, 0, 0}});
  model.joints.add("rope", Reeving{{at("block", ""), ground(0, 0, 0), ground(1, 0, 0), at("hand", "")}, {4, 1, 1}, {}});
  model.constraints.add("upright", Fix{at("block", ""), {Coordinate::position}, {{1, 0, 0}, {0, 1, 0}}});
  model.constraints.add("guided", Fix{at("hand", ""), {Coordinate::position}, {{1, 0, 0}, {0, 1, 0}}});
  Spring spring;
  spring.a = ground(1, 0, -2);
  spring.b = at("hand", "");
  spring.stiffness = 1000;
  model.springs.add("spring", spring);
  model.loads.add("load", PointForce{at("block", ""), constant(0, 0, -100 * g)});
  model.outputs.add("rope", JointOutput{"rope"});
  const Solved solved(model);
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  EXPECT_NEAR(tension(solved.system, solved.state, solved.work), 25 * g, 1e-6);
  const double pulled = 25 * g / 1000;
  EXPECT_NEAR(solved.state.q[5], -1 + pulled, 1e-9);  // the hand rises by the stretch of its spring
  EXPECT_NEAR(solved.state.q[2], -2 - pulled / 4, 1e-9);
}

TEST(Reeving, AWinchLiftsByItsShareOfTheRope) {
  Model model;
  model.bodies.add("block", PointMass{100, {0, 0, -2}, {0, 0, 0}});
  // Smoothly from rest by 1.2 m in 2 s.
  model.joints.add(
      "rope", Reeving{{ground(0, 0, 0), at("block", "")}, {3}, Drive(Signal::expression("6 - 0.6*(1 - cos(pi*t/2))"))});
  model.loads.add("weight", Gravity{constant(0, 0, -g)});
  model.outputs.add("rope", JointOutput{"rope"});
  const Trajectory run(model, tight(Integrator::newmark, 0.005, 2));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_NEAR(run.state.q[2], -2 + 0.4, 1e-9);
  // At the end it is slowed down: m (g + z'') = 3 T with 3 z = -length.
  const double second = 0.2 * M_PI * M_PI / 4 * std::cos(M_PI);
  EXPECT_NEAR(tension(run.system, run.state, run.work), 100 * (g + second) / 3, 0.1);
}

TEST(ElasticRope, StretchesByItsLoad) {
  Model model;
  model.bodies.add("block", PointMass{100, {0, 0, -2}, {0, 0, 0}});
  model.constraints.add("upright", Fix{at("block", ""), {Coordinate::position}, {{1, 0, 0}, {0, 1, 0}}});
  Rope rope;
  rope.points = {ground(0, 0, 0), at("block", "")};
  rope.falls = {2};
  rope.EA = 2e4;
  model.springs.add("rope", rope);
  model.loads.add("weight", Gravity{constant(0, 0, -g)});
  const Solved solved(model);
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  const double T = 50 * g;
  EXPECT_NEAR(solved.state.q[2], -2 - T * 4 / 2e4 / 2, 1e-9);
  EXPECT_NEAR(spring_values(solved.system, solved.state, 0)[2], T, 1e-5);
}

TEST(ElasticRope, CatchesWhatFallsIntoItAndPullsOnly) {
  Model model;
  model.bodies.add("ball", PointMass{2, {0, 0, -1}, {0, 0, 0}});
  Rope rope;
  rope.points = {ground(0, 0, 0), at("ball", "")};
  rope.EA = 4000;
  rope.length = Drive(Signal(2.0));
  model.springs.add("rope", rope);
  model.loads.add("weight", Gravity{constant(0, 0, -g)});
  const Trajectory run(model, tight(Integrator::newmark, 0.0005, 1.2));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double k = 4000 / 2.0, fall = std::sqrt(2 / g);
  // Lowest place: m g (1 + d) = k d^2 / 2.
  const double depth = (2 * g + std::sqrt(4 * g * g + 2 * k * 2 * g)) / k;
  double lowest = 0, highest = -3;
  for (const State& s : run.states) {
    if (s.t < fall) {
      EXPECT_NEAR(s.q[2], -1 - 0.5 * g * s.t * s.t, 1e-6);
    }
    lowest = std::min(lowest, s.q[2]);
    if (s.t > fall) highest = std::max(highest, s.q[2]);
    EXPECT_GE(spring_values(run.system, s, 0)[2], 0);
  }
  EXPECT_NEAR(lowest, -2 - depth, 1e-3);
  EXPECT_NEAR(highest, -1, 5e-3);  // thrown back to where it fell from
}

// A winch that lets the elastic rope out slowly: the load follows.
TEST(ElasticRope, FollowsAWinch) {
  Model model;
  model.bodies.add("block", PointMass{100, {0, 0, -2}, {0, 0, 0}});
  Rope rope;
  rope.points = {ground(0, 0, 0), at("block", "")};
  rope.EA = 2e5;
  rope.damping = 6000;
  rope.length = Drive(Signal::expression("2 + 0.25*(1 - cos(pi*t/2))"));
  model.springs.add("rope", rope);
  model.loads.add("weight", Gravity{constant(0, 0, -g)});
  const Trajectory run(model, tight(Integrator::hht, 0.002, 4));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double at_rest = -2 * (1 + 100 * g / 2e5);
  EXPECT_NEAR(run.state.q[2], at_rest, 2e-3);
  const State& half = run.states[run.states.size() / 2];
  EXPECT_NEAR(half.q[2], -2.5 * (1 + 100 * (g + 0.25 * M_PI * M_PI / 4) / 2e5), 2e-3);
}

}  // namespace
}  // namespace lithe::test

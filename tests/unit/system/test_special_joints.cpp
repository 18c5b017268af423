// Joints of cables and points, joints that couple and drive others, and what is wrong with a joint.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/outputs.h"
#include "support/joint_cases.h"

namespace lithe::test {
namespace {

using namespace joint_cases;

// ---- cables and points ----

System compile_pair(Side a, const Vec3<double>& xa, Side b, const Vec3<double>& xb,
                    const std::function<Joint(At, At)>& make, Treatment treatment = Treatment::eliminate) {
  Model model;
  const At at_a = add_side(model, a, "a", point, xa, cross(xa, {{0.3, 0.2, 0.9}})),
           at_b = add_side(model, b, "b", point, xb, cross(xb, {{0.3, 0.2, 0.9}}));
  model.joints.add("joint", make(at_a, at_b));
  model.treatment = treatment;
  return compile(model);
}

TEST(CableJoints, EquationsOfWeldsAndHinges) {
  const auto weld = [](At a, At b) { return Weld{a, b, {}}; };
  const auto hinge = [](At a, At b) { return Revolute{a, b, {}, triple(axis)}; };
  const Vec3<double> skew{{1, 0.3, -0.2}};
  const auto lost = [](const System& s, int dof) { return dof - (s.map.size - s.row_count()); };
  // Position and tangent: five. Two cables in line: position and gradient, all linear and eliminated.
  EXPECT_EQ(lost(compile_pair(Side::rigid, axis, Side::cable, skew, weld), 18), 5);
  EXPECT_EQ(lost(compile_pair(Side::cable, skew, Side::ground, axis, weld), 12), 5);
  EXPECT_EQ(lost(compile_pair(Side::cable, skew, Side::node, axis, weld), 36), 5);
  const System line = compile_pair(Side::cable, skew, Side::cable, skew, weld);
  EXPECT_EQ(lost(line, 24), 6);
  EXPECT_EQ(line.row_count(), 0);
  EXPECT_EQ(compile_pair(Side::ground, axis, Side::cable, skew, weld).row_count(), 0);  // linear at a node
  try {
    compile_pair(Side::cable, axis, Side::cable, skew, weld);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("meet at an angle"), std::string::npos) << e.what();
  }
  // A hinge takes its axis from the other body: one equation beside the position, two where the cable runs along it.
  for (Side other : {Side::ground, Side::rigid, Side::node}) {
    EXPECT_EQ(lost(compile_pair(other, n2(), Side::cable, n1(), hinge), side_dof(other) + 12), 4);
    EXPECT_EQ(lost(compile_pair(other, n2(), Side::cable, skew, hinge), side_dof(other) + 12), 4);
    EXPECT_EQ(lost(compile_pair(other, n2(), Side::cable, axis, hinge), side_dof(other) + 12), 5);
    EXPECT_EQ(lost(compile_pair(Side::cable, skew, other, n2(), hinge), side_dof(other) + 12), 4);
  }
  EXPECT_THROW(compile_pair(Side::cable, axis, Side::cable, axis, hinge), InputError);
}

TEST(CableJoints, AHingeKeepsTheCablesAngleWithItsAxis) {
  const auto hinge = [](At a, At b) { return Revolute{a, b, {}, triple(axis)}; };
  const Vec3<double> skew{{1, 0.3, -0.2}};
  for (const bool cable_first : {true, false})
    for (Side other : {Side::ground, Side::rigid, Side::node}) {
      const Pair pair = cable_first ? Pair{Side::cable, other} : Pair{other, Side::cable};
      const System system = cable_first ? compile_pair(Side::cable, skew, other, n2(), hinge, Treatment::lagrange)
                                        : compile_pair(other, n2(), Side::cable, skew, hinge, Treatment::lagrange);
      ASSERT_EQ(system.joints[0].angle, 0);
      std::vector<double> q;
      for (double theta : {0.3, 1.2, -2.0}) {
        place(system, pair, Motion6::turn(point, n1(), 0.4), Motion6::turn(point, axis, theta), q);
        EXPECT_LT(largest(constraints_at(system, q)), 1e-13);
        EXPECT_NEAR(angle_value(system.angles[0], q, 0), theta, 1e-12);
        place(system, pair, Motion6::turn(point, n1(), 0.4), Motion6::turn(point, n2(), 0.3), q);
        EXPECT_GT(largest(constraints_at(system, q)), 0.02);
      }
    }
}

Model two_points(double distance) {
  Model model;
  model.bodies.add("p", PointMass{1.0, {0, 0, 0}, {0, 0, 0}});
  model.bodies.add("q", PointMass{1.0, {distance, 0, 0}, {0, 0, 0}});
  return model;
}

TEST(PointJoints, DistanceLineAndPlane) {
  Model model = two_points(2);
  At p = at("p", ""), q = at("q", "");
  model.joints.add("rod", Distance{p, q, {}});
  At ground;
  ground.body = "ground";
  model.joints.add("rail", PointOnLine{ground, q, {}, {0, 1, 0}});
  model.joints.add("floor", Planar{ground, p, {}, {0, 0, 1}});
  const System system = compile(model);
  EXPECT_EQ(system.map.size - system.row_count(), 2);  // 6 - 1 - 2 - 1
  EXPECT_EQ(system.row_count(), 1);                    // the rest is linear
  Model wrong = two_points(2);
  wrong.joints.add("weld", Weld{p, ground, {}});
  EXPECT_THROW(compile(wrong), InputError);
}

TEST(PointJoints, ADistanceThatChangesWithTime) {
  Model model = two_points(2);
  model.joints.add("winch", Distance{at("p", ""), at("q", ""), Signal::expression("2 + 0.5*sin(t)")});
  const System system = compile(model);
  ASSERT_EQ(system.row_count(), 1);
  std::vector<double> q = system.q0;
  q[3] = 0;
  q[4] = 2 + 0.5 * std::sin(0.9);
  EXPECT_NEAR(constraints_at(system, q, 0.9)[0], 0, 1e-14);
  EXPECT_NEAR(constraints_at(system, q, 0.0)[0], 0.5 * std::sin(0.9), 1e-14);
}

// ---- gears and prescribed motion ----

Model two_wheels() {
  Model model;
  At ground;
  ground.body = "ground";
  for (int k = 0; k < 2; ++k) {
    RigidBody wheel;
    wheel.position = {1.0 * k, 0, 0};
    wheel.mass = 1;
    wheel.inertia = std::vector<double>{1, 1, 1.5};
    const std::string name = k == 0 ? "small" : "large";
    model.bodies.add(name, wheel);
    model.joints.add(name + "_axle", Revolute{ground, at(name, "center"), {}, {0, 0, 1}});
  }
  return model;
}

TEST(DrivenJoints, AGearCouplesTwoAnglesOverManyTurns) {
  Model model = two_wheels();
  model.joints.add("gear", Gear{"small_axle", "large_axle", -0.5});
  const System system = compile(model);
  EXPECT_EQ(system.map.size - system.row_count(), 1);
  State state = system.initial_state();
  Workspace work(system, 1);
  for (double theta = 0; theta < 30; theta += 0.5) {
    state.q = system.q0;
    move(system, "small", Motion6::turn({{0, 0, 0}}, {{0, 0, 1}}, theta), state.q);
    move(system, "large", Motion6::turn({{1, 0, 0}}, {{0, 0, 1}}, -0.5 * theta), state.q);
    for (std::size_t k = 0; k < 2; ++k)
      state.slots.values[k] = angle_value(system.angles[k], state.q, state.slots.values[k]);
    evaluate_constraints(system, state, work);
    EXPECT_LT(largest(work.c), 1e-12) << theta;
  }
  EXPECT_NEAR(state.slots.values[0], 29.5, 1e-12);
  EXPECT_NEAR(state.slots.values[1], -14.75, 1e-12);
}

TEST(DrivenJoints, TurnSlideAndMotionPrescribe) {
  Model model = two_wheels();
  model.joints.add("motor", Turn{"small_axle", Signal::expression("3*t")});
  RigidBody block;
  block.position = {0, 0, 2};
  block.mass = 1;
  block.inertia = std::vector<double>{1, 1, 1};
  model.bodies.add("block", block);
  At ground;
  ground.body = "ground";
  model.joints.add("rail", Prismatic{ground, at("block", ""), {}, {1, 2, 2}});
  model.joints.add("push", Slide{"rail", Signal::expression("0.1*t^2")});
  model.bodies.add("probe", PointMass{1, {5, 0, 0}, {0, 0, 0}});
  model.joints.add("path", Motion{at("probe", ""), {Signal::expression("sin(t)"), std::nullopt, Signal(0)}});
  const System system = compile(model);
  EXPECT_EQ(system.map.size - system.row_count(), 2);  // the large wheel turns, the probe moves along y
  State state = system.initial_state();
  state.t = 1.7;
  std::vector<double> a(state.q.size());
  move(system, "small", Motion6::turn({{0, 0, 0}}, {{0, 0, 1}}, 3 * 1.7), state.q);
  move(system, "block", Motion6::shift(0.1 * 1.7 * 1.7 / 3 * Vec3<double>{{1, 2, 2}}), state.q);
  system.map.follow(system.q0, state.t, state.t, state.q, state.v, a);
  state.slots.values[0] = 5;
  Workspace work(system, 1);
  evaluate_constraints(system, state, work);
  EXPECT_LT(largest(work.c), 1e-12);
  const int probe = system.bodies.back().vector(0, 0);
  EXPECT_NEAR(state.q[3 * probe], 5 + std::sin(1.7), 1e-14);
  EXPECT_NEAR(state.v[3 * probe], std::cos(1.7), 1e-6);
}

// ---- messages ----

std::string message_of(const Model& model) {
  try {
    compile(model);
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing was wrong";
}

TEST(Joints, MessagesSayWhatIsWrong) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  At ground;
  ground.body = "ground";
  Model apart = two_points(2);
  apart.joints.add("ball", Spherical{at("p", ""), at("q", ""), {}});
  has(message_of(apart),
      "joint 'ball': its places must coincide in the reference configuration, but p is at (0, 0, 0)");
  has(message_of(apart), "q at (2, 0, 0), 2 m apart");
  Model itself = two_points(2);
  itself.joints.add("ball", Spherical{ground, ground, {}});
  has(message_of(itself), "joints.ball.b: both places are on the ground; one must be on a body");
  Model nowhere = two_wheels();
  nowhere.joints.add("hinge", Revolute{at("small", ""), at("large", ""), {}, {0, 0, 1}});
  has(message_of(nowhere), "joints.hinge: neither 'small' nor 'large' says where the joint is; give 'point");
  Model off = two_wheels();
  At there = ground;
  there.point = Triple{0, 0.5, 0};
  off.joints.add("rail", PointOnLine{there, at("small", "center"), {}, {1, 0, 0}});
  has(message_of(off), "is 0.5 m off the line through ground at (0, 0.5, 0)");
  Model gear = two_wheels();
  gear.joints.add("gear", Gear{"small_axle", "large_axel", 2});
  has(message_of(gear), "joint 'large_axel' is not known (did you mean 'large_axle'?)");
  Model no_angle = two_wheels();
  no_angle.joints.add("ball", Spherical{at("small", ""), at("large", ""), Triple{0.5, 0, 0}});
  no_angle.joints.add("motor", Turn{"ball", Signal(1.0)});
  has(message_of(no_angle),
      "joints.motor.angle: joint 'ball' is spherical and has three angles; give 'angles: [x, y, z]' instead");
}

}  // namespace
}  // namespace lithe::test

// Starts away from the reference configuration.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/system/outputs.h"
#include "support/dynamics.h"
#include "support/joints.h"
#include "support/messages.h"

namespace lithe::test {
namespace {

using std::numbers::pi;

At named(const std::string& body) { return at(body, ""); }

// A rod of 1 m that hangs from the origin, modelled at an angle, started at another one beyond it.
Model rod(double modelled, double started) {
  Model model;
  RigidBody body;
  body.position = {0.5 * std::sin(modelled), 0, -0.5 * std::cos(modelled)};
  body.mass = 2;
  body.inertia = std::vector<double>{0.17, 0.17, 0.01};
  body.x_axis = {std::cos(modelled), 0, std::sin(modelled)};
  body.y_axis = {0, 1, 0};
  body.angular_velocity = {0, 0.3, 0};
  body.velocity = {-0.15 * std::cos(modelled + started), 0, -0.15 * std::sin(modelled + started)};
  if (started != 0) body.start = Start{{}, {0, -1, 0}, {}, started * 180 / pi};
  model.bodies.add("rod", body);
  model.joints.add("hinge", Revolute{named("ground"), named("rod"), Triple{0, 0, 0}, {0, -1, 0}});
  model.outputs.add("hinge", JointOutput{"hinge"});
  model.loads.add("weight", Gravity{});
  return model;
}

TEST(Start, APendulumSwingsAsIfItHadBeenModelledThere) {
  const DynamicAnalysis options = tight(Integrator::generalized_alpha, 1e-3, 0.5);
  const Trajectory there(rod(pi / 6, 0), options), moved(rod(0, pi / 6), options);
  ASSERT_TRUE(there.report.ok() && moved.report.ok()) << there.report.message << moved.report.message;
  EXPECT_LT(largest_difference(there.state.q, moved.state.q), 1e-9);
  EXPECT_GT(std::abs(there.state.q[0] - 0.25), 0.1);
  // The angle of the joint counts from the reference configuration.
  const auto angle = [](const Trajectory& run, const State& state) {
    return channel_values(run.system, state, run.work)[6];
  };
  EXPECT_NEAR(angle(moved, moved.system.initial_state()), pi / 6, 1e-12);
  EXPECT_NEAR(angle(there, there.system.initial_state()), 0, 1e-12);
  EXPECT_NEAR(angle(moved, moved.state) - pi / 6, angle(there, there.state), 1e-9);
}

Model beam(double modelled, double started, Treatment treatment) {
  Model model;
  model.treatment = treatment;
  model.materials.add("rubber", Isotropic{1e7, 0.3, 1200, 0});
  model.sections.add("square", Rectangle{0.04, 0.04, {}});
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "rubber";
  body.section = "square";
  body.mesh = LineMesh{{0, 0, 0}, {std::sin(modelled), 0, -std::cos(modelled)}, 4, Triple{0, 1, 0}};
  if (started != 0) body.start = Start{{}, {0, -1, 0}, {}, started * 180 / pi};
  model.bodies.add("beam", body);
  model.joints.add("hinge", Revolute{named("ground"), at("beam", "start"), {}, {0, -1, 0}});
  model.loads.add("weight", Gravity{});
  return model;
}

TEST(Start, ATurnedBeamIsFreeOfStressAndSwingsTheSame) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange}) {
    const Model turned = beam(0, 1.1, treatment);
    const System system = compile(turned);
    Workspace work(system, 1);
    evaluate_internal(system, system.initial_state(), work);
    EXPECT_LT(largest(work.internal), 1e-8);
    EXPECT_GT(largest_difference(system.q0, system.initial_state().q), 0.5);
    const DynamicAnalysis options = tight(Integrator::generalized_alpha, 1e-3, 0.1);
    const Trajectory there(beam(1.1, 0, treatment), options), moved(turned, options);
    ASSERT_TRUE(there.report.ok() && moved.report.ok());
    EXPECT_LT(largest_difference(there.state.q, moved.state.q), 1e-7);
  }
}

// Two bodies of a chain must start together; a start that is off by a little is moved onto the joints.
TEST(Start, JoinedBodiesStartTogether) {
  Model model = rod(0, 0.4);
  PointMass bob{1, {0, 0, -1}, {}};
  model.bodies.add("bob", bob);
  model.joints.add("pin", Spherical{named("rod"), named("bob"), {}});
  const std::string wrong = message_of<InputError>([&] { compile(model); });
  EXPECT_NE(wrong.find("does not fit joint 'pin'"), std::string::npos) << wrong;

  RigidBody second = std::get<RigidBody>(rod(0, 0.4).bodies.items[0].second);
  second.position = {0, 0, -1.5};
  second.velocity = second.angular_velocity = {};
  Model chain = rod(0, 0.4);
  chain.bodies.add("second", second);
  chain.joints.add("knee", Revolute{named("rod"), named("second"), Triple{0, 0, -1}, {0, -1, 0}});
  const System straight = compile(chain);  // both about the origin
  EXPECT_NEAR(straight.initial_state().slots.values[0], 0.4, 1e-9);
  EXPECT_NEAR(straight.initial_state().slots.values[1], 0, 1e-9);
  RigidBody& turned = std::get<RigidBody>(chain.bodies.items[1].second);
  turned.start = Start{{std::sin(0.4), 0, 1 - std::cos(0.4)}, {0, -1, 0}, {0, 0, -1}, -20};
  const System bent = compile(chain);
  EXPECT_NEAR(bent.initial_state().slots.values[1], -20 * pi / 180 - 0.4, 1e-9);
  turned.start->displacement[0] += 0.2;
  const std::string apart = message_of<InputError>([&] { compile(chain); });
  EXPECT_NE(apart.find("knee"), std::string::npos) << apart;
}

TEST(Start, WhatIsClampedStaysWhereItIs) {
  Model model = beam(0, 0.5, Treatment::eliminate);
  model.joints = {};
  model.constraints.add("root", Clamp{at("beam", "start")});
  const std::string wrong = message_of<InputError>([&] { compile(model); });
  EXPECT_NE(wrong.find("body 'beam': its start does not fit constraint 'root'"), std::string::npos) << wrong;
}

}  // namespace
}  // namespace lithe::test

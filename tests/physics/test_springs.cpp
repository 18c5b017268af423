// Springs at work: equilibrium under gravity, periods, decay, exchange of momentum.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/dynamics/simulation.h"
#include "lithe/dynamics/statics.h"
#include "lithe/system/springs.h"
#include "support/models.h"

namespace lithe {
namespace {

using test::at;

At ground(double x, double y, double z) {
  At place;
  place.body = "ground";
  place.point = Triple{x, y, z};
  return place;
}

Spring spring_between(const At& a, const At& b, double stiffness, double damping = 0) {
  Spring s;
  s.a = a;
  s.b = b;
  s.stiffness = stiffness;
  s.damping = damping;
  return s;
}

DynamicAnalysis undamped(double duration, double step) {
  DynamicAnalysis options;
  options.duration = duration;
  options.step = step;
  options.integrator = Integrator::newmark;  // average acceleration
  options.tolerance = 1e-9;
  options.residual_tolerance = 1e-8;
  return options;
}

TEST(SpringPhysics, AMassHangsByItsWeightOverTheStiffness) {
  Model model;
  model.bodies.add("ball", PointMass{2, {0, 0, 0}, {0, 0, 0}});
  model.springs.add("spring", spring_between(ground(0, 0, 1), at("ball", ""), 500));
  // Guides keep it from swinging; a spring along a line has little stiffness across.
  model.constraints.add("guide", Fix{at("ball", ""), {Coordinate::position}, {{1, 0, 0}, {0, 1, 0}}});
  model.loads.add("weight", Gravity{test::constant(0, 0, -10)});
  const System system = compile(model);
  State state = system.initial_state();
  Workspace work(system, 1);
  const StaticReport report =
      solve_static(system, StaticAnalysis{}, state, work, [](const State&, const StaticStep&) { return true; });
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_NEAR(state.q[2], -2 * 10 / 500.0, 1e-10);
}

TEST(SpringPhysics, TwoMassesOscillateAboutTheirCentreWithTheirPeriod) {
  Model model;
  model.bodies.add("a", PointMass{1, {0, 0, 0}, {0, 0, 0}});
  model.bodies.add("b", PointMass{3, {1, 0, 0}, {0, 0, 0}});
  Spring spring = spring_between(at("a", ""), at("b", ""), 300);
  spring.free_length = 0.9;
  model.springs.add("spring", spring);
  const System system = compile(model);
  const double omega = std::sqrt(300 * (1 + 1.0 / 3)), period = 2 * M_PI / omega;
  State state = system.initial_state();
  Workspace work(system, 1);
  double largest_drift = 0;
  const DynamicReport report =
      simulate(system, undamped(2 * period, period / 400), state, work, [&](const State& s, const DynamicStep&) {
        largest_drift = std::max(largest_drift, std::abs(s.q[0] + 3 * s.q[3] - 3));
        return true;
      });
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_LT(largest_drift, 1e-9);                 // the centre stays
  EXPECT_NEAR(state.q[3] - state.q[0], 1, 1e-3);  // back where it started after two periods
  EXPECT_NEAR(kinetic_energy(system, state) + spring_energy(system, state), 0.5 * 300 * 0.01, 1e-6);
}

TEST(SpringPhysics, ADamperTakesTheEnergyOfItsDecay) {
  Model model;
  model.bodies.add("ball", PointMass{2, {1, 0, 0}, {0.5, 0, 0}});
  model.springs.add("spring", spring_between(ground(0, 0, 0), at("ball", ""), 200, 4));
  const System system = compile(model);
  State state = system.initial_state();
  Workspace work(system, 1);
  const double duration = 1.0;
  const DynamicReport report =
      simulate(system, undamped(duration, 5e-4), state, work, [](const State&, const DynamicStep&) { return true; });
  ASSERT_TRUE(report.ok()) << report.message;
  const double decay = 4 / (2 * 2.0), omega = std::sqrt(200 / 2.0 - decay * decay);
  EXPECT_NEAR(state.q[0] - 1, 0.5 / omega * std::exp(-decay * duration) * std::sin(omega * duration), 1e-5);
}

TEST(SpringPhysics, ATorsionPendulumHasItsPeriod) {
  Model model;
  RigidBody disc;
  disc.shape = CylinderShape{0.2, 0.05};
  disc.density = 7800;
  model.bodies.add("disc", disc);
  Revolute shaft;
  shaft.a = at("ground", "");
  shaft.b = at("disc", "");
  shaft.point = Triple{0, 0, 0};
  model.joints.add("shaft", shaft);
  TorsionSpring spring;
  spring.joint = "shaft";
  spring.stiffness = 40;
  spring.free_angle = 0.7;  // released from rest, it swings to 1.4 and back
  model.springs.add("wire", spring);
  const System system = compile(model);
  const double inertia = 0.5 * 7800 * M_PI * 0.04 * 0.05 * 0.04, period = 2 * M_PI * std::sqrt(inertia / 40);
  State state = system.initial_state();
  Workspace work(system, 1);
  double most = 0;
  const DynamicReport report =
      simulate(system, undamped(1.5 * period, period / 400), state, work, [&](const State& s, const DynamicStep&) {
        most = std::max(most, spring_values(system, s, 0)[0]);
        return true;
      });
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_NEAR(spring_values(system, state, 0)[0], 1.4, 2e-3);
  EXPECT_NEAR(most, 1.4, 2e-3);
}

TEST(SpringPhysics, ABodyOnABushingHasTheFrequenciesOfItsAxes) {
  for (int axis : {0, 1, 2}) {
    Model model;
    RigidBody body;
    body.mass = 2;
    body.inertia = {0.03, 0.04, 0.05};
    body.velocity[axis] = 0.01;
    model.bodies.add("body", body);
    Bushing bushing;
    bushing.a = at("ground", "");
    bushing.b = at("body", "center");
    bushing.stiffness = {800, 1800, 3200};
    bushing.torsion_stiffness = {5, 6, 7};
    model.springs.add("mount", bushing);
    const System system = compile(model);
    const double omega = std::sqrt(bushing.stiffness[axis] / 2);  // 20, 30, 40
    State state = system.initial_state();
    Workspace work(system, 1);
    const double duration = 0.25 * 2 * M_PI / omega;
    const DynamicReport report = simulate(system, undamped(duration, duration / 200), state, work,
                                          [](const State&, const DynamicStep&) { return true; });
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_NEAR(state.q[axis], 0.01 / omega, 1e-4 * 0.01 / omega);
  }
}

}  // namespace
}  // namespace lithe

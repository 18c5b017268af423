// Friction and stops of joints under half steps: they stick and hold exactly, and slide as mechanics says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lithe/system/outputs.h"
#include "support/dynamics.h"
#include "support/joints.h"

namespace lithe::test {
namespace {

constexpr double g = 9.81, mass = 2;

DynamicAnalysis half_steps(double step, double duration) {
  DynamicAnalysis d;
  d.step = step;
  d.duration = duration;
  d.threads = 1;
  d.integrator = Integrator::half_step;
  return d;
}

At ground() {
  At a;
  a.body = "ground";
  return a;
}
At body(const char* name) {
  At a;
  a.body = name;
  return a;
}

// Travel or angle, rate and force of the spring `name` at each output.
struct SpringHistory {
  std::vector<double> value, rate, force;
};
SpringHistory history(Model model, const DynamicAnalysis& options, const char* name, Trajectory** kept = nullptr) {
  model.analysis = options;
  static std::unique_ptr<Trajectory> run;
  run = std::make_unique<Trajectory>(model, options);
  EXPECT_TRUE(run->report.ok()) << run->report.message;
  SpringHistory result;
  const int index = static_cast<int>(model.springs.position(name));
  for (const State& state : run->states) {
    const std::vector<double> row = spring_values(run->system, state, index);
    result.value.push_back(row[0]);
    result.rate.push_back(row[1]);
    result.force.push_back(row[2]);
  }
  if (kept) *kept = run.get();
  return result;
}

// A door of 2 kg whose upright hinge is at the origin: 1/3 m l^2 about it.
constexpr double width = 0.8, inertia = mass * width * width / 3;
Model door(double torque, double push, double spin = 0) {
  Model model;
  RigidBody leaf;
  leaf.mass = mass;
  leaf.inertia = {0.01, mass * width * width / 12, mass * width * width / 12};
  leaf.position = {width / 2, 0, 1};
  leaf.velocity = {0, spin * width / 2, 0};
  leaf.angular_velocity = {0, 0, spin};
  model.bodies.add("leaf", leaf);
  Revolute hinge;
  hinge.a = ground();
  hinge.b = body("leaf");
  hinge.point = Triple{0, 0, 1};
  hinge.axis = {0, 0, 1};
  model.joints.add("hinge", hinge);
  Friction friction;
  friction.joint = "hinge";
  friction.force = torque;
  model.springs.add("friction", friction);
  TorsionSpring hand;
  hand.joint = "hinge";
  hand.moment = Signal(push);
  model.springs.add("hand", hand);
  return model;
}

TEST(JointContacts, ADoorSticksBelowItsLimit) {
  const SpringHistory r = history(door(5, 4.99), half_steps(0.01, 2), "friction");
  for (std::size_t k = 0; k < r.value.size(); ++k) {
    EXPECT_NEAR(r.value[k], 0, 1e-14);
    EXPECT_NEAR(r.rate[k], 0, 1e-14);
    if (k > 0) {
      EXPECT_NEAR(r.force[k], 4.99, 1e-9);
    }
  }
}

TEST(JointContacts, ADoorSlidesAboveItsLimitAndComesToRest) {
  const SpringHistory pushed = history(door(5, 6), half_steps(0.01, 0.5), "friction");
  // As it turns without friction under what is left of the push.
  const SpringHistory free = history(door(1e-9, 1), half_steps(0.01, 0.5), "friction");
  for (std::size_t k = 0; k < free.rate.size(); ++k) EXPECT_NEAR(pushed.rate[k], free.rate[k], 1e-8);
  EXPECT_NEAR(pushed.rate.back(), (6 - 5) / inertia * 0.5, 1e-4);
  EXPECT_NEAR(pushed.force.back(), 5, 1e-9);
  const double spin = 1.5, rest = spin * inertia / 5;
  const SpringHistory braked = history(door(5, 0, spin), half_steps(0.001, 2 * rest), "friction");
  const std::size_t quarter = braked.rate.size() / 4;
  EXPECT_NEAR(braked.rate[quarter], spin - 5 / inertia * 0.001 * static_cast<double>(quarter), 1e-6);
  EXPECT_NEAR(braked.rate.back(), 0, 1e-14);
  EXPECT_NEAR(braked.value.back(), spin * spin * inertia / 10, 2e-3 * spin * rest);
  EXPECT_EQ(braked.value.back(), braked.value[braked.value.size() - 20]);
}

// Smooth friction, where `slow` asks for it, creeps.
TEST(JointContacts, SlowMakesItCreep) {
  Model model = door(5, 4.99);
  std::get<Friction>(model.springs.items[0].second).slow = 0.01;
  const SpringHistory r = history(model, half_steps(0.001, 1), "friction");
  EXPECT_GT(r.value.back(), 1e-3);
}

Model pendulum(double angle, double restitution) {
  Model model;
  RigidBody bob;
  bob.mass = mass;
  bob.inertia = {0.02, 0.02, 0.02};
  bob.position = {std::sin(angle), 0, -std::cos(angle)};
  model.bodies.add("bob", bob);
  Revolute pin;
  pin.a = ground();
  pin.b = body("bob");
  pin.point = Triple{0, 0, 0};
  pin.axis = {0, 1, 0};
  model.joints.add("pin", pin);
  Stop stop;  // the angle counts from where it starts; a positive turn about y leads down
  stop.joint = "pin";
  stop.upper = angle + 0.3;
  stop.restitution = restitution;
  model.springs.add("stop", stop);
  model.loads.add("gravity", Gravity{constant(0, 0, -g)});
  return model;
}

TEST(JointContacts, APendulumRestsOnItsStop) {
  const double start = 0.9, upper = start + 0.3;
  Model model = pendulum(start, 0);
  // Pushed on against the stop, beyond the lowest point.
  TorsionSpring motor;
  motor.joint = "pin";
  motor.moment = Signal(20.0);
  model.springs.add("motor", motor);
  const SpringHistory r = history(model, half_steps(0.002, 3), "stop");
  EXPECT_NEAR(r.value.back(), upper, 1e-9);
  EXPECT_NEAR(r.rate.back(), 0, 1e-9);
  EXPECT_LE(*std::ranges::max_element(r.value), upper + 1e-9);
  EXPECT_NEAR(r.force.back(), 20 - mass * g * std::sin(0.3), 1e-6);
}

TEST(JointContacts, APendulumBouncesFromItsStop) {
  for (const double e : {0.0, 0.6, 1.0}) {
    const SpringHistory r = history(pendulum(0.9, e), half_steps(0.0005, 1.2), "stop");
    const auto hit = std::ranges::max_element(r.value) - r.value.begin();
    EXPECT_NEAR(r.rate[hit + 3], -e * r.rate[hit - 3], 0.03) << e;
    EXPECT_LE(r.value[hit], 1.2 + 1e-9);
    // Without friction nothing but the impact takes energy.
    const double speed = std::sqrt(2 * mass * g * (std::cos(0.3) - std::cos(0.9)) / (mass + 0.02));
    EXPECT_NEAR(r.rate[hit - 3], speed, 0.03);
  }
}

// A slider on a guide that leans by `angle`, across which gravity presses.
Model slider(double angle, double coefficient, double force = 0) {
  Model model;
  RigidBody block;
  block.mass = mass;
  block.inertia = {0.1, 0.1, 0.1};
  model.bodies.add("block", block);
  Prismatic guide;
  guide.a = ground();
  guide.b = body("block");
  guide.point = Triple{0, 0, 0};
  guide.axis = {std::cos(angle), 0, -std::sin(angle)};
  model.joints.add("guide", guide);
  Friction friction;
  friction.joint = "guide";
  friction.coefficient = coefficient;
  if (force > 0) friction.force = force;
  model.springs.add("friction", friction);
  model.loads.add("gravity", Gravity{constant(0, 0, -g)});
  return model;
}

TEST(JointContacts, ASliderFeelsWhatItsGuideHolds) {
  const double angle = 0.5;
  const SpringHistory slides = history(slider(angle, 0.3), half_steps(0.005, 1), "friction");
  EXPECT_NEAR(slides.rate.back(), g * (std::sin(angle) - 0.3 * std::cos(angle)), 1e-8);
  EXPECT_NEAR(slides.force.back(), 0.3 * mass * g * std::cos(angle), 1e-7);
  const SpringHistory both = history(slider(angle, 0.3, 2), half_steps(0.005, 1), "friction");
  EXPECT_NEAR(both.rate.back(), g * (std::sin(angle) - 0.3 * std::cos(angle)) - 2 / mass, 1e-8);
  const SpringHistory sticks = history(slider(angle, 1.001 * std::tan(angle)), half_steps(0.005, 1), "friction");
  for (const double x : sticks.value) EXPECT_NEAR(x, 0, 1e-13);
}

// The same slider on the ground of a contact: friction of the joint and of a floor in one problem.
TEST(JointContacts, JointsAndFloorsShareAProblem) {
  Model model = slider(0, 0.2);
  RigidBody& block = std::get<RigidBody>(model.bodies.items[0].second);
  block.mass = {};
  block.inertia = {};
  block.shape = SphereShape{0.1};
  block.density = 500;
  block.velocity = {1, 0, 0};
  std::get<Prismatic>(model.joints.items[0].second).axis = {1, 0, 0};
  Obstacle wall;
  wall.shape = PlaneShape{};
  wall.normal = Triple{-1, 0, 0};
  wall.position = {0.15, 0, 0};
  model.obstacles.add("wall", wall);
  Contact contact;
  contact.between = OneOrMore<std::string>(std::string("all"));
  contact.restitution = 1;
  model.contacts.add("touch", contact);
  const SpringHistory r = history(model, half_steps(0.001, 0.1), "friction");
  const double before = std::sqrt(1 - 2 * 0.2 * g * 0.05);  // at the wall, 0.05 m away
  const double rate = r.rate.back();
  EXPECT_LT(rate, 0);
  EXPECT_GT(rate, -before);
  EXPECT_NEAR(*std::ranges::max_element(r.value), 0.05, 1e-3);  // it turns round within a step
}

TEST(JointContacts, EnergyBalances) {
  Trajectory* run = nullptr;
  Model model = pendulum(0.9, 0.5);
  Friction friction;
  friction.joint = "pin";
  friction.force = 1;
  model.springs.add("friction", friction);
  history(model, half_steps(0.001, 2), "stop", &run);
  EXPECT_LT(run->report.energy.worst, 1e-3 * run->report.energy.size);
  EXPECT_GT(run->report.energy.size, 1);
}

TEST(JointContacts, ThreadsChangeNoBit) {
  Model model = slider(0.5, 0.3);
  model.analysis = half_steps(0.005, 0.5);
  const Trajectory one(model, half_steps(0.005, 0.5)), two(model, half_steps(0.005, 0.5), 2);
  EXPECT_EQ(one.state.q, two.state.q);
  EXPECT_EQ(one.state.slots.values, two.state.slots.values);
}

// Beyond a rigid stop at the start: an error with joint, value and limit; by rounding: none.
TEST(JointContacts, BeginningBeyondAStopIsRefused) {
  const auto words = [](double lower, std::optional<double> upper) -> std::string {
    Model model = pendulum(0.9, 0);
    Stop& stop = std::get<Stop>(model.springs.items[0].second);
    stop.lower = lower;
    stop.upper = upper;
    model.analysis = half_steps(0.01, 0.02);
    try {
      const Trajectory run(model, half_steps(0.01, 0.02));
      EXPECT_TRUE(run.report.ok()) << run.report.message;
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const std::string& text : {words(0.2, {}), words(-1, -0.3)})
    for (const char* word : {"springs.stop", "joint 'pin'", "the angle 0 rad", "stiffness"})
      EXPECT_NE(text.find(word), std::string::npos) << text;
  EXPECT_NE(words(0.2, {}).find("lower = 0.2"), std::string::npos);
  EXPECT_NE(words(-1, -0.3).find("upper = -0.3"), std::string::npos);
  EXPECT_EQ(words(1e-12, {}), "");
  EXPECT_EQ(words(0, 0.3), "");
}

TEST(JointContacts, WordsForWhatCannotBe) {
  const auto words = [](Model model, Integrator integrator) -> std::string {
    DynamicAnalysis a = half_steps(0.01, 0.1);
    a.integrator = integrator;
    model.analysis = a;
    try {
      compile(model);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  Model rigid_stop = pendulum(0.9, 0.5);
  EXPECT_NE(words(rigid_stop, Integrator::hht).find("half_step"), std::string::npos);
  std::get<Stop>(rigid_stop.springs.items[0].second).damping = 3;
  EXPECT_NE(words(rigid_stop, Integrator::half_step).find("rigid"), std::string::npos);
  Model springy = pendulum(0.9, 0.5);
  std::get<Stop>(springy.springs.items[0].second).stiffness = 1e4;
  EXPECT_NE(words(springy, Integrator::half_step).find("restitution"), std::string::npos);
  EXPECT_NE(words(slider(0.5, 0.3), Integrator::hht).find("half_step"), std::string::npos);
  Model hinge = door(5, 4);
  std::get<Friction>(hinge.springs.items[0].second).coefficient = 0.1;
  EXPECT_NE(words(hinge, Integrator::half_step).find("coefficient"), std::string::npos);
}

}  // namespace
}  // namespace lithe::test

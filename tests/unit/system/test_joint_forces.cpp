// Springs, friction, stops and pd drives on the coordinates of joints: tangents, values, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/system/springs.h"
#include "support/joints.h"
#include "unit/allocation_counter.h"

namespace lithe::test {
namespace {

// Two bodies joined by a joint of each kind that has coordinates, one after the other.
Model joined(TangentForm form) {
  Model model;
  const Vec3<double> axis{{0, 0, 1}};
  At ground;
  ground.body = "ground";
  int number = 0;
  const auto pair = [&](Side side, auto&& make) {
    const Vec3<double> point{{2.0 * number, 0, 0}};
    const std::string name = "j" + std::to_string(number++);
    const At a = add_side(model, Side::rigid, name + "_a", point, {{1, 0, 0}}, {{0, 1, 0}});
    const At b = add_side(model, side, name + "_b", point, {{0.6, 0.8, 0}}, {{-0.8, 0.6, 0}});
    model.joints.add(name, make(a, b));
    return name;
  };
  const auto law = ForceLaw::expression("40*x + 30*x^3 + 2*v + 5*v*x");
  for (const Side side : {Side::rigid, Side::node}) {
    const std::string hinge = pair(side, [&](At a, At b) { return Revolute{a, b, {}, triple(axis)}; });
    model.springs.add(hinge + "_law", TorsionSpring{hinge, 3, 0, 0.2, Signal(0), law, {}});
    model.springs.add(hinge + "_rub", Friction{hinge, {}, 7, 0.8});
    model.springs.add(hinge + "_stop", Stop{hinge, {}, -0.5, -0.2, 300, 5, 0.1});
    model.springs.add(hinge + "_pd", PdDrive{hinge, {}, Signal::expression("0.3*sin(3*t)"), 50, 4, 6});
    const std::string tube = pair(side, [&](At a, At b) { return Cylindrical{a, b, {}, triple(axis)}; });
    model.springs.add(tube + "_law", TravelSpring{tube, 20, 3, 0.1, Signal(4), law});
    model.springs.add(tube + "_rub", Friction{tube, JointCoordinate::travel, 7, 0.8});
    model.springs.add(tube + "_stop", Stop{tube, JointCoordinate::travel, 0.09, {}, 300, 1, 0.2});
    model.springs.add(tube + "_pd", PdDrive{tube, JointCoordinate::travel, Signal(0.3), 50, 4, {}});
    const std::string cross = pair(side, [&](At a, At b) { return Universal{a, b, {}, {1, 0, 0}, {0, 1, 0}}; });
    model.springs.add(cross + "_a", TorsionSpring{cross, 5, 1, 0, Signal(0), {}, JointCoordinate::angle_a});
    model.springs.add(cross + "_b", TorsionSpring{cross, 5, 1, 0, Signal(0), law, JointCoordinate::angle_b});
    const std::string table = pair(side, [&](At a, At b) { return Planar{a, b, {}, triple(axis)}; });
    const Triple along{0.8, 0.6, 0};
    model.springs.add(table + "_law", TravelSpring{table, 20, 3, 0.1, Signal(4), law, along});
    model.springs.add(table + "_rub", Friction{table, {}, 7, 0.8, {}, along});
    model.springs.add(table + "_stop", Stop{table, JointCoordinate::travel, 0.2, {}, 300, 1, 0.2, along});
    model.springs.add(table + "_pd", PdDrive{table, {}, Signal(0.3), 50, 4, {}, along});
  }
  model.treatment = Treatment::lagrange;
  model.tangent = form;
  return model;
}

State disturbed(const System& system, double amount, double speed, unsigned seed) {
  State state = system.initial_state();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double& x : state.q) x += amount * unit(random);
  for (double& x : state.v) x = speed * unit(random);
  state.a.assign(state.q.size(), 0.0);
  state.t = 0.4;
  return state;
}

std::vector<double> forces(const System& system, const State& state) {
  std::vector<double> f(state.q.size(), 0.0), external(state.q.size(), 0.0);
  for (int s = 0; s < system.springs.count(); ++s) {
    add_spring_force(system.springs, s, state, ForceSink(f));
    add_actuator_force(system.springs, s, state, ForceSink(external));
  }
  for (std::size_t i = 0; i < f.size(); ++i) f[i] -= external[i];
  return f;
}

TEST(JointForces, TangentIsTheDerivative) {
  for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    const System system = compile(joined(form));
    ASSERT_EQ(system.symmetric, form == TangentForm::symmetric);
    const State state = disturbed(system, 0.04, 0.5, 3);
    int engaged = 0;
    for (int s = 0; s < system.springs.count(); ++s)
      engaged += system.springs.law[s].joint.stop > 0 && spring_values(system, state, s)[2] != 0;
    ASSERT_EQ(engaged, 6);
    const double c_q = 1.0, c_v = 0.7, h = 1e-6;
    std::vector<double> values(system.pattern.nonzeros(), 0.0), dz(system.map.size, 0.0), plus, minus;
    for (int s = 0; s < system.springs.count(); ++s)
      add_spring_tangent(system, s, state, c_q, c_v, TangentSink(system, values.data()));
    const int n = system.map.size;
    std::vector<std::vector<double>> K(n, std::vector<double>(n, 0.0)), D = K;
    for (int c = 0; c < n; ++c)
      for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k) {
        const int r = system.pattern.row[k];
        if (r >= n) continue;
        K[r][c] = values[k];
        if (system.symmetric) K[c][r] = values[k];
      }
    for (int j = 0; j < n; ++j) {
      dz[j] = 1;
      State p = state, m = state;
      system.map.prolong({}, dz, c_q * h, p.q);
      system.map.prolong({}, dz, c_v * h, p.v);
      system.map.prolong({}, dz, -c_q * h, m.q);
      system.map.prolong({}, dz, -c_v * h, m.v);
      system.map.restrict({}, forces(system, p), plus);
      system.map.restrict({}, forces(system, m), minus);
      for (int i = 0; i < n; ++i) D[i][j] = (plus[i] - minus[i]) / (2 * h);
      dz[j] = 0;
    }
    double scale = 0;
    for (const auto& row : K)
      for (const double x : row) scale = std::max(scale, std::abs(x));
    ASSERT_GT(scale, 10);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        EXPECT_NEAR(K[i][j], system.symmetric ? 0.5 * (D[i][j] + D[j][i]) : D[i][j], 1e-7 * scale) << i << " " << j;
  }
}

TEST(JointForces, ForceIsTheGradientOfTheEnergy) {
  Model model = joined(TangentForm::symmetric), still;
  for (auto& [name, spring] : model.springs.items) {  // what has an energy
    if (auto* s = std::get_if<TravelSpring>(&spring)) s->force = Signal(0);
    if (!std::holds_alternative<Friction>(spring) && !std::holds_alternative<PdDrive>(spring))
      still.springs.add(name, spring);
  }
  model.springs = still.springs;
  const System system = compile(model);
  const State state = disturbed(system, 0.04, 0, 5);
  const std::vector<double> f = forces(system, state);
  for (std::size_t i = 0; i < f.size(); ++i) {
    State plus = state, minus = state;
    plus.q[i] += 1e-5;
    minus.q[i] -= 1e-5;
    EXPECT_NEAR(f[i], (spring_energy(system, plus) - spring_energy(system, minus)) / 2e-5, 1e-6);
  }
}

TEST(JointForces, EvaluationAllocatesNothing) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP();
  const System system = compile(joined(TangentForm::symmetric));
  const State state = disturbed(system, 0.04, 0.5, 8);
  std::vector<double> f(state.q.size(), 0.0), values(system.pattern.nonzeros(), 0.0);
  const fixtures::AllocationCounter counter;
  for (int s = 0; s < system.springs.count(); ++s) {
    add_spring_force(system.springs, s, state, ForceSink(f));
    add_spring_tangent(system, s, state, 1, 0.5, TangentSink(system, values.data()));
  }
  EXPECT_EQ(counter.taken(), 0);
}

// A block on rails along x, moved by x with the velocity v.
struct OnRails {
  Model model;
  explicit OnRails(SpringElement spring) {
    RigidBody block;
    block.mass = 2;
    block.inertia = std::vector<double>{1, 1, 1};
    model.bodies.add("block", block);
    model.joints.add("rails", Prismatic{ground(), at("block", ""), {}, {1, 0, 0}});
    model.springs.add("spring", std::move(spring));
  }
  static At ground() {
    At a;
    a.body = "ground";
    return a;
  }
  double force(double x, double v) const {
    const System system = compile(model);
    State state = system.initial_state();
    state.q[0] = x;
    state.v[0] = v;
    state.a.assign(state.q.size(), 0.0);
    const std::vector<double> values = spring_values(system, state, 0);
    EXPECT_NEAR(values[0], x, 1e-14);
    EXPECT_NEAR(values[1], v, 1e-14);
    EXPECT_NEAR(forces(system, state)[0], values[2], 1e-10);
    return values[2];
  }
};

TEST(JointForces, ValuesAlongATravel) {
  const OnRails friction(Friction{"rails", {}, 5, 0.1});
  EXPECT_NEAR(friction.force(0.3, 0.05), 5 * std::tanh(0.5), 1e-12);
  EXPECT_NEAR(friction.force(0.3, -2), -5, 1e-12);
  const OnRails stop(Stop{"rails", {}, -0.1, 0.3, 1000, 20, 0.01});
  EXPECT_EQ(stop.force(0.29, 5), 0);
  EXPECT_NEAR(stop.force(0.305, 0), 1000 * 0.005 * 0.005 / 0.02, 1e-12);
  EXPECT_NEAR(stop.force(0.35, 0.2), 1000 * (0.05 - 0.005) + 20 * 0.2, 1e-11);
  EXPECT_EQ(stop.force(0.35, -10), 0);  // it never pulls
  EXPECT_NEAR(stop.force(-0.15, -0.2), -(1000 * (0.05 - 0.005) + 20 * 0.2), 1e-11);
  const OnRails pd(PdDrive{"rails", {}, Signal(0.5), 100, 8, {}});
  EXPECT_NEAR(pd.force(0.2, 0.25), -(100 * 0.3 - 8 * 0.25), 1e-12);
  const OnRails limited(PdDrive{"rails", {}, Signal(0.5), 100, 0, 10.0});
  EXPECT_NEAR(limited.force(0.2, 0), -10 * std::tanh(3), 1e-12);
  const OnRails law(TravelSpring{"rails", 10, 1, 0.1, Signal(2), ForceLaw::expression("50*x^3 + 2*v")});
  EXPECT_NEAR(law.force(0.4, 0.5), 10 * 0.3 + 0.5 + 50 * 0.027 + 1 - 2, 1e-12);
}

TEST(JointForces, AnglesOfAUniversalJointAreThoseAboutItsTwoAxes) {
  Model model;
  const At a = add_side(model, Side::rigid, "a", {{0, 0, 0}}, {{0.6, 0.8, 0}}, {{-0.8, 0.6, 0}});
  const At b = add_side(model, Side::rigid, "b", {{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}});
  const Vec3<double> x{{1, 0, 0}}, y{{0, 1, 0}};
  model.joints.add("cross", Universal{a, b, {}, triple(x), triple(y)});
  model.treatment = Treatment::lagrange;
  const System system = compile(model);
  for (const double first : {0.4, -1.2})
    for (const double second : {0.7, -0.3}) {
      // About y of b, which the turn about x of a has moved along with the cross.
      const Motion6 all = Motion6::turn({{0, 0, 0}}, {{0.36, 0.48, 0.8}}, 0.9);
      std::vector<double> q = system.q0;
      move(system, "a", all, q);
      move(system, "b", all * Motion6::turn({}, x, first) * Motion6::turn({}, y, second), q);
      EXPECT_LT(largest(constraints_at(system, q)), 1e-12);
      EXPECT_NEAR(angle_value(system.angles[system.joints[0].angle], q, 0), first, 1e-12);
      EXPECT_NEAR(angle_value(system.angles[system.joints[0].second_angle], q, 0), second, 1e-12);
    }
}

// The angle of a leaning axis, the force of its stop as the slope of the energy, and the tangent as that of the force.
TEST(JointForces, AConeIsTheAngleOfItsAxis) {
  Model model;
  const At a = add_side(model, Side::rigid, "a", {{0, 0, 0}}, {{0.6, 0.8, 0}}, {{-0.8, 0.6, 0}});
  const At b = add_side(model, Side::rigid, "b", {{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}});
  model.joints.add("ball", Spherical{a, b, {}});
  model.springs.add("cone", Stop{"ball", {}, {}, 0.3, 300, 0, 0.1, Triple{0, 0, 1}});
  model.treatment = Treatment::lagrange;
  const System system = compile(model);
  State state = system.initial_state();
  state.a.assign(state.q.size(), 0.0);
  move(system, "b", Motion6::turn({}, {{0.6, 0.8, 0}}, 0.7), state.q);
  const std::vector<double> cone = spring_values(system, state, 0);
  EXPECT_NEAR(cone[0], 0.7, 1e-12);
  EXPECT_NEAR(cone[2], 300 * (0.4 - 0.05), 1e-10);
  const int n = system.map.size;
  std::vector<double> K(system.pattern.nonzeros(), 0.0), dz(n, 0.0), f, plus, minus;
  add_spring_tangent(system, 0, state, 1, 0, TangentSink(system, K.data()));
  system.map.restrict({}, forces(system, state), f);
  const double h = 1e-5;
  for (int j = 0; j < n; ++j) {
    dz[j] = 1;
    State p = state, m = state;
    system.map.prolong({}, dz, h, p.q);
    system.map.prolong({}, dz, -h, m.q);
    dz[j] = 0;
    EXPECT_NEAR(f[j], (spring_energy(system, p) - spring_energy(system, m)) / (2 * h), 1e-6);
    system.map.restrict({}, forces(system, p), plus);
    system.map.restrict({}, forces(system, m), minus);
    for (int k = system.pattern.column_start[j]; k < system.pattern.column_start[j + 1]; ++k)
      if (const int r = system.pattern.row[k]; r < n) {
        EXPECT_NEAR(K[k], (plus[r] - minus[r]) / (2 * h), 1e-4);
      }
  }
}

// Springs and drives of a ball and of a table: what is refused.
TEST(JointForces, AxesOfBallsAndTablesAreChecked) {
  const auto said = [](const SpringElement& spring, const std::optional<Turn>& turn = {}) {
    Model model;
    const At a = add_side(model, Side::rigid, "a", {{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}});
    const At b = add_side(model, Side::rigid, "b", {{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}});
    const At c = add_side(model, Side::cable, "c", {{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}});
    model.joints.add("ball", Spherical{a, b, {}});
    model.joints.add("table", Planar{a, b, {}, {0, 0, 1}});
    model.joints.add("eye", Spherical{a, c, {}});
    if (turn) model.joints.add("drive", *turn);
    else model.springs.add("spring", spring);
    try {
      compile(model);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [&](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  const Triple z{0, 0, 1};
  has(said(Stop{"ball", {}, {}, 0.5, 10, 0, {}}), "'axis' is missing: joint 'ball' is spherical");
  has(said(Stop{"ball", {}, 0.1, 0.5, 10, 0, {}, z}), "is never negative; give 'upper' alone");
  has(said(Stop{"ball", {}, {}, 4, 10, 0, {}, z}), "lies between 0 and pi rad");
  has(said(Stop{"ball", JointCoordinate::angle, {}, 0.5, 10, 0, {}, z}), "a spherical joint has no 'angle'");
  has(said(Stop{"eye", {}, {}, 0.5, 10, 0, {}, z}), "has no direction along 'axis'");
  has(said(TravelSpring{"table", 3, 0, 0, Signal(0), {}}), "give the one of the spring");
  has(said(TravelSpring{"table", 3, 0, 0, Signal(0), {}, z}), "must lie in the plane with normal");
  has(said(Stop{"table", JointCoordinate::angle, {}, 1, 10, 0, {}, Triple{1, 0, 0}}), "'angle' has no axis");
  const auto turn = [&](const std::string& joint, std::array<std::optional<Drive>, 3> angles,
                        std::optional<Drive> angle = {}) {
    Turn t{joint, angle};
    t.angles = angles;
    return said({}, t);
  };
  has(turn("ball", {}), "'angles' is missing: joint 'ball' is spherical");
  has(turn("ball", {}, Drive(0)), "has three angles; give 'angles: [x, y, z]' instead");
  has(turn("ball", {Drive(0), Drive(Signal::expression("2*t")), {}}), "the second angle is 1.5");
  has(turn("eye", {Drive(0), {}, {}}), "has no three directions");
  has(turn("table", {Drive(0), {}, {}}), "which does not turn about three axes; give 'angle'");
}

TEST(JointForces, WhatDoesNotFitIsRefusedInWords) {
  const auto message = [](const OnRails& on) {
    try {
      compile(on.model);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [&](const SpringElement& spring, const char* words) {
    const std::string said = message(OnRails(spring));
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  has(Friction{"rails", JointCoordinate::angle, 5, 0.1}, "'angle' is no coordinate of joint 'rails'");
  has(Friction{"rail", {}, 5, 0.1}, "joint 'rail' is not known");
  has(TorsionSpring{"rails", 3, 0, 0, Signal(0), {}, {}}, "which has no angle");
  has(Stop{"rails", {}, {}, {}, 10, 0, {}}, "a stop needs a limit");
  has(Stop{"rails", {}, {}, 1, 10, 0, {}, Triple{0, 0, 1}}, "is of type prismatic, not planar; remove this key");
  has(Friction{"rails", {}, {}, 0.1}, "'force' is missing");
  has(Friction{"rails", {}, {}, 0.1, 0.3}, "is known by half steps alone, without 'slow'");
  has(Stop{"rails", {}, 0.2, 0.1, 10, 0, {}}, "must be greater than lower = 0.2");
  has(TravelSpring{"rails", 0, 0, 0, Signal(0), ForceLaw::expression("1/x")}, "all must be finite");
}

}  // namespace
}  // namespace lithe::test

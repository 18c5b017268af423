// Force laws, friction, stops and pd drives at work; screws, racks and prescribed rates; thin bodies: closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lithe/dynamics/simulation.h"
#include "lithe/dynamics/statics.h"
#include "lithe/system/outputs.h"
#include "support/joints.h"

namespace lithe::test {
namespace {

constexpr double pi = M_PI, mass = 2;

At ground() {
  At a;
  a.body = "ground";
  return a;
}

DynamicAnalysis precise(double duration, double step) {
  DynamicAnalysis a;
  a.duration = duration;
  a.step = step;
  a.integrator = Integrator::newmark;  // average acceleration
  a.tolerance = 1e-11;
  a.residual_tolerance = 1e-8;
  a.iterations = 30;
  return a;
}

// The values of all channels after every step.
struct History {
  std::vector<double> t;
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  std::vector<double> of(const std::string& name) const {
    const auto at = std::ranges::find(names, name);
    EXPECT_NE(at, names.end()) << "no column " << name;
    std::vector<double> column;
    for (const auto& row : rows) column.push_back(row[at - names.begin()]);
    return column;
  }
  double last(const std::string& name) const { return of(name).back(); }
};
History run(Model model, const DynamicAnalysis& analysis) {
  model.analysis = analysis;
  const System system = compile(model);
  Workspace work(system, 1);
  State state = system.initial_state();
  History result;
  for (const Channel& channel : channels(system))
    for (const std::string& column : channel.columns) result.names.push_back(channel.name + "." + column);
  const DynamicReport report = simulate(system, analysis, state, work, [&](const State& s, const DynamicStep&) {
    result.t.push_back(s.t);
    result.rows.push_back(channel_values(system, s, work));
    return true;
  });
  EXPECT_TRUE(report.ok()) << report.message;
  return result;
}

RigidBody block(double speed = 0) {
  RigidBody body;
  body.mass = mass;
  body.inertia = std::vector<double>{0.3, 0.3, 0.4};
  body.velocity = {speed, 0, 0};
  return body;
}

// A block on rails along x with one spring.
Model on_rails(SpringElement spring, double speed = 0) {
  Model model;
  model.bodies.add("block", block(speed));
  model.joints.add("rails", Prismatic{ground(), at("block", ""), {}, {1, 0, 0}});
  model.springs.add("spring", std::move(spring));
  model.outputs.add("spring", SpringOutput{"spring"});
  model.outputs.add("energy", EnergyOutput{});
  return model;
}

double equilibrium(Model model, double push) {
  At place = at("block", "center");
  model.loads.add("push", PointForce{place, constant(push, 0, 0)});
  model.analysis = StaticAnalysis{};
  const System system = compile(model);
  State state = system.initial_state();
  Workspace work(system, 1);
  const StaticReport report =
      solve_static(system, StaticAnalysis{}, state, work, [](const State&, const StaticStep&) { return true; });
  EXPECT_TRUE(report.ok()) << report.message;
  return state.q[0];
}

TEST(JointForcePhysics, AHardeningSpringHasDuffingsPeriod) {
  // F = k x + c x^3: with amplitude A the period is 4 sqrt(m / (k + c A^2)) K(m'), m' = c A^2 / (2 (k + c A^2)).
  const double k = 80, c = 4000, speed = 1.5;
  const ForceLaw law = ForceLaw::expression("80*x + 4000*x^3");
  const double square = (-k + std::sqrt(k * k + 2 * c * mass * speed * speed)) / c, stiff = k + c * square;
  const double period = 4 * std::sqrt(mass / stiff) * std::comp_ellint_1(std::sqrt(c * square / (2 * stiff)));
  for (const bool travel : {true, false}) {
    Spring line;
    line.a.body = "ground";
    line.a.point = Triple{-1, 0, 0};
    line.b = at("block", "center");
    line.law = law;
    const SpringElement spring = travel ? SpringElement(TravelSpring{"rails", 0, 0, 0, Signal(0), law}) : line;
    const History r = run(on_rails(spring, speed), precise(period, period / 2000));
    const std::vector<double> x = r.of(travel ? "spring.travel" : "spring.length"), E = r.of("energy.total");
    EXPECT_NEAR(x.back() - x.front(), 0, 2e-4 * std::sqrt(square));  // it is back after one period
    EXPECT_NEAR(*std::ranges::max_element(x) - x.front(), std::sqrt(square), 1e-5);
    for (const double e : E) EXPECT_NEAR(e, 0.5 * mass * speed * speed, 1e-5);
  }
}

TEST(JointForcePhysics, ATableOfForcesHangsWhereItsLineSays) {
  const ForceLaw law = ForceLaw::table({-1, 0, 0.1, 1}, {-1000, 0, 50, 2300});
  const Model model = on_rails(TravelSpring{"rails", 0, 0, 0, Signal(0), law});
  EXPECT_NEAR(equilibrium(model, 20), 0.04, 1e-9);
  EXPECT_NEAR(equilibrium(model, 300), 0.2, 1e-9);
  EXPECT_NEAR(equilibrium(model, -100), -0.1, 1e-9);
}

// A ball joint driven by three angles: where it is, and Euler's equation for the torque.
TEST(JointForcePhysics, AnglesTurnABallAboutXThenYThenZ) {
  Model model;
  model.bodies.add("block", block());
  model.joints.add("ball", Spherical{ground(), at("block", "center"), {}});
  Turn turn{"ball", {}};
  turn.angles = {Drive(Signal::expression("4*t^2")), Drive(Signal::expression("sin(t)")),
                 Drive(Signal::expression("-1.5*t^3"))};
  model.joints.add("drive", turn);
  model.outputs.add("drive", JointOutput{"drive"});
  model.outputs.add("turned", RotationOutput{"block", {}});
  const Vec3<double> x{{1, 0, 0}}, y{{0, 1, 0}}, z{{0, 0, 1}};
  const auto turned = [&](double t) {
    return rotation(x, 4 * t * t) * rotation(y, std::sin(t)) * rotation(z, -1.5 * t * t * t);
  };
  const auto momentum = [&](double t) {  // R J R^T w, w the axial vector of R' R^T
    const double d = 1e-4;
    const Mat3<double> R = turned(t), after = turned(t + d), before = turned(t - d);
    Vec3<double> w{};
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      for (int m = 0; m < 3; ++m)
        w[i] += ((after[k][m] - before[k][m]) * R[j][m] - (after[j][m] - before[j][m]) * R[k][m]) / (4 * d);
    }
    Vec3<double> local = transpose(R) * w;
    const double inertia[3] = {0.3, 0.3, 0.4};
    for (int m = 0; m < 3; ++m) local[m] *= inertia[m];
    return R * local;
  };
  const double end = 1.2, d = 1e-3;
  const History r = run(model, precise(end, 1e-3));
  const Mat3<double> R = turned(end);
  for (int i = 0; i < 3; ++i) {
    const std::string m(1, "xyz"[i]);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(r.last(std::string("turned.") + "xyz"[k] + "_axis." + m), R[i][k], 1e-7);
    const double rate = (momentum(end + d)[i] - momentum(end - d)[i]) / (2 * d);
    EXPECT_NEAR(r.last("drive.t" + m), rate, 2e-3 * 20);
  }
}

// A rod under a ball joint, pushed aside by more than its cone allows: a spring, the stop and the push balance.
TEST(JointForcePhysics, AConeHoldsARodOnABallJoint) {
  const double push = 30, arm = 0.5, limit = 0.3, stiffness = 2000, width = 0.01, back = 20;
  Model model;
  RigidBody rod = block();
  rod.position = {0, 0, -arm};
  model.bodies.add("rod", rod);
  At top = ground();
  top.point = Triple{0, 0, 0};
  model.joints.add("ball", Spherical{top, at("rod", ""), {}});
  Turn spin{"ball", {}};
  spin.angles[2] = Drive(0);
  model.joints.add("no_spin", spin);
  model.springs.add("cone", Stop{"ball", {}, {}, limit, stiffness, 0, width, Triple{0, 0, 1}});
  model.outputs.add("cone", SpringOutput{"cone"});
  Spring spring;  // of no length to where the rod hangs: a moment back arm^2 sin(a)
  spring.a.body = "ground";
  spring.a.point = Triple{0, 0, -arm};
  spring.b = at("rod", "center");
  spring.free_length = 0;
  spring.stiffness = back;
  model.springs.add("back", spring);
  model.loads.add("push", PointForce{at("rod", "center"), constant(0.6 * push, 0.8 * push, 0)});
  model.analysis = StaticAnalysis{};
  const System system = compile(model);
  State state = system.initial_state();
  Workspace work(system, 1);
  const StaticReport report =
      solve_static(system, StaticAnalysis{}, state, work, [](const State&, const StaticStep&) { return true; });
  ASSERT_TRUE(report.ok()) << report.message;
  double low = limit, high = 1;  // push arm cos(a) = back arm^2 sin(a) + k (a - limit - width / 2)
  for (int i = 0; i < 60; ++i) {
    const double a = (low + high) / 2, d = a - limit,
                 held = stiffness * (d < width ? d * d / (2 * width) : d - width / 2);
    (push * arm * std::cos(a) > back * arm * arm * std::sin(a) + held ? low : high) = a;
  }
  const std::vector<double> cone = spring_values(system, state, 0);
  EXPECT_NEAR(cone[0], low, 1e-8);
  EXPECT_GT(cone[0], limit);
}

// On a table: a spring along one direction, a stop along the other, friction along both.
TEST(JointForcePhysics, ATableHasSpringsAndStopsAlongItsDirections) {
  Model model;
  model.bodies.add("block", block());
  model.joints.add("table", Planar{ground(), at("block", "center"), {}, {0, 0, 1}});
  const Triple u{0.8, 0.6, 0}, w{-0.6, 0.8, 0};
  model.springs.add("spring", TravelSpring{"table", 400, 0, 0, Signal(0), {}, u});
  model.springs.add("weak", TravelSpring{"table", 40, 0, 0, Signal(0), {}, w});
  model.springs.add("stop", Stop{"table", {}, -0.02, 0.05, 1000, 0, 0.001, w});
  model.springs.add("turn", TorsionSpring{"table", 10, 0, 0, Signal(0)});
  model.loads.add("push", PointForce{at("block", "center"), constant(20 * 0.8 - 15 * 0.6, 20 * 0.6 + 15 * 0.8, 0)});
  const System system = compile(model);
  State state = system.initial_state();
  Workspace work(system, 1);
  const StaticReport report =
      solve_static(system, StaticAnalysis{}, state, work, [](const State&, const StaticStep&) { return true; });
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_NEAR(0.8 * state.q[0] + 0.6 * state.q[1], 20.0 / 400, 1e-9);
  EXPECT_NEAR(-0.6 * state.q[0] + 0.8 * state.q[1], (15 + 1000 * 0.0505) / 1040, 1e-9);
}

TEST(JointForcePhysics, FrictionBringsASlidingBlockToRest) {
  // m v' = -F tanh(v / s): sinh(v / s) decays with the rate F / (m s).
  const double F = 5, s = 0.2, speed = 1;
  const History r = run(on_rails(Friction{"rails", {}, F, s}, speed), precise(1.0, 5e-4));
  const std::vector<double> v = r.of("spring.rate"), force = r.of("spring.force");
  for (std::size_t i = 0; i < v.size(); i += 100)
    EXPECT_NEAR(v[i], s * std::asinh(std::sinh(speed / s) * std::exp(-F * r.t[i] / (mass * s))), 1e-6);
  EXPECT_NEAR(force.front(), F * std::tanh(speed / s), 1e-9);
}

TEST(JointForcePhysics, AStopSendsABlockBackAndHoldsALoad) {
  const double k = 5e4, w = 0.002, speed = 1.2;
  const History r = run(on_rails(Stop{"rails", {}, {}, 0.1, k, 0, w}, speed), precise(0.25, 1e-5));
  // k (d^2/2 - w d/2 + w^2/6) = m v^2 / 2.
  const double d = 0.5 * w + std::sqrt(0.25 * w * w - w * w / 3 + mass * speed * speed / k);
  const std::vector<double> x = r.of("spring.travel");
  EXPECT_NEAR(*std::ranges::max_element(x), 0.1 + d, 1e-6);
  EXPECT_NEAR(r.last("spring.rate"), -speed, 1e-5);
  // With a damper it comes back slower, and never sticks.
  const History damped = run(on_rails(Stop{"rails", {}, {}, 0.1, k, 100, w}, speed), precise(0.25, 1e-5));
  EXPECT_LT(damped.last("spring.rate"), -0.3 * speed);
  EXPECT_GT(damped.last("spring.rate"), -0.8 * speed);
  for (const double f : damped.of("spring.force")) EXPECT_GE(f, 0);
  const Model still = on_rails(Stop{"rails", {}, -0.3, 0.1, k, 0, w});
  Model held = still;  // a soft spring leads it to the stop
  held.springs.add("lead", TravelSpring{"rails", 1, 0, 0, Signal(0), {}});
  EXPECT_NEAR(equilibrium(held, 500), 0.1 + w / 2 + (500 - 0.1) / (k + 1), 2e-6);
  EXPECT_NEAR(equilibrium(held, -500), -0.3 - w / 2 - (500 - 0.3) / (k + 1), 2e-6);
}

TEST(JointForcePhysics, APdDriveFollowsItsTargetLikeAnOscillator) {
  const double kp = 200, kd = 8, goal = 0.3;
  const History r = run(on_rails(PdDrive{"rails", {}, Signal(goal), kp, kd, {}}), precise(1, 5e-4));
  const double decay = kd / (2 * mass), omega = std::sqrt(kp / mass - decay * decay);
  const std::vector<double> x = r.of("spring.travel");
  for (std::size_t i = 0; i < x.size(); i += 200) {
    const double t = r.t[i];
    EXPECT_NEAR(x[i], goal * (1 - std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t))),
                2e-6);
  }
  // The rate of the target counts: a ramp is followed without a lag once the start has died out.
  const History ramp = run(on_rails(PdDrive{"rails", {}, Signal::expression("0.2*t"), kp, 40, {}}), precise(2, 1e-3));
  EXPECT_NEAR(ramp.last("spring.travel"), 0.4, 1e-5);
  // A limit: far from its target the drive pushes with that force.
  const History weak = run(on_rails(PdDrive{"rails", {}, Signal(10.0), kp, 0, 3.0}), precise(0.5, 1e-3));
  EXPECT_NEAR(weak.last("spring.travel"), 0.5 * 3 / mass * 0.25, 1e-6);
  EXPECT_NEAR(equilibrium(on_rails(PdDrive{"rails", {}, Signal(goal), kp, kd, {}}), 10), goal + 10 / kp, 1e-9);
}

TEST(MoreJoints, AScrewTurnsAForceIntoASpin) {
  for (const double pitch : {0.3, -0.05}) {
    Model model;
    model.bodies.add("nut", block());
    model.joints.add("screw", Screw{ground(), at("nut", "center"), {}, {0, 0, 1}, pitch});
    model.loads.add("push", PointForce{at("nut", "center"), constant(0, 0, 7)});
    model.outputs.add("screw", JointOutput{"screw"});
    const History r = run(model, precise(1, 1e-3));
    const double turns = 2 * pi / pitch, travel = 0.5 * 7 / (mass + 0.4 * turns * turns);
    EXPECT_NEAR(r.last("screw.travel"), travel, 1e-6 * travel);
    EXPECT_NEAR(r.last("screw.angle"), turns * travel, 1e-6 * std::abs(turns * travel));
    // On the nut: what is missing to m a along the axis, and to I alpha about it.
    EXPECT_NEAR(r.last("screw.fz"), mass * 2 * travel - 7, 1e-5);
    EXPECT_NEAR(r.last("screw.tz"), 0.4 * turns * 2 * travel, 1e-5);
  }
}

TEST(MoreJoints, ARackAddsItsMassToThePinion) {
  const double radius = -0.25, moment = 3;
  Model model;
  RigidBody rack = block();
  rack.position = {0, 1, 0};
  model.bodies.add("wheel", block());
  model.bodies.add("rack", rack);
  model.joints.add("axle", Revolute{ground(), at("wheel", "center"), {}, {0, 0, 1}});
  model.joints.add("rails", Prismatic{ground(), at("rack", ""), {}, {1, 0, 0}});
  model.joints.add("teeth", RackAndPinion{"axle", "rails", radius});
  TorsionSpring motor;
  motor.joint = "axle";
  motor.moment = Signal(moment);
  model.springs.add("motor", motor);
  model.outputs.add("axle", JointOutput{"axle"});
  model.outputs.add("rails", JointOutput{"rails"});
  const History r = run(model, precise(2, 2e-4));  // the scheme is (omega h)^2 / 12 slow
  const double angle = 0.5 * 4 * moment / (0.4 + mass * radius * radius);
  EXPECT_GT(angle, 2 * pi);
  EXPECT_NEAR(r.last("axle.angle"), angle, 1e-5);
  EXPECT_NEAR(r.last("rails.travel"), radius * angle, 1e-5);
}

TEST(MoreJoints, APointInAPlaneSlidesDownItsSlope) {
  Model model;
  RigidBody body = block();
  body.points.add("foot", Triple{0, 0, 0});
  model.bodies.add("block", body);
  const Triple normal{-0.6, 0, 0.8};
  model.joints.add("slope", PointInPlane{ground(), at("block", "foot"), {}, normal});
  model.loads.add("weight", Gravity{constant(0, 0, -10)});
  model.outputs.add("foot", PositionOutput{at("block", "foot")});
  model.outputs.add("slope", JointOutput{"slope"});
  const History r = run(model, precise(0.5, 1e-3));
  const double way = 0.5 * 10 * 0.6 * 0.25;  // down along (-0.8, 0, -0.6)
  EXPECT_NEAR(r.last("foot.x"), -0.8 * way, 1e-6);
  EXPECT_NEAR(r.last("foot.z"), -0.6 * way, 1e-6);
  EXPECT_NEAR(r.last("slope.fx"), -0.6 * mass * 10 * 0.8, 1e-6);
  EXPECT_NEAR(r.last("slope.fz"), 0.8 * mass * 10 * 0.8, 1e-6);
}

TEST(MoreJoints, DrivesByTheirRateAndOfPlanarAndUniversalJoints) {
  Model model;
  model.bodies.add("plate", block());
  model.joints.add("table", Planar{ground(), at("plate", "center"), {}, {0, 0, 1}});
  Turn spin{"table", {}};
  spin.rate = Drive(Signal::expression("3*t^2"));
  model.joints.add("spin", spin);
  Slide along{"table", {}};
  along.rate = Drive(0.5);
  along.axis = Triple{3, 4, 0};
  model.joints.add("along", along);
  Slide across{"table", Drive(Signal::expression("0.1*sin(t)"))};
  across.axis = Triple{-4, 3, 0};
  model.joints.add("across", across);
  RigidBody shaft = block();
  shaft.position = {3, 0, 0};
  model.bodies.add("shaft", shaft);
  model.joints.add("cross", Universal{ground(), at("shaft", "center"), {}, {1, 0, 0}, {0, 1, 0}});
  model.joints.add("first", Turn{"cross", Drive(Signal::expression("0.4*t"))});
  Turn second{"cross", Drive(Signal::expression("0.3*t^2"))};
  second.coordinate = JointCoordinate::angle_b;
  model.joints.add("second", second);
  model.outputs.add("plate", PositionOutput{at("plate", "center")});
  model.outputs.add("table", JointOutput{"table"});
  model.outputs.add("cross", JointOutput{"cross"});
  model.outputs.add("shaft", RotationOutput{"shaft", {}});
  const History r = run(model, precise(2, 1e-2));
  EXPECT_NEAR(r.last("table.angle"), 8, 1e-9);
  EXPECT_NEAR(r.last("plate.x"), 0.6 * 1.0 - 0.8 * 0.1 * std::sin(2.0), 1e-9);
  EXPECT_NEAR(r.last("plate.y"), 0.8 * 1.0 + 0.6 * 0.1 * std::sin(2.0), 1e-9);
  EXPECT_NEAR(r.last("cross.angle_a"), 0.8, 1e-9);
  EXPECT_NEAR(r.last("cross.angle_b"), 1.2, 1e-9);
  const Mat3<double> R = rotation({{1, 0, 0}}, 0.8) * rotation({{0, 1, 0}}, 1.2);
  EXPECT_NEAR(r.last("shaft.x_axis.z"), R[2][0], 1e-9);
  EXPECT_NEAR(r.last("shaft.z_axis.y"), R[1][2], 1e-9);
}

TEST(ThinBodies, SwingLikePendulumsOfTheirInertia) {
  // Released level: a rod about its end and a plate about its edge have I = m L^2 / 3, a disc about its rim, in its
  // plane, 3/2 m r^2. At the bottom omega^2 = 2 m g d / I.
  const double length = 0.9, g = 10;
  const struct {
    RigidShape shape;
    Triple x_axis, y_axis;
    double arm, inertia;  // over the mass
  } bodies[] = {{CylinderShape{0, length}, {0, 1, 0}, {0, 0, 1}, length / 2, length * length / 3},
                {BoxShape{{length, 0.4, 0}}, {1, 0, 0}, {0, 1, 0}, length / 2, length * length / 3},
                {CylinderShape{length, 0}, {1, 0, 0}, {0, 0, 1}, length, 1.5 * length * length}};
  for (const auto& b : bodies) {
    Model model;
    RigidBody body;
    body.position = {b.arm, 0, 0};
    body.x_axis = b.x_axis;
    body.y_axis = b.y_axis;
    body.mass = mass;
    body.shape = b.shape;
    model.bodies.add("body", body);
    model.joints.add("hinge", Revolute{ground(), at("body", ""), Triple{0, 0, 0}, {0, 1, 0}});
    model.loads.add("weight", Gravity{constant(0, 0, -g)});
    model.outputs.add("energy", EnergyOutput{});
    model.outputs.add("hinge", JointOutput{"hinge"});
    const History r = run(model, precise(1, 5e-4));
    const std::vector<double> angle = r.of("hinge.angle"), kinetic = r.of("energy.kinetic");
    for (std::size_t i = 0; i < angle.size(); i += 50)
      EXPECT_NEAR(kinetic[i], mass * g * b.arm * std::sin(angle[i]), 1e-5 * mass * g * b.arm);
    double rate = 0, theta = 0;  // of the exact pendulum, by Runge and Kutta
    const int steps = 4000;
    const auto f = [&](double x) { return g * b.arm / b.inertia * std::cos(x); };
    for (int k = 0; k < steps; ++k) {
      const double h = 1.0 / steps, k1 = f(theta), k2 = f(theta + h / 2 * rate),
                   k3 = f(theta + h / 2 * rate + h * h / 4 * k1), k4 = f(theta + h * rate + h * h / 2 * k2);
      theta += h * rate + h * h / 6 * (k1 + k2 + k3);
      rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    EXPECT_NEAR(angle.back(), theta, 2e-5);
  }
}

TEST(ThinBodies, ARodBetweenBallJointsMovesLikeALinkage) {
  // Two ways to say a thin rod that swings in space from a ball joint: it may spin about its axis or has no such thing.
  const double length = 0.8, g = 10, duration = 1;
  Model thin;
  RigidBody rod;
  rod.position = {length / 2, 0, 0};
  rod.x_axis = Triple{0, 1, 0};
  rod.y_axis = Triple{0, 0, 1};
  rod.mass = mass;
  rod.shape = CylinderShape{0, length};
  rod.velocity = {0, 0.4, 0};
  rod.angular_velocity = {0, 0, 1};
  thin.bodies.add("rod", rod);
  thin.joints.add("ball", Spherical{ground(), at("rod", ""), Triple{0, 0, 0}});
  At tip = at("rod", "");
  tip.point = Triple{length, 0, 0};
  Model bar;
  Linkage link;
  link.points = {{0, 0, 0}, {length, 0, 0}};
  link.bars = {{0, 1}};
  link.bar_mass = mass;
  link.ground = {0};
  bar.bodies.add("bar", link);
  bar.outputs.add("tip", PositionOutput{at_node("bar", 1)});
  thin.outputs.add("tip", PositionOutput{tip});
  for (Model* m : {&thin, &bar}) m->loads.add("weight", Gravity{constant(0, 0, -g)});
  // The linkage starts with the same velocity of its tip.
  bar.analysis = precise(duration, 5e-4);
  System system = compile(bar);
  system.v0[3ul * system.bodies[0].vector(1, 0) + 1] = 0.8;
  Workspace work(system, 1);
  State state = system.initial_state();
  const DynamicReport report =
      simulate(system, precise(duration, 5e-4), state, work, [](const State&, const DynamicStep&) { return true; });
  ASSERT_TRUE(report.ok()) << report.message;
  const History r = run(thin, precise(duration, 5e-4));
  const std::size_t end = 3ul * system.bodies[0].vector(1, 0);
  EXPECT_NEAR(r.last("tip.x"), state.q[end], 1e-5);
  EXPECT_NEAR(r.last("tip.y"), state.q[end + 1], 1e-5);
  EXPECT_NEAR(r.last("tip.z"), state.q[end + 2], 1e-5);
  EXPECT_GT(std::abs(state.q[end + 1]), 0.1);
}

}  // namespace
}  // namespace lithe::test

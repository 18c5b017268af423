// Mechanisms of rigid bodies against independent solutions: minimal coordinates, Euler's equations, closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "lithe/dynamics/simulation.h"
#include "lithe/system/outputs.h"
#include "support/joints.h"

namespace lithe::test {
namespace {

constexpr double g = 9.80665;

At ground() {
  At a;
  a.body = "ground";
  return a;
}

// A run: values of all channels by name, one row an output.
struct Trajectory {
  std::vector<double> t;
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;  // [column]
  double at(const std::string& name, std::size_t row) const {
    for (std::size_t c = 0; c < names.size(); ++c)
      if (names[c] == name) return values[c][row];
    ADD_FAILURE() << "no column " << name;
    return 0;
  }
  double last(const std::string& name) const { return at(name, t.size() - 1); }
};

DynamicAnalysis dynamic(double duration, double step, Integrator integrator = Integrator::hht) {
  DynamicAnalysis a;
  a.duration = duration;
  a.step = step;
  a.integrator = integrator;
  a.tolerance = 1e-11;
  a.residual_tolerance = 1e-8;
  a.iterations = 30;
  return a;
}

Trajectory run(Model model, const DynamicAnalysis& analysis) {
  model.analysis = analysis;
  const System system = compile(model);
  Workspace work(system, 1);
  State state = system.initial_state();
  Trajectory result;
  for (const Channel& channel : channels(system))
    for (const std::string& column : channel.columns) result.names.push_back(channel.name + "." + column);
  result.values.resize(result.names.size());
  const DynamicReport report = simulate(system, analysis, state, work, [&](const State& s, const DynamicStep&) {
    result.t.push_back(s.t);
    const std::vector<double> row = channel_values(system, s, work);
    for (std::size_t c = 0; c < row.size(); ++c) result.values[c].push_back(row[c]);
    return true;
  });
  EXPECT_TRUE(report.ok()) << report.message;
  return result;
}

// Classical Runge-Kutta.
template <std::size_t N>
std::array<double, N> rk4(std::array<double, N> x, double duration, int steps,
                          const std::function<std::array<double, N>(const std::array<double, N>&)>& f) {
  const double h = duration / steps;
  const auto plus = [](std::array<double, N> a, double s, const std::array<double, N>& b) {
    for (std::size_t i = 0; i < N; ++i) a[i] += s * b[i];
    return a;
  };
  for (int k = 0; k < steps; ++k) {
    const auto k1 = f(x), k2 = f(plus(x, h / 2, k1)), k3 = f(plus(x, h / 2, k2)), k4 = f(plus(x, h, k3));
    for (std::size_t i = 0; i < N; ++i) x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return x;
}

RigidBody rod(const Triple& from, const Triple& to, double mass) {
  RigidBody body;
  const Vec3<double> d = vec(to) - vec(from);
  const double length = std::sqrt(dot(d, d)), inertia = mass * length * length / 12;
  body.position = triple(0.5 * (vec(from) + vec(to)));
  body.x_axis = triple(d);
  body.mass = mass;
  body.inertia = std::vector<double>{0.02 * inertia, inertia, inertia};
  return body;
}

// Two rods released horizontally, in the plane x, z.
struct DoublePendulum {
  double L1 = 0.8, L2 = 0.6, m1 = 1.2, m2 = 0.7;
  Model model() const {
    Model m;
    m.bodies.add("first", rod({0, 0, 0}, {L1, 0, 0}, m1));
    m.bodies.add("second", rod({L1, 0, 0}, {L1 + L2, 0, 0}, m2));
    m.joints.add("root", Revolute{ground(), at("first", ""), Triple{0, 0, 0}, {0, 1, 0}});
    m.joints.add("elbow", Revolute{at("first", ""), at("second", ""), Triple{L1, 0, 0}, {0, 1, 0}});
    m.loads.add("gravity", Gravity{});
    At tip = at("second", "");
    tip.point = Triple{L1 + L2, 0, 0};
    m.outputs.add("tip", PositionOutput{tip});
    m.outputs.add("energy", EnergyOutput{});
    m.outputs.add("root", JointOutput{"root"});
    m.outputs.add("elbow", JointOutput{"elbow"});
    m.outputs.add("constraints", ConstraintOutput{});
    return m;
  }
  // Angles from the vertical, with their rates: the classical equations of a compound double pendulum.
  std::array<double, 4> angles(double t) const {
    const double a1 = L1 / 2, a2 = L2 / 2, I1 = m1 * L1 * L1 / 12, I2 = m2 * L2 * L2 / 12;
    const auto rate = [=, this](const std::array<double, 4>& x) -> std::array<double, 4> {
      const double d = x[0] - x[1], c = m2 * L1 * a2 * std::cos(d), s = m2 * L1 * a2 * std::sin(d);
      const double A = I1 + m1 * a1 * a1 + m2 * L1 * L1, B = I2 + m2 * a2 * a2;
      const double r1 = -s * x[3] * x[3] - (m1 * a1 + m2 * L1) * g * std::sin(x[0]);
      const double r2 = s * x[2] * x[2] - m2 * a2 * g * std::sin(x[1]);
      const double det = A * B - c * c;
      return {x[2], x[3], (B * r1 - c * r2) / det, (A * r2 - c * r1) / det};
    };
    return rk4<4>({M_PI / 2, M_PI / 2, 0, 0}, t, 20000, rate);
  }
};

TEST(RigidMechanisms, DoublePendulumAgainstMinimalCoordinates) {
  const DoublePendulum pendulum;
  const double duration = 1.0;
  const auto x = pendulum.angles(duration);
  const double X = pendulum.L1 * std::sin(x[0]) + pendulum.L2 * std::sin(x[1]),
               Z = -pendulum.L1 * std::cos(x[0]) - pendulum.L2 * std::cos(x[1]);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const Trajectory r = run(pendulum.model(), dynamic(duration, k == 0 ? 2e-3 : 1e-3));
    error[k] = std::hypot(r.last("tip.x") - X, r.last("tip.z") - Z);
    EXPECT_NEAR(r.last("tip.y"), 0, 1e-10);
    // The axis is y: the angle grows as the rod falls.
    EXPECT_NEAR(r.last("root.angle"), M_PI / 2 - x[0], 2e-4);
    EXPECT_NEAR(r.last("elbow.angle"), x[0] - x[1], 1e-3);
    double drift = 0;
    for (std::size_t i = 0; i < r.t.size(); ++i) drift = std::max(drift, std::abs(r.at("energy.total", i)));
    EXPECT_LT(drift, 2e-3);  // J of about 10: HHT's damping
    EXPECT_LT(r.last("constraints.position"), 1e-9);
  }
  EXPECT_LT(error[1], 1e-4);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.05);
}

TEST(RigidMechanisms, TreatmentsGiveTheSameMotionAndReactions) {
  const DoublePendulum pendulum;
  std::vector<Trajectory> runs;
  for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    Model model = pendulum.model();
    model.treatment = treatment;
    runs.push_back(run(model, dynamic(0.5, 1e-3)));
  }
  for (std::size_t k = 1; k < runs.size(); ++k) {
    SCOPED_TRACE(k == 1 ? "lagrange" : "augmented");
    ASSERT_EQ(runs[k].t.size(), runs[0].t.size());
    const std::size_t row = runs[0].t.size() - 1;
    for (const char* c : {"tip.x", "tip.z", "energy.kinetic"})
      EXPECT_NEAR(runs[k].at(c, row), runs[0].at(c, row), 1e-6) << c;
    for (const char* c : {"root.fx", "root.fz", "root.ty", "elbow.fx", "elbow.fz", "elbow.tx"})
      EXPECT_NEAR(runs[k].at(c, row), runs[0].at(c, row), 1e-3) << c;
  }
}

// A hinge carries m (g + v^2 / r) at the lowest point: F = m (a - g) all along, closed forms over the angle.
TEST(RigidMechanisms, ReactionOfASwingingRod) {
  const double L = 1.0, m = 1.5, a = L / 2, I = m * L * L / 12 + m * a * a;
  for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    Model model;
    model.bodies.add("rod", rod({0, 0, 0}, {L, 0, 0}, m));
    model.joints.add("hinge", Revolute{ground(), at("rod", ""), Triple{0, 0, 0}, {0, 1, 0}});
    model.joints.add("tracks", Spherical{at("rod", ""), at("bob", ""), Triple{L, 0, 0}});
    model.bodies.add("bob", PointMass{0.001, {L, 0, 0}, {0, 0, 0}});
    model.loads.add("gravity", Gravity{});
    model.outputs.add("hinge", JointOutput{"hinge"});
    model.outputs.add("velocity", VelocityOutput{at("rod", "center")});
    model.outputs.add("acceleration", AccelerationOutput{at("rod", "center")});
    model.treatment = treatment;
    const double M = m + 0.001, J = I + 0.001 * L * L, S = m * a + 0.001 * L;  // with the bob
    const Trajectory r = run(model, dynamic(0.6, 5e-4));
    for (std::size_t i = 0; i < r.t.size(); ++i) {
      const double fallen = r.at("hinge.angle", i);  // from the horizontal
      const double omega2 = 2 * S * g * std::sin(fallen) / J, alpha = S * g * std::cos(fallen) / J;
      // Centre of mass at S/M along the rod (cos, 0, -sin).
      const double ax = S / M * (-omega2 * std::cos(fallen) - alpha * std::sin(fallen)),
                   az = S / M * (omega2 * std::sin(fallen) - alpha * std::cos(fallen));
      EXPECT_NEAR(r.at("hinge.fx", i), M * ax, 2e-4) << r.t[i];
      EXPECT_NEAR(r.at("hinge.fz", i), M * (az + g), 2e-4) << r.t[i];
      for (const char* c : {"hinge.fy", "hinge.tx", "hinge.ty", "hinge.tz"}) EXPECT_NEAR(r.at(c, i), 0, 1e-7) << c;
    }
  }
}

// Torque-free rotation about the middle axis turns over (Dzhanibekov); Euler's equations in the body's axes.
TEST(RigidMechanisms, FreeRotationAboutTheMiddleAxis) {
  const double I[3] = {1.0, 1.6, 2.2};
  const Vec3<double> start{{0.02, 4.0, 0.03}};
  RigidBody body;
  body.mass = 2;
  body.inertia = std::vector<double>{I[0], I[1], I[2]};
  body.position = {0.3, -0.2, 0.1};
  body.velocity = {0.5, 0, -0.25};
  body.angular_velocity = triple(start);
  Model model;
  model.bodies.add("body", body);
  model.outputs.add("energy", EnergyOutput{});
  model.outputs.add("momentum", MomentumOutput{});
  model.outputs.add("rotation", RotationOutput{"body", {}});
  const double duration = 6;
  // omega in the body's axes and the three axes themselves.
  using X = std::array<double, 12>;
  const auto rate = [&](const X& x) {
    X r{};
    const Vec3<double> w{{x[0], x[1], x[2]}};
    for (int k = 0; k < 3; ++k) r[k] = (I[(k + 1) % 3] - I[(k + 2) % 3]) * x[(k + 1) % 3] * x[(k + 2) % 3] / I[k];
    Vec3<double> axis[3], omega{};
    for (int k = 0; k < 3; ++k) {
      axis[k] = {{x[3 + 3 * k], x[4 + 3 * k], x[5 + 3 * k]}};
      omega = omega + w[k] * axis[k];
    }
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> d = cross(omega, axis[k]);
      for (int m = 0; m < 3; ++m) r[3 + 3 * k + m] = d[m];
    }
    return r;
  };
  const X end = rk4<12>({start[0], start[1], start[2], 1, 0, 0, 0, 1, 0, 0, 0, 1}, duration, 60000, rate);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const Trajectory r = run(model, dynamic(duration, k == 0 ? 2e-3 : 1e-3));
    double drift = 0, off = 0, lowest = 1;
    for (std::size_t i = 0; i < r.t.size(); ++i) {
      drift = std::max(drift, std::abs(r.at("energy.total", i) / r.at("energy.total", 0) - 1));
      for (const char* c : {"momentum.px", "momentum.py", "momentum.pz", "momentum.lx", "momentum.ly", "momentum.lz"})
        off = std::max(off, std::abs(r.at(c, i) - r.at(c, 0)));
      lowest = std::min(lowest, r.at("rotation.y_axis.y", i));
    }
    EXPECT_LT(drift, 1e-5);
    EXPECT_LT(off, 1e-4);     // of 6.4 N m s
    EXPECT_LT(lowest, -0.9);  // it has turned over
    error[k] = 0;
    const char* const axes[3] = {"x_axis", "y_axis", "z_axis"};
    for (int a = 0; a < 9; ++a)
      error[k] = std::max(error[k],
                          std::abs(r.last(std::string("rotation.") + axes[a / 3] + "." + "xyz"[a % 3]) - end[3 + a]));
  }
  EXPECT_LT(error[1], 2e-3);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.3);
}

// Driven at a constant rate, in space, with the three equations that a planar loop has too many.
TEST(RigidMechanisms, SliderCrankAgainstItsClosedForm) {
  const double R = 0.3, L = 1.0, w = 7;
  Model model;
  model.bodies.add("crank", rod({0, 0, 0}, {R, 0, 0}, 0.8));
  model.bodies.add("rod", rod({R, 0, 0}, {R + L, 0, 0}, 1.1));
  RigidBody slider;
  slider.position = {R + L, 0, 0};
  slider.mass = 2;
  slider.inertia = std::vector<double>{0.01, 0.01, 0.01};
  model.bodies.add("slider", slider);
  model.joints.add("main", Revolute{ground(), at("crank", ""), Triple{0, 0, 0}, {0, 0, 1}});
  model.joints.add("pin", Revolute{at("crank", ""), at("rod", ""), Triple{R, 0, 0}, {0, 0, 1}});
  model.joints.add("gudgeon", Revolute{at("rod", ""), at("slider", "center"), {}, {0, 0, 1}});
  model.joints.add("guide", Prismatic{ground(), at("slider", ""), {}, {1, 0, 0}});
  model.joints.add("motor", Turn{"main", Signal::expression("7*t")});
  model.outputs.add("x", PositionOutput{at("slider", "center")});
  model.outputs.add("v", VelocityOutput{at("slider", "center")});
  model.outputs.add("a", AccelerationOutput{at("slider", "center")});
  model.outputs.add("guide", JointOutput{"guide"});
  model.outputs.add("motor", JointOutput{"motor"});
  model.outputs.add("energy", EnergyOutput{});
  for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    model.treatment = treatment;
    const Trajectory r = run(model, dynamic(1.0, 5e-4));
    double work = 0;
    for (std::size_t i = 0; i < r.t.size(); ++i) {
      const double phi = w * r.t[i], s = R * std::sin(phi), c = R * std::cos(phi), root = std::sqrt(L * L - s * s);
      const double x = c + root, v = -w * (s + s * c / root);
      const double acceleration = -w * w * (c + (c * c - s * s) / root + s * s * c * c / (root * root * root));
      EXPECT_NEAR(r.at("x.x", i), x, 1e-8);
      EXPECT_NEAR(r.at("v.x", i), v, 1e-5);
      EXPECT_NEAR(r.at("a.x", i), acceleration, 2e-2);  // of 19 m/s^2
      EXPECT_NEAR(r.at("guide.travel", i), x - R - L, 1e-8);
      EXPECT_NEAR(r.at("guide.fx", i), 0, 1e-9);
      EXPECT_NEAR(r.at("motor.angle", i), phi, 1e-9);
      if (i > 0) {
        work += 0.5 * w * (r.at("motor.tz", i) + r.at("motor.tz", i - 1)) * (r.t[i] - r.t[i - 1]);
        EXPECT_NEAR(r.at("energy.total", i) - r.at("energy.total", 0), work, 2e-3);  // of 2 J that come and go
      }
    }
  }
}

// A motor on one wheel of a pair: both angles grow as with one inertia I_1 + ratio^2 I_2.
TEST(RigidMechanisms, GearPair) {
  const double I1 = 0.4, I2 = 1.5, ratio = -2.5, T = 3;
  Model model;
  for (int k = 0; k < 2; ++k) {
    RigidBody wheel;
    wheel.position = {1.0 * k, 0, 0};
    wheel.mass = 1;
    const double I = k == 0 ? I1 : I2;
    wheel.inertia = std::vector<double>{0.6 * I, 0.6 * I, I};
    const std::string name = k == 0 ? "small" : "large";
    model.bodies.add(name, wheel);
    model.joints.add(name, Revolute{ground(), at(name, "center"), {}, {0, 0, 1}});
    model.outputs.add(name, JointOutput{name});
  }
  model.joints.add("gear", Gear{"small", "large", ratio});
  TorsionSpring motor;
  motor.joint = "small";
  motor.moment = Signal(T);
  model.springs.add("motor", motor);
  model.outputs.add("gear", JointOutput{"gear"});
  for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    model.treatment = treatment;
    const Trajectory r = run(model, dynamic(2.0, 1e-3));
    const double alpha = T / (I1 + ratio * ratio * I2), t = r.t.back();
    EXPECT_NEAR(r.last("small.angle"), 0.5 * alpha * t * t, 1e-6);
    EXPECT_NEAR(r.last("large.angle"), ratio * 0.5 * alpha * t * t, 2e-6);
    EXPECT_NEAR(r.last("gear.tz"), I2 * ratio * alpha, 1e-5);
  }
}

// The user gives one velocity; the rest of the mechanism starts with what the constraints ask for.
TEST(RigidMechanisms, VelocitiesAtTheStartAreConsistent) {
  Model model;
  model.bodies.add("crank", rod({0, 0, 0}, {0, 1, 0}, 1));
  model.bodies.add("coupler", rod({0, 1, 0}, {2, 1, 0}, 1));
  model.bodies.add("rocker", rod({2, 1, 0}, {2, 0, 0}, 1));
  const Triple z{0, 0, 1};
  model.joints.add("a", Revolute{ground(), at("crank", ""), Triple{0, 0, 0}, z});
  model.joints.add("b", Revolute{at("crank", ""), at("coupler", ""), Triple{0, 1, 0}, z});
  model.joints.add("c", Revolute{at("coupler", ""), at("rocker", ""), Triple{2, 1, 0}, z});
  model.joints.add("d", Revolute{at("rocker", ""), ground(), Triple{2, 0, 0}, z});
  model.joints.add("motor", Turn{"a", Signal::expression("-2*t")});
  model.outputs.add("coupler", VelocityOutput{at("coupler", "center")});
  model.outputs.add("rocker", RotationOutput{"rocker", {}});
  const Trajectory r = run(model, dynamic(0.01, 1e-3));
  EXPECT_NEAR(r.at("coupler.x", 0), 2, 1e-8);  // a parallelogram: it only translates
  EXPECT_NEAR(r.at("coupler.y", 0), 0, 1e-8);
  EXPECT_NEAR(r.at("rocker.omega.z", 0), -2, 1e-8);
}

}  // namespace
}  // namespace lithe::test

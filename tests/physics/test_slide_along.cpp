// Points that slide along cables and beams: straight, with friction, on a curved wire, and a mass that crosses a
// bridge.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "lithe/system/loads.h"
#include "support/dynamics.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

constexpr double g = 9.81;

// A line of the kind from `from` to `to` all of whose coordinates are held, with a ring of 0.5 kg on it.
Model held_line(ElementKind kind, Triple from, Triple to, Triple ring, int elements = 10) {
  Model model;
  model.materials.add("steel", Isotropic{2e11, 0.3, 7800, 0});
  model.sections.add("wire", Circle{0.005});
  Body body;
  body.element = kind;
  body.material = "steel";
  body.section = "wire";
  body.mesh = LineMesh{from, to, elements, {}};
  model.bodies.add("wire", body);
  model.bodies.add("ring", PointMass{0.5, ring, {0, 0, 0}});
  model.constraints.add("held", Clamp{at("wire", "all"), Hold::all});
  model.joints.add("ring", SlideAlong{"wire", at("ring", "")});
  model.loads.add("weight", Gravity{constant(0, 0, -g)});
  return model;
}

double place(const Trajectory& run, const State& state, int slider = 0) {
  return state.q[3ul * run.system.sliders[slider].vector];
}

TEST(SlidingRing, RunsDownAStraightLineAsGalileoSays) {
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243})
    for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
      SCOPED_TRACE(std::string(kind->name) + " " + word(treatment));
      Model model = held_line(kind, {0, 0, 0}, {4, 0, -3}, {0.4, 0, -0.3});  // 5 m, sine 0.6
      model.treatment = treatment;
      const Trajectory run(model, tight(Integrator::newmark, 0.01, 1));
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      for (const State& state : run.states)
        EXPECT_NEAR(place(run, state), 0.5 + 0.5 * 0.6 * g * state.t * state.t, 1e-7) << state.t;
    }
}

TEST(SlidingRing, TakesARigidBodyAlong) {
  Model model = held_line(ElementKind::cable, {0, 0, 0}, {4, 0, -3}, {0.4, 0, -0.3});
  RigidBody cart;  // hangs by a hook above its centre, in the equilibrium of an accelerated pendulum: along the normal
  cart.position = {0.4 - 0.06, 0, -0.3 - 0.08};
  cart.shape = BoxShape{{0.1, 0.1, 0.1}};
  cart.density = 1000;
  cart.points.add("hook", Triple{0.06, 0, 0.08});
  model.bodies.add("cart", cart);
  model.joints.add("cart", SlideAlong{"wire", at("cart", "hook")});
  const Trajectory run(model, tight(Integrator::newmark, 0.005, 0.5));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_NEAR(place(run, run.state, 1), 0.5 + 0.5 * 0.6 * g * 0.25, 1e-6);
}

TEST(SlidingRing, IsSlowedByFriction) {
  Model model = held_line(ElementKind::cable, {0, 0, 0}, {4, 0, -3}, {0.4, 0, -0.3});
  const double force = 1.8, slow = 0.05, m = 0.5;
  model.springs.add("rub", Friction{"ring", {}, force, slow});
  const Trajectory run(model, tight(Integrator::newmark, 0.0005, 1));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  double s = 0.5, v = 0;  // v' = g sin - F tanh(v / slow) / m, midpoint rule
  const auto a = [&](double rate) { return 0.6 * g - force / m * std::tanh(rate / slow); };
  for (int i = 0; i < 100000; ++i) {
    const double h = 1e-5, middle = v + h / 2 * a(v);
    s += h * middle;
    v += h * a(middle);
  }
  EXPECT_NEAR(place(run, run.state), s, 2e-5);
  // And, once it moves, Coulomb's: s'' = g sin - F / m.
  EXPECT_NEAR(run.state.a[3ul * run.system.sliders[0].vector], 0.6 * g - force / m, 1e-6);
}

TEST(SlidingRing, IsSlowedByTheForceAcrossTheLine) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    SCOPED_TRACE(word(treatment));
    Model model = held_line(ElementKind::cable, {0, 0, 0}, {4, 0, -3}, {0.4, 0, -0.3});
    model.treatment = treatment;
    const double mu = 0.3, slow = 0.05, force = mu * 0.5 * g * 0.8;
    model.springs.add("rub", Friction{"ring", {}, {}, slow, mu});
    const Trajectory run(model, tight(Integrator::newmark, 0.0005, 1));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    double s = 0.5, v = 0;
    const auto a = [&](double rate) { return 0.6 * g - force / 0.5 * std::tanh(rate / slow); };
    for (int i = 0; i < 100000; ++i) {
      const double h = 1e-5, middle = v + h / 2 * a(v);
      s += h * middle;
      v += h * a(middle);
    }
    EXPECT_NEAR(place(run, run.state), s, 2e-5);
    EXPECT_NEAR(run.state.a[3ul * run.system.sliders[0].vector], 0.6 * g - force / 0.5, 1e-6);
  }
}

TEST(SlidingRing, StaysWhereFrictionHoldsItUpToItsCreep) {
  Model model = held_line(ElementKind::cable, {0, 0, 0}, {4, 0, -3}, {0.4, 0, -0.3});
  model.springs.add("rub", Friction{"ring", {}, 4.0, 1e-3});  // weight along the line: 2.94 N
  const Trajectory run(model, tight(Integrator::hht, 0.005, 1));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double creep = 1e-3 * std::atanh(0.5 * 0.6 * g / 4.0);
  EXPECT_NEAR(place(run, run.state) - 0.5, creep, 0.05 * creep);
}

TEST(SlidingRing, SaysWhereItsLineEnds) {
  const Model model = held_line(ElementKind::cable, {0, 0, 0}, {4, 0, -3}, {0.4, 0, -0.3});
  const Trajectory run(model, tight(Integrator::newmark, 0.01, 2));
  EXPECT_EQ(run.report.reason, DynamicReport::Reason::past_end);
  EXPECT_NE(run.report.message.find("joint 'ring' has slid past the end of 'wire', whose length is 5 m"),
            std::string::npos)
      << run.report.message;
  EXPECT_NEAR(run.state.t, std::sqrt(2 * 4.5 / (0.6 * g)), 0.02);
}

TEST(SlidingRing, IsHeldByAStop) {
  Model model = held_line(ElementKind::cable, {0, 0, 0}, {4, 0, -3}, {0.4, 0, -0.3});
  model.springs.add("stop", Stop{"ring", {}, {}, 4.5, 2e5, 300, 1e-3});
  const Trajectory run(model, tight(Integrator::hht, 0.001, 3));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_NEAR(place(run, run.state), 5, 1e-3);
}

// A bead on a circular wire is a pendulum.
Model wire(int elements) {
  Model model = held_line(ElementKind::beam3243, {0, 0, 0}, {1, 0, 0}, {0, 0, 0});
  ArcMesh arc;  // the lower half of a circle about the origin
  arc.radius = 1;
  arc.normal = {0, -1, 0};
  arc.start = {-1, 0, 0};
  arc.angle = 180;
  arc.elements = elements;
  std::get<Body>(model.bodies.items[0].second).mesh = arc;
  return model;
}
// theta'' = -g sin(theta) from rest, Runge and Kutta.
double pendulum(double theta, double t) {
  const int n = 20000;
  const double h = t / n;
  double rate = 0;
  for (int i = 0; i < n; ++i) {
    const auto a = [](double x) { return -g * std::sin(x); };
    const double k1 = rate, l1 = a(theta), k2 = rate + h / 2 * l1, l2 = a(theta + h / 2 * k1), k3 = rate + h / 2 * l2,
                 l3 = a(theta + h / 2 * k2), k4 = rate + h * l3, l4 = a(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return theta;
}

// On a circular wire the force across the line is that of the bend, too: the rate of the energy is -mu N v.
TEST(BeadOnAWire, LosesToFrictionWhatTheBendPresses) {
  // theta'' = -g sin - mu (g cos + theta'^2) from -1.2 rad at rest, until it stops on the other side.
  double theta = -1.2, rate = 0;
  const double mu = 0.2, slow = 1e-3, end = 0.9;
  for (int i = 0; i < 900000; ++i) {
    const double h = end / 900000;
    const auto a = [&](double x, double v) {
      return -g * std::sin(x) - mu * std::abs(g * std::cos(x) + v * v) * std::tanh(v / slow);
    };
    const double v = rate + h / 2 * a(theta, rate), x = theta + h / 2 * rate;
    theta += h * v;
    rate += h * a(x, v);
  }
  std::vector<double> off;
  for (const double h : {0.002, 0.001}) {
    Model model = wire(40);
    std::get<PointMass>(model.bodies.items[1].second).position = {std::sin(-1.2), 0, -std::cos(1.2)};
    model.springs.add("rub", Friction{"ring", {}, {}, slow, mu});
    const Trajectory run(model, tight(Integrator::newmark, h, end));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    off.push_back(std::abs(place(run, run.state) - M_PI / 2 - theta));
  }
  EXPECT_LT(off[1], 3e-3);
  EXPECT_LT(off[1], 0.7 * off[0]);  // the force across the line is that of the step before: first order
}

TEST(BeadOnAWire, IsAPendulumOfSecondOrderInTime) {
  const double start = -1.2, duration = 1.3;
  const double exact = pendulum(start, duration);
  const Triple bead{std::sin(start), 0, -std::cos(start)};
  for (const Integrator integrator : {Integrator::newmark, Integrator::generalized_alpha}) {
    SCOPED_TRACE(word(integrator));
    std::vector<MotionError> errors;
    for (int k = 0; k < 4; ++k) {
      // Many elements: the cubic curve leaves the circle by 1e-9 of its radius.
      Model model = wire(60);
      std::get<PointMass>(model.bodies.items[1].second).position = bead;
      const Trajectory run(model, tight(integrator, 0.02 / (1 << k), duration));
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      const double off = std::abs(place(run, run.state) - M_PI / 2 - exact);
      errors.push_back({off, off});
    }
    EXPECT_LT(errors.back().q, 2e-4);
    EXPECT_NEAR(observed_order(errors).q, 2, 0.1);
  }
}

TEST(BeadOnAWire, KeepsItsEnergy) {
  const double start = -1.2;
  Model model = wire(24);
  std::get<PointMass>(model.bodies.items[1].second).position = {std::sin(start), 0, -std::cos(start)};
  const auto drift = [&](double h) {
    const Trajectory run(model, tight(Integrator::newmark, h, 4));
    EXPECT_TRUE(run.report.ok()) << run.report.message;
    const double E = gravity_potential(run.system, run.states[0]);
    double most = 0;
    for (const State& s : run.states)
      most = std::max(most, std::abs(kinetic_energy(run.system, s) + gravity_potential(run.system, s) - E));
    return most;
  };
  const double coarse = drift(0.01), fine = drift(0.005), scale = 0.5 * g * (1 - std::cos(start));
  EXPECT_LT(fine, 2e-3 * scale);
  EXPECT_LT(fine, 0.35 * coarse);  // over three swings, no growth but that of the scheme
}

// ---- a mass on a bridge: L. Fryba, Vibration of Solids and Structures under Moving Loads (1999), ch. 5 ----

// Modes of a simply supported beam with a mass m at x(t) = c t: w = sum q_k sin(k pi x / l),
// mu l / 2 (q_k'' + omega_k^2 q_k) = m phi_k(x) (g - w_tt - 2 c w_xt - c^2 w_xx).
struct Bridge {
  double l, EI, mu, m, c;
  static constexpr int modes = 12;
  using Modes = std::array<double, modes>;
  Modes accelerations(double t, const Modes& q, const Modes& v) const {
    Modes phi, rest;
    double known = g;
    for (int k = 0; k < modes; ++k) {
      const double p = (k + 1) * M_PI / l;
      phi[k] = std::sin(p * c * t);
      known -= 2 * c * p * std::cos(p * c * t) * v[k] - c * c * p * p * phi[k] * q[k];
    }
    double sum = 0, own = 0;  // (1 + a phi phi^T) x = rest, a = 2 m / (mu l)
    const double a = 2 * m / (mu * l);
    for (int k = 0; k < modes; ++k) {
      const double p = (k + 1) * M_PI / l;
      rest[k] = a * phi[k] * known - EI / mu * p * p * p * p * q[k];
      sum += phi[k] * rest[k];
      own += phi[k] * phi[k];
    }
    for (int k = 0; k < modes; ++k) rest[k] -= a * phi[k] * sum / (1 + a * own);
    return rest;
  }
  // Deflection in the middle at these times, Runge and Kutta.
  std::vector<double> middle(const std::vector<double>& times) const {
    Modes q{}, v{};
    double t = 0;
    std::vector<double> list;
    const double h = 2e-6 * l / c * 10;
    const auto moved = [](const Modes& x, double f, const Modes& d) {
      Modes y;
      for (int k = 0; k < modes; ++k) y[k] = x[k] + f * d[k];
      return y;
    };
    for (const double until : times) {
      while (t < until - 1e-12) {
        const double s = std::min(h, until - t);
        const Modes a1 = accelerations(t, q, v), v2 = moved(v, s / 2, a1);
        const Modes a2 = accelerations(t + s / 2, moved(q, s / 2, v), v2), v3 = moved(v, s / 2, a2);
        const Modes a3 = accelerations(t + s / 2, moved(q, s / 2, v2), v3), v4 = moved(v, s, a3);
        const Modes a4 = accelerations(t + s, moved(q, s, v3), v4);
        for (int k = 0; k < modes; ++k) {
          q[k] += s / 6 * (v[k] + 2 * v2[k] + 2 * v3[k] + v4[k]);
          v[k] += s / 6 * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]);
        }
        t += s;
      }
      double w = 0;
      for (int k = 0; k < modes; ++k) w += q[k] * std::sin((k + 1) * M_PI / 2);
      list.push_back(w);
    }
    return list;
  }
};

TEST(MovingMass, CrossesABridgeAsFrybasModesSay) {
  const double l = 10, b = 0.1, E = 2e11, density = 7800;
  const Bridge bridge{l, E * b * b * b * b / 12, density * b * b, 400, 20};  // half the bridge's own mass
  Model model;
  model.materials.add("steel", Isotropic{E, 0, density, 0});
  model.sections.add("square", Rectangle{b, b, {}});
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "steel";
  body.section = "square";
  body.mesh = LineMesh{{0, 0, 0}, {l, 0, 0}, 20, {}};
  model.bodies.add("bridge", body);
  model.bodies.add("mass", PointMass{bridge.m, {0, 0, 0}, {bridge.c, 0, 0}});
  // Simply supported in the plane; the far end may come nearer.
  model.constraints.add("first", Pin{at("bridge", "start")});
  model.constraints.add("far", Roller{at("bridge", "end"), {0, 0, 1}});
  model.constraints.add("plane", Fix{at("bridge", "all"), {Coordinate::position, Coordinate::z_gradient}, {{0, 1, 0}}});
  model.joints.add("wheel", SlideAlong{"bridge", at("mass", "")});
  model.joints.add("drive", Slide{"wheel", Drive(Signal::expression("20*t"))});
  model.loads.add("weight", PointForce{at("mass", ""), constant(0, 0, -bridge.m * g)});
  DynamicAnalysis options = tight(Integrator::newmark, 0.0005, 0.48);
  options.output_step = 0.02;
  const Trajectory run(model, options);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  std::vector<double> times;
  for (const State& state : run.states) times.push_back(state.t);
  ASSERT_GT(times.size(), 20u);
  const std::vector<double> wanted = bridge.middle(times);
  double largest = 0;
  for (const double w : wanted) largest = std::max(largest, w);
  EXPECT_GT(largest, 1.3 * bridge.m * g * l * l * l / (48 * bridge.EI)) << "more than at rest";
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(-run.states[i].q[3ul * run.system.bodies[0].vector(10, 0) + 2], wanted[i], 0.01 * largest) << times[i];
}

// A ring on a clamped beam, pulled along it against a spring: it rests where that balances, several elements away, and
// the beam bends under it as under a force there: F a^3 b^3 / (3 EI l^3).
TEST(SlidingRing, RestsWhereASpringHoldsItAndBendsItsBeam) {
  Model model = cantilever(10, 0.02);
  model.constraints.add("other", Clamp{at("beam", "end")});
  model.bodies.add("ring", PointMass{0.5, {0.2, 0, 0}, {0, 0, 0}});
  model.joints.add("ring", SlideAlong{"beam", at("ring", "")});
  model.springs.add("spring", TravelSpring{"ring", 100, 0, 0, Signal(0), {}});
  const double along = 43, down = 5, a = 0.2 + along / 100, b = 1 - a;
  model.loads.add("pull", PointForce{at("ring", ""), constant(along, 0, -down)});
  const Solved solved(model);
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  const double* r = &solved.state.q[3ul * solved.system.bodies[1].vector(0, 0)];
  EXPECT_NEAR(solved.state.q[3ul * solved.system.sliders[0].vector], a, 1e-5);
  EXPECT_NEAR(r[0], a, 1e-5);
  const double bent = down * a * a * a * b * b * b / (3 * bending_stiffness(0.02));
  EXPECT_NEAR(-r[2], bent, 0.01 * bent);
}

}  // namespace
}  // namespace lithe::test

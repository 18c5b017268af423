// Orders of the integrators at fixed step, for coordinates and velocities, against exact or much finer motions: a soft
// cable and beam driven by a smooth force (no constraints left), pendulums of one and two bars (multipliers,
// penalties), a pendulum whose pivot is moved (motion eliminated, or kept as rows with a target).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/dynamics.h"

namespace lithe {
namespace {

using namespace test;

struct Case {
  std::string name;
  Integrator integrator;
  double order;
  double alpha = -0.1, beta = 0.25, gamma = 0.5, radius = 0.8;
  std::optional<bool> projection = {};
};

DynamicAnalysis options_of(const Case& c, double step, double duration) {
  DynamicAnalysis d = tight(c.integrator, step, duration);
  d.alpha = c.alpha;
  d.beta = c.beta;
  d.gamma = c.gamma;
  d.spectral_radius = c.radius;
  d.projection = c.projection;
  return d;
}

std::vector<Case> schemes() {
  return {{"newmark(1/4, 1/2)", Integrator::newmark, 2},
          {"newmark(0.3025, 0.6)", Integrator::newmark, 1, -0.1, 0.3025, 0.6},
          {"hht(-0.1)", Integrator::hht, 2, -0.1},
          {"hht(-0.3)", Integrator::hht, 2, -0.3},
          {"generalized_alpha(0)", Integrator::generalized_alpha, 2, -0.1, 0.25, 0.5, 0.0},
          {"generalized_alpha(0.5)", Integrator::generalized_alpha, 2, -0.1, 0.25, 0.5, 0.5},
          {"generalized_alpha(0.8)", Integrator::generalized_alpha, 2, -0.1, 0.25, 0.5, 0.8},
          {"generalized_alpha(1)", Integrator::generalized_alpha, 2, -0.1, 0.25, 0.5, 1.0},
          {"trapezoidal", Integrator::trapezoidal, 2},
          {"backward_euler", Integrator::backward_euler, 1}};
}

// Largest errors over the outputs of a run.
MotionError error_of(const Trajectory& run, const std::vector<State>& exact) {
  MotionError e;
  EXPECT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_EQ(run.report.fallbacks, 0);
  EXPECT_EQ(run.states.size(), exact.size());
  for (std::size_t k = 0; k < std::min(exact.size(), run.states.size()); ++k) {
    e.q = std::max(e.q, largest_difference(run.states[k].q, exact[k].q));
    e.v = std::max(e.v, largest_difference(run.states[k].v, exact[k].v));
  }
  return e;
}

void expect_order(const Case& c, const std::string& where, const std::vector<MotionError>& errors) {
  const MotionError order = observed_order(errors);
  EXPECT_NEAR(order.q, c.order, 0.15) << where << " " << c.name;
  EXPECT_NEAR(order.v, c.order, 0.15) << where << " " << c.name;
}

// ---- without constraints ----

// Soft, so that every frequency is resolved; clamped, its end drawn aside smoothly: large deflections and stretch. The
// cable is undamped: its damping of curvature is not smooth where a cable is straight.
Model soft_strip(ElementKind kind) {
  Model model;
  const bool cable = kind == ElementKind::cable;
  model.materials.add("rubber", Isotropic{2e4, 0.3, 1000, cable ? 0.0 : 0.01});
  if (cable) model.sections.add("section", Circle{0.05});
  else model.sections.add("section", Rectangle{0.1, 0.1, {}});
  Body body;
  body.element = kind;
  body.material = "rubber";
  body.section = "section";
  body.mesh = LineMesh{{0, 0, 0}, {1, 0, 0}, 2, {}};
  model.bodies.add("strip", body);
  model.constraints.add("root", Clamp{at("strip", "start")});
  model.loads.add("pull",
                  PointForce{at("strip", "end"),
                             {Signal::expression("30*sin(4*t)^2"), Signal(0), Signal::expression("60*sin(3*t)^2")}});
  return model;
}

class SoftStrip : public ::testing::TestWithParam<ElementKind> {};

TEST_P(SoftStrip, OrdersWithoutConstraints) {
  const Model model = soft_strip(GetParam());
  constexpr double duration = 0.32, output = 0.04;
  DynamicAnalysis fine = tight(Integrator::trapezoidal, 6.25e-5, duration);
  fine.output_step = output;
  const Trajectory reference(model, fine);
  ASSERT_TRUE(reference.report.ok()) << reference.report.message;
  for (const Case& c : schemes()) {
    std::vector<MotionError> errors;
    for (const double h : {2e-3, 1e-3, 5e-4}) {
      DynamicAnalysis d = options_of(c, c.order == 1 ? h / 4 : h, duration);
      d.output_step = output;
      errors.push_back(error_of(Trajectory(model, d), reference.states));
    }
    expect_order(c, element_info(GetParam()).name, errors);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SoftStrip, ::testing::Values(ElementKind::cable, ElementKind::beam3243),
                         [](const auto& p) { return std::string(element_info(p.param).name); });

// ---- with constraints ----

class Pendulums : public ::testing::TestWithParam<Treatment> {};

TEST_P(Pendulums, OrdersAgainstAngles) {
  for (const int bars : {1, 2}) {
    const Model model = chain(bars, GetParam());
    constexpr double duration = 0.6, output = 0.06;
    const std::vector<State> exact = exact_chain(bars, output, 10);
    for (const Case& c : schemes()) {
      std::vector<MotionError> errors;
      for (const double h : {4e-3, 2e-3, 1e-3}) {
        DynamicAnalysis d = options_of(c, c.order == 1 ? h / 4 : h, duration);
        d.output_step = output;
        errors.push_back(error_of(Trajectory(model, d), exact));
      }
      expect_order(c, fmt::format("{} bars, {}", bars, word(GetParam())), errors);
    }
  }
}

// The pivot moves by x = A (1 - cos a t), y = B (1 - cos b t): theta'' = 3/2 (x'' sin(theta) - (g + y'') cos(theta)).
TEST_P(Pendulums, OrdersWithAPivotThatIsMoved) {
  constexpr double A = 0.1, a = 5, B = 0.05, b = 7, duration = 0.6, output = 0.06;
  Model model = chain(1, GetParam());
  std::get<Linkage>(model.bodies.items[0].second).ground.clear();
  Motion motion;
  motion.at = at_node("chain", 0);
  motion.displacement[0] = Signal::expression("0.1*(1-cos(5*t))");
  motion.displacement[1] = Signal::expression("0.05*(1-cos(7*t))");
  model.joints.add("shake", motion);
  const auto rates = [](double t, const std::vector<double>& y) {
    const double ax = A * a * a * std::cos(a * t), ay = B * b * b * std::cos(b * t);
    return std::vector<double>{y[1], 1.5 * (ax * std::sin(y[0]) - (9.81 + ay) * std::cos(y[0]))};
  };
  std::vector<State> exact;
  std::vector<double> y{0, 0};
  for (int k = 0; k <= 10; ++k) {
    const double t = k * output;
    State state = chain_state(y);
    for (const std::size_t i : {0ul, 3ul}) {
      state.q[i] += A * (1 - std::cos(a * t));
      state.q[i + 1] += B * (1 - std::cos(b * t));
      state.v[i] += A * a * std::sin(a * t);
      state.v[i + 1] += B * b * std::sin(b * t);
    }
    exact.push_back(state);
    y = runge_kutta(rates, t, y, output, 300);
  }
  for (const Case& c : schemes()) {
    std::vector<MotionError> errors;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      DynamicAnalysis d = options_of(c, c.order == 1 ? h / 4 : h, duration);
      d.output_step = output;
      errors.push_back(error_of(Trajectory(model, d), exact));
    }
    expect_order(c, fmt::format("moved pivot, {}", word(GetParam())), errors);
  }
}

INSTANTIATE_TEST_SUITE_P(Treatments, Pendulums,
                         ::testing::Values(Treatment::eliminate, Treatment::lagrange, Treatment::augmented),
                         [](const auto& p) { return std::string(word(p.param)); });

}  // namespace
}  // namespace lithe

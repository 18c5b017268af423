// Orders of the integrators at fixed step, for coordinates and velocities, against exact or much finer motions: a soft
// cable driven by a smooth force (no constraints left), pendulums of one and two bars (multipliers, penalties).
#include <gtest/gtest.h>

#include <fmt/format.h>

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
  fmt::print("{:24} {:24} order q {:.3f} v {:.3f}   errors q", where, c.name, order.q, order.v);
  for (const MotionError& e : errors) fmt::print(" {:.2e}", e.q);
  fmt::print("  v");
  for (const MotionError& e : errors) fmt::print(" {:.2e}", e.v);
  fmt::print("\n");
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
  model.loads.add("pull", PointForce{at("strip", "end"), {Signal::expression("30*sin(4*t)^2"), Signal(0),
                                                         Signal::expression("60*sin(3*t)^2")}});
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

INSTANTIATE_TEST_SUITE_P(Treatments, Pendulums,
                         ::testing::Values(Treatment::eliminate, Treatment::lagrange, Treatment::augmented),
                         [](const auto& p) { return std::string(word(p.param)); });

}  // namespace
}  // namespace lithe

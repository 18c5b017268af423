// Kelvin-Voigt damping: a mode of frequency omega has the damping ratio tau omega / 2, the logarithmic decrement
// pi tau omega, whatever the kind of element, the amplitude and the mesh; a whirling cable is damped like a swinging
// one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/dynamics.h"

namespace lithe {
namespace {

using std::numbers::pi;

constexpr double length = 1, thickness = 0.04, width = 0.05, E = 1e6, density = 1000, tau = 0.02;

Model cantilever(ElementKind kind, int elements) {
  Model model;
  model.materials.add("rubber", Isotropic{E, 0, density, tau});
  Body body;
  body.element = kind;
  body.material = "rubber";
  body.section = "section";
  if (kind == ElementKind::cable) {
    model.sections.add("section", Bar{width * thickness, width * std::pow(thickness, 3) / 12});
    body.mesh = LineMesh{{0, 0, 0}, {length, 0, 0}, elements, {}};
  } else if (kind == ElementKind::beam3243) {
    model.sections.add("section", Rectangle{width, thickness, {}});
    body.mesh = LineMesh{{0, 0, 0}, {length, 0, 0}, elements, {}};
  } else if (kind == ElementKind::shell3443) {
    model.sections.add("section", Plate{thickness});
    body.mesh = PlateMesh{{0, -width / 2, 0}, {length, 0, 0}, {0, width, 0}, {elements, 1}};
  } else {
    body.section.clear();
    body.mesh =
        BlockMesh{{0, -width / 2, -thickness / 2}, {length, 0, 0}, {0, width, 0}, {0, 0, thickness}, {elements, 1, 1}};
  }
  model.bodies.add("strip", body);
  model.constraints.add("root", Clamp{test::at("strip", element_info(kind).dimension == 1 ? "start" : "x_min")});
  return model;
}

// First mode of a cantilever, 1 at its tip, its slope and curvature.
struct Mode {
  double shape, slope, curvature;
};
Mode first_mode(double x) {
  const double b = 1.8751040687 / length, s = 0.7340955138;
  return {0.5 * (std::cosh(b * x) - std::cos(b * x) - s * (std::sinh(b * x) - std::sin(b * x))),
          0.5 * b * (std::sinh(b * x) + std::sin(b * x) - s * (std::cosh(b * x) - std::cos(b * x))),
          0.5 * b * b * (std::cosh(b * x) + std::cos(b * x) - s * (std::sinh(b * x) + std::sin(b * x)))};
}

// x += amplitude times the mode along `along`, sections turned with it: u_x = -slope * z. Gradients follow that field,
// or stiff modes of solids would ring through the whole run, which the trapezoidal rule does not damp: seven iterations
// a step instead of two.
void add_mode(const System& system, double amplitude, int along, std::vector<double>& x) {
  const BodyInfo& body = system.bodies[0];
  for (int n = 0; n < body.mesh.node_count(); ++n) {
    const Mode mode = first_mode(system.q0[3ul * body.vector(n, 0)]);
    x[3ul * body.vector(n, 0) + along] += amplitude * mode.shape;
    x[3ul * body.vector(n, 1) + along] += amplitude * mode.slope;
    x[3ul * body.vector(n, 0)] -= amplitude * mode.slope * system.q0[3ul * body.vector(n, 0) + along];
    x[3ul * body.vector(n, 1)] -= amplitude * mode.curvature * system.q0[3ul * body.vector(n, 0) + along];
    if (body.node_vectors == 4) x[3ul * body.vector(n, 1 + along)] -= amplitude * mode.slope;
  }
}

double frequency() { return 3.5160152685 * std::sqrt(E * thickness * thickness / (12 * density)) / (length * length); }

struct Motion {
  DynamicReport report;
  std::vector<double> t, y, z;  // of a point of the tip
};
Motion swing(const System& system, State state, double periods) {
  DynamicAnalysis options = test::tight(Integrator::trapezoidal, 2 * pi / frequency() / 80, 0);
  options.duration = periods * 2 * pi / frequency();
  options.tangent_policy = TangentPolicy::every_step;
  options.output_step = options.step;
  options.tolerance = 1e-9;
  options.residual_tolerance = 1e-6;
  Workspace work(system, 1);
  const BodyInfo& body = system.bodies[0];
  int tip = 0;
  for (int n = 0; n < body.mesh.node_count(); ++n)
    if (system.q0[3ul * body.vector(n, 0)] > system.q0[3ul * body.vector(tip, 0)]) tip = n;
  const std::size_t at = 3ul * body.vector(tip, 0);
  Motion motion;
  motion.report = simulate(system, options, state, work, [&](const State& s, const DynamicStep&) {
    motion.t.push_back(s.t);
    motion.y.push_back(s.q[at + 1] - system.q0[at + 1]);
    motion.z.push_back(s.q[at + 2] - system.q0[at + 2]);
    return true;
  });
  return motion;
}

// Maxima of x over t by parabolas.
struct Peak {
  double t, x;
};
std::vector<Peak> peaks(const std::vector<double>& t, const std::vector<double>& x) {
  std::vector<Peak> list;
  for (std::size_t i = 1; i + 1 < x.size(); ++i)
    if (x[i] >= x[i - 1] && x[i] > x[i + 1] && x[i] > 0) {
      const double a = 0.5 * (x[i + 1] + x[i - 1]) - x[i], b = 0.5 * (x[i + 1] - x[i - 1]), h = t[i + 1] - t[i];
      list.push_back({t[i] - h * b / (2 * a), x[i] - b * b / (4 * a)});
    }
  return list;
}

class Damping : public ::testing::TestWithParam<std::tuple<ElementKind, double, int>> {};

TEST_P(Damping, DecrementIsPiTauOmega) {
  const auto [kind, amplitude, elements] = GetParam();
  System system = compile(cantilever(kind, elements));
  add_mode(system, amplitude * length * frequency(), 2, system.v0);
  const Motion motion = swing(system, system.initial_state(), 2.4);
  ASSERT_TRUE(motion.report.ok()) << motion.report.message;
  const std::vector<Peak> list = peaks(motion.t, motion.z);
  ASSERT_GE(list.size(), 2u);
  const Peak first = list.front(), last = list.back();
  const double cycles = static_cast<double>(list.size()) - 1;
  const double omega = 2 * pi * cycles / (last.t - first.t);
  const double decrement = std::log(first.x / last.x) / cycles;
  EXPECT_NEAR(decrement, pi * tau * omega, 0.01 * pi * tau * omega);
  EXPECT_NEAR(first.x, amplitude * length, 0.15 * amplitude * length);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Damping,
                         ::testing::Combine(::testing::Values(ElementKind::cable, ElementKind::beam3243,
                                                              ElementKind::shell3443, ElementKind::hexa3843),
                                            ::testing::Values(0.125, 0.013, 0.0013), ::testing::Values(5, 10, 40)),
                         [](const auto& p) {
                           return std::string(element_info(std::get<0>(p.param)).name) + "_" +
                                  std::to_string(static_cast<int>(1e4 * std::get<1>(p.param))) + "_" +
                                  std::to_string(std::get<2>(p.param));
                         });

// Rayleigh: the ratio of a mode is alpha / (2 omega) + beta omega / 2, its decrement 2 pi times that, beside tau.
TEST(RayleighDamping, DecrementIsThatOfMassAndStiffness) {
  for (const ElementKind kind :
       {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843})
    for (const auto& [alpha, beta, own] : {std::tuple{0.2, 0.0, 0.0}, {0.0, 0.02, 0.0}, {0.15, 0.012, 0.008}}) {
      Model model = cantilever(kind, 10);
      std::get<Isotropic>(model.materials.items[0].second).damping = own;
      std::get<Body>(model.bodies.items[0].second).damping = {alpha, beta};
      System system = compile(model);
      add_mode(system, 0.013 * length * frequency(), 2, system.v0);
      const Motion motion = swing(system, system.initial_state(), 2.4);
      ASSERT_TRUE(motion.report.ok()) << motion.report.message;
      const std::vector<Peak> list = peaks(motion.t, motion.z);
      ASSERT_GE(list.size(), 2u);
      const double cycles = static_cast<double>(list.size()) - 1;
      const double omega = 2 * pi * cycles / (list.back().t - list.front().t);
      const double ratio = alpha / (2 * omega) + (beta + own) * omega / 2;
      const double decrement = std::log(list.front().x / list.back().x) / cycles;
      EXPECT_NEAR(decrement, 2 * pi * ratio, 0.01 * 2 * pi * ratio)
          << element_info(kind).name << " " << alpha << " " << beta;
    }
}

TEST(RayleighDamping, OfTheMassSlowsARigidMotion) {
  Model model = cantilever(ElementKind::beam3243, 3);
  model.constraints.clear();
  std::get<Body>(model.bodies.items[0].second).damping.mass = 1.5;
  System system = compile(model);
  for (int n = 0; n < 4; ++n) system.v0[3ul * system.bodies[0].vector(n, 0)] = 2;
  State state = system.initial_state();
  Workspace work(system, 1);
  DynamicAnalysis options = test::tight(Integrator::trapezoidal, 1e-3, 0);
  options.duration = 1;
  const DynamicReport report =
      simulate(system, options, state, work, [](const State&, const DynamicStep&) { return true; });
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_NEAR(state.v[0], 2 * std::exp(-1.5), 1e-5);
}

TEST(Damping, OfACableThatWhirlsIsThatOfOneThatSwings) {
  for (const int elements : {5, 20}) {
    System system = compile(cantilever(ElementKind::cable, elements));
    const double amplitude = 0.013 * length, omega = frequency();
    State state = system.initial_state();
    add_mode(system, amplitude, 1, state.q);
    add_mode(system, amplitude * omega, 2, system.v0);
    const Motion motion = swing(system, state, 2);
    ASSERT_TRUE(motion.report.ok()) << motion.report.message;
    const double radius = std::hypot(motion.y.back(), motion.z.back());
    for (std::size_t i = 0; i < motion.t.size(); ++i)  // round: the radius decays, it does not swing
      EXPECT_GT(std::hypot(motion.y[i], motion.z[i]), 0.95 * radius);
    const double decay = std::log(std::hypot(motion.y[0], motion.z[0]) / radius) / motion.t.back();
    EXPECT_NEAR(decay, 0.5 * tau * omega * omega, 0.01 * 0.5 * tau * omega * omega);
  }
}

}  // namespace
}  // namespace lithe

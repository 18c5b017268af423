// Arc length through limit points, against closed forms and published values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "support/statics.h"

namespace lithe {
namespace {

using std::numbers::pi;
using test::at;
using test::constant;
using test::Solved;

// Half of a shallow truss of two bars: one stiff straight bar, its top on a vertical guide.
Model half_truss(double load) {
  Model model;
  model.materials.add("steel", Isotropic{1e9, 0, 0, 0});
  model.sections.add("bar", Bar{1e-4, 1e-6});
  Body body;
  body.element = ElementKind::cable;
  body.material = "steel";
  body.section = "bar";
  body.mesh = LineMesh{{-1, 0, 0}, {0, 0, 0.2}, 1, {}};
  model.bodies.add("bar", body);
  model.constraints.add("foot", Fix{at("bar", "start"), {Coordinate::position}, {}});
  model.constraints.add("guide", Fix{at("bar", "end"), {Coordinate::position}, {{1, 0, 0}, {0, 1, 0}}});
  model.loads.add("push", PointForce{at("bar", "end"), constant(0, 0, -load)});
  return model;
}

TEST(ArcLength, FollowsTheTrussOfVonMises) {
  // Green strain (z^2 - h^2)/(2 L^2): P = EA z (h^2 - z^2)/(2 L^3), largest EA h^3/(3 sqrt(3) L^3) at z = h/sqrt(3).
  const double EA = 1e5, h = 0.2, L3 = std::pow(1.04, 1.5), limit = EA * h * h * h / (3 * std::sqrt(3) * L3);
  StaticAnalysis options;
  options.method = StaticMethod::arc_length;
  options.arc_length = 0.02;
  const Solved run(half_truss(2 * limit), options);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  double largest = 0, smallest = 0;
  for (std::size_t k = 0; k < run.steps.size(); ++k) {
    const double z = h + run.displacement(at("bar", "end"), run.states[k])[2];
    EXPECT_NEAR(run.steps[k].load_factor * 2 * limit, EA * z * (h * h - z * z) / (2 * L3), 1e-7 * limit);
    if (z > 0) largest = std::max(largest, run.steps[k].load_factor);
    smallest = std::min(smallest, run.steps[k].load_factor);
  }
  EXPECT_NEAR(largest, 0.5, 0.01);
  EXPECT_NEAR(smallest, -0.5, 0.01);
  EXPECT_EQ(run.state.load_factor, 1.0);
  EXPECT_EQ(run.report.load_factor, 1.0);
  EXPECT_NE(run.report.solver.find("cholmod_ldl"), std::string::npos);
  EXPECT_EQ(run.steps.back().negative_pivots, 0);
  EXPECT_TRUE(std::any_of(run.steps.begin(), run.steps.end(), [](const auto& s) { return s.negative_pivots == 1; }));
}

// Arc of a circle about the z axis' top, beams of the given radial depth, both ends held in position.
Model arch(double radius, double angle, double depth, double E, int elements) {
  Model model;
  model.materials.add("steel", Isotropic{E, 0, 0, 0});
  model.sections.add("section", Rectangle{depth, 1, {}});  // the body's y is radial
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "steel";
  body.section = "section";
  ArcMesh mesh;
  mesh.radius = radius;
  mesh.angle = angle;
  mesh.elements = elements;
  mesh.normal = {0, -1, 0};
  const double start = (90 - angle / 2) * pi / 180;
  mesh.start = {std::cos(start), 0, std::sin(start)};
  body.mesh = mesh;
  model.bodies.add("arch", body);
  model.constraints.add("right", Fix{at("arch", "start"), {Coordinate::position}, {}});
  model.constraints.add("left", Fix{at("arch", "end"), {Coordinate::position}, {}});
  model.constraints.add("plane", Fix{at("arch", "all"), {Coordinate::position, Coordinate::x_gradient}, {{0, 1, 0}}});
  return model;
}

TEST(ArcLength, FindsTheLimitLoadThatDisplacementControlFinds) {
  const double rise = 10 * (1 - std::cos(20 * pi / 180));
  Model model = arch(10, 40, 0.4, 1e9, 16);
  // Displacement control: the crown is held, moved by hand, and its reaction is the load.
  Model held = model;
  held.constraints.add("crown", Fix{test::at_node("arch", 8), {Coordinate::position}, {{0, 0, 1}}});
  const System system = compile(held);
  const int crown = system.constraint_vectors.back()[0];
  State state = system.initial_state();
  Workspace work(system, 1);
  double limit = 0;
  std::vector<std::pair<double, double>> curve;
  for (int k = 1; k <= 120; ++k) {
    state.q[3 * crown + 2] -= 0.01 * rise;
    state.load_factor = 0;
    const auto report = solve_static(system, {}, state, work, {});
    ASSERT_TRUE(report.ok()) << report.message;
    curve.push_back({0.01 * rise * k, -work.internal[3 * crown + 2]});
    limit = std::max(limit, curve.back().second);
  }
  ASSERT_LT(curve.back().second, 0.9 * limit);  // the limit point is inside

  model.loads.add("push", PointForce{test::at_node("arch", 8), constant(0, 0, -1.5 * limit)});
  StaticAnalysis options;
  options.method = StaticMethod::arc_length;
  options.arc_length = 0.02;
  const Solved run(model, options);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  double largest = 0;
  for (std::size_t k = 0; k < run.steps.size(); ++k) {
    const double u = -run.displacement(test::at_node("arch", 8), run.states[k])[2],
                 P = run.steps[k].load_factor * 1.5 * limit;
    if (u > curve.back().first) break;
    largest = std::max(largest, P);
    // Every point of the path lies on the curve of displacement control.
    const auto next = std::lower_bound(curve.begin(), curve.end(), std::pair{u, -1e300});
    if (next == curve.begin() || next == curve.end()) continue;
    const auto before = next - 1;
    const double share = (u - before->first) / (next->first - before->first);
    EXPECT_NEAR(P, before->second + share * (next->second - before->second), 2e-3 * limit);
  }
  EXPECT_NEAR(largest / limit, 1, 0.01);
  EXPECT_LT(-run.displacement(test::at_node("arch", 8))[2], 4 * rise);
  EXPECT_GT(-run.displacement(test::at_node("arch", 8))[2], 2 * rise);  // snapped through
}

TEST(ArcLength, DeepArchOfDaDeppoAndSchmidt) {
  // D. A. DaDeppo, R. Schmidt, Instability of clamped-hinged circular arches subjected to a point load, J. Appl. Mech.
  // 42 (1975): an arch of 215 degrees, one end hinged, one clamped, buckles at P R^2/EI = 8.97.
  const double R = 100, depth = 2, E = 1e6, EI = E * depth * depth * depth / 12;
  Model model = arch(R, 215, depth, E, 120);
  model.constraints.add("clamp", Clamp{at("arch", "end")});
  model.loads.add("push", PointForce{at("arch", "middle"), constant(0, 0, -10 * EI / (R * R))});
  StaticAnalysis options;
  options.method = StaticMethod::arc_length;
  options.arc_length = 0.05;
  const Solved run(model, options);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  double limit = 0;
  for (std::size_t k = 1; k + 1 < run.steps.size() && limit == 0; ++k)
    if (run.steps[k].load_factor > run.steps[k + 1].load_factor) limit = 10 * run.steps[k].load_factor;
  EXPECT_NEAR(limit, 8.97, 0.12);
  // Beyond the limit load and crown go back together (snap-back), before the arch, hanging, carries the load again.
  double lowest = 1;
  int backward = 0;
  for (std::size_t k = 1; k < run.steps.size(); ++k) {
    if (k > 5) lowest = std::min(lowest, run.steps[k].load_factor);
    const double before = -run.displacement(at("arch", "middle"), run.states[k - 1])[2],
                 after = -run.displacement(at("arch", "middle"), run.states[k])[2];
    backward += after < before && run.steps[k].load_factor < run.steps[k - 1].load_factor;
  }
  EXPECT_LT(lowest, 0);
  EXPECT_GE(backward, 3);
  EXPECT_GT(-run.displacement(at("arch", "middle"))[2], 2 * R);
}

TEST(ArcLength, RefusesLoadsThatAreNotConstant) {
  Model model = half_truss(1);
  model.loads.add("wind", PointForce{at("bar", "end"), {Signal(0), Signal(0), Signal::expression("3*t")}});
  StaticAnalysis options;
  options.method = StaticMethod::arc_length;
  try {
    const Solved run(model, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("loads.wind.force"), std::string::npos);
  }
}

TEST(ArcLength, SaysWhenItsStepsAreSpent) {
  StaticAnalysis options;
  options.method = StaticMethod::arc_length;
  options.arc_length = 0.01;
  options.largest_steps = 3;
  const Solved run(half_truss(200), options);
  EXPECT_EQ(run.report.reason, StaticReport::Reason::too_many_steps);
  EXPECT_EQ(run.report.steps, 3);
  EXPECT_NE(run.report.message.find("largest_steps"), std::string::npos);
  EXPECT_GT(run.state.load_factor, 0);
}

}  // namespace
}  // namespace lithe

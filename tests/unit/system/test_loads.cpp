// Loads: totals, tangents entry by entry for each load by itself, the symmetric part of a pressure's.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/dynamics/statics.h"
#include "lithe/system/loads.h"
#include "lithe/system/moments.h"
#include "support/models.h"

namespace lithe {
namespace {

using test::at;
using test::at_node;
using test::constant;
using test::make_strip;
using test::Strip;

State disturbed(const System& system, double amount) {
  State state = system.initial_state();
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double& x : state.q) x += amount * unit(random);
  return state;
}

using Dense = std::vector<std::vector<double>>;

Dense dense(const System& system, const std::vector<double>& values) {
  Dense full(system.map.size, std::vector<double>(system.map.size, 0.0));
  for (int c = 0; c < system.map.size; ++c)
    for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k) {
      const int r = system.pattern.row[k];
      full[r][c] = values[k];
      if (system.symmetric) full[c][r] = values[k];
    }
  return full;
}

// Minus the derivative of the applied forces over the unknowns, by central differences: exact for the pressure, which
// is quadratic in q.
Dense differences(const System& system, const State& state) {
  Workspace work(system, 1);
  Dense full(system.map.size, std::vector<double>(system.map.size, 0.0));
  const double h = 1e-5;
  std::vector<double> plus, minus;
  for (int c = 0; c < system.map.size; ++c) {
    std::vector<double> dz(system.map.size, 0.0);
    dz[c] = 1;
    State other = state;
    system.map.prolong({}, dz, h, other.q);
    evaluate_external(system, other, work);
    system.map.restrict({}, work.external, plus);
    other = state;
    system.map.prolong({}, dz, -h, other.q);
    evaluate_external(system, other, work);
    system.map.restrict({}, work.external, minus);
    for (int r = 0; r < system.map.size; ++r) full[r][c] = -(plus[r] - minus[r]) / (2 * h);
  }
  return full;
}

double largest(const Dense& a) {
  double size = 0;
  for (const auto& row : a)
    for (double x : row) size = std::max(size, std::abs(x));
  return size;
}

Dense load_tangent(const System& system, const State& state) {
  std::vector<double> values(system.pattern.nonzeros(), 0.0);
  const TangentSink sink(system, values.data());
  for (int i = 0; i < system.moments.count(); ++i) add_moment_tangent(system.moments, i, state, 1, sink);
  for (int i = 0; i < system.pressure_sides.count(); ++i) add_pressure_tangent(system, i, state, 1, sink);
  return dense(system, values);
}

// Every entry against differences, on the scale of this load's own entries.
void expect_exact(const System& system, const State& state, double tolerance) {
  const Dense found = load_tangent(system, state), wanted = differences(system, state);
  const double scale = largest(wanted);
  ASSERT_GT(scale, 0);
  for (int r = 0; r < system.map.size; ++r)
    for (int c = 0; c < system.map.size; ++c) {
      const double exact = system.symmetric ? 0.5 * (wanted[r][c] + wanted[c][r]) : wanted[r][c];
      ASSERT_NEAR(found[r][c], exact, tolerance * scale)
          << system.unknown_name(r) << " over " << system.unknown_name(c);
    }
}

class LoadsOfSolidKinds : public ::testing::TestWithParam<ElementKind> {};

const char* top(ElementKind kind) { return kind == ElementKind::hexa3843 ? "z_max" : "top"; }

TEST_P(LoadsOfSolidKinds, TangentOfAPressureIsExactOrItsSymmetricPart) {
  for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    Strip s = make_strip(GetParam(), 0, 3);
    s.model.tangent = form;
    s.model.constraints.add("roller", Fix{at("strip", s.start), {Coordinate::position}, {{1, 2, 0.5}}});
    s.model.loads.add("pressure", Pressure{at("strip", top(GetParam())), Signal(2e5)});
    const System system = compile(s.model);
    EXPECT_EQ(system.symmetric, form == TangentForm::symmetric);
    expect_exact(system, disturbed(system, 1e-3), 1e-9);
  }
}

TEST_P(LoadsOfSolidKinds, TangentOfAMomentIsExact) {
  for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    Strip s = make_strip(GetParam(), 0, 3);
    s.model.tangent = form;
    s.model.constraints.add("roller", Fix{at("strip", s.start), {Coordinate::position}, {{1, 2, 0.5}}});
    s.model.loads.add("moment", PointMoment{at_node("strip", 2), constant(3, -4, 5)});
    const System system = compile(s.model);
    expect_exact(system, disturbed(system, 1e-3), 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Loads, LoadsOfSolidKinds,
                         ::testing::Values(ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843),
                         [](const auto& kind) { return std::string(element_info(kind.param).name); });

double skewness(const System& system, const State& state) {
  const Dense K = differences(system, state);
  double skew = 0;
  for (int r = 0; r < system.map.size; ++r)
    for (int c = 0; c < r; ++c) skew = std::max(skew, std::abs(K[r][c] - K[c][r]));
  return skew / largest(K);
}

TEST(Pressure, HasASymmetricTangentWhereItsSurfaceIsClosedOrItsEdgesAreHeld) {
  Model block;
  block.materials.add("rubber", Isotropic{1e6, 0.3, 1000, 0});
  Body body;
  body.element = ElementKind::hexa3843;
  body.material = "rubber";
  body.mesh = BlockMesh{{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0, 0, 0.1}, {2, 1, 1}};
  block.bodies.add("block", body);
  for (const char* side : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"})
    block.loads.add(side, Pressure{at("block", side), Signal(1e5)});
  const System closed = compile(block);
  EXPECT_LT(skewness(closed, disturbed(closed, 1e-2)), 1e-9);

  Model plate;
  plate.materials.add("rubber", Isotropic{1e6, 0.3, 1000, 0});
  plate.sections.add("sheet", Plate{0.01});
  body.element = ElementKind::shell3443;
  body.section = "sheet";
  body.mesh = PlateMesh{{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {2, 2}};
  plate.bodies.add("plate", body);
  plate.loads.add("pressure", Pressure{at("plate", "top"), Signal(1e5)});
  const System loose = compile(plate);
  EXPECT_GT(skewness(loose, disturbed(loose, 1e-2)), 1e-2);
  for (const char* edge : {"x_min", "x_max", "y_min", "y_max"})
    plate.constraints.add(
        edge, Fix{at("plate", edge),
                  {Coordinate::position, Coordinate::x_gradient, Coordinate::y_gradient, Coordinate::z_gradient},
                  {}});
  const System held = compile(plate);
  EXPECT_LT(skewness(held, disturbed(held, 1e-3)), 1e-9);
}

// Both forms find the same equilibrium; the cheap one in about as many iterations also where edges are free.
TEST(Pressure, SymmetricTangentsConvergeAboutAsFastAsExactOnes) {
  for (const bool free_edges : {false, true}) {
    StaticReport reports[2];
    std::vector<double> q[2];
    for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
      const int i = form == TangentForm::exact;
      Model model;
      model.materials.add("rubber", Isotropic{1e7, 0.3, 1000, 0});
      model.sections.add("sheet", Plate{0.005});
      Body body;
      body.element = ElementKind::shell3443;
      body.section = "sheet";
      body.material = "rubber";
      body.mesh = PlateMesh{{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {6, 4}};
      model.bodies.add("plate", body);
      model.tangent = form;
      model.constraints.add("x_min", Clamp{at("plate", "x_min")});
      if (!free_edges)
        for (const char* edge : {"x_max", "y_min", "y_max"}) model.constraints.add(edge, Clamp{at("plate", edge)});
      model.loads.add("pressure", Pressure{at("plate", "top"), Signal(free_edges ? 25 : 2e4)});
      const System system = compile(model);
      EXPECT_EQ(system.symmetric, form == TangentForm::symmetric);
      State state = system.initial_state();
      Workspace work(system, 1);
      reports[i] = solve_static(system, StaticAnalysis{}, state, work, {});
      ASSERT_TRUE(reports[i].ok()) << reports[i].message;
      q[i] = state.q;
    }
    for (std::size_t k = 0; k < q[0].size(); ++k) EXPECT_NEAR(q[0][k], q[1][k], 1e-6);
    EXPECT_LE(reports[0].iterations, reports[1].iterations * 3 / 2 + 2) << free_edges;
  }
}

}  // namespace
}  // namespace lithe

// compile() and evaluation, for every element kind of the registry.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/system/outputs.h"
#include "lithe/system/system.h"
#include "support/messages.h"
#include "support/models.h"

namespace lithe {
namespace {

using test::at;
using test::at_node;
using test::constant;
using test::make_strip;
using test::Strip;

State disturbed(const System& system, double amount, double speed, unsigned seed) {
  State state = system.initial_state();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double& x : state.q) x += amount * unit(random);
  for (double& x : state.v) x = speed * unit(random);
  return state;
}

std::vector<double> residual(const System& system, const State& state, Workspace& work) {
  evaluate_internal(system, state, work);
  evaluate_external(system, state, work);
  std::vector<double> full(work.internal.size()), r;
  for (std::size_t k = 0; k < full.size(); ++k) full[k] = work.internal[k] - work.external[k];
  system.map.restrict({}, full, r);
  return r;
}

class SystemOfEveryKind : public ::testing::TestWithParam<ElementKind> {};

TEST_P(SystemOfEveryKind, MassAndInertiaOfAStraightStrip) {
  Strip s = make_strip(GetParam());
  std::get<Body>(s.model.bodies.items[0].second).mass = MassForm::consistent;
  const System system = compile(s.model);
  const double mass = s.density * s.length * s.width * s.thickness;
  EXPECT_NEAR(total_mass(system), mass, 1e-12 * mass);
  // Rigid rotation about z through the start at 2 rad/s: T = m L^2/3 w^2/2 (plus the width's share).
  State state = system.initial_state();
  for (std::size_t k = 0; k < state.q.size(); k += 3) {
    state.v[k] = -2 * state.q[k + 1];
    state.v[k + 1] = 2 * state.q[k];
  }
  double inertia = mass * s.length * s.length / 3;
  if (GetParam() != ElementKind::cable) inertia += mass * s.width * s.width / 12;
  EXPECT_NEAR(kinetic_energy(system, state), 0.5 * inertia * 4, 1e-12 * inertia);
}

TEST_P(SystemOfEveryKind, TangentIsTheDerivativeOfTheResidualOverTheUnknowns) {
  for (TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    Strip s = make_strip(GetParam(), form == TangentForm::exact ? 1e-3 : 0);
    s.model.tangent = form;
    s.model.constraints.add("roller", Fix{at("strip", s.start), {Coordinate::position}, {{1, 2, 0.5}}});
    s.model.constraints.add(
        "guide", Fix{at("strip", s.end),
                     GetParam()->gradients() == 0 ? std::vector{Coordinate::position}
                                                  : std::vector{Coordinate::position, Coordinate::x_gradient},
                     {{0, 1, 0}}});
    const System system = compile(s.model);
    EXPECT_EQ(system.symmetric, form == TangentForm::symmetric);
    const State state = disturbed(system, 1e-3, 1e-2, 4);
    Workspace work(system, 1);
    std::vector<double> values;
    const double c_q = 1.0, c_v = 0.6;
    evaluate_tangent(system, state, c_q, c_v, work, values);
    double scale = 0;
    for (double v : values) scale = std::max(scale, std::abs(v));
    for (int column = 0; column < system.map.size; column += 7) {
      std::vector<double> dz(system.map.size, 0.0), dense(system.map.size, 0.0);
      dz[column] = 1;
      const double h = 1e-6;
      State plus = state, minus = state;
      system.map.prolong({}, dz, c_q * h, plus.q);
      system.map.prolong({}, dz, c_v * h, plus.v);
      system.map.prolong({}, dz, -c_q * h, minus.q);
      system.map.prolong({}, dz, -c_v * h, minus.v);
      const std::vector<double> rp = residual(system, plus, work), rm = residual(system, minus, work);
      for (int c = 0; c < system.map.size; ++c)
        for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k) {
          const int r = system.pattern.row[k];
          if (c == column) dense[r] = values[k];
          if (system.symmetric && r == column) dense[c] = values[k];
        }
      for (int r = 0; r < system.map.size; ++r) EXPECT_NEAR(dense[r], (rp[r] - rm[r]) / (2 * h), 2e-7 * scale);
    }
  }
}

TEST_P(SystemOfEveryKind, SameNumbersForOneAndTwoThreadsBitByBit) {
  Strip s = make_strip(GetParam(), 1e-3, 1501);  // enough work for two threads even for the cable's force
  s.model.constraints.add("root", Clamp{at("strip", s.start)});
  const System system = compile(s.model);
  const State state = disturbed(system, 1e-4, 1, 9);
  Workspace one(system, 1), two(system, 2);
  std::vector<double> a, b;
  for (int repeat = 0; repeat < 3; ++repeat) {
    evaluate_internal(system, state, one);
    evaluate_internal(system, state, two);
    EXPECT_EQ(one.internal, two.internal);
    evaluate_tangent(system, state, 1, 0.5, one, a);
    evaluate_tangent(system, state, 1, 0.5, two, b);
    EXPECT_EQ(a, b);
  }
}

TEST_P(SystemOfEveryKind, GravityAndLineLoadsAddUpToTheirTotals) {
  Strip s = make_strip(GetParam());
  s.model.loads.add("gravity", Gravity{constant(0, 0, -10)});
  At edge = at("strip", element_info(GetParam()).dimension == 1 ? "" : s.end);
  s.model.loads.add("line", LineLoad{edge, constant(0, 7, 0)});
  if (GetParam()->cell == Cell::tetrahedron) {
    EXPECT_NE(message_of<InputError>([&] { compile(s.model); }).find("use a traction"), std::string::npos);
    return;
  }
  const System system = compile(s.model);
  Workspace work(system, 1);
  evaluate_external(system, system.initial_state(), work);
  Vec3<double> sum{};
  for (int n = 0; n < system.bodies[0].mesh.node_count(); ++n)
    for (int m = 0; m < 3; ++m) sum[m] += work.external[3 * system.bodies[0].vector(n, 0) + m];
  const double mass = s.density * s.length * s.width * s.thickness;
  const double line = element_info(GetParam()).dimension == 1 ? s.length : s.width;
  EXPECT_NEAR(sum[2], -10 * mass, 1e-11 * mass);
  EXPECT_NEAR(sum[1], 7 * line, 1e-11);
}

TEST_P(SystemOfEveryKind, APlaceByCoordinatesIsThatPlace) {
  const Strip s = make_strip(GetParam());
  const System system = compile(s.model);
  At place = at("strip", "");
  const bool solid = GetParam() != ElementKind::cable;
  place.point = Triple{0.31, solid ? 0.004 : 0, solid ? -0.001 : 0};
  const PointWeights p = system.resolve_point(place);
  Vec3<double> r{};
  for (std::size_t k = 0; k < p.vectors.size(); ++k)
    for (int m = 0; m < 3; ++m) r[m] += p.weights[k] * system.q0[3 * p.vectors[k] + m];
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(r[m], (*place.point)[m], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(System, SystemOfEveryKind, ::testing::ValuesIn([] {
                           std::vector<ElementKind> kinds;
                           for (const ElementKind kind : element_registry()) kinds.push_back(kind);
                           return kinds;
                         }()),
                         [](const auto& kind) { return std::string(element_info(kind.param).name); });

TEST(System, NamesItsUnknownsInTheUsersWords) {
  Strip s = make_strip(ElementKind::beam3243);
  s.model.constraints.add("root", Clamp{at("strip", "start")});
  const System system = compile(s.model);
  EXPECT_EQ(system.unknown_name(0), "body 'strip', node 0, x_gradient x");
  EXPECT_EQ(system.unknown_name(5), "body 'strip', node 1, position x");
  EXPECT_EQ(system.unknown_name(system.map.size - 1), "body 'strip', node 6, z_gradient z");
}

TEST(System, StrategiesThatReuseForceWorkNeverSeeAnotherState) {
  Strip s = make_strip(ElementKind::shell3443, 1e-3);
  s.model.strategy = "E";
  std::get<Body>(s.model.bodies.items[0].second).formulation = Formulation::continuum;
  const System system = compile(s.model);
  Workspace work(system, 1), fresh(system, 1);
  const State a = disturbed(system, 1e-4, 1, 1), b = disturbed(system, 1e-4, 1, 2);
  std::vector<double> values, wanted;
  evaluate_internal(system, a, work);
  evaluate_tangent(system, b, 1, 0.5, work, values);
  evaluate_internal(system, b, fresh);
  evaluate_tangent(system, b, 1, 0.5, fresh, wanted);
  EXPECT_EQ(values, wanted);
}

}  // namespace
}  // namespace lithe

// Statics against closed forms and published values: linear limits, large deflections, loads and reactions, oriented
// constraints, load stepping, and honest reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/linalg/linear_solver.h"
#include "support/statics.h"

namespace lithe {
namespace {

using std::numbers::pi;
using test::at;
using test::bending_stiffness;
using test::cantilever;
using test::constant;
using test::make_strip;
using test::Solved;
using test::Strip;

Signals expression(const std::string& z) { return {Signal(0), Signal(0), Signal::expression(z)}; }

// ---- linear limit and large deflections ----

// Tip deflection of the clamped strip over that of Euler and Bernoulli, in the linear range.
double linear_ratio(ElementKind kind, int elements, std::optional<Formulation> formulation = {}) {
  Strip s = make_strip(kind, 0, elements);
  std::get<Body>(s.model.bodies.items[0].second).formulation = formulation;
  s.model.materials.items[0].second = Isotropic{70e9, 0, 2700, 0};
  s.model.constraints.add("root", Clamp{at("strip", s.start)});
  const double EI = 70e9 * s.width * std::pow(s.thickness, 3) / 12, L = s.length, deflection = 1e-3 * L;
  s.model.loads.add("tip", PointForce{at("strip", s.end_point), constant(0, 0, -deflection * 3 * EI / (L * L * L))});
  const Solved run(s.model);
  EXPECT_TRUE(run.report.ok()) << run.report.message;
  return -run.displacement(at("strip", s.end_point))[2] / deflection;
}

TEST(Statics, SmallDeflectionsAreThoseOfEulerBernoulli) {
  // Without Poisson's effect. A cantilever of n beams or shells as published is stiff by 1/(4 n^2): constant shear in
  // each element leaves the linear curvature out. By its section it is exact but for shear, the hexa is cubic along its
  // length.
  for (const int n : {1, 5, 10, 20})
    for (ElementKind kind : {ElementKind::beam3243, ElementKind::shell3443}) {
      EXPECT_NEAR(linear_ratio(kind, n), 1, 1e-4) << element_info(kind).name << " " << n;
      if (n > 1) {
        EXPECT_NEAR(linear_ratio(kind, n, Formulation::continuum), 1 - 0.25 / (n * n), 2e-4) << element_info(kind).name;
      }
    }
  for (const int n : {5, 10, 20}) EXPECT_NEAR(linear_ratio(ElementKind::hexa3843, n), 1, 1e-4) << "hexa3843 " << n;
}

TEST(Statics, LargeDeflectionsOfMattiasson) {
  // K. Mattiasson, Numerical results from large deflection beam and frame problems analysed by means of elliptic
  // integrals, IJNME 17 (1981), table I: cantilever with a transverse tip force.
  const struct {
    double load, u, w;  // P L^2 / EI, tip displacements over L
  } cases[] = {{1, 0.05643, 0.30172}, {5, 0.38763, 0.71379}, {10, 0.55500, 0.81061}};
  for (const auto& c : cases) {
    const double t = 0.01;
    Model model = cantilever(100, t);
    model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, -c.load * bending_stiffness(t))});
    const Solved run(model);
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const Triple u = run.displacement(at("beam", "end"));
    EXPECT_NEAR(-u[0], c.u, 4e-4);
    EXPECT_NEAR(-u[2], c.w, 4e-4);
    EXPECT_NEAR(u[1], 0, 1e-10);
  }
}

// A strip of rubber that stands out is far too soft for that and hangs down from its clamp. Its elements are longer
// than the b = sqrt(EI/T) = 6 mm over which it bends there; they may bend too little, but not grow longer. A hanging
// rope of this stiffness stands off by 2 b sin(pi/4), and loses 2 b (1 - cos(pi/4)) of its length.
TEST(Statics, ASoftStripHangsDownAtItsOwnLength) {
  for (const int elements : {5, 10, 20, 80}) {
    SCOPED_TRACE(elements);
    Model model = cantilever(elements, 0.002);
    auto& rubber = std::get<Isotropic>(model.materials.items.front().second);
    rubber = Isotropic{1e6, 0.45, 1000, 0};
    model.loads.add("weight", Gravity{constant(0, 0, -9.81)});
    const Solved run(model);
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    EXPECT_TRUE(run.report.stable.value_or(false));
    const Triple u = run.displacement(at("beam", "end"));
    const double stretch = 1000 * 9.81 / (2 * 1e6);  // of the whole strip
    const double b = std::sqrt(1e6 * 0.002 * 0.002 / 12 / (1000 * 9.81));
    EXPECT_NEAR(-u[2], 1 + stretch - 2 * b * (1 - std::sqrt(0.5)), 0.3 / elements);
    EXPECT_LT(-u[2], 1 + stretch);
    EXPECT_NEAR(1 + u[0], 2 * b * std::sqrt(0.5), 0.3 / elements);
    EXPECT_LE(run.report.cut_backs, 1);
  }
}

TEST(Statics, SolversAskedForByNameAgree) {
  const double t = 0.02;
  Model model = cantilever(4, t);
  model.loads.add("roll", PointMoment{at("beam", "end"), constant(0, 0.5 * bending_stiffness(t), 0)});
  Model symmetric = cantilever(4, t);
  symmetric.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, -bending_stiffness(t))});
  for (const Model& m : {model, symmetric}) {
    const Solved automatic(m, StaticAnalysis{});
    ASSERT_TRUE(automatic.report.ok()) << automatic.report.message;
    const Triple expected = automatic.displacement(at("beam", "end"), automatic.state);
    for (const SolverInfo& info : linear_solvers()) {
      StaticAnalysis options;
      options.solver = info.name;
      if (info.kinds.back() != MatrixKind::unsymmetric && !automatic.system.symmetric) {
        EXPECT_THROW(Solved(m, options), InputError) << info.name;
        continue;
      }
      const Solved run(m, options);
      ASSERT_TRUE(run.report.ok()) << info.name << ": " << run.report.message;
      EXPECT_NE(run.report.solver.find(info.name + " (as asked"), std::string::npos) << run.report.solver;
      const Triple u = run.displacement(at("beam", "end"), run.state);
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(u[c], expected[c], 1e-8) << info.name;
    }
  }
}

TEST(Statics, AnEndMomentRollsTheBeamUp) {
  const double t = 0.02;
  Model model = cantilever(40, t);
  model.loads.add("roll", PointMoment{at("beam", "end"), constant(0, 2 * pi * bending_stiffness(t), 0)});
  StaticAnalysis options;
  options.first_step = options.largest_step = 0.25;
  const Solved run(model, options);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  for (std::size_t k = 0; k < run.steps.size(); ++k) {
    const double angle = 2 * pi * run.steps[k].load_factor;  // of the tip; the beam is an arc of radius 1/angle
    const Triple u = run.displacement(at("beam", "end"), run.states[k]);
    const double x = angle > 0 ? std::sin(angle) / angle : 1, z = angle > 0 ? (1 - std::cos(angle)) / angle : 0;
    EXPECT_NEAR(1 + u[0], x, 0.012) << run.steps[k].load_factor;
    EXPECT_NEAR(-u[2], z, 0.012) << run.steps[k].load_factor;
  }
  EXPECT_NE(run.report.solver.find("unsymmetric"), std::string::npos) << "a dead moment has no symmetric tangent";
}

TEST(Statics, NewtonConvergesQuadratically) {
  // A block pulled to half again its length: no thin direction, so the orders show.
  Strip s = make_strip(ElementKind::hexa3843, 0, 2);
  s.model.constraints.add("root", Clamp{at("strip", s.start)});
  s.model.loads.add("pull", PointForce{at("strip", s.end_point), constant(0.5 * 70e9 * s.width * s.thickness, 0, 0)});
  StaticAnalysis options;
  options.tolerance = 1e-12;
  const Solved run(s.model, options);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const auto& r = run.steps.back().history;
  ASSERT_GE(r.size(), 4u);
  int quadratic = 0;
  for (std::size_t k = 1; k + 1 < r.size(); ++k)
    if (r[k] < 0.1 && r[k] > 1e-7) {  // below, rounding comes into sight
      EXPECT_LT(r[k + 1], 20 * r[k] * r[k] + 1e-12) << "iteration " << k;
      ++quadratic;
    }
  EXPECT_GE(quadratic, 2);
}

// ---- loads and reactions ----

TEST(Statics, ReactionsBalanceGravityAndLineLoads) {
  for (ElementKind kind : {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843}) {
    for (const bool line : {false, true}) {
      Strip s = make_strip(kind);
      s.model.constraints.add("root", Clamp{at("strip", s.start)});
      double expected = 9.80665 * s.density * s.length * s.width * s.thickness;
      if (line) {
        const bool edge = element_info(kind).dimension > 1;
        if (kind == ElementKind::hexa3843) continue;  // its edges have no names
        s.model.loads.add("line", LineLoad{edge ? at("strip", "y_max") : at("strip", ""), constant(0, 0, -3)});
        expected = 3 * s.length;
      } else {
        s.model.loads.add("weight", Gravity{});
      }
      const Solved run(s.model);
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      EXPECT_NEAR(run.reaction(0)[2], expected, 1e-6 * expected) << element_info(kind).name << line;
    }
  }
}

TEST(Statics, PressureFollowsTheSurface) {
  // For any shape of the beam the resultant of a pressure p on its top is p times the area vector between its ends,
  // width times (chord of the top line) x y.
  const double t = 0.02;
  Model model = cantilever(20, t);
  const double p = -4 * bending_stiffness(t) / t;
  model.loads.add("blow", Pressure{at("beam", "top"), Signal(p)});
  const Solved run(model);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  At tip;
  tip.body = "beam";
  tip.element = 19;
  tip.xi = Triple{1, 0, 1};
  const Triple u = run.displacement(tip);
  EXPECT_GT(u[2], 0.3);  // far from linear
  const Triple chord{1 + u[0], 0, u[2]}, reaction = run.reaction(0);
  // normal of the top ~ (-chord_z, 0, chord_x); load = -p t normal; reaction = -load
  const double size = std::abs(p) * t;
  EXPECT_NEAR(reaction[0], p * t * -chord[2], 1e-5 * size);
  EXPECT_NEAR(reaction[2], p * t * chord[0], 1e-5 * size);
  EXPECT_TRUE(run.system.symmetric);
}

TEST(Statics, ClampedPlateUnderPressure) {
  // Timoshenko, Woinowsky-Krieger, Theory of plates and shells, table 35: w = 0.00126 p a^4 / D; with more digits and
  // the shear of a/t = 100 0.0012679.
  Model model;
  const double a = 1, t = 0.01, E = 2e11, nu = 0.3, D = E * t * t * t / (12 * (1 - nu * nu));
  model.materials.add("steel", Isotropic{E, nu, 7800, 0});
  model.sections.add("plate", Plate{t});
  Body body;
  body.element = ElementKind::shell3443;
  body.material = "steel";
  body.section = "plate";
  body.mesh = PlateMesh{{0, 0, 0}, {a, 0, 0}, {0, a, 0}, {24, 24}};
  model.bodies.add("plate", body);
  for (const char* edge : {"x_min", "x_max", "y_min", "y_max"}) model.constraints.add(edge, Clamp{at("plate", edge)});
  const double p = 1e-3 * t * D / (0.0012679 * a * a * a * a);
  model.loads.add("push", Pressure{at("plate", "surface"), Signal(p)});
  const Solved run(model);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_NEAR(-run.displacement(at("plate", "middle"))[2] / (1e-3 * t), 1, 6e-3);
}

TEST(Statics, TablesAndExpressionsRunOverTheDuration) {
  const double t = 0.05, force = bending_stiffness(t);
  const auto solve = [&](const Signals& signals, double largest_step) {
    Model model = cantilever(10, t);
    model.loads.add("tip", PointForce{at("beam", "end"), signals});
    StaticAnalysis options;
    options.duration = 2;
    options.first_step = options.largest_step = largest_step;
    return Solved(model, options);
  };
  const Solved straight = solve(constant(0, 0, -force), 1);
  const Solved ramp = solve(expression(std::to_string(-force / 2) + "*t"), 0.5);
  const Solved at_once = solve(expression(std::to_string(-force) + "+0*t"), 0.5);
  const Solved back = solve({Signal(0), Signal(0), Signal::table({0, 1, 2}, {0, -force, 0})}, 0.25);
  for (const Solved* run : {&straight, &ramp, &at_once, &back}) ASSERT_TRUE(run->report.ok()) << run->report.message;
  const double w = straight.displacement(at("beam", "end"))[2];
  EXPECT_NEAR(ramp.displacement(at("beam", "end"))[2], w, 1e-8);
  EXPECT_NEAR(at_once.displacement(at("beam", "end"))[2], w, 1e-8);
  // A load that acts from the start is in equilibrium at load factor 0 already.
  EXPECT_EQ(at_once.steps[1].load_factor, 0);
  EXPECT_NEAR(at_once.displacement(at("beam", "end"), at_once.states[1])[2], w, 1e-8);
  EXPECT_NEAR(back.displacement(at("beam", "end"))[2], 0, 1e-8);
  EXPECT_NEAR(back.displacement(at("beam", "end"), back.states[2])[2], w, 1e-8);
  EXPECT_DOUBLE_EQ(back.states[2].t, 1.0);
}

// ---- oriented constraints ----

TEST(Statics, ATurnedModelGivesTheTurnedResult) {
  // Cantilever whose end runs on a roller that rises by 30 degrees.
  const auto build = [](const Mat3<double>& R) {
    const auto turn = [&](const Triple& x) {
      const Vec3<double> y = R * Vec3<double>{{x[0], x[1], x[2]}};
      return Triple{y[0], y[1], y[2]};
    };
    const double t = 0.02, F = 20 * bending_stiffness(t);
    Model model = cantilever(12, t);
    auto& line = std::get<LineMesh>(std::get<Body>(model.bodies.items[0].second).mesh);
    line.to = turn({1, 0, 0});
    line.width_direction = turn({0, 1, 0});
    model.constraints.add("roller", Fix{at("beam", "end"), {Coordinate::position}, {turn({-0.5, 0, std::sqrt(0.75)})}});
    const Triple f = turn({-0.3 * F, 0.1 * F, -F});
    model.loads.add("middle", PointForce{at("beam", "middle"), constant(f[0], f[1], f[2])});
    return model;
  };
  const Mat3<double> identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const double a = 0.7, b = -1.1;
  const Mat3<double> Ra{{{std::cos(a), -std::sin(a), 0}, {std::sin(a), std::cos(a), 0}, {0, 0, 1}}},
      Rb{{{1, 0, 0}, {0, std::cos(b), -std::sin(b)}, {0, std::sin(b), std::cos(b)}}};
  const Mat3<double> R = Ra * Rb;
  const Solved plain(build(identity)), turned(build(R));
  ASSERT_TRUE(plain.report.ok()) << plain.report.message;
  ASSERT_TRUE(turned.report.ok()) << turned.report.message;
  for (const char* place : {"middle", "end"}) {
    const Triple u = plain.displacement(at("beam", place)), v = turned.displacement(at("beam", place));
    const Vec3<double> expected = R * Vec3<double>{{u[0], u[1], u[2]}};
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(v[c], expected[c], 1e-8) << place;
  }
  const Triple u = plain.displacement(at("beam", "end"));
  EXPECT_GT(std::abs(u[0]), 1e-3);
  EXPECT_NEAR(-0.5 * u[0] + std::sqrt(0.75) * u[2], 0, 1e-14);
}

// ---- load steps ----

TEST(Statics, StepsAreCutBackWhereNewtonFails) {
  const double t = 0.001;
  Model model = cantilever(10, t);
  model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, -10 * bending_stiffness(t))});
  const Solved automatic(model);
  ASSERT_TRUE(automatic.report.ok()) << automatic.report.message;
  EXPECT_GT(automatic.report.cut_backs, 0);
  EXPECT_GT(automatic.report.steps, 1);
  StaticAnalysis careful;
  careful.first_step = 1e-3;
  careful.largest_step = 0.05;
  const Solved slow(model, careful);
  ASSERT_TRUE(slow.report.ok()) << slow.report.message;
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(automatic.displacement(at("beam", "end"))[c], slow.displacement(at("beam", "end"))[c], 1e-6);
}

TEST(Statics, TinyLoadsOnThinBeamsEndAtRoundingAndSaySo) {
  const double t = 0.001;
  Model model = cantilever(10, t);
  model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, -1e-6 * bending_stiffness(t))});
  const Solved run(model);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_EQ(run.report.rounding_steps, 1);
  EXPECT_TRUE(run.steps.back().at_rounding);
  EXPECT_NE(run.report.message.find("rounding error"), std::string::npos);
  EXPECT_NEAR(run.displacement(at("beam", "end"))[2] * -3e6, 1, 1e-3);
}

TEST(Statics, FailureNamesTheWorstCoordinateAndKeepsTheLastState) {
  const double t = 0.01;
  Model model = cantilever(10, t);
  model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, -10 * bending_stiffness(t))});
  StaticAnalysis options;
  options.iterations = 3;
  options.smallest_step = 0.2;
  const Solved run(model, options);
  EXPECT_EQ(run.report.reason, StaticReport::Reason::step_too_small);
  EXPECT_EQ(run.report.load_factor, 0);
  EXPECT_EQ(run.report.steps, 0);
  EXPECT_EQ(run.state.q, run.system.q0);
  EXPECT_NE(run.report.worst.find("body 'beam', node"), std::string::npos);
  for (const char* part : {"load factor 0 of 1", "tolerance 1.0e-08", "worst at body 'beam'", "try method: arc_length"})
    EXPECT_NE(run.report.message.find(part), std::string::npos) << run.report.message;
}

TEST(Statics, AMissingConstraintIsNamed) {
  for (const double t : {0.1, 0.02, 0.001})
    for (const bool hinge : {true, false}) {
      Model model = cantilever(10, t);
      model.constraints = {};
      if (hinge) model.constraints.add("hinge", Fix{at("beam", "start"), {Coordinate::position}, {}});
      model.loads.add("tip", PointForce{at("beam", "end"), constant(1, 0, -bending_stiffness(t))});
      const Solved run(model);
      EXPECT_EQ(run.report.reason, StaticReport::Reason::singular) << run.report.message;
      EXPECT_NE(run.report.message.find("nothing holds body 'beam'"), std::string::npos) << run.report.message;
      EXPECT_NE(run.report.message.find("constraint is missing"), std::string::npos) << run.report.message;
      EXPECT_EQ(run.state.q, run.system.q0);
    }
}

TEST(Statics, ForcesThatAreNotFiniteNeverReachTheState) {
  Model model = cantilever(4, 0.05);
  model.loads.add("tip", PointForce{at("beam", "end"), expression("t>0.3 ? (t<0.37 ? sqrt(0.3-t) : -3000) : -3000")});
  StaticAnalysis options;  // steps that cannot miss the gap, which checks of the model miss
  options.first_step = options.largest_step = 0.05;
  const Solved run(model, options);
  EXPECT_FALSE(run.report.ok());
  EXPECT_NEAR(run.report.load_factor, 0.3, 1e-3);
  EXPECT_NE(run.report.message.find("not finite"), std::string::npos) << run.report.message;
  for (double x : run.state.q) ASSERT_TRUE(std::isfinite(x));
}

TEST(Statics, TheObserverMayStopARun) {
  Model model = cantilever(4, 0.05);
  model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, -1)});
  const System system = compile(model);
  State state = system.initial_state();
  Workspace work(system, 1);
  StaticAnalysis options;
  options.first_step = options.largest_step = 0.25;
  const auto report =
      solve_static(system, options, state, work, [](const State&, const StaticStep& s) { return s.step < 2; });
  EXPECT_EQ(report.reason, StaticReport::Reason::stopped);
  EXPECT_DOUBLE_EQ(report.load_factor, 0.5);
}

TEST(Statics, NothingFreeIsSolvedAtOnce) {
  Model model = cantilever(2, 0.05);
  model.constraints.add("all", Clamp{at("beam", "all")});
  model.loads.add("weight", Gravity{});
  const Solved run(model);
  EXPECT_TRUE(run.report.ok());
  EXPECT_EQ(run.state.load_factor, 1);
}

TEST(Statics, ThreadsDoNotChangeABit) {
  for (ElementKind kind : {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843}) {
    Strip s = make_strip(kind, 0, 16);
    s.model.constraints.add("root", Clamp{at("strip", s.start)});
    s.model.loads.add("weight", Gravity{constant(3, 20, -200)});
    const Solved one(s.model, {}, 1), two(s.model, {}, 2);
    ASSERT_TRUE(one.report.ok()) << one.report.message;
    EXPECT_EQ(one.state.q, two.state.q) << element_info(kind).name;
  }
}

}  // namespace
}  // namespace lithe

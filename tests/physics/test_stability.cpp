// Equilibria that are not stable: said to be so whatever the treatment of constraints, left for stable ones on request
// (elastica, catenary, a pendulum that falls down); loads that are not there; prestress that grows with the loads.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/statics.h"

namespace lithe {
namespace {

using std::numbers::pi;
using test::at;
using test::constant;
using test::Solved;

constexpr Treatment treatments[] = {Treatment::eliminate, Treatment::lagrange, Treatment::augmented};

StaticAnalysis when_unstable(OnInstability what) {
  StaticAnalysis options;
  options.on_instability = what;
  return options;
}

constexpr double column_stiffness = 1e9 * 1e-8 / 12;  // EI of a column 0.01 m square
constexpr double buckling_load = pi * pi * column_stiffness / 4;

// A column of 1 m along x, clamped below, pressed by `load` times its buckling load.
Model column(double load, Treatment treatment = Treatment::eliminate, ElementKind kind = ElementKind::beam3243,
             int elements = 16) {
  Model model;
  model.materials.add("rubber", Isotropic{1e9, 0, 1100, 0});
  if (kind == ElementKind::cable) model.sections.add("square", Bar{1e-4, 1e-8 / 12});
  else model.sections.add("square", Rectangle{0.01, 0.01, {}});
  Body body;
  body.element = kind;
  body.material = "rubber";
  body.section = "square";
  body.mesh = LineMesh{{0, 0, 0}, {1, 0, 0}, elements, {}};
  model.bodies.add("column", body);
  model.constraints.add("root", Clamp{at("column", "start")});
  model.loads.add("weight", PointForce{at("column", "end"), constant(-load * buckling_load, 0, 0)});
  model.treatment = treatment;
  return model;
}

TEST(Stability, AColumnIsStableBelowItsBucklingLoadAndNotAbove) {
  for (const Treatment treatment : treatments) {
    const Solved below(column(0.9, treatment));
    ASSERT_TRUE(below.report.ok()) << below.report.message;
    EXPECT_EQ(below.report.stable, std::optional(true));
    EXPECT_EQ(below.report.negative_pivots, 0);
    EXPECT_EQ(below.report.message, "");
    const Solved above(column(1.1, treatment));
    ASSERT_TRUE(above.report.ok()) << above.report.message;
    EXPECT_EQ(above.report.stable, std::optional(false));
    EXPECT_EQ(above.report.negative_pivots, 2);  // it may fall along y or z
    EXPECT_EQ(above.steps.back().negative_pivots, 2);
    EXPECT_NE(above.report.message.find("unstable"), std::string::npos);
    EXPECT_NEAR(above.position(at("column", "end"))[0], 1, 1e-3);
  }
  EXPECT_EQ(Solved(column(15)).report.negative_pivots, 4);  // nine times the load lets the second mode go too
}

TEST(Stability, ErrorEndsTheRunAtTheFirstUnstableEquilibriumAndKeepsIt) {
  StaticAnalysis options = when_unstable(OnInstability::error);
  options.first_step = options.largest_step = 0.25;
  const Solved run(column(1.8), options);
  EXPECT_EQ(run.report.reason, StaticReport::Reason::unstable);
  EXPECT_FALSE(run.report.ok());
  EXPECT_EQ(run.report.stable, std::optional(false));
  EXPECT_DOUBLE_EQ(run.report.load_factor, 0.75);
  EXPECT_DOUBLE_EQ(run.steps.back().load_factor, 0.75);
  EXPECT_EQ(run.steps.back().negative_pivots, 2);
  EXPECT_NE(run.report.message.find("0.75"), std::string::npos) << run.report.message;
}

// Tip of the elastica: P/P_cr = (2 K(k)/pi)^2, x = 2 E(k)/K(k) - 1, y = 2 k/K(k), in lengths of the column.
TEST(Stability, APerturbedColumnBucklesToTheElastica) {
  const double load = 1.5;
  double low = 0, high = 1 - 1e-12;
  for (int i = 0; i < 100; ++i) {
    const double k = 0.5 * (low + high);
    (std::comp_ellint_1(k) < 0.5 * pi * std::sqrt(load) ? low : high) = k;
  }
  const double K = std::comp_ellint_1(low), x = 2 * std::comp_ellint_2(low) / K - 1, y = 2 * low / K;
  const struct {
    Treatment treatment;
    ElementKind kind;
    int elements;
  } cases[] = {{Treatment::eliminate, ElementKind::cable, 20},
               {Treatment::lagrange, ElementKind::cable, 20},
               {Treatment::augmented, ElementKind::cable, 20},
               {Treatment::eliminate, ElementKind::beam3243, 80}};
  for (const auto& c : cases) {
    const Solved run(column(load, c.treatment, c.kind, c.elements), when_unstable(OnInstability::perturb));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    EXPECT_NE(run.report.stable, std::optional(false));  // it may turn about its axis: neutral
    EXPECT_GE(run.report.disturbances, 1);
    EXPECT_NE(run.report.message.find("0.001"), std::string::npos) << run.report.message;
    const Vec3<double> tip = run.position(at("column", "end"));
    EXPECT_NEAR(tip[0], x, 2e-3);
    EXPECT_NEAR(std::hypot(tip[1], tip[2]), y, 2e-3);
  }
}

// A rope of 12 m pushed together to a span of 10 m: sinh(u)/u = 1.2, sag = span/(2u) (cosh(u) - 1).
TEST(Stability, ARopePushedTogetherFindsItsCatenary) {
  Model model;
  model.materials.add("rope", Isotropic{1e9, 0, 7850, 0});
  model.sections.add("round", Circle{0.001});
  Body body;
  body.element = ElementKind::cable;
  body.material = "rope";
  body.section = "round";
  body.mesh = LineMesh{{0, 0, 0}, {12, 0, 0}, 40, {}};
  model.bodies.add("rope", body);
  model.constraints.add("left", Fix{at("rope", "start"), {Coordinate::position}, {}});
  Motion motion;
  motion.at = at("rope", "end");
  motion.displacement = {Signal::expression("-2*t"), Signal(0), Signal(0)};
  model.joints.add("push", motion);
  model.loads.add("weight", Gravity{});
  StaticAnalysis options;
  options.first_step = 0.001;
  const Solved straight(model, options);
  ASSERT_TRUE(straight.report.ok()) << straight.report.message;
  EXPECT_EQ(straight.report.stable, std::optional(false));
  options.on_instability = OnInstability::perturb;
  const Solved run(model, options);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_EQ(run.report.stable, std::optional(true));
  double low = 0.1, high = 3;
  for (int i = 0; i < 100; ++i) {
    const double u = 0.5 * (low + high);
    (std::sinh(u) / u < 1.2 ? low : high) = u;
  }
  const double sag = 5 / low * (std::cosh(low) - 1);
  const Vec3<double> middle = run.position(at("rope", "middle"));
  EXPECT_NEAR(middle[0], 5, 1e-3);
  EXPECT_NEAR(middle[1], 0, 1e-3);
  EXPECT_NEAR(middle[2], -sag, 5e-3 * sag);
}

// A rigid bar of 1 m that stands on a hinge.
Model upright(Treatment treatment) {
  Model model;
  RigidBody body;
  body.position = {0, 0.5, 0};
  body.x_axis = {0, 1, 0};
  body.y_axis = {-1, 0, 0};
  body.mass = 1;
  body.inertia = {0.1, 0.1, 0.1};
  body.points.add("foot", Triple{-0.5, 0, 0});
  body.points.add("head", Triple{0.5, 0, 0});
  model.bodies.add("bar", body);
  Revolute hinge;
  hinge.a.body = "ground";
  hinge.b = at("bar", "foot");
  hinge.axis = {0, 0, 1};
  model.joints.add("hinge", hinge);
  model.loads.add("weight", Gravity{constant(0, -9.81, 0)});
  model.treatment = treatment;
  return model;
}

TEST(Stability, AnUprightPendulumIsUnstableAndFallsDownWhenDisturbed) {
  for (const Treatment treatment : treatments) {
    const Solved standing(upright(treatment));
    ASSERT_TRUE(standing.report.ok()) << standing.report.message;
    EXPECT_EQ(standing.report.stable, std::optional(false));
    EXPECT_EQ(standing.report.negative_pivots, 1);
    const Solved fallen(upright(treatment), when_unstable(OnInstability::perturb));
    ASSERT_TRUE(fallen.report.ok()) << fallen.report.message;
    EXPECT_EQ(fallen.report.stable, std::optional(true));
    EXPECT_NEAR(fallen.position(at("bar", "head"))[1], -1, 1e-9);
  }
}

TEST(Stability, IsNotKnownWhereAMotionMeetsNoForce) {
  Model model = column(0.5);
  model.constraints = {};
  model.loads = {};
  const Solved floating(model);
  ASSERT_TRUE(floating.report.ok()) << floating.report.message;
  EXPECT_FALSE(floating.report.stable.has_value());
}

TEST(StaticsWithoutLoads, TheReferenceConfigurationIsTheAnswerInNoIterations) {
  for (const Treatment treatment : treatments) {
    Model model = column(0, treatment);
    model.loads = {};
    StaticAnalysis options;
    for (const double step : {1.0, 0.3}) {
      options.first_step = options.largest_step = step;
      const Solved run(model, options);
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      EXPECT_EQ(run.report.iterations, 0);
      EXPECT_EQ(run.state.q, run.system.q0);
      EXPECT_EQ(run.report.stable, std::optional(true));
    }
  }
}

TEST(Prestress, OfSpringsGrowsWithTheLoadsSoThatStepsAreAsGoodAsOneStep) {
  Model model;
  RigidBody body;
  body.position = {0.1, 0.05, 0.3};
  body.x_axis = {0.9759000729485331, 0.19518001458970663, 0.09759000729485331};
  body.y_axis = {-0.21483321264028496, 0.937793676047157, 0.27274477430853566};
  body.mass = 4;
  body.inertia = {0.1, 0.15, 0.12, 0.01, 0.005, -0.01};
  model.bodies.add("b", body);
  const struct {
    Triple ground, body;
    double stiffness, free_length;
  } springs[] = {{{-0.5, -0.4, 0}, {-0.4, -0.3, 0.3}, 300, 0.35},
                 {{0.5, -0.4, 0}, {0.45, -0.3, 0.35}, 400, 0.4},
                 {{0.5, 0.4, 0.1}, {0.4, 0.3, 0.3}, 250, 0.2},
                 {{-0.5, 0.4, 0}, {-0.4, 0.35, 0.4}, 350, 0.45}};
  int n = 0;
  for (const auto& s : springs) {
    Spring spring;
    spring.a.body = "ground";
    spring.a.point = s.ground;
    spring.b.body = "b";
    spring.b.point = s.body;
    spring.stiffness = s.stiffness;
    spring.free_length = s.free_length;
    model.springs.add("s" + std::to_string(n++), spring);
  }
  model.loads.add("w", Gravity{constant(0, 0, -9.81)});
  At where;
  where.body = "b";
  where.point = Triple{0.3, 0.1, 0.5};
  model.loads.add("f", PointForce{where, constant(3, -2, 1)});
  StaticAnalysis options;
  options.tolerance = 1e-10;
  const Solved once(model, options);
  ASSERT_TRUE(once.report.ok()) << once.report.message;
  EXPECT_EQ(once.report.stable, std::optional(true));
  for (const double step : {0.5, 0.05}) {
    options.first_step = options.largest_step = step;
    const Solved stepped(model, options);
    ASSERT_TRUE(stepped.report.ok()) << step << ": " << stepped.report.message;
    EXPECT_EQ(stepped.report.stable, std::optional(true));
    for (std::size_t i = 0; i < once.state.q.size(); ++i) EXPECT_NEAR(stepped.state.q[i], once.state.q[i], 1e-8);
  }
}

// A beam pulled by a spring alone: no load acts, the prestress is what grows.
TEST(Prestress, OfASpringIsLinearInTheLoadFactorAndKnownToTheArc) {
  Model model;
  model.materials.add("rubber", Isotropic{1e6, 0, 1000, 0});
  model.sections.add("square", Rectangle{0.02, 0.02, {}});
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "rubber";
  body.section = "square";
  body.mesh = LineMesh{{0, 0, 0}, {1, 0, 0}, 4, {}};
  model.bodies.add("beam", body);
  model.constraints.add("root", Clamp{at("beam", "start")});
  Spring spring;
  spring.a.body = "ground";
  spring.a.point = Triple{2, 0, 0};
  spring.b = at("beam", "end");
  spring.stiffness = 10;
  spring.free_length = 0.9;  // pulls with 1 N
  model.springs.add("pull", spring);
  StaticAnalysis options;
  options.first_step = options.largest_step = 0.5;
  const Solved steps(model, options);
  ASSERT_TRUE(steps.report.ok()) << steps.report.message;
  options.method = StaticMethod::arc_length;
  const Solved arc(model, options);
  ASSERT_TRUE(arc.report.ok()) << arc.report.message;
  // The same from a spring that is free at first and a force.
  Model free = model;
  std::get<Spring>(free.springs.items[0].second).free_length.reset();
  free.loads.add("force", PointForce{at("beam", "end"), constant(1, 0, 0)});
  options.method = StaticMethod::newton;
  const Solved loaded(free, options);
  ASSERT_TRUE(loaded.report.ok()) << loaded.report.message;
  EXPECT_GT(loaded.position(at("beam", "end"))[0], 1.002);
  EXPECT_NEAR(steps.position(at("beam", "end"))[0], loaded.position(at("beam", "end"))[0], 1e-9);
  EXPECT_NEAR(arc.position(at("beam", "end"))[0], steps.position(at("beam", "end"))[0], 1e-9);
}

}  // namespace
}  // namespace lithe

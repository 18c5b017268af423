// Modes and buckling of whole models: every flexible kind, joints, prestress, parts without mass, closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/dynamics/buckling.h"
#include "lithe/dynamics/modes.h"
#include "lithe/linalg/eigenpairs.h"
#include "lithe/system/mapped_bodies.h"
#include "support/models.h"

namespace lithe {
namespace {

using std::numbers::pi;
using test::at;
using test::constant;

constexpr Treatment treatments[] = {Treatment::eliminate, Treatment::lagrange, Treatment::augmented};

struct Looked {
  System system;
  Workspace work;
  State state;
  Looked(Model model, bool equilibrium = false)
      : system((model.analysis = modes_stages(model, {}, equilibrium), compile(model))),
        work(system, 1),
        state(equilibrium ? state_at_equilibrium(system, work) : state_at_rest(system)) {}
  Modes modes(int count, std::optional<double> near = {}) { return find_modes(system, state, work, {count, near}); }
  Buckling buckling(int count) { return find_buckling(system, state, work, count); }
};

std::string refusal(const Model& model, int count) {
  try {
    Looked(model).modes(count);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Modes, EveryFlexibleKindHasSixRigidMotionsAndItsMass) {
  for (const ElementKind kind : {ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843,
                                 ElementKind::hex8, ElementKind::tet4, ElementKind::tet10}) {
    const test::Strip strip = test::make_strip(kind);
    Looked at(strip.model);
    const Modes found = at.modes(8);
    const double mass = strip.density * strip.length * strip.width * strip.thickness;
    std::array<double, 6> sum{};
    for (int k = 0; k < 6; ++k) {
      EXPECT_LT(std::abs(found.modes[k].frequency), 1e-4 * found.modes[6].frequency) << kind->name << " " << k;
      for (int r = 0; r < 6; ++r) sum[r] += found.modes[k].effective_mass[r];
    }
    EXPECT_GT(found.modes[6].frequency, 10) << kind->name;
    for (int r = 0; r < 6; ++r) EXPECT_NEAR(sum[r], found.total_mass[r], 1e-6 * found.total_mass[r]) << kind->name;
    for (int r = 0; r < 3; ++r) EXPECT_NEAR(found.total_mass[r], mass, 1e-9 * mass) << kind->name;
  }
}

// Of a free cable its rigid motions, and no stiffness across it but that of bending.
TEST(Modes, AClampedBeamOfEveryKindBendsAsTheorySays) {
  for (const ElementKind kind :
       {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::tet10}) {
    test::Strip strip = test::make_strip(kind, 0, 24);
    std::get<Isotropic>(*strip.model.materials.find("metal")).nu = 0;
    strip.model.constraints.add("root", Clamp{at("strip", strip.start)});
    Looked at(strip.model);
    const double inertia = kind == ElementKind::cable ? 1e-9 : strip.width * std::pow(strip.thickness, 3) / 12;
    const double omega = std::pow(1.8751040687 / strip.length, 2) *
                         std::sqrt(70e9 * inertia / (strip.density * strip.width * strip.thickness));
    EXPECT_NEAR(at.modes(1).modes[0].frequency * 2 * pi / omega, 1, 3e-3) << kind->name;
  }
}

Model pendulum(Treatment treatment, double angle = 0) {
  Model model;
  model.treatment = treatment;
  RigidBody rod;
  rod.position = {0.7 * std::sin(angle), 0, -0.7 * std::cos(angle)};
  rod.mass = 3;
  rod.inertia = {0.2, 0.35, 0.3};
  model.bodies.add("rod", rod);
  Revolute pivot;
  pivot.a.body = "ground";
  pivot.a.point = Triple{0, 0, 0};
  pivot.b.body = "rod";
  pivot.point = Triple{0, 0, 0};
  pivot.axis = {0, 1, 0};
  model.joints.add("pivot", pivot);
  model.loads.add("gravity", Gravity{constant(0, 0, -9.81)});
  return model;
}

TEST(Modes, OfAPendulumUnderAllTreatments) {
  for (const Treatment treatment : treatments) {
    Looked at(pendulum(treatment), true);
    const Modes found = at.modes(1);
    EXPECT_NEAR(found.modes[0].eigenvalue / (3 * 9.81 * 0.7 / (0.35 + 3 * 0.49)), 1, 1e-8);
    EXPECT_TRUE(found.dense);
    Looked rest(pendulum(treatment));
    EXPECT_NEAR(rest.modes(1).modes[0].eigenvalue, 0, 1e-9);  // nothing acts, nothing brings it back
  }
}

TEST(Modes, AStateThatGivesWayHasANegativeEigenvalue) {
  Looked at(pendulum(Treatment::eliminate, pi), true);
  const Mode mode = at.modes(1).modes[0];
  EXPECT_NEAR(mode.eigenvalue / (-3 * 9.81 * 0.7 / (0.35 + 3 * 0.49)), 1, 1e-8);
  EXPECT_NEAR(mode.frequency, -std::sqrt(-mode.eigenvalue) / (2 * pi), 1e-12);
}

Model hanging_chain(int links) {
  Model model;
  for (int i = 0; i < links; ++i) {
    RigidBody link;
    link.position = {0, 0, -0.05 - 0.1 * i};
    link.mass = 0.1;
    link.inertia = {1e-4, 1e-4, 1e-5};
    const std::string name = "link" + std::to_string(i);
    model.bodies.add(name, link);
    Revolute joint;
    joint.a.body = i == 0 ? "ground" : "link" + std::to_string(i - 1);
    if (i == 0) joint.a.point = Triple{0, 0, 0};
    joint.b.body = name;
    joint.point = Triple{0, 0, -0.1 * i};
    joint.axis = {0, 1, 0};
    model.joints.add("joint" + std::to_string(i), joint);
  }
  model.loads.add("gravity", Gravity{constant(0, 0, -9.81)});
  return model;
}

// All stiffness is that of the multipliers; D. Bernoulli's chain hangs in Bessel's function J0(2 omega sqrt(z / g)).
TEST(Modes, OfAHangingChain) {
  const int links = 100;
  Looked at(hanging_chain(links), true);
  const Modes found = at.modes(3);
  EXPECT_FALSE(found.dense);
  EXPECT_GE(found.counted, 3);
  const double zeros[] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(found.modes[k].eigenvalue / (std::pow(zeros[k] / 2, 2) * 9.81 / (0.1 * links)), 1, 0.02);
}

TEST(Modes, PartsWithoutMassFollow) {
  // Two springs in a row with a massless point between: one mode along them, of half the stiffness.
  Model model;
  const auto put = [&](const std::string& name, double x, double mass) {
    PointMass point;
    point.position = {x, 0, 0};
    point.mass = mass;
    model.bodies.add(name, point);
  };
  RigidBody middle;
  middle.position = {1, 0, 0};
  middle.mass = 0;
  model.bodies.add("middle", middle);
  Prismatic slide;
  slide.a.body = "ground";
  slide.a.point = Triple{1, 0, 0};
  slide.b = at("middle", "center");
  slide.axis = {1, 0, 0};
  model.joints.add("slide", slide);
  put("end", 2, 4);
  const auto spring = [&](const std::string& name, const std::string& a, const std::string& b) {
    Spring s;
    s.a.body = a;
    if (a == "ground") s.a.point = Triple{0, 0, 0};
    else s.a.name = "center";
    s.b = at(b, "center");
    s.stiffness = 300;
    model.springs.add(name, s);
  };
  spring("first", "ground", "middle");
  spring("second", "middle", "end");
  model.constraints.add("hold", Fix{at("end", "all"), {Coordinate::position}, {{0, 1, 0}, {0, 0, 1}}});
  const std::string told = refusal(model, 2);
  Looked state(model);
  EXPECT_NEAR(state.modes(1).modes[0].eigenvalue, 150 / 4.0, 1e-10);
  EXPECT_NE(told.find("count is 2, but the model has 1 mode"), std::string::npos) << told;
}

TEST(Modes, ConsistentAndLumpedMassesConverge) {
  for (const MassForm mass : {MassForm::lumped, MassForm::consistent}) {
    test::Strip strip = test::make_strip(ElementKind::hex8, 0, 20);
    std::get<Body>(*strip.model.bodies.find("strip")).mass = mass;
    strip.model.constraints.add("root", Clamp{at("strip", strip.start)});
    Looked state(strip.model);
    const Modes found = state.modes(20);
    double best = 1;
    const double bar = std::sqrt(70e9 / strip.density) / (4 * strip.length);  // stretches along itself
    for (const Mode& mode : found.modes) best = std::min(best, std::abs(mode.frequency / bar - 1));
    EXPECT_LT(best, 0.01);
  }
}

TEST(Modes, NearAFrequencyAreThoseOfTheLongList) {
  test::Strip strip = test::make_strip(ElementKind::shell3443, 0, 12);
  strip.model.constraints.add("root", Clamp{at("strip", strip.start)});
  Looked state(strip.model);
  const Modes all = state.modes(20);
  const double hertz = all.modes[9].frequency * 1.001;
  const Modes some = state.modes(3, hertz);
  std::vector<double> nearest;
  for (const Mode& mode : all.modes) nearest.push_back(mode.frequency);
  std::ranges::sort(nearest, {}, [&](double x) { return std::abs(x - hertz); });
  nearest.resize(3);
  std::ranges::sort(nearest);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(some.modes[k].frequency / nearest[k], 1, 1e-7);
}

// A chain of equal masses and springs has omega = 2 sin(..): by squares the lower neighbours are nearer than they are.
TEST(Modes, NearestAreThoseByFrequency) {
  for (const int links : {8, 200}) {  // dense, Lanczos
    Model model;
    for (int i = 0; i < links; ++i) {
      PointMass point;
      point.position = {1.0 * i, 0, 0};
      point.mass = 1;
      const std::string name = "m" + std::to_string(i);
      model.bodies.add(name, point);
      PointOnLine guide;
      guide.a.body = "ground";
      guide.a.point = Triple{1.0 * i, 0, 0};
      guide.b.body = name;
      guide.axis = {1, 0, 0};
      model.joints.add("guide" + std::to_string(i), guide);
      Spring spring;
      spring.a.body = i == 0 ? "ground" : "m" + std::to_string(i - 1);
      if (i == 0) spring.a.point = Triple{-1, 0, 0};
      spring.b.body = name;
      spring.stiffness = 1;
      model.springs.add("k" + std::to_string(i), spring);
    }
    Looked at(model);
    std::vector<double> exact;
    for (int k = 1; k <= links; ++k) exact.push_back(2 * std::sin((2 * k - 1) * pi / (2 * (2 * links + 1))) / (2 * pi));
    const int count = links / 2;
    const double hertz = 0.6 * exact[links - 1];
    const Modes some = at.modes(count, hertz);
    std::ranges::sort(exact, {}, [&](double x) { return std::abs(x - hertz); });
    std::vector<double> by_square = exact;
    std::ranges::sort(by_square, {}, [&](double x) { return std::abs(x * x - hertz * hertz); });
    exact.resize(count);
    by_square.resize(count);
    std::ranges::sort(exact);
    std::ranges::sort(by_square);
    EXPECT_NE(exact, by_square);
    for (int k = 0; k < count; ++k) EXPECT_NEAR(some.modes[k].frequency / exact[k], 1, 1e-7) << links << " " << k;
  }
}

TEST(Modes, WhatCannotBeAsked) {
  test::Strip strip = test::make_strip(ElementKind::hex8, 0, 2);
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(refusal(strip.model, 1000), "the model has 36 modes");
  has(refusal(strip.model, 0), "ask for at least 1");
  Model held = strip.model;
  held.constraints.add("all", Clamp{at("strip", "all")});
  has(refusal(held, 1), "nothing can move");
  std::get<Isotropic>(*strip.model.materials.find("metal")).density = 0;
  has(refusal(strip.model, 1), "density");
}

TEST(Modes, OfAFreeBodyByItsMatrices) {
  test::Strip strip = test::make_strip(ElementKind::hex8, 0, 8);
  strip.model.constraints.add("root", Clamp{at("strip", strip.start)});
  const System system = compile(body_alone(strip.model, "strip"));
  Workspace work(system, 1);
  const ModalMatrices matrices = modal_matrices(system, state_at_rest(system), work);
  ASSERT_EQ(matrices.pattern.size, 3 * system.vectors());
  const ProvedPairs pairs = lowest_modes(matrices.pattern, matrices.K, matrices.M, 10);
  EXPECT_GE(pairs.counted, 10);
  const Modes whole = Looked(body_alone(strip.model, "strip")).modes(10);
  for (int k = 6; k < 10; ++k) EXPECT_NEAR(pairs.values[k] / whole.modes[k].eigenvalue, 1, 1e-9);
  EXPECT_THROW(body_alone(strip.model, "strap"), InputError);
}

// ---- buckling ----

Model column(double load, Treatment treatment, int elements, ElementKind kind = ElementKind::beam3243) {
  Model model;
  model.treatment = treatment;
  model.materials.add("rubber", Isotropic{1e9, 0, 1100, 0});
  model.sections.add("square", Rectangle{0.01, 0.01, {}});
  Body body;
  body.element = kind;
  body.material = "rubber";
  if (kind == ElementKind::beam3243) {
    body.section = "square";
    body.mesh = LineMesh{{0, 0, 0}, {1, 0, 0}, elements, {}};
  } else {
    body.mesh = BlockMesh{{0, -0.005, -0.005}, {1, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}, {elements, 1, 1}};
  }
  model.bodies.add("column", body);
  const bool line = kind == ElementKind::beam3243;
  model.constraints.add("root", Clamp{at("column", line ? "start" : "x_min")});
  model.loads.add("weight", PointForce{at("column", line ? "end" : "x_max_middle"), constant(-load, 0, 0)});
  return model;
}

constexpr double euler = pi * pi * 1e9 * 1e-8 / 12 / 4;

TEST(Buckling, OfEulersColumnUnderAllTreatmentsFromRestAndUnderLoad) {
  for (const Treatment treatment : treatments) {
    for (const bool loaded : {false, true}) {
      Looked at(column(0.5 * euler, treatment, 16), loaded);
      const Buckling found = at.buckling(4);
      EXPECT_EQ(found.from, loaded ? 1 : 0);
      EXPECT_NEAR(found.modes[0].factor, 2, 2e-3);
      EXPECT_NEAR(found.modes[1].factor, 2, 2e-3);  // the other plane
      EXPECT_NEAR(found.modes[2].factor, 18, loaded ? 0.06 : 0.05);
      EXPECT_GE(found.counted, found.dense ? 0 : 4);
    }
  }
  Looked solid(column(euler, Treatment::eliminate, 100, ElementKind::tet10));
  EXPECT_NEAR(solid.buckling(1).modes[0].factor, 1, 0.01);
}

// Two rigid rods end to end with a torsion spring between, pressed along themselves: P = 4 k / L, L that of both.
Model rods(Treatment treatment, double load) {
  Model model;
  model.treatment = treatment;
  for (const int i : {0, 1}) {
    RigidBody rod;
    rod.position = {0.5 + i, 0, 0};
    rod.mass = 1;
    rod.inertia = {0.01, 0.1, 0.1};
    model.bodies.add(i == 0 ? "left" : "right", rod);
  }
  const auto revolute = [&](const std::string& name, const std::string& a, const std::string& b, double x) {
    Revolute joint;
    joint.a.body = a;
    if (a == "ground") joint.a.point = Triple{x, 0, 0};
    joint.b.body = b;
    joint.point = Triple{x, 0, 0};
    joint.axis = {0, 0, 1};
    model.joints.add(name, joint);
  };
  revolute("foot", "ground", "left", 0);
  revolute("knee", "left", "right", 1);
  PointOnLine guide;
  guide.a.body = "ground";
  guide.a.point = Triple{2, 0, 0};
  guide.b.body = "right";
  guide.b.point = Triple{2, 0, 0};
  guide.axis = {1, 0, 0};
  model.joints.add("guide", guide);
  TorsionSpring spring;
  spring.joint = "knee";
  spring.stiffness = 50;
  model.springs.add("spring", spring);
  At tip;
  tip.body = "right";
  tip.point = Triple{2, 0, 0};
  model.loads.add("press", PointForce{tip, constant(-load, 0, 0)});
  return model;
}

TEST(Buckling, OfRigidRodsWithASpring) {
  for (const Treatment treatment : treatments) {
    Looked at(rods(treatment, 10));
    EXPECT_NEAR(at.buckling(1).modes[0].factor, 2 * 50 / 10.0, 1e-6);
  }
}

// Heat presses on what is held at both ends, though nothing moves: alpha T = 4 pi^2 I / (A L^2).
TEST(Buckling, OfAHeatedColumnBetweenClamps) {
  for (const ElementKind kind : {ElementKind::beam3243, ElementKind::shell3443, ElementKind::tet10})
    for (const bool heated : {false, true}) {
      test::Strip strip = test::make_strip(kind, 0, kind == ElementKind::tet10 ? 40 : 16);
      auto& metal = std::get<Isotropic>(*strip.model.materials.find("metal"));
      metal.nu = 0;
      metal.expansion = 1e-5;
      strip.model.constraints.add("root", Clamp{at("strip", strip.start)});
      strip.model.constraints.add("end", Clamp{at("strip", strip.end)});
      const double ratio = strip.thickness / strip.length;
      const double critical = 4 * pi * pi * ratio * ratio / 12 / metal.expansion;
      Temperature heat;
      heat.body = "strip";
      heat.change = Signal(critical / 4);
      strip.model.loads.add("heat", heat);
      Looked looked(strip.model, heated);
      const double found = looked.buckling(1).modes[0].factor;
      EXPECT_NEAR(found, 4, kind == ElementKind::tet10 ? 0.12 : 0.03) << kind->name << heated;
      // At a quarter of it the square of the first frequency has lost a little less than that: 0.97 of it.
      const double cold = std::pow(4.730041 / strip.length, 2) / (2 * pi) *
                          std::sqrt(70e9 * strip.thickness * strip.thickness / (12 * strip.density));
      const double first = looked.modes(1).modes[0].frequency / cold;
      EXPECT_NEAR(first * first, heated ? 1 - 0.97 / 4 : 1, 0.03) << kind->name;
    }
}

TEST(Buckling, SaysWhenThereIsNone) {
  Looked pulled(rods(Treatment::eliminate, -10));
  EXPECT_THROW(pulled.buckling(1), RunError);
  Model no_load = column(euler, Treatment::eliminate, 8);
  no_load.loads = {};
  Looked bare(no_load);
  EXPECT_THROW(bare.buckling(1), InputError);
  Looked past(column(1.5 * euler, Treatment::eliminate, 8), true);
  EXPECT_THROW(past.buckling(1), RunError);
}

}  // namespace
}  // namespace lithe

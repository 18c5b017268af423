// Changes of temperature: free bodies expand without stress, held ones carry what they may not do.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/system/outputs.h"
#include "lithe/system/section_forces.h"
#include "lithe/system/temperature.h"
#include "support/messages.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

constexpr double alpha = 2e-5, E = 70e9;

Strip heated(ElementKind kind, const Temperature& load, double nu = 0) {
  Strip s = make_strip(kind);
  auto& metal = std::get<Isotropic>(s.model.materials.items[0].second);
  metal.nu = nu;
  metal.expansion = alpha;
  s.model.constraints.add("root", Clamp{at("strip", s.start)});
  s.model.loads.add("heat", load);
  return s;
}

StaticAnalysis tight() {
  StaticAnalysis options;
  options.tolerance = 1e-10;
  return options;
}

const MaterialPoint inside{2, {0.3, 0, 0}};

TEST(Temperature, LetsAFreeBodyGrowWithoutStress) {
  const double change = 50, strain = alpha * change;
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443}) {
    Temperature load{"strip", Signal(change)};
    const Strip s = heated(kind, load);
    const Solved run(s.model, tight());
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    // Green's strain of cables and shells: the stretch is sqrt(1 + 2 strain).
    const double stretch = kind == ElementKind::beam3243 ? 1 + strain : std::sqrt(1 + 2 * strain);
    EXPECT_NEAR(run.displacement(at("strip", s.end_point))[0], (stretch - 1) * s.length,
                1e-5 * strain * s.length);  // the clamp of a shell holds its width
    const double EA = E * s.thickness * (kind == ElementKind::shell3443 ? 1 : s.width);
    EXPECT_NEAR(section_forces(run.system, run.state, 0, inside)[0], 0, 1e-5 * EA * strain) << s.model.name;
    if (kind != ElementKind::cable) {
      const PointStress p = stress_at(run.system, run.state, 0, inside);
      EXPECT_NEAR(p.second_piola[0], 0, 1e-5 * E * strain);
      EXPECT_NEAR(p.green_lagrange[0], strain, 1e-5 * strain);
    }
  }
}

TEST(Temperature, PressesWhatIsHeld) {
  const double change = 50, strain = alpha * change;
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443}) {
    Strip s = heated(kind, {"strip", Signal(-change)});  // cooled: no buckling
    s.model.constraints.add("end", Clamp{at("strip", s.end), Hold::all});
    s.model.outputs.add("end", ReactionOutput{"end"});
    Solved run(s.model, tight());
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const double N = E * s.width * s.thickness * strain;
    // `hold: all` holds the stretch at the ends too, and takes a little of the force there.
    const double near = kind == ElementKind::shell3443 ? 3e-5 : 1e-6;
    EXPECT_NEAR(channel_values(run.system, run.state, run.work)[0], N, near * N) << s.model.name;
    EXPECT_NEAR(section_forces(run.system, run.state, 0, inside)[0], kind == ElementKind::shell3443 ? N / s.width : N,
                near * N / s.width);
    if (kind == ElementKind::cable) continue;
    EXPECT_NEAR(stress_at(run.system, run.state, 0, inside).second_piola[0], E * strain, near * E * strain);
  }
  // Held in both directions of the plane: E alpha T / (1 - nu).
  const System plate = compile(heated(ElementKind::shell3443, {"strip", Signal(-change)}, 0.3).model);
  const State held = plate.initial_state();
  EXPECT_NEAR(stress_at(plate, held, 0, inside).second_piola[1], E * strain / 0.7, 1e-9 * E);
  EXPECT_NEAR(section_forces(plate, held, 0, inside)[1], E * 0.004 * strain / 0.7, 1e-9 * E);
}

// Curvature alpha times the gradient: an arc of a circle, in both planes, without moments; held back, E I alpha
// gradient.
TEST(Temperature, GradientsBend) {
  const double gradient = 4e4, curvature = alpha * gradient;  // 0.4 rad over the length
  for (const ElementKind kind : {ElementKind::beam3243, ElementKind::shell3443})
    for (const int axis : {1, 2}) {
      if (axis == 1 && kind == ElementKind::shell3443) continue;
      Temperature load{"strip"};
      (axis == 1 ? load.gradient_y : load.gradient_z) = Signal(gradient);
      Strip s = heated(kind, load);
      const Solved run(s.model, tight());
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      const Triple u = run.displacement(at("strip", s.end_point));
      const double angle = curvature * s.length, sag = (1 - std::cos(angle)) / curvature;
      EXPECT_NEAR(u[axis], -sag, 2e-3 * sag) << s.model.name << axis;
      EXPECT_NEAR(u[0], std::sin(angle) / curvature - s.length, 2e-3 * sag) << s.model.name << axis;
      const double width = kind == ElementKind::shell3443 ? 1 : s.width;
      const double EI = E * (axis == 1 ? std::pow(s.width, 3) * s.thickness : width * std::pow(s.thickness, 3)) / 12;
      const int place = kind == ElementKind::shell3443 ? 3 : axis == 1 ? 5 : 4;
      EXPECT_NEAR(section_forces(run.system, run.state, 0, inside)[place], 0, 2e-3 * EI * curvature);
      const State held = run.system.initial_state();  // nothing may move
      EXPECT_NEAR(section_forces(run.system, held, 0, inside)[place], (axis == 1 ? 1 : -1) * EI * curvature, 1e-9 * EI);
      const double half = 0.5 * (axis == 1 ? s.width : s.thickness);
      MaterialPoint top = inside;
      top.xi[axis] = 1;
      EXPECT_NEAR(stress_at(run.system, held, 0, top).second_piola[0], -E * curvature * half,
                  1e-6 * E * curvature * half);
    }
}

// S. Timoshenko, Analysis of bi-metal thermostats (1925): two equal layers, 3/2 (difference of alpha) T / h.
TEST(Temperature, BendsABimetal) {
  const double change = 100, h = 0.004;
  Strip s = heated(ElementKind::shell3443, {"strip", Signal(change)});
  s.model.materials.add("other", Isotropic{E, 0, 2700, 0, 3 * alpha});
  s.model.sections.items[0].second = Layered{{{h / 2, 0, "metal"}, {h / 2, 0, "other"}}};
  const Solved run(s.model, tight());
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double curvature = 1.5 * 2 * alpha * change / h, angle = curvature * s.length;
  const double sag = (1 - std::cos(angle)) / curvature;
  EXPECT_NEAR(run.displacement(at("strip", s.end_point))[2], -sag, 5e-3 * sag);
}

// An orthotropic layer turned by 90 degrees grows along its own 2.
TEST(Temperature, TurnsWithALayer) {
  Strip s = heated(ElementKind::shell3443, {"strip", Signal(100)});
  Orthotropic wood{10e9, 1e9, 1e9, 0.02, 0.02, 0.02, 1e9, 1e9, 1e9, 500, 0};
  wood.expansion = {1e-6, 4e-5, 0};
  s.model.materials.add("wood", wood);
  s.model.sections.items[0].second = Layered{{{0.004, 90, "wood"}}};
  s.model.constraints.items[0].second =
      Fix{at("strip", "x_min"), {Coordinate::position, Coordinate::z_gradient}, {{1, 0, 0}, {0, 0, 1}}};
  s.model.constraints.add("side", Fix{at_node("strip", 0), {Coordinate::position}, {{0, 1, 0}}});
  const Solved run(s.model, tight());
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_NEAR(run.displacement(at("strip", "x_max_middle"))[0], 4e-3 * s.length, 1e-4 * s.length);
  EXPECT_NEAR(stress_at(run.system, run.state, 0, inside).second_piola[1], 0, 1e3);
}

// A block that is held at three corners alone.
Model free_block(ElementKind kind, const Temperature& load, double nu) {
  Model model;
  Isotropic metal{E, nu, 2700, 0};
  metal.expansion = alpha;
  model.materials.add("metal", metal);
  Body block;
  block.element = kind;
  block.material = "metal";
  block.mesh = BlockMesh{{-0.02, -0.01, -0.005}, {0.04, 0, 0}, {0, 0.02, 0}, {0, 0, 0.01}, {2, 2, 2}};
  model.bodies.add("block", block);
  const bool middles = kind == ElementKind::tet10;  // a node between two corners
  const int x = middles ? 4 : 2, y = middles ? 5 * 4 : 3 * 2;
  model.constraints.add("point", Fix{at_node("block", 0), {Coordinate::position}, {}});
  model.constraints.add("line", Fix{at_node("block", x), {Coordinate::position}, {{0, 1, 0}, {0, 0, 1}}});
  model.constraints.add("plane", Fix{at_node("block", y), {Coordinate::position}, {{0, 0, 1}}});
  model.loads.add("heat", load);
  return model;
}

TEST(Temperature, LetsAFreeBlockGrowWithoutStress) {
  const double change = 100, stretch = std::sqrt(1 + 2 * alpha * change) - 1;
  for (const ElementKind kind : {ElementKind::hexa3843, ElementKind::hex8, ElementKind::tet4, ElementKind::tet10}) {
    const Solved run(free_block(kind, {"block", Signal(change)}, 0.3), tight());
    ASSERT_TRUE(run.report.ok()) << kind->name << run.report.message;
    double largest[3] = {};
    const int vectors = run.system.bodies[0].node_vectors;
    for (std::size_t i = 0; i < run.state.q.size() / 3; i += static_cast<std::size_t>(vectors))
      for (int m = 0; m < 3; ++m)
        largest[m] = std::max(largest[m], std::abs(run.state.q[3 * i + m] - run.system.q0[3 * i + m]));
    const double size[3] = {0.04, 0.02, 0.01};
    for (int m = 0; m < 3; ++m) EXPECT_NEAR(largest[m], stretch * size[m], 1e-6 * stretch * size[m]) << kind->name << m;
    const PointStress p = stress_at(run.system, run.state, 0, {1, {0.2, 0.3, 0.1}});
    for (const double sigma : p.second_piola) EXPECT_NEAR(sigma, 0, 1e-6 * E * alpha * change) << kind->name;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(p.green_lagrange[k], alpha * change, 1e-6 * alpha * change) << kind->name;
    // Held in all directions: E alpha T / (1 - 2 nu).
    const State held = run.system.initial_state();
    EXPECT_NEAR(stress_at(run.system, held, 0, {1, {0.2, 0.3, 0.1}}).second_piola[1], -E * alpha * change / 0.4,
                1e-9 * E);
  }
}

// A gradient across a free block bends it to alpha gradient, without stress.
TEST(Temperature, AGradientBendsABlock) {
  const double gradient = 2e3, sag = 0.5 * alpha * gradient * 0.02 * 0.02;  // of the middle over the ends
  for (const ElementKind kind : {ElementKind::hexa3843, ElementKind::tet10})
    for (const int axis : {1, 2}) {
      Temperature load{"block"};
      (axis == 1 ? load.gradient_y : load.gradient_z) = Signal(gradient);
      const Solved run(free_block(kind, load, 0.3), tight());
      ASSERT_TRUE(run.report.ok()) << kind->name << run.report.message;
      // Along the edge that the corners held are on.
      const std::size_t vectors = static_cast<std::size_t>(run.system.bodies[0].node_vectors);
      int found = 0;
      for (std::size_t i = 0; i < run.state.q.size() / 3; i += vectors) {
        const double* x = &run.system.q0[3 * i];
        if (std::abs(x[0]) > 1e-9 || std::abs(x[1] + 0.01) > 1e-9 || std::abs(x[2] + 0.005) > 1e-9) continue;
        EXPECT_NEAR(run.state.q[3 * i + axis] - x[axis], sag, 1e-3 * sag) << kind->name << axis;
        ++found;
      }
      EXPECT_EQ(found, 1);
      const double edge = 0.005 * alpha * gradient;
      EXPECT_NEAR(stress_at(run.system, run.state, 0, {1, {0.2, 0.3, 0.1}}).second_piola[0], 0, 1e-2 * E * edge);
    }
}

// The published forms do as the others.
TEST(Temperature, BendsABimetalOfPoints) {
  const double change = 100, h = 0.004;
  Strip s = heated(ElementKind::shell3443, {"strip", Signal(change)});
  Body& strip = std::get<Body>(s.model.bodies.items[0].second);
  strip.formulation = Formulation::continuum;
  std::get<PlateMesh>(strip.mesh).elements = {64, 1};  // the published shell locks in shear
  s.model.materials.add("other", Isotropic{E, 0, 2700, 0, 3 * alpha});
  s.model.sections.items[0].second = Layered{{{h / 2, 0, "metal"}, {h / 2, 0, "other"}}};
  const Solved run(s.model, tight());
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double curvature = 1.5 * 2 * alpha * change / h, angle = curvature * s.length;
  const double sag = (1 - std::cos(angle)) / curvature;
  EXPECT_NEAR(run.displacement(at("strip", s.end_point))[2], -sag, 2e-2 * sag);
}

TEST(Temperature, HasItsDerivativeAsTangent) {
  const auto solid = [](ElementKind kind) { return kind->dimension == 3; };
  for (const auto& [kind, formulation] :
       {std::pair{ElementKind::cable, Formulation::section}, std::pair{ElementKind::beam3243, Formulation::section},
        std::pair{ElementKind::shell3443, Formulation::section},
        std::pair{ElementKind::beam3243, Formulation::continuum},
        std::pair{ElementKind::shell3443, Formulation::continuum},
        std::pair{ElementKind::hexa3843, Formulation::continuum}}) {
    Temperature load{"strip", Signal(30)};
    if (kind == ElementKind::beam3243 || solid(kind)) load.gradient_y = Signal(2e4);
    if (kind != ElementKind::cable) load.gradient_z = Signal(-3e4);
    Strip s = heated(kind, load, 0.3);
    if (kind->section_form) std::get<Body>(s.model.bodies.items[0].second).formulation = formulation;
    s.model.bodies.items[0].second = [&] {
      Body body = std::get<Body>(s.model.bodies.items[0].second);
      std::visit(
          [](auto& mesh) {
            if constexpr (requires { mesh.elements = 2; }) mesh.elements = 2;
          },
          body.mesh);
      return AnyBody(body);
    }();
    const System system = compile(s.model);
    State state = system.initial_state();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> u(-1, 1);
    const int vectors = system.bodies[0].node_vectors;
    for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] += (i / 3 % vectors == 0 ? 1e-3 : 0.1) * u(random);
    Workspace work(system, 1);
    std::vector<double> with, without;
    evaluate_tangent(system, state, 1, 0, work, with);
    State cold = state;
    cold.load_factor = 0;
    evaluate_tangent(system, cold, 1, 0, work, without);
    EXPECT_TRUE(system.symmetric);
    double largest = 0, worst = 0;
    for (int c = 0; c < system.map.size; ++c) {
      std::vector<double> dz(system.map.size, 0.0), plus, minus;
      dz[c] = 1;
      for (const double h : {1e-6, -1e-6}) {
        State other = state;
        system.map.prolong({}, dz, h, other.q);
        evaluate_external(system, other, work);
        system.map.restrict({}, work.external, h > 0 ? plus : minus);
      }
      for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k) {
        const double wanted = -(plus[system.pattern.row[k]] - minus[system.pattern.row[k]]) / 2e-6;
        largest = std::max(largest, std::abs(wanted));
        worst = std::max(worst, std::abs(with[k] - without[k] - wanted));
      }
    }
    EXPECT_GT(largest, 1) << s.model.name;
    EXPECT_LT(worst, 1e-6 * largest) << s.model.name;
  }
}

TEST(Temperature, IsRefusedWithAReason) {
  const auto said = [](Strip s) { return message_of<InputError>([&] { compile(s.model); }); };
  Temperature bent{"strip"};
  bent.gradient_z = Signal(1);
  EXPECT_NE(said(heated(ElementKind::cable, bent)).find("a cable has one temperature"), std::string::npos);
  Strip plain = heated(ElementKind::beam3243, {"strip", Signal(1)});
  std::get<Isotropic>(plain.model.materials.items[0].second).expansion = 0;
  EXPECT_NE(said(plain).find("no 'expansion'"), std::string::npos);
  Strip turning = heated(ElementKind::hexa3843, {"strip", Signal(1)});
  std::get<Body>(turning.model.bodies.items[0].second).kinematics = Kinematics::corotated;
  EXPECT_NE(said(turning).find("set 'kinematics: TL'"), std::string::npos);
}

}  // namespace
}  // namespace lithe::test

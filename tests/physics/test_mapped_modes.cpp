// Modes of models with co-rotated, reduced and rigid bodies: those of total Lagrangian ones where they must be, closed
// forms, prestress after half steps, rows that say things twice.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/dynamics/buckling.h"
#include "lithe/dynamics/modes.h"
#include "lithe/dynamics/simulation.h"
#include "lithe/io/load_model.h"
#include "lithe/io/make_base.h"
#include "lithe/io/yaml.h"
#include "lithe/reduction/base_file.h"
#include "lithe/system/mapped_bodies.h"

namespace lithe {
namespace {

using std::numbers::pi;

Model read(const std::string& text) {
  Reading reading;
  return read_model(parse_yaml(text, "test"), reading);
}

// Of the largest eigenvalue.
constexpr double rounding = 1e-11;

std::vector<double> eigenvalues(const Modes& found) {
  std::vector<double> list;
  for (const Mode& mode : found.modes) list.push_back(mode.eigenvalue);
  return list;
}

Modes at_rest(const std::string& text, int count, std::optional<double> near = {}) {
  const System system = compile(read(text + "analysis: {type: modes}\n"));
  Workspace work(system, 1);
  return find_modes(system, state_at_rest(system), work, {count, near});
}

// After half steps that end at rest.
Modes when_it_rests(const std::string& text, int count) {
  const System system = compile(read(text));
  Workspace work(system, 1);
  State state = system.initial_state();
  const DynamicReport report = simulate(system, std::get<DynamicAnalysis>(system.model.analysis[0]), state, work, {});
  EXPECT_TRUE(report.ok()) << report.message;
  double speed = 0;
  for (const double v : state.v) speed = std::max(speed, std::abs(v));
  EXPECT_LT(speed, 1e-6);
  bring_to_rest(system, state);
  return find_modes(system, state, work, {count, {}});
}

void expect_equal(const std::vector<double>& a, const std::vector<double>& b, double near, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  const double size = std::max(1e-300, std::abs(a.back()));
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k] / size, b[k] / size, near) << what << ", mode " << k;
}

const std::string steel = "materials: {m: {type: isotropic, E: 2e9, nu: 0.3, density: 1000}}\n";

// A block 0.6 m long whose long side lies along `length`.
std::string block(const std::string& kinematics, const std::string& more = "", const std::string& element = "hex8",
                  const std::string& corner = "[0, -0.05, -0.1]", const std::string& length = "[0.6, 0, 0]",
                  const std::string& width = "[0, 0.1, 0]", const std::string& height = "[0, 0, 0.2]",
                  const std::string& elements = "[3, 1, 1]") {
  return fmt::format(
      "{{element: {}, material: m, kinematics: {}, {} mesh: {{type: block, corner: {}, length: {}, width: {}, "
      "height: {}, elements: {}}}}}",
      element, kinematics, more, corner, length, width, height, elements);
}

class MappedModes : public ::testing::Test {
 protected:
  MappedModes()
      : path_((std::filesystem::temp_directory_path() /
               fmt::format("lithe_mapped_modes_{}_{}.h5", ::getpid(),
                           ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                  .string()) {}
  ~MappedModes() override { std::filesystem::remove(path_); }

  // Of the block, all of its modes: of BC-MODAL as they are, of BC-RO orthonormal.
  std::string full_base(bool modal) const {
    const Model model = read(steel + "bodies: {b: " + block("TL") + "}\nanalysis: {type: modes}\n");
    Base base = modal_base(model, "b", read_mode_numbers("1-48"), "test");
    if (!modal) {
      orthonormalise(base.vectors, static_cast<int>(base.mesh.size()));
      base.method = "pod";
    }
    write_base(path_, base);
    return "base: " + path_ + ",";
  }
  std::string path_;
};

TEST_F(MappedModes, OfACorotatedBodyAreThoseOfRest) {
  for (const std::string element : {"hex8", "tet4", "tet10", "hexa3843"}) {
    const auto of = [&](const std::string& kinematics) {
      return at_rest(steel + "bodies: {b: " + block(kinematics, "", element) + "}\n", 12);
    };
    const Modes total = of("TL"), turned = of("BC");
    expect_equal(eigenvalues(turned), eigenvalues(total), rounding, element);
    for (int r = 0; r < 6; ++r)
      EXPECT_NEAR(turned.total_mass[r], total.total_mass[r], 1e-12 * total.total_mass[r]) << element;
    double off = 0;  // shapes, where the frequency is single
    for (std::size_t i = 0; i < total.modes[6].shape.size(); ++i)
      off = std::max(off, std::abs(turned.modes[6].shape[i] - total.modes[6].shape[i]));
    EXPECT_LT(off, 1e-6) << element;
  }
}

TEST_F(MappedModes, DoNotDependOnHowABodyIsTurned) {
  const std::string lying = steel + "bodies: {b: " + block("BC") + "}\n",
                    turned =
                        steel + "bodies: {b: " +
                        block("BC", "", "hex8", "[5, -3, 2]", "[0.36, 0.48, 0]", "[-0.08, 0.06, 0]", "[0, 0, 0.2]") +
                        "}\n",
                    started = steel + "bodies: {b: " +
                              block("BC", "start: {axis: [1, 2, 3], angle: 140, displacement: [1, 0, -2]},") + "}\n";
  const std::vector<double> wanted = eigenvalues(at_rest(lying, 12));
  expect_equal(eigenvalues(at_rest(turned, 12)), wanted, rounding, "turned mesh");
  expect_equal(eigenvalues(at_rest(started, 12)), wanted, rounding, "turned at the start");
}

TEST_F(MappedModes, OfABaseOfAllVectorsAreThoseOfTheCorotatedBody) {
  const auto of = [&](const std::string& kinematics, const std::string& more = "") {
    return eigenvalues(at_rest(steel + "bodies: {b: " + block(kinematics, more) + "}\n", 20));
  };
  const std::vector<double> wanted = of("BC");
  expect_equal(of("BC-RO", full_base(false)), wanted, rounding, "BC-RO");
  expect_equal(of("BC-MODAL", full_base(true)), wanted, rounding, "BC-MODAL");
}

// Two bodies, a clamp, a spring across and a joint that turns; of the left body whatever `left` says.
std::string jointed(const std::string& left, const std::string& right, const std::string& more) {
  return steel + "bodies:\n  b: " + left + "\n  c: " + right + "\n" + more;
}
const std::string second_corner = "[0.6, -0.05, -0.1]";
std::string right_block(const std::string& kinematics) { return block(kinematics, "", "hex8", second_corner); }
const std::string held = R"(
constraints: {root: {type: clamp, at: b.x_min}}
joints:
  pin: {type: spherical, a: {body: b, name: x_max_middle}, b: {body: c, name: x_min_middle}}
springs:
  across: {type: spring, a: {body: b, name: x_max_middle}, b: {body: c, name: x_max_middle}, stiffness: 3e5}
  down: {type: spring, a: {body: ground, point: [1.2, 0, -1]}, b: {body: c, name: x_max_middle}, stiffness: 1e5}
)";

TEST_F(MappedModes, OfJointedBodies) {
  const std::vector<double> wanted = eigenvalues(at_rest(jointed(block("TL"), right_block("TL"), held), 12));
  const auto of = [&](const std::string& left, const std::string& right) {
    return eigenvalues(at_rest(jointed(left, right, held), 12));
  };
  expect_equal(of(block("BC"), right_block("BC")), wanted, rounding, "BC");
  expect_equal(of(block("BC"), right_block("TL")), wanted, rounding, "BC and TL");
  // 12 numbers of the clamp and 48 of the modes: every mode is wanted.
  expect_equal(of(block("BC-RO", full_base(false)), right_block("BC")), wanted, rounding, "BC-RO and BC");
  // A rigid body at the end is heavier of a kind: with itself by natural coordinates.
  const std::string rigid = jointed(block("BC"), right_block("rigid"), held);
  const System system = compile(read(rigid + "analysis: {type: modes}\n"));
  Workspace work(system, 1);
  const Modes mixed = find_modes(system, state_at_rest(system), work, {4, {}});
  EXPECT_GT(mixed.modes[3].eigenvalue, wanted[3]);
  EXPECT_LT(mixed.modes[3].eigenvalue, 9 * wanted[3]);
}

// More rows than a body has numbers: those that follow from others leave.
TEST_F(MappedModes, WithRowsThatSayThingsTwice) {
  const std::string clamp = "constraints: {root: {type: clamp, at: b.x_min}}\n";
  const std::string spring =
      "springs: {k: {type: spring, a: {body: ground, point: [0.6, 0, -1]}, b: {body: c, name: center}, stiffness: "
      "1e5}}\n";
  const std::string mass = R"(
bodies:
  c: {type: rigid, position: [0.6, 0, 0], mass: 2, inertia: [0.1, 0.1, 0.1]}
  b: )";
  const auto of = [&](const std::string& kinematics, const std::string& pins) {
    return steel + mass + block(kinematics) + "\n" + spring + pins;
  };
  // A rigid block held by a clamp of its face, 12 rows on 6 numbers, and one pinned to it twice over.
  const std::string pins = clamp + R"(
joints:
  guide: {type: prismatic, a: ground, b: c, axis: [0, 0, 1]}
)";
  const Modes found = at_rest(of("rigid", pins), 1);
  EXPECT_NEAR(found.modes[0].frequency, std::sqrt(1e5 / 2) / (2 * pi), 1e-9 * found.modes[0].frequency);
}

// A block that hangs from the middle of its upper end swings as its mass and inertia say, less what it gives.
std::string hanging(const std::string& kinematics, const std::string& more, const std::string& analysis) {
  return "materials: {m: {type: isotropic, E: 2e8, nu: 0.3, density: 1000}}\nbodies: {b: " +
         block(kinematics, more, "hex8", "[-0.1, -0.05, -0.6]", "[0.2, 0, 0]", "[0, 0.1, 0]", "[0, 0, 0.6]",
               "[2, 2, 6]") +
         "}\n" + R"(
joints: {pin: {type: spherical, a: {body: ground, point: [0, 0, 0]}, b: {body: b, name: z_max_middle}}}
loads: {weight: {type: gravity, acceleration: [0, 0, -9.81]}}
)" + analysis;
}

TEST_F(MappedModes, OfAPendulumOfEveryKindThatHangsUnderItsWeight) {
  const std::string steps = "analysis: {type: dynamic, integrator: half_step, step: 2e-4, duration: 0.3}\n";
  const std::vector<double> wanted = eigenvalues(when_it_rests(hanging("TL", "eta: 2e-3,", steps), 6));
  const std::vector<double> turned = eigenvalues(when_it_rests(hanging("BC", "eta: 2e-3,", steps), 6));
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(turned[1 + k] / wanted[1 + k], 1, 2e-4) << k;
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(turned[k] / wanted[k], 1, 2e-3) << k;
  EXPECT_LT(std::abs(turned[0]), 1e-4 * turned[1]);  // about its axis

  const Model whole = read(hanging("TL", "", "analysis: {type: modes}\n"));
  Base base = modal_base(whole, "b", read_mode_numbers("1-30"), "test");
  write_base(path_, base);
  const std::vector<double> modal =
      eigenvalues(when_it_rests(hanging("BC-MODAL", "eta: 2e-3, base: " + path_ + ",", steps), 3));
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(modal[1 + k] / wanted[1 + k], 1, 1e-3) << k;
  orthonormalise(base.vectors, static_cast<int>(base.mesh.size()));
  base.vectors.resize(6 * base.mesh.size());
  base.values.resize(6);
  base.method = "pod";
  write_base(path_, base);
  const std::vector<double> six = eigenvalues(when_it_rests(hanging("BC-RO", "base: " + path_ + ",", steps), 3));
  const std::vector<double> rigid = eigenvalues(when_it_rests(hanging("rigid", "", steps), 3));
  // omega^2 = m g l / (I + m l^2) with the inertia of the lumped masses.
  const std::shared_ptr<Shape> shape = free_shape(whole, "b", false);
  const double m = shape->total_mass, arm = 0.3;
  const double exact[] = {m * 9.81 * arm / (shape->inertia[1][1] + m * arm * arm),
                          m * 9.81 * arm / (shape->inertia[0][0] + m * arm * arm)};
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(rigid[1 + k] / exact[k], 1, 1e-8) << k;
    EXPECT_NEAR(six[1 + k] / rigid[1 + k], 1, 1e-6) << k;
    EXPECT_NEAR(wanted[1 + k] / rigid[1 + k], 1, 1e-2) << k;
  }
}

// The rods of test_modes.cpp, P = 4 k / L; a block that is rigid makes them move by six velocities as well.
TEST_F(MappedModes, RigidBodiesBuckle) {
  const std::string rods = R"(
  left: {type: rigid, position: [0.5, 0, 0], mass: 1, inertia: [0.01, 0.1, 0.1]}
  right: {type: rigid, position: [1.5, 0, 0], mass: 1, inertia: [0.01, 0.1, 0.1]}
constraints: {root: {type: clamp, at: b.x_min}}
joints:
  foot: {type: revolute, a: ground, b: left, point: [0, 0, 0], axis: [0, 0, 1]}
  knee: {type: revolute, a: left, b: right, point: [1, 0, 0], axis: [0, 0, 1]}
  guide: {type: point_on_line, a: {body: ground, point: [2, 0, 0]}, b: {body: right, point: [2, 0, 0]}, axis: [1, 0, 0]}
springs: {spring: {type: torsion_spring, joint: knee, stiffness: 50}}
loads: {press: {type: force, at: {body: right, point: [2, 0, 0]}, force: [-10, 0, 0]}}
analysis: {type: buckling, count: 1}
)";
  const System system = compile(read(steel + "bodies:\n  b: " + block("rigid") + rods));
  ASSERT_EQ(system.map.bodies.size(), 3u);
  Workspace work(system, 1);
  EXPECT_NEAR(find_buckling(system, state_at_rest(system), work, 1).modes[0].factor, 2 * 50 / 10.0, 1e-6);
}

TEST_F(MappedModes, WhatDoesNotBuckleSaysSo) {
  const std::string text = steel + "bodies: {b: " + block("BC") + "}\n" +
                           "constraints: {root: {type: clamp, at: b.x_min}}\n"
                           "loads: {press: {type: force, at: b.x_max_middle, force: [-1, 0, 0]}}\n";
  try {
    read(text + "analysis: {type: buckling}\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("body 'b' is BC"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("kinematics: TL"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace lithe

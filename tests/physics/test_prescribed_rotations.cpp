// Rotations prescribed in statics: the moment that an end takes, and turns beyond a full one.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "lithe/io/load_model.h"
#include "lithe/system/outputs.h"
#include "support/joints.h"
#include "support/messages.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

using std::numbers::pi;

constexpr double L = 1, t = 0.02, E = 1e9;

Model turned(const Triple& axis, double angle, int elements) {
  Model model = cantilever(elements, t, L, E);
  Motion motion{at("beam", "end"), {}};
  motion.angle = Drive(angle);
  motion.axis = axis;
  model.joints.add("end", motion);
  model.outputs.add("end", JointOutput{"end"});
  return model;
}

// Turned about y by phi, with its end free to go where it likes, it is an arc: M = E I phi / L, also by a full turn.
TEST(PrescribedRotations, BendABeamToAnArc) {
  for (const double phi : {0.02, 1.0, 2 * pi}) {
    const Solved solved(turned({0, 1, 0}, phi, 16));
    ASSERT_TRUE(solved.report.ok()) << solved.report.message;
    const std::vector<double> end = channel_values(solved.system, solved.state, solved.work);
    const double moment = bending_stiffness(t, E) * phi / L;
    for (int k : {0, 1, 2}) EXPECT_NEAR(end[k], 0, 1e-5 * moment / L);
    EXPECT_NEAR(end[3], 0, 1e-4 * moment);
    EXPECT_NEAR(end[4], moment, 2e-3 * moment);
    EXPECT_NEAR(end[5], 0, 1e-4 * moment);
    EXPECT_NEAR(end[6], phi, 1e-9);
    const Triple u = solved.displacement(at("beam", "end"));
    EXPECT_NEAR(u[0], L * (std::sin(phi) / phi - 1), 5e-3 * L);
    EXPECT_NEAR(u[2], -L * (1 - std::cos(phi)) / phi, 5e-3 * L);
  }
}

// Two turns about its axis: the torque of St. Venant, 4 pi G J / L.
TEST(PrescribedRotations, TwistABeamByTwoTurns) {
  const Solved solved(turned({1, 0, 0}, 4 * pi, 32));
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  const std::vector<double> end = channel_values(solved.system, solved.state, solved.work);
  const double torque = 0.5 * E * 0.14058 * std::pow(t, 4) * 4 * pi / L;
  EXPECT_NEAR(end[6], 4 * pi, 1e-9);
  EXPECT_NEAR(end[3], torque, 0.01 * torque);
}

// The same by a signal of the load factor, of a rigid body, of a connection to a face of hexas.
TEST(PrescribedRotations, TurnAFaceThroughAPoint) {
  Model model;
  model.materials.add("soft", Isotropic{1e7, 0, 1000, 0});
  Body body;
  body.element = ElementKind::hexa3843;
  body.material = "soft";
  body.mesh = BlockMesh{{0, -0.05, -0.05}, {0.5, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}, {5, 1, 1}};
  model.bodies.add("block", body);
  RigidBody point;
  point.mass = 0;
  point.position = {0.5, 0, 0};
  model.bodies.add("point", point);
  model.constraints.add("root", Clamp{at("block", "x_min")});
  model.joints.add("grip", RigidConnection{at("point", ""), at("block", "x_max")});
  Motion motion{at("point", ""), {Drive(0), Drive(0), Drive(0)}};
  motion.angle = Drive(Signal::expression("0.5*pi*t"));
  motion.axis = Triple{1, 0, 0};
  model.joints.add("turn", motion);
  model.outputs.add("turn", JointOutput{"turn"});
  model.outputs.add("grip", JointOutput{"grip"});
  model.outputs.add("root", ReactionOutput{"root"});
  const Solved solved(model);
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  // A node of the face a quarter of a turn on.
  const Triple u = solved.displacement(at_node("block", 5));
  const double* x = solved.system.bodies[0].mesh.vector(5);
  EXPECT_NEAR(x[1] + u[1], -x[2], 1e-9);
  EXPECT_NEAR(x[2] + u[2], x[1], 1e-9);
  const std::vector<double> out = channel_values(solved.system, solved.state, solved.work);
  EXPECT_GT(out[3], 1);
  EXPECT_NEAR(out[7 + 3], out[3], 1e-6 * out[3]);       // what turns the point turns the face
  EXPECT_NEAR(out[7 + 6 + 3], -out[3], 1e-6 * out[3]);  // and the root holds against it
}

// Thick shells bent to a radius of twenty thicknesses: what turns the slopes must not stretch them.
TEST(PrescribedRotations, BendAThickStripSharply) {
  constexpr double thickness = 3, width = 10, length = 160, E_strip = 2000, R = 20 * thickness;
  Model model;
  model.materials.add("m", Isotropic{E_strip, 0, 1, 0});
  model.sections.add("s", Plate{thickness});
  Body body;
  body.element = ElementKind::shell3443;
  body.material = "m";
  body.section = "s";
  body.mesh = PlateMesh{{0, 0, 0}, {length, 0, 0}, {0, width, 0}, {12, 1}};
  model.bodies.add("strip", body);
  RigidBody point;
  point.mass = 0;
  point.position = {length, 0.5 * width, 0};
  model.bodies.add("point", point);
  model.constraints.add("root", Clamp{at("strip", "x_min")});
  model.joints.add("grip", RigidConnection{at("point", ""), at("strip", "x_max")});
  Motion motion{at("point", ""), {}};
  motion.angle = Drive(-length / R);
  motion.axis = Triple{0, 1, 0};
  model.joints.add("turn", motion);
  model.outputs.add("turn", JointOutput{"turn"});
  const Solved solved(model);
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  const double moment = E_strip * width * std::pow(thickness, 3) / 12 / R;
  EXPECT_NEAR(-channel_values(solved.system, solved.state, solved.work)[4], moment, 4e-3 * moment);
}

// The tape spring of the examples snaps, and its fold then carries D (1 + nu) alpha.
TEST(PrescribedRotations, FoldATapeSpring) {
  const char* root = std::getenv("LITHE_SOURCE");
  Reading reading;
  const Model model = load_model(std::string(root ? root : ".") + "/examples/tape_spring.yaml", {}, reading);
  const Solved solved(model, std::get<StaticAnalysis>(model.analysis.front()));
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  Workspace work(solved.system, 1);
  const auto moment = [&](const State& state) {  // of both halves
    evaluate_internal(solved.system, state, work);
    evaluate_external(solved.system, state, work);
    return -2 * channel_values(solved.system, state, work)[4];
  };
  const double D = 210e9 * std::pow(0.15e-3, 3) / (12 * (1 - 0.3 * 0.3)), fold = D * 1.3 * 2 * pi / 3;
  double peak = 0;
  for (const State& state : solved.states) {
    peak = std::max(peak, moment(state));
    if (state.load_factor > 0.5) {  // while the fold forms it rises to that
      EXPECT_NEAR(moment(state), fold, 0.1 * fold) << state.load_factor;
    }
  }
  EXPECT_GT(peak, 20 * fold);
  EXPECT_NEAR(moment(solved.state), fold, 0.02 * fold);
}

TEST(PrescribedRotations, SayWhatIsWrong) {
  const auto says = [](const Model& model, const char* what) {
    const std::string message = message_of<InputError>([&] { compile(model); });
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  Model model = turned({0, 0, 0}, 1, 2);
  says(model, "no direction");
  std::get<Motion>(model.joints.items[0].second).axis.reset();
  says(model, "'axis' is missing");
  model.joints.items[0].second = Motion{at("beam", "end"), {}};
  says(model, "nothing moves");
  model = turned({0, 1, 0}, 1, 2);
  std::get<Motion>(model.joints.items[0].second).angle = Drive(Signal::expression("1 + t"));
  says(model, "jump");
}

}  // namespace
}  // namespace lithe::test

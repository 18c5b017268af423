// What clamps and fixes exert: force, and torque about the held place, in statics and dynamics, of every kind of body
// and with every treatment of constraints.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "lithe/dynamics/simulation.h"
#include "lithe/dynamics/statics.h"
#include "lithe/system/outputs.h"
#include "support/models.h"

namespace lithe::test {
namespace {

using Numbers = std::vector<double>;
constexpr Treatment treatments[] = {Treatment::eliminate, Treatment::lagrange, Treatment::augmented};

struct Rest {
  System system;
  State state;
  Numbers values;  // of all channels
  explicit Rest(const Model& model) : system(compile(model)), state(system.initial_state()) {
    StaticAnalysis options;
    options.tolerance = 1e-10;
    options.largest_step = options.first_step = 0.25;
    Workspace work(system, 1);
    const StaticReport report =
        solve_static(system, options, state, work, [](const State&, const StaticStep&) { return true; });
    EXPECT_TRUE(report.ok()) << report.message;
    evaluate_internal(system, state, work);
    evaluate_external(system, state, work);
    values = channel_values(system, state, work);
  }
  Vec3<double> position(const At& place) const {
    const PointWeights point = system.resolve_point(place);
    return Form{point.vectors, point.weights, {}}.value(state.q);
  }
};

void expect_wrench(const Numbers& values, const Vec3<double>& force, const Vec3<double>& torque, double tolerance) {
  ASSERT_GE(values.size(), 6u);
  for (int m = 0; m < 3; ++m) {
    EXPECT_NEAR(values[m], force[m], tolerance * std::sqrt(dot(force, force))) << "force " << m;
    EXPECT_NEAR(values[3 + m], torque[m], tolerance * std::sqrt(dot(torque, torque))) << "torque " << m;
  }
}

// The root moment of a cantilever that hardly bends: F L.
TEST(ClampReactions, RootMomentOfACantilever) {
  const double F = 0.05;
  for (const ElementKind kind :
       {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843}) {
    Strip s = make_strip(kind);
    s.model.constraints.add("root", Clamp{at("strip", s.start)});
    s.model.loads.add("tip", PointForce{at("strip", s.end_point), constant(0, 0, -F)});
    s.model.outputs.add("root", ReactionOutput{"root"});
    SCOPED_TRACE(s.model.name);
    const Rest rest(s.model);
    const std::vector<Channel> columns = channels(rest.system);
    EXPECT_EQ(columns[0].columns, (std::vector<std::string>{"fx", "fy", "fz", "tx", "ty", "tz"}));
    EXPECT_EQ(columns[0].units[5], "N m");
    expect_wrench(rest.values, {{0, 0, F}}, {{0, -F * s.length, 0}}, 1e-6);
  }
}

// Bent far: the clamp balances the loads about the place that it holds, whatever became of its equations.
TEST(ClampReactions, BalanceLoadsOfEveryKind) {
  const Vec3<double> P{{20, 6, 30}}, M{{0.1, 0.5, -0.4}};
  for (const ElementKind kind :
       {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843})
    for (const Hold hold : {Hold::section, Hold::all})
      for (const Treatment treatment : treatments) {
        Strip s = make_strip(kind);
        SCOPED_TRACE(s.model.name + " " + word(treatment) + " " + word(hold));
        s.model.treatment = treatment;
        s.model.constraints.add("root", Clamp{at("strip", s.start), hold});
        s.model.loads.add("force", PointForce{at("strip", s.end_point), constant(P[0], P[1], P[2])});
        Vec3<double> moment{};
        if (kind != ElementKind::cable) {
          s.model.loads.add("moment", PointMoment{at("strip", s.end_point), constant(M[0], M[1], M[2])});
          moment = M;
        }
        s.model.outputs.add("root", ReactionOutput{"root"});
        const Rest rest(s.model);
        const Vec3<double> arm = rest.position(at("strip", s.end_point));
        EXPECT_GT(arm[2], 0.015) << "bends far";
        expect_wrench(rest.values, -1.0 * P, -1.0 * (moment + cross(arm, P)), 1e-7);
      }
}

TEST(ClampReactions, OfARigidBody) {
  const Vec3<double> P{{1, -2, 3}}, place{{0.4, 0.1, -0.2}}, centre{{0.1, 0.2, 0.3}};
  for (const Treatment treatment : treatments) {
    SCOPED_TRACE(std::string(word(treatment)));
    Model model;
    model.treatment = treatment;
    RigidBody box;
    box.density = 1000;
    box.shape = BoxShape{{0.1, 0.2, 0.3}};
    box.position = {centre[0], centre[1], centre[2]};
    model.bodies.add("box", box);
    model.constraints.add("bolt", Clamp{at_node("box", 0)});
    At point;
    point.body = "box";
    point.point = Triple{place[0], place[1], place[2]};
    model.loads.add("push", PointForce{point, constant(P[0], P[1], P[2])});
    model.outputs.add("bolt", ReactionOutput{"bolt"});
    const Rest rest(model);
    expect_wrench(rest.values, -1.0 * P, -1.0 * cross(rest.position(point) - centre, P), 1e-9);
  }
}

// Hinges at both ends of a plate hold it by positions alone: about the middle of each edge they give the torque that
// their forces have along it, and together they balance a load beside the axis.
TEST(FixReactions, OfPositionsOnTwoEdges) {
  Strip s = make_strip(ElementKind::shell3443);
  for (const char* edge : {"x_min", "x_max"}) {
    s.model.constraints.add(edge, Fix{at("strip", edge), {Coordinate::position}, {}});
    s.model.outputs.add(edge, ReactionOutput{edge});
  }
  At beside;
  beside.body = "strip";
  beside.point = Triple{0.2, 0.008, 0};
  s.model.loads.add("push", PointForce{beside, constant(0, 0, -20)});
  const Rest rest(s.model);
  const Vec3<double> arm = rest.position(beside), far{{s.length, 0, 0}};
  const auto part = [&](int i) { return Vec3<double>{{rest.values[i], rest.values[i + 1], rest.values[i + 2]}}; };
  const Vec3<double> force = part(0) + part(6), torque = part(3) + part(9) + cross(far, part(6));
  expect_wrench({force[0], force[1], force[2], torque[0], torque[1], torque[2]}, {{0, 0, 20}},
                -1.0 * cross(arm, {{0, 0, -20}}), 1e-7);
  EXPECT_GT(rest.values[3], 0.01) << "the near edge carries the twist";
  EXPECT_NEAR(rest.values[4], 0, 1e-9) << "nothing about the hinge";
}

Numbers swing(Model model, bool weld, Integrator integrator) {
  if (weld) {
    At ground;
    ground.body = "ground";
    model.joints.add("root", Weld{ground, at("strip", "start"), {}});
    model.outputs.add("root", JointOutput{"root"});
  } else {
    model.constraints.add("root", Clamp{at("strip", "start")});
    model.outputs.add("root", ReactionOutput{"root"});
  }
  const System system = compile(model);
  State state = system.initial_state();
  Workspace work(system, 1);
  DynamicAnalysis options;
  options.duration = 0.02;
  options.step = 5e-4;
  options.integrator = integrator;
  Numbers rows;
  const DynamicReport report = simulate(system, options, state, work, [&](const State& s, const DynamicStep&) {
    const Numbers row = channel_values(system, s, work);
    rows.insert(rows.end(), row.begin(), row.end());
    return true;
  });
  EXPECT_TRUE(report.ok()) << report.message;
  return rows;
}

// A clamp and a weld to the ground at one node are the same, and read the same, while the strip is shaken.
TEST(ClampReactions, AreThoseOfAWeldInMotion) {
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243})
    for (const Treatment treatment : treatments) {
      Strip s = make_strip(kind, 1e-4);
      SCOPED_TRACE(s.model.name + " " + word(treatment));
      s.model.treatment = treatment;
      s.model.loads.add(
          "shake",
          PointForce{at("strip", "end"), {Signal(0), Signal::expression("3*sin(200*t)"), Signal::expression("-40*t")}});
      const Numbers clamp = swing(s.model, false, Integrator::hht), weld = swing(s.model, true, Integrator::hht);
      ASSERT_EQ(clamp.size(), weld.size());
      double largest[2] = {0, 0}, apart[2] = {0, 0};
      for (std::size_t i = 0; i < clamp.size(); ++i) {
        const int torque = i % 6 >= 3;
        largest[torque] = std::max(largest[torque], std::abs(weld[i]));
        apart[torque] = std::max(apart[torque], std::abs(clamp[i] - weld[i]));
      }
      EXPECT_GT(largest[1], 0.05);
      for (int torque = 0; torque < 2; ++torque) EXPECT_LT(apart[torque], 1e-4 * largest[torque]) << torque;
    }
}

}  // namespace
}  // namespace lithe::test

// Connections of nodes with a rigid body or a massless point: what they hold, what they carry, what they spread.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/system/outputs.h"
#include "lithe/system/reactions.h"
#include "support/dynamics.h"
#include "support/joints.h"
#include "support/messages.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

constexpr double E = 1e7, nu = 0.3, length = 0.8, width = 0.2, height = 0.1;
const std::vector<ElementKind> kinds{ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843};

At named(const std::string& body) { return at(body, ""); }

// A bar 0.8 x 0.2 x 0.1 m along x, its ends by name.
struct Bar3 {
  Model model;
  std::string start, end;
};
Bar3 make_bar(ElementKind kind, double poisson = nu) {
  Bar3 bar;
  bar.model.materials.add("soft", Isotropic{E, poisson, 1000, 0});
  Body body;
  body.element = kind;
  body.material = "soft";
  if (kind == ElementKind::beam3243) {
    bar.model.sections.add("section", Rectangle{width, height, {}});
    body.section = "section";
    body.mesh = LineMesh{{0, 0, 0}, {length, 0, 0}, 4, {}};
  } else if (kind == ElementKind::shell3443) {
    bar.model.sections.add("section", Plate{height});
    body.section = "section";
    body.mesh = PlateMesh{{0, -width / 2, 0}, {length, 0, 0}, {0, width, 0}, {4, 2}};
  } else {
    body.mesh = BlockMesh{{0, -width / 2, -height / 2}, {length, 0, 0}, {0, width, 0}, {0, 0, height}, {4, 2, 1}};
  }
  const bool line = kind == ElementKind::beam3243;
  bar.start = line ? "start" : "x_min";
  bar.end = line ? "end" : "x_max";
  bar.model.bodies.add("bar", body);
  return bar;
}

RigidBody massless(const Triple& position) {
  RigidBody body;
  body.mass = 0;
  body.position = position;
  return body;
}

Joint connection(bool rigid, const std::string& to, const std::string& nodes) {
  if (rigid) return RigidConnection{named(to), at("bar", nodes)};
  return DistributingConnection{named(to), at("bar", nodes)};
}

Vec3<double> along(const std::vector<double>& x, std::size_t first) { return {{x[first], x[first + 1], x[first + 2]}}; }

TEST(Connections, LetRigidMotionsPassAndCountTheirEquations) {
  for (const ElementKind kind : kinds)
    for (const bool rigid : {true, false})
      for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange}) {
        SCOPED_TRACE(std::string(kind->name) + (rigid ? " rigid" : " distributing"));
        Bar3 bar = make_bar(kind);
        const System alone = compile(bar.model);
        RigidBody point = massless({length + 0.1, 0.05, -0.03});
        point.x_axis = {1, 0.2, 0.3};
        bar.model.bodies.add("point", point);
        bar.model.joints.add("grip", connection(rigid, "point", bar.end));
        bar.model.treatment = treatment;
        const System system = compile(bar.model);
        // A point that follows a mean adds no freedom. A rigid face of n nodes loses its own: of a beam's node position
        // and four of the section, of a shell's edge r, r_y and two of r_z, of a hexa's face r, r_y and r_z.
        const int free = system.map.size - system.row_count(), before = alone.map.size - alone.row_count();
        const int lost = !rigid                           ? 0
                         : kind == ElementKind::beam3243  ? 3 + 4 - 6
                         : kind == ElementKind::shell3443 ? 3 * (3 + 3 + 2) - 6
                                                          : 6 * 9 - 6;
        EXPECT_EQ(free, before - lost);
        std::vector<double> q = system.q0;
        const Motion6 motion{rotation(unit(Vec3<double>{{0.3, -0.5, 0.8}}), 2.1), {{0.4, -0.2, 0.1}}};
        move(system, "bar", motion, q);
        move(system, "point", motion, q);
        EXPECT_LT(largest(constraints_at(system, q)), 1e-13);
        move(system, "point", Motion6::turn(along(q, 0), unit(Vec3<double>{{1, 1, 0.2}}), 0.1), q);
        EXPECT_GT(treatment == Treatment::lagrange ? largest(constraints_at(system, q)) : 1, 1e-3);
      }
}

// The connection to the ground, or to a point that is welded to it, is a clamp.
TEST(Connections, ARigidOneToWhatStandsStillIsAClamp) {
  for (const ElementKind kind : kinds) {
    SCOPED_TRACE(kind->name);
    Bar3 clamped = make_bar(kind), grounded = make_bar(kind), pointed = make_bar(kind);
    clamped.model.constraints.add("root", Clamp{at("bar", clamped.start)});
    grounded.model.joints.add("root", connection(true, "ground", grounded.start));
    pointed.model.bodies.add("point", massless({-0.2, 0.1, 0}));
    pointed.model.joints.add("root", connection(true, "point", pointed.start));
    pointed.model.joints.add("weld", Weld{named("ground"), named("point"), {}});
    for (Bar3* bar : {&clamped, &grounded, &pointed})
      bar->model.loads.add("weight", BodyForce{"bar", constant(0, 2e3, -3e3)});
    const Solved one(clamped.model), two(grounded.model), three(pointed.model);
    ASSERT_TRUE(one.report.ok() && two.report.ok() && three.report.ok());
    EXPECT_EQ(two.system.map.size, one.system.map.size);
    double most = 0;
    for (std::size_t i = 0; i < one.state.q.size(); ++i) {
      most = std::max(most, std::abs(one.state.q[i] - one.system.q0[i]));
      EXPECT_NEAR(two.state.q[i], one.state.q[i], 1e-9);
      EXPECT_NEAR(three.state.q[i], one.state.q[i], 1e-8);
    }
    EXPECT_GT(most, 0.01);
  }
}

// Both ends by their means: a force leaves a uniform stress, sections contract as they like.
TEST(Connections, ADistributingOneLeavesUniformStressUniform) {
  const double force = 3000;
  for (const ElementKind kind : {ElementKind::shell3443, ElementKind::hexa3843}) {
    SCOPED_TRACE(kind->name);
    Bar3 bar = make_bar(kind);
    bar.model.bodies.add("point", massless({length + 0.3, 0, 0}));
    bar.model.joints.add("root", connection(false, "ground", bar.start));
    bar.model.joints.add("grip", connection(false, "point", bar.end));
    bar.model.loads.add("pull", PointForce{named("point"), constant(force, 0, 0)});
    const Solved solved(bar.model);
    ASSERT_TRUE(solved.report.ok()) << solved.report.message;
    // St. Venant-Kirchhoff: lambda S = P / A, S = E (lambda^2 - 1) / 2.
    const double nominal = force / (width * height);
    double stretch = 1;
    for (int i = 0; i < 50; ++i)
      stretch -= (stretch * E * (stretch * stretch - 1) / 2 - nominal) / (E * (3 * stretch * stretch - 1) / 2);
    for (int e = 0; e < solved.system.bodies[0].elements(); ++e)
      for (const Triple& xi : {Triple{0, 0, 0}, Triple{-1, 1, 0.5}, Triple{0.9, -0.7, -1}}) {
        const PointStress s = stress_at(solved.system, solved.state, 0, {e, xi});
        EXPECT_NEAR(s.second_piola[0], nominal / stretch, 1e-6 * nominal);
        for (int k = 1; k < 6; ++k) EXPECT_NEAR(s.second_piola[k], 0, 1e-6 * nominal) << k;
      }
    const Triple u = solved.displacement(named("point"));
    EXPECT_NEAR(u[0], length * (stretch - 1), 1e-7 * length);
    EXPECT_NEAR(u[1], 0, 1e-9);
  }
}

// A moment on the point bends the bar by M L / (E I), uniformly; of a rigid end the sections may not curve, which a
// slender bar hardly feels.
TEST(Connections, AMomentBendsAsInTheory) {
  const double I = width * std::pow(height, 3) / 12, moment = 1e-3 * E * I / length;
  for (const ElementKind kind : kinds)
    for (const bool rigid : {false, true}) {
      SCOPED_TRACE(std::string(kind->name) + (rigid ? " rigid" : " distributing"));
      Bar3 bar = make_bar(kind);
      bar.model.bodies.add("point", massless({length, 0, 0}));
      bar.model.joints.add("root", connection(rigid, "ground", bar.start));
      bar.model.joints.add("grip", connection(rigid, "point", bar.end));
      bar.model.loads.add("bend", PointMoment{named("point"), constant(0, moment, 0)});
      bar.model.outputs.add("turn", RotationOutput{"point", {}});
      const Solved solved(bar.model);
      ASSERT_TRUE(solved.report.ok()) << solved.report.message;
      const std::vector<double> axes = channel_values(solved.system, solved.state, solved.work);
      const double angle = std::asin(-axes[2]);  // z of the axis that was x
      EXPECT_NEAR(angle, moment * length / (E * I), (rigid && kind != ElementKind::beam3243 ? 0.05 : 3e-4) * 1e-3);
      EXPECT_LE(angle, 1.0005e-3);
    }
}

// St. Venant: a free end turns by T L / (G J), J = 0.1406 a^4; a rigid one holds the warping back and turns less.
TEST(Connections, ATorqueTwistsABlock) {
  const double a = 0.1, torque = 1, G = E / 2;
  double angle[2];
  for (const bool rigid : {false, true}) {
    Bar3 bar = make_bar(ElementKind::hexa3843, 0);
    std::get<Body>(bar.model.bodies.items[0].second).mesh =
        BlockMesh{{0, -a / 2, -a / 2}, {length, 0, 0}, {0, a, 0}, {0, 0, a}, {8, 2, 2}};
    bar.model.bodies.add("point", massless({length, 0, 0}));
    bar.model.joints.add("root", connection(rigid, "ground", "x_min"));
    bar.model.joints.add("grip", connection(rigid, "point", "x_max"));
    bar.model.loads.add("twist", PointMoment{named("point"), constant(torque, 0, 0)});
    bar.model.outputs.add("turn", RotationOutput{"point", {}});
    const Solved solved(bar.model);
    ASSERT_TRUE(solved.report.ok()) << solved.report.message;
    const std::vector<double> axes = channel_values(solved.system, solved.state, solved.work);
    angle[rigid] = std::asin(axes[5]);  // z of the axis that was y
  }
  const double theory = torque * length / (G * 0.1406 * std::pow(a, 4));
  EXPECT_NEAR(angle[0], theory, 0.01 * theory);
  EXPECT_LT(angle[1], angle[0]);
  EXPECT_GT(angle[1], 0.97 * theory);
}

// Multipliers taken at random: the output is what their forces do to the nodes, about the point of a.
TEST(Connections, ReactionsByVirtualWork) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const ElementKind kind : kinds)
    for (const bool rigid : {true, false}) {
      Bar3 bar = make_bar(kind);
      bar.model.bodies.add("point", massless({length + 0.2, 0.1, 0}));
      bar.model.joints.add("grip", connection(rigid, "point", bar.end));
      bar.model.treatment = Treatment::lagrange;
      const System system = compile(bar.model);
      State state = system.initial_state();
      const Motion6 motion{rotation(unit(Vec3<double>{{0.3, -0.5, 0.8}}), 1.3), {{0.4, -0.2, 0.1}}};
      move(system, "bar", motion, state.q);
      move(system, "point", motion, state.q);
      std::vector<double> mine(system.rows.size(), 0.0), force(state.q.size(), 0.0);
      for (std::size_t r = 0; r < mine.size(); ++r) {
        state.lambda[r] = u(random);
        if (system.rows.owner[r] == system.joints[0].owner) mine[r] = -state.lambda[r];
      }
      add_row_forces(system, state, mine, force);
      const BodyInfo& body = system.bodies[0];
      const Vec3<double> about = along(state.q, 3ul * system.bodies[1].first_vector);
      Wrench wanted;
      for (int v = 0; v < body.mesh.node_count() * body.node_vectors; ++v) {
        const Vec3<double> f = along(force, 3ul * v), x = along(state.q, 3ul * v);
        if (v % body.node_vectors == 0) wanted.force = wanted.force + f;
        wanted.torque = wanted.torque + cross(v % body.node_vectors == 0 ? x - about : x, f);
      }
      const Wrench found = joint_reaction(system, state, 0, {});
      EXPECT_GT(norm(wanted.force), 0.1);
      for (int m = 0; m < 3; ++m) {
        EXPECT_NEAR(found.force[m], wanted.force[m], 1e-12);
        EXPECT_NEAR(found.torque[m], wanted.torque[m], 1e-11);
      }
    }
}

// A free bar under a force and a moment on its point gains momentum at their rate, whatever the treatment.
TEST(Connections, AMasslessPointPassesMomentumOn) {
  for (const ElementKind kind : kinds)
    for (const bool rigid : {true, false})
      for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
        SCOPED_TRACE(std::string(kind->name) + (rigid ? " rigid " : " distributing ") +
                     std::to_string(static_cast<int>(treatment)));
        Bar3 bar = make_bar(kind);
        bar.model.treatment = treatment;
        bar.model.bodies.add("point", massless({length + 0.1, 0, 0}));
        bar.model.joints.add("grip", connection(rigid, "point", bar.end));
        bar.model.loads.add("push", PointForce{named("point"), constant(20, 30, 40)});
        bar.model.loads.add("turn", PointMoment{named("point"), constant(4, 0, 0)});
        bar.model.outputs.add("momentum", MomentumOutput{});
        DynamicAnalysis options = tight(Integrator::generalized_alpha, 2e-4, 0.02);
        options.output_step = options.step;
        const Trajectory run(bar.model, options);
        ASSERT_TRUE(run.report.ok()) << run.report.message;
        // Of angular momentum about the origin the moment and r x F, over the path of the point.
        const Vec3<double> force{{20, 30, 40}};
        const std::size_t point = 3ul * run.system.bodies[1].first_vector;
        Vec3<double> turn{{4 * 0.02, 0, 0}};
        for (std::size_t i = 0; i + 1 < run.states.size(); ++i)
          turn = turn + 0.5 * (run.states[i + 1].t - run.states[i].t) *
                            cross(along(run.states[i].q, point) + along(run.states[i + 1].q, point), force);
        const std::vector<double> p = channel_values(run.system, run.state, run.work);
        for (int m = 0; m < 3; ++m) {
          EXPECT_NEAR(p[m], force[m] * 0.02, 1e-6);
          EXPECT_NEAR(p[3 + m], turn[m], 1e-4 * norm(turn));
        }
      }
}

TEST(Connections, SayWhatIsWrong) {
  const auto message = [](const Model& model) { return message_of<InputError>([&] { compile(model); }); };
  const auto says = [&](const Model& model, const char* what) {
    EXPECT_NE(message(model).find(what), std::string::npos) << message(model);
  };
  Bar3 bar = make_bar(ElementKind::hexa3843);
  Model model = bar.model;
  model.bodies.add("point", massless({0, 0, 0}));
  says(model, "no joint names it");
  std::get<RigidBody>(model.bodies.items[1].second).density = 1000;
  says(model, "has no inertia");
  std::get<RigidBody>(model.bodies.items[1].second).density = 0;
  DistributingConnection one{named("point"), at_node("bar", 0)};
  model.joints.add("grip", one);
  says(model, "span no side of an element");
  one.mean = MeanOver::nodes;
  model.joints.items[0].second = one;
  says(model, "lie on a line");
  model.joints.items[0].second = RigidConnection{named("point"), at("bar", "x_max")};
  model.joints.add("other", RigidConnection{at("bar", "x_min"), at("bar", "x_max")});
  says(model, "weld it to this place");
  model.joints.items[1].second = RigidConnection{named("point"), at("bar", "x_mox")};
  says(model, "x_max");
}

}  // namespace
}  // namespace lithe::test

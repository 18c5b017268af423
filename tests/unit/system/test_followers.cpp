// Forces and moments that turn with the body, and forces per volume.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "lithe/system/moments.h"
#include "lithe/system/outputs.h"
#include "support/dynamics.h"
#include "support/messages.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

At place(const std::string& body, int element, const Triple& xi) {
  At a;
  a.body = body;
  a.element = element;
  a.xi = xi;
  return a;
}

At whole(const std::string& body) {
  At a;
  a.body = body;
  return a;
}

RigidBody block(const Triple& position) {
  RigidBody body;
  body.position = position;
  body.mass = 2;
  body.inertia = std::vector<double>{0.3, 0.4, 0.5};
  body.points.add("end", Triple{0.2, 0.1, -0.3});
  return body;
}

// Totals and tangent of one load at a disturbed state.
void expect_turning(const Model& model, const Vec3<double>& given, bool is_force) {
  const System system = compile(model);
  EXPECT_FALSE(system.symmetric);
  const MomentView load = system.moments[0];
  State state = system.initial_state();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const BodyInfo& body : system.bodies)
    for (int n = 0; n < body.mesh.node_count(); ++n)
      for (int k = 0; k < 4; ++k)
        for (int m = 0; m < 3; ++m) state.q[3 * body.vector(n, k) + m] += (k == 0 ? 1e-4 : 0.2) * u(random);
  const auto force = [&](const State& at) {
    std::vector<double> f(at.q.size(), 0.0);
    add_moment_force(system.moments, 0, at, ForceSink(f));
    return f;
  };
  Vec3<double> x[most_frame_arguments], axes[3], wanted{};
  for (int i = 0; i < load.arguments; ++i) x[i] = load.forms.value(load.first_argument + i, state.q.data());
  frame_axes(load.law.rule, x, axes);
  for (int k = 0; k < 3; ++k) wanted = wanted + (load.law.to_axes * given)[k] * axes[k];
  EXPECT_GT(norm(wanted - given), 0.05 * norm(given));
  EXPECT_NEAR(norm(wanted), norm(given), 1e-12 * norm(given));
  const std::vector<double> f = force(state);
  Vec3<double> sum{}, turn{};
  for (const BodyInfo& body : system.bodies)
    for (int n = 0; n < body.mesh.node_count(); ++n)
      for (int k = 0; k < 4; ++k) {
        const std::size_t i = 3ul * body.vector(n, k);
        const Vec3<double> on{{f[i], f[i + 1], f[i + 2]}}, at{{state.q[i], state.q[i + 1], state.q[i + 2]}};
        if (k == 0) sum = sum + on;
        turn = turn + cross(at, on);
      }
  for (int m = 0; m < 3; ++m) EXPECT_NEAR((is_force ? sum : turn)[m], wanted[m], 1e-10);
  std::vector<double> values(system.pattern.nonzeros(), 0.0);
  add_moment_tangent(system.moments, 0, state, 1, TangentSink(system, values.data()));
  for (std::size_t j = 0; j < state.q.size(); ++j) {
    const bool is_position = j / 3 % 4 == 0;
    const double h = is_position ? 1e-8 : 1e-6;
    State ahead = state, behind = state;
    ahead.q[j] += h;
    behind.q[j] -= h;
    const std::vector<double> after = force(ahead), before = force(behind);
    for (std::size_t i = 0; i < state.q.size(); ++i) {
      const int entry = position(system.pattern, static_cast<int>(i), static_cast<int>(j));
      const double size = (is_position ? 100 : 1) * (i / 3 % 4 == 0 && !is_force ? 100 : 1);
      const double derivative = (after[i] - before[i]) / (2 * h);
      ASSERT_NEAR(entry < 0 ? 0.0 : values[entry], -derivative, 1e-6 * std::abs(derivative) + 1e-5 * size)
          << i << ", " << j;
    }
  }
}

TEST(Followers, AddUpToTheTurnedLoadAndHaveItsDerivativeAsTangent) {
  const Vec3<double> F{{3, -4, 5}};
  const std::vector<std::pair<ElementKind, Triple>> places{
      {ElementKind::beam3243, {1, 0, 0}},     {ElementKind::beam3243, {-0.3, 0, 0}},
      {ElementKind::shell3443, {1, 0, 0}},    {ElementKind::shell3443, {0.2, 0.3, 0}},
      {ElementKind::hexa3843, {1, 0.1, 0.2}}, {ElementKind::hexa3843, {0.1, 0.2, 0.3}}};
  for (const bool is_force : {true, false}) {
    for (const auto& [kind, xi] : places) {
      SCOPED_TRACE(std::string(kind->name) + (is_force ? " force" : " moment"));
      Strip s = make_strip(kind, 0, 2);
      const At where = place("strip", 1, xi);
      if (is_force) s.model.loads.add("load", PointForce{where, constant(F[0], F[1], F[2]), true});
      else s.model.loads.add("load", PointMoment{where, constant(F[0], F[1], F[2]), MomentTurns::section, true});
      expect_turning(s.model, F, is_force);
    }
    Model model;
    model.bodies.add("block", block({0, 0, 0}));
    model.treatment = Treatment::lagrange;
    if (is_force) model.loads.add("load", PointForce{at("block", "end"), constant(F[0], F[1], F[2]), true});
    else model.loads.add("load", PointMoment{whole("block"), constant(F[0], F[1], F[2]), MomentTurns::section, true});
    SCOPED_TRACE("rigid");
    expect_turning(model, F, is_force);
  }
}

// A force across the tip that turns with it. Seen from the tip the elastica is a problem of initial values: with phi
// the angle against the tip and s from there, phi' = x F / EI, (x, z)' = -(cos phi, sin phi).
TEST(Followers, BendACantileverAsTheElasticaSays) {
  const double t = 0.002, EI = bending_stiffness(t), F = 6 * EI;
  double x = 0, z = 0, phi = 0;
  const int steps = 20000;
  for (int i = 0; i < steps; ++i) {  // midpoint rule
    const double h = 1.0 / steps, xm = x - h / 2 * std::cos(phi), pm = phi + h / 2 * x * F / EI;
    x -= h * std::cos(pm);
    z -= h * std::sin(pm);
    phi += h * xm * F / EI;
  }
  const double c = std::cos(phi), s = std::sin(phi), tip_x = -(c * x + s * z), tip_z = s * x - c * z;
  Model model = cantilever(16, t);
  model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, F), true});
  const Solved run(model);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const Triple u = run.displacement(at("beam", "end"));
  EXPECT_GT(std::abs(phi), 2);  // more than a dead force could turn it
  EXPECT_NEAR(1 + u[0], tip_x, 1e-3);
  EXPECT_NEAR(u[2], tip_z, 1e-3);
}

// A rocket that spins: thrust F along its own x, x = F/(m w^2) (1 - cos wt), y = F/(m w^2) (wt - sin wt).
TEST(Followers, PushARigidBodyThatTurns) {
  const double w = 3, F = 8, m = 2, T = 1.2;
  Model model;
  RigidBody body = block({0, 0, 0});
  body.angular_velocity = {0, 0, w};
  model.bodies.add("rocket", body);
  model.loads.add("thrust", PointForce{whole("rocket"), constant(F, 0, 0), true});
  const Trajectory run(model, test::tight(Integrator::generalized_alpha, 1e-3, T));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double r = F / (m * w * w);
  EXPECT_NEAR(run.state.q[0], r * (1 - std::cos(w * T)), 2e-5);
  EXPECT_NEAR(run.state.q[1], r * (w * T - std::sin(w * T)), 2e-5);
}

TEST(Followers, AreRefusedWhereNothingTurns) {
  Strip cable = make_strip(ElementKind::cable);
  cable.model.loads.add("tip", PointForce{at("strip", "end"), constant(0, 0, 1), true});
  EXPECT_NE(message_of<InputError>([&] { compile(cable.model); }).find("needs a place that turns"), std::string::npos);
}

// ---- forces per volume ----

TEST(BodyForce, IsForceTimesVolume) {
  for (const ElementKind kind :
       {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843}) {
    Strip s = make_strip(kind);
    s.model.constraints.add("root", Clamp{at("strip", s.start)});
    s.model.loads.add("wind", BodyForce{"strip", constant(10, 0, -300)});
    std::get<Isotropic>(s.model.materials.items[0].second).density = 0;  // it needs none
    s.model.outputs.add("root", ReactionOutput{"root"});
    StaticAnalysis options;
    options.tolerance = 1e-10;
    Solved run(s.model, options);
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const std::vector<double> v = channel_values(run.system, run.state, run.work);
    const double volume = s.length * s.width * s.thickness;
    EXPECT_NEAR(v[0], -10 * volume, 1e-4 * volume) << s.model.name;
    EXPECT_NEAR(v[2], 300 * volume, 1e-4 * volume) << s.model.name;
    EXPECT_NEAR(v[4], -300 * volume * s.length / 2, 1e-3 * volume) << s.model.name;
  }
  Model model;
  RigidBody body;
  body.shape = SphereShape{0.1};
  body.density = 7800;
  model.bodies.add("ball", block({1, 0, 0}));
  model.bodies.add("second", body);
  model.loads.add("pull", BodyForce{"second", constant(2, 3, 4)});
  const System system = compile(model);
  State state = system.initial_state();
  Workspace work(system, 1);
  evaluate_external(system, state, work);
  const int at = 3 * system.bodies[1].first_vector;
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(work.external[at + m], (2 + m) * 4 * std::numbers::pi / 3 * 1e-3, 1e-12);
  model.loads.items[0].second = BodyForce{"ball", constant(1, 0, 0)};
  EXPECT_NE(message_of<InputError>([&] { compile(model); }).find("no shape"), std::string::npos);
}

}  // namespace
}  // namespace lithe::test

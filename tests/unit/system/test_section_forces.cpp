// Section forces against statics of what hangs beyond the section; stresses along other axes; reactions in a frame.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/system/outputs.h"
#include "lithe/system/section_forces.h"
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

std::vector<double> values(Solved& run) {
  EXPECT_TRUE(run.report.ok()) << run.report.message;
  evaluate_internal(run.system, run.state, run.work);
  evaluate_external(run.system, run.state, run.work);
  return channel_values(run.system, run.state, run.work);
}

StaticAnalysis tight() {
  StaticAnalysis options;
  options.tolerance = 1e-10;
  return options;
}

void expect_all(const std::vector<double>& found, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], tolerance) << "number " << i;
}

// Forces so small that the shape hardly changes: N, Q and M of a cantilever.
TEST(SectionForces, OfABeamAreThoseOfTheLoadsBeyond) {
  Model model = cantilever(4, 0.05);
  const double fx = 300, fy = 20, fz = -10, mx = 7, x = 0.25 * 1.6;
  model.loads.add("tip", PointForce{at("beam", "end"), constant(fx, fy, fz)});
  model.loads.add("twist", PointMoment{at("beam", "end"), constant(mx, 0, 0)});
  model.outputs.add("here", SectionForcesOutput{place("beam", 1, {0.2, 0, 0})});
  Solved run(model, tight());
  expect_all(values(run), {fx, fy, fz, mx, -(1 - x) * fz, (1 - x) * fy}, 0.03);
  EXPECT_EQ(channels(run.system)[0].columns, (std::vector<std::string>{"N", "Q_y", "Q_z", "M_x", "M_y", "M_z"}));
}

// Bent far in space: turned to global axes they balance the load on the bent shape.
TEST(SectionForces, OfABeamBalanceTheLoadOnTheBentShape) {
  const double t = 0.02;
  Model model = cantilever(16, t);
  const Vec3<double> F{{-0.3 * bending_stiffness(t), bending_stiffness(t), 1.5 * bending_stiffness(t)}};
  const At here = place("beam", 5, {0.3, 0, 0});
  model.loads.add("tip", PointForce{at("beam", "end"), constant(F[0], F[1], F[2])});
  model.outputs.add("here", SectionForcesOutput{here});
  model.outputs.add("axes", RotationOutput{"", here});
  model.outputs.add("tip", PositionOutput{at("beam", "end")});
  model.outputs.add("point", PositionOutput{here});
  Solved run(model, tight());
  const std::vector<double> v = values(run);
  const Vec3<double> arm{{v[18] - v[21], v[19] - v[22], v[20] - v[23]}}, M = cross(arm, F);
  EXPECT_GT(std::abs(v[20]), 0.4);  // far
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> axis{{v[6 + 3 * k], v[7 + 3 * k], v[8 + 3 * k]}};
    EXPECT_NEAR(v[k], dot(axis, F), 4e-3 * norm(F)) << k;
    EXPECT_NEAR(v[3 + k], dot(axis, M), 4e-3 * norm(M)) << k;
  }
}

Model shell_strip(double nu) {
  Strip s = make_strip(ElementKind::shell3443, 0, 8);
  std::get<Isotropic>(s.model.materials.items[0].second).nu = nu;
  s.model.constraints.add("root", Clamp{at("strip", "x_min")});
  return s.model;
}

TEST(SectionForces, OfAShellAreForcesPerLength) {
  const double length = 0.5, x = (3 + 0.7) / 8 * length;
  const double px = 5000, pz = -2;
  for (const bool pulled : {true, false}) {  // one by one: tension would straighten what the other bends
    Model model = shell_strip(0);
    model.loads.add("edge", LineLoad{at("strip", "x_max"), pulled ? constant(px, 0, 0) : constant(0, 0, pz)});
    model.outputs.add("here", SectionForcesOutput{place("strip", 3, {0.4, 0.3, 0})});
    Solved run(model, tight());
    const std::vector<double> wanted = pulled ? std::vector<double>{px, 0, 0, 0, 0, 0, 0, 0}
                                              : std::vector<double>{0, 0, 0, -pz * (length - x), 0, 0, pz, 0};
    expect_all(values(run), wanted, pulled ? 1e-3 * px : 4e-3 * std::abs(pz));
    EXPECT_EQ(channels(run.system)[0].units[3], "N");
  }
}

TEST(SectionForces, OfACableAreTensionAndBendingMoment) {
  Strip s = make_strip(ElementKind::cable);
  s.model.constraints.add("root", Clamp{at("strip", "start")});
  s.model.loads.add("tip", PointForce{at("strip", "end"), constant(2e6, 0, 0)});  // 36 % of E A
  s.model.outputs.add("here", SectionForcesOutput{place("strip", 2, {0.5, 0, 0})});
  Solved pulled(s.model, tight());
  EXPECT_NEAR(values(pulled)[0], 2e6, 2);
  s.model.loads.items[0].second = PointForce{at("strip", "end"), constant(0, 0, 0.01)};
  Solved bent(s.model, tight());
  EXPECT_NEAR(values(bent)[1], 0.01 * (0.5 - 2.75 / 6 * 0.5), 1e-6);
}

// tau times the rates, and nothing of a rigid motion.
TEST(SectionForces, FollowDamping) {
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443}) {
    const double tau = 1e-3, rate = 2.0;
    Strip s = make_strip(kind, tau);
    std::get<Isotropic>(s.model.materials.items[0].second).nu = 0;
    s.model.outputs.add("here", SectionForcesOutput{place("strip", 2, {0.5, 0, 0})});
    const System system = compile(s.model);
    State state = system.initial_state();
    const BodyInfo& body = system.bodies[0];
    for (int n = 0; n < body.mesh.node_count(); ++n) {
      const double x = state.q[3 * body.vector(n, 0)];
      state.v[3 * body.vector(n, 0)] = rate * x;
      state.v[3 * body.vector(n, 1)] = rate;
    }
    const MaterialPoint point{2, {0.5, 0, 0}};
    const double EA = 70e9 * s.thickness * (kind == ElementKind::shell3443 ? 1 : s.width);
    EXPECT_NEAR(section_forces(system, state, 0, point)[0], EA * tau * rate, 1e-9 * EA) << s.model.name;
    for (int n = 0; n < body.mesh.node_count(); ++n)  // turning about y
      for (int k = 0; k < body.node_vectors; ++k) {
        const std::size_t i = 3ul * body.vector(n, k);
        state.v[i] = 5 * state.q[i + 2];
        state.v[i + 1] = 0;
        state.v[i + 2] = -5 * state.q[i];
      }
    for (const double x : section_forces(system, state, 0, point)) EXPECT_NEAR(x, 0, 1e-9 * EA) << s.model.name;
  }
}

TEST(SectionForces, AreRefusedWhereThereAreNone) {
  Strip hexa = make_strip(ElementKind::hexa3843);
  hexa.model.outputs.add("here", SectionForcesOutput{place("strip", 0, {0, 0, 0})});
  EXPECT_NE(message_of<InputError>([&] { compile(hexa.model); }).find("hexa3843 has no sections; ask for stress"),
            std::string::npos);
  Strip beam = make_strip(ElementKind::beam3243);
  std::get<Body>(beam.model.bodies.items[0].second).formulation = Formulation::continuum;
  beam.model.outputs.add("here", SectionForcesOutput{place("strip", 0, {0, 0, 0})});
  EXPECT_NE(message_of<InputError>([&] { compile(beam.model); }).find("'formulation: section'"), std::string::npos);
}

// ---- stress along other axes ----

Model pulled_bar(ElementKind kind, double angle) {
  Model model;
  model.materials.add("metal", Isotropic{70e9, 0, 2700, 0});
  const double c = std::cos(angle), s = std::sin(angle), L = 0.5, w = 0.02;
  Body body;
  body.element = kind;
  body.material = "metal";
  if (kind == ElementKind::beam3243) {
    body.section = "section";
    model.sections.add("section", Rectangle{w, w, {}});
    body.mesh = LineMesh{{0, 0, 0}, {c * L, s * L, 0}, 4, {}};
  } else {
    body.mesh = BlockMesh{{0, 0, 0}, {c * L, s * L, 0}, {-s * w, c * w, 0}, {0, 0, w}, {4, 1, 1}};
  }
  model.bodies.add("bar", body);
  const double F = 4000;
  model.constraints.add("root", Clamp{at("bar", kind == ElementKind::beam3243 ? "start" : "x_min")});
  if (kind == ElementKind::beam3243) model.loads.add("pull", PointForce{at("bar", "end"), constant(c * F, s * F, 0)});
  else model.loads.add("pull", Pressure{at("bar", "x_max"), Signal(-F / (w * w))});
  for (const std::optional<StressAxes> axes :
       {std::optional<StressAxes>{}, std::optional(StressAxes::element), std::optional(StressAxes::global)})
    model.outputs.add("stress" + std::to_string(model.outputs.size()),
                      StressOutput{place("bar", 2, {0.1, 0.2, -0.3}), axes, true});
  return model;
}

TEST(StressAxes, TurnAllColumnsAndGivePrincipalValues) {
  const double angle = 0.6, c = std::cos(angle), s = std::sin(angle), sigma = 4000 / (0.02 * 0.02), E = 70e9;
  for (const ElementKind kind : {ElementKind::beam3243, ElementKind::hexa3843}) {
    Solved run(pulled_bar(kind, angle), tight());
    const std::vector<double> v = values(run);
    ASSERT_EQ(v.size(), 3 * 22u);
    const std::vector<Channel> columns = channels(run.system);
    EXPECT_EQ(columns[1].columns[12], "sigma_11");
    EXPECT_EQ(columns[2].columns[0], "Exx");
    EXPECT_EQ(columns[2].columns[21], "sigma_3");
    const double tolerance = 2e-3 * sigma;
    for (const int first : {0, 22}) {  // along the element: strain and S
      EXPECT_NEAR(v[first], sigma / E, tolerance / E);
      EXPECT_NEAR(v[first + 6], sigma, tolerance);
      EXPECT_NEAR(v[first + 11], 0, tolerance);
    }
    const std::vector<double> along{sigma, 0, 0, 0, 0, 0}, global{c * c * sigma, s * s * sigma, 0, 0, 0, c * s * sigma};
    for (int k = 0; k < 6; ++k) {
      EXPECT_NEAR(v[12 + k], global[k], tolerance) << k;
      EXPECT_NEAR(v[22 + 12 + k], along[k], tolerance) << k;
      EXPECT_NEAR(v[44 + 12 + k], global[k], tolerance) << k;
      EXPECT_NEAR(v[44 + 6 + k], global[k], tolerance) << k;
      EXPECT_NEAR(v[44 + k], (k < 3 ? 1 : 2) * global[k] / E, tolerance / E) << k;
    }
    for (const int first : {0, 22, 44}) {
      EXPECT_NEAR(v[first + 19], sigma, tolerance);
      EXPECT_NEAR(v[first + 20], 0, tolerance);
      EXPECT_NEAR(v[first + 21], 0, tolerance);
    }
    // The element's axes turn with the body; global ones do not.
    State turned = run.state;
    for (std::size_t i = 0; i < turned.q.size(); i += 3) {
      const double x = turned.q[i], y = turned.q[i + 1];
      turned.q[i] = 0.8 * x - 0.6 * y;
      turned.q[i + 1] = 0.6 * x + 0.8 * y;
    }
    const std::vector<double> w = channel_values(run.system, turned, run.work);
    for (int k = 22; k < 44; ++k) EXPECT_NEAR(w[k], v[k], 1e-6 * sigma) << k;
    EXPECT_GT(std::abs(w[12] - v[12]), 0.1 * sigma);
  }
}

// ---- reactions in a frame ----

TEST(ReactionFrame, IsThatOfABodyOrPlace) {
  const double t = 0.02;
  Model model = cantilever(8, t);
  model.loads.add("tip", PointForce{at("beam", "end"), constant(0, bending_stiffness(t), 2 * bending_stiffness(t))});
  model.outputs.add("plain", ReactionOutput{"root"});
  model.outputs.add("turned", ReactionOutput{"root", at("beam", "end")});
  model.outputs.add("axes", RotationOutput{"", at("beam", "end")});
  Solved run(model, tight());
  const std::vector<double> v = values(run);
  for (int part = 0; part < 2; ++part)
    for (int k = 0; k < 3; ++k) {
      double wanted = 0;
      for (int m = 0; m < 3; ++m) wanted += v[12 + 3 * k + m] * v[3 * part + m];
      EXPECT_NEAR(v[6 + 3 * part + k], wanted, 1e-9 * bending_stiffness(t)) << part << k;
    }
  EXPECT_GT(std::abs(v[6] - v[0]), 0.1 * bending_stiffness(t));
  model.outputs.add("nowhere", ReactionOutput{"root", at("beam", "")});
  EXPECT_NE(message_of<InputError>([&] { compile(model); }).find("turns differently at every place"),
            std::string::npos);
}

TEST(ReactionFrame, OfAJointIsThatOfARigidBody) {
  Model model;
  RigidBody body;
  body.position = {1, 0, 0};
  body.x_axis = Triple{0.6, 0.8, 0};
  body.y_axis = Triple{-0.8, 0.6, 0};
  body.mass = 2;
  body.inertia = std::vector<double>{1, 1, 1};
  model.bodies.add("block", body);
  At ground, block;
  ground.body = "ground";
  block.body = "block";
  model.joints.add("bolt", Weld{ground, block, {}});
  model.loads.add("push", PointForce{block, constant(3, 4, 5)});
  model.outputs.add("plain", JointOutput{"bolt"});
  model.outputs.add("turned", JointOutput{"bolt", block});
  Solved run(model, tight());
  const std::vector<double> v = values(run);
  expect_all({v[0], v[1], v[2]}, {-3, -4, -5}, 1e-9);
  expect_all({v[6], v[7], v[8]}, {-5, 0, -5}, 1e-9);
}

}  // namespace
}  // namespace lithe::test

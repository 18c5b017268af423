// The seam of element kinds, by use: a kind without gradients, added by its header and one line, goes the public way.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "brick8.h"
#include "lithe/dynamics/statics.h"
#include "lithe/io/catalogue.h"
#include "lithe/io/load_model.h"
#include "lithe/io/results.h"
#include "lithe/io/xdmf.h"
#include "lithe/io/yaml.h"
#include "lithe/model/validate.h"
#include "support/dynamics.h"
#include "support/joints.h"
#include "support/messages.h"

namespace lithe {
namespace {

using std::numbers::pi;
using test::at;
using test::at_node;
using test::constant;

constexpr double E = 1e6, density = 1000;

struct Other : test::Brick8 {
  static constexpr const char* name = "other";
};

class Brick : public ::testing::Test {
 protected:
  const ElementKind brick8{&KindOf<test::Brick8>::info};
  const AddedKind added_{brick8};  // the one line

  Model block(const Triple& size, const std::array<int, 3>& elements, double nu = 0.3, double damping = 0) const {
    Model model;
    model.materials.add("rubber", Isotropic{E, nu, density, damping});
    Body body;
    body.element = brick8;
    body.material = "rubber";
    body.mesh = BlockMesh{{0, 0, 0}, {size[0], 0, 0}, {0, size[1], 0}, {0, 0, size[2]}, elements};
    model.bodies.add("block", body);
    return model;
  }

  // Seven bricks in a unit cube, the inner one distorted (R. H. MacNeal, R. L. Harder, 1985).
  Model patch(double nu) const {
    Model model = block({1, 1, 1}, {1, 1, 1}, nu);
    NodeMesh mesh;
    mesh.nodes = {{0, 0, 0},
                  {1, 0, 0},
                  {1, 1, 0},
                  {0, 1, 0},
                  {0, 0, 1},
                  {1, 0, 1},
                  {1, 1, 1},
                  {0, 1, 1},
                  {0.249, 0.342, 0.192},
                  {0.826, 0.288, 0.288},
                  {0.850, 0.649, 0.263},
                  {0.273, 0.750, 0.230},
                  {0.320, 0.186, 0.643},
                  {0.677, 0.305, 0.683},
                  {0.788, 0.693, 0.644},
                  {0.165, 0.745, 0.702}};
    mesh.elements = {{8, 9, 10, 11, 12, 13, 14, 15}, {0, 1, 2, 3, 8, 9, 10, 11},   {12, 13, 14, 15, 4, 5, 6, 7},
                     {0, 1, 9, 8, 4, 5, 13, 12},     {11, 10, 2, 3, 15, 14, 6, 7}, {0, 8, 11, 3, 4, 12, 15, 7},
                     {9, 1, 2, 10, 13, 5, 6, 14}};
    mesh.sets.add("x_min", {0, 3, 4, 7});
    mesh.sets.add("y_min", {0, 1, 4, 5});
    mesh.sets.add("z_min", {0, 1, 2, 3});
    std::get<Body>(model.bodies.items[0].second).mesh = mesh;
    return model;
  }
};

struct Solved {
  System system;
  State state;
  Workspace work;
  explicit Solved(const Model& model) : system(compile(model)), state(system.initial_state()), work(system, 1) {
    const StaticReport report =
        solve_static(system, StaticAnalysis{}, state, work, [](const State&, const StaticStep&) { return true; });
    EXPECT_TRUE(report.ok()) << report.message;
  }
  Vec3<double> displacement(const At& place) const {
    const PointWeights p = system.resolve_point(place);
    Vec3<double> u{};
    for (std::size_t k = 0; k < p.vectors.size(); ++k)
      for (int m = 0; m < 3; ++m)
        u[m] += p.weights[k] * (state.q[3ul * p.vectors[k] + m] - system.q0[3ul * p.vectors[k] + m]);
    return u;
  }
};

TEST_F(Brick, IsKnownByItsName) {
  const std::string yaml = R"(
materials: {rubber: {type: isotropic, E: 1e6, nu: 0.3, density: 1000}}
bodies:
  block: {element: brick8, material: rubber, mesh: {type: block, length: [2, 0, 0], width: [0, 1, 0], height: [0, 0, 1], elements: [2, 1, 1]}}
)";
  Reading reading;
  const Model model = read_model(parse_yaml(yaml, "test"), reading);
  EXPECT_EQ(body_kind(model.bodies.items[0].second), brick8);
  EXPECT_EQ(compile(model).bodies[0].elements(), 2);
  std::string wrong = yaml;
  wrong.replace(wrong.find("brick8"), 6, "brick9");
  EXPECT_NE(message_of<InputError>([&] { read_model(parse_yaml(wrong, "test"), reading); }).find("brick8"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] { AddedKind twice(brick8); }).find("already"), std::string::npos);
}

TEST_F(Brick, LeavesTheRegistryWithItsRegistration) {
  const std::size_t with = element_registry().size();
  {
    const AddedKind other(&KindOf<Other>::info);
    EXPECT_EQ(element_registry().size(), with + 1);
  }
  EXPECT_EQ(element_registry().size(), with);
}

TEST_F(Brick, HasProductsWithoutAMatrix) {
  Model model = block({2, 1, 1}, {2, 1, 1}, 0.3, 0.01);
  model.tangent = TangentForm::exact;
  const System system = compile(model);
  Workspace work(system, 1);
  State state = system.initial_state();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double& q : state.q) q += 0.01 * unit(random);
  for (double& v : state.v) v = unit(random);
  std::vector<double> x(system.map.size), values, expected, along(state.q.size(), 0.0), product(along), found;
  for (double& number : x) number = unit(random);
  evaluate_tangent(system, state, 0.7, 0.2, work, values, 30);
  multiply(system.pattern, values, x, expected);
  system.map.prolong(state.slots, x, 1, along);
  evaluate_tangent_product(system, state, along, 0.7, 0.2, 30, work, product);
  system.map.restrict(state.slots, product, found);
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  for (int i = 0; i < system.map.size; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12 * largest);
}

TEST_F(Brick, StoresAPositionANode) {
  const System system = compile(block({2, 1, 1}, {3, 2, 1}));
  const BodyInfo& body = system.bodies[0];
  EXPECT_EQ(body.mesh.node_count(), 4 * 3 * 2);
  EXPECT_EQ(body.mesh.nodes.size(), 3ul * body.mesh.node_count());
  EXPECT_EQ(system.q0.size(), body.mesh.nodes.size());
  EXPECT_NEAR(total_mass(system), 2 * density, 1e-10);
}

TEST_F(Brick, FeelsNoForceInRigidMotionAndHasTheTangentOfItsForce) {
  const System system = compile(block({2, 1, 1}, {2, 1, 1}, 0.3, 0.01));
  Workspace work(system, 1);
  State state = system.initial_state();
  const auto turn = test::Motion6::turn({{1, 2, 3}}, unit(Vec3<double>{{1, -2, 0.5}}), 1.1);
  test::move(system, "block", turn, state.q);
  const Vec3<double> omega{{0.3, -0.4, 0.7}};
  for (std::size_t v = 0; v < state.q.size(); v += 3) {
    const Vec3<double> rate = cross(omega, Vec3<double>{{state.q[v], state.q[v + 1], state.q[v + 2]}});
    for (int m = 0; m < 3; ++m) state.v[v + m] = rate[m];
  }
  evaluate_internal(system, state, work);
  for (const double f : work.internal) EXPECT_NEAR(f, 0, 1e-9 * E);
  EXPECT_NEAR(strain_energy(system, state), 0, 1e-12 * E);

  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-0.05, 0.05);
  for (double& x : state.q) x += unit(random);
  std::vector<double> values, direction(state.q.size());
  for (double& x : direction) x = unit(random);
  const double h = 1e-6;
  std::fill(state.v.begin(), state.v.end(), 0.0);  // the symmetric part of damping is another matter
  evaluate_tangent(system, state, 1, 0, work, values);
  std::vector<double> product(state.q.size(), 0.0);
  for (int c = 0; c < system.map.size; ++c)
    for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k) {
      const int r = system.pattern.row[k];
      product[r] += values[k] * direction[c];
      if (system.symmetric && r != c) product[c] += values[k] * direction[r];
    }
  State moved = state;
  for (std::size_t i = 0; i < direction.size(); ++i) moved.q[i] = state.q[i] + h * direction[i];
  evaluate_internal(system, moved, work);
  const std::vector<double> plus = work.internal;
  for (std::size_t i = 0; i < direction.size(); ++i) moved.q[i] = state.q[i] - h * direction[i];
  evaluate_internal(system, moved, work);
  for (std::size_t i = 0; i < direction.size(); ++i)
    EXPECT_NEAR(product[i], (plus[i] - work.internal[i]) / (2 * h), 1e-7 * E * 0.05);
}

// Uniaxial stress at finite strain: P = lambda E (lambda^2 - 1)/2 along x, lambda_2^2 = 1 - nu (lambda^2 - 1) across.
TEST_F(Brick, PassesThePatchTest) {
  const double nu = 0.3, lambda = 1.1, P = lambda * E * (lambda * lambda - 1) / 2;
  const double across = std::sqrt(1 - nu * (lambda * lambda - 1));
  Model model = patch(nu);
  const char* const held[3] = {"x_min", "y_min", "z_min"};
  for (int m = 0; m < 3; ++m) {
    Triple along{0, 0, 0};
    along[m] = 1;
    model.constraints.add(held[m], Fix{at("block", held[m]), {Coordinate::position}, {along}});
  }
  for (const int node : {1, 2, 5, 6})
    model.loads.add("pull" + std::to_string(node), PointForce{at_node("block", node), constant(P / 4, 0, 0)});
  const Solved solved(model);
  const double stretch[3] = {lambda, across, across};
  for (std::size_t i = 0; i < solved.state.q.size(); ++i)
    EXPECT_NEAR(solved.state.q[i], stretch[i % 3] * solved.system.q0[i], 1e-7) << i;
  const PointStress stress = stress_at(solved.system, solved.state, 0, {0, {0.3, -0.2, 0.6}});
  EXPECT_NEAR(stress.cauchy[0], P / (across * across), 1e-6 * P);
  EXPECT_NEAR(stress.cauchy[1], 0, 1e-6 * P);
  EXPECT_NEAR(stress.von_mises, P / (across * across), 1e-6 * P);
  for (const double x : nodal_von_mises(solved.system, solved.state, 0))
    EXPECT_NEAR(x, P / (across * across), 1e-6 * P);
}

// The tip of a short cantilever against Timoshenko's; trilinear bricks are too stiff, with an error of second order.
TEST_F(Brick, BendsAsABeam) {
  const double L = 1, h = 0.25, force = 1, I = std::pow(h, 4) / 12;
  const double exact = force * std::pow(L, 3) / (3 * E * I) + force * L / (5.0 / 6 * E / 2 * h * h);
  const auto error = [&](int n) {
    Model model = block({L, h, h}, {4 * n, 1, 2 * n}, 0);
    model.constraints.add("root", Clamp{at("block", "x_min")});
    for (const char* corner : {"y_min", "y_max"}) {
      At place;
      place.body = "block";
      place.point = Triple{L, corner[2] == 'm' && corner[3] == 'i' ? 0 : h, h / 2};
      model.loads.add(corner, PointForce{place, constant(0, 0, force / 2)});
    }
    return std::abs(Solved(model).displacement(at("block", "x_max_middle"))[2] / exact - 1);
  };
  const double coarse = error(2), fine = error(4);
  EXPECT_LT(fine, 0.03);
  EXPECT_GT(coarse / fine, 3);
}

TEST_F(Brick, CarriesAPressure) {
  Model model = block({2, 1, 0.5}, {4, 2, 1});
  model.constraints.add("root", Clamp{at("block", "x_min")});
  model.loads.add("push", Pressure{at("block", "x_max"), Signal(100.0)});
  model.outputs.add("root", ReactionOutput{"root"});
  const Solved solved(model);
  Workspace work(solved.system, 1);
  evaluate_internal(solved.system, solved.state, work);
  evaluate_external(solved.system, solved.state, work);
  const std::vector<double> reaction = channel_values(solved.system, solved.state, work);
  EXPECT_NEAR(reaction[0], 100 * 0.5, 0.02);  // the face has grown a little
  EXPECT_NEAR(reaction[1], 0, 1e-6);
  EXPECT_NEAR(reaction[2], 0, 1e-6);
}

// u = V/w sin(wt) sin(pi x / 2L), w = pi/(2L) sqrt(E/rho): a bar that is held at one end.
TEST_F(Brick, SwingsAlongItself) {
  const double L = 1, V = 1e-3, omega = pi / (2 * L) * std::sqrt(E / density);
  Model model = block({L, 0.1, 0.1}, {20, 1, 1}, 0);
  model.constraints.add("root", Clamp{at("block", "x_min")});
  InitialVelocity start;
  start.on = at("block", "");
  start.velocity[0] = SpaceFunction::expression("0.001*sin(pi/2*x)");
  model.initial_velocities.add("start", start);
  const double quarter = pi / (2 * omega);
  const test::Trajectory run(model, test::tight(Integrator::trapezoidal, quarter / 100, quarter));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const PointWeights tip = run.system.resolve_point(at("block", "x_max_middle"));
  double u = -L, v = 0;
  for (std::size_t k = 0; k < tip.vectors.size(); ++k) {
    u += tip.weights[k] * run.state.q[3ul * tip.vectors[k]];
    v += tip.weights[k] * run.state.v[3ul * tip.vectors[k]];
  }
  EXPECT_NEAR(u / (V / omega), 1, 2e-3);
  EXPECT_NEAR(v / V, 0, 1e-2);
}

TEST_F(Brick, FliesAsARigidBodyWould) {
  const double a = 0.5, b = 0.2, c = 0.1, mass = density * a * b * c;
  Model model = block({a, b, c}, {2, 1, 1});
  InitialVelocity start;
  start.on = at("block", "");
  start.velocity[1] = SpaceFunction(2.0);
  start.angular_velocity = {0, 0, 3};
  start.center = {a / 2, b / 2, c / 2};
  model.initial_velocities.add("start", start);
  const test::Trajectory run(model, test::tight(Integrator::trapezoidal, 1e-3, 0.05));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double kinetic = 0.5 * mass * 4 + 0.5 * mass * (a * a + b * b) / 12 * 9;
  EXPECT_NEAR(kinetic_energy(run.system, run.system.initial_state()), kinetic, 1e-12 * kinetic);
  EXPECT_NEAR(kinetic_energy(run.system, run.state) + strain_energy(run.system, run.state), kinetic, 1e-5 * kinetic);
  const PointWeights middle = run.system.resolve_point([] {
    At place;
    place.body = "block";
    place.point = Triple{0.25, 0.1, 0.05};
    return place;
  }());
  double y = -b / 2;
  for (std::size_t k = 0; k < middle.vectors.size(); ++k)
    y += middle.weights[k] * run.state.q[3ul * middle.vectors[k] + 1];
  EXPECT_NEAR(y, 2 * 0.05, 1e-6);
}

// A pendulum on a spherical joint; joints, loads and outputs that need directions say that there are none.
TEST_F(Brick, IsJoinedByPositions) {
  Model model = block({1, 0.1, 0.1}, {4, 1, 1}, 0.3, 0.01);
  At ground;
  ground.body = "ground";
  model.joints.add("pivot", Spherical{ground, at_node("block", 0), {}});
  model.loads.add("gravity", Gravity{});
  const test::Trajectory run(model, test::tight(Integrator::generalized_alpha, 1e-3, 0.02));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(run.state.q[m], 0, 1e-9);

  const auto refusal = [&](auto&& change) {
    Model other = block({1, 0.1, 0.1}, {4, 1, 1});
    change(other);
    return message_of<InputError>([&] { compile(other); });
  };
  const auto expect = [&](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(refusal([&](Model& m) { m.joints.add("j", Weld{ground, at_node("block", 0), {}}); }), "has no directions");
  expect(refusal([&](Model& m) {
           m.joints.add("j", Revolute{ground, at_node("block", 0), {}, {0, 0, 1}});
         }),
         "'block node 0' is a point of a brick8");
  expect(refusal([&](Model& m) {
           m.loads.add("m", PointMoment{at_node("block", 0), constant(1, 0, 0)});
         }),
         "a moment needs full gradients");
  expect(refusal([&](Model& m) {
           m.constraints.add("c", Fix{at("block", "x_min"), {Coordinate::x_gradient}, {}});
         }),
         "it has position");
  expect(refusal([&](Model& m) {
           RotationOutput output;
           output.at = at_node("block", 0);
           m.outputs.add("o", output);
         }),
         "has no section that turns");
  expect(refusal([&](Model& m) {
           Bushing bushing;
           bushing.a = at_node("block", 0);
           bushing.b = ground;
           m.springs.add("s", bushing);
         }),
         "has no axes of its own");
}

TEST_F(Brick, IsRecordedAndDrawn) {
  const System system = compile(block({1, 1, 1}, {2, 1, 1}));
  const ResultInfo info = result_info(system, "brick.h5", "");
  EXPECT_EQ(info.bodies[0].element, "brick8");
  EXPECT_EQ(info.bodies[0].vectors, 1);
  EXPECT_TRUE(info.bodies[0].stress);
  const std::string text = xdmf_text(info, {0.0}, {});
  EXPECT_NE(text.find("TopologyType=\"Hexahedron\" NumberOfElements=\"2\""), std::string::npos);
  ResultInfo unknown = info;
  unknown.bodies[0].element = "wedge6";
  EXPECT_THROW(xdmf_text(unknown, {0.0}, {}), InputError);
}

}  // namespace
}  // namespace lithe

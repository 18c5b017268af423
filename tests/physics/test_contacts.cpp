// Bodies that touch, against what mechanics says of them.
#include <gtest/gtest.h>

#include <random>

#include "lithe/system/contact_surfaces.h"
#include "lithe/system/reactions.h"
#include "lithe/system/rigid.h"
#include "support/dynamics.h"
#include "support/joints.h"

namespace lithe::test {
namespace {

constexpr double g = 9.81;

void add_contact(Model& model, double friction, double restitution = 0) {
  Contact contact;
  contact.between = OneOrMore<std::string>(std::string("all"));
  contact.friction = friction;
  contact.restitution = restitution;
  model.contacts.add("touch", contact);
  model.outputs.add("touch", ContactOutput{"touch"});
  model.analysis = Analysis(DynamicAnalysis{});
}

// A plane turned about y so that it falls towards x, and gravity.
Model slope(double angle) {
  Model model;
  Obstacle plane;
  plane.shape = PlaneShape{};
  plane.normal = Triple{std::sin(angle), 0, std::cos(angle)};
  model.obstacles.add("slope", plane);
  model.loads.add("gravity", Gravity{constant(0, 0, -g)});
  return model;
}

// Its directions: down the slope, and away from it.
Vec3<double> down(double angle) { return {{std::cos(angle), 0, -std::sin(angle)}}; }
Vec3<double> out(double angle) { return {{std::sin(angle), 0, std::cos(angle)}}; }

enum class Block { rigid, total, corotated, tetrahedra };

// A block of 2 x 1 x 0.5 (times `size`) that lies on the slope, its lower face on it.
void add_block(Model& model, Block kind, double angle, double size, const std::string& name = "block",
               double height = 0) {
  const Vec3<double> x = down(angle), z = out(angle);
  if (kind == Block::rigid) {
    RigidBody body;
    body.shape = BoxShape{{2 * size, size, 0.5 * size}};
    body.density = 1000;
    body.position = triple((0.25 * size + height) * z);
    body.x_axis = triple(x);
    body.y_axis = Triple{0, 1, 0};
    model.bodies.add(name, body);
    return;
  }
  if (!model.materials.find("rubber")) model.materials.add("rubber", Isotropic{1e7 * size, 0.3, 1000, 0});
  Body body;
  body.element = kind == Block::tetrahedra ? ElementKind::tet4 : ElementKind::hex8;
  body.material = "rubber";
  const Vec3<double> corner = -size * x + height * z;
  body.mesh = BlockMesh{
      {corner[0], -0.5 * size, corner[2]}, triple(2 * size * x), {0, size, 0}, triple(0.5 * size * z), {2, 1, 1}};
  body.kinematics = kind == Block::corotated ? Kinematics::corotated : Kinematics::total;
  body.eta = 0.01 * std::sqrt(size);
  model.bodies.add(name, body);
}

// Momentum over mass.
Vec3<double> mean_velocity(const System& system, const State& state) {
  std::vector<double> p(state.v.size(), 0.0);
  add_inertia(system, state.v, p);
  Vec3<double> sum{};
  for (const BodyInfo& body : system.bodies)
    for (int n = 0; n < body.mesh.node_count(); ++n)
      for (int m = 0; m < 3; ++m) sum[m] += p[3ul * body.vector(n, 0) + m];
  return (1 / total_mass(system)) * sum;
}

TEST(Contacts, BlocksSlideDownAsCoulombSays) {
  const double angle = 0.5, mu = 0.2;
  for (const Block kind : {Block::rigid, Block::total, Block::corotated, Block::tetrahedra})
    for (const double size : {0.1, 1.0, 10.0}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << " of " << size << " m");
      Model model = slope(angle);
      add_block(model, kind, angle, size);
      add_contact(model, mu);
      const double time = std::sqrt(size);
      const Trajectory run(model, steps(0.005 * time, 0.5 * time));
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      // From the middle on: at the start flexible blocks settle.
      const State& middle = run.states[run.states.size() / 2];
      const Vec3<double> gained = mean_velocity(run.system, run.state) - mean_velocity(run.system, middle);
      const double wanted = g * (std::sin(angle) - mu * std::cos(angle)) * (run.state.t - middle.t);
      EXPECT_NEAR(dot(gained, down(angle)), wanted, (kind == Block::rigid ? 1e-9 : 1e-4) * wanted);
      EXPECT_NEAR(dot(gained, out(angle)), 0, 1e-4 * wanted);
    }
}

TEST(Contacts, BlocksStayWhereFrictionHoldsThem) {
  const double angle = 0.4;
  for (const Block kind : {Block::rigid, Block::total, Block::corotated}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Model model = slope(angle);
    add_block(model, kind, angle, 1);
    add_contact(model, (kind == Block::rigid ? 1.001 : 1.2) * std::tan(angle));
    const Trajectory run(model, steps(0.005, 1));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const BodyInfo& body = run.system.bodies[0];
    for (int n = 0; n < body.mesh.node_count(); ++n) {
      const std::size_t at = 3ul * body.vector(n, 0);
      const Vec3<double> first = vector_at(&run.states.front().q[at], 0), last = vector_at(&run.state.q[at], 0);
      if (kind == Block::rigid || dot(first, out(angle)) < 1e-12) {
        EXPECT_LT(norm(last - first), 1e-9) << n;
      }
    }
  }
}

TEST(Contacts, BallsRollWithFiveSevenths) {
  const double angle = 0.3;
  Model model = slope(angle);
  RigidBody ball;
  ball.shape = SphereShape{0.2};
  ball.density = 500;
  ball.position = triple(0.2 * out(angle));
  model.bodies.add("ball", ball);
  add_contact(model, 0.4);
  const Trajectory run(model, steps(0.001, 1));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double wanted = 5.0 / 7 * g * std::sin(angle) * run.state.t;
  EXPECT_NEAR(dot(mean_velocity(run.system, run.state), down(angle)), wanted, 1e-6 * wanted);
}

// On a plane and on a face of two triangles, without a rattle: cylinders and tubes are round.
TEST(Contacts, CylindersRollWithTwoThirds) {
  const double angle = 0.3, inner = 0.15, outer = 0.2;
  for (const bool tube : {false, true})
    for (const bool plane : {false, true}) {
      SCOPED_TRACE(testing::Message() << tube << plane);
      Model model = slope(angle);
      if (!plane) {
        Obstacle board;
        board.shape = BoxShape{{8, 4, 1}};
        board.position = triple(-0.5 * out(angle));
        board.x_axis = triple(down(angle));
        board.y_axis = Triple{0, 1, 0};
        model.obstacles = {};
        model.obstacles.add("board", board);
      }
      RigidBody body;
      if (tube) body.shape = TubeShape{inner, outer, 0.5};
      else body.shape = CylinderShape{outer, 0.5};
      body.density = 500;
      body.position = triple(outer * out(angle));
      body.x_axis = triple(down(angle));
      body.y_axis = triple(-1. * out(angle));
      model.bodies.add("body", body);
      add_contact(model, 0.5);
      const Trajectory run(model, steps(0.002, 1));
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      const double hollow = tube ? inner * inner / (outer * outer) : 0;
      const double wanted = g * std::sin(angle) / (1.5 + 0.5 * hollow) * run.state.t;
      EXPECT_NEAR(dot(mean_velocity(run.system, run.state), down(angle)), wanted, 1e-9 * wanted);
      EXPECT_NEAR(dot(vector_at(run.state.q.data(), 0), out(angle)), outer, 1e-12);
    }
}

// Stones without mortar, matching faces flush. The least thickness of a half circle is 0.1075 of its radius.
TEST(Contacts, ArchesStandAsTheyAreThick) {
  for (const bool stands : {true, false}) {
    SCOPED_TRACE(stands);
    const int stones = 27;
    const double thickness = stands ? 0.125 : 0.095;
    Model model = slope(0);
    model.materials.add("stone", Isotropic{1e9, 0.2, 2000, 0});
    for (int k = 0; k < stones; ++k) {
      NodeMesh mesh;
      for (const double r : {1 - thickness / 2, 1 + thickness / 2})
        for (const auto& [end, y] : {std::pair(0, 0.), std::pair(0, 0.3), std::pair(1, 0.3), std::pair(1, 0.)}) {
          const double angle = M_PI * (k + end) / stones;
          mesh.nodes.push_back({-r * std::cos(angle), y, r * std::sin(angle)});
        }
      mesh.elements = {{0, 3, 2, 1, 4, 7, 6, 5}};
      Body stone;
      stone.element = ElementKind::hex8;
      stone.material = "stone";
      stone.mesh = mesh;
      stone.kinematics = Kinematics::rigid;
      model.bodies.add("stone" + std::to_string(k), stone);
    }
    add_contact(model, 0.6);
    const Trajectory run(model, steps(0.002, 0.2));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const double moved = largest_difference(run.state.q, run.states.front().q);
    if (stands) EXPECT_LT(moved, 1e-8);
    else EXPECT_GT(moved, 0.005);
  }
}

TEST(Contacts, BallsBounceWithTheirRestitution) {
  for (const double e : {0.0, 0.5, 0.8, 1.0}) {
    Model model = slope(0);
    RigidBody ball;
    ball.shape = SphereShape{0.1};
    ball.density = 500;
    ball.position = {0, 0, 1};
    ball.velocity = {0, 0, -3};
    model.bodies.add("ball", ball);
    model.loads = {};
    add_contact(model, 0.3, e);
    const Trajectory run(model, steps(0.01, 0.6));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    EXPECT_NEAR(run.state.v[2], 3 * e, 1e-10) << e;
  }
}

TEST(Contacts, NothingTunnels) {
  Model model = slope(0);
  Obstacle plate;
  plate.shape = BoxShape{{1, 1, 0.001}};
  model.obstacles = {};
  model.obstacles.add("plate", plate);
  RigidBody ball;
  ball.shape = SphereShape{0.01};
  ball.density = 7800;
  ball.position = {0.013, 0.027, 0.515};
  ball.velocity = {0, 0, -300};
  model.bodies.add("ball", ball);
  add_contact(model, 0);
  const Trajectory run(model, steps(1e-3, 0.02));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  for (const State& state : run.states) EXPECT_GT(state.q[2], 0.0105 - 1e-9);
}

// Momentum goes from ball to ball, through gaps.
TEST(Contacts, CradlesPassOneBallOn) {
  Model model;
  for (int k = 0; k < 5; ++k) {
    RigidBody ball;
    ball.shape = SphereShape{0.1};
    ball.density = 1000;
    ball.position = {0.201 * k, 0, 0};
    if (k == 0) ball.velocity = {1, 0, 0};
    model.bodies.add("ball" + std::to_string(k), ball);
  }
  add_contact(model, 0, 1);
  const Trajectory run(model, steps(1e-4, 0.01));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(run.state.v[12ul * k], k == 4 ? 1 : 0, 1e-9) << k;
}

TEST(Contacts, StacksStand) {
  for (const double top : {1.0, 1000.0}) {
    Model model = slope(0);
    for (int k = 0; k < 10; ++k) {
      RigidBody box;
      box.shape = BoxShape{{0.2, 0.2, 0.2}};
      box.density = k == 9 ? 1000 * top : 1000;
      box.position = {0, 0, 0.1 + 0.2 * k};
      model.bodies.add("box" + std::to_string(k), box);
    }
    add_contact(model, 0.5);
    const Trajectory run(model, steps(0.01, 1));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    EXPECT_LT(largest_difference(run.state.q, run.states.front().q), 1e-6) << top;
  }
}

// A block held by two of its corners that lies on a post: joints and contact share its weight.
TEST(Contacts, JointsAndContactsShareALoad) {
  for (const Block kind : {Block::rigid, Block::corotated, Block::total}) {
    SCOPED_TRACE(static_cast<int>(kind));
    Model model = slope(0);
    add_block(model, kind, 0, 1);
    Obstacle post;
    post.shape = SphereShape{0.1};
    post.position = {1, 0.5, -0.1};
    model.obstacles = {};
    model.obstacles.add("post", post);
    post.position = {1, -0.5, -0.1};
    model.obstacles.add("other", post);
    for (const double y : {-0.5, 0.5}) {
      Spherical joint;
      joint.a.body = "ground";
      joint.b.body = "block";
      joint.a.point = joint.b.point = Triple{-1, y, 0};
      model.joints.add(y < 0 ? "left" : "right", joint);
    }
    add_contact(model, 0.3);
    const Trajectory run(model, steps(0.005, kind == Block::rigid ? 0.5 : 3));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const double* sums = run.state.slots[contact_slot(run.system, run.state.slots, 0)];
    EXPECT_NEAR(sums[ContactSums::normal], 0.5 * 1000 * g, (kind == Block::rigid ? 1e-6 : 5e-3) * 1000 * g);
  }
}

// Boxes, balls and capsules of any friction and restitution, thrown at each other above a floor.
Model heap(unsigned seed, int bodies) {
  std::mt19937 random(seed);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  Model model = slope(0);
  for (int k = 0; k < bodies; ++k) {
    RigidBody body;
    if (k % 3 == 0) body.shape = BoxShape{{uniform(0.1, 0.3), uniform(0.1, 0.3), uniform(0.1, 0.3)}};
    if (k % 3 == 1) body.shape = SphereShape{uniform(0.05, 0.15)};
    if (k % 3 == 2) body.shape = CapsuleShape{uniform(0.05, 0.1), uniform(0.1, 0.2)};
    body.density = 1000;
    body.position = {uniform(-0.1, 0.1), uniform(-0.1, 0.1), 0.4 + 0.45 * k};
    body.x_axis = Triple{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    body.y_axis = Triple{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    body.velocity = {uniform(-1, 1), uniform(-1, 1), uniform(-3, 0)};
    body.angular_velocity = {uniform(-5, 5), uniform(-5, 5), uniform(-5, 5)};
    model.bodies.add("body" + std::to_string(k), body);
  }
  add_contact(model, uniform(0, 1.5), seed % 2 == 0 ? 0.0 : uniform(0, 1));
  return model;
}

double mechanical_energy(const System& system, const State& state) {
  double height = 0;
  for (const BodyInfo& body : system.bodies) {
    height += body.rigid_mass[0] * g * state.q[3ul * body.first_vector + 2];
  }
  return kinetic_energy(system, state) + height;
}

TEST(Contacts, NoSceneGainsEnergy) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Trajectory run(heap(seed, 9), steps(0.002, 1));
    ASSERT_TRUE(run.report.ok()) << seed << ": " << run.report.message;
    const double first = mechanical_energy(run.system, run.states.front());
    for (const State& state : run.states)
      EXPECT_LE(mechanical_energy(run.system, state), (1 + 1e-3) * first) << seed << " at " << state.t;
    EXPECT_LT(run.report.energy.worst, 1e-3 * first) << seed;
    for (const BodyInfo& body : run.system.bodies) EXPECT_GT(run.state.q[3ul * body.first_vector + 2], 0.04) << seed;
  }
}

TEST(Contacts, ThreadsChangeNoBit) {
  const Model model = heap(3, 12);
  const Trajectory one(model, steps(0.005, 0.6));
  for (const int threads : {2, 3}) {
    const Trajectory more(model, steps(0.005, 0.6), threads);
    EXPECT_EQ(one.state.q, more.state.q);
    EXPECT_EQ(one.state.v, more.state.v);
    EXPECT_EQ(one.state.slots.values, more.state.slots.values);
  }
}

}  // namespace
}  // namespace lithe::test

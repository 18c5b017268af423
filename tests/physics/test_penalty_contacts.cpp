// Contacts that give way, under implicit steppers and in statics, against what mechanics says of them.
#include <gtest/gtest.h>

#include <cstring>

#include "lithe/system/contact_surfaces.h"
#include "support/dynamics.h"
#include "support/joints.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

constexpr double g = 9.81;

Contact& add_penalty(Model& model, double stiffness, double exponent, double friction = 0) {
  Contact contact;
  contact.between = OneOrMore<std::string>(std::string("all"));
  contact.law = ContactLaw::penalty;
  contact.stiffness = stiffness;
  contact.exponent = exponent;
  contact.friction = friction;
  contact.initial_overlap = InitialOverlap::accept;
  model.outputs.add("touch", ContactOutput{"touch"});
  model.analysis = Analysis(DynamicAnalysis{});
  return model.contacts.add("touch", contact);
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
Vec3<double> down(double angle) { return {{std::cos(angle), 0, -std::sin(angle)}}; }
Vec3<double> out(double angle) { return {{std::sin(angle), 0, std::cos(angle)}}; }

// Of 1 kg.
RigidBody ball(double radius, const Vec3<double>& position) {
  RigidBody body;
  body.shape = SphereShape{radius};
  body.mass = 1;
  body.position = triple(position);
  return body;
}
RigidBody box(double angle, const Vec3<double>& size, double height) {
  RigidBody body;
  body.shape = BoxShape{triple(size)};
  body.mass = 1;
  body.position = triple((0.5 * size[2] + height) * out(angle));
  body.x_axis = triple(down(angle));
  body.y_axis = Triple{0, 1, 0};
  return body;
}

Vec3<double> position(const State& state, int vector = 0) { return vector_at(&state.q[3ul * vector], 0); }
Vec3<double> velocity(const State& state, int vector = 0) { return vector_at(&state.v[3ul * vector], 0); }

// m x'' = F(d, d') - m g, m = 1, d = -x.
std::vector<double> drop(double x, double v, double duration, double k, double e, double c, double weight) {
  return runge_kutta(
      [&](double, const std::vector<double>& y) {
        const double force = y[0] < 0 ? std::max(0.0, k * std::pow(-y[0], e) * (1 - c * y[1])) : 0;
        return std::vector<double>{y[1], force - weight};
      },
      0, {x, v}, duration, 20000);
}

// A long contact, damped: the trapezoidal rule keeps its order, and so do the others.
TEST(PenaltyContacts, PressedBallsKeepTheOrderOfTheScheme) {
  const double k = 4000, c = 0.5, time = 0.25;
  for (const double e : {1.0, 1.5})
    for (const Integrator integrator : {Integrator::trapezoidal, Integrator::hht, Integrator::generalized_alpha,
                                        Integrator::newmark, Integrator::backward_euler}) {
      SCOPED_TRACE(testing::Message() << word(integrator) << ", exponent " << e);
      const double depth = 1.6 * std::pow(g / k, 1 / e);
      Model model = slope(0);
      model.bodies.add("ball", ball(0.1, {{0, 0, 0.1 - depth}}));
      add_penalty(model, k, e).damping = c;
      const std::vector<double> exact = drop(-depth, 0, time, k, e, c, g);
      std::vector<MotionError> errors;
      for (const double h : {2e-3, 1e-3, 5e-4}) {
        const Trajectory run(model, tight(integrator, h, time));
        ASSERT_TRUE(run.report.ok()) << run.report.message;
        errors.push_back(
            {std::abs(position(run.state)[2] - 0.1 - exact[0]), std::abs(velocity(run.state)[2] - exact[1])});
        for (const State& state : run.states) EXPECT_LT(position(state)[2], 0.1);
      }
      const MotionError order = observed_order(errors);
      const double wanted = integrator == Integrator::backward_euler ? 1 : 2;
      EXPECT_NEAR(order.q, wanted, 0.25);
      EXPECT_NEAR(order.v, wanted, 0.25);
    }
}

// Impact, and away: what damping leaves of the velocity.
TEST(PenaltyContacts, BallsReboundAsTheirLawSays) {
  for (const double c : {0.0, 0.3}) {
    Model model = slope(0);
    model.loads = {};
    RigidBody body = ball(0.1, {{0, 0, 0.105}});
    body.velocity = {0, 0, -1};
    model.bodies.add("ball", body);
    add_penalty(model, 1e6, 1.5).damping = c;
    const Trajectory run(model, tight(Integrator::trapezoidal, 2e-5, 0.02));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const double wanted = drop(0.005, -1, 0.02, 1e6, 1.5, c, 0)[1];
    EXPECT_NEAR(velocity(run.state)[2], wanted, 1e-4);
    EXPECT_GT(wanted, 0.5);
    EXPECT_LT(run.report.energy.worst, 1e-6 * run.report.energy.size);
    // All work of contact is what damping took.
    EXPECT_NEAR(run.report.energy.contact, 0.5 * (wanted * wanted - 1), 1e-4);
  }
}

TEST(PenaltyContacts, BlocksSlideAsCoulombSays) {
  const double angle = 0.5, mu = 0.2;
  Model model = slope(angle);
  model.bodies.add("box", box(angle, {{0.2, 0.1, 0.1}}, -1e-4));
  Contact& contact = add_penalty(model, 3e4, 1.0, mu);
  contact.damping = 20;
  contact.tangential_stiffness = 2e4;
  const Trajectory run(model, tight(Integrator::trapezoidal, 1e-3, 0.5));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const State& middle = run.states[run.states.size() / 2];
  const double wanted = g * (std::sin(angle) - mu * std::cos(angle)) * (run.state.t - middle.t);
  EXPECT_NEAR(dot(velocity(run.state) - velocity(middle), down(angle)), wanted, 2e-3 * wanted);
}

// What sticks gives way by its tangential stiffness and no more, for good.
TEST(PenaltyContacts, BlocksStayWhereFrictionHoldsThem) {
  const double angle = 0.3, k = 2e4;
  Model model = slope(angle);
  model.bodies.add("box", box(angle, {{0.2, 0.1, 0.05}}, -g * std::cos(angle) / (4 * k)));
  Contact& contact = add_penalty(model, k, 1.0, 2 * std::tan(angle));
  contact.damping = 20;
  contact.tangential_stiffness = k;
  contact.tangential_damping = 5e-3;
  const Trajectory run(model, tight(Integrator::trapezoidal, 2e-3, 2));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const Vec3<double> moved = position(run.state) - position(run.states.front());
  const double give = g * std::sin(angle) / (4 * k);
  // The box tips a little: its weight hangs above its lower face.
  EXPECT_NEAR(dot(moved, down(angle)), give, 0.3 * give);
  const State& before = run.states[run.states.size() / 2];
  EXPECT_LT(norm(position(run.state) - position(before)), 1e-3 * give);
}

TEST(PenaltyContacts, BallsRollWithFiveSevenths) {
  const double angle = 0.2;
  Model model = slope(angle);
  model.bodies.add("ball", ball(0.2, (0.2 - g * std::cos(angle) / 1e6) * out(angle)));
  Contact& contact = add_penalty(model, 1e6, 1.0, 0.4);
  contact.tangential_stiffness = 1e6;
  contact.tangential_damping = 1e-3;
  const Trajectory run(model, tight(Integrator::trapezoidal, 1e-3, 0.5));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const double wanted = 5.0 / 7 * g * std::sin(angle) * run.state.t;
  EXPECT_NEAR(dot(velocity(run.state), down(angle)), wanted, 1e-3 * wanted);
}

// A box on a table that begins to turn goes with it, without creeping, and the table's drive does all the work.
TEST(PenaltyContacts, TurntablesTakeWhatLiesOnThemAlong) {
  const double k = 1e5, radius = 0.3, time = 1;
  Model model = slope(0);
  model.obstacles.find("slope")->angle = Signal::expression("t^2");
  RigidBody on_table = box(0, {{0.1, 0.1, 0.04}}, -g / (4 * k));
  on_table.position[0] = radius;
  model.bodies.add("box", on_table);
  Contact& contact = add_penalty(model, k, 1.0, 0.5);
  contact.tangential_stiffness = k;
  contact.tangential_damping = 5e-3;
  contact.damping = 20;
  const Trajectory run(model, tight(Integrator::trapezoidal, 1e-3, time));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const Vec3<double> at = position(run.state), along = velocity(run.state);
  const double give = (4 * radius + 2 * radius) / (4 * k);  // of the forces that hold it on its way
  EXPECT_NEAR(std::hypot(at[0], at[1]), radius, 3 * give);
  EXPECT_NEAR(std::atan2(at[1], at[0]), time * time, 3 * give / radius);
  EXPECT_NEAR(norm(along), 2 * time * radius, 1e-3);
  const EnergyBalance& energy = run.report.energy;
  EXPECT_NEAR(energy.drives, energy.kinetic, 2e-3 * energy.kinetic);
  EXPECT_LT(energy.worst, 1e-6 * energy.size);
}

// A block of rubber that falls onto another one, both held upright by nothing but contact and friction.
Model rubber(double friction) {
  Model model = slope(0);
  model.materials.add("rubber", Isotropic{1e6, 0.3, 1000, 0.002});
  for (int k = 0; k < 2; ++k) {
    Body body;
    body.element = ElementKind::hex8;
    body.material = "rubber";
    const double z = k == 0 ? 0 : 0.105, x = k == 0 ? 0 : 0.013;
    body.mesh = BlockMesh{{x, x, z}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.1}, {2, 2, 1}};
    model.bodies.add(k == 0 ? "lower" : "upper", body);
  }
  RigidBody on_top = ball(0.05, {{0.1, 0.11, 0.28}});
  on_top.velocity = {0.2, 0, -1};
  model.bodies.add("ball", on_top);
  Contact& contact = add_penalty(model, 1, 1.5, friction);
  contact.stiffness.reset();
  contact.damping = 0.5;
  Contact through = contact;
  through.between = OneOrMore<std::string>(std::vector<std::string>{"ball", "slope"});
  through.stiffness = 1e4;
  model.contacts.add("ball on the floor", through);
  return model;
}

TEST(PenaltyContacts, FlexibleBodiesComeToRestAndBalanceEnergy) {
  for (const double friction : {0.0, 0.4})
    for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
      SCOPED_TRACE(testing::Message() << "friction " << friction << ", " << word(treatment));
      Model model = rubber(friction);
      model.treatment = treatment;
      DynamicAnalysis options = tight(Integrator::hht, 5e-4, 0.15);
      options.tolerance = 1e-9;
      const Trajectory run(model, options);
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      EXPECT_LT(run.report.energy.worst, 0.02 * run.report.energy.size);
      EXPECT_LT(run.report.energy.contact, 0);
      EXPECT_GT(run.report.contacts.patterns, 0);
      EXPECT_EQ(run.report.rejected, 0);
    }
}

TEST(PenaltyContacts, ThreadsChangeNoBit) {
  const Model model = rubber(0.4);
  const DynamicAnalysis options = tight(Integrator::hht, 1e-3, 0.1);
  const Trajectory one(model, options);
  ASSERT_TRUE(one.report.ok()) << one.report.message;
  const Trajectory more(model, options, 3);
  EXPECT_EQ(one.state.q, more.state.q);
  EXPECT_EQ(one.state.v, more.state.v);
  ASSERT_EQ(one.state.slots.values.size(), more.state.slots.values.size());  // gaps of what is far are no numbers
  EXPECT_EQ(std::memcmp(one.state.slots.values.data(), more.state.slots.values.data(),
                        sizeof(double) * one.state.slots.values.size()),
            0);
}

// The stiffer, the nearer to the law of contact as it is: by a factor a times the stiffness, 1/a of what it gives way.
TEST(PenaltyContacts, StifferOnesComeToNonsmoothOnes) {
  const double angle = 0.5, mu = 0.2, time = 0.2;
  Model exact = slope(angle);
  const auto sliding = [&](double depth) {
    RigidBody body = box(angle, {{0.2, 0.1, 0.02}}, -depth);
    body.velocity = triple(down(angle));
    return body;
  };
  exact.bodies.add("box", sliding(0));
  Contact touch;
  touch.between = OneOrMore<std::string>(std::string("all"));
  touch.friction = mu;
  exact.contacts.add("touch", touch);
  exact.analysis = Analysis(DynamicAnalysis{});
  const DynamicAnalysis options = steps(1e-3, time);
  const Trajectory limit(exact, options);
  ASSERT_TRUE(limit.report.ok()) << limit.report.message;
  std::vector<double> miss;
  for (const double k : {1e3, 4e3, 1.6e4}) {
    Model model = exact;
    model.contacts = {};
    const double depth = g * std::cos(angle) / (4 * k);
    Contact& contact = add_penalty(model, k, 1.0, mu);
    contact.tangential_stiffness = k;
    contact.damping = 40;
    model.bodies = {};
    model.bodies.add("box", sliding(depth));
    const Trajectory run(model, tight(Integrator::trapezoidal, 1e-4, time));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    miss.push_back(norm(position(run.state) - position(limit.state)));
  }
  EXPECT_LT(miss.back(), 3e-4);
  for (std::size_t i = 1; i < miss.size(); ++i)
    EXPECT_NEAR(std::log(miss[i - 1] / miss[i]) / std::log(4.0), 1, 0.35) << miss[i];
}

// With a tangent at every iteration corrections shrink by their square.
TEST(PenaltyContacts, NewtonConvergesQuadratically) {
  Model model = rubber(0.4);
  DynamicAnalysis options = tight(Integrator::trapezoidal, 1e-3, 0.08);
  options.tangent_policy = TangentPolicy::every_iteration;
  model.tangent = TangentForm::exact;
  const Trajectory run(model, options);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  int pressed = 0;
  long long iterations = 0;
  for (const DynamicStep& step : run.steps)
    if (step.report.contacts > 0) {
      ++pressed;
      iterations += step.report.iterations;
    }
  EXPECT_GT(pressed, 20);
  EXPECT_LT(iterations, 5 * pressed);
}

// ---- statics ----

// A rigid box that a joint lets move up and down alone.
Model held_box(double k, double exponent) {
  Model model = slope(0);
  model.bodies.add("box", box(0, {{0.2, 0.1, 0.1}}, -1e-3));
  Prismatic joint;
  joint.a.body = "ground";
  joint.b.body = "box";
  joint.point = Triple{0, 0, 0.05};
  joint.axis = {0, 0, 1};
  model.joints.add("guide", joint);
  Contact& contact = add_penalty(model, k, exponent);
  contact.between = OneOrMore<std::string>(std::vector<std::string>{"box", "slope"});
  return model;
}

TEST(PenaltyContacts, BlocksSinkInByForceOverStiffness) {
  for (const double exponent : {1.0, 1.5, 2.0})
    for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
      SCOPED_TRACE(testing::Message() << exponent << ", " << word(treatment));
      const double k = 1e5;
      Model model = held_box(k, exponent);
      model.treatment = treatment;
      const Solved run(model);
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      const double depth = std::pow(g / (4 * k), 1 / exponent);
      EXPECT_NEAR(position(run.state)[2], 0.05 - depth, 1e-6 * depth);
      const double* sums = run.state.slots[contact_slot(run.system, run.state.slots, 0)];
      EXPECT_EQ(sums[ContactSums::points], 4);
      EXPECT_NEAR(sums[ContactSums::normal], g, 1e-6 * g);
      EXPECT_NEAR(sums[ContactSums::force + 2], g, 1e-6 * g);
      EXPECT_NEAR(sums[ContactSums::gap], -depth, 1e-6 * depth);
    }
}

// A block of two layers of rubber that is pressed and pushed: friction holds up to its limit, by its stiffness.
TEST(PenaltyContacts, FrictionHoldsInStatics) {
  const double k = 1e5, mu = 0.5, weight = 1000 * 0.2 * 0.2 * 0.1 * g;
  for (const double push : {0.9 * mu * weight, 1.1 * mu * weight}) {
    Model model = slope(0);
    model.materials.add("rubber", Isotropic{1e7, 0.3, 1000, 0});
    Body body;
    body.element = ElementKind::hex8;
    body.material = "rubber";
    body.mesh = BlockMesh{{0, 0, -2e-4}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.1}, {2, 2, 2}};
    model.bodies.add("block", body);
    for (int n = 0; n < 4; ++n) {
      PointForce force;
      force.at.body = "block";
      force.at.point = Triple{0.1, 0.1, 0.02};
      force.force = constant(0.25 * push, 0, 0);
      model.loads.add("push" + std::to_string(n), force);
    }
    Contact& contact = add_penalty(model, k, 1.0, mu);
    contact.between = OneOrMore<std::string>(std::vector<std::string>{"block", "slope"});
    contact.tangential_stiffness = k;
    const Solved run(model);
    EXPECT_EQ(run.report.ok(), push < mu * weight) << run.report.message;
    if (!run.report.ok()) continue;
    const double* sums = run.state.slots[contact_slot(run.system, run.state.slots, 0)];
    EXPECT_NEAR(sums[ContactSums::normal], weight, 1e-6 * weight);
    EXPECT_NEAR(sums[ContactSums::force], -push, 1e-6 * push);
  }
}

// A cantilever that comes to lie on a ball: both carry its load, whatever the load steps.
TEST(PenaltyContacts, CantileversComeToLieOnSupports) {
  double last = 0;
  for (const double step : {1.0, 0.13}) {
    Model model = cantilever(6, 0.02, 1, 2e9);
    model.loads.add("weight", PointForce{at("beam", "end"), constant(0, 0, -10)});
    Obstacle support;
    support.shape = SphereShape{0.1};
    support.position = {0.7, 0, -0.15};
    model.obstacles.add("support", support);
    add_penalty(model, 1e8, 1.5);
    StaticAnalysis options;
    options.first_step = options.largest_step = step;
    const Solved run(model, options);
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    const double* sums = run.state.slots[contact_slot(run.system, run.state.slots, 0)];
    EXPECT_GT(sums[ContactSums::normal], 4);
    const Triple root = run.reaction(0);
    EXPECT_NEAR(root[2] + sums[ContactSums::normal], 10, 0.1);  // the normal leans a little
    if (last > 0) {
      EXPECT_NEAR(sums[ContactSums::normal], last, 2e-3 * last);
    }
    last = sums[ContactSums::normal];
  }
}

}  // namespace
}  // namespace lithe::test

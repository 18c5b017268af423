// Planes of symmetry, pins and rollers.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/system/outputs.h"
#include "support/dynamics.h"
#include "support/messages.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

At at_point(const Triple& x) {
  At a;
  a.body = "strip";
  a.point = x;
  return a;
}

// A clamped body under a load that is its own mirror image, whole and by half.
TEST(SymmetryPlane, HalfABodyDoesAsTheWhole) {
  for (const ElementKind kind :
       {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843}) {
    Strip s = make_strip(kind, 0, 8);
    Strip half = make_strip(kind, 0, 4);
    Body& body = std::get<Body>(half.model.bodies.items[0].second);
    std::visit(
        [](auto& mesh) {
          if constexpr (requires { mesh.to; }) mesh.to = {0.25, 0, 0};
          else if constexpr (requires {
                               mesh.length;
                               mesh.corner;
                             })
            mesh.length = {0.25, 0, 0};
        },
        body.mesh);
    for (Strip* one : {&s, &half}) {
      one->model.constraints.add("root", Clamp{at("strip", one->start)});
      one->model.loads.add("weight", BodyForce{"strip", constant(0, 2e5, -1e6)});
    }
    s.model.constraints.add("end", Clamp{at("strip", s.end)});
    SymmetryPlane plane{at("strip", half.end)};
    plane.axis = Axis::x;
    half.model.constraints.add("plane", plane);
    const Solved whole(s.model), part(half.model);
    ASSERT_TRUE(whole.report.ok() && part.report.ok()) << whole.report.message << part.report.message;
    const At middle = at_point({0.25, 0, 0});
    const Triple a = whole.displacement(middle), b = part.displacement(middle);
    EXPECT_GT(std::abs(a[2]), 1e-4) << s.model.name;
    for (int m = 0; m < 3; ++m) EXPECT_NEAR(a[m], b[m], 1e-6 * std::abs(a[2])) << s.model.name;
  }
}

// Gradients that cross the plane at an angle, and nodes beside it.
TEST(SymmetryPlane, RefusesWhatIsNoMirrorImage) {
  Strip s = make_strip(ElementKind::beam3243);
  SymmetryPlane plane{at("strip", "end"), Triple{1, 0.2, 0}};
  s.model.constraints.add("plane", plane);
  EXPECT_NE(message_of<InputError>([&] { compile(s.model); }).find("neither in the plane nor normal to it"),
            std::string::npos);
  plane = {at("strip", "all"), Triple{1, 0, 0}};
  s.model.constraints.items[0].second = plane;
  EXPECT_NE(message_of<InputError>([&] { compile(s.model); }).find("off the plane"), std::string::npos);
  plane.axis = Axis::y;
  s.model.constraints.items[0].second = plane;
  EXPECT_NE(message_of<InputError>([&] { compile(s.model); }).find("one of them"), std::string::npos);
}

// A rigid body keeps to the plane and turns in it.
TEST(SymmetryPlane, LetsARigidBodyTurnInThePlane) {
  Model model;
  RigidBody body;
  body.mass = 2;
  body.inertia = std::vector<double>{0.3, 0.4, 0.5};
  body.angular_velocity = {0, 0, 2};
  model.bodies.add("block", body);
  At block;
  block.body = "block";
  SymmetryPlane plane{block};
  plane.axis = Axis::z;
  model.constraints.add("plane", plane);
  model.loads.add("push", PointForce{block, constant(3, 0, 100)});
  const Trajectory run(model, tight(Integrator::generalized_alpha, 1e-3, 0.5));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_NEAR(run.state.q[0], 0.5 * 3 / 2.0 * 0.25, 1e-6);
  EXPECT_NEAR(run.state.q[2], 0, 1e-12);
  EXPECT_NEAR(run.state.q[3], std::cos(1.0), 1e-5);  // its x axis
  EXPECT_NEAR(run.state.q[4], std::sin(1.0), 1e-5);
}

// F L^3 / 48 EI, half of the load on each side; the roller lets the end move along the beam.
TEST(Supports, PinAndRollerCarryABeam) {
  const double t = 0.01, EI = bending_stiffness(t), F = 0.01 * EI;
  Model model = cantilever(8, t);
  model.constraints = {};
  model.constraints.add("left", Pin{at("beam", "start")});
  model.constraints.add("right", Roller{at("beam", "end"), {0, 0, 2}});
  model.constraints.add("upright", Fix{at("beam", "end"), {Coordinate::position, Coordinate::z_gradient}, {{0, 1, 0}}});
  model.loads.add("middle", PointForce{at("beam", "middle"), constant(0, 0, -F)});
  model.loads.add("pull", PointForce{at("beam", "end"), constant(0.05, 0, 0)});
  model.outputs.add("left", ReactionOutput{"left"});
  model.outputs.add("right", ReactionOutput{"right"});
  Solved run(model);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_NEAR(run.displacement(at("beam", "middle"))[2], -F / (48 * EI), 2e-3 * F / (48 * EI));
  EXPECT_GT(std::abs(run.displacement(at("beam", "end"))[0]), 1e-9);
  const std::vector<double> v = channel_values(run.system, run.state, run.work);
  EXPECT_NEAR(v[0], -0.05, 1e-5);
  EXPECT_NEAR(v[2], F / 2, 1e-4 * F);
  EXPECT_NEAR(v[8], F / 2, 1e-4 * F);
  EXPECT_NEAR(v[4], 0, 1e-6 * F);  // free to turn
}

// A pin through a named point of a rigid body is a spherical joint with the ground, its reaction too.
TEST(Supports, PinHoldsAPointOfARigidBody) {
  std::vector<double> q[2], reaction[2];
  for (const int joint : {0, 1}) {
    Model model;
    RigidBody body;
    body.mass = 2;
    body.inertia = std::vector<double>{0.3, 0.4, 0.5};
    body.points.add("end", Triple{0.2, 0.1, -0.3});
    model.bodies.add("block", body);
    At ground;
    ground.body = "ground";
    if (joint) {
      model.joints.add("pin", Spherical{ground, at("block", "end"), {}});
      model.outputs.add("pin", JointOutput{"pin"});
    } else {
      model.constraints.add("pin", Pin{at("block", "end")});
      model.outputs.add("pin", ReactionOutput{"pin"});
    }
    model.loads.add("gravity", Gravity{});
    Trajectory run(model, tight(Integrator::generalized_alpha, 2e-3, 0.2));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    evaluate_internal(run.system, run.state, run.work);
    evaluate_external(run.system, run.state, run.work);
    q[joint] = run.state.q;
    reaction[joint] = channel_values(run.system, run.state, run.work);
  }
  for (std::size_t i = 0; i < q[0].size(); ++i) EXPECT_NEAR(q[0][i], q[1][i], 1e-9);
  EXPECT_GT(std::abs(reaction[0][2]), 5);
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(reaction[0][m], reaction[1][m], 1e-6);
}

}  // namespace
}  // namespace lithe::test

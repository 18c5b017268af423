// Rigid bodies, points and linkages: mass from shapes, kinetic energy, gravity, places, velocities at the start.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "lithe/elements/quadrature.h"
#include "lithe/system/mass.h"
#include "lithe/system/rigid.h"
#include "support/models.h"

namespace lithe {
namespace {

using test::at;
using test::at_node;
using test::constant;

Vec3<double> entry(const std::vector<double>& x, int vector) {
  return {{x[3ul * vector], x[3ul * vector + 1], x[3ul * vector + 2]}};
}

std::string error_of(const Model& model) {
  try {
    compile(model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Moments of a solid over a box grid of Gauss points: mass, first and second moments int x x^T.
struct Moments {
  double mass = 0;
  Vec3<double> first{};
  Mat3<double> second{};
};
// Over cylinder coordinates: inner to outer radius, half length along z that may depend on the radius.
Moments round_moments(double inner, double outer, const std::function<double(double)>& half_length, double density) {
  Moments result;
  const GaussRule rule = gauss_rule(24);
  const int around = 32;
  for (std::size_t i = 0; i < rule.x.size(); ++i)
    for (int k = 0; k < around; ++k)
      for (std::size_t j = 0; j < rule.x.size(); ++j) {
        // r = outer sin(s) smooths the rim of a ball.
        const double low = std::asin(inner / outer), high = M_PI / 2;
        const double s = 0.5 * (low + high) + 0.5 * (high - low) * rule.x[i], r = outer * std::sin(s);
        const double h = half_length(r), angle = 2 * M_PI * k / around;
        const Vec3<double> x{{r * std::cos(angle), r * std::sin(angle), h * rule.x[j]}};
        const double weight =
            density * rule.w[i] * 0.5 * (high - low) * outer * std::cos(s) * r * (2 * M_PI / around) * rule.w[j] * h;
        result.mass += weight;
        for (int a = 0; a < 3; ++a) {
          result.first[a] += weight * x[a];
          for (int b = 0; b < 3; ++b) result.second[a][b] += weight * x[a] * x[b];
        }
      }
  return result;
}

Model body_of(const RigidShape& shape, double density) {
  Model model;
  RigidBody body;
  body.shape = shape;
  body.density = density;
  model.bodies.add("body", body);
  return model;
}

// The compact mass matrix of the only batch.
Mat3<double> second_moments_of(const System& system) {
  const std::vector<double>& m = system.batches[0].mass;  // upper triangle of 4 x 4
  return {{{m[4], m[5], m[6]}, {m[5], m[7], m[8]}, {m[6], m[8], m[9]}}};
}

TEST(RigidBodies, MassAndInertiaOfShapesAgreeWithIntegration) {
  const double density = 2700;
  const struct {
    RigidShape shape;
    Moments moments;
  } cases[] = {
      {SphereShape{0.3}, round_moments(
                             0, 0.3, [](double r) { return std::sqrt(0.09 - r * r); }, density)},
      {CylinderShape{0.2, 0.7}, round_moments(
                                    0, 0.2, [](double) { return 0.35; }, density)},
      {TubeShape{0.15, 0.2, 0.7}, round_moments(
                                      0.15, 0.2, [](double) { return 0.35; }, density)},
  };
  for (const auto& c : cases) {
    const System system = compile(body_of(c.shape, density));
    EXPECT_NEAR(total_mass(system), c.moments.mass, 1e-10 * c.moments.mass);
    const Mat3<double> J = second_moments_of(system);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) EXPECT_NEAR(J[a][b], c.moments.second[a][b], 1e-10 * c.moments.second[0][0]);
    for (int k = 1; k < 4; ++k) EXPECT_EQ(system.batches[0].mass[k], 0);  // the origin is the centre
  }
  const System box = compile(body_of(BoxShape{{0.2, 0.5, 0.9}}, density));
  const double mass = density * 0.2 * 0.5 * 0.9;
  EXPECT_NEAR(total_mass(box), mass, 1e-12 * mass);
  const Mat3<double> J = second_moments_of(box);
  EXPECT_NEAR(J[0][0], mass * 0.04 / 12, 1e-12 * mass);
  EXPECT_NEAR(J[1][1], mass * 0.25 / 12, 1e-12 * mass);
  EXPECT_NEAR(J[2][2], mass * 0.81 / 12, 1e-12 * mass);
}

// A body with products of inertia, turned in space.
RigidBody general_body() {
  RigidBody body;
  body.position = {1, -2, 0.5};
  body.x_axis = Triple{1, 2, 0};
  body.y_axis = Triple{-1, 1, 3};
  body.mass = 4;
  body.inertia = {0.9, 0.7, 0.6, 0.05, -0.1, 0.08};
  return body;
}

TEST(RigidBodies, KineticEnergyIsHalfOmegaIOmega) {
  Model model;
  RigidBody body = general_body();
  body.velocity = {3, 1, -2};
  body.angular_velocity = {0.4, -0.7, 1.3};
  model.bodies.add("body", body);
  const System system = compile(model);
  for (int j = 1; j < 4; ++j)
    for (int k = 1; k < 4; ++k) EXPECT_NEAR(dot(entry(system.q0, j), entry(system.q0, k)), j == k, 1e-14);
  State state = system.initial_state();
  state.v = system.v0;
  const Vec3<double> omega{{0.4, -0.7, 1.3}};
  Vec3<double> w;  // in the body's frame
  for (int k = 0; k < 3; ++k) w[k] = dot(omega, entry(system.q0, 1 + k));
  const Mat3<double> I{{{0.9, 0.05, -0.1}, {0.05, 0.7, 0.08}, {-0.1, 0.08, 0.6}}};
  const double wanted = 0.5 * dot(w, I * w) + 0.5 * 4 * (9 + 1 + 4);
  EXPECT_NEAR(kinetic_energy(system, state), wanted, 1e-12 * wanted);
  // The same through the matrix.
  const MassMatrix mass(system);
  std::vector<double> p(state.v.size(), 0.0);
  mass.add_product(1, state.v, p);
  double twice = 0;
  for (std::size_t k = 0; k < p.size(); ++k) twice += p[k] * state.v[k];
  EXPECT_NEAR(0.5 * twice, wanted, 1e-12 * wanted);
}

TEST(RigidBodies, GravityActsAtTheCentreAlone) {
  Model model;
  model.bodies.add("body", general_body());
  model.bodies.add("ball", PointMass{3, {0, 0, 0}, {0, 0, 0}});
  Linkage linkage;
  linkage.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
  linkage.bars = {{0, 1}, {1, 2}};
  linkage.bar_masses = {2, 4};
  linkage.point_masses = {0, 0, 5};
  model.bodies.add("linkage", linkage);
  model.loads.add("gravity", Gravity{constant(0, 1, -10)});
  const System system = compile(model);
  Workspace work(system, 1);
  evaluate_external(system, system.initial_state(), work);
  const double wanted[] = {4, 0, 0, 0, 3, 1, 3, 7};  // kg on each vector
  for (int v = 0; v < 8; ++v) {
    EXPECT_NEAR(work.external[3 * v + 2], -10 * wanted[v], 1e-12);
    EXPECT_NEAR(work.external[3 * v + 1], wanted[v], 1e-12);
  }
  EXPECT_NEAR(total_mass(system), 18, 1e-12);
}

TEST(RigidBodies, ImpossibleInertiaNamesTheAxis) {
  Model model;
  RigidBody body;
  body.mass = 1;
  body.inertia = {0, 1, 1};  // a rod along x: no extent along y
  model.bodies.add("rod", body);
  EXPECT_EQ(error_of(model), "");
  auto& inertia = std::get<RigidBody>(model.bodies.items[0].second).inertia;
  inertia = {1, 1, 3};
  EXPECT_NE(error_of(model).find("-0.5 kg m^2 (= tr(I)/2 - I) along its z axis"), std::string::npos) << error_of(model);
  EXPECT_NE(error_of(model).find("less than the sum of the other two"), std::string::npos);
  inertia = {1, 1, 1, 0.9, 0, 0};  // every diagonal is fine, the direction (1, 1, 0) is not
  EXPECT_NE(error_of(model).find("-0.4 kg m^2"), std::string::npos) << error_of(model);
  EXPECT_NE(error_of(model).find("direction ("), std::string::npos);
  inertia = {1, 1, 1.99, 0, 0, 0};
  EXPECT_EQ(error_of(model), "");
}

TEST(RigidBodies, ThinOnesHaveTheirMassAndHardlyAnyExtentAcross) {
  const auto moments = [](const RigidBody& body) {
    Model model;
    model.bodies.add("body", body);
    return compile(model).batches[0].mass;  // m 0 0 0, Jxx Jxy Jxz, Jyy Jyz, Jzz
  };
  RigidBody rod;
  rod.mass = 3;
  rod.shape = CylinderShape{0, 2};
  const std::vector<double> thin = moments(rod);
  EXPECT_EQ(thin[0], 3);
  EXPECT_NEAR(thin[9], 3 * 4 / 12.0, 1e-12);
  for (const int k : {4, 7}) {
    EXPECT_GT(thin[k], 0);
    EXPECT_LE(thin[k], 1e-8);
  }
  RigidBody plate;
  plate.mass = 3;
  plate.shape = BoxShape{{2, 0, 1}};
  const std::vector<double> flat = moments(plate);
  EXPECT_NEAR(flat[4], 3 * 4 / 12.0, 1e-12);
  EXPECT_NEAR(flat[9], 3 * 1 / 12.0, 1e-12);
  EXPECT_LE(flat[7], 1e-8);
  // A plate whose normal is (1, 1, 0) of its frame: J = 1/2 [1 -1; -1 1] in x, y, and 1 in z.
  RigidBody tilted;
  tilted.mass = 1;
  tilted.inertia = {1.5, 1.5, 1, 0.5, 0, 0};
  const std::vector<double> J = moments(tilted);
  EXPECT_NEAR(J[4], 0.5, 1e-7);
  EXPECT_NEAR(J[5], -0.5, 1e-7);
  EXPECT_GT(J[4] + J[5], 1e-9);  // twice the extent along the normal
  RigidBody dense = plate;
  dense.mass.reset();
  dense.density = 1000;
  Model model;
  model.bodies.add("plate", dense);
  EXPECT_NE(error_of(model).find("give 'mass' instead of 'density'"), std::string::npos) << error_of(model);
}

TEST(RigidBodies, InertiaAboutAPointAndAxesByAQuaternion) {
  RigidBody body = general_body(), moved = body, turned = body;
  const double m = *body.mass, d[3] = {0.3, -0.2, 0.5};
  moved.inertia_point = Triple{d[0], d[1], d[2]};
  auto& I = *moved.inertia;
  I[0] += m * (d[1] * d[1] + d[2] * d[2]);
  I[1] += m * (d[0] * d[0] + d[2] * d[2]);
  I[2] += m * (d[0] * d[0] + d[1] * d[1]);
  I[3] -= m * d[0] * d[1];
  I[4] -= m * d[0] * d[2];
  I[5] -= m * d[1] * d[2];
  const double angle = 0.7, c = std::cos(angle / 2), s = std::sin(angle / 2);
  turned.x_axis.reset();
  turned.y_axis.reset();
  turned.orientation = {2 * c, 0, 0, 2 * s};  // about z; any length will do
  const auto compiled = [](const RigidBody& one) {
    Model model;
    model.bodies.add("body", one);
    return compile(model);
  };
  const System first = compiled(body), second = compiled(moved), third = compiled(turned);
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(first.batches[0].mass[k], second.batches[0].mass[k], 1e-12);
  const double wanted[9] = {std::cos(angle), std::sin(angle), 0, -std::sin(angle), std::cos(angle), 0, 0, 0, 1};
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(third.q0[3 + k], wanted[k], 1e-14);
  RigidBody both = turned;
  both.x_axis = Triple{1, 0, 0};
  Model model;
  model.bodies.add("body", both);
  EXPECT_NE(error_of(model).find("'orientation' gives the axes already"), std::string::npos) << error_of(model);
}

TEST(RigidBodies, PlacesAreNamedPointsCoordinatesAndTheCentre) {
  Model model;
  RigidBody body = general_body();
  body.points.add("lug", Triple{0.3, -0.2, 5});
  model.bodies.add("body", body);
  model.bodies.add("ball", PointMass{3, {0, 0, 7}, {0, 0, 0}});
  const System system = compile(model);
  const auto position = [&](const At& place) {
    const PointWeights p = system.resolve_point(place);
    Vec3<double> r{};
    for (std::size_t k = 0; k < p.vectors.size(); ++k) r = r + p.weights[k] * entry(system.q0, p.vectors[k]);
    return r;
  };
  const auto expect = [](const Vec3<double>& got, const Vec3<double>& wanted) {
    EXPECT_NEAR(norm(got - wanted), 0, 1e-12);
  };
  const Vec3<double> centre{{1, -2, 0.5}};
  expect(position(at("body", "")), centre);
  expect(position(at("body", "center")), centre);
  expect(position(at_node("body", 0)), centre);
  const Vec3<double> lug = centre + 0.3 * entry(system.q0, 1) - 0.2 * entry(system.q0, 2) + 5.0 * entry(system.q0, 3);
  expect(position(at("body", "lug")), lug);
  At somewhere = at("body", "");
  somewhere.point = Triple{7, 8, -9};  // any point may be fixed to a rigid body
  expect(position(somewhere), {{7, 8, -9}});
  At inside = at("body", "");
  inside.element = 0;
  inside.xi = Triple{0.3, -0.2, 5};  // body coordinates
  expect(position(inside), lug);
  expect(position(at("ball", "")), {{0, 0, 7}});
  expect(position(at("ball", "center")), {{0, 0, 7}});
  At off = at("ball", "");
  off.point = Triple{0, 0, 6};
  EXPECT_THROW(system.resolve_point(off), InputError);
  EXPECT_THROW(system.resolve_point(at("body", "lugg")), InputError);
}

TEST(RigidBodies, AThinBarHasTheMassMatrixOfItsEnds) {
  Model model;
  Linkage linkage;
  linkage.points = {{0, 0, 0}, {0.6, 0.8, 0}};
  linkage.bars = {{0, 1}};
  linkage.bar_mass = 6;
  model.bodies.add("bar", linkage);
  const System system = compile(model);
  EXPECT_EQ(system.batches[0].mass, (std::vector<double>{2, 1, 2}));
  // About its end at 3 rad/s: m l^2/3.
  State state = system.initial_state();
  state.v = {0, 0, 0, -3 * 0.8, 3 * 0.6, 0};
  EXPECT_NEAR(kinetic_energy(system, state), 0.5 * 6.0 / 3 * 9, 1e-12);
  // Its length is its one equation.
  ASSERT_EQ(system.rows.size(), 1u);
  Workspace work(system, 1);
  evaluate_constraints(system, state, work);
  EXPECT_NEAR(work.c[0], 0, 1e-15);
  linkage.bar_mass = 0;
  linkage.point_masses = {1, 0};
  Model massless;
  massless.bodies.add("bar", linkage);
  EXPECT_NE(error_of(massless).find("point 1 moves but has no mass"), std::string::npos) << error_of(massless);
  linkage.ground = {1};
  Model grounded;
  grounded.bodies.add("bar", linkage);
  EXPECT_EQ(error_of(grounded), "");
}

TEST(RigidBodies, ALinkageWithoutBarsIsPoints) {
  Model model;
  Linkage linkage;
  linkage.points = {{0, 0, 0}, {1, 0, 0}};
  linkage.point_masses = {1, 2};
  model.bodies.add("points", linkage);
  const System system = compile(model);
  EXPECT_EQ(system.map.size, 6);
  EXPECT_NEAR(total_mass(system), 3, 1e-15);
  EXPECT_EQ(system.resolve_point(at_node("points", 1)).vectors, (std::vector<int>{1}));
}

TEST(RigidBodies, AClampedBodyNeedsNoRigidityRows) {
  for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    Model model;
    model.bodies.add("body", general_body());
    model.bodies.add("free", general_body());
    model.constraints.add("hold", Clamp{at("body", "")});
    model.treatment = treatment;
    const System system = compile(model);
    EXPECT_EQ(system.row_count(), treatment == Treatment::lagrange ? 12 + 6 : 6);
    for (int r = 0; r < system.row_count(); ++r)
      EXPECT_GT(system.jacobian.row_start[r + 1], system.jacobian.row_start[r]) << "a row without unknowns";
  }
}

TEST(InitialVelocities, ExpressionsOfThePlaceAndRigidRotations) {
  for (Connect connect : {Connect::nodes, Connect::constraints}) {
    test::Strip strip = test::make_strip(ElementKind::beam3243);
    std::get<Body>(strip.model.bodies.items[0].second).connect = connect;
    InitialVelocity velocity;
    velocity.on = at("strip", "");
    velocity.velocity = {SpaceFunction(1), SpaceFunction::expression("-8*x"), SpaceFunction::expression("y+z")};
    strip.model.initial_velocities.add("sway", velocity);
    InitialVelocity turn;
    turn.on = at("strip", "all");
    turn.angular_velocity = {0, 0, 5};
    turn.center = {0.1, 0.2, 0};
    strip.model.initial_velocities.add("turn", turn);
    const System system = compile(strip.model);
    const BodyInfo& body = system.bodies[0];
    for (int n = 0; n < body.mesh.node_count(); ++n) {
      const Vec3<double> r = entry(system.q0, body.vector(n, 0)), omega{{0, 0, 5}};
      const Vec3<double> wanted = Vec3<double>{{1, -8 * r[0], 0}} + cross(omega, r - Vec3<double>{{0.1, 0.2, 0}});
      EXPECT_NEAR(norm(entry(system.v0, body.vector(n, 0)) - wanted), 0, 1e-13) << n;
      const Mat3<double> slope{{{0, 0, 0}, {-8, 0, 0}, {0, 1, 1}}};  // of the field
      for (int k = 1; k < 4; ++k) {
        const Vec3<double> g = entry(system.q0, body.vector(n, k));
        EXPECT_NEAR(norm(entry(system.v0, body.vector(n, k)) - (cross(omega, g) + slope * g)), 0, 1e-13);
      }
    }
  }
}

// A rigid rotation is the same whether it is given by its vector or as a field, on every kind of body; with
// gradient_rates: zero the gradients of the field rest.
TEST(InitialVelocities, AFieldTurnsTheGradientsToo) {
  for (ElementKind kind :
       {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843, ElementKind::rigid}) {
    Model base;
    if (kind == ElementKind::rigid) base.bodies.add("strip", general_body());
    else base = test::make_strip(kind).model;
    const auto velocities = [&](bool field, GradientRates rates) {
      Model model = base;
      InitialVelocity turn;
      turn.on = at("strip", "");
      turn.gradient_rates = rates;
      if (field)
        turn.velocity = {SpaceFunction::expression("-2*z-3*(y-0.1)"), SpaceFunction::expression("3*x-z"),
                         SpaceFunction::expression("1*(y-0.1)+2*x")};
      else turn.angular_velocity = {1, -2, 3};
      turn.center = {0, 0.1, 0};
      model.initial_velocities.add("turn", turn);
      return compile(model);
    };
    const System rotation = velocities(false, GradientRates::field), field = velocities(true, GradientRates::field),
                 resting = velocities(true, GradientRates::zero);
    const int vectors = element_info(kind).node_vectors;
    for (int v = 0; v < rotation.vectors(); ++v) {
      EXPECT_NEAR(norm(entry(field.v0, v) - entry(rotation.v0, v)), 0, 1e-13) << element_info(kind).name << " " << v;
      if (v % vectors == 0) {
        EXPECT_NEAR(norm(entry(resting.v0, v) - entry(rotation.v0, v)), 0, 1e-13);
      } else {
        EXPECT_EQ(norm(entry(resting.v0, v)), 0);
      }
    }
  }
}

TEST(InitialVelocities, AFieldWithoutADerivativeIsAnError) {
  test::Strip strip = test::make_strip(ElementKind::beam3243);
  InitialVelocity velocity;
  velocity.on = at("strip", "");
  velocity.velocity[2] = SpaceFunction::expression("sqrt(x)");
  strip.model.initial_velocities.add("root", velocity);
  try {
    compile(strip.model);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the derivative of 'sqrt(x)' along x is inf at (0, 0, 0)"),
              std::string::npos)
        << error.what();
  }
  strip.model.initial_velocities.items[0].second.gradient_rates = GradientRates::zero;
  EXPECT_NO_THROW(compile(strip.model));
}

TEST(InitialVelocities, ARotationIsThatOfEveryPointOfTheBody) {
  for (ElementKind kind : {ElementKind::cable, ElementKind::shell3443, ElementKind::hexa3843}) {
    test::Strip strip = test::make_strip(kind);
    InitialVelocity turn;
    turn.on = at("strip", "");
    turn.angular_velocity = {1, -2, 3};
    turn.center = {0, 0.1, 0};
    strip.model.initial_velocities.add("turn", turn);
    const System system = compile(strip.model);
    At middle = at("strip", "");
    middle.element = 2;
    middle.xi = Triple{0.3, kind == ElementKind::cable ? 0 : -0.7, kind == ElementKind::cable ? 0 : 0.4};
    const PointWeights p = system.resolve_point(middle);
    Vec3<double> r{}, v{};
    for (std::size_t k = 0; k < p.vectors.size(); ++k) {
      r = r + p.weights[k] * entry(system.q0, p.vectors[k]);
      v = v + p.weights[k] * entry(system.v0, p.vectors[k]);
    }
    EXPECT_NEAR(norm(v - cross(Vec3<double>{{1, -2, 3}}, r - Vec3<double>{{0, 0.1, 0}})), 0, 1e-13);
  }
}

TEST(InitialVelocities, AddToThoseOfTheBody) {
  Model model;
  RigidBody body = general_body();
  body.velocity = {1, 0, 0};
  body.angular_velocity = {0, 0, 2};
  model.bodies.add("body", body);
  model.bodies.add("ball", PointMass{1, {0, 0, 0}, {0, 3, 0}});
  InitialVelocity more;
  more.on = at("body", "");
  more.velocity = {SpaceFunction(0), SpaceFunction(4), SpaceFunction(0)};
  model.initial_velocities.add("more", more);
  const System system = compile(model);
  EXPECT_NEAR(norm(entry(system.v0, 0) - Vec3<double>{{1, 4, 0}}), 0, 1e-15);
  EXPECT_NEAR(norm(entry(system.v0, 1) - cross(Vec3<double>{{0, 0, 2}}, entry(system.q0, 1))), 0, 1e-15);
  EXPECT_NEAR(norm(entry(system.v0, 4) - Vec3<double>{{0, 3, 0}}), 0, 1e-15);
}

}  // namespace
}  // namespace lithe

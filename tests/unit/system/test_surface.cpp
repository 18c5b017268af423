// Surfaces: which faces a body has, their points, normals and weights, areas, and the pressure that uses them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "../allocation_counter.h"
#include "lithe/elements/quadrature.h"
#include "lithe/system/loads.h"
#include "support/joints.h"

namespace lithe {
namespace {

using std::numbers::pi;
using test::at;
using test::Motion6;
using Form = Face::Form;

// One body of each kind that has a boundary.
Model everything() {
  Model model;
  model.materials.add("steel", Isotropic{2e11, 0.3, 7800, 0});
  model.sections.add("flat", Rectangle{0.2, 0.1, {}});
  model.sections.add("sheet", Plate{0.05});
  model.sections.add("round", Circle{0.03});
  model.sections.add("wire", Bar{4e-4, 1e-9});
  const auto add = [&](const char* name, ElementKind kind, const char* section, const MeshSource& mesh) {
    Body body;
    body.element = kind;
    body.material = "steel";
    body.section = section;
    body.mesh = mesh;
    model.bodies.add(name, body);
  };
  add("block", ElementKind::hexa3843, "", BlockMesh{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 0.5}, {2, 3, 2}});
  add("slab", ElementKind::hexa3843, "sheet", PlateMesh{{0, 2, 0}, {2, 0, 0}, {0, 1, 0}, {2, 2}});
  add("shell", ElementKind::shell3443, "sheet", PlateMesh{{0, 4, 0}, {2, 0, 0}, {0, 1, 0}, {3, 2}});
  add("beam", ElementKind::beam3243, "flat", LineMesh{{0, 6, 0}, {2, 6, 0}, 4, {}});
  add("cable", ElementKind::cable, "round", LineMesh{{0, 7, 0}, {2, 7, 0}, 3, {}});
  add("wire", ElementKind::cable, "wire", LineMesh{{0, 8, 0}, {2, 8, 0}, 1, {}});
  const auto rigid = [&](const char* name, const RigidShape& shape, double y) {
    RigidBody body;
    body.position = {0, y, 0};
    body.x_axis = Triple{1, 1, 0.3};
    body.shape = shape;
    body.density = 1000;
    model.bodies.add(name, body);
  };
  rigid("box", BoxShape{{0.4, 0.6, 0.8}}, 10);
  rigid("sphere", SphereShape{0.5}, 12);
  rigid("cylinder", CylinderShape{0.3, 0.8}, 14);
  rigid("tube", TubeShape{0.2, 0.3, 0.8}, 16);
  RigidBody plain;
  plain.position = {0, 18, 0};
  plain.mass = 1;
  plain.inertia = std::vector<double>{1, 1, 1};
  model.bodies.add("plain", plain);
  model.bodies.add("dot", PointMass{1, {0, 20, 0}, {0, 0, 0}});
  return model;
}

int body_named(const System& system, const std::string& name) {
  return static_cast<int>(system.model.bodies.position(name));
}

double area(const System& system, const std::string& name, const std::vector<double>& q) {
  const GaussRule rule = gauss_rule(12);
  double sum = 0;
  for (const Face& face : system.surface.of(body_named(system, name)))
    for (std::size_t i = 0; i < rule.x.size(); ++i)
      for (std::size_t j = 0; j < rule.x.size(); ++j) {
        const SurfacePoint p = surface_point(system, face, {rule.x[i], rule.x[j]}, q);
        sum += rule.w[i] * rule.w[j] * norm(cross(p.slope[0], p.slope[1]));
      }
  return sum;
}

// Elements bent and sheared; rigid bodies stay so.
std::vector<double> disturbed(const System& system) {
  std::vector<double> q = system.q0;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  for (const BodyInfo& body : system.bodies)
    for (int n = 0; n < body.mesh.node_count(); ++n)
      for (int k = 0; k < body.node_vectors; ++k)
        for (int m = 0; m < 3 && body.kind->flexible; ++m) q[3ul * body.vector(n, k) + m] += uniform(random);
  return q;
}

// A few points of every face.
template <class Action>
void everywhere(const System& system, Action&& action) {
  for (const Face& face : system.surface.faces)
    for (const std::array<double, 2>& xi : {std::array{0.3, -0.7}, std::array{-0.9, 0.2}, std::array{0.0, 0.0}})
      action(face, xi);
}

TEST(Surface, HasTheBoundaryAndNothingElse) {
  const System system = compile(everything());
  const auto count = [&](const char* name) { return system.surface.of(body_named(system, name)).size(); };
  EXPECT_EQ(count("block"), 2u * (2 * 3 + 2 * 2 + 3 * 2));
  EXPECT_EQ(count("slab"), 2u * 4 + 8);
  EXPECT_EQ(count("shell"), 2u * 6 + 2 * (3 + 2));
  EXPECT_EQ(count("beam"), 4u * 4 + 2);
  EXPECT_EQ(count("cable"), 3u);
  EXPECT_EQ(count("box"), 6u);
  EXPECT_EQ(count("sphere"), 1u);
  EXPECT_EQ(count("cylinder"), 3u);
  EXPECT_EQ(count("tube"), 4u);
  EXPECT_EQ(count("plain"), 0u) << "mass and inertia have no shape";
  EXPECT_EQ(count("dot"), 0u);
  EXPECT_TRUE(is_boundary(system, body_named(system, "beam"), 0, 0, -1));
  EXPECT_FALSE(is_boundary(system, body_named(system, "beam"), 0, 0, 1));
}

TEST(Surface, OfElementsThatConstraintsJoinIsThatOfOneBody) {
  Model model = everything();
  for (auto& [name, body] : model.bodies.items)
    if (auto* flexible = std::get_if<Body>(&body)) flexible->connect = Connect::constraints;
  const System together = compile(everything()), apart = compile(model);
  EXPECT_EQ(apart.surface.first, together.surface.first);
}

TEST(Surface, HasTheAreaOfItsBody) {
  const System system = compile(everything());
  EXPECT_NEAR(area(system, "block", system.q0), 2 * (2 * 1 + 2 * 0.5 + 1 * 0.5), 1e-12);
  EXPECT_NEAR(area(system, "slab", system.q0), 2 * (2 * 1 + 2 * 0.05 + 1 * 0.05), 1e-12);
  EXPECT_NEAR(area(system, "shell", system.q0), 2 * (2 * 1 + 2 * 0.05 + 1 * 0.05), 1e-12);
  EXPECT_NEAR(area(system, "beam", system.q0), 2 * (2 * 0.2 + 2 * 0.1 + 0.2 * 0.1), 1e-12);
  EXPECT_NEAR(area(system, "box", system.q0), 2 * (0.24 + 0.32 + 0.48), 1e-12);
  EXPECT_NEAR(area(system, "sphere", system.q0), 4 * pi * 0.25, 1e-12);
  EXPECT_NEAR(area(system, "cylinder", system.q0), 2 * pi * 0.3 * (0.3 + 0.8), 1e-12);
  EXPECT_NEAR(area(system, "tube", system.q0), 2 * pi * (0.5 * 0.8 + 0.09 - 0.04), 1e-12);
}

TEST(Surface, PointsAreThoseOfTheBody) {
  const System system = compile(everything());
  const std::vector<double> q = disturbed(system);
  everywhere(system, [&](const Face& face, const std::array<double, 2>& xi) {
    const SurfacePoint p = surface_point(system, face, xi, q);
    At place;
    place.body = system.bodies[face.body].name;
    place.element = face.element;
    if (face.form == Form::side) {
      Triple natural{0, 0, 0};
      natural[face.axis] = face.at;
      natural[(face.axis + 1) % 3] = xi[0];
      natural[(face.axis + 2) % 3] = xi[1];
      place.xi = natural;
    } else if (face.form == Form::line) {
      place.xi = Triple{xi[0], 0, 0};
    } else {
      place.xi = Triple{p.weights[1], p.weights[2], p.weights[3]};  // in the body's frame
    }
    const PointWeights wanted = system.resolve_point(place);
    Vec3<double> r{}, sum{};
    for (std::size_t k = 0; k < wanted.vectors.size(); ++k)
      for (int m = 0; m < 3; ++m) r[m] += wanted.weights[k] * q[3ul * wanted.vectors[k] + m];
    for (int k = 0; k < p.count; ++k)
      for (int m = 0; m < 3; ++m) sum[m] += p.weights[k] * q[3ul * p.vectors[k] + m];
    EXPECT_LT(norm(p.position - r), 1e-14 * (1 + norm(r))) << place.body;
    EXPECT_EQ(norm(p.position - sum), 0) << place.body;
  });
}

TEST(Surface, ShapesAreWhereTheyShouldBe) {
  const System system = compile(everything());
  everywhere(system, [&](const Face& face, const std::array<double, 2>& xi) {
    if (face.form == Form::side || face.form == Form::line) return;
    const BodyInfo& body = system.bodies[face.body];
    const SurfacePoint p = surface_point(system, face, xi, system.q0);
    Vec3<double> x;  // in the body's frame
    for (int k = 0; k < 3; ++k) {
      x[k] = 0;
      for (int m = 0; m < 3; ++m)
        x[k] += system.q0[3ul * body.vector(0, 1 + k) + m] * (p.position[m] - system.q0[3ul * body.vector(0, 0) + m]);
    }
    const double r = std::hypot(x[0], x[1]);
    if (face.form == Form::sphere) {
      EXPECT_NEAR(norm(x), 0.5, 1e-14);
    } else if (face.form == Form::cylinder) {
      EXPECT_NEAR(r, face.at < 0 ? 0.2 : 0.3, 1e-14);
    } else if (face.form == Form::disc) {
      EXPECT_NEAR(std::abs(x[2]), 0.4, 1e-14);
      EXPECT_LE(r, 0.3);
      EXPECT_GE(r, body.name == "tube" ? 0.2 : 0.0);
    } else {
      EXPECT_NEAR(std::abs(x[face.axis]), 0.2 + 0.1 * face.axis, 1e-14);
    }
  });
  const SurfacePoint cable =
      surface_point(system, system.surface.of(body_named(system, "cable"))[0], {0, 0}, system.q0);
  EXPECT_EQ(cable.radius, 0.03);
  const SurfacePoint wire = surface_point(system, system.surface.of(body_named(system, "wire"))[0], {0, 0}, system.q0);
  EXPECT_NEAR(wire.radius, std::sqrt(4e-4 / pi), 1e-16) << "a circle of the section's area";
}

TEST(Surface, SlopesAreDerivativesAndNormalsStandOnThem) {
  const System system = compile(everything());
  const std::vector<double> q = disturbed(system);
  const double h = 1e-5;
  everywhere(system, [&](const Face& face, const std::array<double, 2>& xi) {
    const SurfacePoint p = surface_point(system, face, xi, q);
    const std::string& name = system.bodies[face.body].name;
    Vec3<double> slope[2];
    for (int d = 0; d < 2; ++d) {
      std::array<double, 2> up = xi, down = xi;
      up[d] += h;
      down[d] -= h;
      slope[d] =
          (0.5 / h) * (surface_point(system, face, up, q).position - surface_point(system, face, down, q).position);
      EXPECT_LT(norm(slope[d] - p.slope[d]), 1e-8) << name;
    }
    if (face.form == Form::line) {
      EXPECT_EQ(norm(p.normal), 0);
      return;
    }
    EXPECT_NEAR(norm(p.normal), 1, 1e-14) << name;
    EXPECT_NEAR(dot(p.normal, slope[0]), 0, 1e-8) << name;
    EXPECT_NEAR(dot(p.normal, slope[1]), 0, 1e-8) << name;
    Vec3<double> inside{};  // a step along the normal leaves the body: away from its middle, of a tube from its wall
    int nodes = 0;
    for (; nodes < system.bodies[face.body].mesh.node_count(); ++nodes)
      for (int m = 0; m < 3; ++m) inside[m] += q[3ul * system.bodies[face.body].vector(nodes, 0) + m];
    const double out = dot(p.normal, p.position - (1.0 / nodes) * inside);
    EXPECT_GT(face.form == Form::cylinder && face.at < 0 ? -out : out, 0) << name;
  });
}

TEST(Surface, WeightsFollowARigidMotion) {
  const System system = compile(everything());
  const std::vector<double> q = disturbed(system);
  const Motion6 motion =
      Motion6::turn({{0.1, 0.2, 0.3}}, unit(Vec3<double>{{1, -1, 2}}), 0.8) * Motion6::shift({{1, 2, 3}});
  const Vec3<double> omega{{0.4, -0.3, 0.9}}, velocity{{1, 0.5, -2}};
  std::vector<double> moved = q, v(q.size());
  for (const BodyInfo& body : system.bodies) {
    test::move(system, body.name, motion, moved);
    for (int n = 0; n < body.mesh.node_count(); ++n)
      for (int k = 0; k < body.node_vectors; ++k) {
        const std::size_t i = 3ul * body.vector(n, k);
        Vec3<double> rate = cross(omega, Vec3<double>{{moved[i], moved[i + 1], moved[i + 2]}});
        if (k == 0) rate = rate + velocity;
        for (int m = 0; m < 3; ++m) v[i + m] = rate[m];
      }
  }
  everywhere(system, [&](const Face& face, const std::array<double, 2>& xi) {
    const SurfacePoint before = surface_point(system, face, xi, q), after = surface_point(system, face, xi, moved);
    EXPECT_LT(norm(after.position - (motion.R * before.position + motion.t)), 1e-12);
    EXPECT_LT(norm(after.normal - motion.R * before.normal), 1e-12);
    Vec3<double> rate{};
    for (int k = 0; k < after.count; ++k)
      for (int m = 0; m < 3; ++m) rate[m] += after.weights[k] * v[3ul * after.vectors[k] + m];
    EXPECT_LT(norm(rate - (velocity + cross(omega, after.position))), 1e-12);
  });
}

// Forces and moments of a pressure are those of p n dA over the faces.
TEST(Surface, CarriesThePressure) {
  Model model = everything();
  model.loads.add("top", Pressure{at("shell", "top"), Signal(3.0)});
  model.loads.add("end", Pressure{at("block", "x_max"), Signal(5.0)});
  const System system = compile(model);
  State state = system.initial_state();
  state.q = disturbed(system);
  state.load_factor = 1;
  Workspace work(system, 1);
  evaluate_external(system, state, work);
  const GaussRule rule = gauss_rule(5);
  for (const auto& [name, axis, value] : {std::tuple{"shell", 2, 3.0}, {"block", 0, 5.0}}) {
    const BodyInfo& body = system.bodies[body_named(system, name)];
    Vec3<double> force{}, moment{}, wanted_force{}, wanted_moment{};
    for (int n = 0; n < body.mesh.node_count(); ++n)
      for (int k = 0; k < body.node_vectors; ++k) {
        const std::size_t i = 3ul * body.vector(n, k);
        const Vec3<double> f{{work.external[i], work.external[i + 1], work.external[i + 2]}};
        if (k == 0) force = force + f;
        moment = moment + cross(Vec3<double>{{state.q[i], state.q[i + 1], state.q[i + 2]}}, f);
      }
    for (const Face& face : system.surface.of(body_named(system, name))) {
      if (face.axis != axis || face.at != 1) continue;
      for (std::size_t i = 0; i < rule.x.size(); ++i)
        for (std::size_t j = 0; j < rule.x.size(); ++j) {
          const SurfacePoint p = surface_point(system, face, {rule.x[i], rule.x[j]}, state.q);
          const double share = value * rule.w[i] * rule.w[j] * norm(cross(p.slope[0], p.slope[1]));
          wanted_force = wanted_force - share * p.normal;
          wanted_moment = wanted_moment - share * cross(p.position, p.normal);
        }
    }
    EXPECT_GT(norm(wanted_force), 1);
    EXPECT_LT(norm(force - wanted_force), 1e-12 * norm(wanted_force)) << name;
    EXPECT_LT(norm(moment - wanted_moment), 1e-12 * norm(wanted_moment)) << name;
  }
}

TEST(Surface, PointsTakeNoMemory) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP() << "a sanitizer owns malloc in this build";
  const System system = compile(everything());
  const fixtures::AllocationCounter counter;
  double sum = 0;
  everywhere(system, [&](const Face& face, const std::array<double, 2>& xi) {
    sum += surface_point(system, face, xi, system.q0).position[0];
  });
  EXPECT_EQ(counter.taken(), 0);
  EXPECT_NE(sum, 0);
}

}  // namespace
}  // namespace lithe

// Every kind of flexible body upon a plane and upon another of its kind, and boxes at rest, whatever their sides are
// cut into.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "lithe/system/contact_surfaces.h"
#include "support/dynamics.h"

namespace lithe::test {
namespace {

constexpr double g = 9.81;

Model floor_and_gravity(double friction) {
  Model model;
  Obstacle plane;
  plane.shape = PlaneShape{};
  model.obstacles.add("floor", plane);
  model.loads.add("gravity", Gravity{constant(0, 0, -g)});
  Contact contact;
  contact.between = OneOrMore<std::string>(std::string("all"));
  contact.friction = friction;
  model.contacts.add("touch", contact);
  model.analysis = Analysis(DynamicAnalysis{});
  return model;
}

// Of the corners of a surface that are near the middle.
double lowest(const ContactSurfaces& surfaces, const State& state, int surface) {
  ContactScene scene = surfaces.topology();
  surfaces.place(state.q, state.v, state.t, 0, scene);
  const SceneSurface& of = scene.surface[surface];
  double z = 1e9;
  for (int c = of.first_corner; c < of.first_corner + of.corners; ++c) {
    const Vec3<double>& x = scene.corner[c];
    if (std::abs(x[0]) < 0.07 && std::abs(x[1]) < 0.07) z = std::min(z, x[2] - of.radius);
  }
  return z;
}

class ContactKinds : public testing::TestWithParam<ElementKind> {};

// Two of them, 0.4 m long and soft, crosswise: the lower one falls 2 mm to the floor, the upper one upon it.
TEST_P(ContactKinds, FallOnAPlaneAndOnEachOther) {
  const ElementKind kind = GetParam();
  Model model = floor_and_gravity(0.4);
  model.materials.add("rubber", Isotropic{2e6, 0.3, 1000, 0});
  const double thickness = 0.04, gap = 0.002;
  for (int k = 0; k < 2; ++k) {
    Body body;
    body.element = kind;
    body.material = "rubber";
    body.eta = 2e-3;
    const double z = k * (thickness + gap) + gap, half = thickness / 2;
    const Triple along = k ? Triple{0, 0.4, 0} : Triple{0.4, 0, 0}, across = k ? Triple{-0.1, 0, 0} : Triple{0, 0.1, 0};
    const Triple corner = k ? Triple{0.05, -0.2, z} : Triple{-0.2, -0.05, z};
    const Triple from = k ? Triple{0.003, -0.2, z + half} : Triple{-0.2, 0.002, z + half};
    const Triple to = k ? Triple{0.003, 0.2, z + half} : Triple{0.2, 0.002, z + half};
    if (kind == ElementKind::cable) {
      if (k == 0) model.sections.add("section", Circle{half});
      body.section = "section";
      body.mesh = LineMesh{from, to, 3, {}};
    } else if (kind == ElementKind::beam3243) {
      if (k == 0) model.sections.add("section", Rectangle{0.1, thickness, {}});
      body.section = "section";
      body.mesh = LineMesh{from, to, 3, {}};
    } else if (kind == ElementKind::shell3443) {
      if (k == 0) model.sections.add("section", Plate{thickness});
      body.section = "section";
      body.mesh = PlateMesh{{corner[0], corner[1], z + half}, along, across, {3, 1}};
    } else {
      body.mesh = BlockMesh{corner, along, across, {0, 0, thickness}, {3, 1, 1}};
    }
    model.bodies.add("body" + std::to_string(k), body);
  }
  const Trajectory run(model, steps(1e-3, 0.05));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const ContactSurfaces& surfaces = *run.system.contact_surfaces;
  for (const State& state : run.states) {
    EXPECT_GT(lowest(surfaces, state, 0), -5e-3 * thickness) << state.t;  // 0.2 m/s for a step
    EXPECT_GT(lowest(surfaces, state, 1), 0.9 * thickness) << state.t;
  }
  // They have come down and carry each other.
  EXPECT_LT(lowest(surfaces, run.state, 0), 0.2 * gap);
  EXPECT_LT(lowest(surfaces, run.state, 1), thickness + gap);
  EXPECT_GT(run.state.slots[contact_slot(run.system, run.state.slots, 0)][ContactSums::points], 3);
}

INSTANTIATE_TEST_SUITE_P(All, ContactKinds,
                         testing::Values(ElementKind::hex8, ElementKind::tet4, ElementKind::tet10,
                                         ElementKind::hexa3843, ElementKind::shell3443, ElementKind::beam3243,
                                         ElementKind::cable),
                         [](const auto& one) { return std::string(element_info(one.param).name); });

// Cut into many triangles that lie upon many others: no corner and no inner edge of them moves it. And what rests is
// found at once: impulses are remembered.
TEST(ContactRest, BoxesOfTrianglesDoNotShake) {
  for (const double size : {0.1, 1.0}) {
    SCOPED_TRACE(size);
    Model model = floor_and_gravity(0.5);
    model.materials.add("stone", Isotropic{1e9, 0.2, 2000, 0});
    for (int k = 0; k < 3; ++k) {
      Body box;
      box.element = k == 1 ? ElementKind::tet4 : ElementKind::hex8;
      box.material = "stone";
      box.kinematics = Kinematics::rigid;
      const double low = -0.5 * size + 0.07 * size * k;
      box.mesh = BlockMesh{{low, low, size * k}, {size, 0, 0}, {0, size, 0}, {0, 0, size}, {3 + k, 4 - k, 1}};
      model.bodies.add("box" + std::to_string(k), box);
    }
    const Trajectory run(model, steps(0.005 * std::sqrt(size), 1.0 * std::sqrt(size)));
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    for (const State& state : run.states) EXPECT_LT(largest_difference(state.q, run.states.front().q), 1e-9) << state.t;
    long long last = 0;
    for (std::size_t i = run.steps.size() - 20; i < run.steps.size(); ++i)
      last = std::max<long long>(last, run.steps[i].report.contact_iterations);
    EXPECT_LE(last, 30);
  }
}

TEST(ContactRest, ACubeTakesFewSweeps) {
  Model model = floor_and_gravity(0.5);
  RigidBody box;
  box.shape = BoxShape{{1, 1, 1}};
  box.density = 1000;
  box.position = {0, 0, 0.5};
  model.bodies.add("box", box);
  const Trajectory run(model, steps(0.005, 0.5));
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  EXPECT_LE(run.report.contacts.iterations, 3 * static_cast<long long>(run.steps.size()));
  EXPECT_LT(largest_difference(run.state.q, run.states.front().q), 1e-12);
}

}  // namespace
}  // namespace lithe::test

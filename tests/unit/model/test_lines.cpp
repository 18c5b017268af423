// Lines that are longer or shorter than they are placed, and sections that turn along them.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/base/small.h"
#include "lithe/constraints/part_view.h"
#include "lithe/model/line_shape.h"
#include "lithe/model/mesh.h"
#include "lithe/model/validate.h"
#include "support/messages.h"

namespace lithe {
namespace {

using Vector = Vec3<double>;

Model with(ElementKind kind, MeshSource mesh, Connect connect = Connect::nodes) {
  Model model;
  model.materials.add("steel", Isotropic{.E = 2e11, .nu = 0.3, .density = 7850, .damping = 0});
  model.sections.add("strip", Rectangle{.width = 0.02, .thickness = 0.01, .shear_factors = {}});
  model.sections.add("wire", Bar{1e-4, 1e-9});
  Body body;
  body.element = kind;
  body.material = "steel";
  body.section = kind == ElementKind::cable ? "wire" : "strip";
  body.mesh = std::move(mesh);
  body.connect = connect;
  model.bodies.add("it", body, {"m.yaml", 12, "bodies.it"});
  return model;
}
std::string refusal(const Model& model) {
  return message_of<InputError>([&] {
    Reading reading;
    validate(model, reading);
  });
}
Vector vector(const Mesh& mesh, int node, int k) {
  const double* p = mesh.vector(node, k);
  return {{p[0], p[1], p[2]}};
}
Vector free_vector(const Mesh& mesh, int node, int k) {
  const double* p = mesh.free_node(node) + 3 * k;
  return {{p[0], p[1], p[2]}};
}
void expect_vector(const Vector& got, const Vector& wanted, double tolerance = 1e-14) {
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(got[m], wanted[m], tolerance) << "component " << m;
}
LineMesh line(std::optional<double> unstretched, int elements = 8) {
  return {.from = {1, 2, 3},
          .to = {4, 2, 7},
          .elements = elements,
          .width_direction = {},
          .unstretched_length = unstretched};
}
// Length of the cubic curves through the nodes.
double curve_length(const Mesh& mesh) {
  double sum = 0;
  const double h = mesh.size[0];
  for (int e = 0; e + 1 < mesh.node_count(); ++e)
    for (int i = 0; i < 100; ++i) {
      const LineSlopes slopes((i + 0.5) / 100 * h, h);
      Vector t{};
      for (int k = 0; k < 4; ++k) t = t + slopes.first[k] * vector(mesh, e + k / 2, k % 2);
      sum += norm(t) * h / 100;
    }
  return sum;
}

TEST(UnstretchedLength, AShorterLineStartsStretchedWhereItIsPlaced) {
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243}) {
    const Mesh mesh = make_mesh(with(kind, line(4.0)), "it");
    const Vector along{{0.6, 0, 0.8}};
    EXPECT_DOUBLE_EQ(mesh.size[0], 0.5);
    for (int n = 0; n <= 8; ++n) {
      expect_vector(vector(mesh, n, 0), Vector{{1, 2, 3}} + (5.0 * n / 8) * along);
      expect_vector(vector(mesh, n, 1), 1.25 * along);
      expect_vector(free_vector(mesh, n, 0), Vector{{1, 2, 3}} + (4.0 * n / 8) * along);
      expect_vector(free_vector(mesh, n, 1), along);
      if (kind == ElementKind::cable) continue;
      expect_vector(vector(mesh, n, 2), free_vector(mesh, n, 2));
      EXPECT_NEAR(norm(vector(mesh, n, 3)), 1, 1e-14);
    }
  }
}

TEST(UnstretchedLength, WithoutItNothingIsFreeElsewhere) {
  const Mesh mesh = make_mesh(with(ElementKind::beam3243, line({})), "it");
  EXPECT_TRUE(mesh.free_nodes.empty());
  expect_vector(free_vector(mesh, 3, 0), vector(mesh, 3, 0), 0);
}

TEST(UnstretchedLength, ALongerCableHangsInItsCatenary) {
  for (const double length : {5.0001, 5.5, 9.0}) {
    SCOPED_TRACE(length);
    Model model = with(ElementKind::cable, line(length, 40));
    model.loads.add("weight", Gravity{{Signal(0), Signal(-9.81), Signal(0)}});
    const Mesh mesh = make_mesh(model, "it");
    expect_vector(vector(mesh, 0, 0), {{1, 2, 3}}, 0);
    expect_vector(vector(mesh, 40, 0), {{4, 2, 7}}, 0);
    EXPECT_NEAR(curve_length(mesh), length, 1e-4 * length);
    // y'' = cosh: the horizontal share of the tension is the same everywhere, and the weight is what changes the rest.
    const auto slope = [&](int n) {
      const Vector t = vector(mesh, n, 1);
      EXPECT_NEAR(norm(t), 1, 1e-4);  // stretched by its weight
      EXPECT_NEAR(t[0] * 0.8 - t[2] * 0.6, 0, 1e-12) << "in the plane of gravity";
      return t[1] / (0.6 * t[0] + 0.8 * t[2]);
    };
    const double first = slope(1) - slope(0);
    EXPECT_GT(first, 0);
    for (int n = 1; n < 40; ++n) EXPECT_NEAR(slope(n + 1) - slope(n), first, 1e-9 * (1 + slope(40)));
  }
}

TEST(UnstretchedLength, ACableBetweenPointsAboveEachOtherStartsOnAnArc) {
  LineMesh upright{.from = {0, 0, 0}, .to = {0, 0, 1}, .elements = 30, .width_direction = {}, .unstretched_length = 2};
  const Mesh mesh = make_mesh(with(ElementKind::cable, upright), "it");
  EXPECT_NEAR(curve_length(mesh), 2, 1e-4);
  expect_vector(vector(mesh, 30, 0), {{0, 0, 1}}, 1e-12);
  const Vector bend = vector(mesh, 1, 1) - vector(mesh, 0, 1);
  for (int n = 1; n < 30; ++n)
    EXPECT_NEAR(norm(vector(mesh, n + 1, 1) - vector(mesh, n, 1)), norm(bend), 1e-12) << "curved evenly";
}

TEST(UnstretchedLength, ALongerBeamBowsAndKeepsTheDirectionsOfItsEnds) {
  const Mesh mesh = make_mesh(with(ElementKind::beam3243, line(6.0, 24)), "it");
  const Vector along{{0.6, 0, 0.8}};
  EXPECT_NEAR(curve_length(mesh), 6, 1e-4);
  expect_vector(vector(mesh, 0, 1), along);
  expect_vector(vector(mesh, 24, 1), along);
  expect_vector(vector(mesh, 24, 0), {{4, 2, 7}}, 1e-12);
  expect_vector(vector(mesh, 23, 0) - vector(mesh, 24, 0), Vector{{4, 2, 7}} - Vector{{4, 2, 7}}, 0.26);
  EXPECT_LT(vector(mesh, 12, 0)[2], 5 - 0.5) << "down, where there is no gravity against z";
  for (int n = 0; n <= 24; ++n) {
    const Vector x = vector(mesh, n, 1), y = vector(mesh, n, 2), z = vector(mesh, n, 3);
    EXPECT_NEAR(norm(x), 1, 1e-12);
    expect_vector(cross(x, y), z, 1e-12);
    expect_vector(free_vector(mesh, n, 0), Vector{{1, 2, 3}} + (6.0 * n / 24) * along, 1e-12);
  }
}

TEST(UnstretchedLength, OfAnArcKeepsItsAngle) {
  ArcMesh arc{.center = {0, 0, 0},
              .normal = {0, 0, 1},
              .start = {1, 0, 0},
              .radius = 2,
              .angle = 90,
              .twist = 0,
              .elements = 6};
  arc.unstretched_length = 3;
  const Mesh mesh = make_mesh(with(ElementKind::beam3243, arc), "it");
  EXPECT_DOUBLE_EQ(mesh.size[0], 0.5);
  for (int n = 0; n <= 6; ++n) {
    EXPECT_NEAR(norm(vector(mesh, n, 0)), 2, 1e-14);
    EXPECT_NEAR(norm(vector(mesh, n, 1)), M_PI / 3, 1e-14);
    EXPECT_NEAR(norm(free_vector(mesh, n, 0)), 6 / M_PI, 1e-14);
    EXPECT_NEAR(norm(free_vector(mesh, n, 1)), 1, 1e-14);
  }
}

TEST(UnstretchedLength, ElementsOfTheirOwnTakeItAlong) {
  const Mesh mesh = make_mesh(with(ElementKind::beam3243, line(4.0), Connect::constraints), "it");
  ASSERT_EQ(mesh.node_count(), 16);
  ASSERT_EQ(mesh.free_nodes.size(), mesh.nodes.size());
  for (const MeshTie& tie : mesh.ties)
    for (int k = 0; k < 4; ++k) expect_vector(free_vector(mesh, tie.a, k), free_vector(mesh, tie.b, k), 0);
}

TEST(UnstretchedLength, Refuses) {
  EXPECT_NE(refusal(with(ElementKind::cable, line(2.0))).find("5 m long where it is placed, 2.5 times as much"),
            std::string::npos);
  EXPECT_NE(refusal(with(ElementKind::cable, line(600.0))).find("more than 100 times the distance"), std::string::npos);
  EXPECT_NE(refusal(with(ElementKind::cable, line(6.0, 3))).find("at least 4 elements"), std::string::npos);
  ArcMesh arc{.center = {0, 0, 0},
              .normal = {0, 0, 1},
              .start = {1, 0, 0},
              .radius = 2,
              .angle = 90,
              .twist = 0,
              .elements = 6};
  arc.unstretched_length = 7;
  EXPECT_NE(refusal(with(ElementKind::beam3243, arc)).find("at least 0.5 times"), std::string::npos);
}

TEST(Twist, TurnsTheSectionRightHandedAboutTheLine) {
  LineMesh strip{.from = {0, 0, 0}, .to = {2, 0, 0}, .elements = 4, .width_direction = {}, .twist = {30, 90}};
  const Mesh mesh = make_mesh(with(ElementKind::beam3243, strip), "it");
  for (int n = 0; n <= 4; ++n) {
    const double angle = (30 + 15.0 * n) * M_PI / 180;
    expect_vector(vector(mesh, n, 1), {{1, 0, 0}});
    expect_vector(vector(mesh, n, 2), {{0, std::cos(angle), std::sin(angle)}});
    expect_vector(vector(mesh, n, 3), {{0, -std::sin(angle), std::cos(angle)}});
  }
}

TEST(Twist, Refuses) {
  LineMesh strip{.from = {0, 0, 0}, .to = {2, 0, 0}, .elements = 2, .width_direction = {}, .twist = {0, 180}};
  EXPECT_NE(refusal(with(ElementKind::beam3243, strip)).find("90 deg an element, but it must be less than 90"),
            std::string::npos);
  strip.twist = {0, 90};
  EXPECT_NE(refusal(with(ElementKind::cable, strip)).find("a cable has no section that could be turned"),
            std::string::npos);
}

}  // namespace
}  // namespace lithe

// Every generator: numbers of nodes and elements, lengths, gradients, orientation, names, shared nodes, refusals.
// Over 500 lines: a block for each generator, over the same measures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "lithe/base/small.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/model/mesh.h"
#include "lithe/model/validate.h"
#include "support/messages.h"

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;
using Vector = Vec3<double>;

Model with(AnyBody body) {
  Model model;
  model.materials.add("steel", Isotropic{.E = 2e11, .nu = 0.3, .density = 7850, .damping = 0});
  model.sections.add("strip", Rectangle{.width = 0.02, .thickness = 0.01, .shear_factors = {}});
  model.sections.add("round", Circle{0.01});
  model.sections.add("sheet", Plate{0.005});
  model.sections.add("laminate", Layered{{{0.001, 0, ""}, {0.002, 45, ""}}});
  model.bodies.add("it", std::move(body), {"m.yaml", 12, "bodies.it"});
  return model;
}
Body flexible(ElementKind kind, MeshSource mesh, const char* section) {
  Body body;
  body.element = kind;
  body.material = "steel";
  body.mesh = std::move(mesh);
  body.section = section;
  return body;
}
Mesh made(AnyBody body) { return make_mesh(with(std::move(body)), "it"); }
std::string refusal(const Model& model) {
  return message_of<InputError>([&] {
    Reading reading;
    validate(model, reading);
  });
}
std::string refusal(AnyBody body) { return refusal(with(std::move(body))); }

int nodes_per_element(const Mesh& mesh) { return int(mesh.elements.size() / (mesh.size.size() / 3)); }
int element_count(const Mesh& mesh) { return int(mesh.size.size() / 3); }
Vector vector(const Mesh& mesh, int node, int k) {  // k: 0 position, 1..3 gradients
  const double* p = mesh.vector(node, k);
  return {{p[0], p[1], p[2]}};
}
void expect_vector(const Vector& got, const Vector& wanted, double tolerance = 1e-14) {
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(got[m], wanted[m], tolerance) << "component " << m;
}

// Volume of the reference configuration by the element's own shape functions and default quadrature.
double volume(const Mesh& mesh, ElementKind kind) {
  return with_kind(kind, [&](auto k) {
    using Kind = decltype(k);
    constexpr int N = Kind::N;
    double sum = 0;
    for (int e = 0; e < element_count(mesh); ++e) {
      const double* size = &mesh.size[3ul * e];
      const double half[3] = {size[0] / 2, size[1] / 2, size[2] / 2};
      // Three Gauss points in each direction.
      const double x[3] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, w[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int l = 0; l < 3; ++l) {
            const double xi[3] = {x[i], x[j], x[l]};
            double dS[N][3];
            Kind::derivative(xi, dS);
            Mat3<double> J{};
            for (int v = 0; v < N; ++v) {
              const int node = mesh.elements[std::size_t(e) * (N / 4) + v / 4];
              const Vector r = vector(mesh, node, v % 4);
              const double scale = v % 4 == 0 ? 1 : half[v % 4 - 1];
              for (int m = 0; m < 3; ++m)
                for (int a = 0; a < 3; ++a) J[m][a] += scale * dS[v][a] * r[m];
            }
            EXPECT_GT(det(J), 0) << "element " << e << " is inside out";
            sum += w[i] * w[j] * w[l] * det(J);
          }
    }
    return sum;
  });
}

// Nodes that two elements have in common.
int shared(const Mesh& mesh, int a, int b) {
  const int n = nodes_per_element(mesh);
  const std::set<int> first(mesh.elements.begin() + std::ptrdiff_t(n) * a,
                            mesh.elements.begin() + std::ptrdiff_t(n) * (a + 1));
  return int(std::count_if(mesh.elements.begin() + std::ptrdiff_t(n) * b,
                           mesh.elements.begin() + std::ptrdiff_t(n) * (b + 1),
                           [&](int node) { return first.count(node) > 0; }));
}

// Where a named point of a mesh of unit gradients lies: linear in xi between the nodes of its element.
Vector corner_mean(const Mesh& mesh, const MaterialPoint& at) {
  const int n = nodes_per_element(mesh);
  static const int sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  const int axes = n == 2 ? 1 : n == 4 ? 2 : 3;
  Vector r{{0, 0, 0}};
  for (int i = 0; i < n; ++i) {
    double weight = 1;
    for (int d = 0; d < axes; ++d) weight *= 0.5 * (1 + sign[i][d] * at.xi[d]);
    r = r + weight * vector(mesh, mesh.elements[std::size_t(n) * at.element + i], 0);
  }
  return r;
}

const LineMesh line{.from = {1, 2, 3}, .to = {1, 5, 7}, .elements = 5, .width_direction = {}};

TEST(LineMesh, NodesLieEvenlyAndGradientsFormTheSection) {
  const Mesh mesh = made(flexible(ElementKind::beam3243, line, "strip"));
  ASSERT_EQ(mesh.node_count(), 6);
  ASSERT_EQ(element_count(mesh), 5);
  for (int n = 0; n < 6; ++n) {
    expect_vector(vector(mesh, n, 0), {{1, 2 + 0.6 * n, 3 + 0.8 * n}});
    expect_vector(vector(mesh, n, 1), {{0, 0.6, 0.8}});
    expect_vector(vector(mesh, n, 2), {{-1, 0, 0}});  // horizontal
    expect_vector(vector(mesh, n, 3), cross(vector(mesh, n, 1), vector(mesh, n, 2)));
  }
  for (int e = 0; e < 5; ++e) {
    EXPECT_EQ(mesh.elements[2 * e], e);
    EXPECT_EQ(mesh.elements[2 * e + 1], e + 1);
    EXPECT_DOUBLE_EQ(mesh.size[3 * e], 1);
    EXPECT_EQ(mesh.size[3 * e + 1], 0.02);
    EXPECT_EQ(mesh.size[3 * e + 2], 0.01);
  }
  EXPECT_NEAR(volume(mesh, ElementKind::beam3243), 5 * 0.02 * 0.01, 1e-15);
}

TEST(LineMesh, WidthFollowsItsDirection) {
  LineMesh upright{.from = {0, 0, 0}, .to = {0, 0, 2}, .elements = 1, .width_direction = {}};
  expect_vector(vector(made(flexible(ElementKind::beam3243, upright, "strip")), 0, 2), {{0, 1, 0}});
  upright.width_direction = Triple{3, 0, 4};  // made perpendicular
  expect_vector(vector(made(flexible(ElementKind::beam3243, upright, "strip")), 0, 2), {{1, 0, 0}});
}

TEST(LineMesh, NamesItsPlaces) {
  const Mesh mesh = made(flexible(ElementKind::beam3243, line, "strip"));
  EXPECT_EQ(*mesh.sets.find("start"), (std::vector<int>{0}));
  EXPECT_EQ(*mesh.sets.find("end"), (std::vector<int>{5}));
  EXPECT_EQ(mesh.sets.find("all")->size(), 6u);
  expect_vector(corner_mean(mesh, *mesh.points.find("start")), {{1, 2, 3}});
  expect_vector(corner_mean(mesh, *mesh.points.find("end")), {{1, 5, 7}});
  expect_vector(corner_mean(mesh, *mesh.points.find("middle")), {{1, 3.5, 5}});
  LineMesh even = line;
  even.elements = 4;
  const Mesh even_mesh = made(flexible(ElementKind::beam3243, even, "strip"));
  expect_vector(corner_mean(even_mesh, *even_mesh.points.find("middle")), {{1, 3.5, 5}});
  for (const char* side : {"top", "bottom", "left", "right"}) {
    ASSERT_NE(mesh.sides.find(side), nullptr) << side;
    EXPECT_EQ(mesh.sides.find(side)->size(), 5u);
  }
  EXPECT_EQ((*mesh.sides.find("top"))[0].axis, 2);
  EXPECT_EQ((*mesh.sides.find("right"))[0].at, -1);
}

TEST(LineMesh, CablesHaveNoSides) {
  const Mesh mesh = made(flexible(ElementKind::cable, line, "round"));
  EXPECT_EQ(mesh.sides.size(), 0u);
  EXPECT_EQ(mesh.size[1], 0) << "a cable's section is not in its mesh";
}

TEST(LineMesh, Refuses) {
  LineMesh point = line;
  point.to = point.from;
  EXPECT_EQ(
      refusal(flexible(ElementKind::beam3243, point, "strip")),
      "m.yaml:12: bodies.it.mesh.to: 'from' and 'to' are both [1, 2, 3], so the elements have zero length; move one "
      "of them");
  LineMesh parallel = line;
  parallel.width_direction = Triple{0, 3, 4};
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, parallel, "strip")).find("along the line itself"),
            std::string::npos);
  parallel.width_direction = Triple{0, 0, 0};
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, parallel, "strip"))
                .find("width_direction: this is [0, 0, 0], which has no direction"),
            std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::shell3443, line, "sheet")).find("a line mesh does not fit shell3443"),
            std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, line, "")).find("needs a section of type rectangle"),
            std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, line, "sheet"))
                .find("'sheet' is of type plate, but beam3243 needs type rectangle"),
            std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, line, "stripe")).find("did you mean 'strip'"), std::string::npos);
}

const ArcMesh arc{.center = {0, 0, 1},
                  .normal = {0, -2, 0},
                  .start = {1, 0.5, 0},
                  .radius = 2,
                  .angle = 90,
                  .twist = 0,
                  .elements = 6};

TEST(ArcMesh, LiesOnItsCircleWithTangentsOfUnitLength) {
  const Mesh mesh = made(flexible(ElementKind::beam3243, arc, "strip"));
  ASSERT_EQ(mesh.node_count(), 7);
  for (int n = 0; n < 7; ++n) {
    const Vector radial = vector(mesh, n, 0) - Vector{{0, 0, 1}};
    EXPECT_NEAR(norm(radial), 2, 1e-14);
    EXPECT_NEAR(radial[1], 0, 1e-15) << "in the plane of the arc";
    EXPECT_NEAR(dot(radial, vector(mesh, n, 1)), 0, 1e-14);
    for (int k = 1; k < 4; ++k) EXPECT_NEAR(norm(vector(mesh, n, k)), 1, 1e-15);
    expect_vector(vector(mesh, n, 3), {{0, -1, 0}});
    expect_vector(vector(mesh, n, 2), -0.5 * radial);
  }
  expect_vector(vector(mesh, 0, 0), {{2, 0, 1}});  // start, laid into the plane
  expect_vector(vector(mesh, 6, 0), {{0, 0, 3}});  // a quarter turn about the normal
  EXPECT_DOUBLE_EQ(mesh.size[0], pi / 6);
  // The section's axes are interpolated linearly over 15 degrees and lose 1/12 of its square on the way.
  const double exact = pi * 0.02 * 0.01;
  EXPECT_NEAR(volume(mesh, ElementKind::beam3243), (1 - pi * pi / 144 / 12) * exact, 1e-4 * exact);
}

TEST(ArcMesh, TwistTurnsTheSectionAboutTheAxis) {
  ArcMesh twisted = arc;
  twisted.twist = 90;
  const Mesh mesh = made(flexible(ElementKind::beam3243, twisted, "strip"));
  expect_vector(vector(mesh, 0, 3), {{0, -1, 0}});
  expect_vector(vector(mesh, 6, 2), {{0, -1, 0}});
  for (int n = 0; n < 7; ++n) expect_vector(vector(mesh, n, 3), cross(vector(mesh, n, 1), vector(mesh, n, 2)));
}

TEST(ArcMesh, Refuses) {
  ArcMesh bad = arc;
  bad.start = {0, 3, 0};
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, bad, "strip")).find("start: this is parallel to 'normal'"),
            std::string::npos);
  bad = arc;
  bad.normal = {0, 0, 0};
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, bad, "strip")).find("normal: this is [0, 0, 0]"),
            std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::cable, arc, "round")).find("naturally straight"), std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::hexa3843, arc, "sheet")).find("an arc mesh does not fit hexa3843"),
            std::string::npos);
}

const PlateMesh plate{.corner = {1, 0, 0}, .length = {3, 0, 0}, .width = {0, 0, 2}, .elements = {3, 4}};

TEST(PlateMesh, ShellsShareTheirEdges) {
  const Mesh mesh = made(flexible(ElementKind::shell3443, plate, "sheet"));
  ASSERT_EQ(mesh.node_count(), 4 * 5);
  ASSERT_EQ(element_count(mesh), 12);
  for (int n = 0; n < 20; ++n) {
    expect_vector(vector(mesh, n, 0), {{1.0 + n % 4, 0, 0.5 * (n / 4)}});
    expect_vector(vector(mesh, n, 3), {{0, -1, 0}});  // length cross width
  }
  EXPECT_EQ(shared(mesh, 0, 1), 2);
  EXPECT_EQ(shared(mesh, 0, 3), 2);
  EXPECT_EQ(shared(mesh, 0, 4), 1);
  EXPECT_EQ(shared(mesh, 0, 2), 0);
  EXPECT_NEAR(volume(mesh, ElementKind::shell3443), 6 * 0.005, 1e-14);
  EXPECT_NEAR(volume(made(flexible(ElementKind::shell3443, plate, "laminate")), ElementKind::shell3443), 6 * 0.003,
              1e-14)
      << "thickness of all layers";
}

TEST(PlateMesh, HexasStandAroundTheMidSurface) {
  const Mesh mesh = made(flexible(ElementKind::hexa3843, plate, "sheet"));
  ASSERT_EQ(mesh.node_count(), 40);
  ASSERT_EQ(element_count(mesh), 12);
  for (int n = 0; n < 40; ++n) EXPECT_NEAR(vector(mesh, n, 0)[1], n < 20 ? 0.0025 : -0.0025, 1e-17);
  EXPECT_NEAR(volume(mesh, ElementKind::hexa3843), 6 * 0.005, 1e-14);
  EXPECT_EQ(mesh.sets.find("x_min")->size(), 10u);
}

TEST(PlateMesh, NamesItsPlaces) {
  const Mesh mesh = made(flexible(ElementKind::shell3443, plate, "sheet"));
  const auto place = [&](const char* name) {
    const MaterialPoint* point = mesh.points.find(name);
    EXPECT_NE(point, nullptr) << name;
    return point ? corner_mean(mesh, *point) : Vector{{0, 0, 0}};
  };
  expect_vector(place("middle"), {{2.5, 0, 1}});
  expect_vector(place("x_min_middle"), {{1, 0, 1}});
  expect_vector(place("x_max_middle"), {{4, 0, 1}});
  expect_vector(place("y_min_middle"), {{2.5, 0, 0}});
  expect_vector(place("y_max_middle"), {{2.5, 0, 2}});
  expect_vector(place("x_min_y_min"), {{1, 0, 0}});
  expect_vector(place("x_max_y_min"), {{4, 0, 0}});
  expect_vector(place("x_min_y_max"), {{1, 0, 2}});
  expect_vector(place("x_max_y_max"), {{4, 0, 2}});
  const struct {
    const char* name;
    int axis;
    double at;
    std::size_t nodes, elements;
  } edges[] = {{"x_min", 0, -1, 5, 4}, {"x_max", 0, 1, 5, 4}, {"y_min", 1, -1, 4, 3}, {"y_max", 1, 1, 4, 3}};
  for (const auto& edge : edges) {
    EXPECT_EQ(mesh.sets.find(edge.name)->size(), edge.nodes) << edge.name;
    ASSERT_EQ(mesh.sides.find(edge.name)->size(), edge.elements) << edge.name;
    for (const Side& side : *mesh.sides.find(edge.name)) {
      EXPECT_EQ(side.axis, edge.axis);
      EXPECT_EQ(side.at, edge.at);
    }
    for (int node : *mesh.sets.find(edge.name))
      EXPECT_EQ(vector(mesh, node, 0)[edge.axis == 0 ? 0 : 2], edge.axis == 0 ? (edge.at < 0 ? 1 : 4) : edge.at + 1);
  }
  for (const char* surface : {"top", "bottom", "surface"}) EXPECT_EQ(mesh.sides.find(surface)->size(), 12u);
}

TEST(PlateMesh, Refuses) {
  PlateMesh skew = plate;
  skew.width = {1, 0, 2};
  EXPECT_NE(refusal(flexible(ElementKind::shell3443, skew, "sheet")).find("must be at a right angle"),
            std::string::npos);
  skew.width = {0, 0, 0};
  EXPECT_NE(refusal(flexible(ElementKind::shell3443, skew, "sheet")).find("width: this is [0, 0, 0]"),
            std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, plate, "strip")).find("a plate mesh does not fit beam3243"),
            std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::hexa3843, plate, "laminate")).find("hexa3843 needs type plate"),
            std::string::npos);
  Model empty = with(flexible(ElementKind::shell3443, plate, "none"));
  empty.sections.add("none", Layered{});
  EXPECT_NE(refusal(empty).find("the list of layers is empty"), std::string::npos);
}

const AnnularPlateMesh ring{.center = {0, 0, 0},
                            .normal = {0, 0, 1},
                            .start = {1, 0, 0},
                            .inner_radius = 6,
                            .outer_radius = 10,
                            .angle = 180,
                            .elements = {12, 2}};

TEST(AnnularPlateMesh, GradientsFollowTheArcs) {
  const Mesh mesh = made(flexible(ElementKind::shell3443, ring, "sheet"));
  ASSERT_EQ(mesh.node_count(), 13 * 3);
  ASSERT_EQ(element_count(mesh), 24);
  for (int n = 0; n < mesh.node_count(); ++n) {
    const Vector r = vector(mesh, n, 0);
    const double radius = 10 - 2 * (n / 13), angle = pi * (n % 13) / 12;
    expect_vector(r, {{radius * std::cos(angle), radius * std::sin(angle), 0}});
    expect_vector(vector(mesh, n, 1), radius / 8 * Vector{{-std::sin(angle), std::cos(angle), 0}});
    expect_vector(vector(mesh, n, 2), (-1 / radius) * r);
    expect_vector(vector(mesh, n, 3), {{0, 0, 1}});
  }
  EXPECT_DOUBLE_EQ(mesh.size[0], 8 * pi / 12) << "arc at the mean radius";
  const double exact = pi / 2 * (100 - 36) * 0.005;
  EXPECT_NEAR(volume(mesh, ElementKind::shell3443), exact, 2e-3 * exact);
  EXPECT_NEAR(volume(made(flexible(ElementKind::hexa3843, ring, "sheet")), ElementKind::hexa3843), exact, 2e-3 * exact);
}

TEST(AnnularPlateMesh, NamesItsPlaces) {
  const Mesh mesh = made(flexible(ElementKind::shell3443, ring, "sheet"));
  const auto node_radius = [&](int node) { return norm(vector(mesh, node, 0)); };
  for (int node : *mesh.sets.find("outer")) EXPECT_NEAR(node_radius(node), 10, 1e-14);
  for (int node : *mesh.sets.find("inner")) EXPECT_NEAR(node_radius(node), 6, 1e-14);
  for (int node : *mesh.sets.find("start")) EXPECT_NEAR(vector(mesh, node, 0)[1], 0, 1e-14);
  for (int node : *mesh.sets.find("end")) EXPECT_LT(vector(mesh, node, 0)[0], -5);
  EXPECT_EQ(mesh.sets.find("outer")->size(), 13u);
  EXPECT_EQ(mesh.sets.find("end")->size(), 3u);
  expect_vector(corner_mean(mesh, *mesh.points.find("end_outer")), {{-10, 0, 0}}, 1e-14);
  expect_vector(corner_mean(mesh, *mesh.points.find("start_inner")), {{6, 0, 0}});
  expect_vector(corner_mean(mesh, *mesh.points.find("start_middle")), {{8, 0, 0}});
}

TEST(AnnularPlateMesh, Refuses) {
  AnnularPlateMesh bad = ring;
  bad.inner_radius = 10;
  EXPECT_NE(refusal(flexible(ElementKind::shell3443, bad, "sheet")).find("must be larger than inner_radius = 10 m"),
            std::string::npos);
  bad = ring;
  bad.angle = 361;
  EXPECT_NE(refusal(flexible(ElementKind::shell3443, bad, "sheet")).find("at most 360 (a full circle)"),
            std::string::npos);
  bad = ring;
  bad.start = {0, 0, 1};
  EXPECT_NE(refusal(flexible(ElementKind::shell3443, bad, "sheet")).find("parallel to 'normal'"), std::string::npos);
}

const BlockMesh block{
    .corner = {0, 0, 1}, .length = {2, 0, 0}, .width = {0, 3, 0}, .height = {0, 0, 4}, .elements = {2, 3, 2}};

TEST(BlockMesh, BricksShareTheirFaces) {
  const Mesh mesh = made(flexible(ElementKind::hexa3843, block, ""));
  ASSERT_EQ(mesh.node_count(), 3 * 4 * 3);
  ASSERT_EQ(element_count(mesh), 12);
  EXPECT_EQ(shared(mesh, 0, 1), 4);
  EXPECT_EQ(shared(mesh, 0, 2), 4);
  EXPECT_EQ(shared(mesh, 0, 6), 4);
  EXPECT_EQ(shared(mesh, 0, 3), 2);
  EXPECT_EQ(shared(mesh, 0, 9), 1);
  for (int e = 0; e < 12; ++e) {
    EXPECT_DOUBLE_EQ(mesh.size[3 * e], 1);
    EXPECT_DOUBLE_EQ(mesh.size[3 * e + 1], 1);
    EXPECT_DOUBLE_EQ(mesh.size[3 * e + 2], 2);
  }
  EXPECT_NEAR(volume(mesh, ElementKind::hexa3843), 24, 1e-12);
}

TEST(BlockMesh, NamesItsPlaces) {
  const Mesh mesh = made(flexible(ElementKind::hexa3843, block, ""));
  const struct {
    const char* name;
    int axis;
    double at;
    std::size_t nodes, elements;
  } faces[] = {{"x_min", 0, 0, 12, 6}, {"x_max", 0, 2, 12, 6}, {"y_min", 1, 0, 9, 4},
               {"y_max", 1, 3, 9, 4},  {"z_min", 2, 1, 12, 6}, {"z_max", 2, 5, 12, 6}};
  const Vector middle{{1, 1.5, 3}};
  for (const auto& face : faces) {
    EXPECT_EQ(mesh.sets.find(face.name)->size(), face.nodes) << face.name;
    EXPECT_EQ(mesh.sides.find(face.name)->size(), face.elements) << face.name;
    for (int node : *mesh.sets.find(face.name)) EXPECT_EQ(vector(mesh, node, 0)[face.axis], face.at) << face.name;
    Vector wanted = middle;
    wanted[face.axis] = face.at;
    expect_vector(corner_mean(mesh, *mesh.points.find(std::string(face.name) + "_middle")), wanted);
  }
  EXPECT_EQ(mesh.sets.find("all")->size(), 36u);
}

TEST(BlockMesh, Refuses) {
  BlockMesh left = block;
  left.height = {0, 0, -4};
  EXPECT_NE(refusal(flexible(ElementKind::hexa3843, left, "")).find("left-handed"), std::string::npos);
  left.height = {0, 1, 4};
  EXPECT_NE(refusal(flexible(ElementKind::hexa3843, left, "")).find("right angle"), std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::shell3443, block, "sheet")).find("a block mesh does not fit shell3443"),
            std::string::npos);
}

TEST(NetMesh, CablesCrossAtTies) {
  NetMesh net{.corner = {0, 0, 5}, .along = {2, 0, 0}, .across = {0, 3, 0}, .cells = {4, 2}, .elements = 2};
  const Mesh mesh = made(flexible(ElementKind::cable, net, "round"));
  ASSERT_EQ(mesh.node_count(), 3 * 9 + 5 * 5);
  ASSERT_EQ(element_count(mesh), 3 * 8 + 5 * 4);
  ASSERT_EQ(mesh.ties.size(), 15u);
  for (const MeshTie& tie : mesh.ties) {
    expect_vector(vector(mesh, tie.a, 0), vector(mesh, tie.b, 0));
    EXPECT_FALSE(tie.all) << "crossing cables keep their directions";
    EXPECT_NEAR(dot(vector(mesh, tie.a, 1), vector(mesh, tie.b, 1)), 0, 1e-15);
  }
  for (int e = 0; e < element_count(mesh); ++e) {
    const Vector chord = vector(mesh, mesh.elements[2 * e + 1], 0) - vector(mesh, mesh.elements[2 * e], 0);
    EXPECT_NEAR(norm(chord), mesh.size[3 * e], 1e-14);
    expect_vector(mesh.size[3 * e] * vector(mesh, mesh.elements[2 * e], 1), chord);
  }
  EXPECT_EQ(mesh.sets.find("corners")->size(), 5u);
  expect_vector(vector(mesh, mesh.sets.find("center")->at(0), 0), {{4, 3, 5}});
  net.across = {0, 0, 0};
  EXPECT_NE(refusal(flexible(ElementKind::cable, net, "round")).find("across: this is [0, 0, 0]"), std::string::npos);
  EXPECT_NE(refusal(flexible(ElementKind::beam3243, net, "strip")).find("a net mesh does not fit beam3243"),
            std::string::npos);
}

TEST(ConstraintMesh, EveryElementHasNodesOfItsOwn) {
  Body body = flexible(ElementKind::shell3443, plate, "sheet");
  body.connect = Connect::constraints;
  const Mesh mesh = made(body), together = made(flexible(ElementKind::shell3443, plate, "sheet"));
  EXPECT_EQ(mesh.node_count(), 4 * 12);
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b) EXPECT_EQ(shared(mesh, a, b), 0);
  ASSERT_EQ(mesh.ties.size(), std::size_t(4 * 12 - together.node_count()));
  for (const MeshTie& tie : mesh.ties) {
    EXPECT_TRUE(tie.all);
    for (int k = 0; k < 4; ++k) expect_vector(vector(mesh, tie.a, k), vector(mesh, tie.b, k), 0);
  }
  EXPECT_EQ(*mesh.sets.find("x_min"), *together.sets.find("x_min"));
}

TEST(RigidMesh, HasOneNodeWithItsAxes) {
  RigidBody body;
  body.position = {1, 2, 3};
  body.x_axis = Triple{0, 2, 0};
  body.y_axis = Triple{-1, 1, 0};
  body.points.add("tip", {0.5, 0, 0});
  body.mass = 1;
  body.inertia = std::vector<double>{1, 1, 1};
  const Mesh mesh = made(body);
  ASSERT_EQ(mesh.node_count(), 1);
  expect_vector(vector(mesh, 0, 0), {{1, 2, 3}});
  expect_vector(vector(mesh, 0, 1), {{0, 1, 0}});
  expect_vector(vector(mesh, 0, 2), {{-1, 0, 0}});
  expect_vector(vector(mesh, 0, 3), {{0, 0, 1}});
  EXPECT_EQ(mesh.points.find("tip")->xi, (Triple{0.5, 0, 0}));
  EXPECT_NE(mesh.points.find("center"), nullptr);
  body.y_axis = Triple{0, -3, 0};
  EXPECT_NE(refusal(body).find("parallel to x_axis"), std::string::npos);
  body.y_axis = Triple{0, 0, 0};
  EXPECT_NE(refusal(body).find("nonzero length"), std::string::npos);
}

TEST(RigidMesh, PointsAndLinkages) {
  EXPECT_EQ(made(PointMass{.mass = 1, .position = {1, 0, 0}, .velocity = {}}).node_count(), 1);
  Linkage linkage;
  linkage.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
  linkage.bars = {{0, 1}, {1, 2}};
  linkage.sets.add("tip", {2});
  const Mesh mesh = made(linkage);
  EXPECT_EQ(mesh.node_count(), 3);
  EXPECT_EQ(mesh.elements, (std::vector<int>{0, 1, 1, 2}));
  EXPECT_EQ(*mesh.sets.find("tip"), (std::vector<int>{2}));
  EXPECT_EQ(body_kind(linkage), ElementKind::bar);
  Linkage bad = linkage;
  bad.bars[1][1] = 3;
  EXPECT_NE(refusal(bad).find("bars.1: there is no point 3; the points are 0 to 2"), std::string::npos);
  bad = linkage;
  bad.points[1] = {0, 0, 0};
  EXPECT_NE(refusal(bad).find("bars.0: this bar has zero length"), std::string::npos);
  bad = linkage;
  bad.ground = {5};
  EXPECT_NE(refusal(bad).find("ground.0: there is no point 5"), std::string::npos);
  EXPECT_NE(refusal(Linkage{}).find("the list of points is empty"), std::string::npos);
}

}  // namespace
}  // namespace lithe

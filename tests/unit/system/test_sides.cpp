// Sides of meshes given by their nodes, and what acts on them.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/system/outputs.h"
#include "support/messages.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

// The mesh of the strip's body again, node by node.
NodeMesh as_nodes(const Model& model) {
  const Mesh mesh = make_mesh(model, "strip");
  const ElementInfo& info = element_info(std::get<Body>(model.bodies.items[0].second).element);
  NodeMesh given;
  for (int n = 0; n < mesh.node_count(); ++n)
    given.nodes.emplace_back(mesh.vector(n), mesh.vector(n) + 3 * mesh.node_vectors);
  for (std::size_t e = 0; e < mesh.elements.size(); e += info.nodes)
    given.elements.emplace_back(mesh.elements.begin() + e, mesh.elements.begin() + e + info.nodes);
  given.size = {{mesh.size[0], mesh.size[1], mesh.size[2]}};
  for (const auto& [name, nodes] : mesh.sets.items) given.sets.add(name, nodes);
  return given;
}

Strip by_nodes(Strip strip, const std::vector<std::pair<std::string, SideSelection>>& sides) {
  NodeMesh given = as_nodes(strip.model);
  for (const auto& [name, side] : sides) given.sides.add(name, side);
  std::get<Body>(strip.model.bodies.items[0].second).mesh = given;
  return strip;
}

SideSelection toward(const Triple& normal) {
  SideSelection side;
  side.normal = normal;
  return side;
}

void expect_same(const Strip& a, const Strip& b, const Load& on_a, const Load& on_b) {
  Model one = a.model, two = b.model;
  one.constraints.add("root", Clamp{at("strip", a.start)});
  two.constraints.add("root", Clamp{at("strip", a.start)});
  one.loads.add("load", on_a);
  two.loads.add("load", on_b);
  const Solved first(one), second(two);
  ASSERT_TRUE(first.report.ok() && second.report.ok());
  double most = 0;
  for (std::size_t i = 0; i < first.state.q.size(); ++i) {
    most = std::max(most, std::abs(first.state.q[i] - first.system.q0[i]));
    EXPECT_EQ(first.state.q[i], second.state.q[i]);
  }
  EXPECT_GT(most, 1e-5);
}

TEST(SidesOfNodeMeshes, CarryTheLoadsOfGeneratedOnes) {
  const Strip shell = make_strip(ElementKind::shell3443, 0, 3), hexa = make_strip(ElementKind::hexa3843, 0, 3),
              beam = make_strip(ElementKind::beam3243, 0, 3);
  SideSelection by_set;
  by_set.nodes = "x_max";
  SideSelection by_box;
  by_box.box = {{{0.49, -1, -1}, {1, 1, 1}}};
  const std::vector<std::pair<std::string, SideSelection>> sides{
      {"tip", by_set}, {"tip_too", by_box}, {"front", toward({1, 0, 0})}, {"upper", toward({0, 0, 1})}};
  const Strip shell_nodes = by_nodes(shell, {sides[0], sides[1], sides[2]}), hexa_nodes = by_nodes(hexa, sides),
              beam_nodes = by_nodes(beam, {});
  for (const char* tip : {"tip", "tip_too", "front"}) {
    expect_same(shell, shell_nodes, LineLoad{at("strip", "x_max"), constant(10, 20, 30)},
                LineLoad{at("strip", tip), constant(10, 20, 30)});
    expect_same(shell, shell_nodes, Traction{at("strip", "x_max"), constant(1e4, 2e4, 1e4)},
                Traction{at("strip", tip), constant(1e4, 2e4, 1e4)});
    expect_same(hexa, hexa_nodes, Traction{at("strip", "x_max"), constant(1e4, 2e4, 1e4)},
                Traction{at("strip", tip), constant(1e4, 2e4, 1e4)});
  }
  for (const char* side : {"top", "bottom", "surface"})
    expect_same(shell, shell_nodes, Pressure{at("strip", side), Signal(500)}, Pressure{at("strip", side), Signal(500)});
  expect_same(hexa, hexa_nodes, Pressure{at("strip", "z_max"), Signal(500)},
              Pressure{at("strip", "upper"), Signal(500)});
  for (const char* side : {"top", "bottom", "left", "right"})
    expect_same(beam, beam_nodes, Pressure{at("strip", side), Signal(500)}, Pressure{at("strip", side), Signal(500)});
}

TEST(SidesOfNodeMeshes, ASelectionOfASurface) {
  SideSelection outer;
  outer.of = SidesOf::top;
  outer.box = {{{0.3, -1, -1}, {1, 1, 1}}};
  const Strip s = by_nodes(make_strip(ElementKind::shell3443, 0, 6), {{"outer", outer}});
  const Mesh mesh = make_mesh(s.model, "strip");
  ASSERT_EQ(mesh.sides.find("outer")->size(), 2ul);  // those from 1/3 to 1/2 m
  EXPECT_EQ(mesh.sides.find("outer")->front().element, 4);
  EXPECT_EQ(mesh.sides.find("boundary")->size(), 14ul);  // six on both sides and the two ends
  EXPECT_EQ(
      make_mesh(by_nodes(make_strip(ElementKind::hexa3843, 0, 6), {}).model, "strip").sides.find("boundary")->size(),
      26ul);
}

// A skew block of two distorted hexas, held by three pins against rigid motion alone, under the tractions of a uniform
// stress: the stress is uniform.
TEST(SidesOfNodeMeshes, PatchTestByTractions) {
  Strip s = make_strip(ElementKind::hexa3843, 0, 2);
  std::get<Isotropic>(s.model.materials.items[0].second) = {1e7, 0.3, 1000, 0};
  NodeMesh given = as_nodes(s.model);
  // A linear map keeps gradients constant; the common side leans.
  for (std::vector<double>& node : given.nodes) {
    for (int k = 0; k < 4; ++k) {
      const double x = node[3 * k], y = node[3 * k + 1], z = node[3 * k + 2];
      node[3 * k] = x + 0.3 * y;
      node[3 * k + 1] = 3 * y + 0.1 * x;
      node[3 * k + 2] = 8 * z + 0.2 * y;
    }
  }
  given.sides.add("end", toward({1, 0, 0}));
  given.sides.add("root", toward({-1, 0, 0}));
  std::get<Body>(s.model.bodies.items[0].second).mesh = given;
  Mesh mesh = make_mesh(s.model, "strip");
  ASSERT_EQ(mesh.sides.find("end")->size(), 1ul);
  // Every side carries sigma n.
  const Mat3<double> sigma{{{3, 1, 0.5}, {1, -2, 0.8}, {0.5, 0.8, 1.5}}};
  const System system = compile(s.model);
  const std::vector<Side> boundary = *mesh.sides.find("boundary");
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    const SurfacePoint p = surface_point(system, face_of(0, boundary[i]), {0, 0}, system.q0);
    const Vec3<double> t = sigma * p.normal;
    SideSelection side;
    side.normal = Triple{p.normal[0], p.normal[1], p.normal[2]};
    side.within = 1;
    const std::string name = "side" + std::to_string(i);
    bool known = false;
    for (const auto& [other, chosen] : given.sides.items)
      known = known || (other.rfind("side", 0) == 0 && dot(unit(*chosen.normal), p.normal) > 0.999);
    if (known) continue;
    given.sides.add(name, side);
    s.model.loads.add(name, Traction{at("strip", name), constant(t[0], t[1], t[2])});
  }
  EXPECT_EQ(s.model.loads.size(), 6ul);
  std::get<Body>(s.model.bodies.items[0].second).mesh = given;
  s.model.constraints.add("pin", Fix{at_node("strip", 0), {Coordinate::position}, {}});
  s.model.constraints.add("line", Fix{at_node("strip", 0), {Coordinate::x_gradient}, {{0, 1, 0}, {0, 0, 1}}});
  s.model.constraints.add("plane", Fix{at_node("strip", 0), {Coordinate::y_gradient}, {{0, 0, 1}}});
  const Solved solved(s.model);
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  const int voigt[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  for (int e = 0; e < 2; ++e)
    for (const Triple& xi : {Triple{0, 0, 0}, Triple{0.8, -0.9, 0.6}, Triple{-1, 1, -1}}) {
      const PointStress found = stress_at(solved.system, solved.state, 0, {e, xi});
      for (int k = 0; k < 6; ++k)
        EXPECT_NEAR(found.cauchy[k], sigma[voigt[k][0]][voigt[k][1]], 1e-3) << k;  // strains of 3e-7, of a slender bar
    }
}

TEST(SidesOfNodeMeshes, SayWhatIsWrong) {
  const auto message = [](const std::string& name, const SideSelection& side, ElementKind kind) {
    Strip s = by_nodes(make_strip(kind, 0, 2), {{name, side}});
    s.model.constraints.add("root", Clamp{at("strip", s.start)});
    s.model.loads.add("load", Traction{at("strip", name), constant(1, 0, 0)});
    return message_of<InputError>([&] { compile(s.model); });
  };
  const auto says = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  SideSelection side;
  side.nodes = "x_mux";
  says(message("one", side, ElementKind::shell3443), "there is no set of nodes 'x_mux'");
  side = {};
  side.of = SidesOf::top;
  says(message("one", side, ElementKind::hexa3843), "has no 'top'");
  says(message("top", side, ElementKind::shell3443), "choose another name");
  side = toward({1, 0, 0});
  side.box = {{{0, 0, 1}, {1, 1, 2}}};
  says(message("one", side, ElementKind::shell3443), "no side of an element meets the conditions");
  side.box = {{{0, 0, 1}, {1, 1, 0}}};
  says(message("one", side, ElementKind::shell3443), "along z it goes from 1 to 0");
}

}  // namespace
}  // namespace lithe::test

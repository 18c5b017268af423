// Meshes whose nodes and elements are given one by one: what is taken, and what contradicts itself.
#include <gtest/gtest.h>

#include "lithe/model/mesh.h"
#include "lithe/model/validate.h"
#include "support/messages.h"

namespace lithe {
namespace {

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

NodeMesh two_cables() {
  NodeMesh mesh;
  mesh.nodes = {{0, 0, 0, 1, 0, 0}, {1, 0, 0, 1, 0, 0}, {2, 0, 0, 1, 0, 0}};
  mesh.elements = {{0, 1}, {1, 2}};
  mesh.size = {{1, 0, 0}};
  mesh.sets.add("mine", {2});
  return mesh;
}

TEST(NodeMesh, TakesWhatIsGiven) {
  const Mesh mesh = made(flexible(ElementKind::cable, two_cables(), "round"));
  ASSERT_EQ(mesh.node_count(), 3);
  EXPECT_EQ(std::vector(mesh.nodes.begin() + 12, mesh.nodes.begin() + 18), (std::vector<double>{2, 0, 0, 1, 0, 0}));
  EXPECT_EQ(mesh.size.size(), 6u) << "one size serves all";
  EXPECT_EQ(*mesh.sets.find("mine"), (std::vector<int>{2}));
  EXPECT_EQ(mesh.sets.find("all")->size(), 3u);
}

TEST(NodeMesh, Refuses) {
  const auto message = [](auto change) {
    NodeMesh mesh = two_cables();
    change(mesh);
    return refusal(flexible(ElementKind::cable, mesh, "round"));
  };
  const auto expect = [](const std::string& text, const char* fragment) {
    EXPECT_NE(text.find(fragment), std::string::npos) << text;
  };
  expect(message([](NodeMesh& m) { m.nodes[1].pop_back(); }), "node 1 has 5 numbers; a cable needs 6 (r, r_x)");
  expect(message([](NodeMesh& m) { m.elements.clear(); }), "the list of elements is empty");
  expect(message([](NodeMesh& m) {
           m.size.resize(3, {1, 0, 0});
         }),
         "size: this is a list of 3; give one row, or one per element (2)");
  expect(message([](NodeMesh& m) { m.size.clear(); }), "'size' is missing: give L, W, T");
  expect(message([](NodeMesh& m) { m.elements[0] = {0, 1, 2}; }), "element 0 has 3 nodes; a cable has 2");
  expect(message([](NodeMesh& m) { m.elements[1][1] = 3; }), "element 1 names node 3, but the nodes are 0 to 2");
  expect(message([](NodeMesh& m) { m.elements[0][0] = -1; }), "elements.0.0: this is -1");
  expect(message([](NodeMesh& m) { m.size[0][0] = 0; }), "size.0: L is 0, so the element has zero length");
  expect(message([](NodeMesh& m) { m.elements.pop_back(); }), "node 2 belongs to no element; remove it");
  expect(message([](NodeMesh& m) { m.sets.add("far", {7}); }), "sets.far: there is no node 7; the nodes are 0 to 2");
  expect(message([](NodeMesh& m) { m.nodes[1][4] = 0.1; }), "cable element 0 is curved or stretched");
  expect(message([](NodeMesh& m) { m.size[0][0] = 0.9; }), "cable element 0 is curved or stretched");
  expect(message([](NodeMesh& m) { m.nodes.clear(); }), "the list of nodes is empty");
  expect(message([](NodeMesh& m) { m.elements[1] = {2, 2}; }), "element 1 names node 2 twice");
  expect(message([](NodeMesh& m) { m.elements.push_back({1, 0}); }), "element 2 has the same nodes as element 0");
  expect(message([](NodeMesh& m) { m.nodes[1] = m.nodes[0]; }),
         "element 0 has zero length: nodes 0 and 1 are both at [0, 0, 0]");
  expect(message([](NodeMesh& m) { m.size[0][1] = 0.03; }),
         "W is 0.03 m, but section 'round' has the diameter 0.02 m; make them the same");
  NodeMesh round = two_cables();
  round.size[0] = {1, 0.02, 0.02};
  EXPECT_EQ(made(flexible(ElementKind::cable, round, "round")).size[0], 1) << "the diameter may be said twice";
}

TEST(NodeMesh, SizesAreThoseOfTheSection) {
  const std::vector<double> axes{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto node = [&](double x, double y) {
    std::vector<double> all{x, y, 0};
    all.insert(all.end(), axes.begin(), axes.end());
    return all;
  };
  NodeMesh beam;
  beam.nodes = {node(0, 0), node(1, 0)};
  beam.elements = {{0, 1}};
  NodeMesh shell = beam;
  shell.nodes = {node(0, 0), node(1, 0), node(1, 1), node(0, 1)};
  shell.elements = {{0, 1, 2, 3}};
  const auto message = [](ElementKind kind, NodeMesh mesh, Triple size, const char* section) {
    mesh.size = {size};
    return refusal(flexible(kind, std::move(mesh), section));
  };
  EXPECT_NE(message(ElementKind::beam3243, beam, {1, 0.02, 0.1}, "strip")
                .find("mesh.size.0: T is 0.1 m, but section 'strip' has the thickness 0.01 m; make them the same"),
            std::string::npos);
  EXPECT_NE(message(ElementKind::beam3243, beam, {1, 0.2, 0.01}, "strip").find("W is 0.2 m, but section 'strip'"),
            std::string::npos);
  EXPECT_NE(message(ElementKind::shell3443, shell, {1, 1, 0.01}, "sheet").find("has the thickness 0.005 m"),
            std::string::npos);
  EXPECT_NE(message(ElementKind::shell3443, shell, {1, 1, 0.01}, "laminate").find("layers' total thickness 0.003 m"),
            std::string::npos);
  EXPECT_NE(message(ElementKind::beam3243, beam, {1, 0, 0.01}, "strip").find("W is 0, so the element has zero volume"),
            std::string::npos);
  shell.size = {{1, 1, 0.003}};
  Reading reading;
  validate(with(flexible(ElementKind::shell3443, shell, "laminate")), reading);
}

}  // namespace
}  // namespace lithe

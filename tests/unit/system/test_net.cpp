// P3's net: unknowns and nonzeros of the constraint-based form equal its table II, and the default form is small.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/system/system.h"
#include "support/models.h"

namespace lithe {
namespace {

using test::at;

Model net(int n, Connect connect, Treatment treatment) {
  Model model;
  model.materials.add("rope", Isotropic{2e7, 0, 7200, 0});
  model.sections.add("round", Circle{0.02});
  Body body;
  body.element = ElementKind::cable;
  body.material = "rope";
  body.section = "round";
  NetMesh mesh;
  mesh.cells = {n, n};
  body.mesh = mesh;
  body.connect = connect;
  model.bodies.add("net", body);
  model.constraints.add("corners", Fix{at("net", "corners"), {Coordinate::position}, {}});
  model.treatment = treatment;
  return model;
}

TEST(Net, CountsEqualTableTwoOfP3) {
  const struct {
    int n;
    long long equations, nonzeros;
  } table[] = {
      {40, 63603, 569262}, {50, 99003, 885582}, {60, 142203, 1271502}, {70, 193203, 1727022}, {80, 252003, 2252142}};
  for (const auto& row : table) {
    const System system = compile(net(row.n, Connect::constraints, Treatment::lagrange));
    EXPECT_EQ(system.pattern.size, row.equations);
    EXPECT_EQ(system.map.size + system.row_count(), row.equations);
    ASSERT_TRUE(system.symmetric);
    long long diagonal = 0;
    for (int c = 0; c < system.pattern.size; ++c)
      for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k)
        if (system.pattern.row[k] == c) ++diagonal;
    EXPECT_EQ(diagonal, system.map.size);
    EXPECT_EQ(2LL * system.pattern.nonzeros() - diagonal, row.nonzeros);
  }
}

TEST(Net, SharedNodesNeedNinePerCrossing) {
  for (int n : {1, 4, 40}) {
    for (Connect connect : {Connect::nodes, Connect::constraints}) {
      const System system = compile(net(n, connect, Treatment::eliminate));
      EXPECT_EQ(system.map.size, 9 * (n + 1) * (n + 1) - 12) << n;
      EXPECT_EQ(system.row_count(), 0);
    }
    Model loose = net(n, Connect::nodes, Treatment::eliminate);
    loose.constraints = {};
    EXPECT_EQ(compile(loose).map.size, 9 * (n + 1) * (n + 1));  // tied at every crossing, corners too
  }
}

TEST(Net, MassIsThatOfItsCables) {
  Model model = net(6, Connect::nodes, Treatment::eliminate);
  auto& mesh = std::get<NetMesh>(std::get<Body>(model.bodies.items[0].second).mesh);
  mesh.cells = {6, 4};
  mesh.elements = 3;
  mesh.along = {0.5, 0, 0};
  mesh.across = {0.1, 0.7, 0};
  const System system = compile(model);
  const double length = 5 * 6 * 0.5 + 7 * 4 * std::sqrt(0.5), mass = 7200 * M_PI * 4e-4 * length;
  EXPECT_NEAR(total_mass(system), mass, 1e-12 * mass);
  EXPECT_NEAR(strain_energy(system, system.initial_state()), 0, 1e-12);
  // Rows meet columns at every crossing: rows of 19 nodes, columns of 13.
  const BodyInfo& body = system.bodies[0];
  EXPECT_EQ(body.mesh.node_count(), 5 * 19 + 7 * 13);
  EXPECT_EQ(body.mesh.ties.size(), 35u);
  for (const MeshTie& tie : body.mesh.ties) {
    const auto &a = system.map.unknowns[body.vector(tie.a, 0)], &b = system.map.unknowns[body.vector(tie.b, 0)];
    EXPECT_EQ(a.first, b.first);
    for (int m = 0; m < 3; ++m)
      EXPECT_NEAR(system.q0[3 * body.vector(tie.a, 0) + m], system.q0[3 * body.vector(tie.b, 0) + m], 1e-14);
  }
}

}  // namespace
}  // namespace lithe

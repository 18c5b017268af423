// Joints between every kind of place: degrees of freedom, what they let pass and what they hold, elimination against
// multipliers, angles and travels.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/outputs.h"
#include "support/joint_cases.h"

namespace lithe::test {
namespace {

using namespace joint_cases;

// Sections that are held by their two vectors keep the angle between these in addition: where no axis turns, and where
// the axis of a hinge is one of the vectors.
int held_angles(const Kind& kind, const Pair& pair, const Pose& pose) {
  const auto flexible = [](Side side) { return side == Side::node || side == Side::material_point; };
  if (!flexible(pair.a) && !flexible(pair.b)) return 0;
  if (kind.name == "weld" || kind.name == "prismatic") return 1;
  const bool hinge = kind.name == "revolute" || kind.name == "cylindrical" || kind.name == "planar";
  return hinge && pose.name == "e3 along the axis" ? 1 : 0;
}

TEST(Joints, DegreesOfFreedom) {
  for_all([](const Kind& kind, const Pair& pair, const Pose& pose) {
    for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
      const System system = compile(make_model(kind, pair, pose, treatment));
      const int equations = kind.equations + held_angles(kind, pair, pose);
      EXPECT_EQ(system.map.size - system.row_count(), side_dof(pair.a) + side_dof(pair.b) - equations);
      EXPECT_TRUE(system.warnings.empty()) << system.warnings.front();
      if (treatment == Treatment::lagrange) {
        EXPECT_EQ(static_cast<int>(system.owners[system.joints[0].owner].rows.size()), equations);
      }
    }
  });
}

// Rigid bodies have six rates under half steps. A row more than a joint has equations depends on the others, and its
// impulses would be those of rounding.
TEST(Joints, RigidBodiesUnderHalfStepsHaveNoRowTooMany) {
  for_all([](const Kind& kind, const Pair& pair, const Pose& pose) {
    const auto is_rigid = [](Side side) { return side == Side::rigid || side == Side::ground; };
    if (!is_rigid(pair.a) || !is_rigid(pair.b)) return;
    Model model = make_model(kind, pair, pose, Treatment::eliminate);
    DynamicAnalysis analysis;
    analysis.integrator = Integrator::half_step;
    model.analysis = analysis;
    const System system = compile(model);
    EXPECT_EQ(static_cast<int>(system.rows.size()), kind.equations);
  });
}

TEST(Joints, LetPassAndHold) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  const Vec3<double> directions[3] = {axis, n1(), n2()};
  for_all([&](const Kind& kind, const Pair& pair, const Pose& pose) {
    const System system = compile(make_model(kind, pair, pose, Treatment::lagrange));
    std::vector<double> q;
    for (int trial = 0; trial < 3; ++trial) {
      const Motion6 global{rotation(unit(Vec3<double>{{u(random), u(random), u(random)}}), 3 * u(random)),
                           {{u(random), u(random), u(random)}}};
      // All it lets pass together; of a universal joint about a's axis last.
      Motion6 relative;
      for (int k = 0; k < 3; ++k)
        if (kind.turn[k]) relative = relative * Motion6::turn(point, directions[k], 1.5 * u(random));
      for (int k = 0; k < 3; ++k)
        if (kind.shift[k]) relative = Motion6::shift(0.4 * u(random) * directions[k]) * relative;
      place(system, pair, global, relative, q);
      EXPECT_LT(largest(constraints_at(system, q)), 1e-13);
      // Anything else in addition is seen.
      for (int k = 0; k < 3; ++k) {
        if (!kind.shift[k]) {
          place(system, pair, global, Motion6::shift(0.05 * directions[k]) * relative, q);
          EXPECT_GT(largest(constraints_at(system, q)), 0.01) << "shift " << k;
        }
        if (!kind.turn[k]) {
          place(system, pair, global, Motion6::turn(point, directions[k], 0.1), q);
          EXPECT_GT(largest(constraints_at(system, q)), 0.02) << "turn " << k;
        }
      }
    }
  });
}

// Velocities that the eliminated system admits are those that the rows admit.
TEST(Joints, EliminationAdmitsWhatRowsAdmit) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> u(-1, 1);
  for_all([&](const Kind& kind, const Pair& pair, const Pose& pose) {
    const System eliminated = compile(make_model(kind, pair, pose, Treatment::eliminate)),
                 rows = compile(make_model(kind, pair, pose, Treatment::lagrange));
    ASSERT_LE(eliminated.map.size, rows.map.size);
    // Random dz minus its part in the row space of G: Gram-Schmidt over the rows.
    State state = eliminated.initial_state();
    Workspace work(eliminated, 1);
    evaluate_constraints(eliminated, state, work);
    std::vector<std::vector<double>> basis;
    const auto orthogonalise = [&](std::vector<double>& x) {
      for (int pass = 0; pass < 2; ++pass)
        for (const auto& e : basis) {
          double h = 0;
          for (std::size_t i = 0; i < x.size(); ++i) h += e[i] * x[i];
          for (std::size_t i = 0; i < x.size(); ++i) x[i] -= h * e[i];
        }
    };
    for (int r = 0; r < eliminated.row_count(); ++r) {
      std::vector<double> g(eliminated.map.size, 0.0);
      const ConstraintJacobian& G = eliminated.jacobian;
      for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) g[G.column[e]] += work.G[e];
      orthogonalise(g);
      double length = 0;
      for (double x : g) length += x * x;
      ASSERT_GT(length, 1e-12);
      for (double& x : g) x /= std::sqrt(length);
      basis.push_back(g);
    }
    std::vector<double> dz(eliminated.map.size);
    for (double& x : dz) x = u(random);
    orthogonalise(dz);
    State full = rows.initial_state();
    eliminated.map.prolong({}, dz, 1, full.v);
    std::vector<double> rates;
    constraint_rates(rows, full, rates);
    EXPECT_LT(largest(rates), 1e-12);
    if (eliminated.map.size > eliminated.row_count()) {
      EXPECT_GT(largest(full.v), 1e-3);
    }
  });
}

// What is linear leaves the unknowns.
TEST(Joints, CheapestForms) {
  const auto rows = [](const std::string& name, Side a, Side b, int pose) {
    for (const Kind& kind : kinds())
      if (kind.name == name) {
        const System system = compile(make_model(kind, {a, b}, poses()[pose], Treatment::eliminate));
        return static_cast<int>(system.owners[system.joints[0].owner].rows.size());
      }
    return -1;
  };
  for (int pose : {0, 1, 2}) {
    EXPECT_EQ(rows("weld", Side::ground, Side::node, pose), 0);
    EXPECT_EQ(rows("weld", Side::node, Side::ground, pose), 0);
    EXPECT_EQ(rows("weld", Side::rigid, Side::node, pose), 4);  // the position is a slave of the rigid body
    EXPECT_EQ(rows("weld", Side::ground, Side::rigid, pose), 0);
    EXPECT_EQ(rows("weld", Side::rigid, Side::rigid, pose), 0);
    EXPECT_EQ(rows("spherical", Side::node, Side::node, pose), 0);
    EXPECT_EQ(rows("spherical", Side::rigid, Side::node, pose), 0);
    EXPECT_EQ(rows("spherical", Side::ground, Side::rigid, pose), 0);
    EXPECT_EQ(rows("point_on_line", Side::ground, Side::node, pose), 0);
  }
  EXPECT_EQ(rows("revolute", Side::ground, Side::node, 0), 2);
  EXPECT_EQ(rows("revolute", Side::ground, Side::node, 1), 0);  // r_y and r_z stay across the axis
  EXPECT_EQ(rows("revolute", Side::ground, Side::node, 2), 0);  // r_z stays along it, r_y across
  EXPECT_EQ(rows("revolute", Side::ground, Side::rigid, 1), 0);
  const System welded = compile(make_model(kinds()[0], {Side::rigid, Side::rigid}, poses()[0], Treatment::eliminate));
  EXPECT_EQ(welded.map.size, 12);
  EXPECT_EQ(welded.row_count(), 6);
}

TEST(Joints, AnglesAreRightHandedAndTravelsAlongTheAxis) {
  for (const Pair& pair : pairs)
    for (const Pose& pose : poses())
      for (const bool slides : {false, true}) {
        SCOPED_TRACE(std::string(side_name(pair.a)) + "-" + side_name(pair.b) + ", " + pose.name);
        const Kind kind = kinds()[slides ? 4 : 2];
        const System system = compile(make_model(kind, pair, pose, Treatment::eliminate));
        ASSERT_EQ(system.joints[0].angle, 0);
        State state = system.initial_state();
        EXPECT_NEAR(state.slots.values[0], 0, 1e-14);
        double near = 0;
        for (double theta = 0; theta < 10; theta += 0.25) {
          const double travel = slides ? 0.03 * theta : 0;
          place(system, pair, Motion6::turn(point, n1(), 0.7),
                Motion6::shift(travel * axis) * Motion6::turn(point, axis, theta), state.q);
          near = angle_value(system.angles[0], state.q, near);
          EXPECT_NEAR(near, theta, 1e-12);
          state.slots.values[0] = near;
          Workspace work(system, 1);
          const std::vector<double> values = channel_values(system, state, work);
          ASSERT_EQ(values.size(), slides ? 8u : 7u);
          EXPECT_NEAR(values[6], theta, 1e-12);
          if (slides) {
            EXPECT_NEAR(values[7], travel, 1e-13);
          }
        }
      }
}

}  // namespace
}  // namespace lithe::test

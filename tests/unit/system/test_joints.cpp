// Joints between every kind of place: degrees of freedom, what they let pass and what they hold, elimination against
// multipliers, reactions by virtual work.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "lithe/base/error.h"
#include "lithe/system/outputs.h"
#include "lithe/system/reactions.h"
#include "support/joints.h"

namespace lithe::test {
namespace {

const Vec3<double> point{{0.31, -0.22, 0.53}};
const Vec3<double> axis = unit({{0.4, -0.3, 0.8}});

// What a joint is, how many equations it has, and which relative motions along and about (axis, n1, n2) it lets pass.
struct Kind {
  std::string name;
  std::function<Joint(const At&, const At&)> make;
  int equations;
  bool shift[3], turn[3];
};
Vec3<double> n1() { return unit(cross(axis, {{0, 0, 1}})); }
Vec3<double> n2() { return cross(axis, n1()); }

std::vector<Kind> kinds() {
  return {
      {"weld",
       [](At a, At b) {
         return Weld{a, b, {}};
       },
       6,
       {0, 0, 0},
       {0, 0, 0}},
      {"spherical",
       [](At a, At b) {
         return Spherical{a, b, {}};
       },
       3,
       {0, 0, 0},
       {1, 1, 1}},
      {"revolute",
       [](At a, At b) {
         return Revolute{a, b, {}, triple(axis)};
       },
       5,
       {0, 0, 0},
       {1, 0, 0}},
      {"universal",
       [](At a, At b) {
         return Universal{a, b, {}, triple(axis), triple(n1())};
       },
       4,
       {0, 0, 0},
       {1, 1, 0}},
      {"cylindrical",
       [](At a, At b) {
         return Cylindrical{a, b, {}, triple(axis)};
       },
       4,
       {1, 0, 0},
       {1, 0, 0}},
      {"prismatic",
       [](At a, At b) {
         return Prismatic{a, b, {}, triple(axis)};
       },
       5,
       {1, 0, 0},
       {0, 0, 0}},
      {"planar",
       [](At a, At b) {
         return Planar{a, b, {}, triple(axis)};
       },
       3,
       {0, 1, 1},
       {1, 0, 0}},
      {"point_on_line",
       [](At a, At b) {
         return PointOnLine{a, b, {}, triple(axis)};
       },
       2,
       {1, 0, 0},
       {1, 1, 1}},
  };
}

struct Pair {
  Side a, b;
};
const std::vector<Pair> pairs{
    {Side::ground, Side::rigid},         {Side::rigid, Side::ground},       {Side::rigid, Side::rigid},
    {Side::ground, Side::node},          {Side::node, Side::ground},        {Side::rigid, Side::node},
    {Side::node, Side::rigid},           {Side::node, Side::node},          {Side::ground, Side::material_point},
    {Side::rigid, Side::material_point}, {Side::material_point, Side::node}};

// Orientations of the two bodies: skew, or with e1 or e3 along the axis, where simpler equations are used.
struct Pose {
  std::string name;
  Vec3<double> xa, ya, xb, yb;
};
std::vector<Pose> poses() {
  return {{"skew", {{1, 0.2, -0.4}}, {{0.3, 1, 0.5}}, {{-0.2, 0.6, 1}}, {{1, 0.1, 0.3}}},
          {"e1 along the axis", axis, n1(), axis, n2()},
          {"e3 along the axis", n1(), n2(), n2(), -1.0 * n1()}};
}

Model make_model(const Kind& kind, const Pair& pair, const Pose& pose, Treatment treatment) {
  Model model;
  const At a = add_side(model, pair.a, "a", point, pose.xa, pose.ya),
           b = add_side(model, pair.b, "b", point, pose.xb, pose.yb);
  model.joints.add("joint", kind.make(a, b));
  model.outputs.add("joint", JointOutput{"joint"});
  model.treatment = treatment;
  return model;
}

template <class Function>
void for_all(Function&& function) {
  for (const Kind& kind : kinds())
    for (const Pair& pair : pairs)
      for (const Pose& pose : poses()) {
        SCOPED_TRACE(kind.name + " " + side_name(pair.a) + "-" + side_name(pair.b) + ", " + pose.name);
        function(kind, pair, pose);
      }
}

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

// Gradients at node 0 of `body` keep their section: r_x anything, r_y and r_z stretched.
void deform_section(const System& system, const std::string& body, std::vector<double>& q) {
  for (const BodyInfo& info : system.bodies)
    if (info.name == body && info.node_vectors == 4 && info.kind != ElementKind::rigid) {
      double *x = &q[3ul * info.vector(0, 1)], *y = &q[3ul * info.vector(0, 2)], *z = &q[3ul * info.vector(0, 3)];
      for (int m = 0; m < 3; ++m) {
        x[m] += 0.2 * (m - 1) + 0.3 * y[m];
        y[m] *= 0.8;
        z[m] *= 1.25;
      }
    }
}

void place(const System& system, const Pair& pair, const Motion6& global, const Motion6& relative,
           std::vector<double>& q) {
  q = system.q0;
  Motion6 of_a = global;
  if (pair.a == Side::ground) of_a = Motion6();
  if (pair.b == Side::ground) of_a = relative.inverse();
  move(system, "a", of_a, q);
  move(system, "b", of_a * relative, q);
  if (pair.a == Side::node) deform_section(system, "a", q);
  if (pair.b == Side::node) deform_section(system, "b", q);
}

TEST(Joints, LetPassAndHold) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1, 1);
  const Vec3<double> directions[3] = {axis, n1(), n2()};
  for_all([&](const Kind& kind, const Pair& pair, const Pose& pose) {
    const System system = compile(make_model(kind, pair, pose, Treatment::lagrange));
    std::vector<double> q;
    for (int trial = 0; trial < 3; ++trial) {
      const Motion6 global{rotation(unit({{u(random), u(random), u(random)}}), 3 * u(random)),
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

// Force and torque on b's coordinates as a rigid body would feel them.
Wrench sum_on(const System& system, const std::string& body, const std::vector<double>& q,
              const std::vector<double>& force, const Vec3<double>& about) {
  Wrench w;
  for (const BodyInfo& info : system.bodies) {
    if (info.name != body) continue;
    for (int n = 0; n < info.mesh.node_count(); ++n)
      for (int k = 0; k < info.node_vectors; ++k) {
        const std::size_t i = 3ul * info.vector(n, k);
        const Vec3<double> f{{force[i], force[i + 1], force[i + 2]}}, x{{q[i], q[i + 1], q[i + 2]}};
        if (k == 0) w.force = w.force + f;
        w.torque = w.torque + cross(k == 0 ? x - about : x, f);
      }
  }
  return w;
}

// Multipliers taken at random: the output is what their forces do to the coordinates of b, and the opposite for a.
TEST(Joints, ReactionsOfRowsByVirtualWork) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  for_all([&](const Kind& kind, const Pair& pair, const Pose& pose) {
    const System system = compile(make_model(kind, pair, pose, Treatment::lagrange));
    State state = system.initial_state();
    const Motion6 global{rotation(unit({{u(random), u(random), u(random)}}), 3 * u(random)), {{0.1, 0.2, 0.3}}};
    place(system, pair, global, Motion6(), state.q);
    std::vector<double> mine(system.rows.size(), 0.0);
    for (std::size_t r = 0; r < mine.size(); ++r) {
      state.lambda[r] = u(random);
      if (system.rows[r].owner == system.joints[0].owner) mine[r] = -state.lambda[r];
    }
    std::vector<double> force(state.q.size(), 0.0);
    add_row_forces(system, state, mine, force);
    const Wrench found = joint_reaction(system, state, 0, {});
    const bool on_b = pair.b != Side::ground;
    const Vec3<double> at = system.joints[0].b.position.value(state.q);
    const Wrench expected = sum_on(system, on_b ? "b" : "a", state.q, force, at);
    for (int m = 0; m < 3; ++m) {
      EXPECT_NEAR(found.force[m], (on_b ? 1 : -1) * expected.force[m], 1e-12);
      EXPECT_NEAR(found.torque[m], (on_b ? 1 : -1) * expected.torque[m], 1e-12);
    }
  });
}

// The same model with and without elimination: with the forces that balance given multipliers of the rows, the
// eliminated system finds the same reaction.
TEST(Joints, ReactionsOfEliminatedEquationsAreTheSame) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> u(-1, 1);
  for_all([&](const Kind& kind, const Pair& pair, const Pose& pose) {
    const System rows = compile(make_model(kind, pair, pose, Treatment::lagrange)),
                 system = compile(make_model(kind, pair, pose, Treatment::eliminate));
    State state = rows.initial_state();
    for (double& x : state.lambda) x = u(random);
    const Wrench expected = joint_reaction(rows, state, 0, {});
    // External forces that leave M a + f_int - f_ext + G^T lambda = 0 over all coordinates of the row system.
    Workspace work(system, 1);
    std::vector<double> balance(state.q.size(), 0.0);
    add_row_forces(rows, state, state.lambda, balance);
    work.external = balance;
    // Multipliers of what the eliminated system keeps: G^T lambda = f_ext over its unknowns.
    State reduced = system.initial_state();
    std::vector<double> right;
    system.map.restrict({}, balance, right);
    evaluate_constraints(system, reduced, work);
    // By conjugate gradients on G G^T, which takes at most as many rounds as there are rows.
    const ConstraintJacobian& G = system.jacobian;
    const int n = system.row_count();
    const auto dot_of = [](const std::vector<double>& x, const std::vector<double>& y) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
      return sum;
    };
    const auto rows_times = [&](const std::vector<double>& x) {
      std::vector<double> y(n, 0.0);
      for (int r = 0; r < n; ++r)
        for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) y[r] += work.G[e] * x[G.column[e]];
      return y;
    };
    std::vector<double> left = right, s = rows_times(right), p = s;
    for (int k = 0; k < 4 * n && dot_of(s, s) > 1e-28; ++k) {
      std::vector<double> direction(system.map.size, 0.0);
      add_transposed(system, work.G, 1, p, direction);
      const double size = dot_of(s, s), step = size / dot_of(direction, direction);
      for (int r = 0; r < n; ++r) reduced.lambda[r] += step * p[r];
      for (int i = 0; i < system.map.size; ++i) left[i] -= step * direction[i];
      s = rows_times(left);
      const double factor = dot_of(s, s) / size;
      for (int r = 0; r < n; ++r) p[r] = s[r] + factor * p[r];
    }
    EXPECT_LT(largest(left), 1e-11);
    const std::vector<double> values = channel_values(system, reduced, work);
    for (int m = 0; m < 3; ++m) {
      EXPECT_NEAR(values[m], expected.force[m], 1e-10);
      EXPECT_NEAR(values[3 + m], expected.torque[m], 1e-10);
    }
  });
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

// ---- cables and points ----

System compile_pair(Side a, const Vec3<double>& xa, Side b, const Vec3<double>& xb,
                    const std::function<Joint(At, At)>& make, Treatment treatment = Treatment::eliminate) {
  Model model;
  const At at_a = add_side(model, a, "a", point, xa, cross(xa, {{0.3, 0.2, 0.9}})),
           at_b = add_side(model, b, "b", point, xb, cross(xb, {{0.3, 0.2, 0.9}}));
  model.joints.add("joint", make(at_a, at_b));
  model.treatment = treatment;
  return compile(model);
}

TEST(CableJoints, EquationsOfWeldsAndHinges) {
  const auto weld = [](At a, At b) { return Weld{a, b, {}}; };
  const auto hinge = [](At a, At b) { return Revolute{a, b, {}, triple(axis)}; };
  const Vec3<double> skew{{1, 0.3, -0.2}};
  const auto lost = [](const System& s, int dof) { return dof - (s.map.size - s.row_count()); };
  // Position and tangent: five. Two cables in line: position and gradient, all linear and eliminated.
  EXPECT_EQ(lost(compile_pair(Side::rigid, axis, Side::cable, skew, weld), 18), 5);
  EXPECT_EQ(lost(compile_pair(Side::cable, skew, Side::ground, axis, weld), 12), 5);
  EXPECT_EQ(lost(compile_pair(Side::cable, skew, Side::node, axis, weld), 36), 5);
  const System line = compile_pair(Side::cable, skew, Side::cable, skew, weld);
  EXPECT_EQ(lost(line, 24), 6);
  EXPECT_EQ(line.row_count(), 0);
  EXPECT_EQ(compile_pair(Side::ground, axis, Side::cable, skew, weld).row_count(), 0);  // linear at a node
  try {
    compile_pair(Side::cable, axis, Side::cable, skew, weld);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("meet at an angle"), std::string::npos) << e.what();
  }
  // A hinge takes its axis from the other body: one equation beside the position, two where the cable runs along it.
  for (Side other : {Side::ground, Side::rigid, Side::node}) {
    EXPECT_EQ(lost(compile_pair(other, n2(), Side::cable, n1(), hinge), side_dof(other) + 12), 4);
    EXPECT_EQ(lost(compile_pair(other, n2(), Side::cable, skew, hinge), side_dof(other) + 12), 4);
    EXPECT_EQ(lost(compile_pair(other, n2(), Side::cable, axis, hinge), side_dof(other) + 12), 5);
    EXPECT_EQ(lost(compile_pair(Side::cable, skew, other, n2(), hinge), side_dof(other) + 12), 4);
  }
  EXPECT_THROW(compile_pair(Side::cable, axis, Side::cable, axis, hinge), InputError);
}

TEST(CableJoints, AHingeKeepsTheCablesAngleWithItsAxis) {
  const auto hinge = [](At a, At b) { return Revolute{a, b, {}, triple(axis)}; };
  const Vec3<double> skew{{1, 0.3, -0.2}};
  for (const bool cable_first : {true, false})
    for (Side other : {Side::ground, Side::rigid, Side::node}) {
      const Pair pair = cable_first ? Pair{Side::cable, other} : Pair{other, Side::cable};
      const System system = cable_first ? compile_pair(Side::cable, skew, other, n2(), hinge, Treatment::lagrange)
                                        : compile_pair(other, n2(), Side::cable, skew, hinge, Treatment::lagrange);
      ASSERT_EQ(system.joints[0].angle, 0);
      std::vector<double> q;
      for (double theta : {0.3, 1.2, -2.0}) {
        place(system, pair, Motion6::turn(point, n1(), 0.4), Motion6::turn(point, axis, theta), q);
        EXPECT_LT(largest(constraints_at(system, q)), 1e-13);
        EXPECT_NEAR(angle_value(system.angles[0], q, 0), theta, 1e-12);
        place(system, pair, Motion6::turn(point, n1(), 0.4), Motion6::turn(point, n2(), 0.3), q);
        EXPECT_GT(largest(constraints_at(system, q)), 0.02);
      }
    }
}

Model two_points(double distance) {
  Model model;
  model.bodies.add("p", PointMass{1.0, {0, 0, 0}, {0, 0, 0}});
  model.bodies.add("q", PointMass{1.0, {distance, 0, 0}, {0, 0, 0}});
  return model;
}

TEST(PointJoints, DistanceLineAndPlane) {
  Model model = two_points(2);
  At p = at("p", ""), q = at("q", "");
  model.joints.add("rod", Distance{p, q, {}});
  At ground;
  ground.body = "ground";
  model.joints.add("rail", PointOnLine{ground, q, {}, {0, 1, 0}});
  model.joints.add("floor", Planar{ground, p, {}, {0, 0, 1}});
  const System system = compile(model);
  EXPECT_EQ(system.map.size - system.row_count(), 2);  // 6 - 1 - 2 - 1
  EXPECT_EQ(system.row_count(), 1);                // the rest is linear
  Model wrong = two_points(2);
  wrong.joints.add("weld", Weld{p, ground, {}});
  EXPECT_THROW(compile(wrong), InputError);
}

TEST(PointJoints, ADistanceThatChangesWithTime) {
  Model model = two_points(2);
  model.joints.add("winch", Distance{at("p", ""), at("q", ""), Signal::expression("2 + 0.5*sin(t)")});
  const System system = compile(model);
  ASSERT_EQ(system.row_count(), 1);
  std::vector<double> q = system.q0;
  q[3] = 0;
  q[4] = 2 + 0.5 * std::sin(0.9);
  EXPECT_NEAR(constraints_at(system, q, 0.9)[0], 0, 1e-14);
  EXPECT_NEAR(constraints_at(system, q, 0.0)[0], 0.5 * std::sin(0.9), 1e-14);
}

// ---- gears and prescribed motion ----

Model two_wheels() {
  Model model;
  At ground;
  ground.body = "ground";
  for (int k = 0; k < 2; ++k) {
    RigidBody wheel;
    wheel.position = {1.0 * k, 0, 0};
    wheel.mass = 1;
    wheel.inertia = std::vector<double>{1, 1, 1.5};
    const std::string name = k == 0 ? "small" : "large";
    model.bodies.add(name, wheel);
    model.joints.add(name + "_axle", Revolute{ground, at(name, "center"), {}, {0, 0, 1}});
  }
  return model;
}

TEST(DrivenJoints, AGearCouplesTwoAnglesOverManyTurns) {
  Model model = two_wheels();
  model.joints.add("gear", Gear{"small_axle", "large_axle", -0.5});
  const System system = compile(model);
  EXPECT_EQ(system.map.size - system.row_count(), 1);
  State state = system.initial_state();
  Workspace work(system, 1);
  for (double theta = 0; theta < 30; theta += 0.5) {
    state.q = system.q0;
    move(system, "small", Motion6::turn({{0, 0, 0}}, {{0, 0, 1}}, theta), state.q);
    move(system, "large", Motion6::turn({{1, 0, 0}}, {{0, 0, 1}}, -0.5 * theta), state.q);
    for (std::size_t k = 0; k < 2; ++k) state.slots.values[k] = angle_value(system.angles[k], state.q, state.slots.values[k]);
    evaluate_constraints(system, state, work);
    EXPECT_LT(largest(work.c), 1e-12) << theta;
  }
  EXPECT_NEAR(state.slots.values[0], 29.5, 1e-12);
  EXPECT_NEAR(state.slots.values[1], -14.75, 1e-12);
}

TEST(DrivenJoints, TurnSlideAndMotionPrescribe) {
  Model model = two_wheels();
  model.joints.add("motor", Turn{"small_axle", Signal::expression("3*t")});
  RigidBody block;
  block.position = {0, 0, 2};
  block.mass = 1;
  block.inertia = std::vector<double>{1, 1, 1};
  model.bodies.add("block", block);
  At ground;
  ground.body = "ground";
  model.joints.add("rail", Prismatic{ground, at("block", ""), {}, {1, 2, 2}});
  model.joints.add("push", Slide{"rail", Signal::expression("0.1*t^2")});
  model.bodies.add("probe", PointMass{1, {5, 0, 0}, {0, 0, 0}});
  model.joints.add("path", Motion{at("probe", ""), {Signal::expression("sin(t)"), std::nullopt, Signal(0)}});
  const System system = compile(model);
  EXPECT_EQ(system.map.size - system.row_count(), 2);  // the large wheel turns, the probe moves along y
  State state = system.initial_state();
  state.t = 1.7;
  std::vector<double> a(state.q.size());
  move(system, "small", Motion6::turn({{0, 0, 0}}, {{0, 0, 1}}, 3 * 1.7), state.q);
  move(system, "block", Motion6::shift(0.1 * 1.7 * 1.7 / 3 * Vec3<double>{{1, 2, 2}}), state.q);
  system.map.follow(system.q0, state.t, state.t, state.q, state.v, a);
  state.slots.values[0] = 5;
  Workspace work(system, 1);
  evaluate_constraints(system, state, work);
  EXPECT_LT(largest(work.c), 1e-12);
  const int probe = system.bodies.back().vector(0, 0);
  EXPECT_NEAR(state.q[3 * probe], 5 + std::sin(1.7), 1e-14);
  EXPECT_NEAR(state.v[3 * probe], std::cos(1.7), 1e-6);
}

// ---- messages ----

std::string message_of(const Model& model) {
  try {
    compile(model);
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing was wrong";
}

TEST(Joints, MessagesSayWhatIsWrong) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  At ground;
  ground.body = "ground";
  Model apart = two_points(2);
  apart.joints.add("ball", Spherical{at("p", ""), at("q", ""), {}});
  has(message_of(apart),
      "joint 'ball': its places must coincide in the reference configuration, but p is at (0, 0, 0)");
  has(message_of(apart), "q at (2, 0, 0), 2 m apart");
  Model itself = two_points(2);
  itself.joints.add("ball", Spherical{ground, ground, {}});
  has(message_of(itself), "joints.ball.b: both places are on the ground; one must be on a body");
  Model nowhere = two_wheels();
  nowhere.joints.add("hinge", Revolute{at("small", ""), at("large", ""), {}, {0, 0, 1}});
  has(message_of(nowhere), "joints.hinge: neither 'small' nor 'large' says where the joint is; give 'point");
  Model off = two_wheels();
  At there = ground;
  there.point = Triple{0, 0.5, 0};
  off.joints.add("rail", PointOnLine{there, at("small", "center"), {}, {1, 0, 0}});
  has(message_of(off), "is 0.5 m off the line through ground at (0, 0.5, 0)");
  Model gear = two_wheels();
  gear.joints.add("gear", Gear{"small_axle", "large_axel", 2});
  has(message_of(gear), "joint 'large_axel' is not known (did you mean 'large_axle'?)");
  Model no_angle = two_wheels();
  no_angle.joints.add("ball", Spherical{at("small", ""), at("large", ""), Triple{0.5, 0, 0}});
  no_angle.joints.add("motor", Turn{"ball", Signal(1.0)});
  has(message_of(no_angle),
      "joints.motor.joint: joint 'ball' is of type spherical, which has no angle; name a revolute or cylindrical "
      "joint");
}

}  // namespace
}  // namespace lithe::test

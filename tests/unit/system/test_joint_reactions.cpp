// Reactions of joints between every kind of place, by virtual work.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/system/outputs.h"
#include "lithe/system/reactions.h"
#include "support/joint_cases.h"

namespace lithe::test {
namespace {

using namespace joint_cases;

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
    const Motion6 global{rotation(unit(Vec3<double>{{u(random), u(random), u(random)}}), 3 * u(random)),
                         {{0.1, 0.2, 0.3}}};
    place(system, pair, global, Motion6(), state.q);
    std::vector<double> mine(system.rows.size(), 0.0);
    for (std::size_t r = 0; r < mine.size(); ++r) {
      state.lambda[r] = u(random);
      if (system.rows.owner[r] == system.joints[0].owner) mine[r] = -state.lambda[r];
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

}  // namespace
}  // namespace lithe::test

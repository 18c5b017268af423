// Contacts whose normal impulse is given (friction of joints) and of fewer rows than three, by all solvers: the same
// answers, and those that an enumeration of one dimension finds.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/contact/contact_solver.h"
#include "lithe/contact/local_contact.h"

namespace lithe {
namespace {

// W = G G^T over n contacts, all coupled; kinds: 0 a point, 1 friction of a joint (its second row), 2 a stop (its
// first).
ContactProblem random_problem(unsigned seed, const std::vector<int>& kind, int freedoms) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = static_cast<int>(kind.size());
  std::vector<std::vector<double>> G(3 * n, std::vector<double>(freedoms, 0.0));
  ContactProblem problem;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 3; ++i) {
      const bool there = kind[k] == 0 || (kind[k] == 1 && i == 1) || (kind[k] == 2 && i == 0);
      for (double& g : G[3 * k + i]) g = there ? uniform(engine) : 0;
      problem.B.push_back(there ? uniform(engine) - (i == 0 ? 0.5 : 0.0) : 0.0);
    }
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      problem.column.push_back(j);
      for (int i = 0; i < 3; ++i)
        for (int m = 0; m < 3; ++m) {
          double sum = 0;
          for (int f = 0; f < freedoms; ++f) sum += G[3 * k + i][f] * G[3 * j + m][f];
          problem.W.push_back(sum);
        }
    }
    problem.row_start.push_back(static_cast<std::int32_t>(problem.column.size()));
    problem.friction.push_back(kind[k] == 0 ? 0.4 : kind[k] == 1 ? 1 : 0);
    problem.given.push_back(kind[k] == 1 ? 0.1 + 0.1 * k : -1);
  }
  return problem;
}

struct Solved {
  ContactReport report;
  std::vector<double> R, U;
};
Solved solve(const std::string& name, const ContactProblem& problem, double tolerance) {
  Solved solved;
  solved.report = make_contact_solver(name)->solve(problem, {.tolerance = tolerance}, solved.R, solved.U);
  return solved;
}

TEST(GivenImpulses, OneRowSticksOrSlides) {
  for (const ContactSolverInfo& info : contact_solvers())
    for (const double push : {-3.0, -0.3, 0.0, 0.4, 2.0}) {
      ContactProblem problem{{0, 1}, {0}, {0, 0, 0, 0, 2, 0, 0, 0, 0}, {0, push, 0}, {0.5}, {0.6}};
      const Solved solved = solve(info.name, problem, 1e-11);
      ASSERT_TRUE(solved.report.ok()) << solved.report.text();
      EXPECT_EQ(solved.R[0], 0.6) << info.name;
      EXPECT_NEAR(solved.R[1], std::clamp(-push / 2, -0.3, 0.3), 1e-9) << info.name << push;
      EXPECT_NEAR(solved.R[2], 0, 1e-12) << info.name;
      EXPECT_NEAR(solved.U[1], push + 2 * solved.R[1], 1e-12) << info.name;
    }
}

// Of two rows: |R_T| = mu R_N against U_T, W_TN R_N with it.
TEST(GivenImpulses, TwoRowsSlideAgainstTheirVelocity) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    double G[3][3], W[9];
    for (auto& row : G)
      for (double& x : row) x = uniform(engine);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) W[3 * i + j] = G[i][0] * G[j][0] + G[i][1] * G[j][1] + G[i][2] * G[j][2];
    const FrictionCone cone(0.5, 0.3);
    const Vec3<double> b{{uniform(engine), uniform(engine), uniform(engine)}}, R = LocalContact(W, cone).solve(b);
    Vec3<double> U = b;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) U[i] += W[3 * i + j] * R[j];
    EXPECT_EQ(R[0], 0.3);
    EXPECT_LT(norm(natural_map(cone, 1, R, U)), 1e-9) << trial;
    EXPECT_LE(std::hypot(R[1], R[2]), 0.15 * (1 + 1e-14));
  }
}

TEST(GivenImpulses, AllSolversAgree) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<int> kind{0, 1, 2, 1, 0, 1, 2};
    const ContactProblem problem = random_problem(seed, kind, 15);
    const Solved first = solve("nsgs", problem, 1e-10);
    ASSERT_TRUE(first.report.ok()) << seed << first.report.text();
    for (const ContactSolverInfo& info : contact_solvers()) {
      const Solved solved = solve(info.name, problem, 1e-9);
      ASSERT_TRUE(solved.report.ok()) << seed << ": " << solved.report.text();
      for (std::size_t i = 0; i < solved.U.size(); ++i)
        EXPECT_NEAR(solved.U[i], first.U[i], 1e-6) << info.name << " " << seed << " " << i;
      for (std::size_t k = 0; k < kind.size(); ++k) {
        if (kind[k] != 1) continue;
        EXPECT_EQ(solved.R[3 * k], problem.given[k]) << info.name;
      }
    }
  }
}

// More rows than freedoms: velocities are the same all the same.
TEST(GivenImpulses, RedundantRows) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ContactProblem problem = random_problem(seed, {1, 1, 1, 2, 2, 1}, 3);
    const Solved first = solve("auto", problem, 1e-10);
    ASSERT_TRUE(first.report.ok()) << seed << first.report.text();
    for (const char* name : {"nsgs", "newton", "interior", "admm", "apgd"}) {
      const Solved solved = solve(name, problem, 1e-8);
      ASSERT_TRUE(solved.report.ok()) << seed << ": " << solved.report.text();
      for (std::size_t i = 0; i < solved.U.size(); ++i) EXPECT_NEAR(solved.U[i], first.U[i], 1e-6) << name << seed;
    }
  }
}

}  // namespace
}  // namespace lithe

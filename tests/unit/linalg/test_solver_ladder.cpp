// The ladder of fallbacks: which rung serves which matrix, what is counted, and that it depends on values alone.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/base/error.h"
#include "lithe/linalg/solver_ladder.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;

void expect_solves(SolverLadder& ladder, const Matrix& m, double limit = 1e-10) {
  const auto expected = random_vector(m.pattern.size, 4);
  std::vector<double> b, x;
  multiply(m.pattern, m.values, expected, b);
  ASSERT_TRUE(ladder.solve(b, x).ok());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], limit);
}

Matrix positive(int n = 200) { return random_matrix(n, true, 15, 3); }
Matrix indefinite(int n = 200) {
  Matrix m = positive(n);
  for (int j = 0; j < n; j += 50) m.values[m.pattern.column_start[j + 1] - 1] *= -1;
  return m;
}

// LDLt that starts with the small diagonal keeps no digit of the rest: [d 1 1; 1 c 0; 1 0 2c], d << eps / c. One of the
// three blocks has it first, whatever the order.
Matrix treacherous() {
  const double d = 5e-13, c = 1e-3;
  Entries entries;
  for (int block = 0; block < 3; ++block)
    for (int i = 0; i < 3; ++i) {
      const int at = 3 * block, small = at + block;
      entries[{at + i, at + i}] = at + i == small ? d : (i == (block + 1) % 3 ? c : 2 * c);
      for (int j = 0; j < i; ++j) entries[{at + i, at + j}] = at + i == small || at + j == small ? 1 : 0;
    }
  return assemble(9, entries, true);
}

TEST(SolverLadder, TheChosenOneServesWhatItIsFor) {
  const Matrix m = positive();
  SolverLadder ladder(m.pattern, MatrixKind::positive_definite, {});
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(ladder.factor(m.values));
  expect_solves(ladder, m);
  const LinearReport& report = ladder.report();
  EXPECT_EQ(report.rungs[0].used, 3);
  EXPECT_EQ(report.factorisations, 3);
  EXPECT_EQ(report.solves, 1);
  EXPECT_EQ(report.indefinite + report.inaccurate, 0);
  EXPECT_NE(report.text().find("positive definite, 200 unknowns"), std::string::npos) << report.text();
  EXPECT_EQ(SolverLadder().report().text(), "none: no coordinate is free");
}

TEST(SolverLadder, IndefiniteMatricesAreCounted) {
  const Matrix good = positive(), bad = indefinite();
  SolverLadder ladder(good.pattern, MatrixKind::positive_definite, {});
  ASSERT_TRUE(ladder.factor(bad.values));
  EXPECT_EQ(ladder.factor_report().negative_pivots, 4);
  EXPECT_EQ(ladder.report().rungs[1].solver, "cholmod_ldl");
  EXPECT_EQ(ladder.report().rungs[1].used, 1);
  EXPECT_EQ(ladder.report().indefinite, 1);
  EXPECT_EQ(ladder.report().factorisations, 2);
  expect_solves(ladder, bad);
  ASSERT_TRUE(ladder.factor(good.values));
  EXPECT_EQ(ladder.report().rungs[0].used, 1) << "the next matrix begins at the top";
  const auto ends_with_reason = [&](const std::string& reason) {
    EXPECT_TRUE(ladder.report().text().ends_with(")" + reason)) << ladder.report().text();
  };
  ends_with_reason("; cholmod_ldl for one matrix that was not positive definite");
  ASSERT_TRUE(ladder.factor(bad.values));
  ends_with_reason("; cholmod_ldl for 2 matrices that were not positive definite");
}

TEST(SolverLadder, AKeptRungSavesTheFailures) {
  const Matrix good = positive(), bad = indefinite();
  SolverLadder ladder(good.pattern, MatrixKind::positive_definite, {.keep_rung = true});
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(ladder.factor(bad.values));
  EXPECT_EQ(ladder.report().factorisations, 4) << "one failure, three times LDLt";
  EXPECT_EQ(ladder.report().indefinite, 3);
  ASSERT_TRUE(ladder.factor(good.values));
  EXPECT_EQ(ladder.factor_report().negative_pivots, 0) << "LDLt, which tells that the way back is free";
  ASSERT_TRUE(ladder.factor(good.values));
  EXPECT_EQ(ladder.report().rungs[0].used, 1);
  expect_solves(ladder, good);
}

TEST(SolverLadder, LostDigitsLeadToPivoting) {
  const Matrix m = treacherous();
  SolverLadder ladder(m.pattern, MatrixKind::positive_definite, {});
  ASSERT_TRUE(ladder.factor(m.values));
  EXPECT_EQ(ladder.report().inaccurate, 1);
  EXPECT_EQ(ladder.report().rungs[1].used, 0) << ladder.report().text();
  EXPECT_EQ(ladder.report().rungs[2].used, 1) << ladder.report().text();
  EXPECT_EQ(ladder.report().rungs[2].solver, has_linear_solver("mumps")     ? "mumps"
                                             : has_linear_solver("umfpack") ? "umfpack"
                                                                            : "klu");
  if (has_linear_solver("mumps")) {
    EXPECT_EQ(ladder.factor_report().negative_pivots, 3);
  }
  EXPECT_NE(ladder.report().text().find("not positive definite 1x; LDLt without pivoting inaccurate 1x"),
            std::string::npos)
      << ladder.report().text();
  expect_solves(ladder, m);
}

TEST(SolverLadder, SingularMatricesAreToldAndStayUsable) {
  const Matrix held = springs(50, false);
  Matrix loose = springs(50, true);
  loose.values.back() += 1e-15;  // no exact zero, which nobody can divide by
  SolverLadder ladder(held.pattern, MatrixKind::positive_definite, {});
  EXPECT_FALSE(ladder.factor(loose.values));
  EXPECT_EQ(ladder.factor_report().reason, FactorReport::Reason::singular);
  EXPECT_TRUE(ladder.factor_report().usable);
  EXPECT_GE(ladder.factor_report().negative_pivots, 0) << "of the rungs that could solve, one that counts";
  std::vector<double> x;
  EXPECT_NE(ladder.solve(random_vector(50, 1), x).reason, SolveReport::Reason::not_finite);
  ASSERT_TRUE(ladder.factor(held.values));
  expect_solves(ladder, held);
  SolverLadder takes(held.pattern, MatrixKind::symmetric_indefinite, {.take_singular = true});
  EXPECT_TRUE(takes.factor(loose.values));
  EXPECT_EQ(takes.factor_report().reason, FactorReport::Reason::singular);
  auto broken = held.values;
  broken[7] = NAN;
  EXPECT_FALSE(ladder.factor(broken));
  EXPECT_EQ(ladder.factor_report().reason, FactorReport::Reason::not_finite);
}

TEST(SolverLadder, HalvesNeedAPositiveDefiniteMatrix) {
  const Matrix good = positive(), bad = indefinite();
  SolverLadder ladder(good.pattern, MatrixKind::positive_definite, {});
  const SolveRequest forward{.operation = SolveRequest::Operation::forward, .columns = 2};
  const auto b = random_vector(400, 9);
  std::vector<double> x;
  ASSERT_TRUE(ladder.factor(good.values));
  EXPECT_TRUE(ladder.solve(b, x, forward).ok());
  EXPECT_EQ(ladder.report().solves, 2);
  ASSERT_TRUE(ladder.factor(bad.values));
  EXPECT_THROW((void)ladder.solve(b, x, forward), RunError);
}

TEST(SolverLadder, CountsNegativePivotsOfSaddlePoints) {
  for (const int n : {60, 200}) {
    const Matrix m = saddle_point(n, n / 4, true, 8);
    SolverLadder ladder(m.pattern, MatrixKind::symmetric_indefinite, {.count_negative = true});
    ASSERT_TRUE(ladder.factor(m.values));
    EXPECT_EQ(ladder.factor_report().negative_pivots, n / 4);
    EXPECT_EQ(ladder.report().rungs.size(), 1u);
    expect_solves(ladder, m);
  }
}

TEST(SolverLadder, WhatIsIndefiniteByKindIsNoFailure) {
  const Matrix m = saddle_point(200, 50, true, 8);
  SolverLadder ladder(m.pattern, MatrixKind::symmetric_indefinite, {.solver = "lapack_ldl", .keep_rung = true});
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(ladder.factor(m.values));
  EXPECT_EQ(ladder.factor_report().negative_pivots, 50);
  EXPECT_EQ(ladder.report().indefinite, 0);
  EXPECT_EQ(ladder.report().rungs[0].used, 3);
}

TEST(SolverLadder, EverySolverByNameHasAWayOut) {
  const Matrix good = positive(60), bad = indefinite(60);
  for (const SolverInfo& info : linear_solvers()) {
    SolverLadder ladder(good.pattern, MatrixKind::positive_definite, {.solver = info.name});
    ASSERT_TRUE(ladder.factor(good.values)) << info.name;
    EXPECT_EQ(ladder.report().rungs[0].used, 1) << info.name;
    expect_solves(ladder, good);
    ASSERT_TRUE(ladder.factor(bad.values)) << info.name;
    expect_solves(ladder, bad);
  }
}

TEST(SolverLadder, WhatTheBuildLacksIsSaidWithTheRemedy) {
  for (const AbsentSolver& absent : absent_linear_solvers()) {
    EXPECT_FALSE(has_linear_solver(absent.name));
    try {
      (void)make_linear_solver(absent.name);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what())
                    .find("this build has no linear solver '" + absent.name + "'; configure with -DLITHE_WITH_"),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_EQ(linear_solvers().size() + absent_linear_solvers().size(), 19u);
}

}  // namespace
}  // namespace lithe

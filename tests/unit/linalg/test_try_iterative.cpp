// When `auto` iterates: where a trial converged within what factors are worth, never else.
#include <gtest/gtest.h>

#include "lithe/linalg/try_iterative.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;

constexpr FactorCounts large{1e5, 1e8, 1e12};

TEST(TryIterative, TakesWhatConverges) {
  const Matrix m = random_matrix(3000, true, 12, 5);
  const IterativeTrial trial =
      try_iterative(m.pattern, MatrixKind::positive_definite, 0, m.values, large, false, nullptr);
  EXPECT_TRUE(trial.pays);
  EXPECT_EQ(trial.solver, "cg");
  EXPECT_GT(trial.iterations, 0);
  EXPECT_GE(trial.most, 2 * trial.iterations);
  EXPECT_NE(trial.why.find("a trial took " + std::to_string(trial.iterations)), std::string::npos) << trial.why;
}

TEST(TryIterative, LeavesWhatDoesNot) {
  const Matrix chain = springs(5000, false);  // as many iterations as masses
  FactorCounts counts = large;
  counts.nonzeros = 1e6;
  counts.flops = 1e9;
  EXPECT_FALSE(
      try_iterative(chain.pattern, MatrixKind::positive_definite, 0, chain.values, counts, false, nullptr).pays);
  Matrix indefinite = random_matrix(3000, true, 12, 5);
  for (double& value : indefinite.values) value = -value;
  EXPECT_FALSE(
      try_iterative(indefinite.pattern, MatrixKind::positive_definite, 0, indefinite.values, large, false, nullptr)
          .pays);
  const Matrix unsymmetric = random_matrix(3000, false, 12, 5);
  EXPECT_FALSE(
      try_iterative(unsymmetric.pattern, MatrixKind::unsymmetric, 0, unsymmetric.values, large, false, nullptr).pays);
}

TEST(TryIterative, TriesNothingWhereFactorsAreSmall) {
  const Matrix m = random_matrix(3000, true, 12, 5);
  const IterativeTrial trial =
      try_iterative(m.pattern, MatrixKind::positive_definite, 0, m.values, {3000, 1e5, 1e7}, false, nullptr);
  EXPECT_FALSE(trial.pays);
  EXPECT_EQ(trial.iterations, 0);
}

TEST(TryIterative, SaddlePoints) {
  const Matrix m = saddle_point(2000, 400, true, 3);
  const IterativeTrial trial =
      try_iterative(m.pattern, MatrixKind::symmetric_indefinite, 400, m.values, large, true, nullptr);
  EXPECT_TRUE(trial.pays);
  EXPECT_EQ(trial.solver, "projected_minres");
}

TEST(TryIterative, ThreadsChangeNothing) {
  const Matrix m = random_matrix(20000, true, 12, 5);
  const IterativeTrial one =
      try_iterative(m.pattern, MatrixKind::positive_definite, 0, m.values, large, false, nullptr);
  Team team(3);
  const IterativeTrial three =
      try_iterative(m.pattern, MatrixKind::positive_definite, 0, m.values, large, false, &team);
  EXPECT_EQ(one.iterations, three.iterations);
  EXPECT_EQ(one.why, three.why);
}

}  // namespace
}  // namespace lithe

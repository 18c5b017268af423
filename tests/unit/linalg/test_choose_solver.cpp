// The rule behind `auto`: what it names exists, takes the matrix, and is what the measurements say at their ends.
#include <gtest/gtest.h>

#include "lithe/linalg/choose_solver.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;

Matrix full_matrix(int n) {
  Entries entries;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) entries[{i, j}] = i == j ? 2 * n : 1;
  return assemble(n, entries, true);
}

TEST(ChooseSolver, NamesASolverThatTakesTheMatrix) {
  const struct {
    Matrix m;
    MatrixKind kind;
  } cases[] = {{springs(1, false), MatrixKind::positive_definite},
               {springs(3000, false), MatrixKind::positive_definite},
               {full_matrix(40), MatrixKind::positive_definite},
               {random_matrix(200, true, 15, 1), MatrixKind::symmetric_indefinite},
               {saddle_point(60, 20, true, 2), MatrixKind::symmetric_indefinite},
               {saddle_point(60, 20, false, 2), MatrixKind::symmetric_indefinite},
               {full_matrix(40), MatrixKind::symmetric_indefinite},
               {random_matrix(200, false, 6, 3), MatrixKind::unsymmetric}};
  for (const auto& c : cases) {
    const SolverChoice choice = choose_linear_solver(c.m.pattern, c.kind);
    auto solver = make_linear_solver(choice.name, {.kind = c.kind, .ordering = choice.ordering});
    solver->analyse(c.m.pattern);
    EXPECT_TRUE(solver->factor(c.m.values).ok()) << choice.why;
    EXPECT_NE(choice.why.find(to_string(c.kind)), std::string::npos) << choice.why;
    EXPECT_NE(choice.why.find(choice.name), std::string::npos) << choice.why;
    EXPECT_GT(choice.microseconds, 0);
  }
}

TEST(ChooseSolver, FollowsKindSizeAndFill) {
  const auto name = [](const Matrix& m, MatrixKind kind) { return choose_linear_solver(m.pattern, kind).name; };
  EXPECT_EQ(name(springs(200, false), MatrixKind::positive_definite), "cholmod");
  EXPECT_EQ(name(full_matrix(40), MatrixKind::positive_definite), "lapack_cholesky");
  EXPECT_EQ(name(saddle_point(60, 20, true, 2), MatrixKind::symmetric_indefinite), "klu");
  EXPECT_EQ(name(full_matrix(40), MatrixKind::symmetric_indefinite), "lapack_ldl");
  EXPECT_EQ(name(full_matrix(600), MatrixKind::symmetric_indefinite), "mumps");
  EXPECT_EQ(name(random_matrix(200, false, 6, 3), MatrixKind::unsymmetric), "klu");
  EXPECT_EQ(choose_linear_solver(springs(200, false).pattern, MatrixKind::positive_definite).why,
            "positive definite, 200 unknowns, fill 1.5 %: cholmod with amd");
}

}  // namespace
}  // namespace lithe

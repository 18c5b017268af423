// The rule behind `auto`: what it names exists, takes the matrix, and is what the measurements say at their ends.
#include <gtest/gtest.h>

#include <algorithm>

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

// Three unknowns at each of side x side nodes, each node coupled with its neighbours to the right, above and across.
Matrix grid(int side) {
  Entries entries;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      for (int dy = 0; dy <= 1 && y + dy < side; ++dy)
        for (int dx = 0; dx <= 1 && x + dx < side; ++dx)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
              const int a = 3 * (y * side + x) + i, b = 3 * ((y + dy) * side + x + dx) + j;
              entries[{a, b}] = entries[{b, a}] = a == b ? 100 : 1;
            }
  return assemble(3 * side * side, entries, true);
}

TEST(ChooseSolver, CostsNameSolversThatTakeTheirKind) {
  for (const SolverCost& cost : solver_costs()) {
    if (!has_linear_solver(cost.solver)) continue;  // optional
    EXPECT_NO_THROW(make_linear_solver(cost.solver, {.kind = cost.kind})) << cost.solver;
    EXPECT_GE(std::min({cost.constant, cost.unknown, cost.nonzero, cost.flop}), 0) << cost.solver;
    if (cost.kind == MatrixKind::symmetric_indefinite) {
      EXPECT_TRUE(find_linear_solver(cost.solver).zero_diagonal) << cost.solver;
    }
  }
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
  EXPECT_EQ(name(springs(200, false), MatrixKind::positive_definite), "cholmod_simplicial");
  EXPECT_EQ(name(full_matrix(40), MatrixKind::positive_definite), "lapack_cholesky");
  EXPECT_EQ(name(saddle_point(60, 20, true, 2), MatrixKind::symmetric_indefinite), "klu");
  EXPECT_EQ(name(full_matrix(40), MatrixKind::symmetric_indefinite), "lapack_ldl");
  EXPECT_EQ(name(full_matrix(600), MatrixKind::symmetric_indefinite), "lapack_ldl");
  EXPECT_EQ(name(grid(60), MatrixKind::positive_definite), "cholmod_supernodal");
  EXPECT_EQ(name(grid(60), MatrixKind::symmetric_indefinite), has_linear_solver("mumps") ? "mumps" : "klu");
  EXPECT_EQ(name(full_matrix(40), MatrixKind::unsymmetric), "lapack_lu");
  EXPECT_EQ(name(random_matrix(200, false, 6, 3), MatrixKind::unsymmetric), "klu");
  EXPECT_EQ(choose_linear_solver(springs(200, false).pattern, MatrixKind::positive_definite).why,
            "positive definite, 200 unknowns, fill 1.5 %: cholmod_simplicial with amd");
}

}  // namespace
}  // namespace lithe

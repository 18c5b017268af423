// Solver `components`: forests against CHOLMOD, unlike components together, multipliers, what is refused and what is
// named, threads, and when `auto` takes it. What it shares with other solvers is tested with them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/base/team.h"
#include "lithe/linalg/choose_solver.h"
#include "lithe/linalg/components/band_order.h"
#include "lithe/linalg/solver_ladder.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;
using Reason = FactorReport::Reason;

// Matrices beside each other; unknown i of one that has n of them becomes place(one, i). Multipliers of all come last.
Matrix forest(const std::vector<Matrix>& trees, const std::vector<int>& multipliers) {
  int size = 0, borders = 0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    size += trees[t].pattern.size - multipliers[t];
    borders += multipliers[t];
  }
  Entries entries;
  int first = 0, first_border = size;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const SparsePattern& p = trees[t].pattern;
    const int own = p.size - multipliers[t];
    const auto place = [&](int i) { return i < own ? first + i : first_border + i - own; };
    for (int j = 0; j < p.size; ++j)
      for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k)
        if (j < own || p.row[k] != j) entries[{place(j), place(p.row[k])}] = trees[t].values[k];
    first += own;
    first_border += multipliers[t];
  }
  return assemble(size + borders, entries, true);
}

Matrix forest(const std::vector<Matrix>& trees) { return forest(trees, std::vector<int>(trees.size(), 0)); }

// A chain of nodes with six unknowns each, the first three held: a cable pinned at its end.
Matrix cable(int elements, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Entries entries;
  const int n = 6 * (elements + 1) - 3;
  for (int j = 0; j < n; ++j)
    for (int i = std::max(0, 6 * ((j + 3) / 6 - 1) - 3); i <= j; ++i)
      entries[{j, i}] = i == j ? 20 + uniform(engine) : uniform(engine);
  return assemble(n, entries, true);
}

// Elements of twelve unknowns, joined by six rows each and held by three: P1's constraint-based mesh.
Matrix jointed_cable(int elements, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Entries entries;
  const int n = 12 * elements, m = 6 * (elements - 1) + 3;
  for (int j = 0; j < n; ++j)
    for (int i = j / 12 * 12; i <= j; ++i) entries[{j, i}] = i == j ? 20 + uniform(engine) : uniform(engine);
  for (int r = 0; r < m; ++r) {
    entries[{n + r, n + r}] = 0;
    const int joint = (r - 3) / 6, c = (r - 3) % 6;
    if (r < 3) entries[{n + r, r}] = 1;
    else entries[{n + r, 12 * joint + 6 + c}] = 1, entries[{n + r, 12 * (joint + 1) + c}] = -1;
  }
  return assemble(n + m, entries, true);
}

double figure(const LinearSolver& solver, const std::string& name) {
  for (const auto& [key, value] : solver.figures())
    if (key == name) return value;
  return -1;
}

struct Solved {
  FactorReport report;
  std::vector<double> x;
  double components = 0, shapes = 0, largest = 0;
};

Solved solve(const std::string& name, const Matrix& m, const SolverOptions& options = {}) {
  const auto solver = make_linear_solver(name, options);
  solver->analyse(m.pattern);
  Solved solved{solver->factor(m.values), {}};
  EXPECT_TRUE(solved.report.ok()) << name << ": " << solved.report.text();
  if (!solved.report.usable) return solved;
  EXPECT_TRUE(solver->solve(random_vector(3 * m.pattern.size, 5), solved.x, {.columns = 3}).ok());
  solved.components = figure(*solver, "components");
  solved.shapes = figure(*solver, "shapes");
  solved.largest = figure(*solver, "largest_component");
  return solved;
}

void expect_near(const std::vector<double>& x, const std::vector<double>& y, double limit) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], limit) << i;
}

TEST(Components, ForestsAreSolvedAsByCholmod) {
  for (const int beams : {1, 2, 3, 8, 9, 100}) {
    std::vector<Matrix> trees;
    for (int b = 0; b < beams; ++b) trees.push_back(cable(4, 10 + b));
    const Matrix m = forest(trees);
    const Solved own = solve("components", m), other = solve("cholmod", m);
    expect_near(own.x, other.x, 1e-15);
    EXPECT_EQ(own.components, beams);
    EXPECT_EQ(own.shapes, 1);
    EXPECT_EQ(own.largest, 27);
    EXPECT_NEAR(own.report.smallest_pivot, other.report.smallest_pivot, 0.05);
    EXPECT_EQ(own.report.negative_pivots, 0);
  }
}

TEST(Components, MultipliersAsByMumpsOrKlu) {
  const char* other_name = has_linear_solver("mumps") ? "mumps" : "klu";
  for (const int beams : {1, 5, 40}) {
    std::vector<Matrix> trees;
    for (int b = 0; b < beams; ++b) trees.push_back(jointed_cable(4, 10 + b));
    const Matrix m = forest(trees, std::vector<int>(beams, 21));
    const SolverOptions options{.kind = MatrixKind::symmetric_indefinite};
    const Solved own = solve("components", m, options), other = solve(other_name, m, options);
    expect_near(own.x, other.x, 1e-12);
    EXPECT_EQ(own.components, beams);
    EXPECT_EQ(own.shapes, 1);
    EXPECT_EQ(own.report.negative_pivots, 21 * beams);
  }
}

// Zeros on the diagonal that are stored, and ones that are not.
TEST(Components, MultipliersAreFoundByValuesToo) {
  const Matrix stored = saddle_point(40, 13, true, 3);
  const Solved own = solve("components", stored), other = solve("klu", stored);
  expect_near(own.x, other.x, 1e-13);
  EXPECT_EQ(own.report.negative_pivots, 13);
  EXPECT_EQ(columns_without_diagonal(stored.pattern), 0);
  const Matrix bare = forest({stored}, {13});
  EXPECT_EQ(columns_without_diagonal(bare.pattern), 13);
  EXPECT_EQ(solve("components", bare).x, own.x);
  // The same solver, another number of them.
  const auto solver = make_linear_solver("components");
  solver->analyse(stored.pattern);
  Matrix fewer = stored;
  for (int j = 50; j < 53; ++j) fewer.values[fewer.pattern.column_start[j + 1] - 1] = -2;
  EXPECT_EQ(solver->factor(fewer.values).reason, Reason::not_positive_definite)
      << "an indefinite matrix of no such kind";
  ASSERT_TRUE(solver->factor(stored.values).ok());
  std::vector<double> x;
  ASSERT_TRUE(solver->solve(random_vector(3 * 53, 5), x, {.columns = 3}).ok());
  EXPECT_EQ(x, own.x);
}

TEST(Components, UnlikeOnesTogether) {
  std::vector<Matrix> trees;
  std::vector<int> multipliers;
  const auto add = [&](const Matrix& m, int rows) { trees.push_back(m), multipliers.push_back(rows); };
  for (int k = 0; k < 11; ++k) {
    add(cable(1 + k % 3, 20 + k), 0);
    if (k % 2 == 0) add(springs(1, false), 0);
    if (k % 4 == 1) add(random_matrix(37, true, 15, k), 0);
    if (k % 5 == 2) add(jointed_cable(2, 30 + k), 9);
  }
  const Matrix m = forest(trees, multipliers);
  const Solved own = solve("components", m), other = solve("klu", m);
  expect_near(own.x, other.x, 1e-12);
  EXPECT_EQ(own.components, trees.size());
  EXPECT_LT(own.shapes, trees.size());
  EXPECT_GT(own.shapes, 4);
}

// Two patterns whose factors have one shape: a chain, and a chain without one of the entries within its band.
TEST(Components, PatternsOfOneShapeSharePacks) {
  const Matrix chain = cable(2, 1);
  Entries entries;
  for (int j = 0; j < chain.pattern.size; ++j)
    for (int p = chain.pattern.column_start[j]; p < chain.pattern.column_start[j + 1]; ++p)
      if (j != 5 || chain.pattern.row[p] != 4) entries[{j, chain.pattern.row[p]}] = chain.values[p];
  const Matrix other = assemble(chain.pattern.size, entries, true);
  const Matrix m = forest({chain, other, other, chain, chain});
  const Solved own = solve("components", m, {.ordering = Ordering::natural});
  EXPECT_EQ(own.shapes, 1);
  expect_near(own.x, solve("cholmod", m).x, 1e-15);
}

TEST(Components, NeighboursAndThreadsChangeNoBit) {
  std::vector<Matrix> trees;
  for (int b = 0; b < 203; ++b) trees.push_back(cable(4 - b % 2, b / 4));
  const Matrix m = forest(trees);
  const auto alone = solve("components", m);
  for (const int threads : {2, 5}) {
    Team team(threads);
    const auto shared = solve("components", m, {.team = &team});
    EXPECT_EQ(alone.x, shared.x);
    EXPECT_EQ(alone.report.smallest_pivot, shared.report.smallest_pivot);
    EXPECT_EQ(alone.report.column, shared.report.column);
  }
  // Equal components have equal solutions wherever they lie in a pack.
  const Matrix copies = forest(std::vector<Matrix>(21, cable(3, 7)));
  auto solver = make_linear_solver("components");
  solver->analyse(copies.pattern);
  ASSERT_TRUE(solver->factor(copies.values).ok());
  const int n = copies.pattern.size / 21;
  std::vector<double> one = random_vector(n, 3), b, x;
  for (int k = 0; k < 21; ++k) b.insert(b.end(), one.begin(), one.end());
  ASSERT_TRUE(solver->solve(b, x).ok());
  for (int k = 1; k < 21; ++k) EXPECT_TRUE(std::equal(x.begin(), x.begin() + n, x.begin() + k * n)) << k;
}

TEST(Components, WhatIsWrongIsNamed) {
  std::vector<Matrix> trees;
  for (int b = 0; b < 12; ++b) trees.push_back(cable(4, b));
  Matrix m = forest(trees);
  const auto solver = make_linear_solver("components");
  solver->analyse(m.pattern);
  const auto diagonal = [&](int j) -> double& { return m.values[m.pattern.column_start[j + 1] - 1]; };
  const int bad = 7 * 27 + 11;
  const double kept = diagonal(bad);
  diagonal(bad) = -3;
  FactorReport report = solver->factor(m.values);
  EXPECT_EQ(report.reason, Reason::not_positive_definite);
  EXPECT_EQ(report.column, bad);
  EXPECT_FALSE(report.usable);
  diagonal(bad) = std::numeric_limits<double>::quiet_NaN();
  report = solver->factor(m.values);
  EXPECT_EQ(report.reason, Reason::not_finite);
  EXPECT_EQ(report.column, bad);
  for (int p = m.pattern.column_start[bad]; p < m.pattern.column_start[bad + 1]; ++p) m.values[p] = 0;
  diagonal(bad) = 0;
  report = solver->factor(m.values);
  EXPECT_EQ(report.reason, Reason::not_positive_definite);
  EXPECT_EQ(report.column, bad);
  diagonal(bad) = kept;
  EXPECT_TRUE(solver->factor(m.values).ok());

  // A row that is held twice.
  Matrix tree = jointed_cable(3, 4);
  const int n = 36;
  Entries entries;
  for (int j = 0; j < tree.pattern.size; ++j)
    for (int p = tree.pattern.column_start[j]; p < tree.pattern.column_start[j + 1]; ++p)
      entries[{j, tree.pattern.row[p]}] = tree.values[p];
  entries[{n + 15, 1}] = entries[{n + 15, n + 15}] = 0;
  entries[{n + 15, 1}] = 2;
  tree = assemble(n + 16, entries, true);
  const Matrix twice = forest({jointed_cable(3, 1), tree, jointed_cable(3, 2)}, {15, 16, 15});
  const auto bordered = make_linear_solver("components", {.kind = MatrixKind::symmetric_indefinite});
  bordered->analyse(twice.pattern);
  report = bordered->factor(twice.values);
  EXPECT_EQ(report.reason, Reason::singular);
  EXPECT_EQ(report.column, 3 * n + 15 + 15);
  std::vector<double> x;
  const Matrix right = forest({jointed_cable(3, 1)}, {15});
  bordered->analyse(right.pattern);
  ASSERT_TRUE(bordered->factor(right.values).ok());
  EXPECT_THROW((void)bordered->solve(random_vector(51, 1), x, {.operation = SolveRequest::Operation::forward}),
               RunError);
}

TEST(Components, MultipliersFollowTheirCoordinates) {
  const Matrix tree = jointed_cable(5, 2);
  const Components found = find_components(forest({tree}, {27}).pattern, 27);
  ASSERT_EQ(found.kinds.size(), 1u);
  const BandOrder order = order_band(found.kinds[0], Ordering::automatic);
  std::vector<int> slot(found.kinds[0].pattern.size, -1);
  for (std::size_t s = 0; s < order.unknown.size(); ++s) {
    if (order.unknown[s] < 0) continue;
    slot[order.unknown[s]] = static_cast<int>(s);
    EXPECT_EQ(order.tiles.sign[s / tile_size], order.unknown[s] < 60 ? 1 : -1);
  }
  EXPECT_EQ(std::ranges::count(slot, -1), 0);
  for (const BandEntry& entry : order.entries) {
    const bool border = order.tiles.sign[entry.column / tile_size] < 0;
    EXPECT_TRUE(!border || entry.column > entry.row);
  }
  // No more than blocks of A and the Schur complement would have: 5 triangles of 12, rows of 12 and 24 entries, a band.
  EXPECT_LT(order.tiles.nonzeros(), 5 * 78 + 3 * 15 + 24 * (24 + 12));
}

TEST(Components, AutoTakesThemWhereThereAreMany) {
  const auto choice = [](int beams, int kinds, MatrixKind kind = MatrixKind::positive_definite) {
    std::vector<Matrix> trees;
    for (int b = 0; b < beams; ++b) trees.push_back(cable(2 + b % kinds, b));
    return choose_components(forest(trees).pattern, kind, -1);
  };
  ASSERT_TRUE(choice(40, 1));
  EXPECT_EQ(choice(40, 1)->why,
            "positive definite, 600 unknowns in 40 components of one kind, each of 15 unknowns with bandwidth 11: "
            "components");
  EXPECT_EQ(
      choice(40, 2)->why,
      "positive definite, 720 unknowns in 40 components of 2 kinds, the largest of 21 unknowns with bandwidth 11: "
      "components");
  EXPECT_FALSE(choice(7, 1));
  EXPECT_FALSE(choice(40, 10)) << "four of a kind";
  EXPECT_FALSE(choice(40, 1, MatrixKind::symmetric_indefinite)) << "no multipliers";
  EXPECT_FALSE(choice(40, 1, MatrixKind::unsymmetric));
  const Matrix jointed = forest(std::vector<Matrix>(30, jointed_cable(4, 1)), std::vector<int>(30, 21));
  ASSERT_TRUE(choose_components(jointed.pattern, MatrixKind::symmetric_indefinite, -1));
  // By count, those of all together are those of each.
  const SolverChoice one = *choice(40, 1);
  const FactorCounts all = count_factors(forest(std::vector<Matrix>(40, cable(2, 1))).pattern);
  EXPECT_EQ(one.counts.n, all.n);
  EXPECT_EQ(one.counts.nonzeros, all.nonzeros);
}

TEST(Components, TheLadderGoesOnWhereTheyFail) {
  std::vector<Matrix> trees;
  for (int b = 0; b < 40; ++b) trees.push_back(cable(4, b));
  Matrix m = forest(trees);
  SolverLadder ladder(m.pattern, MatrixKind::positive_definite, {});
  ASSERT_TRUE(ladder.factor(m.values));
  EXPECT_STREQ(ladder.active().name(), "components");
  m.values[m.pattern.column_start[28] - 1] = -5;
  ASSERT_TRUE(ladder.factor(m.values));
  EXPECT_STREQ(ladder.active().name(), "cholmod_ldl");
  EXPECT_EQ(ladder.factor_report().negative_pivots, 1);
}

// Without pivoting the first unknown takes all digits of the second: refused, and the ladder goes on with a solver that
// pivots.
TEST(Components, FactorsWithoutDigitsAreRefused) {
  Entries entries;
  entries[{0, 0}] = 1e-18;
  entries[{1, 1}] = entries[{2, 0}] = entries[{2, 1}] = 1;
  entries[{2, 2}] = 0;
  const Matrix m = forest({saddle_point(5, 2, true, 1), assemble(3, entries, true)}, {2, 1});
  const auto solver = make_linear_solver("components");
  solver->analyse(m.pattern);
  const FactorReport report = solver->factor(m.values);
  EXPECT_EQ(report.reason, Reason::singular);
  EXPECT_FALSE(report.usable);
  SolverLadder ladder(m.pattern, MatrixKind::symmetric_indefinite, {.solver = "components", .multipliers = 3});
  ASSERT_TRUE(ladder.factor(m.values));
  EXPECT_STRNE(ladder.active().name(), "components");
  const std::vector<double> b = random_vector(10, 4);
  std::vector<double> x, image;
  ASSERT_TRUE(ladder.solve(b, x).ok());
  multiply(m.pattern, m.values, x, image);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(image[i], b[i], 1e-12);
}

}  // namespace
}  // namespace lithe

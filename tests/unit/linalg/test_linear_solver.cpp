// Direct solvers: right answers, kept analysis, reasons for failure, no dependence on the number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/linear_solver.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;

// One that every build has.
const char* pivoting_lu() { return has_linear_solver("umfpack") ? "umfpack" : "klu"; }

double error_of(LinearSolver& solver, const Matrix& m, unsigned seed) {
  const auto expected = random_vector(m.pattern.size, seed);
  std::vector<double> b, x;
  multiply(m.pattern, m.values, expected, b);
  EXPECT_TRUE(solver.solve(b, x).ok());
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(x[i] - expected[i]));
  return error;
}

TEST(LinearSolver, SolvesWhatItIsFor) {
  const Matrix spd = random_matrix(400, true, 15, 1), indefinite = random_matrix(400, true, 0, 2),
               general = random_matrix(400, false, 3, 3);
  const struct {
    const char* name;
    const Matrix* m;
    double tolerance;
  } cases[] = {{"cholmod", &spd, 1e-13},           {"cholmod_ldl", &spd, 1e-13},
               {pivoting_lu(), &spd, 1e-13},       {"cholmod_ldl", &indefinite, 1e-9},
               {pivoting_lu(), &indefinite, 1e-9}, {pivoting_lu(), &general, 1e-10}};
  for (const auto& c : cases) {
    auto solver = make_linear_solver(c.name);
    solver->analyse(c.m->pattern);
    const auto report = solver->factor(c.m->values);
    EXPECT_TRUE(report.ok()) << c.name << ": " << report.text();
    EXPECT_LT(error_of(*solver, *c.m, 7), c.tolerance) << c.name;
  }
}

TEST(LinearSolver, CountsNegativePivots) {
  // diag(+,-) coupled weakly: as many negative eigenvalues as negative diagonals.
  Entries entries;
  const int n = 60;
  int negative = 0;
  for (int i = 0; i < n; ++i) {
    const bool minus = i % 7 == 3;
    negative += minus;
    entries[{i, i}] = minus ? -4 : 4;
    if (i > 0) entries[{i, i - 1}] = 0.5;
  }
  const Matrix m = assemble(n, entries, true);
  auto solver = make_linear_solver("cholmod_ldl");
  solver->analyse(m.pattern);
  const auto report = solver->factor(m.values);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.negative_pivots, negative);
  auto cholesky = make_linear_solver("cholmod");
  cholesky->analyse(m.pattern);
  const auto refused = cholesky->factor(m.values);
  EXPECT_EQ(refused.reason, FactorReport::Reason::not_positive_definite);
  EXPECT_GE(refused.column, 0);
  EXPECT_FALSE(refused.usable);
  EXPECT_NE(refused.text().find("not positive definite at column"), std::string::npos);
}

TEST(LinearSolver, FactorsAgainAfterAFailure) {
  const Matrix good = random_matrix(300, true, 15, 4);
  auto bad = good.values;
  for (int j = 0; j < good.pattern.size; ++j) bad[good.pattern.column_start[j + 1] - 1] -= 15;  // diagonal is last
  auto solver = make_linear_solver("cholmod");
  solver->analyse(good.pattern);
  EXPECT_FALSE(solver->factor(bad).ok());
  EXPECT_TRUE(solver->factor(good.values).ok());
  EXPECT_LT(error_of(*solver, good, 5), 1e-13);
  auto scaled = good;
  for (double& a : scaled.values) a *= 3;
  EXPECT_TRUE(solver->factor(scaled.values).ok());
  EXPECT_LT(error_of(*solver, scaled, 6), 1e-13);
}

TEST(LinearSolver, LargeEnoughForSupernodes) {
  const Matrix m = random_matrix(4000, true, 20, 11);
  std::vector<double> b = random_vector(m.pattern.size, 3), x[3];
  int k = 0;
  for (const char* name : {"cholmod", "cholmod_ldl", pivoting_lu()}) {
    auto solver = make_linear_solver(name);
    solver->analyse(m.pattern);
    const auto report = solver->factor(m.values);
    EXPECT_TRUE(report.ok());
    EXPECT_GT(report.smallest_pivot, 1e-3) << name;
    EXPECT_TRUE(solver->solve(b, x[k++]).ok());
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_NEAR(x[0][i], x[1][i], 1e-13);
    EXPECT_NEAR(x[0][i], x[2][i], 1e-13);
  }
}

TEST(LinearSolver, SingularMatricesAreNamed) {
  const Matrix fixed = springs(50, false), loose = springs(50, true);
  for (const char* name : {"cholmod", "cholmod_ldl", pivoting_lu()}) {
    auto solver = make_linear_solver(name);
    solver->analyse(fixed.pattern);
    EXPECT_TRUE(solver->factor(fixed.values).ok()) << name;
    auto report = solver->factor(loose.values);
    EXPECT_TRUE(report.reason == FactorReport::Reason::singular ||
                report.reason == FactorReport::Reason::not_positive_definite)
        << name << ": " << report.text();
    EXPECT_GE(report.column, 0) << name;
    // Units do not matter: the well supported chain with columns scaled over 16 orders stays regular.
    Matrix scaled = fixed;
    for (int j = 0; j < 50; ++j)
      for (int p = scaled.pattern.column_start[j]; p < scaled.pattern.column_start[j + 1]; ++p)
        scaled.values[p] *= (j % 2 ? 1e-8 : 1) * (scaled.pattern.row[p] % 2 ? 1e-8 : 1);
    report = solver->factor(scaled.values);
    EXPECT_TRUE(report.ok()) << name << ": " << report.text();
  }
}

TEST(LinearSolver, NotANumberIsRefused) {
  Matrix m = springs(10, false);
  m.values[5] = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"cholmod", "cholmod_ldl", pivoting_lu()}) {
    auto solver = make_linear_solver(name);
    solver->analyse(m.pattern);
    EXPECT_EQ(solver->factor(m.values).reason, FactorReport::Reason::not_finite);
  }
}

TEST(LinearSolver, SolvesInPlace) {
  const Matrix m = random_matrix(100, true, 15, 8);
  for (const char* name : {"cholmod", "cholmod_ldl", pivoting_lu()}) {
    auto solver = make_linear_solver(name);
    solver->analyse(m.pattern);
    ASSERT_TRUE(solver->factor(m.values).ok());
    std::vector<double> b = random_vector(100, 9), x;
    ASSERT_TRUE(solver->solve(b, x).ok());
    ASSERT_TRUE(solver->solve(b, b).ok());
    EXPECT_EQ(b, x) << name;
  }
}

TEST(LinearSolver, UnknownNameSuggests) {
  try {
    make_linear_solver("colmod");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'cholmod'"), std::string::npos);
  }
}

TEST(Sparse, ProductsAgreeWithTheDefinition) {
  const Matrix m = random_matrix(30, true, 1, 12);
  const auto x = random_vector(30, 13);
  std::vector<double> y, absolute, maxima, dense(900, 0.0);
  for (int j = 0; j < 30; ++j)
    for (int p = m.pattern.column_start[j]; p < m.pattern.column_start[j + 1]; ++p)
      dense[30 * m.pattern.row[p] + j] = dense[30 * j + m.pattern.row[p]] = m.values[p];
  multiply(m.pattern, m.values, x, y);
  multiply_absolute(m.pattern, m.values, x, absolute);
  column_maxima(m.pattern, m.values, maxima);
  for (int i = 0; i < 30; ++i) {
    double sum = 0, magnitude = 0, largest = 0;
    for (int j = 0; j < 30; ++j) {
      sum += dense[30 * i + j] * x[j];
      magnitude += std::abs(dense[30 * i + j] * x[j]);
      largest = std::max(largest, std::abs(dense[30 * i + j]));
    }
    EXPECT_NEAR(y[i], sum, 1e-14);
    EXPECT_NEAR(absolute[i], magnitude, 1e-14);
    EXPECT_EQ(maxima[i], largest);
  }
}

}  // namespace
}  // namespace lithe

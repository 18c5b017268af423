// Every solver of the registry over every operation, against a dense reference: several right-hand sides, transposed
// solves, halves, refinement on request, and indices of 64 bits where those of 32 do not suffice.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/choose_solver.h"
#include "lithe/linalg/full_pattern.h"
#include "lithe/linalg/linear_solver.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;
using Operation = SolveRequest::Operation;

// [row * n + column]
std::vector<double> dense(const Matrix& m) {
  const int n = m.pattern.size;
  std::vector<double> a(static_cast<std::size_t>(n) * n, 0.0);
  for (int j = 0; j < n; ++j)
    for (int p = m.pattern.column_start[j]; p < m.pattern.column_start[j + 1]; ++p) {
      a[m.pattern.row[p] * n + j] = m.values[p];
      if (m.pattern.symmetric) a[j * n + m.pattern.row[p]] = m.values[p];
    }
  return a;
}

// Gauss with row pivoting, in long double.
std::vector<double> reference(const Matrix& m, bool transposed, const std::vector<double>& b, int columns) {
  const int n = m.pattern.size;
  const std::vector<double> values = dense(m);
  std::vector<double> solution;
  for (int c = 0; c < columns; ++c) {
    std::vector<long double> a(values.begin(), values.end()), x(b.begin() + c * n, b.begin() + (c + 1) * n);
    if (transposed)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) std::swap(a[i * n + j], a[j * n + i]);
    for (int k = 0; k < n; ++k) {
      int best = k;
      for (int i = k; i < n; ++i)
        if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
      for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[best * n + j]);
      std::swap(x[k], x[best]);
      for (int i = k + 1; i < n; ++i) {
        const long double f = a[i * n + k] / a[k * n + k];
        for (int j = k; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
        x[i] -= f * x[k];
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int j = k + 1; j < n; ++j) x[k] -= a[k * n + j] * x[j];
      x[k] /= a[k * n + k];
    }
    solution.insert(solution.end(), x.begin(), x.end());
  }
  return solution;
}

Matrix matrix_of(MatrixKind kind, int n) {
  const unsigned seed = 300 + n;
  if (kind == MatrixKind::unsymmetric) return random_matrix(n, false, 6, seed);
  Matrix m = random_matrix(n, true, 15, seed);
  if (kind == MatrixKind::symmetric_indefinite)
    for (int j = 0; j < n; j += 3) m.values[m.pattern.column_start[j + 1] - 1] *= -1;
  return m;
}

void expect_near(const std::vector<double>& x, const std::vector<double>& y, double limit, const std::string& where) {
  ASSERT_EQ(x.size(), y.size()) << where;
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], limit) << where << ", entry " << i;
}

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

void expect_every_operation(LinearSolver& solver, const Matrix& m, bool halves, const std::string& where) {
  const int n = m.pattern.size;
  for (const int columns : {1, 3, 4, 9}) {
    const auto b = random_vector(n * columns, 17);
    for (const bool transposed : {false, true}) {
      const SolveRequest request{.operation = transposed ? Operation::transposed : Operation::plain,
                                 .columns = columns};
      std::vector<double> x, in_place = b;
      ASSERT_TRUE(solver.solve(b, x, request).ok()) << where;
      expect_near(x, reference(m, transposed, b, columns), 1e-12, where + (transposed ? ", transposed" : ", plain"));
      ASSERT_TRUE(solver.solve(in_place, in_place, request).ok()) << where;
      EXPECT_EQ(x, in_place) << where;
    }
    const SolveRequest forward{.operation = Operation::forward, .columns = columns},
        backward{.operation = Operation::backward, .columns = columns};
    std::vector<double> half, whole, other, back;
    if (!halves) {
      try {
        (void)solver.solve(b, half, forward);
        FAIL() << where;
      } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("has no half solves"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("cholmod"), std::string::npos) << error.what();
      }
      continue;
    }
    ASSERT_TRUE(solver.solve(b, half, forward).ok() && solver.solve(half, whole, backward).ok()) << where;
    const auto exact = reference(m, false, b, columns);
    expect_near(whole, exact, 1e-13, where + ", halves");
    EXPECT_NEAR(dot(half, half), dot(b, exact), 1e-12) << where << ": (L^-1 P b)^2 = b^T A^-1 b";
    const auto y = random_vector(n * columns, 18);
    ASSERT_TRUE(solver.solve(y, back, backward).ok());
    EXPECT_NEAR(dot(half, y), dot(b, back), 1e-12) << where << ": each half is the transpose of the other";
  }
  std::vector<double> nothing;
  EXPECT_TRUE(solver.solve(nothing, nothing, {.columns = 0}).ok()) << where;
}

TEST(SolverOperations, AgreeWithADenseReference) {
  int with_halves = 0;
  for (const SolverInfo& info : linear_solvers()) {
    with_halves += info.halves;
    for (const MatrixKind kind : info.kinds)
      for (const int n : {1, 6, 60}) {
        // Of indefinite matrices these take saddle points alone (test_solver_registry.cpp).
        if (info.bordered && kind == MatrixKind::symmetric_indefinite) continue;
        const Matrix m = matrix_of(kind, n);
        auto solver = make_linear_solver(info.name, {.kind = kind});
        solver->analyse(m.pattern);
        ASSERT_TRUE(solver->factor(m.values).ok()) << info.name;
        expect_every_operation(*solver, m, info.halves, info.name + ", " + to_string(kind) + ", " + std::to_string(n));
      }
  }
  EXPECT_EQ(with_halves, 5);
}

// Supernodes and panels: many columns of a matrix that fills up.
TEST(SolverOperations, ManyColumnsAreAsGoodAsOne) {
  const Matrix m = random_matrix(900, true, 20, 5);
  for (const SolverInfo& info : linear_solvers()) {
    auto solver = make_linear_solver(info.name);
    solver->analyse(m.pattern);
    ASSERT_TRUE(solver->factor(m.values).ok());
    const int columns = 7;
    const auto b = random_vector(900 * columns, 6);
    std::vector<double> all, one;
    ASSERT_TRUE(solver->solve(b, all, {.columns = columns}).ok());
    for (int c = 0; c < columns; ++c) {
      ASSERT_TRUE(solver->solve({b.begin() + 900 * c, b.begin() + 900 * (c + 1)}, one).ok());
      expect_near({all.begin() + 900 * c, all.begin() + 900 * (c + 1)}, one, 1e-14, info.name);
    }
  }
}

TEST(SolverOperations, RefineOnRequest) {
  // LDLt without pivoting loses nine digits at the first pivot; refinement brings them back.
  Entries entries;
  entries[{0, 0}] = entries[{1, 1}] = 1e-9;
  entries[{1, 0}] = 1;
  const Matrix m = assemble(2, entries, true);
  auto solver = make_linear_solver("cholmod_ldl");
  solver->analyse(m.pattern);
  ASSERT_TRUE(solver->factor(m.values).ok());
  const std::vector<double> b{1, 0.7};
  std::vector<double> x;
  const SolveReport refined = solver->solve(b, x);
  EXPECT_TRUE(refined.ok());
  EXPECT_GT(refined.iterations, 0);
  EXPECT_LT(refined.backward_error, 1e-15);
  const SolveReport plain = solver->solve(b, x, {.tolerance = 1e-14, .iterations = 0});
  EXPECT_EQ(plain.iterations, 0);
  EXPECT_EQ(plain.reason, SolveReport::Reason::inaccurate);
  EXPECT_GT(plain.backward_error, 1e-12);
  const SolveReport easy = solver->solve(b, x, {.tolerance = 1e-3});
  EXPECT_TRUE(easy.ok());
  EXPECT_EQ(easy.iterations, 0) << "good enough at once";
  auto klu = make_linear_solver("klu");
  klu->analyse(m.pattern);
  ASSERT_TRUE(klu->factor(m.values).ok());
  EXPECT_EQ(klu->solve(b, x).backward_error, -1) << "stable: not measured";
  const SolveReport measured = klu->solve(b, x, {.tolerance = 1e-12});
  EXPECT_TRUE(measured.ok());
  EXPECT_GE(measured.backward_error, 0);
}

bool has_both_widths(const std::string& name) {
  return name.starts_with("cholmod") || name == "klu" || name == "umfpack";
}

TEST(IndexWidth, SolversWithBothGiveTheSame) {
  for (const SolverInfo& info : linear_solvers())
    for (const MatrixKind kind : info.kinds)
      for (const Ordering ordering : info.orderings)
        for (const int n : {1, 6, 60, 400}) {
          if (!has_both_widths(info.name)) continue;
          const std::string where = info.name + ", " + to_string(kind) + ", " + to_string(ordering);
          const Matrix m = matrix_of(kind, n);
          auto narrow = make_linear_solver(info.name, {.kind = kind, .ordering = ordering});
          auto wide = make_linear_solver(info.name, {.kind = kind, .ordering = ordering, .narrow = 0});
          std::vector<double> x[2];
          int k = 0;
          for (LinearSolver* solver : {narrow.get(), wide.get()}) {
            solver->analyse(m.pattern);
            EXPECT_EQ(solver->index_bits(), k == 0 ? 32 : 64) << where;
            for (int again = 0; again < 2; ++again) ASSERT_TRUE(solver->factor(m.values).ok()) << where;
            ASSERT_TRUE(solver->solve(random_vector(5 * n, 3), x[k++], {.columns = 5}).ok()) << where;
          }
          EXPECT_EQ(narrow->factor_nonzeros(), wide->factor_nonzeros()) << where;
          EXPECT_EQ(narrow->pivot_choices(), wide->pivot_choices()) << where;
          expect_near(x[0], x[1], 1e-14, where);
          if (n == 60 && ordering == Ordering::automatic) expect_every_operation(*wide, m, info.halves, where);
        }
}

// The matrix fits, its factors do not: found out in the analysis, or in the first factorisation.
TEST(IndexWidth, FactorsCountToo) {
  Entries entries;
  const int n = 60;
  for (int i = 0; i < n; ++i) entries[{i, i}] = 2 * n, entries[{i, 0}] = entries[{0, i}] = 1;
  entries[{0, 0}] = 2 * n;
  const Matrix arrow = assemble(n, entries, true);  // fills up in natural order
  for (const SolverInfo& info : linear_solvers()) {
    if (!has_both_widths(info.name)) continue;
    for (const Ordering ordering : {Ordering::natural, Ordering::amd}) {
      auto solver = make_linear_solver(info.name, {.ordering = ordering, .narrow = 700});
      solver->analyse(arrow.pattern);
      ASSERT_TRUE(solver->factor(arrow.values).ok()) << info.name;
      if (info.name != "umfpack") {  // which bounds its factors far from above
        EXPECT_EQ(solver->index_bits(), ordering == Ordering::natural ? 64 : 32) << info.name;
      }
      expect_every_operation(*solver, arrow, info.halves, info.name);
      solver->analyse(springs(5, false).pattern);
      EXPECT_EQ(solver->index_bits(), 32) << info.name << ": a small matrix again";
    }
  }
}

TEST(IndexWidth, WhatCannotCountSoFarRefuses) {
  const Matrix m = random_matrix(60, true, 15, 7);
  for (const SolverInfo& info : linear_solvers()) {
    auto solver = make_linear_solver(info.name, {.narrow = 200});
    if (info.name != "superlu" && info.name != "eigen_sparselu") {
      solver->analyse(m.pattern);
      continue;
    }
    try {
      solver->analyse(m.pattern);
      FAIL() << info.name;
    } catch (const RunError& error) {
      EXPECT_NE(std::string(error.what()).find("more than its indices of 32 bits count (200); use cholmod"),
                std::string::npos)
          << error.what();
    }
    solver->analyse(springs(5, false).pattern);
    EXPECT_TRUE(solver->factor(springs(5, false).values).ok()) << info.name;
  }
  EXPECT_THROW(FullPattern(m.pattern, 200), TooManyEntries);
  EXPECT_EQ(WideFullPattern(m.pattern, 200).pattern.nonzeros(), FullPattern(m.pattern).pattern.nonzeros());
}

TEST(IndexWidth, OrdersRanksAndCountsAreTheSame) {
  for (const Matrix& m : {random_matrix(90, true, 1, 61), random_matrix(90, false, 1, 62), springs(1, false)}) {
    EXPECT_EQ(full_nonzeros(m.pattern), static_cast<std::int64_t>(FullPattern(m.pattern).pattern.nonzeros()));
    for (const Ordering ordering : {Ordering::natural, Ordering::amd, Ordering::colamd, Ordering::metis})
      EXPECT_EQ(elimination_order(m.pattern, ordering), elimination_order(m.pattern, ordering, 0))
          << to_string(ordering);
    EXPECT_EQ(structural_rank(m.pattern), structural_rank(m.pattern, 0));
    EXPECT_EQ(count_factors(m.pattern).nonzeros, count_factors(m.pattern, 0).nonzeros);
    EXPECT_EQ(count_factors(m.pattern).flops, count_factors(m.pattern, 0).flops);
  }
}

}  // namespace
}  // namespace lithe

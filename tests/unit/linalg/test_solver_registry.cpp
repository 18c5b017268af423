// Every solver of the registry: each kind with each ordering, reasons for failure, kept analysis, aliasing, memory.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "../allocation_counter.h"
#include "lithe/base/error.h"
#include "lithe/linalg/linear_solver.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;
using Reason = FactorReport::Reason;

// |b - A x| / (|A| |x| + |b|), maximum norms.
double backward_error(const Matrix& m, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> ax, sums;
  multiply(m.pattern, m.values, x, ax);
  multiply_absolute(m.pattern, m.values, std::vector<double>(x.size(), 1.0), sums);
  double r = 0, size_x = 0, size_b = 0, norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    r = std::max(r, std::abs(b[i] - ax[i]));
    size_x = std::max(size_x, std::abs(x[i]));
    size_b = std::max(size_b, std::abs(b[i]));
    norm = std::max(norm, sums[i]);
  }
  return r / (norm * size_x + size_b);
}

void expect_solves(LinearSolver& solver, const Matrix& m, double limit, const std::string& where) {
  const auto report = solver.factor(m.values);
  ASSERT_TRUE(report.ok()) << where << ": " << report.text();
  if (!find_linear_solver(solver.name()).iterative) {
    EXPECT_GT(report.smallest_pivot, singular_pivot) << where;
    EXPECT_GT(report.reciprocal_condition, 0) << where;
  }
  const auto b = random_vector(m.pattern.size, 7);
  std::vector<double> x;
  ASSERT_TRUE(solver.solve(b, x).ok()) << where;
  EXPECT_LT(backward_error(m, x, b), limit) << where;
}

// Matrices of one kind: well conditioned ones of different sizes, in every storage that the solver takes.
std::vector<Matrix> matrices(const SolverInfo& info, MatrixKind kind) {
  const bool general = info.kinds.back() == MatrixKind::unsymmetric;
  std::vector<Matrix> list;
  for (const int n : {1, 2, 7, 60, 300}) {
    const unsigned seed = 100 + n;
    if (kind == MatrixKind::positive_definite) list.push_back(random_matrix(n, true, 15, seed));
    if (kind == MatrixKind::symmetric_indefinite) {
      Matrix m = random_matrix(n, true, 15, seed);
      for (int j = 0; j < n; j += 3) m.values[m.pattern.column_start[j + 1] - 1] *= -1;
      if (!info.bordered) list.push_back(m);
      if (info.zero_diagonal && n > 2) list.push_back(saddle_point(n, (n + 2) / 3, true, seed));
      if (info.zero_diagonal && n > 2 && general) list.push_back(saddle_point(n, (n + 2) / 3, false, seed));
    }
    if (kind == MatrixKind::unsymmetric) {
      list.push_back(random_matrix(n, false, 6, seed));
      list.push_back(random_matrix(n, true, 15, seed));
    }
    if (kind != MatrixKind::unsymmetric && general) {
      Matrix both = random_matrix(n, true, 15, seed);  // symmetric in value, both triangles stored
      Entries entries;
      for (int j = 0; j < n; ++j)
        for (int p = both.pattern.column_start[j]; p < both.pattern.column_start[j + 1]; ++p)
          entries[{j, both.pattern.row[p]}] = entries[{both.pattern.row[p], j}] = both.values[p];
      list.push_back(assemble(n, entries, false));
    }
  }
  return list;
}

TEST(SolverRegistry, NamesAreUniqueAndListsAreFilled) {
  std::set<std::string> names;
  for (const SolverInfo& info : linear_solvers()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.help.empty());
    ASSERT_FALSE(info.kinds.empty());
    ASSERT_FALSE(info.orderings.empty());
    EXPECT_EQ(info.orderings[0], Ordering::automatic);
    EXPECT_EQ(make_linear_solver(info.name)->name(), info.name);
  }
  EXPECT_GE(names.size() + absent_linear_solvers().size(), 12u);
}

TEST(SolverRegistry, EveryKindWithEveryOrdering) {
  for (const SolverInfo& info : linear_solvers())
    for (const MatrixKind kind : info.kinds)
      for (const Ordering ordering : info.orderings) {
        auto solver = make_linear_solver(info.name, {.kind = kind, .ordering = ordering});
        for (const Matrix& m : matrices(info, kind)) {
          const std::string where = info.name + ", " + to_string(kind) + ", " + to_string(ordering) + ", " +
                                    std::to_string(m.pattern.size) + (m.pattern.symmetric ? " symmetric" : " full");
          solver->analyse(m.pattern);
          expect_solves(*solver, m, 1e-13, where);
        }
      }
}

TEST(SolverRegistry, KindFollowsThePattern) {
  for (const SolverInfo& info : linear_solvers()) {
    auto solver = make_linear_solver(info.name);
    const Matrix symmetric = random_matrix(80, true, 15, 3), general = random_matrix(80, false, 6, 4);
    solver->analyse(symmetric.pattern);
    expect_solves(*solver, symmetric, 1e-13, info.name);
    if (info.kinds.back() != MatrixKind::unsymmetric) {
      EXPECT_THROW(solver->analyse(general.pattern), InputError) << info.name;
      continue;
    }
    solver->analyse(general.pattern);
    expect_solves(*solver, general, 1e-13, info.name);
  }
}

TEST(SolverRegistry, FactorsAgainWithOtherValues) {
  for (const SolverInfo& info : linear_solvers())
    for (const MatrixKind kind : info.kinds) {
      auto solver = make_linear_solver(info.name, {.kind = kind});
      Matrix m = matrices(info, kind).back();
      solver->analyse(m.pattern);
      for (int k = 0; k < 4; ++k) {
        expect_solves(*solver, m, 1e-13, info.name + ", " + to_string(kind) + ", values " + std::to_string(k));
        for (double& a : m.values) a *= k % 2 ? 1.7 : -0.3;
        if (kind == MatrixKind::positive_definite || info.bordered)
          for (double& a : m.values) a = std::abs(a) * (k % 2 ? 1 : 0.5);  // stays dominated by its diagonal
      }
    }
}

TEST(SolverRegistry, SingularMatricesGiveAReason) {
  // A zero row and column; two equal columns; a mechanism that only rounding hides.
  Entries hole, twins;
  for (int i = 0; i < 12; ++i) {
    if (i != 5) hole[{i, i}] = 2;
    twins[{i, i}] = 2;
  }
  hole[{5, 5}] = 0;
  twins[{3, 3}] = twins[{4, 4}] = twins[{3, 4}] = twins[{4, 3}] = 1;
  for (const SolverInfo& info : linear_solvers())
    for (const MatrixKind kind : info.kinds) {
      for (const Matrix& m : {assemble(12, hole, true), assemble(12, twins, true), springs(50, true)}) {
        auto solver = make_linear_solver(info.name, {.kind = kind});
        solver->analyse(m.pattern);
        const auto report = solver->factor(m.values);
        if (info.iterative && report.ok()) {  // found out when it is to solve
          std::vector<double> x;
          EXPECT_FALSE(solver->solve(random_vector(m.pattern.size, 3), x).ok()) << info.name << ", " << to_string(kind);
        } else {
          EXPECT_TRUE(report.reason == Reason::singular || report.reason == Reason::not_positive_definite)
              << info.name << ", " << to_string(kind) << ": " << report.text();
        }
        Matrix good = m;  // and the solver goes on
        for (int j = 0; j < m.pattern.size; ++j) good.values[m.pattern.column_start[j + 1] - 1] += 3;
        expect_solves(*solver, good, 1e-13, info.name + " after a singular matrix");
      }
      if (info.kinds.back() != MatrixKind::unsymmetric) continue;
      Entries gap = hole;  // not even the pattern has full rank
      gap.erase({5, 5});
      const Matrix m = assemble(12, gap, false);
      auto solver = make_linear_solver(info.name, {.kind = kind});
      solver->analyse(m.pattern);
      const auto report = solver->factor(m.values);
      EXPECT_TRUE(report.reason == Reason::singular || report.reason == Reason::not_positive_definite)
          << info.name << ", empty column: " << report.text();
    }
}

TEST(SolverRegistry, IndefiniteMatricesAreNotPositiveDefinite) {
  Matrix m = random_matrix(40, true, 15, 21);
  m.values[m.pattern.column_start[31] - 1] *= -1;
  for (const SolverInfo& info : linear_solvers()) {
    if (info.kinds.back() == MatrixKind::positive_definite || info.name == "mumps") {
      auto solver = make_linear_solver(info.name, {.kind = MatrixKind::positive_definite});
      solver->analyse(m.pattern);
      const auto report = solver->factor(m.values);
      EXPECT_EQ(report.reason, Reason::not_positive_definite) << info.name;
      EXPECT_FALSE(report.usable) << info.name;
    }
    if (info.kinds.size() < 2 || info.bordered) continue;
    auto solver = make_linear_solver(info.name, {.kind = MatrixKind::symmetric_indefinite});
    solver->analyse(m.pattern);
    const auto report = solver->factor(m.values);
    EXPECT_TRUE(report.ok()) << info.name;
    EXPECT_TRUE(report.negative_pivots == 1 || report.negative_pivots == -1) << info.name;
  }
}

TEST(SolverRegistry, NotFiniteIsNamed) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const SolverInfo& info : linear_solvers()) {
      Matrix m = springs(10, false);
      auto solver = make_linear_solver(info.name);
      solver->analyse(m.pattern);
      ASSERT_TRUE(solver->factor(m.values).ok());
      const double kept = m.values[5];
      m.values[5] = bad;
      const auto report = solver->factor(m.values);
      EXPECT_EQ(report.reason, Reason::not_finite) << info.name;
      EXPECT_FALSE(report.usable);
      m.values[5] = kept;
      expect_solves(*solver, m, 1e-14, info.name);
    }
}

TEST(SolverRegistry, SolvesInPlace) {
  const Matrix m = random_matrix(100, true, 15, 8);
  for (const SolverInfo& info : linear_solvers()) {
    auto solver = make_linear_solver(info.name);
    solver->analyse(m.pattern);
    ASSERT_TRUE(solver->factor(m.values).ok());
    std::vector<double> b = random_vector(100, 9), x;
    ASSERT_TRUE(solver->solve(b, x).ok());
    ASSERT_TRUE(solver->solve(b, b).ok());
    EXPECT_EQ(b, x) << info.name;
  }
}

TEST(SolverRegistry, WhatASolverLacksIsNamed) {
  const auto message = [](const std::string& name, const SolverOptions& options) -> std::string {
    try {
      make_linear_solver(name, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("lapack_lu", {.ordering = Ordering::metis}),
            "linear solver 'lapack_lu' has no ordering 'metis' (it has: automatic, natural)");
  EXPECT_EQ(message("cholmod", {.kind = MatrixKind::unsymmetric}),
            "linear solver 'cholmod' takes no unsymmetric matrices (it takes: positive definite)");
  EXPECT_NE(message("kl", {}).find("did you mean 'klu'"), std::string::npos);
  EXPECT_EQ(ordering_named("metis"), Ordering::metis);
  EXPECT_THROW(ordering_named("metsi"), InputError);
}

TEST(Ordering, EliminationOrdersArePermutations) {
  for (const Matrix& m : {random_matrix(90, true, 1, 61), random_matrix(90, false, 1, 62), springs(1, false)})
    for (const Ordering ordering : {Ordering::natural, Ordering::amd, Ordering::colamd, Ordering::metis}) {
      auto order = elimination_order(m.pattern, ordering);
      EXPECT_EQ(order, elimination_order(m.pattern, ordering)) << to_string(ordering);
      std::sort(order.begin(), order.end());
      for (int k = 0; k < m.pattern.size; ++k) ASSERT_EQ(order[k], k) << to_string(ordering);
    }
}

TEST(Ordering, StructuralRank) {
  EXPECT_EQ(structural_rank(random_matrix(90, false, 1, 62).pattern), 90);
  EXPECT_EQ(structural_rank(saddle_point(30, 10, true, 63).pattern), 40);
  EXPECT_EQ(structural_rank(SparsePattern{3, {0, 1, 2, 3}, {0, 0, 2}, false}), 2);
}

TEST(SolverRegistry, OrderingsAreHonoured) {
  // An arrow with its tip first: in natural order the factors fill up, in any other they do not.
  Entries entries;
  const int n = 200;
  for (int i = 0; i < n; ++i) entries[{i, i}] = 2 * n, entries[{i, 0}] = entries[{0, i}] = 1;
  entries[{0, 0}] = 2 * n;
  const Matrix m = assemble(n, entries, true);
  for (const SolverInfo& info : linear_solvers()) {
    if (info.orderings.size() < 3) continue;  // dense
    double natural = 0;
    for (const Ordering ordering : info.orderings) {
      auto solver = make_linear_solver(info.name, {.kind = MatrixKind::positive_definite, .ordering = ordering});
      solver->analyse(m.pattern);
      ASSERT_TRUE(solver->factor(m.values).ok());
      if (ordering == Ordering::natural) natural = solver->factor_nonzeros();
      if (ordering == Ordering::amd || ordering == Ordering::metis) {
        EXPECT_LT(solver->factor_nonzeros(), natural / 10) << info.name << ", " << to_string(ordering);
      }
    }
    EXPECT_GE(natural, n * (n + 1) / 2) << info.name;
  }
}

TEST(SolverRegistry, CostsOfADenseFactorisation) {
  Entries entries;
  const int n = 30;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) entries[{i, j}] = i == j ? 2 * n : 1.0 / (1 + i + j);
  const Matrix m = assemble(n, entries, true);
  for (const SolverInfo& info : linear_solvers()) {
    if (info.iterative) continue;
    auto solver = make_linear_solver(info.name);
    solver->analyse(m.pattern);
    ASSERT_TRUE(solver->factor(m.values).ok());
    const double cube = double(n) * n * n, nonzeros = solver->factor_nonzeros(), flops = solver->factor_flops();
    EXPECT_GE(nonzeros, n * (n + 1) / 2) << info.name;
    EXPECT_LE(nonzeros, n * (n + 1)) << info.name;
    if (flops < 0) {
      EXPECT_EQ(info.name, "eigen_sparselu");
      continue;
    }
    EXPECT_GT(flops, 0.25 * cube) << info.name;
    EXPECT_LT(flops, 0.9 * cube) << info.name;
  }
}

TEST(SolverRegistry, NoMemoryAfterTheFirstTime) {
  if (!AllocationCounter::available()) GTEST_SKIP();
  const Matrix m = random_matrix(82, true, 15, 31);
  const auto b = random_vector(82, 32);
  for (const char* name : {"lapack_cholesky", "lapack_ldl", "lapack_lu", "cholmod", "cholmod_simplicial", "cholmod_ldl",
                           "components", "klu", "cg", "minres", "projected_minres", "gmres", "bicgstab", "bicgstab2"}) {
    auto solver = make_linear_solver(name);
    solver->analyse(m.pattern);
    std::vector<double> x;
    auto values = m.values;
    ASSERT_TRUE(solver->factor(values).ok() && solver->solve(b, x).ok());
    for (double& a : values) a *= 1.5;
    const AllocationCounter counter;
    ASSERT_TRUE(solver->factor(values).ok() && solver->solve(b, x).ok());
    EXPECT_EQ(counter.taken(), 0) << name;
  }
}

// Values of a matrix whose best pivots wander: entries grow and fade, in a rhythm that repeats.
Matrix wandering(int step) {
  Matrix m = random_matrix(60, false, 0, 41);
  step = step / 3 % 40;
  for (std::size_t p = 0; p < m.values.size(); ++p)
    m.values[p] *= std::exp(4 * std::sin(0.37 * step * (1 + p % 7) + p));
  return m;
}

TEST(KeptPivots, ChosenAnewOnlyWhenTheyMust) {
  Matrix m = random_matrix(60, false, 6, 42);
  for (const char* name : {"klu", "superlu"}) {
    if (!has_linear_solver(name)) continue;
    auto keeps = make_linear_solver(name), forgets = make_linear_solver(name, {.keep_pivots = false});
    keeps->analyse(m.pattern);
    forgets->analyse(m.pattern);
    for (int k = 0; k < 5; ++k) {
      for (double& a : m.values) a *= 1.01;
      const auto report = keeps->factor(m.values);
      ASSERT_TRUE(report.ok());
      EXPECT_EQ(report.fresh_pivots, k == 0) << name;
      ASSERT_TRUE(forgets->factor(m.values).fresh_pivots);
    }
    EXPECT_EQ(keeps->pivot_choices(), 1) << name;
    EXPECT_EQ(forgets->pivot_choices(), 5) << name;
    EXPECT_EQ(forgets->pivot_values(), nullptr) << name;
  }
}

TEST(KeptPivots, StayAccurate) {
  for (const char* name : {"klu", "superlu"}) {
    if (!has_linear_solver(name)) continue;
    auto solver = make_linear_solver(name);
    solver->analyse(wandering(0).pattern);
    for (int step = 0; step < 200; ++step) expect_solves(*solver, wandering(step), 1e-12, name);
    EXPECT_GT(solver->pivot_choices(), 1) << name << ": the matrices were meant to need new pivots";
    EXPECT_LT(solver->pivot_choices(), 200) << name << ": the matrices were meant to allow kept pivots";
  }
}

// The pivots of one matrix, kept for the next, would divide by rounding errors: the growth check must see it.
TEST(KeptPivots, GrowthIsSeen) {
  Entries first, second;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) first[{i, j}] = i == j ? 2 : 1, second[{i, j}] = 1 + i + 2 * j;
  second[{0, 0}] = 1e-9;
  for (const char* name : {"klu", "superlu"}) {
    if (!has_linear_solver(name)) continue;
    auto solver = make_linear_solver(name);
    const Matrix a = assemble(2, first, false), b = assemble(2, second, false);
    solver->analyse(a.pattern);
    expect_solves(*solver, a, 1e-15, name);
    expect_solves(*solver, b, 1e-15, name);
    EXPECT_EQ(solver->pivot_choices(), 2) << name;
  }
}

TEST(KeptPivots, RestartRepeatsEveryBit) {
  for (const SolverInfo& info : linear_solvers()) {
    if (info.kinds.back() != MatrixKind::unsymmetric || info.iterative) continue;
    auto solver = make_linear_solver(info.name);
    solver->analyse(wandering(0).pattern);
    const auto b = random_vector(60, 51);
    int kept = 0;
    for (int step = 0; step < 60; ++step) {
      const Matrix m = wandering(step);
      const auto report = solver->factor(m.values);
      ASSERT_TRUE(report.ok());
      kept += !report.fresh_pivots;
      std::vector<double> x, again;
      ASSERT_TRUE(solver->solve(b, x).ok());
      auto restarted = make_linear_solver(info.name);
      restarted->analyse(m.pattern);
      if (const auto* values = solver->pivot_values()) {
        ASSERT_TRUE(restarted->factor(*values).usable);
      }
      ASSERT_TRUE(restarted->factor(m.values).ok());
      ASSERT_TRUE(restarted->solve(b, again).ok());
      ASSERT_EQ(x, again) << info.name << ", step " << step;
    }
    EXPECT_EQ(kept > 0, solver->pivot_choices() > 0) << info.name;
  }
}

}  // namespace
}  // namespace lithe

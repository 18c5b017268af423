// The Krylov methods against LAPACK, on matrices of the kinds they are for and on those that they must refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "../matrices.h"
#include "lithe/base/team.h"
#include "lithe/linalg/krylov/methods.h"
#include "lithe/linalg/linear_solver.h"

namespace lithe {
namespace {

using namespace fixtures;
using Reason = KrylovReport::Reason;
using enum KrylovMethod;
constexpr KrylovMethod all_methods[] = {cg, minres, projected_minres, gmres, bicgstab, bicgstab2};
constexpr const char* method_names[] = {"cg", "minres", "projected_minres", "gmres", "bicgstab", "bicgstab2"};

std::string name_of(KrylovMethod method) { return method_names[static_cast<int>(method)]; }

class MatrixMap final : public LinearMap {
 public:
  explicit MatrixMap(const Matrix& m) : m_(m) {}
  void apply(const Array& x, Array& y) override {
    x_.assign(x.host().begin(), x.host().end());
    multiply(m_.pattern, m_.values, x_, y_);
    std::copy(y_.begin(), y_.end(), y.host().begin());
  }

 private:
  const Matrix& m_;
  std::vector<double> x_, y_;
};

// By a direct solver over a matrix.
class InverseMap final : public LinearMap {
 public:
  explicit InverseMap(const Matrix& m, const char* name = "lapack_lu") : solver_(make_linear_solver(name)) {
    solver_->analyse(m.pattern);
    EXPECT_TRUE(solver_->factor(m.values).ok());
  }
  void apply(const Array& x, Array& y) override {
    x_.assign(x.host().begin(), x.host().end());
    EXPECT_TRUE(solver_->solve(x_, y_).ok());
    std::copy(y_.begin(), y_.end(), y.host().begin());
  }

 private:
  std::unique_ptr<LinearSolver> solver_;
  std::vector<double> x_, y_;
};

struct Outcome {
  KrylovReport report;
  std::vector<double> x, history;
};

Outcome solve(KrylovMethod method, const Matrix& m, const std::vector<double>& b, KrylovLimits limits = {},
              std::vector<double> start = {}, LinearMap* preconditioner = nullptr, bool projects = false) {
  HostPlace place;
  MatrixMap matrix(m);
  PlaceSpace space(place, b.size(), matrix, preconditioner);
  KrylovRoom<PlaceSpace> room;
  Outcome run;
  run.x = start.empty() ? std::vector<double>(b.size(), 0.0) : start;
  std::vector<double> rhs = b;
  const Array right = Array::view(place, rhs);
  Array x = Array::view(place, run.x);
  limits.history = &run.history;
  run.report = solve_krylov(method, space, room, limits, right, x, projects);
  return run;
}

std::vector<double> by_lapack(const Matrix& m, const std::vector<double>& b) {
  auto solver = make_linear_solver(m.pattern.symmetric ? "lapack_ldl" : "lapack_lu");
  solver->analyse(m.pattern);
  std::vector<double> x;
  EXPECT_TRUE(solver->factor(m.values).ok() && solver->solve(b, x).ok());
  return x;
}

Matrix indefinite(int n, unsigned seed) {
  Matrix m = random_matrix(n, true, 15, seed);
  for (int j = 0; j < n; j += 3) m.values[m.pattern.column_start[j + 1] - 1] *= -1;
  return m;
}

std::vector<Matrix> matrices_for(KrylovMethod method, int n) {
  std::vector<Matrix> list{random_matrix(n, true, 15, 1 + n), springs(n, false)};
  if (method != cg) list.push_back(indefinite(n, 2 + n));
  if (method == gmres || method == bicgstab || method == bicgstab2) list.push_back(random_matrix(n, false, 8, 3 + n));
  return list;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return largest / (size > 0 ? size : 1);
}

TEST(KrylovMethods, AgreeWithLapack) {
  for (const KrylovMethod method : all_methods)
    for (const int n : {1, 2, 7, 60, 300}) {
      int k = 0;
      for (const Matrix& m : matrices_for(method, n)) {
        const std::string where = name_of(method) + ", " + std::to_string(n) + ", matrix " + std::to_string(k++);
        const auto b = random_vector(n, 5);
        const Outcome run = solve(method, m, b, {.tolerance = 1e-12, .iterations = 20000, .restart = 400});
        EXPECT_TRUE(run.report.ok()) << where << ", reason " << static_cast<int>(run.report.reason);
        EXPECT_LT(distance(run.x, by_lapack(m, b)), 1e-8) << where;
        EXPECT_LE(run.report.last, 1e-12 * std::sqrt(std::inner_product(b.begin(), b.end(), b.begin(), 0.0))) << where;
        EXPECT_GE(run.report.products, run.report.iterations) << where;
      }
    }
}

TEST(KrylovMethods, ZeroRightHandSide) {
  const Matrix m = random_matrix(40, true, 15, 9);
  for (const KrylovMethod method : all_methods) {
    const Outcome run = solve(method, m, std::vector<double>(40, 0.0), {}, random_vector(40, 3));
    EXPECT_TRUE(run.report.ok());
    EXPECT_EQ(run.report.iterations, 0);
    EXPECT_EQ(run.x, std::vector<double>(40, 0.0)) << name_of(method);
  }
}

TEST(KrylovMethods, AnExactStartCostsOneProduct) {
  const Matrix m = random_matrix(40, true, 15, 9);
  const auto x = random_vector(40, 3);
  std::vector<double> b;
  multiply(m.pattern, m.values, x, b);
  for (const KrylovMethod method : all_methods) {
    const Outcome run = solve(method, m, b, {}, x);
    EXPECT_TRUE(run.report.ok());
    EXPECT_EQ(run.report.iterations, 0);
    EXPECT_EQ(run.report.products, 1);
    EXPECT_EQ(run.x, x) << name_of(method);
    const Outcome near = solve(method, m, b, {.tolerance = 1e-12}, by_lapack(m, random_vector(40, 4)));
    EXPECT_TRUE(near.report.ok()) << name_of(method);
    EXPECT_LT(distance(near.x, x), 1e-10) << name_of(method);
    EXPECT_GT(near.report.first, near.report.last);
  }
}

TEST(KrylovMethods, SingularMatricesGiveAReason) {
  // The right-hand side has a part that no x reaches.
  const Matrix m = springs(50, true);
  const auto b = random_vector(50, 6);
  for (const KrylovMethod method : all_methods) {
    const Outcome run = solve(method, m, b, {.iterations = 3000});
    EXPECT_FALSE(run.report.ok()) << name_of(method);
    EXPECT_NE(run.report.reason, Reason::not_finite) << name_of(method);
    EXPECT_TRUE(all_finite(run.x)) << name_of(method);
    EXPECT_LE(run.report.last, run.report.first) << name_of(method);
    EXPECT_LE(run.report.iterations, 3000) << name_of(method);
  }
  Entries nothing;
  for (int i = 0; i < 5; ++i) nothing[{i, i}] = 0;
  for (const KrylovMethod method : all_methods) {
    const Outcome run = solve(method, assemble(5, nothing, true), random_vector(5, 6));
    EXPECT_EQ(run.report.reason, Reason::breakdown) << name_of(method);
  }
}

// Reachable right-hand sides of a singular matrix are solved all the same.
TEST(KrylovMethods, ConsistentSingularSystems) {
  const Matrix m = springs(50, true);
  std::vector<double> b;
  multiply(m.pattern, m.values, random_vector(50, 6), b);
  for (const KrylovMethod method : {cg, minres, gmres}) {
    const Outcome run = solve(method, m, b, {.tolerance = 1e-9, .restart = 60});
    EXPECT_TRUE(run.report.ok()) << name_of(method);
  }
}

TEST(KrylovMethods, NotFiniteIsNamed) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const KrylovMethod method : all_methods) {
      Matrix m = springs(10, false);
      auto b = random_vector(10, 6);
      m.values[5] = bad;
      EXPECT_EQ(solve(method, m, b).report.reason, Reason::not_finite) << name_of(method);
      EXPECT_EQ(solve(method, m, b, {.zero_start = true}).report.reason, Reason::not_finite) << name_of(method);
      b[3] = bad;
      EXPECT_EQ(solve(method, springs(10, false), b).report.reason, Reason::not_finite) << name_of(method);
    }
}

TEST(KrylovMethods, IterationsAreLimited) {
  const Matrix m = springs(300, false);
  const auto b = random_vector(300, 6);
  for (const KrylovMethod method : all_methods) {
    const Outcome run = solve(method, m, b, {.tolerance = 1e-12, .iterations = 7});
    EXPECT_EQ(run.report.reason, Reason::not_converged) << name_of(method);
    EXPECT_EQ(run.report.iterations, 7) << name_of(method);
    EXPECT_EQ(run.history.size(), 7u) << name_of(method);
    EXPECT_LE(run.report.last, run.report.first) << name_of(method);
  }
}

TEST(KrylovMethods, WhatCannotBeReachedStagnates) {
  const Matrix m = random_matrix(60, true, 15, 4);
  for (const KrylovMethod method : all_methods) {
    const Outcome run = solve(method, m, random_vector(60, 5), {.tolerance = 1e-19});
    EXPECT_TRUE(run.report.reason == Reason::stagnated || run.report.reason == Reason::breakdown)
        << name_of(method) << static_cast<int>(run.report.reason);
    EXPECT_LT(run.report.last, 1e-14) << name_of(method);
  }
}

TEST(KrylovMethods, GmresRestarts) {
  const Matrix m = springs(20, false);
  const auto b = random_vector(20, 5);
  const Outcome whole = solve(gmres, m, b, {.tolerance = 1e-11, .restart = 20});
  const Outcome often = solve(gmres, m, b, {.tolerance = 1e-11, .restart = 8});
  EXPECT_TRUE(whole.report.ok() && often.report.ok());
  EXPECT_GT(often.report.iterations, whole.report.iterations);
  EXPECT_LT(distance(often.x, whole.x), 1e-9);
  // A cyclic shift gains nothing before its n-th vector.
  Entries shift;
  for (int i = 0; i < 12; ++i) shift[{i, (i + 1) % 12}] = 1, shift[{i, i}] = 0;
  const Matrix cyclic = assemble(12, shift, false);
  std::vector<double> unit(12, 0.0);
  unit[0] = 1;
  EXPECT_EQ(solve(gmres, cyclic, unit, {.restart = 6}).report.reason, Reason::stagnated);
  EXPECT_TRUE(solve(gmres, cyclic, unit, {.restart = 12}).report.ok());
}

TEST(KrylovMethods, Breakdowns) {
  // p^T A p = 0 at the first step of cg; <shadow, A p> = 0 at that of the others.
  Entries skew;
  skew[{0, 1}] = 1;
  skew[{1, 0}] = -1;
  skew[{0, 0}] = skew[{1, 1}] = 0;
  const Matrix turn = assemble(2, skew, false);
  for (const KrylovMethod method : {cg, bicgstab, bicgstab2}) {
    const Outcome run = solve(method, turn, {1, 0});
    EXPECT_EQ(run.report.reason, Reason::breakdown) << name_of(method);
  }
  EXPECT_TRUE(solve(gmres, turn, {1, 0}).report.ok());
  // Not positive definite.
  EXPECT_EQ(solve(cg, indefinite(30, 3), random_vector(30, 1)).report.reason, Reason::breakdown);
  // A preconditioner that is not positive definite.
  const Matrix m = random_matrix(30, true, 15, 3), bad = indefinite(30, 3);
  InverseMap wrong(bad);
  for (const KrylovMethod method : {cg, minres})
    EXPECT_FALSE(solve(method, m, random_vector(30, 1), {.tolerance = 1e-12}, {}, &wrong).report.ok())
        << name_of(method);
}

TEST(KrylovMethods, MinresFallsMonotonically) {
  for (const Matrix& m : {springs(200, false), indefinite(200, 5), saddle_point(200, 50, true, 4)}) {
    const Outcome run = solve(minres, m, random_vector(m.pattern.size, 7), {.tolerance = 1e-10});
    ASSERT_TRUE(run.report.ok());
    for (std::size_t k = 1; k < run.history.size(); ++k) ASSERT_LE(run.history[k], run.history[k - 1] * (1 + 1e-14));
  }
}

TEST(KrylovMethods, AnExactPreconditionerNeedsAStepOrTwo) {
  const Matrix m = random_matrix(120, true, 15, 8);
  InverseMap exact(m);
  for (const KrylovMethod method : all_methods) {
    const Outcome run = solve(method, m, random_vector(120, 7), {.tolerance = 1e-12}, {}, &exact);
    EXPECT_TRUE(run.report.ok()) << name_of(method);
    EXPECT_LE(run.report.iterations, 2) << name_of(method);
  }
}

// [D G^T; G 0] with the diagonal of A: the rows hold after the first step and stay so.
TEST(KrylovMethods, ProjectedMethodsKeepTheRows) {
  const int n = 200, rows = 50;
  const Matrix m = saddle_point(n, rows, true, 8);
  Matrix p = m;
  for (int j = 0; j < n; ++j)
    for (int k = m.pattern.column_start[j]; k < m.pattern.column_start[j + 1]; ++k)
      if (m.pattern.row[k] != j) p.values[k] = 0;
  InverseMap constraint(p);
  const auto b = random_vector(n + rows, 7);
  for (const KrylovMethod method : {cg, projected_minres})
    for (const double tolerance : {1e-3, 1e-6, 1e-12}) {
      const Outcome run = solve(method, m, b, {.tolerance = tolerance}, {}, &constraint, true);
      ASSERT_TRUE(run.report.ok()) << name_of(method) << ", " << tolerance;
      EXPECT_LT(run.report.iterations, 40) << name_of(method);
      if (tolerance <= 1e-12) {
        EXPECT_LT(distance(run.x, by_lapack(m, b)), 1e-10) << name_of(method);
      }
      std::vector<double> image;
      multiply(m.pattern, m.values, run.x, image);
      for (int r = n; r < n + rows; ++r) ASSERT_NEAR(image[r], b[r], 1e-13) << name_of(method) << ", " << tolerance;
    }
}

// Long enough vectors for several blocks and threads.
TEST(KrylovMethods, ThreadsGiveTheSameBits) {
  const int n = 70000;
  Entries entries;
  for (int i = 0; i < n; ++i) {
    entries[{i, i}] = 4 + std::sin(i);
    if (i > 0) entries[{i, i - 1}] = -1;
  }
  const Matrix m = assemble(n, entries, true);
  const auto b = random_vector(n, 3);
  for (const KrylovMethod method : all_methods) {
    std::vector<double> first;
    for (const int threads : {1, 3}) {
      Team team(threads);
      HostPlace place(&team);
      MatrixMap matrix(m);
      PlaceSpace space(place, n, matrix, nullptr);
      KrylovRoom<PlaceSpace> room;
      std::vector<double> rhs = b, x(n, 0.0);
      Array found = Array::view(place, x);
      ASSERT_TRUE(solve_krylov(method, space, room, {}, Array::view(place, rhs), found).ok()) << name_of(method);
      if (first.empty()) first = x;
      else ASSERT_EQ(first, x) << name_of(method);
    }
  }
}

}  // namespace
}  // namespace lithe

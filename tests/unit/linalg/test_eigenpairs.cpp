// Eigenpairs of pencils with rows: against dense algebra of Eigen's, with multiplicities, without mass, below zero, and
// whether the count by Sylvester's law is that of the spectrum.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "lithe/base/error.h"
#include "lithe/linalg/dense_pencil.h"
#include "lithe/linalg/eigenpairs.h"
#include "lithe/linalg/upper_triangle.h"

namespace lithe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Problem {
  MatrixXd K, M, G;

  std::unique_ptr<BorderedPencil> pencil() const {
    const int n = static_cast<int>(K.rows());
    SparsePattern pattern;
    pattern.size = n;
    pattern.symmetric = true;
    pattern.column_start.push_back(0);
    std::vector<double> a, b;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i <= j; ++i) {
        if (K(i, j) == 0 && M(i, j) == 0 && i != j) continue;
        pattern.row.push_back(i);
        a.push_back(K(i, j));
        b.push_back(M(i, j));
      }
      pattern.column_start.push_back(static_cast<std::int32_t>(pattern.row.size()));
    }
    RowPattern rows{static_cast<int>(G.rows()), n, {0}, {}};
    std::vector<double> g;
    for (int r = 0; r < rows.rows; ++r) {
      for (int j = 0; j < n; ++j)
        if (G(r, j) != 0) {
          rows.column.push_back(j);
          g.push_back(G(r, j));
        }
      rows.row_start.push_back(static_cast<std::int32_t>(rows.column.size()));
    }
    return std::make_unique<BorderedPencil>(pattern, a, b, rows, g);
  }

  // A basis of G x = 0.
  MatrixXd free_motions() const {
    if (G.rows() == 0) return MatrixXd::Identity(K.rows(), K.rows());
    return G.fullPivLu().kernel();
  }

  // All finite eigenvalues, ascending, of shifted and inverted matrices: K + s M is definite.
  std::vector<double> exact(double s) const {
    const MatrixXd Z = free_motions();
    const MatrixXd P = Z.transpose() * (K + s * M) * Z, N = Z.transpose() * M * Z;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(N, P);
    std::vector<double> values;
    const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
    for (Eigen::Index k = solver.eigenvalues().size() - 1; k >= 0; --k)
      if (solver.eigenvalues()[k] > 1e-12 * largest) values.push_back(1 / solver.eigenvalues()[k] - s);
    return values;
  }
};

// n masses in a row with springs between them, the ends on springs too where `held`.
Problem chain(int n, bool held = true) {
  Problem p{MatrixXd::Zero(n, n), MatrixXd::Identity(n, n), MatrixXd(0, n)};
  for (int i = 0; i + 1 < n; ++i) {
    const double k = 100 + i % 7;
    p.K(i, i) += k;
    p.K(i + 1, i + 1) += k;
    p.K(i, i + 1) -= k;
    p.K(i + 1, i) -= k;
  }
  if (held) p.K(0, 0) += 80, p.K(n - 1, n - 1) += 90;
  for (int i = 0; i < n; ++i) p.M(i, i) = 1 + 0.1 * (i % 5);
  return p;
}

// The same problem `times` over, side by side.
Problem repeated(const Problem& one, int times) {
  const Eigen::Index n = one.K.rows(), m = one.G.rows();
  Problem all{MatrixXd::Zero(times * n, times * n), MatrixXd::Zero(times * n, times * n),
              MatrixXd::Zero(times * m, times * n)};
  for (int t = 0; t < times; ++t) {
    all.K.block(t * n, t * n, n, n) = one.K;
    all.M.block(t * n, t * n, n, n) = one.M;
    all.G.block(t * m, t * n, m, n) = one.G;
  }
  return all;
}

void add_rows(Problem& p, int rows) {
  std::mt19937 random(5);
  p.G = MatrixXd::Zero(rows, p.K.rows());
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < 4; ++k)
      p.G(r, static_cast<Eigen::Index>(random() % p.K.rows())) = 1 + static_cast<double>(random() % 100) / 50;
}

// Pairs solve the problem, are orthonormal in M and keep to the rows.
void expect_pairs(const Problem& p, const ProvedPairs& pairs, double scale) {
  MatrixXd X(p.K.rows(), static_cast<Eigen::Index>(pairs.size()));
  for (std::size_t k = 0; k < pairs.size(); ++k)
    X.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const VectorXd>(pairs.vectors[k].data(), p.K.rows());
  EXPECT_LT((X.transpose() * p.M * X - MatrixXd::Identity(X.cols(), X.cols())).cwiseAbs().maxCoeff(), 1e-8);
  if (p.G.rows() > 0) {
    EXPECT_LT((p.G * X).cwiseAbs().maxCoeff(), 1e-10);
  }
  const MatrixXd Z = p.free_motions();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto x = X.col(static_cast<Eigen::Index>(k));
    EXPECT_LT((Z.transpose() * (p.K * x - pairs.values[k] * (p.M * x))).cwiseAbs().maxCoeff(), 1e-8 * scale) << k;
  }
}

void expect_lowest(const Problem& p, int count, double shift = 1) {
  const std::vector<double> exact = p.exact(shift);
  const auto pencil = p.pencil();
  const ProvedPairs pairs = lowest_eigenpairs(*pencil, count);
  ASSERT_EQ(pairs.size(), static_cast<std::size_t>(count));
  const double size = std::max(1.0, std::abs(exact[count - 1]));
  for (int k = 0; k < count; ++k) EXPECT_NEAR(pairs.values[k], exact[k], 1e-9 * size) << k;
  expect_pairs(p, pairs, size);
  if (pairs.dense) return;
  int below = 0;
  for (const double value : exact) below += value < pairs.high;
  EXPECT_EQ(pairs.counted, below);
  EXPECT_GE(pairs.counted, count);
}

TEST(Eigenpairs, OfAChain) { expect_lowest(chain(300), 12); }

TEST(Eigenpairs, OnTheNullSpaceOfRows) {
  Problem p = chain(240);
  add_rows(p, 25);
  expect_lowest(p, 15);
}

TEST(Eigenpairs, OfSmallProblemsByDenseAlgebra) {
  Problem p = chain(30);
  add_rows(p, 6);
  expect_lowest(p, 24);
  const auto pencil = p.pencil();
  EXPECT_TRUE(lowest_eigenpairs(*pencil, 3).dense);
}

TEST(Eigenpairs, OfMostOfAProblemByDenseAlgebra) { expect_lowest(chain(120), 110); }

TEST(Eigenpairs, WithoutMassThereIsNoMode) {
  for (const int rows : {0, 10}) {
    for (const int n : {40, 300}) {
      Problem p = chain(n);
      for (int i = 0; i < n; i += 3) p.M.row(i).setZero(), p.M.col(i).setZero();
      if (rows > 0) add_rows(p, rows);
      expect_lowest(p, 10);
    }
  }
  Problem few = chain(40);  // as many modes as masses
  for (int i = 0; i < 40; ++i)
    if (i % 10 != 4) few.M(i, i) = 0;
  const auto pencil = few.pencil();
  EXPECT_EQ(most_eigenpairs(*pencil), 4);
  EXPECT_EQ(lowest_eigenpairs(*pencil, 20).size(), 4u);
}

TEST(Eigenpairs, RigidMotionsAreFound) {
  const Problem p = repeated(chain(60, false), 6);
  expect_lowest(p, 9);
  const auto pencil = p.pencil();
  const ProvedPairs pairs = lowest_eigenpairs(*pencil, 7);
  for (int k = 0; k < 6; ++k) EXPECT_LT(std::abs(pairs.values[k]), 1e-9 * pairs.values[6]);
}

TEST(Eigenpairs, MultiplicitiesAreCompleteAndCounted) {
  Problem one = chain(40);
  add_rows(one, 3);
  for (const Problem& p : {repeated(chain(40), 8), repeated(one, 8)})
    for (const int count : {3, 8, 12, 20}) expect_lowest(p, count);
}

TEST(Eigenpairs, BelowZero) {
  Problem p = chain(200);
  p.K(20, 20) -= 500;
  p.K(150, 150) -= 700;
  expect_lowest(p, 6, 1000);
}

TEST(Eigenpairs, OfVeryStiffAndVerySoftParts) {
  Problem p = chain(200);
  for (int i = 100; i < 200; ++i) p.K(i, i) += 1e9;
  expect_lowest(p, 8);
}

TEST(Eigenpairs, NearAValue) {
  Problem rows = chain(240);
  add_rows(rows, 12);
  for (const Problem& p : {chain(250), repeated(chain(50), 5), rows}) {
    const std::vector<double> exact = p.exact(1);
    const double value = 0.5 * (exact[60] + exact[61]) + 1e-3;
    std::vector<double> nearest = exact;
    std::ranges::sort(nearest, {}, [&](double x) { return std::abs(x - value); });
    nearest.resize(9);
    std::ranges::sort(nearest);
    const auto pencil = p.pencil();
    const ProvedPairs pairs = eigenpairs_near(*pencil, value, 9);
    ASSERT_EQ(pairs.size(), 9u);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(pairs.values[k], nearest[k], 1e-8 * value) << k;
    expect_pairs(p, pairs, value);
    int there = 0;
    for (const double x : exact) there += x > pairs.low && x < pairs.high;
    EXPECT_EQ(pairs.counted, there);
  }
}

TEST(Eigenpairs, NearAnEigenvalueItself) {
  const Problem p = chain(200);
  const double value = p.exact(1)[40];
  const auto pencil = p.pencil();
  const ProvedPairs pairs = eigenpairs_near(*pencil, value, 1);
  EXPECT_NEAR(pairs.values[0], value, 1e-9 * value);
}

TEST(Eigenpairs, CriticalFactors) {
  for (const int n : {40, 200}) {
    Problem p = chain(n);
    p.M.setZero();
    for (int i = 0; i < n; ++i) p.M(i, i) = std::cos(0.3 * i) - 0.2;  // K + factor M: some fall, some rise
    add_rows(p, 5);
    const MatrixXd Z = p.free_motions();
    const MatrixXd K = Z.transpose() * p.K * Z, B = -Z.transpose() * p.M * Z;
    const VectorXd theta = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(B, K).eigenvalues();
    const auto pencil = p.pencil();
    const ProvedPairs pairs = critical_eigenpairs(*pencil, 4);
    ASSERT_EQ(pairs.size(), 4u);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(pairs.values[k] * theta[theta.size() - 1 - k], 1, 1e-9);
  }
}

// What rounding puts apart looks like two neighbours that are nearly one: the spectrum is not cut there.
TEST(Eigenpairs, CountedWhereNeighboursAreFarthestApart) {
  const int n = 120;
  Problem p{MatrixXd::Identity(n, n), MatrixXd::Zero(n, n), MatrixXd(0, n)};
  for (int i = 0; i < n; ++i) p.M(i, i) = -1.0 / (1000 + i);
  int i = 3;
  for (const double factor : {1.0, 1.0, 10.0, 10.0, 20.0, 20.0 * (1 + 5e-6)}) p.M(i, i) = -1 / factor, i += 17;
  const auto pencil = p.pencil();
  const ProvedPairs pairs = critical_eigenpairs(*pencil, 2);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs.counted, 2);
  EXPECT_NEAR(pairs.values[1], 1, 1e-12);
}

// A column that bends both ways alike, in turned axes, so that its stretching stiffness, a million times larger, takes
// digits from every product with K.
TEST(Eigenpairs, EqualModesOfAStiffColumnAreCountedOnce) {
  const int nodes = 50, n = 3 * nodes;
  for (int turn = 0; turn < 40; ++turn) {
    const Eigen::Matrix3d R = (Eigen::AngleAxisd(0.1 + turn, Eigen::Vector3d(1, 2, 3).normalized()) *
                               Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitX()))
                                  .toRotationMatrix();
    Eigen::Matrix3d bend = Eigen::Matrix3d::Zero(), stretch = Eigen::Matrix3d::Zero();
    bend(0, 0) = bend(1, 1) = 1;
    stretch(2, 2) = 1e6;
    const Eigen::Matrix3d B = R * bend * R.transpose(), S = R * stretch * R.transpose();
    Problem p{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n), MatrixXd(0, n)};
    for (int i = -1; i < nodes; ++i) {
      const auto spring = [&](MatrixXd& K, int a, int b, const Eigen::Matrix3d& k) {
        if (a >= 0) K.block<3, 3>(3 * a, 3 * a) += k;
        if (b < nodes) K.block<3, 3>(3 * b, 3 * b) += k;
        if (a >= 0 && b < nodes) K.block<3, 3>(3 * a, 3 * b) -= k, K.block<3, 3>(3 * b, 3 * a) -= k;
      };
      spring(p.K, i, i + 1, S);
      spring(p.M, i, i + 1, -B);
      // Curvature w'' at node i + 1: (1, -2, 1).
      const double w[3] = {1, -2, 1};
      if (i + 1 >= nodes) continue;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (i + a >= 0 && i + a < nodes && i + b >= 0 && i + b < nodes)
            p.K.block<3, 3>(3 * (i + a), 3 * (i + b)) += w[a] * w[b] * B;
    }
    const auto pencil = p.pencil();
    const ProvedPairs pairs = critical_eigenpairs(*pencil, 2);
    ASSERT_EQ(pairs.size(), 2u) << turn;
    const double half = std::sin(0.5 * std::numbers::pi / (nodes + 1));
    for (const double value : pairs.values) EXPECT_NEAR(value / (4 * half * half), 1, 1e-4) << turn;
  }
}

TEST(Eigenpairs, FewerCriticalFactorsThanAskedFor) {
  for (const int n : {40, 200}) {
    Problem p = chain(n);
    p.M = MatrixXd::Identity(n, n);
    p.M(7, 7) = p.M(20, 20) = -1;
    const auto pencil = p.pencil();
    EXPECT_EQ(critical_eigenpairs(*pencil, 5).size(), 2u);
  }
}

TEST(Eigenpairs, AnUnstableStateHasNoCriticalFactors) {
  Problem p = chain(100);
  p.K(3, 3) -= 1000;
  const auto pencil = p.pencil();
  EXPECT_THROW(critical_eigenpairs(*pencil, 2), RunError);
}

TEST(BorderedPencil, CountsAndSolves) {
  Problem p = chain(150);
  add_rows(p, 9);
  const auto pencil = p.pencil();
  const std::vector<double> exact = p.exact(1);
  for (const int k : {0, 3, 17, 80}) {
    const double between = 0.5 * (exact[k] + exact[k + 1]);
    EXPECT_EQ(pencil->count_negative(1, -between), k + 1);
  }
  ASSERT_EQ(pencil->factor(1, 2, true), 0);
  std::vector<double> f(150), x, y;
  for (int i = 0; i < 150; ++i) f[i] = std::sin(i);
  ASSERT_TRUE(pencil->solve(f, x, 1, &y));
  const VectorXd X = Eigen::Map<VectorXd>(x.data(), 150), Y = Eigen::Map<VectorXd>(y.data(), 9);
  EXPECT_LT((p.G * X).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(((p.K + 2 * p.M) * X + p.G.transpose() * Y - Eigen::Map<VectorXd>(f.data(), 150)).cwiseAbs().maxCoeff(),
            1e-10);
}

TEST(UpperTriangle, HasTheSymmetricPartOfTheFirstColumnsAndEveryDiagonalEntry) {
  // 1 2 . 7
  // 3 . 4 .    of which the first three columns count
  // . 6 5 8
  // 9 . . .
  const SparsePattern full{4, {0, 3, 5, 7, 9}, {0, 1, 3, 0, 2, 1, 2, 0, 2}, false};
  const std::vector<double> values{1, 3, 9, 2, 6, 4, 5, 7, 8};
  const UpperTriangle triangle(full, 3);
  EXPECT_EQ(triangle.pattern.column_start, (std::vector<std::int32_t>{0, 1, 3, 5}));
  EXPECT_EQ(triangle.pattern.row, (std::vector<std::int32_t>{0, 0, 1, 1, 2}));
  EXPECT_EQ(triangle.diagonal, (std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_EQ(triangle.symmetric_part(values), (std::vector<double>{1, 2.5, 0, 5, 5}));
  EXPECT_DOUBLE_EQ(triangle.skew(values), 1 / 6.0);
}

}  // namespace
}  // namespace lithe

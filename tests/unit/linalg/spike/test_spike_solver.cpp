// SPIKE: untruncated it is a direct solver, truncated a fixed linear map that resembles the inverse.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "../../allocation_counter.h"
#include "../net_matrix.h"
#include "lithe/linalg/linear_solver.h"
#include "lithe/linalg/spike/spike_solver.h"

namespace lithe {
namespace {

using namespace fixtures;

RowMatrix rows_of(const Matrix& m) {
  RowMatrix rows(m.pattern);
  rows.gather(m.values);
  return rows;
}

Matrix dominant_band(int n, int width, unsigned seed, double dominance = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Entries entries;
  for (int j = 0; j < n; ++j)
    for (int i = std::max(0, j - width); i <= std::min(n - 1, j + width); ++i)
      entries[{j, i}] = i == j ? dominance * (2 * width + 1) : uniform(engine);
  return assemble(n, entries, false);
}

KrylovOptions options_for(bool truncate, bool second_stage, SpikeMatching matching, std::optional<int> partitions) {
  KrylovOptions options;
  options.truncate = truncate;
  options.second_stage = second_stage;
  options.matching = matching;
  options.partitions = partitions;
  return options;
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

// |b - A x| / (|A| |x| + |b|), maximum norms.
double backward_error(const RowMatrix& a, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> r(b.size());
  a.multiply(x, r);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  return largest(r) / (a.largest_row_sum() * largest(x) + largest(b));
}

double relative_error(const std::vector<double>& x, const std::vector<double>& expected) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error += (x[i] - expected[i]) * (x[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return std::sqrt(error / size);
}

TEST(Spike, UntruncatedIsADirectSolver) {
  Team team(1);
  for (const int width : {1, 2, 5, 16, 33, 64})
    for (const int partitions : {2, 3, 7, 16}) {
      const int n = partitions * std::max(2 * width + 20, 70) + 13;
      const Matrix m = dominant_band(n, width, width + 100 * partitions);
      const RowMatrix a = rows_of(m), transpose(m.pattern, true);
      RowMatrix columns = transpose;
      columns.gather(m.values);
      const auto b = random_vector(n, 3);
      for (const bool second_stage : {true, false}) {
        SpikeSolver<double> spike;
        ASSERT_TRUE(spike.factor(a, options_for(false, second_stage, SpikeMatching::product, partitions), team));
        ASSERT_EQ(spike.report().partitions, partitions);
        EXPECT_LE(spike.report().ordered_width, width);
        EXPECT_EQ(spike.report().boosted, 0);
        std::vector<double> x(n);
        spike.solve(b, x, false, team);
        EXPECT_LE(backward_error(a, x, b), 1e-12) << width << ", " << partitions;
        spike.solve(b, x, true, team);
        EXPECT_LE(backward_error(columns, x, b), 1e-12) << width << ", " << partitions << ", transposed";
      }
    }
}

TEST(Spike, UntruncatedSolvesNets) {
  Team team(1);
  for (const double E : {2e6, 2e10}) {
    const Matrix m = net_matrix({.n = 6, .E = E});
    const RowMatrix a = rows_of(m);
    const auto b = random_vector(a.size(), 3);
    for (const SpikeMatching matching : {SpikeMatching::product, SpikeMatching::cardinality, SpikeMatching::none})
      for (const int partitions : {1, 2, 5, 8}) {
        const KrylovOptions options = options_for(false, true, matching, partitions);
        SpikeSolver<double> spike;
        SpikeSolver<float> single;
        ASSERT_TRUE(spike.factor(a, options, team) && single.factor(a, options, team));
        // x += P^-1 (b - A x).
        const auto refined = [&](auto& solver, int steps) {
          std::vector<double> x(b.size(), 0.0), r(b.size());
          for (int step = 0; step <= steps; ++step) {
            a.multiply(x, r);
            for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
            solver.solve(r, r, false, team);
            for (std::size_t i = 0; i < r.size(); ++i) x[i] += r[i];
          }
          return backward_error(a, x, b);
        };
        EXPECT_LE(refined(spike, 1), 1e-10) << word(matching) << ", " << partitions;
        EXPECT_LE(refined(single, 6), 1e-10) << word(matching) << ", " << partitions << ", single";
      }
  }
}

// The more diagonally dominant, the less is lost; tips of whole spikes and those by sweeps of length K from either end
// are the same numbers.
TEST(Spike, TruncationDecays) {
  Team team(1);
  const int n = 6 * 72;
  double last = 1;
  for (const double dominance : {0.3, 0.5, 1.0, 2.0}) {
    const RowMatrix a = rows_of(dominant_band(n, 20, 3, dominance));
    const auto expected = random_vector(n, 4);
    std::vector<double> b(n), x(n);
    a.multiply(expected, b);
    double errors[2];
    for (const bool second_stage : {true, false}) {
      SpikeSolver<double> spike;
      ASSERT_TRUE(spike.factor(a, options_for(true, second_stage, SpikeMatching::none, 6), team));
      ASSERT_EQ(spike.report().partitions, 6);
      spike.solve(b, x, false, team);
      errors[second_stage] = relative_error(x, expected);
    }
    EXPECT_GT(errors[0], 1e-15) << dominance;
    EXPECT_LT(errors[0], last / 2) << dominance;
    EXPECT_NEAR(errors[0], errors[1], 1e-6 * errors[0] + 1e-15) << dominance;
    last = errors[0];
  }
}

// P3's net: with partitions eight times as long as the band is wide little is lost, whichever way it is ordered.
TEST(Spike, TruncationLeavesLittleOfNets) {
  Team team(1);
  const RowMatrix a = rows_of(net_matrix({.n = 16}));
  const auto expected = random_vector(a.size(), 4);
  std::vector<double> b(a.size()), x(a.size()), y(a.size());
  a.multiply(expected, b);
  for (const SpikeMatching matching : {SpikeMatching::product, SpikeMatching::cardinality, SpikeMatching::none}) {
    SpikeSolver<float> single;
    SpikeSolver<double> full;
    for (const bool second_stage : {true, false}) {
      const KrylovOptions options = options_for(true, second_stage, matching, {});
      ASSERT_TRUE(single.factor(a, options, team) && full.factor(a, options, team));
      EXPECT_GE(single.report().partitions, 3);
      single.solve(b, x, false, team);
      full.solve(b, y, false, team);
      EXPECT_LT(relative_error(x, expected), 0.1) << word(matching);
      EXPECT_NEAR(relative_error(x, expected), relative_error(y, expected), 1e-3) << word(matching);
    }
  }
}

TEST(Spike, IsALinearMapAndTakesNoMemory) {
  Team team(1);
  const RowMatrix a = rows_of(net_matrix({.n = 8}));
  const int n = a.size();
  for (const bool truncate : {true, false}) {
    SpikeSolver<double> spike;
    ASSERT_TRUE(spike.factor(a, options_for(truncate, true, SpikeMatching::product, 4), team));
    const auto x = random_vector(n, 5), y = random_vector(n, 6);
    std::vector<double> sum(n), px(n), py(n), ps(n), again(x), tx(n);
    for (int i = 0; i < n; ++i) sum[i] = 2 * x[i] - 3 * y[i];
    spike.solve(x, px, false, team);
    spike.solve(y, py, false, team);
    spike.solve(sum, ps, false, team);
    const double size = largest(px) + largest(py);
    for (int i = 0; i < n; ++i) ASSERT_NEAR(ps[i], 2 * px[i] - 3 * py[i], 1e-12 * size);
    spike.solve(again, again, false, team);
    EXPECT_EQ(px, again) << "in place";
    spike.solve(x, tx, true, team);
    const double dot = std::inner_product(y.begin(), y.end(), tx.begin(), 0.0);
    EXPECT_NEAR(dot, std::inner_product(x.begin(), x.end(), py.begin(), 0.0), 1e-12 * size * n);
    if (!AllocationCounter::available()) continue;
    const AllocationCounter counter;
    spike.solve(x, px, false, team);
    spike.solve(x, px, true, team);
    EXPECT_EQ(counter.taken(), 0);
  }
}

TEST(Spike, SameBitsForAnyNumberOfThreads) {
  const RowMatrix a = rows_of(net_matrix({.n = 10}));
  const auto b = random_vector(a.size(), 3);
  for (const bool truncate : {true, false})
    for (const bool second_stage : {true, false}) {
      std::vector<double> expected;
      for (const int threads : {1, 2, 3, 7}) {
        Team team(threads);
        SpikeSolver<float> spike;
        ASSERT_TRUE(spike.factor(a, options_for(truncate, second_stage, SpikeMatching::product, 5), team));
        ASSERT_EQ(spike.report().partitions, 5);
        std::vector<double> x(b.size()), t(b.size());
        spike.solve(b, x, false, team);
        spike.solve(b, t, true, team);
        x.insert(x.end(), t.begin(), t.end());
        if (threads == 1) expected = x;
        else EXPECT_EQ(x, expected) << threads;
      }
    }
}

// A regular matrix whose leading blocks are singular, and no matching that would help.
TEST(Spike, BoostsSingularBlocks) {
  Entries entries;
  const int n = 240;
  for (int k = 0; k < n; k += 3) {
    for (int i = 0; i < 3; ++i) entries[{k + i, k + i}] = 1;
    for (int i = 0; i < 2; ++i) entries[{k + i, k + i + 1}] = entries[{k + i + 1, k + i}] = 1;
    if (k > 0) entries[{k, k - 3}] = entries[{k - 3, k}] = 0.01;
  }
  const Matrix m = assemble(n, entries, false);
  const RowMatrix a = rows_of(m);
  Team team(1);
  SpikeSolver<double> spike;
  const KrylovOptions options = options_for(true, true, SpikeMatching::cardinality, 2);
  ASSERT_TRUE(spike.factor(a, options, team));
  EXPECT_GT(spike.report().boosted, 0);
  SolverOptions solver_options;
  solver_options.krylov = options;
  solver_options.krylov.preconditioner = PreconditionerKind::spike;
  solver_options.krylov.precision = SpikePrecision::full;
  auto solver = make_linear_solver("gmres", solver_options);
  solver->analyse(m.pattern);
  ASSERT_TRUE(solver->factor(m.values).ok());
  const auto expected = random_vector(n, 4);
  std::vector<double> b, x;
  multiply(m.pattern, m.values, expected, b);
  ASSERT_TRUE(solver->solve(b, x, {.tolerance = 1e-12}).ok());
  for (int i = 0; i < n; ++i) ASSERT_NEAR(x[i], expected[i], 1e-9);
}

// Rounding of the preconditioner costs an iteration, not cycles of them: what goes into the solution is what the
// residual was made with.
TEST(Spike, SinglePrecisionTakesHardlyMoreProductsThanDouble) {
  const Matrix m = net_matrix({.n = 16});
  const RowMatrix a = rows_of(m);
  const auto b = random_vector(a.size(), 3);
  for (const char* method : {"bicgstab", "bicgstab2"}) {
    int products[2];
    for (const SpikePrecision precision : {SpikePrecision::single, SpikePrecision::full}) {
      SolverOptions options;
      options.krylov.preconditioner = PreconditionerKind::spike;
      options.krylov.precision = precision;
      auto solver = make_linear_solver(method, options);
      solver->analyse(m.pattern);
      ASSERT_TRUE(solver->factor(m.values).ok());
      std::vector<double> x;
      const SolveReport report = solver->solve(b, x, {.tolerance = 1e-11});
      ASSERT_TRUE(report.ok()) << method << ": " << report.text();
      products[precision == SpikePrecision::full] = report.products;
    }
    const int an_iteration = method == std::string("bicgstab") ? 2 : 4;
    EXPECT_LE(products[0], products[1] + an_iteration) << method;
  }
}

TEST(Spike, SaysWhereRowsHaveNoPlaceOnTheDiagonal) {
  Entries entries;
  for (int i = 0; i < 5; ++i) entries[{i, i}] = 1;
  entries[{3, 3}] = 0;
  entries[{4, 3}] = 1;
  const RowMatrix a = rows_of(assemble(5, entries, false));
  Team team(1);
  SpikeSolver<double> spike;
  EXPECT_FALSE(spike.factor(a, options_for(true, true, SpikeMatching::product, {}), team));
  EXPECT_FALSE(spike.factor(a, options_for(true, true, SpikeMatching::cardinality, {}), team));
}

// The same matrix after another one: a set-up is a function of its matrix, so that a resumed run repeats every bit.
TEST(Spike, ForgetsEarlierMatrices) {
  Team team(1);
  const RowMatrix a = rows_of(net_matrix({.n = 6})), other = rows_of(net_matrix({.n = 6, .E = 2e11, .turn = 1.1}));
  const auto b = random_vector(a.size(), 3);
  for (const SpikeMatching matching : {SpikeMatching::product, SpikeMatching::cardinality, SpikeMatching::none}) {
    const KrylovOptions options = options_for(true, true, matching, 3);
    std::vector<double> x(b.size()), y(b.size());
    SpikeSolver<float> spike, fresh;
    ASSERT_TRUE(spike.factor(other, options, team) && spike.factor(a, options, team));
    ASSERT_TRUE(fresh.factor(a, options, team));
    spike.solve(b, x, false, team);
    fresh.solve(b, y, false, team);
    EXPECT_EQ(x, y) << word(matching);
  }
}

// Fewer entries, a narrower band, more iterations.
TEST(Spike, DropOffTradesIterationsForWidth) {
  const Matrix m = net_matrix({.n = 8});
  const RowMatrix a = rows_of(m);
  const auto b = random_vector(a.size(), 3);
  Team team(1);
  int last_width = 1 << 30;
  for (const double keep : {1.0, 0.999, 0.95}) {
    KrylovOptions options = options_for(true, true, SpikeMatching::product, 3);
    options.keep = keep;
    SpikeSolver<float> spike;
    ASSERT_TRUE(spike.factor(a, options, team));
    EXPECT_LT(spike.report().kept_width, last_width);
    EXPECT_GE(spike.report().kept, keep);
    last_width = spike.report().kept_width;
    SolverOptions solver_options;
    solver_options.krylov = options;
    solver_options.krylov.preconditioner = PreconditionerKind::spike;
    auto solver = make_linear_solver("bicgstab2", solver_options);
    solver->analyse(m.pattern);
    ASSERT_TRUE(solver->factor(m.values).ok());
    std::vector<double> x;
    EXPECT_TRUE(solver->solve(b, x, {.tolerance = 1e-10}).ok()) << keep;
  }
}

}  // namespace
}  // namespace lithe

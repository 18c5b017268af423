// Rank of rows: small matrices in order, large ones by SuiteSparseQR; dependencies and shortest solutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "lithe/linalg/row_rank.h"

namespace lithe {
namespace {

struct Made {
  SparseRows rows;
  int dependent = 0;
};

// Random sparse rows of unit length; every `every`-th is a combination of the two before it.
Made make_rows(int count, int columns, int every) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<std::vector<double>> dense;
  Made made;
  made.rows.columns = columns;
  for (int r = 0; r < count; ++r) {
    std::vector<std::pair<int, double>> row;
    const int start = made.rows.row_start[std::max(0, r - 2)];
    if (r > 2 && r % every == 0) {
      std::vector<double> sum(columns, 0.0);
      for (int e = start; e < made.rows.row_start[r]; ++e)
        sum[made.rows.column[e]] += (e < made.rows.row_start[r - 1] ? 0.7 : -1.1) * made.rows.value[e];
      for (int c = 0; c < columns; ++c)
        if (sum[c] != 0) row.emplace_back(c, sum[c]);
      ++made.dependent;
    } else {
      for (int k = 0; k < 4; ++k) row.emplace_back(static_cast<int>(r + random() % 9) % columns, u(random));
      row.emplace_back(r % columns, 2.0);
      std::sort(row.begin(), row.end());
      for (std::size_t k = 1; k < row.size(); ++k)
        if (row[k].first == row[k - 1].first) row.erase(row.begin() + static_cast<std::ptrdiff_t>(k--));
    }
    double length = 0;
    for (const auto& [c, x] : row) length += x * x;
    for (const auto& [c, x] : row) {
      made.rows.column.push_back(c);
      made.rows.value.push_back(x / std::sqrt(length));
    }
    made.rows.row_start.push_back(static_cast<std::int32_t>(made.rows.column.size()));
  }
  return made;
}

double times(const SparseRows& rows, int r, const std::vector<double>& x) {
  double sum = 0;
  for (int e = rows.row_start[r]; e < rows.row_start[r + 1]; ++e) sum += rows.value[e] * x[rows.column[e]];
  return sum;
}

class RowRankOfSize : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(RowRankOfSize, FindsDependentRowsTheirCombinationsAndShortestSolutions) {
  const auto [count, columns] = GetParam();
  const Made made = make_rows(count, columns, 10);
  const RowRank rank(made.rows, 1e-9);
  ASSERT_EQ(static_cast<int>(rank.dependent().size()), made.dependent);
  if (double(count) * count * columns <= 3e7) {  // in order: the later ones
    for (int r : rank.dependent()) EXPECT_EQ(r % 10, 0);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(5, rank.dependent().size()); ++i) {
    const int r = rank.dependent()[i];
    const std::vector<double> y = rank.combination(r);
    std::vector<double> sum(columns, 0.0);
    for (int k = 0; k < count; ++k) {
      if (rank.is_dependent(k)) {
        EXPECT_EQ(y[k], 0);
      }
      for (int e = made.rows.row_start[k]; e < made.rows.row_start[k + 1]; ++e)
        sum[made.rows.column[e]] += y[k] * made.rows.value[e];
    }
    for (int e = made.rows.row_start[r]; e < made.rows.row_start[r + 1]; ++e)
      sum[made.rows.column[e]] -= made.rows.value[e];
    for (double x : sum) EXPECT_NEAR(x, 0, 1e-9);
  }
  // b of some x0: the solution meets the rows and is no longer than x0.
  std::mt19937 random(8);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<double> x0(columns), b(count);
  for (double& x : x0) x = u(random);
  for (int r = 0; r < count; ++r) b[r] = times(made.rows, r, x0);
  const std::vector<double> x = rank.shortest(b);
  double long0 = 0, length = 0, across = 0;
  for (int c = 0; c < columns; ++c) {
    long0 += x0[c] * x0[c];
    length += x[c] * x[c];
    across += x[c] * (x0[c] - x[c]);
  }
  for (int r = 0; r < count; ++r) EXPECT_NEAR(times(made.rows, r, x), b[r], 1e-9);
  EXPECT_LT(length, long0);
  EXPECT_NEAR(across, 0, 1e-8 * long0);
}

INSTANTIATE_TEST_SUITE_P(SmallAndLarge, RowRankOfSize,
                         testing::Values(std::pair{60, 90}, std::pair{400, 500}, std::pair{4000, 6000}));

TEST(RowRank, OperationsGrowLikeTheRows) {
  const auto operations = [](int count) { return RowRank(make_rows(count, count + 20, 10).rows, 1e-9).operations(); };
  const double few = operations(2000), many = operations(8000);
  EXPECT_GT(few, 0);
  EXPECT_LT(many, 5 * few);
}

// Where no row depends on others there is nothing to choose, and SuiteSparseQR needs a small share of what an
// orthogonalisation in order takes, which is left to those that have some.
TEST(RowRank, ChoosesAmongDependentRowsAlone) {
  const double regular = RowRank(make_rows(200, 220, 1000).rows, 1e-9).operations();
  const Made made = make_rows(200, 220, 50);
  const RowRank rank(made.rows, 1e-9);
  EXPECT_LT(regular, 4.0 * 200 * 200 * 220 / 20);
  EXPECT_GT(rank.operations(), 4.0 * 200 * 200 * 220);
  EXPECT_EQ(rank.dependent(), (std::vector<int>{50, 100, 150}));
}

}  // namespace
}  // namespace lithe

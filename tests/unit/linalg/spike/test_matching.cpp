// Rows on the diagonal: against all assignments of small matrices, and what scales promise of nets.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "../net_matrix.h"
#include "lithe/linalg/krylov/row_matrix.h"
#include "lithe/linalg/spike/matching.h"

namespace lithe {
namespace {

using namespace fixtures;

RowMatrix rows_of(const Matrix& m) {
  RowMatrix rows(m.pattern);
  rows.gather(m.values);
  return rows;
}

// Entries of powers of two among zeros: many products are equal.
Matrix sparse_square(int n, double density, bool ties, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  Entries entries;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (uniform(engine) < density)
        entries[{j, i}] = ties ? std::exp2(std::floor(4 * uniform(engine))) : 2 * uniform(engine) - 1;
  return assemble(n, entries, false);
}

// Over all sets of columns: the most rows, and of these the largest product, by dynamic programming.
struct Best {
  int size = 0;
  double product = 1;
};
Best brute_force(const RowMatrix& a) {
  const int n = a.size();
  std::vector<Best> best(1u << n), next;
  std::vector<char> reached(1u << n, 0);
  reached[0] = 1;
  for (int i = 0; i < n; ++i) {
    next = best;
    std::vector<char> also = reached;
    for (unsigned set = 0; set < best.size(); ++set) {
      if (!reached[set]) continue;
      for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p) {
        const unsigned with = set | 1u << a.pattern.column[p];
        if (with == set || a.values[p] == 0) continue;
        const Best candidate{best[set].size + 1, best[set].product * std::abs(a.values[p])};
        if (!also[with] || candidate.product > next[with].product) next[with] = candidate;
        also[with] = 1;
      }
    }
    best = next;
    reached = also;
  }
  Best all;
  for (unsigned set = 0; set < best.size(); ++set)
    if (reached[set] && std::pair(best[set].size, best[set].product) > std::pair(all.size, all.product))
      all = best[set];
  return all;
}

double matched_product(const RowMatrix& a, const RowMatching& matching) {
  double product = 1;
  for (int j = 0; j < a.size(); ++j)
    if (const int i = matching.row_of[j]; i >= 0) product *= std::abs(a.values[position(a.pattern, i, j)]);
  return product;
}

void expect_scaled(const RowMatrix& a, const RowMatching& matching) {
  for (int i = 0; i < a.size(); ++i)
    for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p) {
      const int j = a.pattern.column[p];
      const double size = std::abs(a.values[p]) * matching.row_scale[i] * matching.column_scale[j];
      ASSERT_LE(size, 1 + 1e-12) << i << ", " << j;
      if (matching.row_of[j] == i) {
        ASSERT_NEAR(size, 1, 1e-12) << i << ", " << j;
      }
    }
}

TEST(Matching, AgainstAllAssignments) {
  int perfect = 0, deficient = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    const RowMatrix a = rows_of(sparse_square(8, seed % 3 == 0 ? 0.2 : 0.5, seed % 2, seed));
    const Best best = brute_force(a);
    const RowMatching most = match_cardinality(a.pattern, a.values), product = match_product(a.pattern, a.values);
    ASSERT_EQ(most.size, best.size) << seed;
    ASSERT_EQ(product.size, best.size) << seed;
    std::vector<char> taken(8, 0);
    for (const RowMatching* matching : {&most, &product}) {
      std::fill(taken.begin(), taken.end(), 0);
      for (int j = 0; j < 8; ++j) {
        const int i = matching->row_of[j];
        if (i < 0) continue;
        ASSERT_FALSE(taken[i]++) << seed;
        ASSERT_NE(a.values[position(a.pattern, i, j)], 0) << seed;
      }
    }
    if (best.size < 8) {
      ++deficient;
      continue;
    }
    ++perfect;
    ASSERT_NEAR(matched_product(a, product), best.product, 1e-12 * best.product) << seed;
    expect_scaled(a, product);
  }
  EXPECT_GT(perfect, 40);
  EXPECT_GT(deficient, 30);
}

TEST(Matching, OfNetsIsPerfectAndScaled) {
  for (const int n : {2, 5, 10})
    for (const double E : {2e6, 2e11}) {
      const RowMatrix a = rows_of(net_matrix({.n = n, .E = E}));
      const int elements = 2 * n * (n + 1);
      ASSERT_EQ(a.size(), 12 * elements + 6 * 2 * (n + 1) * (n - 1) + 3 * ((n + 1) * (n + 1) - 1) + 15);
      const RowMatching product = match_product(a.pattern, a.values);
      ASSERT_TRUE(product.perfect());
      expect_scaled(a, product);
      const RowMatching most = match_cardinality(a.pattern, a.values);
      ASSERT_TRUE(most.perfect());
      for (int j = 0; j < a.size(); ++j) ASSERT_NE(a.values[position(a.pattern, most.row_of[j], j)], 0);
    }
}

// A multiplier has a coordinate that it holds to itself.
TEST(Matching, MultipliersHaveCoordinatesOfTheirOwn) {
  RowPattern rows{3, 5, {0, 2, 4, 6}, {0, 1, 1, 2, 1, 4}};
  const std::vector<double> values{1, 2, 3, 1, 5, 0};
  EXPECT_EQ(own_columns(rows, values), (std::vector<std::int32_t>{0, 2, 1}));
  rows.column = {1, 4, 1, 4, 1, 4};  // three for two
  const std::vector<std::int32_t> own = own_columns(rows, {values.data(), 6});
  EXPECT_EQ(std::ranges::count(own, -1), 1);
}

}  // namespace
}  // namespace lithe

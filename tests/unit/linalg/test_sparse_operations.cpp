// Pre-analysed operations against their definition, against each other's libraries, and without taking memory.
#include <gtest/gtest.h>

#include <cmath>

#include "../allocation_counter.h"
#include "linalg_twins.h"
#include "lithe/base/error.h"
#include "lithe/linalg/normal_product.h"
#include "lithe/linalg/shared_pattern.h"
#include "lithe/linalg/write_positions.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;

// Rows of 0 to 20 entries, neighbouring columns or scattered ones.
RowPattern random_jacobian(int rows, int columns, unsigned seed) {
  std::mt19937 engine(seed);
  WriteRecorder recorder;
  for (int r = 0; r < rows; ++r) {
    const int length = r % 21;
    const int first = std::uniform_int_distribution<int>(0, columns - length)(engine);
    for (int c = 0; c < length; ++c)
      recorder(r, r % 2 ? first + c : std::uniform_int_distribution<int>(0, columns - 1)(engine), 0);
  }
  return recorder.row_pattern(rows, columns);
}

TEST(NormalProduct, IsTheSumOverRows) {
  const int rows = 90, columns = 50;
  const RowPattern j = random_jacobian(rows, columns, 1);
  const auto values = random_vector(int(j.nonzeros()), 2), a = random_vector(rows, 3);
  std::vector<double> expected(columns * columns, 0.0);
  for (int r = 0; r < rows; ++r)
    for (int p = j.row_start[r]; p < j.row_start[r + 1]; ++p)
      for (int q = j.row_start[r]; q < j.row_start[r + 1]; ++q)
        expected[j.column[p] * columns + j.column[q]] += 0.7 * a[r] * values[p] * values[q];
  for (const bool symmetric : {true, false}) {
    const SparsePattern own = NormalProduct::pattern(j, symmetric);
    const SparsePattern wider = unite(own, random_matrix(columns, symmetric, 1, 4).pattern);
    for (const SparsePattern& target : {own, wider}) {
      const NormalProduct product(j, target);
      std::vector<double> result(target.nonzeros(), 2.0);  // what was there stays
      product.add(values, a, 0.7, result);
      for (int c = 0; c < columns; ++c)
        for (int b = 0; b < columns; ++b) {
          const int place = position(target, b, c);
          if (place < 0) {
            EXPECT_EQ(expected[b * columns + c], 0);
            continue;
          }
          EXPECT_NEAR(result[place], 2 + expected[b * columns + c], 1e-13);
        }
    }
  }
}

TEST(NormalProduct, NamesWhatTheTargetLacks) {
  const RowPattern j{1, 3, {0, 2}, {0, 2}};
  const SparsePattern diagonal{3, {0, 1, 2, 3}, {0, 1, 2}, true};
  try {
    NormalProduct(j, diagonal);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("(0, 2)"), std::string::npos) << error.what();
  }
  EXPECT_THROW(NormalProduct(RowPattern{1, 3, {0, 2}, {2, 0}}, diagonal), InputError);
  EXPECT_THROW(NormalProduct(RowPattern{1, 4, {0, 1}, {0}}, diagonal), InputError);
}

TEST(SharedPattern, SumsAreSumsOfVectors) {
  for (const bool symmetric : {true, false}) {
    const Matrix a = random_matrix(40, symmetric, 1, 5), b = random_matrix(40, symmetric, 1, 6);
    const SparsePattern both = unite(a.pattern, b.pattern);
    EXPECT_EQ(both.symmetric, symmetric);
    std::vector<double> a_values(both.nonzeros(), 9.0), b_values(both.nonzeros(), 9.0), sum(both.nonzeros());
    spread(expand(a.pattern, both), a.values, a_values);
    spread(expand(b.pattern, both), b.values, b_values);
    add_scaled(2, a_values, -3, b_values, sum);
    const auto at = [](const Matrix& m, int i, int j) {
      const int place = position(m.pattern, i, j);
      return place < 0 ? 0.0 : m.values[place];
    };
    for (int j = 0; j < 40; ++j)
      for (int p = both.column_start[j]; p < both.column_start[j + 1]; ++p)
        EXPECT_NEAR(sum[p], 2 * at(a, both.row[p], j) - 3 * at(b, both.row[p], j), 1e-14);
    add_scaled(3, b_values, sum);
    for (std::size_t p = 0; p < sum.size(); ++p) EXPECT_NEAR(sum[p], 2 * a_values[p], 1e-14);
    EXPECT_THROW(expand(both, a.pattern), InputError);
  }
  // One triangle and two: the union stores both.
  const Matrix a = random_matrix(20, true, 1, 7), b = random_matrix(20, false, 1, 8);
  const SparsePattern both = unite(a.pattern, b.pattern);
  EXPECT_FALSE(both.symmetric);
  for (int j = 0; j < 20; ++j)
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(position(both, i, j) >= 0, position(a.pattern, i, j) >= 0 || position(b.pattern, i, j) >= 0);
}

TEST(SharedPattern, SumsDoNotDependOnAddresses) {
  const std::size_t n = 101;
  const auto a = random_vector(n, 9), b = random_vector(n, 10);
  std::vector<double> memory(3 * n + 24), expected(n), again(n);
  add_scaled(0.3, a, 0.7, b, expected);
  again = a;
  add_scaled(0.3, b, again);
  for (std::size_t shift = 0; shift < 8; ++shift) {
    const std::span<double> c(memory.data() + shift, n);
    add_scaled(0.3, a, 0.7, b, c);
    for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(c[k], expected[k]) << shift;
    std::copy(a.begin(), a.end(), c.begin());
    add_scaled(0.3, b, c);
    for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(c[k], again[k]) << shift;
  }
}

TEST(WritePositions, RepeatARecordedPass) {
  const auto pass = [](double scale, auto& write) {
    write(2, 1, scale * 1);
    write(0, 3, scale * 2);
    write(2, 0, scale * 3);
    write(2, 1, scale * 4);  // a second write to one entry
  };
  WriteRecorder recorder;
  pass(1, recorder);
  EXPECT_EQ(recorder.writes(), 4u);
  const RowPattern pattern = recorder.row_pattern(3, 4);
  EXPECT_EQ(pattern.nonzeros(), 3u);
  const auto positions = recorder.positions(pattern);
  std::vector<double> values(3, -1.0);
  EntryWriter write(positions, values);
  EXPECT_FALSE(write.complete());
  pass(10, write);
  EXPECT_TRUE(write.complete());
  EXPECT_EQ(values[position(pattern, 0, 3)], 20);
  EXPECT_EQ(values[position(pattern, 2, 0)], 30);
  EXPECT_EQ(values[position(pattern, 2, 1)], 40);
  EntryAdder add(positions, values);
  pass(1, add);
  EXPECT_EQ(values[position(pattern, 2, 1)], 45);

  const SparsePattern square = recorder.pattern(4, true);
  EXPECT_EQ(square.nonzeros(), 3u);
  EXPECT_EQ(recorder.positions(square)[0], position(square, 1, 2));
  EXPECT_THROW(recorder.positions(RowPattern{3, 4, {0, 1, 1, 1}, {0}}), InputError);
}

TEST(SparseTwins, AllLibrariesAgree) {
  for (const int loops : {1, 3, 40}) {
    std::vector<double> a(2 * loops + 1), q = app::four_bar_position(loops);
    for (std::size_t r = 0; r < a.size(); ++r) a[r] = 1 + 0.1 * double(r % 5);
    for (double& x : q) x *= 1.25;
    std::vector<double> jacobian, product, sum;
    for (const std::string& name : app::sparse_operations()) {
      const auto operations = app::make_sparse_operations(name, loops);
      operations->jacobian(q);
      operations->normal_product(a);
      operations->normal_product(a);  // replaces the first
      operations->sum(0.5, 2);
      const auto j = operations->dense_jacobian(), n = operations->dense_product(), b = operations->dense_sum();
      if (name == "lithe") {
        jacobian = j;
        product = n;
        sum = b;
        // A few entries by hand: rod A_0 B_0, and the point B_0 of rod B_0 B_1.
        EXPECT_EQ(j[0], 2 * q[0]);
        EXPECT_EQ(j[1], 2 * q[1]);
        EXPECT_NEAR(n[0], a[0] * 4 * q[0] * q[0] + a[2] * 4 * (q[2] - q[0]) * (q[2] - q[0]), 1e-12);
        EXPECT_NEAR(b[0], 0.5 * 2 / 3 + 2 * n[0], 1e-12);
        continue;
      }
      ASSERT_EQ(j.size(), jacobian.size());
      ASSERT_EQ(n.size(), product.size());
      for (std::size_t k = 0; k < j.size(); ++k) EXPECT_EQ(j[k], jacobian[k]) << name;
      for (std::size_t k = 0; k < n.size(); ++k) EXPECT_NEAR(n[k], product[k], 1e-12) << name;
      for (std::size_t k = 0; k < b.size(); ++k) EXPECT_NEAR(b[k], sum[k], 1e-12) << name;
    }
  }
}

TEST(SparseTwins, OursTakeNoMemory) {
  if (!AllocationCounter::available()) GTEST_SKIP();
  const std::vector<double> a(81, 1.0), q = app::four_bar_position(40);
  for (const char* name : {"lithe", "lithe_full"}) {
    const auto operations = app::make_sparse_operations(name, 40);
    const AllocationCounter counter;
    operations->jacobian(q);
    operations->normal_product(a);
    operations->sum(1, 2);
    EXPECT_EQ(counter.taken(), 0) << name;
  }
}

}  // namespace
}  // namespace lithe

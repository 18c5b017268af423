// Factors of what falls into parts: solutions, which parts are one, what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/linalg/linear_solver.h"
#include "lithe/linalg/part_factors.h"
#include "matrices.h"

namespace lithe {
namespace {

using namespace fixtures;

// The matrix once for each of `copies`, unknowns interleaved as x, y, z of vectors are; entries that couple copies
// stand in the pattern and are zero.
Matrix interleaved(const Matrix& one, int copies) {
  Entries entries;
  for (int j = 0; j < one.pattern.size; ++j)
    for (int p = one.pattern.column_start[j]; p < one.pattern.column_start[j + 1]; ++p)
      for (int a = 0; a < copies; ++a)
        for (int b = 0; b < copies; ++b) {
          const int row = copies * one.pattern.row[p] + a, column = copies * j + b;
          if (row <= column) entries[{column, row}] = a == b ? one.values[p] : 0;
        }
  return assemble(copies * one.pattern.size, entries, true);
}

Matrix beside(const Matrix& a, const Matrix& b) {
  Entries entries;
  for (const auto& [m, first] : {std::pair(&a, 0), std::pair(&b, a.pattern.size)})
    for (int j = 0; j < m->pattern.size; ++j)
      for (int p = m->pattern.column_start[j]; p < m->pattern.column_start[j + 1]; ++p)
        entries[{first + j, first + m->pattern.row[p]}] = m->values[p];
  return assemble(a.pattern.size + b.pattern.size, entries, true);
}

void expect_solved(const Matrix& m, PartFactors& factors) {
  ASSERT_TRUE(factors.report().ok());
  const std::vector<double> b = random_vector(m.pattern.size, 7);
  std::vector<double> x = b, image;
  factors.solve(x, x);  // in place
  multiply(m.pattern, m.values, x, image);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(image[i], b[i], 1e-12) << i;
}

TEST(PartFactors, CopiesShareAFactor) {
  for (const int copies : {1, 2, 3, 4, 5, 9}) {
    const Matrix m = interleaved(random_matrix(60, true, 8, 3), copies);
    PartFactors factors(m.pattern, m.values);
    EXPECT_EQ(factors.parts(), copies);
    EXPECT_EQ(factors.factored(), 1);
    EXPECT_DOUBLE_EQ(factors.solved(), copies * factors.nonzeros());
    expect_solved(m, factors);
  }
}

TEST(PartFactors, PartsThatOccurEquallyOftenAreFactoredTogether) {
  const Matrix three = interleaved(random_matrix(40, true, 8, 1), 3), other = interleaved(springs(17, false), 3),
               alone = springs(30, false);
  const Matrix m = beside(beside(three, alone), other);
  PartFactors factors(m.pattern, m.values);
  EXPECT_EQ(factors.parts(), 7);
  EXPECT_EQ(factors.factored(), 3);
  expect_solved(m, factors);
}

TEST(PartFactors, OneBitMakesAnotherPart) {
  Matrix m = interleaved(springs(20, false), 2);
  m.values[position(m.pattern, 0, 0)] = std::nextafter(m.values[position(m.pattern, 0, 0)], 3.0);
  PartFactors factors(m.pattern, m.values);
  EXPECT_EQ(factors.parts(), 2);
  EXPECT_EQ(factors.factored(), 2);
  expect_solved(m, factors);
}

TEST(PartFactors, APivotThatIsNotPositiveIsNamedInTheWholeMatrix) {
  Matrix m = beside(springs(10, false), springs(10, false));
  m.values[position(m.pattern, 14, 14)] = -5;
  const PartFactors factors(m.pattern, m.values);
  EXPECT_FALSE(factors.report().ok());
  EXPECT_FALSE(factors.report().usable);
  EXPECT_GE(factors.report().column, 10);
}

}  // namespace
}  // namespace lithe

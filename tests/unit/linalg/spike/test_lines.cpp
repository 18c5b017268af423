// A matrix in lines against the numbers it was made of.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "lithe/linalg/spike/lines.h"

namespace lithe {
namespace {

template <class T>
void check(double tolerance) {
  constexpr int side = Lines<T>::side;
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const int rows : {1, side - 1, side, 2 * side + 3})
    for (const int columns : {1, 5, 40}) {
      // Numbers in every third column, and small ones.
      std::vector<T> a(static_cast<std::size_t>(rows) * columns, T(0));
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i)
          a[static_cast<std::size_t>(j) * rows + i] = static_cast<T>(uniform(engine) * (j % 3 == 0 ? 1 : 1e-9));
      Lines<T> lines;
      lines.take(a.data(), rows, columns, T(1e-6));
      const int strips = (rows + side - 1) / side, kept = strips * ((columns + 2) / 3);
      ASSERT_EQ(lines.strips(), strips);
      EXPECT_EQ(lines.numbers(), kept * side + kept * sizeof(std::int32_t) / sizeof(T));
      AlignedVector<T> x(columns), y(strips * side, T(0)), transposed(columns, T(0)), panel(strips * side * side, T(0)),
          many(static_cast<std::size_t>(columns) * side);
      for (T& value : x) value = static_cast<T>(uniform(engine));
      for (int i = 0; i < rows; ++i) y[i] = static_cast<T>(uniform(engine));
      for (int j = 0; j < columns; ++j)
        for (int k = 0; k < side; ++k) many[j * side + k] = x[j] * static_cast<T>(k);
      const int first = columns / 2;
      for (int s = 0; s < strips; ++s) {
        const auto product = lines.product(s, x.data());
        lines.subtract_transposed(s, Lines<T>::load(y.data() + s * side), transposed.data());
        lines.subtract_panel(s, many.data(), first, panel.data() + s * side * side);
        for (int i = 0; i < side; ++i) {
          double sum = 0, late = 0;
          for (int j = 0; j < columns && s * side + i < rows; ++j) {
            const double term = a[static_cast<std::size_t>(j) * rows + s * side + i] * double(x[j]);
            sum += term;
            if (j >= first) late += term;
          }
          ASSERT_NEAR(product[i], sum, tolerance);
          for (int k = 0; k < side; ++k) ASSERT_NEAR(panel[(s * side + i) * side + k], -late * k, side * tolerance);
        }
      }
      for (int j = 0; j < columns; ++j) {
        double sum = 0;
        for (int i = 0; i < rows; ++i) sum += a[static_cast<std::size_t>(j) * rows + i] * double(y[i]);
        ASSERT_NEAR(transposed[j], -sum, tolerance);
      }
    }
}

TEST(Lines, MultiplyLikeTheNumbersTheyWereMadeOf) {
  check<double>(1e-7);  // of what was left out: 40 of 1e-9
  check<float>(1e-5);
}

TEST(Lines, KeepWhatIsNotANumber) {
  Lines<double> lines;
  std::vector<double> a(8, 0.0);
  a[3] = std::numeric_limits<double>::quiet_NaN();
  lines.take(a.data(), 4, 2, 1.0);
  EXPECT_EQ(lines.numbers(), 8u);
  const double x[] = {1, 1};
  EXPECT_TRUE(std::isnan(lines.product(0, x)[3]));
}

}  // namespace
}  // namespace lithe

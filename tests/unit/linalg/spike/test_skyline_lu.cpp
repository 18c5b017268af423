// Tiles of L and U without pivoting, against the matrix itself.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/linalg/spike/skyline_lu.h"

namespace lithe {
namespace {

template <class T>
struct Case {
  int n = 0;
  std::vector<std::int32_t> first_column, first_row;
  std::vector<double> a;  // [row][column]
  double& at(int i, int j) { return a[static_cast<std::size_t>(i) * n + j]; }

  // Rows of L and columns of U that begin anywhere up to `width` before the diagonal.
  Case(int size, int width, unsigned seed) : n(size), first_column(size), first_row(size), a(std::size_t(size) * size) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < n; ++i) {
      first_column[i] = i - std::min<int>(i, static_cast<int>(engine() % (width + 1)));
      first_row[i] = i - std::min<int>(i, static_cast<int>(engine() % (width + 1)));
      for (int j = first_column[i]; j < i; ++j) at(i, j) = uniform(engine);
      for (int j = first_row[i]; j < i; ++j) at(j, i) = uniform(engine);
    }
    for (int i = 0; i < n; ++i) at(i, i) = 2 * width + 2 + uniform(engine);
  }
  SkylineLU<T> factored(int boosted = 0) {
    SkylineTiles<T> tiles;
    // What was there before does not matter.
    const std::int32_t other[] = {0, 0, 0};
    tiles.begin(other, other);
    for (int k = 0; k < 3; ++k) tiles.add(k, 2 - k, T(7));
    tiles.begin(first_column, first_row);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (at(i, j) != 0) tiles.add(i, j, static_cast<T>(at(i, j)));
    EXPECT_EQ(tiles.factor(T(1e-4)), boosted);
    SkylineLU<T> lu;
    lu.take(tiles);
    return lu;
  }
};

template <class T>
void check(double tolerance) {
  unsigned seed = 0;
  for (const int n : {1, 7, 16, 17, 40, 133})
    for (const int width : {0, 1, 5, 30}) {
      Case<T> c(n, width, ++seed);
      const SkylineLU<T> lu = c.factored();
      std::mt19937 engine(seed);
      std::uniform_real_distribution<double> uniform(-1, 1);
      std::vector<double> x(n);
      for (double& value : x) value = uniform(engine);
      AlignedVector<T> plain(lu.padded(), T(0)), transposed(lu.padded(), T(0));
      constexpr int side = SkylineLU<T>::side;
      AlignedVector<T> panel(static_cast<std::size_t>(lu.padded()) * side, T(0));
      // In a panel column 3 holds the product; the others stay zero. Rows before the first entry are left out.
      const auto in_panel = [&](int i) -> T& { return panel[static_cast<std::size_t>(i) * side + 3]; };
      for (int i = 0; i < n; ++i) {
        double sum = 0, other = 0;
        for (int j = 0; j < n; ++j) sum += c.at(i, j) * x[j], other += c.at(j, i) * x[j];
        plain[i] = in_panel(i) = static_cast<T>(sum);
        transposed[i] = static_cast<T>(other);
      }
      lu.solve(plain.data());
      lu.solve_transposed(transposed.data());
      lu.solve_panel(panel.data(), 0, 0);
      for (int i = 0; i < n; ++i) {
        ASSERT_NEAR(plain[i], x[i], tolerance) << n << ", " << width;
        ASSERT_NEAR(transposed[i], x[i], tolerance) << n << ", " << width;
        ASSERT_NEAR(in_panel(i), x[i], tolerance) << n << ", " << width;
      }
      // A right-hand side that begins late, of which the end alone is wanted.
      std::fill(panel.begin(), panel.end(), T(0));
      std::fill(plain.begin(), plain.end(), T(0));
      plain[n - 1] = in_panel(n - 1) = 1;
      lu.solve(plain.data());
      const int last = (n - 1) / side;
      lu.solve_panel(panel.data(), last, last);
      for (int i = last * side; i < n; ++i) ASSERT_NEAR(in_panel(i), plain[i], tolerance);
    }
}

TEST(SkylineLU, SolvesInBothPrecisions) {
  check<double>(1e-14);
  check<float>(2e-6);
}

TEST(SkylineLU, BoostsAndCountsSmallPivots) {
  Case<double> c(40, 0, 1);
  c.at(5, 5) = 0;
  c.at(20, 20) = -1e-9;
  const SkylineLU<double> lu = c.factored(2);
  AlignedVector<double> x(lu.padded(), 1.0);
  lu.solve(x.data());
  EXPECT_EQ(x[5], 1e4);
  EXPECT_EQ(x[20], -1e4);
  EXPECT_EQ(x[6], 1 / c.at(6, 6));
}

}  // namespace
}  // namespace lithe

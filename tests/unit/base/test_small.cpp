// Small vectors and matrices, over doubles and dual numbers; packs and aligned storage.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "lithe/base/aligned.h"
#include "lithe/base/dual.h"
#include "lithe/base/simd.h"
#include "lithe/base/small.h"

namespace lithe {
namespace {

const Vec3<double> a{{1, -2, 3}}, b{{0.5, 4, -1}};
const Mat3<double> m{{{2, -1, 0.5}, {0.25, 3, 1}, {-1, 0.75, 4}}};

TEST(Small, Vectors) {
  EXPECT_EQ(dot(a, b), 0.5 - 8 - 3);
  const Vec3<double> c = cross(a, b);
  EXPECT_NEAR(dot(a, c), 0, 1e-15);
  EXPECT_NEAR(dot(b, c), 0, 1e-15);
  EXPECT_EQ(c[2], 1 * 4 - -2 * 0.5) << "right-handed";
  const Vec3<double> sum = a + 2.0 * (b - a);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sum[i], 2 * b[i] - a[i]);
}

TEST(Small, InverseAndProducts) {
  const Mat3<double> one = m * inverse(m);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(one[i][j], i == j, 1e-15);
  EXPECT_NEAR(det(m) * det(inverse(m)), 1, 1e-14);
  EXPECT_NEAR(det(m), dot(column(m, 0), cross(column(m, 1), column(m, 2))), 1e-14);
  const Vec3<double> x = inverse(m) * (m * a);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], a[i], 1e-14);
}

TEST(Small, TransposeTurnsProductsRound) {
  const Mat3<double> left = transpose(m * transpose(m)), right = m * transpose(m);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(transpose(m)[i][j], m[j][i]);
      EXPECT_EQ(left[i][j], right[i][j]);
    }
}

// d(det m) = det m tr(m^-1 dm) and d(m^-1) = -m^-1 dm m^-1.
TEST(Small, DualNumbersDifferentiateDeterminantAndInverse) {
  const Mat3<double> dm{{{0.3, 1, -2}, {0.7, -0.1, 0.2}, {1.5, 0.4, -0.6}}};
  Mat3<Dual> x;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) x[i][j] = Dual(m[i][j], dm[i][j]);
  const Mat3<double> change = inverse(m) * dm, expected = change * inverse(m);
  EXPECT_NEAR(det(x).d, det(m) * (change[0][0] + change[1][1] + change[2][2]), 1e-13);
  const Mat3<Dual> y = inverse(x);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(y[i][j].d, -expected[i][j], 1e-14);
}

TEST(Simd, LanesAreIndependent) {
  double in[simd_width], out[simd_width];
  for (int l = 0; l < simd_width; ++l) in[l] = l + 0.25;
  const Pack x = load(in);
  store(out, sqrt(2.0 * x * x + 1.0 - 1.0));
  for (int l = 0; l < simd_width; ++l) EXPECT_DOUBLE_EQ(out[l], std::sqrt(2.0) * in[l]);
}

TEST(Simd, LoadsFromAnyAddress) {
  double in[simd_width + 1], out[simd_width + 1] = {};
  for (int l = 0; l <= simd_width; ++l) in[l] = l;
  store(out + 1, load(in + 1));
  EXPECT_EQ(out[0], 0);
  for (int l = 1; l <= simd_width; ++l) EXPECT_EQ(out[l], l);
}

TEST(Simd, KernelsOverLanes) {
  EXPECT_EQ(lanes<double>, 1);
  EXPECT_EQ(lanes<Pack>, simd_width);
  double in[simd_width], out[simd_width], one;
  for (int l = 0; l < simd_width; ++l) in[l] = 1 + l;
  store_lanes(out, 3.0 * load_lanes<Pack>(in));
  store_lanes(&one, 3.0 * load_lanes<double>(in + 1));
  EXPECT_EQ(one, out[1]);
}

TEST(Aligned, StorageStartsOnACacheLine) {
  for (int n : {1, 3, 17, 1000}) {
    const AlignedVector<double> x(n, 1.0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0u) << n;
  }
  EXPECT_EQ(padded(0), 0u);
  EXPECT_EQ(padded(1), 8u);
  EXPECT_EQ(padded(8), 8u);
  EXPECT_EQ(padded(9), 16u);
}

}  // namespace
}  // namespace lithe

// One contact alone: every answer is one that an enumeration of take-off, stick and all directions of slip finds too.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "lithe/contact/cone.h"
#include "lithe/contact/local_contact.h"

namespace lithe {
namespace {

Vec3<double> image(const double* W, const Vec3<double>& R, const Vec3<double>& b) {
  Vec3<double> U = b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) U[i] += W[3 * i + j] * R[j];
  return U;
}

struct Random {
  std::mt19937 engine;
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
};

// G G^T with `rank` columns.
std::vector<double> random_block(Random& random, int rank) {
  double G[3][3]{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < rank; ++j) G[i][j] = random(-1, 1);
  std::vector<double> W(9, 0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) W[3 * i + j] += G[i][k] * G[j][k];
  return W;
}

// R that slides towards -angle with U_N = 0, and U_T across the direction: zero where it is a solution.
Vec3<double> sliding(const std::vector<double>& W, double mu, const Vec3<double>& b, double angle) {
  const Vec3<double> ray{{1, -mu * std::cos(angle), -mu * std::sin(angle)}};
  const double slope = W[0] * ray[0] + W[1] * ray[1] + W[2] * ray[2];
  return (-b[0] / slope) * ray;
}
double across(const std::vector<double>& W, const Vec3<double>& R, const Vec3<double>& b, double angle) {
  const Vec3<double> U = image(W.data(), R, b);
  return U[2] * std::cos(angle) - U[1] * std::sin(angle);
}

std::vector<Vec3<double>> enumerate(const std::vector<double>& W, double mu, const Vec3<double>& b) {
  std::vector<Vec3<double>> found;
  if (b[0] >= 0) found.push_back({{0, 0, 0}});
  Mat3<double> block;
  for (int i = 0; i < 9; ++i) block[i / 3][i % 3] = W[i];
  const Vec3<double> stick = -1.0 * (inverse(block) * b);
  if (stick[0] >= 0 && std::hypot(stick[1], stick[2]) <= mu * stick[0]) found.push_back(stick);
  const int steps = 3600;
  const auto value = [&](double angle) { return across(W, sliding(W, mu, b, angle), b, angle); };
  for (int s = 0; s < steps; ++s) {
    double low = 2 * std::numbers::pi * s / steps, high = 2 * std::numbers::pi * (s + 1) / steps;
    const double at_low = value(low);
    if (at_low * value(high) > 0) continue;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (at_low * value(middle) > 0 ? low : high) = middle;
    }
    const Vec3<double> R = sliding(W, mu, b, low), U = image(W.data(), R, b);
    const bool root = std::abs(across(W, R, b, low)) < 1e-8;  // not a pole
    if (root && R[0] >= 0 && U[1] * std::cos(low) + U[2] * std::sin(low) >= 0) found.push_back(R);
  }
  return found;
}

TEST(LocalContact, AnswersAreAmongThoseOfAnEnumeration) {
  Random random{std::mt19937(1)};
  int slides = 0, sticks = 0, off = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> W = random_block(random, 3);
    for (int i = 0; i < 3; ++i) W[4 * i] += 0.05;
    const double mu = random(0.05, 1.5);
    const Vec3<double> b{{random(-1, 0.3), random(-1, 1), random(-1, 1)}};
    LocalContact local(W.data(), mu);
    const Vec3<double> R = local.solve(b), U = image(W.data(), R, b);
    EXPECT_LT(norm(natural_map(mu, local.size(), R, U)), 1e-12) << trial;
    double nearest = 1e300;
    for (const Vec3<double>& candidate : enumerate(W, mu, b)) nearest = std::min(nearest, norm(R - candidate));
    EXPECT_LT(nearest, 1e-8 * (1 + norm(R))) << trial;
    if (R[0] == 0) ++off;
    else if (norm(U) < 1e-12) ++sticks;
    else ++slides;
  }
  EXPECT_GT(slides, 50);
  EXPECT_GT(sticks, 20);
  EXPECT_GT(off, 50);
}

TEST(LocalContact, ManyAnswersInARowDoNotDependOnTheLast) {
  Random random{std::mt19937(2)};
  const std::vector<double> W = random_block(random, 3);
  LocalContact kept(W.data(), 0.4);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3<double> b{{random(-1, 0), random(-3, 3), random(-3, 3)}};
    LocalContact fresh(W.data(), 0.4);
    const Vec3<double> difference = kept.solve(b) - fresh.solve(b);
    EXPECT_LT(norm(difference), 1e-11) << trial;
  }
}

// Blocks of lower rank: of bodies that something holds, or points without tangential freedom. Such a contact may jam,
// and then has no solution: where friction undoes what the normal impulse moves.
TEST(LocalContact, DeficientBlocksAreSolved) {
  Random random{std::mt19937(3)};
  int solved = 0;
  for (const int rank : {1, 2})
    for (int trial = 0; trial < 100; ++trial) {
      const std::vector<double> W = random_block(random, rank);
      const double mu = trial % 4 == 0 ? 0 : random(0.1, 1);
      const Vec3<double> b = image(W.data(), {{random(-1, 0), random(-1, 1), random(-1, 1)}}, {{-0.1, 0, 0}});
      LocalContact local(W.data(), mu);
      const Vec3<double> R = local.solve(b), U = image(W.data(), R, b);
      ASSERT_TRUE(std::isfinite(norm(R))) << rank << " " << trial;
      if (W[0] <= mu * std::hypot(W[1], W[2])) continue;
      ++solved;
      EXPECT_LT(norm(natural_map(mu, local.size(), R, U)), 1e-9 * (1 + norm(b))) << rank << " " << trial;
    }
  EXPECT_GT(solved, 60);
}

TEST(LocalContact, WithoutTangentialFreedomTheNormalIsSolvedAlone) {
  const double W[9] = {2, 0, 0, 0, 0, 0, 0, 0, 0};
  for (const double mu : {0.0, 0.5}) {
    LocalContact local(W, mu);
    const Vec3<double> R = local.solve({{-1, 0.3, 0}});
    EXPECT_NEAR(R[0], 0.5, 1e-14);
    EXPECT_NEAR(R[1], -mu * 0.5, 1e-12);  // friction pulls although nothing gives way
  }
}

TEST(LocalContact, WhatNoImpulseMovesGetsNone) {
  const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1};
  LocalContact local(W, 0.5);
  EXPECT_EQ(norm(local.solve({{-1, 1, 0}})), 0);
}

}  // namespace
}  // namespace lithe

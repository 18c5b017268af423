#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "lithe/base/sums.h"

namespace lithe {
namespace {

std::vector<double> some(std::size_t count) {
  std::mt19937 random(7);
  std::vector<double> x(count);
  for (double& value : x) value = std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 40));
  return x;
}

TEST(Sums, LanesTakeEveryTermOnce) {
  for (const std::size_t count : {0, 1, 7, 8, 9, 64, 1001}) {
    double sum = lane_sum(count, [](std::size_t i) { return static_cast<double>(i + 1); });
    EXPECT_EQ(sum, 0.5 * static_cast<double>(count) * static_cast<double>(count + 1));
  }
}

TEST(Sums, PiecesTakeEveryTermOnce) {
  Team team(3);
  for (const int count : {0, 1, 5, 63, 64, 65, 1000}) {
    std::vector<int> taken(count, 0);
    const double sum = piece_sum(team, count, [&](int from, int to, int) {
      for (int i = from; i < to; ++i) ++taken[i];
      return static_cast<double>(to - from);
    });
    EXPECT_EQ(sum, count);
    for (const int times : taken) EXPECT_EQ(times, 1);
  }
}

TEST(Sums, ThreadsChangeNoBit) {
  const std::vector<double> x = some(10007);
  const auto piece = [&](int from, int to, int) {
    double sum = 0;
    for (int i = from; i < to; ++i) sum += x[i];
    return sum;
  };
  Team alone(1);
  const double one = piece_sum(alone, static_cast<int>(x.size()), piece);
  for (const int threads : {2, 3, 7}) {
    Team team(threads);
    for (int round = 0; round < 20; ++round) EXPECT_EQ(piece_sum(team, static_cast<int>(x.size()), piece), one);
  }
}

}  // namespace
}  // namespace lithe

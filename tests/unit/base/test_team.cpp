#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>

#include "lithe/base/team.h"

namespace lithe {
namespace {

TEST(Team, DoesEveryTaskOnce) {
  for (const int threads : {1, 2, 3, 7}) {
    Team team(threads);
    for (const int count : {0, 1, 2, 5, 64, 1000}) {
      std::vector<std::atomic<int>> done(count);
      team.run(count, [&](int i, int thread) {
        EXPECT_GE(thread, 0);
        EXPECT_LT(thread, threads);
        ++done[i];
      });
      for (const auto& n : done) EXPECT_EQ(n, 1) << threads << " threads, " << count << " tasks";
    }
  }
}

TEST(Team, DoesManyShortLoopsOneAfterTheOther) {
  Team team(4);
  std::vector<long> sums(3);
  for (long loop = 0; loop < 20000; ++loop) {
    team.run(3, [&](int i, int) { sums[i] += loop; });
    ASSERT_EQ(sums[0], sums[2]);
  }
  EXPECT_EQ(sums[1], 19999l * 20000 / 2);
}

TEST(Team, StartsNoThreadsWithoutWorkForThem) {
  Team team(8);
  EXPECT_EQ(team.started(), 0);
  team.run(1, [](int, int) {});
  EXPECT_EQ(team.started(), 0);
  team.run(2, [](int, int) {});
  EXPECT_EQ(team.started(), 7);
}

// A thread that does not get to run holds back its own task, not the loop: one thread is kept busy by a single task,
// the others finish all the rest.
TEST(Team, TasksGoToWhoeverIsFree) {
  Team team(2);
  std::atomic<int> others = 0;
  std::atomic<bool> all_there = false;
  team.run(100, [&](int i, int) {
    if (i == 0) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (others < 99 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      all_there = others == 99;
    } else {
      ++others;
    }
  });
  EXPECT_TRUE(all_there);
}

TEST(Team, ThrowsTheExceptionOfATaskAndWorksOn) {
  for (const int threads : {1, 3}) {
    Team team(threads);
    EXPECT_THROW(team.run(50,
                          [](int i, int) {
                            if (i == 17) throw std::runtime_error("no");
                          }),
                 std::runtime_error);
    std::atomic<int> done = 0;
    team.run(50, [&](int, int) { ++done; });
    EXPECT_EQ(done, 50);
  }
}

}  // namespace
}  // namespace lithe

// Operations of a place against plain loops; sums that do not depend on threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "lithe/base/error.h"
#include "lithe/base/team.h"
#include "support/checked_place.h"

namespace lithe {
namespace {

std::vector<double> numbers(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<double> x(size);
  for (double& y : x) y = unit(random);
  return x;
}

Array bring(Place& place, const std::vector<double>& x) {
  Array array(place, x.size());
  if (!x.empty()) place.upload(x, array);
  return array;
}

std::vector<double> fetch(const Array& array) {
  std::vector<double> x(array.size());
  if (!x.empty()) array.place().download(array, x);
  return x;
}

class EveryPlace : public testing::TestWithParam<bool> {
 protected:
  EveryPlace() {
    if (GetParam()) place_ = std::make_unique<test::CheckedPlace>();
    else place_ = std::make_unique<HostPlace>();
  }
  std::unique_ptr<Place> place_;
};
INSTANTIATE_TEST_SUITE_P(Place, EveryPlace, testing::Bool(),
                         [](const auto& which) { return which.param ? "checked" : "host"; });

TEST_P(EveryPlace, PartsAreNumbersOfTheWhole) {
  const std::vector<double> x = numbers(5000, 3), w = numbers(1200, 4);
  Array whole = bring(*place_, x), weight = bring(*place_, w);
  Array some = whole.part(3100, 1200);
  place_->multiply(weight, some, some);
  std::vector<double> wanted = x;
  for (std::size_t i = 0; i < w.size(); ++i) wanted[3100 + i] *= w[i];
  EXPECT_EQ(fetch(whole), wanted);
  EXPECT_EQ(fetch(std::as_const(whole).part(3100, 2)), (std::vector<double>{wanted[3100], wanted[3101]}));
  EXPECT_TRUE(whole.part(5000, 0).empty());
  EXPECT_THROW(whole.part(4000, 1001), InvariantError);
}

TEST_P(EveryPlace, OperationsAreThoseOfPlainLoops) {
  Place& place = *place_;
  for (const std::size_t size : {0, 1, 7, 8, 30, 2047, 2048, 2049, 100000}) {
    const std::vector<double> a = numbers(size, 1), b = numbers(size, 2), c = numbers(size, 3), w = numbers(size, 4);
    const Array A = bring(place, a), B = bring(place, b), C = bring(place, c), W = bring(place, w);
    Array y(place, size);
    EXPECT_EQ(fetch(y), std::vector<double>(size, 0.0));
    place.combine({{2, A}, {-1, B}, {0.5, C}, {3, W}, {-4, A}}, y);
    const std::vector<double> got = fetch(y);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(got[i], -2 * a[i] - b[i] + 0.5 * c[i] + 3 * w[i], 1e-14);
    place.copy(A, y);
    EXPECT_EQ(fetch(y), a);
    place.combine({{1, y}, {1, y}}, y);  // onto itself
    const std::vector<double> twice = fetch(y);
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(twice[i], 2 * a[i]) << i << " of " << size;
    place.fill(7, y);
    EXPECT_EQ(fetch(y), std::vector<double>(size, 7.0));

    double plain[2] = {0, 0}, sums[2], largest = 0, beyond = 0;
    for (std::size_t i = 0; i < size; ++i) {
      plain[0] += w[i] * a[i] * b[i];
      plain[1] += a[i] * c[i];
      largest = std::max(largest, std::abs(a[i]));
      beyond = std::max(beyond, std::abs(a[i]) - b[i]);
    }
    const Product products[] = {{&W, A, B}, {nullptr, A, C}};
    place.dots(products, sums);
    EXPECT_NEAR(sums[0], plain[0], 1e-12 * std::max<std::size_t>(1, size));
    EXPECT_NEAR(sums[1], plain[1], 1e-12 * std::max<std::size_t>(1, size));
    EXPECT_EQ(place.dot(A, C), sums[1]);
    EXPECT_EQ(place.largest(A), largest);
    EXPECT_EQ(place.largest(A, &B), beyond);
  }
}

TEST_P(EveryPlace, NumbersThatAreNotFiniteAreSeen) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    for (const std::size_t size : {1, 5, 9, 5000})
      for (const std::size_t at : {std::size_t(0), size - 1}) {
        std::vector<double> x(size, 1.0);
        x[at] = bad;
        const Array X = bring(*place_, x), bound = bring(*place_, std::vector<double>(size, 1.0));
        EXPECT_FALSE(std::isfinite(place_->largest(X))) << size << " " << at;
        EXPECT_FALSE(std::isfinite(place_->largest(X, &bound)));
        EXPECT_FALSE(std::isfinite(place_->dot(X, X)));
      }
}

TEST_P(EveryPlace, TheHostSeesACopyOrTheNumbersThemselves) {
  Array x = bring(*place_, {1, 2, 3});
  std::vector<double> room;
  {
    const HostReading numbers(x, room);
    EXPECT_EQ(numbers[1], 2);
    EXPECT_EQ(room.empty(), place_->on_host());
  }
  {
    const HostWriting numbers(x, room);
    numbers[1] = 5;
  }
  EXPECT_EQ(fetch(x), (std::vector<double>{1, 5, 3}));
  try {
    const HostWriting numbers(x, room);
    numbers[0] = 9;
    throw RunError("half way");
  } catch (const RunError&) {
  }
  EXPECT_EQ(fetch(x)[0], place_->on_host() ? 9 : 1) << "what was half written does not arrive elsewhere";
  if (!place_->on_host()) {
    EXPECT_THROW((void)x.host(), InvariantError);
  }
}

TEST(Place, SumsHaveTheSameBitsOnAnyNumberOfThreads) {
  const std::vector<double> a = numbers(300001, 5), b = numbers(300001, 6);
  double expected = 0;
  for (const int threads : {1, 2, 3, 7}) {
    Team team(threads);
    HostPlace place(&team);
    const double sum = place.dot(bring(place, a), bring(place, b));
    if (threads == 1) expected = sum;
    EXPECT_EQ(sum, expected) << threads;
    Array y(place, a.size());
    place.combine({{2, bring(place, a)}, {3, bring(place, b)}}, y);
    const std::vector<double> got = fetch(y);
    for (std::size_t i = 0; i < got.size(); i += 1000) EXPECT_NEAR(got[i], 2 * a[i] + 3 * b[i], 1e-15);
  }
  EXPECT_NE(expected, 0);
}

TEST(Place, ViewsLeaveTheirNumbersAlone) {
  HostPlace place;
  std::vector<double> x{1, 2};
  {
    Array view = Array::view(place, x), other(place, 2);
    place.fill(3, view);
    view.swap(other);
    EXPECT_EQ(other.host().data(), x.data());
  }
  EXPECT_EQ(x, (std::vector<double>{3, 3}));
  test::CheckedPlace away;
  EXPECT_THROW((void)Array::view(away, x), InvariantError);
}

TEST(CheckedPlaceDeathTest, ALookFromOutsideEndsTheProgram) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  test::CheckedPlace place;
  const Array x = bring(place, {1, 2, 3});
  EXPECT_DEATH(
      {
        const volatile double* there = x.address();
        (void)there[0];
      },
      "");
}

}  // namespace
}  // namespace lithe

// Operations block by block: the same bits as one after the other over whole vectors, for any size and number of
// threads.
#include <gtest/gtest.h>

#include <cmath>

#include "../../support/checked_place.h"
#include "lithe/base/team.h"
#include "lithe/dynamics/vector_chain.h"

namespace lithe {
namespace {

struct Vectors {
  Vectors(Place& place, std::size_t size) : place_(place) {
    std::vector<double> numbers(size);
    int k = 0;
    for (Array* x : {&a, &b, &c, &weight}) {
      for (std::size_t i = 0; i < size; ++i) numbers[i] = std::sin(0.37 * static_cast<double>(i) + k) + 1e-3 * k;
      ++k;
      *x = Array(place, size);
      place.upload(numbers, *x);
    }
  }
  // What chains do: write, read what was written, overwrite.
  template <class Run>
  std::vector<double> work(Run&& run) {
    const Term sum[] = {{1, a}, {-0.3, b}, {0.7, c}}, copy[] = {{1, b}},
               five[] = {{1, a}, {2, b}, {3, c}, {4, a}, {-1, b}};
    const Product first[] = {{&weight, a, c}, {nullptr, c, c}}, second[] = {{nullptr, a, a}};
    double sums[3];
    run(VectorStep{.terms = sum, .y = &c}, VectorStep{.products = first, .sums = sums},
        VectorStep{.terms = copy, .y = &a}, VectorStep{.terms = five, .y = &b},
        VectorStep{.products = second, .sums = sums + 2});
    std::vector<double> result(a.size());
    std::vector<double> all(sums, sums + 3);
    for (const Array* x : {&a, &b, &c}) {
      place_.download(*x, result);
      all.insert(all.end(), result.begin(), result.end());
    }
    return all;
  }
  Array a, b, c, weight;

 private:
  Place& place_;
};

TEST(VectorChain, SameBitsAsOneOperationAfterTheOther) {
  for (const std::size_t size : {1u, 2047u, 2048u, 2049u, 10'000u, 200'001u})
    for (const int threads : {1, 3}) {
      Team team(threads);
      HostPlace place(&team);
      Vectors whole(place, size), blocks(place, size);
      const auto expected = whole.work([&](const auto&... steps) {
        for (const VectorStep& step : {steps...}) {
          if (step.y) place.combine(step.terms, *step.y);
          else place.dots(step.products, {step.sums, step.products.size()});
        }
      });
      VectorChain chain(place, team);
      const auto found = blocks.work([&](const auto&... steps) { chain.run({steps...}); });
      EXPECT_EQ(found, expected) << size << ", " << threads;
    }
}

TEST(VectorChain, LooksAtNoNumbersElsewhere) {
  Team team(1);
  HostPlace host(&team);
  test::CheckedPlace away;
  Vectors here(host, 5000), there(away, 5000);
  VectorChain on_host(host, team), elsewhere(away, team);
  const auto expected = here.work([&](const auto&... steps) { on_host.run({steps...}); });
  EXPECT_EQ(there.work([&](const auto&... steps) { elsewhere.run({steps...}); }), expected);
}

}  // namespace
}  // namespace lithe

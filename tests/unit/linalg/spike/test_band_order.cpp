// Orders for a narrow band: what they promise, and what is known of paths, grids and nets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "../net_matrix.h"
#include "lithe/linalg/spike/band_order.h"
#include "lithe/linalg/spike/matching.h"
#include "lithe/linalg/spike/spike_plan.h"

namespace lithe {
namespace {

using namespace fixtures;
using Edges = std::set<std::pair<int, int>>;

Graph graph_of(int n, const Edges& edges) {
  Graph graph;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      if (edges.contains({i, j}) || edges.contains({j, i})) graph.neighbour.push_back(j);
    graph.start.push_back(static_cast<std::int32_t>(graph.neighbour.size()));
  }
  return graph;
}

std::vector<std::int32_t> shuffled(int n, unsigned seed) {
  std::vector<std::int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

// A grid of a x b vertices whose numbers are shuffled; a = 1: a path.
Graph grid(int a, int b, unsigned seed) {
  const auto name = shuffled(a * b, seed);
  Edges edges;
  for (int i = 0; i < a; ++i)
    for (int j = 0; j < b; ++j) {
      if (i + 1 < a) edges.insert({name[i * b + j], name[(i + 1) * b + j]});
      if (j + 1 < b) edges.insert({name[i * b + j], name[i * b + j + 1]});
    }
  return graph_of(a * b, edges);
}

void expect_permutation(std::vector<std::int32_t> order, int n) {
  ASSERT_EQ(static_cast<int>(order.size()), n);
  std::ranges::sort(order);
  for (int i = 0; i < n; ++i) ASSERT_EQ(order[i], i);
}

TEST(BandOrder, CuthillMcKeeNeverWidens) {
  int narrower = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 engine(seed);
    const int n = 3 + static_cast<int>(seed % 40);
    Edges edges;
    // Some within a band that no order makes narrower, some anywhere; parts that nothing couples.
    for (int k = 0; k < static_cast<int>(seed % 5) * n / 2; ++k) {
      const int i = static_cast<int>(engine() % n), reach = seed % 2 ? n : 2;
      const int j = std::min<int>(n - 1, i + static_cast<int>(engine() % reach));
      if (i != j) edges.insert({i, j});
    }
    const Graph graph = graph_of(n, edges);
    const auto order = reverse_cuthill_mckee(graph);
    expect_permutation(order, n);
    std::vector<std::int32_t> as_it_was(n);
    std::iota(as_it_was.begin(), as_it_was.end(), 0);
    int widest = 0;
    for (const auto& [i, j] : edges) widest = std::max(widest, std::abs(i - j));
    ASSERT_EQ(bandwidth(graph, as_it_was), widest);
    ASSERT_LE(bandwidth(graph, inverse(order)), widest) << seed;
    if (bandwidth(graph, inverse(order)) < widest) ++narrower;
  }
  EXPECT_GT(narrower, 50);
}

TEST(BandOrder, PathsAndGrids) {
  const Graph path = grid(1, 200, 1), long_grid = grid(6, 50, 2);
  EXPECT_EQ(bandwidth(path, inverse(reverse_cuthill_mckee(path))), 1);
  EXPECT_EQ(profile(path, inverse(reverse_cuthill_mckee(path))), 199);
  EXPECT_LE(bandwidth(long_grid, inverse(reverse_cuthill_mckee(long_grid))), 7);
  const auto spectral = spectral_order(path);
  expect_permutation(spectral, 200);
  EXPECT_EQ(bandwidth(path, inverse(spectral)), 1);
  const auto of_grid = spectral_order(long_grid);
  expect_permutation(of_grid, 300);
  EXPECT_LE(bandwidth(long_grid, inverse(of_grid)), 12);
  // Two parts and a vertex alone.
  Edges edges;
  for (int i = 0; i + 2 < 120; ++i) edges.insert({i, i + 2});
  const Graph parts = graph_of(121, edges);
  const auto of_parts = spectral_order(parts);
  expect_permutation(of_parts, 121);
  EXPECT_EQ(bandwidth(parts, inverse(of_parts)), 1);
}

// P3's table II: 21 n + 12 after the matching.
TEST(BandOrder, OfNetsIsAsNarrowAsPublished) {
  for (const int n : {8, 14}) {
    const Matrix m = net_matrix({.n = n});
    RowMatrix a(m.pattern);
    a.gather(m.values);
    for (const SpikeMatching matching : {SpikeMatching::product, SpikeMatching::cardinality, SpikeMatching::none}) {
      SpikePlan plan;
      SpikeReport report;
      Team team(1);
      KrylovOptions options{.tolerance = {}, .partitions = 3};
      options.matching = matching;
      ASSERT_TRUE(plan.make(a, options, team, report));
      EXPECT_LE(report.ordered_width, 1.15 * (21 * n + 12)) << word(matching);
      EXPECT_GT(report.width, 2 * report.ordered_width);
      for (const int width : report.widths) EXPECT_LE(width, report.ordered_width);
      expect_permutation(plan.row_at, a.size());
      expect_permutation(plan.column_at, a.size());
      // Entries end in their partition or in the next one.
      for (int i = 0; i < a.size(); ++i)
        for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p) {
          const auto part = [&](int place) { return std::ranges::upper_bound(plan.start, place) - plan.start.begin(); };
          ASSERT_LE(std::abs(part(plan.row_place[i]) - part(plan.column_place[a.pattern.column[p]])), 1);
        }
      if (matching != SpikeMatching::none) continue;
      // A multiplier stands right behind a coordinate that it holds.
      for (int i = 0; i < a.size(); ++i) {
        if (a.values[a.diagonal[i]] != 0) continue;
        const int before = plan.column_at[plan.row_place[i] - 1];
        ASSERT_NE(a.values[position(a.pattern, i, before)], 0);
      }
    }
  }
}

TEST(BandOrder, DropOffAgainstBruteForce) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> sums(1 + engine() % 12);
    for (double& sum : sums) sum = engine() % 3 ? uniform(engine) : 0;
    const double keep = uniform(engine), all = std::accumulate(sums.begin(), sums.end(), 0.0);
    const auto inside = [&](int k) { return std::accumulate(sums.begin(), sums.begin() + k + 1, 0.0); };
    const int k = kept_bandwidth(sums, keep);
    ASSERT_GE(inside(k), keep * all);
    if (k > 0) {
      ASSERT_LT(inside(k - 1), keep * all);
    }
  }
  // In a plan, over the scaled matrix.
  const Matrix m = random_matrix(300, false, 3, 4);
  RowMatrix a(m.pattern);
  a.gather(m.values);
  Team team(1);
  int last = 0;
  for (const double keep : {0.5, 0.8, 0.95, 1.0}) {
    SpikePlan plan;
    SpikeReport report;
    KrylovOptions options{.tolerance = {}};
    options.keep = keep;
    ASSERT_TRUE(plan.make(a, options, team, report));
    double kept = 0, all = 0;
    for (int i = 0; i < a.size(); ++i)
      for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p) {
        const double size = std::abs(plan.scaled(a, i, p));
        all += size;
        if (plan.keeps(i, a.pattern.column[p])) kept += size;
      }
    EXPECT_GE(kept, keep * all * (1 - 1e-14));
    EXPECT_NEAR(kept / all, report.kept, 1e-12);
    EXPECT_GT(report.kept_width, last);
    last = report.kept_width;
  }
  EXPECT_GE(last, 20);
}

}  // namespace
}  // namespace lithe

#include "lithe/linalg/spike/band_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lithe {

namespace {

// Levels of vertices by their distance from a root, within what is not numbered yet.
class Levels {
 public:
  explicit Levels(const Graph& graph) : graph_(graph), mark_(graph.size(), -1) {}

  // Returns the number of levels.
  int grow(int root, const std::vector<char>& numbered) {
    ++stamp_;
    vertices.assign(1, root);
    mark_[root] = stamp_;
    last_start = 0;
    widest = 1;
    int depth = 1;
    for (std::size_t begin = 0, end = 1; begin < end; begin = end, end = vertices.size()) {
      for (std::size_t k = begin; k < end; ++k)
        for (const int j : graph_.of(vertices[k]))
          if (mark_[j] != stamp_ && !numbered[j]) {
            mark_[j] = stamp_;
            vertices.push_back(j);
          }
      if (vertices.size() > end) {
        ++depth;
        last_start = end;
        widest = std::max(widest, vertices.size() - end);
      }
    }
    return depth;
  }
  std::vector<std::int32_t> vertices;  // level by level
  std::size_t last_start = 0, widest = 0;

 private:
  const Graph& graph_;
  std::vector<std::int32_t> mark_;
  int stamp_ = -1;
};

// Two vertices that are as far from each other as a few growths of levels find.
std::pair<int, int> ends(const Graph& graph, Levels& levels, int root, const std::vector<char>& numbered) {
  int depth = levels.grow(root, numbered);
  for (;;) {
    const auto last = std::span(levels.vertices).subspan(levels.last_start);
    const int next = *std::ranges::min_element(last, {}, [&](int i) { return std::pair(graph.degree(i), i); });
    const int deeper = levels.grow(next, numbered);
    if (deeper <= depth) return {root, next};
    root = next;
    depth = deeper;
  }
}

// A component from a root: neighbours of vertex after vertex, those of fewer edges first. Returns its bandwidth.
int number_from(const Graph& graph, int root, std::vector<char>& numbered, std::vector<std::int32_t>& order) {
  order.assign(1, root);
  numbered[root] = 1;
  int widest = 0;
  for (std::size_t next = 0; next < order.size(); ++next) {
    const std::size_t first = order.size();
    for (const int j : graph.of(order[next]))
      if (!numbered[j]) {
        numbered[j] = 1;
        order.push_back(j);
      }
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
              [&](int a, int b) { return std::pair(graph.degree(a), a) < std::pair(graph.degree(b), b); });
    if (order.size() > first) widest = std::max(widest, static_cast<int>(order.size() - 1 - next));
  }
  return widest;
}

}  // namespace

Graph symmetric_graph(const RowPattern& a, std::span<const std::int32_t> row_of) {
  const int n = a.rows;
  const auto each = [&](auto visit) {
    for (int i = 0; i < n; ++i)
      for (int p = a.row_start[row_of[i]]; p < a.row_start[row_of[i] + 1]; ++p)
        if (const int j = a.column[p]; j != i) visit(i, j);
  };
  Graph graph;
  graph.start.assign(n + 1, 0);
  each([&](int i, int j) { ++graph.start[i + 1], ++graph.start[j + 1]; });
  std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
  graph.neighbour.resize(graph.start[n]);
  std::vector<std::int32_t> next(graph.start.begin(), graph.start.end() - 1);
  each([&](int i, int j) { graph.neighbour[next[i]++] = j, graph.neighbour[next[j]++] = i; });
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    const auto first = graph.neighbour.begin() + graph.start[i];
    std::sort(first, graph.neighbour.begin() + next[i]);
    const auto last = std::unique(first, graph.neighbour.begin() + next[i]);
    std::copy(first, last, graph.neighbour.begin() + kept);
    graph.start[i] = kept;
    kept += static_cast<int>(last - first);
  }
  graph.start[n] = kept;
  graph.neighbour.resize(kept);
  return graph;
}

Graph part_of(const Graph& graph, std::span<const std::int32_t> order, std::span<const std::int32_t> place, int first,
              int last) {
  Graph part;
  for (int k = first; k < last; ++k) {
    for (const int j : graph.of(order[k]))
      if (place[j] >= first && place[j] < last) part.neighbour.push_back(place[j] - first);
    std::sort(part.neighbour.begin() + part.start.back(), part.neighbour.end());
    part.start.push_back(static_cast<std::int32_t>(part.neighbour.size()));
  }
  return part;
}

std::vector<std::int32_t> inverse(std::span<const std::int32_t> order) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<std::int32_t>(k);
  return place;
}

int bandwidth(const Graph& graph, std::span<const std::int32_t> place) {
  int widest = 0;
  for (int i = 0; i < graph.size(); ++i)
    for (const int j : graph.of(i)) widest = std::max(widest, std::abs(place[i] - place[j]));
  return widest;
}

double profile(const Graph& graph, std::span<const std::int32_t> place) {
  double sum = 0;
  for (int i = 0; i < graph.size(); ++i) {
    int first = place[i];
    for (const int j : graph.of(i)) first = std::min(first, place[j]);
    sum += place[i] - first;
  }
  return sum;
}

std::vector<std::int32_t> reverse_cuthill_mckee(const Graph& graph) {
  const int n = graph.size();
  std::vector<std::int32_t> order, forth, back;
  order.reserve(n);
  std::vector<char> numbered(n, 0);
  Levels levels(graph);
  for (int i = 0; i < n; ++i) {
    if (numbered[i]) continue;
    const auto [one, other] = ends(graph, levels, i, numbered);
    const int width = number_from(graph, one, numbered, forth);
    for (const int j : forth) numbered[j] = 0;
    const int other_width = number_from(graph, other, numbered, back);
    const auto& narrower = width < other_width ? forth : back;
    order.insert(order.end(), narrower.begin(), narrower.end());
  }
  std::reverse(order.begin(), order.end());
  std::vector<std::int32_t> as_it_was(n);
  std::iota(as_it_was.begin(), as_it_was.end(), 0);
  return bandwidth(graph, inverse(order)) <= bandwidth(graph, as_it_was) ? order : as_it_was;
}

int kept_bandwidth(std::span<const double> sums, double keep) {
  const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
  int last = static_cast<int>(sums.size()) - 1;
  while (last > 0 && sums[last] == 0) --last;
  double inside = 0;
  for (int k = 0; k <= last; ++k)
    if ((inside += sums[k]) >= keep * all) return k;
  return std::max(last, 0);
}

}  // namespace lithe

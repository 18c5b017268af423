// Cells and their sides by the nodes that they have.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lithe/model/mesh_file.h"

namespace lithe {

inline std::uint64_t hash_of(std::span<const int> sorted) {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const int n : sorted) {
    h ^= static_cast<std::uint32_t>(n);
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

// The nodes of a cell that is read.
inline std::span<const int> nodes_of(const MeshFile::Part& part, const MeshFile::Cell& cell) {
  return {&part.cell_nodes[cell.first], static_cast<std::size_t>(cell.kind->nodes)};
}

// Calls action(cells), increasing, for all of a list that have the same kind and the same nodes in whatever order.
template <class Action>
void for_equal_cells(const MeshFile::Part& part, std::span<const int> list, Action&& action) {
  std::vector<std::pair<std::uint64_t, int>> keys;
  keys.reserve(list.size());
  std::vector<int> sorted;
  const auto sort_nodes = [&](int c) {
    const std::span<const int> nodes = nodes_of(part, part.cells[c]);
    sorted.assign(nodes.begin(), nodes.end());
    std::ranges::sort(sorted);
  };
  for (const int c : list)
    if (part.cells[c].known()) {
      sort_nodes(c);
      keys.emplace_back(hash_of(sorted), c);
    }
  std::ranges::sort(keys);
  for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
    for (end = begin + 1; end < keys.size() && keys[end].first == keys[begin].first;) ++end;
    if (end == begin + 1) continue;
    std::map<std::vector<int>, std::vector<int>> same;  // two lists of nodes may share a hash
    for (std::size_t i = begin; i < end; ++i) {
      sort_nodes(keys[i].second);
      same[sorted].push_back(keys[i].second);
    }
    for (const auto& [nodes, cells] : same)
      if (cells.size() > 1) action(cells);
  }
}

template <class Action>
void for_equal_cells(const MeshFile::Part& part, Action&& action) {
  std::vector<int> all(part.cells.size());
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<int>(c);
  for_equal_cells(part, all, action);
}

// Sides of the cells of a part by their corners. Only sides whose corners are all `wanted` [node] are known.
class SideFinder {
 public:
  SideFinder(const MeshFile::Part& part, const std::vector<char>& wanted);
  // Adds the sides with these corners; how many there are.
  int find(const int* corners, int count, std::vector<MeshFile::Side>& out) const;
  // Adds the sides that one cell alone has, of these cells (increasing).
  void add_free(std::span<const int> cells, std::vector<MeshFile::Side>& out) const;

 private:
  struct Entry {
    std::array<int, 4> corners;  // increasing; three and -1, or four
    MeshFile::Side side;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  static std::array<int, 4> key(const int* corners, int count);

  std::vector<Entry> entries_;  // sorted
};

// The lists of a map, sorted and each of them once, under their names.
template <class T>
void add_sorted(std::map<std::string, std::vector<T>>& from, Named<std::vector<T>>& to) {
  for (auto& [name, list] : from) {
    if (list.empty()) continue;
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    list.shrink_to_fit();
    to.add(name, std::move(list));
  }
}

}  // namespace lithe

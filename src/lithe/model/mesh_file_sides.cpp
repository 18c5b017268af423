#include "lithe/model/mesh_file_sides.h"

#include <climits>

namespace lithe {

std::array<int, 4> SideFinder::key(const int* corners, int count) {
  std::array<int, 4> sorted{INT_MAX, INT_MAX, INT_MAX, INT_MAX};
  std::copy(corners, corners + count, sorted.begin());
  std::ranges::sort(sorted);
  return sorted;
}

SideFinder::SideFinder(const MeshFile::Part& part, const std::vector<char>& wanted) {
  for (int c = 0; c < static_cast<int>(part.cells.size()); ++c) {
    const MeshFile::Cell& cell = part.cells[c];
    if (!cell.known()) continue;
    const std::span<const int> nodes = nodes_of(part, cell);
    const int vertices = cell.kind->cell == Cell::cube ? 8 : 4;
    for (int side = 0; side < cell.kind->sides(); ++side) {
      int corners[4], count = 0;
      for (int n = 0; n < vertices; ++n)
        if (cell.kind->on_side(n, side)) corners[count++] = nodes[n];
      if (std::all_of(corners, corners + count, [&](int n) { return wanted[n] != 0; }))
        entries_.push_back({key(corners, count), {c, side}});
    }
  }
  std::ranges::sort(entries_);
}

int SideFinder::find(const int* corners, int count, std::vector<MeshFile::Side>& out) const {
  const auto [begin, end] = std::ranges::equal_range(entries_, key(corners, count), {}, &Entry::corners);
  for (auto at = begin; at != end; ++at) out.push_back(at->side);
  return static_cast<int>(end - begin);
}

void SideFinder::add_free(std::span<const int> cells, std::vector<MeshFile::Side>& out) const {
  for (std::size_t begin = 0, end; begin < entries_.size(); begin = end) {
    for (end = begin + 1; end < entries_.size() && entries_[end].corners == entries_[begin].corners;) ++end;
    if (end == begin + 1 && std::ranges::binary_search(cells, entries_[begin].side.cell))
      out.push_back(entries_[begin].side);
  }
}

}  // namespace lithe

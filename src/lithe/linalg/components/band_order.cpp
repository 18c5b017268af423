#include "lithe/linalg/components/band_order.h"

#include <algorithm>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/spike/band_order.h"

namespace lithe {

namespace {

Graph graph_of(const SparsePattern& pattern) {
  RowPattern rows{pattern.size, pattern.size, pattern.column_start, pattern.row};  // a triangle will do
  std::vector<std::int32_t> as_it_is(pattern.size);
  std::iota(as_it_is.begin(), as_it_is.end(), 0);
  return symmetric_graph(rows, as_it_is);
}

// For each coordinate, as ordered, the last one of its tile, or of all that are coupled with it when multipliers are
// left out: where what is coupled is small, its multipliers need not divide it.
std::vector<std::int32_t> ends_of_tiles(std::size_t coordinates) {
  std::vector<std::int32_t> end(coordinates);
  for (std::size_t k = 0; k < coordinates; ++k)
    end[k] = static_cast<std::int32_t>(std::min(coordinates, (k / tile_size + 1) * tile_size) - 1);
  return end;
}
std::vector<std::int32_t> ends_of_blocks(const Graph& graph, const std::vector<std::int32_t>& coordinates) {
  const int count = static_cast<int>(coordinates.size());
  std::vector<std::int32_t> place(graph.size(), -1), joined(count), end(count);
  for (int k = 0; k < count; ++k) place[coordinates[k]] = k;
  std::iota(joined.begin(), joined.end(), 0);
  const auto root = [&](int k) {
    while (joined[k] != k) k = joined[k] = joined[joined[k]];
    return k;
  };
  for (int k = 0; k < count; ++k)
    for (const int j : graph.of(coordinates[k]))
      if (place[j] >= 0) joined[std::min(root(k), root(place[j]))] = std::max(root(k), root(place[j]));
  for (int k = 0; k < count; ++k) end[k] = root(k);  // the last of a block
  return end;
}

// Multipliers, numbered from `first` on, behind the ends of the coordinates that they tie.
std::vector<std::int32_t> with_multipliers_behind(const Graph& graph, const std::vector<std::int32_t>& order, int first,
                                                  bool blocks) {
  std::vector<std::int32_t> coordinates;
  for (const int i : order)
    if (i < first) coordinates.push_back(i);
  const std::vector<std::int32_t> end = blocks ? ends_of_blocks(graph, coordinates) : ends_of_tiles(coordinates.size());
  const std::vector<std::int32_t> place = inverse(order);
  std::vector<std::int32_t> rank(graph.size(), -1);
  for (std::size_t k = 0; k < coordinates.size(); ++k) rank[coordinates[k]] = static_cast<std::int32_t>(k);
  std::vector<std::pair<int, int>> key(graph.size());  // after which coordinate, and in which order there
  for (int i = 0; i < graph.size(); ++i) {
    key[i] = {rank[i], -1};
    if (i < first) continue;
    int behind = -1;
    for (const int j : graph.of(i))
      if (j < first) behind = std::max(behind, static_cast<int>(end[rank[j]]));
    key[i] = {behind >= 0 ? behind : graph.size(), place[i]};
  }
  std::vector<std::int32_t> sorted(order);
  std::ranges::sort(sorted, {}, [&](int i) { return key[i]; });
  return sorted;
}

// Three unknowns of one sign to a tile.
void cut_into_tiles(const Graph& graph, const std::vector<std::int32_t>& order, int first_multiplier, BandOrder& band) {
  std::vector<std::int32_t> slot(graph.size());
  for (std::size_t k = 0; k < order.size();) {
    const bool multiplier = order[k] >= first_multiplier;
    band.tiles.sign.push_back(multiplier ? -1 : 1);
    for (int c = 0; c < tile_size; ++c) {
      const bool fits = k < order.size() && (order[k] >= first_multiplier) == multiplier;
      if (fits) slot[order[k]] = static_cast<std::int32_t>(band.unknown.size());
      band.unknown.push_back(fits ? order[k++] : -1);
    }
  }
  BandTiles& tiles = band.tiles;
  const int rows = static_cast<int>(tiles.sign.size());
  tiles.last.resize(rows);
  std::int64_t count = 0;
  for (int i = 0; i < rows; ++i) {
    int first = i;
    for (int c = 0; c < tile_size; ++c)
      if (const int u = band.unknown[tile_size * i + c]; u >= 0)
        for (const int j : graph.of(u)) first = std::min(first, slot[j] / tile_size);
    tiles.first.push_back(first);
    tiles.at.push_back(static_cast<std::int32_t>(count));
    count += i - first + 1;
    if (tile_numbers * count > INT32_MAX)
      throw RunError(
          "a component of the matrix has factors of more entries than solver 'components' counts (32 bits); "
          "use cholmod");
    for (int j = first; j <= i; ++j) tiles.last[j] = i;
  }
}

void place_entries(const SparsePattern& pattern, BandOrder& band) {
  std::vector<std::int32_t> slot(pattern.size);
  for (std::size_t s = 0; s < band.unknown.size(); ++s)
    if (band.unknown[s] >= 0) slot[band.unknown[s]] = static_cast<std::int32_t>(s);
  const BandShape shape = band.tiles.shape();
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      const int row = slot[pattern.row[p]], low = std::max(row, slot[j]), high = std::min(row, slot[j]);
      const int to =
          tile_at(shape, low / tile_size, high / tile_size) + tile_size * (low % tile_size) + high % tile_size;
      band.entries.push_back({to, slot[j], p - pattern.column_start[j], row});
    }
}

}  // namespace

double BandTiles::nonzeros() const { return static_cast<double>(tile_numbers) * (tiles() - rows()) + 6.0 * rows(); }

double BandTiles::flops() const {
  double products = 0;
  for (int i = 0; i < rows(); ++i)
    for (int j = first[i]; j <= i; ++j) products += j - std::max(first[i], first[j]) + 0.5;
  return 2 * tile_size * tile_numbers * products;
}

BandOrder order_band(const Components::Kind& kind, Ordering ordering) {
  const Graph graph = graph_of(kind.pattern);
  const int first_multiplier = kind.pattern.size - kind.multipliers;
  std::vector<std::int32_t> natural(kind.pattern.size);
  std::iota(natural.begin(), natural.end(), 0);
  BandOrder best;
  const auto try_order = [&](const std::vector<std::int32_t>& order) {
    for (const bool blocks : {true, false}) {
      BandOrder band;
      cut_into_tiles(graph, with_multipliers_behind(graph, order, first_multiplier, blocks), first_multiplier, band);
      if (best.unknown.empty() || band.tiles.flops() < best.tiles.flops()) best = std::move(band);
      if (kind.multipliers == 0) return;
    }
  };
  try_order(natural);
  if (ordering == Ordering::automatic) try_order(reverse_cuthill_mckee(graph));
  place_entries(kind.pattern, best);
  return best;
}

}  // namespace lithe

// An order of elimination for a component, cut into tiles (band_kernel.h).
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/linalg/components/band_kernel.h"
#include "lithe/linalg/components/find_components.h"
#include "lithe/linalg/ordering.h"

namespace lithe {

// The shape of the factors: what all components that are factored side by side have in common.
struct BandTiles {
  std::vector<std::int32_t> first, last, at;  // BandShape
  std::vector<signed char> sign;
  int rows() const { return static_cast<int>(first.size()); }
  int tiles() const { return first.empty() ? 0 : at.back() + rows() - first.back(); }
  BandShape shape() const { return {rows(), first.data(), last.data(), at.data(), sign.data()}; }
  bool operator==(const BandTiles&) const = default;
  // Of the factors, the triangles on the diagonal counted as such; multiplications and additions to make them.
  double nonzeros() const;
  double flops() const;
};

struct BandEntry {
  std::int32_t to = 0;                 // number in the tiles
  std::int32_t column = 0, entry = 0;  // slot of its column in the pattern, and which entry of that
  std::int32_t row = 0;                // slot of its row there
};

// Slots are the places in the order, three to a tile; some stay empty so that a tile has one sign.
struct BandOrder {
  BandTiles tiles;
  std::vector<std::int32_t> unknown;  // [slot] of the component; -1: empty, with 1 on the diagonal
  std::vector<BandEntry> entries;     // of the pattern
};

// automatic: the better one of the order that the unknowns have and reverse Cuthill-McKee; each multiplier follows the
// last coordinate that it ties. A multiplier that ties nothing comes last.
BandOrder order_band(const Components::Kind& kind, Ordering ordering);

}  // namespace lithe

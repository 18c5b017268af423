// Sums in an order of their own: the same bits for any number of threads, and no addition waits for the one before it.
#pragma once

#include <algorithm>
#include <array>

#include "lithe/base/team.h"

namespace lithe {

// Sum of term(i), 0 <= i < count, in eight lanes.
template <class Term>
double lane_sum(std::size_t count, Term&& term) {
  constexpr std::size_t lanes = 8;
  double lane[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t k = 0; k < lanes; ++k) lane[k] += term(i + k);
  for (std::size_t k = 0; i < count; ++i, ++k) lane[k] += term(i);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

// Sum of piece(from, to, thread) over pieces of [0, count) that do not depend on the number of threads.
template <class Piece>
double piece_sum(Team& team, int count, Piece&& piece) {
  constexpr int most = 64;
  std::array<double, most> part{};
  const int pieces = std::min(count, most);
  team.run(pieces, [&](int p, int thread) {
    part[p] =
        piece(static_cast<int>(1ll * count * p / pieces), static_cast<int>(1ll * count * (p + 1) / pieces), thread);
  });
  return lane_sum(pieces, [&](std::size_t p) { return part[p]; });
}

}  // namespace lithe

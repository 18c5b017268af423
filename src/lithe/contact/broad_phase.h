// Pairs of parts that come near each other in a step. Every part has a box around all of its way: where its corners
// were at the begin of the step (where the scene says so), where they are, and around that their radius and as far as
// the furthest of them is expected to move, in any direction: a blow in this step may turn it. So no pair is missed
// whose gap the step can close. Boxes are sorted along a Morton curve through the box of the scene, anew in every step,
// and four neighbours each make a box of the next level, up to one. A tree that is made by sorting costs hardly more
// than one that is refitted, and never ages as bodies drift. Four boxes at a time go down it and meet what comes behind
// them on the curve, each pair once.
//
// Why this is not a library, by what Debian has of them:
//   Embree 3.13   boxes are 32-bit floats (RTCBounds); rtcCollide gives pairs that are yet to be looked at
//   Bullet 3.24   margins are lengths: 0.04 around convex shapes (CONVEX_DISTANCE_MARGIN)
//   FCL 0.7       double, but distances to 1e-6 by default, an absolute length (GJKSolver_libccd); of two meshes up to
//                 two points per pair of triangles, made without their neighbours: inner edges of a face count as edges
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/contact/surface_topology.h"

namespace lithe {

struct PartBox {
  double low[3], high[3];
  double reach;        // m, of a part: radius, and as far as it moves
  std::int32_t group;  // of all that is in it, where that never touches itself; -1: it may
};

inline bool overlap(const PartBox& a, const PartBox& b) {
  return (a.low[0] <= b.high[0]) & (b.low[0] <= a.high[0]) & (a.low[1] <= b.high[1]) & (b.low[1] <= a.high[1]) &
         (a.low[2] <= b.high[2]) & (b.low[2] <= a.high[2]);
}

class BroadPhase {
 public:
  explicit BroadPhase(const SurfaceTopology& topology);
  // inward: boxes hold what is behind a triangle of its element too, as far as the scene says (ContactScene::depth).
  void update(const ContactScene& scene, Team& team, bool inward = false);

  // The work of finding pairs is cut the same way for any number of threads.
  int chunks() const { return chunks_; }
  // pair(part, other, far, apart) of all in this chunk whose boxes overlap and whose groups differ or may touch
  // themselves. What is further apart than `far`, m, cannot touch in this step; apart: neither touches itself.
  template <class Pair>
  void pairs(int chunk, Pair&& pair) const;
  // Is there a part, of those whose boxes overlap this one and whose group may be its own, of which `is` holds?
  template <class Is>
  bool any_in(const PartBox& box, Is&& is) const;
  const PartBox& box(int part) const { return box_[part]; }

 private:
  static constexpr int fan = 4;

  void take_boxes(const ContactScene& scene, Team& team);
  void sort(Team& team);
  void make_levels(Team& team);
  PartBox box_of(const ContactScene& scene, const ScenePart& part) const;
  template <class Visit>
  void blocks_behind(int block, Visit&& visit) const;

  const SurfaceTopology& topology_;
  bool inward_ = false;
  int chunks_ = 0;
  std::vector<PartBox> box_;                         // [part]
  std::vector<std::uint64_t> code_, swapped_code_;   // along the curve, while they are sorted
  std::vector<std::int32_t> order_, swapped_order_;  // [place on the curve] part
  std::vector<std::vector<PartBox>> level_;          // [level][node]: level 0 parts in the order of the curve
};

// Nodes of level 1 whose boxes overlap that of `block`, itself and those behind it.
template <class Visit>
void BroadPhase::blocks_behind(int block, Visit&& visit) const {
  struct Node {
    std::int32_t level, index;
  };
  std::array<Node, 128> stack;
  int depth = 0;
  const PartBox own = level_[1][block];
  const int top = static_cast<int>(level_.size()) - 1;
  stack[depth++] = {top, 0};
  while (depth > 0) {
    const Node node = stack[--depth];
    if (node.level == 1) {
      visit(node.index);
      continue;
    }
    const auto& below = level_[node.level - 1];
    const int first = node.index * fan, last = std::min<int>(first + fan, static_cast<int>(below.size()));
    const int shift = 2 * (node.level - 2);  // blocks of a node below, as a power of 2
    for (int i = last - 1; i >= first; --i) {
      if (((static_cast<std::int64_t>(i) + 1) << shift) <= block) continue;
      if (own.group >= 0 && own.group == below[i].group) continue;
      if (overlap(own, below[i])) stack[depth++] = {node.level - 1, i};
    }
  }
}

template <class Is>
bool BroadPhase::any_in(const PartBox& box, Is&& is) const {
  std::array<std::array<std::int32_t, 2>, 128> stack;  // level, node
  int depth = 0;
  stack[depth++] = {static_cast<std::int32_t>(level_.size()) - 1, 0};
  while (depth > 0) {
    const auto [level, node] = stack[--depth];
    const PartBox& of = level_[level][node];
    if ((of.group >= 0 && of.group != box.group) || !overlap(box, of)) continue;
    if (level == 0) {
      if (is(order_[node])) return true;
      continue;
    }
    const int last = std::min<int>((node + 1) * fan, static_cast<int>(level_[level - 1].size()));
    for (int i = node * fan; i < last; ++i) stack[depth++] = {level - 1, i};
  }
  return false;
}

template <class Pair>
void BroadPhase::pairs(int chunk, Pair&& pair) const {
  const auto& part = level_[0];
  const std::int64_t blocks = static_cast<std::int64_t>(level_[1].size());
  const int count = static_cast<int>(part.size());
  const auto meet = [&](int i, int j) {
    if (part[i].group >= 0 && part[i].group == part[j].group) return;
    if (overlap(part[i], part[j]))
      pair(order_[i], order_[j], part[i].reach + part[j].reach, part[i].group >= 0 && part[j].group >= 0);
  };
  for (int block = static_cast<int>(chunk * blocks / chunks_); block < (chunk + 1) * blocks / chunks_; ++block) {
    const int first = block * fan, last = std::min(first + fan, count);
    blocks_behind(block, [&](int other) {
      const int end = std::min((other + 1) * fan, count);
      for (int i = first; i < last; ++i) {
        if (!overlap(part[i], level_[1][other])) continue;
        for (int j = other == block ? i + 1 : other * fan; j < end; ++j) meet(i, j);
      }
    });
  }
}

}  // namespace lithe

// What a clamp or a rigid connection holds of the gradients at nodes, beside their positions.
#pragma once

#include <array>
#include <vector>

#include "lithe/system/system.h"

namespace lithe {

// One gradient: all of it, or no motion along some directions, global components in the reference configuration.
struct HeldGradient {
  int vector = 0;
  bool all = false;
  std::vector<Vec3<double>> along;
};

// For every node of the body, along which of its gradients an element has an edge between two nodes of the set.
std::vector<std::array<char, 3>> edges_between(const BodyInfo& body, const std::vector<int>& nodes);
// What is held at a node of the set, with the node's entry of edges_between().
std::vector<HeldGradient> held_gradients(const System& system, const BodyInfo& body, int node, Hold hold,
                                         const std::array<char, 3>& edges);

}  // namespace lithe

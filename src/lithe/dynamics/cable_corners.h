// What slides along a cable bends it in a corner, which bending rounds over the length sqrt(EI/T). Longer elements
// round it over their own length instead: a place between nodes then costs another energy than one at a node, and what
// slides comes to rest where the mesh has it (docs/theory/constraints.md).
#pragma once

#include <string>
#include <vector>

#include "lithe/system/system.h"

namespace lithe {

// One sentence for each joint along a cable whose elements are too long at this equilibrium.
std::vector<std::string> coarse_corners(const System& system, const State& state);

}  // namespace lithe

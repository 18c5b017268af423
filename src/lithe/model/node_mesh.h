// Rules for a mesh whose nodes and elements are given one by one: numbers, sizes and section must fit each other.
#pragma once

#include "lithe/model/bodies.h"
#include "lithe/model/spot.h"

namespace lithe {

// `here` is the mesh of `body`, whose section is known to exist and to fit its element.
void check_nodes(const Spot& here, const Body& body, const NodeMesh& mesh);

}  // namespace lithe

// Sides of the elements of a mesh: which of them are its boundary, and those of `nodes` meshes by name.
#pragma once

#include <vector>

#include "lithe/model/mesh.h"

namespace lithe {

// Sides that no other element shares, by element, axis and value. Nodes that constraints join count as one; a side
// without nodes of its own (the top of a shell) is nobody else's.
std::vector<Side> boundary_sides(const Mesh& mesh, const ElementInfo& info);
// Of a mesh given by its nodes: top, bottom, ... of beams and shells, `boundary`, and what the user selected.
void name_sides(Mesh& mesh, const ElementInfo& info, const Named<SideSelection>& selections);

}  // namespace lithe

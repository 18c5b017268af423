// The registry of element kinds: what a body, a mesh and `lithe list elements` need to know of each.
#pragma once

#include <array>
#include <vector>

namespace lithe {

enum class ElementKind { cable, beam3243, shell3443, hexa3843 };

struct ElementInfo {
  ElementKind kind;
  const char* name;
  const char* help;
  int nodes;
  int node_vectors;             // 2: r, r_x; 4: r, r_x, r_y, r_z
  int dimension;                // 1 line, 2 surface, 3 solid
  std::vector<int> quadrature;  // default rule
};

const std::vector<ElementInfo>& element_registry();
const ElementInfo& element_info(ElementKind kind);

}  // namespace lithe

// The registry of element kinds: what a body, a mesh and `lithe list elements` need to know of each.
#pragma once

#include <array>
#include <vector>

namespace lithe {

// The first four deform and are what a flexible body is made of; rigid bodies, bars and points are their own kinds
// because they have nodes, shape functions and mass in the same way: S = (1, x, y, z) at body coordinates x, y, z for a
// rigid body, (1 - xi)/2 and (1 + xi)/2 for a bar.
enum class ElementKind { cable, beam3243, shell3443, hexa3843, rigid, bar, point };

constexpr bool is_flexible(ElementKind kind) { return kind <= ElementKind::hexa3843; }

struct ElementInfo {
  ElementKind kind;
  const char* name;
  const char* help;
  int nodes;
  int node_vectors;             // 1: r; 2: r, r_x; 4: r, r_x, r_y, r_z
  int dimension;                // 1 line, 2 surface, 3 solid
  std::vector<int> quadrature;  // default rule
};

const std::vector<ElementInfo>& element_registry();  // of flexible bodies
const ElementInfo& element_info(ElementKind kind);   // any kind

}  // namespace lithe

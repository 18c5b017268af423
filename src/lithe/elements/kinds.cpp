#include "lithe/elements/kinds.h"

#include "lithe/base/error.h"

namespace lithe {

const std::vector<ElementInfo>& element_registry() {
  static const std::vector<ElementInfo> registry{
      {ElementKind::cable,
       "cable",
       "thin cable, r and r_x at two nodes; stretching and bending, naturally straight",
       2,
       2,
       1,
       {5, 3}},
      {ElementKind::beam3243,
       "beam3243",
       "beam with deformable section, two nodes with full gradients",
       2,
       4,
       1,
       {3, 2, 2}},
      {ElementKind::shell3443,
       "shell3443",
       "shell of any number of layers, four nodes with full gradients",
       4,
       4,
       2,
       {4, 4, 2}},
      {ElementKind::hexa3843, "hexa3843", "solid brick, eight nodes with full gradients", 8, 4, 3, {4, 4, 4}},
  };
  return registry;
}

const ElementInfo& element_info(ElementKind kind) {
  static const std::vector<ElementInfo> rigid_kinds{
      {ElementKind::rigid, "rigid", "rigid body: a point and three base vectors", 1, 4, 0, {}},
      {ElementKind::bar, "bar", "thin rigid bar between two points", 2, 1, 1, {}},
      {ElementKind::point, "point", "point mass", 1, 1, 0, {}},
  };
  for (const auto* list : {&element_registry(), &rigid_kinds})
    for (const auto& info : *list)
      if (info.kind == kind) return info;
  throw InvariantError("element kind without a registry line");
}

}  // namespace lithe

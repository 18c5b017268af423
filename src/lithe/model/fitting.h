// Which types of mesh and section, and which strategies, go with an element kind.
#pragma once

#include <string>
#include <vector>

#include "lithe/elements/kinds.h"
#include "lithe/elements/strategies/strategies.h"

namespace lithe {

inline std::vector<std::string> fitting_meshes(ElementKind kind) {
  switch (kind) {
    case ElementKind::cable:
      return {"line", "net", "nodes"};
    case ElementKind::beam3243:
      return {"line", "arc", "nodes"};
    case ElementKind::shell3443:
      return {"plate", "annular_plate", "nodes"};
    case ElementKind::hexa3843:
      return {"plate", "annular_plate", "block", "nodes"};
    default:
      break;
  }
  return {};
}

// Empty: the body takes no section, as solids whose mesh says all dimensions.
inline std::vector<std::string> fitting_sections(ElementKind kind, bool mesh_has_dimensions) {
  switch (kind) {
    case ElementKind::cable:
      return {"circle", "bar"};
    case ElementKind::beam3243:
      return {"rectangle"};
    case ElementKind::shell3443:
      return {"plate", "layered"};
    case ElementKind::hexa3843:
      return mesh_has_dimensions ? std::vector<std::string>{} : std::vector<std::string>{"plate"};
    default:
      break;
  }
  return {};
}

// Every strategy there is, the default first.
inline std::vector<std::string> strategy_names() {
  std::vector<std::string> names{"batched"};
  for (const Strategy& strategy : strategies())
    if (strategy.name != names.front()) names.push_back(strategy.name);
  return names;
}

inline std::vector<std::string> fitting_strategies(ElementKind kind) {
  return kind == ElementKind::cable ? std::vector<std::string>{"batched"} : strategy_names();
}

}  // namespace lithe

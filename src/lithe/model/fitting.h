// Which types of mesh, section and material, and which strategies, go with an element kind.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "lithe/elements/kinds.h"
#include "lithe/elements/strategies/strategies.h"

namespace lithe {

using TypeNames = std::span<const char* const>;

inline bool fits(TypeNames types, const std::string& type) { return std::ranges::find(types, type) != types.end(); }

// Empty: the body takes no section, as solids whose mesh says all dimensions.
inline TypeNames fitting_sections(ElementKind kind, bool mesh_has_dimensions) {
  return kind->dimension == 3 && mesh_has_dimensions ? TypeNames{} : kind->sections;
}

// Every strategy there is, the default first.
inline std::vector<std::string> strategy_names() {
  std::vector<std::string> names{"batched"};
  for (const Strategy& strategy : strategies())
    if (strategy.name != names.front()) names.push_back(strategy.name);
  return names;
}

inline std::vector<std::string> fitting_strategies(ElementKind kind) {
  if (kind->every_strategy) return strategy_names();
  if (kind->strategies.empty()) return {"batched"};
  return {kind->strategies.begin(), kind->strategies.end()};
}

}  // namespace lithe

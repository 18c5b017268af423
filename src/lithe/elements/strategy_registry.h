// The registry of strategies: the ways of computing forces and tangents that a model may name.
#pragma once

#include <string>
#include <vector>

#include "lithe/elements/kinds.h"

namespace lithe {

struct StrategyInfo {
  const char* name;
  const char* help;
  std::vector<ElementKind> kinds;  // that have it
};

const std::vector<StrategyInfo>& strategy_registry();
// nullptr: not known.
const StrategyInfo* find_strategy(const std::string& name);
std::vector<std::string> strategy_names();
std::vector<std::string> strategy_names(ElementKind kind);

}  // namespace lithe

#include "lithe/elements/strategy_registry.h"

#include <algorithm>

namespace lithe {

const std::vector<StrategyInfo>& strategy_registry() {
  using enum ElementKind;
  static const std::vector<StrategyInfo> registry{
      {"batched", "several elements side by side in SIMD registers, 10 numbers stored per point; the default",
       {cable, beam3243, shell3443, hexa3843}},
      {"C", "P0: one quadrature point after another", {beam3243, shell3443, hexa3843}},
      {"D", "P0: all quadrature points of an element at once", {beam3243, shell3443, hexa3843}},
      {"E", "P0: as D, keeping the force's intermediates for the tangent", {beam3243, shell3443, hexa3843}},
      {"G", "P0: pre-integrated, one matrix per block; layers cost nothing", {beam3243, shell3443, hexa3843}},
      {"L", "P0: pre-integrated as one large matrix; layers cost nothing", {beam3243, shell3443, hexa3843}},
      {"finite_difference", "tangent by differences of C's force, for comparison", {beam3243, shell3443, hexa3843}},
  };
  return registry;
}

const StrategyInfo* find_strategy(const std::string& name) {
  for (const auto& info : strategy_registry())
    if (name == info.name) return &info;
  return nullptr;
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const auto& info : strategy_registry()) names.push_back(info.name);
  return names;
}

std::vector<std::string> strategy_names(ElementKind kind) {
  std::vector<std::string> names;
  for (const auto& info : strategy_registry())
    if (std::ranges::find(info.kinds, kind) != info.kinds.end()) names.push_back(info.name);
  return names;
}

}  // namespace lithe

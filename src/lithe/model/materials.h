// Laws of elastic materials.
#pragma once

#include <array>
#include <variant>

#include "lithe/base/described.h"

namespace lithe {

struct Isotropic {
  double E = 0, nu = 0, density = 0, damping = 0;
  double expansion = 0;  // 1/K
};
const Schema& schema(const Isotropic*);
struct Orthotropic {
  double E1 = 0, E2 = 0, E3 = 0, nu12 = 0, nu13 = 0, nu23 = 0, G12 = 0, G13 = 0, G23 = 0, density = 0, damping = 0;
  std::array<double, 3> expansion{};  // 1/K, along 1, 2, 3
};
const Schema& schema(const Orthotropic*);
using Material = std::variant<Isotropic, Orthotropic>;

void check(const Spot& here, const Material& material);

}  // namespace lithe

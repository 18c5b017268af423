#pragma once

#include <array>

namespace lithe {

using Triple = std::array<double, 3>;  // x, y, z

}  // namespace lithe

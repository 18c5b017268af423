// Loops over items that a team shares in strides, cut the same way for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lithe/base/team.h"

namespace lithe {

template <class Visit>
void in_strides(Team& team, std::size_t count, Visit&& visit) {
  constexpr int stride = 1024;
  const int items = static_cast<int>(count);
  team.run((items + stride - 1) / stride, [&](int task, int) {
    for (int i = task * stride; i < std::min(items, (task + 1) * stride); ++i) visit(i);
  });
}

}  // namespace lithe

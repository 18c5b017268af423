#include "lithe/dynamics/kept_inverse.h"

#include <algorithm>

namespace lithe {

KeptInverse::Family& KeptInverse::family(const Need& need) {
  Family& family = families_[{need.kind, need.kind->family(need.block)}];
  if (family.version == need.kind->version()) return family;
  family.size = need.kind->size(need.block);
  family.version = need.kind->version();
  family.place.assign(family.size / 3, -1);
  family.columns.clear();
  family.count = 0;
  return family;
}

bool KeptInverse::hold(const std::vector<Need>& needs) {
  const auto missing = [&] {  // marked by -2, so that bodies of one shape count once
    std::size_t doubles = 0;
    for (const Need& need : needs) {
      Family& of = family(need);
      for (const int v : need.vectors)
        if (of.place[v] == -1) of.place[v] = -2, doubles += 3ul * of.size;
    }
    return doubles;
  };
  std::size_t kept = 0;
  const std::size_t more = missing();
  for (const auto& [key, of] : families_) kept += of.columns.size();
  if (kept + more > most_) {
    for (auto& [key, of] : families_) {
      std::ranges::fill(of.place, -1);
      of.columns.clear();
      of.count = 0;
    }
    if (missing() > most_) {
      for (auto& [key, of] : families_) std::ranges::fill(of.place, -1);
      return false;
    }
  }
  for (const Need& need : needs) {
    Family& of = family(need);
    for (const int v : need.vectors) {
      if (of.place[v] >= 0) continue;
      of.columns.resize(3ul * of.size * (of.count + 1), 0.0);
      double* to = &of.columns[3ul * of.size * of.count];
      for (int k = 0; k < 3; ++k) to[static_cast<std::size_t>(k) * of.size + 3 * v + k] = 1;
      need.kind->apply_inverse(need.block, 3, to);
      of.place[v] = of.count++;
    }
  }
  return true;
}

}  // namespace lithe

// Named arrays in one piece of memory: what a part of a model carries from step to step beside its coordinates (turns
// of joints, rotations of bodies, histories of contacts). Whoever needs some adds them; who writes or reads them all
// walks three fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lithe {

struct Slots {
  std::string names;         // each with a newline behind it
  std::vector<double> ends;  // [slot] where its values end
  std::vector<double> values;

  int count() const { return static_cast<int>(ends.size()); }
  int start(int slot) const { return slot == 0 ? 0 : static_cast<int>(ends[slot - 1]); }
  int size(int slot) const { return static_cast<int>(ends[slot]) - start(slot); }
  double* operator[](int slot) { return values.data() + start(slot); }
  const double* operator[](int slot) const { return values.data() + start(slot); }

  // Its number. Names are the user's own, with what they belong to: "joint/hinge/angle".
  int add(const std::string& name, const std::vector<double>& initial) {
    names += name + '\n';
    values.insert(values.end(), initial.begin(), initial.end());
    ends.push_back(static_cast<double>(values.size()));
    return count() - 1;
  }
  // -1: there is none.
  int find(std::string_view name) const {
    int slot = 0;
    for (std::size_t at = 0; at < names.size(); ++slot) {
      const std::size_t end = names.find('\n', at);
      if (std::string_view(names).substr(at, end - at) == name) return slot;
      at = end + 1;
    }
    return -1;
  }
  // More or fewer values at its end; those of later slots move.
  void resize(int slot, int size) {
    const int change = size - this->size(slot), end = static_cast<int>(ends[slot]);
    if (change > 0) values.insert(values.begin() + end, change, 0.0);
    else values.erase(values.begin() + end + change, values.begin() + end);
    for (int s = slot; s < count(); ++s) ends[s] += change;
  }
};

}  // namespace lithe

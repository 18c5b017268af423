// What the joints of a model have in common: equations that one of them has made already, so that others need not.
#pragma once

#include <utility>
#include <vector>

#include "lithe/system/markers.h"

namespace lithe {

// Rigid bodies whose base vectors are tied to each other: one of them keeps its rows of rigidity, the rest follows. The
// ground is a member with number `bodies`.
class RigidGroups {
 public:
  explicit RigidGroups(int bodies) : root_(bodies + 1), ground_(bodies) {
    for (int b = 0; b <= bodies; ++b) root_[b] = b;
  }
  // Joins the groups of two bodies (-1: ground); returns the body whose rows of rigidity are implied from now on, -1
  // where both are in one group already.
  int join(int a, int b) {
    int x = find(a < 0 ? ground_ : a), y = find(b < 0 ? ground_ : b);
    if (x == y) return -1;
    if (y == ground_) std::swap(x, y);
    root_[y] = x;
    return y;
  }

 private:
  int find(int b) const { return root_[b] == b ? b : find(root_[b]); }
  std::vector<int> root_;
  int ground_;
};

// Sections whose two vectors some joint keeps at a right angle already.
class SquareSections {
 public:
  // Is this the first time?
  bool add(const Marker& m) {
    const Form &y = m.gradient[m.axis(1)], &z = m.gradient[m.axis(2)];
    for (const auto& [u, v] : known_)
      if (u.vectors == y.vectors && u.weights == y.weights && v.vectors == z.vectors && v.weights == z.weights)
        return false;
    known_.emplace_back(y, z);
    return true;
  }

 private:
  std::vector<std::pair<Form, Form>> known_;
};

}  // namespace lithe

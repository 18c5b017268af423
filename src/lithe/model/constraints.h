// What holds nodes of a body.
#pragma once

#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/model/place.h"

namespace lithe {

enum class Coordinate { position, x_gradient, y_gradient, z_gradient };
template <>
struct Words<Coordinate> {
  static constexpr std::array<const char*, 4> names{"position", "x_gradient", "y_gradient", "z_gradient"};
};

// What a clamp holds: position and rotation of the section, or all coordinates, its stretch too.
enum class Hold { section, all };
template <>
struct Words<Hold> {
  static constexpr std::array<const char*, 2> names{"section", "all"};
};

struct Clamp {
  At at;
  Hold hold = Hold::section;
};
const Schema& schema(const Clamp*);
struct Fix {
  At at;
  std::vector<Coordinate> coordinates{Coordinate::position};
  std::vector<Triple> along;  // empty: all directions
};
const Schema& schema(const Fix*);
using Constraint = std::variant<Clamp, Fix>;

void check(const Spot& here, const Constraint& constraint);

}  // namespace lithe

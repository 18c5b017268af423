// What holds nodes of a body.
#pragma once

#include <optional>
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
// What happens on one side of a plane is the mirror image of what happens on the other: the nodes lie in the plane.
enum class Axis { x, y, z };
template <>
struct Words<Axis> {
  static constexpr std::array<const char*, 3> names{"x", "y", "z"};
};
struct SymmetryPlane {
  At at;
  std::optional<Triple> normal = {};  // of the plane, or
  std::optional<Axis> axis = {};      // the global axis that it is
};
const Schema& schema(const SymmetryPlane*);
struct Pin {  // holds positions
  At at;
};
const Schema& schema(const Pin*);
struct Roller {  // holds positions along one direction
  At at;
  Triple normal{0, 0, 0};
};
const Schema& schema(const Roller*);
using Constraint = std::variant<Clamp, Fix, SymmetryPlane, Pin, Roller>;

void check(const Spot& here, const Constraint& constraint);

}  // namespace lithe

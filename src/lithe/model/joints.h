// Joints between bodies and the ground, and prescribed motions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "lithe/base/described.h"
#include "lithe/model/place.h"
#include "lithe/model/signal.h"

namespace lithe {

// A joint acts between places a and b, either of which may be the ground. Places and axes are given in the reference
// configuration, in global components. A body without a place ("rod") is taken at `point`, or where the other one is.
struct Weld {
  At a, b;
  std::optional<Triple> point;
};
const Schema& schema(const Weld*);
struct Spherical {
  At a, b;
  std::optional<Triple> point;
};
const Schema& schema(const Spherical*);
struct Revolute {
  At a, b;
  std::optional<Triple> point;
  Triple axis{0, 0, 1};
};
const Schema& schema(const Revolute*);
struct Universal {  // axis_a stays in a, axis_b in b; they stay perpendicular
  At a, b;
  std::optional<Triple> point;
  Triple axis_a{1, 0, 0}, axis_b{0, 1, 0};
};
const Schema& schema(const Universal*);
struct Cylindrical {  // turns about and slides along the axis
  At a, b;
  std::optional<Triple> point;
  Triple axis{0, 0, 1};
};
const Schema& schema(const Cylindrical*);
struct Prismatic {  // slides along the axis
  At a, b;
  std::optional<Triple> point;
  Triple axis{1, 0, 0};
};
const Schema& schema(const Prismatic*);
struct Planar {  // slides in the plane and turns about its normal, which belongs to a
  At a, b;
  std::optional<Triple> point;
  Triple normal{0, 0, 1};
};
const Schema& schema(const Planar*);
struct Distance {  // keeps two points at a distance; default: the one of the reference configuration
  At a, b;
  std::optional<Drive> distance;
};
const Schema& schema(const Distance*);
struct PointOnLine {  // b's point stays on a line of a
  At a, b;
  std::optional<Triple> point;
  Triple axis{1, 0, 0};
};
const Schema& schema(const PointOnLine*);
struct Gear {  // angle of joint_b = ratio * angle of joint_a, both counted from the start
  std::string joint_a, joint_b;
  double ratio = 1;
};
const Schema& schema(const Gear*);
struct Motion {  // a point follows given displacements, seen from the ground
  At at;
  std::array<std::optional<Drive>, 3> displacement;  // x, y, z from the reference position; none: free
};
const Schema& schema(const Motion*);
struct Turn {  // the angle of a revolute or cylindrical joint follows a signal
  std::string joint;
  Drive angle;  // rad, from the reference configuration
};
const Schema& schema(const Turn*);
struct Slide {  // the travel of a prismatic or cylindrical joint follows a signal
  std::string joint;
  Drive travel;  // m, from the reference configuration
};
const Schema& schema(const Slide*);
using Joint = std::variant<Weld, Spherical, Revolute, Universal, Cylindrical, Prismatic, Planar, Distance, PointOnLine,
                           Gear, Motion, Turn, Slide>;

void check(const Spot& here, const Joint& joint);

}  // namespace lithe

// Joints between bodies and the ground, and prescribed motions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/model/constraints.h"
#include "lithe/model/place.h"
#include "lithe/model/signal.h"

namespace lithe {

// What a joint leaves free and can measure: its angle, its travel, the two angles of a universal joint.
enum class JointCoordinate { angle, travel, angle_a, angle_b };
template <>
struct Words<JointCoordinate> {
  static constexpr std::array<const char*, 4> names{"angle", "travel", "angle_a", "angle_b"};
};

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
struct Screw {  // a cylindrical joint that moves on by `pitch` with every turn
  At a, b;
  std::optional<Triple> point;
  Triple axis{0, 0, 1};
  double pitch = 0;  // m a turn, right-handed; negative: left-handed
};
const Schema& schema(const Screw*);
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
struct PointInPlane {  // b's point stays in a plane of a
  At a, b;
  std::optional<Triple> point;
  Triple normal{0, 0, 1};
};
const Schema& schema(const PointInPlane*);
struct RackAndPinion {  // travel of the rack = radius * angle of the pinion, both counted from the start
  std::string pinion, rack;
  double radius = 0;  // negative: the rack goes the other way
};
const Schema& schema(const RackAndPinion*);
struct SlideAlong {  // b's point slides along a cable or beam
  std::string line;
  At b;
};
const Schema& schema(const SlideAlong*);
struct Reeving {  // a rope that does not stretch, from point to point over sheaves without friction and radius
  std::vector<At> points;
  std::vector<double> falls;    // of the rope between neighbours; none: one
  std::optional<Drive> length;  // of all falls; default: that of the reference configuration
};
const Schema& schema(const Reeving*);
struct Gear {  // angle of joint_b = ratio * angle of joint_a, both counted from the start
  std::string joint_a, joint_b;
  double ratio = 1;
};
const Schema& schema(const Gear*);
struct Motion {  // a point follows given displacements and turns by a given angle, seen from the ground
  At at;
  std::array<std::optional<Drive>, 3> displacement;   // x, y, z from the reference position; none: free
  std::array<std::optional<Drive>, 3> velocity = {};  // m/s instead, from the reference position at t = 0 on
  std::optional<Drive> angle = {};                    // rad about `axis`; other rotations are held; none: free
  std::optional<Triple> axis = {};
};
const Schema& schema(const Motion*);
struct Turn {  // the angle of a joint follows a signal
  std::string joint;
  std::optional<Drive> angle;      // rad, from the reference configuration
  std::optional<Drive> rate = {};  // rad/s instead
  std::optional<JointCoordinate> coordinate = {};
  // Spherical: about x, then y, then z as they have turned (global in the reference configuration); none: free.
  std::array<std::optional<Drive>, 3> angles = {};
};
const Schema& schema(const Turn*);
struct Slide {  // the travel of a joint follows a signal
  std::string joint;
  std::optional<Drive> travel;      // m, from the reference configuration
  std::optional<Drive> rate = {};   // m/s instead
  std::optional<Triple> axis = {};  // planar joints: along which direction of a
};
const Schema& schema(const Slide*);
// Nodes move as if they were part of a rigid body (or of the ground).
struct RigidConnection {
  At a, nodes;
  Hold hold = Hold::section;  // what follows beside positions, as of a clamp
};
const Schema& schema(const RigidConnection*);
// What the mean of a distributing connection is taken over: the sides (or elements) that the nodes span, or the nodes.
enum class MeanOver { sides, nodes };
template <>
struct Words<MeanOver> {
  static constexpr std::array<const char*, 2> names{"sides", "nodes"};
};
// A rigid body moves as the mean of nodes does; forces on it are spread over them and stiffen nothing.
struct DistributingConnection {
  At a, nodes;
  MeanOver mean = MeanOver::sides;
};
const Schema& schema(const DistributingConnection*);
using Joint = std::variant<Weld, Spherical, Revolute, Universal, Cylindrical, Prismatic, Planar, Distance, PointOnLine,
                           Gear, Motion, Turn, Slide, Screw, PointInPlane, RackAndPinion, SlideAlong, Reeving,
                           RigidConnection, DistributingConnection>;

// The coordinates of a joint, the first one is meant where nobody says which; empty: none.
std::vector<JointCoordinate> coordinates_of(const Joint& joint);

void check(const Spot& here, const Joint& joint);
// A direction in the plane of a planar joint, under `axis`.
void check_travel_axis(const Spot& here, const std::string& name, const Joint& joint, const Triple& axis);
// The points of a rope and its falls between them.
inline constexpr std::size_t most_rope_parts = 9;
void check_rope(const Spot& here, const std::vector<At>& points, const std::vector<double>& falls,
                const std::optional<Drive>& length);

}  // namespace lithe

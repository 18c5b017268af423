// Springs, dampers and bushings.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/model/force_law.h"
#include "lithe/model/joints.h"
#include "lithe/model/place.h"
#include "lithe/model/signal.h"

namespace lithe {

struct Spring {  // along the line between two points: stiffness (l - free_length) + damping dl/dt + law + force
  At a, b;
  double stiffness = 0, damping = 0;
  std::optional<double> free_length;  // default: the length of the reference configuration
  Signal force;                       // pulls the points together
  std::optional<ForceLaw> law = {};   // of l - free_length and its rate
};
const Schema& schema(const Spring*);
struct TorsionSpring {  // about the axis of a joint
  std::string joint;
  double stiffness = 0, damping = 0, free_angle = 0;
  Signal moment;
  std::optional<ForceLaw> law = {};  // of angle - free_angle and its rate
  std::optional<JointCoordinate> coordinate = {};
};
const Schema& schema(const TorsionSpring*);
struct TravelSpring {  // along the travel of a joint
  std::string joint;
  double stiffness = 0, damping = 0, free_travel = 0;
  Signal force;                     // moves b against a
  std::optional<ForceLaw> law;      // of travel - free_travel and its rate
  std::optional<Triple> axis = {};  // planar joints: along which direction of a
};
const Schema& schema(const TravelSpring*);
// Of a joint's coordinate; forces are N along a travel, N m about an angle. With `axis` of the travel of a planar
// joint.
struct Friction {  // up to force + coefficient N against the motion; with `slow` (force + coefficient N) tanh(rate /
                   // slow)
  std::string joint;
  std::optional<JointCoordinate> coordinate;
  std::optional<double> force;
  std::optional<double> slow = {};         // default: none by half steps, where it sticks exactly; else default_slow
  std::optional<double> coefficient = {};  // of the force N across the line
  std::optional<Triple> axis = {};
};
const Schema& schema(const Friction*);
inline constexpr double default_slow = 0.01;
// By half steps, without `slow`: exactly, as a contact.
bool sticks(const Model& model, const Friction& friction);
struct Stop {  // pushes back below `lower` and above `upper`; of a spherical joint the angle that `axis` has turned by
  std::string joint;
  std::optional<JointCoordinate> coordinate;
  std::optional<double> lower, upper;
  std::optional<double> stiffness;  // none: by half steps, rigid
  double damping = 0;
  std::optional<double> width;      // over which the stiffness sets in
  std::optional<Triple> axis = {};  // planar: of the travel; spherical: of the cone
  double restitution = 0;           // rigid: Newton's
};
const Schema& schema(const Stop*);
struct PdDrive {  // kp (target - x) + kd (target' - v), between -limit and limit
  std::string joint;
  std::optional<JointCoordinate> coordinate;
  Drive target;
  double kp = 0, kd = 0;
  std::optional<double> limit;
  std::optional<Triple> axis = {};
};
const Schema& schema(const PdDrive*);
struct Bushing {  // six stiffnesses and dampings between two frames, along a's axes
  At a, b;
  std::optional<Triple> point;
  std::optional<Triple> x_axis, y_axis;
  Triple stiffness{0, 0, 0}, damping{0, 0, 0}, torsion_stiffness{0, 0, 0}, torsion_damping{0, 0, 0};
};
const Schema& schema(const Bushing*);
struct Rope {  // elastic, from point to point over sheaves without friction and radius; pulls and never pushes
  std::vector<At> points;
  std::vector<double> falls;  // of the rope between neighbours; none: one
  double EA = 0, damping = 0;
  std::optional<Drive> length;  // free of stress, of all falls; default: that of the reference configuration
};
const Schema& schema(const Rope*);
using SpringElement = std::variant<Spring, TorsionSpring, Bushing, TravelSpring, Friction, Stop, PdDrive, Rope>;

void check(const Spot& here, const SpringElement& spring);

}  // namespace lithe

// Springs, dampers and bushings.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "lithe/base/described.h"
#include "lithe/model/place.h"
#include "lithe/model/signal.h"

namespace lithe {

struct Spring {  // along the line between two points: stiffness (l - free_length) + damping dl/dt + force
  At a, b;
  double stiffness = 0, damping = 0;
  std::optional<double> free_length;  // default: the length of the reference configuration
  Signal force;                       // pulls the points together
};
const Schema& schema(const Spring*);
struct TorsionSpring {  // about the axis of a revolute or cylindrical joint
  std::string joint;
  double stiffness = 0, damping = 0, free_angle = 0;
  Signal moment;
};
const Schema& schema(const TorsionSpring*);
struct Bushing {  // six stiffnesses and dampings between two frames, along a's axes
  At a, b;
  std::optional<Triple> point;
  std::optional<Triple> x_axis, y_axis;
  Triple stiffness{0, 0, 0}, damping{0, 0, 0}, torsion_stiffness{0, 0, 0}, torsion_damping{0, 0, 0};
};
const Schema& schema(const Bushing*);
using SpringElement = std::variant<Spring, TorsionSpring, Bushing>;

void check(const Spot& here, const SpringElement& spring);

}  // namespace lithe

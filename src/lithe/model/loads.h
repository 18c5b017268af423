// Loads.
#pragma once

#include <array>
#include <string>
#include <variant>

#include "lithe/base/described.h"
#include "lithe/model/place.h"
#include "lithe/model/signal.h"

namespace lithe {

using Signals = std::array<Signal, 3>;

struct Gravity {
  Signals acceleration{Signal(0), Signal(0), Signal(-9.80665)};
};
const Schema& schema(const Gravity*);
struct PointForce {
  At at;
  Signals force;
  bool follower = false;  // turns with the body; components are those of the reference configuration
};
const Schema& schema(const PointForce*);
// What a moment turns: the section, as joints hold it, or r_x, r_y, r_z alike (P0).
enum class MomentTurns { section, gradients };
template <>
struct Words<MomentTurns> {
  static constexpr std::array<const char*, 2> names{"section", "gradients"};
};
struct PointMoment {
  At at;
  Signals moment;
  MomentTurns turns = MomentTurns::section;
  bool follower = false;  // as of a force
};
const Schema& schema(const PointMoment*);
struct LineLoad {
  At on;
  Signals force;  // N/m of reference length
};
const Schema& schema(const LineLoad*);
struct Traction {
  At on;
  Signals force;  // Pa of reference area, dead
};
const Schema& schema(const Traction*);
struct Pressure {
  At on;
  Signal pressure;  // Pa, against the outward normal, follows the surface
};
const Schema& schema(const Pressure*);
struct BodyForce {
  std::string body;
  Signals force;  // N/m^3 of reference volume
};
const Schema& schema(const BodyForce*);
// A change of temperature against the reference: change + y gradient_y + z gradient_z, y and z from the body's line or
// surface.
struct Temperature {
  std::string body;
  Signal change{0}, gradient_y{0}, gradient_z{0};  // K, K/m
};
const Schema& schema(const Temperature*);
using Load = std::variant<PointForce, PointMoment, LineLoad, Pressure, Gravity, BodyForce, Temperature, Traction>;

void check(const Spot& here, const Load& load);

}  // namespace lithe

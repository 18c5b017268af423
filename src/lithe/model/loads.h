// Loads.
#pragma once

#include <array>
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
};
const Schema& schema(const PointMoment*);
struct LineLoad {
  At on;
  Signals force;  // N/m of reference length
};
const Schema& schema(const LineLoad*);
struct Pressure {
  At on;
  Signal pressure;  // Pa, against the outward normal, follows the surface
};
const Schema& schema(const Pressure*);
using Load = std::variant<PointForce, PointMoment, LineLoad, Pressure, Gravity>;

void check(const Spot& here, const Load& load);

}  // namespace lithe

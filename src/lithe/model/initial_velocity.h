// Velocities at the start.
#pragma once

#include <array>

#include "lithe/base/described.h"
#include "lithe/model/place.h"
#include "lithe/model/signal.h"

namespace lithe {

// Rates of the gradients r_x, r_y, r_z at a node: those of the velocity field, (dv/dx) r_x and so on, or zero.
enum class GradientRates { field, zero };
template <>
struct Words<GradientRates> {
  static constexpr std::array<const char*, 2> names{"field", "zero"};
};

struct InitialVelocity {
  At on;                                  // body, set of nodes or node
  std::array<SpaceFunction, 3> velocity;  // a field: functions of x, y, z in the reference configuration
  GradientRates gradient_rates = GradientRates::field;
  Triple angular_velocity{0, 0, 0};  // rigid rotation in addition, gradients included
  Triple center{0, 0, 0};            // of that rotation
};
const Schema& schema(const InitialVelocity*);

void check(const Spot& here, const InitialVelocity& velocity);

}  // namespace lithe

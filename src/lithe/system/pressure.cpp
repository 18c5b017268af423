#include "lithe/system/pressure.h"

#include "lithe/system/loads.h"
#include "lithe/system/pressure_view.h"

namespace lithe {

PressureSide PressureSides::operator[](int i) const {
  const int first = vector_start[i];
  const std::size_t at = static_cast<std::size_t>(first) * pressure_points;
  return {vector_start[i + 1] - first,
          &vector[first],
          &S[at],
          &slope_a[at],
          &slope_b[at],
          &weight[static_cast<std::size_t>(i) * pressure_points]};
}

void add_pressure_force(const PressureSides& sides, int side, const State& state, const ForceSink& sink) {
  add_pressure_force(sides[side], value_at(sides.pressure[sides.load[side]], state), state.q.data(), sink);
}

void add_pressure_tangent(const System& system, int side, const State& state, double c_q, const TangentSink& sink) {
  const PressureSides& sides = system.pressure_sides;
  add_pressure_tangent(sides[side], value_at(sides.pressure[sides.load[side]], state), state.q.data(), c_q,
                       system.symmetric, sink);
}

}  // namespace lithe

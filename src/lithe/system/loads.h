// Applied loads: compiled once to weights on coordinate vectors, evaluated at a state, with their tangent.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

void compile_loads(System& system);
// Of gravity as it acts at this state, 0 at the origin.
double gravity_potential(const System& system, const State& state);
// Adds the tangent of the applied loads (minus their derivative) to values: moments and pressures depend on q.
void add_load_tangent(const System& system, const State& state, double c_q, std::vector<double>& values);

// The first row of a load's table inside of the step t to t + h that the step would miss; infinity: none.
double load_row_inside(const System& system, double t, double h);

}  // namespace lithe

// Applied loads: compiled once to weights on coordinate vectors, evaluated at a state, with their tangent.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

void compile_loads(System& system);
// Adds the tangent of the applied loads (minus their derivative) to values: moments and pressures depend on q.
void add_load_tangent(const System& system, const State& state, double c_q, std::vector<double>& values);
// Adds a 3x3 block, in global axes, at the place of (row vector, column vector).
void add_block(const System& system, int row_vector, int column_vector, const Mat3<double>& block,
               std::vector<double>& values);

}  // namespace lithe

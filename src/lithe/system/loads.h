// Applied loads: compiled once to weights on coordinate vectors, evaluated at a state, with their tangent.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

void compile_loads(System& system);
// Of gravity as it acts at this state, 0 at the origin.
double gravity_potential(const System& system, const State& state);

// As they act at this state: constant loads grow with the load factor, tables and expressions follow the time.
double value_at(const Signal& signal, const State& state);
Vec3<double> value_at(const Signals& signals, const State& state);
void add_point_forces(const PointForces& forces, const State& state, Team& team, std::vector<double>& external);

// The first row of a load's table at which the step t to t + h should end (Table::row_inside).
Table::Row load_row_inside(const System& system, double t, double h);

}  // namespace lithe

// Dead moments at points of bodies.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

void compile_moment(System& system, const PointMoment& load);
// force += what `moment` does to the coordinates, with the value M.
void add_moment_force(const CompiledMoment& moment, const Vec3<double>& M, const State& state,
                      std::vector<double>& force);
// values -= c_q times its derivative.
void add_moment_tangent(const System& system, const CompiledMoment& moment, const Vec3<double>& M, const State& state,
                        double c_q, std::vector<double>& values);

}  // namespace lithe

// Moments at points of bodies, and forces that turn with them.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

void compile_moment(System& system, const PointMoment& load);
void compile_follower(System& system, const PointForce& load);
// What `moment` does to the coordinates, and -c_q times its derivative.
void add_moment_force(const CompiledMoment& moment, const State& state, const ForceSink& sink);
void add_moment_tangent(const CompiledMoment& moment, const State& state, double c_q, const TangentSink& sink);

}  // namespace lithe

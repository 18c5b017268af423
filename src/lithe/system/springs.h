// Springs, dampers and bushings: forces between places of bodies.
#pragma once

#include <vector>

#include "lithe/system/system.h"

namespace lithe {

// From system.model.springs to system.springs; part of compile(), after the joints.
void compile_springs(System& system);
// Vectors that each spring couples.
std::vector<std::vector<int>> coupled_vectors(const System& system);
// Does every spring have a symmetric tangent (up to the symmetric part that damping is given by default)?
bool springs_symmetric(const System& system);
// internal += forces of the springs.
void add_spring_forces(const System& system, const State& state, std::vector<double>& internal);
// values += c_q df/dq + c_v df/dv.
void add_spring_tangent(const System& system, const State& state, double c_q, double c_v, std::vector<double>& values);
double spring_energy(const System& system, const State& state);

}  // namespace lithe

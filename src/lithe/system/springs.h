// Springs, dampers, actuators and bushings: forces between places of bodies.
#pragma once

#include <string>
#include <vector>

#include "lithe/system/system.h"

namespace lithe {

constexpr int most_spring_arguments = 9;  // an angle: three directions

// From system.model.springs to system.springs; part of compile(), after the joints.
void compile_springs(System& system);
// Vectors that each spring couples.
std::vector<std::vector<int>> coupled_vectors(const System& system);
// Does every spring have a symmetric tangent (up to the symmetric part that damping is given by default)?
bool springs_symmetric(const System& system);
// Internal forces: of spring and damper.
void add_spring_force(const CompiledSpring& spring, const State& state, const ForceSink& sink);
// External forces: of the actuator; a constant one grows with the load factor, as loads do.
void add_actuator_force(const CompiledSpring& spring, const State& state, const ForceSink& sink);
// force += minus the derivative of the spring forces by the load factor, with which statics ramp their prestress.
void add_prestress(const System& system, const State& state, std::vector<double>& force);
// c_q df/dq + c_v df/dv of all three.
void add_spring_tangent(const System& system, const CompiledSpring& spring, const State& state, double c_q, double c_v,
                        const TangentSink& sink);
// Of the springs alone, without dampers and actuators.
double spring_energy(const System& system, const State& state);

// What is recorded of spring number `index`: its strains (length, angle, or travel and rotation of a bushing along a's
// axes), their rates, and its forces or moments with damper and actuator; a positive force pulls the points together.
std::vector<double> spring_values(const System& system, const State& state, int index);
struct SpringColumns {
  std::vector<std::string> names, units;
};
SpringColumns spring_columns(const System& system, int index);

}  // namespace lithe

// Springs, dampers, actuators and bushings: forces between places of bodies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lithe/constraints/forms.h"
#include "lithe/model/force_law.h"
#include "lithe/model/signal.h"
#include "lithe/system/chunks.h"
#include "lithe/system/spring_strains.h"
#include "lithe/system/state.h"

namespace lithe {

constexpr int most_spring_arguments = 9;  // an angle: three directions

// Springs of a model, flat arrays. Signals and force laws are evaluated on the host.
struct Springs {
  std::vector<SpringLaw> law;                   // [spring]
  std::vector<Signal> actuator;                 // [spring] on the first strain
  std::vector<ForceLaw> bent;                   // [spring] of the first strain less its rest; or nothing
  std::vector<Signal> target;                   // [spring] of a pd drive
  std::vector<std::int32_t> argument_start{0};  // [spring + 1]
  Forms arguments;                              // [argument_start]
  std::vector<std::int32_t> vector_start{0};    // [spring + 1]
  std::vector<std::int32_t> vector;             // [vector_start] all, ascending
  std::vector<std::int32_t> weight_start{0};    // [spring + 1]
  std::vector<double> weight;                   // [weight_start][vector][argument]

  std::vector<std::uint8_t> mapped;  // [spring] meets a mapped body; empty: none does

  int count() const { return static_cast<int>(law.size()); }
  // Does friction depend on the force across a line?
  bool presses() const {
    return std::ranges::any_of(law, [](const SpringLaw& one) { return one.joint.pressed >= 0; });
  }
  bool is_mapped(int i) const { return !mapped.empty() && mapped[i] != 0; }
  // function(vector) for all that spring i couples.
  template <class Function>
  void for_vectors(int i, Function&& function) const {
    for (int k = vector_start[i]; k < vector_start[i + 1]; ++k) function(vector[k]);
  }
};

// From system.model.springs to system.springs; part of compile(), after the joints.
void compile_springs(System& system);
// Does every spring have a symmetric tangent (up to the symmetric part that damping is given by default)?
bool springs_symmetric(const System& system);
// Internal forces: of spring, damper, force law, friction, stop and pd drive.
void add_spring_force(const Springs& springs, int spring, const State& state, const ForceSink& sink);
// External forces: of the actuator; a constant one grows with the load factor, as loads do.
void add_actuator_force(const Springs& springs, int spring, const State& state, const ForceSink& sink);
// force += minus the derivative of the spring forces by the load factor, with which statics ramp their prestress.
void add_prestress(const System& system, const State& state, std::vector<double>& force);
// c_q df/dq + c_v df/dv of all three.
void add_spring_tangent(const System& system, int spring, const State& state, double c_q, double c_v,
                        const TangentSink& sink);
// What a spring does in the direction of its strains: slopes of the force over strain and rate, [strain], and gradients
// of the strains over the vectors that it couples, [strain][vector].
struct SpringSlopes {
  int strains = 0;
  double stiffness[6], damping[6], value[6];
  std::vector<Vec3<double>> gradient;
};
void spring_slopes(const Springs& springs, int spring, const State& state, SpringSlopes& slopes);
// Work against the internal forces of a spring, by the trapezoidal rule over its strains.
double spring_work(const Springs& springs, int spring, const State& begin, const State& end);
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

// Changes of temperature. With the strain e_T = alpha T of a section that is free, its stress resultants are
// C (e - e_T): to the forces over the coordinates comes (de/dq)^T C e_T, an applied force that changes with the shape.
// A beam has e_T = (alpha change, 0, 0, 0, alpha gradient_z, -alpha gradient_y); the resultants of a shell are summed
// over its layers; a cable stretches. Solids and formulation `continuum` do the same at every point: S = D (E - alpha
// T).
#pragma once

#include "lithe/system/system.h"

namespace lithe {

void compile_temperature(System& system, const Temperature& load);
void add_thermal_force(const System& system, const HeatedElement& heated, const State& state, const ForceSink& sink);
// -c_q times its derivative.
void add_thermal_tangent(const System& system, const HeatedElement& heated, const State& state, double c_q,
                         const TangentSink& sink);

// At this state: what is taken off the resultants of the section of an element (adds to `resultants`, those of the
// kind), and the change of temperature at a material point.
void add_thermal_resultants(const System& system, const State& state, int body, int element, double* resultants);
double temperature_change(const System& system, const State& state, int body, const MaterialPoint& point);

}  // namespace lithe

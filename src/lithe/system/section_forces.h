// What the section of a beam, a shell or a cable carries at a material point: C (e + tau de/dt) of its strains, less
// what a change of temperature takes off. It is what the part beyond the section (towards the body's end, or along its
// own axes 1 and 2) does to the part before it.
//
//   beam    N, Q_y, Q_z, M_x, M_y, M_z       axes of the section, about its line
//   shell   N11, N22, N12, M11, M22, M12, Q13, Q23 per reference length; M = int z S dz
//   cable   N the tension, M the bending moment, without its direction
//
// Between two elements the place belongs to the first of them.
#pragma once

#include <string>
#include <vector>

#include "lithe/system/system.h"

namespace lithe {

struct SectionForceColumns {
  std::vector<std::string> names, units;
};
SectionForceColumns section_force_columns(ElementKind kind);
std::vector<double> section_forces(const System& system, const State& state, int body, const MaterialPoint& point);

}  // namespace lithe

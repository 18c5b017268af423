// What is recorded: named channels (a few numbers per step each) and fields (numbers at nodes), computed from a State.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lithe/system/system.h"

namespace lithe {

// Finds the places of system.model.outputs; part of compile().
void compile_outputs(System& system);

struct Channel {
  std::string name;
  std::vector<std::string> columns;  // "x", "y", "z" or the names of the quantities
  std::vector<std::string> units;
};

// The channels of system.model.outputs, in order.
std::vector<Channel> channels(const System& system);
// Values of all channels, one after another. `work.internal` and `work.external` must hold at this state.
std::vector<double> channel_values(const System& system, const State& state, const Workspace& work);

// Strain and stress at a material point: Green-Lagrange strain and second Piola-Kirchhoff stress in the material frame
// (Voigt 11, 22, 33, 23, 13, 12), Cauchy stress in global axes (same order: xx, yy, zz, yz, xz, xy), von Mises of it.
struct PointStress {
  double green_lagrange[6], second_piola[6], cauchy[6], von_mises;
};
PointStress stress_at(const System& system, const State& state, int body, const MaterialPoint& point);
// A beam by its section has stress where its material is; throw InputError.
void check_stress_place(const System& system, int body, const MaterialPoint& point, const Where& where);
void check_largest_stress(const System& system, int body, const Where& where);
// Turns what has other axes: `global` strain and second Piola-Kirchhoff stress, `element` the Cauchy stress, to the
// element's axes as the rotation of the deformation gradient carries them.
void turn_stress(const System& system, const State& state, int body, const MaterialPoint& point, StressAxes axes,
                 PointStress& s);
// Of a symmetric tensor (xx, yy, zz, yz, xz, xy), the largest first.
std::array<double, 3> principal_values(const double* s);
// Coordinates of one element, [N][3], from those of all vectors.
void gather_element(const std::vector<double>& q, const BodyInfo& body, int element, double* e);

bool has_nodal_stress(ElementKind kind);
// Von Mises stress at the nodes of a body, the largest over the elements that meet there; runs keep a NodalStress.
std::vector<double> nodal_von_mises(const System& system, const State& state, int body);
// The largest over samples^3 equally spaced points of every element, corners included.
double max_von_mises(const System& system, const State& state, int body, int samples);

}  // namespace lithe

// Strain and stress from the deformation gradient of a material point and its rate: S = D : (E + tau dE/dt),
// sigma = F S F^T / det F, von Mises of sigma. One function for all who ask, so that they get the same bits.
#pragma once

#include "lithe/elements/materials/law.h"
#include "lithe/system/outputs.h"

namespace lithe {

PointStress point_stress(const Law& law, const Mat3<double>& F, const Mat3<double>& rate);
// Strain E and its rate measured otherwise (formulation `section`), Voigt; F carries the stress to global axes.
PointStress point_stress(const Law& law, const double* E, const double* rate, const Mat3<double>& F);

// As stress_at(), of a state that is strained_state() of the body already.
PointStress stress_of_strained(const System& system, const State& state, int body, const MaterialPoint& point);

}  // namespace lithe

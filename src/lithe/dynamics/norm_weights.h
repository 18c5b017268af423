// How numbers of different units count together, once for statics and dynamics. Forces conjugate to gradients (N m)
// count divided by the size L of the model, corrections and errors of positions divided by L, of gradients as they are.
#pragma once

#include <vector>

#include "lithe/system/system.h"

namespace lithe {

struct NormWeights {
  explicit NormWeights(const System& system);
  std::vector<double> force, correction;                        // [unknown]
  std::vector<double> coordinate_force, coordinate_correction;  // [vector][3]
};

// Squares of weights, as weighted sums take them.
std::vector<double> squares(std::vector<double> weights);

}  // namespace lithe

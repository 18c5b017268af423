// Matrices of steps of nets, plates and blocks, A = K + c_a M at the reference configuration with steps of 1 ms, for
// the sections of `lithe bench linalg` about Krylov methods.
#pragma once

#include <string>

#include "lithe/linalg/linear_solver.h"

namespace lithe::app {

struct StepMatrix {
  std::string family;
  MatrixKind kind;
  int multipliers = 0;
  SparsePattern pattern;
  std::vector<double> values;
};

// P3's net of cells x cells, with nodes that are shared or with elements joined by constraints.
StepMatrix net_matrix(int cells, bool joined);
// side x side Shell 3443; side^3 hex8.
StepMatrix plate_matrix(int side);
StepMatrix block_matrix(int side);

}  // namespace lithe::app

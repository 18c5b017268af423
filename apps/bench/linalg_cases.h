// Matrices for the choice of a solver, and the times of every solver on them: the tangent of the N-four-bar mechanism
// with artificial nonzeros (P4, section 5), saddle points of the same mechanism, and grids of finite elements beyond
// the sizes of P4.
#pragma once

#include <string>
#include <vector>

#include "lithe/linalg/choose_solver.h"

namespace lithe::app {

struct MatrixCase {
  std::string family;  // four_bar, saddle, plate, block
  MatrixKind kind;
  double wanted_fill = 0;         // %, asked for; 0: nothing artificial
  SparsePattern pattern;          // symmetric: upper triangle stored
  std::vector<double> values[2];  // two states of a simulation, a little apart: factorisations alternate
  double fill() const;            // % of entries, both triangles
};

// Tangent M + h^2/4 p J^T J of P4, eq. 5, with `variables` (even) unknowns, and a mass matrix with so many random
// symmetric nonzeros that `fill` % of the entries are in use. They are weighed so that definiteness stays. Other kinds
// have the same pattern: symmetric_indefinite with random signs, unsymmetric with different triangles.
MatrixCase four_bar_case(MatrixKind kind, int variables, double fill);
// [M J^T; J 0] of N loops, 4 N + 3 unknowns; the artificial nonzeros are in M: `fill` % of that block.
MatrixCase saddle_case(MatrixKind kind, int loops, double fill);
// Nodes of three unknowns on a grid, each coupled with all neighbours, one grid direction held at one end.
MatrixCase grid_case(MatrixKind kind, int nx, int ny, int nz);

struct CaseTime {
  std::string solver;
  Ordering ordering = Ordering::automatic;
  bool keep_pivots = true;
  double factor_us = 1e300, solve_us = 1e300;  // CPU time, least of all rounds
  double backward_error = 0;                   // |b - A x| / (|A| |x| + |b|), maximum norms, worst of both states
  std::string failure;                         // of a solver that does not take the matrix; empty: none
  double total(double factorisations, double solves) const { return factorisations * factor_us + solves * solve_us; }
  bool ok() const { return failure.empty(); }
};

struct MeasuredCase {
  std::string family;
  MatrixKind kind;
  double wanted_fill = 0, fill = 0;
  SparsePattern pattern;
  FactorCounts counts;
  std::vector<CaseTime> times;
};

// All solvers that take the kind, in turns; those that keep pivots also without that. `seconds`: about, for each.
MeasuredCase measure_case(const MatrixCase& matrix, double seconds);

}  // namespace lithe::app

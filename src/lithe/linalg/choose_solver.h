// `auto`: which direct solver for this matrix, from its kind, its size and its fill.
//
// AMD orders the pattern and counts the entries and operations of its factors without computing them. Each candidate
// has a cost model with four numbers, fitted to measured times of factor() plus solve(); the cheapest one is taken. P4,
// table 3 is such a rule with two numbers (size and fill) for the solvers and processors of its time.
#pragma once

#include <string>

#include "lithe/linalg/linear_solver.h"

namespace lithe {

struct SolverChoice {
  std::string name;
  Ordering ordering = Ordering::automatic;
  double microseconds = 0;  // expected for one factorisation with one solve
  std::string why;          // "positive definite, 12291 unknowns, fill 0.2 %: cholmod with amd"
};

// A symmetric indefinite matrix may have zeros on its diagonal: only solvers that pivot are considered.
SolverChoice choose_linear_solver(const SparsePattern& pattern, MatrixKind kind);

}  // namespace lithe

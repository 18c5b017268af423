// `auto`: would a Krylov method be less work than factors? Tried, not guessed: one solve of the matrix at hand, with as
// many iterations as a solve with factors is worth. What does not converge within them is never chosen.
//
// Work is counted in numbers read and operations, never on a clock.
#pragma once

#include <string>

#include "lithe/linalg/choose_solver.h"

namespace lithe {

struct IterativeTrial {
  bool pays = false;
  std::string solver;  // cg, or projected_minres where there are multipliers
  int iterations = 0;  // of the trial
  int most = 0;        // of a solve, from which on factors are less work
  std::string why;     // "positive definite, 90000 unknowns: ..."
};

// Factors that are expected to have fewer entries than this are no matter: nothing is tried.
inline constexpr double worth_a_trial = 3e5;

// Seconds of a core, round numbers of what `lithe bench linalg --only krylov` finds on nets, plates and blocks.
struct IterativeCosts {
  double solve_number = 1.5e-9, pivoted_number = 5e-9;  // of an entry of the factors in a solve; mumps, which pivots
  double factor_operation = 5e-11, factor_number = 1.2e-8;  // of an operation and of an entry in a factorisation
  double product_number = 1e-9;                             // of a number in a product or a preconditioner
  double vector_unknown = 6e-9;                             // of an unknown in the vectors of an iteration
};
inline constexpr IterativeCosts iterative_costs;

// The symmetric `values` over `pattern`, the last `multipliers` rows and columns being [0 G^T; G 0]; `expected`: of the
// factors of a direct solver, which `pivots` or not.
IterativeTrial try_iterative(const SparsePattern& pattern, MatrixKind kind, int multipliers,
                             const std::vector<double>& values, const FactorCounts& expected, bool pivots, Team* team);

}  // namespace lithe

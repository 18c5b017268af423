// `auto`: which direct solver for this matrix, from its kind, its size and its fill.
//
// AMD orders the pattern and counts the entries and operations of its factors without computing them. Each candidate
// has a cost model with four numbers, fitted to measured times of factor() plus solve(); the cheapest one is taken. P4,
// table 3 is such a rule with two numbers (size and fill) for the solvers and processors of its time.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "lithe/linalg/linear_solver.h"

namespace lithe {

// Unknowns of a dense matrix: LAPACK counts its entries with 32 bits.
inline constexpr int largest_dense = 46340;

// Of L in A + A^T = L D L^T with AMD's order.
struct FactorCounts {
  double n = 0;
  double nonzeros = 0;  // with the diagonal
  double flops = 0;     // of L D L^T; L U takes twice as many
};
// Full patterns above `narrow` entries are counted with indices of 64 bits.
FactorCounts count_factors(const SparsePattern& pattern,
                           std::int64_t narrow = std::numeric_limits<std::int32_t>::max());

// Microseconds of one factorisation and one solve: constant + unknown n + nonzero nnz(L) + flop flops. For a dense
// solver nnz(L) and flops are those of a full matrix.
struct SolverCost {
  std::string solver;
  MatrixKind kind;
  double constant = 0, unknown = 0, nonzero = 0, flop = 0;
  bool dense() const;
  double microseconds(const FactorCounts& counts) const;
};
// Of all candidates; fitted by `lithe bench linalg`, which prints how well they choose.
const std::vector<SolverCost>& solver_costs();

struct SolverChoice {
  std::string name;
  Ordering ordering = Ordering::automatic;
  double microseconds = 0;  // expected for one factorisation with one solve
  FactorCounts counts;      // of its factors, by AMD's order
  std::string why;          // "positive definite, 12291 unknowns, fill 0.2 %: cholmod_supernodal with amd"
};

// A symmetric indefinite matrix may have zeros on its diagonal: only solvers that pivot are considered, and of all only
// those that this build has.
SolverChoice choose_linear_solver(const SparsePattern& pattern, MatrixKind kind,
                                  const std::vector<SolverCost>& costs = solver_costs());

// `components`, where the matrix falls into many that are alike and factors of them side by side are expected to be
// less work than those of any other solver. Multipliers as in SolverOptions.
std::optional<SolverChoice> choose_components(const SparsePattern& pattern, MatrixKind kind, int multipliers);

}  // namespace lithe

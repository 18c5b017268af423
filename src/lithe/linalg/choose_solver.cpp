#include "lithe/linalg/choose_solver.h"

#include <amd.h>
#include <fmt/format.h>

#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

// Of a full matrix of this size.
FactorCounts full_counts(double n) { return {n, n * (n + 1) / 2, n * n * n / 3}; }

FactorCounts count(const SparsePattern& full) {
  std::vector<int> order(full.size);
  double info[AMD_INFO];
  if (amd_order(full.size, full.column_start.data(), full.row.data(), order.data(), nullptr, info) < AMD_OK)
    throw RunError("the ordering of the matrix ran out of memory");
  return {double(full.size), info[AMD_LNZ] + full.size, info[AMD_NDIV] + 2 * info[AMD_NMULTSUBS_LDL]};
}

}  // namespace

FactorCounts count_factors(const SparsePattern& pattern) { return count(FullPattern(pattern).pattern); }

bool SolverCost::dense() const { return solver.starts_with("lapack"); }

double SolverCost::microseconds(const FactorCounts& counts) const {
  const FactorCounts f = dense() ? full_counts(counts.n) : counts;
  return constant + unknown * f.n + nonzero * f.nonzeros + flop * f.flops;
}

const std::vector<SolverCost>& solver_costs() {
  using enum MatrixKind;
  // Fitted on one core of an AMD EPYC (Zen 4) with OpenBLAS, from chains of four-bar loops (12 to 1002 unknowns),
  // beams, plates and blocks of solid (1200 to 9600), saddle points (26 to 13333) and full matrices (20 to 100).
  static const std::vector<SolverCost> costs{
      {"lapack_cholesky", positive_definite, 0.3, 0.06, 0, 1.5e-4},
      {"cholmod_simplicial", positive_definite, 0.2, 0, 0.012, 3.5e-4},
      {"cholmod_supernodal", positive_definite, 2, 0, 0.005, 0.8e-4},
      {"lapack_ldl", symmetric_indefinite, 0.3, 0.06, 0, 1.65e-4},
      {"mumps", symmetric_indefinite, 70, 0.4, 0, 1.2e-4},
      {"klu", symmetric_indefinite, 0.2, 0, 0.016, 8.6e-4},
      {"lapack_lu", unsymmetric, 0.3, 0.06, 0, 1.95e-4},
      {"mumps", unsymmetric, 75, 0.5, 0, 2e-4},
      {"klu", unsymmetric, 0.2, 0, 0.016, 8.6e-4},
      {"superlu", unsymmetric, 4, 0.3, 0.02, 3e-4},
  };
  return costs;
}

SolverChoice choose_linear_solver(const SparsePattern& pattern, MatrixKind kind, const std::vector<SolverCost>& costs) {
  const MatrixKind stored = pattern.symmetric ? kind : MatrixKind::unsymmetric;  // symmetric solvers take a triangle
  const FullPattern expanded(pattern);
  const FactorCounts f = count(expanded.pattern);
  SolverChoice choice;
  choice.microseconds = std::numeric_limits<double>::infinity();
  for (const SolverCost& cost : costs) {
    const double time = cost.microseconds(f);
    if (cost.kind != stored || time >= choice.microseconds) continue;
    choice.microseconds = time;
    choice.name = cost.solver;
  }
  // Minimum degree loses against nested dissection where the factors fill up (CHOLMOD's own test). CHOLMOD then tries
  // both.
  const bool fills = f.flops >= 500 * f.nonzeros && f.nonzeros >= 2.5 * double(expanded.pattern.nonzeros());
  if (choice.name.starts_with("lapack")) choice.ordering = Ordering::automatic;
  else if (!fills) choice.ordering = Ordering::amd;
  else choice.ordering = choice.name.starts_with("cholmod") ? Ordering::automatic : Ordering::metis;
  const double fill = 100 * double(expanded.pattern.nonzeros()) / (f.n * f.n);
  const char* order = choice.name.starts_with("lapack")        ? ""
                      : choice.ordering == Ordering::automatic ? " with amd or metis"
                      : choice.ordering == Ordering::metis     ? " with metis"
                                                               : " with amd";
  choice.why =
      fmt::format("{}, {} unknowns, fill {:.2g} %: {}{}", to_string(kind), pattern.size, fill, choice.name, order);
  return choice;
}

}  // namespace lithe

#include "lithe/linalg/choose_solver.h"

#include <amd.h>
#include <fmt/format.h>

#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

struct Factors {  // of A + A^T in AMD's order
  double n = 0;
  double nonzeros = 0;  // of L with its diagonal
  double flops = 0;     // of L D L^T; L U takes twice as many
};

Factors count_factors(const SparsePattern& full) {
  std::vector<int> order(full.size);
  double info[AMD_INFO];
  if (amd_order(full.size, full.column_start.data(), full.row.data(), order.data(), nullptr, info) < AMD_OK)
    throw RunError("the ordering of the matrix ran out of memory");
  return {double(full.size), info[AMD_LNZ] + full.size, info[AMD_NDIV] + 2 * info[AMD_NMULTSUBS_LDL]};
}

// Microseconds of one factorisation and one solve: constant + unknown n + nonzero nnz(L) + flop flops(LDLt).
struct Cost {
  double constant, unknown, nonzero, flop;
  double operator()(const Factors& f) const { return constant + unknown * f.n + nonzero * f.nonzeros + flop * f.flops; }
};

// Fitted on one core of an AMD EPYC (Zen 4) with OpenBLAS, from chains of four-bar loops (12 to 1002 unknowns), beams,
// plates and blocks of solid (1200 to 9600), saddle points (26 to 13333) and full matrices (20 to 100).
constexpr Cost simplicial{0.2, 0, 0.012, 3.5e-4}, supernodal{2, 0, 0.005, 0.8e-4};
constexpr Cost klu{0.2, 0, 0.016, 8.6e-4}, mumps_symmetric{70, 0.4, 0, 1.2e-4}, mumps_general{75, 0.5, 0, 2e-4};
constexpr Cost superlu{4, 0.3, 0.02, 3e-4};

// CHOLMOD takes supernodes from this ratio on (Common->supernodal_switch).
double cholmod_cost(const Factors& f) { return f.flops / f.nonzeros < 40 ? simplicial(f) : supernodal(f); }

double dense_cost(double n, double cube) { return 0.3 + 0.06 * n + cube * n * n * n; }

}  // namespace

SolverChoice choose_linear_solver(const SparsePattern& pattern, MatrixKind kind) {
  const FullPattern expanded(pattern);
  const Factors f = count_factors(expanded.pattern);
  SolverChoice choice;
  choice.microseconds = std::numeric_limits<double>::infinity();
  const auto offer = [&](const char* name, double cost) {
    if (cost >= choice.microseconds) return;
    choice.microseconds = cost;
    choice.name = name;
  };
  const bool symmetric = pattern.symmetric;  // the triangle that symmetric solvers take
  if (kind == MatrixKind::positive_definite && symmetric) {
    offer("cholmod", cholmod_cost(f));
    offer("lapack_cholesky", dense_cost(f.n, 5e-5));
  } else if (kind != MatrixKind::unsymmetric && symmetric) {
    offer("klu", klu(f));
    offer("mumps", mumps_symmetric(f));
    offer("lapack_ldl", dense_cost(f.n, 5.5e-5));
  } else {
    offer("klu", klu(f));
    offer("superlu", superlu(f));
    offer("mumps", mumps_general(f));
    offer("lapack_lu", dense_cost(f.n, 6.5e-5));
  }
  // Minimum degree loses against nested dissection where the factors fill up (CHOLMOD's own test). CHOLMOD then tries
  // both.
  const bool fills = f.flops >= 500 * f.nonzeros && f.nonzeros >= 2.5 * double(expanded.pattern.nonzeros());
  if (choice.name.starts_with("lapack")) choice.ordering = Ordering::automatic;
  else if (!fills) choice.ordering = Ordering::amd;
  else choice.ordering = choice.name == "cholmod" ? Ordering::automatic : Ordering::metis;
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

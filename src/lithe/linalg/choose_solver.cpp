#include "lithe/linalg/choose_solver.h"

#include <amd.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/linalg/components/band_order.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

// Of a full matrix of this size.
FactorCounts full_counts(double n) { return {n, n * (n + 1) / 2, n * n * n / 3}; }

// AMD orders A + A^T: a triangle serves as well as all of A.
int order_amd(const SparsePattern& pattern, double* info) {
  std::vector<std::int32_t> order(pattern.size);
  return amd_order(pattern.size, pattern.column_start.data(), pattern.row.data(), order.data(), nullptr, info);
}
int order_amd_wide(const SparsePattern& pattern, double* info) {
  const std::vector<std::int64_t> start(pattern.column_start.begin(), pattern.column_start.end()),
      row(pattern.row.begin(), pattern.row.end());
  std::vector<std::int64_t> order(pattern.size);
  return static_cast<int>(amd_l_order(pattern.size, start.data(), row.data(), order.data(), nullptr, info));
}

// Fewer components than this, all in all or of a kind in the mean, are no forest.
constexpr int many = 8;
// Of `components` per component, measured on forests of chains of 1 to 300 unknowns; factors with multipliers are
// checked by a solve. Places that stay empty in a pack cost as much as the others.
const SolverCost component_costs[] = {{"components", MatrixKind::positive_definite, 0, 0.004, 0.0019, 1e-5},
                                      {"components", MatrixKind::symmetric_indefinite, 0, 0.004, 0.003, 1e-5}};
constexpr int lanes_of_costs = 8;

}  // namespace

FactorCounts count_factors(const SparsePattern& pattern, std::int64_t narrow) {
  if (pattern.size == 0) return {};  // AMD refuses arrays that are not there
  const double n = pattern.size;
  double info[AMD_INFO];
  const bool is_narrow = full_nonzeros(pattern) <= std::min(narrow, narrow_entries);
  if ((is_narrow ? order_amd(pattern, info) : order_amd_wide(pattern, info)) < AMD_OK)
    throw RunError("the ordering of the matrix ran out of memory");
  return {n, info[AMD_LNZ] + n, info[AMD_NDIV] + 2 * info[AMD_NMULTSUBS_LDL]};
}

bool SolverCost::dense() const { return solver.starts_with("lapack"); }

double SolverCost::microseconds(const FactorCounts& counts) const {
  const FactorCounts f = dense() ? full_counts(counts.n) : counts;
  return constant + unknown * f.n + nonzero * f.nonzeros + flop * f.flops;
}

const std::vector<SolverCost>& solver_costs() {
  using enum MatrixKind;
  // Fitted by `lithe bench linalg --only table_3` on one core of an AMD EPYC (Zen 4) with OpenBLAS: tangents of
  // four-bar loops with 1 to 100 % of nonzeros (10 to 1002 unknowns), saddle points (11 to 2003), plates and blocks (75
  // to 10800). Solvers that were hardly ever the fastest for a kind are left out.
  static const std::vector<SolverCost> costs{
      {"lapack_cholesky", positive_definite, 0.22, 0, 0.0065, 3.9e-5},
      {"cholmod_simplicial", positive_definite, 0.09, 0.015, 0.0069, 3.8e-4},
      {"cholmod_supernodal", positive_definite, 0, 0.12, 0.0113, 1.2e-5},
      {"lapack_ldl", symmetric_indefinite, 0.41, 0, 0.0088, 3.0e-5},
      {"lapack_lu", symmetric_indefinite, 0.16, 0.019, 0.0081, 5.6e-5},
      {"mumps", symmetric_indefinite, 134, 0.32, 0.0242, 3.4e-6},
      {"klu", symmetric_indefinite, 0, 0.046, 0.0023, 9.8e-4},
      {"lapack_lu", unsymmetric, 0.14, 0.025, 0.0074, 5.6e-5},
      {"mumps", unsymmetric, 131, 0.47, 0.0359, 0},
      {"klu", unsymmetric, 0, 0.042, 0.0027, 9.4e-4},
      {"superlu", unsymmetric, 0.92, 0.15, 0.0325, 8.9e-5},
  };
  return costs;
}

SolverChoice choose_linear_solver(const SparsePattern& pattern, MatrixKind kind, const std::vector<SolverCost>& costs) {
  const MatrixKind stored = pattern.symmetric ? kind : MatrixKind::unsymmetric;  // symmetric solvers take a triangle
  const FactorCounts f = count_factors(pattern);
  const auto entries = static_cast<double>(full_nonzeros(pattern));
  SolverChoice choice;
  choice.counts = f;
  choice.microseconds = std::numeric_limits<double>::infinity();
  for (const SolverCost& cost : costs) {
    const double time = cost.microseconds(f);
    if (cost.dense() && pattern.size > largest_dense) continue;
    if (cost.kind != stored || time >= choice.microseconds || !has_linear_solver(cost.solver)) continue;
    choice.microseconds = time;
    choice.name = cost.solver;
  }
  // Minimum degree loses against nested dissection where the factors fill up (CHOLMOD's own test). CHOLMOD then tries
  // both.
  const bool fills = f.flops >= 500 * f.nonzeros && f.nonzeros >= 2.5 * entries;
  if (choice.name.starts_with("lapack")) choice.ordering = Ordering::automatic;
  else if (!fills) choice.ordering = Ordering::amd;
  else choice.ordering = choice.name.starts_with("cholmod") ? Ordering::automatic : Ordering::metis;
  const double fill = 100 * entries / (f.n * f.n);
  const char* order = choice.name.starts_with("lapack")        ? ""
                      : choice.ordering == Ordering::automatic ? " with amd or metis"
                      : choice.ordering == Ordering::metis     ? " with metis"
                                                               : " with amd";
  choice.why =
      fmt::format("{}, {} unknowns, fill {:.2g} %: {}{}", to_string(kind), pattern.size, fill, choice.name, order);
  return choice;
}

std::optional<SolverChoice> choose_components(const SparsePattern& pattern, MatrixKind kind, int multipliers) {
  if (!pattern.symmetric || kind == MatrixKind::unsymmetric || pattern.size < many) return {};
  const bool bordered = kind == MatrixKind::symmetric_indefinite;
  if (!bordered) multipliers = 0;
  else if (multipliers < 0) multipliers = columns_without_diagonal(pattern);
  if (bordered && multipliers == 0) return {};
  const Components components = find_components(pattern, multipliers);
  const auto kinds = static_cast<int>(components.kinds.size());
  if (components.count() < many * std::max(1, kinds)) return {};
  SolverChoice choice;
  choice.name = "components";
  int largest = 0, bandwidth = 0;
  for (const Components::Kind& one : components.kinds) {
    const BandOrder order = order_band(one, Ordering::automatic);
    const FactorCounts of_one = count_factors(one.pattern);
    const auto copies = static_cast<double>(one.members.size());
    const double places = lanes_of_costs * std::ceil(copies / lanes_of_costs);
    choice.counts.n += copies * of_one.n;
    choice.counts.nonzeros += copies * of_one.nonzeros;
    choice.counts.flops += copies * of_one.flops;
    choice.microseconds +=
        places * component_costs[bordered].microseconds({of_one.n, order.tiles.nonzeros(), order.tiles.flops()});
    largest = std::max(largest, one.pattern.size);
    for (const BandEntry& entry : order.entries) bandwidth = std::max(bandwidth, std::abs(entry.row - entry.column));
  }
  for (const SolverCost& cost : solver_costs()) {
    const bool possible =
        cost.kind == kind && has_linear_solver(cost.solver) && !(cost.dense() && pattern.size > largest_dense);
    if (possible && cost.microseconds(choice.counts) <= choice.microseconds) return {};
  }
  choice.why = fmt::format("{}, {} unknowns in {} components of {}, {} of {} unknowns with bandwidth {}: components",
                           to_string(kind), pattern.size, components.count(),
                           kinds == 1 ? "one kind" : fmt::format("{} kinds", kinds),
                           kinds == 1 ? "each" : "the largest", largest, bandwidth);
  return choice;
}

}  // namespace lithe

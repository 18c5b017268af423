#include "lithe/linalg/try_iterative.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

// More than a Newton correction needs of a solve in the mean: its own tolerance follows the corrections.
constexpr double trial_tolerance = 1e-6;
// Factors are kept for some steps.
constexpr double solves_of_factors = 50;
// Of what factors cost: iterations grow as the model moves.
constexpr double share = 0.5;

}  // namespace

IterativeTrial try_iterative(const SparsePattern& pattern, MatrixKind kind, int multipliers,
                             const std::vector<double>& values, const FactorCounts& expected, bool pivots, Team* team) {
  IterativeTrial trial;
  if (!pattern.symmetric || kind == MatrixKind::unsymmetric || expected.nonzeros < worth_a_trial) return trial;
  trial.solver = multipliers > 0 ? "projected_minres" : "cg";
  const IterativeCosts& c = iterative_costs;
  const double n = pattern.size;
  const double factors =
      expected.nonzeros * (pivots ? c.pivoted_number : c.solve_number) +
      (expected.flops * c.factor_operation + expected.nonzeros * c.factor_number) / solves_of_factors;
  // Not even a product is worth it: no preconditioner need be made to know.
  const double product = static_cast<double>(full_nonzeros(pattern)) * c.product_number + n * c.vector_unknown;
  if (share * std::floor(factors / product) < 1) return trial;
  SolverOptions options{.kind = kind, .multipliers = multipliers, .team = team};
  const auto solver = make_linear_solver(trial.solver, options);
  try {
    solver->analyse(pattern);
  } catch (const RunError&) {
    return trial;  // too many entries for it
  }
  if (!solver->factor(values).ok()) return trial;
  const double one = solver->iteration_numbers() * c.product_number + n * c.vector_unknown;
  trial.most = static_cast<int>(std::min(1000.0, factors / one));
  const int allowed = static_cast<int>(share * trial.most);
  if (allowed < 1) return trial;
  std::vector<double> b(pattern.size), x(pattern.size), image;
  for (int i = 0; i < pattern.size; ++i) x[i] = i < pattern.size - multipliers ? 1 + 0.3 * std::sin(1.7 * i) : 0;
  multiply(pattern, values, x, b);
  for (int i = pattern.size - multipliers; i < pattern.size; ++i) b[i] = 0;
  const SolveReport report = solver->solve(b, x, {.tolerance = trial_tolerance, .iterations = allowed});
  trial.iterations = report.iterations;
  trial.pays = report.ok();
  trial.why = fmt::format("{}, {} unknowns: a trial took {} {}; factors of {:.2g} entries would be worth {} a solve",
                          to_string(kind), pattern.size, report.iterations,
                          report.iterations == 1 ? "iteration" : "iterations", expected.nonzeros, trial.most);
  return trial;
}

}  // namespace lithe

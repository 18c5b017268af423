// Section krylov of `lithe bench linalg`: matrices of steps of nets, plates and blocks, solved by factors and by Krylov
// methods with their preconditioners. From it come the costs by which auto judges them (linalg/try_iterative.h):
//
//   iteration = numbers read * product_number + unknowns * vector_unknown,
//   factorisation = operations * factor_operation + entries * factor_number,   solve = entries * solve_number.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg.h"
#include "lithe/linalg/try_iterative.h"
#include "machine.h"
#include "step_matrices.h"

namespace lithe::app {

namespace {

constexpr double tolerance = 1e-6;   // of a trial
constexpr double most_flops = 3e11;  // of factors that are measured

struct Measured {
  std::string solver, preconditioner;
  double factor_s = 0, solve_s = 0;  // of a factorisation or set-up, of a solve
  int iterations = 0;                // 0: a direct solver
  double numbers = 0;                // read in an iteration; entries of factors
  double operations = 0;             // of a factorisation
  std::string failure;
  double iteration_s() const { return iterations > 0 ? solve_s / iterations : 0; }
};

Measured measure(const StepMatrix& matrix, const std::string& name, const SolverOptions& options,
                 const std::string& preconditioner) {
  Measured one;
  one.solver = name;
  one.preconditioner = preconditioner;
  const auto solver = make_linear_solver(name, options);
  std::vector<double> b(matrix.pattern.size), x(matrix.pattern.size);
  for (int i = 0; i < matrix.pattern.size; ++i)
    x[i] = i < matrix.pattern.size - matrix.multipliers ? 1 + 0.3 * std::sin(1.7 * i) : 0;
  multiply(matrix.pattern, matrix.values, x, b);
  for (int i = matrix.pattern.size - matrix.multipliers; i < matrix.pattern.size; ++i) b[i] = 0;
  solver->analyse(matrix.pattern);
  for (int round = 0; round < 2; ++round) {  // the first one warms up
    const double start = clock_seconds(1);
    const FactorReport factored = solver->factor(matrix.values);
    const double middle = clock_seconds(1);
    if (!factored.ok()) {
      one.failure = factored.text();
      return one;
    }
    const SolveReport solved = solver->solve(b, x, {.tolerance = tolerance});
    const double end = clock_seconds(1);
    if (!solved.ok()) one.failure = solved.text();
    one.factor_s = middle - start;
    one.solve_s = end - middle;
    one.iterations = solved.iterations;
  }
  const bool iterative = find_linear_solver(name).iterative;
  one.numbers = iterative ? solver->iteration_numbers() : solver->factor_nonzeros();
  one.operations = solver->factor_flops();
  return one;
}

std::vector<Measured> measure_all(const StepMatrix& matrix, const FactorCounts& counts) {
  using enum PreconditionerKind;
  std::vector<Measured> all;
  if (counts.flops < most_flops) {
    const SolverChoice choice = choose_linear_solver(matrix.pattern, matrix.kind);
    all.push_back(measure(matrix, choice.name, {.kind = matrix.kind, .ordering = choice.ordering}, ""));
  }
  const auto iterate = [&](const char* solver, PreconditionerKind preconditioner) {
    SolverOptions options{.kind = matrix.kind, .multipliers = matrix.multipliers};
    options.krylov.preconditioner = preconditioner;
    all.push_back(measure(matrix, solver, options, word(preconditioner)));
  };
  if (matrix.multipliers > 0) {
    iterate("projected_minres", constraint);
    iterate("cg", constraint);
    iterate("bicgstab2", spike);
    return all;
  }
  iterate("cg", jacobi);
  iterate("cg", block_jacobi);
  iterate("cg", incomplete);
  return all;
}

// x, y of the least squares of (a x + b y) / s = 1: relative errors count alike.
struct PlaneFit {
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
  void add(double a, double b, double s) {
    if (!(s > 0)) return;
    a /= s, b /= s;
    aa += a * a, ab += a * b, bb += b * b, a1 += a, b1 += b;
  }
  // A cost is not negative: what would be has none.
  std::pair<double, double> costs() const {
    const double det = aa * bb - ab * ab;
    if (det > 1e-12 * aa * bb) {
      const double x = (a1 * bb - b1 * ab) / det, y = (b1 * aa - a1 * ab) / det;
      if (x >= 0 && y >= 0) return {x, y};
      if (x < 0) return {0, b1 / bb};
    }
    return {aa > 0 ? a1 / aa : 0, 0};
  }
};

struct Costs {
  PlaneFit iterations, factors;
  double solve[2] = {}, solves[2] = {};  // of Cholesky, and with pivoting: sums of seconds an entry, and their number

  void add(const StepMatrix& matrix, const Measured& one) {
    if (!one.failure.empty()) return;
    if (one.iterations > 0) {
      // Of methods with one product an iteration, and more than a few of them: there is more in a solve.
      if (one.iterations >= 5 && one.solver != "bicgstab2")
        iterations.add(one.numbers, matrix.pattern.size, one.iteration_s());
      return;
    }
    if (matrix.multipliers == 0) factors.add(one.operations, one.numbers, one.factor_s);
    solve[matrix.multipliers > 0] += one.solve_s / one.numbers;
    ++solves[matrix.multipliers > 0];
  }
  nlohmann::json print() const {
    const auto [product, vector] = iterations.costs();
    const auto [operation, number] = factors.costs();
    const auto mean = [&](int k) { return solves[k] > 0 ? solve[k] / solves[k] : 0; };
    const IterativeCosts& used = iterative_costs;
    const struct {
      const char* name;
      double found, used;
    } rows[] = {
        {"product_number", product, used.product_number},       {"vector_unknown", vector, used.vector_unknown},
        {"solve_number", mean(0), used.solve_number},           {"pivoted_number", mean(1), used.pivoted_number},
        {"factor_operation", operation, used.factor_operation}, {"factor_number", number, used.factor_number}};
    fmt::print("{:<20}{:>14}{:>14}\n", "costs of auto, s", "found here", "in use");
    nlohmann::json json;
    for (const auto& row : rows) {
      fmt::print("{:<20}{:>14.2e}{:>14.2e}\n", row.name, row.found, row.used);
      json.push_back({{"name", row.name}, {"found", row.found}, {"used", row.used}});
    }
    return json;
  }
};

std::vector<StepMatrix (*)()> sizes(const LinalgBench& bench) {
  std::vector<StepMatrix (*)()> list;
  if (bench.quick()) {
    list = {+[] { return net_matrix(8, false); }, +[] { return net_matrix(8, true); }, +[] { return plate_matrix(6); },
            +[] { return block_matrix(5); }};
    return list;
  }
  list = {+[] { return net_matrix(40, false); },  +[] { return net_matrix(80, false); },
          +[] { return net_matrix(120, false); }, +[] { return net_matrix(20, true); },
          +[] { return net_matrix(40, true); },   +[] { return plate_matrix(16); },
          +[] { return plate_matrix(32); },       +[] { return plate_matrix(48); },
          +[] { return block_matrix(10); },       +[] { return block_matrix(16); },
          +[] { return block_matrix(24); }};
  if (bench.full())
    list.insert(list.end(), {+[] { return net_matrix(230, false); }, +[] { return net_matrix(110, true); },
                             +[] { return plate_matrix(200); }, +[] { return block_matrix(54); }});
  return list;
}

}  // namespace

nlohmann::json bench_krylov(LinalgBench& bench) {
  nlohmann::json rows;
  Costs costs;
  fmt::print("steps of 1 ms, residual 1e-6; times in ms: set-up or factors, an iteration, a solve\n");
  fmt::print("{:<18}{:>9}{:>11}  {:<18}{:<14}{:>10}{:>6}{:>10}{:>10}\n", "", "unknowns", "nonzeros", "solver",
             "preconditioner", "set-up", "its", "one", "solve");
  for (const auto make : sizes(bench)) {
    const StepMatrix matrix = make();
    const FactorCounts counts = count_factors(matrix.pattern);
    const IterativeTrial trial = try_iterative(matrix.pattern, matrix.kind, matrix.multipliers, matrix.values, counts,
                                               matrix.multipliers > 0, nullptr);
    for (const Measured& one : measure_all(matrix, counts)) {
      fmt::print("{:<18}{:>9}{:>11}  {:<18}{:<14}{:>10.2f}{:>6}{:>10.3f}{:>10.2f}{}\n", matrix.family,
                 matrix.pattern.size, matrix.pattern.nonzeros(), one.solver, one.preconditioner, 1e3 * one.factor_s,
                 one.iterations, 1e3 * one.iteration_s(), 1e3 * one.solve_s,
                 one.failure.empty() ? "" : "  " + one.failure);
      std::fflush(stdout);
      costs.add(matrix, one);
      rows.push_back({{"family", matrix.family},
                      {"unknowns", matrix.pattern.size},
                      {"nonzeros", matrix.pattern.nonzeros()},
                      {"solver", one.solver},
                      {"preconditioner", one.preconditioner},
                      {"factor_s", one.factor_s},
                      {"iterations", one.iterations},
                      {"iteration_s", one.iteration_s()},
                      {"solve_s", one.solve_s},
                      {"numbers", one.numbers},
                      {"operations", one.operations},
                      {"failure", one.failure}});
    }
    fmt::print("{:<18}auto: {}\n", "",
               trial.why.empty() ? "factors, too few to try"
                                 : fmt::format("{}, {}", trial.pays ? trial.solver : "factors", trial.why));
  }
  return {{"rows", rows}, {"costs", costs.print()}};
}

}  // namespace lithe::app

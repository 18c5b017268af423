// Table 3 of P4 measured anew: rules that choose a solver, and how often they are right.
//
// P4's rule compares one number, (variables) x (% of nonzeros - 10), with 900. Ours (linalg/choose_solver.h) expects a
// time for each solver: constant + unknown n + nonzero nnz(L) + flop flops(L), four numbers not below zero. Both forms
// are fitted here to the measured times of one factorisation and one solve: on the even cases to be judged on the odd
// ones, and our form on all cases for printing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "linalg.h"

namespace lithe::app {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Cases = std::vector<const MeasuredCase*>;

double microseconds(const CaseTime& time) { return time.ok() ? time.total(1, 1) : infinity; }

// Least over the orderings; infinity: not measured, or it failed.
double time_of(const MeasuredCase& c, const std::string& solver) {
  double least = infinity;
  for (const CaseTime& time : c.times)
    if (time.solver == solver && time.keep_pivots) least = std::min(least, microseconds(time));
  return least;
}
double time_of(const MeasuredCase& c, const SolverChoice& choice) {
  for (const CaseTime& time : c.times)
    if (time.solver == choice.name && time.keep_pivots && time.ordering == choice.ordering) return microseconds(time);
  return time_of(c, choice.name);
}
double best_time(const MeasuredCase& c) {
  double least = infinity;
  for (const CaseTime& time : c.times) least = std::min(least, microseconds(time));
  return least;
}

// A time over the best; a solver that was not measured because it takes too long counts as 10 times.
double ratio_of(const MeasuredCase& c, double time) { return std::isfinite(time) ? time / best_time(c) : 10; }

std::vector<std::string> solvers_of(const Cases& cases) {
  std::vector<std::string> names;
  for (const MeasuredCase* c : cases)
    for (const CaseTime& time : c->times)
      if (std::ranges::find(names, time.solver) == names.end()) names.push_back(time.solver);
  return names;
}

// Every second one, for fitting (0) or judging (1).
Cases half(const Cases& all, int which) {
  Cases some;
  for (std::size_t k = which; k < all.size(); k += 2) some.push_back(all[k]);
  return some;
}

// ---- our form ----

// x with the least sum of (weight - row . x)^2, by normal equations over scaled columns; false: they depend on each
// other.
bool least_squares(const std::vector<std::array<double, 4>>& rows, const std::vector<double>& weights,
                   const std::vector<int>& terms, std::vector<double>& x) {
  const int n = int(terms.size());
  double a[4][5] = {}, scale[4] = {};
  for (int i = 0; i < n; ++i) {
    for (const auto& row : rows) scale[i] += row[terms[i]] * row[terms[i]];
    if (scale[i] <= 0) return false;
    scale[i] = 1 / std::sqrt(scale[i]);
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (int i = 0; i < n; ++i) {
      const double value = scale[i] * rows[r][terms[i]];
      for (int j = 0; j < n; ++j) a[i][j] += value * scale[j] * rows[r][terms[j]];
      a[i][4] += value * weights[r];
    }
  for (int k = 0; k < n; ++k) {  // no pivoting: positive definite with ones on the diagonal
    if (a[k][k] < 1e-10) return false;
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < 5; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) a[i][4] -= a[i][j] * a[j][4];
    a[i][4] /= a[i][i];
  }
  for (int i = 0; i < n; ++i) x[i] = scale[i] * a[i][4];
  return true;
}

// Relative errors count where the solver is near the best, little elsewhere. Least squares without negative
// coefficients: of all subsets of the four terms the one with the least error whose coefficients are positive.
SolverCost fit_cost(const std::string& solver, MatrixKind kind, const Cases& cases) {
  SolverCost cost{solver, kind};
  std::vector<std::array<double, 4>> rows;  // each term over the measured time, weighted
  std::vector<double> weights;
  for (const MeasuredCase* c : cases) {
    const double time = time_of(*c, solver);
    if (!std::isfinite(time)) continue;
    const double weight = best_time(*c) / time;
    std::array<double, 4> row{};
    for (int k = 0; k < 4; ++k) {
      SolverCost term{solver, kind};
      (k == 0 ? term.constant : k == 1 ? term.unknown : k == 2 ? term.nonzero : term.flop) = 1;
      row[k] = weight * term.microseconds(c->counts) / time;
    }
    rows.push_back(row);
    weights.push_back(weight);
  }
  double least = infinity;
  for (int subset = 1; subset < 16; ++subset) {
    std::vector<int> terms;
    for (int k = 0; k < 4; ++k)
      if (subset >> k & 1) terms.push_back(k);
    std::vector<double> x(terms.size());
    if (!least_squares(rows, weights, terms, x) || *std::ranges::min_element(x) < 0) continue;
    double error = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      double left = weights[r];
      for (std::size_t k = 0; k < terms.size(); ++k) left -= rows[r][terms[k]] * x[k];
      error += left * left;
    }
    if (error >= least) continue;
    least = error;
    double value[4] = {0, 0, 0, 0};
    for (std::size_t k = 0; k < terms.size(); ++k) value[terms[k]] = x[k];
    cost.constant = value[0];
    cost.unknown = value[1];
    cost.nonzero = value[2];
    cost.flop = value[3];
  }
  return cost;
}

std::vector<SolverCost> fit_costs(const std::vector<std::string>& solvers, MatrixKind kind, const Cases& cases) {
  std::vector<SolverCost> costs;
  for (const std::string& solver : solvers) costs.push_back(fit_cost(solver, kind, cases));
  return costs;
}

// ---- P4's form ----

struct ThresholdRule {
  std::string low, high;
  double threshold = 0;
};

double p4_number(const MeasuredCase& c) { return c.pattern.size * (c.fill - 10); }

double time_of(const MeasuredCase& c, const ThresholdRule& rule) {
  return time_of(c, p4_number(c) < rule.threshold ? rule.low : rule.high);
}

ThresholdRule fit_threshold(const Cases& cases, const std::vector<std::string>& solvers) {
  std::vector<double> numbers;
  for (const MeasuredCase* c : cases) numbers.push_back(p4_number(*c));
  std::ranges::sort(numbers);
  ThresholdRule best;
  double least = infinity;
  for (const std::string& low : solvers)
    for (const std::string& high : solvers)
      for (std::size_t k = 0; k + 1 < numbers.size(); ++k) {
        const ThresholdRule rule{low, high, 0.5 * (numbers[k] + numbers[k + 1])};
        double loss = 0;
        for (const MeasuredCase* c : cases) loss += std::log(ratio_of(*c, time_of(*c, rule)));
        if (loss >= least) continue;
        least = loss;
        best = rule;
      }
  return best;
}

// ---- the judgement ----

nlohmann::json judge(const char* name, MatrixKind kind, const Cases& cases,
                     const std::function<double(const MeasuredCase&)>& time) {
  int within_10 = 0, within_30 = 0;
  double loss = 0;
  for (const MeasuredCase* c : cases) {
    const double ratio = ratio_of(*c, time(*c));
    within_10 += ratio <= 1.1;
    within_30 += ratio <= 1.3;
    loss += std::log(ratio);
  }
  const double count = double(cases.size()), mean = std::exp(loss / count);
  fmt::print("  {:<44}{:>6} cases{:>10.0f} %{:>10.0f} %{:>12.3f}\n", name, cases.size(), 100 * within_10 / count,
             100 * within_30 / count, mean);
  return {{"rule", name},
          {"kind", to_string(kind)},
          {"cases", cases.size()},
          {"within_10", within_10 / count},
          {"within_30", within_30 / count},
          {"mean_ratio", mean}};
}

nlohmann::json to_json(const SolverCost& cost) {
  return {{"solver", cost.solver},   {"kind", to_string(cost.kind)}, {"constant", cost.constant},
          {"unknown", cost.unknown}, {"nonzero", cost.nonzero},      {"flop", cost.flop}};
}

void print_costs(const std::vector<SolverCost>& costs, const Cases& cases) {
  fmt::print("  {:<22}{:>10}{:>10}{:>10}{:>12}{:>16}\n", "us =", "constant", "n", "nnz(L)", "flops", "best in cases");
  for (const SolverCost& cost : costs) {
    const auto wins =
        std::ranges::count_if(cases, [&](const MeasuredCase* c) { return time_of(*c, cost.solver) <= best_time(*c); });
    fmt::print("  {:<22}{:>10.2f}{:>10.4f}{:>10.4f}{:>12.2e}{:>16}\n", cost.solver, cost.constant, cost.unknown,
               cost.nonzero, cost.flop, wins);
  }
}

}  // namespace

nlohmann::json bench_table_3(LinalgBench& bench) {
  nlohmann::json rules, costs, thresholds, rows;
  using enum MatrixKind;
  for (MatrixKind kind : {positive_definite, symmetric_indefinite, unsymmetric}) {
    Cases all;
    for (const MeasuredCase& c : bench.cases(kind)) all.push_back(&c);
    const Cases fitted = half(all, 0), judged = half(all, 1);
    const std::vector<std::string> solvers = solvers_of(all);
    const std::vector<SolverCost> refit = fit_costs(solvers, kind, fitted), printed = fit_costs(solvers, kind, all);
    const ThresholdRule ours = fit_threshold(fitted, solvers);
    const ThresholdRule p4{"klu", kind == unsymmetric ? "klu" : "mumps", 900};

    fmt::print("\n{} ({} cases), fitted on all of them:\n", to_string(kind), all.size());
    print_costs(printed, all);
    fmt::print("P4's form: {} below {:.0f}, {} above (P4: {} below 900, {} above)\n", ours.low, ours.threshold,
               ours.high, p4.low, kind == unsymmetric ? "klu" : "WSMP");
    fmt::print("  {:<44}{:>12}{:>12}{:>12}{:>12}\n", "time over the best", "", "<= 1.1", "<= 1.3", "mean");
    const auto choice = [&](const std::vector<SolverCost>& c) {
      return [&](const MeasuredCase& m) { return time_of(m, choose_linear_solver(m.pattern, m.kind, c)); };
    };
    rules.push_back(judge("choose_linear_solver", kind, all, choice(solver_costs())));
    rules.push_back(judge("choose_linear_solver, held-out half", kind, judged, choice(solver_costs())));
    rules.push_back(judge("refitted, held-out half", kind, judged, choice(refit)));
    rules.push_back(
        judge("P4's form, held-out half", kind, judged, [&](const MeasuredCase& m) { return time_of(m, ours); }));
    rules.push_back(judge("P4's table 3, mumps for WSMP, held-out half", kind, judged,
                          [&](const MeasuredCase& m) { return time_of(m, p4); }));
    for (const SolverCost& cost : printed) costs.push_back(to_json(cost));
    thresholds.push_back(
        {{"kind", to_string(kind)}, {"low", ours.low}, {"high", ours.high}, {"threshold", ours.threshold}});
    for (const MeasuredCase* c : all)
      for (const CaseTime& time : c->times)
        rows.push_back({{"family", c->family},
                        {"kind", to_string(kind)},
                        {"variables", c->pattern.size},
                        {"fill", c->fill},
                        {"factor_nonzeros", c->counts.nonzeros},
                        {"factor_flops", c->counts.flops},
                        {"solver", time.solver},
                        {"ordering", to_string(time.ordering)},
                        {"keep_pivots", time.keep_pivots},
                        {"factor_us", time.factor_us},
                        {"solve_us", time.solve_us},
                        {"backward_error", time.backward_error},
                        {"failure", time.failure}});
  }
  return {{"rules", rules}, {"costs", costs}, {"thresholds", thresholds}, {"cases", rows}};
}

}  // namespace lithe::app

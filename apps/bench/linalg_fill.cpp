// Figures 5 to 7 of P4: artificial nonzeros in the mass matrix. What a step asks of the solver (factorisations and
// back-substitutions, as many as a simulation makes) is timed on matrices; everything else of a step is the same for
// all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg.h"

namespace lithe::app {

namespace {

constexpr std::pair<const char*, char> letters[] = {{"lapack_cholesky", 'D'},
                                                    {"lapack_ldl", 'B'},
                                                    {"lapack_lu", 'G'},
                                                    {"cholmod_simplicial", 'C'},
                                                    {"cholmod_supernodal", 'S'},
                                                    {"cholmod_ldl", 'L'},
                                                    {"mumps", 'M'},
                                                    {"klu", 'K'},
                                                    {"umfpack", 'U'},
                                                    {"superlu", 'P'},
                                                    {"eigen_sparselu", 'E'}};

char letter(const std::string& solver) {
  for (const auto& [name, mark] : letters)
    if (solver == name) return mark;
  return '?';
}

bool chooses_pivots(const CaseTime& time) { return time.solver == "klu" || time.solver == "superlu"; }

nlohmann::json to_json(const MeasuredCase& c, const CaseTime& time, const StepWork& work) {
  return {{"family", c.family},
          {"kind", to_string(c.kind)},
          {"variables", c.pattern.size},
          {"wanted_fill", c.wanted_fill},
          {"fill", c.fill},
          {"solver", time.solver},
          {"ordering", to_string(time.ordering)},
          {"keep_pivots", time.keep_pivots},
          {"factor_us", time.factor_us},
          {"solve_us", time.solve_us},
          {"us_per_step", time.total(work.factorisations, work.solves)},
          {"backward_error", time.backward_error},
          {"failure", time.failure}};
}

bool on_map(const MeasuredCase& c, int size, double fill) {
  return c.family == "four_bar" && c.pattern.size == size && c.wanted_fill == fill;
}

nlohmann::json map_of(LinalgBench& bench, MatrixKind kind, bool keep) {
  const StepWork& work = bench.work();
  nlohmann::json rows;
  std::string seen;
  fmt::print("\n{}\n{:>8}", to_string(kind), "fill %");
  for (int size : bench.map_sizes()) fmt::print("{:>6}", size);
  fmt::print("   variables\n");
  std::vector<double> fills = bench.map_fills();
  std::ranges::reverse(fills);
  for (double fill : fills) {
    fmt::print("{:>8}", fill == 0 ? "none" : fmt::format("{:g}", fill));
    for (int size : bench.map_sizes()) {
      const CaseTime *best = nullptr, *second = nullptr;
      const MeasuredCase* at = nullptr;
      for (const MeasuredCase& c : bench.cases(kind)) {
        if (!on_map(c, size, fill)) continue;
        at = &c;
        for (const CaseTime& time : c.times) {
          if (!time.ok() || (chooses_pivots(time) && time.keep_pivots != keep)) continue;
          const auto us = [&](const CaseTime* t) {
            return t ? t->total(work.factorisations, work.solves) : std::numeric_limits<double>::infinity();
          };
          if (us(&time) < us(best)) {
            second = best;
            best = &time;
          } else if (us(&time) < us(second)) {
            second = &time;
          }
        }
      }
      if (!best || !second) {  // the pattern has more entries than that already
        fmt::print("{:>6}", ".");
        continue;
      }
      const double margin =
          second->total(work.factorisations, work.solves) / best->total(work.factorisations, work.solves);
      const char mark = letter(best->solver);
      if (seen.find(mark) == std::string::npos) seen += mark;
      fmt::print("{:>6}", margin < 1.1 ? fmt::format("{}/{}", mark, letter(second->solver)) : std::string(1, mark));
      rows.push_back(to_json(*at, *best, work));
      rows.back()["second"] = second->solver;
      rows.back()["second_over_best"] = margin;
    }
    fmt::print("\n");
  }
  return rows;
}

nlohmann::json maps(LinalgBench& bench, bool keep) {
  fmt::print("{:.2f} factorisations and {:.2f} solves a step; x/y: y is within 10 %; none: nothing artificial\n",
             bench.work().factorisations, bench.work().solves);
  for (const auto& [name, mark] : letters) fmt::print("{} {}  ", mark, name);
  fmt::print("\n");
  nlohmann::json result;
  using enum MatrixKind;
  for (MatrixKind kind : {positive_definite, symmetric_indefinite, unsymmetric}) {
    nlohmann::json rows = map_of(bench, kind, keep);
    for (const nlohmann::json& row : rows) result.push_back(row);
  }
  return result;
}

}  // namespace

nlohmann::json bench_figure_5(LinalgBench& bench) {
  const int variables = bench.quick() ? bench.map_sizes().back() : 100;
  const StepWork& work = bench.work();
  nlohmann::json rows;
  std::vector<const MeasuredCase*> columns;
  for (const MeasuredCase& c : bench.cases(MatrixKind::positive_definite))
    if (c.family == "four_bar" && c.pattern.size == variables) columns.push_back(&c);
  fmt::print("us of {:.2f} factorisations and {:.2f} solves, {} variables\n{:<28}", work.factorisations, work.solves,
             variables, "fill %");
  for (const MeasuredCase* c : columns) fmt::print("{:>10.1f}", c->fill);
  fmt::print("\n");
  double worst = 0;
  for (std::size_t s = 0; s < columns.front()->times.size(); ++s) {
    const CaseTime& first = columns.front()->times[s];
    fmt::print("{:<28}", chooses_pivots(first) && !first.keep_pivots ? first.solver + ", new pivots" : first.solver);
    for (const MeasuredCase* c : columns) {
      const CaseTime& time = c->times[s];
      worst = std::max(worst, time.backward_error);
      fmt::print("{:>10.1f}", time.total(work.factorisations, work.solves));
      rows.push_back(to_json(*c, time, work));
    }
    fmt::print("\n");
  }
  fmt::print("largest backward error {:.1e}\n", worst);
  fmt::print("P4, figure 5: Cholmod and WSMP always faster than the best dense implementation, even at 100 %\n");
  return rows;
}

nlohmann::json bench_figure_6(LinalgBench& bench) {
  nlohmann::json rows = maps(bench, true);
  fmt::print("P4, figure 6: KLU for most problems, WSMP for large filled ones\n");
  return rows;
}

nlohmann::json bench_figure_7(LinalgBench& bench) {
  nlohmann::json rows = maps(bench, false);
  fmt::print("P4, figure 7: Cholmod instead of KLU, WSMP over a larger area, dense below 10 variables by little\n");
  return rows;
}

}  // namespace lithe::app

// Table 1 and figure 4 of P4: steps of the N-four-bar mechanism with every solver and ordering.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "four_bar.h"
#include "linalg.h"

namespace lithe::app {

namespace {

struct Entry {
  std::string solver;
  Ordering ordering;
  FourBarRun run;
};

std::string option_of(Ordering ordering) { return ordering == Ordering::automatic ? "auto" : to_string(ordering); }

bool dense(const SolverInfo& info) { return info.name.starts_with("lapack"); }
// Its chain of loops is one component.
bool serves_p4(const SolverInfo& info) { return !info.iterative && info.name != "components"; }

// The least time of several rounds, everyone in turn.
std::vector<Entry> measure_steps(int loops, std::vector<Entry> entries, int steps, int rounds) {
  const FourBar mechanism(loops);
  for (int round = 0; round < rounds; ++round)
    for (Entry& entry : entries) {
      const FourBarRun run = mechanism.run(entry.solver, option_of(entry.ordering), steps);
      if (round == 0 || run.microseconds < entry.run.microseconds) entry.run = run;
    }
  return entries;
}

const Entry& best_of(const std::vector<Entry>& entries) {
  return *std::ranges::min_element(entries, {}, [](const Entry& e) { return e.run.microseconds; });
}

// Seconds of the stages of P4, table 1, from the run that the machine disturbed least.
constexpr const char* stages[] = {"residual and tangent", "right-hand sides of projections",
                                  "factorisations and back-substitutions", "other"};
std::array<double, 4> shares(int loops, const std::string& solver, Ordering ordering, bool quick) {
  const FourBar mechanism(loops);
  FourBarRun best;
  for (int round = 0; round < (quick ? 2 : 40); ++round) {
    const FourBarRun run = mechanism.run(solver, option_of(ordering), quick ? 3 : 50);
    if (round == 0 || run.phases.total < best.phases.total) best = run;
  }
  const Phases& p = best.phases;
  const double evaluation = p.force + p.tangent + p.assembly, linear = p.factorisation + p.solve;
  const double other = p.total - evaluation - p.projection - linear;
  return {evaluation / p.total, p.projection / p.total, linear / p.total, other / p.total};
}

}  // namespace

nlohmann::json bench_table_1(LinalgBench& bench) {
  std::vector<Entry> sparse;
  for (const SolverInfo& info : linear_solvers())
    if (serves_p4(info) && !dense(info)) sparse.push_back({info.name, Ordering::amd, {}});
  const Entry best = best_of(measure_steps(40, sparse, bench.quick() ? 3 : 50, bench.quick() ? 1 : 5));
  const auto small = shares(10, "lapack_cholesky", Ordering::automatic, bench.quick());
  const auto medium = shares(40, best.solver, best.ordering, bench.quick());
  constexpr double published[4][2] = {{0.48, 0.15}, {0.04, 0.13}, {0.44, 0.51}, {0.04, 0.21}};
  fmt::print("{:<40}{:>12}{:>12}{:>14}{:>12}\n", "", "dense", "P4 dense", "sparse", "P4 sparse");
  fmt::print("{:<40}{:>12}{:>12}{:>14}{:>12}\n", "", "22 var.", "", "82 var.", "");
  nlohmann::json rows;
  for (int s = 0; s < 4; ++s) {
    fmt::print("{:<40}{:>10.1f} %{:>10.0f} %{:>12.1f} %{:>10.0f} %\n", stages[s], 100 * small[s], 100 * published[s][0],
               100 * medium[s], 100 * published[s][1]);
    rows.push_back({{"stage", stages[s]},
                    {"dense", small[s]},
                    {"sparse", medium[s]},
                    {"published_dense", published[s][0]},
                    {"published_sparse", published[s][1]}});
  }
  fmt::print("dense: lapack_cholesky; sparse: {}; {:.2f} factorisations and {:.2f} solves a step with 40 loops\n",
             shown(best.solver, best.ordering), bench.work().factorisations, bench.work().solves);
  return {{"rows", rows},
          {"dense_solver", "lapack_cholesky"},
          {"sparse_solver", best.solver},
          {"factorisations_per_step", bench.work().factorisations},
          {"solves_per_step", bench.work().solves}};
}

nlohmann::json bench_figure_4(LinalgBench& bench) {
  const std::vector<int> loops = bench.quick() ? std::vector{10, 40} : std::vector{10, 20, 40, 79, 150, 300, 500};
  nlohmann::json rows, curves;
  std::vector<std::string> lines;
  double spread = 0;
  fmt::print("us per step with the best ordering of each solver; {} steps and less for long chains\n",
             four_bar_steps(22, bench.quick()));
  fmt::print("{:<20}", "variables");
  for (int n : loops) fmt::print("{:>20}", 2 * n + 2);
  fmt::print("\n");
  std::vector<std::vector<Entry>> bests;  // [size][solver]
  for (int n : loops) {
    std::vector<Entry> entries;
    for (const SolverInfo& info : linear_solvers())
      if (serves_p4(info) && !dense(info))
        for (Ordering ordering : info.orderings) entries.push_back({info.name, ordering, {}});
    entries = measure_steps(n, entries, four_bar_steps(2 * n + 2, bench.quick()), bench.quick() ? 1 : 3);
    bests.emplace_back();
    for (const Entry& e : entries) {
      const FourBarRun& first = entries.front().run;
      spread = std::max({spread, std::abs(e.run.x - first.x), std::abs(e.run.y - first.y)});
      rows.push_back({{"loops", n},
                      {"variables", 2 * n + 2},
                      {"solver", e.solver},
                      {"ordering", to_string(e.ordering)},
                      {"us_per_step", e.run.microseconds},
                      {"steps", e.run.steps},
                      {"factorisations", e.run.factorisations},
                      {"solves", e.run.solves},
                      {"x", e.run.x},
                      {"y", e.run.y},
                      {"failure", e.run.failure}});
      std::vector<Entry>& best = bests.back();
      if (best.empty() || best.back().solver != e.solver) best.push_back(e);
      else if (e.run.microseconds < best.back().run.microseconds) best.back() = e;
    }
  }
  for (std::size_t s = 0; s < bests.front().size(); ++s) {
    fmt::print("{:<20}", bests.front()[s].solver);
    for (std::size_t k = 0; k < loops.size(); ++k) {
      const Entry& e = bests[k][s];
      fmt::print("{:>20}", fmt::format("{:.1f} {}", e.run.microseconds, option_of(e.ordering)));
      curves.push_back({{"solver", e.solver},
                        {"variables", 2 * loops[k] + 2},
                        {"ordering", to_string(e.ordering)},
                        {"us_per_step", e.run.microseconds}});
    }
    fmt::print("\n");
  }
  fmt::print("{:<20}", "fastest");
  for (const std::vector<Entry>& best : bests) fmt::print("{:>20}", best_of(best).solver);
  fmt::print("\nall end with B_0 at the same place to {:.1e} m\n", spread);
  fmt::print("P4, figure 4 (to 162 variables), fastest first: KLU, Cholmod at 85 % of its speed, then others\n");
  return {{"rows", rows}, {"curves", curves}, {"position_spread", spread}};
}

}  // namespace lithe::app

// lithe bench linalg: P4, "On the effect of linear algebra implementations in real-time multibody system dynamics", on
// this machine: tables 1 to 3, figures 2 and 4 to 7, section 4.3; and what auto knows of Krylov methods.
#include "linalg.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands.h"
#include "four_bar.h"
#include "lithe/base/error.h"
#include "machine.h"

namespace lithe::app {

namespace {

struct Section {
  const char *name, *title;
  nlohmann::json (*run)(LinalgBench& bench);
};
constexpr Section sections[] = {
    {"table_1", "Table 1: shares of a step", bench_table_1},
    {"figure_2", "Figure 2: dense solvers and BLAS implementations", bench_figure_2},
    {"table_2", "Table 2: plain and pre-analysed sparse operations", bench_table_2},
    {"figure_4", "Figure 4: sparse solvers and orderings against size", bench_figure_4},
    {"section_4_3", "Section 4.3: effect of the dense BLAS on sparse solvers", bench_section_4_3},
    {"figure_5", "Figure 5: artificial fill, 100 variables", bench_figure_5},
    {"figure_6", "Figure 6: best solver by size and fill, pivots kept", bench_figure_6},
    {"figure_7", "Figure 7: best solver by size and fill, pivots chosen anew", bench_figure_7},
    {"table_3", "Table 3: the rule that chooses a solver", bench_table_3},
    {"krylov", "Krylov methods beside factors: nets, plates, blocks", bench_krylov},
    {"threads", "Krylov methods on threads: products, block Jacobi, SPIKE", bench_threads},
};

void bench_linalg(const LinalgOptions& options) {
  if (!options.loaded_blas.empty()) {
    write_json(options.loaded_blas, measure_loaded_blas(options.quick));
    return;
  }
  std::vector<std::string> names;
  for (const Section& section : sections) names.emplace_back(section.name);
  const std::vector<std::string> only = split_list(options.only);
  for (const std::string& name : only)
    require(std::ranges::find(names, name) != names.end(), "--only: '" + name + "' is not known" +
                                                               suggestion(name, names) + "; there are " +
                                                               fmt::format("{}", fmt::join(names, ", ")));
  check_figures(options.json);
  const Machine machine = describe_machine();
  print_machine(machine);
  fmt::print("times     CPU time of the thread, the least of several rounds in turns; wall time in table 1 and threads\n");
  nlohmann::json result{{"machine", to_json(machine)}, {"quick", options.quick}, {"clock", "thread CPU time"}};
  LinalgBench bench(options);
  for (const Section& section : sections) {
    if (!only.empty() && std::ranges::find(only, section.name) == only.end()) continue;
    fmt::print("\n{}\n", section.title);
    result[section.name] = section.run(bench);
    std::fflush(stdout);
  }
  if (!options.json.empty()) write_json(options.json, result);
}

}  // namespace

const StepWork& LinalgBench::work() {
  if (!work_) {
    const FourBarRun run = FourBar(40).run("auto", "auto", quick_ ? 5 : 100);
    work_ = StepWork{double(run.factorisations) / run.steps, double(run.solves) / run.steps};
  }
  return *work_;
}

std::vector<int> LinalgBench::map_sizes() const {
  return quick_ ? std::vector{10, 40} : std::vector{10, 16, 22, 32, 50, 100, 160, 250, 400};
}

std::vector<double> LinalgBench::map_fills() const {
  if (quick_) return {0, 50, 100};
  return {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
}

const std::vector<MeasuredCase>& LinalgBench::cases(MatrixKind kind) {
  std::vector<MeasuredCase>& all = cases_[kind];
  if (!all.empty()) return all;
  const double seconds = quick_ ? 5e-4 : 3e-3;
  const auto measure = [&](const MatrixCase& matrix) { all.push_back(measure_case(matrix, seconds)); };
  std::vector<int> sizes = map_sizes();
  if (!quick_) sizes.push_back(1002);  // P4's largest, without artificial nonzeros
  for (int size : sizes)
    for (double fill : map_fills()) {
      const MatrixCase matrix = four_bar_case(kind, size, fill);
      const bool natural = fill == 0;
      if ((natural || matrix.fill() > 0.9 * fill) && (natural || size <= map_sizes().back())) measure(matrix);
    }
  if (kind != MatrixKind::positive_definite)
    for (int loops : quick_ ? std::vector{5} : std::vector{2, 5, 10, 25, 50, 100, 250, 500})
      for (double fill : loops > 100 ? std::vector{0.0} : std::vector{0.0, 10.0, 50.0})
        measure(saddle_case(kind, loops, fill));
  for (int side : quick_ ? std::vector{4} : std::vector{5, 8, 12, 18, 26, 36, 60})
    measure(grid_case(kind, side, side, 1));
  for (int side : quick_ ? std::vector{3} : std::vector{3, 4, 5, 6, 8, 10, 13})
    measure(grid_case(kind, side, side, side));
  return all;
}

const nlohmann::json& LinalgBench::blas() {
  if (!blas_) blas_ = measure_all_blas(quick_);
  return *blas_;
}

int four_bar_steps(int variables, bool quick) {
  if (quick) return 3;
  return std::clamp(20'000 / variables, 10, 200);
}

std::string shown(const std::string& solver, Ordering ordering) {
  return solver.starts_with("lapack") ? solver : solver + ", " + to_string(ordering);
}

void add_bench_linalg(CLI::App& bench, int&) {
  auto options = std::make_shared<LinalgOptions>();
  CLI::App* command = bench.add_subcommand("linalg", "linear algebra of a step: P4's tables and figures, and our rule");
  command->add_option("--json", options->json, "write the figures to this file");
  command->add_flag("--quick", options->quick, "small sizes, few rounds: a look at the form, not at times");
  command->add_flag("--full", options->full, "krylov: sizes up to 500,000 unknowns, which take a while");
  command->add_option("--only", options->only, "some sections, as in table_1,figure_4");
  command->add_option("--loaded-blas", options->loaded_blas)->group("");
  command->callback([options] { bench_linalg(*options); });
}

}  // namespace lithe::app

// The sections of `lithe bench linalg`, which repeats P4 on this machine. Each measures, prints beside the paper's
// figures, and returns its part of the JSON. What several sections need is measured once, when it is first asked for.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "linalg_cases.h"

namespace lithe::app {

struct LinalgOptions {
  bool quick = false, full = false;
  std::string only, json;
  std::string loaded_blas;  // measure the BLAS of this process into this file, and nothing else: for child processes
};

// Factorisations and back-substitutions of a step of the mechanism with 40 loops, by simulation.
struct StepWork {
  double factorisations = 0, solves = 0;
};

class LinalgBench {
 public:
  explicit LinalgBench(const LinalgOptions& options) : quick_(options.quick), full_(options.full) {}
  bool quick() const { return quick_; }
  bool full() const { return full_; }

  const StepWork& work();
  // Four-bar matrices over sizes and fills; of the other kinds saddle points and grids as well.
  const std::vector<MeasuredCase>& cases(MatrixKind kind);
  const nlohmann::json& blas();  // one entry per implementation: linalg_blas.cpp
  std::vector<int> map_sizes() const;
  std::vector<double> map_fills() const;

 private:
  bool quick_, full_;
  std::optional<StepWork> work_;
  std::map<MatrixKind, std::vector<MeasuredCase>> cases_;
  std::optional<nlohmann::json> blas_;
};

// Steps and rounds of a simulated measurement.
int four_bar_steps(int variables, bool quick);
std::string shown(const std::string& solver, Ordering ordering);  // "klu, amd"

nlohmann::json bench_table_1(LinalgBench& bench);      // shares of the phases of a step
nlohmann::json bench_figure_2(LinalgBench& bench);     // dense solvers and BLAS implementations
nlohmann::json bench_table_2(LinalgBench& bench);      // pre-analysed sparse operations
nlohmann::json bench_figure_4(LinalgBench& bench);     // sparse solvers and orderings
nlohmann::json bench_section_4_3(LinalgBench& bench);  // BLAS under sparse solvers
nlohmann::json bench_figure_5(LinalgBench& bench);     // fill, 100 variables
nlohmann::json bench_figure_6(LinalgBench& bench);     // map of the best solver, pivots kept
nlohmann::json bench_figure_7(LinalgBench& bench);     // the same, pivots chosen anew
nlohmann::json bench_table_3(LinalgBench& bench);      // the rule
nlohmann::json bench_krylov(LinalgBench& bench);       // iterative solvers beside factors, and the costs of auto
nlohmann::json bench_threads(LinalgBench& bench);      // what they are made of, on several threads

// Of the BLAS and LAPACK that this process has loaded.
nlohmann::json measure_loaded_blas(bool quick);
// Of all implementations found beside the loaded one, each in a process of its own.
nlohmann::json measure_all_blas(bool quick);

}  // namespace lithe::app

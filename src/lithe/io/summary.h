// What a run was and how it ended: the table at the end of `lithe run`, and the same as JSON.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/dynamics/buckling.h"
#include "lithe/dynamics/simulation.h"
#include "lithe/dynamics/statics.h"
#include "lithe/system/outputs.h"

namespace lithe {

// The largest and the smallest value of a column of the channels over the rows of a run, and when they came first.
struct Extreme {
  double max = 0, max_time = 0, min = 0, min_time = 0;  // times: s
};

// How a run went, for any analysis.
struct RunReport {
  std::string type = "static";  // of the analysis, as the model names it
  bool dynamic = false, ok = true;
  std::string reason = "done";  // a word: "step_too_small", ...
  std::string message, worst, solver;
  std::vector<std::string> warnings;  // what makes the result doubtful
  long long fallbacks = 0;            // steps of the last resort, dynamics
  EnergyBalance energy;               // dynamics
  ContactCounts contacts;             // dynamics
  long long steps = 0, rejected = 0, iterations = 0, factorisations = 0;
  long long krylov_iterations = 0, products = 0, updates = 0;  // of iterative solvers, dynamics (LinearReport)
  std::vector<std::pair<const char*, double>> preconditioner;  // what the last one made tells of itself
  double t = 0;                                                // s, reached
  double load_factor = 1;                                      // statics: reached
  std::optional<bool> stable;                                  // statics: the last equilibrium; none: not known
  double residual = 0;
  double simulated = 0, smallest_step = 0, largest_step = 0, real_time_factor = 0;  // s, s, s, 1; dynamics
  Phases phases;                  // statics: assembly is part of the tangent
  std::vector<Extreme> extremes;  // [column of all channels, one after another]; empty: no row was recorded
  std::string stage;              // its name
  std::optional<Modes> modes;     // without shapes
  std::optional<Buckling> buckling;
  std::vector<RunReport> stages;  // of a run in stages: each that ran; the sums and the last of them are above
};
RunReport run_report(const StaticReport& report, const State& state);
RunReport run_report(const DynamicReport& report);
// Shapes are left behind.
RunReport run_report(Modes found, const State& state);
RunReport run_report(Buckling found, const State& state);

// The table and the JSON of modes and factors (modal_summary.cpp).
std::string modes_text(const Modes& found);
std::string buckling_text(const Buckling& found);

struct RunSummary {
  std::string name;
  int bodies = 0;
  long long elements = 0;
  int unknowns = 0;
  int reduced = 0;           // bodies that results hold as modes
  int multipliers = 0;       // of constraints that were not eliminated
  std::size_t nonzeros = 0;  // of the matrix as stored
  bool symmetric = true;
  int threads = 1;
  RunReport report;
  double resumed_at = -1;  // s; negative: the run began at its start
  double seconds_load = 0, seconds_compile = 0;
  std::vector<std::string> warnings;
  std::vector<Channel> channels;
  std::vector<double> final_values;  // of all channels, one after another
  std::string result, companion;     // paths, "" if nothing was written
};

// Evaluates the forces at `state` once more for the channels.
RunSummary summarise(const System& system, const State& state, Workspace& work, const RunReport& report);

std::string summary_text(const RunSummary& summary);
std::string summary_json(const RunSummary& summary);
// For input that could not be run: the same keys as far as they make sense.
std::string failure_json(const std::string& name, const std::string& reason, const std::string& message);

}  // namespace lithe

// What a run was and how it ended: the table at the end of `lithe run`, and the same as JSON.
#pragma once

#include <string>
#include <vector>

#include "lithe/dynamics/statics.h"
#include "lithe/system/outputs.h"

namespace lithe {

struct RunSummary {
  std::string name;
  int bodies = 0;
  long long elements = 0;
  int unknowns = 0;
  std::size_t nonzeros = 0;           // of the matrix as stored
  bool symmetric = true;
  int threads = 1;
  StaticReport report;
  double seconds_load = 0, seconds_compile = 0;
  std::vector<std::string> warnings;
  std::vector<Channel> channels;
  std::vector<double> final_values;   // of all channels, one after another
  std::string result, companion;      // paths, "" if nothing was written
};

// Evaluates the forces at `state` once more for the channels.
RunSummary summarise(const System& system, const State& state, Workspace& work, const StaticReport& report);

// A word for the reason: "done", "step_too_small", ...
std::string reason_text(const StaticReport& report);

std::string summary_text(const RunSummary& summary);
std::string summary_json(const RunSummary& summary);
// For input that could not be run: the same keys as far as they make sense.
std::string failure_json(const std::string& name, const std::string& reason, const std::string& message);

}  // namespace lithe

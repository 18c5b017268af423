// The front door of both analyses: runs what the model asks for, records the steps, says how it went.
#pragma once

#include <functional>

#include "lithe/base/field.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/results.h"
#include "lithe/io/summary.h"

namespace lithe {

// Called after every accepted step and once for the starting state; returning false ends the run.
using RunObserver = std::function<bool(const State&, const RecordedStep&)>;

// Runs system.model.analysis from `state` (system.initial_state(), or one of a checkpoint with `resumed`). Statics
// record every step; dynamics the outputs, and checkpoints where they are due.
[[nodiscard]] RunReport run_analysis(const System& system, State& state, Workspace& work, Recorder& recorder,
                                     const RunObserver& observer, bool resumed = false);

// A sentence for the user where the result at `results_path` is complete and --set overrides ask for no more; else
// empty. Throws InputError where they ask for less than was reached.
std::string nothing_left(const std::string& results_path, const std::vector<std::string>& overrides);
// The model of a checkpoint with --set overrides. A checkpoint of another version of lithe is a warning.
Model resumed_model(const Checkpoint& from, const std::string& results_path, const std::vector<std::string>& overrides,
                    Reading& reading);
// Its state, checked against the compiled model.
State resumed_state(const Checkpoint& from, const System& system);

// Threads that the analysis asks for.
int threads(const Model& model);
void set_threads(Model& model, int threads);

}  // namespace lithe

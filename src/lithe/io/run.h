// The front door of all analyses: runs the stages of a model one after the other, hands their rows to recorders, says
// how it went.
#pragma once

#include <functional>
#include <optional>

#include "lithe/base/field.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/recorder.h"
#include "lithe/io/summary.h"

namespace lithe {

// Called after every accepted step and once for the starting state; returning false ends the run.
using RunObserver = std::function<bool(const State&, const RecordedStep&)>;

// Runs the stages of system.model.analysis from `state`: system.initial_state(), or that of a checkpoint at the place
// `from`. Every row goes to each recorder in turn: the steps of statics, the outputs of dynamics; checkpoints where
// they are due. A stage that fails ends the run, and the report names it.
[[nodiscard]] RunReport run_analysis(const System& system, State& state, Workspace& work, const RecorderList& recorders,
                                     const RunObserver& observer, const std::optional<StagePlace>& from = {});

// A sentence for the user where the result at `results_path` is complete and --set overrides ask for no more; else
// empty. Throws InputError where they ask for less than was reached.
std::string nothing_left(const std::string& results_path, const std::vector<std::string>& overrides);
// The model of a checkpoint with --set overrides. A checkpoint of another version of lithe is a warning.
Model resumed_model(const Checkpoint& from, const std::string& results_path, const std::vector<std::string>& overrides,
                    Reading& reading);
// Its state, checked against the compiled model.
State resumed_state(const Checkpoint& from, const System& system);

// "--set" of the duration of a stage: "analysis.duration", "analysis.1.duration", "analysis.motion.duration".
bool sets_duration(const std::string& assignment);

// Threads that the analysis asks for.
int threads(const Model& model);
void set_threads(Model& model, int threads);
// Time between checkpoints of every dynamic stage; false: there is none.
bool set_checkpoints(Model& model, double step);

}  // namespace lithe

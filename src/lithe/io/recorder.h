// Who takes the rows of a run: a file, memory, later a live view. The run loop (run.h) hands every row that is due to
// each recorder of a list.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lithe/dynamics/simulation.h"
#include "lithe/system/nodal_stress.h"
#include "lithe/system/outputs.h"
#include "lithe/system/system.h"

namespace lithe {

// What a result keeps of a step beside its state, whatever the analysis.
struct RecordedStep {
  long long step = 0;
  int iterations = 0;
  double residual = 0;   // relative to the forces
  double h = 0;          // s, dynamics: the step that led here
  int stage = 0;         // of the run
  bool between = false;  // the ends of two steps: the state is interpolated, its slots are not those of its coordinates
};

// Where a run stands in its list of stages: what going on from a checkpoint needs beside the State.
struct StagePlace {
  int stage = 0;
  long long rows = 0;       // of this stage so far
  long long intervals = 0;  // of analysis.fields_step that had passed at the last row with fields
};

// A row as recorders see it. What costs something is evaluated once, by the recorder that asks first.
class OutputRow {
 public:
  // work.internal and work.external hold at the state. has_fields: bodies are recorded, not the channels alone.
  OutputRow(const System& system, const State& reached, const RecordedStep& taken, const Workspace& work,
            NodalStress& stress, bool has_fields = true)
      : state(reached), step(taken), fields(has_fields), system_(system), work_(work), stress_(stress) {}

  const State& state;
  const RecordedStep& step;
  const bool fields;

  const std::vector<double>& channels() const;           // all of them, one after another
  const std::vector<double>& von_mises(int body) const;  // [node]  Pa

 private:
  const System& system_;
  const Workspace& work_;
  NodalStress& stress_;
  mutable std::optional<std::vector<double>> channels_;
  mutable std::vector<std::optional<std::vector<double>>> von_mises_;  // [body]
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void write(const OutputRow& row) = 0;
  // Keeps what a later run needs to go on from `state`; nothing for a recorder without a file.
  virtual void checkpoint(const State& state, const StagePlace& place) = 0;
  // Is each step of dynamics wanted, due or not?
  virtual bool follows_steps() const { return false; }
  virtual void step(const State&, const DynamicStep&, const StagePlace&) {}
  // Adds the report and marks the result complete; nothing can be written afterwards.
  virtual void finish(const std::string& report_json) = 0;
};

using RecorderList = std::vector<Recorder*>;

}  // namespace lithe

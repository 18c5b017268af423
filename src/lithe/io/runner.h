// What a kind of analysis does as a stage of a run: it takes the state that the stage before reached, goes on from
// there, and hands out its rows. Adding a kind: a struct with its schema (model/analysis.h), one more alternative of
// Analysis, a Runner in a file of its own, and one line in the registry of runner.cpp.
#pragma once

#include <functional>
#include <memory>

#include "lithe/io/check.h"
#include "lithe/io/recorder.h"
#include "lithe/io/summary.h"

namespace lithe {

// A stage while it runs: where it begins, and who takes what it makes.
struct StageRun {
  const System& system;
  State& state;
  Workspace& work;
  double begin = 0;      // s
  bool first = true;     // no stage before it has changed the state
  bool moving = false;   // a dynamic stage was
  bool recorded = true;  // somebody takes its rows
  bool resumed = false;  // the state is that of a checkpoint inside this stage
  // An output is due (work.internal and work.external hold at the state), a checkpoint, an accepted step was made; the
  // last returns false to end the run.
  std::function<void(const State&, const RecordedStep&)> output;
  std::function<void(const State&)> checkpoint;
  std::function<bool(const State&, const RecordedStep&)> observe;
  // An accepted step of dynamics, before all others hear of it; empty: nobody asks.
  std::function<void(const State&, const DynamicStep&)> trace = {};
};

class Runner {
 public:
  virtual ~Runner() = default;
  [[nodiscard]] virtual RunReport run(StageRun& stage) const = 0;
  // What can be known before the first step; adds its line to report.text, after `title` ("stage 'motion': " or "").
  virtual void check(const System& system, double begin, const std::string& title, CheckReport& report) const = 0;
  virtual double rows() const = 0;  // that it will record, about
};

std::unique_ptr<Runner> make_runner(const Analysis& analysis);

// The registry: what makes the runner of each kind.
std::unique_ptr<Runner> runner_of(const StaticAnalysis& options);    // static_runner.cpp
std::unique_ptr<Runner> runner_of(const DynamicAnalysis& options);   // dynamic_runner.cpp
std::unique_ptr<Runner> runner_of(const ModesAnalysis& options);     // modes_runner.cpp
std::unique_ptr<Runner> runner_of(const BucklingAnalysis& options);  // modes_runner.cpp

}  // namespace lithe

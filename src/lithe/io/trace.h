// The trace of a run: a CSV file with a line for each step of its dynamic stages, written when the step is made.
// Numbers are of what was done since the line before, so that their sums are those of the run: a step has the
// attempts that were rejected before it, the first one of a stage also its start. A resumed run goes on where its
// checkpoint stands: lines of steps that it will make again are taken away.
#pragma once

#include <string>
#include <string_view>

#include "lithe/io/recorder.h"
#include "lithe/io/run_files.h"

namespace lithe {

struct Checkpoint;

inline constexpr std::string_view trace_heading =
    "step,t,h,newton_iterations,krylov_iterations,products,updates,seconds,factorisations,rejected,stage\n";

class Trace final : public Recorder {
 public:
  // paths.trace is the file. Throws InputError where it is there and does not end where `from` stands, RunError where
  // it cannot be written.
  explicit Trace(const RunPaths& paths, const Checkpoint* from = nullptr);
  ~Trace() override;
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  bool follows_steps() const override { return true; }
  void step(const State& state, const DynamicStep& step, const StagePlace& place) override;
  void write(const OutputRow&) override {}
  void checkpoint(const State& state, const StagePlace& place) override;
  void finish(const std::string& report_json) override;

 private:
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_;
  int file_ = -1;
  int stage_ = -1;  // of the last line
  StepEffort told_;
};

// Throws InputError where `stages` make no steps; `asked` is how the user named the trace.
void require_steps(const Stages& stages, const std::string& asked);

}  // namespace lithe

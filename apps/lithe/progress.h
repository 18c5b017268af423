// Progress of a run on stderr: a bar where that is a terminal, plain lines otherwise.
#pragma once

#include "lithe/io/progress_line.h"

namespace lithe::app {

class Progress {
 public:
  // begin: time at which the run starts, of a resumed one that of its checkpoint.
  Progress(bool quiet, const Stages& stages, double begin);
  void step(const State& state, const RecordedStep& step) {
    if (!quiet_) line_.step(state, step);
  }
  // Removes the bar, so that other text can be printed.
  void clear() { line_.clear(); }

 private:
  bool quiet_;
  ProgressLine line_;
};

}  // namespace lithe::app

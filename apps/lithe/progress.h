// Progress of a run on stderr: a bar with the time left on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <string>

#include "lithe/io/results.h"

namespace lithe::app {

class Progress {
 public:
  // begin: time at which the run starts, of a resumed one that of its checkpoint.
  Progress(bool quiet, const Analysis& analysis, double begin);
  ~Progress();
  void step(const State& state, const RecordedStep& step);
  // Removes the bar, so that other text can be printed.
  void clear();

 private:
  std::string words(const State& state, const RecordedStep& step) const;
  std::string left(double elapsed) const;

  bool quiet_, terminal_, dynamic_, foreseeable_, drawn_ = false;
  double begin_ = 0, duration_ = 1;  // s
  double share_ = 0;                 // of the run that is done
  int lines_ = 0;
  long long last_step_ = -1;  // at the last line, for the speed
  double speed_ = 0;          // steps/s
  std::chrono::steady_clock::time_point start_, last_;
};

// "12 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace lithe::app

// Progress of a run on stderr: a bar with the time left on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <string>

#include "lithe/dynamics/statics.h"

namespace lithe::app {

class Progress {
 public:
  Progress(bool quiet, bool arc_length);
  ~Progress();
  void step(const StaticStep& step);
  // Removes the bar, so that other text can be printed.
  void clear();

 private:
  bool quiet_, terminal_, arc_length_, drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

// "12 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace lithe::app

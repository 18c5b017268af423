// Progress of a run: a bar with the time left that fits a terminal of any width, plain lines elsewhere.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lithe/io/results.h"

namespace lithe {

// Where progress is shown.
struct ProgressScreen {
  std::function<void(const std::string&)> write;
  // Width of the terminal, asked for every line, since users resize it; 0: no terminal, so no control characters.
  std::function<int()> columns;
};

class ProgressLine {
 public:
  // begin: time at which the run starts, of a resumed one that of its checkpoint.
  ProgressLine(ProgressScreen screen, const Stages& stages, double begin);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void step(const State& state, const RecordedStep& step);
  // Removes the bar, so that other text can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  ProgressScreen screen_;
  const Stages stages_;
  int stage_ = -1;
  bool dynamic_ = false, foreseeable_ = true, by_load_ = true;
  double looks_ = 0;            // modes that the stage looks for; 0: it changes the state
  double begin_ = 0, end_ = 1;  // s
  double share_ = 0;            // of the stage that is done
  int lines_ = 0;
  std::size_t drawn_ = 0;     // characters of the bar on the screen
  long long last_step_ = -1;  // at the last line, for the speed
  double speed_ = 0;          // steps/s
  Clock::time_point start_, last_;

  void enter(int stage);
  std::string erasure(int columns) const;
};

// What a line says beside its bar: in the order of the line, with ranks of importance, 0 the first.
struct ProgressWord {
  int rank = 0;
  std::string text;
};
// "[####......]  42 %  t = 0.42 of 1 s, ...", shorter than `columns`: the bar shrinks, and words that find no room are
// left out, the least important first.
std::string progress_line(double share, const std::vector<ProgressWord>& words, int columns);

// Seconds that a run will still take; nothing before enough of it is done to know.
std::optional<double> seconds_left(double elapsed, double share);

// "12 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace lithe

#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace lithe::app {

std::string duration_text(double seconds) {
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

Progress::Progress(bool quiet, bool arc_length)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), arc_length_(arc_length),
      start_(std::chrono::steady_clock::now()), last_(start_) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
  std::fflush(stderr);
}

void Progress::step(const StaticStep& step) {
  if (quiet_ || step.step == 0) return;
  const auto now = std::chrono::steady_clock::now();
  const double since_last = std::chrono::duration<double>(now - last_).count();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double share = std::clamp(step.load_factor, 0.0, 1.0);
  // Along an arc the load may fall again, so nobody knows the time left.
  const bool known = !arc_length_ && share > 0 && share < 1;
  const std::string left = known ? ", about " + duration_text(elapsed * (1 - share) / share) + " left" : "";
  const std::string words = fmt::format("step {}, load {:.4g}, {} iteration{}", step.step, step.load_factor,
                                        step.iterations, step.iterations == 1 ? "" : "s");
  if (terminal_) {
    if (drawn_ && since_last < 0.1 && share < 1) return;
    constexpr int width = 30;
    const int full = static_cast<int>(width * share);
    fmt::print(stderr, "\r\033[K[{:#<{}}{:.<{}}] {:3.0f} %  {}{}", "", full, "", width - full, 100 * share, words, left);
    std::fflush(stderr);
    drawn_ = true;
  } else {
    if (step.step > 10 && since_last < 1 && share < 1) return;
    fmt::print(stderr, "{}, residual {:.2g}{}\n", words, step.residual, left);
  }
  last_ = now;
}

}  // namespace lithe::app

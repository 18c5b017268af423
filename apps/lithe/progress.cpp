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

Progress::Progress(bool quiet, const Analysis& analysis, double begin)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      dynamic_(std::holds_alternative<DynamicAnalysis>(analysis)),
      foreseeable_(true),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {
  if (const auto* dynamic = std::get_if<DynamicAnalysis>(&analysis)) {
    begin_ = begin;
    duration_ = dynamic->duration;
  } else {
    // Along an arc the load may fall again, so nobody knows the time left.
    foreseeable_ = std::get<StaticAnalysis>(analysis).method != StaticMethod::arc_length;
  }
}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
  std::fflush(stderr);
}

std::string Progress::words(const State& state, const RecordedStep& step) const {
  if (!dynamic_)
    return fmt::format("step {}, load {:.4g}, {} iteration{}", step.step, state.load_factor, step.iterations,
                       step.iterations == 1 ? "" : "s");
  const std::string speed = speed_ > 0 ? fmt::format(", {:.3g} steps/s", speed_) : "";
  return fmt::format("t = {:.4g} of {:.4g} s, step {}, h = {:.3g} s{}", state.t, duration_, step.step, step.h, speed);
}

std::string Progress::left(double elapsed) const {
  if (!foreseeable_ || share_ <= 0 || share_ >= 1) return "";
  return ", about " + duration_text(elapsed * (1 - share_) / share_) + " left";
}

void Progress::step(const State& state, const RecordedStep& step) {
  if (quiet_ || step.step == 0) return;
  const auto now = std::chrono::steady_clock::now();
  const double since_last = std::chrono::duration<double>(now - last_).count();
  share_ = std::clamp(dynamic_ ? (state.t - begin_) / (duration_ - begin_) : state.load_factor, 0.0, 1.0);
  // Words cost more than a small step: often enough is ten times a second on a terminal, once a second elsewhere.
  const bool first = terminal_ ? !drawn_ : lines_ < (dynamic_ ? 1 : 10);
  if (!first && since_last < (terminal_ ? 0.1 : 1) && share_ < 1) return;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (last_step_ >= 0 && since_last > 0) speed_ = static_cast<double>(step.step - last_step_) / since_last;
  last_step_ = step.step;
  last_ = now;
  ++lines_;
  if (terminal_) {
    constexpr int width = 30;
    const int full = static_cast<int>(width * share_);
    fmt::print(stderr, "\r\033[K[{:#<{}}{:.<{}}] {:3.0f} %  {}{}", "", full, "", width - full, 100 * share_,
               words(state, step), left(elapsed));
    std::fflush(stderr);
    drawn_ = true;
  } else {
    fmt::print(stderr, "{}, residual {:.2g}{}\n", words(state, step), step.residual, left(elapsed));
  }
}

}  // namespace lithe::app

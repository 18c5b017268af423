#include "lithe/io/progress_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace lithe {

namespace {

// Words cost more than a small step: often enough is ten times a second on a terminal, once a second elsewhere.
constexpr double terminal_pause = 0.1, plain_pause = 1;  // s

// A run's first steps take long (analysis of the matrix, a start from rest): before this nothing is known.
constexpr double known_after = 2, known_share = 0.02, known_anyway_after = 60;  // s, 1, s

}  // namespace

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "years";
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

std::optional<double> seconds_left(double elapsed, double share) {
  if (!(share > 0 && share < 1) || elapsed < known_after) return std::nullopt;
  if (share < known_share && elapsed < known_anyway_after) return std::nullopt;
  return elapsed * (1 - share) / share;
}

std::string progress_line(double share, const std::vector<ProgressWord>& words, int columns) {
  const std::size_t room = columns > 1 ? static_cast<std::size_t>(columns - 1) : 0;  // the last column would wrap
  const std::string percent = fmt::format("{:3.0f} %", 100 * share);
  const std::size_t cells = std::min<std::size_t>(30, room / 3);
  std::string line;
  if (cells >= 4) {
    const auto full = static_cast<std::size_t>(static_cast<double>(cells) * share);
    line = fmt::format("[{:#<{}}{:.<{}}] ", "", full, "", cells - full);
  }
  line += percent;
  if (line.size() > room) return line.substr(line.size() - room);

  std::size_t left = room - line.size(), said = 0;
  std::vector<char> kept(words.size(), 0);
  std::vector<std::size_t> order(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return words[i].rank; });
  for (const std::size_t i : order) {
    const std::size_t length = words[i].text.size() + 2;  // ", " or two spaces
    if (words[i].text.empty() || length > left) continue;
    kept[i] = 1;
    left -= length;
  }
  for (std::size_t i = 0; i < words.size(); ++i)
    if (kept[i]) line += (said++ == 0 ? "  " : ", ") + words[i].text;
  return line;
}

ProgressLine::ProgressLine(ProgressScreen screen, const Stages& stages, double begin)
    : screen_(std::move(screen)), stages_(stages), begin_(begin), start_(Clock::now()), last_(start_) {}

void ProgressLine::enter(int stage) {
  const auto i = static_cast<std::size_t>(stage);
  const double begin = begin_of(stages_, i);
  begin_ = stage_ < 0 ? std::max(begin, begin_) : begin;
  end_ = begin + duration(stages_[i]);
  stage_ = stage;
  dynamic_ = std::holds_alternative<DynamicAnalysis>(stages_[i]);
  const auto* statics = std::get_if<StaticAnalysis>(&stages_[i]);
  // Along an arc the load may fall again, so nobody knows the time left.
  foreseeable_ = !statics || statics->method != StaticMethod::arc_length;
  by_load_ = statics && i == first_moving_on(stages_);
  looks_ = std::visit(
      [](const auto& a) {
        if constexpr (requires { a.count; }) return static_cast<double>(a.count);
        else return 0.0;
      },
      stages_[i]);
  lines_ = 0;
  last_step_ = -1;
  speed_ = 0;
  start_ = last_ = Clock::now();
}

ProgressLine::~ProgressLine() {
  try {
    clear();
  } catch (...) {  // a screen that is gone needs no clearing
  }
}

void ProgressLine::clear() {
  if (drawn_ == 0) return;
  screen_.write(erasure(screen_.columns()));
  drawn_ = 0;
}

// To the start of the bar, and empty from there on. A terminal made narrower has broken the bar over several rows.
std::string ProgressLine::erasure(int columns) const {
  if (drawn_ == 0) return "";
  const std::size_t rows = columns > 0 ? (drawn_ - 1) / static_cast<std::size_t>(columns) : 0;
  return rows > 0 ? fmt::format("\r\033[{}A\033[J", rows) : "\r\033[K";
}

void ProgressLine::step(const State& state, const RecordedStep& step) {
  if (step.stage != stage_) enter(step.stage);
  if (step.step == 0) return;
  const auto now = Clock::now();
  const double since_last = std::chrono::duration<double>(now - last_).count();
  share_ = looks_ > 0 ? static_cast<double>(step.step) / looks_
           : by_load_ ? state.load_factor
                      : (state.t - begin_) / (end_ - begin_);
  share_ = std::clamp(share_, 0.0, 1.0);
  const bool first = lines_ == 0;
  const bool last = share_ >= 1;
  const bool few = !dynamic_ && looks_ == 0 && lines_ < 10;  // load steps are worth a line each
  if (!first && !last && !few && since_last < terminal_pause) return;
  const int columns = screen_.columns();
  if (columns == 0 && !first && !last && !few && since_last < plain_pause) return;
  if (last_step_ >= 0 && since_last > 0) speed_ = static_cast<double>(step.step - last_step_) / since_last;
  last_step_ = step.step;
  last_ = now;
  ++lines_;

  const std::optional<double> left =
      foreseeable_ ? seconds_left(std::chrono::duration<double>(now - start_).count(), share_) : std::nullopt;
  std::vector<ProgressWord> words;
  if (dynamic_) {
    words.push_back({1, fmt::format("t = {:.4g} of {:.4g} s", state.t, end_)});
    words.push_back({2, fmt::format("step {}", step.step)});
    words.push_back({4, fmt::format("h = {:.3g} s", step.h)});
    if (speed_ > 0) words.push_back({3, fmt::format("{:.3g} steps/s", speed_)});
  } else if (looks_ > 0) {
    words.push_back({1, fmt::format("mode {} of {}", step.step, looks_)});
  } else {
    words.push_back({2, fmt::format("step {}", step.step)});
    words.push_back({1, fmt::format("load {:.4g}", state.load_factor)});
    words.push_back({3, fmt::format("{} iteration{}", step.iterations, step.iterations == 1 ? "" : "s")});
  }
  if (stages_.size() > 1) words.insert(words.begin(), {6, stage_name(stages_, static_cast<std::size_t>(stage_))});
  if (columns == 0) words.push_back({5, fmt::format("residual {:.2g}", step.residual)});
  if (left) words.push_back({0, "about " + duration_text(*left) + " left"});

  if (columns > 0) {
    const std::string line = progress_line(share_, words, columns);
    screen_.write(erasure(columns) + line);
    drawn_ = line.size();
    return;
  }
  std::string line;
  for (const ProgressWord& word : words) line += (line.empty() ? "" : ", ") + word.text;
  screen_.write(line + "\n");
}

}  // namespace lithe

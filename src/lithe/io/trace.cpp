#include "lithe/io/trace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/file_guard.h"
#include "lithe/io/replace_file.h"

namespace lithe {

namespace {

// Stage and step of a line, in the order in which they are made, and its time.
struct Moment {
  std::pair<long long, long long> place{-1, 0};
  double t = 0;
};

// Not a line of ours: a place before all others.
Moment moment_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  if (std::ranges::count(line, ',') != std::ranges::count(trace_heading, ',')) return {};
  const auto read = [](const std::string& text, auto& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  };
  Moment found;
  const bool ours =
      read(fields[0], found.place.second) && read(fields[1], found.t) && read(fields.back(), found.place.first);
  return ours ? found : Moment{};
}

// What the file holds up to the checkpoint.
std::string lines_before(const Checkpoint& from, const RunPaths& paths, const std::string& asked) {
  std::ifstream file(paths.trace, std::ios::binary);
  const Moment wanted{{from.place.stage, from.state.memory.steps}, from.state.t};
  std::string text(trace_heading), line;
  Moment last;
  std::getline(file, line);
  while (std::getline(file, line) && !file.eof()) {
    const Moment here = moment_of(line);
    if (here.place > wanted.place) break;
    text += line + '\n';
    last = here;
  }
  const bool begins = wanted.place.second == 0;  // the checkpoint is the start of its stage
  if (begins ? last.place < wanted.place : last.place == wanted.place && last.t == wanted.t) return text;
  if (paths.force) return std::string(trace_heading);
  throw InputError(fmt::format(
      "{}: this trace does not reach step {} at t = {:.6g} s, where the run goes on: it is of another run, or began "
      "later; give another name, remove it, or begin it anew with {}",
      asked, wanted.place.second, wanted.t, paths.python ? "force=True" : "--force"));
}

}  // namespace

Trace::Trace(const RunPaths& paths, const Checkpoint* from) : path_(paths.trace) {
  const std::string asked = (paths.python ? "trace=" : "--trace ") + path_;
  const bool goes_on = from && is_ours(path_, FileKind::trace);
  replace_file(path_, goes_on ? lines_before(*from, paths, asked) : trace_heading, "trace");
  file_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (file_ < 0) fail(std::strerror(errno));
}

Trace::~Trace() {
  if (file_ >= 0) close(file_);
}

void Trace::fail(const std::string& why) const { throw RunError("trace '" + path_ + "' cannot be written: " + why); }

void Trace::step(const State& state, const DynamicStep& step, const StagePlace& place) {
  if (place.stage != stage_) told_ = {};
  stage_ = place.stage;
  const StepEffort e = step.effort - std::exchange(told_, step.effort);
  const std::string line =
      fmt::format("{},{},{},{},{},{},{},{:.6g},{},{},{}\n", step.step, state.t, step.h, e.newton_iterations,
                  e.krylov_iterations, e.products, e.updates, e.seconds, e.factorisations, e.rejected, stage_);
  // One write for a line: a kill leaves whole ones.
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t n = ::write(file_, line.data() + done, line.size() - done);
    if (n > 0) done += static_cast<std::size_t>(n);
    if (n > 0 || (n < 0 && errno == EINTR)) continue;
    const std::string why = std::strerror(errno);
    if (done > 0) (void)!ftruncate(file_, lseek(file_, 0, SEEK_END) - static_cast<off_t>(done));
    fail(why);
  }
}

void Trace::checkpoint(const State&, const StagePlace&) {
  if (fdatasync(file_) != 0 && errno != EINVAL) fail(std::strerror(errno));
}

void Trace::finish(const std::string&) {
  struct stat own {
  }, there{};
  const bool moved = fstat(file_, &own) != 0 || stat(path_.c_str(), &there) != 0 || own.st_ino != there.st_ino ||
                     own.st_dev != there.st_dev;
  if (close(std::exchange(file_, -1)) != 0) fail(std::strerror(errno));
  if (moved)
    throw RunError("trace '" + path_ + "' is not there: the file was removed or replaced while the run went on");
}

void require_steps(const Stages& stages, const std::string& asked) {
  if (first_dynamic(stages) == stages.size())
    throw InputError(asked +
                     ": a trace is of the steps of dynamics, and this analysis has none; leave it away, or run "
                     "'analysis: {type: dynamic}'");
}

}  // namespace lithe

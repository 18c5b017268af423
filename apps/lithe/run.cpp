// lithe run FILE: model -> System -> steps -> result file and summary; lithe run --resume OUT goes on from a
// checkpoint.
#include "lithe/io/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>

#include "commands.h"
#include "lithe/dynamics/linear_system.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/file_lock.h"
#include "lithe/io/load_model.h"
#include "lithe/io/memory_plan.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/run_files.h"
#include "lithe/io/trace.h"
#include "lithe/model/validate.h"
#include "progress.h"
#include "stop_signals.h"

namespace lithe::app {

namespace {

namespace fs = std::filesystem;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

RunPaths paths_of(const RunOptions& options) {
  RunPaths paths{.json = options.json, .trace = options.trace, .force = options.force};
  if (options.resume.empty()) {
    paths.inputs = {options.file};
    paths.result = options.out.empty() ? fs::path(options.file).stem().string() + ".h5" : options.out;
  } else {
    paths.result = options.resume;
    paths.asked = "--resume " + options.resume;
    paths.resumed = true;
  }
  return paths;
}

// The recorder of a run that another thread may end: one of them at a time is inside.
class SharedRecorder final : public Recorder {
 public:
  void open(std::unique_ptr<ResultWriter> writer) {
    const std::lock_guard lock(mutex_);
    writer_ = std::move(writer);
  }
  void write(const OutputRow& row) override {
    const std::lock_guard lock(mutex_);
    writer_->write(row);
    reached_ = row.state.t;
  }
  void checkpoint(const State& state, const StagePlace& place) override {
    const std::lock_guard lock(mutex_);
    writer_->checkpoint(state, place);
  }
  void finish(const std::string& report) override {
    const std::lock_guard lock(mutex_);
    writer_->finish(report);
  }
  const ResultWriter& writer() const { return *writer_; }

  // For the other thread: what was computed goes to the file, and the run never comes in again. False: the run is in
  // the middle of writing; its file is then as after a kill, readable up to its last flush.
  bool abandon(std::string& where) {
    if (!mutex_.try_lock_for(std::chrono::milliseconds(150))) return false;
    if (!writer_) return false;
    writer_->abandon();
    where = fmt::format("the results up to t = {:.6g} s are in {}\n", reached_, writer_->path());
    return true;
  }

 private:
  std::timed_mutex mutex_;
  std::unique_ptr<ResultWriter> writer_;
  double reached_ = 0;
};

// What is run and from where.
struct Job {
  Model model;
  Reading reading;
  RunFiles files;
  std::optional<Checkpoint> from;
};

Job new_job(const RunOptions& options) {
  Reading reading;
  Model model = load_model(options.file, options.overrides, reading);
  if (options.edit) {
    options.edit(model);
    reading = {};  // what was doubtful about the analysis that is not run
    validate(model, reading);
  }
  if (options.checkpoint_every > 0 && !set_checkpoints(model, options.checkpoint_every))
    throw InputError("--checkpoint-every " + number_text(options.checkpoint_every) + ": " + options.file +
                     " asks for statics, which have no checkpoints; they belong to 'analysis: {type: dynamic}'");
  if (!options.trace.empty()) require_steps(model.analysis, "--trace " + options.trace);
  RunFiles files(paths_of(options));
  return {std::move(model), std::move(reading), std::move(files), {}};
}

// Nothing: the result is complete, and was told to be.
std::optional<Job> resumed_job(const RunOptions& options) {
  RunFiles files(paths_of(options));  // may throw: before the job, of which GCC 12 would end its parts twice
  Job job{{}, {}, std::move(files), {}};
  const std::string& out = job.files.result();
  if (const std::string complete = nothing_left(out, options.overrides); !complete.empty()) {
    if (!options.quiet) fmt::print(stderr, "note: {}\n", complete);
    write_json(options, ResultFile(out).info().report_json);
    return {};
  }
  job.from = read_checkpoint(out);
  job.model = resumed_model(*job.from, out, options.overrides, job.reading);
  if (options.checkpoint_every > 0) set_checkpoints(job.model, options.checkpoint_every);
  return job;
}

// Before anything is computed, and before anything is written.
void check_options(const RunOptions& options) {
  if (!options.resume.empty()) {
    const auto refuse = [](const std::string& option, const std::string& why) {
      throw InputError(option + " does not go with --resume: " + why);
    };
    if (!options.file.empty()) refuse(options.file, "the model comes from the checkpoint");
    if (!options.out.empty()) refuse("-o " + options.out, "the run goes on in the result it began");
    for (const std::string& assignment : options.overrides)
      if (!sets_duration(assignment))
        refuse("--set " + assignment,
               "only analysis.duration (of stages analysis.NAME.duration) may change; for anything else run the model "
               "anew");
    const ResultFile exists(options.resume);  // and is a result, or says what it is
  }
  check_run_files(paths_of(options));
}

// `name` is told early, for the summary of a run that throws.
std::optional<RunSummary> solve(const RunOptions& options, std::string& name, SharedRecorder& recorder,
                                const StopSignals& stop) {
  const double start = now();
  std::optional<Job> job = options.resume.empty() ? new_job(options) : resumed_job(options);
  if (!job) return {};
  name = job->model.name;
  if (options.threads) set_threads(job->model, *options.threads);
  print_warnings(job->reading.warnings);
  if (!options.force) check_memory(job->model, "--force");
  const double loaded = now();
  const System system = compile(job->model);
  const double compiled = now();
  print_warnings(system.warnings, job->reading.warnings);
  if (!options.force) check_memory(system, job->files.result(), "--force");
  require_solver(system);

  State state = job->from ? resumed_state(*job->from, system) : system.initial_state();
  const double begin = state.t;
  Workspace work(system, threads(system.model));
  const std::string yaml = stored_yaml(job->model);
  std::optional<Trace> trace;
  RecorderList recorders{&recorder};
  if (!options.trace.empty()) {
    trace.emplace(job->files.paths(), job->from ? &*job->from : nullptr);
    recorders.insert(recorders.begin(), &*trace);  // never a checkpoint ahead of it
  }
  recorder.open(job->from ? std::make_unique<ResultWriter>(std::move(job->files), system, yaml, *job->from)
                          : std::make_unique<ResultWriter>(std::move(job->files), system, yaml));
  RunReport report;
  {
    Progress progress(options.quiet, system.model.analysis, begin);
    const auto observe = [&](const State& reached, const RecordedStep& step) {
      try {
        progress.step(reached, step);
      } catch (const std::system_error&) {  // a terminal that went away is no reason to end a run
      }
      return stop.number() == 0;
    };
    const std::optional<StagePlace> from = job->from ? std::optional(job->from->place) : std::nullopt;
    report = run_analysis(system, state, work, recorders, observe, from);
  }
  if (stop.number() != 0 && !report.ok)
    report.message = fmt::format(
        "{}stopped by {} after step {}",
        report.stages.empty() ? "" : "stage '" + report.stage + "': ", signal_text(stop.number()), report.steps);
  RunSummary summary = summarise(system, state, work, report);
  if (job->from) summary.resumed_at = begin;
  summary.seconds_load = loaded - start;
  summary.seconds_compile = compiled - loaded;
  summary.warnings = job->reading.warnings;
  summary.warnings.insert(summary.warnings.end(), system.warnings.begin(), system.warnings.end());
  summary.result = recorder.writer().path();
  summary.companion = recorder.writer().companion();
  summary.reduced = recorder.writer().reduced_bodies();
  recorder.finish(summary_json(summary));
  if (trace) trace->finish("");
  return summary;
}

void tell_resume(const std::string& result) {
  std::error_code ignored;
  if (fs::exists(checkpoint_path(result), ignored))
    fmt::print(stderr, "to go on from the last checkpoint: lithe run --resume {}\n", result);
}

}  // namespace

void run(const RunOptions& options, int& exit_code) {
  check_options(options);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is told like a full disk
  std::optional<RunSummary> solved;
  std::string name;
  SharedRecorder recorder;
  StopSignals stop([&](int signal) {
    const std::string message =
        fmt::format("stopped by {} in the middle of a step, or before the first", signal_text(signal));
    fmt::print(stderr, "error: {}\n", message);
    std::string where;
    if (recorder.abandon(where)) {
      fmt::print(stderr, "{}", where);
      tell_resume(paths_of(options).result);
      ::unlink(lock_path(paths_of(options).result).c_str());  // no destructor will
    }
    write_json(options, failure_json(name, "stopped", message));
    std::fflush(nullptr);
  });
  try {
    solved = solve(options, name, recorder, stop);
  } catch (const InputError& error) {
    write_json(options, failure_json(name, "bad_input", error.what()));
    throw;
  } catch (const RunError& error) {
    write_json(options, failure_json(name, "failed", error.what()));
    throw;
  }
  stop.ended();
  if (!solved) return;
  const RunSummary& summary = *solved;
  write_json(options, summary_json(summary));
  if (!options.quiet && options.json != "-") fmt::print("{}", summary_text(summary));
  std::fflush(stdout);
  const RunReport& report = summary.report;
  print_warnings(report.warnings, summary.warnings);
  if (report.ok) {
    if (!report.message.empty() && !options.quiet) fmt::print(stderr, "note: {}\n", report.message);
    return;
  }
  exit_code = run_failed;
  fmt::print(stderr, "error: {}\n", report.message.empty() ? report.reason : report.message);
  const bool by_time = report.dynamic || !report.stages.empty();
  fmt::print(stderr, "the results up to {} {:.6g}{} are in {}\n", by_time ? "t =" : "load factor",
             by_time ? report.t : report.load_factor, by_time ? " s" : "", summary.result);
  tell_resume(summary.result);
}

void write_json(const RunOptions& options, const std::string& text) {
  if (options.json.empty()) return;
  if (options.json == "-") {
    fmt::print("{}", text);
    return;
  }
  // It may have come to be another's while the run went on.
  check_place({options.json, FileKind::summary, "--json " + options.json}, options.force, "--force");
  replace_file(options.json, text, "the summary");
}

}  // namespace lithe::app

// lithe run FILE: model -> System -> steps -> result file and summary; lithe run --resume OUT goes on from a
// checkpoint.
#include "lithe/io/run.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "commands.h"
#include "lithe/dynamics/linear_system.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/load_model.h"
#include "progress.h"

namespace lithe::app {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string file, out, json, resume;
  std::vector<std::string> overrides;
  double checkpoint_every = 0;  // s of simulated time
  std::optional<int> threads;   // not given: the model's
  bool quiet = false;
};

// Ctrl-C ends the run after the current step; a second one ends it at once.
volatile std::sig_atomic_t stop_signal = 0;
extern "C" void on_signal(int number) {
  stop_signal = number;
  std::signal(number, SIG_DFL);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A result may replace a result, but nothing else.
void check_output(const std::string& out, const std::string& model_file) {
  std::error_code error;
  if (!fs::exists(out, error)) return;
  if (fs::equivalent(out, model_file, error))
    throw InputError("-o " + out + ": this is the model itself; give the result another name");
  if (fs::is_directory(out, error)) throw InputError("-o " + out + ": this is a folder; name a file in it");
  if (!fs::is_regular_file(out, error) || fs::file_size(out, error) == 0) return;
  char head[8] = {};
  std::ifstream(out, std::ios::binary).read(head, sizeof head);
  if (std::memcmp(head, "\x89HDF\r\n\x1a\n", 8) != 0)
    throw InputError("-o " + out + ": this file exists and is not a result (HDF5); remove it or give another name");
}

// Complete or not at all: written beside the place and then moved there. "-" is the standard output.
void write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  std::error_code error;
  const bool in_place = fs::exists(path, error) && !fs::is_regular_file(path, error);  // a device or a pipe
  const std::string written = in_place ? path : path + ".part";
  errno = 0;
  std::ofstream stream(written);
  stream << text;
  stream.close();
  const std::string reason = errno ? std::strerror(errno) : "unknown reason";
  if (stream && !in_place) fs::rename(written, path, error);
  if (!stream || error) {
    if (!in_place) fs::remove(written, error);
    throw RunError("the summary '" + path + "' cannot be written (" + reason + "); check the folder and the disk");
  }
}

// What is run and from where.
struct Job {
  Model model;
  Reading reading;
  std::string out;
  std::optional<Checkpoint> from;
};

Job new_job(const RunOptions& options) {
  Job job;
  job.model = load_model(options.file, options.overrides, job.reading);
  if (options.checkpoint_every > 0) {
    auto* dynamic = std::get_if<DynamicAnalysis>(&job.model.analysis);
    if (!dynamic)
      throw InputError("--checkpoint-every " + number_text(options.checkpoint_every) + ": " + options.file +
                       " asks for statics, which have no checkpoints; they belong to 'analysis: {type: dynamic}'");
    dynamic->checkpoint_step = options.checkpoint_every;
  }
  job.out = options.out.empty() ? fs::path(options.file).stem().string() + ".h5" : options.out;
  check_output(job.out, options.file);
  return job;
}

Job resumed_job(const RunOptions& options) {
  const auto refuse = [](const std::string& option, const std::string& why) {
    throw InputError(option + " does not go with --resume: " + why);
  };
  if (!options.file.empty()) refuse(options.file, "the model comes from the checkpoint");
  if (!options.out.empty()) refuse("-o " + options.out, "the run goes on in the result it began");
  for (const std::string& assignment : options.overrides)
    if (!assignment.starts_with("analysis.duration="))
      refuse("--set " + assignment, "only analysis.duration may change; for anything else run the model anew");
  Job job;
  job.out = options.resume;
  if (!fs::exists(job.out)) throw InputError("results '" + job.out + "': there is no such file");
  job.from = read_checkpoint(job.out);
  std::vector<std::string> overrides = options.overrides;
  if (options.checkpoint_every > 0)
    overrides.push_back("analysis.checkpoint_step=" + number_text(options.checkpoint_every));
  job.model = resumed_model(*job.from, job.out, overrides, job.reading);
  return job;
}

// `name` is told early, for the summary of a run that throws.
RunSummary solve(const RunOptions& options, std::string& name) {
  const double start = now();
  Job job = options.resume.empty() ? new_job(options) : resumed_job(options);
  name = job.model.name;
  if (options.threads) set_threads(job.model, *options.threads);
  print_warnings(job.reading.warnings);
  const double loaded = now();
  const System system = compile(job.model);
  const double compiled = now();
  print_warnings(system.warnings);
  require_solver(system);

  State state = job.from ? resumed_state(*job.from, system) : system.initial_state();
  const double begin = state.t;
  Workspace work(system, threads(system.model));
  const std::string yaml = model_yaml(job.model);
  auto writer = job.from ? std::make_unique<ResultWriter>(job.out, system, yaml, *job.from)
                         : std::make_unique<ResultWriter>(job.out, system, yaml);
  RunReport report;
  {
    Progress progress(options.quiet, system.model.analysis, begin);
    const auto observe = [&](const State& reached, const RecordedStep& step) {
      progress.step(reached, step);
      return stop_signal == 0;
    };
    report = run_analysis(system, state, work, *writer, observe, job.from.has_value());
  }
  if (stop_signal != 0 && !report.ok)
    report.message = fmt::format("stopped by {} after step {}",
                                 stop_signal == SIGINT ? "Ctrl-C" : "a signal to terminate", report.steps);
  RunSummary summary = summarise(system, state, work, report);
  if (job.from) summary.resumed_at = begin;
  summary.seconds_load = loaded - start;
  summary.seconds_compile = compiled - loaded;
  summary.warnings = job.reading.warnings;
  summary.warnings.insert(summary.warnings.end(), system.warnings.begin(), system.warnings.end());
  summary.result = writer->path();
  summary.companion = writer->companion();
  writer->finish(summary_json(summary));
  return summary;
}

void run(const RunOptions& options, int& exit_code) {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is told like a full disk
  RunSummary summary;
  std::string name;
  try {
    summary = solve(options, name);
  } catch (const InputError& error) {
    if (!options.json.empty()) write_text(options.json, failure_json(name, "bad_input", error.what()));
    throw;
  } catch (const RunError& error) {
    if (!options.json.empty()) write_text(options.json, failure_json(name, "failed", error.what()));
    throw;
  }
  if (!options.json.empty()) write_text(options.json, summary_json(summary));
  if (!options.quiet && options.json != "-") fmt::print("{}", summary_text(summary));
  std::fflush(stdout);
  const RunReport& report = summary.report;
  if (report.ok) {
    if (!report.message.empty() && !options.quiet) fmt::print(stderr, "note: {}\n", report.message);
    return;
  }
  exit_code = run_failed;
  fmt::print(stderr, "error: {}\n", report.message.empty() ? report.reason : report.message);
  fmt::print(stderr, "the results up to {} {:.6g}{} are in {}\n", report.dynamic ? "t =" : "load factor",
             report.dynamic ? report.t : report.load_factor, report.dynamic ? " s" : "", summary.result);
  std::error_code ignored;
  if (fs::exists(checkpoint_path(summary.result), ignored))
    fmt::print(stderr, "to go on from the last checkpoint: lithe run --resume {}\n", summary.result);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run a model: result file, summary");
  command->add_option("FILE", options->file, "model (YAML)");
  command->add_option("-o,--out", options->out, "result (HDF5); default: the model's name with .h5, in this folder");
  command->add_option("--set", options->overrides, "change a value: bodies.beam.mesh.elements=40 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--threads", options->threads, "threads; 0: all cores; default: the model's")
      ->check([](const std::string& text) {  // the limits of analysis.threads
        int n = 0;
        const bool ok = CLI::detail::lexical_cast(text, n) && thread_count.holds(n);
        return ok ? std::string() : "this is " + text + ", but it must be " + thread_count.text;
      })
      ->type_name("INT");
  command
      ->add_option("--checkpoint-every", options->checkpoint_every,
                   "dynamics: seconds of simulated time between checkpoints (analysis.checkpoint_step)")
      ->check([](const std::string& text) {  // CLI::PositiveNumber takes nan and inf
        double seconds = 0;
        const bool ok = CLI::detail::lexical_cast(text, seconds) && seconds > 0 && std::isfinite(seconds);
        return ok ? std::string() : "'" + text + "' is not a positive, finite number of seconds";
      })
      ->type_name("SECONDS");
  command
      ->add_option("--resume", options->resume,
                   "go on from the checkpoint of this result, to the same bits as a run that was never stopped; "
                   "--set analysis.duration=... to go further")
      ->type_name("OUT");
  command->add_option("--json", options->json, "write the summary as JSON to this file; -: to the standard output");
  command->add_flag("-q,--quiet", options->quiet, "no progress and no summary; warnings and errors remain");
  command->footer(
      "Ctrl-C ends the run after the current step and keeps its results (exit code 1); a second one ends it at once.");
  command->callback([options, &exit_code] {
    if (options->file.empty() && options->resume.empty()) throw CLI::RequiredError("FILE");
    run(*options, exit_code);
  });
}

}  // namespace lithe::app

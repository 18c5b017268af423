// lithe modes FILE: modes instead of the model's own analysis. With -o it is a run like any other; without, nothing but
// the summary is written.
#include "lithe/dynamics/modes.h"

#include <fmt/format.h>

#include "commands.h"
#include "lithe/io/file_guard.h"
#include "lithe/io/load_model.h"
#include "lithe/io/memory_plan.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/run.h"
#include "lithe/model/validate.h"

namespace lithe::app {

namespace {

RunSummary summary_alone(const RunOptions& options) {
  Reading reading;
  Model model = load_model(options.file, options.overrides, reading);
  options.edit(model);
  reading = {};  // what was doubtful about the analysis that is not run
  validate(model, reading);
  if (options.threads) set_threads(model, *options.threads);
  print_warnings(reading.warnings);
  if (!options.force) check_memory(model, "--force");
  const System system = compile(model);
  print_warnings(system.warnings, reading.warnings);
  Workspace work(system, threads(system.model));
  State state = system.initial_state();
  const RunReport report =
      run_analysis(system, state, work, {}, [](const State&, const RecordedStep&) { return true; });
  RunSummary summary = summarise(system, state, work, report);
  summary.warnings = reading.warnings;
  summary.warnings.insert(summary.warnings.end(), system.warnings.begin(), system.warnings.end());
  return summary;
}

}  // namespace

void modes(ModesOptions& options, int& exit_code) {
  options.run.edit = [&](Model& model) {
    model.analysis = modes_stages(model, {options.count, options.near}, options.at == "equilibrium");
  };
  if (!options.run.out.empty()) return run(options.run, exit_code);
  if (!options.run.json.empty() && options.run.json != "-") {
    const PlannedFile file{options.run.json, FileKind::summary, "--json " + options.run.json};
    check_distinct({file}, {options.run.file});
    check_place(file, options.run.force, "--force");
    check_folder(file);
  }
  std::optional<RunSummary> summary;
  try {
    summary = summary_alone(options.run);
  } catch (const InputError& error) {
    write_json(options.run, failure_json("", "bad_input", error.what()));
    throw;
  } catch (const RunError& error) {
    write_json(options.run, failure_json("", "failed", error.what()));
    throw;
  }
  write_json(options.run, summary_json(*summary));
  if (!options.run.quiet && options.run.json != "-") fmt::print("{}", summary_text(*summary));
  print_warnings(summary->report.warnings, summary->warnings);
  const RunReport& report = summary->report;
  if (!report.ok) {
    exit_code = run_failed;
    fmt::print(stderr, "error: {}\n", report.message.empty() ? report.reason : report.message);
  } else if (!report.message.empty() && !options.run.quiet) {
    fmt::print(stderr, "note: {}\n", report.message);
  }
}

}  // namespace lithe::app

#include "lithe/io/run.h"

#include "lithe/base/version.h"
#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"

namespace lithe {

namespace {

RunReport run(const System& system, const StaticAnalysis& options, State& state, Workspace& work, Recorder& recorder,
              const RunObserver& observer, bool) {
  const StaticReport report =
      solve_static(system, options, state, work, [&](const State& reached, const StaticStep& step) {
        const RecordedStep recorded{step.step, step.iterations, step.residual, 0};
        recorder.write(reached, recorded, work);
        return observer(reached, recorded);
      });
  return run_report(report, state);
}

RunReport run(const System& system, const DynamicAnalysis& options, State& state, Workspace& work, Recorder& recorder,
              const RunObserver& observer, bool resumed) {
  const auto observe = [&](const State& reached, const DynamicStep& step) {
    const RecordedStep recorded{step.step, step.report.iterations, step.report.residual, step.h};
    if (step.output) recorder.write(reached, recorded, work);
    if (step.checkpoint) recorder.checkpoint(reached);
    return observer(reached, recorded);
  };
  return run_report(simulate(system, options, state, work, observe, resumed));
}

}  // namespace

RunReport run_analysis(const System& system, State& state, Workspace& work, Recorder& recorder,
                       const RunObserver& observer, bool resumed) {
  return std::visit([&](const auto& options) { return run(system, options, state, work, recorder, observer, resumed); },
                    system.model.analysis);
}

namespace {

Model model_with(const std::string& yaml, const std::string& where, const std::vector<std::string>& overrides,
                 Reading& reading) {
  Value root = parse_yaml(yaml, where);
  for (const std::string& assignment : overrides) apply_override(root, assignment);
  return read_model(root, reading);
}

}  // namespace

std::string nothing_left(const std::string& results_path, const std::vector<std::string>& overrides) {
  const ResultFile file(results_path);
  const ResultInfo& info = file.info();
  if (!info.complete || info.steps == 0) return "";
  const std::string here = "results '" + results_path + "' ";
  if (!info.dynamic()) return here + "are complete; a static run has nothing to go on with";
  Reading ignored;
  const Model model = model_with(info.model_yaml, results_path, overrides, ignored);
  const double duration = std::get<DynamicAnalysis>(model.analysis).duration,
               reached = file.read("time").values->back();
  if (reached < duration * (1 - 1e-12)) return "";
  const std::string text = "have reached t = " + number_text(reached) + " s of " + number_text(duration) +
                           " s; to go on longer: --set analysis.duration=" + number_text(2 * reached);
  if (reached * (1 - 1e-12) > duration) throw InputError(here + text);
  return here + "are complete: they " + text;
}

Model resumed_model(const Checkpoint& from, const std::string& results_path, const std::vector<std::string>& overrides,
                    Reading& reading) {
  const std::string checkpoint = checkpoint_path(results_path);
  Model model = model_with(from.model_yaml, checkpoint, overrides, reading);
  const auto* options = std::get_if<DynamicAnalysis>(&model.analysis);
  if (!options) throw InputError("checkpoint '" + checkpoint + "' is not of a dynamic run");
  if (from.state.t * (1 - 1e-12) > options->duration)
    throw InputError("results '" + results_path + "' have reached t = " + number_text(from.state.t) + " s of " +
                     number_text(options->duration) +
                     " s; to go on longer: --set analysis.duration=" + number_text(2 * from.state.t));
  if (from.version != version())
    reading.warnings.push_back("checkpoint '" + checkpoint + "' was written by lithe " + from.version + ", this is " +
                               version() + ": the run goes on, but not bit by bit as there");
  return model;
}

State resumed_state(const Checkpoint& from, const System& system) {
  const State& state = from.state;
  const auto fits = [](std::size_t found, std::size_t wanted, const char* what) {
    if (found != wanted)
      throw InputError("the checkpoint has " + std::to_string(found) + " " + what + ", but its model has " +
                       std::to_string(wanted) + "; it was written by another version of lithe, run the model again");
  };
  fits(state.q.size(), system.q0.size(), "coordinates");
  fits(state.v.size(), system.q0.size(), "velocities");
  fits(state.a.size(), system.q0.size(), "accelerations");
  fits(state.lambda.size(), system.rows.size(), "multipliers");
  const Slots slots = system.initial_state().slots;
  fits(state.slots.count(), slots.count(), "slots");
  if (state.slots.names != slots.names || (!slots.ends.empty() && state.slots.ends.back() != state.slots.values.size()))
    throw InputError("the checkpoint's slots are not those of its model; it was written by another version of lithe");
  return state;
}

int threads(const Model& model) {
  return std::visit([](const auto& options) { return options.threads; }, model.analysis);
}

void set_threads(Model& model, int threads) {
  if (!thread_count.holds(threads))
    throw InputError("threads: this is " + std::to_string(threads) + ", but it must be " + thread_count.text);
  std::visit([&](auto& options) { options.threads = threads; }, model.analysis);
}

}  // namespace lithe

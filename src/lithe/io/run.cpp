#include "lithe/io/run.h"

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

Model resumed_model(const Checkpoint& from, const std::string& results_path, const std::vector<std::string>& overrides,
                    Reading& reading) {
  Value root = parse_yaml(from.model_yaml, checkpoint_path(results_path));
  for (const std::string& assignment : overrides) apply_override(root, assignment);
  Model model = read_model(root, reading);
  const auto* options = std::get_if<DynamicAnalysis>(&model.analysis);
  if (!options) throw InputError("checkpoint '" + checkpoint_path(results_path) + "' is not of a dynamic run");
  const double end = options->duration * (1 - 1e-12);
  // A run killed after its last step has its report to write.
  if (from.state.t >= end &&
      (ResultFile(results_path).info().complete || from.state.t * (1 - 1e-12) > options->duration))
    throw InputError("results '" + results_path + "' have reached t = " + number_text(from.state.t) + " s of " +
                     number_text(options->duration) +
                     " s; to go on longer: --set analysis.duration=" + number_text(2 * from.state.t));
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
  fits(state.angles.size(), system.angles.size(), "angles");
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

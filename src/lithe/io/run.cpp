#include "lithe/io/run.h"

namespace lithe {

namespace {

RunReport run(const System& system, const StaticAnalysis& options, State& state, Workspace& work, Recorder& recorder,
              const RunObserver& observer, bool) {
  const StaticReport report =
      solve_static(system, options, state, work, [&](const State& reached, const StaticStep& step) {
        const RecordedStep recorded{step.step, step.iterations, step.residual};
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
    const bool go_on = observer(reached, recorded);
    if (step.checkpoint || (!go_on && options.checkpoint_step > 0)) recorder.checkpoint(reached);
    return go_on;
  };
  return run_report(simulate(system, options, state, work, observe, resumed));
}

}  // namespace

RunReport run_analysis(const System& system, State& state, Workspace& work, Recorder& recorder,
                       const RunObserver& observer, bool resumed) {
  return std::visit(
      [&](const auto& options) { return run(system, options, state, work, recorder, observer, resumed); },
      system.model.analysis);
}

int threads(const Model& model) {
  return std::visit([](const auto& options) { return options.threads; }, model.analysis);
}

void set_threads(Model& model, int threads) {
  std::visit([&](auto& options) { options.threads = threads; }, model.analysis);
}

}  // namespace lithe

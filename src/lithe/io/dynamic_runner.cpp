#include <fmt/format.h>

#include <cmath>

#include "lithe/dynamics/stepper.h"
#include "lithe/io/runner.h"

namespace lithe {

namespace {

class DynamicRunner final : public Runner {
 public:
  explicit DynamicRunner(const DynamicAnalysis& options) : options_(options) {}

  RunReport run(StageRun& stage) const override {
    const auto observe = [&](const State& reached, const DynamicStep& step) {
      if (stage.trace && step.step > 0 && !step.between) stage.trace(reached, step);
      const RecordedStep recorded{step.step, step.report.iterations, step.report.residual, step.h, 0, step.between};
      if (step.output) stage.output(reached, recorded);
      if (step.checkpoint) stage.checkpoint(reached);
      return stage.observe(reached, recorded);
    };
    return run_report(
        simulate(stage.system, options_, stage.state, stage.work, observe, stage.resumed,
                 {.time = stage.begin, .moving = stage.moving, .traced = static_cast<bool>(stage.trace)}));
  }

  // A stage after others starts from a state that is not known yet: masses and the solver are looked at in the
  // reference configuration.
  void check(const System& system, double begin, const std::string& title, CheckReport& report) const override {
    Workspace work(system, options_.threads);
    const auto stepper = make_stepper(system, options_, work);
    State state = system.initial_state();
    state.t = begin;
    stepper->start(state);
    const double steps = std::ceil(options_.duration / options_.step - 1e-9);
    report.steps += steps;
    report.solver = stepper->solver_text();
    report.text += fmt::format(
        "{}dynamic: {} steps of {:g} s{}{}; solver {}\n", title, steps, options_.step,
        options_.control == StepControl::error ? " at first, then by the estimated error" : "",
        title.empty() ? "" : fmt::format(", from t = {:g} to {:g} s", begin, begin + options_.duration), report.solver);
  }

  double rows() const override {
    if (!options_.output_times.empty()) return 2 + static_cast<double>(options_.output_times.size());
    return 1 + std::ceil(options_.duration / (options_.output_step > 0 ? options_.output_step : options_.step));
  }

 private:
  const DynamicAnalysis& options_;
};

}  // namespace

std::unique_ptr<Runner> runner_of(const DynamicAnalysis& options) { return std::make_unique<DynamicRunner>(options); }

}  // namespace lithe

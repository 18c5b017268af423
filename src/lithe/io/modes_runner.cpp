// Stages that look at a state and leave it as it is: modes and buckling. Each mode becomes `frames` rows, state +
// amplitude cos(phase) mode, so that the result plays in ParaView.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/io/runner.h"

namespace lithe {

namespace {

// Largest displacement of a place: gradients do not count.
double largest_displacement(const System& system, const std::vector<double>& shape) {
  double largest = 0;
  for (const BodyInfo& body : system.bodies)
    for (int n = 0; n < body.mesh.node_count(); ++n) {
      const double* x = &shape[3ul * body.vector(n, 0)];
      largest = std::max(largest, std::hypot(x[0], x[1], x[2]));
    }
  return largest;
}

// The state that is looked at: at rest where no stage was before.
State looked_at(const StageRun& stage) {
  if (stage.first) return state_at_rest(stage.system);
  State state = stage.state;
  bring_to_rest(stage.system, state);
  return state;
}

// False: the run is to end.
bool play(const StageRun& stage, const State& about, const std::vector<double>& shape, int number, double residual,
          int frames, double amplitude) {
  if (!stage.recorded) return stage.observe(about, {number, 0, residual, 0});
  const double largest = largest_displacement(stage.system, shape);
  const double scale = largest > 0 ? amplitude * stage.system.length_scale / largest : amplitude;
  for (int frame = 0; frame < frames; ++frame) {
    State drawn = about;
    const double share = scale * std::cos(2 * std::numbers::pi * frame / frames);
    for (std::size_t i = 0; i < drawn.q.size(); ++i) drawn.q[i] += share * shape[i];
    stage.system.map.update(drawn.q, drawn.slots);
    evaluate_internal(stage.system, drawn, stage.work);
    evaluate_external(stage.system, drawn, stage.work);
    stage.output(drawn, {number, 0, residual, 0});
  }
  return stage.observe(about, {number, 0, residual, 0});
}

RunReport stopped(RunReport report) {
  report.ok = false;
  report.reason = "stopped";
  return report;
}

class ModesRunner final : public Runner {
 public:
  explicit ModesRunner(const ModesAnalysis& options) : options_(options) {}

  RunReport run(StageRun& stage) const override {
    const State state = looked_at(stage);
    Modes found = find_modes(stage.system, state, stage.work, {options_.count, options_.near});
    if (stage.moving)
      found.note +=
          std::string(found.note.empty() ? "" : "; ") +
          "the state moves: the modes are those of small motions about where it is, with its velocities left away";
    bool on = true;
    for (std::size_t k = 0; on && k < found.modes.size(); ++k)
      on = play(stage, state, found.modes[k].shape, static_cast<int>(k) + 1, found.modes[k].residual, options_.frames,
                options_.amplitude);
    RunReport report = run_report(std::move(found), state);
    return on ? report : stopped(std::move(report));
  }

  void check(const System&, double, const std::string& title, CheckReport& report) const override {
    report.text += fmt::format("{}modes: {} {}\n", title, options_.count,
                               options_.near ? fmt::format("nearest to {:g} Hz", *options_.near) : "lowest");
  }

  double rows() const override { return double(options_.count) * options_.frames; }

 private:
  const ModesAnalysis& options_;
};

class BucklingRunner final : public Runner {
 public:
  explicit BucklingRunner(const BucklingAnalysis& options) : options_(options) {}

  RunReport run(StageRun& stage) const override {
    const State state = looked_at(stage);
    Buckling found = find_buckling(stage.system, state, stage.work, options_.count);
    bool on = true;
    for (std::size_t k = 0; on && k < found.modes.size(); ++k)
      on = play(stage, state, found.modes[k].shape, static_cast<int>(k) + 1, found.modes[k].residual, options_.frames,
                options_.amplitude);
    RunReport report = run_report(std::move(found), state);
    return on ? report : stopped(std::move(report));
  }

  void check(const System&, double, const std::string& title, CheckReport& report) const override {
    report.text += fmt::format("{}buckling: the {} lowest factors of the constant loads\n", title, options_.count);
  }

  double rows() const override { return double(options_.count) * options_.frames; }

 private:
  const BucklingAnalysis& options_;
};

}  // namespace

std::unique_ptr<Runner> runner_of(const ModesAnalysis& options) { return std::make_unique<ModesRunner>(options); }
std::unique_ptr<Runner> runner_of(const BucklingAnalysis& options) { return std::make_unique<BucklingRunner>(options); }

}  // namespace lithe

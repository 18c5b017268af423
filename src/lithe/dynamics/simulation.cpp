#include "lithe/dynamics/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/dynamics/timed.h"
#include "lithe/system/loads.h"

namespace lithe {

namespace {

// Step sizes are duration-independent multiples of the user's step by powers of this: a factorisation belongs to one
// size, so sizes change rarely and by much.
constexpr double step_ratio = 2;
// Steps after a rejection before the size may grow again.
constexpr long long patience = 4;

class Simulation {
 public:
  Simulation(const System& system, const DynamicAnalysis& options, State& state, Workspace& work,
             const DynamicObserver& observer)
      : system_(system),
        options_(options),
        state_(state),
        observer_(observer),
        stepper_(make_stepper(system, options, work)) {
    largest_ = options.control == StepControl::fixed ? options.step
               : options.largest_step > 0            ? options.largest_step
                                                     : options.duration / 20;
  }

  DynamicReport report;

  void run(bool resumed) {
    const double begin = state_.t;
    if (resumed) {
      stepper_->resume(state_);
    } else {
      stepper_->start(state_);
      state_.memory = {};
      state_.memory.next_step = std::min(options_.step, largest_);
      DynamicStep first;
      first.checkpoint = options_.checkpoint_step > 0;
      if (!observe(first)) return finish(DynamicReport::Reason::stopped, begin);
    }
    const double end = options_.duration;
    while (state_.t < end * (1 - 1e-12)) {
      StepMemory& memory = state_.memory;
      double h = memory.next_step;
      const double target = std::min(next_event(end), load_row_inside(system_, state_.t, h));
      // The last step before an event meets it; a step that would leave a sliver takes it along.
      const bool meets = state_.t + h * (1 + 1e-6) >= target;
      if (meets) h = target - state_.t;
      const StepReport step = stepper_->step(h, state_);
      report.iterations += step.iterations;
      report.residual = step.residual;
      if (!step.ok()) {
        if (!reject(h, step)) return finish(report.reason, begin);
        continue;
      }
      if (meets) state_.t = target;
      ++memory.steps;
      ++report.steps;
      report.fallbacks += step.fallback;
      report.smallest_step = report.steps == 1 ? h : std::min(report.smallest_step, h);
      report.largest_step = std::max(report.largest_step, h);
      propose(step, h);
      DynamicStep accepted;
      accepted.step = memory.steps;
      accepted.h = h;
      accepted.report = step;
      const bool last = state_.t >= end * (1 - 1e-12);
      accepted.output = options_.output_step == 0 || due(options_.output_step) || last;
      accepted.checkpoint = options_.checkpoint_step > 0 && (passed(options_.checkpoint_step, h) || last);
      if (!observe(accepted)) return finish(DynamicReport::Reason::stopped, begin);
    }
    finish(DynamicReport::Reason::done, begin);
  }

 private:
  // The next time at which a step must end, beside rows of loads: an output or the end. Checkpoints take what comes:
  // they change nothing.
  double next_event(double end) const {
    const double interval = options_.output_step;
    if (interval == 0) return end;
    return std::min(end, (std::floor(state_.t / interval * (1 + 1e-12) + 1e-9) + 1) * interval);
  }
  bool due(double interval) const {
    const double times = state_.t / interval;
    return std::abs(times - std::round(times)) < 1e-6;
  }

  // Did the last step, of size h, reach or pass a multiple of the interval?
  bool passed(double interval, double h) const {
    const auto count = [&](double t) { return std::floor(t / interval * (1 + 1e-12) + 1e-9); };
    return count(state_.t) > count(state_.t - h);
  }

  bool observe(const DynamicStep& step) {
    if (!observer_) return true;
    if (step.checkpoint) stepper_->save(state_);
    const Timed timed(output_);
    return observer_(state_, step);
  }

  // Sizes on the grid step * ratio^k at or below x.
  double on_grid(double x) const {
    return options_.step * std::pow(step_ratio, std::floor(std::log(x / options_.step) / std::log(step_ratio) + 1e-9));
  }

  void propose(const StepReport& step, double h) {
    StepMemory& memory = state_.memory;
    double next = memory.next_step;
    const bool calm = memory.steps - memory.last_rejection > patience;
    if (options_.control == StepControl::error) {
      // The error of a step goes with h^(order + 1); a factor of safety keeps rejections rare.
      const double power = 1.0 / (stepper_->order() + 1);
      const double wanted = h * 0.9 * std::pow(std::max(step.error, 1e-10), -power);
      if (wanted >= step_ratio * next && calm) next *= step_ratio;
      else if (wanted < 0.7 * next) next = next / step_ratio;
    } else if (next < options_.step && calm) {
      next = std::min(options_.step, next * step_ratio);
    }
    memory.next_step = std::clamp(on_grid(std::min(next, largest_)), options_.smallest_step, largest_);
  }

  bool reject(double h, const StepReport& step) {
    ++report.rejected;
    StepMemory& memory = state_.memory;
    memory.last_rejection = memory.steps;
    const double smaller =
        std::min(on_grid(h) < h * 0.999 ? on_grid(h) : h / step_ratio, memory.next_step / step_ratio);
    if (h > options_.smallest_step) {
      memory.next_step = std::max(smaller, options_.smallest_step);
      return true;
    }
    report.reason = step.reason == StepReport::Reason::not_finite ? DynamicReport::Reason::not_finite
                    : step.reason == StepReport::Reason::singular ? DynamicReport::Reason::singular
                                                                  : DynamicReport::Reason::step_too_small;
    report.worst = step.worst;
    report.message = fmt::format(
        "t = {:.6g} s of {:.6g} s reached: {} at a step of {:.2g} s; residual {:.2e} of the forces, correction {:.2e} "
        "(tolerance {:.1e}){}; try a smaller step or smallest_step, more damping (backward_euler), or look for a part "
        "that buckles, snaps or has hardly any mass",
        state_.t, options_.duration, step.text(), h, step.residual, step.correction, options_.tolerance,
        step.worst.empty() ? "" : ", worst at " + step.worst);
    return false;
  }

  void finish(DynamicReport::Reason reason, double begin) {
    report.reason = reason;
    report.t = state_.t;
    report.simulated = state_.t - begin;
    report.factorisations = stepper_->factorisations();
    report.solves = stepper_->solves();
    report.solver = stepper_->solver_text();
    report.phases = stepper_->phases();
    report.phases.output = output_;
    if (report.fallbacks > 0 && reason == DynamicReport::Reason::done)
      report.message = fmt::format("{} of {} steps were made by backward Euler where the chosen scheme failed.",
                                   report.fallbacks, report.steps);
    if (reason == DynamicReport::Reason::stopped)
      report.message = fmt::format("stopped on request at t = {:.6g} s", state_.t);
  }

  const System& system_;
  const DynamicAnalysis& options_;
  State& state_;
  const DynamicObserver& observer_;
  std::unique_ptr<Stepper> stepper_;
  double largest_ = 0, output_ = 0;
};

}  // namespace

DynamicReport simulate(const System& system, const DynamicAnalysis& options, State& state, Workspace& work,
                       const DynamicObserver& observer, bool resumed) {
  double total = 0;
  Simulation simulation(system, options, state, work, observer);
  {
    const Timed timed(total);
    simulation.run(resumed);
  }
  simulation.report.phases.total = total;
  return simulation.report;
}

}  // namespace lithe

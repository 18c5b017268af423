#include "lithe/dynamics/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/dynamics/dense_output.h"
#include "lithe/dynamics/timed.h"
#include "lithe/system/loads.h"
#include "lithe/system/slide_along.h"

namespace lithe {

namespace {

// Step sizes are duration-independent multiples of the user's step by powers of this: a factorisation belongs to one
// size, so sizes change rarely and by much.
constexpr double step_ratio = 2;
// Steps after a rejection before the size may grow again.
constexpr long long patience = 4;
// Times closer than this share of a step are one.
constexpr double sliver = 1e-6;
// What a run may lose or gain of its energy, turn in one step, and make by backward Euler before it says so.
constexpr double allowed_imbalance = 0.01, allowed_turn = 1, allowed_fallbacks = 0.01, allowed_violation = 1e-6;

// When outputs are due, beside the start and the end: at every step, at multiples of an interval, or at times of a
// list.
class OutputTimes {
 public:
  OutputTimes(const DynamicAnalysis& options, double begin)
      : begin_(begin), interval_(options.output_step), times_(options.output_times) {
    for (double& t : times_) t += begin;
  }
  bool every_step() const { return interval_ == 0 && times_.empty(); }
  // Outputs are numbered; the first behind t, and the time of one.
  long long first_after(double t) const {
    if (times_.empty()) return static_cast<long long>(std::floor((t - begin_) / interval_)) + 1;
    return std::ranges::upper_bound(times_, t) - times_.begin();
  }
  double time(long long i) const {
    if (times_.empty()) return begin_ + static_cast<double>(i) * interval_;
    return i < std::ssize(times_) ? times_[static_cast<std::size_t>(i)] : std::numeric_limits<double>::infinity();
  }
  double nearest(double t) const {
    if (every_step()) return t;
    if (times_.empty()) return begin_ + std::round((t - begin_) / interval_) * interval_;
    const long long i = first_after(t);
    return i > 0 && t - time(i - 1) <= time(i) - t ? time(i - 1) : time(i);
  }

 private:
  double begin_, interval_;
  std::vector<double> times_;
};

class Simulation {
 public:
  Simulation(const System& system, const DynamicAnalysis& options, State& state, Workspace& work,
             const DynamicObserver& observer, const DynamicStart& start)
      : system_(system),
        options_(options),
        state_(state),
        work_(work),
        observer_(observer),
        start_(start),
        end_(start.time + options.duration),
        due_(options, start.time),
        dense_(system, work),
        stepper_(make_stepper(system, options, work)) {
    largest_ = options.control == StepControl::fixed ? options.step
               : options.largest_step > 0            ? options.largest_step
                                                     : options.duration / 20;
    has_ropes_ = std::ranges::count(system.rows.parts.kind, PartKind::lengths) > 0 ||
                 std::ranges::any_of(system.springs.law,
                                     [](const SpringLaw& law) { return law.kind == SpringLaw::Kind::lengths; });
  }

  DynamicReport report;

  void run(bool resumed) {
    const double begin = state_.t;
    if (resumed) {
      stepper_->resume(state_);
      before_ = effort();
    } else {
      if (!start_.moving) state_.v = system_.v0;
      stepper_->start(state_);
      state_.memory = {};
      state_.memory.next_step = std::min(options_.step, largest_);
      DynamicStep first;
      first.checkpoint = options_.checkpoint_step > 0;
      if (!observe(first)) return finish(DynamicReport::Reason::stopped, begin);
    }
    const double end = end_;
    while (state_.t < end * (1 - 1e-12)) {
      StepMemory& memory = state_.memory;
      double h = memory.next_step;
      // Steps meet the end and rows of loads, and take a sliver that they would leave along; or an output that is near.
      const Table::Row row = load_row_inside(system_, state_.t, h);
      const double event = std::min(end, row.time);
      const bool must = state_.t + h * (1 + sliver) >= event, last = must && event == end;
      const double target = must ? event : due_.nearest(state_.t + h);
      const bool meets = must || std::abs(target - state_.t - h) <= sliver * h;
      if (meets) h = target - state_.t;
      // A step to a jump sees what acts until then: it ends at the last number before it.
      const bool jump = must && row.jump && row.time == event;
      while (jump && state_.t + h >= event) h = std::nextafter(h, 0);
      if (output_inside(h)) {
        stepper_->fetch(state_);
        dense_.begin(state_);
      }
      const StepReport step = stepper_->step(h, state_);
      report.iterations += step.iterations;
      report.residual = step.residual;
      if (!step.ok()) {
        if (!reject(h, step)) return finish(report.reason, begin);
        continue;
      }
      if (meets && !jump) state_.t = target;
      ++memory.steps;
      ++report.steps;
      report.fallbacks += step.fallback;
      report.at_rounding += step.at_rounding;
      report.violation = std::max(report.violation, step.violation);
      count_contacts(step, h);
      report.smallest_step = report.steps == 1 ? h : std::min(report.smallest_step, h);
      report.largest_step = std::max(report.largest_step, h);
      propose(step, h);
      DynamicStep accepted;
      accepted.step = memory.steps;
      accepted.h = h;
      accepted.report = step;
      if (!outputs_between(accepted)) return finish(DynamicReport::Reason::stopped, begin);
      if (jump) state_.t = target;
      if (must && !last) stepper_->corner(jump, state_);
      accepted.output = due_.nearest(state_.t) == state_.t || last;
      if (start_.traced) accepted.effort = effort() - before_;
      accepted.checkpoint = options_.checkpoint_step > 0 && (passed(options_.checkpoint_step, h) || last);
      if (!observe(accepted)) return finish(DynamicReport::Reason::stopped, begin);
      watch_ropes();
      if (system_.sliders.empty() && system_.implied.rows.empty()) continue;
      stepper_->fetch(state_);
      if (const std::string gone = system_.past_an_end(state_); !gone.empty())
        return give_up(DynamicReport::Reason::past_end, gone, begin);
      if (const std::string off = system_.contradiction(state_); !off.empty())
        return give_up(DynamicReport::Reason::contradiction, off, begin);
    }
    finish(DynamicReport::Reason::done, begin);
  }

 private:
  void count_contacts(const StepReport& step, double h) {
    ContactCounts& counts = report.contacts;
    counts.steps += step.contacts > 0;
    counts.points += step.contacts;
    counts.most = std::max<long long>(counts.most, step.contacts);
    counts.iterations += step.contact_iterations;
    counts.patterns = std::max<long long>(counts.patterns, step.patterns);
    counts.cut_back += step.cut_back;
    counts.loose += step.contact_left > 0;
    counts.left = std::max(counts.left, step.contact_left);
    if (!(step.coarse.energy > counts.coarse.energy)) return;
    counts.coarse = step.coarse;
    counts.coarse_time = state_.t;
    counts.coarse_length = h;
  }

  // May an output fall inside of the step that begins here?
  bool output_inside(double h) const {
    return !due_.every_step() && due_.time(due_.first_after(state_.t + sliver * h)) < state_.t + h;
  }

  // Outputs inside the step that ends here.
  bool outputs_between(DynamicStep step) {
    if (due_.every_step()) return true;
    const double edge = sliver * step.h;
    step.between = true;
    bool any = false;
    for (long long i = due_.first_after(state_.t - step.h + edge); due_.time(i) < state_.t - edge; ++i) {
      const Timed timed(output_);
      if (!any) stepper_->fetch(state_);
      any = true;
      if (observer_ && !observer_(dense_.at(due_.time(i), state_), step)) return false;
    }
    if (any) dense_.end();
    return true;
  }

  // Did the last step, of size h, reach or pass a multiple of the interval?
  bool passed(double interval, double h) const {
    const auto count = [&](double t) { return std::floor(t / interval * (1 + 1e-12) + 1e-9); };
    return count(state_.t - start_.time) > count(state_.t - start_.time - h);
  }

  bool observe(const DynamicStep& step) {
    if (!observer_) return true;
    const Timed timed(output_);
    if (step.checkpoint) stepper_->save(state_);
    else if (step.output) stepper_->fetch(state_);
    return observer_(state_, step);
  }

  StepEffort effort() const {
    const LinearReport linear = stepper_->linear();
    return {.newton_iterations = report.iterations,
            .rejected = report.rejected,
            .factorisations = linear.factorisations,
            .krylov_iterations = linear.iterations,
            .products = linear.products,
            .updates = linear.updates,
            .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() - output_};
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
    if (h > options_.smallest_step * (1 + sliver)) {  // differences of times are rounded
      memory.next_step = std::max(smaller, options_.smallest_step);
      return true;
    }
    report.reason = step.reason == StepReport::Reason::not_finite ? DynamicReport::Reason::not_finite
                    : step.reason == StepReport::Reason::singular ? DynamicReport::Reason::singular
                                                                  : DynamicReport::Reason::step_too_small;
    report.worst = step.worst;
    const std::string reached = fmt::format("t = {:.6g} s of {:.6g} s reached: ", state_.t, end_);
    if (step.reason == StepReport::Reason::no_rotation) {
      report.message = fmt::format("{}{} (at a step of {:.2g} s)", reached, step.worst, h);
      return false;
    }
    if (step.reason == StepReport::Reason::unmet_rows) {
      report.message = fmt::format(
          "{}{} at a step of {:.2g} s, worst at {}; it contradicts others, or its bodies cannot follow: remove one of "
          "them or change its numbers",
          reached, step.text(), h, step.worst);
      return false;
    }
    if (step.reason == StepReport::Reason::no_contact_forces) {
      report.message = fmt::format(
          "{}{} at a step of {:.2g} s; try a smaller step or smallest_step, or look whether something is wedged or "
          "pressed together by motions",
          reached, step.text(), h);
      return false;
    }
    report.message = fmt::format(
        "{}{} at a step of {:.2g} s; residual {:.2e} of the forces, correction {:.2e}"
        "{}{}; try a smaller step or smallest_step, more damping (backward_euler), or look for a part "
        "that buckles, snaps or has hardly any mass",
        reached, step.text(), h, step.residual, step.correction,
        options_.tolerance ? fmt::format(" (tolerance {:.1e})", *options_.tolerance) : "",
        step.worst.empty() ? "" : ", worst at " + step.worst);
    return false;
  }

  void watch_ropes() {
    if (!has_ropes_ || !at_sheave_.empty()) return;
    stepper_->fetch(state_);
    at_sheave_ = rope_at_sheave(system_, state_);
  }

  void finish(DynamicReport::Reason reason, double begin) {
    stepper_->fetch(state_);
    report.reason = reason;
    report.t = state_.t;
    report.simulated = state_.t - begin;
    report.linear = stepper_->linear();
    report.solver = stepper_->solver_text();
    report.phases = stepper_->phases();
    report.phases.output = output_;
    report.energy = state_.energy;
    if (EnergyBalance& energy = report.energy; energy.few > 0) energy.note(energy.lowest, energy.least_made, state_.t);
    if (report.at_rounding > 0 && (options_.tolerance || options_.residual_tolerance))
      report.message =
          fmt::format("{} of {} steps met the tolerances that were asked for only as well as rounding allows",
                      report.at_rounding, report.steps);
    if (options_.output_step > 0 && options_.output_step < (1 - 1e-9) * report.largest_step)
      report.message += fmt::format(
          "{}output_step ({:g} s) is smaller than the steps (up to {:g} s): outputs between their ends are "
          "interpolated, to the order of the scheme but without new frequencies",
          report.message.empty() ? "" : ". ", options_.output_step, report.largest_step);
    warn();
    if (reason == DynamicReport::Reason::stopped)
      report.message = fmt::format("stopped on request at t = {:.6g} s", state_.t);
  }

  void give_up(DynamicReport::Reason reason, const std::string& why, double begin) {
    finish(reason, begin);
    report.message = fmt::format("t = {:.6g} s of {:.6g} s reached: {}", state_.t, end_, why);
  }

  void warn() {
    const auto say = [&](std::string text) { report.warnings.push_back(std::move(text)); };
    if (static_cast<double>(report.fallbacks) > allowed_fallbacks * static_cast<double>(report.steps))
      say(fmt::format(
          "{} of {} steps were made by backward Euler, which damps, where {} failed or met a jolt; try a smaller step",
          report.fallbacks, report.steps, word(integrator_of(system_, options_))));
    if (report.contacts.loose > 0)
      say(fmt::format(
          "contact forces of {} of {} steps were found to {:.1g} of the velocities at worst, not to their tolerance; "
          "try a smaller step, or another contact solver",
          report.contacts.loose, report.steps, report.contacts.left));
    if (report.violation > allowed_violation * system_.length_scale)
      say(fmt::format(
          "constraints are violated by up to {:.2g} m: a body cannot follow what holds it; a reduced one needs "
          "modes for that ('lithe reduce craig_bampton' with the nodes that are held as its interface)",
          report.violation));
    warn_of_energy(say);
    if (const double turn = report.energy.largest_turn; turn > allowed_turn)
      say(fmt::format(
          "parts turn by up to {:.2g} rad in one step of {:.2g} s, too far for the forces between them to be "
          "right; take at most {:.2g} s",
          turn, report.largest_step, 0.1 * report.largest_step / turn));
    if (!at_sheave_.empty()) say(at_sheave_);
  }
  // Losses count by the largest energy there was, gains by what there was to begin with and what came in: what is made
  // out of nothing would else hide behind itself, or behind what it does on its way.
  template <class Say>
  void warn_of_energy(Say&& say) {
    const EnergyBalance& energy = report.energy;
    const double rounding = rounding_energy();
    const bool mostly_made = energy.gain * energy.size >= energy.worst * energy.available;
    if (mostly_made && energy.gain > std::max(allowed_imbalance * energy.available, rounding))
      say(fmt::format(
          "the balance of energies is off: the integration makes {:.2g} J that the model does not (up to t = "
          "{:.4g} s), where {:.3g} J were there at the start or came from loads and drives; try a smaller step{}",
          energy.gain, energy.gain_time, energy.available, advice()));
    else if (energy.worst > std::max(allowed_imbalance * energy.size, rounding))
      say(fmt::format(
          "the balance of energies is off by up to {:.2g} J (at t = {:.4g} s), {:.2g} % of the largest energy "
          "({:.3g} J): the integration {} energy that the model does not; try a smaller step{}",
          energy.worst, energy.worst_time, 100 * energy.worst / energy.size, energy.size,
          energy.gain < energy.worst ? "takes away" : "makes", advice()));
    if (const ContactCounts& c = report.contacts;
        c.coarse.energy > std::max(allowed_imbalance * energy.available, rounding))
      say(
          fmt::format("{} met with {:.2g} J at t = {:.4g} s, in a step of {:.2g} s that is too long for their penalty "
                      "contact: it lasts pi sqrt(m / k), and ten steps of that resolve it; take at most {:.2g} s, a "
                      "softer 'stiffness', or 'law: nonsmooth'",
                      c.coarse.pair, c.coarse.energy, c.coarse_time, c.coarse_length, c.coarse.step));
    if (energy.made > std::max(allowed_imbalance * energy.available, rounding))
      say(fmt::format(
          "penalty contacts gave {:.2g} J more than they had taken up (by t = {:.4g} s), of {:.3g} J that were "
          "there: the step does not resolve them; take a smaller one, a softer 'stiffness' or 'damping'",
          energy.made, energy.made_time, energy.available));
  }
  // What rounding makes of energies: all there is in a model that rests in an equilibrium.
  double rounding_energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < state_.q.size(); ++i) sum += std::abs(work_.internal[i] * state_.q[i]);
    return std::numeric_limits<double>::epsilon() * sum;
  }
  std::string advice() const {
    if (options_.projection == false) return " or projection: true";
    return integrator_of(system_, options_) == Integrator::backward_euler ? " or another integrator" : "";
  }

  const System& system_;
  const DynamicAnalysis& options_;
  State& state_;
  const Workspace& work_;
  const DynamicObserver& observer_;
  bool has_ropes_ = false;
  std::string at_sheave_;  // of the first rope that met its sheave
  const DynamicStart start_;
  const double end_;
  const OutputTimes due_;
  DenseOutput dense_;
  std::unique_ptr<Stepper> stepper_;
  double largest_ = 0, output_ = 0;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  StepEffort before_;  // of the resumed run: what went into its beginning
};

}  // namespace

StepEffort operator-(const StepEffort& a, const StepEffort& b) {
  return {.newton_iterations = a.newton_iterations - b.newton_iterations,
          .rejected = a.rejected - b.rejected,
          .factorisations = a.factorisations - b.factorisations,
          .krylov_iterations = a.krylov_iterations - b.krylov_iterations,
          .products = a.products - b.products,
          .updates = a.updates - b.updates,
          .seconds = a.seconds - b.seconds};
}

DynamicReport simulate(const System& system, const DynamicAnalysis& options, State& state, Workspace& work,
                       const DynamicObserver& observer, bool resumed, const DynamicStart& start) {
  double total = 0;
  Simulation simulation(system, options, state, work, observer, start);
  {
    const Timed timed(total);
    simulation.run(resumed);
  }
  simulation.report.phases.total = total;
  return simulation.report;
}

}  // namespace lithe

#include "lithe/dynamics/statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/dynamics/arc_length.h"
#include "lithe/dynamics/cable_corners.h"
#include "lithe/dynamics/newton.h"
#include "lithe/dynamics/settle.h"
#include "lithe/dynamics/stability.h"
#include "lithe/dynamics/static_prediction.h"
#include "lithe/model/line_shape.h"
#include "lithe/model/validate.h"

namespace lithe {

namespace {

// Share of the loads that is put on at once where Newton finds no equilibrium: moved far, elements turn inside out.
constexpr double descent_step = 0.01;
// Shares of the load closer than this are one.
constexpr double load_sliver = 1e-9;
// Equilibria at one load, each with the points of contact that the one before shows.
constexpr int most_contact_rounds = 8;

// Throws InputError where the options do not go with the model.
void check_method(const System& system, const StaticAnalysis& options) {
  Reading told;  // what is doubtful is said where the model is read
  validate(system.model, options, told);
  if (options.method != StaticMethod::arc_length) return;
  const auto rests = [](const Signal& target) { return target.is_constant(); };
  require(
      system.map.driven.empty() && std::ranges::all_of(system.rows.target, rests),
      "arc_length scales all loads by one factor, so nothing may be moved by a joint over time; use method: newton");
}

bool follows_arc(const System& system, StaticAnalysis options) {
  options.method = StaticMethod::arc_length;
  try {
    check_method(system, options);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

// The run: what load stepping, arc length and the report share.
class Run {
 public:
  Run(const System& system, const StaticAnalysis& options, State& state, Workspace& work,
      const StaticObserver& observer, bool goes_on)
      : observer_(observer),
        options_(options),
        on_host_(state),
        state_(*work.place, state),
        problem_(system, options, work, report) {
    problem_.goes_on = goes_on;
    if (goes_on) problem_.begin = state.t;
  }

  StaticReport report;

  void run() {
    if (!problem_.goes_on && state_.load_factor() < 1 && state_.load_factor() >= 0) start_ = state_.load_factor();
    problem_.place.fill(0, state_.v);
    problem_.set_load(state_, start_);
    problem_.proportional = options_.method == StaticMethod::arc_length;
    problem_.start_contacts(state_);
    seed_scale();
    const ResidualSize size = problem_.residual(state_);
    report.load_factor = state_.load_factor();
    if (!size.finite) {
      report.reason = StaticReport::Reason::not_converged;
      report.message = "the forces at the starting state are not finite";
      return;
    }
    NewtonOutcome nothing_done;
    nothing_done.residual = size.relative;
    nothing_done.history = {size.relative};
    if (!observe(state_, nothing_done)) return stop();
    if (problem_.system.map.size == 0) {
      problem_.set_load(state_, 1);
      (void)problem_.residual(state_);
      report.stable = true;  // nothing can move
      if (!accept(state_, nothing_done)) return stop();
    } else if (!find_start(size)) {
      return;
    } else if (options_.method == StaticMethod::arc_length) {
      const auto outcome = follow_arc(problem_, state_, [&](const Configuration& s, const NewtonOutcome& o) {
        negative_pivots_ = problem_.negative_directions();
        return accept(s, o);
      });
      if (report.reason == StaticReport::Reason::stopped) return stop();
      if (!report.ok()) return fail(outcome);
      NewtonOutcome settled = outcome;
      const int disturbances = report.disturbances;
      if (!answer_instability(state_, settled)) return;
      if (report.disturbances > disturbances && !accept(state_, settled)) return stop();
    } else if (!load_steps()) {
      return;
    }
    add_notes();
  }

  void finish() {
    state_.fetch(on_host_);
    problem_.fetch_forces();
    report.negative_pivots = report.stable ? negative_pivots_ : -1;
    report.solver = problem_.solver_text();
    if (report.worst.empty()) report.worst = problem_.worst();
    if (report.ok()) report.warnings = coarse_corners(problem_.system, on_host_);
  }

 private:
  // The full load says how large forces are here, before any acts.
  void seed_scale() {
    Configuration full = state_;
    problem_.set_load(full, 1);
    const ResidualSize size = problem_.residual(full);
    if (!size.finite) return;
    problem_.remember_scale();
    problem_.full_load = size.norm;
    problem_.driven = !problem_.rows_hold();
  }

  // Continuation in a parameter s from 0 to 1 with steps that are cut back and grown.
  // set(state, s) makes the problem at s; accepted(state, outcome) returns false to stop.
  // stop(s): the next s, at most 1, at which a step ends.
  // watch(s): is the stability of the equilibrium at s wanted? descend: at once down to s = 1 instead of by Newton.
  template <class Set, class Stop, class Watch, class Accepted>
  bool continue_to_one(bool descend, Set set, Stop stop_after, Watch watch, Accepted accepted) {
    bool descended = descend;  // from here, in vain
    double s = 0, step = descend ? 1 : std::min({options_.first_step, options_.largest_step, 1.0});
    double ceiling = options_.largest_step;  // below a step that failed, for a while
    StaticPrediction prediction(problem_);
    prediction.remember(0, state_);
    while (s < 1) {
      if (report.steps >= options_.largest_steps) {
        report.reason = StaticReport::Reason::too_many_steps;
        fail(last_outcome_);
        return false;
      }
      const double end = stop_after(s), target = s + step > end - load_sliver ? end : s + step;
      Configuration trial = state_;
      set(trial, target);
      prediction.predict(trial, target);
      last_outcome_ = descend ? go_down(trial) : solve(trial);
      descend = false;
      if (last_outcome_.ok()) {
        descended = false;
        s = target;
        state_ = trial;
        problem_.count_turns(state_);
        problem_.accept_contacts(state_);
        negative_pivots_ = problem_.negative_directions();
        if (last_outcome_.reason == NewtonOutcome::Reason::linear) problem_.forgive_rounding();
        if (watch(s)) {
          const int disturbances = report.disturbances;
          if (!answer_instability(state_, last_outcome_)) return false;
          if (report.disturbances > disturbances) prediction.forget();  // another branch
        }
        prediction.remember(s, state_);
        if (!accepted(state_, last_outcome_)) {
          stop();
          return false;
        }
        const int k = last_outcome_.iterations;
        ceiling = std::min(1.3 * ceiling, options_.largest_step);
        step = std::min(ceiling, step * (k <= 6 ? 2 : k <= 12 ? 1.5 : 0.8));
        continue;
      }
      // A start without stiffness, or forces smaller than their rounding error: no smaller step helps.
      const bool hopeless = last_outcome_.reason == NewtonOutcome::Reason::rounding_too_large ||
                            (last_outcome_.reason == NewtonOutcome::Reason::singular && report.steps == 0 &&
                             last_outcome_.iterations == 0);
      ceiling = 0.6 * (target - s);
      step = (target - s) * (last_outcome_.reason == NewtonOutcome::Reason::too_many ? 0.5 : 0.25);
      if (!hopeless) ++report.cut_backs;
      if (hopeless || step < options_.smallest_step) {
        // Newton finds nothing near a state that is about to give way; downhill from there is what was asked for.
        if (options_.on_instability == OnInstability::perturb && !descended &&
            last_outcome_.reason != NewtonOutcome::Reason::rounding_too_large) {
          descend = descended = true;
          ceiling = options_.largest_step;
          step = std::min({options_.first_step, options_.largest_step, descent_step, 1 - s});
          continue;
        }
        report.reason = last_outcome_.reason == NewtonOutcome::Reason::singular ? StaticReport::Reason::singular
                        : hopeless                                              ? StaticReport::Reason::not_converged
                                                                                : StaticReport::Reason::step_too_small;
        fail(last_outcome_);
        return false;
      }
    }
    return true;
  }

  // Newton; again as long as other features press than those that it went on with.
  NewtonOutcome solve(Configuration& trial) {
    for (int round = 0;; ++round) {
      if (problem_.has_contacts()) problem_.find_contacts(trial, state_);
      const NewtonOutcome outcome = newton(problem_, trial);
      const bool done = !outcome.ok() || !problem_.has_contacts() || round == most_contact_rounds;
      if (done || problem_.same_contacts(trial)) return outcome;
    }
  }

  bool load_steps() {
    return continue_to_one(
        state_.load_factor() == 0 && slack_springs(),
        [&](Configuration& trial, double s) { problem_.set_load(trial, s == 1 ? 1 : start_ + s * (1 - start_)); },
        [&](double s) { return next_output(s); },
        [&](double s) { return s == 1 || options_.on_instability != OnInstability::warn; },
        [&](const Configuration& s, const NewtonOutcome& o) { return accept(s, o); });
  }

  // The first of the load factors where an output is due behind s, as a share of the way from the start.
  double next_output(double s) const {
    for (const double factor : options_.output_factors)
      if (const double at = (factor - start_) / (1 - start_); at > s + load_sliver && at < 1 - load_sliver) return at;
    return 1;
  }
  bool output_due(double factor) const {
    return options_.output_factors.empty() || report.steps == 0 || factor == 1 ||
           std::ranges::any_of(options_.output_factors, [&](double f) { return std::abs(f - factor) <= load_sliver; });
  }

  // Do springs, free of force at load factor 0, hold a mechanism by their prestress alone? Then no path of equilibria
  // leaves the reference configuration: as soon as they pull, the mechanism goes where they and the loads take it, and
  // that is found from there at the full load, the same whatever the steps.
  bool slack_springs() {
    const auto prestressed = [](const SpringLaw& spring) {
      return !std::equal(spring.rest, spring.rest + spring.strains, spring.start);
    };
    if (problem_.has_contacts() || std::ranges::none_of(problem_.system.springs.law, prestressed)) return false;
    (void)problem_.residual(state_);
    return !judge(state_, {}).stable.value_or(false);
  }

  // Loads given by tables and expressions may act from the start: take the residual there away little by little.
  bool find_start(const ResidualSize& size) {
    const bool matters = size.norm > options_.tolerance * problem_.full_load;  // even if only because the load is tiny
    if (!matters && size.relative <= options_.tolerance) return true;
    // Without load a slack rope rests anywhere; it starts where the full load has it.
    if (!problem_.goes_on && starts_hanging(problem_.system.model)) return true;
    problem_.evaluate(state_);
    if (size.norm <= problem_.rounding()) {  // no load yet: the forces are rounding errors
      if (matters && problem_.unloaded()) problem_.forgive_rounding();
      return true;
    }
    if (size.relative <= options_.tolerance) return true;
    problem_.place.copy(problem_.r, problem_.offset);
    const bool found = continue_to_one(
        false, [&](Configuration&, double s) { problem_.offset_factor = 1 - s; }, [](double) { return 1.0; },
        [](double) { return false; },
        [&](const Configuration& s, const NewtonOutcome& o) {
          problem_.remember_scale();
          return problem_.offset_factor == 0 ? accept(s, o) : true;
        });
    problem_.offset_factor = 0;
    return found;
  }

  bool accept(const Configuration& state, const NewtonOutcome& outcome) {
    problem_.remember_scale();
    ++report.steps;
    report.load_factor = state.load_factor();
    report.residual = outcome.residual;
    if (outcome.reason == NewtonOutcome::Reason::at_rounding) {
      ++report.rounding_steps;
      worst_rounding_ = std::max(worst_rounding_, outcome.residual);
    }
    if (outcome.reason == NewtonOutcome::Reason::linear) {
      ++linear_steps_;
      worst_linear_ = std::max(worst_linear_, outcome.rounding);
    }
    if (!observe(state, outcome)) return false;
    past_end_ = problem_.system.past_an_end(on_host_);
    contradiction_ = problem_.system.contradiction(on_host_);
    return past_end_.empty() && contradiction_.empty();
  }

  bool observe(const Configuration& state, const NewtonOutcome& outcome) {
    state.fetch(on_host_);
    problem_.fetch_forces();
    if (!observer_) return true;
    const Timed timed(report.seconds_output);
    StaticStep step;
    step.step = report.steps;
    step.iterations = outcome.iterations;
    step.load_factor = state.load_factor();
    step.output = output_due(step.load_factor);
    step.residual = outcome.residual;
    step.history = outcome.history;
    step.negative_pivots = report.steps > 0 ? negative_pivots_ : -1;
    step.at_rounding = outcome.reason == NewtonOutcome::Reason::at_rounding;
    return observer_(on_host_, step);
  }

  StabilityMatrix& matrix() {
    if (!matrix_) matrix_ = std::make_unique<StabilityMatrix>(problem_.system, problem_.weights(), problem_.place);
    return *matrix_;
  }

  NewtonOutcome go_down(Configuration& state) {
    Settling found = settle(problem_, matrix(), state, false);
    if (found.settled && descent_.empty())
      descent_ =
          fmt::format("{}; the equilibrium at {} was found at once in {} steps of descent. ",
                      report.steps == 0 && last_outcome_.ok()
                          ? "Without their prestress the springs hold a mechanism loosely, so no load path begins there"
                          : fmt::format("Newton found no equilibrium beyond {} ({})", problem_.place_text(state_),
                                        last_outcome_.text()),
                      problem_.place_text(state), found.steps);
    if (!found.settled) found.outcome.reason = NewtonOutcome::Reason::diverged;
    return found.outcome;
  }

  // Is the equilibrium at `state` stable? From the last factorisation where that was made there and can tell.
  Stability judge(const Configuration& state, const NewtonOutcome& outcome) {
    if (problem_.system.symmetric && problem_.system.rows.empty()) {
      const bool here = outcome.since_factor >= 0 && outcome.since_factor <= 1e-6;
      if (!here) (void)problem_.factor(state);
      if (problem_.factor_report().ok() && problem_.negative_directions() == 0) return {true, 0};
    }
    if (problem_.has_contacts()) return {};  // their stiffness is not part of the matrix that is judged here
    const std::vector<double>& K = problem_.evaluate(state);
    const Timed timed(report.seconds_factor);
    matrix().set(K, problem_.work.G);
    ++report.factorisations;
    Stability found = matrix_->judge();
    if (found.directions > 0 && !problem_.system.symmetric && !matrix_->unstable_along(matrix_->lowest_mode(), K))
      found = {};
    return found;
  }

  // Judges the equilibrium at `state` and does what the user asked for where it is unstable. False: the run ends here.
  bool answer_instability(Configuration& state, NewtonOutcome& outcome) {
    const Stability found = judge(state, outcome);
    report.stable = found.stable;
    negative_pivots_ = found.directions;
    if (found.stable.value_or(true) || options_.on_instability == OnInstability::warn) return true;
    const std::string gives_way =
        fmt::format("gives way in {} direction{}", found.directions, found.directions > 1 ? "s" : "");
    const auto give_up = [&](const std::string& why) {
      (void)problem_.residual(state);
      if (!accept(state, outcome)) {
        stop();
        return false;
      }
      report.reason = StaticReport::Reason::unstable;
      report.worst = problem_.worst();
      report.message =
          fmt::format("the equilibrium at {} is unstable: it {}; {}", problem_.place_text(state), gives_way, why);
      return false;
    };
    if (options_.on_instability == OnInstability::error)
      return give_up("on_instability: error ends the run there; perturb would seek a stable one");
    Configuration trial = state;
    const Settling settled = settle(problem_, matrix(), trial, true);
    if (!settled.settled)
      return give_up(settled.where.empty()
                         ? std::string("no mode was found to disturb it along")
                         : fmt::format("disturbed by {:g} (most at {}) it found no stable one in {} steps of descent",
                                       disturbance, settled.where, settled.steps));
    ++report.disturbances;
    state = trial;
    outcome = settled.outcome;
    report.stable = judge(state, {}).stable;
    negative_pivots_ = 0;
    if (report.disturbances == 1)
      left_ = fmt::format(
          "The equilibrium at {} was unstable ({}): it was disturbed by {:g} (positions over the size of the model, "
          "gradients; most at {}) along its most unstable mode and followed to a stable one in {} steps of descent",
          problem_.place_text(state), gives_way, disturbance, settled.where, settled.steps);
    return true;
  }

  void stop() {
    if (past_end_.empty() && contradiction_.empty()) {
      report.reason = StaticReport::Reason::stopped;
      report.message = "stopped on request at " + problem_.place_text(state_);
      return;
    }
    report.reason = past_end_.empty() ? StaticReport::Reason::contradiction : StaticReport::Reason::past_end;
    report.message = problem_.reached_text(state_) + ": " + (past_end_.empty() ? contradiction_ : past_end_);
  }

  void add_notes() {
    report.message += descent_;
    if (report.rounding_steps > 0)
      report.message += fmt::format(
          "{} of {} steps ended at the rounding error of the forces: residual up to {:.1e} of the forces (tolerance "
          "{:.1e}). ",
          report.rounding_steps, report.steps, worst_rounding_, options_.tolerance);
    if (linear_steps_ > 0)
      report.message += fmt::format(
          "The load is so small that the rounding error of the internal forces is {:.1e} of it: {} of {} steps are the "
          "linear answer, which has no need of them. ",
          worst_linear_, linear_steps_, report.steps);
    if (report.stable == false)
      report.message += fmt::format(
          "The equilibrium at {} is unstable: it gives way in {} direction{} (negative pivots of the stiffness "
          "matrix), so it will not be seen in reality; on_instability: perturb seeks a stable one. ",
          problem_.place_text(state_), negative_pivots_, negative_pivots_ > 1 ? "s" : "");
    if (report.disturbances > 0) report.message += left_;
    if (report.disturbances > 1) report.message += fmt::format(", and so {} times more", report.disturbances - 1);
    if (report.disturbances > 0) report.message += ". ";
    if (!report.message.empty()) report.message.pop_back();
  }

  void fail(const NewtonOutcome& outcome) {
    report.residual = outcome.residual;
    report.worst = problem_.worst();
    const bool arc = options_.method == StaticMethod::arc_length;
    std::string text = problem_.reached_text(state_) + ": ";
    if (report.reason == StaticReport::Reason::too_many_steps) {
      text += fmt::format("the limit of {} steps is spent; raise largest_steps{}", options_.largest_steps,
                          arc ? ", or look at the path: the structure may not carry the full load" : "");
      report.message = text;
      return;
    }
    text += outcome.text();
    if (outcome.reason == NewtonOutcome::Reason::singular) {
      const std::string loose = problem_.softest(state_);
      if (!loose.empty()) text += "; nothing holds " + loose;
      if (report.steps == 0)
        text += fmt::format("; a constraint is missing, or a part has no stiffness before it is loaded{}",
                            arc || options_.on_instability == OnInstability::perturb
                                ? ""
                                : ", as a slack rope has: on_instability: perturb goes downhill to where that rests");
      else
        text += arc ? "; a bifurcation may be near: disturb the shape a little" : remedy() + " or a smaller first_step";
      report.message = text;
      return;
    }
    if (outcome.residual <= options_.tolerance)
      text += fmt::format(
          "; the residual is small ({:.2e} of the forces, tolerance {:.1e}), but the coordinates still move by {:.1e} "
          "of the size of the model an iteration (correction_tolerance {:.1e})",
          outcome.residual, options_.tolerance, outcome.correction, options_.correction_tolerance);
    else
      text += fmt::format("; residual {:.2e} of the forces (tolerance {:.1e}), worst at {}", outcome.residual,
                          options_.tolerance, report.worst);
    if (outcome.reason == NewtonOutcome::Reason::rounding_too_large)
      text += fmt::format("; the load is tiny for this stiffness: raise tolerance to {:.0e} or the load",
                          10 * outcome.rounding);
    else if (arc) text += "; try a smaller arc_length or more iterations";
    else
      text += fmt::format("; {} cut-backs down to a step of {:.1e}{} or a smaller first_step and smallest_step",
                          report.cut_backs, options_.smallest_step, remedy());
    report.message = text;
  }

  // What may help where Newton finds no way on: nothing that would be refused, nothing that was tried.
  std::string remedy() const {
    if (options_.on_instability == OnInstability::perturb)
      return "; no stable equilibrium was found downhill from there either (on_instability: perturb): try more "
             "elements,";
    return fmt::format(
        "; the structure may buckle or snap here: try {}on_instability: perturb, which goes downhill to "
        "a stable equilibrium,",
        follows_arc(problem_.system, options_) ? "method: arc_length, " : "");
  }

  const StaticObserver& observer_;
  const StaticAnalysis& options_;
  State& on_host_;  // the caller's: what was reached, at every observation and at the end
  Configuration state_;
  Equilibrium problem_;
  double start_ = 0;                      // share of the load at the beginning
  std::string past_end_, contradiction_;  // what has slid off its line; drives that no motion follows
  NewtonOutcome last_outcome_;
  double worst_rounding_ = 0, worst_linear_ = 0;
  int linear_steps_ = 0;
  int negative_pivots_ = -1;
  std::unique_ptr<StabilityMatrix> matrix_;  // where the factorisations of the run cannot tell
  std::string descent_;                      // where Newton found no start
  std::string left_;                         // the first unstable equilibrium that was left
};

}  // namespace

StaticReport solve_static(const System& system, const StaticAnalysis& options, State& state, Workspace& work,
                          const StaticObserver& observer, bool goes_on) {
  check_method(system, options);
  double analysis = 0;  // of the matrix's pattern
  std::optional<Run> run;
  {
    const Timed timed(analysis);
    run.emplace(system, options, state, work, observer, goes_on);
  }
  run->report.seconds_total = run->report.seconds_factor = analysis;
  {
    const Timed timed(run->report.seconds_total);
    run->run();
    run->finish();
  }
  return run->report;
}

}  // namespace lithe

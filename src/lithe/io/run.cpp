#include "lithe/io/run.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/version.h"
#include "lithe/io/load_model.h"
#include "lithe/io/results.h"
#include "lithe/io/runner.h"
#include "lithe/io/yaml.h"
#include "lithe/model/spot.h"

namespace lithe {

namespace {

// Which rows of a stage have fields: the first, the last, and those that are due between.
class FieldClock {
 public:
  FieldClock(const Analysis& analysis, double begin) : begin_(begin), end_(begin + duration(analysis)) {
    std::visit(
        [&](const auto& a) {
          if constexpr (requires { a.fields_every; }) every_ = a.fields_every;
          if constexpr (requires { a.fields_step; }) step_ = a.fields_step;
        },
        analysis);
  }
  bool due(double t, StagePlace& place) const {
    if (step_ > 0) {
      const auto passed = static_cast<long long>(std::floor((t - begin_) / step_ * (1 + 1e-12) + 1e-9));
      if (place.rows > 0 && passed <= place.intervals && !at_end(t)) return false;
      place.intervals = passed;
      return true;
    }
    return place.rows % every_ == 0 || at_end(t);
  }

 private:
  bool at_end(double t) const { return t >= end_ * (1 - 1e-12); }
  double begin_, end_, step_ = 0;
  int every_ = 1;
};

// One run: the stages from `place` on.
class StagedRun {
 public:
  StagedRun(const System& system, State& state, Workspace& work, const RecorderList& recorders,
            const RunObserver& observer)
      : system_(system),
        stages_(system.model.analysis),
        work_(work),
        recorders_(recorders),
        observer_(observer),
        state_(state),
        stress_(system) {}

  RunReport run(const std::optional<StagePlace>& from) {
    if (from) place_ = *from;
    std::vector<RunReport> reports;
    for (std::size_t i = static_cast<std::size_t>(place_.stage); i < stages_.size(); ++i) {
      const bool resumed = from && static_cast<int>(i) == from->stage;
      if (!resumed) place_ = {.stage = static_cast<int>(i)};
      reports.push_back(run_stage(i, resumed));
      if (!reports.back().ok) break;
    }
    RunReport report = stages_.size() > 1 ? joined(std::move(reports)) : reports.back();
    report.extremes = std::move(extremes_);
    return report;
  }

 private:
  RunReport run_stage(std::size_t i, bool resumed) {
    const double begin = begin_of(stages_, i);
    const FieldClock fields(stages_[i], begin);
    bool recorders_failed = false;
    const auto recording = [&](auto&& action) {
      try {
        for (Recorder* recorder : recorders_) action(*recorder);
      } catch (...) {
        recorders_failed = true;
        throw;
      }
    };
    StageRun stage{
        .system = system_,
        .state = state_,
        .work = work_,
        .begin = begin,
        .first = first_moving_on(stages_) >= i,
        .moving = first_dynamic(stages_) < i,
        .recorded = !recorders_.empty(),
        .resumed = resumed,
        .output =
            [&](const State& reached, RecordedStep step) {
              step.stage = static_cast<int>(i);
              const OutputRow row(system_, reached, step, work_, stress_, fields.due(reached.t, place_));
              ++place_.rows;
              if (!recorders_.empty()) notice(row);
              recording([&](Recorder& recorder) { recorder.write(row); });
            },
        .checkpoint =
            [&](const State& reached) { recording([&](Recorder& recorder) { recorder.checkpoint(reached, place_); }); },
        .observe =
            [&](const State& reached, RecordedStep step) {
              step.stage = static_cast<int>(i);
              return observer_(reached, step);
            }};
    if (std::ranges::any_of(recorders_, [](const Recorder* r) { return r->follows_steps(); }))
      stage.trace = [&](const State& reached, const DynamicStep& step) {
        recording([&](Recorder& recorder) { recorder.step(reached, step, place_); });
      };
    RunReport report;
    try {
      report = make_runner(stages_[i])->run(stage);
    } catch (const RunError& error) {
      if (stages_.size() == 1 || recorders_failed) throw;
      report.ok = false;
      report.reason = "failed";
      report.message = error.what();
      report.type = type_name(stages_[i]);
      report.dynamic = std::holds_alternative<DynamicAnalysis>(stages_[i]);
      report.t = state_.t;
    }
    report.stage = stage_name(stages_, i);
    if (stages_.size() > 1 && !report.message.empty())
      report.message =
          stage_text(stages_, i) + (report.ok || report.reason == "stopped" ? ": " : " failed: ") + report.message;
    return report;
  }

  void notice(const OutputRow& row) {
    const std::vector<double>& values = row.channels();
    const double t = row.state.t;
    if (extremes_.empty())
      for (const double x : values) extremes_.push_back({x, t, x, t});
    for (std::size_t k = 0; k < values.size(); ++k) {
      Extreme& e = extremes_[k];
      if (values[k] > e.max) {
        e.max = values[k];
        e.max_time = t;
      }
      if (values[k] < e.min) {
        e.min = values[k];
        e.min_time = t;
      }
    }
  }

  static RunReport joined(std::vector<RunReport> reports) {
    RunReport all = reports.back();
    all.steps = all.rejected = all.iterations = all.factorisations = all.fallbacks = 0;
    all.krylov_iterations = all.products = all.updates = 0;
    all.message.clear();
    all.warnings.clear();
    all.phases = {};
    for (const RunReport& report : reports) {
      all.steps += report.steps;
      all.rejected += report.rejected;
      all.iterations += report.iterations;
      all.factorisations += report.factorisations;
      all.krylov_iterations += report.krylov_iterations;
      all.products += report.products;
      all.updates += report.updates;
      all.fallbacks += report.fallbacks;
      all.contacts.steps += report.contacts.steps;
      all.contacts.points += report.contacts.points;
      all.contacts.most = std::max(all.contacts.most, report.contacts.most);
      all.contacts.iterations += report.contacts.iterations;
      all.contacts.patterns += report.contacts.patterns;
      all.contacts.cut_back += report.contacts.cut_back;
      all.contacts.loose += report.contacts.loose;
      all.contacts.left = std::max(all.contacts.left, report.contacts.left);
      if (!report.message.empty()) all.message += (all.message.empty() ? "" : " ") + report.message;
      for (const std::string& warning : report.warnings)
        all.warnings.push_back("stage '" + report.stage + "': " + warning);
      for (double Phases::*phase :
           {&Phases::force, &Phases::tangent, &Phases::assembly, &Phases::factorisation, &Phases::solve,
            &Phases::projection, &Phases::rotation, &Phases::constraints, &Phases::detection, &Phases::contact_operator,
            &Phases::contact, &Phases::watch, &Phases::output, &Phases::total})
        all.phases.*phase += report.phases.*phase;
      if (report.stable == false) all.stable = false;
    }
    if (!all.ok) all.message = reports.back().message;
    all.stages = std::move(reports);
    return all;
  }

  const System& system_;
  const Stages& stages_;
  Workspace& work_;
  const RecorderList& recorders_;
  const RunObserver& observer_;
  State& state_;
  StagePlace place_;
  NodalStress stress_;
  std::vector<Extreme> extremes_;
};

}  // namespace

RunReport run_analysis(const System& system, State& state, Workspace& work, const RecorderList& recorders,
                       const RunObserver& observer, const std::optional<StagePlace>& from) {
  return StagedRun(system, state, work, recorders, observer).run(from);
}

namespace {

Model model_with(const std::string& yaml, const std::string& where, const std::vector<std::string>& overrides,
                 Reading& reading) {
  Value root = parse_yaml(yaml, where);
  for (const std::string& assignment : overrides) apply_override(root, assignment);
  return read_model(root, reading);
}

// "have reached t = 1 s of 1 s; to go on longer: --set analysis.duration=2", of the stage that ends there.
std::string reached_text(const Stages& stages, std::size_t i, double reached) {
  const double begin = begin_of(stages, i);
  return "have reached t = " + number_text(reached) + " s of " + number_text(begin + duration(stages[i])) +
         " s; to go on longer: --set analysis." + (stages.size() > 1 ? stage_name(stages, i) + "." : "") +
         "duration=" + number_text(2 * (reached - begin));
}

}  // namespace

std::string nothing_left(const std::string& results_path, const std::vector<std::string>& overrides) {
  const ResultFile file(results_path);
  const ResultInfo& info = file.info();
  if (!info.complete || info.steps == 0) return "";
  const std::string here = "results '" + results_path + "' ";
  if (!info.dynamic())
    return here + "are complete; a " + (info.loads() ? "static run" : "run without a motion") +
           " has nothing to go on with";
  Reading ignored;
  const Stages stages = model_with(info.model_yaml, results_path, overrides, ignored).analysis;
  const double reached = file.read("time").values->back(), end = end_of(stages);
  if (reached < end * (1 - 1e-12)) return "";
  std::size_t last = stages.size() - 1;  // that may go on
  while (last > 0 && !std::holds_alternative<DynamicAnalysis>(stages[last])) --last;
  const std::string text = reached_text(stages, last, reached);
  if (reached * (1 - 1e-12) > end) throw InputError(here + text);
  return here + "are complete: they " + text;
}

Model resumed_model(const Checkpoint& from, const std::string& results_path, const std::vector<std::string>& overrides,
                    Reading& reading) {
  const std::string checkpoint = checkpoint_path(results_path);
  Model model = model_with(from.model_yaml, checkpoint, overrides, reading);
  const Stages& stages = model.analysis;
  const auto i = static_cast<std::size_t>(from.place.stage);
  if (i >= stages.size() || !std::holds_alternative<DynamicAnalysis>(stages[i]))
    throw InputError("checkpoint '" + checkpoint + "' is not of a dynamic run");
  Reading ignored;
  if (begin_of(stages, i) != begin_of(model_with(from.model_yaml, checkpoint, {}, ignored).analysis, i))
    throw InputError("results '" + results_path + "': the stages before " + stage_text(stages, i) +
                     " are over, so their durations cannot change; run the model anew");
  if (from.state.t * (1 - 1e-12) > begin_of(stages, i) + duration(stages[i]))
    throw InputError("results '" + results_path + "' " + reached_text(stages, i, from.state.t));
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

bool sets_duration(const std::string& assignment) {
  const std::string path = assignment.substr(0, assignment.find('='));
  return path.starts_with("analysis.") && path.ends_with(".duration") && std::ranges::count(path, '.') <= 2;
}

int threads(const Model& model) { return threads(model.analysis); }

void set_threads(Model& model, int threads) {
  if (!thread_count.holds(threads))
    throw InputError("threads: this is " + std::to_string(threads) + ", but it must be " + thread_count.text);
  for (Analysis& stage : model.analysis)
    std::visit(
        [&](auto& options) {
          if constexpr (requires { options.threads; }) options.threads = threads;
        },
        stage);
}

bool set_checkpoints(Model& model, double step) {
  bool any = false;
  for (Analysis& stage : model.analysis)
    if (auto* dynamic = std::get_if<DynamicAnalysis>(&stage)) {
      dynamic->checkpoint_step = step;
      any = true;
    }
  return any;
}

}  // namespace lithe

// Solving, and results as numpy arrays.
#include "lithe/io/results.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <optional>
#include <tuple>

#include "lithe/base/interrupt.h"
#include "lithe/dynamics/linear_system.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/load_model.h"
#include "lithe/io/memory_plan.h"
#include "lithe/io/progress_line.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/run.h"
#include "lithe/io/run_files.h"
#include "lithe/io/trace.h"
#include "objects.h"

namespace lithe::python {

namespace {

// Memory that numpy and we share: no copy, freed by whoever lets go last.
py::array_t<double> shared_array(const ResultArray& array) {
  auto* owner = new std::shared_ptr<std::vector<double>>(array.values);
  const py::capsule base(owner, [](void* p) { delete static_cast<std::shared_ptr<std::vector<double>>*>(p); });
  std::vector<py::ssize_t> shape(array.shape.begin(), array.shape.end());
  return py::array_t<double>(std::move(shape), array.values->data(), base);
}

template <class T>
py::array_t<T> copied(const std::vector<T>& values, std::vector<py::ssize_t> shape) {
  return py::array_t<T>(std::move(shape), values.data());
}

py::dict body_dict(const ResultBody& body) {
  const py::ssize_t elements = static_cast<py::ssize_t>(body.connectivity.size()) / body.element_nodes;
  py::dict dict;
  dict["element"] = body.element;
  dict["connectivity"] = copied(body.connectivity, {elements, body.element_nodes});
  dict["size"] = copied(body.size, {elements, 3});
  dict["reference"] = copied(body.reference, {body.nodes, body.vectors, 3});
  dict["stress"] = body.stress;
  dict["modes"] = body.modes;
  return dict;
}

py::dict info_dict(const ResultSource& source) {
  const ResultInfo& info = source.info();
  py::dict bodies, channels, dict;
  for (const ResultBody& body : info.bodies) bodies[py::str(body.name)] = body_dict(body);
  for (const Channel& channel : info.channels)
    channels[py::str(channel.name)] = py::make_tuple(py::cast(channel.columns), py::cast(channel.units));
  dict["path"] = info.path;
  dict["version"] = info.version;
  dict["name"] = info.name;
  dict["analysis"] = info.analysis;
  py::list stages;
  for (const ResultStage& stage : info.stages)
    stages.append(py::make_tuple(stage.name, stage.type, stage.first_row, stage.rows));
  dict["stages"] = stages;
  dict["position"] = info.position;
  dict["velocity"] = info.velocity;
  dict["fields_apart"] = info.fields_apart;
  dict["contacts"] = info.contacts;
  dict["obstacles"] = py::cast(info.obstacles);
  dict["entries"] = py::cast(info.entries);
  dict["model"] = info.model_yaml;
  dict["report"] = info.report_json;
  dict["complete"] = info.complete;
  dict["steps"] = info.steps;
  dict["bodies"] = bodies;
  dict["channels"] = channels;
  return dict;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A run as its script sees it: progress, Ctrl-C, and what goes wrong in the script's own function.
class Attendant {
 public:
  // progress: a function of the user's or None; screen: an object with write() and columns() or None.
  Attendant(const py::object& progress, const py::object& screen, const Stages& stages, double begin)
      : progress_(progress), stages_(stages) {
    if (screen.is_none()) return;
    const auto write = [screen](const std::string& text) {
      const py::gil_scoped_acquire lock;
      screen.attr("write")(text);
    };
    const auto columns = [screen] {
      const py::gil_scoped_acquire lock;
      return screen.attr("columns")().cast<int>();
    };
    bar_.emplace(ProgressScreen{write, columns}, stages, begin);
  }

  // After each step, without Python's lock. False ends the run; its results stay.
  bool observe(const State& state, const RecordedStep& step) {
    try {
      if (bar_) bar_->step(state, step);
      return go_on(state, step);
    } catch (...) {
      raised_ = std::current_exception();
      return false;
    }
  }
  // For what was thrown inside a step.
  void keep(std::exception_ptr raised) { raised_ = std::move(raised); }

  // What was raised, as an exception of Python's; None: nothing. Needs Python's lock.
  py::object raised() const {
    if (!raised_) return py::none();
    try {
      std::rethrow_exception(raised_);
    } catch (py::error_already_set& error) {
      const py::object value = error.value();
      if (error.trace()) value.attr("__traceback__") = error.trace();
      return value;
    }
  }

 private:
  bool go_on(const State& state, const RecordedStep& step) {
    // With other threads of Python at work the lock may take longer than a step.
    const double time = now();
    if (progress_.is_none() && time - last_ < signal_pause) return true;
    last_ = time;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (progress_.is_none()) return true;
    py::dict report;
    report["step"] = step.step;
    report["time"] = state.t;
    const auto stage = static_cast<std::size_t>(step.stage);
    if (stages_.size() > 1) report["stage"] = stage_name(stages_, stage);
    if (std::holds_alternative<DynamicAnalysis>(stages_[stage])) report["step_size"] = step.h;
    else report["load_factor"] = state.load_factor;
    report["iterations"] = step.iterations;
    report["residual"] = step.residual;
    return !progress_(report).is(py::bool_(false));
  }

  static constexpr double signal_pause = 0.05;  // s
  const py::object& progress_;
  const Stages& stages_;
  double last_ = 0;
  std::optional<ProgressLine> bar_;
  std::exception_ptr raised_;
};

// Ctrl-C in the middle of a step: asked for every 50 ms at most, for it takes Python's lock.
std::function<void()> signal_check() {
  return [last = now()]() mutable {
    if (now() - last < 0.05) return;
    last = now();
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
}

// What `solve` and `resume` return: the source of the results, also of a run that did not converge (its report says
// so), what was raised while it ran, and the warnings that were told before it.
using Outcome = std::tuple<std::shared_ptr<ResultSource>, py::object, std::vector<std::string>>;

// Without Python's lock.
void run(const System& system, State& state, const RecorderList& recorders, const std::string& path,
         double seconds_compile, const std::vector<std::string>& warnings, Attendant& attendant,
         const std::optional<StagePlace>& from) {
  const double begin = state.t;
  Workspace work(system, threads(system.model));
  const auto observe = [&](const State& reached, const RecordedStep& step) { return attendant.observe(reached, step); };
  RunReport report;
  try {
    report = run_analysis(system, state, work, recorders, observe, from);
  } catch (const py::error_already_set&) {  // in the middle of a step: what was recorded stays
    attendant.keep(std::current_exception());
    for (Recorder* recorder : recorders)
      recorder->finish(failure_json(system.model.name, "stopped", "stopped inside a step"));
    return;
  }
  RunSummary summary = summarise(system, state, work, report);
  if (from) summary.resumed_at = begin;
  summary.seconds_compile = seconds_compile;
  summary.warnings.insert(summary.warnings.begin(), warnings.begin(), warnings.end());
  summary.result = path;
  for (auto recorder = recorders.rbegin(); recorder != recorders.rend(); ++recorder)  // the result before its trace
    (*recorder)->finish(summary_json(summary));
}

std::unique_ptr<Trace> trace_of(const RunFiles& files, const Checkpoint* from = nullptr) {
  return files.paths().trace.empty() ? nullptr : std::make_unique<Trace>(files.paths(), from);
}

// Never a checkpoint ahead of its trace.
RecorderList both(const std::unique_ptr<Trace>& trace, Recorder& result) {
  return trace ? RecorderList{trace.get(), &result} : RecorderList{&result};
}

System timed_compile(const Model& model, double& seconds, const std::string& result, bool force) {
  if (!force) check_memory(model, "force=True");
  const double start = now();
  System system = compile(model);
  seconds = now() - start;
  if (!force) check_memory(system, result, "force=True");
  require_solver(system);
  return system;
}

// Compiles without Python's lock, then says what that noticed: before the run, which may be long.
System told_compile(const Model& model, double& seconds, const std::string& result, bool force,
                    std::vector<std::string>& warnings) {
  System system = [&] {
    const py::gil_scoped_release unlocked;
    return timed_compile(model, seconds, result, force);
  }();
  warnings.insert(warnings.end(), system.warnings.begin(), system.warnings.end());
  warn(warnings);
  return system;
}

Outcome solve(const py::object& object, const std::optional<std::string>& output,
              const std::optional<std::string>& trace_file, const py::object& thread_count, const py::object& progress,
              const py::object& screen, bool force) {
  const InterruptCheck interrupt(signal_check());
  Reading reading;
  Model model = to_model(object, reading);
  if (const int count = read_threads(thread_count); count > 0) set_threads(model, count);
  if (trace_file) require_steps(model.analysis, "trace=" + *trace_file);
  RunFiles files({.result = output.value_or(""), .trace = trace_file.value_or(""), .force = force, .python = true});
  double seconds = 0;
  const System system = told_compile(model, seconds, output.value_or(""), force, reading.warnings);
  State state = system.initial_state();
  Attendant attendant(progress, screen, system.model.analysis, state.t);
  std::shared_ptr<ResultSource> source;
  {
    const py::gil_scoped_release unlocked;
    const std::string yaml = stored_yaml(model);
    const std::unique_ptr<Trace> trace = trace_of(files);
    if (output) {
      {
        ResultWriter writer(std::move(files), system, yaml);
        run(system, state, both(trace, writer), *output, seconds, reading.warnings, attendant, {});
      }
      source = std::make_shared<ResultFile>(*output);
    } else {
      auto recording = std::make_shared<Recording>(system, yaml);
      run(system, state, both(trace, *recording), "", seconds, reading.warnings, attendant, {});
      source = std::move(recording);
    }
  }
  return {std::move(source), attendant.raised(), reading.warnings};
}

// Goes on from the checkpoint of a result; duration None is the model's own. A result that is complete is returned as
// it is.
Outcome resume(const std::string& path, const py::object& duration, const std::optional<std::string>& trace_file,
               const py::object& thread_count, const py::object& progress, const py::object& screen, bool force) {
  const InterruptCheck interrupt(signal_check());
  Reading reading;
  std::shared_ptr<ResultSource> source = std::make_shared<ResultFile>(path);
  std::vector<std::string> overrides;
  if (!duration.is_none()) {  // of stages: the last one's
    const std::size_t stages = source->info().stages.size();
    overrides.push_back("analysis." + (stages > 1 ? std::to_string(stages - 1) + "." : "") +
                        "duration=" + number_text(to_double(to_value(duration, "duration"))));
  }
  const int count = read_threads(thread_count);
  RunFiles files({.result = path,
                  .trace = trace_file.value_or(""),
                  .force = force,
                  .python = true,
                  .asked = "resume " + path,
                  .resumed = true});
  if (!nothing_left(path, overrides).empty()) return {std::move(source), py::none(), {}};
  const Checkpoint from = read_checkpoint(path);
  Model model = resumed_model(from, path, overrides, reading);
  if (count > 0) set_threads(model, count);
  double seconds = 0;
  const System system = told_compile(model, seconds, path, force, reading.warnings);
  State state = resumed_state(from, system);
  Attendant attendant(progress, screen, system.model.analysis, state.t);
  {
    const py::gil_scoped_release unlocked;
    {
      const std::unique_ptr<Trace> trace = trace_of(files, &from);
      ResultWriter writer(std::move(files), system, stored_yaml(model), from);
      run(system, state, both(trace, writer), path, seconds, reading.warnings, attendant, from.place);
    }
    source = std::make_shared<ResultFile>(path);
  }
  return {std::move(source), attendant.raised(), reading.warnings};
}

}  // namespace

void bind_results(py::module_& m) {
  py::class_<ResultSource, std::shared_ptr<ResultSource>>(m, "ResultSource")
      .def_property_readonly("info", info_dict)
      .def("read", [](const ResultSource& self, const std::string& name) { return shared_array(self.read(name)); });
  m.def("open_results",
        [](const std::string& path) -> std::shared_ptr<ResultSource> { return std::make_shared<ResultFile>(path); });
  m.def("repair", repair_results);
  m.def("describe_results", describe_results);
  refuse_unfinished<ResultSource>();
  m.def("resume", resume, py::arg("path"), py::arg("duration"), py::arg("trace"), py::arg("threads"),
        py::arg("progress"), py::arg("screen"), py::arg("force"));
  m.def("solve", solve, py::arg("model"), py::arg("output"), py::arg("trace"), py::arg("threads"), py::arg("progress"),
        py::arg("screen"), py::arg("force"));
  // Pictures are made in Python; where they go is looked at before, and they are put there in one go.
  m.def("check_picture", [](const std::string& path, const std::string& source, bool force) {
    const PlannedFile file{path, FileKind::picture, path};
    check_distinct({file}, source.empty() ? std::vector<std::string>{} : std::vector{source});
    check_place(file, force, "force (--force)");
  });
  m.def("replace_picture",
        [](const std::string& path, const py::bytes& data) { replace_file(path, std::string_view(data), "picture"); });
}

}  // namespace lithe::python

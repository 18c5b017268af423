// Solving, and results as numpy arrays.
#include "lithe/io/results.h"

#include <pybind11/numpy.h>

#include <chrono>
#include <optional>

#include "lithe/base/interrupt.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/load_model.h"
#include "lithe/io/memory_plan.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/run.h"
#include "lithe/io/run_files.h"
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
  dict["model"] = info.model_yaml;
  dict["report"] = info.report_json;
  dict["complete"] = info.complete;
  dict["steps"] = info.steps;
  dict["bodies"] = bodies;
  dict["channels"] = channels;
  return dict;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// After each step: Ctrl-C and the user's own function, with Python's lock held. False ends the run.
bool go_on(const py::object& progress, const State& state, const RecordedStep& step, bool dynamic) {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (progress.is_none()) return true;
  py::dict report;
  report["step"] = step.step;
  report["time"] = state.t;
  if (dynamic) report["step_size"] = step.h;
  else report["load_factor"] = state.load_factor;
  report["iterations"] = step.iterations;
  report["residual"] = step.residual;
  return !progress(report).is(py::bool_(false));
}

// Ctrl-C in the middle of a step: asked for every 50 ms at most, for it takes Python's lock.
std::function<void()> signal_check() {
  return [last = now()]() mutable {
    if (now() - last < 0.05) return;
    last = now();
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
}

void run(const System& system, State& state, Recorder& recorder, const std::string& path, double seconds_compile,
         const py::object& progress, bool resumed) {
  const bool dynamic = std::holds_alternative<DynamicAnalysis>(system.model.analysis);
  const double begin = state.t;
  Workspace work(system, threads(system.model));
  const auto observe = [&](const State& reached, const RecordedStep& step) {
    return go_on(progress, reached, step, dynamic);
  };
  const RunReport report = run_analysis(system, state, work, recorder, observe, resumed);
  RunSummary summary = summarise(system, state, work, report);
  if (resumed) summary.resumed_at = begin;
  summary.seconds_compile = seconds_compile;
  summary.warnings = system.warnings;
  summary.result = path;
  recorder.finish(summary_json(summary));
}

System timed_compile(const Model& model, double& seconds, bool in_memory, bool force) {
  if (!force) check_memory(model, "force=True");
  const double start = now();
  System system = compile(model);
  seconds = now() - start;
  if (!force) check_memory(system, in_memory, "force=True");
  return system;
}

// The source of the results, also of a run that did not converge (its report says so).
std::shared_ptr<ResultSource> solve(const py::object& object, const std::optional<std::string>& output,
                                    int thread_count, const py::object& progress, bool force) {
  const InterruptCheck interrupt(signal_check());
  Model model = to_model(object);
  if (thread_count > 0) set_threads(model, thread_count);
  Reading reading;
  std::shared_ptr<ResultSource> source;
  {
    const py::gil_scoped_release unlocked;
    std::optional<RunFiles> files;
    if (output) files.emplace(RunPaths{.result = *output, .force = force, .python = true});
    double seconds = 0;
    const System system = timed_compile(model, seconds, !output, force);
    reading.warnings = system.warnings;
    State state = system.initial_state();
    const std::string yaml = model_yaml(model);
    if (output) {
      {
        ResultWriter writer(std::move(*files), system, yaml);
        run(system, state, writer, *output, seconds, progress, false);
      }
      source = std::make_shared<ResultFile>(*output);
    } else {
      auto recording = std::make_shared<Recording>(system, yaml);
      run(system, state, *recording, "", seconds, progress, false);
      source = std::move(recording);
    }
  }
  warn(reading);
  return source;
}

// Goes on from the checkpoint of a result; duration 0 is the model's own. A result that is complete is returned as it
// is.
std::shared_ptr<ResultSource> resume(const std::string& path, double duration, int thread_count,
                                     const py::object& progress, bool force) {
  const InterruptCheck interrupt(signal_check());
  Reading reading;
  std::shared_ptr<ResultSource> source;
  {
    const py::gil_scoped_release unlocked;
    std::vector<std::string> overrides;
    if (duration > 0) overrides.push_back("analysis.duration=" + number_text(duration));
    source = std::make_shared<ResultFile>(path);
    RunFiles files({.result = path, .force = force, .python = true, .asked = "resume " + path, .resumed = true});
    if (!nothing_left(path, overrides).empty()) return source;
    const Checkpoint from = read_checkpoint(path);
    Model model = resumed_model(from, path, overrides, reading);
    if (thread_count > 0) set_threads(model, thread_count);
    double seconds = 0;
    const System system = timed_compile(model, seconds, false, force);
    reading.warnings.insert(reading.warnings.end(), system.warnings.begin(), system.warnings.end());
    State state = resumed_state(from, system);
    {
      ResultWriter writer(std::move(files), system, model_yaml(model), from);
      run(system, state, writer, path, seconds, progress, true);
    }
    source = std::make_shared<ResultFile>(path);
  }
  warn(reading);
  return source;
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
  m.def("resume", resume, py::arg("path"), py::arg("duration"), py::arg("threads"), py::arg("progress"),
        py::arg("force") = false);
  m.def("solve", solve, py::arg("model"), py::arg("output"), py::arg("threads"), py::arg("progress"),
        py::arg("force") = false);
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

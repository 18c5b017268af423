// Modes and buckling as numpy arrays.
#include "lithe/dynamics/modes.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cmath>
#include <functional>

#include "lithe/base/interrupt.h"
#include "lithe/dynamics/buckling.h"
#include "lithe/io/memory_plan.h"
#include "lithe/io/run.h"
#include "lithe/model/validate.h"
#include "objects.h"

namespace lithe::python {

namespace {

int whole(const py::object& given, const char* name) {
  const double number = to_double(to_value(given, name));
  if (number != std::floor(number) || std::abs(number) > 1e9)
    throw InputError(std::string(name) + " is " + number_text(number) + ", but it must be a whole number");
  return static_cast<int>(number);
}

// Ctrl-C while it computes, asked for every 50 ms at most: it takes Python's lock.
std::function<void()> signal_check() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()]() mutable {
    if (Clock::now() - last < std::chrono::milliseconds(50)) return;
    last = Clock::now();
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
}

// The model compiled with these stages, and its state there.
struct Looked {
  System system;
  Workspace work;
  State state;
  Looked(const Model& model, bool at_equilibrium)
      : system(compile(model)),
        work(system, threads(system.model)),
        state(at_equilibrium ? state_at_equilibrium(system, work) : state_at_rest(system)) {}
};

template <class Find>
auto look(const py::object& object, const py::object& thread_count, bool at_equilibrium, const Analysis& last,
          Find find) {
  const InterruptCheck interrupt(signal_check());
  Reading reading;
  Model model = to_model(object, reading);
  model.analysis = modes_stages(model, {}, at_equilibrium);
  model.analysis.back() = last;
  if (const int count = read_threads(thread_count); count > 0) set_threads(model, count);
  reading = {};  // what was doubtful about the analysis that is not run
  validate(model, reading);
  std::vector<std::string> warnings = reading.warnings;
  auto found = [&] {
    const py::gil_scoped_release unlocked;
    check_memory(model, "fewer elements");
    Looked at(model, at_equilibrium);
    warnings.insert(warnings.end(), at.system.warnings.begin(), at.system.warnings.end());
    return find(at);
  }();
  warn(warnings);
  return found;
}

template <class Mode>
py::array_t<double> shapes(const std::vector<Mode>& modes) {
  const py::ssize_t numbers = modes.empty() ? 0 : static_cast<py::ssize_t>(modes.front().shape.size());
  py::array_t<double> all({static_cast<py::ssize_t>(modes.size()), numbers / 3, py::ssize_t{3}});
  for (std::size_t k = 0; k < modes.size(); ++k)
    std::copy(modes[k].shape.begin(), modes[k].shape.end(), all.mutable_data(static_cast<py::ssize_t>(k), 0, 0));
  return all;
}

template <class Mode, class Part>
py::array_t<double> column(const std::vector<Mode>& modes, Part part) {
  py::array_t<double> all(static_cast<py::ssize_t>(modes.size()));
  for (std::size_t k = 0; k < modes.size(); ++k) all.mutable_at(static_cast<py::ssize_t>(k)) = modes[k].*part;
  return all;
}

py::array_t<double> six(const std::vector<Mode>& modes, std::array<double, 6> Mode::*part) {
  py::array_t<double> all({static_cast<py::ssize_t>(modes.size()), py::ssize_t{6}});
  for (std::size_t k = 0; k < modes.size(); ++k)
    std::ranges::copy(modes[k].*part, all.mutable_data(static_cast<py::ssize_t>(k), 0));
  return all;
}

py::dict modes(const py::object& model, const py::object& count, const py::object& near, bool at_equilibrium,
               const py::object& thread_count) {
  ModesAnalysis asked;
  asked.count = whole(count, "count");
  if (!near.is_none()) asked.near = to_double(to_value(near, "near"));
  const Modes found = look(model, thread_count, at_equilibrium, asked, [&](Looked& at) {
    return find_modes(at.system, at.state, at.work, {asked.count, asked.near});
  });
  py::dict dict;
  dict["frequency"] = column(found.modes, &Mode::frequency);
  dict["eigenvalue"] = column(found.modes, &Mode::eigenvalue);
  dict["shape"] = shapes(found.modes);
  dict["participation"] = six(found.modes, &Mode::participation);
  dict["effective_mass"] = six(found.modes, &Mode::effective_mass);
  dict["total_mass"] = py::array_t<double>(6, found.total_mass.data());
  dict["residual"] = column(found.modes, &Mode::residual);
  dict["counted"] = found.counted;
  dict["low"] = found.low;
  dict["high"] = found.high;
  dict["dense"] = found.dense;
  dict["missed"] = found.missed;
  dict["seconds"] = found.seconds_total;
  dict["note"] = found.note;
  return dict;
}

py::dict buckling(const py::object& model, const py::object& count, bool at_equilibrium,
                  const py::object& thread_count) {
  BucklingAnalysis asked;
  asked.count = whole(count, "count");
  const Buckling found = look(model, thread_count, at_equilibrium, asked,
                              [&](Looked& at) { return find_buckling(at.system, at.state, at.work, asked.count); });
  py::dict dict;
  dict["factor"] = column(found.modes, &BucklingMode::factor);
  dict["shape"] = shapes(found.modes);
  dict["load_factor"] = found.from;
  dict["counted"] = found.counted;
  dict["high"] = found.high;
  dict["dense"] = found.dense;
  dict["seconds"] = found.seconds_total;
  dict["note"] = found.note;
  return dict;
}

}  // namespace

void bind_modes(py::module_& m) {
  m.def("modes", modes, py::arg("model"), py::arg("count"), py::arg("near"), py::arg("at_equilibrium"),
        py::arg("threads"));
  m.def("buckling", buckling, py::arg("model"), py::arg("count"), py::arg("at_equilibrium"), py::arg("threads"));
}

}  // namespace lithe::python

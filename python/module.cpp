// The compiled part of the Python package `lithe`; python/lithe/__init__.py is what users import.
#include "lithe/base/standard_streams.h"
#include "lithe/base/version.h"
#include "objects.h"

PYBIND11_MODULE(_lithe, m) {
  namespace py = pybind11;
  lithe::open_closed_streams();
  m.doc() = "compiled part of lithe";
  const auto public_exception = [](py::object type) {
    type.attr("__module__") = "lithe";
    return type;
  };
  auto& input_error = py::register_exception<lithe::InputError>(m, "InputError", PyExc_ValueError);
  auto& run_error = py::register_exception<lithe::RunError>(m, "RunError", PyExc_RuntimeError);
  public_exception(input_error).attr("__doc__") = "The input is wrong: where, the value, what is allowed, the remedy.";
  public_exception(run_error).attr("__doc__") =
      "The run could not go on; `result` holds the steps up to there, or None.";
  run_error.attr("result") = py::none();
  m.attr("__version__") = lithe::version();
  lithe::python::bind_model(m);
  lithe::python::bind_system(m);
  lithe::python::bind_results(m);

  py::list names;  // what `import lithe` offers of this
  for (const char* name : {"InputError", "RunError", "Part", "Named", "System", "shape_functions"}) names.append(name);
  for (const auto* info : lithe::python::class_list()) names.append(info->name);
  m.attr("__all__") = names;
}

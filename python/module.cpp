// The compiled part of the Python package `lithe`; python/lithe/__init__.py is what users import.
#include <cstring>

#include "lithe/base/standard_streams.h"
#include "lithe/base/version.h"
#include "objects.h"

namespace {

// The common base of pybind11's classes ends the interpreter when it is called itself, as pickle's protocol 0 does with
// classes that cannot be pickled.
void guard_base() {
  static newfunc made_by = nullptr;
  auto* base = reinterpret_cast<PyTypeObject*>(pybind11::detail::get_internals().instance_base);
  if (made_by) return;
  made_by = base->tp_new;
  base->tp_new = [](PyTypeObject* type, PyObject* arguments, PyObject* keywords) -> PyObject* {
    if (!pybind11::detail::all_type_info(type).empty()) return made_by(type, arguments, keywords);
    PyErr_SetString(PyExc_TypeError, "this class has no objects of its own");
    return nullptr;
  };
}

}  // namespace

PYBIND11_MODULE(_lithe, m) {
  namespace py = pybind11;
  lithe::open_closed_streams();
  guard_base();
  m.doc() = "compiled part of lithe";
  // Messages quote what users wrote, which may be a file name that is no UTF-8.
  py::register_exception_translator([](std::exception_ptr thrown) {
    const auto raise = [](const char* type, const char* text) {
      const py::object message = py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "replace"));
      PyErr_SetObject(py::module_::import("lithe._lithe").attr(type).ptr(), message.ptr());
    };
    try {
      std::rethrow_exception(thrown);
    } catch (const lithe::InputError& error) {
      raise("InputError", error.what());
    } catch (const lithe::RunError& error) {
      raise("RunError", error.what());
    }
  });
  const auto public_exception = [](py::object type) {
    type.attr("__module__") = "lithe";
    return type;
  };
  py::exception<lithe::InputError> input_error(m, "InputError", PyExc_ValueError);
  py::exception<lithe::RunError> run_error(m, "RunError", PyExc_RuntimeError);
  public_exception(input_error).attr("__doc__") = "The input is wrong: where, the value, what is allowed, the remedy.";
  public_exception(run_error).attr("__doc__") =
      "The run could not go on; `result` holds the steps up to there, or None.";
  run_error.attr("result") = py::none();
  m.attr("__version__") = lithe::version();
  lithe::python::bind_named(m);
  lithe::python::bind_parts(m);
  lithe::python::bind_model(m);
  lithe::python::bind_system(m);
  lithe::python::bind_results(m);
  lithe::python::bind_modes(m);
  lithe::python::bind_bases(m);

  py::list names;  // what `import lithe` offers of this
  for (const char* name : {"InputError", "RunError", "Part", "Named", "System", "shape_functions"}) names.append(name);
  for (const auto* info : lithe::python::class_list()) names.append(info->schema->class_name);
  m.attr("__all__") = names;
}

// Python classes of the model, made from the Schemas (base/schema.h).
//
// A Part holds one Python value per field, so Python's own rules of sharing hold: `model.materials["alu"].E = 7e10`
// changes the model. Whatever is assigned goes through `read` on a Value made of it, the way of YAML: same checks, same
// messages. At solve() the whole tree becomes a Value again and is read as a Model.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "lithe/base/describe.h"
#include "lithe/model/model.h"

namespace lithe::python {

namespace py = pybind11;

struct FieldInfo {
  const Member* member = nullptr;
  std::string name;           // as in Python: from -> from_
  std::string path;           // in messages: LineMesh.from
  std::string type, accepts;  // annotations: what is read, what may be assigned
};

struct ClassInfo {
  const Schema* schema = nullptr;
  bool alternative = false;  // one of a choice: told apart by the key `type`
  std::vector<FieldInfo> fields;
  py::handle type;  // the Python class
};

// All classes, parts before what they are part of.
const std::vector<const ClassInfo*>& class_list();

struct Part {
  const ClassInfo* info = nullptr;
  std::vector<py::object> values;  // [field]
  std::vector<std::string> told;   // of a model from a file: warnings that were told with file and line
};

// A dictionary of named things that checks what is put into it.
struct NamedDict {
  const Type* inner = nullptr;
  py::dict items{};

  void set(const std::string& name, py::handle given);
};

Value to_value(py::handle given, const std::string& path);
py::object value_to_python(const Value& value);
// The Python object of something of the model.
py::object to_python(const Type& type, const void* x);
template <class T>
py::object to_python(const T& x) {
  return to_python(type_of<T>(), &x);
}
// What a field or a name holds after `given` was assigned: checked and normalised; parts keep their identity.
py::object convert(py::handle given, const Type& type, const Field& field, const std::string& path);
// What `given` becomes after it was read as `x`.
py::object keep(py::handle given, const Type& type, const void* x, const std::string& path);
// Equal as parts are: arrays of numpy number by number.
bool equal(py::handle a, py::handle b);
bool is_array(py::handle given);

// As annotations of Python: what is read, or what is accepted.
std::string annotation(const Type& type, bool accepts);
std::string python_type_name(py::handle object);

// Through Python's warnings, as coming from the line of the user's script (python/lithe/messages.py).
void warn(const std::vector<std::string>& warnings);
// A number of threads, in the limits that a model file has.
int read_threads(py::handle given);

// An object that __new__ made and __init__ never saw holds nothing: pybind11 would hand out memory that was never
// written at its first use.
template <class T>
void refuse_unfinished() {
  py::detail::get_type_info(typeid(T), true)->operator_new = [](std::size_t) -> void* {
    throw py::type_error("this object was made by __new__ alone and holds nothing; call its class instead");
  };
}

// An object of the class of that schema.
py::object make_part(const Schema& schema, std::vector<py::object> values);
// The C++ model of a Python one, read and validated; throws InputError. What it notices beside errors goes to
// `reading`, but for what was told when the parts were made or the file was loaded.
Model to_model(py::handle model, Reading& reading);

void bind_parts(py::module_& m);
void bind_named(py::module_& m);
void bind_model(py::module_& m);
void bind_system(py::module_& m);
void bind_results(py::module_& m);
void bind_modes(py::module_& m);
void bind_bases(py::module_& m);

}  // namespace lithe::python

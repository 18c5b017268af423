// Models: loading, checking and writing them.
#include <pybind11/stl.h>

#include "lithe/io/check.h"
#include "lithe/io/load_model.h"
#include "objects.h"

namespace lithe::python {

namespace {

py::object load(const std::string& path, const std::vector<std::string>& overrides) {
  Reading reading;
  Model model = load_model(path, overrides, reading);
  place_files(model);  // the object does not know where it was read
  py::object object = to_python(model);
  if (!reading.warnings.empty()) {
    Reading again;  // the same without file and line
    to_model(object, again);
    object.cast<Part&>().told = again.warnings;
  }
  warn(reading.warnings);
  return object;
}

py::dict check(const py::object& object) {
  Reading reading;
  const Model model = to_model(object, reading);
  const CheckReport report = [&] {
    const py::gil_scoped_release unlocked;
    return check_model(model, model.name, reading.warnings);
  }();
  py::dict dict;
  dict["text"] = report.text;
  dict["warnings"] = report.warnings;
  dict["bodies"] = report.bodies;
  dict["elements"] = report.elements;
  dict["unknowns"] = report.unknowns;
  dict["multipliers"] = report.multipliers;
  dict["nonzeros"] = report.nonzeros;
  return dict;
}

// For the generator of the stubs: name, help and fields of every class.
py::list describe_classes() {
  py::list list;
  for (const ClassInfo* info : class_list()) {
    py::list fields;
    for (const FieldInfo& field : info->fields) {
      py::dict entry;
      entry["name"] = field.name;
      entry["key"] = field.member->key;
      entry["type"] = field.type;
      entry["accepts"] = field.accepts;
      entry["help"] = field.member->field.help;
      entry["unit"] = field.member->field.unit;
      entry["required"] = field.member->field.required;
      fields.append(entry);
    }
    py::dict entry;
    entry["name"] = info->schema->class_name;
    entry["help"] = info->schema->help;
    entry["fields"] = fields;
    list.append(entry);
  }
  return list;
}

}  // namespace

void bind_model(py::module_& m) {
  m.def("describe_classes", describe_classes);
  m.def("model_yaml", [](const py::object& model) {
    Reading reading;
    return model_yaml(to_model(model, reading));
  });
  m.def("check", check);
  m.def("load", load);
}

}  // namespace lithe::python

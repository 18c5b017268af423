#include "objects.h"

#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"

namespace lithe::python {

namespace {

Value scalar(std::string text, const std::string& path, bool quoted = false) {
  Value value = Value::scalar(std::move(text));
  value.quoted = quoted;
  value.where.path = path;
  return value;
}

std::string joined(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

}  // namespace

std::vector<const ClassInfo*>& class_list() {
  static std::vector<const ClassInfo*> list;
  return list;
}

std::string python_type_name(py::handle object) {
  return py::str(py::type::of(object).attr("__name__")).cast<std::string>();
}

// bool before int (a bool is an int in Python), numbers of numpy by what they can become.
Value to_value(py::handle given, const std::string& path) {
  if (given.is_none()) {
    Value value;
    value.where.path = path;
    return value;
  }
  if (PyBool_Check(given.ptr())) return scalar(given.ptr() == Py_True ? "true" : "false", path);
  if (py::isinstance<py::str>(given)) return scalar(given.cast<std::string>(), path, true);
  if (py::isinstance<Object>(given)) {
    const Object& object = given.cast<const Object&>();
    Value map = Value::map();
    map.where.path = path;
    if (object.info->alternative) map.set("type", scalar(object.info->type, path));
    for (std::size_t i = 0; i < object.values.size(); ++i)
      if (!object.values[i].is_none()) {
        const std::string& key = object.info->fields[i].key;
        map.set(key, to_value(object.values[i], joined(path, key)));
      }
    return map;
  }
  if (py::isinstance<NamedDict>(given)) {
    Value map = Value::map();
    map.where.path = path;
    for (const auto& [name, item] : given.cast<const NamedDict&>().items) map.set(name, to_value(item, joined(path, name)));
    return map;
  }
  if (py::isinstance<py::dict>(given)) {
    Value map = Value::map();
    map.where.path = path;
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(given)) {
      const std::string name = py::str(key).cast<std::string>();
      map.set(name, to_value(item, joined(path, name)));
    }
    return map;
  }
  if (PyIndex_Check(given.ptr())) return scalar(py::str(py::int_(py::reinterpret_borrow<py::object>(given))), path);
  const bool is_array = py::hasattr(given, "ndim") && py::hasattr(given, "tolist");
  if (is_array) {
    const py::object plain = given.attr("tolist")();
    if (PyFloat_Check(plain.ptr()) || PyList_Check(plain.ptr()) || PyLong_Check(plain.ptr())) {
      if (!given.is(plain)) return to_value(plain, path);
    }
  }
  if (PyFloat_Check(given.ptr()) || PyNumber_Check(given.ptr())) {
    const double x = PyFloat_AsDouble(given.ptr());
    if (x == -1 && PyErr_Occurred()) throw py::error_already_set();
    return scalar(number_text(x), path);
  }
  if (PySequence_Check(given.ptr())) {
    Value list = Value::list();
    list.where.path = path;
    std::size_t i = 0;
    for (const py::handle item : given) list.items.push_back(to_value(item, path + "[" + std::to_string(i++) + "]"));
    return list;
  }
  if (py::hasattr(given, "__fspath__")) return to_value(given.attr("__fspath__")(), path);
  throw InputError(Where{"", 0, path}, "an object of type '" + python_type_name(given) + "' has no meaning here");
}

py::object value_to_python(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null: return py::none();
    case Value::Kind::scalar: {
      if (value.quoted) return py::str(value.text);
      if (value.text == "true" || value.text == "false") return py::bool_(value.text == "true");
      try {
        const double x = to_double(value);
        if (value.text.find_first_of(".eE") == std::string::npos) return py::int_(static_cast<long long>(x));
        return py::float_(x);
      } catch (const InputError&) {
        return py::str(value.text);
      }
    }
    case Value::Kind::list: {
      py::list list;
      for (const Value& item : value.items) list.append(value_to_python(item));
      return list;
    }
    case Value::Kind::map: {
      py::dict dict;
      for (const auto& [key, item] : value.fields) dict[py::str(key)] = value_to_python(item);
      return dict;
    }
  }
  return py::none();
}

void warn(const Reading& reading) {
  for (const std::string& text : reading.warnings)
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) < 0) throw py::error_already_set();
}

py::object* NamedDict::find(const std::string& name) {
  for (auto& [key, item] : items)
    if (key == name) return &item;
  return nullptr;
}

void NamedDict::set(const std::string& name, py::handle given) {
  py::object item = kind->convert(given, name);
  if (py::object* found = find(name)) *found = std::move(item);
  else items.emplace_back(name, std::move(item));
}

std::string python_name(const std::string& key) { return key == "from" ? "from_" : key; }

std::string class_text(const ClassInfo& info) {
  std::string text = info.help + ".\n\nKeywords:\n";
  for (const FieldInfo& field : info.fields) {
    text += "    " + field.name + ": " + field.type;
    text += std::string(*field.field.help ? "  " : "") + field.field.help;
    if (*field.field.unit) text += std::string(" [") + field.field.unit + "]";
    if (*field.field.allowed.text) text += std::string(", ") + field.field.allowed.text;
    if (field.field.required) text += ", required";
    text += "\n";
  }
  return text;
}

std::string object_text(const Object& object) {
  std::string text;
  for (std::size_t i = 0; i < object.values.size(); ++i) {
    if (object.values[i].is_none()) continue;
    text += (text.empty() ? "" : ", ") + object.info->fields[i].name + "=" +
            py::repr(object.values[i]).cast<std::string>();
  }
  return object.info->name + "(" + text + ")";
}

bool equal(const Object& a, const Object& b) {
  if (a.info != b.info) return false;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    if (!a.values[i].equal(b.values[i])) return false;
  return true;
}

Value keywords_value(const ClassInfo& info, const py::kwargs& given) {
  Value map = Value::map();
  map.where.path = info.name;
  for (const auto& [name_object, item] : given) {
    if (item.is_none()) continue;
    std::string key = name_object.cast<std::string>();
    for (const FieldInfo& field : info.fields)
      if (field.name == key) key = field.key;
    map.set(key, to_value(item, info.name + "." + key));
  }
  return map;
}

Model to_model(py::handle object) {
  Value value = to_value(object, "");
  std::erase_if(value.fields, [](const auto& field) { return field.first == "bodies" && field.second.fields.empty(); });
  Reading reading;  // what it notices was said when the parts were made
  return read_model(value, reading);
}

}  // namespace lithe::python

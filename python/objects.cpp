#include "objects.h"

#include <algorithm>
#include <cmath>

#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"

namespace lithe::python {

namespace {

// A script's data may contain itself, or never end.
constexpr int deepest = 50;
constexpr std::size_t longest = 4'000'000;

std::string joined(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

std::string text_of(py::handle given, const std::string& path) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(given.ptr(), &size)) return {data, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw InputError(Where{"", 0, path}, "the text cannot be written as UTF-8 (it has half of a surrogate pair)");
}

// Reads Python's data as a Value. `told`: it belongs to a part that was made before.
class Reader {
 public:
  Value read(py::handle given, const std::string& path, bool told, int depth = 0) {
    if (depth > deepest)
      throw InputError(Where{"", 0, path},
                       "this is nested deeper than " + std::to_string(deepest) + " levels; does it contain itself?");
    if (++count_ > longest) too_many(path);
    if (given.is_none()) return at(Value{}, path);
    // bool before int: a bool is an int in Python.
    if (PyBool_Check(given.ptr())) return scalar(given.ptr() == Py_True ? "true" : "false", path, told);
    if (PyUnicode_Check(given.ptr())) {
      Value text = scalar(text_of(given, path), path, told);
      text.quoted = true;
      return text;
    }
    if (py::isinstance<Object>(given)) return read_object(given.cast<const Object&>(), path, depth);
    if (py::isinstance<NamedDict>(given)) return read_named(given.cast<const NamedDict&>(), path, depth);
    if (py::isinstance<py::dict>(given)) return read_dict(given, path, told, depth);
    // Arrays and scalars of numpy: what they hold as Python's own numbers and lists.
    if (py::hasattr(given, "ndim") && py::hasattr(given, "tolist")) {
      if (py::hasattr(given, "size") && PyIndex_Check(py::object(given.attr("size")).ptr()) &&
          given.attr("size").cast<double>() > static_cast<double>(longest))
        too_many(path);
      const py::object plain = given.attr("tolist")();
      if (!py::hasattr(plain, "tolist")) return read(plain, path, told, depth + 1);
    }
    if (PyIndex_Check(given.ptr()) || PyFloat_Check(given.ptr()) || PyNumber_Check(given.ptr()))
      return read_number(given, path, told);
    if (PySequence_Check(given.ptr())) return read_list(given, path, told, depth);
    if (py::hasattr(given, "__fspath__")) return read(given.attr("__fspath__")(), path, told, depth + 1);
    throw InputError(Where{"", 0, path}, "an object of type '" + python_type_name(given) + "' has no meaning here");
  }

 private:
  static Value at(Value value, const std::string& path) {
    value.where.path = path;
    return value;
  }
  static Value scalar(std::string text, const std::string& path, bool told) {
    Value value = at(Value::scalar(std::move(text)), path);
    value.told = told;
    return value;
  }
  [[noreturn]] static void too_many(const std::string& path) {
    throw InputError(Where{"", 0, path}, "there are more than " + std::to_string(longest) +
                                             " values; let a mesh generator make the nodes, or shorten the tables");
  }
  // Python's own errors (a number too large for a float, __float__ that raises) are told like any other wrong value.
  static Value read_number(py::handle given, const std::string& path, bool told) {
    if (PyIndex_Check(given.ptr())) {
      const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
      int overflow = 0;
      const long long x = whole ? PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow) : 0;
      if (whole && overflow == 0 && !PyErr_Occurred()) return scalar(std::to_string(x), path, told);
      if (whole && overflow != 0) {
        PyErr_Clear();
        const double large = PyLong_AsDouble(whole.ptr());
        if (!PyErr_Occurred()) return scalar(number_text(large), path, told);
      }
    } else {
      const double x = PyFloat_AsDouble(given.ptr());
      if (!PyErr_Occurred()) return scalar(number_text(x), path, told);
    }
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
      PyErr_Clear();
      throw InputError(Where{"", 0, path}, "this number is too large: a float holds up to 1.8e308");
    }
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
    PyErr_Clear();
    throw InputError(Where{"", 0, path}, "a number is expected, but this is of type '" + python_type_name(given) + "'");
  }
  // Copies of containers are walked: what is read may be code of the user's that changes them.
  Value read_object(const Object& object, const std::string& path, int depth) {
    Value map = at(Value::map(), path);
    const std::vector<py::object> values = object.values;
    if (object.info->alternative) map.set("type", scalar(object.info->type, path, true));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!values[i].is_none()) {
        const std::string& key = object.info->fields[i].key;
        map.set(key, read(values[i], joined(path, key), true, depth + 1));
      }
    return map;
  }
  Value read_named(const NamedDict& named, const std::string& path, int depth) {
    Value map = at(Value::map(), path);
    const auto items = named.items;
    for (const auto& [name, item] : items) map.set(name, read(item, joined(path, name), true, depth + 1));
    return map;
  }
  Value read_dict(py::handle given, const std::string& path, bool told, int depth) {
    Value map = at(Value::map(), path);
    const auto items = py::reinterpret_steal<py::list>(PyDict_Items(given.ptr()));
    for (const py::handle item : items) {
      const py::tuple pair = py::reinterpret_borrow<py::tuple>(item);
      if (!PyUnicode_Check(pair[0].ptr()))
        throw InputError(Where{"", 0, path}, "keys are texts, but one is of type '" + python_type_name(pair[0]) + "'");
      const std::string name = text_of(pair[0], path);
      map.set(name, read(pair[1], joined(path, name), told, depth + 1));
    }
    return map;
  }
  Value read_list(py::handle given, const std::string& path, bool told, int depth) {
    const Py_ssize_t size = PySequence_Size(given.ptr());
    if (size < 0) PyErr_Clear();  // it does not tell
    if (size > static_cast<Py_ssize_t>(longest)) too_many(path);
    Value list = at(Value::list(), path);
    for (const py::handle item : given)
      list.items.push_back(read(item, path + "[" + std::to_string(list.items.size()) + "]", told, depth + 1));
    return list;
  }

  std::size_t count_ = 0;
};

}  // namespace

std::vector<const NamedKind*>& named_kinds() {
  static std::vector<const NamedKind*> list;
  return list;
}

std::vector<const ClassInfo*>& class_list() {
  static std::vector<const ClassInfo*> list;
  return list;
}

std::string python_type_name(py::handle object) {
  return py::str(py::type::of(object).attr("__name__")).cast<std::string>();
}

Value to_value(py::handle given, const std::string& path) { return Reader().read(given, path, false); }

py::object value_to_python(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return py::none();
    case Value::Kind::scalar: {
      if (value.quoted) return py::str(value.text);
      if (value.text == "true" || value.text == "false") return py::bool_(value.text == "true");
      try {
        const double x = to_double(value);
        const bool whole = value.text.find_first_of(".eE") == std::string::npos && std::abs(x) < 9e15;
        if (whole) return py::int_(static_cast<long long>(x));
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

void warn(const std::vector<std::string>& warnings) {
  if (!warnings.empty()) py::module_::import("lithe.messages").attr("warn")(warnings);
}

int read_threads(py::handle given) {
  int threads = 0;
  Reading reading;
  read_value(to_value(given, "threads"), threads, Field{.allowed = thread_count}, reading);
  return threads;
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
    text +=
        (text.empty() ? "" : ", ") + object.info->fields[i].name + "=" + py::repr(object.values[i]).cast<std::string>();
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

Model to_model(py::handle object, Reading& reading) {
  if (!py::isinstance<Wrapped<Model>>(object))
    throw py::type_error("a lithe.Model is expected, but this is of type '" + python_type_name(object) + "'");
  Value value = to_value(object, "");
  std::erase_if(value.fields, [](const auto& field) { return field.first == "bodies" && field.second.fields.empty(); });
  Reading noticed;
  Model model = read_model(value, noticed);
  const std::vector<std::string>& told = object.cast<const Object&>().told;
  for (std::string& warning : noticed.warnings)
    if (std::ranges::find(told, warning) == told.end()) reading.warnings.push_back(std::move(warning));
  return model;
}

}  // namespace lithe::python

#include "objects.h"

#include <pybind11/numpy.h>

#include <cmath>
#include <cstring>
#include <unordered_set>

#include "lithe/io/load_model.h"

namespace lithe::python {

namespace {

// A script's data may contain itself, or never end.
constexpr int deepest = 50;
constexpr std::size_t longest = 4'000'000;
constexpr py::ssize_t largest_array = py::ssize_t{1} << 28;  // numbers: 2 GiB

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
    if (!told && ++count_ > longest) too_many(path);  // parts were counted when they were made
    if (given.is_none()) return at(Value{}, path);
    // The plain types first: they are most of a model.
    if (PyFloat_CheckExact(given.ptr()) || PyLong_CheckExact(given.ptr())) return read_number(given, path, told);
    if (PyTuple_CheckExact(given.ptr()) || PyList_CheckExact(given.ptr())) return read_list(given, path, told, depth);
    // bool before int: a bool is an int in Python.
    if (PyBool_Check(given.ptr())) return scalar(given.ptr() == Py_True ? "true" : "false", path, told);
    if (PyUnicode_Check(given.ptr())) {
      Value text = scalar(text_of(given, path), path, told);
      text.quoted = true;
      return text;
    }
    if (py::isinstance<Part>(given)) return read_part(given.cast<const Part&>(), path, depth);
    if (py::isinstance<NamedDict>(given)) return read_named(given.cast<const NamedDict&>(), path, depth);
    if (py::isinstance<py::dict>(given)) return read_dict(given, path, told, depth);
    if (PyBytes_Check(given.ptr()) || PyByteArray_Check(given.ptr()))
      throw InputError(Where{"", 0, path}, "this is of type '" + python_type_name(given) +
                                               "', which is neither a text nor a number; decode it first");
    // Arrays and scalars of numpy: numbers as they are, anything else as Python's own objects and lists.
    if (py::hasattr(given, "ndim") && py::hasattr(given, "tolist")) {
      refuse_masked(given, path);
      if (is_array(given) && has_numbers(py::reinterpret_borrow<py::array>(given)))
        return read_array(py::reinterpret_borrow<py::array>(given), path, told);
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
  static void refuse_masked(py::handle given, const std::string& path) {
    if (!py::hasattr(given, "mask") || !is_array(given)) return;
    const py::module_ masked = py::module_::import("numpy.ma"), numpy = py::module_::import("numpy");
    if (!masked.attr("is_masked")(given).cast<bool>()) return;
    std::string place = path;
    const py::list first = py::list(numpy.attr("argwhere")(masked.attr("getmaskarray")(given)).attr("tolist")());
    for (const py::handle i : py::list(first[0])) place += "[" + py::str(i).cast<std::string>() + "]";
    throw InputError(Where{"", 0, place},
                     "this is masked, so there is no number; fill it (numpy.ma.filled), or leave out its row");
  }
  static bool has_numbers(const py::array& array) {
    return array.ndim() > 0 && std::strchr("fiu", array.dtype().kind()) != nullptr;
  }
  static Value read_array(const py::array& given, const std::string& path, bool told) {
    if (given.size() > largest_array)
      throw InputError(Where{"", 0, path}, "the array has " + std::to_string(given.size()) + " numbers; at most " +
                                               std::to_string(largest_array) + " are allowed");
    const auto plain = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
    if (!plain) throw py::error_already_set();
    auto numbers = std::make_shared<Numbers>();
    numbers->values.assign(plain.data(), plain.data() + plain.size());
    numbers->shape.assign(plain.shape(), plain.shape() + plain.ndim());
    Value value = at(Value::array(std::move(numbers)), path);
    value.told = told;
    return value;
  }
  // Copies of containers are walked: what is read may be code of the user's that changes them.
  Value read_part(const Part& part, const std::string& path, int depth) {
    Value map = at(Value::map(), path);
    const std::vector<py::object> values = part.values;
    if (part.info->alternative) map.set("type", scalar(part.info->schema->name, path, true));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!values[i].is_none()) {
        const std::string key = part.info->fields[i].member->key;
        map.set(key, read(values[i], joined(path, key), true, depth + 1));
      }
    return map;
  }
  Value read_named(const NamedDict& named, const std::string& path, int depth) {
    return read_dict(named.items, path, true, depth);
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
    case Value::Kind::numbers:
      return value_to_python(listed(value));
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
  if (warnings.empty()) return;
  py::list texts;
  for (const std::string& warning : warnings) texts.append(warning);
  py::module_::import("lithe.messages").attr("warn")(texts);
}

int read_threads(py::handle given) {
  int threads = 0;
  Reading reading;
  read_value(to_value(given, "threads"), threads, Field{.allowed = thread_count}, reading);
  return threads;
}

bool is_array(py::handle given) { return py::hasattr(given, "tolist") && py::isinstance<py::array>(given); }

bool equal(py::handle a, py::handle b) {
  if (!is_array(a) && !is_array(b)) return a.equal(b);
  return py::module_::import("numpy").attr("array_equal")(a, b).cast<bool>();
}

// ---- annotations ----

namespace {

// Of rows of numbers that stay an array: numpy's name of the numbers' type.
std::string array_type(const Type& type) {
  const Type* number = &type;
  while (number->inner) number = number->inner;
  return number->kind == Type::Kind::integer ? "np.int64" : "np.float64";
}

}  // namespace

std::string annotation(const Type& type, bool accepts) {
  using Kind = Type::Kind;
  const std::string inner = type.inner ? annotation(*type.inner, accepts) : "";
  const std::string or_map = accepts ? " | Mapping[str, Any]" : "";
  std::string text;
  switch (type.kind) {
    case Kind::number:
      return "float";
    case Kind::integer:
      return "int";
    case Kind::boolean:
      return "bool";
    case Kind::text:
      return "str";
    case Kind::custom:
      return type.custom.annotation;
    case Kind::words:
      for (const char* word : type.words.list()) text += (text.empty() ? "\"" : ", \"") + std::string(word) + "\"";
      return "Literal[" + text + "]";
    case Kind::optional:
      return inner + " | None";
    case Kind::list:
      if (type.alone) return inner + (accepts ? " | Sequence[" + inner + "]" : " | tuple[" + inner + ", ...]");
      text = accepts ? "Sequence[" + inner + "]" : "tuple[" + inner + ", ...]";
      if (type.inner->is_numeric()) text += accepts ? " | NDArray[Any]" : " | NDArray[" + array_type(type) + "]";
      return text;
    case Kind::array:
      if (accepts) return "Sequence[" + inner + "]";
      for (std::size_t i = 0; i < type.count; ++i) text += (i ? ", " : "") + inner;
      return "tuple[" + text + "]";
    case Kind::named:
      return (accepts ? "Mapping[str, " : "Named[") + inner + "]";
    case Kind::choice:
      for (const Schema* schema : type.alternatives)
        text += (text.empty() ? "" : " | ") + std::string(schema->class_name);
      return text + or_map;
    case Kind::structure:
      return type.schema->class_name + or_map;
  }
  return text;
}

// ---- from C++ to Python ----

namespace {

py::object part_of(const Schema& schema, const void* x) {
  std::vector<py::object> values;
  for (const Member& member : schema.members) values.push_back(to_python(*member.type, member.in(x)));
  return make_part(schema, std::move(values));
}

// A form of its own as a user would write it; a number is a float, whole or not, a word (auto) text.
py::object custom_to_python(Value value) {
  if (value.kind == Value::Kind::scalar && !value.quoted) {
    py::object plain = value_to_python(value);
    return py::isinstance<py::str>(plain) ? plain : py::float_(to_double(value));
  }
  std::erase_if(value.fields, [](const auto& entry) { return entry.second.text.empty() && entry.second.quoted; });
  return value_to_python(value);
}

}  // namespace

py::object to_python(const Type& type, const void* x) {
  using Kind = Type::Kind;
  switch (type.kind) {
    case Kind::number:
      return py::float_(*static_cast<const double*>(x));
    case Kind::integer:
      return py::int_(*static_cast<const int*>(x));
    case Kind::boolean:
      return py::bool_(*static_cast<const bool*>(x));
    case Kind::text:
      return py::str(*static_cast<const std::string*>(x));
    case Kind::words:
      return py::str(type.words.get(x));
    case Kind::custom:
      return custom_to_python(type.custom.write(x));
    case Kind::optional: {
      const void* inner = type.optional.get(x);
      return inner ? to_python(*type.inner, inner) : py::none();
    }
    case Kind::list:
    case Kind::array: {
      if (type.alone && type.sequence.size(x) == 1) return to_python(*type.inner, type.element(x, 0));
      py::tuple items(type.sequence.size(x));
      for (std::size_t i = 0; i < items.size(); ++i) items[i] = to_python(*type.inner, type.element(x, i));
      return items;
    }
    case Kind::named: {
      NamedDict dict{type.inner};
      for (std::size_t i = 0; i < type.named.size(x); ++i)
        dict.items[py::str(type.named.name(x, i))] = to_python(*type.inner, type.named.item(x, i));
      return py::cast(std::move(dict));
    }
    case Kind::choice:
      return part_of(*type.alternatives[type.choice.index(x)], type.choice.get(x));
    case Kind::structure:
      return part_of(*type.schema, x);
  }
  return py::none();
}

// ---- from Python to Python, checked ----

namespace {

const Schema* schema_of(py::handle given) {
  return py::isinstance<Part>(given) ? given.cast<const Part&>().info->schema : nullptr;
}

bool is_alternative(const Type& type, const Schema* schema) {
  for (const Schema* alternative : type.alternatives)
    if (alternative == schema) return true;
  return false;
}

void require_alternative(py::handle given, const Type& type, const std::string& path) {
  const Schema* schema = schema_of(given);
  if (schema && !is_alternative(type, schema))
    throw InputError(Where{"", 0, path},
                     annotation(type, false) + " is expected, but this is " + python_type_name(given));
}

// Rows of numbers that came as an array of numpy's stay one, of our own.
py::object own_array(py::handle given, const Type& type) {
  const py::object array = py::module_::import("numpy").attr("array")(
      given, py::arg("dtype") = array_type(type).substr(3), py::arg("order") = "C");
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

}  // namespace

py::object keep(py::handle given, const Type& type, const void* x, const std::string& path) {
  using Kind = Type::Kind;
  switch (type.kind) {
    case Kind::optional:
      if (const void* inner = type.optional.get(x)) return keep(given, *type.inner, inner, path);
      break;
    case Kind::choice:
      require_alternative(given, type, path);
      if (schema_of(given)) return py::reinterpret_borrow<py::object>(given);
      break;
    case Kind::structure:
      if (schema_of(given) == type.schema) return py::reinterpret_borrow<py::object>(given);
      break;
    case Kind::named: {
      NamedDict dict{type.inner};
      for (std::size_t i = 0; i < type.named.size(x); ++i) {
        const std::string& name = type.named.name(x, i);
        const py::object item = given[py::str(name)];
        dict.items[py::str(name)] = keep(item, *type.inner, type.named.item(x, i), path + "." + name);
      }
      return py::cast(std::move(dict));
    }
    case Kind::list: {
      if (type.is_numeric() && type.inner->is_numeric() && is_array(given)) return own_array(given, type);
      if (type.alone && (schema_of(given) || py::isinstance<py::dict>(given)))
        return keep(given, *type.inner, type.element(x, 0), path);
      if (type.alone && type.sequence.size(x) == 1)  // the same as the one alone
        for (const py::handle item : given) return keep(item, *type.inner, type.element(x, 0), path);
      if (type.inner->kind != Kind::structure && type.inner->kind != Kind::choice) break;
      py::tuple items(type.sequence.size(x));
      std::size_t i = 0;
      for (const py::handle item : given) {
        if (i == items.size()) break;
        items[i] = keep(item, *type.inner, type.element(x, i), path);
        ++i;
      }
      for (; i < items.size(); ++i)
        items[i] = to_python(*type.inner, type.element(x, i));  // it was longer when it was read
      return items;
    }
    default:
      break;
  }
  return to_python(type, x);
}

py::object convert(py::handle given, const Type& type, const Field& field, const std::string& path) {
  const bool optional = type.kind == Type::Kind::optional;
  if (optional && given.is_none()) return py::none();
  const Type& asked = optional ? *type.inner : type;
  if (asked.kind == Type::Kind::choice) require_alternative(given, asked, path);
  if (asked.alone && asked.inner->kind == Type::Kind::choice) require_alternative(given, *asked.inner, path);
  const std::shared_ptr<void> x = type.maker();
  Reading reading;
  read(to_value(given, path), type, x.get(), field, reading);
  warn(reading.warnings);
  return keep(given, type, x.get(), path);
}

Model to_model(py::handle object, Reading& reading) {
  if (schema_of(object) != &schema(static_cast<const Model*>(nullptr)))
    throw py::type_error("a lithe.Model is expected, but this is of type '" + python_type_name(object) + "'");
  Value value = to_value(object, "");
  std::erase_if(value.fields, [](const auto& field) { return field.first == "bodies" && field.second.fields.empty(); });
  Reading noticed;
  Model model = read_model(value, noticed);
  const std::vector<std::string>& list = object.cast<const Part&>().told;
  const std::unordered_set<std::string> told(list.begin(), list.end());
  for (std::string& warning : noticed.warnings)
    if (!told.contains(warning)) reading.warnings.push_back(std::move(warning));
  return model;
}

}  // namespace lithe::python

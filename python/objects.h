// Python classes of the model, generated from the Descriptions (base/describe.h).
//
// A Python object of a described struct holds one Python value per field, so Python's own rules of sharing hold:
// `model.materials["alu"].E = 7e10` changes the model. Whatever is assigned goes through read_value on a Value made of
// it, the way of YAML: same checks, same messages. At solve() the whole tree becomes a Value again and is read as a
// Model.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lithe/base/describe.h"
#include "lithe/model/model.h"

namespace lithe::python {

namespace py = pybind11;

using Convert = std::function<py::object(py::handle given, const std::string& path)>;

struct FieldInfo {
  std::string key;   // as in YAML
  std::string name;  // as in Python: from -> from_
  Field field;
  std::string type, accepts;  // annotations: what is read, what may be assigned
  Convert convert;            // checked and normalised
};

struct ClassInfo {
  std::string name;  // Isotropic
  std::string type;  // isotropic
  std::string help;
  bool alternative = false;  // one of a choice: told apart by the key `type`
  std::vector<FieldInfo> fields;
};

// All classes in the order of their registration.
std::vector<const ClassInfo*>& class_list();

struct Object {
  const ClassInfo* info = nullptr;
  std::vector<py::object> values;  // [field]
  std::vector<std::string> told;   // of a model from a file: warnings that were told with file and line
};
template <class T>
struct Wrapped : Object {};

template <class T>
ClassInfo& class_info() {
  static ClassInfo info;
  return info;
}

// A dictionary of named things that checks what is put into it.
struct NamedKind {
  std::string name;  // of the things: "materials"
  Convert convert;
};
// All kinds, for dictionaries that are read back by pickle.
std::vector<const NamedKind*>& named_kinds();
struct NamedDict {
  const NamedKind* kind = nullptr;
  std::vector<std::pair<std::string, py::object>> items;

  py::object* find(const std::string& name);
  void set(const std::string& name, py::handle given);
};

Value to_value(py::handle given, const std::string& path);
py::object value_to_python(const Value& value);
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
std::string python_type_name(py::handle object);

// ---- annotations ----

template <class M>
std::string type_text(bool accepts);

template <class... A>
std::string alternatives_text(std::type_identity<std::variant<A...>>, bool accepts) {
  std::string text;
  ((text += (text.empty() ? "" : " | ") + class_info<A>().name), ...);
  return text + (accepts ? " | Mapping[str, Any]" : "");
}

template <class M>
std::string type_text(bool accepts) {
  if constexpr (std::is_same_v<M, double>) return "float";
  else if constexpr (std::is_same_v<M, int>) return "int";
  else if constexpr (std::is_same_v<M, bool>) return "bool";
  else if constexpr (std::is_same_v<M, std::string>) return "str";
  else if constexpr (std::is_base_of_v<Signal, M>) return "Signal";
  else if constexpr (std::is_same_v<M, SpaceFunction>) return "SpaceFunction";
  else if constexpr (std::is_same_v<M, At>) return "Place";
  else if constexpr (std::is_enum_v<M>) {
    std::string text = "Literal[";
    for (const char* word : Words<M>::names) text += (text.back() == '[' ? "\"" : ", \"") + std::string(word) + "\"";
    return text + "]";
  } else if constexpr (detail::is_optional<M>::value) {
    return type_text<typename M::value_type>(accepts) + " | None";
  } else if constexpr (detail::is_vector<M>::value) {
    const std::string inner = type_text<typename M::value_type>(accepts);
    return accepts ? "Sequence[" + inner + "]" : "tuple[" + inner + ", ...]";
  } else if constexpr (detail::is_array<M>::value) {
    const std::string inner = type_text<typename M::value_type>(accepts);
    if (accepts) return "Sequence[" + inner + "]";
    std::string text = "tuple[";
    for (std::size_t i = 0; i < std::tuple_size_v<M>; ++i) text += (i ? ", " : "") + inner;
    return text + "]";
  } else if constexpr (detail::is_named<M>::value) {
    using Inner = std::remove_cvref_t<decltype(std::declval<M>().items[0].second)>;
    const std::string inner = type_text<Inner>(accepts);
    return (accepts ? "Mapping[str, " : "Named[") + inner + "]";
  } else if constexpr (detail::is_variant<M>::value) {
    return alternatives_text(std::type_identity<M>{}, accepts);
  } else {
    return class_info<M>().name + (accepts ? " | Mapping[str, Any]" : "");
  }
}

// ---- from C++ to Python ----

template <class M>
py::object to_python(const M& m);

template <class T>
py::object make_object(const T& x) {
  Wrapped<T> object;
  object.info = &class_info<T>();
  auto visit = [&](const char*, auto member, const Field&) { object.values.push_back(to_python(x.*member)); };
  Description<T>::fields(visit);
  return py::cast(std::move(object));
}

template <class Inner>
const NamedKind& named_kind();

template <class M>
py::object to_python(const M& m) {
  if constexpr (std::is_same_v<M, SpaceFunction>) {
    return m.text().empty() ? py::object(py::float_(m.constant())) : value_to_python(Custom<SpaceFunction>::write(m));
  } else if constexpr (std::is_base_of_v<Signal, M>) {
    return m.is_constant() ? py::object(py::float_(m.constant())) : value_to_python(Custom<Signal>::write(m));
  } else if constexpr (Custom<M>::exists) {
    Value value = Custom<M>::write(m);
    std::erase_if(value.fields, [](const auto& entry) { return entry.second.text.empty() && entry.second.quoted; });
    return value_to_python(value);
  } else if constexpr (std::is_arithmetic_v<M> || std::is_same_v<M, std::string>) {
    return py::cast(m);
  } else if constexpr (detail::is_optional<M>::value) {
    return m ? to_python(*m) : py::object(py::none());
  } else if constexpr (detail::is_vector<M>::value || detail::is_array<M>::value) {
    py::tuple items(m.size());
    for (std::size_t i = 0; i < m.size(); ++i) items[i] = to_python(m[i]);
    return items;
  } else if constexpr (detail::is_named<M>::value) {
    NamedDict dict{&named_kind<std::remove_cvref_t<decltype(m.items[0].second)>>(), {}};
    for (const auto& [name, item] : m.items) dict.items.emplace_back(name, to_python(item));
    return py::cast(std::move(dict));
  } else if constexpr (detail::is_variant<M>::value) {
    return std::visit([](const auto& alternative) { return to_python(alternative); }, m);
  } else {
    return make_object(m);
  }
}

// ---- from Python to Python, checked ----

template <class... A>
void require_alternative(py::handle given, const std::string& path, std::type_identity<std::variant<A...>> type) {
  if (!py::isinstance<Object>(given) || (py::isinstance<Wrapped<A>>(given) || ...)) return;
  throw InputError(Where{"", 0, path},
                   alternatives_text(type, false) + " is expected, but this is " + python_type_name(given));
}

// What the field holds after `given` was read as `m`: objects of the model keep their identity.
template <class M>
py::object keep(py::handle given, const M& m, const std::string& path) {
  if constexpr (detail::is_variant<M>::value) {
    require_alternative(given, path, std::type_identity<M>{});
    if (py::isinstance<Object>(given)) return py::reinterpret_borrow<py::object>(given);
  } else if constexpr (detail::is_named<M>::value) {
    NamedDict dict{&named_kind<std::remove_cvref_t<decltype(m.items[0].second)>>(), {}};
    for (const auto& [name, item] : m.items)
      dict.items.emplace_back(name, keep(py::object(given[py::str(name)]), item, path + "." + name));
    return py::cast(std::move(dict));
  } else if constexpr (Described<M>) {
    if (py::isinstance<Wrapped<M>>(given)) return py::reinterpret_borrow<py::object>(given);
  } else if constexpr (detail::is_vector<M>::value) {
    if constexpr (Described<typename M::value_type>) {
      py::tuple items(m.size());
      std::size_t i = 0;
      for (const py::handle item : given) {
        if (i == m.size()) break;
        items[i] = keep(item, m[i], path);
        ++i;
      }
      for (; i < m.size(); ++i) items[i] = to_python(m[i]);  // it was longer when it was read
      return items;
    }
  }
  return to_python(m);
}

template <class M>
py::object convert(py::handle given, const Field& field, const std::string& path) {
  if constexpr (detail::is_optional<M>::value)
    if (given.is_none()) return py::none();
  if constexpr (detail::is_variant<M>::value) require_alternative(given, path, std::type_identity<M>{});
  M m{};
  Reading reading;
  read_value(to_value(given, path), m, field, reading);
  warn(reading.warnings);
  return keep(given, m, path);
}

template <class Inner>
const NamedKind& named_kind() {
  static const NamedKind kind{type_text<Inner>(false), [](py::handle given, const std::string& path) {
                                return convert<Inner>(given, Field{}, path);
                              }};
  static const bool listed = (named_kinds().push_back(&kind), true);
  (void)listed;
  return kind;
}

// ---- classes ----

std::string python_name(const std::string& key);
std::string class_text(const ClassInfo& info);  // documentation
std::string object_text(const Object& object);  // repr
bool equal(const Object& a, const Object& b);
// Map of keyword arguments; names that are Python's own words lose their trailing underscore.
Value keywords_value(const ClassInfo& info, const py::kwargs& given);

// Keyword constructor: everything is checked together, so missing and unknown keys are found.
template <class T>
Wrapped<T> construct(const py::kwargs& given) {
  const ClassInfo& info = class_info<T>();
  Value value = keywords_value(info, given);
  if constexpr (std::is_same_v<T, Model>)  // a script adds the bodies after the model is made
    if (!value.find("bodies")) value.set("bodies", Value::map());
  T x{};
  Reading reading;
  detail::read_struct(value, x, reading, false);
  warn(reading.warnings);
  Wrapped<T> object;
  object.info = &info;
  std::size_t i = 0;
  auto visit = [&](const char* key, auto member, const Field&) {
    const FieldInfo& field = info.fields[i++];
    const bool said = given.contains(field.name.c_str()) && !py::object(given[field.name.c_str()]).is_none();
    object.values.push_back(said ? keep(py::object(given[field.name.c_str()]), x.*member, info.name + "." + key)
                                 : to_python(x.*member));
  };
  Description<T>::fields(visit);
  return object;
}

template <class T>
struct FieldCollector {
  ClassInfo& info;
  template <class Member>
  void operator()(const char* key, Member T::*, const Field& field) {
    if constexpr (detail::is_named<Member>::value)
      named_kind<std::remove_cvref_t<decltype(std::declval<Member>().items[0].second)>>();
    info.fields.push_back(
        {key, python_name(key), field, type_text<Member>(false), type_text<Member>(true),
         [field](py::handle given, const std::string& path) { return convert<Member>(given, field, path); }});
  }
};

// Names first (annotations refer to other classes), then fields.
template <class T>
void name_class(const char* name, bool alternative) {
  ClassInfo& info = class_info<T>();
  info.name = name;
  info.type = Description<T>::name;
  info.help = Description<T>::help;
  info.alternative = alternative;
  class_list().push_back(&info);
}

template <class T>
py::class_<Wrapped<T>, Object> bind_class(py::module_& m) {
  ClassInfo& info = class_info<T>();
  FieldCollector<T> collector{info};
  Description<T>::fields(collector);
  const std::string* text = new std::string(class_text(info));  // lives as long as the class
  py::class_<Wrapped<T>, Object> c(m, info.name.c_str(), text->c_str());
  c.attr("__module__") = "lithe";
  refuse_unfinished<Wrapped<T>>();
  c.def(py::init([](const py::kwargs& given) { return construct<T>(given); }));
  for (std::size_t i = 0; i < info.fields.size(); ++i) {
    const FieldInfo& field = info.fields[i];
    const std::string path = info.name + "." + field.key;
    c.def_property(
        field.name.c_str(), [i](const Object& self) { return self.values[i]; },
        [i, path](Object& self, const py::object& given) {
          self.values[i] = self.info->fields[i].convert(given, path);
        },
        field.field.help);
  }
  c.def(py::pickle(
      [](const Wrapped<T>& self) {
        py::tuple state(self.values.size());
        for (std::size_t i = 0; i < self.values.size(); ++i) state[i] = self.values[i];
        return state;
      },
      [](const py::tuple& state) {
        Wrapped<T> object;
        object.info = &class_info<T>();
        for (const py::handle value : state) object.values.push_back(py::reinterpret_borrow<py::object>(value));
        if (object.values.size() != object.info->fields.size())
          throw InputError(object.info->name + ": this was saved by another version of lithe");
        return object;
      }));
  return c;
}

// The C++ model of a Python one, read and validated; throws InputError. What it notices beside errors goes to
// `reading`, but for what was told when the parts were made or the file was loaded.
Model to_model(py::handle model, Reading& reading);

void bind_model(py::module_& m);
void bind_system(py::module_& m);
void bind_results(py::module_& m);

}  // namespace lithe::python

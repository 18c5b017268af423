// The classes of the model: every struct that a Model is made of becomes a Python class, a subclass of Part whose
// properties are the struct's fields.
#include <unordered_map>

#include "objects.h"

namespace lithe::python {

namespace {

std::vector<const ClassInfo*>& classes() {
  static std::vector<const ClassInfo*> list;
  return list;
}

const ClassInfo* find_class(const Schema& schema) {
  for (const ClassInfo* info : classes())
    if (info->schema == &schema) return info;
  return nullptr;
}

// Of a class of ours or one that the user derived from it.
const ClassInfo& class_of(PyTypeObject* type) {
  for (const py::handle base : py::reinterpret_borrow<py::tuple>(type->tp_mro))
    for (const ClassInfo* info : classes())
      if (info->type.is(base)) return *info;
  throw py::type_error("lithe.Part: No constructor defined!");
}

// Python's own words get an underscore.
std::string python_name(const std::string& key) { return key == "from" || key == "except" ? key + "_" : key; }

std::string class_text(const ClassInfo& info) {
  std::string text = std::string(info.schema->help) + ".\n\nKeywords:\n";
  for (const FieldInfo& f : info.fields) {
    const Field& field = f.member->field;
    text += "    " + f.name + ": " + f.type;
    text += std::string(*field.help ? "  " : "") + field.help;
    if (*field.unit) text += std::string(" [") + field.unit + "]";
    if (*field.allowed.text) text += std::string(", ") + field.allowed.text;
    if (field.required) text += ", required";
    text += "\n";
  }
  for (const FieldInfo& f : info.fields) {
    const Type* type = f.member->type;
    while (type->inner) type = type->inner;
    if (type->kind == Type::Kind::custom)
      text += "\n" + std::string(type->custom.annotation) + " of " + f.name + ": " + type->custom.text + ".\n";
  }
  return text;
}

std::string part_text(const Part& part) {
  std::string text;
  for (std::size_t i = 0; i < part.values.size(); ++i) {
    if (part.values[i].is_none()) continue;
    text += (text.empty() ? "" : ", ") + part.info->fields[i].name + "=" + py::repr(part.values[i]).cast<std::string>();
  }
  return part.info->schema->class_name + ("(" + text + ")");
}

bool equal_parts(const Part& a, const Part& b) {
  if (a.info != b.info) return false;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    if (!equal(a.values[i], b.values[i])) return false;
  return true;
}

// Map of keyword arguments; names that are Python's own words lose their trailing underscore.
Value keywords_value(const ClassInfo& info, const py::kwargs& given) {
  const std::string class_name = info.schema->class_name;
  Value map = Value::map();
  map.where.path = class_name;
  for (const auto& [name_object, item] : given) {
    if (item.is_none()) continue;
    std::string key = name_object.cast<std::string>();
    for (const FieldInfo& field : info.fields)
      if (field.name == key) key = field.member->key;
    map.set(key, to_value(item, class_name + "." + key));
  }
  return map;
}

// Everything is checked together, so missing and unknown keys are found.
std::vector<py::object> read_keywords(const ClassInfo& info, const py::kwargs& given) {
  Value value = keywords_value(info, given);
  if (info.schema == &schema(static_cast<const Model*>(nullptr)))  // a script adds the bodies after the model is made
    if (!value.find("bodies")) value.set("bodies", Value::map());
  const std::shared_ptr<void> x = info.schema->maker();
  Reading reading;
  read(value, *info.schema, x.get(), reading);
  warn(reading.warnings);
  std::vector<py::object> values;
  for (const FieldInfo& field : info.fields) {
    const void* member = field.member->in(static_cast<const void*>(x.get()));
    const char* name = field.name.c_str();
    const bool said = given.contains(name) && !py::object(given[name]).is_none();
    values.push_back(said ? keep(py::object(given[name]), *field.member->type, member, field.path)
                          : to_python(*field.member->type, member));
  }
  return values;
}

// Puts the values into an object that __new__ made.
void fill(py::detail::value_and_holder& place, Part part) { place.value_ptr() = new Part(std::move(part)); }

const ClassInfo& class_of(const py::detail::value_and_holder& place) {
  return class_of(Py_TYPE(reinterpret_cast<PyObject*>(place.inst)));
}

void construct(py::detail::value_and_holder& place, const py::args& positional, const py::kwargs& given) {
  const ClassInfo& info = class_of(place);
  if (!positional.empty())
    throw py::type_error(std::string(info.schema->class_name) + " takes keywords alone: " + info.schema->class_name +
                         "(" + (info.fields.empty() ? "" : info.fields[0].name + "=...") + ")");
  fill(place, {&info, read_keywords(info, given), {}});
}

py::tuple state_of_part(const Part& part) {
  py::tuple values(part.values.size());
  for (std::size_t i = 0; i < part.values.size(); ++i) values[i] = part.values[i];
  return values;
}

void restore(py::detail::value_and_holder& place, const py::tuple& values) {
  Part part{&class_of(place), {}, {}};
  for (const py::handle value : values) part.values.push_back(py::reinterpret_borrow<py::object>(value));
  if (part.values.size() != part.info->fields.size())
    throw InputError(std::string(part.info->schema->class_name) + ": this was saved by another version of lithe");
  for (const py::object& value : part.values)
    if (is_array(value)) value.attr("setflags")(py::arg("write") = false);
  fill(place, std::move(part));
}

void require_class(const Part& self, const ClassInfo* info) {
  if (self.info != info)
    throw py::type_error(std::string("a ") + info->schema->class_name + " is expected, but this is a " +
                         self.info->schema->class_name);
}

py::object make_property(const ClassInfo* info, std::size_t i, py::handle base) {
  const py::cpp_function get(
      [info, i](const Part& self) {
        require_class(self, info);
        return self.values[i];
      },
      py::is_method(base));
  const py::cpp_function set(
      [info, i](Part& self, const py::object& given) {
        require_class(self, info);
        const FieldInfo& field = info->fields[i];
        self.values[i] = convert(given, *field.member->type, field.member->field, field.path);
      },
      py::is_method(base));
  return py::module_::import("builtins").attr("property")(get, set, py::none(), info->fields[i].member->field.help);
}

void make_class(const Schema& schema, bool alternative, py::module_& m, py::handle base) {
  if (find_class(schema)) return;
  auto* info = new ClassInfo{&schema, alternative, {}, {}};  // lives as long as the class
  for (const Member& member : schema.members)
    info->fields.push_back({&member, python_name(member.key), std::string(schema.class_name) + "." + member.key,
                            annotation(*member.type, false), annotation(*member.type, true)});
  py::dict members;
  members["__doc__"] = class_text(*info);
  members["__module__"] = "lithe";
  members["__slots__"] = py::tuple();
  for (std::size_t i = 0; i < info->fields.size(); ++i)
    members[py::str(info->fields[i].name)] = make_property(info, i, base);
  const py::object type = py::type::of(base)(schema.class_name, py::make_tuple(base), members);
  m.attr(schema.class_name) = type;
  info->type = py::object(type).release();
  classes().push_back(info);
}

// Parts before what they are part of.
void make_classes(const Type& type, py::module_& m, py::handle base);
void make_classes(const Schema& schema, bool alternative, py::module_& m, py::handle base) {
  for (const Member& member : schema.members) make_classes(*member.type, m, base);
  make_class(schema, alternative, m, base);
}
void make_classes(const Type& type, py::module_& m, py::handle base) {
  if (type.inner) make_classes(*type.inner, m, base);
  if (type.schema) make_classes(*type.schema, false, m, base);
  for (const Schema* alternative : type.alternatives) make_classes(*alternative, true, m, base);
}

}  // namespace

const std::vector<const ClassInfo*>& class_list() { return classes(); }

py::object make_part(const Schema& schema, std::vector<py::object> values) {
  const ClassInfo* info = find_class(schema);
  const py::object type = py::reinterpret_borrow<py::object>(info->type);
  py::object made = type.attr("__new__")(type);
  auto* instance = reinterpret_cast<py::detail::instance*>(made.ptr());
  py::detail::value_and_holder place = instance->get_value_and_holder(py::detail::get_type_info(typeid(Part), true));
  fill(place, {info, std::move(values), {}});
  place.type->init_instance(instance, nullptr);
  return made;
}

void bind_parts(py::module_& m) {
  py::class_<Part> base(m, "Part", "A part of a model.");
  base.attr("__module__") = "lithe";
  const py::detail::is_new_style_constructor constructor;
  base.def("__init__", construct, constructor)
      .def("__repr__", part_text)
      .def("__eq__",
           [](const Part& a, const py::object& b) {
             return py::isinstance<Part>(b) && equal_parts(a, b.cast<const Part&>());
           })
      .def("__getstate__", state_of_part)
      .def("__setstate__", restore, constructor);
  base.attr("__hash__") = py::none();
  refuse_unfinished<Part>();
  make_classes(type_of<Model>(), m, base);
}

}  // namespace lithe::python

// Named: the dictionaries of a model.
#include "objects.h"

namespace lithe::python {

namespace {

// What a name may stand for, for dictionaries that are read back by pickle: by their annotations.
void collect(const Type& type, std::vector<const Type*>& found) {
  if (type.kind == Type::Kind::named) found.push_back(type.inner);
  if (type.inner) collect(*type.inner, found);
  std::vector<const Schema*> schemas = type.alternatives;
  if (type.schema) schemas.push_back(type.schema);
  for (const Schema* schema : schemas)
    for (const Member& member : schema->members) collect(*member.type, found);
}
const Type* named_type(const std::string& wanted) {
  static const std::vector<const Type*> types = [] {
    std::vector<const Type*> found;
    collect(type_of<Model>(), found);
    return found;
  }();
  for (const Type* type : types)
    if (annotation(*type, false) == wanted) return type;
  return nullptr;
}

// Of a part: a text, whatever class of Python's it is.
std::string name_of(py::handle given) {
  if (PyUnicode_Check(given.ptr())) return given.cast<std::string>();
  throw py::type_error("a name is a text (str), but this is " + py::repr(given).cast<std::string>().substr(0, 80) +
                       " of type '" + python_type_name(given) + "'");
}

py::object found(const NamedDict& self, const py::object& given) {
  const std::string name = name_of(given);
  const py::str key(name);
  if (self.items.contains(key)) return self.items[key];
  std::vector<std::string> known;
  for (const auto& [other, item] : self.items) known.push_back(other.cast<std::string>());
  throw py::key_error("'" + name + "' is not here" + suggestion(name, known));
}

std::string named_text(const NamedDict& self) { return py::repr(self.items).cast<std::string>(); }

bool equal_dicts(const py::dict& a, const py::dict& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, item] : a)
    if (!b.contains(name) || !equal(item, py::object(b[name]))) return false;
  return true;
}

py::tuple state(const NamedDict& self) {
  py::list items;
  for (const auto& [name, item] : self.items) items.append(py::make_tuple(name, item));
  return py::make_tuple(annotation(*self.inner, false), items);
}

NamedDict restored(const py::tuple& state) {
  NamedDict named{state.size() == 2 ? named_type(state[0].cast<std::string>()) : nullptr};
  if (!named.inner) throw InputError("Named: this was saved by another version of lithe");
  for (const py::handle item : state[1]) {
    const auto pair = item.cast<py::tuple>();
    named.set(pair[0].cast<std::string>(), pair[1]);
  }
  return named;
}

}  // namespace

void NamedDict::set(const std::string& name, py::handle given) {
  items[py::str(name)] = convert(given, *inner, {}, name);
}

void bind_named(py::module_& m) {
  py::class_<NamedDict> c(m, "Named", "A dictionary of named parts of a model, in order; what is put in is checked.");
  c.attr("__module__") = "lithe";
  c.def("__getitem__", found)
      .def("__setitem__",
           [](NamedDict& self, const py::object& name, const py::object& item) { self.set(name_of(name), item); })
      .def("__delitem__",
           [](NamedDict& self, const py::object& name) {
             found(self, name);
             PyDict_DelItem(self.items.ptr(), py::str(name).ptr());
           })
      .def("__contains__",
           [](const NamedDict& self, const py::object& name) {
             return PyUnicode_Check(name.ptr()) && self.items.contains(name);
           })
      .def("__len__", [](const NamedDict& self) { return self.items.size(); })
      .def("__iter__", [](const NamedDict& self) { return py::iter(py::list(self.items)); })
      .def("keys", [](const NamedDict& self) { return py::list(self.items); })
      .def("values", [](const NamedDict& self) { return py::list(self.items.attr("values")()); })
      .def("items", [](const NamedDict& self) { return py::list(self.items.attr("items")()); })
      .def(
          "get",
          [](const NamedDict& self, const py::object& name, const py::object& otherwise) {
            return self.items.attr("get")(name, otherwise);
          },
          py::arg("name"), py::arg("default") = py::none())
      .def("update",
           [](NamedDict& self, const py::object& other) {
             for (const py::handle name : other.attr("keys")()) self.set(name_of(name), other[name]);
           })
      .def("clear", [](NamedDict& self) { self.items.clear(); })
      .def("__eq__",
           [](const NamedDict& self, const py::object& other) {
             if (py::isinstance<NamedDict>(other)) return equal_dicts(self.items, other.cast<const NamedDict&>().items);
             return py::isinstance<py::dict>(other) && equal_dicts(self.items, other.cast<py::dict>());
           })
      .def("__repr__", named_text)
      .def(py::pickle([](const NamedDict& self) { return state(self); },
                      [](const py::tuple& saved) { return restored(saved); }));
  refuse_unfinished<NamedDict>();
  c.attr("__hash__") = py::none();
  py::module_::import("collections.abc").attr("MutableMapping").attr("register")(c);
}

}  // namespace lithe::python

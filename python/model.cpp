// The classes of the model. One line per class: a Description becomes a Python class.
#include "lithe/io/check.h"
#include "lithe/io/load_model.h"
#include "objects.h"

namespace lithe::python {

namespace {

// f(name, type, is it one of a choice?) for every class, parts before what they are part of.
template <class Action>
void for_each_class(Action&& f) {
#define LITHE_CLASS(T, alternative) f(#T, std::type_identity<T>{}, alternative)
  LITHE_CLASS(Isotropic, true);
  LITHE_CLASS(Orthotropic, true);
  LITHE_CLASS(Rectangle, true);
  LITHE_CLASS(Circle, true);
  LITHE_CLASS(Bar, true);
  LITHE_CLASS(Plate, true);
  LITHE_CLASS(Layer, false);
  LITHE_CLASS(Layered, true);
  LITHE_CLASS(LineMesh, true);
  LITHE_CLASS(ArcMesh, true);
  LITHE_CLASS(PlateMesh, true);
  LITHE_CLASS(AnnularPlateMesh, true);
  LITHE_CLASS(BlockMesh, true);
  LITHE_CLASS(NodeMesh, true);
  LITHE_CLASS(NetMesh, true);
  LITHE_CLASS(Body, true);
  LITHE_CLASS(BoxShape, true);
  LITHE_CLASS(SphereShape, true);
  LITHE_CLASS(CylinderShape, true);
  LITHE_CLASS(TubeShape, true);
  LITHE_CLASS(RigidBody, true);
  LITHE_CLASS(PointMass, true);
  LITHE_CLASS(Linkage, true);
  LITHE_CLASS(Clamp, true);
  LITHE_CLASS(Fix, true);
  LITHE_CLASS(Weld, true);
  LITHE_CLASS(Spherical, true);
  LITHE_CLASS(Revolute, true);
  LITHE_CLASS(Universal, true);
  LITHE_CLASS(Cylindrical, true);
  LITHE_CLASS(Prismatic, true);
  LITHE_CLASS(Planar, true);
  LITHE_CLASS(Distance, true);
  LITHE_CLASS(PointOnLine, true);
  LITHE_CLASS(Gear, true);
  LITHE_CLASS(Motion, true);
  LITHE_CLASS(Turn, true);
  LITHE_CLASS(Slide, true);
  LITHE_CLASS(Spring, true);
  LITHE_CLASS(TorsionSpring, true);
  LITHE_CLASS(Bushing, true);
  LITHE_CLASS(InitialVelocity, false);
  LITHE_CLASS(PointForce, true);
  LITHE_CLASS(PointMoment, true);
  LITHE_CLASS(LineLoad, true);
  LITHE_CLASS(Pressure, true);
  LITHE_CLASS(Gravity, true);
  LITHE_CLASS(DisplacementOutput, true);
  LITHE_CLASS(PositionOutput, true);
  LITHE_CLASS(GradientOutput, true);
  LITHE_CLASS(StressOutput, true);
  LITHE_CLASS(MaxVonMisesOutput, true);
  LITHE_CLASS(ReactionOutput, true);
  LITHE_CLASS(EnergyOutput, true);
  LITHE_CLASS(VelocityOutput, true);
  LITHE_CLASS(AccelerationOutput, true);
  LITHE_CLASS(RotationOutput, true);
  LITHE_CLASS(JointOutput, true);
  LITHE_CLASS(SpringOutput, true);
  LITHE_CLASS(MomentumOutput, true);
  LITHE_CLASS(ConstraintOutput, true);
  LITHE_CLASS(StaticAnalysis, true);
  LITHE_CLASS(DynamicAnalysis, true);
  LITHE_CLASS(Model, false);
#undef LITHE_CLASS
}

py::object named_item(NamedDict& self, const std::string& name) {
  if (py::object* found = self.find(name)) return *found;
  std::vector<std::string> known;
  for (const auto& item : self.items) known.push_back(item.first);
  throw py::key_error("'" + name + "' is not here" + suggestion(name, known));
}

template <class Part>
py::list listed(const NamedDict& self, Part&& part) {
  py::list list;
  for (const auto& item : self.items) list.append(part(item));
  return list;
}

void bind_named(py::module_& m) {
  using Item = std::pair<std::string, py::object>;
  py::class_<NamedDict> c(m, "Named", "A dictionary of named parts of a model, in order; what is put in is checked.");
  c.attr("__module__") = "lithe";
  c.def("__getitem__", named_item)
      .def("__setitem__",
           [](NamedDict& self, const std::string& name, const py::object& item) { self.set(name, item); })
      .def("__delitem__",
           [](NamedDict& self, const std::string& name) {
             named_item(self, name);
             std::erase_if(self.items, [&](const Item& item) { return item.first == name; });
           })
      .def("__contains__", [](NamedDict& self, const std::string& name) { return self.find(name) != nullptr; })
      .def("__contains__", [](NamedDict&, const py::object&) { return false; })
      .def("__len__", [](const NamedDict& self) { return self.items.size(); })
      .def("__iter__",
           [](const NamedDict& self) {
             return py::iter(listed(self, [](const Item& item) { return py::str(item.first); }));
           })
      .def("keys", [](const NamedDict& self) { return listed(self, [](const Item& i) { return py::str(i.first); }); })
      .def("values", [](const NamedDict& self) { return listed(self, [](const Item& i) { return i.second; }); })
      .def("items",
           [](const NamedDict& self) {
             return listed(self, [](const Item& i) { return py::make_tuple(i.first, i.second); });
           })
      .def(
          "get",
          [](NamedDict& self, const std::string& name, const py::object& otherwise) {
            const py::object* found = self.find(name);
            return found ? *found : otherwise;
          },
          py::arg("name"), py::arg("default") = py::none())
      .def("update",
           [](NamedDict& self, const py::object& other) {
             for (const py::handle name : other.attr("keys")()) self.set(name.cast<std::string>(), other[name]);
           })
      .def("clear", [](NamedDict& self) { self.items.clear(); })
      .def("__eq__",
           [](const NamedDict& self, const py::object& other) {
             const auto as_dict = [](const NamedDict& named) {
               py::dict dict;
               for (const auto& [name, item] : named.items) dict[py::str(name)] = item;
               return dict;
             };
             if (py::isinstance<NamedDict>(other)) return as_dict(self).equal(as_dict(other.cast<const NamedDict&>()));
             return py::isinstance<py::dict>(other) && as_dict(self).equal(other);
           })
      .def("__repr__",
           [](const NamedDict& self) {
             std::string text;
             for (const auto& [name, item] : self.items)
               text += (text.empty() ? "" : ", ") + py::repr(py::str(name)).cast<std::string>() + ": " +
                       py::repr(item).cast<std::string>();
             return "{" + text + "}";
           })
      .def(py::pickle(
          [](const NamedDict& self) {
            py::list items;
            for (const auto& [name, item] : self.items) items.append(py::make_tuple(name, item));
            return py::make_tuple(self.kind->name, items);
          },
          [](const py::tuple& state) {
            NamedDict named;
            const auto wanted = state.size() == 2 ? state[0].cast<std::string>() : "";
            for (const NamedKind* kind : named_kinds())
              if (kind->name == wanted) named.kind = kind;
            if (!named.kind) throw InputError("Named: this was saved by another version of lithe");
            for (const py::handle item : state[1]) {
              const auto [name, part] = item.cast<std::pair<std::string, py::object>>();
              named.set(name, part);
            }
            return named;
          }));
  refuse_unfinished<NamedDict>();
  c.attr("__hash__") = py::none();
  py::module_::import("collections.abc").attr("MutableMapping").attr("register")(c);
}

py::object load(const std::string& path, const std::vector<std::string>& overrides) {
  Reading reading;
  py::object object = make_object(load_model(path, overrides, reading));
  Reading again;  // the same without file and line
  to_model(object, again);
  object.cast<Object&>().told = again.warnings;
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
      entry["key"] = field.key;
      entry["type"] = field.type;
      entry["accepts"] = field.accepts;
      entry["help"] = field.field.help;
      entry["unit"] = field.field.unit;
      entry["required"] = field.field.required;
      fields.append(entry);
    }
    py::dict entry;
    entry["name"] = info->name;
    entry["help"] = info->help;
    entry["fields"] = fields;
    list.append(entry);
  }
  return list;
}

}  // namespace

void bind_model(py::module_& m) {
  py::class_<Object> base(m, "Part", "A part of a model.");
  base.attr("__module__") = "lithe";
  base.def("__repr__", object_text).def("__eq__", [](const Object& a, const py::object& b) {
    return py::isinstance<Object>(b) && equal(a, b.cast<const Object&>());
  });
  base.attr("__hash__") = py::none();
  refuse_unfinished<Object>();
  bind_named(m);

  for_each_class(
      []<class T>(const char* name, std::type_identity<T>, bool alternative) { name_class<T>(name, alternative); });
  for_each_class([&]<class T>(const char*, std::type_identity<T>, bool) { bind_class<T>(m); });

  m.def("describe_classes", describe_classes);
  m.def("model_yaml", [](const py::object& model) {
    Reading reading;
    return model_yaml(to_model(model, reading));
  });
  m.def("check", check);
  m.def("load", load);
}

}  // namespace lithe::python

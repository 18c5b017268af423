// The compiled System for studies: coordinates, forces, tangents and stresses as numpy arrays.
#include "lithe/system/system.h"

#include <pybind11/numpy.h>

#include "lithe/elements/beam3243.h"
#include "lithe/system/outputs.h"
#include "objects.h"

namespace lithe::python {

namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

struct PySystem {
  System system;
  Workspace work;
  State state;
  PySystem(const Model& model, int threads)
      : system(compile(model)), work(system, threads), state(system.initial_state()) {}

  // Numbers of all coordinates, flat or [vector][3]; None: what the state holds at the start (rates: zero).
  void set(std::vector<double>& to, const py::object& given, const char* name) const {
    if (given.is_none()) {
      if (&to == &state.q) to = system.q0;
      else std::fill(to.begin(), to.end(), 0.0);
      return;
    }
    const Array array = given.cast<Array>();
    if (static_cast<std::size_t>(array.size()) != system.q0.size())
      throw InputError(std::string(name) + " has " + std::to_string(array.size()) + " numbers, but the system has " +
                       std::to_string(system.q0.size()) + " coordinates");
    to.assign(array.data(), array.data() + array.size());
  }
  void set_state(const py::object& q, const py::object& v, double t = 0, double load_factor = 1) {
    state.v.resize(system.q0.size());
    set(state.q, q, "q");
    set(state.v, v, "v");
    state.t = t;
    state.load_factor = load_factor;
  }
  int body(const std::string& name) const {
    std::vector<std::string> known;
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
      if (system.bodies[b].name == name) return static_cast<int>(b);
      known.push_back(system.bodies[b].name);
    }
    throw InputError("there is no body '" + name + "'" + suggestion(name, known));
  }
};

py::array_t<double> vectors_array(const std::vector<double>& x) {
  return py::array_t<double>({static_cast<py::ssize_t>(x.size() / 3), py::ssize_t{3}}, x.data());
}
template <class T>
py::array_t<T> flat(const std::vector<T>& x) {
  return py::array_t<T>(static_cast<py::ssize_t>(x.size()), x.data());
}
// A look into memory that `owner` keeps alive; read-only.
template <class T>
py::array_t<T> view(const std::vector<T>& x, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array_t<T> array(std::move(shape), x.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::dict stress_dict(const PointStress& s) {
  py::dict dict;
  dict["green_lagrange"] = py::array_t<double>(6, s.green_lagrange);
  dict["second_piola"] = py::array_t<double>(6, s.second_piola);
  dict["cauchy"] = py::array_t<double>(6, s.cauchy);
  dict["von_mises"] = s.von_mises;
  return dict;
}

// Values of the shape functions at points [n][3]: [n][N]; gradients of a node are multiplied by half the element's size.
py::array_t<double> shapes(const std::string& element, const Array& points) {
  if (points.ndim() != 2 || points.shape(1) != 3) throw InputError("points must have the shape [n][3]");
  ElementKind kind{};
  Custom<ElementKind>::read(to_value(py::str(element), "element"), kind);
  const py::ssize_t n = points.shape(0), N = vector_count(kind);
  py::array_t<double> values({n, N});
  for (py::ssize_t p = 0; p < n; ++p) {
    double* S = values.mutable_data(p, 0);
    if (kind == ElementKind::cable) {  // the beam's functions of r and r_x
      double all[Beam3243::N];
      shape_functions(ElementKind::beam3243, points.data(p, 0), all);
      S[0] = all[0], S[1] = all[1], S[2] = all[4], S[3] = all[5];
    } else {
      shape_functions(kind, points.data(p, 0), S);
    }
  }
  return values;
}

}  // namespace

void bind_system(py::module_& m) {
  py::class_<PySystem> c(m, "System",
                         "A compiled model. Arrays over all coordinates have the shape [vectors][3]; q=None is the "
                         "reference configuration, v=None is rest.");
  c.attr("__module__") = "lithe";
  const auto q = py::arg("q") = py::none(), v = py::arg("v") = py::none();
  c.def(py::init([](const py::object& model, int threads) {
          return std::make_unique<PySystem>(to_model(model), threads);
        }),
        py::arg("model"), py::arg("threads") = 0)
      .def_property_readonly("size", [](const PySystem& s) { return s.system.size; }, "number of unknowns")
      .def_property_readonly("vectors", [](const PySystem& s) { return s.system.vectors(); })
      .def_property_readonly("symmetric", [](const PySystem& s) { return s.system.symmetric; },
                             "tangents are symmetric: their upper triangle is stored")
      .def_property_readonly("warnings", [](const PySystem& s) { return s.system.warnings; })
      .def_property_readonly("length_scale", [](const PySystem& s) { return s.system.length_scale; })
      .def_property_readonly(
          "bodies",
          [](const PySystem& s) {
            py::list names;
            for (const auto& body : s.system.bodies) names.append(body.name);
            return names;
          })
      .def_property_readonly("q0",
                             [](const py::object& self) {
                               const System& s = self.cast<const PySystem&>().system;
                               return view(s.q0, {s.vectors(), 3}, self);
                             })
      .def("vector_range",
           [](const PySystem& s, const std::string& name) {
             const BodyInfo& body = s.system.bodies[static_cast<std::size_t>(s.body(name))];
             return py::make_tuple(body.first_vector, body.first_vector + body.mesh.node_count() * body.node_vectors);
           },
           py::arg("body"), "first and one past the last coordinate vector of a body")
      .def("internal_force",
           [](PySystem& s, const py::object& q_, const py::object& v_) {
             s.set_state(q_, v_);
             {
               const py::gil_scoped_release unlocked;
               evaluate_internal(s.system, s.state, s.work);
             }
             return vectors_array(s.work.internal);
           },
           q, v)
      .def("external_force",
           [](PySystem& s, const py::object& q_, double t, double load_factor) {
             s.set_state(q_, py::none(), t, load_factor);
             {
               const py::gil_scoped_release unlocked;
               evaluate_external(s.system, s.state, s.work);
             }
             return vectors_array(s.work.external);
           },
           q, py::arg("t") = 0.0, py::arg("load_factor") = 1.0)
      .def("tangent",
           [](const py::object& self, const py::object& q_, const py::object& v_, double c_q, double c_v) {
             PySystem& s = self.cast<PySystem&>();
             s.set_state(q_, v_);
             std::vector<double> values;
             {
               const py::gil_scoped_release unlocked;
               evaluate_internal(s.system, s.state, s.work);
               evaluate_tangent(s.system, s.state, c_q, c_v, s.work, values);
             }
             const SparsePattern& pattern = s.system.pattern;
             return py::make_tuple(flat(values), view(pattern.row, {static_cast<py::ssize_t>(pattern.row.size())}, self),
                                   view(pattern.column_start,
                                        {static_cast<py::ssize_t>(pattern.column_start.size())}, self));
           },
           q, v, py::arg("c_q") = 1.0, py::arg("c_v") = 0.0,
           "(data, indices, indptr) of compressed columns over the unknowns; the upper triangle where symmetric")
      .def("restrict",
           [](const PySystem& s, const py::object& full) {
             std::vector<double> from(s.system.q0.size()), to;
             s.set(from, full, "force");
             restrict_to_unknowns(s.system, from, to);
             return flat(to);
           },
           py::arg("force"), "the part of a force over all coordinates that acts on the unknowns")
      .def("prolong",
           [](const PySystem& s, const Array& dz) {
             if (dz.size() != s.system.size)
               throw InputError("dz has " + std::to_string(dz.size()) + " numbers, but the system has " +
                                std::to_string(s.system.size) + " unknowns");
             std::vector<double> full(s.system.q0.size(), 0.0);
             add_unknowns(s.system, {dz.data(), dz.data() + dz.size()}, 1.0, full);
             return vectors_array(full);
           },
           py::arg("dz"), "change of all coordinates by a change of the unknowns")
      .def("stress_at",
           [](PySystem& s, const std::string& body, int element, const Triple& xi, const py::object& q_,
              const py::object& v_) {
             s.set_state(q_, v_);
             const int b = s.body(body);
             const BodyInfo& info = s.system.bodies[static_cast<std::size_t>(b)];
             const int elements =
                 static_cast<int>(info.mesh.elements.size()) / element_info(info.kind).nodes;
             if (element < 0 || element >= elements)
               throw InputError("body '" + body + "' has elements 0 to " + std::to_string(elements - 1) + ", not " +
                                std::to_string(element));
             return stress_dict(stress_at(s.system, s.state, b, {element, xi}));
           },
           py::arg("body"), py::arg("element"), py::arg("xi"), q, v)
      .def("nodal_von_mises",
           [](PySystem& s, const std::string& body, const py::object& q_) {
             s.set_state(q_, py::none());
             return flat(nodal_von_mises(s.system, s.state, s.body(body)));
           },
           py::arg("body"), q)
      .def("max_von_mises",
           [](PySystem& s, const std::string& body, const py::object& q_) {
             s.set_state(q_, py::none());
             return max_von_mises(s.system, s.state, s.body(body));
           },
           py::arg("body"), q)
      .def("strain_energy",
           [](PySystem& s, const py::object& q_) {
             s.set_state(q_, py::none());
             return strain_energy(s.system, s.state);
           },
           q)
      .def("kinetic_energy",
           [](PySystem& s, const py::object& v_) {
             s.set_state(py::none(), v_);
             return kinetic_energy(s.system, s.state);
           },
           py::arg("v"))
      .def("total_mass", [](const PySystem& s) { return total_mass(s.system); })
      .def("unknown_name",
           [](const PySystem& s, int i) {
             if (i < 0 || i >= s.system.size)
               throw InputError("unknowns are numbered 0 to " + std::to_string(s.system.size - 1) + ", not " +
                                std::to_string(i));
             return s.system.unknown_name(i);
           },
           py::arg("i"));
  m.def("shape_functions", shapes, py::arg("element"), py::arg("points"));
}

}  // namespace lithe::python

// The compiled System for studies: coordinates, forces, tangents and stresses as numpy arrays.
#include "lithe/system/system.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <memory>
#include <mutex>

#include "lithe/elements/continuum.h"
#include "lithe/model/contacts.h"
#include "lithe/system/outputs.h"
#include "objects.h"

namespace lithe::python {

namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A System with room to evaluate it: each call takes a workspace and a state of its own, so that threads of Python may
// share the object.
struct PySystem {
  struct Room {
    Workspace work;
    State state;
  };
  // Given back at the end of a call.
  class Lease {
   public:
    explicit Lease(const PySystem& owner) : owner_(owner), room_(owner.take()) {}
    ~Lease() {
      const std::lock_guard lock(owner_.guard_);
      owner_.free_.push_back(std::move(room_));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Room* operator->() const { return room_.get(); }
    Room& operator*() const { return *room_; }

   private:
    const PySystem& owner_;
    std::unique_ptr<Room> room_;
  };

  System system;
  int threads = 0;
  PySystem(const Model& model, int thread_count) : system(compile(model)), threads(thread_count) {}

  // Numbers of all coordinates, flat or [vector][3]; None: `otherwise`.
  std::vector<double> numbers(const py::object& given, const char* name, const std::vector<double>& otherwise) const {
    if (given.is_none()) return otherwise;
    const Array array = given.cast<Array>();
    if (static_cast<std::size_t>(array.size()) != system.q0.size())
      throw InputError(std::string(name) + " has " + std::to_string(array.size()) + " numbers, but the system has " +
                       std::to_string(system.q0.size()) + " coordinates");
    return {array.data(), array.data() + array.size()};
  }
  std::vector<double> rest() const { return std::vector<double>(system.q0.size(), 0.0); }
  // A room at this state; q=None is the reference configuration, v=None is rest.
  std::unique_ptr<Lease> at(const py::object& q, const py::object& v, double t = 0, double load_factor = 1) const {
    std::vector<double> positions = numbers(q, "q", system.q0), rates = numbers(v, "v", rest());
    auto lease = std::make_unique<Lease>(*this);
    State& state = (*lease)->state;
    state.q = std::move(positions);
    state.v = std::move(rates);
    state.t = t;
    state.load_factor = load_factor;
    return lease;
  }
  int body(const std::string& name) const {
    std::vector<std::string> known;
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
      if (system.bodies[b].name == name) return static_cast<int>(b);
      known.push_back(system.bodies[b].name);
    }
    throw InputError("there is no body '" + name + "'" + suggestion(name, known));
  }

 private:
  std::unique_ptr<Room> take() const {
    const std::lock_guard lock(guard_);
    if (free_.empty()) return std::make_unique<Room>(Room{Workspace(system, threads), system.initial_state()});
    std::unique_ptr<Room> room = std::move(free_.back());
    free_.pop_back();
    return room;
  }
  mutable std::mutex guard_;
  mutable std::vector<std::unique_ptr<Room>> free_;
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

// Values of the shape functions at points [n][3]: [n][N]; gradients of a node are multiplied by half the element's
// size.
py::array_t<double> shapes(const std::string& element, const Array& points) {
  if (points.ndim() != 2 || points.shape(1) != 3) throw InputError("points must have the shape [n][3]");
  ElementKind kind{};
  Reading reading;
  read_value(to_value(py::str(element), "element"), kind, Field{}, reading);
  const py::ssize_t n = points.shape(0), N = vector_count(kind);
  py::array_t<double> values({n, N});
  for (py::ssize_t p = 0; p < n; ++p) shape_functions(kind, points.data(p, 0), values.mutable_data(p, 0));
  return values;
}

// What presses, and its friction, follow from a step and what it remembers, not from coordinates alone.
void refuse_contact_forces(const System& system) {
  if (const std::string* name = first_contact(system.model, ContactLaw::penalty))
    throw InputError("contact '" + *name +
                     "' is penalty, and its forces, which belong to steps and what they remember, are not known here; "
                     "take the model without its contacts, or the contacts of a result");
}

}  // namespace

void bind_system(py::module_& m) {
  py::class_<PySystem> c(m, "System",
                         "A compiled model; threads may share it. Arrays over all coordinates have the shape "
                         "[vectors][3]; q=None is the reference configuration, v=None is rest.");
  c.attr("__module__") = "lithe";
  const auto q = py::arg("q") = py::none(), v = py::arg("v") = py::none();
  c.def(py::init([](const py::object& model, const py::object& threads) {
          Reading reading;
          const Model checked = to_model(model, reading);
          const int count = read_threads(threads);
          auto system = [&] {
            const py::gil_scoped_release unlocked;
            return std::make_unique<PySystem>(checked, count);
          }();
          reading.warnings.insert(reading.warnings.end(), system->system.warnings.begin(),
                                  system->system.warnings.end());
          warn(reading.warnings);
          return system;
        }),
        py::arg("model"), py::arg("threads") = 0)
      // Compiled again where it is read: cheaper to carry than everything that compile() made.
      .def("__reduce__",
           [](const py::object& self) {
             const PySystem& s = self.cast<const PySystem&>();
             return py::make_tuple(py::type::of(self), py::make_tuple(to_python(s.system.model), s.threads));
           })
      .def("__repr__",
           [](const PySystem& s) {
             return "<System of '" + s.system.model.name + "': " + std::to_string(s.system.bodies.size()) +
                    " bodies, " + std::to_string(s.system.map.size) + " unknowns>";
           })
      .def_property_readonly(
          "size", [](const PySystem& s) { return s.system.map.size; }, "number of unknowns")
      .def_property_readonly("vectors", [](const PySystem& s) { return s.system.vectors(); })
      .def_property_readonly(
          "symmetric", [](const PySystem& s) { return s.system.symmetric; },
          "tangents are symmetric: their upper triangle is stored")
      .def_property_readonly("warnings", [](const PySystem& s) { return s.system.warnings; })
      .def_property_readonly("length_scale", [](const PySystem& s) { return s.system.length_scale; })
      .def_property_readonly("bodies",
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
      .def(
          "vector_range",
          [](const PySystem& s, const std::string& name) {
            const BodyInfo& body = s.system.bodies[static_cast<std::size_t>(s.body(name))];
            return py::make_tuple(body.first_vector, body.first_vector + body.mesh.node_count() * body.node_vectors);
          },
          py::arg("body"), "first and one past the last coordinate vector of a body")
      .def(
          "internal_force",
          [](const PySystem& s, const py::object& q_, const py::object& v_) {
            refuse_contact_forces(s.system);
            const auto room = s.at(q_, v_);
            PySystem::Room& r = **room;
            {
              const py::gil_scoped_release unlocked;
              evaluate_internal(s.system, r.state, r.work);
            }
            return vectors_array(r.work.internal);
          },
          q, v, "of elements, springs and dampers; models with penalty contacts are refused, others have none in it")
      .def(
          "external_force",
          [](const PySystem& s, const py::object& q_, double t, double load_factor) {
            const auto room = s.at(q_, py::none(), t, load_factor);
            PySystem::Room& r = **room;
            {
              const py::gil_scoped_release unlocked;
              evaluate_external(s.system, r.state, r.work);
            }
            return vectors_array(r.work.external);
          },
          q, py::arg("t") = 0.0, py::arg("load_factor") = 1.0)
      .def(
          "tangent",
          [](const py::object& self, const py::object& q_, const py::object& v_, double c_q, double c_v) {
            const PySystem& s = self.cast<const PySystem&>();
            refuse_contact_forces(s.system);
            if (!s.system.map.bodies.empty())
              throw InputError(
                  "the matrix of a model with co-rotated, reduced or rigid bodies is not assembled: their "
                  "blocks turn with them; set 'kinematics: TL', or ask the model for its modes");
            const auto room = s.at(q_, v_);
            PySystem::Room& r = **room;
            std::vector<double> values;
            {
              const py::gil_scoped_release unlocked;
              evaluate_internal(s.system, r.state, r.work);
              evaluate_tangent(s.system, r.state, c_q, c_v, r.work, values);
            }
            const SparsePattern& pattern = s.system.pattern;
            return py::make_tuple(
                flat(values), view(pattern.row, {static_cast<py::ssize_t>(pattern.row.size())}, self),
                view(pattern.column_start, {static_cast<py::ssize_t>(pattern.column_start.size())}, self));
          },
          q, v, py::arg("c_q") = 1.0, py::arg("c_v") = 0.0,
          "(data, indices, indptr) of compressed columns over the unknowns; the upper triangle where symmetric; of "
          "internal_force(), so models with penalty contacts are refused")
      .def(
          "restrict",
          [](const PySystem& s, const py::object& full) {
            std::vector<double> to;
            s.system.map.restrict(s.system.initial_state().slots, s.numbers(full, "force", s.rest()), to);
            return flat(to);
          },
          py::arg("force"), "the part of a force over all coordinates that acts on the unknowns")
      .def(
          "prolong",
          [](const PySystem& s, const Array& dz) {
            if (dz.size() != s.system.map.size)
              throw InputError("dz has " + std::to_string(dz.size()) + " numbers, but the system has " +
                               std::to_string(s.system.map.size) + " unknowns");
            std::vector<double> full(s.system.q0.size(), 0.0);
            s.system.map.prolong(s.system.initial_state().slots, {dz.data(), dz.data() + dz.size()}, 1.0, full);
            return vectors_array(full);
          },
          py::arg("dz"), "change of all coordinates by a change of the unknowns")
      .def(
          "stress_at",
          [](const PySystem& s, const std::string& body, int element, const Triple& xi, const py::object& q_,
             const py::object& v_) {
            const auto room = s.at(q_, v_);
            const int b = s.body(body);
            const BodyInfo& info = s.system.bodies[static_cast<std::size_t>(b)];
            const int elements = info.elements();
            if (element < 0 || element >= elements)
              throw InputError("body '" + body + "' has elements 0 to " + std::to_string(elements - 1) + ", not " +
                               std::to_string(element));
            return stress_dict(stress_at(s.system, (*room)->state, b, {element, xi}));
          },
          py::arg("body"), py::arg("element"), py::arg("xi"), q, v)
      .def(
          "nodal_von_mises",
          [](const PySystem& s, const std::string& body, const py::object& q_) {
            const auto room = s.at(q_, py::none());
            return flat(nodal_von_mises(s.system, (*room)->state, s.body(body)));
          },
          py::arg("body"), q)
      .def(
          "max_von_mises",
          [](const PySystem& s, const std::string& body, const py::object& q_, int samples) {
            const auto room = s.at(q_, py::none());
            const int b = s.body(body);
            const py::gil_scoped_release unlocked;
            return max_von_mises(s.system, (*room)->state, b, samples);
          },
          py::arg("body"), q, py::arg("samples") = 5)
      .def(
          "strain_energy",
          [](const PySystem& s, const py::object& q_) {
            return strain_energy(s.system, (*s.at(q_, py::none()))->state);
          },
          q)
      .def(
          "kinetic_energy",
          [](const PySystem& s, const py::object& v_) {
            return kinetic_energy(s.system, (*s.at(py::none(), v_))->state);
          },
          py::arg("v"))
      .def("total_mass", [](const PySystem& s) { return total_mass(s.system); })
      .def(
          "unknown_name",
          [](const PySystem& s, int i) {
            if (i < 0 || i >= s.system.map.size)
              throw InputError("unknowns are numbered 0 to " + std::to_string(s.system.map.size - 1) + ", not " +
                               std::to_string(i));
            return s.system.unknown_name(i);
          },
          py::arg("i"));
  refuse_unfinished<PySystem>();
  m.def("shape_functions", shapes, py::arg("element"), py::arg("points"));
}

}  // namespace lithe::python

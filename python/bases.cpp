// Reduced bases: what `lithe reduce` makes.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "lithe/io/make_base.h"
#include "lithe/reduction/base_file.h"
#include "objects.h"

namespace lithe::python {

namespace {

py::dict parts(const Base& base) {
  const auto modes = static_cast<py::ssize_t>(base.count()), numbers = static_cast<py::ssize_t>(base.mesh.size());
  py::dict dict;
  dict["kind"] = base.kind;
  dict["method"] = base.method;
  dict["source"] = base.source;
  dict["mesh"] = py::array_t<double>({numbers / 3, py::ssize_t{3}}, base.mesh.data());
  dict["vectors"] = py::array_t<double>({modes, numbers / 3, py::ssize_t{3}}, base.vectors.data());
  dict["values"] = py::array_t<double>(static_cast<py::ssize_t>(base.values.size()), base.values.data());
  return dict;
}

// make() without Python's lock, written to `output`.
template <class Make>
py::dict made(const std::string& output, Make make) {
  const Base base = [&] {
    const py::gil_scoped_release unlocked;
    Base fresh = make();
    write_base(output, fresh);
    return fresh;
  }();
  return parts(base);
}

Model read(const py::object& object) {
  Reading reading;
  const Model model = to_model(object, reading);
  warn(reading.warnings);
  return model;
}

py::dict reduce_pod(const py::bytes& result, const std::string& body, int count, const py::bytes& output) {
  return made(output, [&, file = std::string(result)] { return pod_base(file, body, count, "lithe.reduce_pod"); });
}

py::dict reduce_modal(const py::object& model, const std::string& body, const std::string& modes,
                      const py::bytes& output) {
  return made(output, [&, whole = read(model)] {
    return modal_base(whole, body, read_mode_numbers(modes), "Model.reduce_modal, modes " + modes);
  });
}

py::dict reduce_craig_bampton(const py::object& model, const std::string& body,
                              const std::vector<std::string>& interfaces, int count, const py::bytes& output) {
  return made(output, [&, whole = read(model)] {
    return craig_bampton_base(whole, body, interfaces, count, "Model.reduce_craig_bampton");
  });
}

}  // namespace

void bind_bases(py::module_& m) {
  m.def("reduce_pod", reduce_pod, py::arg("result"), py::arg("body"), py::arg("count"), py::arg("output"));
  m.def("reduce_modal", reduce_modal, py::arg("model"), py::arg("body"), py::arg("modes"), py::arg("output"));
  m.def("reduce_craig_bampton", reduce_craig_bampton, py::arg("model"), py::arg("body"), py::arg("interfaces"),
        py::arg("count"), py::arg("output"));
}

}  // namespace lithe::python

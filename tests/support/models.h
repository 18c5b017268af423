// Small models shared by tests: one of every element kind, ready to be loaded.
#pragma once

#include "lithe/base/error.h"
#include "lithe/system/system.h"

namespace lithe::test {

inline At at(const std::string& body, const std::string& name) {
  At a;
  a.body = body;
  a.name = name;
  return a;
}
inline At at_node(const std::string& body, int node) {
  At a;
  a.body = body;
  a.node = node;
  return a;
}
inline Signals constant(double x, double y, double z) { return {Signal(x), Signal(y), Signal(z)}; }

// A strip 0.5 x 0.02 x 0.004 m along x, six elements, named "strip"; end sets and points differ by kind.
struct Strip {
  Model model;
  std::string start, end, end_point;
  double length = 0.5, width = 0.02, thickness = 0.004, density = 2700;
};

inline Strip make_strip(ElementKind kind, double damping = 0, int elements = 6) {
  Strip s;
  s.model.name = element_info(kind).name;
  s.model.materials.add("metal", Isotropic{70e9, 0.3, s.density, damping});
  Body body;
  body.element = kind;
  body.material = "metal";
  body.section = "section";
  if (kind == ElementKind::cable) {
    s.model.sections.add("section", Bar{s.width * s.thickness, 1e-9});
    body.mesh = LineMesh{{0, 0, 0}, {s.length, 0, 0}, elements, {}};
  } else if (kind == ElementKind::beam3243) {
    s.model.sections.add("section", Rectangle{s.width, s.thickness, {}});
    body.mesh = LineMesh{{0, 0, 0}, {s.length, 0, 0}, elements, {}};
  } else if (kind == ElementKind::shell3443) {
    s.model.sections.add("section", Plate{s.thickness});
    body.mesh = PlateMesh{{0, -s.width / 2, 0}, {s.length, 0, 0}, {0, s.width, 0}, {elements, 1}};
  } else if (kind->dimension == 3) {
    body.section.clear();
    body.mesh = BlockMesh{
        {0, -s.width / 2, -s.thickness / 2}, {s.length, 0, 0}, {0, s.width, 0}, {0, 0, s.thickness}, {elements, 1, 1}};
  } else {
    throw InvariantError("a strip is flexible");
  }
  const bool line = element_info(kind).dimension == 1;
  s.start = line ? "start" : "x_min";
  s.end = line ? "end" : "x_max";
  s.end_point = line ? "end" : "x_max_middle";
  s.model.bodies.add("strip", body);
  return s;
}

}  // namespace lithe::test

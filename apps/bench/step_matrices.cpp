#include "step_matrices.h"

#include "lithe/system/system.h"

namespace lithe::app {

namespace {

// c_a = 1 / (beta h^2), the trapezoidal rule's.
StepMatrix step_matrix(const std::string& family, const Model& model, double h) {
  System system = compile(model);
  Workspace work(system, 1);
  const State state = system.initial_state();
  StepMatrix matrix{family, MatrixKind::positive_definite, 0, {}, {}};
  evaluate_tangent(system, state, 1, 0, work, matrix.values, 4 / (h * h));
  if (system.has_multipliers()) {
    evaluate_constraints(system, state, work);
    double mean = 0;
    for (int j = 0; j < system.map.size; ++j) mean += matrix.values[system.pattern.column_start[j + 1] - 1];
    set_borders(system, work, mean / system.map.size, matrix.values);
    matrix.kind = MatrixKind::symmetric_indefinite;
    matrix.multipliers = system.row_count();
  }
  matrix.pattern = std::move(system.pattern);
  return matrix;
}

Model model_of(ElementKind kind, const MeshSource& mesh) {
  Model model;
  model.materials.add("metal", Isotropic{2e7, 0.3, 7200, 0});
  model.sections.add("section", kind == ElementKind::cable ? Section(Circle{0.02}) : Section(Plate{0.01}));
  Body body;
  body.element = kind;
  body.material = "metal";
  if (kind->dimension < 3) body.section = "section";
  body.mesh = mesh;
  model.bodies.add("body", body);
  return model;
}

}  // namespace

StepMatrix net_matrix(int cells, bool joined) {
  Model model = model_of(ElementKind::cable, NetMesh{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {cells, cells}, 1});
  if (joined) {
    std::get<Body>(model.bodies.items[0].second).connect = Connect::constraints;
    model.treatment = Treatment::lagrange;
  }
  return step_matrix(joined ? "net, constraints" : "net", model, 1e-3);
}
StepMatrix plate_matrix(int side) {
  const double length = 0.05 * side;
  return step_matrix(
      "plate", model_of(ElementKind::shell3443, PlateMesh{{0, 0, 0}, {length, 0, 0}, {0, length, 0}, {side, side}}),
      1e-3);
}
StepMatrix block_matrix(int side) {
  const double length = 0.05 * side;
  return step_matrix("block",
                     model_of(ElementKind::hex8,
                              BlockMesh{{0, 0, 0}, {length, 0, 0}, {0, length, 0}, {0, 0, length}, {side, side, side}}),
                     1e-3);
}

}  // namespace lithe::app

#include "lithe/dynamics/norm_weights.h"

namespace lithe {

NormWeights::NormWeights(const System& system)
    : force(system.map.size),
      correction(system.map.size, 1.0),
      coordinate_force(system.q0.size(), 1 / system.length_scale),
      coordinate_correction(system.q0.size(), 1.0) {
  const auto is_length = [&](int v) {
    const VectorUnknowns& u = system.map.unknowns[v];
    for (int k = 0; k < u.count; ++k) correction[u.first + k] = 1 / system.length_scale;
    for (int k = 0; k < 3; ++k) {
      coordinate_force[3ul * v + k] = 1;
      coordinate_correction[3ul * v + k] = 1 / system.length_scale;
    }
  };
  for (const BodyInfo& body : system.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node) is_length(body.vector(node, 0));
  for (const Slider& slider : system.sliders) is_length(slider.vector);
  for (int i = 0; i < system.map.size; ++i) force[i] = coordinate_force[3ul * system.map.owner[i]];
}

std::vector<double> squares(std::vector<double> weights) {
  for (double& w : weights) w *= w;
  return weights;
}

}  // namespace lithe

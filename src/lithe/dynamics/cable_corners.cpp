#include "lithe/dynamics/cable_corners.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/elements/cable/cable_kernel.h"
#include "lithe/system/reactions.h"
#include "lithe/system/slide_along.h"

namespace lithe {

namespace {

constexpr double noticed = 0.1;  // rad, the least corner that is worth a word
constexpr double spare = 1.25;   // long elements cut the corner and show too small a tension

// Mean over an element of EA times the axial strain.
double tension(const CableBatch& cable, const Track& track, int element, const std::vector<double>& q) {
  double sum = 0, length = 0;
  for (const CablePoint& p : cable_points(cable.axial_points, track.length)) {
    Vec3<double> u{};
    for (int k = 0; k < 4; ++k)
      for (int m = 0; m < 3; ++m) u[m] += p.S1[k] * q[3ul * track.vector[4ul * element + k] + m];
    sum += p.weight * 0.5 * cable.EA * (dot(u, u) - 1);
    length += p.weight;
  }
  return sum / length;
}

}  // namespace

std::vector<std::string> coarse_corners(const System& system, const State& state) {
  std::vector<std::string> told;
  for (const Slider& slider : system.sliders) {
    const auto& [name, any] = system.model.joints.items[slider.joint];
    const BodyInfo& line = system.bodies[system.model.bodies.position(std::get<SlideAlong>(any).line)];
    if (line.kind->volume) continue;  // a beam, thick enough to show its own corners
    const Track& track = *slider.track;
    const CableBatch& cable = system.batches[line.batch].cable;
    const double s = state.q[3ul * slider.vector];
    const int element = std::clamp(static_cast<int>(s / track.length), 0, track.elements() - 1);
    double T = 0;
    for (int e = std::max(0, element - 1); e <= std::min(element + 1, track.elements() - 1); ++e)
      T = std::max(T, tension(cable, track, e, state.q));
    if (!(T > 0) || !(cable.EI > 0)) continue;
    const double bend = std::sqrt(cable.EI / T);
    const double corner = norm(joint_reaction(system, state, slider.joint, {}).force) / T;
    if (track.length <= bend || corner < noticed) continue;
    told.push_back(fmt::format(
        "joint '{}' bends cable '{}' in a corner that its stiffness rounds over sqrt(EI/T) = {:.2g} m (tension {:.3g} "
        "N), and elements of {:.2g} m are longer: where it comes to rest depends on the mesh; {:.0f} elements would do",
        name, line.name, bend, T, track.length, std::ceil(spare * track.total() / bend)));
  }
  return told;
}

}  // namespace lithe

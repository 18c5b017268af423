#include "lithe/contact/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/contact/strides.h"

namespace lithe {
namespace {

constexpr int most_pieces = 64;

PartBox nothing() {
  constexpr double far = std::numeric_limits<double>::infinity();
  return {{far, far, far}, {-far, -far, -far}, 0, -2};
}

void take_in(PartBox& box, const Vec3<double>& x) {
  for (int k = 0; k < 3; ++k) box.low[k] = std::min(box.low[k], x[k]), box.high[k] = std::max(box.high[k], x[k]);
}

void take_in(PartBox& box, const PartBox& other) {
  for (int k = 0; k < 3; ++k) {
    box.low[k] = std::min(box.low[k], other.low[k]);
    box.high[k] = std::max(box.high[k], other.high[k]);
  }
  box.group = box.group == -2 || box.group == other.group ? other.group : -1;
}

// Bits of x with two zeros between each, of the lower 21.
std::uint64_t spread(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

// Its middle in the box of the scene, in 2^21 steps along each axis.
std::uint64_t code_of(const PartBox& box, const PartBox& scene) {
  constexpr double steps = 1 << 21;
  std::uint64_t code = 0;
  for (int k = 0; k < 3; ++k) {
    const double size = scene.high[k] - scene.low[k];
    const double at = size > 0 ? (0.5 * (box.low[k] + box.high[k]) - scene.low[k]) / size : 0;
    const double step = std::clamp(at * steps, 0., steps - 1);
    code |= spread(static_cast<std::uint64_t>(step)) << k;
  }
  return code;
}

int corners_of(const SurfaceTopology& topology, const ScenePart& part, int (&corner)[3]) {
  switch (part.kind) {
    case FeatureKind::corner:
      corner[0] = part.index;
      return 1;
    case FeatureKind::edge:
      for (int i = 0; i < 2; ++i) corner[i] = topology.edge[part.index].corner[i];
      return 2;
    default:
      for (int i = 0; i < 3; ++i) corner[i] = topology.triangle[part.index][i];
      return 3;
  }
}

}  // namespace

BroadPhase::BroadPhase(const SurfaceTopology& topology) : topology_(topology) {
  const std::size_t parts = topology.part.size();
  box_.resize(parts);
  code_.resize(parts);
  swapped_code_.resize(parts);
  order_.resize(parts);
  swapped_order_.resize(parts);
  level_.emplace_back(parts);
  while (level_.size() < 2 || level_.back().size() > 1) level_.emplace_back((level_.back().size() + fan - 1) / fan);
  chunks_ = static_cast<int>(std::min<std::size_t>(most_pieces, level_[1].size()));
}

void BroadPhase::update(const ContactScene& scene, Team& team, bool inward) {
  inward_ = inward && !scene.depth.empty();
  if (box_.empty()) return;
  take_boxes(scene, team);
  sort(team);
  make_levels(team);
}

PartBox BroadPhase::box_of(const ContactScene& scene, const ScenePart& part) const {
  PartBox box = nothing();
  int corner[3];
  const int count = corners_of(topology_, part, corner);
  double furthest = 0, came = 0;
  for (int i = 0; i < count; ++i) {
    const int c = corner[i];
    take_in(box, scene.corner[c]);
    if (!scene.move.empty()) furthest = std::max(furthest, dot(scene.move[c], scene.move[c]));
    if (scene.before.empty()) continue;
    take_in(box, scene.before[c]);
    const Vec3<double> d = scene.corner[c] - scene.before[c];
    came = std::max(came, dot(d, d));
  }
  if (inward_ && part.kind == FeatureKind::triangle && std::isfinite(scene.depth[part.index])) {
    const Vec3<double>& x0 = scene.corner[corner[0]];
    const Vec3<double> n = cross(scene.corner[corner[1]] - x0, scene.corner[corner[2]] - x0);
    const double area = norm(n);
    for (int i = 0; i < count && area > 0; ++i)
      take_in(box, scene.corner[corner[i]] - (scene.depth[part.index] / area) * n);
  }
  const SceneSurface& surface = topology_.surface[part.surface];
  const double around = std::abs(surface.radius) + std::sqrt(furthest) + 0.5 * scene.margin;
  for (int k = 0; k < 3; ++k) box.low[k] -= around, box.high[k] += around;
  box.reach = around + std::sqrt(came);
  box.group = surface.touches_itself ? -1 : surface.group;
  return box;
}

void BroadPhase::take_boxes(const ContactScene& scene, Team& team) {
  in_strides(team, box_.size(), [&](int p) { box_[p] = box_of(scene, topology_.part[p]); });
}

// By digits of 11 bits, the lowest first: equal codes keep the order of their parts.
void BroadPhase::sort(Team& team) {
  PartBox scene = nothing();
  for (const PartBox& box : box_) take_in(scene, box);
  in_strides(team, box_.size(), [&](int p) { code_[p] = code_of(box_[p], scene), order_[p] = p; });
  constexpr int bits = 11, digits = 1 << bits;
  for (int shift = 0; shift < 63; shift += bits) {
    std::array<std::int32_t, digits + 1> start{};
    for (const std::uint64_t code : code_) ++start[(code >> shift & (digits - 1)) + 1];
    for (int d = 0; d < digits; ++d) start[d + 1] += start[d];
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const int at = start[code_[i] >> shift & (digits - 1)]++;
      swapped_code_[at] = code_[i];
      swapped_order_[at] = order_[i];
    }
    code_.swap(swapped_code_);
    order_.swap(swapped_order_);
  }
}

void BroadPhase::make_levels(Team& team) {
  in_strides(team, order_.size(), [&](int i) { level_[0][i] = box_[order_[i]]; });
  for (std::size_t l = 1; l < level_.size(); ++l) {
    const auto& below = level_[l - 1];
    in_strides(team, level_[l].size(), [&](int node) {
      PartBox box = nothing();
      const std::size_t last = std::min(below.size(), (node + 1ul) * fan);
      for (std::size_t i = 1ul * node * fan; i < last; ++i) take_in(box, below[i]);
      level_[l][node] = box;
    });
  }
}

}  // namespace lithe

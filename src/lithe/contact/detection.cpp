#include "lithe/contact/detection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "lithe/base/error.h"

namespace lithe {

ContactDetection::ContactDetection(const ContactScene& topology, PairRule rule, Team* team)
    : team_(team),
      topology_(topology),
      rule_(std::move(rule)),
      cones_(topology_),
      broad_phase_(topology_),
      narrow_phase_(topology_, cones_, broad_phase_),
      manifold_(topology_),
      element_pairs_(topology, topology_, cones_),
      found_(std::max(1, broad_phase_.chunks())) {}

const std::vector<ContactPoint>& ContactDetection::detect(const ContactScene& scene, Activation activation) {
  LITHE_INVARIANT(scene.corner.size() == topology_.rest.size());
  points_.clear();
  if (!any_near(scene)) return points_;
  cones_.update(scene, *team_);
  broad_phase_.update(scene, *team_);
  narrow_phase_.look_at(scene, activation);
  const bool by_elements = activation == Activation::touching;
  element_pairs_.begin(scene, broad_phase_.chunks());
  team_->run(broad_phase_.chunks(), [&](int chunk, int) {
    auto& found = found_[chunk];
    found.clear();
    broad_phase_.pairs(chunk, [&](int part, int other, double far, bool) {
      const ScenePart &a = topology_.part[part], &b = topology_.part[other];
      if (!may_touch(a.surface, b.surface)) return;
      if (by_elements && a.kind == FeatureKind::triangle && b.kind == FeatureKind::triangle)
        element_pairs_.meet(chunk, part, other);
      else narrow_phase_.meet(part, other, far, found);
    });
    meet_planes(scene, chunk);
  });
  manifold_.gather(found_, *team_, points_);
  if (by_elements) {
    element_pairs_.gather(points_);
    std::ranges::sort(points_, {}, [](const ContactPoint& p) {
      return std::tuple(p.a.surface, p.b.surface, p.a.feature, p.b.feature);
    });
  }
  return points_;
}

// Boxes of whole surfaces first, along x: most steps of a body on its own end here.
bool ContactDetection::any_near(const ContactScene& scene) {
  near_.clear();
  for (std::size_t s = 0; s < topology_.surface.size(); ++s) {
    const SceneSurface& of = topology_.surface[s];
    if (of.is_plane || of.touches_itself) return true;
    constexpr double far = std::numeric_limits<double>::infinity();
    SurfaceBox box{{far, far, far}, {-far, -far, -far}, static_cast<std::int32_t>(s)};
    double furthest = 0;
    for (int c = of.first_corner; c < of.first_corner + of.corners; ++c) {
      if (!scene.move.empty()) furthest = std::max(furthest, dot(scene.move[c], scene.move[c]));
      for (int k = 0; k < 3; ++k) {
        const double x = scene.corner[c][k], before = scene.before.empty() ? x : scene.before[c][k];
        box.low[k] = std::min({box.low[k], x, before});
        box.high[k] = std::max({box.high[k], x, before});
      }
    }
    const double around = of.radius + std::sqrt(furthest);
    for (int k = 0; k < 3; ++k) box.low[k] -= around, box.high[k] += around;
    near_.push_back(box);
  }
  std::ranges::sort(near_, {}, [](const SurfaceBox& box) { return std::pair(box.low[0], box.surface); });
  for (std::size_t i = 0; i < near_.size(); ++i)
    for (std::size_t j = i + 1; j < near_.size() && near_[j].low[0] <= near_[i].high[0]; ++j) {
      const SurfaceBox &a = near_[i], &b = near_[j];
      if (a.low[1] <= b.high[1] && b.low[1] <= a.high[1] && a.low[2] <= b.high[2] && b.low[2] <= a.high[2] &&
          may_touch(a.surface, b.surface))
        return true;
    }
  return false;
}

bool ContactDetection::may_touch(int surface, int other) const {
  const SceneSurface &a = topology_.surface[surface], &b = topology_.surface[other];
  if (surface == other) return a.touches_itself;
  if (a.group == b.group && !a.touches_itself && !b.touches_itself) return false;
  return !rule_ || rule_(a.group, b.group);
}

// Planes are few: all parts look at each.
void ContactDetection::meet_planes(const ContactScene& scene, int chunk) {
  const std::int64_t parts = static_cast<std::int64_t>(topology_.part.size());
  const int first = static_cast<int>(chunk * parts / broad_phase_.chunks());
  const int last = static_cast<int>((chunk + 1) * parts / broad_phase_.chunks());
  for (const int plane : topology_.plane) {
    const std::int32_t t = topology_.surface[plane].first_triangle;
    const Vec3<double>& n = cones_.normal(t);
    double reach = topology_.surface[plane].radius;
    if (!scene.move.empty())
      for (const int c : topology_.triangle[t])
        reach = std::max(reach, topology_.surface[plane].radius + norm(scene.move[c]));
    const Vec3<double>& on = scene.corner[topology_.triangle[t][0]];
    for (int p = first; p < last; ++p) {
      const PartBox& box = broad_phase_.box(p);
      double height = 0;
      for (int k = 0; k < 3; ++k) height += n[k] * ((n[k] > 0 ? box.low[k] : box.high[k]) - on[k]);
      if (height <= reach && may_touch(plane, topology_.part[p].surface))
        narrow_phase_.meet_plane(plane, p, found_[chunk]);
    }
  }
}

}  // namespace lithe

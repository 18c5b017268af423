#include "lithe/contact/detection.h"

#include <algorithm>

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
      found_(std::max(1, broad_phase_.chunks())) {}

const std::vector<ContactPoint>& ContactDetection::detect(const ContactScene& scene, Activation activation) {
  LITHE_INVARIANT(scene.corner.size() == topology_.rest.size());
  cones_.update(scene, *team_);
  broad_phase_.update(scene, *team_);
  narrow_phase_.look_at(scene, activation);
  team_->run(broad_phase_.chunks(), [&](int chunk, int) {
    auto& found = found_[chunk];
    found.clear();
    broad_phase_.pairs(chunk, [&](int part, int other, double far, bool) {
      if (may_touch(topology_.part[part].surface, topology_.part[other].surface))
        narrow_phase_.meet(part, other, far, found);
    });
    meet_planes(scene, chunk);
  });
  manifold_.gather(found_, *team_, points_);
  return points_;
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
    double reach = topology_.surface[plane].radius + scene.margin;
    if (!scene.move.empty())
      for (const int c : topology_.triangle[t])
        reach = std::max(reach, topology_.surface[plane].radius + scene.margin + norm(scene.move[c]));
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

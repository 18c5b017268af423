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
      found_(std::max(1, broad_phase_.chunks())),
      room_(found_.size()),
      first_part_(topology_.surface.size() + 1) {
  for (const ScenePart& part : topology_.part) ++first_part_[part.surface + 1];
  for (std::size_t s = 1; s < first_part_.size(); ++s) first_part_[s] += first_part_[s - 1];
}

const std::vector<ContactPoint>& ContactDetection::detect(const ContactScene& scene, Activation activation,
                                                          PointsOf points_of) {
  LITHE_INVARIANT(scene.corner.size() == topology_.rest.size());
  points_.clear();
  const bool by_surface = find_near(scene);
  if (by_surface && near_pairs_.empty()) return points_;
  cones_.update(scene, *team_);
  const bool by_elements = points_of == PointsOf::elements;
  broad_phase_.update(scene, *team_, by_elements);
  narrow_phase_.look_at(scene, activation);
  element_pairs_.begin(scene, broad_phase_.chunks());
  const int chunks = broad_phase_.chunks();
  team_->run(chunks, [&](int chunk, int) {
    auto& found = found_[chunk];
    found.clear();
    const auto meet = [&](int part, int other, double far) {
      const ScenePart &a = topology_.part[part], &b = topology_.part[other];
      if (by_elements && a.kind == FeatureKind::triangle && b.kind == FeatureKind::triangle)
        element_pairs_.meet(chunk, part, other);
      else narrow_phase_.meet(part, other, far, found);
    };
    if (by_surface) {
      const auto pairs = static_cast<std::int64_t>(near_pairs_.size());
      for (auto p = chunk * pairs / chunks; p < (chunk + 1) * pairs / chunks; ++p)
        parts_of(near_[near_pairs_[p][0]], near_[near_pairs_[p][1]], room_[chunk], meet);
      return;
    }
    broad_phase_.pairs(chunk, [&](int part, int other, double far, bool) {
      if (may_touch(topology_.part[part].surface, topology_.part[other].surface)) meet(part, other, far);
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

// Boxes of whole surfaces first, along x: most steps of a body on its own end here. Of many surfaces a line has too
// many side by side, and the tree of parts does better.
bool ContactDetection::find_near(const ContactScene& scene) {
  constexpr std::size_t few = 256;
  near_.clear();
  near_pairs_.clear();
  if (topology_.surface.size() > few) return false;
  for (std::size_t s = 0; s < topology_.surface.size(); ++s) {
    const SceneSurface& of = topology_.surface[s];
    if (of.is_plane || of.touches_itself) return false;
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
    const double around = std::abs(of.radius) + std::sqrt(furthest) + 0.5 * scene.margin;
    for (int k = 0; k < 3; ++k) box.low[k] -= around, box.high[k] += around;
    near_.push_back(box);
  }
  std::ranges::sort(near_, {}, [](const SurfaceBox& box) { return std::pair(box.low[0], box.surface); });
  for (std::size_t i = 0; i < near_.size(); ++i)
    for (std::size_t j = i + 1; j < near_.size() && near_[j].low[0] <= near_[i].high[0]; ++j) {
      const SurfaceBox &a = near_[i], &b = near_[j];
      if (a.low[1] <= b.high[1] && b.low[1] <= a.high[1] && a.low[2] <= b.high[2] && b.low[2] <= a.high[2] &&
          may_touch(a.surface, b.surface))
        near_pairs_.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
    }
  return true;
}

// Parts of two surfaces whose boxes overlap: of each those alone that reach into the box of the other.
template <class Meet>
void ContactDetection::parts_of(const SurfaceBox& a, const SurfaceBox& b, std::vector<std::int32_t>& room,
                                Meet&& meet) const {
  const auto reaches = [](const PartBox& part, const SurfaceBox& box) {
    bool all = true;
    for (int k = 0; k < 3; ++k) all = all & (part.low[k] <= box.high[k]) & (box.low[k] <= part.high[k]);
    return all;
  };
  room.clear();
  for (int q = first_part_[b.surface]; q < first_part_[b.surface + 1]; ++q)
    if (reaches(broad_phase_.box(q), a)) room.push_back(q);
  for (int p = first_part_[a.surface]; !room.empty() && p < first_part_[a.surface + 1]; ++p) {
    const PartBox& box = broad_phase_.box(p);
    if (!reaches(box, b)) continue;
    for (const int q : room)
      if (const PartBox& other = broad_phase_.box(q); overlap(box, other)) meet(p, q, box.reach + other.reach);
  }
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

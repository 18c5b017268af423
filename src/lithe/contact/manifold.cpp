#include "lithe/contact/manifold.h"

#include <algorithm>
#include <tuple>

namespace lithe {
namespace {

constexpr int tasks = 64;

// Before the radius.
Vec3<double> point_of(const Candidate& of, bool of_b, const SurfaceTopology& topology) {
  const ContactSide& side = of_b ? of.point.b : of.point.a;
  const double radius = topology.surface[side.surface].radius;
  return side.point + ((of_b ? -1 : 1) * radius) * of.point.normal;
}

// The two candidates of corner and corner, one from each side, stand behind each other.
bool in_order(const Candidate* p, const Candidate* q) {
  const ContactPoint &a = p->point, &b = q->point;
  return std::tie(a.b.surface, a.a.feature, a.b.feature, a.gap, a.normal[0], a.normal[1], a.normal[2]) <
         std::tie(b.b.surface, b.a.feature, b.b.feature, b.gap, b.normal[0], b.normal[1], b.normal[2]);
}

bool same_features(const ContactPoint& a, const ContactPoint& b) {
  return a.a.feature == b.a.feature && a.b.feature == b.b.feature;
}

int task_of(int task, int count) { return static_cast<int>(static_cast<std::int64_t>(task) * count / tasks); }

}  // namespace

Manifold::Manifold(const SurfaceTopology& topology)
    : topology_(topology), first_(topology.surface.size() + 1), points_before_(tasks + 1) {}

void Manifold::gather(const std::vector<std::vector<Candidate>>& found, Team& team, std::vector<ContactPoint>& points) {
  sort_by_surface(found);
  team.run(tasks, [&](int task, int) { thin_surfaces(task); });
  for (int t = 0; t < tasks; ++t) points_before_[t + 1] += points_before_[t];
  points.resize(points_before_[tasks]);
  team.run(tasks, [&](int task, int) {
    const int surfaces = static_cast<int>(first_.size()) - 1;
    int at = points_before_[task];
    for (int i = first_[task_of(task, surfaces)]; i < first_[task_of(task + 1, surfaces)]; ++i)
      if (kept_[i]) points[at++] = order_[i]->point;
  });
}

void Manifold::sort_by_surface(const std::vector<std::vector<Candidate>>& found) {
  std::fill(first_.begin(), first_.end(), 0);
  for (const auto& chunk : found)
    for (const Candidate& one : chunk) ++first_[one.point.a.surface + 1];
  for (std::size_t s = 1; s < first_.size(); ++s) first_[s] += first_[s - 1];
  const std::size_t count = first_.back();
  order_.resize(count);
  along_a_.resize(count);
  along_b_.resize(count);
  kept_.resize(count);
  for (const auto& chunk : found)
    for (const Candidate& one : chunk) order_[first_[one.point.a.surface]++] = &one;
  for (std::size_t s = first_.size() - 1; s > 0; --s) first_[s] = first_[s - 1];
  first_[0] = 0;
}

void Manifold::thin_surfaces(int task) {
  const int surfaces = static_cast<int>(first_.size()) - 1;
  const int begin = first_[task_of(task, surfaces)], end = first_[task_of(task + 1, surfaces)];
  for (int s = task_of(task, surfaces); s < task_of(task + 1, surfaces); ++s)
    std::sort(order_.begin() + first_[s], order_.begin() + first_[s + 1], in_order);
  for (int first = begin; first < end;) {
    int last = first + 1;
    const auto same = [&](const ContactPoint& a, const ContactPoint& b) {
      return a.a.surface == b.a.surface && a.b.surface == b.b.surface;
    };
    while (last < end && same(order_[first]->point, order_[last]->point)) ++last;
    thin(first, last);
    first = last;
  }
  points_before_[task + 1] = static_cast<std::int32_t>(std::count(kept_.begin() + begin, kept_.begin() + end, 1));
}

// The candidates of two surfaces.
void Manifold::thin(int first, int last) {
  bool crossed = false;
  for (int i = first; i < last; ++i) {
    const bool again = i > first && kept_[i - 1] && same_features(order_[i]->point, order_[i - 1]->point);
    kept_[i] = !again;
    const Way way = order_[i]->way;
    crossed = crossed || way == Way::passed || (way == Way::crossed && order_[i]->depth > 0);
  }
  if (last - first == 1 || !crossed) return;
  for (int i = first; i < last; ++i)
    if (kept_[i] && order_[i]->way == Way::crossed && is_beyond(*order_[i], first, last)) kept_[i] = 0;
  for (int i = first; i < last; ++i)
    if (kept_[i] && order_[i]->way == Way::beside_a_face && has_crossing(*order_[i], first, last)) kept_[i] = 0;
  for (const bool of_b : {false, true}) {
    Order& along = of_b ? along_b_ : along_a_;
    std::copy(order_.begin() + first, order_.begin() + last, along.begin() + first);
    std::sort(along.begin() + first, along.begin() + last, [&](const Candidate* p, const Candidate* q) {
      return point_of(*p, of_b, topology_)[0] < point_of(*q, of_b, topology_)[0];
    });
  }
  for (int i = first; i < last; ++i) {
    const Candidate& one = *order_[i];
    if (!kept_[i] || one.way != Way::crossed || !(one.depth > 0)) continue;
    if (has_shorter(one, along_b_, first, last, true) || has_shorter(one, along_a_, first, last, false)) kept_[i] = 0;
  }
}

// Two edges near it went through each other, from the other side.
bool Manifold::is_beyond(const Candidate& deep, int first, int last) const {
  return std::any_of(order_.begin() + first, order_.begin() + last, [&](const Candidate* one) {
    return one->way == Way::passed && dot(one->point.normal, deep.point.normal) < 0 &&
           norm(one->point.a.point - deep.point.a.point) < one->depth + std::abs(deep.depth);
  });
}

// Of an edge of its corner, less deep.
bool Manifold::has_crossing(const Candidate& deep, int first, int last) const {
  constexpr double less = 1 - 1e-6;
  return std::any_of(order_.begin() + first, order_.begin() + last, [&](const Candidate* one) {
    if (one->way != Way::crossed || !(one->depth > 0 && one->depth < less * deep.depth)) return false;
    const auto begins_at = [](const ContactSide& edge, const ContactSide& corner) {
      return corner.corner[1] < 0 && (edge.corner[0] == corner.corner[0] || edge.corner[1] == corner.corner[0]);
    };
    return begins_at(one->point.a, deep.point.a) || begins_at(one->point.b, deep.point.b);
  });
}

// Is there another way out of b (or of a)? Its points are sorted along the first coordinate.
bool Manifold::has_shorter(const Candidate& deep, const Order& along, int first, int last, bool of_b) const {
  constexpr double less = 1 - 1e-6, other_way = 0.5;  // cosine
  const Vec3<double> x = point_of(deep, !of_b, topology_);
  const auto at = [&](const Candidate* one) { return point_of(*one, of_b, topology_)[0]; };
  auto w = std::lower_bound(along.begin() + first, along.begin() + last, x[0] - deep.depth,
                            [&](const Candidate* one, double value) { return at(one) < value; });
  for (; w < along.begin() + last && at(*w) < x[0] + deep.depth; ++w)
    if ((*w)->depth < less * deep.depth && dot((*w)->point.normal, deep.point.normal) < other_way &&
        norm(point_of(**w, of_b, topology_) - x) < less * deep.depth)
      return true;
  return false;
}

}  // namespace lithe

#include "lithe/contact/narrow_phase.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lithe {

// -- Positions and motions

Vec3<double> NarrowPhase::at(const Spot& spot, double instant) const {
  if (spot.weight[0] == 1) return at(spot.corner[0], instant) + spot.rim;
  Vec3<double> x{};
  for (int i = 0; i < 3; ++i)
    if (spot.corner[i] >= 0) x = x + spot.weight[i] * at(spot.corner[i], instant);
  return x;
}

double NarrowPhase::came(const Corners& a, const Corners& b) const {
  double most = 0;
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j) {
      const Vec3<double> d = (scene_->corner[a.corner[i]] - scene_->before[a.corner[i]]) -
                             (scene_->corner[b.corner[j]] - scene_->before[b.corner[j]]);
      most = std::max(most, dot(d, d));
    }
  return std::sqrt(most);
}

double NarrowPhase::reach(const Corners& of) const {
  double most = 0;
  for (int i = 0; i < of.count; ++i) most = std::max(most, dot(scene_->move[of.corner[i]], scene_->move[of.corner[i]]));
  return std::sqrt(most);
}

NarrowPhase::Travel NarrowPhase::travel(int surface, const Corners& a, int other, const Corners& b) const {
  const bool looks_ahead = activation_ == Activation::speculative && !scene_->move.empty();
  return {topology_.surface[surface].radius + topology_.surface[other].radius, scene_->before.empty() ? 0 : came(a, b),
          looks_ahead ? reach(a) + reach(b) + scene_->margin : 0};
}

// -- Spots

NarrowPhase::Spot NarrowPhase::corner_spot(int surface, int corner) const {
  return {surface, {corner, -1, -1}, {1, 0, 0}, topology_.feature(FeatureKind::corner, surface, corner)};
}

// Of what its weights leave of it: the triangle, one of its edges or corners.
NarrowPhase::Spot NarrowPhase::triangle_spot(int surface, int t, const double* weight) const {
  const auto& corner = topology_.triangle[t];
  Spot spot{surface, {-1, -1, -1}, {0, 0, 0}, topology_.feature(FeatureKind::triangle, surface, t)};
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    if (weight[i] == 0) continue;
    spot.corner[count] = corner[i];
    spot.weight[count++] = weight[i];
  }
  if (count == 1) return corner_spot(surface, spot.corner[0]);
  const int e = edge_of(t, weight);
  if (e >= 0) spot.feature = topology_.feature(FeatureKind::edge, surface, e);
  return spot;
}

NarrowPhase::Spot NarrowPhase::segment_spot(const Segment& segment, double t) const {
  if (t == 0 || t == 1) return corner_spot(segment.surface, segment.corner[t == 0 ? 0 : 1]);
  return {segment.surface,
          {segment.corner[0], segment.corner[1], -1},
          {1 - t, t, 0},
          topology_.feature(FeatureKind::edge, segment.surface, segment.edge)};
}

NarrowPhase::Segment NarrowPhase::segment_of(int p) const {
  const ScenePart& part = topology_.part[p];
  if (part.kind == FeatureKind::corner) return {part.surface, p, -1, {part.index, part.index}};
  const SceneEdge& edge = topology_.edge[part.index];
  return {part.surface, p, part.index, {edge.corner[0], edge.corner[1]}};
}

NarrowPhase::Segment NarrowPhase::mesh_edge(int surface, int e) const {
  return {surface, -1, e, {topology_.edge[e].corner[0], topology_.edge[e].corner[1]}};
}

// Whoever meets an end of a rod leaves it to the part that owns it.
bool NarrowPhase::owns(const Segment& segment, double t) const {
  if (t == 0) return topology_.corner_owner[segment.corner[0]] == segment.part;
  if (t == 1) return topology_.corner_owner[segment.corner[1]] == segment.part;
  return true;
}

double NarrowPhase::height(const CornerAndTriangle& pair, double instant) const {
  const auto& t = topology_.triangle[pair.triangle];
  const Vec3<double> x = where(pair, instant), x0 = at(t[0], instant);
  if (instant == 0) return dot(x - x0, cones_.normal(pair.triangle));
  const Vec3<double> n = cross(at(t[1], instant) - x0, at(t[2], instant) - x0);
  const double area = norm(n);
  return area > 0 ? dot(x - x0, n) / area : dot(x - x0, cones_.normal(pair.triangle));
}

closest::OnTriangle NarrowPhase::foot(const Vec3<double>& x, int triangle, double instant) const {
  const auto& t = topology_.triangle[triangle];
  const Vec3<double> of[3]{at(t[0], instant), at(t[1], instant), at(t[2], instant)};
  return closest::on_triangle(x, of);
}

closest::OfLines NarrowPhase::of_segments(const Segment& a, const Segment& b, double instant) const {
  return closest::of_segments(at(a.corner[0], instant), at(a.corner[1], instant), at(b.corner[0], instant),
                              at(b.corner[1], instant));
}

double NarrowPhase::distance(const CornerAndTriangle& pair, double instant) const {
  const auto on = foot(where(pair, instant), pair.triangle, instant);
  return norm(where(pair, instant) - at(triangle_spot(pair.other, pair.triangle, on.weight), instant));
}

double NarrowPhase::distance(const Segment& a, const Segment& b, double instant) const {
  const auto found = of_segments(a, b, instant);
  return norm(at(segment_spot(a, found.s), instant) - at(segment_spot(b, found.t), instant));
}

// -- Points of contact

// Of one surface: what was as near at rest as now, to half, does not count. So neighbours, the two faces of a thin body
// and what the radius makes touch along a rod never meet.
bool NarrowPhase::knew_at_rest(const Meeting& meeting, double distance, double radius) const {
  Vec3<double> d{};
  for (int i = 0; i < 3; ++i) {
    if (meeting.a.corner[i] >= 0) d = d + meeting.a.weight[i] * topology_.rest[meeting.a.corner[i]];
    if (meeting.b.corner[i] >= 0) d = d - meeting.b.weight[i] * topology_.rest[meeting.b.corner[i]];
  }
  const double open = norm(d) - radius;
  return open <= 0 || std::abs(distance) - radius >= 0.5 * open;
}

void NarrowPhase::add(const Meeting& meeting, std::vector<Candidate>& found) const {
  add(meeting, at(meeting.a, 0), at(meeting.b, 0), found);
}

void NarrowPhase::add(const Meeting& meeting, const Vec3<double>& pa, const Vec3<double>& pb,
                      std::vector<Candidate>& found) const {
  const double ra = meeting.a.on_rim ? 0 : topology_.surface[meeting.a.surface].radius;
  const double rb = meeting.b.on_rim ? 0 : topology_.surface[meeting.b.surface].radius;
  const double distance = dot(pa - pb, meeting.n), gap = distance - (ra + rb);
  if (gap > 0 && !(activation_ == Activation::speculative && gap < meeting.margin)) return;
  if (meeting.a.surface == meeting.b.surface && knew_at_rest(meeting, distance, ra + rb)) return;
  const auto side = [](const Spot& spot, const Vec3<double>& point) {
    ContactSide made;
    made.surface = spot.surface;
    made.feature = spot.feature;
    made.point = point;
    for (int i = 0; i < 3; ++i) made.corner[i] = spot.corner[i], made.weight[i] = spot.weight[i];
    return made;
  };
  ContactPoint point{side(meeting.a, pa - ra * meeting.n), side(meeting.b, pb + rb * meeting.n), meeting.n, gap};
  if (std::pair(point.b.surface, point.b.feature) < std::pair(point.a.surface, point.a.feature)) {
    std::swap(point.a, point.b);
    point.normal = -1. * point.normal;
  }
  found.push_back({point, -distance, meeting.way});
}

void NarrowPhase::meet(int part, int other, double far, std::vector<Candidate>& found) const {
  const bool faces = topology_.part[part].kind == FeatureKind::triangle;
  const bool other_faces = topology_.part[other].kind == FeatureKind::triangle;
  const auto is_bore = [&](int p) { return topology_.surface[topology_.part[p].surface].is_bore(); };
  if (is_bore(part) || is_bore(other)) {
    if (faces || other_faces || (is_bore(part) && is_bore(other))) return;
    const int bore = is_bore(part) ? part : other;
    return bore_meets(segment_of(bore), segment_of(bore == part ? other : part), found);
  }
  if (faces && other_faces) triangles_meet(part, other, far, found);
  else if (faces) triangle_meets_round(part, other, far, found);
  else if (other_faces) triangle_meets_round(other, part, far, found);
  else rounds_meet(segment_of(std::min(part, other)), segment_of(std::max(part, other)), far, found);
}

void NarrowPhase::meet_plane(int plane, int p, std::vector<Candidate>& found) const {
  const ScenePart& part = topology_.part[p];
  if (topology_.surface[part.surface].is_bore()) return;
  const std::int32_t t = topology_.surface[plane].first_triangle;
  const auto& of = topology_.triangle[t];
  const Vec3<double>& n = cones_.normal(t);
  for (int i = 0; i < 3; ++i) {
    if (!(part.owned >> i & 1)) continue;
    const std::int32_t c = part.kind == FeatureKind::triangle ? topology_.triangle[part.index][i]
                           : part.kind == FeatureKind::edge   ? topology_.edge[part.index].corner[i]
                                                              : part.index;
    if (topology_.smooth_corner[c] || !cones_.corner_looks(c, -1. * n)) continue;
    const Travel moves = travel(part.surface, {1, {c, c, c}}, plane, {3, {of[0], of[1], of[2]}});
    Spot touching = corner_spot(part.surface, c);
    if (topology_.surface[part.surface].flat_ends) {
      touching.on_rim = rim_towards(c, -1. * n, touching.rim);
      if (!touching.on_rim || !end_meets(c, n, moves.margin)) continue;
    }
    const Vec3<double> x = at(touching, 0);
    const Vec3<double> on = x - dot(x - scene_->corner[of[0]], n) * n;
    // The plane has no rim: weights of its triangle may be negative.
    const Vec3<double> d1 = scene_->corner[of[1]] - scene_->corner[of[0]];
    const Vec3<double> d2 = scene_->corner[of[2]] - scene_->corner[of[0]], d = on - scene_->corner[of[0]];
    const double area = norm(cross(d1, d2)), w1 = dot(cross(d, d2), n) / area, w2 = dot(cross(d1, d), n) / area;
    const Spot spot{
        plane, {of[0], of[1], of[2]}, {1 - w1 - w2, w1, w2}, topology_.feature(FeatureKind::triangle, plane, t)};
    add({touching, spot, n, moves.margin}, x, on, found);
  }
}

}  // namespace lithe

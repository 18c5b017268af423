#include "lithe/contact/narrow_phase.h"

#include <algorithm>
#include <utility>

namespace lithe {
namespace {

using closest::zero;

bool is_inside(double t) { return t > zero && t < 1 - zero; }

bool shares(const std::int32_t* a, int as, const std::int32_t* b, int bs) {
  for (int i = 0; i < as; ++i)
    for (int j = 0; j < bs; ++j)
      if (a[i] == b[j]) return true;
  return false;
}

Vec3<double> any_normal_to(const Vec3<double>& d) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(d[k]) < std::abs(d[least])) least = k;
  Vec3<double> axis{};
  axis[least] = 1;
  const Vec3<double> n = cross(d, axis);
  return norm(n) > 0 ? unit(n) : axis;
}

}  // namespace

// -- Positions and motions

Vec3<double> NarrowPhase::at(int c, double instant) const {
  if (instant == 0) return scene_->corner[c];
  if (instant > 0) return scene_->corner[c] + instant * scene_->move[c];
  return scene_->corner[c] + instant * (scene_->corner[c] - scene_->before[c]);
}

Vec3<double> NarrowPhase::at(const Spot& spot, double instant) const {
  if (spot.weight[0] == 1) return at(spot.corner[0], instant);
  Vec3<double> x{};
  for (int i = 0; i < 3; ++i)
    if (spot.corner[i] >= 0) x = x + spot.weight[i] * at(spot.corner[i], instant);
  return x;
}

double NarrowPhase::reach(const Corners& a, const Corners& b, bool before) const {
  const auto moved = [&](int c) { return before ? scene_->corner[c] - scene_->before[c] : scene_->move[c]; };
  double most = 0;
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j) {
      const Vec3<double> d = moved(a.corner[i]) - moved(b.corner[j]);
      most = std::max(most, dot(d, d));
    }
  return std::sqrt(most);
}

NarrowPhase::Travel NarrowPhase::travel(int surface, const Corners& a, int other, const Corners& b) const {
  const bool looks_ahead = activation_ == Activation::speculative && !scene_->move.empty();
  return {topology_.surface[surface].radius + topology_.surface[other].radius,
          scene_->before.empty() ? 0 : reach(a, b, true), looks_ahead ? reach(a, b, false) : 0};
}

// Conservative advancement (Mirtich 1996): as long as they are further apart than their radii, they go on as far as the
// distance allows. Where they never touch: when they pass nearest, but not before now. The distance of features that
// move along lines is a convex function of time, which the golden section narrows down.
template <class Distance>
double NarrowPhase::nearest_instant(const Travel& travel, Distance&& distance) const {
  constexpr double near_enough = 1e-6, golden = 0.6180339887498949;
  const double begin = scene_->before.empty() ? 0 : -1, end = travel.margin > 0 ? 1 : 0;
  double s = begin, open = distance(s) - travel.radius;
  if (open <= 0) return 0;
  for (int i = 0; i < 64 && s < end; ++i) {
    s += open / travel.speed();
    if (s >= end) break;
    open = distance(s) - travel.radius;
    if (open <= near_enough * travel.radius) return s;
  }
  double low = begin, high = end;
  for (int i = 0; i < 40; ++i) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    (distance(a) < distance(b) ? high : low) = distance(a) < distance(b) ? b : a;
  }
  return std::max(0., 0.5 * (low + high));
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
  const Vec3<double> x = at(pair.corner, instant), x0 = at(t[0], instant);
  if (instant == 0) return dot(x - x0, cones_.normal(pair.triangle));
  const Vec3<double> n = cross(at(t[1], instant) - x0, at(t[2], instant) - x0);
  const double area = norm(n);
  return area > 0 ? dot(x - x0, n) / area : dot(x - x0, cones_.normal(pair.triangle));
}

closest::OnTriangle NarrowPhase::foot(int corner, int triangle, double instant) const {
  const auto& t = topology_.triangle[triangle];
  const Vec3<double> x[3]{at(t[0], instant), at(t[1], instant), at(t[2], instant)};
  return closest::on_triangle(at(corner, instant), x);
}

closest::OfLines NarrowPhase::of_segments(const Segment& a, const Segment& b, double instant) const {
  return closest::of_segments(at(a.corner[0], instant), at(a.corner[1], instant), at(b.corner[0], instant),
                              at(b.corner[1], instant));
}

double NarrowPhase::distance(const CornerAndTriangle& pair, double instant) const {
  const auto on = foot(pair.corner, pair.triangle, instant);
  return norm(at(pair.corner, instant) - at(triangle_spot(pair.other, pair.triangle, on.weight), instant));
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
  const double ra = topology_.surface[meeting.a.surface].radius, rb = topology_.surface[meeting.b.surface].radius;
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
  found.push_back({point, -distance, meeting.crossed});
}

// A triangle of the surface nearer to x than `depth`, of which counts(triangle, x is in front of it) holds? A surface
// of few triangles is looked through, of another one the tree is asked.
template <class Counts>
bool NarrowPhase::any_nearer(int surface, const Vec3<double>& x, double depth, double instant, Counts&& counts) const {
  constexpr double less = 1 - 1e-6, front = 1e-6;
  constexpr int few = 16;
  const SceneSurface& of_surface = topology_.surface[surface];
  const auto is_nearer = [&](int triangle) {
    const auto& t = topology_.triangle[triangle];
    const Vec3<double> of[3]{at(t[0], instant), at(t[1], instant), at(t[2], instant)};
    const Vec3<double> n = cross(of[1] - of[0], of[2] - of[0]);
    const double up = dot(x - of[0], n), area = norm(n);
    if (std::abs(up) >= less * depth * area) return false;
    if (!counts(triangle, up > (front * depth + zero * norm(of[1] - of[0])) * area)) return false;
    const auto on = closest::on_triangle(x, of);
    return norm(x - on.weight[0] * of[0] - on.weight[1] * of[1] - on.weight[2] * of[2]) < less * depth;
  };
  if (of_surface.triangles <= few) {
    for (int t = of_surface.first_triangle; t < of_surface.first_triangle + of_surface.triangles; ++t)
      if (is_nearer(t)) return true;
    return false;
  }
  PartBox box{};
  for (int k = 0; k < 3; ++k) box.low[k] = x[k] - depth, box.high[k] = x[k] + depth;
  box.group = of_surface.group;
  return broad_phase_.any_in(box, [&](int p) {
    const ScenePart& part = topology_.part[p];
    return part.surface == surface && part.kind == FeatureKind::triangle && is_nearer(part.index);
  });
}

// One that looks the way the corner does is another side of the body, of which the corner is in front, or beside it
// that of two bodies flush with each other.
bool NarrowPhase::has_nearer_face(int surface, int corner, double depth) const {
  return any_nearer(surface, scene_->corner[corner], depth, 0, [&](int t, bool in_front) {
    return in_front || cones_.corner_looks(corner, -1. * cones_.normal(t));
  });
}

// x is `depth` behind one of its faces.
bool NarrowPhase::is_outside(int surface, const Vec3<double>& x, double depth, double instant) const {
  return depth > 0 && any_nearer(surface, x, depth, instant, [](int, bool in_front) { return in_front; });
}

// In front of the triangle, which it was behind at the begin of the step, beyond the body.
bool NarrowPhase::came_from_behind(const CornerAndTriangle& pair) const {
  if (scene_->before.empty() || height(pair, 0) < 0) return false;
  const double begin = height(pair, -1);
  return begin < 0 && is_outside(pair.other, at(pair.corner, -1), -begin, -1);
}

void NarrowPhase::meet(int part, int other, double far, std::vector<Candidate>& found) const {
  const bool faces = topology_.part[part].kind == FeatureKind::triangle;
  const bool other_faces = topology_.part[other].kind == FeatureKind::triangle;
  if (faces && other_faces) triangles_meet(part, other, far, found);
  else if (faces) triangle_meets_round(part, other, far, found);
  else if (other_faces) triangle_meets_round(other, part, far, found);
  else rounds_meet(segment_of(std::min(part, other)), segment_of(std::max(part, other)), far, found);
}

void NarrowPhase::meet_plane(int plane, int p, std::vector<Candidate>& found) const {
  const ScenePart& part = topology_.part[p];
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
    const Vec3<double> x = scene_->corner[c];
    const Vec3<double> on = x - dot(x - scene_->corner[of[0]], n) * n;
    // The plane has no rim: weights of its triangle may be negative.
    const Vec3<double> d1 = scene_->corner[of[1]] - scene_->corner[of[0]];
    const Vec3<double> d2 = scene_->corner[of[2]] - scene_->corner[of[0]], d = on - scene_->corner[of[0]];
    const double area = norm(cross(d1, d2)), w1 = dot(cross(d, d2), n) / area, w2 = dot(cross(d1, d), n) / area;
    const Spot spot{
        plane, {of[0], of[1], of[2]}, {1 - w1 - w2, w1, w2}, topology_.feature(FeatureKind::triangle, plane, t)};
    add({corner_spot(part.surface, c), spot, n, moves.margin}, x, on, found);
  }
}

// -- Triangles

void NarrowPhase::triangles_meet(int part, int other, double far, std::vector<Candidate>& found) const {
  const ScenePart &a = topology_.part[part], &b = topology_.part[other];
  corners_on_triangle(a, b, far, found);
  corners_on_triangle(b, a, far, found);
  if (!(a.owned >> 3 && b.owned >> 3) || is_beyond(a.index, b.index, far) || is_beyond(b.index, a.index, far)) return;
  for (int i = 0; i < 3; ++i) {
    if (!(a.owned >> (3 + i) & 1)) continue;
    const int e = topology_.triangle_edge[a.index][i];
    if (!cones_.is_ridge(e)) continue;
    for (int j = 0; j < 3; ++j)
      if (b.owned >> (3 + j) & 1)
        edges_meet(mesh_edge(a.surface, e), mesh_edge(b.surface, topology_.triangle_edge[b.index][j]), far, found);
  }
}

// All of the triangle is further than `far` on one side of the other's plane.
bool NarrowPhase::is_beyond(int triangle, int other, double far) const {
  const Vec3<double>&n = cones_.normal(other), &x0 = scene_->corner[topology_.triangle[other][0]];
  int before = 0, behind = 0;
  for (const int c : topology_.triangle[triangle]) {
    const double up = dot(scene_->corner[c] - x0, n);
    before += up > far, behind += up < -far;
  }
  return before == 3 || behind == 3;
}

void NarrowPhase::triangle_meets_round(int triangle, int round, double far, std::vector<Candidate>& found) const {
  const ScenePart &a = topology_.part[triangle], &b = topology_.part[round];
  corners_on_triangle(b, a, far, found);
  if (b.kind == FeatureKind::corner) return;
  const Segment rod = segment_of(round);
  for (int i = 0; i < 3; ++i) {
    if (a.owned >> i & 1) corner_on_rod(a.surface, topology_.triangle[a.index][i], rod, found);
    if (a.owned >> (3 + i) & 1) rod_on_ridge(rod, mesh_edge(a.surface, topology_.triangle_edge[a.index][i]), found);
  }
}

void NarrowPhase::corners_on_triangle(const ScenePart& part, const ScenePart& triangle, double far,
                                      std::vector<Candidate>& found) const {
  const auto& t = topology_.triangle[triangle.index];
  for (int i = 0; i < 3; ++i) {
    if (!(part.owned >> i & 1)) continue;
    const std::int32_t c = part.kind == FeatureKind::triangle ? topology_.triangle[part.index][i]
                           : part.kind == FeatureKind::edge   ? topology_.edge[part.index].corner[i]
                                                              : part.index;
    if (topology_.smooth_corner[c] || shares(&c, 1, t.data(), 3)) continue;
    corner_on_triangle({part.surface, c, triangle.surface, triangle.index, {}}, far, found);
  }
}

// Beyond `far` nothing is met, but a corner of a mesh may be that deep.
void NarrowPhase::corner_on_triangle(CornerAndTriangle pair, double far, std::vector<Candidate>& found) const {
  const Vec3<double>& n = cones_.normal(pair.triangle);
  if (!(dot(n, n) > 0)) return;
  const double up = height(pair, 0);
  const bool is_far = std::abs(up) > far;
  if (is_far && (up > 0 || !topology_.has_faces(pair.corner))) return;
  const auto& t = topology_.triangle[pair.triangle];
  const Vec3<double> x[3]{at(t[0], 0), at(t[1], 0), at(t[2], 0)};
  auto on = closest::on_plane(at(pair.corner, 0), x);
  if (is_far && !on.above) return;
  pair.travel = travel(pair.surface, {1, {pair.corner, -1, -1}}, pair.other, {3, {t[0], t[1], t[2]}});
  if (is_far) return over_triangle(pair, on.weight, 0, false, found);
  if (went_through(pair, found) || came_from_behind(pair) || will_land(pair, found)) return;
  if (pair.travel.is_fast()) {
    const double instant = nearest_instant(pair.travel, [&](double s) { return distance(pair, s); });
    on = foot(pair.corner, pair.triangle, instant);
    if (on.above) return over_triangle(pair, on.weight, instant, false, found);
    return near_rim(pair, on.weight, instant, found);
  }
  if (on.above) return over_triangle(pair, on.weight, 0, false, found);
  on = closest::on_rim(at(pair.corner, 0), x);
  const Vec3<double> d = at(pair.corner, 0) - on.weight[0] * x[0] - on.weight[1] * x[1] - on.weight[2] * x[2];
  if (dot(d, d) <= far * far) near_rim(pair, on.weight, 0, found);
}

// In front of the triangle at the begin, behind it now: true where nothing else is to be looked at.
bool NarrowPhase::went_through(const CornerAndTriangle& pair, std::vector<Candidate>& found) const {
  if (scene_->before.empty()) return false;
  const double now = height(pair, 0);
  if (now >= 0) return false;
  const double begin = height(pair, -1);
  if (begin < 0) return false;
  const double instant = now / (begin - now);
  const auto on = foot(pair.corner, pair.triangle, instant);
  if (on.above) over_triangle(pair, on.weight, instant, true, found);
  return on.above || -now > pair.travel.radius;  // or it went round it
}

// In front of the triangle now, and so fast that it is expected to pass it, within its rim, by the end of the step.
bool NarrowPhase::will_land(const CornerAndTriangle& pair, std::vector<Candidate>& found) const {
  const Travel& moves = pair.travel;
  if (!(moves.margin > moves.radius)) return false;
  const double now = height(pair, 0);
  if (now < 0) return false;
  const double end = height(pair, 1);
  if (end >= moves.radius) return false;
  const double instant = now <= moves.radius ? 0 : (now - moves.radius) / (now - end);
  const auto on = foot(pair.corner, pair.triangle, instant);
  if (!on.above || on.weight[0] == 0 || on.weight[1] == 0 || on.weight[2] == 0) return false;
  over_triangle(pair, on.weight, instant, false, found);
  return true;
}

// The foot is within the triangle. Where it is on an edge or corner, the face around it says so that the corner is
// least behind.
void NarrowPhase::over_triangle(const CornerAndTriangle& pair, const double* weight, double instant, bool passed,
                                std::vector<Candidate>& found) const {
  const Vec3<double>& n = cones_.normal(pair.triangle);
  if (!cones_.corner_looks(pair.corner, -1. * n)) return;
  const Spot spot = triangle_spot(pair.other, pair.triangle, weight);
  int best = -1;
  double least = 0;
  const auto look_at = [&](int t) {
    if (!cones_.corner_looks(pair.corner, -1. * cones_.normal(t))) return;
    const CornerAndTriangle other{pair.surface, pair.corner, pair.other, t, pair.travel};
    const double up = height(other, 0);
    if (best >= 0 && up <= least) return;
    if (passed && (up >= 0 || height(other, -1) < 0)) return;
    const auto on = foot(pair.corner, t, instant);
    if (!on.above || triangle_spot(pair.other, t, on.weight).feature != spot.feature) return;
    best = t, least = up;
  };
  const int edge = edge_of(pair.triangle, weight);
  if (spot.weight[0] == 1) {
    for (const auto* t = topology_.triangles.begin(spot.corner[0]); t < topology_.triangles.end(spot.corner[0]); ++t)
      look_at(*t);
  } else if (edge >= 0) {
    for (const int t : topology_.edge[edge].triangle)
      if (t >= 0) look_at(t);
  }
  if (best >= 0 && best != pair.triangle) return;
  const double depth = -height(pair, 0);
  if (depth > 0 && !passed && pair.surface != pair.other && has_nearer_face(pair.other, pair.corner, depth)) return;
  add({corner_spot(pair.surface, pair.corner), spot, n, pair.travel.margin}, found);
}

// The foot is outside of the triangle, an edge or corner the nearest of it: what owns that looks at all faces around.
void NarrowPhase::near_rim(const CornerAndTriangle& pair, const double* weight, double instant,
                           std::vector<Candidate>& found) const {
  const Spot spot = triangle_spot(pair.other, pair.triangle, weight);
  const bool is_corner = spot.weight[0] == 1;
  const int edge = edge_of(pair.triangle, weight);
  const int owner = is_corner ? topology_.corner_owner[spot.corner[0]] : edge < 0 ? -1 : topology_.edge_owner[edge];
  if (owner >= 0 && topology_.part[owner].index != pair.triangle) return;
  const auto over = [&](int t) {
    return t >= 0 && cones_.corner_looks(pair.corner, -1. * cones_.normal(t)) && foot(pair.corner, t, instant).above;
  };
  if (is_corner) {
    for (const auto* t = topology_.triangles.begin(spot.corner[0]); t < topology_.triangles.end(spot.corner[0]); ++t)
      if (over(*t)) return;
  } else if (edge >= 0) {
    for (const int t : topology_.edge[edge].triangle)
      if (over(t)) return;
  }
  beside(pair, spot, edge, instant, found);
}

// The edge that a foot is on; -1: within the triangle, or a corner, or the scene has no such edge.
int NarrowPhase::edge_of(int triangle, const double* weight) const {
  int zeros = 0, missing = 0;
  for (int i = 0; i < 3; ++i)
    if (weight[i] == 0) ++zeros, missing = i;
  return zeros == 1 ? topology_.triangle_edge[triangle][(missing + 1) % 3] : -1;
}

// Beyond the rim of all faces around an edge or corner. Below a hollow edge, inside, it is held as by a face.
void NarrowPhase::beside(const CornerAndTriangle& pair, const Spot& spot, int edge, double instant,
                         std::vector<Candidate>& found) const {
  const Vec3<double> d = at(pair.corner, instant) - at(spot, instant);
  const double length = norm(d);
  if (!(length > 0)) return;
  Vec3<double> n = (1 / length) * d;
  const bool is_corner = spot.weight[0] == 1;
  if (is_corner ? !cones_.corner_holds(spot.corner[0], n, 0) : edge >= 0 && !cones_.edge_holds(edge, n, 0)) return;
  const bool closed = is_corner
                          ? topology_.closed_corner[spot.corner[0]] != 0
                          : edge >= 0 && topology_.edge[edge].triangle[0] >= 0 && topology_.edge[edge].triangle[1] >= 0;
  const Vec3<double> outward = is_corner   ? cones_.outward_of_corner(spot.corner[0])
                               : edge >= 0 ? cones_.outward_of_edge(edge)
                                           : cones_.normal(pair.triangle);
  if (closed && dot(outward, n) < 0) {
    n = -1. * n;
    if (!cones_.corner_looks(pair.corner, -1. * n)) return;
  } else if (!cones_.corner_holds(pair.corner, -1. * n, pair.travel.margin)) {
    return;
  }
  add({corner_spot(pair.surface, pair.corner), spot, n, pair.travel.margin}, found);
}

// Where their lines pass each other within both; parallel ones meet in their corners.
void NarrowPhase::edges_meet(const Segment& e, const Segment& f, double far, std::vector<Candidate>& found) const {
  if (!cones_.is_ridge(f.edge) || shares(e.corner, 2, f.corner, 2)) return;
  const Vec3<double>&p = scene_->corner[e.corner[0]], &q = scene_->corner[f.corner[0]];
  const Vec3<double> d = scene_->corner[e.corner[1]] - p, g = scene_->corner[f.corner[1]] - q, r = q - p;
  Vec3<double> n = cross(d, g);
  const double area = dot(n, n);
  if (!(area > 1e-12 * dot(d, d) * dot(g, g))) return;
  const double s = dot(cross(r, g), n) / area, t = dot(cross(r, d), n) / area;
  if (!is_inside(s) || !is_inside(t)) return;
  n = (1 / std::sqrt(area)) * n;
  if (dot(n, cones_.outward_of_edge(f.edge) - cones_.outward_of_edge(e.edge)) < 0) n = -1. * n;
  const double gap = -dot(r, n);
  if (gap > far) return;
  const Travel moves = travel(e.surface, e.corners(), f.surface, f.corners());
  const double slack = moves.margin + std::abs(gap);
  if (!cones_.edge_holds(f.edge, n, slack) || !cones_.edge_holds(e.edge, -1. * n, slack)) return;
  const Spot on_e = segment_spot(e, s), on_f = segment_spot(f, t);
  if (is_outside(f.surface, at(on_e, 0), -gap) && is_outside(e.surface, at(on_f, 0), -gap)) return;
  add({on_e, on_f, n, moves.margin, true}, found);
}

void NarrowPhase::rod_on_ridge(const Segment& rod, const Segment& ridge, std::vector<Candidate>& found) const {
  if (!cones_.is_ridge(ridge.edge) || shares(rod.corner, 2, ridge.corner, 2)) return;
  const Travel moves = travel(rod.surface, rod.corners(), ridge.surface, ridge.corners());
  const double instant =
      moves.is_fast() ? nearest_instant(moves, [&](double s) { return distance(rod, ridge, s); }) : 0;
  const auto near = of_segments(rod, ridge, instant);
  if (!is_inside(near.s) || !is_inside(near.t)) return;
  const Spot on_rod = segment_spot(rod, near.s), on_ridge = segment_spot(ridge, near.t);
  Vec3<double> n = unit(cross(at(rod.corner[1], instant) - at(rod.corner[0], instant),
                              at(ridge.corner[1], instant) - at(ridge.corner[0], instant)));
  if (dot(n, cones_.outward_of_edge(ridge.edge)) < 0) n = -1. * n;
  const double depth = -dot(at(on_rod, instant) - at(on_ridge, instant), n);
  if (!cones_.edge_holds(ridge.edge, n, std::abs(depth)) || is_outside(ridge.surface, at(on_rod, 0), depth)) return;
  add({on_rod, on_ridge, n, moves.margin, true}, found);
}

void NarrowPhase::corner_on_rod(int surface, int corner, const Segment& rod, std::vector<Candidate>& found) const {
  if (topology_.smooth_corner[corner] || shares(&corner, 1, rod.corner, 2)) return;
  const Vec3<double>& x = scene_->corner[corner];
  const double t = closest::along(x, scene_->corner[rod.corner[0]], scene_->corner[rod.corner[1]]);
  if (!is_inside(t)) return;
  const Spot on_rod = segment_spot(rod, t);
  const Vec3<double> d = x - at(on_rod, 0);
  const double length = norm(d);
  if (!(length > 0)) return;
  const Vec3<double> n = (1 / length) * d;
  if (!cones_.corner_holds(corner, -1. * n, 0)) return;
  const Travel moves = travel(surface, {1, {corner, corner, corner}}, rod.surface, rod.corners());
  add({corner_spot(surface, corner), on_rod, n, moves.margin}, found);
}

// -- Rods and balls

// From b to a; where their axes cross, square to both, else against the motion that brought them there.
Vec3<double> NarrowPhase::direction(const Segment& a, const Segment& b, const Spot& sa, const Spot& sb,
                                    double instant) const {
  const Vec3<double> d = at(sa, instant) - at(sb, instant);
  const double length = norm(d);
  if (length > 0) return (1 / length) * d;
  Vec3<double> came{};
  if (!scene_->before.empty()) came = at(sa, -1) - at(sb, -1);
  else if (!scene_->move.empty()) came = (at(sa, 0) - at(sa, 1)) - (at(sb, 0) - at(sb, 1));
  const Vec3<double> axis = at(a.corner[1], 0) - at(a.corner[0], 0), other = at(b.corner[1], 0) - at(b.corner[0], 0);
  const Vec3<double> square = cross(axis, other);
  if (norm(square) > 0) return dot(square, came) < 0 ? -1. * unit(square) : unit(square);
  return norm(came) > 0 ? unit(came) : any_normal_to(norm(axis) > 0 ? axis : other);
}

// The nearest points, and where rods lie beside each other the ends of that stretch too.
void NarrowPhase::rounds_meet(const Segment& a, const Segment& b, double far, std::vector<Candidate>& found) const {
  if (shares(a.corner, 2, b.corner, 2) || distance(a, b, 0) > far) return;
  const Travel moves = travel(a.surface, a.corners(), b.surface, b.corners());
  double instant = moves.is_fast() ? nearest_instant(moves, [&](double s) { return distance(a, b, s); }) : 0;
  auto near = of_segments(a, b, instant);
  Meeting nearest{segment_spot(a, near.s), segment_spot(b, near.t), {}, moves.margin};
  nearest.n = direction(a, b, nearest.a, nearest.b, instant);
  const bool touched = moves.is_fast() && instant == 0 && !scene_->before.empty();
  if (touched && dot(at(nearest.a, -1) - at(nearest.b, -1), nearest.n) < 0) {  // they went through each other
    instant = -1;
    near = of_segments(a, b, instant);
    nearest = {segment_spot(a, near.s), segment_spot(b, near.t), {}, moves.margin};
    nearest.n = direction(a, b, nearest.a, nearest.b, instant);
  }
  if (owns(a, near.s) && owns(b, near.t)) add(nearest, found);
  if (a.edge < 0 || b.edge < 0) return;
  ends_beside(a, b, nearest, false, instant, found);
  std::swap(nearest.a, nearest.b);
  nearest.n = -1. * nearest.n;
  ends_beside(b, a, nearest, true, instant, found);
}

// Ends of a over b, seen along nearly the same normal as the nearest points.
void NarrowPhase::ends_beside(const Segment& a, const Segment& b, const Meeting& nearest, bool inner_only,
                              double instant, std::vector<Candidate>& found) const {
  constexpr double beside = 0.9;  // cosine
  const Vec3<double> from = at(b.corner[0], instant), axis = at(b.corner[1], instant) - from;
  for (int i = 0; i < 2; ++i) {
    const Vec3<double> x = at(a.corner[i], instant);
    const double along = dot(x - from, axis) / dot(axis, axis);
    if (!(along >= -zero && along <= 1 + zero) || (inner_only && !is_inside(along))) continue;
    const double t = closest::snapped(along);
    if (!owns(a, i) || !owns(b, t)) continue;
    Meeting end{segment_spot(a, i), segment_spot(b, t), {}, nearest.margin};
    if (end.a.feature == nearest.a.feature && end.b.feature == nearest.b.feature) continue;
    const Vec3<double> d = x - at(end.b, instant);
    const double length = norm(d);
    if (!(dot(d, nearest.n) > beside * length)) continue;
    end.n = (1 / length) * d;
    add(end, found);
  }
}

}  // namespace lithe

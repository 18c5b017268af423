// A corner, of a mesh, a rod or a ball, and a triangle.
#include <algorithm>
#include <cmath>

#include "lithe/contact/narrow_phase.h"

namespace lithe {

constexpr double hardly = 1e-6;  // of the way since the begin of the step

void NarrowPhase::corners_on_triangle(const ScenePart& part, const ScenePart& triangle, double far,
                                      std::vector<Candidate>& found) const {
  if (topology_.is_covered(triangle.index)) return;
  if (topology_.is_in_bore(triangle.index) && topology_.is_round(part.surface)) return;
  const bool on_rim = part.kind == FeatureKind::edge && topology_.surface[part.surface].flat_ends;
  const auto& t = topology_.triangle[triangle.index];
  for (int i = 0; i < 3; ++i) {
    if (!(part.owned >> i & 1)) continue;
    const std::int32_t c = part.kind == FeatureKind::triangle ? topology_.triangle[part.index][i]
                           : part.kind == FeatureKind::edge   ? topology_.edge[part.index].corner[i]
                                                              : part.index;
    if (topology_.smooth_corner[c] || have_common(&c, 1, t.data(), 3)) continue;
    corner_on_triangle({part.surface, c, triangle.surface, triangle.index, {}, {}, on_rim}, far, found);
  }
}

// Beyond `far` nothing is met, but a corner of a mesh may be that deep.
void NarrowPhase::corner_on_triangle(CornerAndTriangle pair, double far, std::vector<Candidate>& found) const {
  const Vec3<double>& n = cones_.normal(pair.triangle);
  if (!(dot(n, n) > 0)) return;
  if (pair.on_rim && !rim_towards(pair.corner, -1. * n, pair.rim)) return;
  const double up = height(pair, 0);
  const bool is_far = std::abs(up) > far;
  if (is_far && (up > 0 || !topology_.has_faces(pair.corner))) return;
  const auto& t = topology_.triangle[pair.triangle];
  const Vec3<double> x[3]{at(t[0], 0), at(t[1], 0), at(t[2], 0)};
  if (closest::is_aside(where(pair, 0), x, n, far)) return;
  auto on = closest::on_plane(where(pair, 0), x);
  if (is_far && !on.above) return;
  pair.travel = travel(pair.surface, {1, {pair.corner, -1, -1}}, pair.other, {3, {t[0], t[1], t[2]}});
  if (pair.on_rim) pair.travel.radius = topology_.surface[pair.other].radius;
  if (pair.on_rim && !end_meets(pair.corner, n, pair.travel.margin)) return;
  // What is within the bore of a tube is no face that its rim has gone through.
  if (const double wall = topology_.surface[pair.surface].wall;
      pair.on_rim && wall > 0 && up < -wall && (scene_->before.empty() || height(pair, -1) < 0))
    return;
  if (is_far) return over_triangle(pair, on.weight, 0, false, found);
  if (went_through(pair, found) || came_from_behind(pair) || will_land(pair, found)) return;
  if (pair.travel.is_fast()) {
    const double instant = nearest_instant(pair.travel, [&](double s) { return distance(pair, s); });
    on = foot(where(pair, instant), pair.triangle, instant);
    if (on.above) return over_triangle(pair, on.weight, instant, false, found);
    return near_rim(pair, on.weight, instant, found);
  }
  if (on.above) return over_triangle(pair, on.weight, 0, false, found);
  on = closest::on_rim(where(pair, 0), x);
  const Vec3<double> d = where(pair, 0) - on.weight[0] * x[0] - on.weight[1] * x[1] - on.weight[2] * x[2];
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
  const auto on = foot(where(pair, instant), pair.triangle, instant);
  if (on.above) over_triangle(pair, on.weight, instant, true, found);
  // Or it went round it; but what is hardly behind may have slid there from a face beside, to rounding.
  return on.above || -now > pair.travel.radius + hardly * pair.travel.before;
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
  const auto on = foot(where(pair, instant), pair.triangle, instant);
  if (!on.above || on.weight[0] == 0 || on.weight[1] == 0 || on.weight[2] == 0) return false;
  over_triangle(pair, on.weight, instant, false, found);
  return true;
}

// The foot is within the triangle. Where it is on an edge or corner, the face around it says so that the corner is
// least behind.
void NarrowPhase::over_triangle(const CornerAndTriangle& pair, const double* weight, double instant, bool passed,
                                std::vector<Candidate>& found) const {
  const Vec3<double>& n = cones_.normal(pair.triangle);
  if (!cones_.corner_meets(pair.corner, -1. * n, pair.travel.margin)) return;
  const Spot spot = triangle_spot(pair.other, pair.triangle, weight);
  int best = -1;
  double least = 0;
  const auto look_at = [&](int t) {
    if (!cones_.corner_meets(pair.corner, -1. * cones_.normal(t), pair.travel.margin)) return;
    CornerAndTriangle other = pair;
    other.triangle = t;
    const double up = height(other, 0);
    if (best >= 0 && up <= least) return;
    if (passed && (up >= 0 || height(other, -1) < 0)) return;
    const auto on = foot(where(pair, instant), t, instant);
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
  const double depth = -height(pair, instant);
  bool is_beside = false;
  if (depth > 0 && !passed && pair.surface != pair.other && has_nearer_face(pair, depth, instant, is_beside)) return;
  add({spot_of(pair), spot, n, pair.travel.margin, is_beside ? Way::beside_a_face : Way::plain}, found);
}

// The foot is outside of the triangle, an edge or corner the nearest of it: what owns that looks at all faces around.
void NarrowPhase::near_rim(const CornerAndTriangle& pair, const double* weight, double instant,
                           std::vector<Candidate>& found) const {
  const Spot spot = triangle_spot(pair.other, pair.triangle, weight);
  const bool is_corner = spot.weight[0] == 1;
  const int edge = edge_of(pair.triangle, weight);
  if (topology_.surface[pair.surface].radius > 0 &&
      (is_corner ? topology_.bore_corner[spot.corner[0]] : edge >= 0 && topology_.bore_edge[edge]))
    return;
  const int owner = is_corner ? topology_.corner_owner[spot.corner[0]] : edge < 0 ? -1 : topology_.edge_owner[edge];
  if (owner >= 0 && topology_.part[owner].index != pair.triangle) return;
  const auto over = [&](int t) {
    return t >= 0 && cones_.corner_meets(pair.corner, -1. * cones_.normal(t), pair.travel.margin) &&
           foot(where(pair, instant), t, instant).above;
  };
  if (is_corner) {
    for (const auto* t = topology_.triangles.begin(spot.corner[0]); t < topology_.triangles.end(spot.corner[0]); ++t)
      if (over(*t)) return;
  } else if (edge >= 0) {
    for (const int t : topology_.edge[edge].triangle)
      if (over(t)) return;
  }
  if (pair.on_rim) rim_beside(pair, edge, found);
  else beside(pair, spot, edge, instant, found);
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
    if (!cones_.corner_meets(pair.corner, -1. * n, pair.travel.margin)) return;
  } else if (!cones_.corner_holds(pair.corner, -1. * n, pair.travel.margin)) {
    return;
  }
  add({spot_of(pair), spot, n, pair.travel.margin}, found);
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
    const double up = dot(x - of[0], n), area = norm(n), rounding = closest::zero * norm(of[1] - of[0]);
    const double nearer = less * depth - rounding;
    if (!(std::abs(up) < nearer * area)) return false;
    const auto on = closest::on_triangle(x, of);
    return norm(x - on.weight[0] * of[0] - on.weight[1] * of[1] - on.weight[2] * of[2]) < nearer &&
           counts(triangle, up > (front * depth + rounding) * area);
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

// One that the corner cannot meet is another side of the body, or beside it that of two bodies flush with each other,
// or beside two edges that cross.
bool NarrowPhase::has_nearer_face(const CornerAndTriangle& pair, double depth, double instant, bool& is_beside) const {
  return any_nearer(pair.other, where(pair, instant), depth, instant, [&](int t, bool in_front) {
    if (in_front ? !goes_in(pair, t, depth)
                 : cones_.corner_meets(pair.corner, -1. * cones_.normal(t), pair.travel.margin))
      return true;
    is_beside = true;
    return false;
  });
}

// In front of triangle t, but one of its edges goes behind both, within half the depth and before it is half gone: at
// the rim of two faces that lie flush with each other, where the body's sides stand at less than a right angle. The way
// out of what of the edge is inside has to be the triangle of the pair and not t: an edge that dips a little into t
// reaches the far sides of the body too.
bool NarrowPhase::goes_in(const CornerAndTriangle& pair, int t, double depth) const {
  if (!have_common(topology_.triangle[t].data(), 3, topology_.triangle[pair.triangle].data(), 3)) return false;
  const Vec3<double>&x = scene_->corner[pair.corner], &on = scene_->corner[topology_.triangle[t][0]];
  const Vec3<double>&n = cones_.normal(t), &behind = cones_.normal(pair.triangle);
  const double up = dot(x - on, n);
  return std::any_of(topology_.corners.begin(pair.corner), topology_.corners.end(pair.corner), [&](int j) {
    const Vec3<double> d = scene_->corner[j] - x;
    // Of the point x + s d, out of t and out of the triangle: up + s down and s out - depth.
    const double down = dot(d, n), out = dot(d, behind), share = std::min(0.5, 0.5 * depth / norm(d));
    if (!(up + share * down < 0 && share * out < depth)) return false;
    const double begin = up / -down, end = out > depth ? depth / out : 1;
    return depth - std::min(begin * out, end * out) <= -(up + end * down);
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
  return begin < 0 && is_outside(pair.other, where(pair, -1), -begin, -1);
}

}  // namespace lithe

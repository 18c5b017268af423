// Edges of meshes, rods and balls among each other.
#include <algorithm>
#include <cmath>

#include "lithe/contact/narrow_phase.h"

namespace lithe {
namespace {

constexpr double beyond = 1 + 1e-5;     // of the radius: what has not touched
constexpr double least_sine = 1e-6;     // of the angle between edges below which they are parallel
constexpr double hardly_passed = 1e-6;  // of the way since the begin of the step

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

void NarrowPhase::triangles_meet(int part, int other, double far, std::vector<Candidate>& found) const {
  const ScenePart &a = topology_.part[part], &b = topology_.part[other];
  const Side of_a = side(a.index, b.index, far), of_b = side(b.index, a.index, far);
  if (of_a != Side::before) corners_on_triangle(a, b, far, found);
  if (of_b != Side::before) corners_on_triangle(b, a, far, found);
  if (!(a.owned >> 3 && b.owned >> 3) || of_a != Side::both || of_b != Side::both) return;
  for (int i = 0; i < 3; ++i) {
    if (!(a.owned >> (3 + i) & 1)) continue;
    const int e = topology_.triangle_edge[a.index][i];
    if (!cones_.is_ridge(e)) continue;
    for (int j = 0; j < 3; ++j)
      if (b.owned >> (3 + j) & 1)
        edges_meet(mesh_edge(a.surface, e), mesh_edge(b.surface, topology_.triangle_edge[b.index][j]), far, found);
  }
}

// Is all of the triangle further than `far` on one side of the other's plane?
NarrowPhase::Side NarrowPhase::side(int triangle, int other, double far) const {
  const Vec3<double>&n = cones_.normal(other), &x0 = scene_->corner[topology_.triangle[other][0]];
  int before = 0, behind = 0;
  for (const int c : topology_.triangle[triangle]) {
    const double up = dot(scene_->corner[c] - x0, n);
    before += up > far, behind += up < -far;
  }
  return before == 3 ? Side::before : behind == 3 ? Side::behind : Side::both;
}

void NarrowPhase::triangle_meets_round(int triangle, int round, double far, std::vector<Candidate>& found) const {
  const ScenePart &a = topology_.part[triangle], &b = topology_.part[round];
  corners_on_triangle(b, a, far, found);
  const Segment rod = segment_of(round);
  for (int i = 0; i < 3 && !topology_.surface[a.surface].is_rigid; ++i)
    if (a.owned >> i & 1) corner_around(a.surface, topology_.triangle[a.index][i], rod, found);
  if (b.kind == FeatureKind::corner) return;
  for (int i = 0; i < 3; ++i) {
    if (a.owned >> i & 1) corner_on_rod(a.surface, topology_.triangle[a.index][i], rod, found);
    if (a.owned >> (3 + i) & 1) rod_on_ridge(rod, mesh_edge(a.surface, topology_.triangle_edge[a.index][i]), found);
  }
}

// Six times the volume between two edges: it changes its sign where their lines pass through each other.
double NarrowPhase::volume(const Segment& e, const Segment& f, double instant) const {
  const Vec3<double> p = at(e.corner[0], instant), q = at(f.corner[0], instant);
  return dot(at(f.corner[0], instant) - p, cross(at(e.corner[1], instant) - p, at(f.corner[1], instant) - q));
}

// They went through each other since the begin of the step, within both: held as at the instant when they met, however
// far they have gone since, on the side where they were at the begin. now: their volume().
bool NarrowPhase::edges_passed(const Segment& e, const Segment& f, double now, std::vector<Candidate>& found) const {
  if (scene_->before.empty()) return false;
  const double begin = volume(e, f, -1);
  if (!(begin * now < 0)) return false;
  double low = -1, high = 0;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (volume(e, f, middle) * begin > 0 ? low : high) = middle;
  }
  const Vec3<double> p = at(e.corner[0], low), q = at(f.corner[0], low), r = q - p;
  const Vec3<double> d = at(e.corner[1], low) - p, g = at(f.corner[1], low) - q;
  Vec3<double> n = cross(d, g);
  const double area = dot(n, n);
  if (!(area > least_sine * least_sine * dot(d, d) * dot(g, g))) return false;
  const double s = dot(cross(r, g), n) / area, t = dot(cross(r, d), n) / area;
  if (!closest::is_inside(s) || !closest::is_inside(t)) return false;
  const Spot on_e = segment_spot(e, s), on_f = segment_spot(f, t);
  n = (1 / std::sqrt(area)) * n;
  if (dot(at(on_e, -1) - at(on_f, -1), n) < 0) n = -1. * n;
  const Travel moves = travel(e.surface, e.corners(), f.surface, f.corners());
  const double depth = dot(at(on_f, 0) - at(on_e, 0), n);
  if (!(depth > hardly_passed * moves.before)) return false;
  if (!cones_.edge_holds(f.edge, n, depth) || !cones_.edge_holds(e.edge, -1. * n, depth)) return false;
  add({on_e, on_f, n, moves.margin, Way::passed}, found);
  return true;
}

// Where their lines pass each other within both; parallel ones meet in their corners.
void NarrowPhase::edges_meet(const Segment& e, const Segment& f, double far, std::vector<Candidate>& found) const {
  if (!cones_.is_ridge(f.edge) || have_common(e.corner, 2, f.corner, 2)) return;
  const Vec3<double>&p = scene_->corner[e.corner[0]], &q = scene_->corner[f.corner[0]];
  const Vec3<double> d = scene_->corner[e.corner[1]] - p, g = scene_->corner[f.corner[1]] - q, r = q - p;
  Vec3<double> n = cross(d, g);
  const double area = dot(n, n);
  if (!(area > least_sine * least_sine * dot(d, d) * dot(g, g))) return;
  const double apart = dot(r, n);
  if (apart * apart <= far * far * area && edges_passed(e, f, apart, found)) return;
  const double s = dot(cross(r, g), n) / area, t = dot(cross(r, d), n) / area;
  if (!closest::is_inside(s) || !closest::is_inside(t)) return;
  n = (1 / std::sqrt(area)) * n;
  if (dot(n, cones_.outward_of_edge(f.edge) - cones_.outward_of_edge(e.edge)) < 0) n = -1. * n;
  const double gap = -dot(r, n);
  if (gap > far) return;
  const Travel moves = travel(e.surface, e.corners(), f.surface, f.corners());
  const double slack = moves.margin + std::abs(gap);
  if (!cones_.edge_holds(f.edge, n, slack) || !cones_.edge_holds(e.edge, -1. * n, slack)) return;
  const Spot on_e = segment_spot(e, s), on_f = segment_spot(f, t);
  if (is_outside(f.surface, at(on_e, 0), -gap) && is_outside(e.surface, at(on_f, 0), -gap)) return;
  add({on_e, on_f, n, moves.margin, Way::crossed}, found);
}

void NarrowPhase::rod_on_ridge(const Segment& rod, const Segment& ridge, std::vector<Candidate>& found) const {
  if (!cones_.is_ridge(ridge.edge) || have_common(rod.corner, 2, ridge.corner, 2)) return;
  if (topology_.bore_edge[ridge.edge]) return;
  const Travel moves = travel(rod.surface, rod.corners(), ridge.surface, ridge.corners());
  const double instant =
      moves.is_fast() ? nearest_instant(moves, [&](double s) { return distance(rod, ridge, s); }) : 0;
  const auto near = of_segments(rod, ridge, instant);
  if (!closest::is_inside(near.s) || !closest::is_inside(near.t)) return;
  const Spot on_rod = segment_spot(rod, near.s), on_ridge = segment_spot(ridge, near.t);
  Vec3<double> n = unit(cross(at(rod.corner[1], instant) - at(rod.corner[0], instant),
                              at(ridge.corner[1], instant) - at(ridge.corner[0], instant)));
  if (dot(n, cones_.outward_of_edge(ridge.edge)) < 0) n = -1. * n;
  const double depth = -dot(at(on_rod, instant) - at(on_ridge, instant), n);
  if (moves.is_fast() && depth > moves.radius) return;  // from behind: within a tube, say
  if (!cones_.edge_holds(ridge.edge, n, std::abs(depth)) || is_outside(ridge.surface, at(on_rod, 0), depth)) return;
  if (Spot side = on_rod; !touches_side(side, -1. * n, -depth)) return;
  add({on_rod, on_ridge, n, moves.margin, Way::crossed}, found);
}

void NarrowPhase::corner_on_rod(int surface, int corner, const Segment& rod, std::vector<Candidate>& found) const {
  if (topology_.smooth_corner[corner] || topology_.bore_corner[corner] || have_common(&corner, 1, rod.corner, 2))
    return;
  const Vec3<double>& x = scene_->corner[corner];
  const double t = closest::along(x, scene_->corner[rod.corner[0]], scene_->corner[rod.corner[1]]);
  if (!closest::is_inside(t)) return;
  const Spot on_rod = segment_spot(rod, t);
  const Vec3<double> d = x - at(on_rod, 0);
  const double length = norm(d);
  if (!(length > 0)) return;
  const Vec3<double> n = (1 / length) * d;
  if (!cones_.corner_holds(corner, -1. * n, 0)) return;
  if (Spot side = on_rod; !touches_side(side, n, length)) return;
  const Travel moves = travel(surface, {1, {corner, corner, corner}}, rod.surface, rod.corners());
  add({corner_spot(surface, corner), on_rod, n, moves.margin}, found);
}

// Where a round body dents a surface that deforms, normal cones are empty, and corners meet it as they are: each is
// kept out of it by itself, on the side where it was at the begin.
void NarrowPhase::corner_around(int surface, int corner, const Segment& round, std::vector<Candidate>& found) const {
  if (have_common(&corner, 1, round.corner, 2)) return;
  const Vec3<double> out = cones_.outward_of_corner(corner);
  const auto spot = [&](double s) {
    const double along =
        round.edge < 0 ? 0 : closest::along(at(corner, s), at(round.corner[0], s), at(round.corner[1], s));
    return segment_spot(round, std::clamp(along, 0.0, 1.0));
  };
  const auto distance = [&](double s) { return norm(at(corner, s) - at(spot(s), s)); };
  const Travel moves = travel(surface, {1, {corner, corner, corner}}, round.surface, round.corners());
  const double instant = moves.is_fast() ? nearest_instant(moves, distance) : 0;
  Spot on = spot(instant);
  const Vec3<double> d = at(corner, instant) - at(on, instant);
  const double length = norm(d);
  if (!(length > 0) || dot(out, d) >= 0) return;
  if (moves.is_fast() && length > beyond * moves.radius) return;  // they pass each other
  if (!scene_->before.empty() && dot(out, at(corner, -1) - at(on, -1)) >= 0) return;
  if (!touches_side(on, (1 / length) * d, length)) return;
  add({corner_spot(surface, corner), on, (1 / length) * d, moves.margin}, found);
}

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
  if (have_common(a.corner, 2, b.corner, 2) || distance(a, b, 0) > far) return;
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
  if (Meeting met = nearest; owns(a, near.s) && owns(b, near.t) && are_beside(a, b, near.s, near.t, instant, met))
    add(met, found);
  if (a.edge < 0 || b.edge < 0) return;
  ends_beside(a, b, nearest, false, instant, found);
  std::swap(nearest.a, nearest.b);
  nearest.n = -1. * nearest.n;
  ends_beside(b, a, nearest, true, instant, found);
}

// Do their sides touch, or the rim of one the other's side?
bool NarrowPhase::are_beside(const Segment& a, const Segment& b, double s, double t, double instant,
                             Meeting& meeting) const {
  const auto is_end = [&](const Segment& of, double along) {
    return topology_.surface[of.surface].flat_ends && (along == 0 || along == 1);
  };
  const double apart = norm(at(meeting.a, instant) - at(meeting.b, instant));
  const auto in_bore_of = [&](const Segment& tube) {  // nearer to its axis than its wall: its bore's
    const SceneSurface& surface = topology_.surface[tube.surface];
    return surface.wall > 0 && apart < surface.radius - 0.5 * surface.wall;
  };
  if (in_bore_of(a) || in_bore_of(b)) return false;
  if (is_end(a, s) && !is_end(b, t)) return rod_on_rim(a, s == 0 ? 0 : 1, b, meeting);
  if (is_end(b, t) && !is_end(a, s)) {
    std::swap(meeting.a, meeting.b);
    const bool met = rod_on_rim(b, t == 0 ? 0 : 1, a, meeting);
    std::swap(meeting.a, meeting.b);
    meeting.n = -1. * meeting.n;
    return met;
  }
  return touches_side(meeting.a, -1. * meeting.n, apart, radius_of(b)) &&
         touches_side(meeting.b, meeting.n, apart, radius_of(a));
}

// Ends of a over b, seen along nearly the same normal as the nearest points.
void NarrowPhase::ends_beside(const Segment& a, const Segment& b, const Meeting& nearest, bool inner_only,
                              double instant, std::vector<Candidate>& found) const {
  constexpr double beside = 0.9;  // cosine
  const Vec3<double> from = at(b.corner[0], instant), axis = at(b.corner[1], instant) - from;
  for (int i = 0; i < 2; ++i) {
    const Vec3<double> x = at(a.corner[i], instant);
    const double along = dot(x - from, axis) / dot(axis, axis);
    if (!(along >= -closest::zero && along <= 1 + closest::zero) || (inner_only && !closest::is_inside(along)))
      continue;
    const double t = closest::snapped(along);
    if (!owns(a, i) || !owns(b, t)) continue;
    Meeting end{segment_spot(a, i), segment_spot(b, t), {}, nearest.margin};
    if (end.a.feature == nearest.a.feature && end.b.feature == nearest.b.feature) continue;
    const Vec3<double> d = x - at(end.b, instant);
    const double length = norm(d);
    if (!(dot(d, nearest.n) > beside * length)) continue;
    end.n = (1 / length) * d;
    if (touches_side(end.a, -1. * end.n, length) && touches_side(end.b, end.n, length)) add(end, found);
  }
}

}  // namespace lithe

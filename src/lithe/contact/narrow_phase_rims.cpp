// Round surfaces with flat ends: cylinders. Their sides are met as those of rods; of the disc at an end with the
// outward axis a, the point that is furthest along n is
//
//   rim = R (n - (n . a) a) / |n - (n . a) a|    from its middle,    n . rim = R sqrt(1 - (n . a)^2).
//
// A cylinder that rolls touches a plane there, where its normal goes through the axis: what comes down beside has yet a
// gap of second order, and does not hinder it. Where an end lies flat the corners of the mesh within it are met.
#include <algorithm>
#include <cmath>

#include "lithe/contact/narrow_phase.h"

namespace lithe {
namespace {

constexpr double flat_end_sine = 1e-6;  // of the angle to the axis below which an end lies flat
constexpr double side_sine = 0.01;      // of the angle to the side, below which what touches an end touches the side
constexpr double rim_tilt = 0.1;        // of the angle by which the side may lean over its rim

}  // namespace

NarrowPhase::Spot NarrowPhase::spot_of(const CornerAndTriangle& pair) const {
  Spot spot = corner_spot(pair.surface, pair.corner);
  spot.rim = pair.rim;
  spot.on_rim = pair.on_rim;
  return spot;
}

// Outward, of the end of a round surface.
Vec3<double> NarrowPhase::end_axis(int corner) const {
  return unit(scene_->corner[corner] - scene_->corner[*topology_.corners.begin(corner)]);
}

bool NarrowPhase::rim_towards(int corner, const Vec3<double>& n, Vec3<double>& rim) const {
  const Vec3<double> a = end_axis(corner), across = n - dot(n, a) * a;
  const double sine = norm(across);
  if (sine < flat_end_sine) return false;
  rim = (topology_.surface[topology_.corner_surface[corner]].radius / sine) * across;
  return true;
}

// n: from what touches the rim to it. What lies around, the side, is in front of it, but for `slack` and a small angle.
bool NarrowPhase::end_meets(int corner, const Vec3<double>& n, double slack) const {
  const Vec3<double> d = scene_->corner[corner] - scene_->corner[*topology_.corners.begin(corner)];
  return dot(d, n) <= slack + rim_tilt * norm(d);
}

// Of round surfaces as they are, always. Of one with flat ends: is its side touched, and not an end, nor a tube from
// within? `distance`: from its axis to the other surface, or to what that has its radius around. A spot at an end goes
// to its rim.
bool NarrowPhase::touches_side(Spot& spot, const Vec3<double>& towards, double distance, double other_radius) const {
  const SceneSurface& surface = topology_.surface[spot.surface];
  if (!surface.flat_ends) return true;
  if (surface.wall > 0 && distance < surface.radius - 0.5 * surface.wall) return false;
  if (spot.weight[0] == 1) {
    if (std::abs(dot(towards, end_axis(spot.corner[0]))) > side_sine) return false;
    spot.on_rim = rim_towards(spot.corner[0], towards, spot.rim);
    return spot.on_rim;
  }
  const double length = norm(scene_->corner[spot.corner[0]] - scene_->corner[spot.corner[1]]);
  return surface.radius - (distance - other_radius) <= std::min(spot.weight[0], spot.weight[1]) * length;
}

// Rods and balls beside the end of `round`: the nearest points of its side or rim and of their axis, by projections in
// turns, which converge as both are convex. False: the end is nearest, or two rims are, which are left to the meshes
// within them.
bool NarrowPhase::rod_on_rim(const Segment& round, int end, const Segment& rod, Meeting& meeting) const {
  constexpr int turns = 40;
  const Vec3<double>&c = scene_->corner[round.corner[end]], &from = scene_->corner[round.corner[1 - end]];
  const double length = norm(c - from), radius = radius_of(round);
  const Vec3<double> a = (1 / length) * (c - from);
  double up = 0, out = 0;
  Vec3<double> side{};  // from the axis to the rod
  for (int i = 0; i < turns; ++i) {
    const Vec3<double> d = at(meeting.b, 0) - c;
    up = dot(d, a);
    side = d - up * a;
    out = norm(side);
    if (up < 0 && !(out > radius && up > -length)) return false;
    if (rod.edge < 0) break;
    const Vec3<double> x = c + std::min(up, 0.) * a + (out > radius ? radius / out : 1) * side;
    const Spot on = segment_spot(rod, closest::along(x, scene_->corner[rod.corner[0]], scene_->corner[rod.corner[1]]));
    if (norm(at(on, 0) - at(meeting.b, 0)) <= closest::zero * length) break;
    meeting.b = on;
  }
  if (!(out > radius) || (topology_.surface[rod.surface].flat_ends && meeting.b.weight[0] == 1)) return false;
  const Vec3<double> rim = (radius / out) * side;
  meeting.n = -1. * unit(side - rim + std::max(up, 0.) * a);
  meeting.a = up < 0 ? segment_spot(round, end == 0 ? -up / length : 1 + up / length)
                     : corner_spot(round.surface, round.corner[end]);
  meeting.a.on_rim = up >= 0;
  if (up >= 0) meeting.a.rim = rim;
  return true;
}

// The side beside an edge that it lies along.
void NarrowPhase::rim_beside(const CornerAndTriangle& pair, int edge, std::vector<Candidate>& found) const {
  if (edge < 0) return;
  const auto& of = topology_.edge[edge].corner;
  const Vec3<double>& x = scene_->corner[pair.corner];
  const double t = closest::along(x, scene_->corner[of[0]], scene_->corner[of[1]]);
  if (!closest::is_inside(t)) return;
  const Spot spot = segment_spot(mesh_edge(pair.other, edge), t);
  const Vec3<double> d = x - at(spot, 0);
  const double length = norm(d);
  if (!(length > 0)) return;
  const Vec3<double> n = (1 / length) * d;
  Spot side = corner_spot(pair.surface, pair.corner);
  if (!cones_.edge_holds(edge, n, 0) || !touches_side(side, -1. * n, length)) return;
  add({side, spot, n, pair.travel.margin}, found);
}

}  // namespace lithe

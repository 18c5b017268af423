// Points of contact of two parts that are near each other (narrow_phase_corners.cpp, narrow_phase_edges.cpp): pairs of
// features where the surfaces are nearest,
//
//   corner   triangle   n = normal of the triangle
//   edge     edge       n = their cross product, outward
//   corner   edge, corner, and rods and balls among each other: n from the nearer point to the other one
//   flat end triangle   n of the triangle, at the point of the rim that is furthest down (narrow_phase_rims.cpp)
//   bore     rod, ball  n towards its axis, or from its rim (narrow_phase_bores.cpp)
//
// with n inside of both features' normal cones, so that of two flat faces the corners of each within the other and the
// crossings of their rims are left: a whole face's worth of points, one normal. A corner that is D behind a triangle is
// inside, and that is its way out, only if no face of the body is nearer to it than D, but for those that it is behind
// and cannot touch; the tree of the broad phase is asked. All pairs of parts are looked at independently of each other;
// manifold.h sees two surfaces as a whole.
//
// Side of approach. Where the scene has `before`, a corner that went through a triangle is held by the triangle that it
// went through, however far behind it is: at the instant s in [-1, 1] of the step (begin, now, end) when it passes the
// triangle's plane it has to be inside. Balls and rods that move further than their radius are looked at when they
// first touch on the way they are expected to go, or where they pass nearest. The gap is always that of now, along the
// normal of that instant.
//
// Edges of meshes that went through each other since the begin are likewise held on the side where they were.
//
// Not found: a body that lies wholly inside another one (containment.h looks for them before a run); two tips that have
// just crossed beside each other, with no corner of one inside the other yet. An overlap deeper than radii and motions
// of the step is found as far as the boxes of parts see it.
#pragma once

#include <algorithm>
#include <vector>

#include "lithe/contact/activation.h"
#include "lithe/contact/broad_phase.h"
#include "lithe/contact/closest_points.h"
#include "lithe/contact/normal_cones.h"

namespace lithe {

// What the manifold has to look at: two edges that cross, as they are or since the begin of the step; a corner behind a
// face that it can meet, and less deep behind another one that it cannot.
enum class Way : std::uint8_t { plain, crossed, passed, beside_a_face };

struct Candidate {
  ContactPoint point;
  double depth;  // m, of one's corner, edge or face behind the other's, without radii
  Way way;
};

class NarrowPhase {
 public:
  NarrowPhase(const SurfaceTopology& topology, const NormalCones& cones, const BroadPhase& broad_phase)
      : topology_(topology), cones_(cones), broad_phase_(broad_phase) {}
  void look_at(const ContactScene& scene, Activation activation) { scene_ = &scene, activation_ = activation; }

  // What is further apart than `far`, m, is not looked at closely.
  void meet(int part, int other, double far, std::vector<Candidate>& found) const;
  void meet_plane(int plane, int part, std::vector<Candidate>& found) const;

 private:
  // A point of a feature by weights of corners.
  struct Spot {
    int surface;
    std::int32_t corner[3];
    double weight[3];
    std::uint64_t feature;
    Vec3<double> rim{};  // from there, at the flat end of a round surface, to the point of its rim
    bool on_rim = false;
  };
  // Where two features meet: n from b to a.
  struct Meeting {
    Spot a, b;
    Vec3<double> n;
    double margin;  // m, what the step can close
    Way way = Way::plain;
  };
  struct Corners {
    int count;
    std::int32_t corner[3];
  };
  // A rod's edge, a ball (both ends the same), or an edge of a mesh.
  struct Segment {
    int surface, part;  // part -1: of a mesh
    std::int32_t edge;  // -1: a ball
    std::int32_t corner[2];
    Corners corners() const { return {2, {corner[0], corner[1], corner[1]}}; }
  };
  // How two features came towards each other, the most of any two of their corners; and how far they may still come:
  // contact may stop either of them, so this is what both move, together or not.
  struct Travel {
    double radius;          // m, of both
    double before, margin;  // m, since the begin of the step and to its end
    bool is_fast() const { return radius > 0 && before + margin > radius; }
    double speed() const { return before > margin ? before : margin; }
  };
  // A corner and a triangle that are looked at.
  struct CornerAndTriangle {
    int surface;
    std::int32_t corner;
    int other;
    std::int32_t triangle;
    Travel travel;
    Vec3<double> rim{};  // from the corner to the point that is looked at
    bool on_rim = false;
  };

  Vec3<double> at(int c, double instant) const {
    if (instant == 0) return scene_->corner[c];
    if (instant > 0) return scene_->corner[c] + instant * scene_->move[c];
    return scene_->corner[c] + instant * (scene_->corner[c] - scene_->before[c]);
  }
  Vec3<double> at(const Spot& spot, double instant) const;
  Travel travel(int surface, const Corners& a, int other, const Corners& b) const;
  double came(const Corners& a, const Corners& b) const;
  double reach(const Corners& of) const;
  bool has_nearer_face(const CornerAndTriangle& pair, double depth, double instant, bool& is_beside) const;
  bool goes_in(const CornerAndTriangle& pair, int t, double depth) const;
  bool is_outside(int surface, const Vec3<double>& x, double depth, double instant = 0) const;
  bool came_from_behind(const CornerAndTriangle& pair) const;
  template <class Counts>
  bool any_nearer(int surface, const Vec3<double>& x, double depth, double instant, Counts&& counts) const;
  bool knew_at_rest(const Meeting& meeting, double distance, double radius) const;
  template <class Distance>
  double nearest_instant(const Travel& travel, Distance&& distance) const;

  Spot corner_spot(int surface, int corner) const;
  Spot triangle_spot(int surface, int t, const double* weight) const;
  Spot segment_spot(const Segment& segment, double t) const;
  Segment segment_of(int part) const;
  Segment mesh_edge(int surface, int edge) const;
  bool owns(const Segment& segment, double t) const;
  double radius_of(const Segment& segment) const { return topology_.surface[segment.surface].radius; }

  enum class Side { before, behind, both };
  Side side(int triangle, int other, double far) const;
  int edge_of(int triangle, const double* weight) const;
  double height(const CornerAndTriangle& pair, double instant) const;
  Vec3<double> where(const CornerAndTriangle& pair, double instant) const {
    return at(pair.corner, instant) + pair.rim;
  }
  closest::OnTriangle foot(const Vec3<double>& x, int triangle, double instant) const;
  closest::OfLines of_segments(const Segment& a, const Segment& b, double instant) const;
  double distance(const CornerAndTriangle& pair, double instant) const;
  double distance(const Segment& a, const Segment& b, double instant) const;

  void add(const Meeting& meeting, std::vector<Candidate>& found) const;
  void add(const Meeting& meeting, const Vec3<double>& pa, const Vec3<double>& pb, std::vector<Candidate>& found) const;

  void triangles_meet(int part, int other, double far, std::vector<Candidate>& found) const;
  void triangle_meets_round(int triangle, int round, double far, std::vector<Candidate>& found) const;
  void rounds_meet(const Segment& a, const Segment& b, double far, std::vector<Candidate>& found) const;

  void corners_on_triangle(const ScenePart& part, const ScenePart& triangle, double far,
                           std::vector<Candidate>& found) const;
  void corner_on_triangle(CornerAndTriangle pair, double far, std::vector<Candidate>& found) const;
  bool went_through(const CornerAndTriangle& pair, std::vector<Candidate>& found) const;
  bool will_land(const CornerAndTriangle& pair, std::vector<Candidate>& found) const;
  void over_triangle(const CornerAndTriangle& pair, const double* weight, double instant, bool passed,
                     std::vector<Candidate>& found) const;
  void near_rim(const CornerAndTriangle& pair, const double* weight, double instant,
                std::vector<Candidate>& found) const;
  void beside(const CornerAndTriangle& pair, const Spot& spot, int edge, double instant,
              std::vector<Candidate>& found) const;
  Spot spot_of(const CornerAndTriangle& pair) const;
  Vec3<double> end_axis(int corner) const;
  bool rim_towards(int corner, const Vec3<double>& n, Vec3<double>& rim) const;
  bool end_meets(int corner, const Vec3<double>& n, double slack) const;
  bool touches_side(Spot& spot, const Vec3<double>& towards, double distance, double other_radius = 0) const;
  void bore_meets(const Segment& bore, const Segment& round, std::vector<Candidate>& found) const;
  bool is_within(const Segment& bore, const Spot& spot) const;
  void bore_around(const Segment& bore, const Segment& round, int end, std::vector<Candidate>& found) const;
  void bore_rim_meets(const Segment& bore, int end, const Segment& round, std::vector<Candidate>& found) const;
  bool rod_on_rim(const Segment& round, int end, const Segment& rod, Meeting& meeting) const;
  bool are_beside(const Segment& a, const Segment& b, double s, double t, double instant, Meeting& meeting) const;
  void rim_beside(const CornerAndTriangle& pair, int edge, std::vector<Candidate>& found) const;
  double volume(const Segment& e, const Segment& f, double instant) const;
  bool edges_passed(const Segment& e, const Segment& f, double now, std::vector<Candidate>& found) const;
  void edges_meet(const Segment& e, const Segment& f, double far, std::vector<Candidate>& found) const;
  void rod_on_ridge(const Segment& rod, const Segment& ridge, std::vector<Candidate>& found) const;
  void corner_around(int surface, int corner, const Segment& round, std::vector<Candidate>& found) const;
  void corner_on_rod(int surface, int corner, const Segment& rod, std::vector<Candidate>& found) const;
  void ends_beside(const Segment& a, const Segment& b, const Meeting& nearest, bool inner_only, double instant,
                   std::vector<Candidate>& found) const;
  Vec3<double> direction(const Segment& a, const Segment& b, const Spot& sa, const Spot& sb, double instant) const;

  const SurfaceTopology& topology_;
  const NormalCones& cones_;
  const BroadPhase& broad_phase_;
  const ContactScene* scene_ = nullptr;
  Activation activation_ = Activation::speculative;
};

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

}  // namespace lithe

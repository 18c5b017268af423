// Which points may press: found, made pairs of features, matched with what the State remembers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "lithe/dynamics/contact_forces.h"
#include "lithe/dynamics/contact_start.h"

namespace lithe {

namespace {

// Points are found as far as features would go in so many steps: forces of the step change its way.
constexpr double ways_ahead = 2;
// Sine of the angle below which two edges are parallel: where they cross then depends on hardly anything.
constexpr double parallel = 0.1;
// As far as points are looked for that press already, over the size of the model: at a start; and over the depth of the
// deepest one, where that is known.
constexpr double first_margin = 0.02, depth_margin = 2;
// Distance over the radii below which the direction between two points means nothing.
constexpr double too_near = 0.1;
// Cosine of a normal and that of a triangle which it is, less than this from 1.
constexpr double same_normal = 1e-9;
// Depth that counts in a comparison of sets, over the size of the model.
constexpr double no_depth = 1e-12;

}  // namespace

void ContactForces::check_start(const State& state) {
  surfaces_.place(state.q, state.v, state.t, 0, scene_);
  scene_.before.clear();
  scene_.margin = first_margin * system_.length_scale;
  check_contact_start(system_, scene_, detection_.detect(scene_, Activation::touching), team_);
}

void ContactForces::find(const State& begin, double h) {
  h_ = h;
  look_ahead(begin, h);
  if (recalled_ && evaluated_) last_.swap(points_);
  recalled_ = false;
  double deepest = 0;
  for (const Point& point : last_) deepest = std::fmax(deepest, -point.forces.gap);
  set_points(begin, begin, depth_margin * deepest);
}

void ContactForces::find_first(const State& begin, double h) {
  h_ = 0;
  look_ahead(begin, h);
  last_.clear();
  set_points(begin, begin, first_margin * system_.length_scale);
}

void ContactForces::look_ahead(const State& begin, double h) {
  rates_.resize(begin.v.size());
  for (std::size_t i = 0; i < rates_.size(); ++i)
    rates_[i] = ways_ahead * (begin.v[i] + (begin.a.empty() ? 0 : 0.5 * h * begin.a[i]));
  surfaces_.place(begin.q, rates_, begin.t, h, scene_);
  scene_.before.clear();
}

// Where corners were at `begin` tells what went through each other on the way.
void ContactForces::find_near(const State& state, const State& begin, double reach) {
  h_ = 1;
  surfaces_.place(begin.q, begin.v, begin.t, 0, scene_);
  scene_.before = scene_.corner;
  surfaces_.place(state.q, state.v, state.t, 0, scene_);
  const std::vector<Point> before = points_;
  if (recalled_ && evaluated_) last_.swap(points_);
  recalled_ = false;
  set_points(state, begin, reach);
  // What is new takes its tangential stiffness from the last equilibrium at this load.
  const auto key = [](const Point& p) { return std::tuple(p.surface[0], p.surface[1], p.feature[0], p.feature[1]); };
  for (Point& point : points_) {
    if (point.history.tangential > 0 || point.law.friction == 0) continue;
    const auto found =
        std::ranges::find_if(before, [&](const Point& other) { return other.presses() && key(other) == key(point); });
    if (found != before.end()) point.history.tangential = tangential_slope(*found);
  }
}

bool ContactForces::same_features(const State& state) {
  evaluate(state);
  surfaces_.place(state.q, state.v, state.t, 0, scene_);
  using Key = std::tuple<double, double, double, double>;
  std::vector<Key> known, pressing, found;
  const double rounding = no_depth * system_.length_scale;
  for (const Point& point : points_) {
    known.emplace_back(point.surface[0], point.surface[1], point.feature[0], point.feature[1]);
    if (point.forces.gap < -rounding) pressing.push_back(known.back());
    if (point.presses() && point.law.friction > 0 && !(point.history.tangential > 0)) return false;
  }
  for (const ContactPoint& point : detection_.detect(scene_, Activation::touching))
    if (point.gap < -rounding)
      found.emplace_back(point.a.surface, point.b.surface, static_cast<double>(point.a.feature),
                         static_cast<double>(point.b.feature));
  for (auto* keys : {&known, &pressing, &found}) std::ranges::sort(*keys);
  return std::ranges::includes(known, found) && std::ranges::includes(found, pressing);
}

// The scene is placed at `here`.
void ContactForces::set_points(const State& here, const State& begin, double margin) {
  recalled_ = evaluated_ = false;
  points_.clear();
  scene_.margin = margin;
  place_obstacles(here.t);
  for (const ContactPoint& point : detection_.detect(scene_)) points_.push_back(make_point(point, here));
  place_obstacles(begin.t);
  for (Point& point : points_) {
    gather(begin, point, point.begin, point.v);
    penalty_forces(point.pair, point.law, point.history, point.begin, point.begin, point.v, point.forces);
    point.approach = point.forces.gap >= 0 ? -point.forces.rate : 0;
  }
  remember_stretches(begin.slots);
  cover();
}

ContactForces::Point ContactForces::make_point(const ContactPoint& found, const State& here) const {
  Point point;
  point.entry = surfaces_.entry(found.a.surface, found.b.surface);
  point.rim = {};
  const ContactSide* sides[2]{&found.a, &found.b};
  for (int s = 0; s < 2; ++s) {
    const ContactSide& from = *sides[s];
    PenaltySide& side = point.pair.side[s];
    point.surface[s] = from.surface;
    point.feature[s] = static_cast<double>(from.feature);
    for (int i = 0; i < 3; ++i) {
      point.corner[s][i] = from.corner[i];
      side.weight[i] = from.corner[i] >= 0 ? from.weight[i] : 0;
      side.corners += from.corner[i] >= 0;
    }
  }
  point.pair.normal = found.normal;
  choose_kind(found, point);
  for (int s = 0; s < 2; ++s) set_side(point, s);
  for (int s = 0; s < 2; ++s)
    if (is_end(point, s) && point.pair.kind == PenaltyPair::Kind::fixed) {
      Vec3<double> x[most_penalty_vectors], v[most_penalty_vectors];
      gather(here, point, x, v);
      const Vec3<double>* frame = x + (s == 0 ? 0 : point.pair.side[0].vectors());
      const Vec3<double> from = sides[s]->point - frame[0];
      point.rim = {{dot(from, frame[1]), dot(from, frame[2]), dot(from, frame[3])}};
      set_side(point, s);
    }
  set_law(point);
  return point;
}

// Flat, of a cylinder: what touches it touches its rim.
bool ContactForces::is_end(const Point& point, int s) const {
  return scene_.surface[point.surface[s]].flat_ends && point.pair.side[s].corners == 1;
}

// What follows from corners and kind. Ends of cylinders touch at their rim where the other side is a face; in other
// pairs of theirs n and the point of the rim, in place of the corner, stay as they were found.
void ContactForces::set_side(Point& point, int s) const {
  PenaltySide& side = point.pair.side[s];
  const SceneSurface& surface = scene_.surface[point.surface[s]];
  side.framed = surfaces_.is_obstacle(point.surface[s]) || surfaces_.frame(point.surface[s]) >= 0;
  side.radius = surface.radius;
  for (int i = 0; i < side.corners && side.framed; ++i) side.in_frame[i] = surfaces_.in_frame(point.corner[s][i]);
  if (!is_end(point, s)) return;
  if (point.pair.kind == PenaltyPair::Kind::fixed) {
    side.in_frame[0] = point.rim;
    side.radius = 0;
    return;
  }
  const std::int32_t end = point.corner[s][0], other = 2 * surface.first_corner + 1 - end;
  side.axis = unit(surfaces_.in_frame(end) - surfaces_.in_frame(other));
  side.rim = side.radius;
  side.radius = 0;
}

// A feature that is an edge or a corner of a face whose normal was found is met as that face.
void ContactForces::choose_kind(const ContactPoint& found, Point& point) const {
  using Kind = PenaltyPair::Kind;
  PenaltyPair& pair = point.pair;
  const ContactSide* sides[2]{&found.a, &found.b};
  for (const int s : {1, 0}) {
    if (pair.side[1 - s].corners != 1) continue;
    const int t = triangle_of(*sides[s], (s == 1 ? 1.0 : -1.0) * found.normal);
    if (t < 0) continue;
    pair.kind = s == 1 ? Kind::over_b : Kind::over_a;
    pair.side[s].corners = 3;
    for (int i = 0; i < 3; ++i) {
      point.corner[s][i] = scene_.triangle[t][i];
      pair.side[s].weight[i] = 0;
      for (int k = 0; k < 3; ++k)
        if (sides[s]->corner[k] == scene_.triangle[t][i]) pair.side[s].weight[i] = sides[s]->weight[k];
    }
    return;
  }
  pair.kind = Kind::fixed;
  if (is_end(point, 0) || is_end(point, 1)) return;
  const auto corner = [&](int s, int i) { return scene_.corner[sides[s]->corner[i]]; };
  const int of_a = pair.side[0].corners, of_b = pair.side[1].corners;
  if (of_a == 2 && of_b == 2) {
    const Vec3<double> d = corner(0, 1) - corner(0, 0), e = corner(1, 1) - corner(1, 0), square = cross(d, e);
    if (norm(square) > parallel * norm(d) * norm(e)) {
      pair.kind = Kind::crossed;
      pair.sign = dot(square, found.normal) < 0 ? -1 : 1;
    }
  } else if (of_a <= 2 && of_b <= 2) {
    const double radius = scene_.surface[point.surface[0]].radius + scene_.surface[point.surface[1]].radius,
                 distance = found.gap + radius;
    // In a bore, with its negative radius, the one direction in which the other side is nearest to it.
    const bool bore = scene_.surface[point.surface[0]].is_bore() || scene_.surface[point.surface[1]].is_bore();
    const auto spot = [&](int s) {
      Vec3<double> x{};
      for (int i = 0; i < pair.side[s].corners; ++i) x = x + pair.side[s].weight[i] * corner(s, i);
      return x;
    };
    const bool nearest = !bore || norm(spot(0) - spot(1)) <= (1 + same_normal) * std::fabs(distance);
    if (std::fabs(distance) > too_near * std::fabs(radius) && radius != 0 && nearest) {
      pair.kind = Kind::apart;
      pair.sign = distance < 0 ? -1 : 1;
    }
  }
}

// Around a feature, with that normal; -1: none.
int ContactForces::triangle_of(const ContactSide& side, const Vec3<double>& normal) const {
  const int first = side.corner[0];
  for (const auto* t = triangles_.begin(first); t < triangles_.end(first); ++t) {
    const auto& of = scene_.triangle[*t];
    const auto has = [&](int c) { return c < 0 || c == of[0] || c == of[1] || c == of[2]; };
    if (!has(side.corner[1]) || !has(side.corner[2])) continue;
    const Vec3<double> n =
        cross(scene_.corner[of[1]] - scene_.corner[of[0]], scene_.corner[of[2]] - scene_.corner[of[0]]);
    if (dot(n, normal) > (1 - same_normal) * norm(n)) return *t;
  }
  return -1;
}

void ContactForces::set_law(Point& point) const {
  const Contact& contact = contact_of(point.entry);
  point.law = {stiffness_.of(point.entry, point.surface[0], point.surface[1]), contact.exponent, contact.damping,
               contact.friction, contact.tangential_damping};
  if (contact.tangential_stiffness) point.history.tangential = *contact.tangential_stiffness;
  else if (contact.exponent == 1) point.history.tangential = tangential_slope(point);  // at any depth
}

// From the points of the State: of the same features, else of one that is the same, where the other one went on to its
// neighbour.
void ContactForces::remember_stretches(const Slots& slots) {
  const int slot = slots.count() - 1, kept = slots.size(slot) / remembered;
  if (kept == 0) return;
  using Key = std::tuple<double, double, double, double>;
  const double* last = slots[slot];
  std::vector<std::pair<Key, int>> all, by_a, by_b;
  for (int k = 0; k < kept; ++k) {
    const double* p = last + remembered * k;
    all.emplace_back(Key(p[0], p[1], p[2], p[3]), k);
    by_a.emplace_back(Key(p[0], p[1], p[2], 0), k);
    by_b.emplace_back(Key(p[0], p[1], p[3], 0), k);
  }
  std::vector<char> used(kept, 0), has(points_.size(), 0);
  for (auto* index : {&all, &by_a, &by_b}) {
    std::ranges::sort(*index);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (has[i]) continue;
      Point& point = points_[i];
      const double a = point.surface[0], b = point.surface[1];
      const Key key = index == &all    ? Key(a, b, point.feature[0], point.feature[1])
                      : index == &by_a ? Key(a, b, point.feature[0], 0)
                                       : Key(a, b, point.feature[1], 0);
      for (auto found = std::ranges::lower_bound(*index, std::pair(key, -1)); found != index->end(); ++found) {
        if (found->first != key) break;
        if (used[found->second]) continue;
        point.history = read(last + remembered * found->second).history;
        used[found->second] = has[i] = 1;
        break;
      }
    }
  }
}

// Places for the blocks of all points in the matrix.
void ContactForces::cover() {
  std::vector<ContactPattern::Pair> needed;
  std::vector<std::int32_t> vectors;
  for (const Point& point : points_) {
    vectors.clear();
    for_moving(point, [&](int local, int) {
      for_vectors(point, local, [&](int vector, double) { vectors.push_back(vector); });
    });
    std::ranges::sort(vectors);
    vectors.erase(std::unique(vectors.begin(), vectors.end()), vectors.end());
    for (std::size_t i = 0; i < vectors.size(); ++i)
      for (std::size_t j = i + 1; j < vectors.size(); ++j)
        if (!pattern_.in_system(vectors[i], vectors[j])) needed.emplace_back(vectors[i], vectors[j]);
  }
  pattern_.cover(needed);
}

}  // namespace lithe

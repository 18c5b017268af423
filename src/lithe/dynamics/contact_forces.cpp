#include "lithe/dynamics/contact_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "lithe/base/error.h"
#include "lithe/system/pattern.h"

namespace lithe {

namespace {

// Points are found as far as features would go in so many steps: forces of the step change its way.
constexpr double ways_ahead = 2;
// Tangential slope over the normal one, 2 (1 - nu) / (2 - nu) for nu = 0.3 (R. D. Mindlin 1949).
constexpr double tangential_share = 0.82;
// Sine of the angle below which two edges are parallel: where they cross then depends on hardly anything.
constexpr double parallel = 0.1;
// Distance over the radii below which the direction between two points means nothing.
constexpr double too_near = 0.1;
// Cosine of a normal and that of a triangle which it is, less than this from 1.
constexpr double same_normal = 1e-9;
// Depth that counts in a comparison of sets, over the size of the model.
constexpr double no_depth = 1e-12;
// Numbers that the State keeps of a point.
constexpr int remembered = 25;
constexpr int points_at_once = 16;

int chunks_of(std::size_t count) { return static_cast<int>((count + points_at_once - 1) / points_at_once); }

}  // namespace

ContactForces::ContactForces(const System& system, Team& team)
    : system_(system),
      surfaces_(*system.contact_surfaces),
      team_(team),
      stiffness_(system, surfaces_),
      pattern_(system),
      scene_(surfaces_.topology()),
      detection_(
          surfaces_.topology(), [this](int a, int b) { return surfaces_.may_touch(a, b); }, &team),
      pose_(surfaces_.topology().surface.size()) {
  triangles_.start.assign(scene_.corner.size() + 1, 0);
  for (const auto& triangle : scene_.triangle)
    for (const int c : triangle) ++triangles_.start[c + 1];
  for (std::size_t c = 0; c < scene_.corner.size(); ++c) triangles_.start[c + 1] += triangles_.start[c];
  triangles_.items.resize(triangles_.start.back());
  std::vector<std::int32_t> next(triangles_.start.begin(), triangles_.start.end() - 1);
  for (std::size_t t = 0; t < scene_.triangle.size(); ++t)
    for (const int c : scene_.triangle[t]) triangles_.items[next[c]++] = static_cast<std::int32_t>(t);
}

// ---- where things are ----

void ContactForces::place_obstacles(double t) {
  for (std::size_t s = 0; s < pose_.size(); ++s)
    if (surfaces_.is_obstacle(static_cast<int>(s))) pose_[s] = surfaces_.pose_of(static_cast<int>(s), t);
}

void ContactForces::gather(const State& state, const Point& point, Vec3<double>* x, Vec3<double>* v) const {
  const auto at = [](const std::vector<double>& q, int vector) {
    return Vec3<double>{{q[3ul * vector], q[3ul * vector + 1], q[3ul * vector + 2]}};
  };
  int local = 0;
  for (int s = 0; s < 2; ++s) {
    const PenaltySide& side = point.pair.side[s];
    if (surfaces_.is_obstacle(point.surface[s])) {
      const ObstaclePose& pose = pose_[point.surface[s]];
      x[local] = pose.origin;
      const double moves = state.a.empty() ? 0 : 1;  // in statics nothing has a rate
      v[local++] = moves * pose.velocity;
      for (int m = 0; m < 3; ++m, ++local) {
        x[local] = column(pose.frame, m);
        v[local] = moves * cross(pose.spin, x[local]);
      }
    } else if (side.framed) {
      const int first = surfaces_.frame(point.surface[s]);
      for (int k = 0; k < 4; ++k, ++local) {
        x[local] = at(state.q, first + k);
        v[local] = at(state.v, first + k);
      }
    } else {
      for (int i = 0; i < side.corners; ++i, ++local) {
        x[local] = v[local] = {};
        surfaces_.for_corner(point.corner[s][i], [&](int vector, double weight) {
          x[local] = x[local] + weight * at(state.q, vector);
          v[local] = v[local] + weight * at(state.v, vector);
        });
      }
    }
  }
}

template <class Action>
void ContactForces::for_moving(const Point& point, Action&& action) const {
  int local = 0, scalar = 0;
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < point.pair.side[s].vectors(); ++k, ++local)
      if (!surfaces_.is_obstacle(point.surface[s])) {
        action(local, scalar);
        scalar += 3;
      }
}

template <class Action>
void ContactForces::for_vectors(const Point& point, int local, Action&& action) const {
  const int s = side_of(point, local), k = s == 0 ? local : local - point.pair.side[0].vectors();
  const auto masters = [&](int vector, double weight) {
    for_masters(system_, vector, [&](int own, double share) { action(own, weight * share); });
  };
  if (point.pair.side[s].framed) return masters(surfaces_.frame(point.surface[s]) + k, 1.0);
  surfaces_.for_corner(point.corner[s][k], masters);
}

// ---- which points ----

void ContactForces::check_start(const State& state) {
  surfaces_.place(state.q, state.v, state.t, 0, scene_);
  const ContactPoint* worst = nullptr;
  for (const ContactPoint& point : detection_.detect(scene_, Activation::touching)) {
    const Contact& contact = contact_of(surfaces_.entry(point.a.surface, point.b.surface));
    if (contact.initial_overlap == InitialOverlap::accept || point.gap >= -1e-9 * system_.length_scale) continue;
    if (!worst || point.gap < worst->gap) worst = &point;
  }
  if (!worst) return;
  const Vec3<double>& at = worst->a.point;
  throw RunError(
      fmt::format("{} and {} overlap by {:.3g} m at the start, at ({:.4g}, {:.4g}, {:.4g}); move them apart, or write "
                  "'initial_overlap: accept' in their contact",
                  surfaces_.name(worst->a.surface), surfaces_.name(worst->b.surface), -worst->gap, at[0], at[1], at[2]));
}

void ContactForces::find(const State& begin, double h) {
  rates_.resize(begin.v.size());
  for (std::size_t i = 0; i < rates_.size(); ++i)
    rates_[i] = ways_ahead * (begin.v[i] + (begin.a.empty() ? 0 : 0.5 * h * begin.a[i]));
  surfaces_.place(begin.q, rates_, begin.t, h, scene_);
  set_points(begin, detection_.detect(scene_));
}

// All corners are said to go the same way: they come no nearer to each other, and are looked at as far as they go. Where
// they were at `begin` tells what went through each other on the way.
void ContactForces::find_near(const State& state, const State& begin, double reach) {
  surfaces_.place(begin.q, begin.v, begin.t, 0, scene_);
  scene_.before = scene_.corner;
  surfaces_.place(state.q, state.v, state.t, 0, scene_);
  std::ranges::fill(scene_.move, Vec3<double>{{0.5 * reach, 0, 0}});
  set_points(begin, detection_.detect(scene_));
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
  }
  for (const ContactPoint& point : detection_.detect(scene_, Activation::touching))
    if (point.gap < -rounding)
      found.emplace_back(point.a.surface, point.b.surface, static_cast<double>(point.a.feature),
                         static_cast<double>(point.b.feature));
  for (auto* keys : {&known, &pressing, &found}) std::ranges::sort(*keys);
  return std::ranges::includes(known, found) && std::ranges::includes(found, pressing);
}

void ContactForces::set_points(const State& begin, const std::vector<ContactPoint>& found) {
  if (recalled_ && evaluated_) last_.swap(points_);
  recalled_ = evaluated_ = false;
  points_.clear();
  place_obstacles(begin.t);
  for (const ContactPoint& point : found) {
    points_.push_back(make_point(point, surfaces_.entry(point.a.surface, point.b.surface)));
    gather(begin, points_.back(), points_.back().begin, points_.back().v);
  }
  remember_stretches(begin.slots);
  cover();
}

ContactForces::Point ContactForces::make_point(const ContactPoint& found, int entry) const {
  Point point;
  point.entry = entry;
  const ContactSide* sides[2]{&found.a, &found.b};
  for (int s = 0; s < 2; ++s) {
    const ContactSide& from = *sides[s];
    PenaltySide& side = point.pair.side[s];
    point.surface[s] = from.surface;
    point.feature[s] = static_cast<double>(from.feature);
    side.framed = surfaces_.is_obstacle(from.surface) || surfaces_.frame(from.surface) >= 0;
    side.radius = scene_.surface[from.surface].radius;
    for (int i = 0; i < 3; ++i) {
      point.corner[s][i] = from.corner[i];
      side.weight[i] = from.corner[i] >= 0 ? from.weight[i] : 0;
      side.corners += from.corner[i] >= 0;
    }
  }
  point.pair.normal = found.normal;
  choose_kind(found, point);
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < point.pair.side[s].corners && point.pair.side[s].framed; ++i)
      point.pair.side[s].in_frame[i] = surfaces_.in_frame(point.corner[s][i]);
  set_law(point);
  return point;
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
  const auto corner = [&](int s, int i) { return scene_.corner[sides[s]->corner[i]]; };
  const int of_a = pair.side[0].corners, of_b = pair.side[1].corners;
  if (of_a == 2 && of_b == 2) {
    const Vec3<double> d = corner(0, 1) - corner(0, 0), e = corner(1, 1) - corner(1, 0), square = cross(d, e);
    if (norm(square) > parallel * norm(d) * norm(e)) {
      pair.kind = Kind::crossed;
      pair.sign = dot(square, found.normal) < 0 ? -1 : 1;
      return;
    }
  } else if (of_a <= 2 && of_b <= 2) {
    const double radius = pair.side[0].radius + pair.side[1].radius, distance = found.gap + radius;
    if (std::fabs(distance) > too_near * radius && radius > 0) {
      pair.kind = Kind::apart;
      pair.sign = distance < 0 ? -1 : 1;
      return;
    }
  }
  pair.kind = Kind::fixed;
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

// ---- what the State keeps ----

void ContactForces::write(const Point& point, std::vector<double>& to) const {
  const PenaltyPair& pair = point.pair;
  for (const double number : {double(point.surface[0]), double(point.surface[1]), point.feature[0], point.feature[1],
                              double(static_cast<int>(pair.kind)), pair.sign})
    to.push_back(number);
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < 3; ++i) to.push_back(i < pair.side[s].corners ? point.corner[s][i] : -1);
  for (int m = 0; m < 3; ++m) to.push_back(pair.normal[m]);
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < 3; ++i) to.push_back(pair.side[s].weight[i]);
  for (int m = 0; m < 3; ++m) to.push_back(point.history.stretch[m]);
  to.push_back(point.history.tangential);
}

ContactForces::Point ContactForces::read(const double* from) const {
  Point point;
  PenaltyPair& pair = point.pair;
  pair.kind = static_cast<PenaltyPair::Kind>(static_cast<int>(from[4]));
  pair.sign = from[5];
  for (int m = 0; m < 3; ++m) {
    pair.normal[m] = from[12 + m];
    point.history.stretch[m] = from[21 + m];
  }
  for (int s = 0; s < 2; ++s) {
    PenaltySide& side = pair.side[s];
    point.surface[s] = static_cast<std::int32_t>(from[s]);
    point.feature[s] = from[2 + s];
    side.framed = surfaces_.is_obstacle(point.surface[s]) || surfaces_.frame(point.surface[s]) >= 0;
    side.radius = scene_.surface[point.surface[s]].radius;
    for (int i = 0; i < 3; ++i) {
      const int corner = point.corner[s][i] = static_cast<std::int32_t>(from[6 + 3 * s + i]);
      side.weight[i] = from[15 + 3 * s + i];
      if (corner < 0) continue;
      ++side.corners;
      if (side.framed) side.in_frame[i] = surfaces_.in_frame(corner);
    }
  }
  point.entry = surfaces_.entry(point.surface[0], point.surface[1]);
  set_law(point);
  point.history.tangential = from[24];
  return point;
}

void ContactForces::recall(const State& state, const Slots& from) {
  const int slot = from.count() - 1, kept = from.size(slot) / remembered;
  points_.clear();
  place_obstacles(state.t);
  for (int k = 0; k < kept; ++k) {
    points_.push_back(read(from[slot] + remembered * k));
    gather(state, points_.back(), points_.back().begin, points_.back().v);
  }
  recalled_ = true;
  evaluated_ = points_.empty();
}

void ContactForces::resume(const State& state) {
  const int slot = contact_slot(system_, state.slots, 0) - 1;
  std::vector<ContactPattern::Pair> pairs;
  for (int k = 0; k + 1 < state.slots.size(slot); k += 2)
    pairs.emplace_back(static_cast<std::int32_t>(state.slots[slot][k]),
                       static_cast<std::int32_t>(state.slots[slot][k + 1]));
  pattern_.set(pairs);
  recall(state, state.slots);
}

void ContactForces::keep(const State& state, State& to) {
  evaluate(state);
  Slots& slots = to.slots;
  const int first = contact_slot(system_, slots, 0), last = slots.count() - 1;
  for (int slot = first; slot < last; ++slot) {
    double* sums = slots[slot];
    std::fill(sums, sums + ContactSums::work_normal, 0.0);
    sums[ContactSums::gap] = std::numeric_limits<double>::quiet_NaN();
  }
  kept_.clear();
  for (Point& point : points_) {
    const PenaltyForces<double>& f = point.forces;
    double* sums = slots[first + point.entry];
    sums[ContactSums::gap] = std::fmin(sums[ContactSums::gap], f.gap);
    if (!point.presses()) continue;
    sums[ContactSums::points] += 1;
    sums[ContactSums::normal] += f.normal;
    sums[ContactSums::friction] += norm(f.friction);
    const double sign = surfaces_.side_of(point.entry, point.surface[0], point.surface[1]);
    for (int m = 0; m < 3; ++m)
      sums[ContactSums::force + m] += sign * (f.normal * f.direction[m] + f.friction[m]);
    PenaltyHistory& history = point.history;
    history.stretch = f.stretch;
    if (!contact_of(point.entry).tangential_stiffness) {
      // Stiffer than ever before: the force stays.
      const double slope = tangential_share * point.law.stiffness * point.law.exponent *
                           std::pow(-f.gap, point.law.exponent - 1);
      if (slope > history.tangential) {
        if (history.tangential > 0)
          history.stretch = history.stretch + (1 / history.tangential - 1 / slope) * f.friction;
        history.tangential = slope;
      }
    }
    write(point, kept_);
  }
  slots.resize(last, static_cast<int>(kept_.size()));
  std::ranges::copy(kept_, slots[last]);
  slots.resize(first - 1, static_cast<int>(2 * pattern_.pairs().size()));
  double* pairs = slots[first - 1];
  for (const auto& [vector, other] : pattern_.pairs()) {
    *pairs++ = vector;
    *pairs++ = other;
  }
  recall(state, slots);
}

void ContactForces::accept(const State& state, State& to) {
  evaluate(state);
  const int first = contact_slot(system_, to.slots, 0);
  const auto add_half = [&](const Point& point, const Vec3<double>* from, const Vec3<double>* until) {
    double all = 0, rubbed = 0, driven = 0;
    const int count = point.pair.vectors();
    for (int k = 0; k < count; ++k) {
      const Vec3<double> way = until[k] - from[k];
      const double work = 0.5 * dot(point.forces.force[k], way);
      all += work;
      rubbed += 0.5 * dot(point.forces.rub[k], way);
      if (surfaces_.is_obstacle(point.surface[side_of(point, k)])) driven += work;
    }
    double* sums = to.slots[first + point.entry];
    sums[ContactSums::work_normal] += all - rubbed;
    sums[ContactSums::work_friction] += rubbed;
    to.energy.contact += all;
    to.energy.drives -= driven;
    to.energy.internal += all - driven;  // where the forces of contacts are among the others
  };
  Vec3<double> x[most_penalty_vectors], v[most_penalty_vectors];
  for (const Point& point : last_) {
    if (!point.presses()) continue;
    gather(state, point, x, v);
    add_half(point, point.x, x);
  }
  for (const Point& point : points_)
    if (point.presses()) add_half(point, point.begin, point.x);
  keep(state, to);
}

// ---- forces and tangent ----

void ContactForces::evaluate(const State& state) {
  place_obstacles(state.t);
  team_.run(chunks_of(points_.size()), [&](int chunk, int) {
    const std::size_t end = std::min(points_.size(), (chunk + 1ul) * points_at_once);
    for (std::size_t i = static_cast<std::size_t>(chunk) * points_at_once; i < end; ++i) {
      Point& point = points_[i];
      gather(state, point, point.x, point.v);
      penalty_forces(point.pair, point.law, point.history, point.x, point.begin, point.v, point.forces);
    }
  });
  evaluated_ = true;
}

void ContactForces::add(const State& state, std::vector<double>& internal) {
  if (points_.empty()) {
    evaluated_ = true;
    return;
  }
  evaluate(state);
  for (const Point& point : points_) {
    if (!point.presses()) continue;
    for_moving(point, [&](int local, int) {
      const Vec3<double>& f = point.forces.force[local];
      const auto to = [&](int vector, double weight) {
        for (int m = 0; m < 3; ++m) internal[3ul * vector + m] -= weight * f[m];
      };
      const int s = side_of(point, local), k = s == 0 ? local : local - point.pair.side[0].vectors();
      if (point.pair.side[s].framed) to(surfaces_.frame(point.surface[s]) + k, 1.0);
      else surfaces_.for_corner(point.corner[s][k], to);
    });
  }
}

template <int N>
void ContactForces::make_tangent(const Point& point, double c_q, double c_v, double* K) const {
  using T = Duals<N>;
  Vec3<T> x[most_penalty_vectors], v[most_penalty_vectors];
  const int count = point.pair.vectors();
  for (int k = 0; k < count; ++k)
    for (int m = 0; m < 3; ++m) {
      x[k][m] = T(point.x[k][m]);
      v[k][m] = T(point.v[k][m]);
    }
  int scalars = 0;
  for_moving(point, [&](int local, int scalar) {
    for (int m = 0; m < 3; ++m) {
      x[local][m].d[scalar + m] = c_q;
      v[local][m].d[scalar + m] = c_v;
    }
    scalars = scalar + 3;
  });
  PenaltyForces<T> forces;
  penalty_forces(point.pair, point.law, point.history, x, point.begin, v, forces);
  for_moving(point, [&](int local, int scalar) {
    for (int m = 0; m < 3; ++m)
      for (int j = 0; j < scalars; ++j) K[(scalar + m) * scalars + j] = -forces.force[local][m].d[j];
  });
  if (!system_.symmetric) return;
  for (int i = 0; i < scalars; ++i)
    for (int j = 0; j < i; ++j)
      K[i * scalars + j] = K[j * scalars + i] = 0.5 * (K[i * scalars + j] + K[j * scalars + i]);
}

void ContactForces::linearise(const State& state, double c_q, double c_v) {
  tangent_start_.assign(points_.size() + 1, 0);
  if (c_q == 0 && c_v == 0) return tangent_.clear();
  evaluate(state);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::size_t scalars = 0;
    if (points_[i].forces.gap <= 0) for_moving(points_[i], [&](int, int scalar) { scalars = scalar + 3; });
    tangent_start_[i + 1] = tangent_start_[i] + scalars * scalars;
  }
  tangent_.resize(tangent_start_.back());
  team_.run(chunks_of(points_.size()), [&](int chunk, int) {
    const std::size_t end = std::min(points_.size(), (chunk + 1ul) * points_at_once);
    for (std::size_t i = static_cast<std::size_t>(chunk) * points_at_once; i < end; ++i) {
      const std::size_t size = tangent_start_[i + 1] - tangent_start_[i];
      if (size == 0) continue;
      double* K = &tangent_[tangent_start_[i]];
      if (size <= 12 * 12) make_tangent<12>(points_[i], c_q, c_v, K);
      else make_tangent<24>(points_[i], c_q, c_v, K);
    }
  });
}

// W K W^T with the weights W of all vectors that move the local ones.
void ContactForces::add_tangent(std::vector<double>& values) const {
  std::vector<std::pair<std::int32_t, int>> found;  // vector, place among the entries of W
  std::vector<std::int32_t> vectors;
  std::vector<double> W;         // [vector][local]
  std::vector<Mat3<double>> KW;  // [local][vector]
  for (std::size_t i = 0; i < points_.size() && !tangent_.empty(); ++i) {
    if (tangent_start_[i + 1] == tangent_start_[i]) continue;
    const Point& point = points_[i];
    vectors.clear();
    int locals = 0;
    for_moving(point, [&](int local, int) {
      ++locals;
      for_vectors(point, local, [&](int vector, double) { vectors.push_back(vector); });
    });
    std::ranges::sort(vectors);
    vectors.erase(std::unique(vectors.begin(), vectors.end()), vectors.end());
    W.assign(vectors.size() * locals, 0.0);
    for_moving(point, [&](int local, int scalar) {
      for_vectors(point, local, [&](int vector, double weight) {
        const auto at = std::ranges::lower_bound(vectors, vector) - vectors.begin();
        W[at * locals + scalar / 3] += weight;
      });
    });
    const double* K = &tangent_[tangent_start_[i]];
    const int scalars = 3 * locals;
    KW.assign(vectors.size() * locals, Mat3<double>{});
    for (int l = 0; l < locals; ++l)
      for (std::size_t v = 0; v < vectors.size(); ++v)
        for (int j = 0; j < locals; ++j) {
          const double weight = W[v * locals + j];
          if (weight == 0) continue;
          for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n)
              KW[l * vectors.size() + v][m][n] += weight * K[(3 * l + m) * scalars + 3 * j + n];
        }
    for (std::size_t u = 0; u < vectors.size(); ++u)
      for (std::size_t v = 0; v < vectors.size(); ++v) {
        if (system_.symmetric && vectors[u] > vectors[v]) continue;
        Mat3<double> block{};
        for (int l = 0; l < locals; ++l) {
          const double weight = W[u * locals + l];
          if (weight == 0) continue;
          for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n) block[m][n] += weight * KW[l * vectors.size() + v][m][n];
        }
        pattern_.add(vectors[u], vectors[v], block, values.data());
      }
  }
}

}  // namespace lithe

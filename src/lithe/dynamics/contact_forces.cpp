#include "lithe/dynamics/contact_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/system/mass.h"

namespace lithe {

namespace {

// Tangential slope over the normal one, 2 (1 - nu) / (2 - nu) for nu = 0.3 (R. D. Mindlin 1949).
constexpr double tangential_share = 0.82;
constexpr int points_at_once = 16;

std::vector<double> diagonal_of(const MassMatrix& mass) {
  std::vector<double> diagonal(mass.row_start().size() - 1, 0.0);
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    for (std::int32_t k = mass.row_start()[i]; k < mass.row_start()[i + 1]; ++k)
      if (mass.column()[k] == static_cast<std::int32_t>(i)) diagonal[i] = mass.value()[k];
  return diagonal;
}

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
      pose_(surfaces_.topology().surface.size()),
      mass_(diagonal_of(MassMatrix(system))) {
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
  for (int m = 0; m < 3; ++m) to.push_back(point.rim[m]);
}

ContactForces::Point ContactForces::read(const double* from) const {
  Point point;
  PenaltyPair& pair = point.pair;
  pair.kind = static_cast<PenaltyPair::Kind>(static_cast<int>(from[4]));
  pair.sign = from[5];
  for (int m = 0; m < 3; ++m) {
    pair.normal[m] = from[12 + m];
    point.history.stretch[m] = from[21 + m];
    point.rim[m] = from[25 + m];
  }
  for (int s = 0; s < 2; ++s) {
    PenaltySide& side = pair.side[s];
    point.surface[s] = static_cast<std::int32_t>(from[s]);
    point.feature[s] = from[2 + s];
    for (int i = 0; i < 3; ++i) {
      const int corner = point.corner[s][i] = static_cast<std::int32_t>(from[6 + 3 * s + i]);
      side.weight[i] = from[15 + 3 * s + i];
      side.corners += corner >= 0;
    }
    set_side(point, s);
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
  const int slot = pattern_slot(state.slots);
  std::vector<ContactPattern::Pair> pairs;
  for (int k = 0; k + 1 < state.slots.size(slot); k += 2)
    pairs.emplace_back(static_cast<std::int32_t>(state.slots[slot][k]),
                       static_cast<std::int32_t>(state.slots[slot][k + 1]));
  pattern_.set(pairs);
  recall(state, state.slots);
}

// Of friction where the model gives none, at this depth.
double ContactForces::tangential_slope(const Point& point) const {
  const PenaltyLaw& law = point.law;
  return tangential_share * law.stiffness * law.exponent * std::pow(-point.forces.gap, law.exponent - 1);
}

double ContactForces::energy_of(const Point& point) const {
  const double e = point.law.exponent, depth = std::fmax(0.0, -point.forces.gap);
  return point.law.stiffness * std::pow(depth, e + 1) / (e + 1) +
         0.5 * point.history.tangential * dot(point.history.stretch, point.history.stretch);
}

// For the results (ContactRecord).
void ContactForces::list(const Point& point) {
  const PenaltyForces<double>& f = point.forces;
  for (const int number : {surfaces_.owner(point.surface[0]), surfaces_.owner(point.surface[1]), point.entry})
    listed_.push_back(number);
  const Vec3<double> impulse = h_ * (f.normal * f.direction + f.friction);
  for (const Vec3<double>& part : {f.point, f.direction, impulse, f.slip})
    listed_.insert(listed_.end(), part.a, part.a + 3);
  listed_.push_back(f.gap);
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
  listed_.clear();
  stored_ = 0;
  for (Point& point : points_) {
    const PenaltyForces<double>& f = point.forces;
    double* sums = slots[first + point.entry];
    sums[ContactSums::gap] = std::fmin(sums[ContactSums::gap], f.gap);
    if (!point.presses()) continue;
    sums[ContactSums::points] += 1;
    sums[ContactSums::normal] += f.normal;
    sums[ContactSums::friction] += norm(f.friction);
    const double sign = surfaces_.side_of(point.entry, point.surface[0], point.surface[1]);
    for (int m = 0; m < 3; ++m) sums[ContactSums::force + m] += sign * (f.normal * f.direction[m] + f.friction[m]);
    list(point);
    PenaltyHistory& history = point.history;
    history.stretch = f.stretch;
    if (!contact_of(point.entry).tangential_stiffness) {
      // Stiffer than ever before: the force stays.
      const double slope = tangential_slope(point);
      if (slope > history.tangential) {
        if (history.tangential > 0)
          history.stretch = history.stretch + (1 / history.tangential - 1 / slope) * f.friction;
        history.tangential = slope;
      }
    }
    stored_ += energy_of(point);
    write(point, kept_);
  }
  slots.resize(last, static_cast<int>(kept_.size()));
  std::ranges::copy(kept_, slots[last]);
  const int listed = contact_points_slot(system_, slots);
  slots.resize(listed, static_cast<int>(listed_.size()));
  std::ranges::copy(listed_, slots[listed]);
  slots.resize(pattern_slot(slots), static_cast<int>(2 * pattern_.pairs().size()));
  double* pairs = slots[pattern_slot(slots)];
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
  look_at_impacts(h_);
  keep(state, to);
  to.energy.stored = stored_;
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
void ContactForces::add_tangent(std::vector<double>& values) {
  std::vector<std::int32_t>& vectors = vectors_;
  std::vector<double>& W = weights_;
  std::vector<Mat3<double>>& KW = spread_;
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

void add_contact_forces(const System& system, const State& state, Workspace& work) {
  if (!has_contact_forces(system)) return;
  ContactForces contact(system, *work.team);
  contact.recall(state, state.slots);
  contact.add(state, work.internal);
}

}  // namespace lithe

#include "lithe/system/coordinate_map.h"

#include <algorithm>

#include "lithe/base/error.h"

namespace lithe {

namespace {

// reduced += what a force on `vector` does to the unknowns it has for its own.
void restrict_vector(const CoordinateMap& map, int vector, Vec3<double> x, double* reduced) {
  const VectorUnknowns& u = map.unknowns[vector];
  if (u.basis >= 0) x = transpose(map.bases[u.basis]) * x;
  for (int c = 0; c < u.count; ++c) reduced[c] += x[u.component[c]];
}

Vec3<double> prolong_vector(const CoordinateMap& map, int vector, std::span<const double> dz, double factor) {
  const VectorUnknowns& u = map.unknowns[vector];
  Vec3<double> x{};
  for (int c = 0; c < u.count; ++c) x[u.component[c]] = factor * dz[u.first + c];
  return u.basis >= 0 ? map.bases[u.basis] * x : x;
}

}  // namespace

void CoordinateMap::restrict(const Slots& slots, std::span<const double> full, std::span<double> reduced) const {
  std::fill(reduced.begin(), reduced.end(), 0.0);
  for (int v = 0; v < vectors(); ++v) {
    const VectorUnknowns& u = unknowns[v];
    if (u.count == 0) continue;
    const double* from = &full[3ul * v];
    if (u.count == 3 && u.basis < 0) {  // almost every vector
      double* to = &reduced[u.first];
      for (int m = 0; m < 3; ++m) to[m] += from[m];
      continue;
    }
    if (u.basis < 0) {
      for (int c = 0; c < u.count; ++c) reduced[u.first + c] += from[u.component[c]];
      continue;
    }
    restrict_vector(*this, v, {{from[0], from[1], from[2]}}, &reduced[u.first]);
  }
  for (int s = 0; s < slaves.count(); ++s) {
    const double* f = &full[3ul * slaves.vector[s]];
    for (int k = slaves.start[s]; k < slaves.start[s + 1]; ++k) {
      const double w = slaves.weight[k];
      const int v = slaves.master[k];
      restrict_vector(*this, v, {{w * f[0], w * f[1], w * f[2]}}, reduced.data() + unknowns[v].first);
    }
  }
  for (const MappedBody& body : bodies) body.map->restrict(slots, &full[3ul * body.first_vector], &reduced[body.first]);
}

void CoordinateMap::pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const {
  const int b = body_of(vector);
  if (b < 0) return restrict_vector(*this, vector, g, reduced);
  bodies[b].map->pull(slots, vector - bodies[b].first_vector, g, reduced);
}

void CoordinateMap::prolong(const Slots& slots, std::span<const double> dz, double factor, std::span<double> x) const {
  for (int v = 0; v < vectors(); ++v) {
    const VectorUnknowns& u = unknowns[v];
    if (u.count == 0) continue;
    double* to = &x[3ul * v];
    if (u.count == 3 && u.basis < 0) {  // almost every vector
      const double* from = &dz[u.first];
      for (int m = 0; m < 3; ++m) to[m] += factor * from[m];
      continue;
    }
    if (u.basis < 0) {
      for (int c = 0; c < u.count; ++c) to[u.component[c]] += factor * dz[u.first + c];
      continue;
    }
    const Vec3<double> y = prolong_vector(*this, v, dz, factor);
    for (int m = 0; m < 3; ++m) to[m] += y[m];
  }
  for (int s = 0; s < slaves.count(); ++s)
    for (int k = slaves.start[s]; k < slaves.start[s + 1]; ++k) {
      const Vec3<double> y = prolong_vector(*this, slaves.master[k], dz, factor);
      for (int m = 0; m < 3; ++m) x[3ul * slaves.vector[s] + m] += slaves.weight[k] * y[m];
    }
  for (const MappedBody& body : bodies) body.map->prolong(slots, &dz[body.first], factor, &x[3ul * body.first_vector]);
}

void CoordinateMap::follow(std::span<const double> q0, double t, double t_acceleration, std::span<double> q,
                           std::span<double> v, std::span<double> a) const {
  for (const DrivenDirection& direction : driven) {
    const std::size_t at = 3ul * direction.vector;
    const Vec3<double>& d = direction.direction;
    const auto set = [&](std::span<double> x, double wanted) {
      const double now = d[0] * x[at] + d[1] * x[at + 1] + d[2] * x[at + 2];
      for (int m = 0; m < 3; ++m) x[at + m] += (wanted - now) * d[m];
    };
    const double from = d[0] * q0[at] + d[1] * q0[at + 1] + d[2] * q0[at + 2];
    set(q, from + direction.displacement(t));
    set(v, direction.displacement.rate(t));
    set(a, direction.displacement.acceleration(t_acceleration));
  }
  for (int s = 0; s < slaves.count(); ++s)
    for (int m = 0; m < 3; ++m) {
      double sum[3] = {slaves.offset[s][m], 0, 0};
      for (int k = slaves.start[s]; k < slaves.start[s + 1]; ++k) {
        const std::size_t from = 3ul * slaves.master[k] + m;
        sum[0] += slaves.weight[k] * q[from];
        sum[1] += slaves.weight[k] * v[from];
        sum[2] += slaves.weight[k] * a[from];
      }
      const std::size_t to = 3ul * slaves.vector[s] + m;
      q[to] = sum[0];
      v[to] = sum[1];
      a[to] = sum[2];
    }
}

void CoordinateMap::admit(const Slots& slots, std::span<double> x, std::vector<double>& z) const {
  z.assign(size, 0.0);
  for (int v = 0; v < vectors(); ++v) {
    const VectorUnknowns& u = unknowns[v];
    if (representative[v] != v || u.count == 0) continue;
    Vec3<double> y{{x[3ul * v], x[3ul * v + 1], x[3ul * v + 2]}};
    if (u.basis >= 0) y = transpose(bases[u.basis]) * y;
    for (int c = 0; c < u.count; ++c) z[u.first + c] = y[u.component[c]];
  }
  for (const MappedBody& body : bodies) body.map->fit(slots, &x[3ul * body.first_vector], &z[body.first]);
  std::fill(x.begin(), x.end(), 0.0);
  prolong(slots, z, 1, x);
}

void CoordinateMap::update(std::span<double> q, Slots& slots) const {
  for (const MappedBody& body : bodies) body.map->update(&q[3ul * body.first_vector], slots);
}

void CoordinateMap::attach(int first_vector, int count, std::shared_ptr<BodyMap> body) {
  // Unknowns of the vectors go, those behind them move up.
  int lost = 0;
  for (int v = 0; v < vectors(); ++v) {
    VectorUnknowns& u = unknowns[v];
    if (v < first_vector || v >= first_vector + count) {
      if (v >= first_vector) u.first -= lost;
      continue;
    }
    LITHE_INVARIANT(u.count == 3 && u.basis < 0 && u.slave < 0 && representative[v] == v);
    lost += u.count;
    u.count = 0;
  }
  owner.erase(owner.begin() + unknowns[first_vector].first, owner.begin() + unknowns[first_vector].first + lost);
  for (MappedBody& other : bodies) other.first -= lost;
  size -= lost;
  mapped.resize(vectors(), -1);
  std::fill_n(mapped.begin() + first_vector, count, static_cast<std::int32_t>(bodies.size()));
  bodies.push_back({first_vector, count, size, body});
  owner.insert(owner.end(), body->size(), first_vector);
  size += body->size();
}

}  // namespace lithe

// How coordinates follow from unknowns, and forces come back. Every vector has three unknowns of its own, or fewer
// where directions are held (in a turned basis where these are no axes), or none: an alias shares those of the vector
// it equals, a slave is a sum over masters, a driven direction follows a signal, and the vectors of a mapped body
// follow from the few numbers of its BodyMap. With x the change of the unknowns,
//
//   dq = P x  (prolong),    f_x = P^T f  (restrict),    P constant but for mapped bodies, whose part turns with them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lithe/base/slots.h"
#include "lithe/base/small.h"
#include "lithe/model/signal.h"
#include "lithe/reduction/body_map.h"

namespace lithe {

// How the three numbers of a coordinate vector become unknowns.
struct VectorUnknowns {
  std::int32_t first = 0;                // first unknown
  std::int32_t basis = -1;               // index into bases, -1: global axes
  std::int8_t count = 3;                 // 0..3
  std::int8_t component[3] = {0, 1, 2};  // which components (in the vector's basis) are free, ascending
  std::int32_t slave = -1;               // index into slaves; count is 0 then
};

// Vectors that linear constraints express by others: q[vector] = offset + sum_k weight_k q[master_k]. Masters are no
// slaves, and four at most.
struct Slaves {
  std::vector<std::int32_t> vector;    // [slave]
  std::vector<std::int32_t> start{0};  // [slave + 1] of its masters
  std::vector<std::int32_t> master;    // [start]
  std::vector<double> weight;          // [start]
  std::vector<Vec3<double>> offset;    // [slave]
  int count() const { return static_cast<int>(vector.size()); }
  bool empty() const { return vector.empty(); }
};

// A held direction that moves: q[vector] . direction = q0[vector] . direction + displacement(t).
struct DrivenDirection {
  int vector = 0;
  Vec3<double> direction{};
  Signal displacement;
};

// A body whose vectors move as fewer numbers say (reduction/body_map.h).
struct MappedBody {
  int first_vector = 0, vectors = 0;
  int first = 0;  // of its unknowns
  std::shared_ptr<BodyMap> map;
};

struct CoordinateMap {
  std::vector<VectorUnknowns> unknowns;      // [vector]
  std::vector<Mat3<double>> bases;           // columns are the directions of the unknowns
  std::vector<std::int32_t> representative;  // [vector] first vector with the same unknowns, -1: slave
  Slaves slaves;
  std::vector<DrivenDirection> driven;
  std::vector<MappedBody> bodies;
  std::vector<std::int32_t> owner;   // [unknown] a vector that has it, for its name
  std::vector<std::int32_t> mapped;  // [vector] into bodies, -1: it has unknowns of its own; empty: no body is mapped
  int size = 0;                      // number of unknowns

  int vectors() const { return static_cast<int>(unknowns.size()); }
  int body_of(int vector) const { return mapped.empty() ? -1 : mapped[vector]; }
  // The unknowns that move a vector that is no slave: its own, or numbers of its body.
  BodyMap::Range moved_by(int vector) const {
    const int b = body_of(vector);
    if (b < 0) return {unknowns[vector].first, unknowns[vector].count};
    const BodyMap::Range range = bodies[b].map->moved_by(vector - bodies[b].first_vector);
    return {bodies[b].first + range.first, range.count};
  }
  // P^T of a force g on that vector alone, over moved_by(vector), added to `reduced`.
  void pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const;
  int own_unknowns() const { return bodies.empty() ? size : bodies.front().first; }  // those of no mapped body
  bool follows_time() const { return !driven.empty() || !slaves.empty(); }

  // reduced = P^T full
  void restrict(const Slots& slots, std::span<const double> full, std::span<double> reduced) const;
  void restrict(const Slots& slots, std::span<const double> full, std::vector<double>& reduced) const {
    reduced.resize(size);
    restrict(slots, full, std::span(reduced));
  }
  // x += factor P dz
  void prolong(const Slots& slots, std::span<const double> dz, double factor, std::span<double> x) const;
  // Driven directions and slaves: q and v at time t, a at a time of its own (integrators that weigh forces have it
  // between the steps).
  void follow(std::span<const double> q0, double t, double t_acceleration, std::span<double> q, std::span<double> v,
              std::span<double> a) const;
  // Rates x without what is held or driven, aliases with those of their representative, mapped bodies with the nearest
  // ones they can have; z: room for the unknowns.
  void admit(const Slots& slots, std::span<double> x, std::vector<double>& z) const;
  // After a step: mapped bodies renew their slots.
  void update(std::span<double> q, Slots& slots) const;
  // The vectors from `first_vector` on lose their own unknowns and follow `body`; its unknowns come last.
  void attach(int first_vector, int vectors, std::shared_ptr<BodyMap> body);
};

}  // namespace lithe

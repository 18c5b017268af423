#include <algorithm>
#include <numeric>

#include "lithe/dynamics/modal_parts.h"
#include "lithe/system/loads.h"
#include "lithe/system/moments.h"
#include "lithe/system/pattern.h"
#include "lithe/system/springs.h"
#include "lithe/system/temperature.h"

namespace lithe {

namespace {

Vec3<double> axis(int k) {
  Vec3<double> e{};
  e[k] = 1;
  return e;
}

// A coordinate vector as a sum over unknowns: their numbers and directions.
struct Column {
  int unknown;
  Vec3<double> along;
};
std::vector<Column> columns_of(const System& system, const Slots& slots, int vector) {
  std::vector<Column> list;
  for_masters(system, vector, [&](int v, double share) {
    const VectorUnknowns& u = system.map.unknowns[v];
    const int b = system.map.body_of(v);
    if (b < 0) {
      for (int c = 0; c < u.count; ++c) {
        const int k = u.component[c];
        list.push_back({u.first + c, share * (u.basis < 0 ? axis(k) : column(system.map.bases[u.basis], k))});
      }
      return;
    }
    const MappedBody& body = system.map.bodies[b];
    const BodyMap::Range range = body.map->moved_by(v - body.first_vector);
    std::vector<double> pulled(3ul * range.count, 0.0);
    for (int m = 0; m < 3; ++m)
      body.map->pull(slots, v - body.first_vector, share * axis(m), &pulled[1ul * m * range.count]);
    for (int c = 0; c < range.count; ++c)
      list.push_back(
          {body.first + range.first + c, {{pulled[c], pulled[1ul * range.count + c], pulled[2ul * range.count + c]}}});
  });
  return list;
}

// Stiffness of springs, loads and rows that meet a mapped body: over the coordinates of the vectors that they join, as
// if each had unknowns of its own, then pulled through the map. What such a load or row does between vectors that are
// not mapped stands in the system's own matrix already; springs as a whole do not.
class PulledStiffness final : public ModalPart {
 public:
  PulledStiffness(const System& system, const State& state) : system_(system), state_(state) {
    local_.symmetric = system.symmetric;
    local_.map.size = 3 * system.vectors();
    local_.map.unknowns.resize(system.vectors());
    local_.map.representative.resize(system.vectors());
    std::iota(local_.map.representative.begin(), local_.map.representative.end(), 0);
    for (int v = 0; v < system.vectors(); ++v) local_.map.unknowns[v].first = 3 * v;
    for_items([&](auto&& for_vectors) {
      std::vector<int> group;
      for_vectors([&](int v) { group.push_back(v); });
      for (const int v : group)
        for (const int w : group)
          if (!system.symmetric || v <= w) pairs_.push_back({v, w});
    });
    std::ranges::sort(pairs_, [](const Pair& a, const Pair& b) { return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0]; });
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    SparsePattern& pattern = local_.pattern;
    pattern.size = local_.map.size;
    pattern.symmetric = system.symmetric;
    pattern.column_start.push_back(0);
    auto first = pairs_.begin();
    for (int w = 0; w < system.vectors(); ++w) {
      const auto last = std::find_if(first, pairs_.end(), [&](const Pair& pair) { return pair[1] != w; });
      for (int c = 0; c < 3; ++c) {
        for (auto pair = first; pair != last; ++pair)
          for (int r = 0; r < (system.symmetric && (*pair)[0] == w ? c + 1 : 3); ++r)
            pattern.row.push_back(3 * (*pair)[0] + r);
        pattern.column_start.push_back(static_cast<std::int32_t>(pattern.row.size()));
      }
      first = last;
    }
  }

  void add_pattern(PatternMaker& to) const override {
    for (const Pair& pair : pairs_)
      for (const Column& i : columns_of(system_, state_.slots, pair[0]))
        for (const Column& j : columns_of(system_, state_.slots, pair[1])) to.add(i.unknown, j.unknown);
  }

  void add(Halves& K, Halves&) const override {
    std::vector<double> springs(local_.pattern.nonzeros(), 0.0), others(springs);
    const TangentSink of_springs(local_, springs.data()), of_others(local_, others.data());
    for (int s = 0; s < system_.springs.count(); ++s)
      if (system_.springs.is_mapped(s)) add_spring_tangent(system_, s, state_, 1, 0, of_springs);
    for (int m = 0; m < system_.moments.count(); ++m)
      if (meets(system_.moments, m)) add_moment_tangent(system_.moments, m, state_, 1, of_others);
    for (int s = 0; s < system_.pressure_sides.count(); ++s)
      if (meets(system_.pressure_sides, s)) add_pressure_tangent(system_, s, state_, 1, of_others);
    for (const HeatedElement& heated : system_.heated)
      if (system_.bodies[system_.temperatures[heated.temperature].body].mapped)
        add_thermal_tangent(system_, heated, state_, 1, of_others);
    for (int r = 0; r < system_.row_count(); ++r)
      if (row_meets(r)) add_row_stiffness(system_, r, state_, state_.lambda[r], of_others);
    for (const Pair& pair : pairs_) {
      const bool mapped = is_mapped(pair[0]) || is_mapped(pair[1]);
      Mat3<double> block = block_at(springs, pair);
      if (mapped) {
        const Mat3<double> more = block_at(others, pair);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) block[a][b] += more[a][b];
      }
      const bool twice = system_.symmetric && pair[0] != pair[1];
      const std::vector<Column> rows = columns_of(system_, state_.slots, pair[0]),
                                columns = columns_of(system_, state_.slots, pair[1]);
      for (const Column& i : rows)
        for (const Column& j : columns) {
          const double x = dot(i.along, block * j.along);
          if (x == 0) continue;
          K.add(i.unknown, j.unknown, x);
          if (twice) K.add(j.unknown, i.unknown, x);
        }
    }
  }

 private:
  using Pair = std::array<int, 2>;  // row, column

  bool is_mapped(int vector) const { return system_.map.body_of(vector) >= 0; }
  template <class List>
  bool meets(const List& list, int item) const {
    bool any = false;
    list.for_vectors(item, [&](int v) { any = any || is_mapped(v); });
    return any;
  }
  bool row_meets(int r) const { return meets(system_.rows.parts, r) && !system_.rows.parts[r].is_linear(); }
  template <class Action>
  void for_items(Action&& action) const {
    for (int s = 0; s < system_.springs.count(); ++s)
      if (system_.springs.is_mapped(s)) action([&](auto&& f) { system_.springs.for_vectors(s, f); });
    const auto each = [&](const auto& list) {
      for (int i = 0; i < list.count(); ++i)
        if (meets(list, i)) action([&](auto&& f) { list.for_vectors(i, f); });
    };
    each(system_.moments);
    each(system_.pressure_sides);
    for (const HeatedElement& heated : system_.heated) {
      const BodyInfo& body = system_.bodies[system_.temperatures[heated.temperature].body];
      if (body.mapped)
        action([&](auto&& f) {
          for (int k = 0; k < vector_count(body.kind); ++k) f(body.element_vector(heated.element, k));
        });
    }
    for (int r = 0; r < system_.row_count(); ++r)
      if (row_meets(r)) action([&](auto&& f) { system_.rows.parts.for_vectors(r, f); });
  }
  Mat3<double> block_at(const std::vector<double>& values, const Pair& pair) const {
    const bool half = system_.symmetric && pair[0] == pair[1];
    const std::int32_t offset = block_offset(local_, pair[0], pair[1]);
    Mat3<double> block{};
    for (int b = 0; b < 3; ++b)
      for (int a = 0; a < (half ? b + 1 : 3); ++a) {
        block[a][b] = values[static_cast<std::size_t>(local_.pattern.column_start[3ul * pair[1] + b] + offset + a)];
        if (half) block[b][a] = block[a][b];
      }
    return block;
  }

  const System& system_;
  const State& state_;
  System local_;             // every coordinate its own unknown
  std::vector<Pair> pairs_;  // of an item, by columns
};

}  // namespace

std::unique_ptr<ModalPart> make_pulled_stiffness(const System& system, const State& state) {
  return std::make_unique<PulledStiffness>(system, state);
}

}  // namespace lithe

#include "lithe/dynamics/modal_matrices.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/row_rank.h"
#include "lithe/system/loads.h"
#include "lithe/system/moments.h"
#include "lithe/system/pattern.h"
#include "lithe/system/springs.h"
#include "lithe/system/temperature.h"

namespace lithe {

namespace {

// Rows of unit length whose angle to the others has a smaller sine follow from them.
constexpr double no_angle = 1e-9;
// Elastic forces up to this share of stiffness times size are rounding: nothing to turn.
constexpr double no_force = 1e-12;

using Matrix = Eigen::MatrixXd;
using ConstMatrix = Eigen::Map<const Matrix>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

Vec3<double> axis(int k) {
  Vec3<double> e{};
  e[k] = 1;
  return e;
}

// Entries over a pattern of the upper triangle, those of the lower one apart until the symmetric part is taken.
class Halves {
 public:
  explicit Halves(const SparsePattern& pattern) : pattern_(pattern), upper_(pattern.nonzeros()), lower_(upper_) {}
  void add(int i, int j, double x) {
    const std::size_t p = place(i, j);
    if (i <= j) upper_[p] += x;
    if (j <= i) lower_[p] += x;
  }
  void add_symmetric(int i, int j, double x) {  // at (i, j) and (j, i)
    const std::size_t p = place(i, j);
    upper_[p] += x;
    lower_[p] += x;
  }
  std::vector<double> symmetric_part(double* skew = nullptr) const {
    std::vector<double> part(upper_.size());
    double largest = 0, off = 0;
    for (std::size_t p = 0; p < part.size(); ++p) {
      part[p] = 0.5 * (upper_[p] + lower_[p]);
      largest = std::max({largest, std::abs(upper_[p]), std::abs(lower_[p])});
      off = std::max(off, 0.5 * std::abs(upper_[p] - lower_[p]));
    }
    if (skew) *skew = largest > 0 ? off / largest : 0;
    return part;
  }

 private:
  std::size_t place(int i, int j) const {
    const int p = position(pattern_, std::min(i, j), std::max(i, j));
    LITHE_INVARIANT(p >= 0);
    return static_cast<std::size_t>(p);
  }
  const SparsePattern& pattern_;
  std::vector<double> upper_, lower_;
};

// A pattern of the upper triangle from entries in any order.
class PatternMaker {
 public:
  void add(int i, int j) {
    entries_.push_back(static_cast<std::uint64_t>(std::max(i, j)) << 32 | static_cast<std::uint32_t>(std::min(i, j)));
  }
  SparsePattern pattern(int size) {
    for (int i = 0; i < size; ++i) add(i, i);
    std::ranges::sort(entries_);
    entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
    SparsePattern to;
    to.size = size;
    to.column_start.assign(static_cast<std::size_t>(size) + 1, 0);
    for (const std::uint64_t entry : entries_) {
      to.row.push_back(static_cast<std::int32_t>(entry & 0xffffffffu));
      ++to.column_start[static_cast<std::size_t>(entry >> 32) + 1];
    }
    std::partial_sum(to.column_start.begin(), to.column_start.end(), to.column_start.begin());
    return to;
  }

 private:
  std::vector<std::uint64_t> entries_;
};

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
class Pulled {
 public:
  explicit Pulled(const System& system) : system_(system) {
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

  // The pairs of unknowns that may meet.
  void add_pattern(const Slots& slots, PatternMaker& to) const {
    for (const Pair& pair : pairs_)
      for (const Column& i : columns_of(system_, slots, pair[0]))
        for (const Column& j : columns_of(system_, slots, pair[1])) to.add(i.unknown, j.unknown);
  }

  void add(const State& state, Halves& to) const {
    std::vector<double> springs(local_.pattern.nonzeros(), 0.0), others(springs);
    const TangentSink of_springs(local_, springs.data()), of_others(local_, others.data());
    for (int s = 0; s < system_.springs.count(); ++s)
      if (system_.springs.is_mapped(s)) add_spring_tangent(system_, s, state, 1, 0, of_springs);
    for (const CompiledMoment& moment : system_.moments)
      if (meets(moment.vectors)) add_moment_tangent(moment, state, 1, of_others);
    for (const CompiledPressure& side : system_.pressure_sides)
      if (meets(side.vectors)) add_pressure_tangent(system_, side, state, 1, of_others);
    for (const HeatedElement& heated : system_.heated)
      if (meets(heated.vectors)) add_thermal_tangent(system_, heated, state, 1, of_others);
    for (int r = 0; r < system_.row_count(); ++r)
      if (row_meets(r)) add_row_stiffness(system_, r, state, state.lambda[r], of_others);
    for (const Pair& pair : pairs_) {
      const bool mapped = is_mapped(pair[0]) || is_mapped(pair[1]);
      Mat3<double> block = block_at(springs, pair);
      if (mapped) {
        const Mat3<double> more = block_at(others, pair);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) block[a][b] += more[a][b];
      }
      const bool twice = system_.symmetric && pair[0] != pair[1];
      const std::vector<Column> rows = columns_of(system_, state.slots, pair[0]),
                                columns = columns_of(system_, state.slots, pair[1]);
      for (const Column& i : rows)
        for (const Column& j : columns) {
          const double x = dot(i.along, block * j.along);
          if (x == 0) continue;
          to.add(i.unknown, j.unknown, x);
          if (twice) to.add(j.unknown, i.unknown, x);
        }
    }
  }

 private:
  using Pair = std::array<int, 2>;  // row, column

  bool is_mapped(int vector) const { return system_.map.body_of(vector) >= 0; }
  template <class List>
  bool meets(const List& vectors) const {
    return std::ranges::any_of(vectors, [&](int v) { return is_mapped(v); });
  }
  bool row_meets(int r) const {
    bool any = false;
    system_.rows.parts.for_vectors(r, [&](int v) { any = any || is_mapped(v); });
    return any && !system_.rows.parts[r].is_linear();
  }
  template <class Action>
  void for_items(Action&& action) const {
    const auto list = [&](const auto& vectors) {
      if (meets(vectors)) action([&](auto&& f) { std::ranges::for_each(vectors, f); });
    };
    for (int s = 0; s < system_.springs.count(); ++s)
      if (system_.springs.is_mapped(s)) action([&](auto&& f) { system_.springs.for_vectors(s, f); });
    for (const CompiledMoment& moment : system_.moments) list(moment.vectors);
    for (const CompiledPressure& side : system_.pressure_sides) list(side.vectors);
    for (const HeatedElement& heated : system_.heated) list(heated.vectors);
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
  System local_;             // every coordinate its own unknown
  std::vector<Pair> pairs_;  // of an item, by columns
};

// K and M of the mapped bodies themselves.
class BodyMatrices {
 public:
  BodyMatrices(const System& system, const State& state, const std::vector<double>& force)
      : system_(system), state_(state), force_(force), turns_(system.map.bodies.size(), -1), size_(system.map.size) {
    for (std::size_t b = 0; b < system.map.bodies.size(); ++b)
      if (is_corotated(b) && elastic_force(b) > no_force) {
        turns_[b] = size_;
        size_ += 3;
      }
  }
  int size() const { return size_; }  // unknowns of the system, then turns

  void add_pattern(PatternMaker& to) const {
    for (std::size_t b = 0; b < turns_.size(); ++b) {
      const int first = system_.map.bodies[b].first;
      if (!is_corotated(b)) {
        const int n = system_.map.bodies[b].map->size();
        for (int i = 0; i < n; ++i)
          for (int j = i; j < n; ++j) to.add(first + i, first + j);
        continue;
      }
      const Shape& shape = map(b).shape();
      for (int j = 0; j < shape.size(); ++j)
        for (int p = shape.pattern.column_start[j]; p < shape.pattern.column_start[j + 1]; ++p)
          to.add(first + shape.pattern.row[p], first + j);
      for_mass(shape, [&](int i, int j, double) { to.add(first + i, first + j); });
      for (int i = 0; turns_[b] >= 0 && i < shape.size(); ++i)
        for (int k = 0; k < 3; ++k) to.add(first + i, turns_[b] + k);
    }
  }

  void add(Halves& K, Halves& M) const {
    for (std::size_t b = 0; b < turns_.size(); ++b) {
      if (is_corotated(b)) add_corotated(b, K, M);
      else if (map(b).shape().base.empty()) add_rigid(b, K, M);
      else add_reduced(b, K, M);
    }
  }

  // Theta y - theta = 0.
  void add_rows(ModalMatrices& to) const {
    for (std::size_t b = 0; b < turns_.size(); ++b) {
      if (turns_[b] < 0) continue;
      const std::vector<Vec3<double>> turn = turn_form(b);
      for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < static_cast<int>(turn.size()); ++i) {
          to.rows.column.push_back(system_.map.bodies[b].first + i);
          to.G.push_back(turn[i][k]);
        }
        to.rows.column.push_back(turns_[b] + k);
        to.G.push_back(-1);
        to.rows.row_start.push_back(static_cast<std::int32_t>(to.rows.column.size()));
        ++to.rows.rows;
      }
    }
  }

 private:
  const TurningMap& map(std::size_t b) const {
    const auto* turning = dynamic_cast<const TurningMap*>(system_.map.bodies[b].map.get());
    LITHE_INVARIANT(turning != nullptr);
    return *turning;
  }
  bool is_corotated(std::size_t b) const { return dynamic_cast<const CorotatedMap*>(&map(b)) != nullptr; }
  const double* coordinates(std::size_t b) const { return &state_.q[3ul * system_.map.bodies[b].first_vector]; }
  std::vector<double> deformation(std::size_t b) const {
    std::vector<double> d(map(b).shape().size());
    map(b).shape().deformation(map(b).rotation(state_.slots), coordinates(b), d.data());
    return d;
  }

  // Of stiffness times size.
  double elastic_force(std::size_t b) const {
    const Shape& shape = map(b).shape();
    const std::vector<double> d = deformation(b);
    std::vector<double> g(d.size());
    shape.multiply(shape.stiffness, d.data(), g.data());
    double force = 0, stiff = 0, size = 0;
    for (const double x : g) force = std::max(force, std::abs(x));
    for (const double x : shape.stiffness) stiff = std::max(stiff, std::abs(x));
    for (int i = 0; i < shape.vectors(); ++i) size = std::max(size, norm(shape.Z[i]));
    return force / (stiff * size);
  }

  // theta = sum of y_i turn_i: with U = R^T Fbar, (tr U 1 - U) theta = sum of g_i x y_i.
  std::vector<Vec3<double>> turn_form(std::size_t b) const {
    const Shape& shape = map(b).shape();
    const Mat3<double> U = transpose(map(b).rotation(state_.slots)) * shape.mean_gradient(coordinates(b));
    Mat3<double> A;
    const double trace = U[0][0] + U[1][1] + U[2][2];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A[i][j] = (i == j ? trace : 0) - 0.5 * (U[i][j] + U[j][i]);
    A = inverse(A);
    std::vector<Vec3<double>> form;
    for (int i = 0; i < shape.vectors(); ++i)
      for (int m = 0; m < 3; ++m) form.push_back(A * cross(shape.gradient[i], axis(m)));
    return form;
  }

  static std::vector<double> turned_about(int k, const std::vector<double>& x) {  // e_k x x_i
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); i += 3) {
      const Vec3<double> z = cross(axis(k), vector_at(&x[i], 0));
      for (int m = 0; m < 3; ++m) y[i + m] = z[m];
    }
    return y;
  }

  template <class Action>
  static void for_mass(const Shape& shape, Action&& action) {
    for (int i = 0; i < shape.vectors(); ++i)
      for (int k = shape.mass_start[i]; k < shape.mass_start[i + 1]; ++k)
        for (int m = 0; shape.mass_column[k] >= i && m < 3; ++m)
          action(3 * i + m, 3 * shape.mass_column[k] + m, shape.mass[k]);
  }

  void add_corotated(std::size_t b, Halves& K, Halves& M) const {
    const Shape& shape = map(b).shape();
    const int first = system_.map.bodies[b].first;
    for (int j = 0; j < shape.size(); ++j)
      for (int p = shape.pattern.column_start[j]; p < shape.pattern.column_start[j + 1]; ++p)
        K.add_symmetric(first + shape.pattern.row[p], first + j, shape.stiffness[p]);
    for_mass(shape, [&](int i, int j, double m) { M.add_symmetric(first + i, first + j, m); });
    if (turns_[b] < 0) return;
    const std::vector<double> d = deformation(b);
    std::vector<double> g(d.size()), back(d.size());
    shape.multiply(shape.stiffness, d.data(), g.data());
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> turned = turned_about(k, g);
      shape.multiply(shape.stiffness, turned_about(k, d).data(), back.data());
      for (int i = 0; i < shape.size(); ++i) K.add_symmetric(first + i, turns_[b] + k, 0.5 * (turned[i] - back[i]));
    }
  }

  void add_reduced(std::size_t b, Halves& K, Halves& M) const {
    const Shape& shape = map(b).shape();
    const int first = system_.map.bodies[b].first, n = shape.size(), r = shape.base.count();
    const ConstMatrix E(shape.base.vectors.data(), n, r), P(shape.projector.data(), n, r),
        stiff(shape.reduced_stiffness.data(), r, r), mass(shape.reduced_mass.data(), r, r);
    const std::vector<double> d = deformation(b);
    std::vector<double> f(d.size());
    shape.turn_back(map(b).rotation(state_.slots), &force_[3ul * system_.map.bodies[b].first_vector], nullptr,
                    f.data());
    const std::vector<Vec3<double>> turn = turn_form(b);
    Matrix turns(n, 3), change(r, 3);
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < n; ++i) turns(i, k) = turn[i][k];
      change.col(k) = -stiff * (P.transpose() * ConstVector(turned_about(k, d).data(), n)) -
                      E.transpose() * ConstVector(turned_about(k, f).data(), n);
    }
    const Matrix turning = change * (E.transpose() * turns).transpose();
    for (int j = 0; j < r; ++j)
      for (int i = 0; i <= j; ++i) {
        K.add_symmetric(first + i, first + j, 0.5 * (stiff(i, j) + stiff(j, i) + turning(i, j) + turning(j, i)));
        M.add_symmetric(first + i, first + j, mass(i, j));
      }
  }

  // Forces on arms r that turn: sum of (theta x r) x f = (r f^T - (r . f) 1) theta.
  void add_rigid(std::size_t b, Halves& K, Halves& M) const {
    const Shape& shape = map(b).shape();
    const int first = system_.map.bodies[b].first;
    const Mat3<double> R = map(b).rotation(state_.slots), inertia = R * shape.inertia * transpose(R);
    Mat3<double> A{};
    for (int i = 0; i < shape.vectors(); ++i) {
      const Vec3<double> arm = R * (shape.position[i] ? shape.Z[i] - shape.centre : shape.Z[i]),
                         f = vector_at(&force_[3ul * system_.map.bodies[b].first_vector], i);
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c) A[a][c] += arm[a] * f[c] - (a == c ? dot(arm, f) : 0);
    }
    for (int a = 0; a < 3; ++a) {
      M.add_symmetric(first + a, first + a, shape.total_mass);
      for (int c = a; c < 3; ++c) {
        K.add_symmetric(first + 3 + a, first + 3 + c, 0.5 * (A[a][c] + A[c][a]));
        M.add_symmetric(first + 3 + a, first + 3 + c, 0.5 * (inertia[a][c] + inertia[c][a]));
      }
    }
  }

  const System& system_;
  const State& state_;
  const std::vector<double>& force_;  // over all coordinates, without the elastic forces of mapped bodies
  std::vector<int> turns_;            // [body] first unknown of its turn, -1: it has none
  int size_;
};

// f_int - f_ext + G^T lambda over all coordinates, without the elastic forces of mapped bodies.
std::vector<double> forces(const System& system, const State& state, Workspace& work) {
  evaluate_unmapped_internal(system, state, work);
  evaluate_external(system, state, work);
  std::vector<double> f(state.q.size());
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = work.internal[i] - work.external[i];
  if (!system.rows.empty()) add_row_forces(system, state, state.lambda, f);
  return f;
}

// Of what has unknowns of its own.
std::vector<double> own_tangent(const System& system, const State& state, Workspace& work) {
  std::vector<double> values;
  evaluate_unmapped_internal(system, state, work);
  evaluate_tangent(system, state, 1, 0, work, values);
  if (!system.rows.empty()) add_constraint_stiffness(system, state, 1, state.lambda, work, values);
  return values;
}

void add_own(const System& system, const std::vector<double>& values, Halves& to) {
  const SparsePattern& from = system.pattern;
  for (int j = 0; j < system.map.own_unknowns(); ++j)
    for (int p = from.column_start[j]; p < from.column_start[j + 1] && from.row[p] < system.map.size; ++p) {
      if (from.symmetric) to.add_symmetric(from.row[p], j, values[p]);
      else to.add(from.row[p], j, values[p]);
    }
}

// Rows that the others imply leave: joints and clamps of mapped bodies may say things twice.
void add_independent_rows(const System& system, const State& state, Workspace& work, ModalMatrices& to) {
  to.rows = {0, to.pattern.size, {0}, {}};
  if (system.rows.empty()) return;
  evaluate_constraints(system, state, work);
  const ConstraintJacobian& G = system.jacobian;
  SparseRows unit;
  unit.columns = system.map.size;
  for (int r = 0; r < system.row_count(); ++r) {
    double size = 0;
    for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) size += work.G[e] * work.G[e];
    size = size > 0 ? std::sqrt(size) : 1;
    for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) {
      unit.column.push_back(G.column[e]);
      unit.value.push_back(work.G[e] / size);
    }
    unit.row_start.push_back(static_cast<std::int32_t>(unit.column.size()));
  }
  std::vector<char> leaves(system.rows.size(), 0);
  if (!system.map.bodies.empty()) {
    const RowRank rank(unit, no_angle);
    for (const int r : rank.dependent()) leaves[r] = 1;
  }
  for (int r = 0; r < system.row_count(); ++r) {
    if (leaves[r]) continue;
    to.kept.push_back(r);
    to.rows.column.insert(to.rows.column.end(), G.column.begin() + G.row_start[r],
                          G.column.begin() + G.row_start[r + 1]);
    to.G.insert(to.G.end(), work.G.begin() + G.row_start[r], work.G.begin() + G.row_start[r + 1]);
    to.rows.row_start.push_back(static_cast<std::int32_t>(to.rows.column.size()));
    ++to.rows.rows;
  }
}

}  // namespace

ModalMatrices modal_matrices(const System& system, const State& state, Workspace& work) {
  ModalMatrices m;
  const std::vector<double> force = forces(system, state, work);
  const BodyMatrices bodies(system, state, force);
  const Pulled pulled(system);
  PatternMaker maker;
  for (int j = 0; j < system.map.own_unknowns(); ++j)
    for (int p = system.pattern.column_start[j]; p < system.pattern.column_start[j + 1]; ++p)
      if (system.pattern.row[p] < system.map.size) maker.add(system.pattern.row[p], j);
  bodies.add_pattern(maker);
  pulled.add_pattern(state.slots, maker);
  m.pattern = maker.pattern(bodies.size());
  Halves K(m.pattern), M(m.pattern);
  add_own(system, own_tangent(system, state, work), K);
  std::vector<double> values;
  evaluate_tangent(system, state, 0, 0, work, values, 1);
  add_own(system, values, M);
  bodies.add(K, M);
  pulled.add(state, K);
  m.K = K.symmetric_part(&m.skew);
  m.M = M.symmetric_part();
  add_independent_rows(system, state, work, m);
  bodies.add_rows(m);
  return m;
}

std::vector<double> stiffness(const System& system, const State& state, Workspace& work, const ModalMatrices& like) {
  const std::vector<double> force = forces(system, state, work);
  const BodyMatrices bodies(system, state, force);
  LITHE_INVARIANT(bodies.size() == like.pattern.size);
  Halves K(like.pattern), M(like.pattern);
  add_own(system, own_tangent(system, state, work), K);
  bodies.add(K, M);
  Pulled(system).add(state, K);
  return K.symmetric_part();
}

}  // namespace lithe

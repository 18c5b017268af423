// Reduced bodies (P2 section 5 and appendix B): modes E over the frame of the shape, rates w of them, v = R E w. With
// S(Q) = (E^T M E)^-1 E^T M Q E the share of the modes in modes that are turned by Q, a step takes the rates to the
// middle, changes them there by the balance of momentum of the modes, and takes them on to the end:
//
//   w1 = S(R1^T R) w,   w1' = w1 + x,   S(R1^T R') w' = w1',
//   A x = h E^T R1^T f - h (K (P^T d + eta w1) + C w1),   K = E^T K0 E, A = E^T A0 E, P = E or, of a modal base, M E,
//   q' = q1 + h/2 R' E w',   R' the rotation of q'.
//
// One half is the adjoint of the other: the scheme is symmetric and of second order. The momentum of the modes in the
// middle is kept, that of the body as a whole among it. (P2 projects once, at the end, eqs. 54 and 91: see
// docs/theory/reduction.md.) Bodies of one base go through the products together.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "lithe/base/aligned.h"
#include "lithe/base/error.h"
#include "lithe/dynamics/blocks/step_blocks.h"
#include "lithe/reduction/rotation.h"

namespace lithe {

namespace {

using Matrix = Eigen::MatrixXd;
using Columns = Eigen::Map<Matrix>;
using ConstColumns = Eigen::Map<const Matrix>;

constexpr int panel = 16;  // bodies at a time
// Rates at the end come nearer by a factor of the turn of half a step with each iteration.
constexpr int most_turns = 100;
constexpr double turned_enough = 1e-12;

struct ReducedGroup {
  const Shape* shape;
  std::vector<const ReducedMap*> maps;
  std::vector<const MappedBody*> bodies;
  Matrix inverse;                   // A^-1
  std::vector<Mat3<double>> begin;  // [body] its rotation, seen from that of the middle: R1^T R
};

class ReducedBlocks final : public StepBlocks {
 public:
  ReducedBlocks(const System& system, Team& team) : team_(team), rooms_(team.size()) {
    block_.assign(system.map.size, -1);
    std::map<const Shape*, int> known;
    for (const MappedBody& mapped : system.map.bodies)
      if (const auto* map = dynamic_cast<const ReducedMap*>(mapped.map.get())) {
        const auto [found, fresh] = known.emplace(&map->shape(), static_cast<int>(groups_.size()));
        if (fresh) groups_.push_back({&map->shape(), {}, {}, {}, {}});
        ReducedGroup& group = groups_[found->second];
        std::fill_n(block_.begin() + mapped.first, map->size(), count());
        where_.emplace_back(found->second, static_cast<int>(group.maps.size()));
        group.maps.push_back(map);
        group.bodies.push_back(&mapped);
        group.begin.push_back(unit_matrix);
      }
    int full = 0, modes = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (int k = 0; k < static_cast<int>(groups_[g].maps.size()); k += panel) panels_.emplace_back(g, k);
      full = std::max(full, groups_[g].shape->size());
      modes = std::max(modes, groups_[g].shape->base.count());
    }
    for (Room& room : rooms_) {
      for (auto* x : {&room.d, &room.f}) x->resize(static_cast<std::size_t>(full) * panel);
      for (auto* x : {&room.a, &room.b}) x->resize(static_cast<std::size_t>(modes) * panel);
      room.turned.resize(9ul * modes * panel);
    }
    arrived_.resize(system.map.size);
  }

  bool set_step(double h) override {
    for (ReducedGroup& group : groups_) {
      const Shape& shape = *group.shape;
      const int r = shape.base.count();
      Matrix A = ConstColumns(shape.reduced_mass.data(), r, r) +
                 (shape.eta * h / 2 + h * h / 4) * ConstColumns(shape.reduced_stiffness.data(), r, r);
      if (!shape.reduced_viscosity.empty()) A += h / 2 * ConstColumns(shape.reduced_viscosity.data(), r, r);
      const Eigen::LLT<Matrix> factor(A);
      if (factor.info() != Eigen::Success) return false;
      group.inverse = factor.solve(Matrix::Identity(r, r));
    }
    return true;
  }

  void to_middle(const State& begin, HalfStep& step) override {
    each([&](ReducedGroup& group, int from, int many, Room& room) {
      const int r = group.shape->base.count();
      for (int k = 0; k < many; ++k) {
        const ReducedMap& map = *group.maps[from + k];
        map.update(&step.middle.q[3ul * group.bodies[from + k]->first_vector], step.middle.slots);
        group.begin[from + k] = transpose(map.rotation(step.middle.slots)) * map.rotation(begin.slots);
        room.turn[k] = group.begin[from + k];
        std::copy_n(map.rates(begin.slots), r, &room.a[1ul * r * k]);
      }
      take_share(group, many, room);
      for (int k = 0; k < many; ++k) {
        const int at = group.bodies[from + k]->first;
        std::copy_n(&room.b[1ul * r * k], r, &arrived_[at]);
      }
    });
  }

  void see(HalfStep& step) override {
    for (const ReducedGroup& group : groups_)
      for (std::size_t k = 0; k < group.maps.size(); ++k) {
        double* to = &step.seen[3ul * group.bodies[k]->first_vector];
        std::fill_n(to, group.shape->size(), 0.0);
        group.maps[k]->prolong(step.middle.slots, &arrived_[group.bodies[k]->first], 1, to);
      }
  }

  void right_side(const HalfStep& step, const std::vector<double>& load, std::vector<double>& b) override {
    const double h = step.h;
    each([&](ReducedGroup& group, int from, int many, Room& room) {
      const Shape& shape = *group.shape;
      const int n = shape.size(), r = shape.base.count();
      bool loaded = false;
      for (int k = 0; k < many; ++k) {
        const Mat3<double> R = group.maps[from + k]->rotation(step.middle.slots);
        const std::size_t at = 3ul * group.bodies[from + k]->first_vector;
        shape.deformation(R, &step.middle.q[at], &room.d[1ul * n * k]);
        shape.turn_back(R, &load[at], nullptr, &room.f[1ul * n * k]);
        loaded = loaded || std::any_of(&load[at], &load[at] + n, [](double f) { return f != 0; });
        std::copy_n(&arrived_[group.bodies[from + k]->first], r, &room.a[1ul * r * k]);
      }
      const ConstColumns E(shape.base.vectors.data(), n, r), P(shape.projector.data(), n, r),
          K(shape.reduced_stiffness.data(), r, r), C(shape.reduced_viscosity.data(), r, r);
      Columns rates(room.a.data(), r, many), result(room.b.data(), r, many);
      result.setZero();
      if (!shape.reduced_viscosity.empty()) result.noalias() -= h * C * rates;
      rates *= shape.eta;
      rates.noalias() += P.transpose() * Columns(room.d.data(), n, many);
      result.noalias() -= h * K * rates;
      if (loaded) result.noalias() += h * E.transpose() * Columns(room.f.data(), n, many);
      for (int k = 0; k < many; ++k) std::copy_n(&room.b[1ul * r * k], r, &b[group.bodies[from + k]->first]);
    });
  }

  void solve(const std::vector<double>& b, std::vector<double>& x) override {
    each([&](ReducedGroup& group, int from, int many, Room& room) {
      const int r = group.shape->base.count();
      for (int k = 0; k < many; ++k) std::copy_n(&b[group.bodies[from + k]->first], r, &room.a[1ul * r * k]);
      Columns(room.b.data(), r, many).noalias() = group.inverse * Columns(room.a.data(), r, many);
      for (int k = 0; k < many; ++k) std::copy_n(&room.b[1ul * r * k], r, &x[group.bodies[from + k]->first]);
    });
  }

  void apply_inverse(int block, int columns, double* f) override {
    const ReducedGroup& group = groups_[where_[block].first];
    const int r = group.shape->base.count();
    columns_.assign(f, f + static_cast<std::size_t>(r) * columns);
    Columns(f, r, columns).noalias() = group.inverse * Columns(columns_.data(), r, columns);
  }

  void finish(const HalfStep& step, const std::vector<double>& x, const std::vector<double>& y, State& end) override {
    each([&](ReducedGroup& group, int from, int many, Room& room) {
      const Shape& shape = *group.shape;
      const int n = shape.size(), r = shape.base.count();
      const ConstColumns E(shape.base.vectors.data(), n, r);
      for (int k = 0; k < many; ++k) {
        const int at = group.bodies[from + k]->first;
        for (int i = 0; i < r; ++i) room.a[1ul * r * k + i] = y[at + i];
      }
      // Displacements on top, of all bodies or of none.
      const bool moved = std::any_of(room.a.begin(), room.a.begin() + 1l * r * many, [](double s) { return s != 0; });
      if (moved) Columns(room.f.data(), n, many).noalias() = E * Columns(room.a.data(), r, many);
      to_end(group, from, many, room, step, x, end);
      Columns(room.d.data(), n, many).noalias() = E * Columns(room.a.data(), r, many);
      for (int k = 0; k < many; ++k) {
        const ReducedMap& map = *group.maps[from + k];
        const std::size_t at = 3ul * group.bodies[from + k]->first_vector;
        double *v = &room.d[1ul * n * k], *s = &room.f[1ul * n * k];
        shape.turn(map.rotation(end.slots), v, v);
        if (moved) shape.turn(map.rotation(step.middle.slots), s, s);
        for (int i = 0; i < n; ++i) {
          end.v[at + i] = v[i];
          end.q[at + i] = step.middle.q[at + i] + 0.5 * step.h * v[i] + (moved ? s[i] : 0);
        }
      }
    });
  }

  int count() const override { return static_cast<int>(where_.size()); }
  int block_of(int unknown) const override { return block_[unknown]; }
  int first(int block) const override { return groups_[where_[block].first].bodies[where_[block].second]->first; }
  int size(int block) const override { return groups_[where_[block].first].shape->base.count(); }

 private:
  // Aligned: how Eigen adds up small products depends on where they go, and so would the last bits.
  struct Room {
    AlignedVector<double> d, f, a, b, turned;
    std::array<Mat3<double>, panel> turn;
  };

  // room.b = S(room.turn) room.a
  static void take_share(const ReducedGroup& group, int many, Room& room) {
    const int r = group.shape->base.count();
    Columns all(room.turned.data(), 9l * r, many);
    all.noalias() = ConstColumns(group.shape->turned.data(), 9l * r, r) * Columns(room.a.data(), r, many);
    for (int k = 0; k < many; ++k) {
      const Mat3<double>& Q = room.turn[k];
      for (int i = 0; i < r; ++i) {
        double sum = 0;
        for (int m = 0; m < 9; ++m) sum += Q[m / 3][m % 3] * all(m * r + i, k);
        room.b[1ul * r * k + i] = sum;
      }
    }
  }

  // action(group, first body, how many, room) for all panels.
  template <class Action>
  void each(Action&& action) {
    team_.run(static_cast<int>(panels_.size()), [&](int p, int thread) {
      ReducedGroup& group = groups_[panels_[p].first];
      const int from = panels_[p].second;
      action(group, from, std::min(panel, static_cast<int>(group.maps.size()) - from), rooms_[thread]);
    });
  }

  // Rotations and rates at the end. room.a: before, the displacements y on top; then w'.
  void to_end(const ReducedGroup& group, int from, int many, Room& room, const HalfStep& step,
              const std::vector<double>& x, State& end) const {
    const Shape& shape = *group.shape;
    const int r = shape.base.count();
    std::array<Mat3<double>, panel> F1, R1, R;  // F1: mean gradient in the middle, and on top
    for (int k = 0; k < many; ++k) {
      const ReducedMap& map = *group.maps[from + k];
      const int at = group.bodies[from + k]->first;
      double* w = &room.a[1ul * r * k];
      R1[k] = map.rotation(step.middle.slots);
      F1[k] = shape.mean_gradient(&step.middle.q[3ul * group.bodies[from + k]->first_vector]);
      add(F1[k], 1, R1[k] * gradient_of(shape, w));
      R[k] = R1[k] * transpose(group.begin[from + k]);
      const double* before = map.rates(step.middle.slots);
      for (int i = 0; i < r; ++i) w[i] = 2 * arrived_[at + i] - before[i] + x[at + i];
    }
    for (int iteration = 0;; ++iteration) {
      std::array<double, panel> off{};  // how far rotation and rates still came
      for (int k = 0; k < many; ++k) {
        Mat3<double> F = F1[k];
        add(F, 0.5 * step.h, R[k] * gradient_of(shape, &room.a[1ul * r * k]));
        const Mat3<double> turned = group.maps[from + k]->rotation_from(F);
        for (int m = 0; m < 9; ++m) off[k] = std::max(off[k], std::abs(turned[m / 3][m % 3] - R[k][m / 3][m % 3]));
        R[k] = turned;
        room.turn[k] = transpose(R1[k]) * turned;
      }
      take_share(group, many, room);
      for (int k = 0; k < many; ++k) {
        const int at = group.bodies[from + k]->first;
        double *w = &room.a[1ul * r * k], change = 0, size = 0;
        for (int i = 0; i < r; ++i) {
          const double nearer = arrived_[at + i] + x[at + i] - room.b[1ul * r * k + i];
          w[i] += nearer;
          change = std::max(change, std::abs(nearer));
          size = std::max(size, std::abs(w[i]));
        }
        if (change > 0) off[k] = std::max(off[k], change / size);
      }
      const auto worst = std::max_element(off.begin(), off.begin() + many);
      if (*worst <= turned_enough) break;
      if (iteration == most_turns)
        throw RunError("body '" + group.maps[from + (worst - off.begin())]->name() +
                       "' turns too far in a step for the rates of its modes to follow; try a smaller step");
    }
    for (int k = 0; k < many; ++k) {
      const ReducedMap& map = *group.maps[from + k];
      map.set_rotation(R[k], end.slots);
      std::copy_n(&room.a[1ul * r * k], r, map.rates(end.slots));
    }
  }
  // Mean of F of E w.
  static Mat3<double> gradient_of(const Shape& shape, const double* w) {
    Mat3<double> sum{};
    for (int i = 0; i < shape.base.count(); ++i) add(sum, w[i], shape.mode_gradient[i]);
    return sum;
  }
  static void add(Mat3<double>& to, double factor, const Mat3<double>& A) {
    for (int m = 0; m < 9; ++m) to[m / 3][m % 3] += factor * A[m / 3][m % 3];
  }

  Team& team_;
  std::vector<ReducedGroup> groups_;
  std::vector<std::pair<int, int>> where_;           // [block] group, number in it
  std::vector<std::pair<std::size_t, int>> panels_;  // group, first body
  std::vector<std::int32_t> block_;                  // [unknown]
  std::vector<double> arrived_;                      // [unknown] w1
  std::vector<Room> rooms_;                          // [thread]
  AlignedVector<double> columns_;                    // of apply_inverse
};

}  // namespace

std::unique_ptr<StepBlocks> make_reduced_blocks(const System& system, Team& team) {
  return std::make_unique<ReducedBlocks>(system, team);
}

}  // namespace lithe

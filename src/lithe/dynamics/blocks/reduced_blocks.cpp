// Reduced bodies (P2 section 5 and appendix B): modes E over the frame of the shape, rates w of them, P = E or, of a
// modal base, M E. Coordinates and rates are integrated in full; the balance of momentum is that of the modes,
//
//   A x = h E^T R^T f - h (K (P^T (d + eta R^T v)) + C P^T R^T v),   K = E^T K0 E, A = E^T A0 E,   v' = v + R E x,
//
// and at the end of the step v' goes back into the span of the modes as they are turned then (eqs. 54 to 56; of a modal
// base the six rigid rates stay what the balance made them, eq. 91). Bodies of one base go through the products
// together.
#include <Eigen/Dense>
#include <algorithm>
#include <map>

#include "lithe/base/aligned.h"
#include "lithe/dynamics/blocks/step_blocks.h"

namespace lithe {

namespace {

using Matrix = Eigen::MatrixXd;
using Columns = Eigen::Map<Matrix>;
using ConstColumns = Eigen::Map<const Matrix>;

constexpr int panel = 16;       // bodies at a time
constexpr int rigid_rates = 6;  // of a modal base, the first ones

struct ReducedGroup {
  const Shape* shape;
  std::vector<const ReducedMap*> maps;
  std::vector<const MappedBody*> bodies;
  Matrix inverse;  // A^-1
};

class ReducedBlocks final : public StepBlocks {
 public:
  ReducedBlocks(const System& system, Team& team) : team_(team), rooms_(team.size()) {
    block_.assign(system.map.size, -1);
    std::map<const Shape*, int> known;
    for (const MappedBody& mapped : system.map.bodies)
      if (const auto* map = dynamic_cast<const ReducedMap*>(mapped.map.get())) {
        const auto [found, fresh] = known.emplace(&map->shape(), static_cast<int>(groups_.size()));
        if (fresh) groups_.push_back({&map->shape(), {}, {}, {}});
        ReducedGroup& group = groups_[found->second];
        std::fill_n(block_.begin() + mapped.first, map->size(), count());
        where_.emplace_back(found->second, static_cast<int>(group.maps.size()));
        group.maps.push_back(map);
        group.bodies.push_back(&mapped);
      }
    int full = 0, modes = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (int k = 0; k < static_cast<int>(groups_[g].maps.size()); k += panel) panels_.emplace_back(g, k);
      full = std::max(full, groups_[g].shape->size());
      modes = std::max(modes, groups_[g].shape->base.count());
    }
    for (Room& room : rooms_) {
      for (auto* x : {&room.d, &room.v, &room.f}) x->resize(static_cast<std::size_t>(full) * panel);
      for (auto* x : {&room.a, &room.b}) x->resize(static_cast<std::size_t>(modes) * panel);
    }
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

  void to_middle(const State&, HalfStep& step) override {
    team_.run(count(), [&](int k, int) {
      const ReducedGroup& group = groups_[where_[k].first];
      const MappedBody& body = *group.bodies[where_[k].second];
      group.maps[where_[k].second]->update(&step.middle.q[3ul * body.first_vector], step.middle.slots);
    });
  }

  void right_side(const HalfStep& step, const std::vector<double>& load, std::vector<double>& b) override {
    const double h = step.h;
    each([&](const ReducedGroup& group, int from, int many, Room& room) {
      const Shape& shape = *group.shape;
      const int n = shape.size(), r = shape.base.count();
      bool loaded = false;
      for (int k = 0; k < many; ++k) {
        const Mat3<double> R = group.maps[from + k]->rotation(step.middle.slots);
        const std::size_t at = 3ul * group.bodies[from + k]->first_vector;
        double *d = &room.d[1ul * n * k], *v = &room.v[1ul * n * k];
        shape.deformation(R, &step.middle.q[at], d);
        shape.turn_back(R, &step.v[at], nullptr, v);
        for (int i = 0; i < n; ++i) d[i] += shape.eta * v[i];
        shape.turn_back(R, &load[at], nullptr, &room.f[1ul * n * k]);
        loaded = loaded || std::any_of(&load[at], &load[at] + n, [](double f) { return f != 0; });
      }
      const ConstColumns E(shape.base.vectors.data(), n, r), P(shape.projector.data(), n, r),
          K(shape.reduced_stiffness.data(), r, r), C(shape.reduced_viscosity.data(), r, r);
      Columns q(room.a.data(), r, many), result(room.b.data(), r, many);
      q.noalias() = P.transpose() * Columns(room.d.data(), n, many);
      result.noalias() = -h * K * q;
      if (!shape.reduced_viscosity.empty()) {
        q.noalias() = P.transpose() * Columns(room.v.data(), n, many);
        result.noalias() -= h * C * q;
      }
      if (loaded) result.noalias() += h * E.transpose() * Columns(room.f.data(), n, many);
      for (int k = 0; k < many; ++k) std::copy_n(&room.b[1ul * r * k], r, &b[group.bodies[from + k]->first]);
    });
  }

  void solve(const std::vector<double>& b, std::vector<double>& x) override {
    each([&](const ReducedGroup& group, int from, int many, Room& room) {
      const int r = group.shape->base.count();
      for (int k = 0; k < many; ++k) std::copy_n(&b[group.bodies[from + k]->first], r, &room.a[1ul * r * k]);
      Columns(room.b.data(), r, many).noalias() = group.inverse * Columns(room.a.data(), r, many);
      for (int k = 0; k < many; ++k) std::copy_n(&room.b[1ul * r * k], r, &x[group.bodies[from + k]->first]);
    });
  }

  void apply_inverse(int block, int columns, double* f) override {
    const ReducedGroup& group = groups_[where_[block].first];
    Columns x(f, group.shape->base.count(), columns);
    x = (group.inverse * x).eval();
  }

  void finish(const HalfStep& step, const std::vector<double>& x, const std::vector<double>& y, State& end) override {
    each([&](const ReducedGroup& group, int from, int many, Room& room) {
      const Shape& shape = *group.shape;
      const int n = shape.size(), r = shape.base.count();
      const ConstColumns E(shape.base.vectors.data(), n, r), P(shape.projector.data(), n, r);
      const auto of = [&](int k) { return 3ul * group.bodies[from + k]->first_vector; };
      Columns modes(room.a.data(), r, many), full(room.d.data(), n, many);
      // v + R E x, and the coordinates it makes.
      for (int k = 0; k < many; ++k) std::copy_n(&x[group.bodies[from + k]->first], r, &room.a[1ul * r * k]);
      full.noalias() = E * modes;
      for (int k = 0; k < many; ++k) {
        const ReducedMap& map = *group.maps[from + k];
        const Mat3<double> R = map.rotation(step.middle.slots);
        double* u = &room.d[1ul * n * k];
        shape.turn(R, u, u);
        for (int i = 0; i < n; ++i) {
          u[i] += step.v[of(k) + i];
          end.q[of(k) + i] = step.middle.q[of(k) + i] + 0.5 * step.h * u[i];
        }
        map.update(&end.q[of(k)], end.slots);
        shape.turn_back(map.rotation(end.slots), u, nullptr, &room.v[1ul * n * k]);
      }
      // Into the span of the modes as they are turned now.
      Columns(room.b.data(), r, many).noalias() = P.transpose() * Columns(room.v.data(), n, many);
      for (int k = 0; k < many; ++k) {
        const ReducedMap& map = *group.maps[from + k];
        double* rates = &room.b[1ul * r * k];
        const double* before = map.rates(step.middle.slots);
        for (int i = 0; shape.modal && i < rigid_rates; ++i) rates[i] = before[i] + room.a[1ul * r * k + i];
        std::copy_n(rates, r, map.rates(end.slots));
      }
      full.noalias() = E * Columns(room.b.data(), r, many);
      // Displacements on top.
      bool moved = false;
      for (int k = 0; k < many; ++k) {
        const double* shift = &y[group.bodies[from + k]->first];
        std::copy_n(shift, r, &room.a[1ul * r * k]);
        moved = moved || std::any_of(shift, shift + r, [](double s) { return s != 0; });
      }
      if (moved) Columns(room.f.data(), n, many).noalias() = E * modes;
      for (int k = 0; k < many; ++k) {
        const ReducedMap& map = *group.maps[from + k];
        double *u = &room.d[1ul * n * k], *s = &room.f[1ul * n * k];
        shape.turn(map.rotation(end.slots), u, u);
        if (moved) shape.turn(map.rotation(step.middle.slots), s, s);
        for (int i = 0; i < n; ++i) {
          end.v[of(k) + i] = u[i];
          end.q[of(k) + i] = step.middle.q[of(k) + i] + 0.5 * step.h * u[i] + (moved ? s[i] : 0);
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
    AlignedVector<double> d, v, f, a, b;
  };

  // action(group, first body, how many, room) for all panels.
  template <class Action>
  void each(Action&& action) {
    team_.run(static_cast<int>(panels_.size()), [&](int p, int thread) {
      const ReducedGroup& group = groups_[panels_[p].first];
      const int from = panels_[p].second;
      action(group, from, std::min(panel, static_cast<int>(group.maps.size()) - from), rooms_[thread]);
    });
  }

  Team& team_;
  std::vector<ReducedGroup> groups_;
  std::vector<std::pair<int, int>> where_;           // [block] group, number in it
  std::vector<std::pair<std::size_t, int>> panels_;  // group, first body
  std::vector<std::int32_t> block_;                  // [unknown]
  std::vector<Room> rooms_;                          // [thread]
};

}  // namespace

std::unique_ptr<StepBlocks> make_reduced_blocks(const System& system, Team& team) {
  return std::make_unique<ReducedBlocks>(system, team);
}

}  // namespace lithe

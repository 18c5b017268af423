// Co-rotated bodies (P2 section 4): with R the rotation of the body in the middle, d = R^T q1 - Z its deformation and
// A0 = M + (eta h/2 + h^2/4) K0 + h/2 C0 in the frame of the shape, factored once per step size,
//
//   R A0 R^T dv = h f - h R (K0 (d + eta R^T v) + C0 R^T v).
#include <algorithm>
#include <map>

#include "lithe/base/error.h"
#include "lithe/dynamics/blocks/step_blocks.h"
#include "lithe/linalg/solver_ladder.h"

namespace lithe {

namespace {

// Bodies of one shape.
struct CorotatedGroup {
  const Shape* shape;
  std::vector<const CorotatedMap*> maps;
  std::vector<const MappedBody*> bodies;
  std::vector<std::int32_t> mass_place;  // [entry of the compact mass][3] in the pattern; -1: below the diagonal
  SolverLadder ladder;
  std::vector<double> values, columns;
};

class CorotatedBlocks final : public StepBlocks {
 public:
  CorotatedBlocks(const System& system, Team& team) : team_(team) {
    block_.assign(system.map.size, -1);
    std::map<const Shape*, int> known;
    for (const MappedBody& mapped : system.map.bodies)
      if (const auto* map = dynamic_cast<const CorotatedMap*>(mapped.map.get())) {
        const auto [found, fresh] = known.emplace(&map->shape(), static_cast<int>(groups_.size()));
        if (fresh)
          groups_.push_back(std::make_unique<CorotatedGroup>(CorotatedGroup{&map->shape(), {}, {}, {}, {}, {}, {}}));
        CorotatedGroup& group = *groups_[found->second];
        std::fill_n(block_.begin() + mapped.first, map->size(), count());
        where_.emplace_back(found->second, static_cast<int>(group.maps.size()));
        group.maps.push_back(map);
        group.bodies.push_back(&mapped);
      }
    for (auto& group : groups_) prepare(*group);
  }

  long long version() const override { return version_; }
  int family(int block) const override { return where_[block].first; }
  bool set_step(double h) override {
    ++version_;
    for (auto& pointer : groups_) {
      CorotatedGroup& group = *pointer;
      const Shape& shape = *group.shape;
      const double c = shape.eta * h / 2 + h * h / 4;
      for (std::size_t k = 0; k < group.values.size(); ++k) {
        group.values[k] = c * shape.stiffness[k];
        if (!shape.viscosity.empty()) group.values[k] += h / 2 * shape.viscosity[k];
      }
      for (std::size_t k = 0; k < shape.mass.size(); ++k)
        for (int m = 0; m < 3; ++m)
          if (const std::int32_t at = group.mass_place[3 * k + m]; at >= 0) group.values[at] += shape.mass[k];
      if (!group.ladder.factor(group.values)) return false;
    }
    return true;
  }

  void to_middle(const State&, HalfStep& step) override {
    each([&](const CorotatedMap& map, const MappedBody& body, double*) {
      map.update(&step.middle.q[3ul * body.first_vector], step.middle.slots);
    });
  }

  void right_side(const HalfStep& step, const std::vector<double>& load, std::vector<double>& b) override {
    const double h = step.h;
    each([&](const CorotatedMap& map, const MappedBody& body, double* room) {
      const Shape& shape = map.shape();
      const int n = shape.size();
      double *d = room, *v = room + n, *f = room + 2l * n, *to = &b[body.first];
      const Mat3<double> R = map.rotation(step.middle.slots);
      const std::size_t at = 3ul * body.first_vector;
      shape.deformation(R, &step.middle.q[at], d);
      shape.turn_back(R, &step.v[at], nullptr, v);
      for (int i = 0; i < n; ++i) d[i] += shape.eta * v[i];
      shape.multiply(shape.stiffness, d, f);
      shape.turn_back(R, &load[at], nullptr, to);
      for (int i = 0; i < n; ++i) to[i] = h * (to[i] - f[i]);
      if (shape.viscosity.empty()) return;
      shape.multiply(shape.viscosity, v, f);
      for (int i = 0; i < n; ++i) to[i] -= h * f[i];
    });
  }

  void solve(const std::vector<double>& b, std::vector<double>& x) override {
    for (auto& pointer : groups_) {
      CorotatedGroup& group = *pointer;
      const int n = group.shape->size(), columns = static_cast<int>(group.bodies.size());
      group.columns.resize(static_cast<std::size_t>(n) * columns);
      for (int k = 0; k < columns; ++k) std::copy_n(&b[group.bodies[k]->first], n, &group.columns[1ul * n * k]);
      invert(group, columns);
      for (int k = 0; k < columns; ++k) std::copy_n(&group.columns[1ul * n * k], n, &x[group.bodies[k]->first]);
    }
  }

  void apply_inverse(int block, int columns, double* f) override {
    CorotatedGroup& group = *groups_[where_[block].first];
    group.columns.assign(f, f + static_cast<std::size_t>(group.shape->size()) * columns);
    invert(group, columns);
    std::ranges::copy(group.columns, f);
  }

  void finish(const HalfStep& step, const std::vector<double>& x, const std::vector<double>& y, State& end) override {
    each([&](const CorotatedMap& map, const MappedBody& body, double* room) {
      const Shape& shape = map.shape();
      const int n = shape.size();
      const Mat3<double> R = map.rotation(step.middle.slots);
      const std::size_t at = 3ul * body.first_vector;
      shape.turn(R, &x[body.first], room);
      shape.turn(R, &y[body.first], room + n);
      for (int i = 0; i < n; ++i) {
        end.v[at + i] = step.v[at + i] + room[i];
        end.q[at + i] = step.middle.q[at + i] + 0.5 * step.h * end.v[at + i] + room[n + i];
      }
      map.update(&end.q[at], end.slots);
    });
  }

  int count() const override { return static_cast<int>(where_.size()); }
  int block_of(int unknown) const override { return block_[unknown]; }
  int first(int block) const override { return groups_[where_[block].first]->bodies[where_[block].second]->first; }
  int size(int block) const override { return groups_[where_[block].first]->shape->size(); }

 private:
  static void invert(CorotatedGroup& group, int columns) {
    SolveRequest request;
    request.columns = columns;
    // Positive definite and factored by a stable method: what a report could say, the rates of rows and energies do.
    [[maybe_unused]] const SolveReport report = group.ladder.solve(group.columns, group.columns, request);
  }

  void prepare(CorotatedGroup& group) {
    const Shape& shape = *group.shape;
    group.values.resize(shape.pattern.nonzeros());
    group.ladder = SolverLadder(shape.pattern, MatrixKind::positive_definite, {});
    for (int i = 0; i < shape.vectors(); ++i)
      for (int k = shape.mass_start[i]; k < shape.mass_start[i + 1]; ++k)
        for (int m = 0; m < 3; ++m) {
          const int row = 3 * i + m, column = 3 * shape.mass_column[k] + m;
          group.mass_place.push_back(row <= column ? position(shape.pattern, row, column) : -1);
        }
    room_ = std::max(room_, 3ul * shape.size());
    scratch_.resize(room_ * team_.size());
  }

  // action(map, body, room of its thread) for all bodies.
  template <class Action>
  void each(Action&& action) {
    team_.run(count(), [&](int k, int thread) {
      const CorotatedGroup& group = *groups_[where_[k].first];
      action(*group.maps[where_[k].second], *group.bodies[where_[k].second], &scratch_[room_ * thread]);
    });
  }

  Team& team_;
  std::vector<std::unique_ptr<CorotatedGroup>> groups_;
  std::vector<std::pair<int, int>> where_;  // [block] group, number in it
  std::vector<std::int32_t> block_;         // [unknown]
  long long version_ = 0;
  std::size_t room_ = 0;
  std::vector<double> scratch_;  // [thread]
};

}  // namespace

std::unique_ptr<StepBlocks> make_corotated_blocks(const System& system, Team& team) {
  return std::make_unique<CorotatedBlocks>(system, team);
}

}  // namespace lithe

// Rigid bodies by their momentum and angular momentum L about the centre. With J the inertia in the body's axes, W its
// angular velocity there and a right-hand side that holds impulses,
//
//   R1 = R exp(h/2 W),   L' = L + h T + (H^T R),   R' = R1 exp(h/2 W'),   J W' = exp(-h/2 W') R1^T L'.
//
// One half is the adjoint of the other, so the scheme is symmetric and of second order; L of a free body stays as it
// is.
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/contact/strides.h"
#include "lithe/dynamics/blocks/step_blocks.h"
#include "lithe/reduction/rotation.h"

namespace lithe {

namespace {

Vec3<double> three(const double* x) { return vector_at(x, 0); }

class RigidBlocks final : public StepBlocks {
 public:
  RigidBlocks(const System& system, Team& team) : team_(team) {
    block_.assign(system.map.size, -1);
    for (const MappedBody& mapped : system.map.bodies)
      if (const auto* map = dynamic_cast<const RigidMap*>(mapped.map.get())) {
        for (int i = 0; i < 6; ++i) block_[mapped.first + i] = count();
        bodies_.push_back({map, &mapped, inverse(map->shape().inertia)});
      }
  }

  bool set_step(double) override { return true; }

  void to_middle(const State& begin, HalfStep& step) override {
    each([&](Body& body) {
      const std::size_t at = 3ul * body.mapped->first_vector;
      const Mat3<double> R = body.map->rotation(begin.slots);
      const double* w = body.map->rates(begin.slots);
      body.velocity = three(w);
      body.momentum = R * (body.map->shape().inertia * (transpose(R) * three(w + 3)));
      body.centre = body.map->centre(&begin.q[at]) + (0.5 * step.h) * body.velocity;
      body.middle = rotation_of((0.5 * step.h) * three(w + 3)) * R;
      body.map->place(body.centre, body.middle, &step.middle.q[at]);
      body.map->set_rotation(body.middle, step.middle.slots);
    });
  }

  void see(HalfStep& step) override {
    each([&](const Body& body) {
      const Vec3<double> turn = body.middle * (body.back * (transpose(body.middle) * body.momentum));
      const double w[6] = {body.velocity[0], body.velocity[1], body.velocity[2], turn[0], turn[1], turn[2]};
      double* to = &step.seen[3ul * body.mapped->first_vector];
      std::fill_n(to, body.map->shape().size(), 0.0);
      body.map->spread(body.middle, w, 1, to);
    });
  }

  void right_side(const HalfStep& step, const std::vector<double>& load, std::vector<double>& b) override {
    for (const Body& body : bodies_) {
      double* to = &b[body.mapped->first];
      std::fill(to, to + 6, 0.0);
      body.map->restrict(step.middle.slots, &load[3ul * body.mapped->first_vector], to);
      for (int i = 0; i < 6; ++i) to[i] *= step.h;
    }
  }

  void solve(const std::vector<double>& b, std::vector<double>& x) override {
    for (int k = 0; k < count(); ++k) {
      const int first = bodies_[k].mapped->first;
      double f[6];
      std::copy_n(&b[first], 6, f);
      apply_inverse(k, 1, f);
      std::copy_n(f, 6, &x[first]);
    }
  }

  bool inverts_side_by_side() const override { return true; }
  void apply_inverse(int block, int columns, double* f) override {
    const Body& body = bodies_[block];
    for (; columns > 0; --columns, f += 6) {
      for (int m = 0; m < 3; ++m) f[m] /= body.map->shape().total_mass;
      const Vec3<double> turn = body.middle * (body.back * (transpose(body.middle) * three(f + 3)));
      for (int m = 0; m < 3; ++m) f[3 + m] = turn[m];
    }
  }

  void finish(const HalfStep& step, const std::vector<double>& x, const std::vector<double>& y, State& end) override {
    each([&](const Body& body) {
      const Shape& shape = body.map->shape();
      const double *change = &x[body.mapped->first], *shift = &y[body.mapped->first];
      const Mat3<double>& R1 = body.middle;
      // x is A^-1 of what L gains.
      const Vec3<double> gained = R1 * (shape.inertia * (transpose(R1) * three(change + 3)));
      const Vec3<double> spin = end_spin(shape.inertia, transpose(R1) * (body.momentum + gained), 0.5 * step.h);
      // Orthonormal again: products of rotations drift.
      const Mat3<double> R =
          nearest_rotation(rotation_of(three(shift + 3)) * (R1 * rotation_of((0.5 * step.h) * spin)));
      const Vec3<double> velocity = body.velocity + three(change);
      const Vec3<double> centre = body.centre + (0.5 * step.h) * velocity + three(shift);
      const Vec3<double> turn = R * spin;
      const double w[6] = {velocity[0], velocity[1], velocity[2], turn[0], turn[1], turn[2]};
      const std::size_t at = 3ul * body.mapped->first_vector;
      body.map->place(centre, R, &end.q[at]);
      std::fill_n(&end.v[at], shape.size(), 0.0);
      body.map->spread(R, w, 1, &end.v[at]);
      body.map->set_rotation(R, end.slots);
      std::copy_n(w, 6, body.map->rates(end.slots));
    });
  }

  int count() const override { return static_cast<int>(bodies_.size()); }
  int block_of(int unknown) const override { return block_[unknown]; }
  int first(int block) const override { return bodies_[block].mapped->first; }
  int size(int) const override { return 6; }

 private:
  struct Body {
    const RigidMap* map;
    const MappedBody* mapped;
    Mat3<double> back;  // J^-1
    Vec3<double> velocity{}, momentum{}, centre{};
    Mat3<double> middle = unit_matrix;
  };

  template <class Task>
  void each(Task&& task) {
    in_strides(team_, bodies_.size(), [&](int k) { task(bodies_[k]); });
  }

  // J W = exp(-s W) l, by Newton with the derivative of small turns.
  static Vec3<double> end_spin(const Mat3<double>& J, const Vec3<double>& l, double s) {
    Vec3<double> W = inverse(J) * l;
    for (int k = 0; k < 50; ++k) {
      const Vec3<double> y = rotation_of(-s * W) * l;
      const Vec3<double> off = J * W - y;
      Mat3<double> D = J;
      D[0][1] += s * y[2];
      D[0][2] -= s * y[1];
      D[1][0] -= s * y[2];
      D[1][2] += s * y[0];
      D[2][0] += s * y[1];
      D[2][1] -= s * y[0];
      const Vec3<double> change = inverse(D) * off;
      W = W - change;
      if (!(norm(change) > 1e-15 * norm(W))) break;
    }
    return W;
  }

  Team& team_;
  std::vector<Body> bodies_;
  std::vector<std::int32_t> block_;  // [unknown]
};

}  // namespace

std::unique_ptr<StepBlocks> make_rigid_blocks(const System& system, Team& team) {
  return std::make_unique<RigidBlocks>(system, team);
}

}  // namespace lithe

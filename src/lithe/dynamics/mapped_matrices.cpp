#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/dynamics/modal_parts.h"

namespace lithe {

namespace {

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

// K and M of the mapped bodies themselves.
class MappedMatrices final : public ModalPart {
 public:
  MappedMatrices(const System& system, const State& state, std::span<const double> force)
      : system_(system), state_(state), force_(force), turns_(system.map.bodies.size(), -1), size_(system.map.size) {
    for (std::size_t b = 0; b < system.map.bodies.size(); ++b)
      if (is_corotated(b) && elastic_force(b) > no_force) {
        turns_[b] = size_;
        size_ += 3;
      }
  }
  int unknowns() const override { return size_ - system_.map.size; }

  void add_pattern(PatternMaker& to) const override {
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

  void add(Halves& K, Halves& M) const override {
    for (std::size_t b = 0; b < turns_.size(); ++b) {
      if (is_corotated(b)) add_corotated(b, K, M);
      else if (map(b).shape().base.empty()) add_rigid(b, K, M);
      else add_reduced(b, K, M);
    }
  }

  // Theta y - theta = 0.
  void add_rows(ModalMatrices& to) const override {
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
  std::span<const double> force_;
  std::vector<int> turns_;  // [body] first unknown of its turn, -1: it has none
  int size_;                // unknowns of the system, then turns
};

}  // namespace

std::unique_ptr<ModalPart> make_mapped_matrices(const System& system, const State& state,
                                                std::span<const double> force) {
  return std::make_unique<MappedMatrices>(system, state, force);
}

}  // namespace lithe

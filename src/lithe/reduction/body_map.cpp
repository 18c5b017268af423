#include "lithe/reduction/body_map.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/reduction/rotation.h"

namespace lithe {

namespace {

void add(double* x, int i, double factor, const Vec3<double>& y) {
  for (int m = 0; m < 3; ++m) x[3 * i + m] += factor * y[m];
}

using Modes = Eigen::Map<const Eigen::MatrixXd>;
Modes projector(const Shape& shape) {
  return {shape.projector.data(), shape.size(), static_cast<Eigen::Index>(shape.base.count())};
}

}  // namespace

// ---- all of them ----

void TurningMap::add_slots(const double* q, Slots& slots) {
  slot_ = slots.add("body/" + name_ + "/rotation", std::vector<double>(9, 0.0));
  set_rotation(find_rotation(q), slots);
  if (keeps_rates()) slots.add("body/" + name_ + "/rates", std::vector<double>(size(), 0.0));
}

void TurningMap::update(double* q, Slots& slots) const { set_rotation(find_rotation(q), slots); }

Mat3<double> TurningMap::rotation(const Slots& slots) const {
  Mat3<double> R;
  std::copy(slots[slot_], slots[slot_] + 9, &R[0][0]);
  return R;
}

void TurningMap::set_rotation(const Mat3<double>& R, Slots& slots) const {
  std::copy(&R[0][0], &R[0][0] + 9, slots[slot_]);
}

Mat3<double> TurningMap::rotation_from(const Mat3<double>& F) const {
  if (!(det(F) > 0))
    throw RunError("body '" + name_ + "' has no rotation: the determinant of its mean deformation gradient is " +
                   std::to_string(det(F)) +
                   ", so it is turned inside out or its motion is no longer finite; try a smaller step");
  return nearest_rotation(F);
}

// F = R U: skew parts of R^T dF/dt = W U + dU/dt with W of w in the turned axes, so (tr U - U) w = their axial vector.
Vec3<double> TurningMap::spin(const double* q, const double* v) const {
  const Mat3<double> R = find_rotation(q), back = transpose(R);
  const Mat3<double> U = back * shape_->mean_gradient(q), A = back * shape_->mean_gradient(v);
  Mat3<double> D{};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) D[a][b] = (a == b ? U[0][0] + U[1][1] + U[2][2] : 0) - U[a][b];
  return R * (inverse(D) * Vec3<double>{{A[2][1] - A[1][2], A[0][2] - A[2][0], A[1][0] - A[0][1]}});
}

// ---- co-rotated ----

void CorotatedMap::prolong(const Slots& slots, const double* w, double factor, double* rates) const {
  const Mat3<double> R = rotation(slots);
  for (int i = 0; i < shape_->vectors(); ++i) add(rates, i, factor, R * vector_at(w, i));
}

void CorotatedMap::restrict(const Slots& slots, const double* forces, double* reduced) const {
  const Mat3<double> back = transpose(rotation(slots));
  for (int i = 0; i < shape_->vectors(); ++i) add(reduced, i, 1, back * vector_at(forces, i));
}

void CorotatedMap::fit(const Slots& slots, const double* rates, double* w) const {
  shape_->turn_back(rotation(slots), rates, nullptr, w);
}

void CorotatedMap::pull(const Slots& slots, int, const Vec3<double>& g, double* reduced) const {
  add(reduced, 0, 1, transpose(rotation(slots)) * g);
}

std::string CorotatedMap::unknown_name(int i) const {
  return "coordinate vector " + std::to_string(i / 3) + ", " + "xyz"[i % 3] + " of its own axes";
}

// ---- reduced ----

// Without room of their own, and nothing is done for what is zero: steps of other bodies come here. A piece of the body
// is turned once all its modes are summed up.
void ReducedMap::prolong(const Slots& slots, const double* w, double factor, double* rates) const {
  constexpr int piece = 32;
  if (std::all_of(w, w + size(), [](double a) { return a == 0; })) return;
  const Mat3<double> R = rotation(slots);
  for (int first = 0; first < shape_->vectors(); first += piece) {
    const int many = std::min(piece, shape_->vectors() - first);
    std::array<double, 3ul * piece> sum{};
    const double* E = shape_->base.vectors.data() + 3ul * first;
    for (int k = 0; k < size(); ++k, E += shape_->size())
      for (int j = 0; j < 3 * many; ++j) sum[j] += w[k] * E[j];
    for (int i = 0; i < many; ++i) add(rates, first + i, factor, R * vector_at(sum.data(), i));
  }
}

void ReducedMap::restrict(const Slots& slots, const double* forces, double* reduced) const {
  for (int i = 0; i < shape_->vectors(); ++i) {
    const Vec3<double> f = vector_at(forces, i);
    if (f[0] != 0 || f[1] != 0 || f[2] != 0) pull(slots, i, f, reduced);
  }
}

void ReducedMap::fit(const Slots& slots, const double* rates, double* w) const {
  const Mat3<double> R = rotation(slots);
  const double* P = shape_->rate_projector.data();
  for (int k = 0; k < size(); ++k, P += shape_->size()) {
    w[k] = 0;
    for (int i = 0; i < shape_->vectors(); ++i) w[k] += dot(R * vector_at(P, i), vector_at(rates, i));
  }
}

void ReducedMap::pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const {
  const Vec3<double> back = transpose(rotation(slots)) * g;
  const double* E = shape_->base.vectors.data() + 3ul * vector;
  for (int k = 0; k < size(); ++k, E += shape_->size()) reduced[k] += E[0] * back[0] + E[1] * back[1] + E[2] * back[2];
}

void ReducedMap::coordinates(const double* q, const Mat3<double>& R, double* reduced) const {
  // Eq. 8 leaves the translation in: the first node's place counts.
  Eigen::VectorXd d(shape_->size());
  shape_->turn_back(R, q, nullptr, d.data());
  for (int i = 0; i < shape_->vectors(); ++i)
    for (int m = 0; m < 3; ++m) d[3 * i + m] -= shape_->Z[i][m];
  Eigen::Map<Eigen::VectorXd>(reduced, size()) = projector(*shape_).transpose() * d;
}

// ---- rigid ----

void RigidMap::spread(const Mat3<double>& R, const double* w, double factor, double* rates) const {
  const Vec3<double> v = vector_at(w, 0), turn = vector_at(w, 1);
  for (int i = 0; i < shape_->vectors(); ++i) {
    const bool position = shape_->position[i] != 0;
    const Vec3<double> arm = R * (position ? shape_->Z[i] - shape_->centre : shape_->Z[i]);
    add(rates, i, factor, position ? v + cross(turn, arm) : cross(turn, arm));
  }
}

void RigidMap::prolong(const Slots& slots, const double* w, double factor, double* rates) const {
  spread(rotation(slots), w, factor, rates);
}

void RigidMap::pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const {
  const bool position = shape_->position[vector] != 0;
  const Vec3<double> arm = rotation(slots) * (position ? shape_->Z[vector] - shape_->centre : shape_->Z[vector]);
  if (position) add(reduced, 0, 1, g);
  add(reduced, 1, 1, cross(arm, g));
}

void RigidMap::restrict(const Slots& slots, const double* forces, double* reduced) const {
  const Mat3<double> R = rotation(slots);
  Vec3<double> force{}, moment{};
  for (int i = 0; i < shape_->vectors(); ++i) {
    const bool position = shape_->position[i] != 0;
    const Vec3<double> f = vector_at(forces, i);
    if (position) force = force + f;
    moment = moment + cross(R * (position ? shape_->Z[i] - shape_->centre : shape_->Z[i]), f);
  }
  add(reduced, 0, 1, force);
  add(reduced, 1, 1, moment);
}

// The rates that have the same momentum and angular momentum.
void RigidMap::fit(const Slots& slots, const double* rates, double* w) const {
  const Mat3<double> R = rotation(slots);
  std::vector<double> momentum(shape_->size());
  shape_->multiply_mass(rates, momentum.data());
  double sum[6] = {};
  restrict(slots, momentum.data(), sum);
  for (int m = 0; m < 3; ++m) w[m] = sum[m] / shape_->total_mass;
  const Vec3<double> turn = R * (inverse(shape_->inertia) * (transpose(R) * vector_at(sum, 1)));
  for (int m = 0; m < 3; ++m) w[3 + m] = turn[m];
}

Vec3<double> RigidMap::centre(const double* q) const {
  Vec3<double> sum{};
  for (int i = 0; i < shape_->vectors(); ++i) {
    if (!shape_->position[i]) continue;
    for (int k = shape_->mass_start[i]; k < shape_->mass_start[i + 1]; ++k)
      sum = sum + shape_->mass[k] * vector_at(q, shape_->mass_column[k]);
  }
  return (1 / shape_->total_mass) * sum;
}

void RigidMap::place(const Vec3<double>& centre, const Mat3<double>& R, double* q) const {
  for (int i = 0; i < shape_->vectors(); ++i) {
    const Vec3<double> x = shape_->position[i] ? centre + R * (shape_->Z[i] - shape_->centre) : R * shape_->Z[i];
    for (int m = 0; m < 3; ++m) q[3 * i + m] = x[m];
  }
}

void RigidMap::update(double* q, Slots& slots) const {
  const Mat3<double> R = find_rotation(q);
  place(centre(q), R, q);
  set_rotation(R, slots);
}

std::string RigidMap::unknown_name(int i) const {
  return std::string(i < 3 ? "velocity along " : "turning about ") + "xyz"[i % 3];
}

}  // namespace lithe

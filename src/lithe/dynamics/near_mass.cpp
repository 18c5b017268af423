#include "lithe/dynamics/near_mass.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace lithe {

namespace {

constexpr int lanczos_steps = 12;
constexpr double nothing_left = 1e-15;

}  // namespace

NearMass::NearMass(const SparsePattern& pattern, std::vector<double> mass, Place& place)
    : pattern_(pattern), mass_(std::move(mass)), factors_(pattern, mass_), place_(place) {
  for (Array* x : {&v_, &u_, &w_, &y_, &before_u_}) *x = Array(place, pattern.size);
  from_.resize(pattern.size);
  to_.resize(pattern.size);
}

void NearMass::solve(std::span<const double> b, double c_a, std::span<double> x) {
  factors_.solve(b, x);
  for (double& value : x) value /= c_a;
}

void NearMass::times(const std::vector<double>& values, const Array& x, Array& y) {
  place_.download(x, from_);
  multiply(pattern_, values, from_, to_);
  place_.upload(to_, y);
}

void NearMass::by_inverse(const Array& x, Array& y) {
  place_.download(x, from_);
  factors_.solve(from_, to_);
  place_.upload(to_, y);
}

// Lanczos' method for E, which is symmetric in the product u^T M v; beside each v its u = M v:
//   y = A v / c_a - u (= M E v),   alpha = v^T y,   y -= alpha u + beta u_before,   w = M^-1 y,   beta = sqrt(w^T y).
double NearMass::change(const std::vector<double>& A, double c_a) {
  const std::size_t n = pattern_.size;
  if (n == 0) return 0;
  for (std::size_t i = 0; i < n; ++i) to_[i] = 1 + std::sin(1.7 * static_cast<double>(i * i % 1009));
  place_.upload(to_, v_);
  times(mass_, v_, u_);
  const double length = std::sqrt(place_.dot(v_, u_));
  for (Array* x : {&v_, &u_}) place_.combine({{1 / length, *x}}, *x);
  place_.fill(0, before_u_);
  double diagonal[lanczos_steps], beside[lanczos_steps] = {}, beta = 0;
  int steps = 0;
  while (steps < lanczos_steps) {
    times(A, v_, y_);
    place_.combine({{1 / c_a, y_}, {-1, u_}}, y_);
    const double alpha = place_.dot(v_, y_);
    place_.combine({{1, y_}, {-alpha, u_}, {-beta, before_u_}}, y_);
    by_inverse(y_, w_);
    diagonal[steps] = alpha;
    const double square = place_.dot(w_, y_);
    if (!std::isfinite(square)) return HUGE_VAL;
    beta = std::sqrt(std::max(0.0, square));
    beside[steps++] = beta;
    if (beta <= nothing_left) break;
    before_u_.swap(u_);
    place_.combine({{1 / beta, w_}}, v_);
    place_.combine({{1 / beta, y_}}, u_);
  }
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(steps, steps);
  for (int k = 0; k < steps; ++k) {
    T(k, k) = diagonal[k];
    if (k + 1 < steps) T(k, k + 1) = T(k + 1, k) = beside[k];
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(T);
  double largest = 0;
  for (int k = 0; k < steps; ++k)
    largest = std::max(largest, std::abs(pairs.eigenvalues()[k]) + beta * std::abs(pairs.eigenvectors()(steps - 1, k)));
  return largest;
}

}  // namespace lithe

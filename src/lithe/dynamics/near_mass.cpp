#include "lithe/dynamics/near_mass.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

namespace lithe {

namespace {

constexpr int lanczos_steps = 12;
constexpr double nothing_left = 1e-15;

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

NearMass::NearMass(const SparsePattern& pattern, std::vector<double> mass)
    : pattern_(pattern), mass_(std::move(mass)), factors_(pattern, mass_) {}

void NearMass::solve(std::span<const double> b, double c_a, std::span<double> x) {
  factors_.solve(b, x);
  for (double& value : x) value /= c_a;
}

// Lanczos' method for E, which is symmetric in the product u^T M v; beside each v its u = M v:
//   y = A v / c_a - u (= M E v),   alpha = v^T y,   y -= alpha u + beta u_before,   w = M^-1 y,   beta = sqrt(w^T y).
double NearMass::change(const std::vector<double>& A, double c_a) {
  const std::size_t n = mass_.size() ? pattern_.size : 0;
  if (n == 0) return 0;
  v_.resize(n);
  for (std::size_t i = 0; i < n; ++i) v_[i] = 1 + std::sin(1.7 * static_cast<double>(i * i % 1009));
  multiply(pattern_, mass_, v_, u_);
  const double length = std::sqrt(inner(v_, u_));
  for (std::vector<double>* x : {&v_, &u_})
    for (double& value : *x) value /= length;
  before_u_.assign(n, 0.0);
  double diagonal[lanczos_steps], beside[lanczos_steps] = {}, beta = 0;
  int steps = 0;
  while (steps < lanczos_steps) {
    multiply(pattern_, A, v_, y_);
    double alpha = 0;
    for (std::size_t i = 0; i < n; ++i) {
      y_[i] = y_[i] / c_a - u_[i];
      alpha += v_[i] * y_[i];
    }
    for (std::size_t i = 0; i < n; ++i) y_[i] -= alpha * u_[i] + beta * before_u_[i];
    w_.resize(n);
    factors_.solve(y_, w_);
    diagonal[steps] = alpha;
    const double square = inner(w_, y_);
    if (!std::isfinite(square)) return HUGE_VAL;
    beta = std::sqrt(std::max(0.0, square));
    beside[steps++] = beta;
    if (beta <= nothing_left) break;
    before_u_.swap(u_);
    for (std::size_t i = 0; i < n; ++i) {
      v_[i] = w_[i] / beta;
      u_[i] = y_[i] / beta;
    }
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

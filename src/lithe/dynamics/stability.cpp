#include "lithe/dynamics/stability.h"

#include <algorithm>
#include <cmath>

namespace lithe {

namespace {

// Pivots well above the smallest that mean anything leave no doubt about signs.
constexpr double clear_pivot = 1e-9;
constexpr int mode_rounds = 12;

}  // namespace

StabilityMatrix::StabilityMatrix(const System& system, const NormWeights& weights, Place& place)
    : system_(system),
      weight_(weights.correction),
      place_(place),
      triangle_(system.pattern, system.map.size),
      pattern_(triangle_.pattern) {
  const int n = system.map.size, m = system.row_count();
  const ConstraintJacobian& G = system.jacobian;
  pattern_.size = n + m;
  for (int r = 0; r < m; ++r) {
    for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) {
      border_.push_back(static_cast<std::int32_t>(pattern_.row.size()));
      pattern_.row.push_back(G.column[e]);
    }
    pattern_.row.push_back(n + r);
    pattern_.column_start.push_back(static_cast<std::int32_t>(pattern_.row.size()));
  }
  values_.assign(pattern_.nonzeros(), 0.0);
  rhs_.resize(pattern_.size);
  solution_.resize(pattern_.size);
  shift_.resize(n);
  weights_ = Array(place, n + m);
  squares_ = Array(place, n + m);
  room_ = weights.correction;
  room_.resize(n + m, 0.0);
  place.upload(room_, weights_);
  place.multiply(weights_, weights_, squares_);
  ladder_ = SolverLadder(pattern_, MatrixKind::symmetric_indefinite, {.count_negative = true});
}

void StabilityMatrix::set(const std::vector<double>& K, const std::vector<double>& G) {
  std::fill(values_.begin(), values_.end(), 0.0);
  triangle_.symmetric_part(K, values_);
  column_maxima(pattern_, values_, largest_);
  double sum = 0;
  for (int j = 0; j < system_.map.size; ++j) sum += largest_[j];
  scale_ = sum > 0 ? sum / system_.map.size : 1;
  for (std::size_t e = 0; e < border_.size(); ++e) values_[border_[e]] = scale_ * G[e];
}

int StabilityMatrix::factor_with(const std::vector<double>& diagonal) {
  shifted_ = values_;
  for (int j = 0; j < system_.map.size; ++j) shifted_[triangle_.diagonal[j]] += diagonal[j];
  (void)ladder_.factor(shifted_);  // singular: the caller's shift says what that means
  const FactorReport& report = ladder_.factor_report();
  if (!report.usable || report.negative_pivots < system_.row_count()) return -1;
  return report.negative_pivots - system_.row_count();
}

int StabilityMatrix::factor(double shift) {
  for (int j = 0; j < system_.map.size; ++j) shift_[j] = shift * weight_[j] * weight_[j];
  return factor_with(shift_);
}

Stability StabilityMatrix::judge() {
  const auto shifted_by = [&](double share) {
    for (int j = 0; j < system_.map.size; ++j) shift_[j] = share * std::max(largest_[j], 1e-6 * scale_);
    return factor_with(shift_);
  };
  const int below = shifted_by(singular_pivot);
  if (below != 0) return {below > 0 ? std::optional(false) : std::nullopt, below};
  if (ladder_.factor_report().smallest_pivot > clear_pivot || shifted_by(-singular_pivot) == 0) return {true, 0};
  return {std::nullopt, 0};
}

bool StabilityMatrix::unstable_along(const LowestMode& mode, const std::vector<double>& K) const {
  if (system_.symmetric) return true;
  // The unsymmetric part may turn an eigenvalue away from the negative axis where it is as large as that.
  std::vector<double> skew(system_.map.size, 0.0), room;
  const HostReading x(mode.x, room);
  for (int j = 0; j < system_.map.size; ++j)
    for (int p = pattern_.column_start[j]; p < pattern_.column_start[j + 1]; ++p) {
      if (triangle_.other[p] < 0) continue;
      const int i = pattern_.row[p];
      const double a = 0.5 * (K[triangle_.source[p]] - K[triangle_.other[p]]);
      skew[i] += a * x[j];
      skew[j] -= a * x[i];
    }
  double turning = 0, size = 0;
  for (int i = 0; i < system_.map.size; ++i) {
    turning += skew[i] * skew[i] / (weight_[i] * weight_[i]);
    size += x[i] * x[i] * weight_[i] * weight_[i];
  }
  return mode.found && std::sqrt(turning / size) < -mode.eigenvalue;
}

// Gershgorin's bound.
double StabilityMatrix::size() const {
  const int n = system_.map.size;
  std::vector<double> row(n, 0.0);
  for (int j = 0; j < n; ++j)
    for (int p = pattern_.column_start[j]; p < pattern_.column_start[j + 1]; ++p) {
      const int i = pattern_.row[p];
      row[i] += std::abs(values_[p]) / (weight_[i] * weight_[j]);
      if (i != j) row[j] += std::abs(values_[p]) / (weight_[i] * weight_[j]);
    }
  return n > 0 ? *std::max_element(row.begin(), row.end()) : 0;
}

LowestMode StabilityMatrix::lowest_mode() {
  LowestMode mode;
  const int n = system_.map.size;
  // A shift above the bound makes K positive definite; halve the range of exponents from there.
  double high = size();
  if (!(high > 0) || !std::isfinite(high)) return mode;
  double low = 1e-16 * high;
  while (high > 1.3 * low) {
    const double middle = std::sqrt(low * high);
    const int negative = factor(middle);
    if (negative < 0) return mode;
    (negative > 0 ? low : high) = middle;
  }
  if (factor(high) != 0) return mode;
  Array x(place_, pattern_.size), f(place_, pattern_.size), scaled(place_, pattern_.size);
  Array multipliers = x.part(n, system_.rows.size());
  room_.assign(pattern_.size, 0.0);
  for (int i = 0; i < n; ++i) room_[i] = (1 + 0.3 * std::sin(1.7 * i)) / weight_[i];
  place_.upload(room_, x);
  const auto largest_of_x = [&] {
    place_.multiply(weights_, x, scaled);
    return place_.largest(scaled);
  };
  for (int round = 0; round < mode_rounds; ++round) {
    const double largest = largest_of_x();
    if (!(largest > 0) || !std::isfinite(largest)) return mode;
    place_.multiply(squares_, x, f);
    place_.combine({{-1 / largest, f}}, f);
    if (!solve(f, x)) return mode;
  }
  place_.fill(0, multipliers);
  place_.combine({{1 / largest_of_x(), x}}, x);
  // K x where K is, on the host.
  std::vector<double> image;
  room_.resize(pattern_.size);
  place_.download(x, room_);
  multiply(pattern_, values_, room_, image);
  place_.upload(image, f);
  mode.eigenvalue = place_.dot(x, f) / place_.dot(x, x, &squares_);
  mode.found = mode.eigenvalue < 0;
  mode.x = std::move(x);
  return mode;
}

bool StabilityMatrix::solve(const Array& b, Array& x) {
  const HostReading from(b, room_);
  for (int i = 0; i < pattern_.size; ++i) rhs_[i] = (i < system_.map.size ? -1 : -scale_) * from[i];
  if (ladder_.solve(rhs_, solution_).reason == SolveReport::Reason::not_finite) return false;
  for (int i = system_.map.size; i < pattern_.size; ++i) solution_[i] *= scale_;
  place_.upload(solution_, x);
  return true;
}

}  // namespace lithe

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
      pencil_(triangle_.pattern, std::vector<double>(triangle_.source.size()),
              std::vector<double>(triangle_.source.size()),
              RowPattern{system.row_count(), system.map.size, system.jacobian.row_start, system.jacobian.column},
              std::vector<double>(system.jacobian.column.size())),
      metric_(squares(weights.correction)) {
  const std::size_t all = system.map.size + system.rows.size();
  weights_ = Array(place, all);
  squares_ = Array(place, all);
  room_ = weights.correction;
  room_.resize(all, 0.0);
  place.upload(room_, weights_);
  place.multiply(weights_, weights_, squares_);
}

void StabilityMatrix::set(const std::vector<double>& K, const std::vector<double>& G) {
  pencil_.set_A(triangle_.symmetric_part(K));
  pencil_.set_G(G);
  column_maxima(triangle_.pattern, pencil_.A(), largest_);
}

int StabilityMatrix::factor_with(double shift, const std::vector<double>& diagonal) {
  std::vector<double> B(triangle_.source.size(), 0.0);
  for (int j = 0; j < system_.map.size; ++j) B[triangle_.diagonal[j]] = diagonal[j];
  pencil_.set_B(std::move(B));
  return pencil_.factor(1, shift, false);
}

int StabilityMatrix::factor(double shift) { return factor_with(shift, metric_); }

Stability StabilityMatrix::judge() {
  double mean = 0;
  for (const double k : largest_) mean += k / system_.map.size;
  std::vector<double> size = largest_;
  for (double& k : size) k = std::max(k, 1e-6 * (mean > 0 ? mean : 1));
  const int below = factor_with(singular_pivot, size);
  if (below != 0) return {below > 0 ? std::optional(false) : std::nullopt, below};
  if (pencil_.count_report().smallest_pivot > clear_pivot || factor_with(-singular_pivot, size) == 0) return {true, 0};
  return {std::nullopt, 0};
}

bool StabilityMatrix::unstable_along(const LowestMode& mode, const std::vector<double>& K) const {
  if (system_.symmetric) return true;
  // The unsymmetric part may turn an eigenvalue away from the negative axis where it is as large as that.
  std::vector<double> skew(system_.map.size, 0.0), room;
  const HostReading x(mode.x, room);
  const SparsePattern& pattern = triangle_.pattern;
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      if (triangle_.other[p] < 0) continue;
      const int i = pattern.row[p];
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
  const SparsePattern& pattern = triangle_.pattern;
  std::vector<double> row(pattern.size, 0.0);
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      const int i = pattern.row[p];
      const double k = std::abs(pencil_.A()[p]) / (weight_[i] * weight_[j]);
      row[i] += k;
      if (i != j) row[j] += k;
    }
  return row.empty() ? 0 : *std::max_element(row.begin(), row.end());
}

LowestMode StabilityMatrix::lowest_mode() {
  LowestMode mode;
  const std::size_t n = system_.map.size, all = n + system_.rows.size();
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
  Array x(place_, all), f(place_, all), scaled(place_, all);
  Array multipliers = x.part(n, system_.rows.size());
  room_.assign(all, 0.0);
  for (std::size_t i = 0; i < n; ++i) room_[i] = (1 + 0.3 * std::sin(1.7 * i)) / weight_[i];
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
  std::vector<double> image(all, 0.0);
  room_.resize(all);
  place_.download(x, room_);
  pencil_.multiply(1, 0, room_.data(), image.data());
  place_.upload(image, f);
  mode.eigenvalue = place_.dot(x, f) / place_.dot(x, x, &squares_);
  mode.found = mode.eigenvalue < 0;
  mode.x = std::move(x);
  return mode;
}

bool StabilityMatrix::solve(const Array& b, Array& x) {
  room_.resize(b.size());
  place_.download(b, room_);
  for (double& f : room_) f = -f;
  if (!pencil_.solve_with_rows(room_, solution_)) return false;
  place_.upload(solution_, x);
  return true;
}

}  // namespace lithe

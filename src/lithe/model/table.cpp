// A spline through the rows (t_i, y_i) with rates d_i and accelerations s_i is, in each interval, the quintic that has
// them at both ends. With d_i and s_i of the natural cubic spline that quintic is the cubic itself. Where an interval
// leaves its rows, both its ends get
//
//   s = 0,   d = the harmonic mean of the slopes beside the row, at most 5/4 of the smaller one, 0 at a peak,
//
// and the interval is monotone: with s = 0 the Bezier ordinates are y_0, y_0 + h d_0/5, y_0 + 2 h d_0/5,
// y_1 - 2 h d_1/5, y_1 - h d_1/5, y_1, which are in order for d_0 + d_1 <= 5/2 (y_1 - y_0)/h. (That slopes limited so
// keep a piecewise polynomial monotone: F. N. Fritsch, R. E. Carlson, SIAM J. Numer. Anal. 17 (1980) 238.)
#include "lithe/model/table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"

namespace lithe {

namespace {

constexpr int samples = 32;            // of an interval, to see whether it leaves its rows
constexpr double largest_peak = 0.25;  // of the smaller change beside it: a parabola through three rows has 1/8
constexpr double steepest = 1.25;      // of the smaller slope beside a row
constexpr double sliver = 1e-6;        // of a step: nearer to its ends a row counts as met
constexpr double noticeable = 0.02;    // of the range of the rows
constexpr double rounding = 1e-9;      // of the range of the rows

// Second derivatives of the natural cubic spline; `at_rest`: with rate 0 at its first row instead.
std::vector<double> spline_accelerations(const std::vector<double>& x, const std::vector<double>& y, bool at_rest) {
  const std::size_t n = x.size();
  std::vector<double> m(n, 0.0), c(n, 0.0), d(n, 0.0);
  if (at_rest) {
    const double h = x[1] - x[0];
    c[0] = 0.5;
    d[0] = 3 * (y[1] - y[0]) / (h * h);
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double a = x[i] - x[i - 1], b = x[i + 1] - x[i];
    const double r = 6 * ((y[i + 1] - y[i]) / b - (y[i] - y[i - 1]) / a);
    const double w = 2 * (a + b) - a * c[i - 1];
    c[i] = b / w;
    d[i] = (r - a * d[i - 1]) / w;
  }
  for (std::size_t i = n - 1; i-- > 0;) m[i] = d[i] - c[i] * m[i + 1];
  return m;
}

}  // namespace

Table::Table(std::vector<double> times, std::vector<double> values, Interpolation interpolation, bool continued)
    : times_(std::move(times)), values_(std::move(values)), interpolation_(interpolation), continued_(continued) {
  require(times_.size() == values_.size() && times_.size() >= 2, "a table needs at least two rows [time, value]");
  for (std::size_t i = 1; i < times_.size(); ++i)
    require(times_[i] > times_[i - 1],
            "times of a table must increase: " + number_text(times_[i]) + " follows " + number_text(times_[i - 1]));
  if (interpolation_ == Interpolation::spline) make_spline();
}

void Table::make_spline() {
  const std::size_t n = times_.size();
  const bool at_rest = continued_ && times_.front() > 0;
  acceleration_ = spline_accelerations(times_, values_, at_rest);
  rate_.resize(n);
  const auto step = [&](std::size_t i) { return times_[i + 1] - times_[i]; };
  const auto slope = [&](std::size_t i) { return (values_[i + 1] - values_[i]) / step(i); };
  for (std::size_t i = 0; i + 1 < n; ++i)
    rate_[i] = slope(i) - step(i) * (2 * acceleration_[i] + acceleration_[i + 1]) / 6;
  rate_[n - 1] = slope(n - 2) + step(n - 2) * (acceleration_[n - 2] + 2 * acceleration_[n - 1]) / 6;
  if (at_rest) rate_[0] = acceleration_[0] = 0;

  std::vector<char> limited(n, 0);
  const auto limit = [&](std::size_t i) {
    if (limited[i]) return false;
    limited[i] = 1;
    acceleration_[i] = 0;
    if (at_rest && i == 0) return true;
    const double a = slope(i > 0 ? i - 1 : 0), b = slope(i + 1 < n ? i : n - 2);
    const double least = steepest * std::min(std::abs(a), std::abs(b));
    rate_[i] = a * b > 0 ? std::copysign(std::min(least, 2 * std::abs(a) * std::abs(b) / std::abs(a + b)), a) : 0;
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i + 1 < n; ++i)
      if (leaves_rows(i)) {
        const bool first = limit(i), second = limit(i + 1);
        changed = changed || first || second;
      }
  }
}

// Does the curve between rows i and i + 1 leave their values, by more than a peak may?
bool Table::leaves_rows(std::size_t i) const {
  const std::size_t n = times_.size();
  const auto change = [&](std::size_t k) { return values_[k + 1] - values_[k]; };
  const double before = i > 0 ? change(i - 1) : 0, after = i + 2 < n ? change(i + 1) : 0, own = change(i);
  double above = 0, below = 0;
  const auto peak = [&](double rise, double fall) {  // between two changes: how far may the curve go beyond it?
    const double most = largest_peak * std::min(std::abs(rise), std::abs(fall));
    if (rise > 0 && fall < 0) above = std::max(above, most);
    if (rise < 0 && fall > 0) below = std::max(below, most);
  };
  peak(before, own);
  peak(own, after);
  if (own == 0) peak(before, after);
  const auto [low, high] = std::minmax(values_[i], values_[i + 1]);
  const auto [least, most] = std::ranges::minmax_element(values_);
  const double slack = rounding * (*most - *least);
  for (int k = 1; k < samples; ++k) {
    const double y = between(i, times_[i] + (times_[i + 1] - times_[i]) * k / samples).value;
    if (y > high + above + slack || y < low - below - slack) return true;
  }
  return false;
}

Table::Point Table::between(std::size_t i, double t) const {
  const double h = times_[i + 1] - times_[i], u = (t - times_[i]) / h;
  const double y = values_[i], d = h * rate_[i], s = h * h * acceleration_[i];
  // y + d u + s u^2/2 + c_3 u^3 + c_4 u^4 + c_5 u^5, from what is missing at u = 1.
  const double p = values_[i + 1] - y - d - 0.5 * s, q = h * rate_[i + 1] - d - s, r = h * h * acceleration_[i + 1] - s;
  const double c3 = 10 * p - 4 * q + 0.5 * r, c4 = -15 * p + 7 * q - r, c5 = 6 * p - 3 * q + 0.5 * r;
  return {y + u * (d + u * (0.5 * s + u * (c3 + u * (c4 + u * c5)))),
          (d + u * (s + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))) / h,
          (s + u * (6 * c3 + u * (12 * c4 + u * 20 * c5))) / (h * h)};
}

Table::Point Table::at(double t) const {
  const bool spline = interpolation_ == Interpolation::spline;
  if (t < times_.front() || t > times_.back()) {
    const bool first = t < times_.front();
    const double y = first ? values_.front() : values_.back();
    if (!continued_) return {y, 0, 0};
    const double d = first ? rate_.front() : rate_.back();
    return {y + d * (t - (first ? times_.front() : times_.back())), d, 0};
  }
  const std::size_t after = std::upper_bound(times_.begin(), times_.end(), t) - times_.begin();
  if (interpolation_ == Interpolation::steps) return {values_[after - 1], 0, 0};
  const std::size_t i = std::min(after, times_.size() - 1) - 1;
  if (spline) return between(i, t);
  const double slope = (values_[i + 1] - values_[i]) / (times_[i + 1] - times_[i]);
  return {t == times_[i + 1] ? values_[i + 1] : values_[i] + slope * (t - times_[i]), slope, 0};
}

double Table::value(double t) const { return at(t).value; }
double Table::rate(double t) const { return at(t).rate; }
double Table::acceleration(double t) const { return at(t).acceleration; }

Table::Row Table::row_inside(double t, double h) const {
  const auto after = [&](double x) { return std::upper_bound(times_.begin(), times_.end(), x) - times_.begin(); };
  if (interpolation_ == Interpolation::steps) {
    const auto last = after(t + (1 + sliver) * h);
    for (auto i = std::max<std::ptrdiff_t>(after(t), 1); i < last; ++i)
      if (values_[i] != values_[i - 1]) return {times_[i], true};
    return {};
  }
  const auto first = after(t + sliver * h), last = after(t + (1 - sliver) * h);
  if (first == last) return {};
  const auto [low, high] = std::ranges::minmax(values_);
  const double start = value(t), slope = (value(t + h) - start) / h;
  for (auto i = first; i < last; ++i)
    if (std::abs(values_[i] - start - slope * (times_[i] - t)) > noticeable * (high - low)) return {times_[i], false};
  return {};
}

Table::Overshoot Table::overshoot() const {
  Overshoot worst;
  if (interpolation_ != Interpolation::spline) return worst;
  const auto [low, high] = std::ranges::minmax(values_);
  for (std::size_t i = 0; i + 1 < times_.size(); ++i)
    for (int k = 1; k < samples; ++k) {
      const double t = times_[i] + (times_[i + 1] - times_[i]) * k / samples, y = between(i, t).value;
      const double share = std::max(y - high, low - y) / (high - low);
      if (share > worst.share) worst = {t, y, share};
    }
  return worst;
}

}  // namespace lithe

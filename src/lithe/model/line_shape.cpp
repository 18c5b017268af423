#include "lithe/model/line_shape.h"

#include <cmath>
#include <numbers>

namespace lithe {

namespace {

using Vector = Vec3<double>;

// x where an increasing function of it passes 0, between low and high.
template <class Function>
double root(double low, double high, Function&& function) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (function(middle) < 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Along the line and across it, towards `down`.
struct Plane {
  Vector from, along, across;
  double distance;
  Plane(const Vector& start, const Vector& end, const Vector& down, const Vector& other)
      : from(start), distance(norm(end - start)) {
    along = (1 / distance) * (end - start);
    const Vector d = down - dot(down, along) * along;
    across = norm(d) > 1e-6 * norm(down) ? (1 / norm(d)) * d : other;
  }
  LinePoint point(double x, double y, double angle) const {
    return {from + x * along + y * across, std::cos(angle) * along + std::sin(angle) * across};
  }
};

// sin(phi) / phi = distance / length, from the angle phi at the start to -phi at the end.
std::vector<LinePoint> arc(const Plane& plane, double length, int elements) {
  const double share = plane.distance / length;
  const double phi = root(0, std::numbers::pi, [&](double x) { return share - (x > 0 ? std::sin(x) / x : 1); });
  const double radius = length / (2 * phi);
  std::vector<LinePoint> points;
  for (int i = 0; i <= elements; ++i) {
    const double angle = phi * (1 - 2.0 * i / elements);
    points.push_back(
        plane.point(radius * (std::sin(phi) - std::sin(angle)), radius * (std::cos(angle) - std::cos(phi)), angle));
  }
  return points;
}

}  // namespace

// H. M. Irvine, Cable Structures (1981): with H and V, the share across and the share along gravity of the tension at
// the start, over the weight of a length, the tension at s is (H, V - s), and the place to the side and down
//   x = strain H s + H (asinh(V / H) - asinh((V - s) / H)),   y = strain (V s - s^2 / 2) + |(H, V)| - |(H, V - s)|.
std::vector<LinePoint> hanging_line(const Vector& from, const Vector& to, double length, int elements,
                                    const Vector& down, const Vector& across, double strain) {
  const Vector d = (1 / norm(down)) * down, line = to - from;
  const double drop = dot(line, d);
  const Vector level = line - drop * d;
  const double width = norm(level);
  // Inextensible: sinh(z) / z = sqrt(length^2 - drop^2) / width, H = width / (2 z).
  const double share = width / std::sqrt((length - drop) * (length + drop));
  double H = 0, V = 0;
  if (share > 1e-6)
    H = width / (2 * root(0, 20, [&](double z) { return (z > 0 ? share * std::sinh(z) / z : share) - 1; }));
  if (!(H > 2 * length / elements)) return arc(Plane(from, to, down, across), length, elements);
  V = -H * std::sinh(std::atanh(-drop / length) - width / (2 * H));
  struct Reach {
    double x, y;
  };
  const auto place = [&](double s, double stretch) {
    return Reach{stretch * H * s + H * (std::asinh(V / H) - std::asinh((V - s) / H)),
                 stretch * (V * s - s * s / 2) + s * (2 * V - s) / (std::hypot(H, V) + std::hypot(H, V - s))};
  };
  // From there by Newton, the strain put on little by little.
  constexpr int rounds = 40;
  for (int i = 1; i <= rounds && strain > 0; ++i) {
    const double stretch = strain * std::min(1.0, 2.0 * i / rounds), h = 1e-6 * H, H_0 = H, V_0 = V;
    const Reach off = place(length, stretch);
    H = H_0 + h;
    const Reach by_H = place(length, stretch);
    H = H_0;
    V = V_0 + h;
    const Reach by_V = place(length, stretch);
    const double a = (by_H.x - off.x) / h, b = (by_V.x - off.x) / h, c = (by_H.y - off.y) / h, e = (by_V.y - off.y) / h;
    const double det = a * e - b * c, r = width - off.x, t = drop - off.y;
    H = std::max(H_0 + (e * r - b * t) / det, 0.5 * H_0);
    V = V_0 + (a * t - c * r) / det;
  }
  const Vector e = (1 / width) * level;
  std::vector<LinePoint> points;
  for (int i = 0; i <= elements; ++i) {
    const double s = length * i / elements, slope = strain + 1 / std::hypot(H, V - s);
    const Reach at = place(s, strain);
    points.push_back({from + at.x * e + at.y * d, slope * (H * e + (V - s) * d)});
  }
  points.front().r = from;
  points.back().r = to;
  return points;
}

std::vector<LinePoint> bowed_line(const Vector& from, const Vector& to, double length, int elements, const Vector& down,
                                  const Vector& across) {
  const Plane plane(from, to, down, across);
  const double turn = 2 * std::numbers::pi;
  // Mean cosine of the angle, Bessel's J_0: sums over a period converge at once.
  const auto mean = [&](double largest) {
    constexpr int points = 64;
    double sum = 0;
    for (int i = 0; i < points; ++i) sum += std::cos(largest * std::sin(turn * i / points)) / points;
    return sum;
  };
  const double largest = root(0, 2.4048255576957728, [&](double x) { return plane.distance / length - mean(x); });
  const auto angle = [&](double s) { return largest * std::sin(turn * s); };  // s from 0 to 1
  std::vector<LinePoint> points;
  double x = 0, y = 0;
  for (int i = 0; i <= elements; ++i) {
    points.push_back(plane.point(x, y, angle(double(i) / elements)));
    constexpr int parts = 16;  // Simpson's rule over each
    for (int k = 0; k < parts && i < elements; ++k) {
      const double h = 1.0 / (elements * parts), s = double(i) / elements + k * h;
      const double t[3] = {angle(s), angle(s + h / 2), angle(s + h)};
      x += length * h / 6 * (std::cos(t[0]) + 4 * std::cos(t[1]) + std::cos(t[2]));
      y += length * h / 6 * (std::sin(t[0]) + 4 * std::sin(t[1]) + std::sin(t[2]));
    }
  }
  points.back().r = to;
  return points;
}

}  // namespace lithe

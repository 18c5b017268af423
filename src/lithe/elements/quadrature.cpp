#include "lithe/elements/quadrature.h"

#include <cmath>
#include <numbers>

#include "lithe/base/error.h"

namespace lithe {

GaussRule gauss_rule(int n) {
  GaussRule rule{std::vector<double>(n), std::vector<double>(n)};
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double derivative = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {  // Newton on the Legendre polynomial P_n
      double p0 = 1, p1 = x;
      for (int k = 2; k <= n; ++k) {
        const double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
      }
      if (n == 1) p0 = 1;
      derivative = n * (x * p1 - p0) / (x * x - 1);
      const double step = p1 / derivative;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    if (n % 2 == 1 && i == n / 2) x = 0;
    rule.x[i] = x;
    rule.w[i] = 2 / ((1 - x * x) * derivative * derivative);
  }
  return rule;
}

TetrahedronRule tetrahedron_rule(int points) {
  LITHE_INVARIANT(points == 1 || points == 4);
  if (points == 1) return {{{0.25, 0.25, 0.25}}, {1.0 / 6}};
  const double a = (5 - std::sqrt(5.0)) / 20, b = 1 - 3 * a;
  return {{{a, a, a}, {b, a, a}, {a, b, a}, {a, a, b}}, std::vector<double>(4, 1.0 / 24)};
}

TetrahedronRule collapsed_rule(int n) {
  const GaussRule gauss = gauss_rule(n);
  TetrahedronRule rule;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double u = 0.5 * (1 + gauss.x[i]), v = 0.5 * (1 + gauss.x[j]), w = 0.5 * (1 + gauss.x[k]);
        const double y = v * (1 - u), z = w * (1 - u) * (1 - v);
        rule.x.push_back({u, y, z});
        rule.w.push_back(gauss.w[i] * gauss.w[j] * gauss.w[k] / 8 * (1 - u) * (1 - u) * (1 - v));
      }
  return rule;
}

}  // namespace lithe

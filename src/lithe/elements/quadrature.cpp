#include "lithe/elements/quadrature.h"

#include <cmath>
#include <numbers>

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

}  // namespace lithe

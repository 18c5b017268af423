#include "lithe/dynamics/scheme.h"

#include <cmath>

namespace lithe {

namespace {

Scheme newmark(double beta, double gamma) {
  Scheme s{0.5 - beta, beta, 1 - gamma, gamma};
  s.error_h2 = beta - 1.0 / 6;
  s.order = std::abs(gamma - 0.5) < 1e-12 ? 2 : 1;
  return s;
}

}  // namespace

Scheme backward_euler() {
  Scheme s{0, 1, 0, 1};
  s.order = 1;
  s.first_h2 = 0.5;
  return s;
}

Scheme scheme_of(const DynamicAnalysis& o) {
  switch (o.integrator) {
    case Integrator::newmark:
      return newmark(o.beta, o.gamma);
    case Integrator::trapezoidal:
      return newmark(0.25, 0.5);
    case Integrator::hht: {
      Scheme s = newmark(0.25 * (1 - o.alpha) * (1 - o.alpha), 0.5 - o.alpha);
      s.f = -o.alpha;
      s.order = 2;
      return s;
    }
    case Integrator::generalized_alpha: {
      const double rho = o.spectral_radius, m = (2 * rho - 1) / (rho + 1), f = rho / (rho + 1);
      Scheme s = newmark(0.25 * (1 - m + f) * (1 - m + f), 0.5 - m + f);
      s.m = m;
      s.f = f;
      s.order = 2;
      return s;
    }
    case Integrator::backward_euler:
      return backward_euler();
  }
  return newmark(0.25, 0.5);
}

}  // namespace lithe

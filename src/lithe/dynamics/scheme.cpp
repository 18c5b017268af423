#include "lithe/dynamics/scheme.h"

#include <cmath>

namespace lithe {

namespace {

Scheme newmark(double beta, double gamma) {
  Scheme s{0.5 - beta, beta, 1 - gamma, gamma};
  s.error_h2 = beta - 1.0 / 6 - 0.5 * (gamma - 0.5);
  s.order = std::abs(gamma - 0.5) < 1e-12 ? 2 : 1;
  return s;
}

// Weights m of inertia and f of forces.
Scheme weighted(double m, double f) {
  Scheme s = newmark(0.25 * (1 - m + f) * (1 - m + f), 0.5 - m + f);
  s.m = m;
  s.f = f;
  s.order = 2;
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
  switch (o.integrator.value_or(Integrator::hht)) {
    case Integrator::newmark:
      return newmark(o.beta, o.gamma);
    case Integrator::trapezoidal:
      return newmark(0.25, 0.5);
    case Integrator::hht:
      return weighted(0, -o.alpha);
    case Integrator::generalized_alpha: {
      const double rho = o.spectral_radius;
      return weighted((2 * rho - 1) / (rho + 1), rho / (rho + 1));
    }
    case Integrator::backward_euler:
      return backward_euler();
    case Integrator::half_step:  // no such scheme
      break;
  }
  return newmark(0.25, 0.5);
}

}  // namespace lithe

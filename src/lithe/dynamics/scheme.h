// Implicit schemes as coefficients. With accelerations a_0, a_1 at the two ends of a step h,
//
//   q_1 = q_0 + h v_0 + h^2 (b_0 a_0 + b_1 a_1),    v_1 = v_0 + h (g_0 a_0 + g_1 a_1),
//   M ((1 - m) a_1 + m a_0) + (1 - f) F_1 + f F_0 = 0,    F = f_int - f_ext + G^T lambda,    c(q_1, t_1) = 0.
//
//   newmark(beta, gamma)    b = (1/2 - beta, beta), g = (1 - gamma, gamma), m = f = 0
//   trapezoidal             newmark(1/4, 1/2)
//   hht(alpha)              newmark((1 - alpha)^2 / 4, 1/2 - alpha), f = -alpha
//   generalized_alpha(rho)  m = (2 rho - 1)/(rho + 1), f = rho/(rho + 1), gamma = 1/2 - m + f, beta = (1 - m + f)^2 / 4
//   backward_euler          b = (0, 1), g = (0, 1)
//
// (N. M. Newmark 1959; H. M. Hilber, T. J. R. Hughes, R. L. Taylor 1977; J. Chung, G. M. Hulbert 1993.) Newton's
// unknown is q_1: dv/dq = g_1 / (b_1 h), da/dq = 1 / (b_1 h^2), which gives the matrix c_q K + c_v C + c_a M.
#pragma once

#include "lithe/model/model.h"

namespace lithe {

struct Scheme {
  double b0, b1, g0, g1;
  double m = 0, f = 0;
  int order = 2;
  // Local error of q: error_h2 h^2 (a_1 - a_0), plus first_h2 h^2 a_1 where the scheme is of first order.
  double error_h2 = 0, first_h2 = 0;

  double c_q() const { return 1 - f; }
  double c_v(double h) const { return (1 - f) * g1 / (b1 * h); }
  double c_a(double h) const { return (1 - m) / (b1 * h * h); }
};

Scheme scheme_of(const DynamicAnalysis& options);
Scheme backward_euler();

}  // namespace lithe

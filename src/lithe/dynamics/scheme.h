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
// The a_n of schemes with weights are not accelerations: with M w_n + F_n = 0 the accelerations w_n at the ends satisfy
//
//   (1 - m) a_1 + m a_0 = (1 - f) w_1 + f w_0,
//
// and a_n is second-order near w(t_n - lag h), lag = f - m = gamma - 1/2. F, and so lambda, belong to the ends
// themselves (M. Arnold, O. Bruels 2007 write the schemes this way).
//
// Where constraints fix q_1, an error e of a_0 comes back as -(b_0/b_1) e in a_1: schemes with b_0/b_1 near 1 need
// their accelerations projected, the others a start that fits. Across constraints, with j = dw/dt, the scheme goes on
// steadily from a_0 = w_0 - lag h j and v_0 - C h^2 j, C = error_h2; any other start leaves errors of order h in a and
// lambda. (Perturbed initial values: M. Arnold, O. Bruels, A. Cardona 2015.)
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
  // Local error of q: error_h2 h^2 (a_1 - a_0), error_h2 = b_1 - 1/6 - lag/2, plus first_h2 h^2 a_1 where the scheme is
  // of first order.
  double error_h2 = 0, first_h2 = 0;

  double lag() const { return g1 - 0.5; }
  // Accelerations across constraints keep their errors for good, or nearly so; those of backward Euler, quotients of
  // secants, are half of what they should be in the first step.
  bool needs_projection() const { return b0 > 0.9 * b1 || b0 == 0; }
  double c_q() const { return 1 - f; }
  double c_v(double h) const { return (1 - f) * g1 / (b1 * h); }
  double c_a(double h) const { return (1 - m) / (b1 * h * h); }
};

Scheme scheme_of(const DynamicAnalysis& options);
Scheme backward_euler();

}  // namespace lithe

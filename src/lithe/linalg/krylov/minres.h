// MINRES (Paige and Saunders 1975) for symmetric A, definite or not, and a symmetric positive definite P.
//
// Lanczos with the vectors v_j = gamma_j V_j, z_j = P^-1 v_j, gamma_j^2 = v_j^T z_j:
//   v_{j+1} = A z_j / gamma_j - (delta_j / gamma_j) v_j - (gamma_j / gamma_{j-1}) v_{j-1},
//   delta_j = z_j^T A z_j / gamma_j^2,
// and Givens rotations (c_j, s_j) of the tridiagonal matrix of deltas and gammas. The residual is smallest in the norm
// of P^-1, where its size |eta| falls monotonically; the residual itself follows from
//   r_j = s_j^2 r_{j-1} + eta_j c_j V_{j+1},
// so that the end is judged by the 2-norm whatever P is.
//
// projected_minres (Gould, Orban, Rees 2014; P3's reference 41) takes a constraint preconditioner
// P = [D G^T; G 0], D positive definite: the cycle begins with d = P^-1 r, after which the residual has no part in the
// rows and P^-1 is positive on all that follows.
#pragma once

#include "lithe/linalg/krylov/cg.h"

namespace lithe {

template <VectorSpace Space>
void minres_cycle(Space& space, KrylovRoom<Space>& room, std::size_t at, typename Space::Vector& r,
                  typename Space::Vector& d, KrylovCycle& cycle, bool projects = false) {
  using Reason = KrylovReport::Reason;
  using Vector = typename Space::Vector;
  // A z has its own vector; the others change their roles from one iteration to the next.
  Vector& az = room.vector(space, at);
  Vector *v = &room.vector(space, at + 1), *v_before = &room.vector(space, at + 2), *z = &room.vector(space, at + 3),
         *z_next = &room.vector(space, at + 4), *w = &room.vector(space, at + 5),
         *w_before = &room.vector(space, at + 6);
  if (projects) {
    if (project_first(space, az, r, d, cycle)) return;
  } else {
    space.fill(0, d);
  }
  space.copy(r, *v);
  space.fill(0, *v_before);
  space.fill(0, *w);
  space.fill(0, *w_before);
  space.precondition(*v, *z);
  double squared = dot(space, *v, *z);
  if (!std::isfinite(squared)) return void(cycle.end(Reason::not_finite));
  if (squared < 0) return void(cycle.end(Reason::breakdown));
  if (squared == 0) return void(cycle.end(Reason::done));
  double gamma = std::sqrt(squared), gamma_before = 1, eta = gamma;
  double c = 1, c_before = 1, s = 0, s_before = 0;
  for (;;) {
    space.combine({{1 / gamma, *z}}, *z);
    space.apply(*z, az);
    ++cycle.products;
    const double delta = dot(space, az, *z);
    // v_before becomes v_next
    space.combine({{1, az}, {-delta / gamma, *v}, {-gamma / gamma_before, *v_before}}, *v_before);
    std::swap(v, v_before);
    space.precondition(*v, *z_next);
    squared = dot(space, *v, *z_next);
    if (!std::isfinite(squared) || !std::isfinite(delta)) return void(cycle.end(Reason::not_finite));
    // A P that is positive gives a negative square by rounding alone, where the Krylov space ends.
    const double scale = gamma * gamma + delta * delta;
    if (squared < -1e-8 * scale) return void(cycle.end(Reason::breakdown));
    const bool complete = squared <= 1e-30 * scale;
    const double gamma_next = complete ? 0 : std::sqrt(squared);
    const double a0 = c * delta - c_before * s * gamma, a2 = s * delta + c_before * c * gamma, a3 = s_before * gamma;
    const double a1 = std::hypot(a0, gamma_next);
    if (a1 == 0) return void(cycle.end(Reason::breakdown));  // singular, and the right-hand side has a part outside
    c_before = c;
    s_before = s;
    c = a0 / a1;
    s = gamma_next / a1;
    // w_before becomes w_next
    space.combine({{1 / a1, *z}, {-a3 / a1, *w_before}, {-a2 / a1, *w}}, *w_before);
    std::swap(w, w_before);
    space.combine({{1, d}, {c * eta, *w}}, d);
    eta = -s * eta;
    const double share = complete ? 0 : eta * c / gamma_next;
    space.combine({{s * s, r}, {share, *v}}, r);
    const double residual = std::sqrt(dot(space, r, r));
    if (cycle.history) {
      const bool over = cycle.over(residual);
      cycle.history->back() = std::abs(eta);
      if (over) return;
    } else if (cycle.over(residual)) {
      return;
    }
    if (complete) return;
    gamma_before = gamma;
    gamma = gamma_next;
    std::swap(z, z_next);
  }
}

}  // namespace lithe

// BiCGStab (van der Vorst 1992) and BiCGStab(2) (Sleijpen and Fokkema 1993, l = 2; P3's solver) for any regular A,
// preconditioned from the right: their residuals are those of the system.
//
// BiCGStab minimises over one direction after each bi-conjugate step, BiCGStab(2) over two after two: it copes with
// eigenvalues near the imaginary axis, where one direction gains nothing. An iteration has two products, or four.
//
// BiCGStab(2) keeps with each vector that goes into d what the preconditioner made of it: no application is spent on d
// at the end, and d belongs to the residual to the last digits also where the preconditioner is linear to single
// precision alone.
//
// Where a scalar vanishes against the vectors that made it, the cycle ends with what it has; the next one takes its own
// residual as the shadow, which is what helps.
#pragma once

#include "lithe/linalg/krylov/iterate.h"

namespace lithe {

// A product of vectors that is this small against their lengths has no digit.
inline constexpr double no_digits = 1e-14;

template <VectorSpace Space>
void bicgstab_cycle(Space& space, KrylovRoom<Space>& room, std::size_t at, typename Space::Vector& r,
                    typename Space::Vector& d, KrylovCycle& cycle) {
  using Reason = KrylovReport::Reason;
  using Pair = typename Space::Product;
  auto &shadow = room.vector(space, at), &p = room.vector(space, at + 1), &v = room.vector(space, at + 2),
       &t = room.vector(space, at + 3), &y = room.vector(space, at + 4);
  space.fill(0, d);
  space.copy(r, shadow);
  space.copy(r, p);
  double rho = dot(space, r, r);
  const double shadow_size = std::sqrt(rho);
  for (;;) {
    space.precondition(p, y);
    space.apply(y, v);
    ++cycle.products;
    const Pair first[] = {{nullptr, shadow, v}, {nullptr, v, v}};
    double sums[3];
    space.dots(first, sums);
    if (!std::isfinite(sums[0]) || !std::isfinite(sums[1])) return void(cycle.end(Reason::not_finite));
    if (std::abs(sums[0]) <= no_digits * shadow_size * std::sqrt(sums[1])) return void(cycle.end(Reason::breakdown));
    const double alpha = rho / sums[0];
    space.combine({{1, d}, {alpha, y}}, d);
    space.combine({{1, r}, {-alpha, v}}, r);
    if (const double half = std::sqrt(dot(space, r, r)); half <= cycle.target) {
      cycle.over(half);
      return;
    }
    space.precondition(r, y);
    space.apply(y, t);
    ++cycle.products;
    const Pair second[] = {{nullptr, t, r}, {nullptr, t, t}};
    space.dots(second, sums);
    if (!std::isfinite(sums[0]) || !std::isfinite(sums[1])) return void(cycle.end(Reason::not_finite));
    if (sums[1] == 0) return void(cycle.end(Reason::breakdown));
    const double omega = sums[0] / sums[1];
    space.combine({{1, d}, {omega, y}}, d);
    space.combine({{1, r}, {-omega, t}}, r);
    const Pair third[] = {{nullptr, r, r}, {nullptr, shadow, r}};
    space.dots(third, sums);
    const double residual = std::sqrt(sums[0]), next = sums[1];
    if (cycle.over(residual)) return;
    if (omega == 0 || std::abs(next) <= no_digits * shadow_size * residual) return void(cycle.end(Reason::breakdown));
    const double beta = next / rho * (alpha / omega);
    rho = next;
    space.combine({{1, r}, {beta, p}, {-beta * omega, v}}, p);
  }
}

template <VectorSpace Space>
void bicgstab2_cycle(Space& space, KrylovRoom<Space>& room, std::size_t at, typename Space::Vector& r,
                     typename Space::Vector& d, KrylovCycle& cycle) {
  using Reason = KrylovReport::Reason;
  using Pair = typename Space::Product;
  using Vector = typename Space::Vector;
  constexpr int l = 2;
  Vector& shadow = room.vector(space, at);
  // Powers of B = A P^-1 on residual and direction, and P^-1 of them.
  Vector* R[l + 1] = {&r, &room.vector(space, at + 1), &room.vector(space, at + 2)};
  Vector* U[l + 1] = {&room.vector(space, at + 3), &room.vector(space, at + 4), &room.vector(space, at + 5)};
  Vector* PR[l] = {&room.vector(space, at + 6), &room.vector(space, at + 7)};
  Vector* PU[l] = {&room.vector(space, at + 8), &room.vector(space, at + 9)};
  const auto multiply = [&](const Vector& x, Vector& inverse, Vector& image) {
    space.precondition(x, inverse);
    space.apply(inverse, image);
    ++cycle.products;
  };
  const auto fail = [&](Reason reason) { (void)cycle.end(reason); };
  space.fill(0, d);
  space.fill(0, *U[0]);
  space.copy(r, shadow);
  const double shadow_size = std::sqrt(dot(space, r, r));
  double rho = 1, alpha = 0, omega = 1;
  for (;;) {
    rho = -omega * rho;
    if (rho == 0) return fail(Reason::breakdown);
    for (int j = 0; j < l; ++j) {
      const Pair first[] = {{nullptr, *R[j], shadow}, {nullptr, *R[j], *R[j]}};
      double sums[2];
      space.dots(first, sums);
      if (!std::isfinite(sums[0]) || !std::isfinite(sums[1])) return fail(Reason::not_finite);
      if (std::abs(sums[0]) <= no_digits * shadow_size * std::sqrt(sums[1])) return fail(Reason::breakdown);
      const double beta = alpha * sums[0] / rho;
      rho = sums[0];
      for (int i = 0; i <= j; ++i) space.combine({{1, *R[i]}, {-beta, *U[i]}}, *U[i]);
      for (int i = 0; i < j; ++i) space.combine({{1, *PR[i]}, {-beta, *PU[i]}}, *PU[i]);
      multiply(*U[j], *PU[j], *U[j + 1]);
      const Pair second[] = {{nullptr, *U[j + 1], shadow}, {nullptr, *U[j + 1], *U[j + 1]}};
      space.dots(second, sums);
      if (!std::isfinite(sums[0]) || !std::isfinite(sums[1])) return fail(Reason::not_finite);
      if (std::abs(sums[0]) <= no_digits * shadow_size * std::sqrt(sums[1])) return fail(Reason::breakdown);
      alpha = rho / sums[0];
      for (int i = 0; i <= j; ++i) space.combine({{1, *R[i]}, {-alpha, *U[i + 1]}}, *R[i]);
      for (int i = 0; i < j; ++i) space.combine({{1, *PR[i]}, {-alpha, *PU[i + 1]}}, *PR[i]);
      space.combine({{1, d}, {alpha, *PU[0]}}, d);
      if (const double residual = std::sqrt(dot(space, r, r)); residual <= cycle.target) {
        cycle.over(residual);
        return;
      }
      multiply(*R[j], *PR[j], *R[j + 1]);
    }
    // The residual r - g1 B r - g2 B^2 r of least size.
    const Pair gram[] = {{nullptr, *R[1], *R[1]},
                         {nullptr, *R[1], *R[2]},
                         {nullptr, *R[2], *R[2]},
                         {nullptr, *R[1], r},
                         {nullptr, *R[2], r}};
    double g[5];
    space.dots(gram, g);
    if (!(g[0] > 0)) return fail(std::isfinite(g[0]) ? Reason::breakdown : Reason::not_finite);
    const double corner = g[2] - g[1] * g[1] / g[0];
    const double g2 = corner > no_digits * g[2] ? (g[4] - g[1] * g[3] / g[0]) / corner : 0;
    const double g1 = (g[3] - g[1] * g2) / g[0];
    space.combine({{1, d}, {g1, *PR[0]}, {g2, *PR[1]}}, d);
    space.combine({{1, r}, {-g1, *R[1]}, {-g2, *R[2]}}, r);
    space.combine({{1, *U[0]}, {-g1, *U[1]}, {-g2, *U[2]}}, *U[0]);
    omega = g2;
    if (cycle.over(std::sqrt(dot(space, r, r)))) return;
  }
}

}  // namespace lithe

// Conjugate gradients (Hestenes and Stiefel 1952) for symmetric positive definite A and P:
//   q = A p, alpha = r^T z / p^T q, d += alpha p, r -= alpha q, z = P^-1 r, beta = r^T z / (r^T z before), p = z + beta
//   p.
// p^T A p <= 0 or r^T P^-1 r < 0: not positive definite, a breakdown.
//
// With a constraint preconditioner (`projects`) the cycle begins with d = P^-1 r, after which the residual has no part
// in the rows and P is positive on all that follows: projected conjugate gradients (Gould, Hribar, Nocedal 2001).
#pragma once

#include "lithe/linalg/krylov/iterate.h"

namespace lithe {

// d = P^-1 r, r -= A d; true: the cycle is over.
template <VectorSpace Space>
[[nodiscard]] bool project_first(Space& space, typename Space::Vector& scratch, typename Space::Vector& r,
                                 typename Space::Vector& d, KrylovCycle& cycle) {
  space.precondition(r, d);
  space.apply(d, scratch);
  ++cycle.products;
  space.combine({{1, r}, {-1, scratch}}, r);
  return cycle.exact = cycle.over(std::sqrt(dot(space, r, r)));
}

template <VectorSpace Space>
void cg_cycle(Space& space, KrylovRoom<Space>& room, std::size_t at, typename Space::Vector& r,
              typename Space::Vector& d, KrylovCycle& cycle, bool projects = false) {
  using Reason = KrylovReport::Reason;
  using Pair = typename Space::Product;
  auto &z = room.vector(space, at), &p = room.vector(space, at + 1), &q = room.vector(space, at + 2);
  if (projects) {
    if (project_first(space, q, r, d, cycle)) return;
  } else {
    space.fill(0, d);
  }
  space.precondition(r, z);
  double rz = dot(space, r, z);
  space.copy(z, p);
  for (;;) {
    if (!std::isfinite(rz)) return void(cycle.end(Reason::not_finite));
    if (rz < 0) return void(cycle.end(Reason::breakdown));
    if (rz == 0) return void(cycle.end(Reason::done));
    space.apply(p, q);
    ++cycle.products;
    const double pq = dot(space, p, q);
    if (!std::isfinite(pq)) return void(cycle.end(Reason::not_finite));
    if (pq <= 0) return void(cycle.end(Reason::breakdown));
    const double alpha = rz / pq;
    space.combine({{1, d}, {alpha, p}}, d);
    space.combine({{1, r}, {-alpha, q}}, r);
    space.precondition(r, z);
    const Pair products[] = {{nullptr, r, r}, {nullptr, r, z}};
    double sums[2];
    space.dots(products, sums);
    if (cycle.over(std::sqrt(sums[0]))) return;
    const double beta = sums[1] / rz;
    rz = sums[1];
    space.combine({{1, z}, {beta, p}}, p);
  }
}

}  // namespace lithe

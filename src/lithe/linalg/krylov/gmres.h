// GMRES with restarts (Saad and Schultz 1986) for any regular A, preconditioned from the right: A P^-1 u = r, d = P^-1
// u, so that its residual is that of the system.
//
// Arnoldi by classical Gram-Schmidt done twice: all sums of a pass at once, and orthogonal to rounding (Giraud et al.
// 2005). Givens rotations keep the Hessenberg matrix triangular, |residual| = |last entry of the rotated right-hand
// side|.
#pragma once

#include "lithe/linalg/krylov/iterate.h"

namespace lithe {

template <VectorSpace Space>
void gmres_cycle(Space& space, KrylovRoom<Space>& room, std::size_t at, typename Space::Vector& r,
                 typename Space::Vector& d, KrylovCycle& cycle) {
  using Reason = KrylovReport::Reason;
  const int most = std::min(cycle.restart, cycle.iterations_left);
  auto& z = room.vector(space, at);
  const auto basis = [&](int j) -> typename Space::Vector& { return room.vector(space, at + 1 + j); };
  const std::size_t side = cycle.restart + 1;
  basis(cycle.restart);  // all at once: later solves take no memory
  room.products().reserve(side);
  auto &h = room.numbers(0, side * side), &rhs = room.numbers(1, side), &cosine = room.numbers(2, side),
       &sine = room.numbers(3, side), &sums = room.numbers(4, side);
  const auto entry = [&](int i, int j) -> double& { return h[j * side + i]; };
  space.fill(0, d);
  const double size = std::sqrt(dot(space, r, r));
  if (!(size > 0)) return void(cycle.end(size == 0 ? Reason::done : Reason::not_finite));
  space.combine({{1 / size, r}}, basis(0));
  rhs[0] = size;
  int columns = 0;
  cycle.end(Reason::not_converged);
  for (int j = 0; j < most; ++j) {
    space.precondition(basis(j), z);
    auto& next = basis(j + 1);
    space.apply(z, next);
    ++cycle.products;
    const double before = std::sqrt(dot(space, next, next));
    for (int i = 0; i <= j; ++i) entry(i, j) = 0;
    for (int pass = 0; pass < 2; ++pass) {
      auto& products = room.products();
      for (int i = 0; i <= j; ++i) products.push_back({nullptr, basis(i), next});
      space.dots(products, std::span(sums).first(j + 1));
      for (int i = 0; i <= j; ++i) {
        entry(i, j) += sums[i];
        space.combine({{1, next}, {-sums[i], basis(i)}}, next);
      }
    }
    const double length = std::sqrt(dot(space, next, next));
    if (!std::isfinite(length)) {
      cycle.end(Reason::not_finite);
      break;
    }
    const bool complete = length <= 1e-15 * before;  // the space is invariant: no further vector
    for (int i = 0; i < j; ++i) {
      const double upper = entry(i, j), lower = entry(i + 1, j);
      entry(i, j) = cosine[i] * upper + sine[i] * lower;
      entry(i + 1, j) = cosine[i] * lower - sine[i] * upper;
    }
    const double below = complete ? 0 : length, corner = std::hypot(entry(j, j), below);
    if (!(corner > 1e-15 * before)) {  // singular, and the right-hand side has a part outside
      ++cycle.iterations;
      cycle.end(Reason::breakdown);
      break;
    }
    cosine[j] = entry(j, j) / corner;
    sine[j] = below / corner;
    entry(j, j) = corner;
    rhs[j + 1] = -sine[j] * rhs[j];
    rhs[j] *= cosine[j];
    columns = j + 1;
    if (cycle.over(std::abs(rhs[j + 1]))) break;
    if (complete) {
      cycle.end(Reason::done);
      break;
    }
    cycle.end(Reason::not_converged);
    space.combine({{1 / length, next}}, next);
  }
  for (int j = columns - 1; j >= 0; --j) {
    for (int k = j + 1; k < columns; ++k) rhs[j] -= entry(j, k) * rhs[k];
    rhs[j] /= entry(j, j);
  }
  if (columns == 0) return;
  space.combine({{rhs[0], basis(0)}}, z);
  for (int j = 1; j < columns; ++j) space.combine({{1, z}, {rhs[j], basis(j)}}, z);
  space.precondition(z, d);
}

}  // namespace lithe

// Any of the Krylov methods over a vector space.
#pragma once

#include "lithe/linalg/krylov/bicgstab.h"
#include "lithe/linalg/krylov/cg.h"
#include "lithe/linalg/krylov/gmres.h"
#include "lithe/linalg/krylov/method.h"
#include "lithe/linalg/krylov/minres.h"

namespace lithe {

// `projects`: for cg and projected_minres, the preconditioner is a constraint preconditioner.
template <VectorSpace Space>
[[nodiscard]] KrylovReport solve_krylov(KrylovMethod method, Space& space, KrylovRoom<Space>& room,
                                        const KrylovLimits& limits, const typename Space::Vector& b,
                                        typename Space::Vector& x, bool projects = false) {
  const auto run = [&](auto cycle) { return krylov_iterate(space, room, limits, b, x, cycle); };
  switch (method) {
    case KrylovMethod::cg:
      return run([&](auto&&... of) { cg_cycle(of..., projects); });
    case KrylovMethod::minres:
      return run([&](auto&&... of) { minres_cycle(of..., false); });
    case KrylovMethod::projected_minres:
      return run([&](auto&&... of) { minres_cycle(of..., projects); });
    case KrylovMethod::gmres:
      return run([](auto&&... of) { gmres_cycle(of...); });
    case KrylovMethod::bicgstab:
      return run([](auto&&... of) { bicgstab_cycle(of...); });
    case KrylovMethod::bicgstab2:
      break;
  }
  return run([](auto&&... of) { bicgstab2_cycle(of...); });
}

}  // namespace lithe

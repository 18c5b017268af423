// The Krylov methods by name.
#pragma once

namespace lithe {

enum class KrylovMethod { cg, minres, projected_minres, gmres, bicgstab, bicgstab2 };

}  // namespace lithe

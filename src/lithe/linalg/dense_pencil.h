// All finite eigenpairs of small or nearly fully wanted pencils, by LAPACK.
#pragma once

#include "lithe/linalg/lanczos.h"

namespace lithe {

// L x = value R x among the vectors that the rows allow, R semidefinite there: as many as R has rank, ascending,
// orthonormal in R. Vectors without R (no mass) follow the others: L on them is condensed.
Eigenpairs dense_eigenpairs(const BorderedPencil& pencil, const Combination& L, const Combination& R);

}  // namespace lithe

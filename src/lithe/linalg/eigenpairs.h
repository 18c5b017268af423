// Eigenpairs of A x = value B x among the vectors that the rows of a pencil allow, B semidefinite, with the proof that
// none is missing: Lanczos' method finds them, Sylvester's law counts how many there are. Where the two differ, what is
// missing is looked for beside what was found; what cannot be found is an error.
#pragma once

#include <string>

#include "lithe/linalg/lanczos.h"

namespace lithe {

struct ProvedPairs : Eigenpairs {
  std::vector<double> residuals;  // [pair] how far a step of inverse iteration still turns the vector
  double shift = 0;               // at which the matrix was factored
  double low = 0, high = 0;       // the interval that was counted
  int counted = 0;                // eigenvalues in it
  bool dense = false;             // all of them were computed: nothing to count
  int more = 0;                   // that the first search had missed
};

// Directions in which B may be something, and rows leave: no pencil has more finite eigenvalues.
int most_eigenpairs(const BorderedPencil& pencil);

// The lowest, ascending, orthonormal in B. RunError: B is not semidefinite, what is without B gives way, no proof.
ProvedPairs lowest_eigenpairs(BorderedPencil& pencil, int count);
// Those nearest to `value`, ascending.
ProvedPairs eigenpairs_near(BorderedPencil& pencil, double value, int count);
// The smallest positive values at which A + value B is singular, A positive definite (RunError where it is not), B any:
// ascending, fewer than `count` where there are no more.
ProvedPairs critical_eigenpairs(BorderedPencil& pencil, int count);

}  // namespace lithe

// K, M and the rows of a model about a state at rest, over its unknowns: of mapped bodies over their numbers w, with
// coordinates that change by T w (reduction/body_map.h),
//
//   T^T K T + (dT/dw)^T f,    T^T M T,    G T,    f = f_int - f_ext + G^T lambda over all coordinates.
//
// f is at rest in the span of T, not beside it: of reduced and rigid bodies what they cannot follow turns with them,
// and that is all the stiffness of a rigid pendulum. T of a co-rotated body is all of space; there nothing is left
// beside it. Its own elastic force R K0 d is linear in the deformation d seen from its rotation R, which moves with the
// body by theta = Theta y, y the coordinates turned back:
//
//   d(R K0 d) = R (K0 y + theta x K0 d - K0 (theta x d)),
//
// dense where there is a deformation: theta gets unknowns without mass and the rows Theta y - theta = 0. Of reduced
// bodies the same terms stand in the small matrix. They are symmetric up to the square of the deformation; the
// symmetric part is taken.
#pragma once

#include <vector>

#include "lithe/linalg/sparse.h"
#include "lithe/system/system.h"

namespace lithe {

struct ModalMatrices {
  SparsePattern pattern;     // upper triangle; the unknowns of the system, then turns of co-rotated bodies
  std::vector<double> K, M;  // over it
  RowPattern rows;           // independent ones alone, then those of the turns
  std::vector<double> G;
  std::vector<int> kept;  // [row of the system that is among them]
  double skew = 0;        // what the symmetric part leaves away, over the largest entry
};
ModalMatrices modal_matrices(const System& system, const State& state, Workspace& work);
// K alone, over that pattern; of models without co-rotated and reduced bodies.
std::vector<double> stiffness(const System& system, const State& state, Workspace& work, const ModalMatrices& like);

}  // namespace lithe

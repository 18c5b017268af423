// Is an equilibrium stable? Over the motions that the rows allow, G Z = 0, it is where Z^T K Z is positive definite,
// K with the stiffness (G^T y)_q of the multipliers. The bordered matrix
//
//   [ K + diagonal   s G^T ]
//   [ s G              0   ]
//
// has as many negative pivots as rows plus those of Z^T (K + diagonal) Z, G of full rank (N. I. M. Gould, Math.
// Program. 32 (1985)). It is made here whatever the treatment of the rows and the solver of the run: a penalty that is
// too small shows negative pivots of its own, and solvers with row pivoting show none. Of an unsymmetric K the
// symmetric part.
#pragma once

#include <optional>
#include <vector>

#include "lithe/dynamics/norm_weights.h"
#include "lithe/linalg/solver_ladder.h"
#include "lithe/linalg/upper_triangle.h"

namespace lithe {

struct Stability {
  std::optional<bool> stable;  // none: not known
  int directions = -1;         // in which the equilibrium gives way; -1: not known
};

// The lowest mode of (K, D) among the motions that the rows allow, largest entry of w x: 1, D = diag(w^2).
struct LowestMode {
  bool found = false;
  double eigenvalue = 0;  // N m, as D is free of units
  Array x;                // [unknown, row], 0 for rows
};

// The matrix and its factors are on the host; vectors, [unknown, row], live in a place.
class StabilityMatrix {
 public:
  // w = weights.correction makes unknowns free of units; the metric is D = diag(w^2).
  StabilityMatrix(const System& system, const NormWeights& weights, Place& place);
  StabilityMatrix(const StabilityMatrix&) = delete;  // the ladder refers to the pattern here
  StabilityMatrix& operator=(const StabilityMatrix&) = delete;

  // K over system.pattern, G of Workspace.
  void set(const std::vector<double>& K, const std::vector<double>& G);
  // Of K as set: directions below zero by more than rounding, none that is neither.
  Stability judge();
  // Does it give way along its lowest mode in spite of what is unsymmetric? Of a symmetric K: yes.
  bool unstable_along(const LowestMode& mode, const std::vector<double>& K) const;
  LowestMode lowest_mode();
  double size() const;  // bound of the eigenvalues of (K, D)

  // Factors with shift * D; the number of negative directions, -1: not known.
  int factor(double shift);
  // (K + shift D) x + G^T y = -f, G x = -c, of the last factor(), with f and c in `b`, x and y in `x`; false: no
  // solution.
  bool solve(const Array& b, Array& x);

 private:
  int factor_with(const std::vector<double>& diagonal);

  const System& system_;
  const std::vector<double>& weight_;  // [unknown]
  Place& place_;
  Array weights_, squares_;           // [unknown, row] 0 for rows
  UpperTriangle triangle_;            // of K
  SparsePattern pattern_;             // upper triangle with the rows behind; begins as that of K does
  std::vector<std::int32_t> border_;  // [entry of G] here
  std::vector<double> values_, shifted_, largest_, rhs_, solution_, shift_, room_;
  SolverLadder ladder_;
  double scale_ = 1;  // of the borders
};

}  // namespace lithe

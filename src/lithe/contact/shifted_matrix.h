// W + diag(spring) of an island as a sparse matrix, factored: what ADMM and the interior point method solve with. The
// pattern is analysed once an island; spring is a block of 3 x 3 for each contact.
#pragma once

#include <memory>

#include "lithe/contact/contact_method.h"
#include "lithe/linalg/linear_solver.h"

namespace lithe {

// Its pattern: all of it, or the upper triangle.
SparsePattern contact_pattern(const ContactProblem& problem, bool symmetric);

class ShiftedContactMatrix {
 public:
  // symmetric: whether spring will be.
  void analyse(const ContactIsland& island, bool symmetric);
  // spring: [contact][3][3]. False: no factors, not positive definite.
  bool factor(const ContactIsland& island, const std::vector<double>& spring);
  // x = (W + spring)^-1 x. False: not finite.
  bool solve(std::vector<double>& x);

 private:
  SparsePattern pattern_;  // of a symmetric matrix the upper triangle
  std::vector<double> values_;
  std::unique_ptr<LinearSolver> solver_;
};

}  // namespace lithe

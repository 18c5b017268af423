// Lanczos' method with implicit restarts (Spectra) for N x = theta P x among the vectors that the rows of a pencil
// allow: the operator is x -> first block of [P, G^T; G, 0]^-1 [N x; 0], symmetric in the metric of P and in that of N.
#pragma once

#include <vector>

#include "lithe/linalg/bordered_pencil.h"

namespace lithe {

// a A + b B of a pencil.
struct Combination {
  double a = 0, b = 0;
};

struct Eigenpairs {
  std::vector<double> values;
  std::vector<std::vector<double>> vectors;  // [pair][unknown]
  std::size_t size() const { return values.size(); }
};

struct LanczosRequest {
  Combination N, metric;              // metric: semidefinite at least
  bool by_size = false;               // the largest |theta|, else the largest theta
  int count = 1, basis = 3;           // pairs, vectors that are kept: more than the pairs
  double tolerance = 1e-10;           // of theta, as Spectra measures residuals
  int restarts = 300;                 // at most
  unsigned start = 0;                 // another number, another vector to begin with
  const Eigenpairs* found = nullptr;  // of the operator: left out, orthonormal in the metric
};

// The pencil is factored for P. Vectors are orthonormal in the metric; fewer pairs than asked for where the method did
// not converge.
Eigenpairs lanczos(BorderedPencil& pencil, const LanczosRequest& request);

}  // namespace lithe

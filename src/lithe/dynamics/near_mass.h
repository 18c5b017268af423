// Where steps are short the matrix of a step is the mass matrix with a small change,
//
//   A = c_a M + c_q K + c_v C = c_a M (1 + E),   E = (c_a M)^-1 A - 1,
//
// and Newton with c_a M in place of A shrinks its corrections by |E| = beta h^2 omega^2 each. M is constant: it is
// factored once for the whole run, and by parts that nothing couples (x, y, z where they are held alike), so that a
// solve reads a ninth of what the factors of A would have.
#pragma once

#include "lithe/base/place.h"
#include "lithe/linalg/part_factors.h"

namespace lithe {

class NearMass {
 public:
  // `mass` over the pattern of A, upper triangle; the vectors of change() live in `place`.
  NearMass(const SparsePattern& pattern, std::vector<double> mass, Place& place);
  bool usable() const { return factors_.report().usable; }

  // |E| in the norm of M, of the values A: some steps of Lanczos' method, plus what they leave open.
  double change(const std::vector<double>& A, double c_a);
  // x = (c_a M)^-1 b; x may be b.
  void solve(std::span<const double> b, double c_a, std::span<double> x);
  const PartFactors& factors() const { return factors_; }

 private:
  void times(const std::vector<double>& values, const Array& x, Array& y);  // y = values x
  void by_inverse(const Array& x, Array& y);                                // y = M^-1 x

  const SparsePattern& pattern_;
  const std::vector<double> mass_;
  PartFactors factors_;
  Place& place_;
  Array v_, u_, w_, y_, before_u_;  // of change()
  std::vector<double> from_, to_;   // on the host, where M and its factors are
};

}  // namespace lithe

// One contact alone, all others held: U = W R + b, K_mu contains R _|_ U + mu |U_T| n in K_mu*, solved exactly.
//
//   take-off  b_N >= 0: R = 0.
//   else U_N = 0 eliminates R_N = -(b_N + W_NT R_T) / W_NN, and with S = W_TT - W_TN W_NT / W_NN,
//   c = b_T - W_TN b_N / W_NN,
//
//     (S + lambda) R_T = -c,    U_T = -lambda R_T.
//
//   stick     lambda = 0, where that R lies in the cone;
//   slide     lambda > 0 with |R_T| = mu R_N (a quartic: Bonnefon and Daviet 2011).
//
// As lambda grows R_T goes to zero and R_N to -b_N / W_NN > 0: some lambda lies inside of the cone, and between it and
// lambda = 0, which lies outside, R(lambda) crosses the boundary, at a point that is not 0 because U_N = 0 there. So a
// bracket always exists, whatever mu and W_NT are; Newton's method on mu R_N / |R_T| - 1, nearly a line, stays in it.
// All is done in the principal axes of S, where S + lambda is diagonal. Where R_N is given S is W_TT, c is b_T + W_TN
// R_N, and there is no take-off.
#pragma once

#include "lithe/base/small.h"
#include "lithe/contact/cone.h"

namespace lithe {

class LocalContact {
 public:
  LocalContact() = default;
  // W: symmetric, semidefinite, row major. A contact whose normal velocity no impulse changes gets R = 0.
  LocalContact(const double* W, const FrictionCone& cone);

  Vec3<double> solve(const Vec3<double>& b);
  double size() const { return size_; }  // largest eigenvalue of W

 private:
  struct Impulse {
    double normal, first, second;  // tangential in the principal axes
  };
  Impulse at(double lambda, double b_N, const double* c) const;
  Impulse slide(double b_N, const double* c);

  double size_ = 0, friction_ = 0;
  double given_ = -1;             // R_N; negative: found
  double inverse_ = 0;            // 1 / W_NN, 0: none
  double cosine_ = 1, sine_ = 0;  // first principal axis
  double stiffness_[2]{0, 0};     // eigenvalues of S
  double coupling_[2]{0, 0};      // W_NT in the principal axes
  double lambda_ = 0;             // of the last slide: where the next begins
};

}  // namespace lithe

// Linear law S = D : (E + tau dE/dt) of St. Venant-Kirchhoff with Kelvin-Voigt damping (P0 eq. 9), in the material
// frame of a point. D is orthotropic there: layer angles turn the frame, not D. Voigt order 11, 22, 33, 23, 13, 12
// with engineering shear strains.
//
// The point functions below are the whole of the constitutive mathematics. With F the deformation gradient in the
// material frame (columns: derivatives along the frame's axes) and H = F/2 + tau dF/dt,
//   E + tau dE/dt = sym(F^T H) - I/2,     P = F S.
#pragma once

#include "lithe/base/config.h"
#include "lithe/base/small.h"

namespace lithe {

struct Law {
  double C11, C22, C33, C23, C13, C12;  // Pa, block of the normal components
  double G23, G13, G12;                 // Pa, shear
  double tau;                           // s
};

LITHE_HD Law sum(const Law& a, const Law& b) {
  return {a.C11 + b.C11, a.C22 + b.C22, a.C33 + b.C33, a.C23 + b.C23, a.C13 + b.C13,
          a.C12 + b.C12, a.G23 + b.G23, a.G13 + b.G13, a.G12 + b.G12, a.tau};
}

// Voigt vector of sym(F^T H) - I/2; shears doubled.
template <class T>
LITHE_HD void strain(const Mat3<T>& F, const Mat3<T>& H, T* E) {
  auto fh = [&](int a, int b) { return F[0][a] * H[0][b] + F[1][a] * H[1][b] + F[2][a] * H[2][b]; };
  E[0] = fh(0, 0) - 0.5;
  E[1] = fh(1, 1) - 0.5;
  E[2] = fh(2, 2) - 0.5;
  E[3] = fh(1, 2) + fh(2, 1);
  E[4] = fh(0, 2) + fh(2, 0);
  E[5] = fh(0, 1) + fh(1, 0);
}

// S = D E, Voigt.
template <class T>
LITHE_HD void stress(const Law& D, const T* E, T* S) {
  S[0] = D.C11 * E[0] + D.C12 * E[1] + D.C13 * E[2];
  S[1] = D.C12 * E[0] + D.C22 * E[1] + D.C23 * E[2];
  S[2] = D.C13 * E[0] + D.C23 * E[1] + D.C33 * E[2];
  S[3] = D.G23 * E[3];
  S[4] = D.G13 * E[4];
  S[5] = D.G12 * E[5];
}

// P = F S, S from Voigt.
template <class T>
LITHE_HD Mat3<T> first_piola(const Mat3<T>& F, const T* S) {
  Mat3<T> P;
  for (int m = 0; m < 3; ++m) {
    P[m][0] = F[m][0] * S[0] + F[m][1] * S[5] + F[m][2] * S[4];
    P[m][1] = F[m][0] * S[5] + F[m][1] * S[1] + F[m][2] * S[3];
    P[m][2] = F[m][0] * S[4] + F[m][1] * S[3] + F[m][2] * S[2];
  }
  return P;
}

}  // namespace lithe

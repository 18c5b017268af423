// Frictional contact of one step, over the contacts alone. With impulses R, relative velocities U of the points that
// touch (of a against b, at the end of the step) and W = H A^-1 H^T, less what joints hold,
//
//   U = W R + B,    K_mu contains R  _|_  U + mu |U_T| n  in K_mu*,    K_mu: |R_T| <= mu R_N,
//
// which is De Saxce's form of the laws of Signorini and Coulomb, contact by contact. Components are normal, first and
// second tangent. Restitution and gaps that are still open are in the normal component of B:
//
//   U_N >= -gap/h    has    B_N + gap/h,        U_N >= -e U_N(begin)    has    B_N + e U_N(begin).
//
// Friction of a joint has a normal impulse that is given, from forces that it does not change or of a round before:
// R_N = given, |R_T| <= mu R_N, U_T against R_T where it slides, U_N free. A joint's stop is a contact without
// friction. Both have fewer rows than three: the others are rows of zeros in W and B.
//
// W is sparse over the contacts that share a body (or bodies that joints hold together): dense blocks of 3 x 3, the
// whole symmetric pattern, the diagonal block of every contact included.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/contact/cone.h"

namespace lithe {

struct ContactProblem {
  std::vector<std::int32_t> row_start{0};  // [contact + 1] into column
  std::vector<std::int32_t> column;        // [block] contact, ascending in a row
  std::vector<double> W;                   // [block][3][3], row major | s/kg
  std::vector<double> B;                   // [contact][3] | m/s
  std::vector<double> friction;            // [contact] mu
  std::vector<double> given = {};          // [contact] R_N where it is given, else negative | N s; empty: nowhere
  int count() const { return static_cast<int>(row_start.size()) - 1; }
  FrictionCone cone(int k) const { return {friction[k], given.empty() ? -1 : given[k]}; }
};

}  // namespace lithe

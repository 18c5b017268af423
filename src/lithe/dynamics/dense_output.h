// States between the ends of a step, for outputs that fall there: steps need not divide the time between outputs.
//
//   q   cubic Hermite polynomial of q and v at both ends, v its derivative
//   a, lambda, angles, internal and applied forces   straight lines
//
// so that M a + f_int - f_ext + G^T lambda = 0 holds as well as at the ends, and reactions keep the order of the
// scheme.
#pragma once

#include <memory>

#include "lithe/dynamics/contact_forces.h"

namespace lithe {

class DenseOutput {
 public:
  DenseOutput(const System& system, Workspace& work);
  // Before a step.
  void begin(const State& state);
  // After it: the state at t between the two, with work.internal and work.external there.
  const State& at(double t, const State& end);
  // After the last at(): work.internal and work.external of the step's end.
  void end();

 private:
  const System& system_;
  Workspace& work_;
  std::unique_ptr<ContactForces> contact_;  // among the internal forces
  State first_, between_;
  bool forces_known_ = false;
  std::vector<double> first_internal_, first_external_, last_internal_, last_external_;
};

}  // namespace lithe

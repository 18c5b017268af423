// Velocities and accelerations back onto the constraints after a step (P4 eq. 6).
#pragma once

#include "lithe/dynamics/step_newton.h"

namespace lithe {

class StepProjection {
 public:
  StepProjection(StepData& data, StepNewton& newton) : data_(data), newton_(newton) {}
  // With the factorisation at hand, or a new one where that one is too old: how many it took.
  int run(double h);

 private:
  StepData& data_;
  StepNewton& newton_;
};

}  // namespace lithe

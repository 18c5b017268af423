// What is measured of a step that came out: its own error, the balance of energies, how far parts turn.
#pragma once

#include "lithe/dynamics/step_data.h"

namespace lithe {

class StepWatch {
 public:
  explicit StepWatch(StepData& data) : data_(data) {}
  // The local error of positions, weighted as corrections are.
  double own_error(double h);
  // Are the accelerations at the beginning of the step mostly those of damping?
  bool damping_rules();
  void start();
  // Work by the trapezoidal rule over the step: what it misses of smooth forces is of the order of the schemes, and of
  // linear ones it misses nothing. Driven directions: what the reactions do; they are at right angles to all others.
  void energy(double h);

 private:
  StepData& data_;
};

}  // namespace lithe

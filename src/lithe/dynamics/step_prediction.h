// Where a step begins and where Newton starts: accelerations of the scheme at the beginning, and a guess of those at
// the end from the steps before.
#pragma once

#include "lithe/dynamics/step_data.h"

namespace lithe {

class StepPrediction {
 public:
  explicit StepPrediction(StepData& data) : data_(data) {}
  // What the scheme begins with: its own accelerations of the last step; or, where that had another size or none, w
  // carried back by the lag, and at a start the velocities that go with it across constraints (scheme.h).
  void begin(double h);
  // Accelerations at the end. order: of the extrapolation from the steps before.
  int order(double h) const;
  void extrapolate(int order);
  // Velocities go on instead: q_1 = q_0 + h v_0.
  void coast();
  // Coordinates and rates that follow from them.
  void advance(double h);
  // Which extrapolation would have been nearest to what came out; then the step becomes the past.
  void remember(double h);

 private:
  StepData& data_;
};

}  // namespace lithe

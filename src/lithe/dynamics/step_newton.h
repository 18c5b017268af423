// Newton's iteration of a step: forces, matrix, corrections, and when they are small enough.
#pragma once

#include "lithe/dynamics/step_data.h"

namespace lithe {

class StepNewton {
 public:
  explicit StepNewton(StepData& data);
  // Forces and constraints at data.now: data.residual and its sizes.
  void evaluate();
  // From a predicted and evaluated data.now to the end of the step, with a matrix that may be old: corrections dz with
  // M^ dz = -r, until what is left of them is below the tolerance.
  StepReport iterate(double h);
  // The tangent at data.now, factored; `near`: or another matrix that is near enough.
  bool factor(double h, bool near = false);
  // After a restart: at the state where it was factored.
  bool factor_again(const Linearisation& point, State& state);
  // Does the residual exceed this share of the forces?
  bool residual_exceeds(double share) const { return !(residual_norm_ <= force_norm_ * share); }
  double residual_norm() const { return residual_norm_; }
  // What is small enough in this step.
  struct Wanted {
    double correction, residual, gap;
  };
  Wanted wanted(double h);
  // Tangents that are kept are put aside for a while; new ones contract by this, 0: not known.
  static void put_aside(StepMemory& memory, double contraction);
  // Coordinate or row with the largest residual.
  std::string worst();

 private:
  void correct(double h);
  void learn(const StepReport& report, StepMemory& memory) const;
  bool renewal_pays(double rho, double times) const;
  bool at_rounding();
  double tolerance(double h, double previous, double strictness);
  double correction_norm();

  StepData& data_;
  double residual_norm_ = 0, force_norm_ = 0, violation_ = 0;
  Array rounding_;  // [unknown] what rounding alone leaves of data.residual
  bool rounding_known_ = false;
  double coordinate_size_ = 0;
};

}  // namespace lithe

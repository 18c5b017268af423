// Consistent velocities, accelerations and multipliers at the start of a run, after a jump of loads and after a
// makeshift step.
#pragma once

#include <string>

#include "lithe/dynamics/step_data.h"

namespace lithe {

class StepStart {
 public:
  explicit StepStart(StepData& data);
  // The velocities nearest to those of data.now, in the sense of the mass, that the constraints allow, then
  // accelerations and multipliers with M a + F = 0 and constraints that hold to their second rates. False: there are
  // none, see failure(). No factorisation is left.
  bool settle();
  // The same at the start of a run: first without what is held or driven.
  bool begin();
  // A past of one step of size h as the rates of accelerations have it.
  void seed_past(double h);
  const std::string& failure() const { return failure_; }

 private:
  bool find();
  bool settle_velocities();
  bool settle_accelerations();
  bool constraints_met(const char* what, double limit);
  void probe_jerk();

  StepData& data_;
  Array jerk_;        // [vector][3]
  Array wanted_v_;    // [vector][3]
  Array mu_, third_;  // [row]
  std::string failure_;
};

}  // namespace lithe

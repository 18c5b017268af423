// The N-four-bar mechanism of P4, section 2, stepped as P4 does: augmented Lagrangian, trapezoidal rule, a new tangent
// in each iteration, projections of velocities and accelerations. `lithe bench linalg` times it for any linear solver.
//
// N loops: rods of 1 m and 1 kg; A_i = (i, 0) on the ground, B_i = (i, 1) with 1 m/s along x; gravity. 2 N + 2
// variables.
#pragma once

#include <string>

#include "lithe/dynamics/stepper.h"

namespace lithe::app {

constexpr double four_bar_step = 1.25e-3, four_bar_penalty = 1e8;  // s; N/m

// Of a run over some steps, its start left out.
struct FourBarRun {
  double microseconds = 0;  // per step, CPU time of the thread
  Phases phases;            // s by the wall clock; total is that of all steps
  int steps = 0;
  long long factorisations = 0, solves = 0, iterations = 0;
  double x = 0, y = 0;  // of B_0 at the end, m
  std::string failure;  // empty: all steps converged
};

class FourBar {
 public:
  explicit FourBar(int loops);
  int variables() const { return system_.map.size; }
  int loops() const { return loops_; }
  FourBarRun run(const std::string& solver, const std::string& ordering, int steps) const;

 private:
  int loops_;
  System system_;
};

}  // namespace lithe::app

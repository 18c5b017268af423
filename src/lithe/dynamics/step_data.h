// What the parts of an implicit step share: the model in its place, the scheme of this step, and the vectors between
// its two ends. Parts: step_start (consistent starts), step_prediction, step_newton, step_projection, step_watch;
// implicit_stepper calls them one after the other.
#pragma once

#include <limits>

#include "lithe/dynamics/equations.h"
#include "lithe/dynamics/linear_system.h"
#include "lithe/dynamics/norm_weights.h"
#include "lithe/dynamics/scheme.h"
#include "lithe/dynamics/stepper.h"
#include "lithe/dynamics/vector_chain.h"

namespace lithe {

struct StepData {
  StepData(const System& system, const DynamicAnalysis& options, Workspace& work);

  const System& system;
  const DynamicAnalysis& options;
  Equations model;
  Place& place;
  VectorChain chain;
  Phases phases;
  LinearSystem linear;
  const Scheme chosen;
  const bool projects;  // velocities and accelerations go back onto the constraints after each step

  // ---- of this step ----
  Scheme scheme;          // the chosen one, or backward Euler
  TangentPolicy policy;   // the chosen one, or every iteration
  bool fallback = false;  // backward Euler in place of the chosen scheme
  PlacedState now;        // from its beginning to its end
  // At the beginning. w: accelerations there; a, scheme_v: what the scheme begins with in their place.
  struct {
    double t = 0;
    Array q, v, w, lambda, a, scheme_v;
    StepMemory memory;
  } begin;

  // ---- forces ----
  Array force, residual;  // [unknown] F of the end, residual of the weighted equation of motion
  // F and what it is made of at the beginning of the step, found at time last_time.
  Array last_force, last_internal, last_external;
  bool have_last = false;
  double last_time = 0;
  Array reaction, last_reaction;               // where directions are driven
  std::vector<double> last_targets, row_room;  // [row]
  bool targets_move = false;                   // some row has a target that depends on the time
  Array row_rounding;                          // [row] what rounding of targets leaves of c

  // Where the matrix was factored last, for restarts; its q, v and lambda.
  Linearisation point;
  Array point_q, point_v, point_lambda;

  // ---- weights, squares of norm_weights.h ----
  Array force_weight, correction_weight;                        // [unknown]
  Array coordinate_force_weight, coordinate_correction_weight;  // [vector][3]

  // ---- room ----
  Array dz, d_lambda, rates;       // [unknown], [row], [row]
  Array inertia, scratch, room_v;  // [vector][3]

  // Of the size of rounding: this changes the last digits.
  static constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();

  double kinetic_energy();
  // Forces of drives whose directions were eliminated: M a + f_int - f_ext + G^T lambda over all coordinates.
  void evaluate_reactions();
  // What holds at `now` and is asked for at the beginning of the next step; forces are evaluated there.
  void keep_forces();
  void measure_targets();
  double target(int row, double t) const;
  // Accelerations of driven directions and slaves at t; coordinates stay to the last bit, forces were evaluated there.
  void follow_accelerations(double t, Array& a);
};

}  // namespace lithe

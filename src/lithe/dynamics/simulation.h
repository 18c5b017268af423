// The simulation loop: predict the next step size, step, accept or retry smaller, record.
#pragma once

#include <functional>
#include <string>

#include "lithe/dynamics/stepper.h"

namespace lithe {

// Of the steps of a run in which something could touch.
struct ContactCounts {
  long long steps = 0, points = 0, most = 0;  // points: of all of these steps
  long long iterations = 0;                   // of contact solvers
  long long patterns = 0;                     // of the matrix that penalty contacts made
  long long cut_back = 0;                     // rebounds that would have added energy
  long long loose = 0;                        // steps whose contact forces were found to `left` at worst only
  double left = 0;                            // of the largest velocity
  CoarseImpacts coarse;                       // of the step that was too long for the most energy
  double coarse_time = 0, coarse_length = 0;  // s, when, and how long that step was
};

struct DynamicReport {
  enum class Reason {
    done,
    step_too_small,
    not_finite,
    singular,
    past_end,
    contradiction,
    stopped
  } reason = Reason::done;
  long long steps = 0, rejected = 0, iterations = 0;
  LinearReport linear;        // what its linear systems took
  long long fallbacks = 0;    // steps that backward Euler made where the chosen scheme failed
  long long at_rounding = 0;  // steps that met their tolerances as well as rounding allows
  double t = 0;               // reached
  double smallest_step = 0, largest_step = 0;
  double residual = 0;
  double violation = 0;  // m, largest |c| of any step
  std::string worst, message, solver;
  std::vector<std::string> warnings;  // whole sentences: what makes the result doubtful
  ContactCounts contacts;
  EnergyBalance energy;  // since the start, also of a resumed run
  Phases phases;
  double real_time_factor() const { return phases.total > 0 ? simulated / phases.total : 0; }
  double simulated = 0;  // s of this run (a resumed one counts its own)
  bool ok() const { return reason == Reason::done; }
};

// What steps took, those that were tried and rejected included.
struct StepEffort {
  long long newton_iterations = 0, rejected = 0;
  long long factorisations = 0, krylov_iterations = 0, products = 0, updates = 0;  // LinearReport
  double seconds = 0;                                                              // without outputs
  friend StepEffort operator-(const StepEffort& a, const StepEffort& b);
};

// What an output is made of. Where `output` is set, work.internal and work.external hold at the state.
struct DynamicStep {
  long long step = 0;
  double h = 0;
  bool output = true;       // an output is due
  bool between = false;     // inside the step: the state is interpolated (dense_output.h)
  bool checkpoint = false;  // a checkpoint is due
  StepReport report;
  StepEffort effort;  // since the run began or was resumed, where it is traced
};
// Called for the starting state, at every accepted step and at outputs between steps; returning false ends the run.
using DynamicObserver = std::function<bool(const State&, const DynamicStep&)>;

// Where a run begins: at a time, with the velocities of the model or (moving) with those of the state.
struct DynamicStart {
  double time = 0;
  bool moving = false;
  bool traced = false;  // DynamicStep::effort is asked for
};

// From `state` (usually system.initial_state(), or what a stage before this one reached: consistent velocities and
// accelerations are found here; or one read from a checkpoint, with `resumed`) over options.duration. On failure the
// state is the last accepted one and the report says why.
[[nodiscard]] DynamicReport simulate(const System& system, const DynamicAnalysis& options, State& state,
                                     Workspace& work, const DynamicObserver& observer, bool resumed = false,
                                     const DynamicStart& start = {});

}  // namespace lithe

// One time step. A Stepper advances a State over a System and says how it went; the simulation loop (simulation.h)
// owns retries, step sizes and outputs. Schemes that are coefficient maps over one Newton are in implicit_stepper.h; a
// scheme of another shape implements the same interface.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "lithe/linalg/solver_ladder.h"
#include "lithe/system/system.h"

namespace lithe {

// Impacts on penalty contacts that a step was too long for.
struct CoarseImpacts {
  double energy = 0;  // J, with which they came together
  double step = 0;    // s, that would do for the greatest of them
  std::string pair;   // that met there
};

struct StepReport {
  enum class Reason {
    converged,
    too_many_iterations,
    diverged,
    not_finite,
    singular,
    inaccurate,
    no_rotation,  // of a body, inside out or turned too far; `worst` says which and why
    unmet_rows,   // constraints that contradict each other, or what holds their bodies
    no_contact_forces
  } reason = Reason::converged;
  int iterations = 0;
  int factorisations = 0;
  double residual = 0;         // relative to the forces, last
  double correction = 0;       // weighted RMS, last
  double error = 0;            // estimated local error over the tolerance of step control; 0: not estimated
  double violation = 0;        // largest |c|, m
  int contacts = 0;            // points that can touch
  int contact_iterations = 0;  // of their solver
  double contact_left = 0;     // of velocities, where their solver got no further than that; else 0
  int patterns = 0;            // of the matrix with contacts, since the start
  CoarseImpacts coarse;
  int cut_back = 0;                  // rebounds that would have added energy
  bool at_rounding = false;          // as small as rounding lets it be, above a tolerance
  bool fallback = false;             // the chosen scheme failed and backward Euler made the step
  std::array<double, 32> history{};  // correction at each iteration, the first ones
  std::string worst;                 // coordinate or joint with the largest residual; of a step that failed
  bool ok() const { return reason == Reason::converged; }
  std::string text() const;  // a clause: "Newton did not converge in 12 iterations"
};

// Seconds of each phase of a run. projection: right-hand sides of the projections; their solves are in `solve`. watch:
// the balance of energies. rotation, constraints, detection, contact_operator, contact: of half steps.
struct Phases {
  double force = 0, tangent = 0, assembly = 0, factorisation = 0, solve = 0, projection = 0, rotation = 0,
         constraints = 0, detection = 0, contact_operator = 0, contact = 0, watch = 0, output = 0, total = 0;
};

// Steps, or their coefficients, so close to each other that they are of one size: a factorisation serves both.
inline bool same_size(double a, double b) { return std::abs(a / b - 1) < 1e-9; }

class Stepper {
 public:
  virtual ~Stepper() = default;
  // Consistent velocities, the nearest to those of the state, accelerations and multipliers at state.t; throws RunError
  // where there are none.
  virtual void start(State& state) = 0;
  // After a restart: what the stepper holds beside the State is made again from it.
  virtual void resume(State& state) = 0;
  // Before a checkpoint: fetches, and puts into the State what resume() needs beside it; State::linearisation is nobody
  // else's.
  virtual void save(State& state) = 0;
  // Vectors of the State may live elsewhere while steps are made; its numbers (time, memory, energies) are true at any
  // time, its vectors, work.internal and work.external after this.
  virtual void fetch(State& state) = 0;
  // From state.t to state.t + h; on failure the state is as before.
  [[nodiscard]] virtual StepReport step(double h, State& state) = 0;
  // Loads have a corner or a jump here: what they did before tells nothing of what they do next.
  virtual void corner(bool jump, State& state) = 0;
  // Order of the local error in h, for step control.
  virtual int order() const = 0;
  virtual const Phases& phases() const = 0;
  virtual std::string solver_text() const = 0;  // what solves the linear systems, and why
  virtual LinearReport linear() const = 0;      // solves: those of multiplier iterations among them
};

// The scheme that `options` names; where it names none, the one that the bodies need.
Integrator integrator_of(const System& system, const DynamicAnalysis& options);
std::unique_ptr<Stepper> make_stepper(const System& system, const DynamicAnalysis& options, Workspace& work);

}  // namespace lithe

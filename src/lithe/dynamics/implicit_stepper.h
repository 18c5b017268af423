// The steppers that are coefficient maps (scheme.h) over one Newton iteration. A step reads: begin, predict, iterate,
// finish (accelerations, projection, energies, memory). Sources: implicit_stepper.cpp (the step and its retries),
// implicit_newton.cpp (forces, matrix, convergence), implicit_start.cpp (consistent starts, restarts).
#pragma once

#include "lithe/dynamics/linear_system.h"
#include "lithe/dynamics/scheme.h"
#include "lithe/dynamics/stepper.h"
#include "lithe/system/mass.h"

namespace lithe {

class ImplicitStepper final : public Stepper {
 public:
  ImplicitStepper(const System& system, const DynamicAnalysis& options, Workspace& work);

  void start(State& state) override;
  void resume(State& state) override;
  void save(State& state) override;
  StepReport step(double h, State& state) override;
  void corner(bool jump, State& state) override;
  int order() const override { return chosen_.order; }
  const Phases& phases() const override { return phases_; }
  std::string solver_text() const override { return linear_.text(); }
  long long factorisations() const override { return linear_.factorisations(); }
  long long solves() const override { return linear_.solves(); }

 private:
  // ---- implicit_start.cpp ----
  bool settle(const std::vector<double>& wanted, State& state);
  bool settle_velocities(const std::vector<double>& wanted, State& state);
  bool settle_accelerations(State& state);
  bool constraints_met(const char* what, double limit);
  void probe_jerk(const State& state);
  void seed_past(double h, State& state);

  // ---- implicit_stepper.cpp ----
  StepReport attempt(double h, State& state);
  bool damping_rules();
  void begin(double h, const State& state);
  void follow_accelerations(double t, std::vector<double>& a);
  void predict(double h, State& state);
  void extrapolate(int order, const Past& past, std::vector<double>& next) const;
  bool finish(double h, State& state, StepReport& report);  // false: nothing consistent was found
  int project(double h, State& state);                      // number of factorisations it took
  void remember(double h, State& state);
  void keep_force(const State& state);
  double target(int row, double t) const;
  void evaluate_reactions(const State& state);
  double kinetic_energy(const State& state);
  void watch_energy(double h, State& state);
  double own_error(double h, const State& state) const;

  // ---- implicit_newton.cpp ----
  StepReport iterate(double h, State& state);
  void evaluate(const State& state);          // forces and constraints at the end of the step: residual_, sizes
  bool factor(const State& state, double h);  // tangent at `state`
  void correct(double h, State& state);
  void learn(const StepReport& report, StepMemory& memory) const;
  static void put_aside(StepMemory& memory);  // kept tangents, for a while
  struct Wanted {
    double correction, residual, gap;
  };
  Wanted wanted(double h, const State& state) const;
  void find_rounding(const std::vector<double>& values, const State& state);
  double correction_norm() const;
  void find_worst(StepReport& report) const;

  const System& system_;
  const DynamicAnalysis& options_;
  Workspace& work_;
  const Scheme chosen_;
  Scheme scheme_;          // of this step: the chosen one, or backward Euler
  TangentPolicy policy_;   // of this step: the chosen one, or every iteration
  bool fallback_ = false;  // of this step: backward Euler in place of the chosen scheme
  const MassMatrix mass_;
  LinearSystem linear_;
  Linearisation point_;  // where linear_ was factored last
  Phases phases_;
  const bool project_;

  // One value per unknown.
  std::vector<double> weight_;              // of corrections: 1 / (size of the model) for positions, 1 for the rest
  std::vector<double> residual_;            // of the weighted equation of motion
  std::vector<double> force_, last_force_;  // F at the end and at the beginning of the step
  std::vector<double> dz_, d_lambda_;
  std::vector<double> force_weight_;
  std::vector<double> position_weight_, position_error_weight_;  // [vector] squares of weights of forces and of errors
  std::vector<std::int32_t> diagonal_;                           // places in the pattern
  std::vector<double> mass_diagonal_;
  // One value per coordinate. q_, v_, w_ are those of the beginning of the step, a_ the scheme's accelerations there.
  std::vector<double> q_, v_, w_, a_, inertia_, scratch_, wanted_v_, jerk_;
  std::vector<double> start_v_;  // velocities that the scheme begins with
  std::vector<double> last_internal_, last_external_;
  std::vector<double> reaction_, last_reaction_;  // where directions are driven
  std::vector<double> lambda_, rates_, last_targets_;
  std::vector<int> directions_;   // vectors that are no positions
  std::vector<double> row_size_;  // [row] of the numbers whose difference c is, beside the target
  double residual_norm_ = 0, force_norm_ = 0, violation_ = 0;
  double excess_ = 0;             // violation beyond what rounding of targets makes
  std::vector<double> rounding_;  // [unknown] what rounding alone leaves of residual_
  bool at_rounding_ = false;      // all of residual_ is below that
  double coordinate_size_ = 0;
  bool have_last_force_ = false;
  double last_force_time_ = 0;
  bool jolted_ = false;  // this step: no prediction came near
  State before_;         // of a step that changes the size of steps
  State jolt_;           // what the chosen scheme made of a jolt
  std::string start_failure_;
};

}  // namespace lithe

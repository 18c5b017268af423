// The steppers that are coefficient maps (scheme.h) over one Newton iteration.
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
  int order() const override { return chosen_.order; }
  const Phases& phases() const override { return phases_; }
  std::string solver_text() const override { return linear_.text(); }
  long long factorisations() const override { return linear_.factorisations(); }
  long long solves() const override { return linear_.solves(); }

 private:
  void admissible(std::vector<double>& x);
  void predict(double h, State& state);
  static void extrapolate(int order, const std::vector<double>& now, const std::vector<double>* before,
                          std::vector<double>& next);
  void remember(double h, State& state);
  StepReport attempt(double h, State& state);
  StepReport iterate(double h, State& state);
  void evaluate(const State& state);          // forces and constraints at the end of the step: residual_, sizes
  bool factor(const State& state, double h);  // tangent at `state`
  void correct(double h, State& state);
  int project(double h, State& state);  // number of factorisations it took
  void keep_force(const State& state);  // F_0 of the next step
  double correction_norm() const;
  double error_norm(double h, const State& state) const;
  void find_worst(StepReport& report) const;

  const System& system_;
  const DynamicAnalysis& options_;
  Workspace& work_;
  const Scheme chosen_;
  Scheme scheme_;         // of this step: the chosen one, or backward Euler
  TangentPolicy policy_;  // of this step: the chosen one, or every iteration
  const MassMatrix mass_;
  LinearSystem linear_;
  Phases phases_;
  const bool project_;

  // One value per unknown.
  std::vector<double> weight_;              // of corrections: 1 / (size of the model) for positions, 1 for the rest
  std::vector<double> residual_;            // of the weighted equation of motion
  std::vector<double> force_, last_force_;  // F at the end and at the beginning of the step
  std::vector<double> dz_, d_lambda_;
  std::vector<double> force_weight_;
  std::vector<double> position_weight_, position_error_weight_;  // [vector] squares of weights of forces and of errors
  // One value per coordinate.
  std::vector<double> q_, v_, a_, inertia_, scratch_;
  std::vector<double> lambda_, rates_;
  double residual_norm_ = 0, force_norm_ = 0, violation_ = 0;
  bool have_last_force_ = false;
  bool jolted_ = false;  // this step: no prediction came near
  double last_force_time_ = 0;
};

}  // namespace lithe

// The steppers that are coefficient maps (scheme.h) over one Newton iteration: begin, predict, iterate, finish, and
// what is tried when that fails. Vectors live in the workspace's Place; the parts of a step share a StepData.
#pragma once

#include "lithe/dynamics/step_newton.h"
#include "lithe/dynamics/step_prediction.h"
#include "lithe/dynamics/step_projection.h"
#include "lithe/dynamics/step_start.h"
#include "lithe/dynamics/step_watch.h"

namespace lithe {

class ImplicitStepper final : public Stepper {
 public:
  ImplicitStepper(const System& system, const DynamicAnalysis& options, Workspace& work);

  void start(State& state) override;
  void resume(State& state) override;
  void fetch(State& state) override;
  void save(State& state) override;
  StepReport step(double h, State& state) override;
  void corner(bool jump, State& state) override;
  int order() const override { return data_.chosen.order; }
  const Phases& phases() const override { return data_.phases; }
  std::string solver_text() const override { return data_.linear.text(); }
  LinearReport linear() const override { return data_.linear.whole_report(); }

 private:
  void start_contacts(const State& state);
  void keep_begin();
  void go_back();
  StepReport attempt(double h);
  void predict(double h);
  StepReport climb(double h);                 // the ladder of retries
  bool finish(double h, StepReport& report);  // false: nothing consistent was found

  // The arrays of data_.now, put aside.
  struct Aside {
    double t = 0;
    StepMemory memory;
    PastSteps steps;
    Array q, v, a, lambda, past;
  };
  void put_aside(Aside& aside);
  void take_back(const Aside& aside);

  StepData data_;
  StepStart start_;
  StepPrediction prediction_;
  StepNewton newton_;
  StepProjection projection_;
  StepWatch watch_;
  bool jolted_ = false;  // this step: no prediction came near
  Aside before_;         // a step that changes the size of steps
  Aside jolt_;           // what the chosen scheme made of a jolt
};

}  // namespace lithe

#include "four_bar.h"

#include <chrono>

#include "lithe/base/error.h"
#include "machine.h"

namespace lithe::app {

namespace {

Model four_bar_model(int loops) {
  Linkage linkage;
  for (double y : {0.0, 1.0})
    for (int i = 0; i <= loops; ++i) linkage.points.push_back({double(i), y, 0});
  for (int i = 0; i <= loops; ++i) {
    linkage.ground.push_back(i);
    linkage.bars.push_back({i, loops + 1 + i});
  }
  for (int i = 0; i < loops; ++i) linkage.bars.push_back({loops + 1 + i, loops + 2 + i});
  linkage.bar_mass = 1;
  linkage.plane = Triple{0, 0, 1};
  Model model;
  model.bodies.add("linkage", linkage);
  for (int i = 0; i <= loops; ++i) {
    InitialVelocity velocity;
    velocity.on.body = "linkage";
    velocity.on.node = loops + 1 + i;
    velocity.velocity = {SpaceFunction(1), SpaceFunction(0), SpaceFunction(0)};
    model.initial_velocities.add("b" + std::to_string(i), velocity);
  }
  Gravity gravity;
  gravity.acceleration = {Signal(0), Signal(-9.81), Signal(0)};
  model.loads.add("gravity", gravity);
  model.treatment = Treatment::augmented;
  model.penalty = four_bar_penalty;
  model.analysis = DynamicAnalysis{};
  return model;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

FourBar::FourBar(int loops) : loops_(loops), system_(compile(four_bar_model(loops))) {
  LITHE_INVARIANT(system_.map.size == 2 * loops + 2);
}

FourBarRun FourBar::run(const std::string& solver, const std::string& ordering, int steps) const {
  DynamicAnalysis options;
  options.integrator = Integrator::trapezoidal;
  options.step = four_bar_step;
  options.duration = steps * four_bar_step;
  options.threads = 1;
  options.tolerance = 1e-7;
  options.tangent_policy = TangentPolicy::every_iteration;
  options.solver = solver;
  options.ordering = ordering;
  Workspace work(system_, 1);
  State state = system_.initial_state();
  const auto stepper = make_stepper(system_, options, work);
  stepper->start(state);
  state.memory = {};

  FourBarRun run;
  const Phases before = stepper->phases();
  const LinearReport started = stepper->linear();
  const double wall = wall_seconds(), start = clock_seconds(1);
  while (run.steps < steps && run.failure.empty()) {
    const StepReport report = stepper->step(four_bar_step, state);
    run.iterations += report.iterations;
    ++run.steps;
    if (!report.ok()) run.failure = report.text();
  }
  run.microseconds = 1e6 * (clock_seconds(1) - start) / run.steps;
  run.phases = stepper->phases();
  run.phases.total = wall_seconds() - wall;
  for (double Phases::*phase : {&Phases::force, &Phases::tangent, &Phases::assembly, &Phases::factorisation,
                                &Phases::solve, &Phases::projection})
    run.phases.*phase -= before.*phase;
  const LinearReport ended = stepper->linear();
  run.factorisations = ended.factorisations - started.factorisations;
  run.solves = ended.solves - started.solves;
  const std::size_t b0 = 3ul * (loops_ + 1);
  run.x = state.q[b0];
  run.y = state.q[b0 + 1];
  return run;
}

}  // namespace lithe::app

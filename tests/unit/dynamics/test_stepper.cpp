// Steppers and the simulation loop: step control, rejections and failures, restarts bit by bit, memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../allocation_counter.h"
#include "lithe/base/error.h"
#include "lithe/linalg/linear_solver.h"
#include "support/dynamics.h"

namespace lithe {
namespace {

using namespace test;
using fixtures::AllocationCounter;

constexpr ElementKind flexible_kinds[] = {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443,
                                          ElementKind::hexa3843};

DynamicAnalysis plain(Integrator integrator, double step, double duration) {
  DynamicAnalysis d;
  d.integrator = integrator;
  d.step = step;
  d.duration = duration;
  d.threads = 1;
  return d;
}

// Every accepted step goes on from the end of the one before.
void expect_seamless(const Trajectory& run) {
  double t = 0;
  for (const DynamicStep& step : run.steps) t += step.h;
  EXPECT_NEAR(t, run.report.t, 1e-12);
}

// ---- step control ----

TEST(StepControl, GlobalErrorFollowsTheTolerance) {
  constexpr double output = 0.1;
  const std::vector<State> exact = exact_chain(2, output, 8);
  for (const Integrator integrator : {Integrator::hht, Integrator::generalized_alpha, Integrator::trapezoidal}) {
    std::vector<double> errors;
    std::vector<long long> steps;
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7}) {
      DynamicAnalysis d = tight(integrator, 1e-3, 0.8);
      d.control = StepControl::error;
      d.error_tolerance = tolerance;
      d.output_step = output;
      const Trajectory run(chain(2, Treatment::eliminate), d);
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      expect_seamless(run);
      ASSERT_EQ(run.states.size(), exact.size());
      double error = 0;
      for (std::size_t k = 0; k < exact.size(); ++k)
        error = std::max(error, largest_difference(run.states[k].q, exact[k].q));
      errors.push_back(error);
      steps.push_back(run.report.steps);
    }
    // Local errors of order 3 at the tolerance: global ones go with its power 2/3.
    const double slope = std::log10(errors.front() / errors.back()) / 3;
    EXPECT_NEAR(slope, 2.0 / 3, 0.2) << word(integrator);
    for (std::size_t k = 1; k < errors.size(); ++k) {
      EXPECT_LT(errors[k], errors[k - 1]) << word(integrator);
      EXPECT_GT(steps[k], steps[k - 1]) << word(integrator);
    }
  }
}

TEST(StepControl, SmallStepsForTheKnockLargeStepsAfterIt) {
  Model model = pendulum(ElementKind::beam3243, 4, 0.02);
  model.constraints = {};
  model.constraints.add("root", Clamp{at("strip", "start")});
  model.loads = {};
  model.loads.add("knock", PointForce{at("strip", "end"),
                                      {Signal(0), Signal(0), Signal::expression("t<0.01 ? 20*sin(100*pi*t)^2 : 0")}});
  DynamicAnalysis d = plain(Integrator::hht, 1e-3, 2);
  d.control = StepControl::error;
  d.error_tolerance = 1e-5;
  d.largest_step = 0.1;
  const Trajectory run(model, d);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  expect_seamless(run);
  double knock = 0, late = 1e9;  // largest step while it acts, smallest one in the last third
  double t = 0;
  for (const DynamicStep& step : run.steps) {
    if (t < 0.01) knock = std::max(knock, step.h);
    if (t > 1.4 && t + step.h < 1.99) late = std::min(late, step.h);
    t += step.h;
  }
  EXPECT_GT(late, 4 * knock);
}

TEST(StepControl, OutputsFallBetweenSteps) {
  for (const StepControl control : {StepControl::fixed, StepControl::error}) {
    DynamicAnalysis d = plain(Integrator::hht, 7e-4, 0.1);
    d.control = control;
    d.output_step = 0.003;
    d.checkpoint_step = 0.05;
    const Trajectory run(chain(1, Treatment::eliminate), d);
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    ASSERT_EQ(run.states.size(), 35u);
    for (std::size_t k = 0; k < 34; ++k) EXPECT_DOUBLE_EQ(run.states[k].t, 0.003 * static_cast<double>(k));
    EXPECT_DOUBLE_EQ(run.states.back().t, 0.1);
    if (control == StepControl::fixed) {
      EXPECT_EQ(run.report.steps, 143);  // 142 whole ones and what is left to the end
      for (std::size_t k = 1; k + 1 < run.steps.size(); ++k) EXPECT_NEAR(run.steps[k].h, 7e-4, 1e-15);
    }
    EXPECT_EQ(std::ranges::count_if(run.steps, [](const DynamicStep& s) { return s.checkpoint; }), 3);
    expect_seamless(run);
  }
}

// ---- rejections and failures ----

TEST(StepFailures, AJumpOfTheLoadIsRejectedAndMet) {
  Model model = chain(1, Treatment::eliminate);
  model.loads = {};
  model.loads.add("push",
                  PointForce{at_node("chain", 1), {Signal(0), Signal::expression("t<0.1 ? 0 : 1000"), Signal(0)}});
  // m l^2 / 3 theta'' = l F cos(theta), from rest at t = 0.1.
  const auto rates = [](double, const std::vector<double>& x) {
    return std::vector<double>{x[1], 3000 * std::cos(x[0])};
  };
  const double theta = runge_kutta(rates, 0, {0, 0}, 0.04, 4000)[0];
  std::vector<double> errors;
  for (const double tolerance : {1e-6, 1e-8}) {
    DynamicAnalysis d = tight(Integrator::trapezoidal, 1e-2, 0.14);
    d.control = StepControl::error;
    d.error_tolerance = tolerance;
    d.largest_step = 0.02;
    const Trajectory run(model, d);
    ASSERT_TRUE(run.report.ok()) << run.report.message;
    EXPECT_GE(run.report.rejected, 5);
    EXPECT_GT(run.report.largest_step, 100 * run.report.smallest_step);
    expect_seamless(run);
    errors.push_back(std::hypot(run.state.q[3] - std::cos(theta), run.state.q[4] - std::sin(theta)));
  }
  // The step that meets the jump misplaces it by a share of its length, which goes with the root of the tolerance.
  EXPECT_LT(errors[0], 5e-3);
  EXPECT_LT(errors[1], 0.2 * errors[0]);
}

TEST(StepFailures, TheSmallestStepEndsTheRunWithTheLastState) {
  DynamicAnalysis d = plain(Integrator::hht, 1e-3, 0.1);
  d.tolerance = 1e-14;
  d.iterations = 1;
  d.smallest_step = 2e-4;
  const Trajectory run(pendulum(ElementKind::beam3243, 2), d);
  EXPECT_EQ(run.report.reason, DynamicReport::Reason::step_too_small);
  EXPECT_NE(run.report.message.find("t = 0 s of 0.1 s reached"), std::string::npos) << run.report.message;
  EXPECT_NE(run.report.message.find("Newton did not converge"), std::string::npos) << run.report.message;
  EXPECT_NE(run.report.message.find("worst at body 'strip'"), std::string::npos) << run.report.message;
  EXPECT_EQ(run.report.worst.rfind("body 'strip', node", 0), 0u) << run.report.worst;
  EXPECT_EQ(run.report.rejected, 4);  // 1e-3, halves of it and the smallest
  EXPECT_EQ(run.state.t, 0);
  EXPECT_EQ(run.state.q, run.states.back().q);
}

TEST(StepFailures, NotANumberNeverTravels) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::augmented})
    for (const StepControl control : {StepControl::fixed, StepControl::error}) {
      Model model = chain(2, treatment);
      model.loads.add("root",
                      PointForce{at_node("chain", 2), {Signal::expression("sqrt(0.05-t)"), Signal(0), Signal(0)}});
      StaticAnalysis statics;  // the model's own would not meet it, so it is not refused
      statics.duration = 0.04;
      model.analysis = statics;
      DynamicAnalysis d = plain(Integrator::hht, 1e-3, 0.1);
      d.control = control;
      const Trajectory run(model, d);
      EXPECT_EQ(run.report.reason, DynamicReport::Reason::not_finite) << run.report.message;
      EXPECT_NE(run.report.message.find("not finite"), std::string::npos) << run.report.message;
      EXPECT_NE(run.report.worst.find("body 'chain', node 2"), std::string::npos) << run.report.worst;
      EXPECT_NEAR(run.state.t, 0.05, 1e-6);
      EXPECT_LE(run.state.t, 0.05 + 1e-12);
      for (const auto* x : {&run.state.q, &run.state.v, &run.state.a, &run.state.lambda})
        for (double y : *x) EXPECT_TRUE(std::isfinite(y));
      EXPECT_EQ(run.state.q, run.states.back().q);
      EXPECT_EQ(run.state.lambda, run.states.back().lambda);
    }
}

TEST(StepFailures, NothingToStartFrom) {
  Model model = chain(1, Treatment::eliminate);
  model.loads.add("push", PointForce{at_node("chain", 1), {Signal(0), Signal(1e100), Signal(0)}});
  std::get<Linkage>(model.bodies.items[0].second).bar_mass = 1e-250;  // each is a number, their quotient is not
  EXPECT_THROW(Trajectory(model, plain(Integrator::hht, 1e-3, 0.1)), RunError);
}

// ---- restarts ----

struct Restart {
  std::string name;
  Model model;
  Integrator integrator;
  StepControl control;
  TangentPolicy policy;
  std::string solver = "auto";
  KrylovOptions krylov = {};
};

std::vector<Restart> restarts() {
  std::vector<Restart> cases;
  const auto add = [&](const std::string& name, const Model& model) {
    for (const Integrator integrator : {Integrator::hht, Integrator::generalized_alpha, Integrator::trapezoidal})
      for (const StepControl control : {StepControl::fixed, StepControl::error})
        for (const TangentPolicy policy : {TangentPolicy::adaptive, TangentPolicy::every_step})
          cases.push_back({fmt::format("{} {} {} {}", name, word(integrator), word(control), word(policy)), model,
                           integrator, control, policy});
  };
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
    add(std::string("chain ") + word(treatment), chain(3, treatment));
  add("cable", pendulum(ElementKind::cable, 4));
  add("beam", pendulum(ElementKind::beam3243, 2));
  for (const SolverInfo& info : linear_solvers())
    if (info.zero_diagonal)
      cases.push_back({"chain " + info.name, chain(3, Treatment::lagrange), Integrator::hht, StepControl::fixed,
                       TangentPolicy::adaptive, info.name});
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
    for (const TangentPolicy policy :
         {TangentPolicy::adaptive, TangentPolicy::every_step, TangentPolicy::every_iteration})
      for (const PreconditionerUpdate update : {PreconditionerUpdate::adaptive, PreconditionerUpdate::threshold}) {
        KrylovOptions krylov;
        krylov.product = KrylovOperator::matrix_free;
        krylov.preconditioner = PreconditionerKind::factor;
        krylov.update = update;
        krylov.update_above = 3;
        Model model = pendulum(ElementKind::beam3243, 2);
        model.bodies.add("chain", chain(2, treatment).bodies.items[0].second);
        model.treatment = treatment;
        cases.push_back({fmt::format("products without a matrix {} {} {}", word(treatment), word(policy), word(update)),
                         model, Integrator::hht, StepControl::fixed, policy, "gmres", krylov});
      }
  return cases;
}

TEST(Restarts, GoOnBitByBit) {
  for (const Restart& c : restarts()) {
    DynamicAnalysis d = plain(c.integrator, 2e-3, 0.24);
    d.control = c.control;
    d.tangent_policy = c.policy;
    d.solver = c.solver;
    d.krylov = c.krylov;
    d.error_tolerance = 1e-5;
    d.checkpoint_step = 0.08;
    const System system = compile(c.model);
    std::vector<State> checkpoints;
    State whole = system.initial_state();
    {
      Workspace work(system, 1);
      const DynamicReport report = simulate(system, d, whole, work, [&](const State& s, const DynamicStep& step) {
        if (step.checkpoint) checkpoints.push_back(s);
        return true;
      });
      ASSERT_TRUE(report.ok()) << c.name << ": " << report.message;
    }
    ASSERT_EQ(checkpoints.size(), 4u) << c.name;
    for (std::size_t k = 0; k < 3; ++k) {
      Workspace work(system, 1);
      State state = checkpoints[k];
      const DynamicReport report = simulate(system, d, state, work, {}, true);
      ASSERT_TRUE(report.ok()) << c.name << ": " << report.message;
      EXPECT_EQ(state.t, whole.t) << c.name;
      EXPECT_EQ(state.q, whole.q) << c.name << " from checkpoint " << k;
      EXPECT_EQ(state.v, whole.v) << c.name << " from checkpoint " << k;
      EXPECT_EQ(state.a, whole.a) << c.name << " from checkpoint " << k;
      EXPECT_EQ(state.lambda, whole.lambda) << c.name << " from checkpoint " << k;
      EXPECT_EQ(state.memory.steps, whole.memory.steps) << c.name;
    }
  }
}

// ---- memory ----

// What steps take from the heap after the first ones, and what the solver alone takes for one factorisation.
struct Taken {
  long plain = 0, factoring = 0;
  int plain_steps = 0;
  long long factorisations = 0;
};

Taken measure(const Model& model, const DynamicAnalysis& options, int steps) {
  const System system = compile(model);
  Workspace work(system, 1);
  State state = system.initial_state();
  const auto stepper = make_stepper(system, options, work);
  stepper->start(state);
  Taken taken;
  for (int k = 0; k < steps; ++k) {
    const long long before = stepper->linear().factorisations;
    AllocationCounter counter;
    const StepReport report = stepper->step(options.step, state);
    const long now = counter.taken();
    EXPECT_TRUE(report.ok()) << report.text();
    if (k < 3) continue;
    const long long made = stepper->linear().factorisations - before;
    (made > 0 ? taken.factoring : taken.plain) += now;
    taken.plain_steps += made == 0;
    taken.factorisations += made;
  }
  return taken;
}

// Libraries that take memory of their own: for a factorisation ("cholmod" where it is supernodal), for every solve.
bool one_of(const std::string& solver, std::initializer_list<const char*> names) {
  return std::ranges::any_of(names, [&](const char* name) { return solver == name; });
}
bool takes_memory_to_solve(const std::string& solver) { return one_of(solver, {"mumps", "superlu", "eigen_sparselu"}); }
bool takes_memory_to_factor(const std::string& solver) {
  return takes_memory_to_solve(solver) || one_of(solver, {"cholmod", "cholmod_supernodal", "umfpack"});
}

TEST(Heap, NoneForStepsAfterTheFirst) {
  if (!AllocationCounter::available()) GTEST_SKIP() << "a sanitizer owns malloc in this build";
  const auto expect_none = [](const std::string& what, const std::string& solver, const Taken& taken) {
    if (!takes_memory_to_solve(solver)) {
      EXPECT_EQ(taken.plain, 0) << what << " " << solver;
    }
    if (!takes_memory_to_factor(solver)) {
      EXPECT_EQ(taken.factoring, 0) << what << " " << solver;
    }
  };
  for (const SolverInfo& info : linear_solvers()) {
    for (const ElementKind kind : flexible_kinds)
      for (const TangentPolicy policy : {TangentPolicy::adaptive, TangentPolicy::every_step}) {
        DynamicAnalysis d = plain(Integrator::hht, 1e-3, 1);
        d.solver = info.name;
        d.tangent_policy = policy;
        expect_none(fmt::format("{} {}", element_info(kind).name, word(policy)), info.name,
                    measure(pendulum(kind, 2), d, 20));
      }
    for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
      for (const Integrator integrator : {Integrator::hht, Integrator::trapezoidal}) {
        if (treatment != Treatment::augmented && !info.zero_diagonal) continue;
        DynamicAnalysis d = plain(integrator, 1e-3, 1);
        d.solver = info.name;
        expect_none(fmt::format("chain {} {}", word(treatment), word(integrator)), info.name,
                    measure(chain(4, treatment), d, 60));
      }
  }
}

}  // namespace
}  // namespace lithe

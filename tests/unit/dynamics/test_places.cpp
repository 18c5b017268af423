// A step made elsewhere has the bits of one made on the host, and needs nothing of the host's copy of the State.
#include <gtest/gtest.h>

#include <limits>

#include "support/dynamics.h"
#include "support/statics.h"

namespace lithe {
namespace {

using test::CheckedPlace;

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.a, b.a);
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_EQ(a.past.a[0], b.past.a[0]);
  EXPECT_EQ(a.past.scheme, b.past.scheme);
  EXPECT_EQ(a.slots.values, b.slots.values);
  EXPECT_EQ(a.energy.internal, b.energy.internal);
  EXPECT_EQ(a.energy.drives, b.energy.drives);
}

// What the host has of the vectors is of no use to anyone.
void spoil(State& state) {
  for (auto* x : {&state.q, &state.v, &state.a, &state.lambda, &state.velocity_multipliers,
                  &state.acceleration_multipliers, &state.past.a[0], &state.past.a[1], &state.past.scheme})
    std::fill(x->begin(), x->end(), std::numeric_limits<double>::quiet_NaN());
}

struct Stepping {
  System system;
  Workspace work;
  State state;
  std::unique_ptr<Stepper> stepper;
  Stepping(const Model& model, const DynamicAnalysis& options, bool away)
      : system(compile(model)), work(system, 1), state(system.initial_state()) {
    if (away) work.place = std::make_unique<CheckedPlace>();
    state.v = system.v0;
    stepper = make_stepper(system, options, work);
    stepper->start(state);
  }
  CheckedPlace::Counts counts() const { return static_cast<const CheckedPlace&>(*work.place).counts; }
};

std::vector<std::pair<std::string, Model>> models() {
  std::vector<std::pair<std::string, Model>> found;
  found.emplace_back("beam pendulum", test::pendulum(ElementKind::beam3243, 3));
  found.emplace_back("shell pendulum", test::pendulum(ElementKind::shell3443, 2));
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
    found.emplace_back(std::string("chain, ") + word(treatment), test::chain(4, treatment));
  return found;
}

TEST(Places, TheBitsOfTheHost) {
  for (const auto& [name, model] : models())
    for (const Integrator integrator : {Integrator::hht, Integrator::trapezoidal, Integrator::backward_euler}) {
      SCOPED_TRACE(name + ", " + word(integrator));
      DynamicAnalysis d;
      d.integrator = integrator;
      d.step = 1e-3;
      d.duration = 1;
      Stepping host(model, d, false), away(model, d, true);
      long long arrays = 0;
      for (int k = 0; k < 20; ++k) {
        const double h = k == 12 ? 4e-4 : 1e-3;  // another size on the way
        spoil(away.state);
        ASSERT_TRUE(host.stepper->step(h, host.state).ok());
        ASSERT_TRUE(away.stepper->step(h, away.state).ok());
        if (k == 13) arrays = away.counts().arrays;
      }
      EXPECT_EQ(away.counts().arrays, arrays) << "steps make no arrays";
      away.stepper->fetch(away.state);
      expect_same(host.state, away.state);
      EXPECT_EQ(host.work.internal, away.work.internal);
      EXPECT_EQ(host.work.external, away.work.external);
    }
}

TEST(Places, AFailedStepLeavesTheStateAsItWas) {
  DynamicAnalysis d;
  d.step = 1e-3;
  d.duration = 1;
  d.iterations = 1;
  d.tolerance = 1e-14;
  d.residual_tolerance = 1e-14;
  for (const bool away : {false, true}) {
    Stepping run(test::pendulum(ElementKind::beam3243, 3), d, away);
    run.stepper->fetch(run.state);
    const State before = run.state;
    ASSERT_FALSE(run.stepper->step(0.2, run.state).ok());
    run.stepper->fetch(run.state);
    expect_same(before, run.state);
  }
}

TEST(Places, RestartsGoOnBitByBit) {
  DynamicAnalysis d;
  d.step = 1e-3;
  d.duration = 1;
  const Model model = test::chain(4, Treatment::lagrange);
  Stepping first(model, d, true), second(model, d, true);
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(first.stepper->step(1e-3, first.state).ok());
  first.stepper->save(first.state);
  State copy = first.state;
  second.stepper->resume(copy);
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(first.stepper->step(1e-3, first.state).ok());
    ASSERT_TRUE(second.stepper->step(1e-3, copy).ok());
  }
  first.stepper->fetch(first.state);
  second.stepper->fetch(copy);
  expect_same(first.state, copy);
}

// ---- statics ----

struct StaticCase {
  std::string name;
  Model model;
  StaticAnalysis options;
};

std::vector<StaticCase> static_cases() {
  std::vector<StaticCase> cases;
  const auto add = [&](std::string name, Model model) -> StaticCase& {
    return cases.emplace_back(StaticCase{std::move(name), std::move(model), {}});
  };
  Model bent = test::cantilever(4, 0.01);
  bent.loads.add("tip", PointForce{test::at("beam", "end"), test::constant(0, 0, -400)});
  add("cantilever", bent).options.first_step = 0.3;
  add("cantilever along an arc", bent).options.method = StaticMethod::arc_length;
  Model pressed = test::cantilever(6, 0.01, 1, 1e9);
  pressed.loads.add("press", PointForce{test::at("beam", "end"), test::constant(-3, 0, 0)});
  add("buckled", pressed).options.on_instability = OnInstability::perturb;
  for (const Treatment treatment : {Treatment::lagrange, Treatment::augmented}) {
    Model hanging = test::chain(4, treatment);
    auto& points = std::get<Linkage>(hanging.bodies.items[0].second).points;
    for (std::size_t n = 0; n < points.size(); ++n) points[n] = {0.2 * n, -1.0 * n, 0};
    add(std::string("chain, ") + word(treatment), hanging);
  }
  return cases;
}

TEST(Places, EquilibriaHaveTheBitsOfTheHost) {
  for (const StaticCase& c : static_cases()) {
    SCOPED_TRACE(c.name);
    const System system = compile(c.model);
    State states[2] = {system.initial_state(), system.initial_state()};
    StaticReport reports[2];
    std::vector<double> forces[2], seen[2];
    for (const bool away : {false, true}) {
      Workspace work(system, 1);
      if (away) work.place = std::make_unique<CheckedPlace>();
      reports[away] =
          solve_static(system, c.options, states[away], work, [&](const State& state, const StaticStep& step) {
            seen[away].insert(seen[away].end(), state.q.begin(), state.q.end());
            seen[away].push_back(step.residual);
            seen[away].insert(seen[away].end(), work.external.begin(), work.external.end());
            return true;
          });
      ASSERT_TRUE(reports[away].ok()) << reports[away].message;
      forces[away] = work.internal;
    }
    EXPECT_EQ(seen[0], seen[1]);
    EXPECT_EQ(forces[0], forces[1]);
    EXPECT_EQ(reports[0].iterations, reports[1].iterations);
    EXPECT_EQ(reports[0].message, reports[1].message);
    EXPECT_EQ(reports[0].worst, reports[1].worst);
    expect_same(states[0], states[1]);
  }
  StaticAnalysis options;
  options.iterations = 1;
  options.smallest_step = 0.5;
  const System system = compile(static_cases()[0].model);
  State state = system.initial_state();
  const State before = state;
  Workspace work(system, 1);
  work.place = std::make_unique<CheckedPlace>();
  const StaticReport report = solve_static(system, options, state, work, {});
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(state.q, before.q) << "a run that fails ends where it last converged";
}

}  // namespace
}  // namespace lithe

// What a run does with default settings: slender beams that turn, schemes that need a projection, tolerances beyond
// rounding, refinement that pays, and watches that speak up when a result is doubtful and only then.
#include <gtest/gtest.h>

#include <cstdlib>

#include "lithe/dynamics/statics.h"
#include "lithe/io/load_model.h"
#include "lithe/system/loads.h"
#include "lithe/system/outputs.h"
#include "lithe/system/state_fields.h"
#include "support/dynamics.h"

namespace lithe {
namespace {

using namespace test;

Model load(const std::string& name) {
  Reading reading;
  const char* root = std::getenv("LITHE_SOURCE");
  return load_model(std::string(root ? root : ".") + "/tests/cases/" + name + ".yaml", {}, reading);
}
DynamicAnalysis& options_of(Model& model) { return std::get<DynamicAnalysis>(model.analysis.front()); }
Trajectory run(Model model) {
  options_of(model).threads = 1;
  return Trajectory(model, options_of(model));
}

// ---- slender beams ----

// Largest change of kinetic + potential + strain energy over the run, relative to the largest kinetic energy.
double energy_error(const Trajectory& run) {
  Workspace work(run.system, 1);
  double first = 0, off = 0, largest = 0;
  for (std::size_t k = 0; k < run.states.size(); ++k) {
    const State& s = run.states[k];
    const double kinetic = kinetic_energy(run.system, s);
    const double total = kinetic + gravity_potential(run.system, s) + strain_energy(run.system, s);
    if (k == 0) first = total;
    off = std::max(off, std::abs(total - first));
    largest = std::max(largest, kinetic);
  }
  return off / largest;
}

TEST(SlenderBeams, KeepTheirEnergyWithoutFallbacks) {
  for (const std::string name : {"slender_pendulum", "slender_spin"})
    for (const Integrator integrator : {Integrator::hht, Integrator::newmark}) {
      for (const TangentPolicy policy : {TangentPolicy::adaptive, TangentPolicy::every_iteration}) {
        Model model = load(name);
        options_of(model).integrator = integrator;
        options_of(model).tangent_policy = policy;
        options_of(model).duration = 1;
        options_of(model).output_step = 0.1;
        const Trajectory trajectory = run(model);
        ASSERT_TRUE(trajectory.report.ok()) << trajectory.report.message;
        EXPECT_EQ(trajectory.report.fallbacks, 0) << name;
        EXPECT_EQ(trajectory.report.rejected, 0) << name;
        EXPECT_TRUE(trajectory.report.warnings.empty()) << name << ": " << trajectory.report.warnings[0];
        EXPECT_LT(energy_error(trajectory), 3e-4) << name << " " << word(integrator);
      }
    }
}

// Over the whole of both motions, by counts: a factorisation with its tangent is as much work as seven iterations here.
TEST(SlenderBeams, AdaptiveTangentsAreTheCheapest) {
  for (const std::string name : {"slender_pendulum", "slender_spin"}) {
    const auto work = [&](TangentPolicy policy) {
      Model model = load(name);
      options_of(model).tangent_policy = policy;
      options_of(model).output_step = 0.1;
      const Trajectory trajectory = run(model);
      EXPECT_TRUE(trajectory.report.ok()) << trajectory.report.message;
      EXPECT_TRUE(trajectory.report.warnings.empty()) << name << ": " << trajectory.report.warnings[0];
      EXPECT_EQ(trajectory.report.fallbacks, 0) << name;
      return static_cast<double>(trajectory.report.iterations + 7 * trajectory.report.linear.factorisations);
    };
    const double best = std::min(work(TangentPolicy::every_step), work(TangentPolicy::every_iteration));
    EXPECT_LT(work(TangentPolicy::adaptive), 1.05 * best) << name;
  }
}

// ---- constraints ----

TEST(FreeTop, NewmarkKeepsItsEnergy) {
  const Trajectory trajectory = run(load("free_top_newmark"));
  ASSERT_TRUE(trajectory.report.ok()) << trajectory.report.message;
  EXPECT_TRUE(trajectory.report.warnings.empty()) << trajectory.report.warnings[0];
  for (const State& s : trajectory.states) EXPECT_NEAR(kinetic_energy(trajectory.system, s) / 25.000195, 1, 1e-4);
}

// ---- tolerances ----

TEST(Tolerances, BeyondRoundingAreMetAsWellAsRoundingAllows) {
  for (const double tolerance : {1e-12, 1e-13, 1e-14, 1e-15}) {
    for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
      DynamicAnalysis d;
      d.step = 1e-3;
      d.duration = 0.5;
      d.integrator = Integrator::trapezoidal;
      d.tolerance = tolerance;
      d.residual_tolerance = tolerance;
      d.threads = 1;
      const Trajectory trajectory(chain(2, treatment), d);
      ASSERT_TRUE(trajectory.report.ok()) << tolerance << " " << word(treatment) << ": " << trajectory.report.message;
      EXPECT_EQ(trajectory.report.fallbacks, 0) << tolerance;
      EXPECT_EQ(trajectory.report.rejected, 0) << tolerance;
      const double energy =
          kinetic_energy(trajectory.system, trajectory.state) + height_energy(trajectory.system, trajectory.state);
      EXPECT_NEAR(energy, 0, 1e-4) << tolerance;
    }
    const Trajectory beam(pendulum(ElementKind::beam3243, 4), [&] {
      DynamicAnalysis d;
      d.duration = 0.2;
      d.tolerance = d.residual_tolerance = tolerance;
      d.threads = 1;
      return d;
    }());
    ASSERT_TRUE(beam.report.ok()) << tolerance << ": " << beam.report.message;
    EXPECT_EQ(beam.report.fallbacks + beam.report.rejected, 0) << tolerance;
    if (tolerance < 1e-13) {
      EXPECT_NE(beam.report.message.find("only as well as rounding allows"), std::string::npos) << beam.report.message;
    }
  }
}

// Halving the step divides the error by four, down to steps where a fixed tolerance would not.
TEST(Tolerances, RefinementPaysWithDefaults) {
  const std::vector<State> exact = exact_chain(2, 0.2, 5);
  for (const Integrator integrator : {Integrator::hht, Integrator::generalized_alpha, Integrator::trapezoidal}) {
    std::vector<double> errors;
    for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5}) {
      DynamicAnalysis d;
      d.integrator = integrator;
      d.step = h;
      d.duration = 1;
      d.output_step = 0.2;
      d.threads = 1;
      const Trajectory trajectory(chain(2, Treatment::eliminate), d);
      ASSERT_TRUE(trajectory.report.ok()) << trajectory.report.message;
      errors.push_back(largest_difference(trajectory.states.back().q, exact.back().q));
    }
    for (std::size_t k = 1; k < errors.size(); ++k)
      EXPECT_NEAR(errors[k - 1] / errors[k], 4, 0.4) << word(integrator) << " " << k << ": " << errors[k];
  }
}

// ---- watches ----

bool warns_of(const DynamicReport& report, const std::string& what) {
  return std::any_of(report.warnings.begin(), report.warnings.end(),
                     [&](const std::string& w) { return w.find(what) != std::string::npos; });
}

TEST(Watches, SpeakUp) {
  const Trajectory fast = run(load("turn_fast"));
  EXPECT_TRUE(warns_of(fast.report, "rad in one step"));
  EXPECT_TRUE(warns_of(fast.report, "balance of energies"));
  EXPECT_TRUE(warns_of(run(load("point_tiny")).report, "balance of energies"));
  // Without its projection the undamped scheme loses the top's energy.
  Model top = load("free_top_newmark");
  options_of(top).projection = false;
  const Trajectory lost = run(top);
  EXPECT_TRUE(warns_of(lost.report, "balance of energies"));
  EXPECT_TRUE(warns_of(lost.report, "projection: true"));
  // The choice of a scheme that damps is the user's, what it takes is told.
  Model euler = load("free_top_newmark");
  options_of(euler).integrator = Integrator::backward_euler;
  EXPECT_TRUE(warns_of(run(euler).report, "takes away"));
}

// Damping, applied work, gravity, drives by rows and by eliminated directions: all are in the balance.
TEST(Watches, BalanceHoldsForWorkAndDissipation) {
  const auto off = [](const Trajectory& t) { return t.report.energy.worst / t.report.energy.size; };
  DynamicAnalysis d;
  d.duration = 0.5;
  d.threads = 1;
  for (const ElementKind kind :
       {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843})
    EXPECT_LT(off(Trajectory(pendulum(kind, 2, 0.05), d)), 1e-2) << element_info(kind).name;
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    Model model = chain(2, treatment);
    std::get<Linkage>(model.bodies.items[0].second).ground.clear();
    Motion motion;
    motion.at = at_node("chain", 0);
    motion.displacement[0] = Signal::expression("0.1*(1-cos(5*t))");
    motion.displacement[1] = Signal::expression("0.05*(1-cos(7*t))");
    model.joints.add("shake", motion);
    model.loads.add("push", PointForce{at_node("chain", 2), {Signal::expression("5*sin(9*t)"), Signal(0), Signal(0)}});
    const Trajectory trajectory(model, d);
    ASSERT_TRUE(trajectory.report.ok()) << trajectory.report.message;
    EXPECT_LT(off(trajectory), 1e-4) << word(treatment);
    EXPECT_GT(std::abs(trajectory.report.energy.drives), 0.1) << word(treatment);
  }
}

// ---- drives that contradict each other ----

// For a ten thousandth of the run only: no sample of the drives sees it, the steps do.
Model held_and_driven(Treatment treatment, bool weld_first) {
  Model model = load("weld_motor_plus_free");
  model.treatment = treatment;
  const Signal pulse = Signal::expression("5*max(0, 1e-4-abs(t-0.5))");
  std::get<Turn>(*model.joints.find("m")).angle = pulse;
  if (!weld_first) std::swap(model.joints.items[1], model.joints.items[2]);
  return model;
}

TEST(Contradictions, BetweenSamplesEndTheRun) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
    for (const bool weld_first : {true, false}) {
      SCOPED_TRACE(word(treatment) + std::string(weld_first ? ", weld first" : ", drive first"));
      for (const Integrator integrator : {Integrator::hht, Integrator::trapezoidal, Integrator::backward_euler}) {
        Model model = held_and_driven(treatment, weld_first);
        options_of(model).integrator = integrator;
        options_of(model).output_step = 0.1;
        const System system = compile(model);
        Workspace work(system, 1);
        State state = system.initial_state();
        const DynamicReport report = simulate(system, options_of(model), state, work, {});
        EXPECT_EQ(report.reason, DynamicReport::Reason::contradiction) << word(integrator);
        EXPECT_NEAR(report.t, 0.5, 1e-9);
        for (const char* words : {"t = 0.5 s of 1 s", "joint 'm'", "joint 'w'", "contradict each other"})
          EXPECT_NE(report.message.find(words), std::string::npos) << report.message;
      }
      if (treatment != Treatment::lagrange) continue;  // nothing is left to solve for: one step to the end
      Model model = held_and_driven(treatment, weld_first);
      StaticAnalysis statics;
      statics.first_step = statics.largest_step = 0.25;
      model.analysis = statics;
      std::erase_if(model.bodies.items, [](const auto& body) { return body.first == "q"; });
      model.outputs = {};
      const System system = compile(model);
      Workspace work(system, 1);
      State state = system.initial_state();
      const StaticReport report = solve_static(system, statics, state, work, {});
      EXPECT_EQ(report.reason, StaticReport::Reason::contradiction) << report.message;
      EXPECT_NE(report.message.find("contradict each other"), std::string::npos) << report.message;
    }
}

// ---- contracts ----

struct Bytes {
  std::string& out;
  void operator()(const std::string&, const std::vector<double>& x) const {
    out.append(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double));
    out += '|';
  }
  void operator()(const std::string&, const std::string& x) const { out += x + '|'; }
  template <class T>
  void operator()(const std::string&, const T& x) const {
    out.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
};
std::string bytes_of(const State& state) {
  std::string out;
  visit_state(state, Bytes{out});
  return out;
}

TEST(FailedSteps, ThatFailLeaveTheStateAsItWas) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
    for (const Integrator integrator : {Integrator::hht, Integrator::generalized_alpha, Integrator::trapezoidal}) {
      const System system = compile(chain(3, treatment));
      Workspace work(system, 1);
      DynamicAnalysis d;
      d.integrator = integrator;
      State state = system.initial_state();
      const auto stepper = make_stepper(system, d, work);
      stepper->start(state);
      for (int k = 0; k < 5; ++k) ASSERT_TRUE(stepper->step(d.step, state).ok());
      d.iterations = 1;
      d.tolerance = 1e-15;
      d.residual_tolerance = 1e-15;
      const std::string before = bytes_of(state);
      for (const double h : {d.step, 0.7 * d.step}) {
        EXPECT_FALSE(stepper->step(h, state).ok());
        EXPECT_EQ(bytes_of(state), before) << word(treatment) << " " << word(integrator) << " " << h;
      }
    }
}

TEST(Outputs, HaveTheForcesOfTheirState) {
  Model model = chain(2, Treatment::lagrange);
  Spring spring;
  spring.a = at_node("chain", 0);
  spring.b = at_node("chain", 2);
  spring.stiffness = 50;
  spring.damping = 5;
  model.springs.add("strut", spring);
  for (const Integrator integrator : {Integrator::hht, Integrator::trapezoidal}) {
    const System system = compile(model);
    Workspace work(system, 1), other(system, 1);
    State state = system.initial_state();
    DynamicAnalysis d;
    d.integrator = integrator;
    d.duration = 0.05;
    d.output_step = 0.0016;
    int ends = 0;
    const DynamicReport report = simulate(system, d, state, work, [&](const State& s, const DynamicStep& step) {
      if (!step.output) return true;
      evaluate_internal(system, s, other);
      const double off = largest_difference(work.internal, other.internal);
      ends += !step.between;
      EXPECT_LE(off, step.between ? 1e-3 : 0.0) << word(integrator) << " t = " << s.t;
      return true;
    });
    EXPECT_TRUE(report.ok());
    EXPECT_GE(ends, 7);
  }
}

// ---- jumps of loads ----

// 1 N on 1 kg for 0.1 s, then nothing, then -2 N: velocity 0.1, position 0.015 at 0.2 s; whatever the step, whether it
// falls on the jumps or not.
TEST(Tables, JumpsOfLoadsGiveTheirWholeImpulse) {
  for (const Integrator integrator : {Integrator::hht, Integrator::newmark, Integrator::trapezoidal,
                                      Integrator::generalized_alpha, Integrator::backward_euler})
    for (const double h : {0.05, 0.03, 0.1, 0.2, 0.0999999999}) {
      Model model;
      PointMass p;
      p.mass = 1;
      model.bodies.add("p", p);
      PointForce force;
      force.at.body = "p";
      force.force[0] = Signal::table({0, 0.1, 0.2}, {1, 0, -2}, Interpolation::steps);
      model.loads.add("f", force);
      DynamicAnalysis options;
      options.integrator = integrator;
      options.duration = 0.25;
      options.step = h;
      options.output_step = 0.05;
      model.analysis = options;
      const Trajectory trajectory = run(model);
      ASSERT_TRUE(trajectory.report.ok()) << trajectory.report.message;
      const bool first_order = integrator == Integrator::backward_euler;
      EXPECT_NEAR(trajectory.states[3].v[0], 0.1, 1e-12) << h;
      EXPECT_NEAR(trajectory.states[4].v[0], 0.1, 1e-12) << h;
      EXPECT_NEAR(trajectory.states[5].v[0], 0, 1e-12) << h;
      if (!first_order) {
        EXPECT_NEAR(trajectory.states[4].q[0], 0.015, 1e-12) << h;
      }
      EXPECT_NEAR(trajectory.states[1].a[0], 1, 1e-9) << h;  // inside the step that ends at the jump
      EXPECT_NEAR(trajectory.states[2].a[0], 0, 1e-9) << h;  // from the jump on
      EXPECT_NEAR(trajectory.states[4].a[0], -2, 1e-9) << h;
    }
}

}  // namespace
}  // namespace lithe

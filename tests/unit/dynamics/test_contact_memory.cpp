// A resting pile takes no memory, and long runs of one no more than short ones.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>

#include "../allocation_counter.h"
#include "lithe/dynamics/half_step_stepper.h"
#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"

namespace lithe {
namespace {

// Balls, boxes and capsules in a bin, a deformable block on top of them.
std::string pile_text(double tolerance, const char* solver) {
  std::string bodies;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const int kind = (k + i + 2 * j) % 3;
        const char* shape = kind == 0   ? "sphere, radius: 0.05"
                            : kind == 1 ? "box, size: [0.1, 0.1, 0.1]"
                                        : "capsule, radius: 0.04, length: 0.05";
        bodies +=
            fmt::format("  b{}{}{}: {{type: rigid, shape: {{type: {}}}, density: 1000, position: [{}, {}, {}]}}\n", k,
                        i, j, shape, 0.13 * i - 0.06, 0.125 * j - 0.06 + 0.01 * k, 0.07 + 0.14 * k);
      }
  const auto plane = [](const char* name, double x, double y, const char* normal) {
    return fmt::format("  {}: {{shape: {{type: plane}}, position: [{}, {}, 0], normal: {}}}\n", name, x, y, normal);
  };
  return fmt::format(
      "materials: {{stone: {{E: 1e9, nu: 0.2, density: 2000}}}}\nbodies:\n{}"
      "  block: {{element: hex8, material: stone, kinematics: BC, eta: 1e-4, mesh: {{type: block, corner: [-0.1, -0.1, "
      "0.48], length: [0.2, 0, 0], width: [0, 0.2, 0], height: [0, 0, 0.1], elements: [2, 2, 1]}}}}\n"
      "obstacles:\n  floor: {{shape: {{type: plane}}}}\n{}"
      "contacts: {{touch: {{between: all, friction: 0.5}}}}\nloads: {{gravity: {{type: gravity}}}}\n"
      "analysis: {{type: dynamic, duration: 1000, step: 0.002, integrator: half_step, contact: {{tolerance: {}, "
      "solver: {}}}}}\n",
      bodies,
      plane("left", -0.16, 0, "[1, 0, 0]") + plane("right", 0.16, 0, "[-1, 0, 0]") +
          plane("front", 0, -0.16, "[0, 1, 0]") + plane("back", 0, 0.16, "[0, -1, 0]"),
      tolerance, solver);
}

struct Pile {
  Pile(double tolerance, const char* solver)
      : system(compile(model_of(tolerance, solver))),
        work(system, 1),
        stepper(system, std::get<DynamicAnalysis>(system.model.analysis[0]), work),
        state(system.initial_state()) {
    state.v = system.v0;
    stepper.start(state);
  }
  static Model model_of(double tolerance, const char* solver) {
    Reading reading;
    return read_model(parse_yaml(pile_text(tolerance, solver), "pile"), reading);
  }
  StepReport step() {
    StepReport report = stepper.step(0.002, state);
    ++state.memory.steps;
    return report;
  }
  const System system;
  Workspace work;
  HalfStepStepper stepper;
  State state;
};

TEST(ContactMemory, RestingPileTakesNone) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP() << "a sanitizer owns malloc in this build";
  Pile pile(1e-4, "nsgs");  // methods that factor take memory where the pattern changes
  int most = 0, counted = 0;
  for (int k = 0; k < 900; ++k) {
    const fixtures::AllocationCounter counter;
    const StepReport report = pile.step();
    const long taken = counter.taken();
    ASSERT_TRUE(report.ok()) << report.text();
    const bool looked = (pile.state.memory.steps - 1) % 16 == 0;  // at the energies, for the warnings
    if (k >= 700 && !looked && report.contacts <= most) {
      ++counted;
      EXPECT_EQ(taken, 0) << k;
    }
    most = std::max(most, report.contacts);
  }
  EXPECT_GT(counted, 100);
}

// In a form of 10^5 steps: `lithe run` of such a pile keeps its size.
TEST(ContactMemory, LongRunsNeedNoMoreThanShortOnes) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP() << "a sanitizer owns malloc in this build";
  Pile pile(1e-6, "auto");
  std::size_t early = 0, most = 0;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_TRUE(pile.step().ok());
    const std::size_t used = mallinfo2().uordblks;
    if (k < 1000) early = std::max(early, used);
    most = std::max(most, used);
  }
  EXPECT_LE(most, early + early / 20);
}

}  // namespace
}  // namespace lithe

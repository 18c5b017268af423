// Mechanisms x schemes x treatments with default settings: positions, velocities and reactions converge at the order of
// the scheme from the first step on, and do not care where outputs fall. References: support/reference_motion.h.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "lithe/io/load_model.h"
#include "support/dynamics.h"
#include "support/reference_motion.h"

namespace lithe {
namespace {

using namespace test;

constexpr double duration = 0.4, output = 0.02;

struct Scheme {
  std::string name;
  Integrator integrator;
  double order;
  double beta = 0.25, gamma = 0.5, radius = 0.8;
};

std::vector<Scheme> schemes() {
  return {{"hht", Integrator::hht, 2},
          {"generalized_alpha", Integrator::generalized_alpha, 2},
          {"generalized_alpha(1)", Integrator::generalized_alpha, 2, 0.25, 0.5, 1.0},
          {"trapezoidal", Integrator::trapezoidal, 2},
          {"newmark", Integrator::newmark, 2},
          {"newmark(0.3025, 0.6)", Integrator::newmark, 1, 0.3025, 0.6},
          {"backward_euler", Integrator::backward_euler, 1}};
}

Model load(const std::string& name, Treatment treatment) {
  Reading reading;
  const char* root = std::getenv("LITHE_SOURCE");
  Model model = load_model(std::string(root ? root : ".") + "/tests/cases/" + name + ".yaml", {}, reading);
  model.treatment = treatment;
  return model;
}

// What channel k of the values is: 0 place, 1 velocity, 2 reaction, -1 neither.
std::vector<int> kinds_of(const System& system) {
  std::vector<int> kinds;
  const auto list = channels(system);
  for (std::size_t c = 0; c < list.size(); ++c) {
    const Output& o = system.model.outputs.items[c].second;
    for (std::size_t k = 0; k < list[c].columns.size(); ++k) {
      int kind = -1;
      if (std::holds_alternative<PositionOutput>(o)) kind = 0;
      if (std::holds_alternative<RotationOutput>(o)) kind = k < 9 ? 0 : 1;
      if (std::holds_alternative<VelocityOutput>(o)) kind = 1;
      if (std::holds_alternative<JointOutput>(o) && k < 6) kind = 2;
      kinds.push_back(kind);
    }
  }
  return kinds;
}

struct Errors {
  double of[3] = {0, 0, 0};
};

struct Rows {
  std::vector<double> times;
  std::vector<std::vector<double>> values;
};

Rows run(const System& system, const DynamicAnalysis& options, State& first) {
  Rows rows;
  Workspace work(system, 1);
  State state = system.initial_state();
  const DynamicReport report = simulate(system, options, state, work, [&](const State& s, const DynamicStep& step) {
    if (rows.times.empty()) first = s;
    if (!step.output) return true;
    rows.times.push_back(s.t);
    rows.values.push_back(channel_values(system, s, work));
    return true;
  });
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.fallbacks, 0);
  return rows;
}

Rows reference(const System& system, const State& first) {
  Rows rows;
  ReferenceMotion motion(system, first);
  for (int k = 0;; ++k) {
    rows.times.push_back(motion.state.t);
    rows.values.push_back(motion.channels());
    if (motion.state.t > duration - 1e-9) return rows;
    motion.advance(output, 400);
  }
}

Errors compare(const Rows& run, const Rows& exact, const std::vector<int>& kinds) {
  Errors e;
  double size[3] = {1e-300, 1e-300, 1e-300};
  EXPECT_EQ(run.times.size(), exact.times.size());
  for (std::size_t i = 0; i < std::min(run.times.size(), exact.times.size()); ++i) {
    EXPECT_NEAR(run.times[i], exact.times[i], 1e-12);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (kinds[k] < 0) continue;
      size[kinds[k]] = std::max(size[kinds[k]], std::abs(exact.values[i][k]));
      e.of[kinds[k]] = std::max(e.of[kinds[k]], std::abs(run.values[i][k] - exact.values[i][k]));
    }
  }
  for (int k = 0; k < 3; ++k) e.of[k] /= size[k];
  return e;
}

double rate_of(const std::string& name) { return name == "spinning_hinge" ? 60 : 3; }  // rad/s

// Uniform rotation: 180 N towards the hinge and no torque, exactly, at every step from the first one on.
TEST(SpinningHinge, ReactionsFromTheFirstStepOn) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
    for (const Scheme& scheme : schemes()) {
      const System system = compile(load("spinning_hinge", treatment));
      DynamicAnalysis d;
      d.integrator = scheme.integrator;
      d.beta = scheme.beta;
      d.gamma = scheme.gamma;
      d.spectral_radius = scheme.radius;
      d.duration = 0.0333;
      d.threads = 1;
      const auto error_of_reactions = [&] {
        State first;
        double error = 0;
        for (const auto& x : run(system, d, first).values) {  // hinge: force, torque, angle; motor: the same
          error = std::max(error, std::abs(std::hypot(x[0] + x[7], x[1] + x[8]) / 180 - 1));
          error = std::max(error, std::abs(x[5] + x[12]) / 9);
        }
        return error;
      };
      std::vector<double> errors;
      for (const double h : {1e-3, 5e-4, 2.5e-4}) {
        d.step = h;
        errors.push_back(error_of_reactions());
      }
      if (std::getenv("LITHE_SHOW"))
        fmt::print("first steps {:10} {:22}: {:.2e} {:.2e} {:.2e}\n", word(treatment), scheme.name, errors[0],
                   errors[1], errors[2]);
      if (errors[2] > 0.02 * std::pow(60 * 2.5e-4, scheme.order)) {
        EXPECT_GT(std::log2(errors[0] / errors[2]) / 2, scheme.order - 0.25) << scheme.name << " " << word(treatment);
      }
      EXPECT_LT(errors[2], scheme.order == 2 ? 1e-3 : 3e-2) << scheme.name << " " << word(treatment);
      // Steps that change their size: as good as steps of the largest size among them.
      d.control = StepControl::error;
      d.step = 2.5e-4;
      d.largest_step = 1e-3;
      for (const double tolerance : {1e-4, 1e-6}) {
        d.error_tolerance = tolerance;
        const double error = error_of_reactions();
        if (std::getenv("LITHE_SHOW"))
          fmt::print("control {:g} {:10} {:22}: {:.2e}\n", tolerance, word(treatment), scheme.name, error);
        EXPECT_LT(error, std::max(2 * errors[0], 1e-5)) << scheme.name << " " << word(treatment) << " " << tolerance;
      }
    }
}

class Mechanisms : public ::testing::TestWithParam<std::tuple<const char*, Treatment>> {};

TEST_P(Mechanisms, OrdersOfPlacesVelocitiesAndReactions) {
  const auto [name, treatment] = GetParam();
  const Model model = load(name, treatment);
  const System system = compile(model);
  const std::vector<int> kinds = kinds_of(system);
  Rows exact;
  for (const Scheme& scheme : schemes())
    for (const bool divides : {true, false}) {
      std::vector<Errors> errors;
      for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
        DynamicAnalysis d;
        d.integrator = scheme.integrator;
        d.beta = scheme.beta;
        d.gamma = scheme.gamma;
        d.spectral_radius = scheme.radius;
        d.duration = duration;
        d.step = divides ? h : 0.97 * h;
        d.output_step = output;
        d.threads = 1;
        State first;
        const Rows rows = run(system, d, first);
        if (exact.times.empty()) exact = reference(system, first);
        errors.push_back(compare(rows, exact, kinds));
      }
      const char* what[3] = {"places", "velocities", "reactions"};
      for (int k = 0; k < 3; ++k) {
        const double first = errors.front().of[k], last = errors.back().of[k];
        std::string list;
        for (const Errors& e : errors) list += fmt::format(" {:.2e}", e.of[k]);
        if (std::getenv("LITHE_SHOW"))
          fmt::print("{:28} {:10} {:22} {:5} {:10}:{}\n", name, word(treatment), scheme.name, divides, what[k], list);
        // Where the scheme has no error of its own, what Newton may leave: a small share of (w h)^order.
        bool negligible = true;
        for (std::size_t i = 0; i < errors.size(); ++i)
          negligible = negligible && errors[i].of[k] < 0.02 * std::pow(rate_of(name) * 2e-3 / (1 << i), scheme.order);
        if (last < 1e-9 || negligible) continue;
        EXPECT_GT(std::log2(first / last) / 3, scheme.order - 0.25)
            << scheme.name << (divides ? "" : ", outputs between steps") << ", " << what[k] << ":" << list;
        EXPECT_LT(last, scheme.order == 2 ? 2e-3 : 2e-2) << scheme.name << " " << what[k] << ":" << list;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, Mechanisms,
    ::testing::Combine(::testing::Values("spinning_hinge", "double_revolute_refinement", "four_bar_adaptive",
                                         "rssr_augmented"),
                       ::testing::Values(Treatment::eliminate, Treatment::lagrange, Treatment::augmented)),
    [](const auto& p) { return std::string(std::get<0>(p.param)) + "_" + word(std::get<1>(p.param)); });

}  // namespace
}  // namespace lithe

// What to compute.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "lithe/base/described.h"

namespace lithe {

enum class StaticMethod { newton, arc_length };
template <>
struct Words<StaticMethod> {
  static constexpr std::array<const char*, 2> names{"newton", "arc_length"};
};
enum class OnInstability { warn, error, perturb };
template <>
struct Words<OnInstability> {
  static constexpr std::array<const char*, 3> names{"warn", "error", "perturb"};
};

struct StaticAnalysis {
  StaticMethod method = StaticMethod::newton;
  double duration = 1;    // time at which the full load acts
  double first_step = 1;  // of the load, 0..1
  double largest_step = 1;
  double smallest_step = 1e-6;
  double tolerance = 1e-8;  // residual over the size of the forces
  double correction_tolerance = 1e-12;
  int iterations = 25;
  bool line_search = true;
  double arc_length = 0.1;  // first step of the load factor along the path
  OnInstability on_instability = OnInstability::warn;
  int largest_steps = 1000;
  std::string solver = "auto", ordering = "auto";
  int threads = 0;
};
const Schema& schema(const StaticAnalysis*);

enum class Integrator { hht, newmark, generalized_alpha, trapezoidal, backward_euler };
template <>
struct Words<Integrator> {
  static constexpr std::array<const char*, 5> names{"hht", "newmark", "generalized_alpha", "trapezoidal",
                                                    "backward_euler"};
};
enum class StepControl { fixed, error };
template <>
struct Words<StepControl> {
  static constexpr std::array<const char*, 2> names{"fixed", "error"};
};
enum class TangentPolicy { adaptive, every_step, every_iteration };
template <>
struct Words<TangentPolicy> {
  static constexpr std::array<const char*, 3> names{"adaptive", "every_step", "every_iteration"};
};

struct DynamicAnalysis {
  double duration = 1;
  double step = 1e-3;
  Integrator integrator = Integrator::hht;
  double alpha = -0.1;              // hht: -1/3..0
  double beta = 0.25, gamma = 0.5;  // newmark
  double spectral_radius = 0.8;     // generalized_alpha: of infinite frequency
  StepControl control = StepControl::fixed;
  double error_tolerance = 1e-4;  // control error: local error of positions over the size of the model, of gradients
  double smallest_step = 1e-9, largest_step = 0;  // 0: of control error duration / 20, of fixed none
  std::optional<double> tolerance;  // weighted RMS of Newton's correction: positions over the size of the model
  std::optional<double> residual_tolerance;  // residual over the size of the forces; defaults follow the step's error
  int iterations = 12;
  TangentPolicy tangent_policy = TangentPolicy::adaptive;
  std::string solver = "auto", ordering = "auto";
  std::optional<bool>
      projection;          // of velocities and accelerations onto the constraints; default: where the scheme needs it
  double output_step = 0;  // 0: every step
  double checkpoint_step = 0;  // 0: none
  int threads = 0;
};
const Schema& schema(const DynamicAnalysis*);
using Analysis = std::variant<StaticAnalysis, DynamicAnalysis>;

// More steps than this take years, and times lose their digits.
inline constexpr double most_steps = 1e11;
void check(const Spot& here, const Analysis& analysis);

}  // namespace lithe

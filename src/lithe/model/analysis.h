// What to compute: one analysis, or a list of stages of which each begins in the state that the one before reached. All
// stages of a run have one clock: a stage begins at the time at which the one before ended.
//
// Adding a kind of analysis: a struct with its schema here, one more alternative of Analysis, and its Runner
// (io/runner.h) with one line in the registry there.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/base/one_or_more.h"
#include "lithe/contact/activation.h"
#include "lithe/linalg/krylov/options.h"

namespace lithe {

// What is recorded of the bodies beside the channels.
enum class RecordedField { position, velocity, stress, contact };
template <>
struct Words<RecordedField> {
  static constexpr std::array<const char*, 4> names{"position", "velocity", "stress", "contact"};
};
using Fields = std::optional<std::vector<RecordedField>>;  // none said: all of them

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
  std::optional<std::string> name;  // of the stage
  StaticMethod method = StaticMethod::newton;
  double duration = 1;    // time until the full load acts; 0: time stands still, constant loads alone grow
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
  std::vector<double> output_factors;  // load factors at which steps end and rows are recorded; none: every step
  std::string solver = "auto", ordering = "auto";
  Fields fields;
  int fields_every = 1;  // rows
  int threads = 0;
};
const Schema& schema(const StaticAnalysis*);

enum class Integrator { hht, newmark, generalized_alpha, trapezoidal, backward_euler, half_step };
template <>
struct Words<Integrator> {
  static constexpr std::array<const char*, 6> names{"hht",         "newmark",        "generalized_alpha",
                                                    "trapezoidal", "backward_euler", "half_step"};
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

template <>
struct Words<Activation> {
  static constexpr std::array<const char*, 2> names{"speculative", "touching"};
};
// How contact forces are found.
struct ContactSettings {
  std::string solver = "auto";
  double tolerance = 1e-8;  // of velocities, over the largest relative one
  int iterations = 0;       // 0: what the method takes to be enough
  Activation activation = Activation::speculative;
  bool move_apart = true;  // overlaps that are left, by displacements without velocity
};
const Schema& schema(const ContactSettings*);

struct DynamicAnalysis {
  std::optional<std::string> name;  // of the stage
  double duration = 1;
  double step = 1e-3;
  std::optional<Integrator> integrator;  // default: hht, or half_step where a body needs it
  double alpha = -0.1;                   // hht: -1/3..0
  double beta = 0.25, gamma = 0.5;       // newmark
  double spectral_radius = 0.8;          // generalized_alpha: of infinite frequency
  StepControl control = StepControl::fixed;
  double error_tolerance = 1e-4;  // control error: local error of positions over the size of the model, of gradients
  double smallest_step = 1e-9, largest_step = 0;  // 0: of control error duration / 20, of fixed none
  std::optional<double> tolerance;  // weighted RMS of Newton's correction: positions over the size of the model
  std::optional<double> residual_tolerance;  // residual over the size of the forces; defaults follow the step's error
  int iterations = 12;
  TangentPolicy tangent_policy = TangentPolicy::adaptive;
  std::string solver = "auto", ordering = "auto";
  KrylovOptions krylov;
  ContactSettings contact;
  std::optional<bool>
      projection;          // of velocities and accelerations onto the constraints; default: where the scheme needs it
  double output_step = 0;  // 0: every step
  std::vector<double> output_times;  // s from the begin of the stage, instead of output_step
  Fields fields;
  int fields_every = 1;        // outputs
  double fields_step = 0;      // s, instead of fields_every; 0: every output
  double checkpoint_step = 0;  // 0: none
  int threads = 0;
};
const Schema& schema(const DynamicAnalysis*);

// Small motions about the state that the stage before reached, which stays: time stands still.
struct ModesAnalysis {
  std::optional<std::string> name;  // of the stage
  int count = 10;
  std::optional<double> near;  // Hz; none: the lowest
  int frames = 8;              // rows a mode
  double amplitude = 0.1;      // of what is drawn, over the size of the model
  Fields fields;
  int threads = 0;
};
const Schema& schema(const ModesAnalysis*);
struct BucklingAnalysis {
  std::optional<std::string> name;  // of the stage
  int count = 4;
  int frames = 8;          // rows a mode
  double amplitude = 0.1;  // of what is drawn, over the size of the model
  Fields fields;
  int threads = 0;
};
const Schema& schema(const BucklingAnalysis*);
using Analysis = std::variant<StaticAnalysis, DynamicAnalysis, ModesAnalysis, BucklingAnalysis>;
using Stages = OneOrMore<Analysis>;

// What an analysis may have, whatever its kind: 0 and "" where it has none.
double duration(const Analysis& analysis);
int threads(const Analysis& analysis);
const Fields& fields_of(const Analysis& analysis);            // none: not said
std::string default_stage_name(std::size_t i);                // stage1, stage2, ...
std::string stage_name(const Stages& stages, std::size_t i);  // as the user said it, or the default
std::string stage_text(const Stages& stages, std::size_t i);  // "stage 'motion' (2 of 3)"
// The clock: when a stage begins, and when the last one ends.
double begin_of(const Stages& stages, std::size_t i);
double end_of(const Stages& stages);
// Number of the first dynamic stage; stages.size(): none is.
std::size_t first_dynamic(const Stages& stages);
// Does it change the state, or only look at it (modes, buckling)?
bool moves_on(const Analysis& analysis);
// Number of the first stage that does; stages.size(): none.
std::size_t first_moving_on(const Stages& stages);
// Do motions need a mass: is a stage dynamic, or asks for modes?
bool needs_mass(const Stages& stages);
// The stages of a run share their threads and their fields: what one of them says holds for all.
int threads(const Stages& stages);
bool records(const Stages& stages, RecordedField field);
// Are there rows without fields?
bool thins_fields(const Stages& stages);

// More steps than this take years, and times lose their digits.
inline constexpr double most_steps = 1e11;
void check(const Spot& here, const Stages& stages);

}  // namespace lithe

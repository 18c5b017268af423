#include "lithe/model/analysis.h"

#include <algorithm>

#include "lithe/base/describe.h"

namespace lithe {

namespace {

constexpr const char* name_help = "of this stage in a list of stages; default: stage1, stage2, ...";
constexpr const char* fields_help =
    "what is recorded of the bodies beside the channels: position, velocity, stress, contact (the list of points); "
    "default: all";

}  // namespace

LITHE_DESCRIBE(StaticAnalysis, "static", "nonlinear equilibrium by load steps or arc length") {
  visit("method", &StaticAnalysis::method, Field{.help = "newton (load steps) or arc_length (passes limit points)"});
  visit("duration", &StaticAnalysis::duration,
        Field{.help = "time until the full load; tables and expressions run over it; 0: time stands still, constant "
                      "loads alone grow",
              .unit = "s",
              .allowed = not_negative});
  visit("first_step", &StaticAnalysis::first_step, Field{.help = "first load step, of 1", .allowed = positive});
  visit("largest_step", &StaticAnalysis::largest_step, Field{.help = "largest load step, of 1", .allowed = positive});
  visit("smallest_step", &StaticAnalysis::smallest_step,
        Field{.help = "the run ends when a smaller step would be needed", .allowed = positive});
  visit("tolerance", &StaticAnalysis::tolerance,
        Field{.help = "residual relative to the forces in the system", .allowed = positive});
  visit("correction_tolerance", &StaticAnalysis::correction_tolerance,
        Field{.help = "correction relative to the size of the model", .allowed = positive});
  visit("iterations", &StaticAnalysis::iterations,
        Field{.help = "largest number of Newton iterations a step", .allowed = positive});
  visit("line_search", &StaticAnalysis::line_search,
        Field{.help = "shorten Newton steps that turn an element inside out or make the residual explode"});
  visit("arc_length", &StaticAnalysis::arc_length,
        Field{.help = "arc_length: first step of the load factor", .allowed = positive});
  visit("on_instability", &StaticAnalysis::on_instability,
        Field{.help =
                  "of an equilibrium: warn, error (the run ends there), or perturb (disturb it by 1e-3 of the size of "
                  "the model along its most unstable mode and follow it to a stable one)"});
  visit("largest_steps", &StaticAnalysis::largest_steps,
        Field{.help = "the run ends after so many load steps", .allowed = positive});
  visit("output_factors", &StaticAnalysis::output_factors,
        Field{.help = "load factors at which a step ends; outputs are those, the start and the full load; without it "
                      "every step is one"});
  visit("solver", &StaticAnalysis::solver, Field{.help = "linear solver by name, or auto"});
  visit("ordering", &StaticAnalysis::ordering, Field{.help = "ordering of the linear solver, or auto"});
  visit("fields", &StaticAnalysis::fields, Field{.help = fields_help});
  visit("fields_every", &StaticAnalysis::fields_every,
        Field{.help = "number of load steps from one with fields to the next; those between hold the channels alone",
              .allowed = positive});
  visit("name", &StaticAnalysis::name, Field{.help = name_help});
  visit("threads", &StaticAnalysis::threads, Field{.help = "0: all cores", .allowed = thread_count});
}

void Custom<KrylovTolerance>::read(const Value& value, KrylovTolerance& out) {
  using Rule = KrylovTolerance::Rule;
  if (value.kind == Value::Kind::scalar && (value.text == "auto" || value.text == "paper")) {
    out = {value.text == "auto" ? Rule::automatic : Rule::paper};
    return;
  }
  Reading reading;
  out = {Rule::given};
  try {
    read_value(value, out.value, Field{}, reading);
  } catch (const InputError&) {
    throw InputError(value.where, "auto, paper or a number is expected, but this is " + spoken(value));
  }
  if (!(out.value > 0 && out.value < 1))
    throw InputError(value.where, "this is " + number_text(out.value) +
                                      ", but a share of the right-hand side is greater than 0 and less than 1");
}
Value Custom<KrylovTolerance>::write(const KrylovTolerance& x) {
  if (x.rule == KrylovTolerance::Rule::given) return write_value(x.value);
  Value word = Value::scalar(x.rule == KrylovTolerance::Rule::automatic ? "auto" : "paper");
  word.quoted = true;
  return word;
}

constexpr Allowed share_of_all{[](double x) { return x > 0 && x <= 1; }, "greater than 0, at most 1"};

LITHE_DESCRIBE(ContactSettings, "contact", "how contact forces are found") {
  visit("solver", &ContactSettings::solver, Field{.help = "auto, or a contact solver by name"});
  visit("tolerance", &ContactSettings::tolerance,
        Field{.help = "of relative velocities, over the largest one", .allowed = positive});
  visit("iterations", &ContactSettings::iterations,
        Field{.help = "at most; 0: what the method takes to be enough", .allowed = not_negative});
  visit("activation", &ContactSettings::activation,
        Field{.help = "which pairs are in contact: speculative (that the step can close, so that nothing tunnels) or "
                      "touching (P2: that overlap in the middle of the step)"});
  visit("move_apart", &ContactSettings::move_apart,
        Field{.help = "overlaps that are left at the end of a step are taken away by displacements, at unchanged "
                      "velocities"});
}

LITHE_DESCRIBE(KrylovOptions, "krylov", "how iterative solvers iterate") {
  visit("preconditioner", &KrylovOptions::preconditioner,
        Field{.help =
                  "none, jacobi (diagonal), block_jacobi (vectors of a node, or elements that stand alone), "
                  "incomplete (factors without fill), factor (a direct solver's, kept), constraint (blocks and all "
                  "constraints: treatment lagrange), mass (the mass matrix, factored once: short steps), spike (bands "
                  "in partitions: gmres and bicgstab); auto: "
                  "constraint with treatment lagrange, else block_jacobi"});
  visit("operator", &KrylovOptions::product,
        Field{.help =
                  "products with the matrix: assembled, or matrix_free (the forces of the elements along a direction, "
                  "by dual numbers; exact, so that damping makes it unsymmetric: gmres and bicgstab)"});
  visit("factor", &KrylovOptions::factor, Field{.help = "preconditioner factor: direct solver by name, or auto"});
  visit("tolerance", &KrylovOptions::tolerance,
        Field{.help = "residual of a solve over its right-hand side: a number, auto (what Newton's next correction can "
                      "use, by those of the step before; 1e-10 to 0.1) or paper (P3, section 3.2)"});
  visit("iterations", &KrylovOptions::iterations, Field{.help = "largest number in a solve", .allowed = positive});
  visit("restart", &KrylovOptions::restart, Field{.help = "gmres: iterations between restarts", .allowed = positive});
  visit("update", &KrylovOptions::update,
        Field{.help = "of the preconditioner: adaptive (when solves take half as many iterations again as its first "
                      "one), never (once), uniform (every update_every matrices) or threshold (after a solve of more "
                      "than update_above iterations); where a solve fails in any case"});
  visit("update_every", &KrylovOptions::update_every, Field{.help = "update uniform: matrices", .allowed = positive});
  visit("update_above", &KrylovOptions::update_above,
        Field{.help = "update threshold: iterations", .allowed = positive});
  visit("precision", &KrylovOptions::precision, Field{.help = "spike: of its numbers, single or double"});
  visit("partitions", &KrylovOptions::partitions,
        Field{.help = "spike: at most so many, each as long as the band is wide at least; auto: each eight times as "
                      "long as the band is wide"});
  visit("keep", &KrylovOptions::keep,
        Field{.help = "spike: the band is as narrow as holds this share of the sum of magnitudes; auto: all of it"});
  visit("truncate", &KrylovOptions::truncate,
        Field{.help = "spike: cuts between partitions do not see each other; false: exact, a direct solver"});
  visit("second_stage", &KrylovOptions::second_stage, Field{.help = "spike: an order of its own in each partition"});
  visit("ordering", &KrylovOptions::ordering,
        Field{.help = "spike: rcm (reverse Cuthill-McKee) or spectral (Fiedler vector), for a narrow band"});
  visit("matching", &KrylovOptions::matching,
        Field{.help =
                  "spike: rows on the diagonal, product (of maximum product, scaled), cardinality (as many entries as "
                  "can be) or none (rows stay; a multiplier stands behind a coordinate that it holds)"});
}

template <class T>
void Custom<OrAuto<T>>::read(const Value& value, OrAuto<T>& out) {
  out = {};
  if (value.kind == Value::Kind::scalar && value.text == "auto") return;
  Reading reading;
  T number{};
  try {
    read_value(value, number, Field{}, reading);
  } catch (const InputError&) {
    throw InputError(value.where, std::string("auto or ") + (std::is_same_v<T, int> ? "a whole number" : "a number") +
                                      " is expected, but this is " + spoken(value));
  }
  const Allowed& allowed = std::is_same_v<T, int> ? positive : share_of_all;  // partitions; what is kept
  if (!allowed.holds(number))
    throw InputError(value.where, "this is " + number_text(number) + ", but it must be auto, or " + allowed.text);
  out = number;
}
template <class T>
Value Custom<OrAuto<T>>::write(const OrAuto<T>& x) {
  if (x.given) return write_value(*x.given);
  Value word = Value::scalar("auto");
  word.quoted = true;
  return word;
}
template struct Custom<OrAuto<int>>;
template struct Custom<OrAuto<double>>;

LITHE_DESCRIBE(DynamicAnalysis, "dynamic", "motion in time by an implicit integrator") {
  visit("duration", &DynamicAnalysis::duration,
        Field{.help = "length of the run, or of this stage of it", .unit = "s", .allowed = positive});
  visit("step", &DynamicAnalysis::step,
        Field{.help = "time step, the first one under control error", .unit = "s", .allowed = positive});
  visit("integrator", &DynamicAnalysis::integrator,
        Field{.help = "hht (default), newmark, generalized_alpha, trapezoidal (with projections, P4), backward_euler, "
                      "or half_step "
                      "(linearly implicit, P2; default where a body is co-rotated, reduced or rigid by 'kinematics')"});
  visit("alpha", &DynamicAnalysis::alpha, Field{.help = "hht: -1/3 (most damping) to 0 (none)"});
  visit("beta", &DynamicAnalysis::beta, Field{.help = "newmark", .allowed = positive});
  visit("gamma", &DynamicAnalysis::gamma, Field{.help = "newmark", .allowed = positive});
  visit(
      "spectral_radius", &DynamicAnalysis::spectral_radius,
      Field{.help = "generalized_alpha: at infinite frequency, 0 (most damping) to 1 (none)", .allowed = not_negative});
  visit("control", &DynamicAnalysis::control, Field{.help = "step size: fixed, or by the estimated error"});
  visit("error_tolerance", &DynamicAnalysis::error_tolerance,
        Field{.help = "local error of positions over the size of the model, of gradients", .allowed = positive});
  visit("smallest_step", &DynamicAnalysis::smallest_step,
        Field{.help = "the run ends when a smaller step would be needed", .unit = "s", .allowed = positive});
  visit("largest_step", &DynamicAnalysis::largest_step,
        Field{.help = "0: duration / 20", .unit = "s", .allowed = not_negative});
  visit("tolerance", &DynamicAnalysis::tolerance,
        Field{.help =
                  "Newton's correction: weighted RMS, positions over the size of the model; default: a small share of "
                  "the scheme's own error in each step, at most 1e-9",
              .allowed = positive});
  visit("residual_tolerance", &DynamicAnalysis::residual_tolerance,
        Field{.help = "residual relative to the forces in the system; default: by the change of accelerations in each "
                      "step, at most 1e-4",
              .allowed = positive});
  visit("iterations", &DynamicAnalysis::iterations,
        Field{.help = "largest number of Newton iterations a step", .allowed = positive});
  visit("tangent_policy", &DynamicAnalysis::tangent_policy,
        Field{.help = "adaptive (keep the factorisation while it converges well), every_step or every_iteration"});
  visit("solver", &DynamicAnalysis::solver,
        Field{.help = "linear solver by name, or auto; how iterative ones iterate: lithe list krylov"});
  visit("ordering", &DynamicAnalysis::ordering, Field{.help = "ordering of the linear solver, or auto"});
  visit("krylov", &DynamicAnalysis::krylov,
        Field{.help = "of the solvers cg, minres, projected_minres, gmres, bicgstab and bicgstab2"});
  visit("contact", &DynamicAnalysis::contact, Field{.help = "where something touches: how its forces are found"});
  visit(
      "projection", &DynamicAnalysis::projection,
      Field{.help =
                "of velocities and accelerations onto the constraints; default: where the scheme would keep errors of "
                "accelerations across them (trapezoidal, newmark with beta 1/4, spectral_radius 1, backward_euler)"});
  visit("output_step", &DynamicAnalysis::output_step,
        Field{.help = "time between outputs; 0: every step", .unit = "s", .allowed = not_negative});
  visit(
      "output_times", &DynamicAnalysis::output_times,
      Field{.help = "times of outputs, from the begin of the stage, instead of output_step; start and end are outputs "
                    "too",
            .unit = "s"});
  visit("fields", &DynamicAnalysis::fields, Field{.help = fields_help});
  visit("fields_every", &DynamicAnalysis::fields_every,
        Field{.help = "number of outputs from one with fields to the next; those between hold the channels alone",
              .allowed = positive});
  visit("fields_step", &DynamicAnalysis::fields_step,
        Field{.help = "the same as a time, instead of fields_every; 0: every output",
              .unit = "s",
              .allowed = not_negative});
  visit("checkpoint_step", &DynamicAnalysis::checkpoint_step,
        Field{.help = "time between checkpoints; 0: none", .unit = "s", .allowed = not_negative});
  visit("name", &DynamicAnalysis::name, Field{.help = name_help});
  visit("threads", &DynamicAnalysis::threads, Field{.help = "0: all cores", .allowed = thread_count});
}

LITHE_DESCRIBE(ModesAnalysis, "modes",
               "natural frequencies and modes about the state that the stage before reached, at rest if none was") {
  visit("count", &ModesAnalysis::count, Field{.help = "number of modes, all proved to be there", .allowed = positive});
  visit("near", &ModesAnalysis::near,
        Field{.help = "the modes nearest to this frequency (in its square); default: the lowest",
              .unit = "Hz",
              .allowed = positive});
  visit("frames", &ModesAnalysis::frames,
        Field{.help = "rows of the result for each mode: one period of it, from its largest deflection on",
              .allowed = positive});
  visit("amplitude", &ModesAnalysis::amplitude,
        Field{.help = "largest displacement of these rows over the size of the model", .allowed = positive});
  visit("fields", &ModesAnalysis::fields, Field{.help = fields_help});
  visit("name", &ModesAnalysis::name, Field{.help = name_help});
  visit("threads", &ModesAnalysis::threads, Field{.help = "0: all cores", .allowed = thread_count});
}

LITHE_DESCRIBE(BucklingAnalysis, "buckling",
               "factors of the constant loads at which the state that the stage before reached loses its stability") {
  visit("count", &BucklingAnalysis::count,
        Field{.help = "number of factors, the lowest above that of the state", .allowed = positive});
  visit("frames", &BucklingAnalysis::frames,
        Field{.help = "rows of the result for each mode: once to and fro, from its largest deflection on",
              .allowed = positive});
  visit("amplitude", &BucklingAnalysis::amplitude,
        Field{.help = "largest displacement of these rows over the size of the model", .allowed = positive});
  visit("fields", &BucklingAnalysis::fields, Field{.help = fields_help});
  visit("name", &BucklingAnalysis::name, Field{.help = name_help});
  visit("threads", &BucklingAnalysis::threads, Field{.help = "0: all cores", .allowed = thread_count});
}

// ---- stages ----

double duration(const Analysis& analysis) {
  return std::visit(
      [](const auto& a) {
        if constexpr (requires { a.duration; }) return a.duration;
        else return 0.0;
      },
      analysis);
}

int threads(const Analysis& analysis) {
  return std::visit(
      [](const auto& a) {
        if constexpr (requires { a.threads; }) return a.threads;
        else return 0;
      },
      analysis);
}

std::string default_stage_name(std::size_t i) { return "stage" + std::to_string(i + 1); }

std::string stage_name(const Stages& stages, std::size_t i) {
  const auto& said = std::visit([](const auto& a) -> const std::optional<std::string>& { return a.name; }, stages[i]);
  return said ? *said : default_stage_name(i);
}

std::string stage_text(const Stages& stages, std::size_t i) {
  return "stage '" + stage_name(stages, i) + "' (" + std::to_string(i + 1) + " of " + std::to_string(stages.size()) +
         ")";
}

double begin_of(const Stages& stages, std::size_t i) {
  double t = 0;
  for (std::size_t k = 0; k < i; ++k) t += duration(stages[k]);
  return t;
}

double end_of(const Stages& stages) { return begin_of(stages, stages.size()); }

std::size_t first_dynamic(const Stages& stages) {
  std::size_t i = 0;
  while (i < stages.size() && !std::holds_alternative<DynamicAnalysis>(stages[i])) ++i;
  return i;
}

bool moves_on(const Analysis& analysis) {
  return std::holds_alternative<StaticAnalysis>(analysis) || std::holds_alternative<DynamicAnalysis>(analysis);
}

std::size_t first_moving_on(const Stages& stages) {
  std::size_t i = 0;
  while (i < stages.size() && !moves_on(stages[i])) ++i;
  return i;
}

bool needs_mass(const Stages& stages) {
  return std::ranges::any_of(stages, [](const Analysis& stage) {
    return std::holds_alternative<DynamicAnalysis>(stage) || std::holds_alternative<ModesAnalysis>(stage);
  });
}

int threads(const Stages& stages) {
  int most = 0;  // 0: nothing is said
  for (const Analysis& stage : stages) most = std::max(most, threads(stage));
  return most;
}

const Fields& fields_of(const Analysis& analysis) {
  static const Fields none;
  return std::visit(
      [](const auto& a) -> const Fields& {
        if constexpr (requires { a.fields; }) return a.fields;
        else return none;
      },
      analysis);
}

bool records(const Stages& stages, RecordedField field) {
  for (const Analysis& stage : stages)
    if (const Fields& said = fields_of(stage)) return std::ranges::find(*said, field) != said->end();
  return true;
}

bool thins_fields(const Stages& stages) {
  const auto thins = [](const auto& a) {
    bool yes = false;
    if constexpr (requires { a.fields_every; }) yes = a.fields_every > 1;
    if constexpr (requires { a.fields_step; }) yes = yes || a.fields_step > 0;
    return yes;
  };
  return std::ranges::any_of(stages, [&](const Analysis& stage) { return std::visit(thins, stage); });
}

}  // namespace lithe

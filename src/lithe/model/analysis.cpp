#include "lithe/model/analysis.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "lithe/base/describe.h"
#include "lithe/linalg/linear_solver.h"
#include "lithe/model/spot.h"

namespace lithe {

namespace {

constexpr const char* name_help = "of this stage in a list of stages; default: stage1, stage2, ...";
constexpr const char* fields_help =
    "what is recorded of the bodies beside the channels: position, velocity, stress; default: all of them";

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
        Field{.help = "spike: at most so many, each as long as the band is wide at least; default: each eight times as "
                      "long as the band is wide",
              .allowed = positive});
  visit("keep", &KrylovOptions::keep,
        Field{.help = "spike: the band is as narrow as holds this share of the sum of magnitudes",
              .allowed = share_of_all});
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
  visit("solver", &DynamicAnalysis::solver, Field{.help = "linear solver by name, or auto"});
  visit("ordering", &DynamicAnalysis::ordering, Field{.help = "ordering of the linear solver, or auto"});
  visit("krylov", &DynamicAnalysis::krylov,
        Field{.help = "of the solvers cg, minres, projected_minres, gmres, bicgstab and bicgstab2"});
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

namespace {

const Fields& fields_of(const Analysis& analysis) {
  static const Fields none;
  return std::visit(
      [](const auto& a) -> const Fields& {
        if constexpr (requires { a.fields; }) return a.fields;
        else return none;
      },
      analysis);
}

}  // namespace

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

// ---- rules ----

namespace {

// Does a joint or a spring move something although no load acts?
bool is_driven(const Model& model) {
  bool driven = false;
  const auto moves = [&](const Signal& signal) { driven = driven || !signal.is_constant() || signal.constant() != 0; };
  const auto ask = [&](const auto& x) {
    if constexpr (requires { x.displacement; })
      for (const auto& component : x.displacement)
        if (component) moves(*component);
    const auto may_move = [&](const auto& drive) {
      if (drive) moves(*drive);
    };
    if constexpr (requires { x.angle->is_constant(); }) may_move(x.angle);
    if constexpr (requires { x.angles[0]->is_constant(); })
      for (const auto& angle : x.angles) may_move(angle);
    if constexpr (requires { x.travel->is_constant(); }) may_move(x.travel);
    if constexpr (requires { x.rate->is_constant(); }) may_move(x.rate);
    if constexpr (requires { x.target.is_constant(); }) moves(x.target);
    if constexpr (requires { x.law.has_value(); }) driven = driven || (x.law && (*x.law)(0, 0, 0).force != 0);
    if constexpr (requires { x.force.is_constant(); }) moves(x.force);
    if constexpr (requires { x.moment.is_constant(); }) moves(x.moment);
    if constexpr (requires { x.length.has_value(); }) driven = driven || x.length.has_value();
    if constexpr (requires { x.distance.has_value(); }) driven = driven || x.distance.has_value();
    if constexpr (requires { x.free_length.has_value(); }) driven = driven || x.free_length.has_value();
    if constexpr (requires { x.free_angle; }) driven = driven || x.free_angle != 0;
    if constexpr (requires { x.free_travel; }) driven = driven || x.free_travel != 0;
  };
  for (const auto& joint : model.joints.items) std::visit(ask, joint.second);
  for (const auto& spring : model.springs.items) std::visit(ask, spring.second);
  for (const auto& [name, any] : model.bodies.items)
    if (const Body* body = std::get_if<Body>(&any))
      std::visit(
          [&](const auto& mesh) {
            if constexpr (requires { mesh.unstretched_length; }) driven = driven || mesh.unstretched_length;
          },
          body->mesh);
  return driven;
}

// The bodies that a constraint, a joint or a spring names.
std::unordered_set<std::string_view> held_bodies(const Model& model) {
  std::unordered_set<std::string_view> held;
  const auto ask = [&](const auto& x) {
    if constexpr (requires { x.at; }) held.insert(x.at.body);
    if constexpr (requires { x.a; }) held.insert(x.a.body);
    if constexpr (requires { x.b; }) held.insert(x.b.body);
    if constexpr (requires { x.nodes; }) held.insert(x.nodes.body);
    if constexpr (requires { x.line; }) held.insert(x.line);
    if constexpr (requires { x.points.front().body; })
      for (const At& point : x.points) held.insert(point.body);
  };
  for (const auto& constraint : model.constraints.items) std::visit(ask, constraint.second);
  for (const auto& joint : model.joints.items) std::visit(ask, joint.second);
  for (const auto& spring : model.springs.items) std::visit(ask, spring.second);
  for (const auto& [name, body] : model.bodies.items)
    if (const auto* linkage = std::get_if<Linkage>(&body); linkage && !linkage->ground.empty()) held.insert(name);
  return held;
}

void check_solver(const Spot& here, const std::string& name, const std::string& order) {
  const SolverInfo* solver = nullptr;  // auto: chosen when the matrix is known
  here["solver"].guard([&] { solver = name == "auto" ? nullptr : &find_linear_solver(name); });
  here["ordering"].guard([&] {
    const Ordering ordering = order == "auto" ? Ordering::automatic : ordering_named(order);
    if (solver) require_ordering(*solver, ordering);
  });
}

// What iterates, and what is said about that.
void check_krylov(const Spot& here, const DynamicAnalysis& a) {
  const bool iterative = a.solver != "auto" && find_linear_solver(a.solver).iterative;
  const bool half_steps = a.integrator == Integrator::half_step || first_mapped(here.model());
  if (iterative && half_steps)
    here["solver"].fail("this is " + a.solver +
                        ", but half_step has direct solvers alone; remove this key, or take 'auto'");
  if (iterative || a.krylov == KrylovOptions{}) return;
  if (half_steps) here["krylov"].fail("half_step has direct solvers alone; remove this key");
  here["krylov"].fail("the solver is " + a.solver +
                      (a.solver == "auto" ? ", which chooses these itself" : ", which does not iterate") +
                      "; remove this key, or name an iterative solver such as cg or gmres");
}

// A body that moves by half steps alone, and what to do where the analysis is another one.
void check_half_steps(const Spot& here, const char* what, const char* instead) {
  const auto* mapped = first_mapped(here.model());
  if (!mapped) return;
  const std::string kinematics = word(std::get<Body>(mapped->second).kinematics);
  here.fail("body '" + mapped->first + "' is " + kinematics + " (kinematics), which " + what +
            "; set 'kinematics: TL' there, or " + instead);
}

// The elastic force of these is linear in the deformation, whatever presses them.
void check_stiffness_that_stays(const Spot& here) {
  for (const auto& [name, any] : here.model().bodies.items) {
    const auto* body = std::get_if<Body>(&any);
    if (!body || body->kinematics == Kinematics::total || body->kinematics == Kinematics::rigid) continue;
    here.fail("body '" + name + "' is " + std::string(word(body->kinematics)) +
              " (kinematics), which does not buckle: its stiffness stays that of rest, whatever presses it; set "
              "'kinematics: TL' there (or 'rigid', where it does not deform)");
  }
}

// Where outputs are asked for: one after the other, up to `last`.
void check_outputs(const Spot& here, const std::vector<double>& at, double last, const char* unit) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double before = i > 0 ? at[i - 1] : 0;
    if (!(at[i] > before && at[i] <= last))
      here[i].fail("this is " + number_text(at[i]) + unit + ", but outputs grow from one to the next, above " +
                   number_text(before) + unit + " here and at most " + number_text(last) + unit);
  }
}

void check_analysis(const Spot& here, const StaticAnalysis& a) {
  check_half_steps(here, "has no statics",
                   "let it come to rest by 'type: dynamic' with 'integrator: half_step' and eta");
  if (a.first_step > 1)
    here["first_step"].fail("this is " + number_text(a.first_step) +
                            ", but a load step is a share of the full load: at most 1");
  if (a.smallest_step > a.first_step)
    here["smallest_step"].fail("this is " + number_text(a.smallest_step) +
                               ", but it must not exceed first_step = " + number_text(a.first_step) + "; give both");
  if (a.largest_step < a.first_step)
    here["largest_step"].fail("this is " + number_text(a.largest_step) +
                              ", but it must be at least first_step = " + number_text(a.first_step) + "; give both");
  check_outputs(here["output_factors"], a.output_factors, 1, "");
  if (!a.output_factors.empty() && a.method == StaticMethod::arc_length)
    here["output_factors"].fail(
        "arc_length comes to a load factor more than once, or never; remove this key, or take 'method: newton'");
  check_solver(here, a.solver, a.ordering);
  if (here.model().loads.size() == 0 && !is_driven(here.model()))
    here.root()["loads"].warn("the model has no loads, so nothing will move; add some under 'loads'");
  const std::unordered_set<std::string_view> held = held_bodies(here.model());
  for (const auto& [name, body] : here.model().bodies.items)
    if (!held.contains(name))
      here.root()["bodies"][name].warn("no constraint holds body '" + name +
                                       "', so it can move freely and a static run will probably fail; clamp or fix it");
}

void check_analysis(const Spot& here, const DynamicAnalysis& a) {
  if (a.integrator && a.integrator != Integrator::half_step)
    check_half_steps(here["integrator"], "moves by half steps alone", "use 'integrator: half_step'");
  if (a.control == StepControl::error && (a.integrator == Integrator::half_step || first_mapped(here.model())))
    here["control"].fail("half_step has no estimate of its error; set 'control: fixed', or take another integrator");
  if (!(a.alpha >= -1.0 / 3 && a.alpha <= 0))
    here["alpha"].fail("this is " + number_text(a.alpha) +
                       ", but HHT is stable from -1/3 (most damping) to 0 (none) only; -0.1 is usual");
  if (a.spectral_radius > 1)
    here["spectral_radius"].fail("this is " + number_text(a.spectral_radius) +
                                 ", but it must lie between 0 (most damping) and 1 (none); 0.8 is usual");
  if (a.integrator == Integrator::newmark) {
    const double least = 0.25 * (a.gamma + 0.5) * (a.gamma + 0.5);
    if (a.gamma < 0.5)
      here["gamma"].warn("gamma is " + number_text(a.gamma) +
                         ": below 1/2 Newmark's method adds energy and the run will blow up; use at least 0.5");
    else if (a.beta < (1 - 1e-12) * least)  // 0.3025 is enough for gamma = 0.6, whose square is not exact
      here["beta"].warn("beta is " + number_text(a.beta) + ", below (gamma + 1/2)^2 / 4 = " + short_text(least) +
                        ": the step is then limited by the highest frequency; raise beta");
  }
  check_outputs(here["output_times"], a.output_times, a.duration, " s");
  if (!a.output_times.empty() && a.output_step > 0)
    here["output_times"].fail("output_step = " + number_text(a.output_step) +
                              " s says when outputs are due, too; remove one of the keys");
  if (a.smallest_step > a.step)
    here["smallest_step"].fail("this is " + number_text(a.smallest_step) +
                               " s, but it must not exceed step = " + number_text(a.step) + " s; give both");
  if (a.largest_step > 0 && a.largest_step < a.smallest_step)
    here["largest_step"].fail("this is " + number_text(a.largest_step) +
                              " s, but it must be at least smallest_step = " + number_text(a.smallest_step) +
                              " s; 0 leaves it open");
  check_solver(here, a.solver, a.ordering);
  check_krylov(here, a);
  if (a.duration / a.step > most_steps)
    here["step"].fail("this is " + number_text(a.step) + " s, which makes " + short_text(a.duration / a.step) +
                      " steps of a duration of " + number_text(a.duration) + " s; at most " + short_text(most_steps) +
                      " are allowed: give a larger step or a shorter duration");
  if (a.fields_every > 1 && a.fields_step > 0)
    here["fields_step"].fail("this is " + number_text(a.fields_step) + " s, but fields_every = " +
                             std::to_string(a.fields_every) + " is given, too; give one of them");
  if (a.step > a.duration)
    here["step"].fail("this is " + number_text(a.step) +
                      " s, longer than the run: duration = " + number_text(a.duration) + " s; give a smaller step");
}

// A free model has modes, but nothing holds it where its loads act.
void check_analysis(const Spot&, const ModesAnalysis&) {}
void check_analysis(const Spot& here, const BucklingAnalysis&) {
  check_stiffness_that_stays(here);
  if (here.model().loads.size() == 0)
    here.fail("buckling multiplies the constant loads of the model, which has none; add some under 'loads'");
}

}  // namespace

namespace {

// `static` after `static` goes on along its own time with what is constant acting in full.
void check_order(const Spot& here, const Stages& stages, std::size_t i) {
  const auto* statics = std::get_if<StaticAnalysis>(&stages[i]);
  if (!statics) return;
  const std::size_t moving = first_dynamic(stages);
  if (moving < i)
    here.fail("a static stage cannot follow a dynamic one (" + stage_text(stages, moving) +
              "): an equilibrium has no velocities, so the motion would be lost; put static stages first, or let a "
              "dynamic stage with damping come to rest");
  if (statics->method == StaticMethod::arc_length && i > first_moving_on(stages))
    here["method"].fail(
        "arc_length lets all loads grow from zero, but after another stage they act in full; use it in the first stage "
        "alone, and newton here");
}

void check_names_of_stages(const Spot& here, const Stages& stages) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string name = stage_name(stages, i);
    const Spot spot = here[i]["name"];
    check_name(spot, name);
    if (name.find_first_not_of("0123456789") == std::string::npos)
      spot.fail("the name '" + name + "' is a number, which would be taken for the number of a stage; add a letter");
    for (std::size_t k = 0; k < i; ++k)
      if (stage_name(stages, k) == name)
        spot.fail("the name '" + name + "' is used twice, by stages " + std::to_string(k + 1) + " and " +
                  std::to_string(i + 1) + "; names must be unique (the default ones are stage1, stage2, ...)");
  }
}

// What all stages share is said once, or alike.
void check_shared(const Spot& here, const Stages& stages) {
  std::size_t threaded = stages.size(), fielded = stages.size();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (const int said = threads(stages[i]); said > 0) {
      if (threaded < i && threads(stages[threaded]) != said)
        here[i]["threads"].fail("this is " + std::to_string(said) + ", but " + stage_text(stages, threaded) + " has " +
                                std::to_string(threads(stages[threaded])) +
                                "; the stages of a run share their threads: give the number once");
      threaded = std::min(threaded, i);
    }
    if (const Fields& said = fields_of(stages[i])) {
      for (const RecordedField field : {RecordedField::position, RecordedField::velocity, RecordedField::stress})
        if (fielded < i && records(stages, field) != (std::ranges::find(*said, field) != said->end()))
          here[i]["fields"].fail("these are not those of " + stage_text(stages, fielded) +
                                 "; the stages of a run record the same fields: give them once");
      fielded = std::min(fielded, i);
    }
  }
}

}  // namespace

void check(const Spot& here, const Stages& stages) {
  if (stages.size() == 0)
    here.fail("the list of stages is empty; give at least one, such as {type: static} or {type: dynamic, duration: 1}");
  const bool list = stages.size() > 1;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Spot spot = list ? here[i] : here;
    check_order(spot, stages, i);
    std::visit([&](const auto& a) { check_analysis(spot, a); }, stages[i]);
  }
  if (!list) return;
  check_names_of_stages(here, stages);
  check_shared(here, stages);
}

}  // namespace lithe

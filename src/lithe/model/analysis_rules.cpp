// What an analysis must hold beyond the limits of its single fields, beside the model and beside other stages.
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "lithe/base/describe.h"
#include "lithe/contact/contact_solver.h"
#include "lithe/linalg/linear_solver.h"
#include "lithe/model/analysis.h"
#include "lithe/model/spot.h"

namespace lithe {

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

// Keys that the rest of `krylov` leaves without a reader.
void check_unread(const Spot& here, const std::string& solver, const KrylovOptions& k) {
  const KrylovOptions usual;
  const auto warn = [&](const char* key, bool said, bool read, const std::string& reader, const std::string& instead) {
    if (said && !read) here[key].warn("nothing reads this: it is for '" + reader + "', and here it is " + instead);
  };
  const std::string preconditioner = word(k.preconditioner), update = word(k.update);
  const bool spike = k.preconditioner == PreconditionerKind::spike;
  const auto of_spike = [&](const char* key, bool said) {
    warn(key, said, spike, "preconditioner: spike", preconditioner);
  };
  warn("factor", k.factor != usual.factor, k.preconditioner == PreconditionerKind::factor, "preconditioner: factor",
       preconditioner);
  warn("restart", k.restart != usual.restart, solver == "gmres", "solver: gmres", solver);
  warn("update_every", k.update_every != usual.update_every, k.update == PreconditionerUpdate::uniform,
       "update: uniform", update);
  warn("update_above", k.update_above != usual.update_above, k.update == PreconditionerUpdate::threshold,
       "update: threshold", update);
  of_spike("precision", k.precision != usual.precision);
  of_spike("partitions", k.partitions != usual.partitions);
  of_spike("keep", k.keep != usual.keep);
  of_spike("truncate", k.truncate != usual.truncate);
  of_spike("second_stage", k.second_stage != usual.second_stage);
  of_spike("ordering", k.ordering != usual.ordering);
  of_spike("matching", k.matching != usual.matching);
}

// What iterates, and what is said about that.
void check_krylov(const Spot& here, const DynamicAnalysis& a) {
  const bool iterative = a.solver != "auto" && find_linear_solver(a.solver).iterative;
  const bool half_steps = a.integrator == Integrator::half_step || needs_half_steps(here.model());
  if (iterative && half_steps)
    here["solver"].fail("this is " + a.solver +
                        ", but half_step has direct solvers alone; remove this key, or take 'auto'");
  if (iterative) check_unread(here["krylov"], a.solver, a.krylov);
  if (iterative || a.krylov == KrylovOptions{}) return;
  if (half_steps) here["krylov"].fail("half_step has direct solvers alone; remove this key");
  here["krylov"].fail("the solver is " + a.solver +
                      (a.solver == "auto" ? ", which chooses these itself" : ", which does not iterate") +
                      "; remove this key, or name an iterative solver such as cg or gmres");
}

// What goes by half steps alone, and what to do where the analysis is another one.
void check_half_steps(const Spot& here, const char* what, const char* instead) {
  if (const std::optional<HalfStepNeed> need = needs_half_steps(here.model()))
    here.fail(need->what + ", which " + what + "; " + need->otherwise + ", or " + instead);
}

// Penalty contacts are forces within Newton's iteration.
void check_penalty_contacts(const Spot& here, const char* what, const char* instead) {
  if (const std::string* contact = first_contact(here.model(), ContactLaw::penalty))
    here.fail("contact '" + *contact + "' is penalty, which " + what + "; " + instead);
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
  if (a.method == StaticMethod::arc_length)
    check_penalty_contacts(here["method"], "arc_length does not have", "use 'method: newton'");
  if (a.on_instability != OnInstability::warn)
    check_penalty_contacts(here["on_instability"], "is not part of what is judged there",
                           "remove this key, or let it come to rest by 'type: dynamic'");
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
  if (a.integrator == Integrator::half_step || needs_half_steps(here.model()))
    check_penalty_contacts(here["integrator"], "half steps do not have",
                           "set 'law: nonsmooth' there, or take another integrator and 'kinematics: TL'");
  if (a.control == StepControl::error && (a.integrator == Integrator::half_step || needs_half_steps(here.model())))
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
  here["contact"]["solver"].guard([&] { (void)make_contact_solver(a.contact.solver); });
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
void check_analysis(const Spot& here, const ModesAnalysis&) {
  check_penalty_contacts(here, "modes do not see", "remove that contact, or hold what it holds by a joint or a spring");
  if (const std::string* contact = first_contact(here.model(), ContactLaw::nonsmooth))
    here.warn("contact '" + *contact +
              "' is not seen by modes, in which nothing touches; hold what it holds by a joint or a spring");
}
void check_analysis(const Spot& here, const BucklingAnalysis&) {
  check_penalty_contacts(here, "buckling does not see",
                         "remove that contact, or hold what it holds by a joint or a spring");
  check_stiffness_that_stays(here);
  if (here.model().loads.size() == 0)
    here.fail("buckling multiplies the constant loads of the model, which has none; add some under 'loads'");
}

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
      for (const RecordedField field :
           {RecordedField::position, RecordedField::velocity, RecordedField::stress, RecordedField::contact})
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

#include "lithe/model/analysis.h"

#include "lithe/base/describe.h"

namespace lithe {

LITHE_DESCRIBE(StaticAnalysis, "static", "nonlinear equilibrium by load steps or arc length") {
  visit("method", &StaticAnalysis::method, Field{.help = "newton (load steps) or arc_length (passes limit points)"});
  visit("duration", &StaticAnalysis::duration,
        Field{.help = "time of the full load; tables and expressions run over it", .unit = "s", .allowed = positive});
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
        Field{.help = "of an equilibrium: warn, error (the run ends there), or perturb (disturb it by 1e-3 of the size of "
                      "the model along its most unstable mode and follow it to a stable one)"});
  visit("largest_steps", &StaticAnalysis::largest_steps,
        Field{.help = "the run ends after so many load steps", .allowed = positive});
  visit("threads", &StaticAnalysis::threads, Field{.help = "0: all cores", .allowed = thread_count});
}

LITHE_DESCRIBE(DynamicAnalysis, "dynamic", "motion in time by an implicit integrator") {
  visit("duration", &DynamicAnalysis::duration, Field{.help = "length of the run", .unit = "s", .allowed = positive});
  visit("step", &DynamicAnalysis::step,
        Field{.help = "time step, the first one under control error", .unit = "s", .allowed = positive});
  visit("integrator", &DynamicAnalysis::integrator,
        Field{.help = "hht, newmark, generalized_alpha, trapezoidal (with projections, P4) or backward_euler"});
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
        Field{.help = "Newton's correction: weighted RMS, positions over the size of the model; default: a small share of "
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
  visit("projection", &DynamicAnalysis::projection,
        Field{.help = "of velocities and accelerations onto the constraints; default: where the scheme would keep errors of "
                      "accelerations across them (trapezoidal, newmark with beta 1/4, spectral_radius 1)"});
  visit("output_step", &DynamicAnalysis::output_step,
        Field{.help = "time between outputs; 0: every step", .unit = "s", .allowed = not_negative});
  visit("checkpoint_step", &DynamicAnalysis::checkpoint_step,
        Field{.help = "time between checkpoints; 0: none", .unit = "s", .allowed = not_negative});
  visit("threads", &DynamicAnalysis::threads, Field{.help = "0: all cores", .allowed = thread_count});
}

}  // namespace lithe

#include "lithe/dynamics/stepper.h"

#include <fmt/format.h>

#include "lithe/dynamics/half_step_stepper.h"
#include "lithe/dynamics/implicit_stepper.h"

namespace lithe {

std::string StepReport::text() const {
  switch (reason) {
    case Reason::converged:
      return "converged";
    case Reason::too_many_iterations:
      return fmt::format("Newton did not converge in {} iterations", iterations);
    case Reason::diverged:
      return fmt::format("Newton diverged after {} iterations", iterations);
    case Reason::not_finite:
      return "the forces are not finite";
    case Reason::singular:
      return "the matrix of the step is singular";
    case Reason::inaccurate:
      return fmt::format("the error of the step is {:.2g} times the tolerance", error);
    case Reason::no_rotation:
      return "a body cannot turn as it should";
    case Reason::unmet_rows:
      return "constraints cannot be met";
    case Reason::no_contact_forces:
      return "no contact forces were found (" + worst + ")";
  }
  return "";
}

Integrator integrator_of(const System& system, const DynamicAnalysis& options) {
  return options.integrator.value_or(goes_by_half_steps(system.model) ? Integrator::half_step : Integrator::hht);
}

std::unique_ptr<Stepper> make_stepper(const System& system, const DynamicAnalysis& options, Workspace& work) {
  if (integrator_of(system, options) == Integrator::half_step)
    return std::make_unique<HalfStepStepper>(system, options, work);
  return std::make_unique<ImplicitStepper>(system, options, work);
}

}  // namespace lithe

#include "lithe/contact/contact_solver.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/base/error.h"
#include "lithe/contact/cone.h"
#include "lithe/contact/islands.h"

namespace lithe {

namespace {

template <IslandSolver::Make make>
std::unique_ptr<ContactSolver> with_islands(const std::string& name, Team* team) {
  return std::make_unique<IslandSolver>(name, make, team);
}

const char* reason_text(ContactReport::Reason reason) {
  using enum ContactReport::Reason;
  switch (reason) {
    case done:
      return "converged";
    case not_converged:
      return "did not converge";
    case stagnated:
      return "gained nothing any more";
    case not_finite:
      return "met a number that is not finite";
    case singular:
      return "met a matrix that could not be factored";
  }
  return "";
}

}  // namespace

std::string ContactReport::text() const {
  if (reason == Reason::not_finite) return solver + " " + reason_text(reason);
  const std::string before = fallbacks > 0 ? fmt::format(", after {} that failed", fallbacks) : "";
  const std::string at = worst >= 0 ? fmt::format(", worst at contact {}", worst) : "";
  return fmt::format("{} {} in {} iteration{}{}: {:.1e} m/s, {:.1e} N s are left{}", solver, reason_text(reason),
                     iterations, iterations == 1 ? "" : "s", before, residual, impulse_residual, at);
}

// `auto` first.
const std::vector<ContactSolverInfo>& contact_solvers() {
  static const std::vector<ContactSolverInfo> list{
      {"auto", "nsgs; where that crawls newton, then interior, then admm", with_islands<make_auto_contact>},
      {"nsgs", "Gauss-Seidel with exact local solves: hardly ever fails, slow to tight tolerances",
       with_islands<make_nsgs>},
      {"newton", "semismooth Newton on Alart and Curnier's function: exact, up to some thousand contacts",
       with_islands<make_contact_newton>},
      {"admm", "alternating directions over one factorisation: great mass ratios, stiff bodies",
       with_islands<make_contact_admm>},
      {"interior", "interior point: redundant points and great mass ratios in some tens of factorisations",
       with_islands<make_contact_interior>},
      {"apgd", "accelerated projected gradients, products with W alone: many contacts, loose tolerances",
       with_islands<make_apgd>},
  };
  return list;
}

std::unique_ptr<ContactSolver> make_contact_solver(const std::string& name, Team* team) {
  std::vector<std::string> names;
  for (const ContactSolverInfo& info : contact_solvers()) {
    if (info.name == name) return info.make(name, team);
    names.push_back(info.name);
  }
  throw InputError("contact solver '" + name + "' is not known" + suggestion(name, names));
}

ContactReport judge(const ContactProblem& problem, const std::vector<double>& R, std::vector<double>& U) {
  std::vector<double> size(problem.count());
  for (int k = 0; k < problem.count(); ++k) size[k] = std::max(0.0, largest_eigenvalue(diagonal_block(problem, k)));
  const ContactIsland all{problem, size};
  contact_velocities(all, R, U);
  ContactReport report;
  measure_residual(all, R, U, report);
  return report;
}

}  // namespace lithe

// Who solves: the ladder of a run, and another one where iterations are less work or contacts have another pattern.
#include "lithe/dynamics/linear_system.h"

namespace lithe {

// At the first matrix of a step, and back to factors where iterations have become more work than they.
void LinearSystem::choose_way(const std::vector<double>& values) {
  if (way_ == Way::iterations && ladder_.report().most_iterations > trial_.most) {
    way_ = Way::factors;
    change_ladder(options_);
    return;
  }
  if (way_ != Way::open || c_a_ == 0 || c_q_ == 0) return;
  way_ = Way::factors;
  const bool penalised = !system_.rows.empty() && !system_.has_multipliers();
  if (penalised) return;
  const bool pivots = multipliers(system_) > 0 && ladder_.report().rungs[0].solver != "components";
  trial_ = lithe::try_iterative(pattern(), matrix_kind(system_), multipliers(system_), values, ladder_.expected(),
                                pivots, options_.team);
  if (trial_.pays) iterate(trial_.solver, trial_.why);
}

void LinearSystem::iterate(const std::string& solver, const std::string& why) {
  LadderOptions options = options_;
  options.solver = solver;
  options.why = why;
  options.ordering = "auto";
  change_ladder(options);
  way_ = Way::iterations;
}

void LinearSystem::change_ladder(const LadderOptions& options) {
  const LinearReport before = ladder_.report();
  ladder_options_ = options;
  ladder_ = SolverLadder(pattern(), matrix_kind(system_), options);
  ladder_.go_on_from(before);
}

void LinearSystem::spread_mass() {
  if (!wants_mass_) return;
  if (model_.contact) model_.contact->pattern().spread(own_mass_, mass_);
  else mass_ = own_mass_;
}

// The set of contacts has outgrown the pattern, or was made again from a State: analysed anew.
void LinearSystem::follow_pattern() {
  if (!model_.contact || contact_pattern_ == model_.contact->pattern().pattern()) return;
  const std::shared_ptr<const SparsePattern> before = contact_pattern_;  // until the ladder lets go of it
  contact_pattern_ = model_.contact->pattern().pattern();
  if (!own_mass_.empty()) spread_mass();
  change_ladder(ladder_options_);
}

}  // namespace lithe

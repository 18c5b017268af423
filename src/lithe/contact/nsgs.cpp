#include "lithe/contact/nsgs.h"

#include <algorithm>
#include <limits>

namespace lithe {

namespace {

constexpr int enough_sweeps = 20000;
// Where so many sweeps, and half of all, have not brought the change of a sweep down by a tenth, none will.
constexpr int nsgs_patience = 2000;
constexpr double quiet_share = 0.2;  // of a change that is small: what neighbours need not be told

}  // namespace

void Nsgs::begin(const ContactIsland& island, const ContactGoal& goal, const std::vector<double>& R) {
  sweeps_.prepare(island);
  tolerance_ = small_ = goal.tolerance;
  sweeps_.begin(island, R, quiet_share * small_);
  best_ = std::numeric_limits<double>::infinity();
  used_ = best_at_ = 0;
}

ContactReport Nsgs::go_on(const ContactIsland& island, int sweeps, std::vector<double>& R, std::vector<double>& U) {
  using enum ContactReport::Reason;
  ContactReport report;
  report.solver = "nsgs";
  report.reason = not_converged;
  for (const int last = used_ + sweeps; used_ < last;) {
    const double change = sweeps_.sweep_on(island, R);
    report.iterations = ++used_;
    if (change < 0.9 * best_) {
      best_ = change;
      best_at_ = used_;
    }
    const bool stands = used_ - best_at_ > std::max(nsgs_patience, used_ / 2);
    if (change > small_ && !stands) continue;
    contact_velocities(island, R, U);
    measure_residual(island, R, U, report);
    if (report.residual <= tolerance_) report.reason = done;
    else if (stands || (change == 0 && small_ < 1e-6 * tolerance_)) report.reason = stagnated;
    if (report.reason != not_converged) return report;
    small_ *= 0.5;
    sweeps_.wake(quiet_share * small_);
  }
  contact_velocities(island, R, U);
  measure_residual(island, R, U, report);
  if (report.residual <= tolerance_) report.reason = done;
  report.iterations = used_;
  return report;
}

ContactReport Nsgs::solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                          std::vector<double>& U) {
  begin(island, goal, R);
  return go_on(island, goal.most(enough_sweeps), R, U);
}

std::unique_ptr<ContactMethod> make_nsgs() { return std::make_unique<Nsgs>(); }

}  // namespace lithe

// Gauss-Seidel until the natural map is small. The change of a sweep is measured as it goes; where it has become small
// the velocities of the whole island are made and the natural map decides.
#include <algorithm>
#include <limits>

#include "lithe/contact/gauss_seidel.h"

namespace lithe {

namespace {

constexpr int enough_sweeps = 20000;
// Where so many sweeps, and half of all, have not brought the change of a sweep down by a tenth, none will.
constexpr int nsgs_patience = 2000;

class Nsgs final : public ContactMethod {
 public:
  ContactReport solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                      std::vector<double>& U) override {
    using enum ContactReport::Reason;
    sweeps_.prepare(island);
    ContactReport report;
    report.solver = "nsgs";
    report.reason = not_converged;
    double small = goal.tolerance, best = std::numeric_limits<double>::infinity();
    int best_at = 0;
    const int most = goal.most(enough_sweeps);
    while (report.iterations < most) {
      const double change = sweeps_.sweep(island, R);
      ++report.iterations;
      if (change < 0.9 * best) {
        best = change;
        best_at = report.iterations;
      }
      const bool stands = report.iterations - best_at > std::max(nsgs_patience, report.iterations / 2);
      if (change > small && !stands) continue;
      contact_velocities(island, R, U);
      measure_residual(island, R, U, report);
      if (report.residual <= goal.tolerance) report.reason = done;
      else if (stands || change == 0) report.reason = stagnated;
      if (report.reason != not_converged) return report;
      small *= 0.5;
    }
    contact_velocities(island, R, U);
    measure_residual(island, R, U, report);
    if (report.residual <= goal.tolerance) report.reason = done;
    return report;
  }

 private:
  GaussSeidel sweeps_;
};

}  // namespace

std::unique_ptr<ContactMethod> make_nsgs() { return std::make_unique<Nsgs>(); }

}  // namespace lithe

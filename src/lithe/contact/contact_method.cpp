#include "lithe/contact/contact_method.h"

#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/contact/cone.h"

namespace lithe {

const double* diagonal_block(const ContactProblem& problem, int k) {
  const auto row = problem.column.begin() + problem.row_start[k],
             end = problem.column.begin() + problem.row_start[k + 1];
  const auto place = std::lower_bound(row, end, k);
  LITHE_INVARIANT(place != end && *place == k);
  return &problem.W[9 * static_cast<std::size_t>(place - problem.column.begin())];
}

void contact_velocities(const ContactIsland& island, const std::vector<double>& R, std::vector<double>& U) {
  U.resize(R.size());
  over_contacts(island.team, island.count(), [&](int first, int last) {
    for (int k = first; k < last; ++k) set_contact_vector(U, k, contact_velocity(island.problem, k, R.data()));
  });
}

void measure_residual(const ContactIsland& island, const std::vector<double>& R, const std::vector<double>& U,
                      ContactReport& report) {
  report.residual = report.impulse_residual = 0;
  report.worst = -1;
  for (int k = 0; k < island.count(); ++k) {
    const double w = island.size[k],
                 e = norm(natural_map(island.problem.cone(k), w, contact_vector(R, k), contact_vector(U, k)));
    if (!std::isfinite(e)) {
      report.reason = ContactReport::Reason::not_finite;
      report.residual = report.impulse_residual = std::numeric_limits<double>::infinity();
      report.worst = k;
      return;
    }
    if (w > 0) report.impulse_residual = std::max(report.impulse_residual, e / w);
    if (e <= report.residual && report.worst >= 0) continue;
    report.residual = e;
    report.worst = k;
  }
}

}  // namespace lithe

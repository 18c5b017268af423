#include "lithe/dynamics/step_watch.h"

#include <algorithm>
#include <cmath>

#include "lithe/dynamics/timed.h"

namespace lithe {

namespace {

// Steps over which an imbalance of energies must stay to count.
constexpr int passing_steps = 8;
// Share of the inertia, along the accelerations, that damping forces balance where a jolt is one of damping.
constexpr double mostly = 0.5;

}  // namespace

double StepWatch::own_error(double h) {
  StepData& d = data_;
  const Scheme& s = d.scheme;
  d.place.combine({{h * h * (s.error_h2 + s.first_h2), d.now.a}, {-h * h * s.error_h2, d.begin.a}}, d.scratch);
  const double count = static_cast<double>(std::max<std::size_t>(1, d.scratch.size()));
  return std::sqrt(d.place.dot(d.scratch, d.scratch, &d.coordinate_correction_weight) / count);
}

// M w + F + G^T lambda = 0 along w: what holds the model has no part in that.
bool StepWatch::damping_rules() {
  StepData& d = data_;
  const Array& w = d.begin.w;
  d.place.copy(d.model.internal, d.room_v);
  d.model.forces_at_rest(d.last_time, d.begin.q, d.now.scalars().slots);
  d.place.combine({{1, d.model.internal}, {-1, d.last_internal}}, d.scratch);
  d.place.copy(d.room_v, d.model.internal);
  d.model.mass_product(w, d.inertia);
  const Product products[] = {{nullptr, w, d.scratch}, {nullptr, w, d.inertia}};
  double sums[2];
  d.place.dots(products, sums);
  return sums[0] > mostly * sums[1];
}

void StepWatch::start() {
  EnergyBalance& energy = data_.now.scalars().energy;
  energy = {};
  energy.kinetic_start = energy.kinetic = data_.kinetic_energy();
  if (data_.model.contact) energy.stored = energy.stored_start = data_.model.contact->stored();
  energy.measure();
}

void StepWatch::energy(double h) {
  StepData& d = data_;
  const Timed timed(d.phases.watch);
  EnergyBalance& energy = d.now.scalars().energy;
  d.evaluate_reactions();
  const Array& dq = d.scratch;
  const Term difference[] = {{1, d.now.q}, {-1, d.begin.q}};
  const Product products[] = {{nullptr, dq, d.model.internal},
                              {nullptr, dq, d.last_internal},
                              {nullptr, dq, d.model.external},
                              {nullptr, dq, d.last_external}};
  double sums[4];
  d.chain.run({{.terms = difference, .y = &d.scratch}, {.products = products, .sums = sums}});
  energy.internal += 0.5 * (sums[0] + sums[1]);
  energy.applied += 0.5 * (sums[2] + sums[3]);
  double drives = 0;
  if (!d.reaction.empty()) drives += d.place.dot(dq, d.reaction) + d.place.dot(dq, d.last_reaction);
  if (d.targets_move) {
    for (int r = 0; r < d.system.row_count(); ++r) d.row_room[r] = d.target(r, d.now.t()) - d.last_targets[r];
    d.place.upload(d.row_room, d.rates);
    drives -= d.place.dot(d.rates, d.now.lambda) + d.place.dot(d.rates, d.begin.lambda);
  }
  energy.drives += 0.5 * drives;
  energy.kinetic = d.kinetic_energy();
  energy.measure();
  // After a jolt schemes with weights need some steps to have velocities that fit their forces again.
  const double off = energy.off(), made = energy.made_by_contacts();
  energy.lowest = energy.few == 0 || std::abs(off) < std::abs(energy.lowest) ? off : energy.lowest;
  energy.least_made = energy.few == 0 ? made : std::min(energy.least_made, made);
  if (++energy.few == passing_steps) {
    energy.note(energy.lowest, energy.least_made, d.now.t());
    energy.few = 0;
  }
  energy.largest_turn = std::max(energy.largest_turn, h * d.model.largest_turn(d.now));
}

}  // namespace lithe

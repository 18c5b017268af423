#include "lithe/dynamics/step_data.h"

#include <cmath>

namespace lithe {

StepData::StepData(const System& s, const DynamicAnalysis& o, Workspace& work)
    : system(s),
      options(o),
      model(s, work, *work.place),
      place(model.place),
      chain(place, *work.team),
      linear(model, {.solver = o.solver, .ordering = o.ordering, .krylov = o.krylov}, phases),
      chosen(scheme_of(o)),
      projects(!s.rows.empty() && o.projection.value_or(chosen.needs_projection())),
      scheme(chosen),
      policy(o.tangent_policy),
      now(place) {
  for (Array* x : {&begin.q, &begin.v, &begin.w, &begin.a, &begin.scheme_v, &last_internal, &last_external, &inertia,
                   &scratch, &room_v, &point_q, &point_v})
    *x = model.coordinate_array();
  if (!s.map.driven.empty())
    for (Array* x : {&reaction, &last_reaction}) *x = model.coordinate_array();
  for (Array* x : {&force, &residual, &last_force, &dz}) *x = model.unknown_array();
  for (Array* x : {&begin.lambda, &d_lambda, &rates, &row_rounding, &point_lambda}) *x = model.row_array();
  last_targets.assign(s.rows.size(), 0.0);
  row_room.assign(s.rows.size(), 0.0);
  for (int r = 0; r < s.row_count(); ++r) {
    targets_move = targets_move || !s.rows.target[r].is_constant();
    row_room[r] = rounding * std::abs(s.rows.constant[r]);
  }
  if (!s.rows.empty()) place.upload(row_room, row_rounding);
  const NormWeights weights(s);
  const auto bring = [&](const std::vector<double>& from, Array& to) {
    to = Array(place, from.size());
    if (!from.empty()) place.upload(squares(from), to);
  };
  bring(weights.force, force_weight);
  bring(weights.correction, correction_weight);
  bring(weights.coordinate_force, coordinate_force_weight);
  bring(weights.coordinate_correction, coordinate_correction_weight);
  linear.measure_mass();
  linear.try_iterative();
}

double StepData::kinetic_energy() {
  model.mass_product(now.v, inertia);
  return 0.5 * place.dot(now.v, inertia);
}

void StepData::evaluate_reactions() {
  if (reaction.empty()) return;
  model.mass_product(now.a, reaction);
  place.combine({{1, model.internal}, {-1, model.external}, {1, reaction}}, reaction);
  model.add_row_forces(now, reaction);
}

void StepData::keep_forces() {
  last_force.swap(force);
  place.copy(model.internal, last_internal);
  place.copy(model.external, last_external);
  last_reaction.swap(reaction);
  if (targets_move) measure_targets();
  have_last = true;
  last_time = now.t();
}

void StepData::measure_targets() {
  for (int r = 0; r < system.row_count(); ++r) {
    last_targets[r] = target(r, now.t());
    row_room[r] = rounding * (std::abs(system.rows.constant[r]) + std::abs(last_targets[r]));
  }
  place.upload(row_room, row_rounding);
}

double StepData::target(int row, double t) const {
  const Signal& s = system.rows.target[row];
  return s.is_constant() ? 0 : s(t);
}

void StepData::follow_accelerations(double t, Array& a) {
  if (!system.map.follows_time()) return;
  place.copy(begin.q, scratch);
  place.copy(begin.v, room_v);
  model.follow(t, t, scratch, room_v, a);
}

}  // namespace lithe

#include "lithe/system/section_forces.h"

#include "lithe/system/mapped_bodies.h"
#include "lithe/system/outputs.h"
#include "lithe/system/temperature.h"

namespace lithe {

namespace {

// N = EA (eps + tau eps') |u| - what heat takes off, M = EI |n + tau c| (cable.h).
std::vector<double> cable_forces(const CableBatch& cable, double length, double xi, const double* e, const double* v,
                                 double heat) {
  double S1[Cable::N], S2[Cable::N];
  Cable::shape_first(xi, S1);
  Cable::shape_second(xi, S2);
  const double half = 0.5 * length;
  for (int i = 0; i < Cable::N; ++i) {
    S1[i] /= i % 2 == 0 ? half : 1;
    S2[i] /= i % 2 == 0 ? half * half : half;
  }
  const Vec3<double> u = cable_field(S1, e), w = cable_field(S2, e), ud = cable_field(S1, v);
  const double s = dot(u, u);
  const CurvatureRate<double> rate(u, w, ud, cable_field(S2, v));
  const Vec3<double> n = (1 / s) * (w - (dot(u, w) / s) * u);
  return {(cable.EA * (0.5 * (s - 1) + cable.tau * dot(u, ud)) - heat) * norm(u),
          cable.EI * norm(n + cable.tau * rate.c)};
}

}  // namespace

SectionForceColumns section_force_columns(ElementKind kind) {
  if (!kind->volume) return {{"N", "M"}, {"N", "N m"}};
  if (kind->dimension == 1) return {{"N", "Q_y", "Q_z", "M_x", "M_y", "M_z"}, {"N", "N", "N", "N m", "N m", "N m"}};
  return {{"N11", "N22", "N12", "M11", "M22", "M12", "Q13", "Q23"}, {"N/m", "N/m", "N/m", "N", "N", "N", "N/m", "N/m"}};
}

std::vector<double> section_forces(const System& system, const State& reached, int b, const MaterialPoint& point) {
  State room;
  const State& state = strained_state(system, reached, b, room);
  const BodyInfo& body = system.bodies[b];
  const Batch& batch = system.batches[body.batch];
  const int element = body.first_element + point.element;
  double e[3 * most_vectors], v[3 * most_vectors], heat[8] = {};
  gather_element(state.q, body, point.element, e);
  gather_element(state.v, body, point.element, v);
  add_thermal_resultants(system, state, b, point.element, heat);
  if (!body.kind->volume) return cable_forces(batch.cable, batch.cable.length[element], point.xi[0], e, v, heat[0]);
  const SectionForm& form = *body.kind->section_form;
  const int n = form.strains;
  double strain[8], rate[8];
  form.generalised(batch.continuum, element, point.xi.data(), e, nullptr, strain);
  form.generalised(batch.continuum, element, point.xi.data(), e, v, rate);
  std::vector<double> force(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    force[i] = -heat[i];
    for (const SectionLaw& law : batch.continuum.section)
      for (int j = 0; j < n; ++j)
        force[i] += law.of(element)[static_cast<std::size_t>(n) * i + j] * (strain[j] + law.tau * rate[j]);
  }
  return force;
}

}  // namespace lithe

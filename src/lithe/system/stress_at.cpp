// Strain and stress at material points, along which axes anyone likes.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/base/interrupt.h"
#include "lithe/constraints/frame.h"
#include "lithe/elements/continuum_plain.h"
#include "lithe/model/section_shape.h"
#include "lithe/model/spot.h"
#include "lithe/system/laws.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/outputs.h"
#include "lithe/system/point_stress.h"
#include "lithe/system/temperature.h"

namespace lithe {

namespace {

// Voigt components along axes that are turned about the third one.
void turn_strain(double angle, double* E) {
  if (angle == 0) return;
  const double c = std::cos(angle), s = std::sin(angle), E1 = E[0], E2 = E[1], G = E[5], g23 = E[3], g13 = E[4];
  E[0] = c * c * E1 + s * s * E2 + c * s * G;
  E[1] = s * s * E1 + c * c * E2 - c * s * G;
  E[5] = 2 * c * s * (E2 - E1) + (c * c - s * s) * G;
  E[3] = c * g23 - s * g13;
  E[4] = c * g13 + s * g23;
}

// X of a symmetric tensor R X R^T; `shear` of the components beside the diagonal is in the six numbers.
void turn(const Mat3<double>& R, double shear, double* six) {
  static constexpr int at[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  Mat3<double> X;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) X[i][j] = six[at[i][j]] / (i == j ? 1 : shear);
  const Mat3<double> Y = R * X * transpose(R);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) six[at[i][j]] = Y[i][j] * (i == j ? 1 : shear);
}

// A material point and what became of it: R are the material's axes in the reference configuration.
struct PointShape {
  double e[3 * most_vectors], v[3 * most_vectors];
  Mat3<double> R, F, rate;

  PointShape(const System& system, const State& state, int b, const MaterialPoint& point) {
    const BodyInfo& body = system.bodies[b];
    const Vec3<double> half = body.half_size(point.element);
    double dS[3 * most_vectors];
    gather_element(state.q, body, point.element, e);
    gather_element(state.v, body, point.element, v);
    shape_derivatives(body.kind, point.xi.data(), dS);
    const PointMap map = map_point(system.batches[body.batch].continuum, body.first_element + point.element, dS, 1,
                                   slice_at(body.slices, point.xi[2]).angle);
    R = map.R;
    F = deformation_gradient(body.kind, dS, half.a, map.B, e);
    rate = deformation_gradient(body.kind, dS, half.a, map.B, v);
  }
};

// Green's strain and its rate, Voigt.
void green_strain(const Mat3<double>& F, const Mat3<double>& rate, double* E, double* E_rate) {
  Mat3<double> half;
  for (int m = 0; m < 3; ++m)
    for (int a = 0; a < 3; ++a) half[m][a] = 0.5 * F[m][a];
  strain(F, half, E);
  strain(F, rate, E_rate);
  for (int k = 0; k < 3; ++k) E_rate[k] += 0.5;  // strain() takes that of rest away
}

}  // namespace

PointStress stress_at(const System& system, const State& state, int b, const MaterialPoint& point) {
  State room;
  return stress_of_strained(system, strained_state(system, state, b, room), b, point);
}

PointStress stress_of_strained(const System& system, const State& state, int b, const MaterialPoint& point) {
  const BodyInfo& body = system.bodies[b];
  if (!has_nodal_stress(body.kind))
    throw InputError("body '" + body.name + "': " + article(body.kind->name) +
                     " has no stress at a point; ask for its strain energy");
  const Batch& batch = system.batches[body.batch];
  const Slice& slice = slice_at(body.slices, point.xi[2]);
  // A beam's law has two parts, over the section and on the axis; a point feels their sum.
  const bool by_section = batch.continuum.formulation == Formulation::section;
  const Law law = by_section             ? thin_law(body.kind, slice)
                  : body.kind->split_law ? sum(batch.continuum.laws[0], batch.continuum.laws[1])
                                         : material_law(slice.material);
  const PointShape at(system, state, b, point);
  const double change = temperature_change(system, state, b, point);
  if (!by_section && change == 0) return point_stress(law, at.F, at.rate);
  double E[6], E_rate[6];
  if (by_section) {
    body.kind->section_form->strain(batch.continuum, body.first_element + point.element, point.xi.data(), at.e, at.v, E,
                                    E_rate);
    turn_strain(slice.angle, E);
    turn_strain(slice.angle, E_rate);
  } else {
    green_strain(at.F, at.rate, E, E_rate);
  }
  if (change == 0) return point_stress(law, E, E_rate, at.F);
  const std::array<double, 3> expansion = material_expansion(slice.material);
  double elastic[6];
  for (int k = 0; k < 6; ++k) elastic[k] = E[k] - (k < 3 ? expansion[k] * change : 0);
  PointStress s = point_stress(law, elastic, E_rate, at.F);
  std::copy(E, E + 6, s.green_lagrange);
  return s;
}

void turn_stress(const System& system, const State& state, int body, const MaterialPoint& point, StressAxes axes,
                 PointStress& s) {
  State room;
  const PointShape at(system, strained_state(system, state, body, room), body, point);
  if (axes == StressAxes::global) {
    turn(at.R, 2, s.green_lagrange);
    turn(at.R, 1, s.second_piola);
    return;
  }
  Vec3<double> x[3], e[3];
  for (int k = 0; k < 3; ++k) x[k] = column(at.F, k);
  frame_axes(FrameRule::polar, x, e);
  Mat3<double> back;
  for (int k = 0; k < 3; ++k)
    for (int m = 0; m < 3; ++m) back[k][m] = e[k][m];
  turn(back, 1, s.cauchy);
}

std::array<double, 3> principal_values(const double* s) {
  Eigen::Matrix3d matrix;
  matrix << s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2];
  const Eigen::Vector3d values =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  return {values[2], values[1], values[0]};
}

namespace {

const Section& section_of(const System& system, int body) {
  return *system.model.sections.find(std::get<Body>(system.model.bodies.items[body].second).section);
}
// Batches may not be there yet.
bool beam_by_section(const System& system, int body) {
  const Body* said = std::get_if<Body>(&system.model.bodies.items[body].second);
  return said && said->element->volume && said->element->dimension == 1 &&
         formulation_of(system.model, *said) == Formulation::section;
}

// Stresses of a beam by its section are linear across it, so that the largest is on the rim.
double max_von_mises_of_beam(const System& system, const State& state, int b, int samples) {
  const BodyInfo& body = system.bodies[b];
  double largest = 0;
  for (int e = 0; e < body.elements(); ++e) {
    check_interrupt();
    const Vec3<double> half = body.half_size(e);
    for (const SectionPoint& p : section_rim(system.model.sections, section_of(system, b), (e + 0.5) / body.elements()))
      for (int i = 0; i < samples; ++i) {
        const double along = samples == 1 ? 0.0 : -1 + 2.0 * i / (samples - 1);
        largest = std::max(
            largest, stress_of_strained(system, state, b, {e, {along, p[0] / half[1], p[1] / half[2]}}).von_mises);
      }
  }
  return largest;
}

}  // namespace

double max_von_mises(const System& system, const State& reached, int b, int samples) {
  require(samples >= 1 && samples <= most_samples,
          "samples: this is " + std::to_string(samples) + ", but it must be from 1 to " + std::to_string(most_samples));
  State room;
  const State& state = strained_state(system, reached, b, room);
  if (beam_by_section(system, b)) return max_von_mises_of_beam(system, state, b, samples);
  double largest = 0;
  auto at = [&](int k) { return samples == 1 ? 0.0 : -1 + 2.0 * k / (samples - 1); };
  for (int e = 0; e < system.bodies[b].elements(); ++e)
    for (int i = 0; i < samples; ++i) {
      check_interrupt();
      for (int j = 0; j < samples; ++j)
        for (int k = 0; k < samples; ++k)
          largest = std::max(largest, stress_of_strained(system, state, b, {e, {at(i), at(j), at(k)}}).von_mises);
    }
  return largest;
}

void check_stress_place(const System& system, int body, const MaterialPoint& point, const Where& where) {
  if (!beam_by_section(system, body)) return;
  const Section& section = section_of(system, body);
  if (std::holds_alternative<General>(section))
    throw InputError(where, "a general section has no outline and no stress at a point; ask for section_forces");
  const Vec3<double> half = system.bodies[body].half_size(point.element);
  const SectionPoint place{point.xi[1] * half[1], point.xi[2] * half[2]};
  if (!is_inside(system.model.sections, section, (point.element + 0.5) / system.bodies[body].elements(), place))
    throw InputError(where, "this place, " + number_text(place[0]) + " and " + number_text(place[1]) +
                                " m from the reference line, lies outside of the section; give 'point' in it");
}

void check_largest_stress(const System& system, int body, const Where& where) {
  if (beam_by_section(system, body) && std::holds_alternative<General>(section_of(system, body)))
    throw InputError(where,
                     "a general section has no outline, so nobody knows where its stress is largest; ask for "
                     "section_forces");
}

}  // namespace lithe

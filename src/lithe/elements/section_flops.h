// Floating-point operations of section_kernel.h per element (a multiply-add counts two), as the code is written; the
// test of the strategy compares them with a scalar that counts.
#pragma once

#include "lithe/elements/section_kernel.h"

namespace lithe {

namespace section_flops {

inline constexpr int product = 9 * 5;  // 3x3 times 3x3

// Deformation gradient (and rate), strain, stress times volume.
constexpr int weighted_stress(bool damped) {
  const int strain = damped ? product + 9 * 3 + 3 * 6 + 3 * 11 : 3 * 7 + 3 * 5;
  return product + strain + 3 * 5 + 3 + 6;
}
constexpr int point_force(Damping damping) {
  return weighted_stress(damping != Damping::none) - (damping == Damping::common ? 9 * 3 : 0) + 2 * product;
}
constexpr int point_tangent(bool damped, bool symmetric) {
  const int outer = damped && symmetric ? 3 : 1;
  const int full = 9 * outer + 3 * 5 + 6 * 3 + 2 * product;          // Q and B Q B^T for m != n
  const int half = 6 * outer + 3 * 5 + 3 * 3 + 6 + product + 6 * 5;  // the same for m = n, symmetric
  return weighted_stress(damped) + 6 + (damped ? 9 * 3 : 0) + 1 + 9 + 3 +
         (symmetric ? 3 * full + 3 * half : 9 * full + 3 * 9);
}

template <class Stage, class Lower, bool symmetric>
constexpr int lift() {
  using Terms = LiftTerms<Stage, symmetric>;
  int n = 0;
  for (int p = 0; p < Terms::pairs; ++p)
    n += (Terms::list.first[p + 1] - Terms::list.first[p]) * 2 *
         (symmetric && LiftedLevel<Stage, Lower>::symmetric(Terms::list.k[p], Terms::list.l[p]) ? 6 : 9);
  return n;
}

// Coordinates in, or forces out.
template <class Scheme>
constexpr int coordinates() {
  return 3 * (Scheme::Kind::N - Scheme::Kind::nodes) + 12 * Scheme::edges;
}

// From the coordinates to the gradients at all points.
template <class Scheme>
double gradients(const SectionPlan& plan) {
  return coordinates<Scheme>() + 6.0 * (SectionSizes<Scheme>::weights * plan.sections +
                                        Scheme::LineStage::feeds * (Scheme::stages == 2 ? plan.lines : 0) +
                                        Scheme::FibreStage::feeds * plan.fibres);
}

// The same through the modes of the shell, for one or two fields, and the way back.
inline double shell_modes(const SectionPlan& plan, int fields) {
  const int read = 3 * (4 * 8 + 23), write = 3 * (4 * 8 + 22), scale = 3;
  return scale + fields * (read + 3.0 * (22 * plan.sections + 14 * plan.lines + 4 * plan.fibres)) + write +
         3.0 * (33 * plan.sections + 19 * plan.lines + 7 * plan.fibres);
}

}  // namespace section_flops

template <class Kind, bool damped>
double section_force_flops(const SectionPlan& plan) {
  const Damping damping = !damped ? Damping::none : plan.tau >= 0 ? Damping::common : Damping::own;
  const int fields = damped ? 2 : 1, nodal = damping == Damping::common ? 3 * 3 * Kind::N : 0;
  const double points = double(section_flops::point_force(damping)) * plan.fibres;
  if constexpr (SectionScheme<Kind>::stages == 2) return nodal + points + section_flops::shell_modes(plan, fields);
  return nodal + points + section_flops::gradients<SectionScheme<Kind>>(plan) * (fields + 1);  // once on the way back
}

template <class Kind, bool damped, bool symmetric>
double section_tangent_flops(const SectionPlan& plan) {
  using Scheme = SectionScheme<Kind>;
  using FibreStage = typename Scheme::FibreStage;
  double n = section_flops::gradients<Scheme>(plan) * (damped ? 2 : 1);
  n += double(section_flops::point_tangent(damped, symmetric) +
              section_flops::lift<FibreStage, PointLevel, symmetric>()) *
       plan.fibres;
  if constexpr (Scheme::stages == 2)
    n += double(section_flops::lift<typename Scheme::LineStage, LiftedLevel<FibreStage, PointLevel>, symmetric>()) *
         plan.lines;
  for (int a = 0; a < Scheme::groups; ++a)
    for (int b = symmetric ? a : 0; b < Scheme::groups; ++b) {
      const ShapeGroup &ga = Scheme::group[a], &gb = Scheme::group[b];
      const bool diagonal = symmetric && a == b;
      n += 9.0 * plan.sections * ga.count * gb.gradients * (2 * ga.gradients - 1);
      for (int i = 0; i < ga.count; ++i)
        for (int j = diagonal ? i : 0; j < gb.count; ++j)
          n += 9.0 * (2 * gb.gradients * plan.sections + (scaling_size<Kind>(ga.member[i]) >= 0) +
                      (scaling_size<Kind>(gb.member[j]) >= 0));
    }
  constexpr int N = Kind::N;
  n += Scheme::edges * (symmetric ? 9.0 * (4 * (N - 2) + 4 * 2 + 2 + 3 * 3) : 9.0 * 4 * 2 * N);
  return n;
}

}  // namespace lithe

#include "lithe/system/nodal_stress.h"

#include <algorithm>
#include <limits>

#include "lithe/elements/continuum_plain.h"
#include "lithe/model/section_shape.h"
#include "lithe/system/laws.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/point_stress.h"

namespace lithe {

namespace {

// Points of one task: a few hundred microseconds.
constexpr int points_per_task = 1024;

}  // namespace

struct NodalStress::Plan {
  // A corner of an element on one of the faces of its section; the same for all elements of a body.
  struct Sample {
    int node = 0;  // of the element
    Triple xi;
    Law law;
    double dS[3 * most_vectors];
    std::vector<int> used;  // vectors whose shape functions have a slope here: most have none at a corner
  };

  Plan(const System& system, int b);
  double at(const BodyInfo& body, const State& state, int element, const Sample& sample, const Mat3<double>& B) const;

  Triple place(std::size_t element, std::size_t sample) const {
    Triple xi = samples[sample].xi;
    if (!taper.empty())
      for (std::size_t d = 0; d < 2; ++d) xi[1 + d] *= taper[element][d];
    return xi;
  }

  std::vector<Sample> samples;
  std::vector<std::array<double, 2>> taper;  // [element]  size of the section over that at the start; empty: the same
  std::vector<Mat3<double>> maps;            // [element][sample]  J0^-1 times the material frame
};

NodalStress::Plan::Plan(const System& system, int b) {
  const BodyInfo& body = system.bodies[b];
  const ElementInfo& info = element_info(body.kind);
  const ContinuumBatch& batch = system.batches[body.batch].continuum;
  const bool across = info.dimension == 1, through = info.dimension <= 2;
  const int N = vector_count(body.kind);
  std::vector<double> angles;
  const bool by_section = batch.formulation == Formulation::section;
  if (across && by_section) {
    const Body& of = std::get<Body>(system.model.bodies.items[static_cast<std::size_t>(b)].second);
    const Section& section = *system.model.sections.find(of.section);
    const std::array<double, 2> size = section_size(system.model.sections, section);
    for (int n = 0; n < info.nodes; ++n)
      for (const SectionPoint& p : section_rim(system.model.sections, section, 0)) {
        Sample& sample = samples.emplace_back();
        sample.node = n;
        sample.xi = {element_corner(body.kind, n)[0], 2 * p[0] / size[0], 2 * p[1] / size[1]};
      }
    if (const auto* tapered = std::get_if<Tapered>(&section)) {
      const std::array<double, 2> from = section_size(*system.model.sections.find(tapered->from)),
                                  to = section_size(*system.model.sections.find(tapered->to));
      for (int e = 0; e < body.elements(); ++e) {
        const double way = (e + 0.5) / body.elements();
        taper.push_back({1 + way * (to[0] / from[0] - 1), 1 + way * (to[1] / from[1] - 1)});
      }
    }
    return;
  }
  for (int n = 0; n < info.nodes; ++n) {
    const std::array<double, 3> corner = element_corner(body.kind, n);
    for (const double eta : across ? std::vector<double>{-1, 1} : std::vector<double>{corner[1]})
      for (const double zeta : through ? std::vector<double>{-1, 1} : std::vector<double>{corner[2]}) {
        const Slice& slice = slice_at(body.slices, zeta);
        Sample& sample = samples.emplace_back();
        sample.node = n;
        sample.law = info.split_law ? sum(batch.laws[0], batch.laws[1]) : material_law(slice.material);
        angles.push_back(slice.angle);
        sample.xi = {corner[0], eta, zeta};
        shape_derivatives(body.kind, sample.xi.data(), sample.dS);
        for (int i = 0; i < N; ++i)
          if (sample.dS[3 * i] != 0 || sample.dS[3 * i + 1] != 0 || sample.dS[3 * i + 2] != 0) sample.used.push_back(i);
      }
  }
  if (by_section) return;
  maps.reserve(static_cast<std::size_t>(body.elements()) * samples.size());
  for (int e = 0; e < body.elements(); ++e)
    for (std::size_t k = 0; k < samples.size(); ++k)
      maps.push_back(map_point(batch, body.first_element + e, samples[k].dS, 1, angles[k]).B);
}

double NodalStress::Plan::at(const BodyInfo& body, const State& state, int element, const Sample& sample,
                             const Mat3<double>& B) const {
  const Vec3<double> half = body.half_size(element);
  // As deformation_gradient(), without the terms that are zero.
  Mat3<double> G{}, rate{};
  for (const int i : sample.used) {
    const std::size_t vector = 3ul * body.element_vector(element, i);
    const double *q = &state.q[vector], *v = &state.v[vector], scale = vector_scale(body.kind, half.a, i);
    for (int a = 0; a < 3; ++a) {
      const double d = scale * sample.dS[3 * i + a];
      for (int m = 0; m < 3; ++m) {
        G[m][a] += d * q[m];
        rate[m][a] += d * v[m];
      }
    }
  }
  const auto turned = [&](const Mat3<double>& X) {
    Mat3<double> Y;
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) Y[m][a] = X[m][0] * B[0][a] + X[m][1] * B[1][a] + X[m][2] * B[2][a];
    return Y;
  };
  return point_stress(sample.law, turned(G), turned(rate)).von_mises;
}

NodalStress::NodalStress(const System& system) : system_(system), plans_(system.bodies.size()) {}
NodalStress::~NodalStress() = default;

std::vector<double> NodalStress::von_mises(int b, const State& reached, Team& team) {
  const BodyInfo& body = system_.bodies[b];
  std::vector<double> result(body.mesh.node_count(), 0.0);
  if (!has_nodal_stress(body.kind)) return result;
  std::unique_ptr<Plan>& plan = plans_[static_cast<std::size_t>(b)];
  if (!plan) plan = std::make_unique<Plan>(system_, b);

  const ElementInfo& info = element_info(body.kind);
  if (plan->samples.empty()) {  // a section without an outline
    std::ranges::fill(result, std::numeric_limits<double>::quiet_NaN());
    return result;
  }
  const State& state = strained_state(system_, reached, b, strained_);
  const auto count = plan->samples.size(), elements = static_cast<std::size_t>(body.elements());
  std::vector<double> values(elements * count);  // [element][sample]
  const bool by_section = system_.batches[body.batch].continuum.formulation == Formulation::section;
  const bool heated = std::ranges::any_of(system_.temperatures, [&](const auto& t) { return t.body == b; });
  const std::size_t at_once = std::max<std::size_t>(1, points_per_task / count);
  team.run(static_cast<int>((elements + at_once - 1) / at_once), [&](int task, int) {
    const std::size_t first = static_cast<std::size_t>(task) * at_once, last = std::min(elements, first + at_once);
    for (std::size_t e = first; e < last; ++e)
      for (std::size_t k = 0; k < count; ++k)
        values[e * count + k] =
            by_section || heated
                ? stress_of_strained(system_, state, b, {static_cast<int>(e), plan->place(e, k)}).von_mises
                : plan->at(body, state, static_cast<int>(e), plan->samples[k], plan->maps[e * count + k]);
  });
  for (std::size_t e = 0; e < elements; ++e)
    for (std::size_t k = 0; k < count; ++k) {
      double& largest = result[body.mesh.elements[e * static_cast<std::size_t>(info.nodes) + plan->samples[k].node]];
      largest = std::max(largest, values[e * count + k]);
    }
  return result;
}

}  // namespace lithe

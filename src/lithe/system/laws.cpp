#include "lithe/system/laws.h"

#include <cmath>
#include <numbers>

#include "lithe/elements/quadrature.h"

namespace lithe {

namespace {

void add_points(const std::vector<int>& rule, double low, double high, int law, double angle, ContinuumBatch& batch) {
  const GaussRule x = gauss_rule(rule[0]), y = gauss_rule(rule[1]), z = gauss_rule(rule[2]);
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  for (std::size_t i = 0; i < x.x.size(); ++i)
    for (std::size_t j = 0; j < y.x.size(); ++j)
      for (std::size_t k = 0; k < z.x.size(); ++k)
        batch.points.push_back({{x.x[i], y.x[j], middle + half * z.x[k]}, x.w[i] * y.w[j] * z.w[k] * half, law, angle});
}

}  // namespace

std::vector<int> rule_of(const Body& body) {
  const auto usual = body.element->quadrature;
  return body.quadrature.empty() ? std::vector<int>(usual.begin(), usual.end()) : body.quadrature;
}

Law material_law(const Material& material) {
  if (const auto* m = std::get_if<Isotropic>(&material)) {
    const double mu = m->E / (2 * (1 + m->nu)), lambda = m->E * m->nu / ((1 + m->nu) * (1 - 2 * m->nu));
    const double C = lambda + 2 * mu;
    return {C, C, C, lambda, lambda, lambda, mu, mu, mu, m->damping};
  }
  const auto& m = std::get<Orthotropic>(material);
  Mat3<double> compliance{{{1 / m.E1, -m.nu12 / m.E1, -m.nu13 / m.E1},
                           {-m.nu12 / m.E1, 1 / m.E2, -m.nu23 / m.E2},
                           {-m.nu13 / m.E1, -m.nu23 / m.E2, 1 / m.E3}}};
  const Mat3<double> C = inverse(compliance);
  return {C[0][0], C[1][1], C[2][2], C[1][2], C[0][2], C[0][1], m.G23, m.G13, m.G12, m.damping};
}

double material_density(const Material& material) {
  return std::visit([](const auto& m) { return m.density; }, material);
}
double material_damping(const Material& material) {
  return std::visit([](const auto& m) { return m.damping; }, material);
}

std::vector<Slice> body_slices(const Model& model, const Body& body) {
  const Material& own = *model.materials.find(body.material);
  const Section* section = body.section.empty() ? nullptr : model.sections.find(body.section);
  const Layered* layered = section ? std::get_if<Layered>(section) : nullptr;
  if (!layered) return {{-1, 1, 0, own}};
  double total = 0, below = 0;
  for (const Layer& layer : layered->layers) total += layer.thickness;
  std::vector<Slice> slices;
  for (const Layer& layer : layered->layers) {
    const Material* material = layer.material.empty() ? &own : model.materials.find(layer.material);
    slices.push_back({-1 + 2 * below / total, -1 + 2 * (below + layer.thickness) / total,
                      layer.angle * std::numbers::pi / 180, *material});
    below += layer.thickness;
  }
  return slices;
}

void fill_points(const Model& model, const Body& body, ContinuumBatch& batch) {
  const std::vector<int> rule = rule_of(body);
  if (!body.element->split_law) {
    for (const Slice& slice : body_slices(model, body)) {
      batch.laws.push_back(material_law(slice.material));
      add_points(rule, slice.low, slice.high, static_cast<int>(batch.laws.size()) - 1, slice.angle, batch);
    }
    return;
  }
  const Material& material = *model.materials.find(body.material);
  const Law full = material_law(material);
  const auto& rectangle = std::get<Rectangle>(*model.sections.find(body.section));
  std::array<double, 3> E;
  double nu = 0;
  if (const auto* m = std::get_if<Isotropic>(&material)) {
    E = {m->E, m->E, m->E};
    nu = m->nu;
  } else {
    const auto& o = std::get<Orthotropic>(material);
    E = {o.E1, o.E2, o.E3};
    nu = o.nu12;
  }
  const std::array<double, 2> k = rectangle.shear_factors.value_or(
      std::array<double, 2>{10 * (1 + nu) / (12 + 11 * nu), 10 * (1 + nu) / (12 + 11 * nu)});
  batch.laws.push_back({E[0], E[1], E[2], 0, 0, 0, full.G23, k[0] * full.G13, k[1] * full.G12, full.tau});
  add_points(rule, -1, 1, 0, 0, batch);
  const Law poisson{full.C11 - E[0], full.C22 - E[1], full.C33 - E[2], full.C23, full.C13, full.C12, 0, 0, 0, full.tau};
  batch.laws.push_back(poisson);
  const std::vector<int> axis =
      body.poisson_quadrature.empty() ? std::vector<int>{rule[0], 1, 1} : body.poisson_quadrature;
  add_points(axis, -1, 1, 1, 0, batch);
}

std::vector<MassPoint> mass_points(const Model& model, const Body& body) {
  std::vector<MassPoint> points;
  const int dimension = element_info(body.element).dimension;
  const std::array<int, 3> n{6, dimension >= 2 ? 6 : 3, dimension >= 3 ? 6 : 3};
  for (const Slice& slice : body_slices(model, body)) {
    ContinuumBatch batch{};
    add_points({n[0], n[1], n[2]}, slice.low, slice.high, 0, 0, batch);
    for (const auto& p : batch.points) points.push_back({p.xi, p.weight, material_density(slice.material)});
  }
  return points;
}

const Slice& slice_at(const std::vector<Slice>& slices, double zeta) {
  for (const Slice& slice : slices)
    if (zeta <= slice.high) return slice;
  return slices.back();
}

}  // namespace lithe

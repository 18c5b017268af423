#include "lithe/system/laws.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/elements/quadrature.h"
#include "lithe/model/body_material.h"

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

void add_points(const TetrahedronRule& rule, ContinuumBatch& batch) {
  for (std::size_t p = 0; p < rule.x.size(); ++p) batch.points.push_back({rule.x[p], rule.w[p], 0, 0});
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
std::array<double, 3> material_expansion(const Material& material) {
  if (const auto* m = std::get_if<Isotropic>(&material)) return {m->expansion, m->expansion, m->expansion};
  return std::get<Orthotropic>(material).expansion;
}
double material_damping(const Material& material) {
  return std::visit([](const auto& m) { return m.damping; }, material);
}

namespace {
Material damped(Material material, const Body& body) {
  std::visit([&](auto& m) { m.damping += body.damping.stiffness; }, material);
  return material;
}
}  // namespace

Material body_material(const Model& model, const Body& body) { return damped(material_of(model, body), body); }

std::vector<Slice> body_slices(const Model& model, const Body& body) {
  const Material own = body_material(model, body);
  const Section* section = body.section.empty() ? nullptr : model.sections.find(body.section);
  const Layered* layered = section ? std::get_if<Layered>(section) : nullptr;
  if (!layered) return {{-1, 1, 0, own}};
  double total = 0, below = 0;
  for (const Layer& layer : layered->layers) total += layer.thickness;
  std::vector<Slice> slices;
  for (const Layer& layer : layered->layers) {
    slices.push_back({-1 + 2 * below / total, -1 + 2 * (below + layer.thickness) / total,
                      layer.angle * std::numbers::pi / 180,
                      layer.material.empty() ? own : damped(*model.materials.find(layer.material), body)});
    below += layer.thickness;
  }
  return slices;
}

namespace {

// Stiffness of a shell's section over E11, E22, 2 E12, K11, K22, 2 K12, g13, g23: plane stress in every layer. The
// shears follow from equilibrium in cylindrical bending about each axis: with the plane modulus Q of that direction,
// its neutral height n and g(z) = - int Q (z - n) dz from the bottom, the shear stiffness is (int Q (z - n)^2 dz)^2 /
// int g^2 / G dz, which is 5/6 G T of one layer.
struct ShellSection {
  struct Ply {
    double low, high;  // m, from the middle
    double Q[3][3];    // along the body's axes
    double G[2][2];    // shears 13, 23 along the body's axes
    double E3, tau;
    double heat[3];  // stress along the body's axes that holds back 1 K
  };
  std::vector<Ply> plies;

  ShellSection(ElementKind kind, const std::vector<Slice>& slices, double thickness) {
    for (const Slice& slice : slices) {
      const Law law = thin_law(kind, slice);
      Ply& ply = plies.emplace_back();
      ply.low = 0.5 * thickness * slice.low;
      ply.high = 0.5 * thickness * slice.high;
      ply.tau = law.tau;
      const auto* m = std::get_if<Isotropic>(&slice.material);
      ply.E3 = m ? m->E : std::get<Orthotropic>(slice.material).E3;
      // Strains along the ply's axes, turned by the angle about the normal: e = T E.
      const double c = std::cos(slice.angle), s = std::sin(slice.angle);
      const double T[3][3] = {{c * c, s * s, c * s}, {s * s, c * c, -c * s}, {-2 * c * s, 2 * c * s, c * c - s * s}};
      const double own[3][3] = {{law.C11, law.C12, 0}, {law.C12, law.C22, 0}, {0, 0, law.G12}};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          ply.Q[i][j] = 0;
          for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) ply.Q[i][j] += T[k][i] * own[k][l] * T[l][j];
        }
      const std::array<double, 3> expansion = material_expansion(slice.material);
      const double held[2] = {law.C11 * expansion[0] + law.C12 * expansion[1],
                              law.C12 * expansion[0] + law.C22 * expansion[1]};
      for (int i = 0; i < 3; ++i) ply.heat[i] = T[0][i] * held[0] + T[1][i] * held[1];
      ply.G[0][0] = c * c * law.G13 + s * s * law.G23;
      ply.G[1][1] = s * s * law.G13 + c * c * law.G23;
      ply.G[0][1] = ply.G[1][0] = c * s * (law.G13 - law.G23);
    }
  }

  // Share of int G dz along axis a that counts.
  double shear_factor(int a) const {
    double Q0 = 0, Q1 = 0, shear = 0;
    for (const Ply& p : plies) {
      Q0 += p.Q[a][a] * (p.high - p.low);
      Q1 += p.Q[a][a] * 0.5 * (p.high * p.high - p.low * p.low);
      shear += p.G[a][a] * (p.high - p.low);
    }
    const double n = Q1 / Q0;
    double bending = 0, below = 0, compliance = 0;
    const GaussRule gauss = gauss_rule(4);  // g^2 is a polynomial of degree four
    for (const Ply& p : plies) {
      const auto moment = [&](double z) { return 0.5 * p.Q[a][a] * ((z - n) * (z - n) - (p.low - n) * (p.low - n)); };
      const double middle = 0.5 * (p.low + p.high), half = 0.5 * (p.high - p.low);
      for (std::size_t k = 0; k < gauss.x.size(); ++k) {
        const double z = middle + half * gauss.x[k], g = below + moment(z);
        compliance += gauss.w[k] * half * g * g / p.G[a][a];
        bending += gauss.w[k] * half * p.Q[a][a] * (z - n) * (z - n);
      }
      below += moment(p.high);
    }
    return bending * bending / compliance / shear;
  }
};

}  // namespace

Law thin_law(ElementKind kind, const Slice& slice) {
  if (kind->dimension == 1) {
    const Law full = material_law(slice.material);
    const auto* m = std::get_if<Isotropic>(&slice.material);
    return {m ? m->E : std::get<Orthotropic>(slice.material).E1, 0, 0, 0, 0, 0, 0, full.G13, full.G12, full.tau};
  }
  const Law full = material_law(slice.material);
  const double r = 1 / full.C33;
  return {full.C11 - full.C13 * full.C13 * r,
          full.C22 - full.C23 * full.C23 * r,
          0,
          0,
          0,
          full.C12 - full.C13 * full.C23 * r,
          full.G23,
          full.G13,
          full.G12,
          full.tau};
}

SectionLaw beam_law(const std::vector<SectionStiffness>& sections, const Material& material) {
  SectionLaw law{6, {}, 0, material_damping(material)};
  for (const SectionStiffness& section : sections) {
    law.across += section.C[0][0] / static_cast<double>(sections.size());
    for (const auto& row : section.C) law.stiffness.insert(law.stiffness.end(), row, row + 6);
  }
  return law;
}

namespace {

ShellSection section_of(const Model& model, const Body& body) {
  const Section& given = *model.sections.find(body.section);
  double thickness = 0;
  if (const auto* plate = std::get_if<Plate>(&given)) thickness = plate->thickness;
  else
    for (const Layer& layer : std::get<Layered>(given).layers) thickness += layer.thickness;
  return {body.element, body_slices(model, body), thickness};
}

}  // namespace

void shell_thermal_resultants(const Model& model, const Body& body, double (*resultants)[6]) {
  std::fill(resultants[0], resultants[0] + 12, 0.0);
  for (const ShellSection::Ply& ply : section_of(model, body).plies)
    for (int i = 0; i < 3; ++i) {
      const double t1 = ply.high - ply.low, t2 = (ply.high * ply.high - ply.low * ply.low) / 2,
                   t3 = (ply.high * ply.high * ply.high - ply.low * ply.low * ply.low) / 3;
      resultants[0][i] += t1 * ply.heat[i];
      resultants[0][3 + i] += t2 * ply.heat[i];
      resultants[1][i] += t2 * ply.heat[i];
      resultants[1][3 + i] += t3 * ply.heat[i];
    }
}

std::vector<SectionLaw> shell_laws(const Model& model, const Body& body) {
  const ShellSection section = section_of(model, body);
  const double k[2] = {section.shear_factor(0), section.shear_factor(1)};
  std::vector<SectionLaw> parts;
  for (const ShellSection::Ply& ply : section.plies) {
    auto part = std::ranges::find_if(parts, [&](const SectionLaw& p) { return p.tau == ply.tau; });
    if (part == parts.end()) {
      parts.push_back({8, std::vector<double>(64, 0.0), 0, ply.tau});
      part = parts.end() - 1;
    }
    const auto C = [&](int i, int j) -> double& { return part->stiffness[8ul * i + j]; };
    const double t1 = ply.high - ply.low, t2 = (ply.high * ply.high - ply.low * ply.low) / 2,
                 t3 = (ply.high * ply.high * ply.high - ply.low * ply.low * ply.low) / 3;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        C(i, j) += t1 * ply.Q[i][j];
        C(i, 3 + j) += t2 * ply.Q[i][j];
        C(3 + i, j) += t2 * ply.Q[i][j];
        C(3 + i, 3 + j) += t3 * ply.Q[i][j];
      }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) C(6 + i, 6 + j) += t1 * std::sqrt(k[i] * k[j]) * ply.G[i][j];
    part->across += t1 * ply.E3;
  }
  return parts;
}

void fill_points(const Model& model, const Body& body, ContinuumBatch& batch) {
  if (batch.formulation == Formulation::section) {  // where the reference is looked at
    return add_points({3, body.element->dimension == 1 ? 2 : 3, 2}, -1, 1, 0, 0, batch);
  }
  const std::vector<int> rule = rule_of(body);
  if (body.element->cell == Cell::tetrahedron) {
    batch.laws.push_back(material_law(body_material(model, body)));
    return add_points(tetrahedron_rule(rule[0]), batch);
  }
  if (!body.element->split_law) {
    for (const Slice& slice : body_slices(model, body)) {
      batch.laws.push_back(material_law(slice.material));
      add_points(rule, slice.low, slice.high, static_cast<int>(batch.laws.size()) - 1, slice.angle, batch);
    }
    return;
  }
  const Material material = body_material(model, body);
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
    if (body.element->cell == Cell::tetrahedron) add_points(collapsed_rule(4), batch);
    else add_points({n[0], n[1], n[2]}, slice.low, slice.high, 0, 0, batch);
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

#include "lithe/model/section_properties.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/model/section_solution.h"

namespace lithe {

namespace {

using std::numbers::pi;

// Torsion of a rectangle 2a x 2b (along y and z): J and I_w = int w^2, w = y z - h,
//   h = sum c_n sin(m_n y) sinh(m_n z)/(m_n cosh(m_n b)),  m_n = (2n+1) pi/(2a),  c_n = 4 (-1)^n/(a m_n^2).
struct RectangleTorsion {
  double J, I_w;
};
RectangleTorsion rectangle_torsion(double a, double b) {
  if (a < b) std::swap(a, b);  // both are the same turned by 90 degrees; the series converges faster
  double J = 16 * a * a * a * b / 3, I_w = 4 * a * a * a * b * b * b / 9;
  for (int n = 100; n-- > 0;) {
    const double m = (2 * n + 1) * pi / (2 * a), t = std::tanh(m * b), c = std::cosh(m * b);
    J -= 32 / (a * std::pow(m, 5)) * t;
    I_w += -16 / (a * std::pow(m, 5)) * (b / m - t / (m * m)) * 2 + 16 / (a * std::pow(m, 6)) * (t / m - b / (c * c));
  }
  return {J, I_w};
}

const char* no_beam_section(const Section& section) {
  if (std::holds_alternative<Bar>(section))
    return "a section of type bar is one of a cable: it says nothing of shear and twist";
  if (std::holds_alternative<General>(section)) return "a section of type general has no shape";
  if (std::holds_alternative<Tapered>(section)) return "a tapered section has a shape at each place of the line only";
  return "this is a section of a shell, not one of a beam";
}

void set_moments(SectionProperties& p, const AreaMoments& m) {
  p.area = m.area;
  p.centroid = m.centroid;
  p.I_yy = m.zz;
  p.I_zz = m.yy;
  p.I_yz = m.yz;
}

struct ShapeProperties {
  const BarMaterial& material;
  bool isotropic;
  double across;
  SectionProperties p{};

  double G() const { return std::sqrt(material.G12 * material.G13); }

  void operator()(const Rectangle& s) {
    const double A = s.width * s.thickness;
    set_moments(p, {A, {}, A * s.width * s.width / 12, A * s.thickness * s.thickness / 12, 0});
    // Equal shear moduli in scaled axes.
    const double scale = std::pow(material.G13 / material.G12, 0.25);
    const RectangleTorsion torsion = rectangle_torsion(scale * s.width / 2, s.thickness / scale / 2);
    p.J = torsion.J;
    p.I_w = torsion.I_w;
    if (s.shear_factors) {
      p.k_z = (*s.shear_factors)[0];
      p.k_y = (*s.shear_factors)[1];
    } else {
      p.k_y = 1 / (1.2 - 0.2 * material.nu12 * material.G12 / material.E);
      p.k_z = 1 / (1.2 - 0.2 * material.nu13 * material.G13 / material.E);
    }
  }
  void operator()(const Circle& s) { ring(s.radius, 0); }
  void operator()(const Tube& s) { ring(s.radius, s.radius - s.wall); }
  void operator()(const Box& s) { solve(outline(s)); }
  void operator()(const ISection& s) { solve(outline(s)); }
  void operator()(const ChannelSection& s) { solve(outline(s)); }
  void operator()(const AngleSection& s) { solve(outline(s)); }
  void operator()(const Polygon& s) { solve(outline(s)); }
  template <class Other>
  void operator()(const Other& s) {
    throw InputError(no_beam_section(s));
  }

  void ring(double outer, double inner) {
    const double A = pi * (outer * outer - inner * inner), I = A * (outer * outer + inner * inner) / 4;
    set_moments(p, {A, {}, I, I, 0});
    if (!isotropic) {
      take(solve_section(mesh_ring(outer, inner, static_cast<int>(std::ceil(2 * across))), material),
           {true, true, true});
      return;
    }
    const double nu = material.nu12, m = inner / outer, mm = (1 + m * m) * (1 + m * m);
    p.J = 2 * I;
    p.k_y = p.k_z = 6 * (1 + nu) * mm / ((7 + 6 * nu) * mm + (20 + 12 * nu) * m * m);
  }
  void solve(const Outline& shape) {
    set_moments(p, area_moments(shape));
    take(solve_section(mesh_outline(shape, across), material), symmetry(shape));
  }
  // What symmetry makes zero is zero: an unsymmetric mesh leaves a small rest.
  void take(const SectionSolution& solution, const Symmetry& mirror) {
    p.J = solution.GJ / G();
    p.I_w = solution.I_w;
    p.nodes = solution.nodes;
    p.shear_centre = {mirror.flip_y || mirror.half_turn ? 0 : solution.shear_centre[0],
                      mirror.flip_z || mirror.half_turn ? 0 : solution.shear_centre[1]};
    p.k_y = 1 / (solution.mean.yy * material.G12 * p.area);
    p.k_z = 1 / (solution.mean.zz * material.G13 * p.area);
    p.shear_coupling = solution.mean.yz;
    if (mirror.flip_y || mirror.flip_z) p.I_yz = p.shear_coupling = 0;
  }
  SectionProperties finish() {
    const double middle = (p.I_yy + p.I_zz) / 2, radius = std::hypot((p.I_yy - p.I_zz) / 2, p.I_yz);
    p.I_max = p.I_yz == 0 ? std::max(p.I_yy, p.I_zz) : middle + radius;
    p.I_min = p.I_yz == 0 ? std::min(p.I_yy, p.I_zz) : middle - radius;
    // I about an axis at the angle t from y: middle + (I_yy - I_zz)/2 cos 2t - I_yz sin 2t.
    if (radius > 1e-12 * middle) p.principal_angle = 0.5 * std::atan2(-p.I_yz, (p.I_yy - p.I_zz) / 2);
    p.I_polar = p.I_yy + p.I_zz;
    const auto [y, z] = p.shear_centre;
    p.I_polar_shear = p.I_polar + p.area * (y * y + z * z);
    return p;
  }
};

// C += T^T diag-or-full T, where T takes strains at the reference line to those at the point d of the section.
struct StiffnessSum {
  double C[6][6] = {};

  void add_at(const double (&own)[6][6], const SectionPoint& d) {
    double T[6][6] = {};
    for (int i = 0; i < 6; ++i) T[i][i] = 1;
    T[0][4] = d[1];
    T[0][5] = -d[0];
    T[1][3] = -d[1];
    T[2][3] = d[0];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        for (int k = 0; k < 6; ++k)
          for (int l = 0; l < 6; ++l) C[i][j] += T[k][i] * own[k][l] * T[l][j];
  }
};

SectionPoint difference(const SectionPoint& a, const SectionPoint& b) { return {a[0] - b[0], a[1] - b[1]}; }

// Mass moments about a point d away from the one they are given for (d: from the new to the old).
void move_mass(SectionStiffness& s, const SectionPoint& d) {
  const double y = s.first[0], z = s.first[1];
  s.second[0] += 2 * d[0] * y + s.mass * d[0] * d[0];
  s.second[1] += 2 * d[1] * z + s.mass * d[1] * d[1];
  s.second[2] += d[0] * z + d[1] * y + s.mass * d[0] * d[1];
  s.first[0] += s.mass * d[0];
  s.first[1] += s.mass * d[1];
}

SectionStiffness general_stiffness(const General& given) {
  const auto& rows = given.stiffness.rows;
  StiffnessSum all;
  const SectionPoint origin = difference({0, 0}, given.offset);
  if (given.stiffness.diagonal) {
    const double axial[6][6] = {{rows[0][0]}, {}, {}, {}, {0, 0, 0, 0, rows[4][4]}, {0, 0, 0, 0, 0, rows[5][5]}};
    const double shear[6][6] = {{}, {0, rows[1][1]}, {0, 0, rows[2][2]}, {0, 0, 0, rows[3][3]}};
    all.add_at(axial, difference(given.centroid, given.offset));
    all.add_at(shear, difference(given.shear_centre, given.offset));
  } else {
    double own[6][6];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) own[i][j] = (rows[i][j] + rows[j][i]) / 2;
    all.add_at(own, origin);
  }
  SectionStiffness result;
  std::copy(&all.C[0][0], &all.C[0][0] + 36, &result.C[0][0]);
  result.mass = given.mass;
  std::copy(given.mass_first.begin(), given.mass_first.end(), result.first);
  std::copy(given.mass_second.begin(), given.mass_second.end(), result.second);
  move_mass(result, origin);
  return result;
}

Offset offset_of(const Section& section) {
  return std::visit(
      [](const auto& s) -> Offset {
        if constexpr (requires { s.offset; }) return s.offset;
        else return {};
      },
      section);
}

double density_of(const Material& material) {
  return std::visit([](const auto& m) { return m.density; }, material);
}

}  // namespace

SectionProperties section_properties(const Section& section, const Material& material, double across) {
  const BarMaterial bar = bar_material(material);
  ShapeProperties shape{bar, std::holds_alternative<Isotropic>(material), across};
  std::visit(shape, section);
  return shape.finish();
}

SectionStiffness section_stiffness(const Section& section, const Material& material) {
  if (const auto* given = std::get_if<General>(&section)) return general_stiffness(*given);
  const SectionProperties p = section_properties(section, material);
  const BarMaterial m = bar_material(material);
  const SymmetricPlane GA =
      SymmetricPlane{1 / (p.k_y * m.G12 * p.area), 1 / (p.k_z * m.G13 * p.area), p.shear_coupling}.inverse();
  const double axial[6][6] = {
      {m.E * p.area}, {}, {}, {}, {0, 0, 0, 0, m.E * p.I_yy, -m.E * p.I_yz}, {0, 0, 0, 0, -m.E * p.I_yz, m.E * p.I_zz}};
  const double shear[6][6] = {{}, {0, GA.yy, GA.yz}, {0, GA.yz, GA.zz}, {0, 0, 0, std::sqrt(m.G12 * m.G13) * p.J}};
  const SectionPoint centroid = difference({0, 0}, offset_of(section));
  const SectionPoint shear_centre = difference(p.shear_centre, offset_of(section));
  StiffnessSum all;
  all.add_at(axial, centroid);
  all.add_at(shear, shear_centre);
  SectionStiffness result;
  std::copy(&all.C[0][0], &all.C[0][0] + 36, &result.C[0][0]);
  const double density = density_of(material);
  result.mass = density * p.area;
  result.second[0] = density * p.I_zz;
  result.second[1] = density * p.I_yy;
  result.second[2] = density * p.I_yz;
  move_mass(result, centroid);
  return result;
}

CableStiffness cable_stiffness(const Section& section, const Material& material) {
  const double E = bar_material(material).E, density = density_of(material);
  if (const auto* bar = std::get_if<Bar>(&section))
    return {bar->EA > 0 ? bar->EA : E * bar->area, bar->EI > 0 ? bar->EI : E * bar->inertia,
            bar->mass > 0 ? bar->mass : density * bar->area};
  if (const Offset offset = offset_of(section); offset[0] != 0 || offset[1] != 0)
    throw InputError("the section of a cable has no offset: its line passes through the centroid; remove 'offset'");
  if (const auto* given = std::get_if<General>(&section)) {
    const auto& C = given->stiffness.rows;
    const double middle = (C[4][4] + C[5][5]) / 2, radius = std::hypot((C[4][4] - C[5][5]) / 2, C[4][5]);
    return {C[0][0], middle - radius, given->mass};
  }
  if (const auto* circle = std::get_if<Circle>(&section)) {  // as in P1, digit by digit
    const double area = pi * circle->radius * circle->radius;
    return {E * area, E * (0.25 * area * circle->radius * circle->radius), density * area};
  }
  const SectionProperties p = section_properties(section, material);
  return {E * p.area, E * p.I_min, density * p.area};
}

}  // namespace lithe

// From the section of a beam to its stiffness and mass per length.
//
// Circle, tube and rectangle by closed forms, every other shape by finite elements on the section (section_solution.h).
// Shear factors are Cowper's (1966): by the mean displacement and the mean rotation of the section under St. Venant's
// flexure, for the given Poisson ratio; 10(1+nu)/(12+11nu) for a rectangle. An orthotropic material has its 1 along the
// beam, 2 along y and 3 along z.
#pragma once

#include "lithe/model/materials.h"
#include "lithe/model/section_outline.h"

namespace lithe {

struct SectionProperties {
  double area = 0;                        // m^2
  SectionPoint centroid{};                // in the axes of the drawing | m
  double I_yy = 0, I_zz = 0, I_yz = 0;    // about the centroid: integrals of z^2, y^2 and y z | m^4
  double I_max = 0, I_min = 0;            // about the principal axes | m^4
  double principal_angle = 0;             // from y to the axis of I_max, towards z, -pi/2 to pi/2 | rad
  double I_polar = 0, I_polar_shear = 0;  // about the centroid, about the shear centre | m^4
  SectionPoint shear_centre{};            // from the centroid | m
  double k_y = 0, k_z = 0;    // shear strain = Q_y/(k_y G12 A), Q_z/(k_z G13 A), forces through the shear centre
  double shear_coupling = 0;  // strain along y by Q_z, along z by Q_y | 1/N
  double J = 0;               // torsion constant: GJ = J sqrt(G12 G13) | m^4
  double I_w = 0;             // warping constant about the shear centre | m^6
  int nodes = 0;              // of the finite elements; 0: closed form
};

// `across`: fineness of the finite elements (section_mesh.h). Throws InputError for what is no section of a beam
// (bar, plate, layered) or gives no shape (general).
inline constexpr double usual_across = 4;
SectionProperties section_properties(const Section& section, const Material& material, double across = usual_across);

// Generalised strains eps = (Gamma_1, Gamma_2, Gamma_3, kappa_1, kappa_2, kappa_3): stretch, shear along y and z,
// twist, curvature about y and z; resultants C eps = (N, Q_y, Q_z, M_x, M_y, M_z). At the point (y, z) of the section,
// seen from the reference line, they strain
//   along x   Gamma_1 + z kappa_2 - y kappa_3
//   along y   Gamma_2 - z kappa_1,    along z   Gamma_3 + y kappa_1      (shears)
// The reference line passes through the centroid if no offset is given.
struct SectionStiffness {
  double C[6][6] = {};    // N, N m, N m^2
  double mass = 0;        // kg/m
  double first[2] = {};   // rho * integral of y, z | kg
  double second[3] = {};  // rho * integral of yy, zz, yz | kg m
};
SectionStiffness section_stiffness(const Section& section, const Material& material);

// What a cable, which has one bending stiffness and no twist, takes of a section: it bends about the weaker axis, to
// which it is free to turn.
struct CableStiffness {
  double EA = 0, EI = 0, mass = 0;  // N, N m^2, kg/m
};
CableStiffness cable_stiffness(const Section& section, const Material& material);

}  // namespace lithe

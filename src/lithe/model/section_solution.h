// St. Venant's torsion and flexure of a prismatic bar by finite elements on its section, one material.
//
// r = (y, z) from the centroid, S = int r r^T dA, g = diag(G12, G13). Weak forms for all v:
//
//   torsion, twist rate 1: stress t = g (grad w + (-z, y)),              int grad v . t = 0
//     GJ = int t . t/g,   shear centre s: int r (w - s_z y + s_y z) = 0 (Trefftz 1935; the stresses of torsion and of
//     forces through s do no work on each other),   I_w = int (w - s_z y + s_y z)^2 with w of mean 0
//   flexure, curvature growing along x by k = S^-1 Q/E: stress t = g (grad f + p),   int grad v . t = E int v k . r
//     p_y = -nu12 (k_y y^2/2 + k_z y z) + nu13 k_y z^2/2
//     p_z = -nu13 (k_z z^2/2 + k_y y z) + nu12 k_z y^2/2       (in-plane displacements of bending, per x)
//
// Shear compliance F, shear strain = F Q, of forces through the shear centre, in two meanings (equal for nu = 0):
//   mean    Cowper (1966): slope of the mean displacement plus mean rotation of the section, S^-1 int r f + mean p,
//           for any section; its small unsymmetric part, if the section has no axis of symmetry, is averaged
//   energy  Renton (1991), Pilkey (2002): Q . F Q = int t . t/g
#pragma once

#include "lithe/model/materials.h"
#include "lithe/model/section_mesh.h"

namespace lithe {

// What St. Venant's problem sees of a material: 1 along the beam, 2 along y, 3 along z.
struct BarMaterial {
  double E = 1, G12 = 0.5, G13 = 0.5, nu12 = 0, nu13 = 0;
};
BarMaterial bar_material(const Material& material);

struct SymmetricPlane {  // 2 x 2, symmetric
  double yy = 0, zz = 0, yz = 0;

  SymmetricPlane inverse() const {
    const double det = yy * zz - yz * yz;
    return {zz / det, yy / det, -yz / det};
  }
};

struct SectionSolution {
  double GJ = 0;                 // N m^2
  SectionPoint shear_centre{};   // from the centroid | m
  double I_w = 0;                // m^6
  SymmetricPlane mean, energy;   // shear compliance | 1/N
  int nodes = 0, triangles = 0;  // of the mesh
};
SectionSolution solve_section(const SectionMesh& mesh, const BarMaterial& material);

}  // namespace lithe

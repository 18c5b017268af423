// What every kernel of the elements with a volume (Beam 3243, Shell 3443, Hexa 3843) starts from: the reference
// configuration of a batch, its quadrature points with their laws, and the mapping of each point,
//   J0 = d r0/d(xi,eta,zeta),   R0 = material frame (see MaterialAxes), turned by the layer's angle,
//   B  = J0^-1 R0,   w = weight det J0,     so that   F = (e dS/dxi) B  is the deformation gradient in that frame.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lithe/base/small.h"
#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/kinds.h"
#include "lithe/elements/materials/law.h"

namespace lithe {

// Axes along which a law is given: those of the body (Gram-Schmidt of r0_xi, r0_eta at each point) or the global ones.
enum class MaterialAxes { body, global };

// How strains are measured: at points of a volume (P0), or by the section as a whole, with its own stiffness.
enum class Formulation { section, continuum };

// Formulation `section`: stiffness over the generalised strains of the kind (SectionForm), for what has one tau.
struct SectionLaw {
  int strains = 0;
  std::vector<double> stiffness;  // [strain][strain], or [element][strain][strain] where they differ
                                  //                   N, N m, N m^2 (a beam), by length (a shell)
  double across = 0;              // N, N/m            against strains of the section in itself
  double tau = 0;                 // s
  bool differs() const { return stiffness.size() > static_cast<std::size_t>(strains) * strains; }
  std::span<const double> of(int element) const {
    const auto size = static_cast<std::size_t>(strains) * strains;
    return {stiffness.data() + (differs() ? size * static_cast<std::size_t>(element) : 0), size};
  }
};

struct QuadraturePoint {
  std::array<double, 3> xi;
  double weight;
  int law;       // index into ContinuumBatch::laws
  double angle;  // rad, turns the material frame about its third axis
};

struct ContinuumBatch {
  ElementKind kind;
  int elements = 0;
  MaterialAxes axes = MaterialAxes::body;
  Formulation formulation = Formulation::continuum;
  std::vector<SectionLaw> section;      // formulation `section`: parts of the law, their stresses add up
  std::vector<QuadraturePoint> points;  // shared by all elements of the batch
  std::vector<Law> laws;
  std::vector<double> reference;  // [element][N][3]  coordinate vectors of the reference configuration, m and 1
  std::vector<double> half_size;  // [element][3]     L/2, W/2, T/2, m: scale of r_x, r_y, r_z
};

// Scale of coordinate vector i: 1 for positions, L/2, W/2 or T/2 for gradients.
inline double vector_scale(ElementKind kind, const double* half_size, int i) {
  const int size = kind->vectors[i % kind->node_vectors].size;
  return size < 0 ? 1.0 : half_size[size];
}

// Mapping of one point of one element.
struct PointMap {
  Mat3<double> B;  // J0^-1 R0
  Mat3<double> R;  // R0, columns are the frame's axes in global components
  double volume;   // weight det J0, m^3
};
// dS is [N][3], dimensionless derivatives at the point; throws nothing: volume <= 0 marks an inverted element.
PointMap map_point(const ContinuumBatch& batch, int element, const double* dS, double weight, double angle);

// Shape functions at a point, by kind: S[N] and dS[N][3] in scaled coordinates.
inline int vector_count(ElementKind kind) { return kind->vector_count(); }
inline void shape_functions(ElementKind kind, const double* xi, double* S) { kind->shape(xi, S); }
inline void shape_derivatives(ElementKind kind, const double* xi, double* dS) { kind->derivative(xi, dS); }

// Natural coordinates of a node of the element.
inline std::array<double, 3> element_corner(ElementKind kind, int node) {
  const double* c = kind->corner[node];
  return {c[0], c[1], c[2]};
}

// Derivatives at all points of a batch: [point][N][3].
std::vector<double> shape_derivatives(const ContinuumBatch& batch);

// The strategies of kinds with a section scheme, by name; unknown names and unsupported combinations throw InputError.
std::unique_ptr<BatchKernel> make_continuum_kernel(const ContinuumBatch& batch, const std::string& strategy,
                                                   TangentForm form);

}  // namespace lithe

// From materials and sections to the quadrature points of a body: laws, rules, layers.
#pragma once

#include "lithe/elements/continuum.h"
#include "lithe/model/model.h"
#include "lithe/model/section_properties.h"

namespace lithe {

// Three-dimensional law of a material, along its axes.
Law material_law(const Material& material);
double material_density(const Material& material);
double material_damping(const Material& material);
// The material of a body with the body's share of stiffness-proportional damping.
Material body_material(const Model& model, const Body& body);

// One slice of the body across its thickness (zeta): a layer of a shell, the whole of anything else.
struct Slice {
  double low = -1, high = 1;  // zeta
  double angle = 0;           // rad
  Material material;
};
std::vector<Slice> body_slices(const Model& model, const Body& body);

// Rule of the user, or the kind's default.
std::vector<int> rule_of(const Body& body);

// Quadrature points and laws of a body with a volume. Beams (split_law) get two sets (enhanced continuum mechanics): D0
// without Poisson coupling over the section, the Poisson part Dv on the axis.
void fill_points(const Model& model, const Body& body, ContinuumBatch& batch);

// Formulation `section`: the law of a shell's section, by parts of one damping each, and that of a beam's.
std::vector<SectionLaw> shell_laws(const Model& model, const Body& body);
// N11, N22, N12, M11, M22, M12 that keep a shell from expanding: of 1 K, and of 1 K/m along z.
void shell_thermal_resultants(const Model& model, const Body& body, double (*resultants)[6]);
// Thermal expansion along the material's axes.
std::array<double, 3> material_expansion(const Material& material);
SectionLaw beam_law(const std::vector<SectionStiffness>& sections, const Material& material);
// Law of a slice where the section carries no stress across itself (formulation `section`), along its own axes.
Law thin_law(ElementKind kind, const Slice& slice);

// Points for mass and loads: every slice with a rule exact for products of shape functions.
struct MassPoint {
  Triple xi;
  double weight, density;
};
std::vector<MassPoint> mass_points(const Model& model, const Body& body);

// The slice at a height of the section.
const Slice& slice_at(const std::vector<Slice>& slices, double zeta);

}  // namespace lithe

#include "lithe/system/contact_stiffness.h"

#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/contact_surfaces.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

double compliance_of(const Material& material) {
  if (const auto* m = std::get_if<Isotropic>(&material)) return (1 - m->nu * m->nu) / m->E;
  const auto& m = std::get<Orthotropic>(material);  // by the softest direction
  return 1 / std::fmin(m.E1, std::fmin(m.E2, m.E3));
}

// Of the softest of its layers; 0: it does not deform.
double compliance_of(const Model& model, const Body& body) {
  if (body.kinematics == Kinematics::rigid) return 0;
  double most = 0;
  if (const Material* own = model.materials.find(body.material)) most = compliance_of(*own);
  const Section* section = model.sections.find(body.section);
  if (const auto* layered = section ? std::get_if<Layered>(section) : nullptr)
    for (const Layer& layer : layered->layers)
      if (const Material* own = model.materials.find(layer.material)) most = std::fmax(most, compliance_of(*own));
  return most;
}

}  // namespace

ContactStiffness::ContactStiffness(const System& system, const ContactSurfaces& surfaces) : system_(system) {
  const ContactScene& scene = surfaces.topology();
  ContactScene rest;
  surfaces.place(system.q0, std::vector<double>(system.q0.size(), 0.0), 0, 0, rest);
  const Model& model = system.model;
  for (std::size_t s = 0; s < scene.surface.size(); ++s) {
    const SceneSurface& surface = scene.surface[s];
    const int owner = surfaces.owner(static_cast<int>(s));
    const auto* body = owner < surfaces.bodies() ? std::get_if<Body>(&model.bodies.items[owner].second) : nullptr;
    compliance_.push_back(body ? compliance_of(model, *body) : 0);
    double curvature = surface.radius != 0 ? 1 / surface.radius : 0;  // of a bore negative
    if (surface.radius == 0 && compliance_.back() > 0 && surface.edges > 0) {
      double length = 0;
      for (int e = surface.first_edge; e < surface.first_edge + surface.edges; ++e)
        length += norm(rest.corner[scene.edge[e].corner[0]] - rest.corner[scene.edge[e].corner[1]]);
      curvature = 2 * surface.edges / length;
    }
    curvature_.push_back(curvature);
  }
  for (std::size_t a = 0; a < scene.surface.size(); ++a)
    for (std::size_t b = a + 1; b < scene.surface.size(); ++b) {
      if (compliance_[a] + compliance_[b] > 0) continue;
      const int entry = surfaces.entry(static_cast<int>(a), static_cast<int>(b));
      if (entry < 0 || model.contacts.items[entry].second.stiffness) continue;
      const auto& [name, contact] = model.contacts.items[entry];
      if (contact.law != ContactLaw::penalty) continue;
      const Where said =
          static_cast<std::size_t>(entry) < model.contacts.where.size() ? model.contacts.where[entry] : Where{};
      throw InputError(Where{said.file, said.line, "contacts." + name},
                       "neither " + surfaces.name(static_cast<int>(a)) + " nor " + surfaces.name(static_cast<int>(b)) +
                           " has a material that would tell how far they give way; give 'stiffness' (and 'exponent')");
    }
}

double ContactStiffness::of(int entry, int surface, int other) const {
  const Contact& contact = system_.model.contacts.items[entry].second;
  if (contact.stiffness) return *contact.stiffness;
  const double compliance = compliance_[surface] + compliance_[other], both = curvature_[surface] + curvature_[other],
               radius = 1 / (both > 0 ? both : std::fmax(curvature_[surface], curvature_[other]));
  return 4.0 / 3 / compliance * std::pow(radius, 2 - contact.exponent);
}

}  // namespace lithe

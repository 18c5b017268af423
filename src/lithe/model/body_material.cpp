#include "lithe/model/body_material.h"

namespace lithe {

bool needs_no_material(const Model& model, const Body& body) {
  const auto complete = [&](const std::string& name) {
    const Section* section = name.empty() ? nullptr : model.sections.find(name);
    const auto* bar = section ? std::get_if<Bar>(section) : nullptr;
    if (bar) return bar->EA > 0 && bar->mass > 0 && (bar->EI > 0 || bar->inertia == 0);
    return section && std::holds_alternative<General>(*section);
  };
  const Section* section = body.section.empty() ? nullptr : model.sections.find(body.section);
  const auto* tapered = section ? std::get_if<Tapered>(section) : nullptr;
  return tapered ? complete(tapered->from) && complete(tapered->to) : complete(body.section);
}

const Material& material_of(const Model& model, const Body& body) {
  static const Material none = Isotropic{.E = 1};  // nothing asks for its E
  const Material* found = model.materials.find(body.material);
  return found ? *found : none;
}

}  // namespace lithe

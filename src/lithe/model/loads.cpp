#include "lithe/model/loads.h"

#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/mesh.h"
#include "lithe/model/spot.h"

namespace lithe {

namespace {

constexpr const char* follower_help =
    "it turns with the body at the point; components are those before the body turns (global axes)";

}  // namespace

LITHE_DESCRIBE(PointForce, "force", "force at a point, dead or turning with the body") {
  visit("at", &PointForce::at, Field{.help = "node or material point", .required = true});
  visit("force", &PointForce::force, Field{.help = "components", .unit = "N", .required = true});
  visit("follower", &PointForce::follower, Field{.help = follower_help});
}

LITHE_DESCRIBE(PointMoment, "moment",
               "moment at a point of a body with gradients r_x, r_y, r_z, dead or turning with the body") {
  visit("at", &PointMoment::at, Field{.help = "node or material point", .required = true});
  visit("moment", &PointMoment::moment, Field{.help = "components", .unit = "N m", .required = true});
  visit("turns", &PointMoment::turns, Field{.help = "section (as joints hold it) or gradients (r_x, r_y, r_z alike)"});
  visit("follower", &PointMoment::follower, Field{.help = follower_help});
}

LITHE_DESCRIBE(LineLoad, "line_load", "dead force per reference length on an edge or along a line") {
  visit("on", &LineLoad::on, Field{.help = "edge, or body of a line", .required = true});
  visit("force", &LineLoad::force, Field{.help = "components", .unit = "N/m", .required = true});
}

LITHE_DESCRIBE(Pressure, "pressure", "pressure that follows a surface") {
  visit("on", &Pressure::on, Field{.help = "surface", .required = true});
  visit("pressure", &Pressure::pressure, Field{.help = "against the surface's normal", .unit = "Pa", .required = true});
}

LITHE_DESCRIBE(Traction, "traction", "dead force per reference area of a surface") {
  visit("on", &Traction::on, Field{.help = "surface, or edge (over its thickness)", .required = true});
  visit("force", &Traction::force, Field{.help = "components", .unit = "Pa", .required = true});
}

LITHE_DESCRIBE(Gravity, "gravity", "uniform acceleration on all bodies") {
  visit("acceleration", &Gravity::acceleration, Field{.help = "components", .unit = "m/s^2"});
}

LITHE_DESCRIBE(BodyForce, "body_force", "dead force per reference volume of a body") {
  visit("body", &BodyForce::body,
        Field{.help = "name of a flexible body, or of a rigid one with a shape", .required = true});
  visit("force", &BodyForce::force, Field{.help = "components", .unit = "N/m^3", .required = true});
}

LITHE_DESCRIBE(Temperature, "temperature", "change of temperature of a flexible body against its reference") {
  visit("body", &Temperature::body, Field{.help = "name of a body", .required = true});
  visit("change", &Temperature::change,
        Field{.help = "change on the body's line or middle surface; of a solid where y = z = 0", .unit = "K"});
  visit("gradient_y", &Temperature::gradient_y,
        Field{.help = "rise along the section's y (beams) or the global y (solids)", .unit = "K/m"});
  visit("gradient_z", &Temperature::gradient_z,
        Field{.help = "rise along the section's z (beams and shells) or the global z (solids)", .unit = "K/m"});
}

// ---- rules ----

namespace {

void check_follower(const Spot& here, const char* what, const AnyBody& body) {
  if (const ElementKind kind = body_kind(body); !has_axes(body))
    here["follower"].fail(std::string(what) + " that follows needs a place that turns, and " + article(kind->name) +
                          " has only " + kind->vector_list(false) + "; use a dead one, or beam3243");
}

// What has a volume of its own, apart from its mass.
void check_volume(const Spot& here, const AnyBody& any) {
  const Model& model = here.model();
  if (const Body* body = std::get_if<Body>(&any)) {
    const Section* section = body->section.empty() ? nullptr : model.sections.find(body->section);
    const auto known = [&](const Section* s) {
      if (!s) return true;
      if (const Bar* bar = std::get_if<Bar>(s)) return bar->area > 0;
      return !std::holds_alternative<General>(*s);
    };
    const Tapered* tapered = section ? std::get_if<Tapered>(section) : nullptr;
    if (!known(section) ||
        (tapered && (!known(model.sections.find(tapered->from)) || !known(model.sections.find(tapered->to)))))
      here["body"].fail("the section '" + body->section +
                        "' of this body has no area, so there is no force per volume; use a line_load");
  } else if (const RigidBody* rigid = std::get_if<RigidBody>(&any)) {
    if (!rigid->shape)
      here["body"].fail("this rigid body has a mass but no shape, so there is no force per volume; use a force");
  } else {
    here["body"].fail("this is " + article(type_name(any)) + " body, which has no volume; use forces");
  }
}

double most_expansion(const Material& material) {
  if (const auto* m = std::get_if<Isotropic>(&material)) return m->expansion;
  double most = 0;
  for (const double a : std::get<Orthotropic>(material).expansion)
    if (std::abs(a) > std::abs(most)) most = a;
  return most;
}

void check_temperature(const Spot& here, const Temperature& load) {
  const Model& model = here.model();
  const AnyBody& any = existing(here["body"], "body", "bodies", model.bodies, load.body);
  const Body* body = std::get_if<Body>(&any);
  if (!body) here["body"].fail("this is " + article(type_name(any)) + " body; a temperature acts on flexible bodies");
  if (body->kinematics != Kinematics::total && (!body->element->section_form || body->kinematics == Kinematics::rigid))
    here["body"].fail("this body is " + std::string(word(body->kinematics)) +
                      " (kinematics), whose deformation counts from the reference as it was; set 'kinematics: TL'");
  const bool across = body->element->volume && body->element->dimension != 2;
  const auto none = [](const Signal& s) { return s.is_constant() && s.constant() == 0; };
  if (!across && !none(load.gradient_y))
    here["gradient_y"].fail(article(body->element->name) + " has no gradient along y; it is for beams and solids");
  if (!body->element->volume && !none(load.gradient_z))
    here["gradient_z"].fail("a cable has one temperature; a gradient is for beams, shells and solids");
  if (none(load.change) && none(load.gradient_y) && none(load.gradient_z))
    here.fail("nothing changes; give 'change', 'gradient_y' or 'gradient_z'");
  check_signal(here["change"], load.change);
  check_signal(here["gradient_y"], load.gradient_y);
  check_signal(here["gradient_z"], load.gradient_z);
  const Section* section = body->section.empty() ? nullptr : model.sections.find(body->section);
  const Layered* layered = section ? std::get_if<Layered>(section) : nullptr;
  const Material* own = model.materials.find(body->material);
  bool expands = own && most_expansion(*own) != 0;
  for (std::size_t i = 0; layered && i < layered->layers.size(); ++i) {
    const Material* of_layer = model.materials.find(layered->layers[i].material);
    expands = expands || (of_layer && most_expansion(*of_layer) != 0);
  }
  if (!expands)
    here["body"].fail(
        (own ? "the material '" + body->material + "' has no 'expansion', so nothing would happen; give it"
             : "body '" + load.body + "' has no material, so nothing would happen; give it one with 'expansion'") +
        std::string(" (1/K)"));
}

}  // namespace

void check(const Spot& here, const Load& load) {
  if (const auto* force = std::get_if<PointForce>(&load)) {
    const AnyBody& body = check_place(here, "at", force->at);
    if (force->follower) check_follower(here, "a force", body);
    check_signals(here["force"], force->force);
  } else if (const auto* moment = std::get_if<PointMoment>(&load)) {
    const AnyBody& body = check_place(here, "at", moment->at);
    if (const ElementKind kind = body_kind(body); !has_axes(body))
      here["at"].fail("a moment needs full gradients, and " + article(kind->name) + " has only " +
                      kind->vector_list(false) + "; use two forces, or beam3243");
    if (moment->turns == MomentTurns::gradients && body_kind(body)->gradients() < 3)
      here["turns"].fail(article(body_kind(body)->name) + " has no gradients; remove this key");
    if (moment->follower && moment->turns == MomentTurns::gradients)
      here["follower"].fail("a moment on the gradients is a dead one; leave out 'turns' or 'follower'");
    check_signals(here["moment"], moment->moment);
  } else if (const auto* line = std::get_if<LineLoad>(&load)) {
    check_place(here, "on", line->on);
    check_signals(here["force"], line->force);
  } else if (const auto* pressure = std::get_if<Pressure>(&load)) {
    const AnyBody& body = check_place(here, "on", pressure->on);
    if (const ElementKind kind = body_kind(body); kind->flexible && !kind->volume)
      here["on"].fail("a pressure needs a surface, and " + article(kind->name) + " has none; use a line_load");
    check_signal(here["pressure"], pressure->pressure);
  } else if (const auto* traction = std::get_if<Traction>(&load)) {
    const AnyBody& body = check_place(here, "on", traction->on);
    if (const ElementKind kind = body_kind(body); kind->flexible && !kind->volume)
      here["on"].fail("a traction needs a surface, and " + article(kind->name) + " has none; use a line_load");
    check_signals(here["force"], traction->force);
  } else if (const auto* volume = std::get_if<BodyForce>(&load)) {
    check_volume(here, existing(here["body"], "body", "bodies", here.model().bodies, volume->body));
    check_signals(here["force"], volume->force);
  } else if (const auto* temperature = std::get_if<Temperature>(&load)) {
    check_temperature(here, *temperature);
  } else if (const auto* gravity = std::get_if<Gravity>(&load)) {
    check_signals(here["acceleration"], gravity->acceleration);
    for (const auto& [body_name, any] : here.model().bodies.items) {
      const Body* body = std::get_if<Body>(&any);
      const Material* material = body ? here.model().materials.find(body->material) : nullptr;
      if (const std::optional<double> mass = body ? mass_of_section(here.model(), *body) : std::nullopt) {
        if (*mass == 0)
          here.warn("gravity does not act on body '" + body_name + "': its section '" + body->section +
                    "' has mass 0, and the density of its material is not used; give 'mass' in kg/m");
      } else if (material && std::visit([](const auto& m) { return m.density; }, *material) == 0)
        here.warn("gravity does not act on body '" + body_name + "': its material '" + body->material +
                  "' has density 0; give 'density'");
    }
  }
}

}  // namespace lithe

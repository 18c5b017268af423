#include "lithe/model/loads.h"

#include "lithe/base/describe.h"
#include "lithe/model/mesh.h"
#include "lithe/model/spot.h"

namespace lithe {

LITHE_DESCRIBE(PointForce, "force", "dead force at a point") {
  visit("at", &PointForce::at, Field{.help = "node or material point", .required = true});
  visit("force", &PointForce::force, Field{.help = "components", .unit = "N", .required = true});
}

LITHE_DESCRIBE(PointMoment, "moment", "dead moment at a point of a body with gradients r_x, r_y, r_z") {
  visit("at", &PointMoment::at, Field{.help = "node or material point", .required = true});
  visit("moment", &PointMoment::moment, Field{.help = "components", .unit = "N m", .required = true});
  visit("turns", &PointMoment::turns, Field{.help = "section (as joints hold it) or gradients (r_x, r_y, r_z alike)"});
}

LITHE_DESCRIBE(LineLoad, "line_load", "dead force per reference length on an edge or along a line") {
  visit("on", &LineLoad::on, Field{.help = "edge, or body of a line", .required = true});
  visit("force", &LineLoad::force, Field{.help = "components", .unit = "N/m", .required = true});
}

LITHE_DESCRIBE(Pressure, "pressure", "pressure that follows a surface") {
  visit("on", &Pressure::on, Field{.help = "surface", .required = true});
  visit("pressure", &Pressure::pressure, Field{.help = "against the surface's normal", .unit = "Pa", .required = true});
}

LITHE_DESCRIBE(Gravity, "gravity", "uniform acceleration on all bodies") {
  visit("acceleration", &Gravity::acceleration, Field{.help = "components", .unit = "m/s^2"});
}

// ---- rules ----

void check(const Spot& here, const Load& load) {
  if (const auto* force = std::get_if<PointForce>(&load)) {
    check_place(here, "at", force->at);
    check_signals(here["force"], force->force);
  } else if (const auto* moment = std::get_if<PointMoment>(&load)) {
    const AnyBody& body = check_place(here, "at", moment->at);
    if (const ElementKind kind = body_kind(body); kind->gradients() < 3)
      here["at"].fail("a moment needs full gradients, and " + article(kind->name) + " has only " +
                      kind->vector_list(false) + "; use two forces, or beam3243");
    check_signals(here["moment"], moment->moment);
  } else if (const auto* line = std::get_if<LineLoad>(&load)) {
    check_place(here, "on", line->on);
    check_signals(here["force"], line->force);
  } else if (const auto* pressure = std::get_if<Pressure>(&load)) {
    const AnyBody& body = check_place(here, "on", pressure->on);
    if (const ElementKind kind = body_kind(body); kind->flexible && !kind->volume)
      here["on"].fail("a pressure needs a surface, and " + article(kind->name) + " has none; use a line_load");
    check_signal(here["pressure"], pressure->pressure);
  } else if (const auto* gravity = std::get_if<Gravity>(&load)) {
    check_signals(here["acceleration"], gravity->acceleration);
    for (const auto& [body_name, any] : here.model().bodies.items) {
      const Body* body = std::get_if<Body>(&any);
      const Material* material = body ? here.model().materials.find(body->material) : nullptr;
      if (material && std::visit([](const auto& m) { return m.density; }, *material) == 0)
        here.warn("gravity does not act on body '" + body_name + "': its material '" + body->material +
                  "' has density 0; give 'density'");
    }
  }
}

}  // namespace lithe

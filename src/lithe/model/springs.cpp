#include "lithe/model/springs.h"

#include "lithe/base/describe.h"
#include "lithe/model/mesh.h"
#include "lithe/model/spot.h"

namespace lithe {

LITHE_DESCRIBE(Spring, "spring", "spring, damper and force along the line between two points") {
  visit("a", &Spring::a, Field{.help = "first point, or {body: ground, point: [x, y, z]}", .required = true});
  visit("b", &Spring::b, Field{.help = "second point", .required = true});
  visit("stiffness", &Spring::stiffness, Field{.help = "stiffness", .unit = "N/m", .allowed = not_negative});
  visit("damping", &Spring::damping, Field{.help = "damping", .unit = "N s/m", .allowed = not_negative});
  visit("free_length", &Spring::free_length,
        Field{.help = "default: the length of the reference configuration", .unit = "m", .allowed = not_negative});
  visit("force", &Spring::force, Field{.help = "pulls the points together", .unit = "N"});
}

LITHE_DESCRIBE(TorsionSpring, "torsion_spring", "spring, damper and moment about the axis of a joint") {
  visit("joint", &TorsionSpring::joint, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("stiffness", &TorsionSpring::stiffness, Field{.help = "stiffness", .unit = "N m/rad", .allowed = not_negative});
  visit("damping", &TorsionSpring::damping, Field{.help = "damping", .unit = "N m s/rad", .allowed = not_negative});
  visit("free_angle", &TorsionSpring::free_angle, Field{.help = "angle without moment", .unit = "rad"});
  visit("moment", &TorsionSpring::moment, Field{.help = "turns b against a", .unit = "N m"});
}

LITHE_DESCRIBE(Bushing, "bushing", "elastic and viscous connection of two frames") {
  visit("a", &Bushing::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Bushing::b, Field{.help = "second place", .required = true});
  visit("point", &Bushing::point, Field{.help = "of the bushing, for a body given without a place", .unit = "m"});
  visit("x_axis", &Bushing::x_axis, Field{.help = "of the bushing in the reference configuration; default: global x"});
  visit("y_axis", &Bushing::y_axis, Field{.help = "made orthogonal to x; default: global y"});
  visit("stiffness", &Bushing::stiffness, Field{.help = "along x, y, z", .unit = "N/m", .allowed = not_negative});
  visit("damping", &Bushing::damping, Field{.help = "along x, y, z", .unit = "N s/m", .allowed = not_negative});
  visit("torsion_stiffness", &Bushing::torsion_stiffness,
        Field{.help = "about x, y, z", .unit = "N m/rad", .allowed = not_negative});
  visit("torsion_damping", &Bushing::torsion_damping,
        Field{.help = "about x, y, z", .unit = "N m s/rad", .allowed = not_negative});
}

// ---- rules ----

namespace {

void check_ends(const Spot& here, const At& a, const At& b) {
  const AnyBody *first = check_end(here, "a", a), *second = check_end(here, "b", b);
  if (!first && !second) here["b"].fail("both ends are on the ground; one must be on a body");
}
bool none(const Triple& t) { return t[0] == 0 && t[1] == 0 && t[2] == 0; }
bool none(const Signal& s) { return s.is_constant() && s.constant() == 0; }

void check_spring(const Spot& here, const Spring& spring) {
  check_ends(here, spring.a, spring.b);
  for (const auto& [key, at] : {std::pair{"a", &spring.a}, {"b", &spring.b}})
    if (at->is_ground() && !at->point) here[key].fail("the ground needs a point: {body: ground, point: [x, y, z]}");
  check_signal(here["force"], spring.force);
  if (spring.stiffness == 0 && spring.damping == 0 && none(spring.force))
    here.warn("spring '" + here.name() + "' has no stiffness, damping or force, so it does nothing; give one of them");
}
void check_spring(const Spot& here, const TorsionSpring& spring) {
  check_angle(here["joint"], spring.joint);
  check_signal(here["moment"], spring.moment);
  if (spring.stiffness == 0 && spring.damping == 0 && none(spring.moment))
    here.warn("spring '" + here.name() + "' has no stiffness, damping or moment, so it does nothing; give one of them");
}
void check_spring(const Spot& here, const Bushing& bushing) {
  check_ends(here, bushing.a, bushing.b);
  check_axes(here, bushing.x_axis, bushing.y_axis);
  const auto placed = [&](const At& at) {  // a point mass is its own place
    const AnyBody* body = here.model().bodies.find(at.body);
    return at.has_place() || (body && std::holds_alternative<PointMass>(*body));
  };
  if (!bushing.point && !placed(bushing.a) && !placed(bushing.b))
    here.fail("neither side says where it is; give 'point', or a place such as " +
              (bushing.a.is_ground() ? bushing.b.body : bushing.a.body) + ".name");
  if (none(bushing.stiffness) && none(bushing.damping) && none(bushing.torsion_stiffness) &&
      none(bushing.torsion_damping))
    here.warn("bushing '" + here.name() + "' has no stiffness or damping, so it does nothing; give one of them");
}

}  // namespace

void check(const Spot& here, const SpringElement& spring) {
  std::visit([&](const auto& s) { check_spring(here, s); }, spring);
}

}  // namespace lithe

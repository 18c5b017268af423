#include "lithe/model/springs.h"

#include "lithe/base/describe.h"

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

}  // namespace lithe

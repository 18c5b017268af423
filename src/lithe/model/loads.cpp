#include "lithe/model/loads.h"

#include "lithe/base/describe.h"

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

}  // namespace lithe

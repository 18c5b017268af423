#include "lithe/model/constraints.h"

#include "lithe/base/describe.h"

namespace lithe {

LITHE_DESCRIBE(Clamp, "clamp", "holds position and rotation of nodes") {
  visit("at", &Clamp::at, Field{.help = "node or set of nodes", .required = true});
  visit("hold", &Clamp::hold,
        Field{.help = "section (position and rotation; it may stretch) or all (every coordinate)"});
}

LITHE_DESCRIBE(Fix, "fix", "holds chosen coordinates of nodes, along any directions") {
  visit("at", &Fix::at, Field{.help = "node or set of nodes", .required = true});
  visit("coordinates", &Fix::coordinates, Field{.help = "position, x_gradient, y_gradient, z_gradient"});
  visit("along", &Fix::along, Field{.help = "directions that are held; default: all"});
}

}  // namespace lithe

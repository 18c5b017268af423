#include "lithe/model/constraints.h"

#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/mesh.h"
#include "lithe/model/spot.h"

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

LITHE_DESCRIBE(SymmetryPlane, "symmetry",
               "plane of symmetry through nodes: what lies in it stays, what crosses it stays normal") {
  visit("at", &SymmetryPlane::at, Field{.help = "node or set of nodes in the plane", .required = true});
  visit("normal", &SymmetryPlane::normal, Field{.help = "normal of the plane"});
  visit("axis", &SymmetryPlane::axis, Field{.help = "instead: the global axis that is its normal"});
}

LITHE_DESCRIBE(Pin, "pin", "holds the position of nodes or of a point; rotation is free") {
  visit("at", &Pin::at, Field{.help = "node, set of nodes or point", .required = true});
}

LITHE_DESCRIBE(Roller, "roller", "holds the position of nodes or of a point along one direction") {
  visit("at", &Roller::at, Field{.help = "node, set of nodes or point", .required = true});
  visit("normal", &Roller::normal, Field{.help = "direction that is held", .required = true});
}

// ---- rules ----

void check(const Spot& here, const Constraint& constraint) {
  if (const Clamp* clamp = std::get_if<Clamp>(&constraint)) {
    check_place(here, "at", clamp->at);
    return;
  }
  if (const SymmetryPlane* symmetry = std::get_if<SymmetryPlane>(&constraint)) {
    check_place(here, "at", symmetry->at);
    if (symmetry->normal.has_value() == symmetry->axis.has_value())
      here.fail("give 'normal' (a direction) or 'axis' (x, y or z), one of them");
    if (symmetry->normal) check_direction(here, "normal", *symmetry->normal);
    return;
  }
  if (const Pin* pin = std::get_if<Pin>(&constraint)) {
    check_place(here, "at", pin->at);
    return;
  }
  if (const Roller* roller = std::get_if<Roller>(&constraint)) {
    check_place(here, "at", roller->at);
    check_direction(here, "normal", roller->normal);
    return;
  }
  const Fix& fix = std::get<Fix>(constraint);
  const AnyBody& body = check_place(here, "at", fix.at);
  if (fix.coordinates.empty())
    here["coordinates"].fail(
        "the list is empty, so nothing would be held; name some of position, x_gradient, y_gradient, z_gradient");
  for (const Coordinate c : fix.coordinates)
    if (const ElementKind kind = body_kind(body); static_cast<int>(c) >= kind->node_vectors)
      here["coordinates"].fail("'" + std::string(word(c)) + "' is not a coordinate of " + article(kind->name) +
                               " node; it has " + kind->vector_list(true));
  for (std::size_t i = 0; i < fix.along.size(); ++i) {
    const Triple& a = fix.along[i];
    if (!(norm(a) > 0))
      here["along"][i].fail("this is " + text(a) + ", which has no direction; give a vector of nonzero length");
    for (std::size_t j = 0; j < i; ++j)
      if (parallel(a, fix.along[j]))
        here["along"][i].fail("this is " + text(a) + ", the same direction as entry " + std::to_string(j) +
                              "; remove one");
  }
  const bool flat = fix.along.size() == 3 && std::abs(dot(cross(fix.along[0], fix.along[1]), fix.along[2])) <
                                                 1e-9 * norm(fix.along[0]) * norm(fix.along[1]) * norm(fix.along[2]);
  if (fix.along.size() > 3 || flat)
    here["along"].fail("there are " + std::to_string(fix.along.size()) +
                       " directions, but they must be independent (at most three); leave 'along' "
                       "out to hold all directions");
}

}  // namespace lithe

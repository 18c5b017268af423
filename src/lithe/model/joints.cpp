#include "lithe/model/joints.h"

#include "lithe/base/describe.h"

namespace lithe {

LITHE_DESCRIBE(Weld, "weld", "joins position and frame") {
  visit("a", &Weld::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Weld::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Weld::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
}

LITHE_DESCRIBE(Spherical, "spherical", "joins two points") {
  visit("a", &Spherical::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Spherical::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Spherical::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
}

LITHE_DESCRIBE(Revolute, "revolute", "turns about an axis") {
  visit("a", &Revolute::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Revolute::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Revolute::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &Revolute::axis, Field{.help = "of the joint in the reference configuration"});
}

LITHE_DESCRIBE(Universal, "universal", "two crossed axes that stay perpendicular") {
  visit("a", &Universal::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Universal::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Universal::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis_a", &Universal::axis_a, Field{.help = "axis that stays in a"});
  visit("axis_b", &Universal::axis_b, Field{.help = "axis that stays in b"});
}

LITHE_DESCRIBE(Cylindrical, "cylindrical", "turns about and slides along an axis") {
  visit("a", &Cylindrical::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Cylindrical::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Cylindrical::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &Cylindrical::axis, Field{.help = "of the joint in the reference configuration"});
}

LITHE_DESCRIBE(Prismatic, "prismatic", "slides along an axis") {
  visit("a", &Prismatic::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Prismatic::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Prismatic::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &Prismatic::axis, Field{.help = "of the joint in the reference configuration"});
}

LITHE_DESCRIBE(Planar, "planar", "slides in a plane and turns about its normal") {
  visit("a", &Planar::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Planar::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Planar::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("normal", &Planar::normal, Field{.help = "of the plane, belongs to a"});
}

LITHE_DESCRIBE(Distance, "distance", "keeps two points at a distance") {
  visit("a", &Distance::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Distance::b, Field{.help = "second place, or ground", .required = true});
  visit("distance", &Distance::distance,
        Field{.help = "default: the one of the reference configuration", .unit = "m", .allowed = positive});
}

LITHE_DESCRIBE(PointOnLine, "point_on_line", "a point of b stays on a line of a") {
  visit("a", &PointOnLine::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &PointOnLine::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &PointOnLine::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &PointOnLine::axis, Field{.help = "direction of the line, belongs to a"});
}

LITHE_DESCRIBE(Gear, "gear", "angle of joint_b = ratio * angle of joint_a") {
  visit("joint_a", &Gear::joint_a, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("joint_b", &Gear::joint_b, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("ratio", &Gear::ratio, Field{.help = "of the angles, with its sign"});
}

LITHE_DESCRIBE(Motion, "motion", "a point follows given displacements") {
  visit("at", &Motion::at, Field{.help = "node, point of a rigid body or material point", .required = true});
  visit("displacement", &Motion::displacement,
        Field{.help = "x, y, z from the reference position; null: free", .unit = "m", .required = true});
}

LITHE_DESCRIBE(Turn, "turn", "the angle of a joint follows a signal") {
  visit("joint", &Turn::joint, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("angle", &Turn::angle, Field{.help = "of b against a, from the reference", .unit = "rad", .required = true});
}

LITHE_DESCRIBE(Slide, "slide", "the travel of a joint follows a signal") {
  visit("joint", &Slide::joint, Field{.help = "a prismatic or cylindrical joint", .required = true});
  visit("travel", &Slide::travel, Field{.help = "of b against a, from the reference", .unit = "m", .required = true});
}

}  // namespace lithe

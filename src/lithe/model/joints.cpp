#include "lithe/model/joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/mesh.h"
#include "lithe/model/spot.h"

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

LITHE_DESCRIBE(Screw, "screw", "slides along an axis in proportion to its turn") {
  visit("a", &Screw::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &Screw::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &Screw::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("axis", &Screw::axis, Field{.help = "of the joint in the reference configuration"});
  visit("pitch", &Screw::pitch,
        Field{.help = "travel a turn, right-handed; negative: left-handed", .unit = "m", .required = true});
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

LITHE_DESCRIBE(PointInPlane, "point_in_plane", "a point of b stays in a plane of a") {
  visit("a", &PointInPlane::a, Field{.help = "first place, or ground", .required = true});
  visit("b", &PointInPlane::b, Field{.help = "second place, or ground", .required = true});
  visit("point", &PointInPlane::point,
        Field{.help = "of the joint, for a body given without a place; default: where the other one is", .unit = "m"});
  visit("normal", &PointInPlane::normal, Field{.help = "of the plane, belongs to a"});
}

LITHE_DESCRIBE(SlideAlong, "slide_along", "a point of b slides along a cable or beam") {
  visit("line", &SlideAlong::line,
        Field{.help = "a body of cables or beams with a line or arc mesh", .required = true});
  visit("b", &SlideAlong::b,
        Field{.help = "place that slides, or a point of the ground through which the line runs", .required = true});
}

LITHE_DESCRIBE(Reeving, "reeving", "a rope of given length from point to point, over sheaves without friction") {
  visit("points", &Reeving::points,
        Field{.help = "places from one end of the rope to the other, sheaves between", .required = true});
  visit(
      "falls", &Reeving::falls,
      Field{.help = "how many times the rope runs between one point and the next; default: once", .allowed = positive});
  visit("length", &Reeving::length,
        Field{.help = "of all falls together, a drive for a winch; default: that of the reference configuration",
              .unit = "m",
              .allowed = positive});
}

LITHE_DESCRIBE(RackAndPinion, "rack_and_pinion", "travel of the rack = radius * angle of the pinion") {
  visit("pinion", &RackAndPinion::pinion, Field{.help = "a joint with an angle", .required = true});
  visit("rack", &RackAndPinion::rack, Field{.help = "a joint with a travel", .required = true});
  visit("radius", &RackAndPinion::radius,
        Field{.help = "of the pinion; negative: the rack goes the other way", .unit = "m", .required = true});
}

LITHE_DESCRIBE(Gear, "gear", "angle of joint_b = ratio * angle of joint_a") {
  visit("joint_a", &Gear::joint_a, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("joint_b", &Gear::joint_b, Field{.help = "a revolute or cylindrical joint", .required = true});
  visit("ratio", &Gear::ratio, Field{.help = "of the angles, with its sign"});
}

LITHE_DESCRIBE(Motion, "motion", "a place follows given displacements, or turns by a given angle") {
  visit("at", &Motion::at, Field{.help = "node, point of a rigid body or material point", .required = true});
  visit("displacement", &Motion::displacement,
        Field{.help = "x, y, z from the reference position; null: free", .unit = "m"});
  visit("velocity", &Motion::velocity,
        Field{.help = "instead of displacements: along x, y, z, from the reference position at t = 0 on; null: free",
              .unit = "m/s"});
  visit("angle", &Motion::angle,
        Field{.help = "the place turns about 'axis' by it, from the reference, and not otherwise", .unit = "rad"});
  visit("axis", &Motion::axis, Field{.help = "of 'angle', a fixed direction"});
}

LITHE_DESCRIBE(RigidConnection, "rigid_connection", "nodes move as if they were part of a rigid body") {
  visit("a", &RigidConnection::a,
        Field{.help = "rigid body ('mass: 0' makes a reference point of it), or ground", .required = true});
  visit("nodes", &RigidConnection::nodes, Field{.help = "node or set of nodes", .required = true});
  visit("hold", &RigidConnection::hold,
        Field{.help = "section (positions and rotation; it may stretch) or all (every coordinate)"});
}

LITHE_DESCRIBE(DistributingConnection, "distributing_connection",
               "a rigid body moves as the mean of nodes does; forces on it spread over them, which stay flexible") {
  visit("a", &DistributingConnection::a,
        Field{.help = "rigid body ('mass: 0' makes a reference point of it), or ground", .required = true});
  visit("nodes", &DistributingConnection::nodes, Field{.help = "set of nodes", .required = true});
  visit("mean", &DistributingConnection::mean,
        Field{.help = "over the sides of elements that the nodes span (uniform and linear tractions), or nodes "
                      "(positions, all alike)"});
}

LITHE_DESCRIBE(Turn, "turn", "the angle of a joint follows a signal") {
  visit("joint", &Turn::joint,
        Field{.help = "a revolute, cylindrical, screw, planar, universal or spherical joint", .required = true});
  visit("angle", &Turn::angle, Field{.help = "of b against a, from the reference", .unit = "rad"});
  visit("rate", &Turn::rate, Field{.help = "of the angle, instead of it", .unit = "rad/s"});
  visit("coordinate", &Turn::coordinate, Field{.help = "universal: angle_a (default) or angle_b, about its two axes"});
  visit("angles", &Turn::angles,
        Field{.help = "spherical: of b against a about x, then about y and z as they have turned, global axes in the "
                      "reference; null: free",
              .unit = "rad"});
}

LITHE_DESCRIBE(Slide, "slide", "the travel of a joint follows a signal") {
  visit("joint", &Slide::joint,
        Field{.help = "a prismatic, cylindrical, screw, planar, point_on_line or slide_along joint", .required = true});
  visit("travel", &Slide::travel, Field{.help = "of b against a, from the reference", .unit = "m"});
  visit("rate", &Slide::rate, Field{.help = "of the travel, instead of it", .unit = "m/s"});
  visit("axis", &Slide::axis, Field{.help = "planar: direction in the plane, belongs to a"});
}

// ---- rules ----

namespace {

// Both places on one body: of a flexible body or linkage two places may be joined, the rest cannot move.
void check_one_body(const Spot& here, const At& a, const At& b, const AnyBody& body) {
  const bool stiff = std::holds_alternative<RigidBody>(body) || std::holds_alternative<PointMass>(body);
  if (stiff || a.text() == b.text())
    here["b"].fail("the joint is from body '" + a.body + "' to itself, " +
                   (stiff ? "whose places do not move against each other" : "with the same place on both sides") +
                   "; name another body, or 'ground'");
}

// Joints with two places; `name` of a direction they need, null where they need none.
// The set of nodes that a place names: x_max where it is x_max_middle.
std::string face_at(const At& at) {
  constexpr std::string_view middle = "_middle";
  if (at.name.empty()) return "FACE";
  return at.name.ends_with(middle) ? at.name.substr(0, at.name.size() - middle.size()) : at.name;
}

template <class J>
requires requires(J j) { j.b; }
void check_joint(const Spot& here, const J& joint) {
  const AnyBody *a = check_end(here, "a", joint.a), *b = check_end(here, "b", joint.b);
  if (!a && !b) here["b"].fail("both places are on the ground; one must be on a body");
  if (a == b) check_one_body(here, joint.a, joint.b, *a);
  if constexpr (requires { joint.axis; }) check_direction(here, "axis", joint.axis);
  if constexpr (requires { joint.normal; }) check_direction(here, "normal", joint.normal);
  if constexpr (requires { joint.axis_a; }) {
    check_direction(here, "axis_a", joint.axis_a);
    check_direction(here, "axis_b", joint.axis_b);
    if (const double cosine = dot(joint.axis_a, joint.axis_b) / (norm(joint.axis_a) * norm(joint.axis_b));
        std::abs(cosine) > 1e-6)
      here["axis_b"].fail("this is " + text(joint.axis_b) + ", but it must be at a right angle to axis_a = " +
                          text(joint.axis_a) + " (the cosine is " + short_text(cosine) + ")");
  }
  if constexpr (requires { joint.pitch; })
    if (joint.pitch == 0) here["pitch"].fail("a pitch of 0 holds the travel; use 'type: revolute' for that");
  if constexpr (requires { joint.distance; }) {
    for (const auto& [key, at] : {std::pair{"a", &joint.a}, {"b", &joint.b}})
      if (at->is_ground() && !at->point) here[key].fail("the ground needs a point: {body: ground, point: [x, y, z]}");
    if (joint.distance) {
      check_drive(here["distance"], *joint.distance);
      for (int i = 0; i <= 8; ++i) {
        const double t = end_of(here.analysis()) * i / 8, x = (*joint.distance)(t);
        if (!(x > 0))
          here["distance"].fail("the distance is " + short_text(x) + " m at t = " + short_text(t) +
                                " s, but it must be greater than 0; use 'spherical' to join points");
      }
    }
  } else {
    // Weld and prismatic do not care where on a rigid body they are.
    constexpr bool anywhere = std::is_same_v<J, Weld> || std::is_same_v<J, Prismatic>;
    const auto itself = [&](const AnyBody* body) {
      return body &&
             (std::holds_alternative<PointMass>(*body) || (anywhere && std::holds_alternative<RigidBody>(*body)));
    };
    const auto placed = [&](const At& at) { return at.is_ground() ? at.point.has_value() : at.has_place(); };
    if (!joint.point && !placed(joint.a) && !placed(joint.b) && !itself(a) && !itself(b))
      here.fail("neither '" + joint.a.text() + "' nor '" + joint.b.text() +
                "' says where the joint is; give 'point: [x, y, z]', or a place such as " +
                (a ? joint.a.body : joint.b.body) + ".name");
    // What must have directions: both sides, of a line and of a plane a alone.
    constexpr bool needs_b = std::is_same_v<J, Weld> || requires { joint.axis_b; }
    || std::is_same_v<J, Revolute> || std::is_same_v<J, Cylindrical> || std::is_same_v<J, Prismatic> ||
        std::is_same_v<J, Screw>;
    constexpr bool needs_a = needs_b || requires { joint.normal; }
    || std::is_same_v<J, PointOnLine>;
    const auto no_directions = [&](const char* key, const AnyBody* body, const At& at) {
      if (!body || body_kind(*body)->gradients() > 0 || has_axes(*body)) return;
      const Body* flexible = std::get_if<Body>(body);
      std::string remedy = std::string("use a spherical joint") + (needs_b ? "" : ", or swap a and b");
      if (flexible) {  // nodes that a rigid body carries turn with it
        const bool weighs = goes_by_half_steps(here.model());
        remedy +=
            ", or let a rigid body carry nodes there, and join that with '" + std::string(key) +
            ": hub'\n  bodies: {hub: {type: rigid, position: " +
            (joint.point ? fmt::format("[{:g}, {:g}, {:g}]", (*joint.point)[0], (*joint.point)[1], (*joint.point)[2])
                         : "[x, y, z]") +
            (weighs ? ", mass: 1e-3, inertia: [1e-6, 1e-6, 1e-6]" : ", mass: 0") +
            "}}\n  joints: {hub_fit: {type: rigid_connection, a: hub, nodes: " + at.body + "." + face_at(at) + "}}";
      }
      here[key].fail("'" + at.text() + "' is a point of " +
                     article(flexible ? flexible->element->name : type_name(*body)) +
                     " and has no directions, which this joint needs; " + remedy);
    };
    if (needs_a) no_directions("a", a, joint.a);
    if (needs_b) no_directions("b", b, joint.b);
  }
}

void check_joint(const Spot& here, const SlideAlong& joint) {
  const std::optional<HalfStepNeed> need = needs_half_steps(here.model());
  const bool half_steps = std::ranges::any_of(here.model().analysis, [](const Analysis& stage) {
    const auto* dynamic = std::get_if<DynamicAnalysis>(&stage);
    return dynamic && dynamic->integrator == Integrator::half_step;
  });
  if (need || half_steps)
    here.fail(
        "this joint slides along a line, and its place there has no mass, which half_step needs; "
        "take another integrator, such as generalized_alpha" +
        (need ? "; " + need->what + ": " + need->otherwise : ""));
  const AnyBody& body = existing(here["line"], "body", "bodies", here.model().bodies, joint.line);
  const Body* line = std::get_if<Body>(&body);
  const bool fits =
      line && (std::holds_alternative<LineMesh>(line->mesh) || std::holds_alternative<ArcMesh>(line->mesh));
  if (!fits)
    here["line"].fail("body '" + joint.line +
                      "' is no line of elements; name a body of cables or beams with a mesh of "
                      "type line or arc");
  check_end(here, "b", joint.b);
  if (joint.b.is_ground() && !joint.b.point)
    here["b"].fail("the ground needs a point: {body: ground, point: [x, y, z]}");
  if (joint.b.body == joint.line) here["b"].fail("this is on the line itself; name a place of another body");
}
void check_joint(const Spot& here, const Reeving& joint) { check_rope(here, joint.points, joint.falls, joint.length); }
void check_joint(const Spot& here, const Gear& gear) {
  check_angle(here["joint_a"], gear.joint_a);
  check_angle(here["joint_b"], gear.joint_b);
  if (gear.joint_a == gear.joint_b)
    here["joint_b"].fail("this is joint_a again; a gear couples the angles of two joints");
  if (gear.ratio == 0) here["ratio"].fail("a ratio of 0 would hold joint_b; use 'type: turn' with 'angle: 0' for that");
}
// A drive by its value or by its rate.
void check_drives(const Spot& here, const char* key, const std::optional<Drive>& value,
                  const std::optional<Drive>& rate) {
  if (!value && !rate) here.fail(std::string("'") + key + "' is missing; give it, or 'rate'");
  if (value && rate) here["rate"].fail(std::string("'") + key + "' and 'rate' are both given; remove one");
  check_drive(here[value ? key : "rate"], value ? *value : *rate);
}
void check_travel_axis_of(const Spot& here, const Planar& planar, const Triple& axis) {
  check_direction(here, "axis", axis);
  if (const double cosine = dot(axis, planar.normal) / (norm(axis) * norm(planar.normal)); std::abs(cosine) > 1e-6)
    here["axis"].fail("this is " + text(axis) + ", but it must lie in the plane with normal " + text(planar.normal) +
                      " (the cosine is " + short_text(cosine) + ")");
}
// Three angles of a spherical joint.
void check_angles(const Spot& here, const Turn& turn, const Spherical& joint) {
  if (turn.angle || turn.rate || turn.coordinate)
    here[turn.angle  ? "angle"
         : turn.rate ? "rate"
                     : "coordinate"]
        .fail("joint '" + turn.joint + "' is spherical and has three angles; give 'angles: [x, y, z]' instead");
  if (std::ranges::none_of(turn.angles, [](const auto& angle) { return angle.has_value(); }))
    here.fail("'angles' is missing: joint '" + turn.joint +
              "' is spherical; give [x, y, z], with null for an angle that is free");
  for (const At& at : {joint.a, joint.b}) {
    const AnyBody* body = at.is_ground() ? nullptr : here.model().bodies.find(at.body);
    if (body && !has_axes(*body))
      here["joint"].fail("'" + at.text() + "' of joint '" + turn.joint +
                         "' has no three directions, so no angles; use a rigid body, a beam, a shell or a hexa there");
  }
  for (std::size_t k = 0; k < 3; ++k)
    if (turn.angles[k]) check_drive(here["angles"][k], *turn.angles[k]);
  for (int i = 0; turn.angles[1] && i <= 64; ++i) {
    const double t = end_of(here.analysis()) * i / 64, y = (*turn.angles[1])(t);
    if (!(std::abs(y) < 1.5))
      here["angles"][1].fail("the second angle is " + short_text(y) + " at t = " + short_text(t) +
                             " s, but at a quarter of a turn the first and the third have the same axis; keep it "
                             "below 1.5 rad, and let x or z make the large turn");
  }
}
void check_joint(const Spot& here, const Turn& turn) {
  const Joint& joint = existing(here["joint"], "joint", "joints", here.model().joints, turn.joint);
  if (const auto* ball = std::get_if<Spherical>(&joint)) return check_angles(here, turn, *ball);
  for (std::size_t k = 0; k < 3; ++k)
    if (turn.angles[k])
      here["angles"].fail("joint '" + turn.joint + "' is of type " + type_name(joint) +
                          ", which does not turn about three axes; give 'angle'");
  if (!std::holds_alternative<Universal>(joint)) check_angle(here["joint"], turn.joint);
  if (check_coordinate(here, turn.joint, turn.coordinate) == JointCoordinate::travel)
    here["coordinate"].fail("'travel' is no angle; use 'type: slide' to drive it");
  check_drives(here, "angle", turn.angle, turn.rate);
}
void check_joint(const Spot& here, const Slide& slide) {
  const Joint& joint = existing(here["joint"], "joint", "joints", here.model().joints, slide.joint);
  const auto* planar = std::get_if<Planar>(&joint);
  if (!planar) check_travel(here["joint"], slide.joint);
  if (planar && !slide.axis)
    here.fail("'axis' is missing: joint '" + slide.joint +
              "' is planar and slides along any direction of its plane; give the one that is driven");
  if (slide.axis) {
    if (!planar)
      here["axis"].fail("joint '" + slide.joint + "' is of type " + type_name(joint) +
                        ", which slides along its own axis; remove this key");
    check_travel_axis_of(here, *planar, *slide.axis);
  }
  check_drives(here, "travel", slide.travel, slide.rate);
}
void check_joint(const Spot& here, const RackAndPinion& pair) {
  check_angle(here["pinion"], pair.pinion);
  check_travel(here["rack"], pair.rack);
  if (pair.radius == 0)
    here["radius"].fail("a radius of 0 would hold the rack; use 'type: slide' with 'travel: 0' for that");
}
void check_joint(const Spot& here, const Motion& motion) {
  if (motion.at.is_ground()) here["at"].fail("the ground does not move; name a place on a body");
  check_place(here, "at", motion.at);
  bool any = motion.angle.has_value();
  if (motion.angle.has_value() != motion.axis.has_value())
    here.fail(std::string("'") + (motion.angle ? "axis" : "angle") + "' is missing: a turn needs 'angle' and 'axis'");
  if (motion.angle) {
    check_direction(here, "axis", *motion.axis);
    check_drive(here["angle"], *motion.angle);
    const AnyBody& body = *here.model().bodies.find(motion.at.body);
    if (const ElementKind kind = body_kind(body); !has_axes(body))
      here["angle"].fail("a turn needs a place with directions, and " + article(kind->name) + " has only " +
                         kind->vector_list(false));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (motion.displacement[k]) check_drive(here["displacement"][k], *motion.displacement[k]);
    if (motion.velocity[k]) check_drive(here["velocity"][k], *motion.velocity[k]);
    if (motion.displacement[k] && motion.velocity[k])
      here["velocity"][k].fail(std::string("the displacement along ") + "xyz"[k] +
                               " is given, too; give one of them and null for the other");
    any = any || motion.displacement[k] || motion.velocity[k];
  }
  if (!any)
    here["displacement"].fail(
        "all three are null, so nothing moves; give a number or expression, or 'velocity', or 'angle'");
}
template <class Connection>
requires requires(Connection c) { c.nodes; }
void check_joint(const Spot& here, const Connection& connection) {
  const AnyBody* a = check_end(here, "a", connection.a);
  if (a && !std::holds_alternative<RigidBody>(*a))
    here["a"].fail("'" + connection.a.text() + "' is on " + article(type_name(*a)) +
                   " body, but nodes are connected to a rigid one or the ground; add a body {type: rigid, mass: 0, "
                   "position: [x, y, z]}, connect it to the nodes, and weld it to this place");
  if (connection.nodes.is_ground()) here["nodes"].fail("the ground has no nodes; name a body and a set of its nodes");
  const AnyBody& b = check_place(here, "nodes", connection.nodes);
  if (&b == a) here["nodes"].fail("these are nodes of 'a' itself; name those of another body");
  if (std::holds_alternative<RigidBody>(b))
    here["nodes"].fail("'" + connection.nodes.text() + "' is a rigid body; use a weld");
}

}  // namespace

std::vector<JointCoordinate> coordinates_of(const Joint& joint) {
  using enum JointCoordinate;
  if (std::holds_alternative<Revolute>(joint) || std::holds_alternative<Planar>(joint)) return {angle};
  if (std::holds_alternative<Cylindrical>(joint) || std::holds_alternative<Screw>(joint)) return {angle, travel};
  if (std::holds_alternative<Prismatic>(joint) || std::holds_alternative<PointOnLine>(joint) ||
      std::holds_alternative<SlideAlong>(joint))
    return {travel};
  if (std::holds_alternative<Universal>(joint)) return {angle_a, angle_b};
  return {};
}

void check_rope(const Spot& here, const std::vector<At>& points, const std::vector<double>& falls,
                const std::optional<Drive>& length) {
  const Spot list = here["points"];
  if (points.size() < 2)
    list.fail("a rope has two ends; give at least two places, and this is a list of " + std::to_string(points.size()));
  if (points.size() > most_rope_parts + 1)
    list.fail("this is a list of " + std::to_string(points.size()) + ", but a rope has at most " +
              std::to_string(most_rope_parts + 1) +
              " points; give falls that run between the same two points as one, with their number in 'falls'");
  bool moves = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    moves = moves || !points[i].is_ground();
    if (!points[i].is_ground()) {
      if (!here.model().bodies.find(points[i].body))
        existing(list[i], "body", "bodies", here.model().bodies, points[i].body);
    } else if (!points[i].point) {
      list[i].fail("the ground needs a point: {body: ground, point: [x, y, z]}");
    }
  }
  if (!moves) list.fail("all points are on the ground; one must be on a body");
  if (!falls.empty() && falls.size() != points.size() - 1)
    here["falls"].fail("this is a list of " + std::to_string(falls.size()) + ", but between " +
                       std::to_string(points.size()) + " points there are " + std::to_string(points.size() - 1));
  if (!length) return;
  check_drive(here["length"], *length);
  for (int i = 0; i <= 8; ++i) {
    const double t = end_of(here.analysis()) * i / 8, x = (*length)(t);
    if (!(x > 0))
      here["length"].fail("the length is " + short_text(x) + " m at t = " + short_text(t) +
                          " s, but it must be greater than 0");
  }
}

void check_travel_axis(const Spot& here, const std::string& name, const Joint& joint, const Triple& axis) {
  const auto* planar = std::get_if<Planar>(&joint);
  if (!planar)
    here["axis"].fail("joint '" + name + "' is of type " + type_name(joint) + ", not planar; remove this key");
  check_travel_axis_of(here, *planar, axis);
}

void check(const Spot& here, const Joint& joint) {
  std::visit([&](const auto& j) { check_joint(here, j); }, joint);
}

}  // namespace lithe

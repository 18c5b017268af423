#include "lithe/model/springs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/describe.h"
#include "lithe/model/mesh.h"
#include "lithe/model/model.h"
#include "lithe/model/spot.h"

namespace lithe {

constexpr const char* in_plane = "planar: direction in the plane, belongs to a; the travel is along it";

LITHE_DESCRIBE(Spring, "spring", "spring, damper and force along the line between two points") {
  visit("a", &Spring::a, Field{.help = "first point, or {body: ground, point: [x, y, z]}", .required = true});
  visit("b", &Spring::b, Field{.help = "second point", .required = true});
  visit("stiffness", &Spring::stiffness, Field{.help = "stiffness", .unit = "N/m", .allowed = not_negative});
  visit("damping", &Spring::damping, Field{.help = "damping", .unit = "N s/m", .allowed = not_negative});
  visit("free_length", &Spring::free_length,
        Field{.help = "default: the length of the reference configuration", .unit = "m", .allowed = not_negative});
  visit("force", &Spring::force, Field{.help = "over time; pulls the points together", .unit = "N"});
  visit("law", &Spring::law,
        Field{.help = "force over x = length - free_length and its rate v, beside the others", .unit = "N"});
}

LITHE_DESCRIBE(TorsionSpring, "torsion_spring", "spring, damper and moment about the axis of a joint") {
  visit("joint", &TorsionSpring::joint,
        Field{.help = "a revolute, cylindrical, screw, planar or universal joint", .required = true});
  visit("stiffness", &TorsionSpring::stiffness, Field{.help = "stiffness", .unit = "N m/rad", .allowed = not_negative});
  visit("damping", &TorsionSpring::damping, Field{.help = "damping", .unit = "N m s/rad", .allowed = not_negative});
  visit("free_angle", &TorsionSpring::free_angle, Field{.help = "angle without moment", .unit = "rad"});
  visit("moment", &TorsionSpring::moment, Field{.help = "over time; turns b against a", .unit = "N m"});
  visit("law", &TorsionSpring::law,
        Field{.help = "moment over x = angle - free_angle and its rate v, beside the others", .unit = "N m"});
  visit("coordinate", &TorsionSpring::coordinate,
        Field{.help = "universal: angle_a (default) or angle_b, about its two axes"});
}

LITHE_DESCRIBE(TravelSpring, "travel_spring", "spring, damper and force along the travel of a joint") {
  visit("joint", &TravelSpring::joint,
        Field{.help = "a prismatic, cylindrical, screw, planar, point_on_line or slide_along joint", .required = true});
  visit("stiffness", &TravelSpring::stiffness, Field{.help = "stiffness", .unit = "N/m", .allowed = not_negative});
  visit("damping", &TravelSpring::damping, Field{.help = "damping", .unit = "N s/m", .allowed = not_negative});
  visit("free_travel", &TravelSpring::free_travel, Field{.help = "travel without force", .unit = "m"});
  visit("force", &TravelSpring::force, Field{.help = "over time; moves b against a", .unit = "N"});
  visit("law", &TravelSpring::law,
        Field{.help = "force over x = travel - free_travel and its rate v, beside the others", .unit = "N"});
  visit("axis", &TravelSpring::axis, Field{.help = in_plane});
}

constexpr const char *of_joint = "a joint with an angle or a travel",
                     *which = "angle, travel, or angle_a and angle_b of a universal; default: the joint's first";

LITHE_DESCRIBE(Friction, "friction",
               "friction in a joint, up to force + coefficient N: by half steps it sticks exactly, else it creeps, "
               "tanh(rate / slow)") {
  visit("joint", &Friction::joint, Field{.help = of_joint, .required = true});
  visit("coordinate", &Friction::coordinate, Field{.help = which});
  visit("force", &Friction::force,
        Field{.help = "when it slides; about an angle N m", .unit = "N", .allowed = positive});
  visit("coefficient", &Friction::coefficient,
        Field{.help = "of the force N across the line: slide_along (of the step before), by half steps prismatic and "
                      "cylindrical",
              .allowed = positive});
  visit("slow", &Friction::slow,
        Field{.help = "rate below which it creeps instead of sticking; of an angle rad/s; default: half_step none, "
                      "others 0.01",
              .unit = "m/s",
              .allowed = positive});
  visit("axis", &Friction::axis, Field{.help = in_plane});
}

LITHE_DESCRIBE(Stop, "stop", "limits of a joint: pushes back beyond them, never pulls") {
  visit("joint", &Stop::joint, Field{.help = of_joint, .required = true});
  visit("coordinate", &Stop::coordinate, Field{.help = which});
  visit("lower", &Stop::lower, Field{.help = "lower limit; of an angle rad", .unit = "m"});
  visit("upper", &Stop::upper, Field{.help = "upper limit; of an angle rad", .unit = "m"});
  visit("stiffness", &Stop::stiffness,
        Field{.help = "beyond a limit; of an angle N m/rad; default: half_step rigid, others need one",
              .unit = "N/m",
              .allowed = positive});
  visit("damping", &Stop::damping,
        Field{.help = "beyond a limit; of an angle N m s/rad", .unit = "N s/m", .allowed = not_negative});
  visit("width", &Stop::width,
        Field{.help = "over which the stiffness sets in; default: a hundredth of the range, with one limit 0.01 rad or "
                      "1e-3 of the size of the model",
              .unit = "m",
              .allowed = positive});
  visit("axis", &Stop::axis,
        Field{.help = "planar: direction in the plane, the travel is along it; spherical: direction whose angle from "
                      "where it is in a, a cone, is limited"});
  visit("restitution", &Stop::restitution,
        Field{.help = "without stiffness: share of the speed at which it bounces back",
              .allowed = {[](double x) { return x >= 0 && x <= 1; }, "from 0 to 1"}});
}

LITHE_DESCRIBE(PdDrive, "pd", "a drive that follows a target: kp (target - x) + kd (target' - v)") {
  visit("joint", &PdDrive::joint, Field{.help = of_joint, .required = true});
  visit("coordinate", &PdDrive::coordinate, Field{.help = which});
  visit("target", &PdDrive::target, Field{.help = "of the travel, m, or angle, rad", .required = true});
  visit("kp", &PdDrive::kp,
        Field{.help = "proportional gain; of an angle N m/rad", .unit = "N/m", .required = true, .allowed = positive});
  visit("kd", &PdDrive::kd,
        Field{.help = "gain of the rate; of an angle N m s/rad", .unit = "N s/m", .allowed = not_negative});
  visit("limit", &PdDrive::limit,
        Field{.help = "largest force, reached smoothly (tanh); of an angle N m; default: none",
              .unit = "N",
              .allowed = positive});
  visit("axis", &PdDrive::axis, Field{.help = in_plane});
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

LITHE_DESCRIBE(Rope, "rope", "an elastic rope from point to point, over sheaves without friction; never pushes") {
  visit("points", &Rope::points,
        Field{.help = "places from one end of the rope to the other, sheaves between", .required = true});
  visit(
      "falls", &Rope::falls,
      Field{.help = "how many times the rope runs between one point and the next; default: once", .allowed = positive});
  visit("EA", &Rope::EA,
        Field{.help = "stiffness of the section: tension for a strain of 1",
              .unit = "N",
              .required = true,
              .allowed = positive});
  visit("damping", &Rope::damping,
        Field{.help = "tension for the rate of the length, while it pulls", .unit = "N s/m", .allowed = not_negative});
  visit("length", &Rope::length,
        Field{.help = "unstretched, of all falls together, a drive for a winch; default: that of the reference "
                      "configuration",
              .unit = "m",
              .allowed = positive});
}

// ---- rules ----

bool sticks(const Model& model, const Friction& friction) { return !friction.slow && goes_by_half_steps(model); }

namespace {

void check_ends(const Spot& here, const At& a, const At& b) {
  const AnyBody *first = check_end(here, "a", a), *second = check_end(here, "b", b);
  if (!first && !second) here["b"].fail("both ends are on the ground; one must be on a body");
}
bool none(const Triple& t) { return t[0] == 0 && t[1] == 0 && t[2] == 0; }
bool none(const Signal& s) { return s.is_constant() && s.constant() == 0; }

// Finite where it is likely to be evaluated first.
void check_law(const Spot& here, const std::optional<ForceLaw>& law) {
  if (!law) return;
  for (const double x : {0.0, 1e-3, -1e-3}) {
    const ForceLaw::Point p = (*law)(x, 0, 0);
    if (std::abs(p.force) <= largest_number && std::abs(p.stiffness) <= largest_number &&
        std::abs(p.damping) <= largest_number)
      continue;
    here.fail("at x = " + short_text(x) + ", v = 0, t = 0 the force is " + number_text(p.force) +
              ", its slope over x " + number_text(p.stiffness) + " and over v " + number_text(p.damping) +
              "; all must be finite");
  }
}

void check_spring(const Spot& here, const Spring& spring) {
  check_ends(here, spring.a, spring.b);
  for (const auto& [key, at] : {std::pair{"a", &spring.a}, {"b", &spring.b}})
    if (at->is_ground() && !at->point) here[key].fail("the ground needs a point: {body: ground, point: [x, y, z]}");
  check_signal(here["force"], spring.force);
  check_law(here["law"], spring.law);
  if (spring.stiffness == 0 && spring.damping == 0 && none(spring.force) && !spring.law)
    here.warn("spring '" + here.name() + "' has no stiffness, damping or force, so it does nothing; give one of them");
}
void check_spring(const Spot& here, const TorsionSpring& spring) {
  const Joint& joint = existing(here["joint"], "joint", "joints", here.model().joints, spring.joint);
  if (!std::holds_alternative<Universal>(joint)) check_angle(here["joint"], spring.joint);
  if (check_coordinate(here, spring.joint, spring.coordinate) == JointCoordinate::travel)
    here["coordinate"].fail("'travel' is no angle; use 'type: travel_spring' along it");
  check_signal(here["moment"], spring.moment);
  check_law(here["law"], spring.law);
  if (spring.stiffness == 0 && spring.damping == 0 && none(spring.moment) && !spring.law)
    here.warn("spring '" + here.name() + "' has no stiffness, damping or moment, so it does nothing; give one of them");
}
// A joint's coordinate; of a planar joint with an axis the travel along it.
void check_coordinate(const Spot& here, const std::string& name, const std::optional<JointCoordinate>& said,
                      const std::optional<Triple>& axis) {
  const Joint& joint = existing(here["joint"], "joint", "joints", here.model().joints, name);
  if (!axis) {
    check_coordinate(here, name, said);
    return;
  }
  check_travel_axis(here, name, joint, *axis);
  if (said && *said != JointCoordinate::travel)
    here["coordinate"].fail(std::string("'") + word(*said) + "' has no axis, but 'axis' is given; remove one of them");
}
void check_spring(const Spot& here, const TravelSpring& spring) {
  const Joint& joint = existing(here["joint"], "joint", "joints", here.model().joints, spring.joint);
  const bool planar = std::holds_alternative<Planar>(joint);
  if (planar && !spring.axis)
    here.fail("'axis' is missing: joint '" + spring.joint +
              "' is planar and slides along any direction of its plane; give the one of the spring");
  if (!planar) check_travel(here["joint"], spring.joint);
  if (spring.axis) check_travel_axis(here, spring.joint, joint, *spring.axis);
  check_signal(here["force"], spring.force);
  check_law(here["law"], spring.law);
  if (spring.stiffness == 0 && spring.damping == 0 && none(spring.force) && !spring.law)
    here.warn("spring '" + here.name() + "' has no stiffness, damping or force, so it does nothing; give one of them");
}
void check_spring(const Spot& here, const Friction& friction) {
  check_coordinate(here, friction.joint, friction.coordinate, friction.axis);
  if (!friction.force && !friction.coefficient)
    here.fail(
        "'force' is missing; give it, or for a joint of type slide_along, by half steps prismatic or cylindrical, "
        "'coefficient'");
  const Joint& joint = *here.model().joints.find(friction.joint);
  const bool exact = sticks(here.model(), friction), slides = std::holds_alternative<SlideAlong>(joint),
             straight = std::holds_alternative<Prismatic>(joint) || std::holds_alternative<Cylindrical>(joint);
  if (friction.coefficient && !slides && !straight)
    here["coefficient"].fail("joint '" + friction.joint + "' is of type " + type_name(joint) +
                             ", but the force across its way is known of slide_along, prismatic and cylindrical "
                             "joints alone; give 'force'");
  if (friction.coefficient && straight && !exact)
    here["coefficient"].fail(
        "of joint '" + friction.joint + "' the force across its way is known by half steps alone, " +
        (friction.slow ? "without 'slow'; remove that" : "set 'integrator: half_step'") + ", or give 'force'");
  if (friction.coefficient && straight && friction.coordinate && *friction.coordinate != JointCoordinate::travel)
    here["coordinate"].fail("a coefficient belongs to a travel; for the angle give 'force'");
  const Stages& stages = here.analysis();
  const auto is_static = [](const Analysis& stage) { return std::holds_alternative<StaticAnalysis>(stage); };
  if (std::ranges::any_of(stages, is_static))
    here.warn("friction '" + here.name() + "' does not act in statics, where nothing has a rate: " +
              (stages.size() > 1 ? "static stages find" : "this finds") +
              " the equilibrium without it, of the loads, springs and drives alone");
}
// The angle between an axis of a and the same of b.
void check_cone(const Spot& here, const Stop& stop) {
  if (!stop.axis)
    here.fail("'axis' is missing: joint '" + stop.joint +
              "' is spherical; give the direction that may lean by 'upper' against where it is in a");
  check_direction(here, "axis", *stop.axis);
  if (stop.coordinate)
    here["coordinate"].fail("a spherical joint has no '" + std::string(word(*stop.coordinate)) +
                            "'; remove this key: the angle of 'axis' is limited");
  if (stop.lower) here["lower"].fail("the angle of an axis is never negative; give 'upper' alone");
  if (stop.upper && !(*stop.upper > 0 && *stop.upper < std::numbers::pi))
    here["upper"].fail("this is " + number_text(*stop.upper) + ", but the angle of an axis lies between 0 and pi rad");
}
void check_spring(const Spot& here, const Stop& stop) {
  const Joint& joint = existing(here["joint"], "joint", "joints", here.model().joints, stop.joint);
  if (std::holds_alternative<Spherical>(joint)) check_cone(here, stop);
  else check_coordinate(here, stop.joint, stop.coordinate, stop.axis);
  const bool half_steps = goes_by_half_steps(here.model());
  if (!stop.stiffness && !half_steps)
    here["stiffness"].fail("it is missing; give it, or set 'integrator: half_step', where a stop without is rigid");
  if (!stop.stiffness)
    for (const auto& [key, given] : {std::pair{"damping", stop.damping > 0}, {"width", stop.width.has_value()}})
      if (given) here[key].fail("a stop without 'stiffness' is rigid and has none; remove this key");
  if (stop.stiffness && stop.restitution > 0)
    here["restitution"].fail("it belongs to rigid stops; remove it, or 'stiffness'");
  if (!stop.lower && !stop.upper) here.fail("a stop needs a limit; give 'lower', 'upper' or both");
  if (stop.lower && stop.upper && !(*stop.lower < *stop.upper))
    here["upper"].fail("this is " + number_text(*stop.upper) +
                       ", but it must be greater than lower = " + number_text(*stop.lower));
}
void check_spring(const Spot& here, const PdDrive& pd) {
  check_coordinate(here, pd.joint, pd.coordinate, pd.axis);
  check_drive(here["target"], pd.target);
}
void check_spring(const Spot& here, const Rope& rope) { check_rope(here, rope.points, rope.falls, rope.length); }
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

#include "lithe/system/joint_rows.h"

#include <fmt/format.h>

#include <cmath>

#include "lithe/system/elimination.h"

namespace lithe {

JointRows::JointRows(System& system, ConstraintEquations& equations, RigidGroups& groups, SquareSections& sections,
                     int index)
    : system_(system),
      index_(index),
      equations_(equations),
      groups_(groups),
      sections_(sections),
      joint_(system.joints[index]),
      where_(system.model.joints.where[index]),
      user_("joint '" + system.model.joints.items[index].first + "'") {
  joint_.owner = add_owner(system, ConstraintOwner::Kind::joint, index, user_);
}

void JointRows::coincide(const std::string& remedy) const {
  const double apart = norm(joint_.b.start - joint_.a.start);
  if (apart > gap())
    fail("its places must coincide in the reference configuration, but " + joint_.a.text + " is at " +
         point_text(joint_.a.start) + " and " + joint_.b.text + " at " + point_text(joint_.b.start) + ", " +
         number_text(apart) + " m apart; move a body, " + remedy);
}

void JointRows::on_axis(const Vec3<double>& axis) const {
  const Vec3<double> p = joint_.b.start - joint_.a.start;
  const double off = norm(p - dot(p, axis) * axis);
  if (off > gap())
    fail("its places must lie on its axis, but " + joint_.b.text + " at " + point_text(joint_.b.start) + " is " +
         number_text(off) + " m off the line through " + joint_.a.text + " at " + point_text(joint_.a.start) +
         " along " + point_text(axis) + "; move one, or give 'point' and a body without a place");
}

Signal JointRows::ramped(const Drive& drive) const {
  const Stages& stages = system_.model.analysis;
  const std::size_t first = first_moving_on(stages);
  const auto* statics = first < stages.size() ? std::get_if<StaticAnalysis>(&stages[first]) : nullptr;
  if (!statics || !drive.is_constant() || drive.constant() == 0) return drive;
  const double d = statics->duration, x = drive.constant();
  if (d == 0)
    fail("its constant " + number_text(x) +
         " is reached along the time of the first static stage, which has none (duration: 0); give that a duration");
  if (stages.size() == 1) return Drive(Signal::table({0, d}, {0, x}));
  return Signal::table({0, d, 2 * d}, {0, x, x});  // and rests when later stages begin
}

void JointRows::fits(const std::string& what, const Signal& drive, double reference, double scale,
                     const char* unit) const {
  const double start = drive(0), off = start - reference;
  if (std::abs(off) <= 1e-6 * scale) return;
  fail(
      fmt::format("its {} is {:.6g} {} at t = 0, but the reference configuration has {:.6g} {}, so that it would start "
                  "with a jump of {:.6g} {}; subtract {:.6g} from it, or move the body to where it starts",
                  what, start, unit, reference, unit, off, unit, off));
}

Direction JointRows::direction(const Marker& marker, const Vec3<double>& d, const char* key) const {
  if (auto found = attached(marker, d)) return *found;
  if (marker.kind == Marker::Kind::tangent) {
    if (auto back = attached(marker, -1.0 * d)) return *back;
    fail(std::string("'") + key + "' " + point_text(d) + " belongs to " + marker.text +
         ", but a cable has no direction beside its tangent; use the other body for it, or a spherical joint");
  }
  throw InvariantError("a joint asks a point for a direction");
}

Direction JointRows::simple(Direction d) {
  if (d.kind == Direction::Kind::tangent) return plain(d.arguments[0]);
  const double rest = std::abs(d.share[0]) + std::abs(d.share[1]);
  if (d.kind == Direction::Kind::frame && d.rule == FrameRule::director && rest < 1e-12 * std::abs(d.share[2]))
    return plain(combine(d.share[2], d.arguments[2], 0, {}));
  return d;
}

void JointRows::add(Part part, double constant, const Signal& target, std::vector<Bearing> bearings) {
  equations_.rows.push_back({std::move(part), constant, target, joint_.owner, std::move(bearings)});
}

double JointRows::value_at_start(const Part& part) const {
  Vec3<double> x[largest_argument_count];
  for (int i = 0; i < part.count(); ++i) x[i] = part.arguments[i].value(system_.q0);
  return part_value(part, x, nullptr);
}

void JointRows::add_zero(Part part, std::vector<Bearing> bearings) {
  const double start = value_at_start(part);
  add(std::move(part), std::abs(start) < 1e-6 ? start : 0, Signal(0), std::move(bearings));
}

void JointRows::join_points() {
  const Form p = joint_.b.position - joint_.a.position;
  equations_.ties.push_back({{p.vectors, p.weights, {}}, p.rate(system_.q0), joint_.owner, {{0, true, 1, {}}}});
}

std::vector<Bearing> JointRows::rotation(const Direction& d, int first, double sign) {
  std::vector<Bearing> list;
  for (const Form& x : d.arguments) list.push_back({first++, false, sign, x});
  return list;
}

void JointRows::right_angle(Direction A, Direction B) {
  A = simple(std::move(A));
  B = simple(std::move(B));
  if (is_constant(A) && B.kind == Direction::Kind::plain)
    return add_zero(Part::linear(A.arguments[0].constant, B.arguments[0]), rotation(B, 0));
  if (is_constant(B) && A.kind == Direction::Kind::plain)
    return add_zero(Part::linear(B.arguments[0].constant, A.arguments[0]), rotation(A, 0, -1));
  const int first = static_cast<int>(A.arguments.size());
  std::vector<Bearing> bearings = rotation(B, first);
  add_zero(Part::dot(A, B), std::move(bearings));
}

void JointRows::right_angle(const Marker& of_first, const Direction& first, const Direction& second) {
  if (&of_first == &joint_.a) right_angle(first, second);
  else right_angle(second, first);
}

void JointRows::across(const Direction& A, const Form& p, double constant, const Signal& target) {
  if (is_constant(A)) return add(Part::linear(A.arguments[0].constant, p), constant, target, {{0, true, 1, {}}});
  const int last = static_cast<int>(A.arguments.size());
  add(Part::dot(A, plain(p)), constant, target, {{last, true, 1, {}}});
}

void JointRows::stay_across(const Vec3<double>& n) {
  const Form p = joint_.b.position - joint_.a.position;
  const Direction A = simple(of_a(n, "axis"));
  across(A, p, dot(direction_value(A, system_.q0), p.value(system_.q0)), Signal(0));
}

void JointRows::add_travel(const Vec3<double>& axis) {
  joint_.slides = of_a(axis, "axis");
  joint_.moves = joint_.b.position - joint_.a.position;
  joint_.start = dot(axis, joint_.b.start - joint_.a.start);
}

}  // namespace lithe

// Joints as equations between two markers a and b (docs/theory/constraints.md), one function for each type. Differences
// of points are p = r_b - r_a; what the equations are made of is in joint_rows.h.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/system/joint_rows.h"
#include "lithe/system/joints.h"
#include "lithe/system/slide_along.h"

namespace lithe {

namespace {

class JointBuilder : private JointRows {
 public:
  using JointRows::JointRows;

  void operator()(const Weld& w) {
    places(w);
    coincide("or use a joint that lets them move apart");
    lock_frames();  // first: what it ties makes the points easier to join
    join_points();
  }
  void operator()(const Spherical& s) {
    places(s);
    coincide("or use 'distance'");
    join_points();
  }
  void operator()(const Revolute& r) {
    places(r);
    coincide("or use 'cylindrical', which slides along its axis");
    const Vec3<double> axis = unit(r.axis);
    join_points();
    keep_parallel(axis);
    add_angle(axis);
  }
  void operator()(const Universal& u) {
    places(u);
    coincide("or give 'point'");
    const Vec3<double> axis_a = unit(u.axis_a), axis_b = unit(u.axis_b);
    join_points();
    right_angle(of_a(axis_a, "axis_a"), of_b(axis_b, "axis_b"));
    if (!joint_.a.has_directions() || !joint_.b.has_directions()) return;
    // The cross turns about axis_a against a, and b about axis_b against the cross.
    joint_.angle = new_angle({of_a(axis_b, "axis_b"), of_a(cross(axis_a, axis_b), "axis_b"), of_b(axis_b, "axis_b")});
    joint_.second_angle =
        new_angle({of_b(axis_a, "axis_a"), of_b(cross(axis_a, axis_b), "axis_a"), of_a(axis_a, "axis_a")});
  }
  void operator()(const Cylindrical& c) {
    places(c);
    const Vec3<double> axis = unit(c.axis);
    slide_along(axis);
    keep_parallel(axis);
    add_angle(axis);
    add_travel(axis);
  }
  void operator()(const Prismatic& p) {
    places(p);
    const Vec3<double> axis = unit(p.axis);
    slide_along(axis);
    lock_frames();
    add_travel(axis);
  }
  void operator()(const Planar& p) {
    places(p);
    const Vec3<double> normal = unit(p.normal);
    in_plane(normal);
    if (joint_.b.kind != Marker::Kind::point) keep_parallel(normal);
    if (joint_.a.has_directions() && joint_.b.has_directions()) add_angle(normal);
  }
  void operator()(const PointInPlane& p) {
    places(p);
    in_plane(unit(p.normal));
  }
  void operator()(const Screw& s) {
    places(s);
    const Vec3<double> axis = unit(s.axis);
    slide_along(axis);
    keep_parallel(axis);
    add_angle(axis);
    add_travel(axis);
    if (joint_.angle < 0) fail("it has no angle: a cable that runs along its axis does not turn");
    advance(joint_, joint_, s.pitch / (2 * std::numbers::pi));
  }
  void operator()(const Distance& d) {
    joint_.a = make_marker(system_, d.a);
    joint_.b = make_marker(system_, d.b);
    const Form p = joint_.b.position - joint_.a.position;
    const double start = norm(p.value(system_.q0));
    const double length = d.distance ? (*d.distance)(0) : start;
    if (!(start > gap()))
      fail("the places " + joint_.a.text + " and " + joint_.b.text + " are " + number_text(start) +
           " m apart and the distance is " + number_text(length) +
           " m at the start; both must be greater than 0: use 'spherical' for points that coincide");
    const std::vector<Bearing> bearing{{0, true, 1, {}}};
    if (!d.distance || d.distance->is_constant()) return add(Part::distance(p, length), 0, Signal(0), bearing);
    fits("distance", *d.distance, start, system_.length_scale, "m");
    // |p| = e . p with e = p / |p|.
    add(Part::dot({Direction::Kind::tangent, {p}, {}}, plain(p)), 0, *d.distance, {{0, true, 1, {}}, {1, true, 1, {}}});
  }
  void operator()(const PointOnLine& p) {
    places(p);
    const Vec3<double> axis = unit(p.axis);
    slide_along(axis);
    add_travel(axis);
  }
  void operator()(const Motion& m) {
    joint_.b = make_marker(system_, m.at);
    joint_.a.text = "ground";
    for (int k = 0; k < 3; ++k) {
      if (!m.displacement[k] && !m.velocity[k]) continue;
      Vec3<double> axis{};
      axis[k] = 1;
      const Signal displacement = m.displacement[k] ? ramped(*m.displacement[k]) : travelled(*m.velocity[k]);
      fits(std::string("displacement along ") + "xyz"[k], displacement, 0, system_.length_scale, "m");
      add(Part::linear(axis, joint_.b.position), joint_.b.start[k], displacement, {{0, true, 1, {}}});
    }
    if (!m.angle) return;
    At ground;
    ground.body = "ground";
    ground.point = Triple{joint_.b.start[0], joint_.b.start[1], joint_.b.start[2]};
    joint_.a = make_marker(system_, ground);
    keep_parallel(unit(*m.axis));
    add_angle(unit(*m.axis));
    const Angle& theta = system_.angles[joint_.angle];
    const Signal angle = ramped(*m.angle);
    fits("angle", angle, 0, 1, "rad");
    add(Part::angle({theta}, {1.0}, {joint_.angle}), 0, angle, turning(theta, joint_.b));
  }
  void operator()(const Gear& g) {
    const CompiledJoint &a = with_angle(g.joint_a), &b = with_angle(g.joint_b);
    joint_.a = a.b;
    joint_.b = b.b;
    const std::vector<Angle> thetas{system_.angles[b.angle], system_.angles[a.angle]};
    add(Part::angle(thetas, {1.0, -g.ratio}, {b.angle, a.angle}), 0, Signal(0), turning(thetas[0], b.b));
  }
  void operator()(const Turn& t) {
    if (std::holds_alternative<Spherical>(*system_.model.joints.find(t.joint))) return orient(t);
    const CompiledJoint& on = with_angle(t.joint);
    joint_.a = on.a;
    joint_.b = on.b;
    joint_.angle = on.angle;
    if (t.coordinate == JointCoordinate::angle_b) joint_.angle = on.second_angle;
    const Angle& theta = system_.angles[joint_.angle];
    const Signal angle = t.angle ? ramped(*t.angle) : travelled(*t.rate);
    fits("angle", angle, 0, 1, "rad");
    add(Part::angle({theta}, {1.0}, {joint_.angle}), 0, angle, turning(theta, on.b));
  }
  void operator()(const Slide& s) {
    const CompiledJoint& on = find(s.joint);
    joint_.a = on.a;
    joint_.b = on.b;
    joint_.slides = on.slides;
    joint_.moves = on.moves;
    joint_.start = on.start;
    if (s.axis) add_travel(unit(*s.axis));
    const Signal travel = s.travel ? ramped(*s.travel) : travelled(*s.rate);
    fits("travel", travel, 0, system_.length_scale, "m");
    across(*joint_.slides, joint_.moves, joint_.start, travel);
  }
  // s is a vector (s, 0, 0) of its own without mass, p - r(s) = 0 are three rows.
  void operator()(const SlideAlong& slide) {
    const int body = static_cast<int>(system_.model.bodies.position(slide.line)), vector = system_.vectors();
    const auto track = std::make_shared<const Track>(make_track(system_.bodies[body]));
    joint_.b = make_marker(system_, slide.b);
    joint_.a.body = body;
    joint_.a.text = "body '" + slide.line + "'";
    const double s = nearest_place(*track, system_.q0, joint_.b.start);
    const Vec3<double> near = TrackPlace(*track, s).value(system_.q0);
    if (const double off = norm(joint_.b.start - near); off > gap())
      fail(joint_.b.text + " is at " + point_text(joint_.b.start) + ", " + number_text(off) + " m off the line of '" +
           slide.line + "', whose nearest place is " + point_text(near) + "; move it there");
    system_.q0.insert(system_.q0.end(), {s, 0, 0});
    system_.v0.resize(system_.q0.size(), 0.0);
    system_.map.unknowns.emplace_back();
    const Form place{{vector}, {1.0}, {}};
    for (int m = 0; m < 3; ++m) {
      Vec3<double> axis{};
      axis[m] = 1;
      add(Part::on_line(axis, joint_.b.position, place, track), joint_.b.start[m] - near[m], Signal(0),
          {{0, true, 1, {}}});
      if (m > 0) add(Part::linear(axis, place), 0, Signal(0), {});
    }
    joint_.slides = plain(Form::fixed({{1, 0, 0}}));
    joint_.moves = place;
    joint_.start = s;
    system_.sliders.push_back({index_, vector, joint_.b.position, track});
  }
  void operator()(const Reeving& rope) {
    const std::vector<Form> between = rope_parts(system_, rope.points);
    const std::vector<double> falls = rope.falls.empty() ? std::vector<double>(between.size(), 1.0) : rope.falls;
    joint_.a = make_marker(system_, rope.points.front());
    joint_.b = make_marker(system_, rope.points.back());
    joint_.rope = true;
    double start = 0;
    for (std::size_t k = 0; k < between.size(); ++k) {
      const double length = norm(between[k].value(system_.q0));
      if (!(length > gap()))
        fail("its points " + std::to_string(k) + " and " + std::to_string(k + 1) +
             " coincide in the reference configuration, so that the rope has no direction there; move one of them");
      start += falls[k] * length;
    }
    const Part part = Part::lengths(between, falls, 1e-12 * system_.length_scale);
    const std::vector<Bearing> bearing{{static_cast<int>(between.size()) - 1, true, 1, {}}};
    if (!rope.length) return add(part, start, Signal(0), bearing);
    fits("length", *rope.length, start, system_.length_scale, "m");
    add(part, 0, *rope.length, bearing);
  }
  void operator()(const RigidConnection& c) { connect(c); }
  void operator()(const DistributingConnection& c) { connect(c); }
  void operator()(const RackAndPinion& r) {
    const CompiledJoint &pinion = with_angle(r.pinion), &rack = find(r.rack);
    joint_.a = pinion.b;
    joint_.b = rack.b;
    advance(rack, pinion, r.radius);
  }

 private:
  // Both origins stay on the axis.
  void slide_along(const Vec3<double>& axis) {
    on_axis(axis);
    const auto [n1, n2] = normals(axis, joint_.a.frame);
    stay_across(n1);
    stay_across(n2);
  }
  void in_plane(const Vec3<double>& normal) {
    const double off = dot(normal, joint_.b.start - joint_.a.start);
    if (std::abs(off) > gap())
      fail("its places must lie in one plane, but " + joint_.b.text + " at " + point_text(joint_.b.start) + " is " +
           number_text(off) + " m off the plane through " + joint_.a.text + " at " + point_text(joint_.a.start) +
           "; move one, or give 'point'");
    stay_across(normal);
  }
  // With R_ij = i_a . j_b = X(alpha) Y(beta) Z(gamma): tan alpha = -R_yz / R_zz, sin beta = R_xz, tan gamma = -R_xy /
  // R_xx.
  void orient(const Turn& t) {
    const CompiledJoint& on = find(t.joint);
    joint_.a = on.a;
    joint_.b = on.b;
    const Vec3<double> x{{1, 0, 0}}, y{{0, 1, 0}}, z{{0, 0, 1}};
    const auto drive = [&](std::size_t k) {
      const Signal angle = ramped(*t.angles[k]);
      fits(std::string("angle about ") + "xyz"[k], angle, 0, 1, "rad");
      return angle;
    };
    const auto about = [&](std::size_t k, int number) {
      const Angle& theta = system_.angles[number];
      add(Part::angle({theta}, {1.0}, {number}), 0, drive(k), turning(theta, on.b));
    };
    if (t.angles[0]) {
      joint_.angle = new_angle({of_a(z, "angles"), of_a(-1.0 * y, "angles"), of_b(z, "angles")});
      about(0, joint_.angle);
    }
    if (t.angles[1]) {
      const Direction A = of_a(x, "angles"), B = of_b(z, "angles");
      const int first = static_cast<int>(A.arguments.size());
      add(Part::dot(A, B), 0, Signal::sine(drive(1)), rotation(B, first));
    }
    if (t.angles[2]) {
      const int number = new_angle({of_b(x, "angles"), of_b(-1.0 * y, "angles"), of_a(x, "angles")});
      (joint_.angle < 0 ? joint_.angle : joint_.second_angle) = number;
      about(2, number);
    }
  }
  // travel of one joint = radius * angle of another, or of itself.
  void advance(const CompiledJoint& along, const CompiledJoint& about, double radius) {
    const Angle& theta = system_.angles[about.angle];
    const int first = static_cast<int>(along.slides->arguments.size());
    std::vector<Bearing> bearings{{first, true, 1, {}}};
    if (&along == &about)
      for (Bearing bearing : turning(theta, about.b)) {
        bearing.argument += first + 1;
        bearings.push_back(std::move(bearing));
      }
    add(Part::advance(*along.slides, plain(along.moves), theta, -radius, about.angle), along.start, Signal(0),
        std::move(bearings));
  }
  Signal travelled(const Drive& rate) const { return Signal::integral(rate, end_of(system_.model.analysis)); }
};

template <class T>
constexpr bool acts_on_joints =
    std::is_same_v<T, Gear> || std::is_same_v<T, Turn> || std::is_same_v<T, Slide> || std::is_same_v<T, RackAndPinion>;

}  // namespace

void compile_joints(System& system, ConstraintEquations& equations) {
  const auto& joints = system.model.joints;
  system.joints.resize(joints.size());
  RigidGroups groups(static_cast<int>(system.bodies.size()));
  SquareSections sections;
  for (const bool on_joints : {false, true})  // gears, racks, turns and slides name other joints
    for (std::size_t j = 0; j < joints.size(); ++j)
      std::visit(
          [&](const auto& joint) {
            if (acts_on_joints<std::decay_t<decltype(joint)>> == on_joints)
              JointBuilder(system, equations, groups, sections, static_cast<int>(j))(joint);
          },
          joints.items[j].second);
}

}  // namespace lithe

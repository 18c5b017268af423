// Joints as equations between two markers a and b (docs/theory/constraints.md). Differences of points are p = r_b -
// r_a; directions are fixed to the ground, to base vectors, or to the frame of gradients that carry the rotation there.
// A section is held by its two vectors rather than by its frame: such rows are linear against the ground, and get
// eliminated at a node.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/elimination.h"
#include "lithe/system/joints.h"
#include "lithe/system/markers.h"

namespace lithe {

namespace {

using Kind = ConstraintOwner::Kind;

Vec3<double> vec(const Triple& t) { return {{t[0], t[1], t[2]}}; }
double norm(const Vec3<double>& x) { return std::sqrt(dot(x, x)); }
Direction plain(const Form& x) { return {Direction::Kind::plain, {x}, {}}; }

// Rigid bodies whose base vectors are tied to each other: one of them keeps its rows of rigidity, the rest follows. The
// ground is a member with number `bodies`.
class RigidGroups {
 public:
  explicit RigidGroups(int bodies) : root_(bodies + 1), ground_(bodies) {
    for (int b = 0; b <= bodies; ++b) root_[b] = b;
  }
  // Joins the groups of two bodies (-1: ground); returns the body whose rows of rigidity are implied from now on, -1
  // where both are in one group already.
  int join(int a, int b) {
    int x = find(a < 0 ? ground_ : a), y = find(b < 0 ? ground_ : b);
    if (x == y) return -1;
    if (y == ground_) std::swap(x, y);
    root_[y] = x;
    return y;
  }

 private:
  int find(int b) const { return root_[b] == b ? b : find(root_[b]); }
  std::vector<int> root_;
  int ground_;
};

// Sections whose two vectors some joint keeps at a right angle already.
class SquareSections {
 public:
  // Is this the first time?
  bool add(const Marker& m) {
    const Form &y = m.gradient[m.axis(1)], &z = m.gradient[m.axis(2)];
    for (const auto& [u, v] : known_)
      if (u.vectors == y.vectors && u.weights == y.weights && v.vectors == z.vectors && v.weights == z.weights)
        return false;
    known_.emplace_back(y, z);
    return true;
  }

 private:
  std::vector<std::pair<Form, Form>> known_;
};

class JointBuilder {
 public:
  JointBuilder(System& system, RigidGroups& groups, SquareSections& sections, int index)
      : system_(system),
        groups_(groups),
        sections_(sections),
        joint_(system.joints[index]),
        where_(system.model.joints.where[index]),
        user_("joint '" + system.model.joints.items[index].first + "'") {
    joint_.owner = add_owner(system, Kind::joint, index, user_);
  }

  void operator()(const Weld& w) {
    places(w, true);
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
    const Vec3<double> axis = unit(r.axis, "axis");
    join_points();
    keep_parallel(axis);
    add_angle(axis);
  }
  void operator()(const Universal& u) {
    places(u);
    coincide("or give 'point'");
    const Vec3<double> axis_a = unit(u.axis_a, "axis_a"), axis_b = unit(u.axis_b, "axis_b");
    if (std::abs(dot(axis_a, axis_b)) > 1e-6)
      fail("axis_a and axis_b must be at a right angle, but their cosine is " + number_text(dot(axis_a, axis_b)) +
           "; turn one of them");
    join_points();
    right_angle(of_a(axis_a, "axis_a"), of_b(axis_b, "axis_b"));
  }
  void operator()(const Cylindrical& c) {
    places(c);
    const Vec3<double> axis = unit(c.axis, "axis");
    on_axis(axis);
    const auto [n1, n2] = normals(axis, joint_.a.frame);
    stay_across(n1);
    stay_across(n2);
    keep_parallel(axis);
    add_angle(axis);
    add_travel(axis);
  }
  void operator()(const Prismatic& p) {
    places(p, true);
    const Vec3<double> axis = unit(p.axis, "axis");
    on_axis(axis);
    const auto [n1, n2] = normals(axis, joint_.a.frame);
    stay_across(n1);
    stay_across(n2);
    lock_frames();
    add_travel(axis);
  }
  void operator()(const Planar& p) {
    places(p);
    const Vec3<double> normal = unit(p.normal, "normal");
    const double off = dot(normal, joint_.b.start - joint_.a.start);
    if (std::abs(off) > gap())
      fail("its places must lie in one plane, but " + joint_.b.text + " at " + point_text(joint_.b.start) + " is " +
           number_text(off) + " m off the plane through " + joint_.a.text + " at " + point_text(joint_.a.start) +
           "; move one, or give 'point'");
    stay_across(normal);
    if (joint_.b.kind != Marker::Kind::point) keep_parallel(normal);
  }
  void operator()(const Distance& d) {
    joint_.a = make_marker(system_, d.a);
    joint_.b = make_marker(system_, d.b);
    const Form p = joint_.b.position - joint_.a.position;
    const double start = norm(p.value(system_.q0));
    const double length = d.distance ? (*d.distance)(0) : start;
    if (!(start > gap()) || !(length > 0))
      fail("the places " + joint_.a.text + " and " + joint_.b.text + " are " + number_text(start) +
           " m apart and the distance is " + number_text(length) +
           " m at the start; both must be greater than 0: use 'spherical' for points that coincide");
    if (p.vectors.empty()) fail("both places are on the ground");
    const std::vector<Bearing> bearing{{0, true, 1, {}}};
    if (!d.distance || d.distance->is_constant()) return add(Part::distance(p, length), 0, Signal(0), bearing);
    fits("distance", *d.distance, start, system_.length_scale, "m");
    // |p| = e . p with e = p / |p|.
    add(Part::dot({Direction::Kind::tangent, {p}, {}}, plain(p)), 0, *d.distance, {{0, true, 1, {}}, {1, true, 1, {}}});
  }
  void operator()(const PointOnLine& p) {
    places(p);
    const Vec3<double> axis = unit(p.axis, "axis");
    on_axis(axis);
    const auto [n1, n2] = normals(axis, joint_.a.frame);
    stay_across(n1);
    stay_across(n2);
    add_travel(axis);
  }
  void operator()(const Motion& m) {
    joint_.b = make_marker(system_, m.at);
    joint_.a.text = "ground";
    if (joint_.b.position.vectors.empty()) fail("the ground does not move; name a place on a body");
    for (int k = 0; k < 3; ++k) {
      if (!m.displacement[k]) continue;
      Vec3<double> axis{};
      axis[k] = 1;
      const Signal displacement = ramped(*m.displacement[k]);
      fits(std::string("displacement along ") + "xyz"[k], displacement, 0, system_.length_scale, "m");
      add(Part::linear(axis, joint_.b.position), joint_.b.start[k], displacement, {{0, true, 1, {}}});
    }
  }
  void operator()(const Gear& g) {
    const CompiledJoint &a = with_angle(g.joint_a), &b = with_angle(g.joint_b);
    if (&a == &b) fail("joint_a and joint_b are both '" + g.joint_a + "'; a gear couples two joints");
    joint_.a = a.b;
    joint_.b = b.b;
    const std::vector<Angle> thetas{system_.angles[b.angle], system_.angles[a.angle]};
    add(Part::angle(thetas, {1.0, -g.ratio}, {b.angle, a.angle}), 0, Signal(0), turning(thetas[0], b.b));
  }
  void operator()(const Turn& t) {
    const CompiledJoint& on = with_angle(t.joint);
    joint_.a = on.a;
    joint_.b = on.b;
    joint_.angle = on.angle;
    const Angle& theta = system_.angles[on.angle];
    const Signal angle = ramped(t.angle);
    fits("angle", angle, 0, 1, "rad");
    add(Part::angle({theta}, {1.0}, {on.angle}), 0, angle, turning(theta, on.b));
  }
  void operator()(const Slide& s) {
    const CompiledJoint& on = find(s.joint);
    if (!on.slides)
      fail("joint '" + s.joint + "' has no travel; name a prismatic or cylindrical joint, or a point_on_line");
    joint_.a = on.a;
    joint_.b = on.b;
    joint_.slides = on.slides;
    joint_.start = on.start;
    const Form p = joint_.b.position - joint_.a.position;
    const Signal travel = ramped(s.travel);
    fits("travel", travel, 0, system_.length_scale, "m");
    across(*joint_.slides, p, joint_.start, travel);
  }

 private:
  // ---- places ----

  template <class Joint>
  void places(const Joint& joint, bool centre_will_do = false) {
    std::tie(joint_.a, joint_.b) = make_markers(system_, joint.a, joint.b, joint.point, where_, user_, centre_will_do);
  }
  double gap() const { return 1e-6 * system_.length_scale; }
  [[noreturn]] void fail(const std::string& what) const { throw InputError(where_, user_ + ": " + what); }
  Vec3<double> unit(const Triple& t, const char* key) const {
    const Vec3<double> d = vec(t);
    if (!(norm(d) > 0)) fail(std::string("'") + key + "' has zero length; give a direction");
    return (1 / norm(d)) * d;
  }
  void coincide(const std::string& remedy) const {
    const double apart = norm(joint_.b.start - joint_.a.start);
    if (apart > gap())
      fail("its places must coincide in the reference configuration, but " + joint_.a.text + " is at " +
           point_text(joint_.a.start) + " and " + joint_.b.text + " at " + point_text(joint_.b.start) + ", " +
           number_text(apart) + " m apart; move a body, " + remedy);
  }
  void on_axis(const Vec3<double>& axis) const {
    const Vec3<double> p = joint_.b.start - joint_.a.start;
    const double off = norm(p - dot(p, axis) * axis);
    if (off > gap())
      fail("its places must lie on its axis, but " + joint_.b.text + " at " + point_text(joint_.b.start) + " is " +
           number_text(off) + " m off the line through " + joint_.a.text + " at " + point_text(joint_.a.start) +
           " along " + point_text(axis) + "; move one, or give 'point' and a body without a place");
  }

  // ---- drives ----

  // In statics a constant is reached along with the load factor, as constant loads are.
  Signal ramped(const Drive& drive) const {
    const Stages& stages = system_.model.analysis;
    const auto* statics = std::get_if<StaticAnalysis>(&stages.front());
    if (!statics || !drive.is_constant() || drive.constant() == 0) return drive;
    const double d = statics->duration, x = drive.constant();
    if (d == 0)
      fail("its constant " + number_text(x) +
           " is reached along the time of the first static stage, which has none (duration: 0); give that a duration");
    if (stages.size() == 1) return Drive(Signal::table({0, d}, {0, x}));
    return Signal::table({0, d, 2 * d}, {0, x, x});  // and rests when later stages begin
  }
  // A drive starts where the reference configuration is.
  void fits(const std::string& what, const Signal& drive, double reference, double scale, const char* unit) const {
    const double start = drive(0), off = start - reference;
    if (std::abs(off) <= 1e-6 * scale) return;
    fail(fmt::format(
        "its {} is {:.6g} {} at t = 0, but the reference configuration has {:.6g} {}, so that it would start "
        "with a jump of {:.6g} {}; subtract {:.6g} from it, or move the body to where it starts",
        what, start, unit, reference, unit, off, unit, off));
  }

  // ---- directions ----

  Direction direction(const Marker& marker, const Vec3<double>& d, const char* key) const {
    if (auto found = attached(marker, d)) return *found;
    if (marker.kind == Marker::Kind::tangent) {
      if (auto back = attached(marker, -1.0 * d)) return *back;
      fail(std::string("'") + key + "' " + point_text(d) + " belongs to " + marker.text +
           ", but a cable has no direction beside its tangent; use the other body for it, or a spherical joint");
    }
    fail(std::string("'") + key + "' belongs to " + marker.text +
         ", but a point has no directions; swap a and b, or use a spherical joint");
  }
  Direction of_a(const Vec3<double>& d, const char* key) const { return direction(joint_.a, d, key); }
  Direction of_b(const Vec3<double>& d, const char* key) const { return direction(joint_.b, d, key); }

  // Of a condition that is zero the length does not matter: a tangent becomes r_x, a director its gradient.
  static Direction simple(Direction d) {
    if (d.kind == Direction::Kind::tangent) return plain(d.arguments[0]);
    const double rest = std::abs(d.share[0]) + std::abs(d.share[1]);
    if (d.kind == Direction::Kind::frame && d.rule == FrameRule::director && rest < 1e-12 * std::abs(d.share[2]))
      return plain(combine(d.share[2], d.arguments[2], 0, {}));
    return d;
  }
  // Which axis of a flexible body a direction is, or -1.
  static int number_of(const Marker& m, const Vec3<double>& d) {
    for (int k = 0; m.kind == Marker::Kind::gradients && k < 3; ++k)
      if (std::abs(dot(column(m.frame, k), d)) > 1 - 1e-12) return k;
    return -1;
  }
  static bool is_section(const Marker& m) { return m.kind == Marker::Kind::gradients && m.rule == FrameRule::section; }
  static bool has_director(const Marker& m) {
    return m.kind == Marker::Kind::gradients && m.rule == FrameRule::director;
  }
  static bool is_constant(const Direction& d) {
    return d.kind == Direction::Kind::plain && d.arguments[0].vectors.empty();
  }

  // ---- equations ----

  void add(Part part, double constant, const Signal& target, std::vector<Bearing> bearings) {
    system_.rows.push_back({std::move(part), constant, target, joint_.owner, std::move(bearings)});
  }
  double value_at_start(const Part& part) const {
    Vec3<double> x[largest_argument_count];
    for (int i = 0; i < part.count(); ++i) x[i] = part.arguments[i].value(system_.q0);
    return part_value(part, x, {});
  }
  // Rounding of the reference configuration stays in it.
  void add_zero(Part part, std::vector<Bearing> bearings) {
    const double start = value_at_start(part);
    add(std::move(part), std::abs(start) < 1e-6 ? start : 0, Signal(0), std::move(bearings));
  }

  void join_points() {
    const Form p = joint_.b.position - joint_.a.position;
    system_.ties.push_back({{p.vectors, p.weights, {}}, p.rate(system_.q0), joint_.owner, {{0, true, 1, {}}}});
  }

  static std::vector<Bearing> rotation(const Direction& d, int first, double sign = 1) {
    std::vector<Bearing> list;
    for (const Form& x : d.arguments) list.push_back({first++, false, sign, x});
    return list;
  }

  // A . B = 0 for a direction of a and one of b.
  void right_angle(Direction A, Direction B) {
    A = simple(std::move(A));
    B = simple(std::move(B));
    if (is_constant(A) && B.kind == Direction::Kind::plain)
      return add_zero(Part::linear(A.arguments[0].constant, B.arguments[0]), rotation(B, 0));
    if (is_constant(B) && A.kind == Direction::Kind::plain)
      return add_zero(Part::linear(B.arguments[0].constant, A.arguments[0]), rotation(A, 0, -1));
    const int first = static_cast<int>(A.arguments.size());
    std::vector<Bearing> bearings = rotation(B, first);
    add_zero(Part::dot(std::move(A), std::move(B)), std::move(bearings));
  }
  // The same where the side is not known by its place in the call.
  void right_angle(const Marker& of_first, const Direction& first, const Direction& second) {
    if (&of_first == &joint_.a) right_angle(first, second);
    else right_angle(second, first);
  }

  // A . p = constant + target, A a direction of a.
  void across(const Direction& A, const Form& p, double constant, const Signal& target) {
    if (is_constant(A)) return add(Part::linear(A.arguments[0].constant, p), constant, target, {{0, true, 1, {}}});
    const int last = static_cast<int>(A.arguments.size());
    add(Part::dot(A, plain(p)), constant, target, {{last, true, 1, {}}});
  }
  // b's point does not move along a's direction n.
  void stay_across(const Vec3<double>& n) {
    const Form p = joint_.b.position - joint_.a.position;
    const Direction A = simple(of_a(n, "axis"));
    across(A, p, dot(direction_value(A, system_.q0), p.value(system_.q0)), Signal(0));
  }

  // The axis stays parallel in a and b: two equations A . N_1 = A . N_2 = 0, the axis A of one and two normals of the
  // other. A section whose normal is the axis: its vectors stay across it. A section with the axis among its vectors:
  // that one stays along the axis and the other across. A cable keeps its angle with the axis: one equation, or two
  // where it runs along it.
  void keep_parallel(const Vec3<double>& axis) {
    const Marker &a = joint_.a, &b = joint_.b;
    for (const Marker* m : {&a, &b})
      if (m->kind == Marker::Kind::point)
        fail(m->text + " is a point and has no axis; use a spherical joint or point_on_line");
    if (a.kind == Marker::Kind::tangent || b.kind == Marker::Kind::tangent) return keep_tangent(axis);
    for (const Marker* first : {&b, &a}) {
      const Marker& m = *first;
      const Marker& other = first == &b ? a : b;
      const auto across_axis = [&](int k) { right_angle(m, plain(m.gradient[k]), direction(other, axis, "axis")); };
      const auto along_axis = [&](int k) {
        const auto [n1, n2] = normals(axis, other.frame);
        right_angle(m, plain(m.gradient[k]), direction(other, n1, "axis"));
        right_angle(m, plain(m.gradient[k]), direction(other, n2, "axis"));
      };
      const int k = number_of(m, axis);
      if (is_section(m) && k == m.axis(0)) {
        across_axis(m.axis(1));
        across_axis(m.axis(2));
        return;
      }
      if (is_section(m) && k >= 0) {
        along_axis(k);
        if (sections_.add(m)) across_axis(k == m.axis(1) ? m.axis(2) : m.axis(1));
        return;
      }
      if (has_director(m) && k == m.axis(2)) return along_axis(k);
      const Vec3<double> director = column(m.frame, m.axis(2));
      if (has_director(m) && std::abs(dot(director, axis)) < 1e-12) {
        across_axis(m.axis(2));
        right_angle(m, direction(m, axis, "axis"), direction(other, cross(director, axis), "axis"));
        return;
      }
    }
    const bool b_holds = b.kind == Marker::Kind::gradients || a.kind != Marker::Kind::gradients;
    const Marker &holder = b_holds ? b : a, &other = b_holds ? a : b;
    const Direction A = direction(holder, axis, "axis");
    const auto [n1, n2] = normals(axis, other.frame);
    right_angle(holder, A, direction(other, n1, "axis"));
    right_angle(holder, A, direction(other, n2, "axis"));
  }

  void keep_tangent(const Vec3<double>& axis) {
    const bool b_is_cable = joint_.b.kind == Marker::Kind::tangent;
    const Marker &cable = b_is_cable ? joint_.b : joint_.a, &other = b_is_cable ? joint_.a : joint_.b;
    if (!other.has_directions())
      fail("a cable has no axis of its own, and neither has " + other.text + "; use a spherical joint or a weld");
    const double cosine = dot(column(cable.frame, 0), axis);
    const Direction tangent{Direction::Kind::tangent, {cable.gradient[0]}, {}};
    if (std::abs(cosine) > 1 - 1e-12) {
      const auto [n1, n2] = normals(axis, other.frame);
      right_angle(other, direction(other, n1, "axis"), tangent);
      right_angle(other, direction(other, n2, "axis"), tangent);
    } else if (std::abs(cosine) < 1e-9) {
      right_angle(other, direction(other, axis, "axis"), tangent);
    } else {
      Direction A = direction(other, axis, "axis");
      std::vector<Bearing> bearings =
          b_is_cable ? rotation(tangent, static_cast<int>(A.arguments.size())) : rotation(A, 0);
      add(Part::dot(std::move(A), tangent), cosine, Signal(0), std::move(bearings));
    }
  }

  // No relative rotation, with the axes f of the deformable side in the reference configuration fixed to the other
  // side. A section's vectors keep their directions (once for every section also the angle between them); a director
  // keeps its direction and the frame does not turn about it; else no axis of the frame turns.
  void lock_frames() {
    const Marker &a = joint_.a, &b = joint_.b;
    for (const Marker* m : {&a, &b})
      if (m->kind == Marker::Kind::point)
        fail(m->text + " is a point, which has no frame to be held; use a spherical joint");
    if (a.kind == Marker::Kind::tangent && b.kind == Marker::Kind::tangent) return join_tangents();
    if (a.kind == Marker::Kind::tangent || b.kind == Marker::Kind::tangent) {
      const Marker& cable = b.kind == Marker::Kind::tangent ? b : a;
      return keep_tangent(column(cable.frame, 0));
    }
    if (a.kind <= Marker::Kind::rigid && b.kind <= Marker::Kind::rigid && tie_base_vectors()) return;
    const auto rank = [](const Marker& m) {  // the side whose vectors stand for its rotation
      if (m.kind == Marker::Kind::gradients) return 5 - static_cast<int>(m.rule);
      return m.kind == Marker::Kind::rigid ? 1 : 0;
    };
    const bool of_b = rank(b) >= rank(a);
    const Marker &first = of_b ? b : a, &other = of_b ? a : b;
    const auto f = [&](int k) { return direction(other, column(first.frame, first.axis(k)), "frame"); };
    const auto across = [&](int k, int l) { right_angle(first, plain(first.gradient[first.axis(k)]), f(l)); };
    const auto frame_across = [&](int k, int l) {
      right_angle(first, direction(first, column(first.frame, first.axis(k)), "frame"), f(l));
    };
    if (is_section(first)) {
      across(1, 0);
      across(2, 0);
      across(1, 2);
      if (sections_.add(first)) across(2, 1);
    } else if (has_director(first)) {
      across(2, 0);
      across(2, 1);
      frame_across(0, 1);
    } else if (first.kind == Marker::Kind::gradients) {
      frame_across(0, 1);
      frame_across(0, 2);
      frame_across(1, 2);
    } else {
      across(0, 1);
      across(0, 2);
      across(1, 2);
    }
  }

  // Two rigid bodies that keep their relative rotation: the base vectors of one are sums of the other's, nine linear
  // equations instead of three and six rows of rigidity. With multipliers alone nothing would be gained.
  bool tie_base_vectors() {
    const Marker &a = joint_.a, &b = joint_.b;
    if (system_.model.treatment == Treatment::lagrange) return false;
    const int implied = groups_.join(a.body, b.body);
    if (implied < 0) return false;
    std::erase_if(system_.rows, [&](const ConstraintRow& row) {
      const ConstraintOwner& owner = system_.owners[row.owner];
      return owner.kind == Kind::body && owner.index == implied;
    });
    const bool of_b = b.kind == Marker::Kind::rigid;
    const Marker &first = of_b ? b : a, &other = of_b ? a : b;
    const Mat3<double> turn = transpose(other.frame) * first.frame;
    for (int k = 0; k < 3; ++k) {
      Form x = first.gradient[k];
      for (int j = 0; j < 3; ++j)
        if (std::abs(turn[j][k]) > 1e-14) x = combine(1, x, -turn[j][k], other.gradient[j]);
      const Vec3<double> start = x.rate(system_.q0);
      x.constant = {};
      system_.ties.push_back({x, start, joint_.owner, {{0, false, of_b ? 1.0 : -1.0, first.gradient[k]}}});
    }
    return true;
  }

  // Two cables in line: r_x of one is that of the other, up to the scale of the meshes.
  void join_tangents() {
    const Vec3<double> x = joint_.a.gradient[0].value(system_.q0), y = joint_.b.gradient[0].value(system_.q0);
    const double ratio = dot(y, x) / dot(x, x);
    if (norm(y - ratio * x) > 1e-9 * norm(y))
      fail(
          "the cables meet at an angle, and a cable's tangent alone cannot hold one; join both to a rigid body, or use "
          "a spherical joint");
    const Form difference = combine(1, joint_.b.gradient[0], -ratio, joint_.a.gradient[0]);
    system_.ties.push_back(
        {difference, difference.value(system_.q0), joint_.owner, {{0, false, 1, joint_.b.gradient[0]}}});
  }

  // ---- angles and travels ----

  // theta of b against a about the axis, 0 in the reference configuration.
  void add_angle(const Vec3<double>& axis) {
    const Marker &a = joint_.a, &b = joint_.b;
    const bool cable_a = a.kind == Marker::Kind::tangent;
    const Marker& ray = cable_a ? a : b;  // what turns; seen from a cable it is the other body, turning backwards
    const Marker& seen_from = cable_a ? b : a;
    const auto [n1, vector] = ray_across(ray, axis);
    if (!(dot(n1, n1) > 0)) return;  // a cable along the axis: no angle
    const Vec3<double> n2 = (cable_a ? -1.0 : 1.0) * cross(axis, n1);
    Angle theta{direction(seen_from, n1, "axis"), direction(seen_from, n2, "axis"), {}};
    theta.b = vector >= 0 ? plain(ray.gradient[vector]) : direction(ray, n1, "axis");
    joint_.angle = static_cast<int>(system_.angles.size());
    system_.angles.push_back(std::move(theta));
  }
  // A direction across the axis that shows how a marker turns about it, and the number of the vector that does; -1: its
  // frame. Of a section with the axis among its vectors this is the other one, which alone turns its normal about the
  // axis.
  static std::pair<Vec3<double>, int> ray_across(const Marker& m, const Vec3<double>& axis) {
    int vector = -1;
    if (m.kind == Marker::Kind::tangent) vector = 0;
    const int k = number_of(m, axis);
    if (is_section(m) && k >= 0 && k != m.axis(0)) vector = k == m.axis(1) ? m.axis(2) : m.axis(1);
    if (has_director(m) && std::abs(dot(column(m.frame, m.axis(2)), axis)) < 1e-12) vector = m.axis(2);
    if (vector < 0) return {normals(axis, m.frame).first, -1};
    const Vec3<double> t = column(m.frame, vector), across_axis = t - dot(t, axis) * axis;
    if (norm(across_axis) < 1e-6) return {Vec3<double>{}, -1};
    return {(1 / norm(across_axis)) * across_axis, vector};
  }
  void add_travel(const Vec3<double>& axis) {
    joint_.slides = of_a(axis, "axis");
    joint_.start = dot(axis, joint_.b.start - joint_.a.start);
  }

  // Which arguments of an angle part turn with side b; of a cable seen from it the ray belongs to a.
  std::vector<Bearing> turning(const Angle& theta, const Marker& b) const {
    std::vector<Bearing> list;
    int argument = 0;
    const auto belongs = [&](const Form& x) {
      for (const Form& g : b.gradient)
        for (int v : g.vectors)
          if (std::find(x.vectors.begin(), x.vectors.end(), v) != x.vectors.end()) return true;
      return false;
    };
    const bool ray_of_b = b.kind == Marker::Kind::ground ? is_constant(theta.b) : belongs(theta.b.arguments[0]);
    for (const Direction* d : {&theta.a1, &theta.a2, &theta.b})
      for (const Form& x : d->arguments) {
        if ((d == &theta.b) == ray_of_b) list.push_back({argument, false, 1, x});
        ++argument;
      }
    return list;
  }

  const CompiledJoint& find(const std::string& name) const {
    const auto& joints = system_.model.joints;
    if (const std::size_t j = joints.position(name); j != NameIndex::none) return system_.joints[j];
    fail("joint '" + name + "' is not known" + suggestion(name, joints.names()));
  }
  const CompiledJoint& with_angle(const std::string& name) const {
    const CompiledJoint& joint = find(name);
    if (joint.angle < 0) fail("joint '" + name + "' has no angle; name a revolute or cylindrical joint");
    return joint;
  }

  System& system_;
  RigidGroups& groups_;
  SquareSections& sections_;
  CompiledJoint& joint_;
  const Where& where_;
  std::string user_;
};

template <class T>
constexpr bool acts_on_joints = std::is_same_v<T, Gear> || std::is_same_v<T, Turn> || std::is_same_v<T, Slide>;

}  // namespace

void compile_joints(System& system) {
  const auto& joints = system.model.joints;
  system.joints.resize(joints.size());
  RigidGroups groups(static_cast<int>(system.bodies.size()));
  SquareSections sections;
  for (const bool on_joints : {false, true})  // gears, turns and slides name other joints
    for (std::size_t j = 0; j < joints.size(); ++j)
      std::visit(
          [&](const auto& joint) {
            if (acts_on_joints<std::decay_t<decltype(joint)>> == on_joints)
              JointBuilder(system, groups, sections, static_cast<int>(j))(joint);
          },
          joints.items[j].second);
}

}  // namespace lithe

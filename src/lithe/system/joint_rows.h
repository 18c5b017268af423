// What joints are made of: equations between two markers a and b, added to the equations of a model. Directions
// are fixed to the ground, to base vectors, or to the frame of gradients that carry the rotation there. A section is
// held by its two vectors rather than by its frame: such rows are linear against the ground, and get eliminated at a
// node.
#pragma once

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/system/constraint_equations.h"
#include "lithe/system/joint_groups.h"
#include "lithe/system/markers.h"
#include "lithe/system/system.h"

namespace lithe {

// The joint number `index` of a model that is being compiled.
class JointRows {
 public:
  JointRows(System& system, ConstraintEquations& equations, RigidGroups& groups, SquareSections& sections, int index);

 protected:
  // ---- places ----

  template <class Joint>
  void places(const Joint& joint) {
    std::tie(joint_.a, joint_.b) = make_markers(system_, joint.a, joint.b, joint.point, where_, user_);
  }
  double gap() const { return 1e-6 * system_.length_scale; }
  [[noreturn]] void fail(const std::string& what) const { throw InputError(where_, user_ + ": " + what); }
  void coincide(const std::string& remedy) const;
  void on_axis(const Vec3<double>& axis) const;

  // ---- drives ----

  // In statics a constant is reached along with the load factor, as constant loads are.
  Signal ramped(const Drive& drive) const;
  // A drive starts where the reference configuration is.
  void fits(const std::string& what, const Signal& drive, double reference, double scale, const char* unit) const;

  // ---- directions ----

  static Direction plain(const Form& x) { return {Direction::Kind::plain, {x}, {}}; }
  Direction direction(const Marker& marker, const Vec3<double>& d, const char* key) const;
  Direction of_a(const Vec3<double>& d, const char* key) const { return direction(joint_.a, d, key); }
  Direction of_b(const Vec3<double>& d, const char* key) const { return direction(joint_.b, d, key); }
  // Of a condition that is zero the length does not matter: a tangent becomes r_x, a director its gradient.
  static Direction simple(Direction d);
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

  void add(Part part, double constant, const Signal& target, std::vector<Bearing> bearings);
  double value_at_start(const Part& part) const;
  // Rounding of the reference configuration stays in it.
  void add_zero(Part part, std::vector<Bearing> bearings);
  void join_points();
  static std::vector<Bearing> rotation(const Direction& d, int first, double sign = 1);
  // A . B = 0 for a direction of a and one of b.
  void right_angle(Direction A, Direction B);
  // The same where the side is not known by its place in the call.
  void right_angle(const Marker& of_first, const Direction& first, const Direction& second);
  // A . p = constant + target, A a direction of a.
  void across(const Direction& A, const Form& p, double constant, const Signal& target);
  // b's point does not move along a's direction n.
  void stay_across(const Vec3<double>& n);

  // ---- connections (connections.cpp) ----

  void connect(const RigidConnection& connection);
  void connect(const DistributingConnection& connection);
  // Marker a of a connection; the ground without a point is taken at x.
  Marker reference(const At& a, const Vec3<double>& x) const;

  // ---- rotations (joint_rotations.cpp) ----

  // The axis stays parallel in a and b: two equations A . N_1 = A . N_2 = 0, the axis A of one and two normals of the
  // other. A section whose normal is the axis: its vectors stay across it. A section with the axis among its vectors:
  // that one stays along the axis and the other across. A cable keeps its angle with the axis: one equation, or two
  // where it runs along it.
  void keep_parallel(const Vec3<double>& axis);
  void keep_tangent(const Vec3<double>& axis);
  // No relative rotation, with the axes f of the deformable side in the reference configuration fixed to the other
  // side. A section's vectors keep their directions (once for every section also the angle between them); a director
  // keeps its direction and the frame does not turn about it; else no axis of the frame turns.
  void lock_frames();
  // Two rigid bodies that keep their relative rotation: the base vectors of one are sums of the other's, nine linear
  // equations instead of three and six rows of rigidity. With multipliers alone nothing would be gained.
  bool tie_base_vectors();
  // Two cables in line: r_x of one is that of the other, up to the scale of the meshes.
  void join_tangents();

  // ---- angles and travels ----

  // theta of b against a about the axis, 0 in the reference configuration.
  void add_angle(const Vec3<double>& axis);
  int new_angle(Angle theta);  // its number
  // A direction across the axis that shows how a marker turns about it, and the number of the vector that does; -1: its
  // frame. Of a section with the axis among its vectors this is the other one, which alone turns its normal about the
  // axis.
  static std::pair<Vec3<double>, int> ray_across(const Marker& m, const Vec3<double>& axis);
  void add_travel(const Vec3<double>& axis);
  // Which arguments of an angle part turn with side b; of a cable seen from it the ray belongs to a.
  std::vector<Bearing> turning(const Angle& theta, const Marker& b) const;
  const CompiledJoint& find(const std::string& name) const {
    return system_.joints[system_.model.joints.position(name)];
  }
  const CompiledJoint& with_angle(const std::string& name) const;

  System& system_;
  int index_;  // in the model
  ConstraintEquations& equations_;
  RigidGroups& groups_;
  SquareSections& sections_;
  CompiledJoint& joint_;
  const Where& where_;
  std::string user_;
};

}  // namespace lithe

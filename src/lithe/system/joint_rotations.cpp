// Rotations of joints: axes that stay parallel, frames that do not turn, angles about an axis.
#include <algorithm>
#include <cmath>

#include "lithe/system/joint_rows.h"

namespace lithe {

void JointRows::keep_parallel(const Vec3<double>& axis) {
  const Marker &a = joint_.a, &b = joint_.b;
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

void JointRows::keep_tangent(const Vec3<double>& axis) {
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

void JointRows::lock_frames() {
  const Marker &a = joint_.a, &b = joint_.b;
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

bool JointRows::tie_base_vectors() {
  const Marker &a = joint_.a, &b = joint_.b;
  if (system_.model.treatment == Treatment::lagrange) return false;
  for (const Marker* m :
       {&a, &b})  // what a map moves has no rows of rigidity, and no use for nine rows instead of three
    if (m->kind == Marker::Kind::rigid && system_.bodies[m->body].mapped) return false;
  const int implied = groups_.join(a.body, b.body);
  if (implied < 0) return false;
  std::erase_if(equations_.rows, [&](const ConstraintRow& row) {
    const ConstraintOwner& owner = system_.owners[row.owner];
    return owner.kind == ConstraintOwner::Kind::body && owner.index == implied;
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
    equations_.ties.push_back({x, start, joint_.owner, {{0, false, of_b ? 1.0 : -1.0, first.gradient[k]}}});
  }
  return true;
}

void JointRows::join_tangents() {
  const Vec3<double> x = joint_.a.gradient[0].value(system_.q0), y = joint_.b.gradient[0].value(system_.q0);
  const double ratio = dot(y, x) / dot(x, x);
  if (norm(y - ratio * x) > 1e-9 * norm(y))
    fail(
        "the cables meet at an angle, and a cable's tangent alone cannot hold one; join both to a rigid body, or use "
        "a spherical joint");
  const Form difference = combine(1, joint_.b.gradient[0], -ratio, joint_.a.gradient[0]);
  equations_.ties.push_back(
      {difference, difference.value(system_.q0), joint_.owner, {{0, false, 1, joint_.b.gradient[0]}}});
}

void JointRows::add_angle(const Vec3<double>& axis) {
  const Marker &a = joint_.a, &b = joint_.b;
  const bool cable_a = a.kind == Marker::Kind::tangent;
  const Marker& ray = cable_a ? a : b;  // what turns; seen from a cable it is the other body, turning backwards
  const Marker& seen_from = cable_a ? b : a;
  const auto [n1, vector] = ray_across(ray, axis);
  if (!(dot(n1, n1) > 0)) return;  // a cable along the axis: no angle
  const Vec3<double> n2 = (cable_a ? -1.0 : 1.0) * cross(axis, n1);
  Angle theta{direction(seen_from, n1, "axis"), direction(seen_from, n2, "axis"), {}};
  theta.b = vector >= 0 ? plain(ray.gradient[vector]) : direction(ray, n1, "axis");
  joint_.angle = new_angle(std::move(theta));
}

int JointRows::new_angle(Angle theta) {
  system_.angles.push_back(std::move(theta));
  system_.angle_names.push_back(system_.owners[joint_.owner].text + (joint_.angle < 0 ? ": angle" : ": second angle"));
  return static_cast<int>(system_.angles.size()) - 1;
}

std::pair<Vec3<double>, int> JointRows::ray_across(const Marker& m, const Vec3<double>& axis) {
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

std::vector<Bearing> JointRows::turning(const Angle& theta, const Marker& b) const {
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

const CompiledJoint& JointRows::with_angle(const std::string& name) const {
  const CompiledJoint& joint = find(name);
  if (joint.angle < 0) fail("joint '" + name + "' has no angle; name a revolute or cylindrical joint");
  return joint;
}

}  // namespace lithe

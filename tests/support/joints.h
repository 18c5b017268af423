// Two bodies that meet at one point, at any orientation, to be joined by any joint; and rigid motions of them.
#pragma once

#include <cmath>
#include <random>

#include "support/models.h"

namespace lithe::test {

inline Triple triple(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }

// Rotation by `angle` about the unit vector n.
inline Mat3<double> rotation(const Vec3<double>& n, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3<double> R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R[i][j] = (1 - c) * n[i] * n[j] + (i == j ? c : 0);
  R[0][1] -= s * n[2];
  R[1][0] += s * n[2];
  R[0][2] += s * n[1];
  R[2][0] -= s * n[1];
  R[1][2] -= s * n[0];
  R[2][1] += s * n[0];
  return R;
}

// x -> R x + t.
struct Motion6 {
  Mat3<double> R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec3<double> t{};
  static Motion6 turn(const Vec3<double>& about, const Vec3<double>& axis, double angle) {
    const Mat3<double> R = rotation(axis, angle);
    return {R, about - R * about};
  }
  static Motion6 shift(const Vec3<double>& t) { return {Motion6().R, t}; }
  Motion6 operator*(const Motion6& other) const { return {R * other.R, R * other.t + t}; }
  Motion6 inverse() const { return {transpose(R), -1.0 * (transpose(R) * t)}; }
};

inline void move(const System& system, const std::string& body, const Motion6& motion, std::vector<double>& q) {
  for (const BodyInfo& info : system.bodies) {
    if (info.name != body) continue;
    for (int n = 0; n < info.mesh.node_count(); ++n)
      for (int k = 0; k < info.node_vectors; ++k) {
        double* x = &q[3ul * info.vector(n, k)];
        Vec3<double> y = motion.R * Vec3<double>{{x[0], x[1], x[2]}};
        if (k == 0) y = y + motion.t;
        for (int m = 0; m < 3; ++m) x[m] = y[m];
      }
  }
}

// What a side of a joint is.
enum class Side { ground, rigid, node, material_point, cable };

inline const char* side_name(Side side) {
  static const char* const names[] = {"ground", "rigid", "node", "material_point", "cable"};
  return names[static_cast<int>(side)];
}
inline int side_dof(Side side) {
  static const int dof[] = {0, 6, 24, 24, 12};
  return dof[static_cast<int>(side)];
}

// A body named `name` of that kind with the frame (x, y) and a place at `point`; returns the place.
inline At add_side(Model& model, Side side, const std::string& name, const Vec3<double>& point, const Vec3<double>& x,
                   const Vec3<double>& y) {
  At at;
  at.body = name;
  const Vec3<double> e1 = unit(x), e2 = unit(y - dot(y, e1) * e1), e3 = cross(e1, e2);
  switch (side) {
    case Side::ground:
      at.body = "ground";
      at.point = triple(point);
      return at;
    case Side::rigid: {
      RigidBody body;
      body.position = triple(point + 0.3 * e1 - 0.2 * e2 + 0.1 * e3);
      body.x_axis = triple(e1);
      body.y_axis = triple(e2);
      body.mass = 2.0;
      body.inertia = std::vector<double>{0.3, 0.4, 0.5, 0.01, -0.02, 0.03};
      model.bodies.add(name, body);
      at.point = triple(point);
      return at;
    }
    default:
      break;
  }
  if (!model.materials.find("soft")) {
    model.materials.add("soft", Isotropic{1e6, 0.3, 1000, 0});
    model.sections.add("bar", Rectangle{0.1, 0.08, {}});
    model.sections.add("thread", Bar{1e-4, 1e-9});
  }
  Body body;
  body.element = side == Side::cable ? ElementKind::cable : ElementKind::beam3243;
  body.material = "soft";
  body.section = side == Side::cable ? "thread" : "bar";
  LineMesh line;
  line.elements = 1;
  line.from = triple(point);
  if (side == Side::material_point) line.from = triple(point - 0.25 * e1 + 0.02 * e2 - 0.015 * e3);
  line.to = triple(vec(line.from) + 0.8 * e1);
  if (side != Side::cable) line.width_direction = triple(e2);
  body.mesh = line;
  model.bodies.add(name, body);
  if (side == Side::material_point) at.point = triple(point);
  else at.node = 0;
  return at;
}

// c of all rows at q.
inline std::vector<double> constraints_at(const System& system, const std::vector<double>& q, double t = 0) {
  State state = system.initial_state();
  state.q = q;
  state.t = t;
  Workspace work(system, 1);
  evaluate_constraints(system, state, work);
  return work.c;
}
inline double largest(const std::vector<double>& x) {
  double most = 0;
  for (double v : x) most = std::max(most, std::abs(v));
  return most;
}

}  // namespace lithe::test

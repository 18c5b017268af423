// Every joint between every pair of places in several poses, and how to move what they join.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/joints.h"

namespace lithe::test::joint_cases {

inline const Vec3<double> point{{0.31, -0.22, 0.53}};
inline const Vec3<double> axis = unit(Vec3<double>{{0.4, -0.3, 0.8}});

// What a joint is, how many equations it has, and which relative motions along and about (axis, n1, n2) it lets pass.
struct Kind {
  std::string name;
  std::function<Joint(const At&, const At&)> make;
  int equations;
  bool shift[3], turn[3];
};
inline Vec3<double> n1() { return unit(cross(axis, {{0, 0, 1}})); }
inline Vec3<double> n2() { return cross(axis, n1()); }

inline std::vector<Kind> kinds() {
  return {
      {"weld",
       [](At a, At b) {
         return Weld{a, b, {}};
       },
       6,
       {0, 0, 0},
       {0, 0, 0}},
      {"spherical",
       [](At a, At b) {
         return Spherical{a, b, {}};
       },
       3,
       {0, 0, 0},
       {1, 1, 1}},
      {"revolute",
       [](At a, At b) {
         return Revolute{a, b, {}, triple(axis)};
       },
       5,
       {0, 0, 0},
       {1, 0, 0}},
      {"universal",
       [](At a, At b) {
         return Universal{a, b, {}, triple(axis), triple(n1())};
       },
       4,
       {0, 0, 0},
       {1, 1, 0}},
      {"cylindrical",
       [](At a, At b) {
         return Cylindrical{a, b, {}, triple(axis)};
       },
       4,
       {1, 0, 0},
       {1, 0, 0}},
      {"prismatic",
       [](At a, At b) {
         return Prismatic{a, b, {}, triple(axis)};
       },
       5,
       {1, 0, 0},
       {0, 0, 0}},
      {"planar",
       [](At a, At b) {
         return Planar{a, b, {}, triple(axis)};
       },
       3,
       {0, 1, 1},
       {1, 0, 0}},
      {"point_on_line",
       [](At a, At b) {
         return PointOnLine{a, b, {}, triple(axis)};
       },
       2,
       {1, 0, 0},
       {1, 1, 1}},
  };
}

struct Pair {
  Side a, b;
};
inline const std::vector<Pair> pairs{
    {Side::ground, Side::rigid},         {Side::rigid, Side::ground},       {Side::rigid, Side::rigid},
    {Side::ground, Side::node},          {Side::node, Side::ground},        {Side::rigid, Side::node},
    {Side::node, Side::rigid},           {Side::node, Side::node},          {Side::ground, Side::material_point},
    {Side::rigid, Side::material_point}, {Side::material_point, Side::node}};

// Orientations of the two bodies: skew, or with e1 or e3 along the axis, where simpler equations are used.
struct Pose {
  std::string name;
  Vec3<double> xa, ya, xb, yb;
};
inline std::vector<Pose> poses() {
  return {{"skew", {{1, 0.2, -0.4}}, {{0.3, 1, 0.5}}, {{-0.2, 0.6, 1}}, {{1, 0.1, 0.3}}},
          {"e1 along the axis", axis, n1(), axis, n2()},
          {"e3 along the axis", n1(), n2(), n2(), -1.0 * n1()}};
}

inline Model make_model(const Kind& kind, const Pair& pair, const Pose& pose, Treatment treatment) {
  Model model;
  const At a = add_side(model, pair.a, "a", point, pose.xa, pose.ya),
           b = add_side(model, pair.b, "b", point, pose.xb, pose.yb);
  model.joints.add("joint", kind.make(a, b));
  model.outputs.add("joint", JointOutput{"joint"});
  model.treatment = treatment;
  return model;
}

template <class Function>
void for_all(Function&& function) {
  for (const Kind& kind : kinds())
    for (const Pair& pair : pairs)
      for (const Pose& pose : poses()) {
        SCOPED_TRACE(kind.name + " " + side_name(pair.a) + "-" + side_name(pair.b) + ", " + pose.name);
        function(kind, pair, pose);
      }
}

// Gradients at node 0 of `body` keep their section: r_x anything, r_y and r_z stretched.
inline void deform_section(const System& system, const std::string& body, std::vector<double>& q) {
  for (const BodyInfo& info : system.bodies)
    if (info.name == body && info.node_vectors == 4 && info.kind != ElementKind::rigid) {
      double *x = &q[3ul * info.vector(0, 1)], *y = &q[3ul * info.vector(0, 2)], *z = &q[3ul * info.vector(0, 3)];
      for (int m = 0; m < 3; ++m) {
        x[m] += 0.2 * (m - 1) + 0.3 * y[m];
        y[m] *= 0.8;
        z[m] *= 1.25;
      }
    }
}

inline void place(const System& system, const Pair& pair, const Motion6& global, const Motion6& relative,
                  std::vector<double>& q) {
  q = system.q0;
  Motion6 of_a = global;
  if (pair.a == Side::ground) of_a = Motion6();
  if (pair.b == Side::ground) of_a = relative.inverse();
  move(system, "a", of_a, q);
  move(system, "b", of_a * relative, q);
  if (pair.a == Side::node) deform_section(system, "a", q);
  if (pair.b == Side::node) deform_section(system, "b", q);
}

}  // namespace lithe::test::joint_cases

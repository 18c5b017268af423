// Scenes of contact put together from shapes: every shape a surface of its own group, its mesh with edges.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lithe/contact/scene.h"

namespace lithe::fixtures {

using Triangles = std::vector<std::array<std::int32_t, 3>>;

struct Placed {
  Vec3<double> at{};
  Mat3<double> turn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

inline Mat3<double> turn_about(const Vec3<double>& axis, double angle) {
  const Vec3<double> n = unit(axis);
  const double s = std::sin(angle), c = std::cos(angle);
  Mat3<double> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i][j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j];
  for (int i = 0; i < 3; ++i) r[(i + 2) % 3][(i + 1) % 3] += s * n[i], r[(i + 1) % 3][(i + 2) % 3] -= s * n[i];
  return r;
}

class SceneMaker {
 public:
  ContactScene scene;

  int add(const std::vector<Vec3<double>>& corners, const Triangles& triangles,
          const std::vector<std::array<std::int32_t, 2>>& rods, double radius, const Placed& placed = {}) {
    SceneSurface surface;
    const auto first = static_cast<std::int32_t>(scene.corner.size());
    surface.first_corner = first;
    surface.corners = static_cast<std::int32_t>(corners.size());
    surface.first_edge = static_cast<std::int32_t>(scene.edge.size());
    surface.first_triangle = static_cast<std::int32_t>(scene.triangle.size());
    surface.triangles = static_cast<std::int32_t>(triangles.size());
    surface.radius = radius;
    surface.group = static_cast<std::int32_t>(scene.surface.size());
    for (const auto& x : corners) {
      scene.corner.push_back(placed.at + placed.turn * x);
      scene.move.push_back({});
      scene.corner_surface.push_back(surface.group);
    }
    std::map<std::pair<int, int>, int> known;
    for (const auto& t : triangles) {
      const auto number = static_cast<std::int32_t>(scene.triangle.size());
      scene.triangle.push_back({t[0] + first, t[1] + first, t[2] + first});
      for (int i = 0; i < 3; ++i) {
        const std::pair<int, int> ends = std::minmax(t[i] + first, t[(i + 1) % 3] + first);
        const auto [found, fresh] = known.emplace(ends, static_cast<int>(scene.edge.size()));
        if (fresh) scene.edge.push_back({{ends.first, ends.second}, {number, -1}});
        else scene.edge[found->second].triangle[1] = number;
      }
    }
    for (const auto& rod : rods) scene.edge.push_back({{rod[0] + first, rod[1] + first}, {-1, -1}});
    surface.edges = static_cast<std::int32_t>(scene.edge.size()) - surface.first_edge;
    if (!scene.covered.empty()) scene.covered.resize(scene.triangle.size(), 0);
    scene.surface.push_back(surface);
    return surface.group;
  }

  int ball(const Vec3<double>& at, double radius) { return add({at}, {}, {}, radius); }
  int capsule(const Vec3<double>& from, const Vec3<double>& to, double radius) {
    return add({from, to}, {}, {{0, 1}}, radius);
  }
  int chain(const std::vector<Vec3<double>>& corners, double radius) {
    std::vector<std::array<std::int32_t, 2>> rods;
    for (int i = 1; i < static_cast<int>(corners.size()); ++i) rods.push_back({i - 1, i});
    return add(corners, {}, rods, radius);
  }
  int plane(const Vec3<double>& at, const Vec3<double>& normal) {
    const Vec3<double> n = unit(normal);
    const Vec3<double> a = unit(cross(n, std::abs(n[0]) < 0.7 ? Vec3<double>{{1, 0, 0}} : Vec3<double>{{0, 1, 0}}));
    const int s = add({at, at + a, at + cross(n, a)}, {{0, 1, 2}}, {}, 0);
    scene.surface[s].is_plane = true;
    return s;
  }
  // Sides cut into `cells` by `cells` squares of two triangles each.
  int box(const Vec3<double>& half, const Placed& placed = {}, int cells = 1) {
    std::vector<Vec3<double>> corners;
    std::map<std::array<int, 3>, int> known;
    Triangles triangles;
    const auto corner = [&](std::array<int, 3> g) {
      const auto [found, fresh] = known.emplace(g, static_cast<int>(corners.size()));
      if (fresh) {
        Vec3<double> x;
        for (int k = 0; k < 3; ++k) x[k] = half[k] * (2. * g[k] / cells - 1);
        corners.push_back(x);
      }
      return found->second;
    };
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side)
        for (int i = 0; i < cells; ++i)
          for (int j = 0; j < cells; ++j) {
            const auto at = [&](int u, int v) {
              std::array<int, 3> g;
              g[axis] = side * cells, g[(axis + 1) % 3] = u, g[(axis + 2) % 3] = v;
              return corner(g);
            };
            const int a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
            if (side) triangles.push_back({a, b, c}), triangles.push_back({a, c, d});
            else triangles.push_back({a, c, b}), triangles.push_back({a, d, c});
          }
    return add(corners, triangles, {}, 0, placed);
  }
  // Along z, closed by fans at both ends.
  int cylinder(double radius, double half, int facets, const Placed& placed = {}) {
    std::vector<Vec3<double>> corners{{{0, 0, -half}}, {{0, 0, half}}};
    for (int i = 0; i < facets; ++i)
      for (const double z : {-half, half}) {
        const double angle = 2 * M_PI * i / facets;
        corners.push_back({{radius * std::cos(angle), radius * std::sin(angle), z}});
      }
    Triangles triangles;
    for (int i = 0; i < facets; ++i) {
      const int a = 2 + 2 * i, b = 2 + 2 * ((i + 1) % facets);
      triangles.insert(triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}, {0, b, a}, {1, a + 1, b + 1}});
    }
    return add(corners, triangles, {}, 0, placed);
  }
  // A cylinder along z with a round side, its ends those of a prism: two surfaces, the mesh first.
  int round(double radius, double half, int facets, const Placed& placed = {}) {
    const int mesh = cylinder(radius, half, facets, placed);
    const SceneSurface& of = scene.surface[mesh];
    scene.covered.resize(of.first_triangle);
    for (int i = 0; i < facets; ++i) scene.covered.insert(scene.covered.end(), {1, 1, 0, 0});
    const int side = add({{{0, 0, -half}}, {{0, 0, half}}}, {}, {{0, 1}}, radius, placed);
    scene.surface[side].group = mesh;
    scene.surface[side].flat_ends = true;
    scene.surface[mesh].is_core = true;
    for (const int s : {mesh, side}) scene.surface[s].is_rigid = true;
    return mesh;
  }
  // A tube along z: its mesh, its round side and its bore, three surfaces, the mesh first.
  int tube(double inner, double outer, double half, int facets, const Placed& placed = {}) {
    std::vector<Vec3<double>> corners;
    for (const double radius : {outer, inner})
      for (const double z : {-half, half})
        for (int i = 0; i < facets; ++i) {
          const double angle = 2 * M_PI * i / facets;
          corners.push_back({{radius * std::cos(angle), radius * std::sin(angle), z}});
        }
    Triangles triangles;
    const auto quad = [&](int a, int b, int c, int d) { triangles.insert(triangles.end(), {{a, b, c}, {a, c, d}}); };
    std::vector<std::uint8_t> covers;
    for (int k = 0; k < facets; ++k) {
      const int l = (k + 1) % facets, up = facets, in = 2 * facets;
      quad(k, l, up + l, up + k);
      quad(in + l, in + k, in + up + k, in + up + l);
      quad(in + k, in + l, l, k);
      quad(in + up + l, in + up + k, up + k, up + l);
      covers.insert(covers.end(), {under_round, under_round, in_bore, in_bore, bare, bare, bare, bare});
    }
    const int mesh = add(corners, triangles, {}, 0, placed);
    scene.covered.resize(scene.surface[mesh].first_triangle);
    scene.covered.insert(scene.covered.end(), covers.begin(), covers.end());
    for (const double radius : {outer, -inner}) {
      const int side = add({{{0, 0, -half}}, {{0, 0, half}}}, {}, {{0, 1}}, radius, placed);
      scene.surface[side].group = mesh;
      scene.surface[side].flat_ends = true;
      scene.surface[side].wall = outer - inner;
    }
    for (int s = mesh; s < mesh + 3; ++s) scene.surface[s].is_rigid = true;
    scene.surface[mesh].is_core = true;
    return mesh;
  }
  // A regular tetrahedron within a ball of that radius, its first corner at +z.
  int tetrahedron(double radius, const Placed& placed = {}) {
    const double r = radius * std::sqrt(8.) / 3, z = -radius / 3;
    return add(
        {{{0, 0, radius}}, {{r, 0, z}}, {{-r / 2, r * std::sqrt(3.) / 2, z}}, {{-r / 2, -r * std::sqrt(3.) / 2, z}}},
        {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}, {}, 0, placed);
  }

  void move(int surface, const Vec3<double>& by) {
    const SceneSurface& of = scene.surface[surface];
    for (int c = of.first_corner; c < of.first_corner + of.corners; ++c) scene.move[c] = by;
  }
};

}  // namespace lithe::fixtures

// What can touch, as detection sees it: corners, edges and triangles with a radius around them, of many surfaces. A
// corner is a material point of its surface; whoever made the scene knows how it follows from coordinates, so that a
// point of contact, a weighted sum of corners, does too. A ball is one corner with a radius, a capsule an edge, a cable
// a chain of edges, solids, shells and boxes are closed or open meshes of triangles, one-sided, with radius 0. A
// cylinder is two surfaces: an edge with a radius and flat ends, round exactly, and a mesh within it whose ends are
// touched and whose sides are covered by the round ones. A tube has a third: its bore, an edge with a negative radius,
// which round bodies touch from within where others touch the sides of the mesh.
//
//   outside of a triangle: where (x1 - x0) x (x2 - x0) points to
//
// Thin bodies are closed meshes of both their faces. Chains of edges with a radius share corners.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lithe/base/small.h"

namespace lithe {

// An edge between two triangles (right = -1: of one alone; both -1: a rod of its own).
struct SceneEdge {
  std::int32_t corner[2];
  std::int32_t triangle[2]{-1, -1};
};

struct SceneSurface {
  // Ranges of what belongs to it, in the arrays of the scene.
  std::int32_t first_corner = 0, corners = 0, first_edge = 0, edges = 0, first_triangle = 0, triangles = 0;
  double radius = 0;  // m, around all of it; negative: of a bore, that far around it from within
  double wall = 0;    // m, thickness of a tube, of its round side and of its bore
  bool touches_itself = false;
  bool is_plane = false;   // an endless plane: first corner a point of it, normal from its one triangle
  bool is_rigid = false;   // keeps its shape: corners within its flat faces give no points of contact
  bool flat_ends = false;  // of one edge with a radius: it ends in discs square to it instead of half balls
  bool is_core = false;    // the mesh within a round surface with flat ends of its body
  std::int32_t group = 0;  // surfaces of one group never touch each other unless one touches itself (parts of a body)
  bool is_bore() const { return radius < 0; }
};

// Of a triangle: a round surface of its body is outside of it, or a bore, for what is round.
enum Cover : std::uint8_t { bare, under_round, in_bore };

struct ContactScene {
  std::vector<Vec3<double>> corner;                   // [corner] where it is
  std::vector<Vec3<double>> move;                     // [corner] how it is expected to move in what is left of the step
  std::vector<Vec3<double>> before;                   // [corner] where it was at the begin of the step; or empty
  std::vector<SceneEdge> edge;                        // [edge]
  std::vector<std::array<std::int32_t, 3>> triangle;  // [triangle]
  // Which boundary element of its surface a triangle belongs to, how far that reaches behind it, m, and of which side
  // of it the triangle is a half (last -1: it is the side); all may be empty.
  std::vector<std::int32_t> cell;                 // [triangle]
  std::vector<double> depth;                      // [triangle]
  std::vector<std::array<std::int32_t, 4>> side;  // [triangle] corners, around
  std::vector<std::uint8_t> covered;              // [triangle] Cover; or empty
  std::vector<std::int32_t> corner_surface;       // [corner]
  std::vector<SceneSurface> surface;
  double margin = 0;  // m, by which all is looked at beyond its moves: what presses may lie that deep already
};

// A point of contact between two surfaces, before the radius a weighted sum of corners: of a triangle, or of the side
// of an element with four.
struct ContactSide {
  std::int32_t surface = -1;
  std::int32_t corner[4]{-1, -1, -1, -1};
  double weight[4]{0, 0, 0, 0};
  Vec3<double> point{};       // on the surface, radius included
  std::uint64_t feature = 0;  // kind and number within its surface: stable from step to step
};

struct ContactPoint {
  ContactSide a, b;       // a.surface < b.surface, or of one surface a.feature < b.feature
  Vec3<double> normal{};  // unit, from b to a
  double gap = 0;         // m, (a.point - b.point) . normal; negative: they overlap
};

}  // namespace lithe

// What of a scene stays as it is from step to step: which corners, edges and triangles are neighbours, the parts that
// the broad phase holds in boxes, and who looks after what. A part is a triangle, an edge without triangles (of a rod)
// or a corner without edges (a ball). Corners and edges that several parts share are looked after by one of them, their
// owner: so no pair of features is met twice.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lithe/contact/scene.h"

namespace lithe {

enum class FeatureKind : std::uint8_t { corner, edge, triangle };

struct ScenePart {
  std::int32_t surface;
  FeatureKind kind;
  std::uint8_t owned;  // bit i: its corner i; bit 3 + i: of a triangle its edge from corner i to i + 1
  std::int32_t index;  // in the scene
};

// Neighbours of corner c: items from start[c] to start[c + 1].
struct CornerLists {
  std::vector<std::int32_t> start, items;
  const std::int32_t* begin(int c) const { return items.data() + start[c]; }
  const std::int32_t* end(int c) const { return items.data() + start[c + 1]; }
};

inline bool have_common(const std::int32_t* a, int as, const std::int32_t* b, int bs) {
  for (int i = 0; i < as; ++i)
    for (int j = 0; j < bs; ++j)
      if (a[i] == b[j]) return true;
  return false;
}

struct SurfaceTopology {
  explicit SurfaceTopology(const ContactScene& scene);

  bool is_ball(int corner) const { return corners.start[corner] == corners.start[corner + 1]; }
  bool is_covered(int t) const { return !covered.empty() && covered[t] == under_round; }
  bool is_in_bore(int t) const { return !covered.empty() && covered[t] == in_bore; }
  bool is_round(int s) const { return surface[s].radius > 0 || surface[s].is_core; }  // meets bores as they are
  bool has_faces(int corner) const { return triangles.start[corner] != triangles.start[corner + 1]; }
  // Stable from step to step: kind, and number within its surface.
  std::uint64_t feature(FeatureKind kind, int surface, int index) const;

  std::vector<SceneSurface> surface;
  std::vector<ScenePart> part;  // of all surfaces but planes
  std::vector<std::int32_t> plane;
  std::vector<SceneEdge> edge;
  std::vector<std::array<std::int32_t, 3>> triangle;
  std::vector<std::array<std::int32_t, 3>> triangle_edge;  // from corner i to i + 1; -1: the scene has none
  std::vector<std::uint8_t> covered;                       // [triangle] Cover; or empty
  CornerLists corners, edges, triangles;                   // of a corner: at the other ends, around it
  std::vector<std::int32_t> corner_surface;                // [corner]
  std::vector<std::int32_t> corner_owner, edge_owner;      // part
  std::vector<std::uint8_t> closed_corner;                 // all its edges have two triangles
  std::vector<std::uint8_t> smooth_corner;                 // of a rigid surface, within a flat face
  std::vector<std::uint8_t> covered_corner;                // one of its triangles is covered
  std::vector<std::uint8_t> bore_corner, bore_edge;        // [corner], [edge] one of its triangles is in a bore
  std::vector<Vec3<double>> rest;                          // [corner] where it was when all was made
};

}  // namespace lithe

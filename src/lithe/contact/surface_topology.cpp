#include "lithe/contact/surface_topology.h"

#include "lithe/base/error.h"

namespace lithe {
namespace {

// Sine of the angle below which two faces are one.
constexpr double smooth_sine = 1e-6;

template <class Visit>
CornerLists lists(std::size_t corners, Visit&& visit) {
  CornerLists made;
  made.start.assign(corners + 1, 0);
  visit([&](int corner, int) { ++made.start[corner + 1]; });
  for (std::size_t c = 0; c < corners; ++c) made.start[c + 1] += made.start[c];
  made.items.resize(made.start.back());
  auto next = made.start;
  visit([&](int corner, int item) { made.items[next[corner]++] = item; });
  return made;
}

bool is_rod(const SceneEdge& edge) { return edge.triangle[0] < 0 && edge.triangle[1] < 0; }

int local_edge(const std::array<std::int32_t, 3>& triangle, const SceneEdge& edge) {
  for (int i = 0; i < 3; ++i) {
    const int from = triangle[i], to = triangle[(i + 1) % 3];
    if ((from == edge.corner[0] && to == edge.corner[1]) || (from == edge.corner[1] && to == edge.corner[0])) return i;
  }
  return -1;
}

void take_edges_of_triangles(SurfaceTopology& made) {
  made.triangle_edge.assign(made.triangle.size(), {-1, -1, -1});
  for (std::size_t e = 0; e < made.edge.size(); ++e)
    for (const int t : made.edge[e].triangle) {
      if (t < 0) continue;
      const int i = local_edge(made.triangle[t], made.edge[e]);
      LITHE_INVARIANT(i >= 0);
      made.triangle_edge[t][i] = static_cast<std::int32_t>(e);
    }
}

void take_neighbours(SurfaceTopology& made, std::size_t corners) {
  made.corners = lists(corners, [&](auto&& put) {
    for (const auto& edge : made.edge) put(edge.corner[0], edge.corner[1]), put(edge.corner[1], edge.corner[0]);
  });
  made.edges = lists(corners, [&](auto&& put) {
    for (std::size_t e = 0; e < made.edge.size(); ++e)
      for (const int c : made.edge[e].corner) put(c, static_cast<int>(e));
  });
  made.triangles = lists(corners, [&](auto&& put) {
    for (std::size_t t = 0; t < made.triangle.size(); ++t)
      for (const int c : made.triangle[t]) put(c, static_cast<int>(t));
  });
}

struct PartMaker {
  SurfaceTopology& made;

  void own_corner(ScenePart& part, int corner, int bit) {
    if (made.corner_owner[corner] >= 0) return;
    made.corner_owner[corner] = static_cast<std::int32_t>(made.part.size());
    part.owned |= static_cast<std::uint8_t>(1 << bit);
  }
  void add_triangle(int surface, int t) {
    ScenePart part{surface, FeatureKind::triangle, 0, t};
    for (int i = 0; i < 3; ++i) own_corner(part, made.triangle[t][i], i);
    for (int i = 0; i < 3; ++i) {
      const int e = made.triangle_edge[t][i];
      if (e < 0 || made.edge_owner[e] >= 0) continue;
      made.edge_owner[e] = static_cast<std::int32_t>(made.part.size());
      part.owned |= static_cast<std::uint8_t>(8 << i);
    }
    made.part.push_back(part);
  }
  void add_rod(int surface, int e) {
    ScenePart part{surface, FeatureKind::edge, 0, e};
    for (int i = 0; i < 2; ++i) own_corner(part, made.edge[e].corner[i], i);
    made.edge_owner[e] = static_cast<std::int32_t>(made.part.size());
    made.part.push_back(part);
  }
  void add_ball(int surface, int c) {
    ScenePart part{surface, FeatureKind::corner, 0, c};
    own_corner(part, c, 0);
    made.part.push_back(part);
  }
};

void make_parts(SurfaceTopology& made) {
  PartMaker maker{made};
  for (int s = 0; s < static_cast<int>(made.surface.size()); ++s) {
    const SceneSurface& of = made.surface[s];
    if (of.is_plane) {
      made.plane.push_back(s);
      continue;
    }
    // What a covered triangle shares with another one is looked after by that.
    for (const Cover cover : {bare, in_bore, under_round})
      for (int t = of.first_triangle; t < of.first_triangle + of.triangles; ++t)
        if ((made.covered.empty() ? bare : static_cast<Cover>(made.covered[t])) == cover) maker.add_triangle(s, t);
    for (int e = of.first_edge; e < of.first_edge + of.edges; ++e)
      if (is_rod(made.edge[e])) maker.add_rod(s, e);
    for (int c = of.first_corner; c < of.first_corner + of.corners; ++c)
      if (made.is_ball(c)) maker.add_ball(s, c);
  }
}

bool is_closed(const SurfaceTopology& made, int corner) {
  for (const auto* e = made.edges.begin(corner); e < made.edges.end(corner); ++e)
    if (made.edge[*e].triangle[0] < 0 || made.edge[*e].triangle[1] < 0) return false;
  return made.has_faces(corner);
}

Vec3<double> rest_normal(const SurfaceTopology& made, int t) {
  const auto& c = made.triangle[t];
  return unit(cross(made.rest[c[1]] - made.rest[c[0]], made.rest[c[2]] - made.rest[c[0]]));
}

bool is_smooth(const SurfaceTopology& made, int corner) {
  if (!made.closed_corner[corner]) return false;
  const Vec3<double> first = rest_normal(made, *made.triangles.begin(corner));
  for (const auto* t = made.triangles.begin(corner); t < made.triangles.end(corner); ++t) {
    const Vec3<double> n = rest_normal(made, *t);
    if (!(norm(cross(first, n)) < smooth_sine && dot(first, n) > 0)) return false;
  }
  return true;
}

}  // namespace

SurfaceTopology::SurfaceTopology(const ContactScene& scene)
    : surface(scene.surface),
      edge(scene.edge),
      triangle(scene.triangle),
      covered(scene.covered),
      corner_surface(scene.corner_surface),
      rest(scene.corner) {
  LITHE_INVARIANT(covered.empty() || covered.size() == triangle.size());
  take_edges_of_triangles(*this);
  take_neighbours(*this, rest.size());
  corner_owner.assign(rest.size(), -1);
  edge_owner.assign(edge.size(), -1);
  make_parts(*this);
  closed_corner.assign(rest.size(), 0);
  smooth_corner.assign(rest.size(), 0);
  covered_corner.assign(rest.size(), 0);
  bore_corner.assign(rest.size(), 0);
  bore_edge.assign(edge.size(), 0);
  for (std::size_t t = 0; t < covered.size(); ++t) {
    for (const int c : triangle[t]) {
      covered_corner[c] |= covered[t] == under_round;
      bore_corner[c] |= covered[t] == in_bore;
    }
    for (const int e : triangle_edge[t])
      if (e >= 0) bore_edge[e] |= covered[t] == in_bore;
  }
  for (std::size_t c = 0; c < rest.size(); ++c) closed_corner[c] = is_closed(*this, static_cast<int>(c));
  for (const auto& of : surface)
    if (of.is_rigid)
      for (int c = of.first_corner; c < of.first_corner + of.corners; ++c) smooth_corner[c] = is_smooth(*this, c);
}

std::uint64_t SurfaceTopology::feature(FeatureKind kind, int s, int index) const {
  const SceneSurface& of = surface[s];
  const int first = kind == FeatureKind::corner ? of.first_corner
                    : kind == FeatureKind::edge ? of.first_edge
                                                : of.first_triangle;
  return static_cast<std::uint64_t>(kind) << 32 | static_cast<std::uint32_t>(index - first);
}

}  // namespace lithe

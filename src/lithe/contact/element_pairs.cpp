#include "lithe/contact/element_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace lithe {

namespace {

constexpr double against = -0.2;         // cosine of two normals that look against each other
constexpr double small_share = 0.01;     // of the area of a pair beside
constexpr double apart = 2e-6;           // m, between points (P2)

// Convex polygons in a plane, with a number at each corner: cut by where a linear function of corners is negative.
struct Corner {
  double u, v, depth;
};
struct ConvexPart {
  std::array<Corner, 16> corner;
  int count = 0;
};

template <class Height>
void cut(ConvexPart& polygon, Height&& height) {
  ConvexPart left;
  for (int i = 0; i < polygon.count; ++i) {
    const Corner &p = polygon.corner[i], &q = polygon.corner[(i + 1) % polygon.count];
    const double hp = height(p), hq = height(q);
    if (hp >= 0) left.corner[left.count++] = p;
    if ((hp >= 0) == (hq >= 0)) continue;
    const double t = hp / (hp - hq);
    left.corner[left.count++] = {p.u + t * (q.u - p.u), p.v + t * (q.v - p.v), p.depth + t * (q.depth - p.depth)};
  }
  polygon = left;
}

}  // namespace

ElementPairs::ElementPairs(const ContactScene& scene, const SurfaceTopology& topology, const NormalCones& cones)
    : topology_(topology), cones_(cones), cell_(scene.cell), depth_(scene.depth), surface_(topology.triangle.size()) {
  for (std::size_t s = 0; s < topology.surface.size(); ++s) {
    const SceneSurface& of = topology.surface[s];
    for (int t = of.first_triangle; t < of.first_triangle + of.triangles; ++t) surface_[t] = static_cast<int>(s);
  }
  if (!cell_.empty()) return;
  depth_.assign(topology.triangle.size(), std::numeric_limits<double>::infinity());
  for (std::size_t t = 0; t < topology.triangle.size(); ++t)
    cell_.push_back(static_cast<std::int32_t>(t) - topology.surface[surface_[t]].first_triangle);
}

void ElementPairs::begin(const ContactScene& scene, int chunks) {
  scene_ = &scene;
  found_.resize(std::max<std::size_t>(found_.size(), chunks));
  for (auto& list : found_) list.clear();
}

void ElementPairs::meet(int chunk, int part, int other) {
  int a = topology_.part[part].index, b = topology_.part[other].index;
  if (std::pair(surface_[b], cell_[b]) < std::pair(surface_[a], cell_[a])) std::swap(a, b);
  if (surface_[a] == surface_[b] && cell_[a] == cell_[b]) return;
  const Vec3<double>&ma = cones_.normal(a), &mb = cones_.normal(b);
  if (!(dot(ma, mb) < against)) return;
  const auto &ta = topology_.triangle[a], &tb = topology_.triangle[b];
  if (have_common(ta.data(), 3, tb.data(), 3)) return;
  const Vec3<double> n = unit(mb - ma);
  const Vec3<double>&origin = scene_->corner[ta[0]], &other_origin = scene_->corner[tb[0]];
  Vec3<double> axis{};
  int least = 0;
  for (int m = 1; m < 3; ++m)
    if (std::fabs(n[m]) < std::fabs(n[least])) least = m;
  axis[least] = 1;
  const Vec3<double> e1 = unit(cross(axis, n)), e2 = cross(n, e1);
  // z_b - z_a over a point x of a: along n onto the plane of b.
  const double slope = dot(mb, n);
  ConvexPart polygon;
  for (const int c : ta) {
    const Vec3<double>& x = scene_->corner[c];
    const Vec3<double> d = x - origin;
    polygon.corner[polygon.count++] = {dot(d, e1), dot(d, e2), dot(other_origin - x, mb) / slope};
  }
  const double most = std::min(depth_[a], depth_[b]);
  cut(polygon, [](const Corner& p) { return p.depth; });
  cut(polygon, [most](const Corner& p) { return most - p.depth; });
  std::array<std::array<double, 2>, 3> y;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> d = scene_->corner[tb[i]] - origin;
    y[i] = {dot(d, e1), dot(d, e2)};
  }
  const double turn =
      (y[1][0] - y[0][0]) * (y[2][1] - y[0][1]) - (y[1][1] - y[0][1]) * (y[2][0] - y[0][0]) < 0 ? -1 : 1;
  for (int i = 0; i < 3 && polygon.count > 0; ++i) {
    const auto &p = y[i], &q = y[(i + 1) % 3];
    cut(polygon, [&](const Corner& c) {
      return turn * ((q[0] - p[0]) * (c.v - p[1]) - (q[1] - p[1]) * (c.u - p[0]));
    });
  }
  double area = 0, u = 0, v = 0, depth = 0;
  for (int i = 1; i + 1 < polygon.count; ++i) {
    const Corner &p = polygon.corner[0], &q = polygon.corner[i], &r = polygon.corner[i + 1];
    const double twice = std::fabs((q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u));
    area += twice / 2;
    u += twice / 6 * (p.u + q.u + r.u);
    v += twice / 6 * (p.v + q.v + r.v);
    depth += twice / 6 * (p.depth + q.depth + r.depth);
  }
  if (!(area > 0)) return;
  u /= area, v /= area, depth /= area;
  // In the middle between both.
  const double height = dot(origin + u * e1 + v * e2 - origin, ma) / -dot(ma, n) + 0.5 * depth;
  found_[chunk].push_back({a, b, cell_[a], cell_[b], area, origin + u * e1 + v * e2 + height * n, n});
}

// Where the line through x along n meets a triangle's plane; `weight`: of its corners.
Vec3<double> ElementPairs::foot(int triangle, const Vec3<double>& x, const Vec3<double>& n, double* weight) const {
  const auto& t = topology_.triangle[triangle];
  const Vec3<double>& x0 = scene_->corner[t[0]];
  const Vec3<double> d1 = scene_->corner[t[1]] - x0, d2 = scene_->corner[t[2]] - x0, m = cones_.normal(triangle);
  const Vec3<double> on = x + (dot(x0 - x, m) / dot(n, m)) * n, d = on - x0;
  const double area = norm(cross(d1, d2));
  weight[1] = dot(cross(d, d2), m) / area;
  weight[2] = dot(cross(d1, d), m) / area;
  weight[0] = 1 - weight[1] - weight[2];
  return on;
}

ElementPairs::Pair ElementPairs::join(int first, int last) const {
  Pair pair{{}, 0, true};
  Vec3<double> center{}, normal{};
  int largest = first;
  for (int i = first; i < last; ++i) {
    const Piece& piece = pieces_[i];
    pair.area += piece.area;
    center = center + piece.area * piece.center;
    normal = normal + (piece.area * piece.area) * piece.normal;
    if (piece.area > pieces_[largest].area) largest = i;
  }
  const Piece& piece = pieces_[largest];
  center = (1 / pair.area) * center;
  pair.point.normal = unit(normal);
  const auto side = [&](int triangle, int cell) {
    ContactSide made;
    made.surface = surface_[triangle];
    for (int i = 0; i < 3; ++i) made.corner[i] = topology_.triangle[triangle][i];
    made.point = foot(triangle, center, pair.point.normal, made.weight);
    made.feature = std::uint64_t{3} << 32 | static_cast<std::uint32_t>(cell);  // beside corners, edges, triangles
    return made;
  };
  pair.point.a = side(piece.a, piece.cell_a);
  pair.point.b = side(piece.b, piece.cell_b);
  pair.point.gap = std::min(0.0, dot(pair.point.a.point - pair.point.b.point, pair.point.normal));
  return pair;
}

void ElementPairs::gather(std::vector<ContactPoint>& points) {
  pieces_.clear();
  for (const auto& list : found_) pieces_.insert(pieces_.end(), list.begin(), list.end());
  const auto key = [&](const Piece& p) {
    return std::tuple(surface_[p.a], surface_[p.b], p.cell_a, p.cell_b, p.a, p.b);
  };
  std::ranges::sort(pieces_, {}, key);
  pairs_.clear();
  for (std::size_t first = 0; first < pieces_.size();) {
    std::size_t last = first + 1;
    const auto same = [&](const Piece& p, const Piece& q) {
      return surface_[p.a] == surface_[q.a] && surface_[p.b] == surface_[q.b] && p.cell_a == q.cell_a &&
             p.cell_b == q.cell_b;
    };
    while (last < pieces_.size() && same(pieces_[first], pieces_[last])) ++last;
    pairs_.push_back(join(static_cast<int>(first), static_cast<int>(last)));
    first = last;
  }
  for (std::size_t first = 0; first < pairs_.size();) {
    std::size_t last = first + 1;
    const auto same = [&](const ContactPoint& p, const ContactPoint& q) {
      return p.a.surface == q.a.surface && p.b.surface == q.b.surface;
    };
    while (last < pairs_.size() && same(pairs_[first].point, pairs_[last].point)) ++last;
    drop_small(static_cast<int>(first), static_cast<int>(last));
    first = last;
  }
  for (const Pair& pair : pairs_)
    if (pair.kept) points.push_back(pair.point);
}

// Of two surfaces.
void ElementPairs::drop_small(int first, int last) {
  for (int i = first; i < last; ++i)
    for (int j = first; j < last; ++j) {
      const Pair &one = pairs_[i], &other = pairs_[j];
      if (i == j) continue;
      const bool beside = one.point.a.feature == other.point.a.feature || one.point.b.feature == other.point.b.feature;
      const bool larger = std::pair(one.area, i) < std::pair(other.area, j);
      if ((beside && one.area < small_share * other.area) ||
          (larger && norm(one.point.a.point - other.point.a.point) < apart))
        pairs_[i].kept = false;
    }
}

}  // namespace lithe

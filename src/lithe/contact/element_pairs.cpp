#include "lithe/contact/element_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "lithe/contact/closest_points.h"

namespace lithe {

namespace {

constexpr double against = -0.2;      // cosine of two normals that look against each other
constexpr double small_share = 0.01;  // of the area of a pair beside
constexpr double apart = 2e-6;        // m, between pairs (P2)
constexpr double thin = 0.05;         // width over length below which an area is a line

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
    : topology_(topology),
      cones_(cones),
      cell_(scene.cell),
      depth_(scene.depth),
      side_(scene.side),
      surface_(topology.triangle.size()) {
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
  if (topology_.is_covered(a) || topology_.is_covered(b)) return;
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
    cut(polygon, [&](const Corner& c) { return turn * ((q[0] - p[0]) * (c.v - p[1]) - (q[1] - p[1]) * (c.u - p[0])); });
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
  double uu = 0, uv = 0, vv = 0;
  for (int i = 1; i + 1 < polygon.count; ++i) {
    const Corner* x[3]{&polygon.corner[0], &polygon.corner[i], &polygon.corner[i + 1]};
    const double twice =
        std::fabs((x[1]->u - x[0]->u) * (x[2]->v - x[0]->v) - (x[1]->v - x[0]->v) * (x[2]->u - x[0]->u));
    double su = 0, sv = 0;
    for (const Corner* p : x) {
      const double du = p->u - u, dv = p->v - v;
      su += du, sv += dv;
      uu += twice / 24 * du * du, uv += twice / 24 * du * dv, vv += twice / 24 * dv * dv;
    }
    uu += twice / 24 * su * su, uv += twice / 24 * su * sv, vv += twice / 24 * sv * sv;
  }
  Mat3<double> moments{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      moments[i][j] = uu * e1[i] * e1[j] + uv * (e1[i] * e2[j] + e2[i] * e1[j]) + vv * e2[i] * e2[j];
  // In the middle between both.
  const double height = dot(origin + u * e1 + v * e2 - origin, ma) / -dot(ma, n) + 0.5 * depth;
  found_[chunk].push_back({a, b, cell_[a], cell_[b], area, depth, origin + u * e1 + v * e2 + height * n, n, moments});
}

double ElementPairs::distance(const Vec3<double>& x, int triangle) const {
  const auto& t = topology_.triangle[triangle];
  const Vec3<double> of[3]{scene_->corner[t[0]], scene_->corner[t[1]], scene_->corner[t[2]]};
  const auto on = closest::on_triangle(x, of);
  return norm(x - on.weight[0] * of[0] - on.weight[1] * of[1] - on.weight[2] * of[2]);
}

// Where the line through x along n meets a side: with weights of a triangle's corners on its plane, of four corners by
// their bilinear shape functions, seen along n.
ContactSide ElementPairs::side_at(int triangle, std::uint64_t feature, const Vec3<double>& x,
                                  const Vec3<double>& n) const {
  ContactSide made;
  made.surface = surface_[triangle];
  made.feature = feature;
  const bool has_four = !side_.empty() && side_[triangle][3] >= 0;
  if (!has_four) {
    const auto& t = topology_.triangle[triangle];
    const Vec3<double>& x0 = scene_->corner[t[0]];
    const Vec3<double> d1 = scene_->corner[t[1]] - x0, d2 = scene_->corner[t[2]] - x0, m = cones_.normal(triangle);
    const Vec3<double> d = x + (dot(x0 - x, m) / dot(n, m)) * n - x0;
    const double area = norm(cross(d1, d2));
    made.weight[1] = dot(cross(d, d2), m) / area;
    made.weight[2] = dot(cross(d1, d), m) / area;
    made.weight[0] = 1 - made.weight[1] - made.weight[2];
    std::copy_n(t.begin(), 3, made.corner);
  } else {
    std::copy_n(side_[triangle].begin(), 4, made.corner);
    const auto at = [&](int i) -> const Vec3<double>& { return scene_->corner[made.corner[i]]; };
    // x(r, s) = p + r q1 + s q2 + r s q3, r and s from 0 to 1; Newton's method in the plane normal to n.
    const Vec3<double> q1 = at(1) - at(0), q2 = at(3) - at(0), q3 = at(2) - at(1) - q2;
    double r = 0.5, s = 0.5;
    for (int i = 0; i < 20; ++i) {
      const Vec3<double> off = x - at(0) - r * q1 - s * q2 - (r * s) * q3, along_r = q1 + s * q3, along_s = q2 + r * q3;
      const double area = dot(cross(along_r, along_s), n);
      const double more_r = dot(cross(off, along_s), n) / area, more_s = dot(cross(along_r, off), n) / area;
      r += more_r, s += more_s;
      if (std::fabs(more_r) + std::fabs(more_s) < 1e-15) break;
    }
    const double weights[4]{(1 - r) * (1 - s), r * (1 - s), r * s, (1 - r) * s};
    std::copy_n(weights, 4, made.weight);
  }
  for (int i = 0; i < (has_four ? 4 : 3); ++i)
    made.point = made.point + made.weight[i] * scene_->corner[made.corner[i]];
  return made;
}

// The rest comes first; one past it.
int ElementPairs::drop_long_ways(int first, int last) {
  constexpr double other_way = 0.5;  // cosine
  keep_.assign(last - first, 1);
  for (int i = first; i < last; ++i)
    for (int j = first; j < last; ++j)
      if (pieces_[j].depth < pieces_[i].depth && dot(pieces_[i].normal, pieces_[j].normal) < other_way)
        keep_[i - first] = 0;
  int kept = first;
  for (int i = first; i < last; ++i)
    if (keep_[i - first]) std::swap(pieces_[kept++], pieces_[i]);
  return kept;
}

ElementPairs::Pair ElementPairs::join(int first, int last) const {
  Pair pair{first, last, 0, {}, {}, true};
  for (int i = first; i < last; ++i) {
    const Piece& piece = pieces_[i];
    pair.area += piece.area;
    pair.center = pair.center + piece.area * piece.center;
    pair.normal = pair.normal + (piece.area * piece.area) * piece.normal;
  }
  pair.center = (1 / pair.area) * pair.center;
  pair.normal = unit(pair.normal);
  return pair;
}

void ElementPairs::add_points(const Pair& pair, std::vector<ContactPoint>& points) const {
  const Piece& one = pieces_[pair.first];
  // In the plane of contact, the first direction along an edge of a.
  const auto& t = topology_.triangle[one.a];
  const Vec3<double>& n = pair.normal;
  const Vec3<double> edge = scene_->corner[t[1]] - scene_->corner[t[0]], f1 = unit(edge - dot(edge, n) * n),
                     f2 = cross(n, f1);
  double C11 = 0, C12 = 0, C22 = 0;
  for (int i = pair.first; i < pair.last; ++i) {
    const Piece& piece = pieces_[i];
    const Vec3<double> d = piece.center - pair.center, m1 = piece.moments * f1, m2 = piece.moments * f2;
    C11 += (dot(f1, m1) + piece.area * dot(d, f1) * dot(d, f1)) / pair.area;
    C12 += (dot(f1, m2) + piece.area * dot(d, f1) * dot(d, f2)) / pair.area;
    C22 += (dot(f2, m2) + piece.area * dot(d, f2) * dot(d, f2)) / pair.area;
  }
  // A line has its own direction.
  const double mean = 0.5 * (C11 + C22), spread = std::hypot(0.5 * (C11 - C22), C12);
  const bool is_line = mean - spread < thin * thin * (mean + spread);
  Vec3<double> L1, L2{};
  if (is_line) {
    const double angle = 0.5 * std::atan2(2 * C12, C11 - C22);
    L1 = std::sqrt(mean + spread) * (std::cos(angle) * f1 + std::sin(angle) * f2);
  } else {
    const double l11 = std::sqrt(C11), l21 = C12 / l11;
    L1 = l11 * f1 + l21 * f2;
    L2 = std::sqrt(std::max(0.0, C22 - l21 * l21)) * f2;
  }
  for (int k = 0; k < (is_line ? 2 : 4); ++k) {
    const Vec3<double> x = pair.center + (k & 1 ? -1. : 1.) * L1 + (k & 2 ? -1. : 1.) * L2;
    // On the sides that are nearest: not those whose pieces are, a long face has its middle further off than a side
    // beside it that leans.
    int nearest = pair.first;
    double least = std::numeric_limits<double>::infinity();
    for (int i = pair.first; i < pair.last; ++i) {
      const double far = distance(x, pieces_[i].a) + distance(x, pieces_[i].b);
      if (far < least) nearest = i, least = far;
    }
    const auto feature = [k](std::int32_t cell) {  // beside corners, edges and triangles
      return std::uint64_t{3} << 32 | static_cast<std::uint32_t>(4 * cell + k);
    };
    ContactPoint point;
    point.normal = n;
    point.a = side_at(pieces_[nearest].a, feature(one.cell_a), x, n);
    point.b = side_at(pieces_[nearest].b, feature(one.cell_b), x, n);
    point.gap = std::min(0.0, dot(point.a.point - point.b.point, n));
    points.push_back(point);
  }
}

void ElementPairs::gather(std::vector<ContactPoint>& points) {
  pieces_.clear();
  for (const auto& list : found_) pieces_.insert(pieces_.end(), list.begin(), list.end());
  const auto surfaces_of = [&](const Piece& p) { return std::pair(surface_[p.a], surface_[p.b]); };
  const auto cells_of = [&](const Piece& p) { return std::tuple(surfaces_of(p), p.cell_a, p.cell_b); };
  std::ranges::sort(pieces_, {}, [&](const Piece& p) { return std::tuple(cells_of(p), p.a, p.b); });
  pairs_.clear();
  const int count = static_cast<int>(pieces_.size());
  for (int first = 0, last = 0; first < count; first = last) {
    while (last < count && cells_of(pieces_[first]) == cells_of(pieces_[last])) ++last;
    pairs_.push_back(join(first, drop_long_ways(first, last)));
  }
  for (std::size_t first = 0, last = 0; first < pairs_.size(); first = last) {
    const auto of = [&](std::size_t k) { return surfaces_of(pieces_[pairs_[k].first]); };
    while (last < pairs_.size() && of(first) == of(last)) ++last;
    drop_small(static_cast<int>(first), static_cast<int>(last));
  }
  for (const Pair& pair : pairs_)
    if (pair.kept) add_points(pair, points);
}

// Of two surfaces.
void ElementPairs::drop_small(int first, int last) {
  for (int i = first; i < last; ++i)
    for (int j = first; j < last; ++j) {
      if (i == j) continue;
      const Pair &one = pairs_[i], &other = pairs_[j];
      const Piece &p = pieces_[one.first], &q = pieces_[other.first];
      const bool beside = p.cell_a == q.cell_a || p.cell_b == q.cell_b;
      const bool smaller = std::pair(one.area, i) < std::pair(other.area, j);
      if ((beside && one.area < small_share * other.area) || (smaller && norm(one.center - other.center) < apart))
        pairs_[i].kept = false;
    }
}

}  // namespace lithe

#include "lithe/model/section_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/model/delaunay.h"

namespace lithe {

namespace {

using Point = SectionPoint;

double distance(const Point& a, const Point& b) { return std::hypot(a[0] - b[0], a[1] - b[1]); }
Point between(const Point& a, const Point& b, double s) { return {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])}; }

constexpr int many_mesh_points = 5000, most_mesh_points = 30000;

[[noreturn]] void fail_thin() {
  throw InputError("this section needs a mesh of more than " + std::to_string(most_mesh_points) +
                   " points: some of its walls or edges are too thin or short beside its size; leave small details out "
                   "of the outline, or give its stiffness as 'type: general'");
}

// In a plane in which the section has a size of about 1 and its middle at 0.
class Refinement {
 public:
  Refinement(const std::vector<SectionLoop>& loops, double size, double finest) : loops_(loops), size_(size) {
    for (const SectionLoop& loop : loops_) {
      const int n = static_cast<int>(loop.size()), first = delaunay_.count();
      for (int i = 0; i < n; ++i) {
        const Point &before = loop[(i + n - 1) % n], &corner = loop[i], &after = loop[(i + 1) % n];
        const double turn = std::atan2(
            (corner[0] - before[0]) * (after[1] - corner[1]) - (corner[1] - before[1]) * (after[0] - corner[0]),
            (corner[0] - before[0]) * (after[0] - corner[0]) + (corner[1] - before[1]) * (after[1] - corner[1]));
        if (turn < -0.3) re_entrant_.push_back({corner, finest});  // 17 degrees: facets of a round hole are none
        sharp_.push_back(std::abs(turn) > 2 * std::numbers::pi / 3);
        add(corner);
      }
      for (int i = 0; i < n; ++i) segments_.push_back({first + i, first + (i + 1) % n});
    }
    // Close to a short edge the elements are small in any case.
    for (auto& [corner, finest_here] : re_entrant_)
      for (const SectionLoop& loop : loops_)
        for (std::size_t i = 0; i < loop.size(); ++i)
          if (loop[i] == corner)
            finest_here = std::min({finest_here, 0.1 * distance(corner, loop[(i + 1) % loop.size()]),
                                    0.1 * distance(corner, loop[(i + loop.size() - 1) % loop.size()])});
  }

  SectionMesh run() {
    for (const Segment& segment : segments_)
      smallest_ = std::min(smallest_, distance(delaunay_.point(segment.a), delaunay_.point(segment.b)));
    smallest_ *= 1e-3;
    for (std::size_t s = 0; s < segments_.size(); ++s) waiting_.push_back(s);
    split_waiting();
    for (std::size_t t = 0; t < delaunay_.triangles().size(); ++t) improve(static_cast<int>(t));
    return collect();
  }

 private:
  struct Segment {
    int a, b;
  };

  void add(const Point& p) {
    if (delaunay_.count() > most_mesh_points) fail_thin();
    delaunay_.insert(p);
  }
  double wanted(const Point& p) const {
    double size = size_;
    for (const auto& [corner, finest] : re_entrant_) size = std::min(size, finest + 0.35 * distance(p, corner));
    return size;
  }
  bool encroached(const Segment& s, const Point& p) const {
    const Point &a = delaunay_.point(s.a), &b = delaunay_.point(s.b);
    return (a[0] - p[0]) * (b[0] - p[0]) + (a[1] - p[1]) * (b[1] - p[1]) < 0;
  }
  bool must_split(const Segment& s) const {
    const Point &a = delaunay_.point(s.a), &b = delaunay_.point(s.b);
    if (distance(a, b) > 1.4 * wanted(between(a, b, 0.5))) return true;
    for (int v = 0; v < delaunay_.count(); ++v)
      if (v != s.a && v != s.b && encroached(s, delaunay_.point(v))) return true;
    return false;
  }
  // At a sharp corner the two edges are split at equal distances, powers of two, so that they do not split each other
  // for ever.
  double split_place(const Segment& s) const {
    const bool a_sharp = is_sharp(s.a), b_sharp = is_sharp(s.b);
    if (a_sharp == b_sharp) return 0.5;
    const double length = distance(delaunay_.point(s.a), delaunay_.point(s.b));
    const double share = std::exp2(std::round(std::log2(0.5 * length))) / length;
    return a_sharp ? share : 1 - share;
  }
  bool is_sharp(int v) const { return v < static_cast<int>(sharp_.size()) && sharp_[v]; }
  void split(std::size_t number) {
    const Segment s = segments_[number];
    const Point middle = between(delaunay_.point(s.a), delaunay_.point(s.b), split_place(s));
    const int v = delaunay_.count();
    add(middle);
    segments_[number] = {s.a, v};
    segments_.push_back({v, s.b});
    waiting_.push_back(number);
    waiting_.push_back(segments_.size() - 1);
    for (std::size_t other = 0; other < segments_.size(); ++other)
      if (segments_[other].a != v && segments_[other].b != v && encroached(segments_[other], middle))
        waiting_.push_back(other);
  }
  void split_waiting() {
    while (!waiting_.empty()) {
      const std::size_t s = waiting_.back();
      waiting_.pop_back();
      if (must_split(segments_[s])) split(s);
    }
  }
  bool inside(const Point& p) const {
    bool in = false;
    for (const SectionLoop& loop : loops_)
      for (std::size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++)
        if ((loop[i][1] > p[1]) != (loop[j][1] > p[1]) &&
            p[0] < loop[i][0] + (p[1] - loop[i][1]) / (loop[j][1] - loop[i][1]) * (loop[j][0] - loop[i][0]))
          in = !in;
    return in;
  }
  bool is_of_section(int t) const {
    const Delaunay::Triangle& triangle = delaunay_.triangles()[t];
    if (!triangle.alive || delaunay_.touches_frame(t)) return false;
    const Point &a = delaunay_.point(triangle.v[0]), &b = delaunay_.point(triangle.v[1]),
                &c = delaunay_.point(triangle.v[2]);
    return inside({(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3});
  }
  // New triangles come to the end of the list, so that one walk over it meets them all.
  void improve(int t) {
    while (is_of_section(t)) {
      const Delaunay::Triangle triangle = delaunay_.triangles()[t];
      const Point &a = delaunay_.point(triangle.v[0]), &b = delaunay_.point(triangle.v[1]),
                  &c = delaunay_.point(triangle.v[2]);
      const Point centre = circumcentre(a, b, c);
      const double radius = distance(centre, a), shortest = std::min({distance(a, b), distance(b, c), distance(c, a)});
      const bool poor = radius > std::numbers::sqrt2 * shortest && shortest > smallest_ && !at_sharp_corner(triangle);
      if (!poor && radius <= 0.8 * wanted({(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3})) return;
      bool splits = false;
      for (std::size_t s = 0; s < segments_.size(); ++s)
        if (encroached(segments_[s], centre)) {
          if (distance(delaunay_.point(segments_[s].a), delaunay_.point(segments_[s].b)) < smallest_) return;
          split(s);
          splits = true;
        }
      if (splits) split_waiting();
      else if (inside(centre)) add(centre);
      else return;
    }
  }
  bool at_sharp_corner(const Delaunay::Triangle& triangle) const {
    return is_sharp(triangle.v[0]) || is_sharp(triangle.v[1]) || is_sharp(triangle.v[2]);
  }
  SectionMesh collect() const {
    SectionMesh mesh;
    std::vector<int> node(delaunay_.count(), -1);
    std::map<std::pair<int, int>, int> middle;
    for (std::size_t t = 0; t < delaunay_.triangles().size(); ++t) {
      if (!is_of_section(static_cast<int>(t))) continue;
      std::array<int, 6> triangle;
      for (int k = 0; k < 3; ++k) {
        int& n = node[delaunay_.triangles()[t].v[k]];
        if (n < 0) {
          n = static_cast<int>(mesh.nodes.size());
          mesh.nodes.push_back(delaunay_.point(delaunay_.triangles()[t].v[k]));
        }
        triangle[k] = n;
      }
      for (int k = 0; k < 3; ++k) {
        const int a = triangle[k], b = triangle[(k + 1) % 3];
        const auto [at, is_new] = middle.try_emplace(std::minmax(a, b), static_cast<int>(mesh.nodes.size()));
        if (is_new) mesh.nodes.push_back(between(mesh.nodes[a], mesh.nodes[b], 0.5));
        triangle[3 + k] = at->second;
      }
      mesh.triangles.push_back(triangle);
    }
    return mesh;
  }

  const std::vector<SectionLoop>& loops_;
  double size_;  // edges of triangles, where no corner is near
  double smallest_ = 1;
  std::vector<std::pair<Point, double>> re_entrant_;  // corners of more than 180 degrees, size of elements there
  std::vector<char> sharp_;                           // [corner of the outline] below 60 degrees
  Delaunay delaunay_;
  std::vector<Segment> segments_;
  std::vector<std::size_t> waiting_;
};

double perimeter(const Outline& outline) {
  double sum = 0;
  for (const SectionLoop& loop : outline.loops)
    for (std::size_t i = 0; i < loop.size(); ++i) sum += distance(loop[i], loop[(i + 1) % loop.size()]);
  return sum;
}
// About how many corners of triangles of that size the section takes.
double points(double area, double length, double size) { return area / (size * size) + length / size; }

}  // namespace

void require_meshable(const Outline& outline) {
  const double area = area_moments(outline).area, length = perimeter(outline), wall = 2 * area / length;
  if (points(area, length, wall) > most_mesh_points) fail_thin();
}

SectionMesh mesh_outline(const Outline& outline, double across) {
  require_meshable(outline);
  const AreaMoments moments = area_moments(outline);
  const double length = perimeter(outline), wall = 2 * moments.area / length, solid = 0.2 * std::sqrt(moments.area);
  // Thin walls get fewer triangles across, down to one, where there would be very many.
  double size = std::min(wall, solid) / across;
  while (points(moments.area, length, size) > many_mesh_points && size < wall) size = std::min(wall, 1.1 * size);
  double extent = 0;
  for (const Point& p : outline.loops[0]) extent = std::max(extent, distance(p, moments.centroid));
  std::vector<SectionLoop> loops = outline.loops;
  for (SectionLoop& loop : loops)
    for (Point& p : loop) p = {(p[0] - moments.centroid[0]) / extent, (p[1] - moments.centroid[1]) / extent};
  size /= extent;
  SectionMesh mesh = Refinement(loops, size, 0.1 * size).run();
  for (Point& p : mesh.nodes) p = {moments.centroid[0] + extent * p[0], moments.centroid[1] + extent * p[1]};
  return mesh;
}

SectionMesh mesh_ring(double outer_radius, double inner_radius, int rings) {
  // Nodes of quadratic elements lie on 2 rings + 1 circles of 2 sectors nodes each. In a disc the innermost circle is a
  // single point and the next one, halfway along the edges that meet there, has sectors nodes.
  const double mean = 0.5 * (outer_radius + inner_radius), wall = outer_radius - inner_radius;
  const int sectors = 4 * static_cast<int>(std::ceil(std::max(6.0, 0.5 * std::numbers::pi * mean * rings / wall)));
  const bool disc = inner_radius == 0;
  SectionMesh mesh;
  std::vector<int> first;  // [circle] number of its first node
  const auto nodes_on = [&](int i) { return disc && i < 2 ? (i == 0 ? 1 : sectors) : 2 * sectors; };
  const auto node = [&](int i, int j) {  // along the radius and around
    return first[i] + (j % (2 * sectors)) * nodes_on(i) / (2 * sectors);
  };
  for (int i = 0; i <= 2 * rings; ++i) {
    first.push_back(static_cast<int>(mesh.nodes.size()));
    for (int j = 0; j < nodes_on(i); ++j) {
      const double r = inner_radius + wall * i / (2 * rings), angle = 2 * std::numbers::pi * j / nodes_on(i);
      mesh.nodes.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
  }
  for (int i = 0; i < 2 * rings; i += 2)
    for (int j = 0; j < 2 * sectors; j += 2) {
      const int a = node(i, j), b = node(i + 2, j), c = node(i + 2, j + 2), d = node(i, j + 2);
      const bool centre = a == d;
      mesh.triangles.push_back(
          {a, b, c, node(i + 1, j), node(i + 2, j + 1), centre ? node(i + 1, j + 2) : node(i + 1, j + 1)});
      if (!centre) mesh.triangles.push_back({a, c, d, node(i + 1, j + 1), node(i + 1, j + 2), node(i, j + 1)});
    }
  return mesh;
}

}  // namespace lithe

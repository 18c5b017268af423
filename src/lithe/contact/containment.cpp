#include "lithe/contact/containment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace lithe {
namespace {

constexpr double clearly = 1e-6;  // of lengths and weights: what is no rounding of surfaces that touch

struct Box {
  Vec3<double> low, high;
};

class Search {
 public:
  Search(const ContactScene& scene, const PairRule& rule, Team& team)
      : scene_(scene), rule_(rule), team_(team), topology_(scene) {}

  std::vector<Containment> run() {
    find_boxes();
    find_pieces();
    std::vector<int> order(topology_.surface.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return box_[a].low[0] < box_[b].low[0]; });
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i + 1; j < order.size() && box_[order[j]].low[0] <= box_[order[i]].high[0]; ++j) {
        look_inside(order[i], order[j]);
        look_inside(order[j], order[i]);
      }
    look_through();
    std::vector<Containment> found;
    for (const auto& [pair, one] : found_) found.push_back(one);
    return found;
  }

 private:
  bool may_touch(int a, int b) const {
    const SceneSurface &of = topology_.surface[a], &other = topology_.surface[b];
    if (of.is_bore() || other.is_bore()) return false;
    return a != b && of.group != other.group && (!rule_ || rule_(of.group, other.group));
  }

  void find_boxes() {
    constexpr double far = std::numeric_limits<double>::infinity();
    for (const SceneSurface& of : topology_.surface) {
      Box box{{{far, far, far}}, {{-far, -far, -far}}};
      for (int c = of.first_corner; c < of.first_corner + of.corners; ++c)
        for (int k = 0; k < 3; ++k) {
          box.low[k] = std::min(box.low[k], scene_.corner[c][k] - of.radius);
          box.high[k] = std::max(box.high[k], scene_.corner[c][k] + of.radius);
        }
      if (of.is_plane) std::swap(box.low, box.high);
      box_.push_back(box);
    }
  }

  // Corners that hang together by edges.
  void find_pieces() {
    std::vector<char> seen(topology_.rest.size(), 0);
    piece_.resize(topology_.surface.size());
    std::vector<int> stack;
    for (std::size_t s = 0; s < topology_.surface.size(); ++s) {
      const SceneSurface& of = topology_.surface[s];
      for (int first = of.first_corner; first < of.first_corner + of.corners; ++first) {
        if (seen[first]) continue;
        std::vector<int>& piece = piece_[s].emplace_back();
        seen[first] = 1;
        stack.push_back(first);
        while (!stack.empty()) {
          const int c = stack.back();
          stack.pop_back();
          piece.push_back(c);
          for (const auto* j = topology_.corners.begin(c); j < topology_.corners.end(c); ++j)
            if (!seen[*j]) seen[*j] = 1, stack.push_back(*j);
        }
      }
    }
  }

  bool is_inside(const Vec3<double>& x, double radius, int s) const {
    const SceneSurface& of = topology_.surface[s];
    for (int k = 0; k < 3; ++k)
      if (x[k] < box_[s].low[k] || x[k] > box_[s].high[k]) return false;
    if (of.triangles > 0) return winding_number(x, of) > 0.5;
    for (int c = of.first_corner; c < of.first_corner + of.corners; ++c)
      if (topology_.is_ball(c) && norm(x - scene_.corner[c]) + radius < of.radius) return true;
    for (int e = of.first_edge; e < of.first_edge + of.edges; ++e) {
      const Vec3<double>&a = scene_.corner[topology_.edge[e].corner[0]],
            &b = scene_.corner[topology_.edge[e].corner[1]];
      const double t = closest::along(x, a, b);
      if (of.flat_ends && !closest::is_inside(t)) continue;
      const double away = norm(x - (1 - t) * a - t * b), bore = of.wall > 0 ? of.radius - of.wall : 0;
      if (away + radius < of.radius && (bore == 0 || away - radius > bore)) return true;
    }
    return false;
  }

  double winding_number(const Vec3<double>& x, const SceneSurface& of) const {
    double angle = 0;
    for (int t = of.first_triangle; t < of.first_triangle + of.triangles; ++t) {
      Vec3<double> d[3];
      double length[3];
      for (int i = 0; i < 3; ++i) d[i] = scene_.corner[topology_.triangle[t][i]] - x, length[i] = norm(d[i]);
      const double volume = dot(d[0], cross(d[1], d[2]));
      angle += 2 * std::atan2(volume, length[0] * length[1] * length[2] + dot(d[0], d[1]) * length[2] +
                                          dot(d[1], d[2]) * length[0] + dot(d[2], d[0]) * length[1]);
    }
    return angle / (4 * std::numbers::pi);
  }

  void look_inside(int inner, int outer) {
    if (topology_.surface[outer].is_plane || topology_.surface[inner].is_plane || !may_touch(inner, outer)) return;
    if (topology_.surface[inner].wall > 0) return;  // nothing is on its axis: the mesh within it tells
    const double radius = topology_.surface[inner].radius;
    for (const auto& piece : piece_[inner])
      if (std::all_of(piece.begin(), piece.end(), [&](int c) { return is_inside(scene_.corner[c], radius, outer); }))
        return note({inner, outer, scene_.corner[piece[0]], false});
  }

  void look_through() {
    BroadPhase broad_phase(topology_);
    ContactScene still = scene_;
    still.move.clear();
    still.before.clear();
    broad_phase.update(still, team_);
    for (int chunk = 0; chunk < broad_phase.chunks(); ++chunk)
      broad_phase.pairs(chunk, [&](int part, int other, double, bool) {
        look_through(part, other);
        look_through(other, part);
      });
  }

  void look_through(int part, int other) {
    const ScenePart &a = topology_.part[part], &b = topology_.part[other];
    if (b.kind != FeatureKind::triangle || topology_.is_covered(b.index) || a.kind == FeatureKind::corner) return;
    if (!may_touch(a.surface, b.surface) || topology_.surface[a.surface].wall > 0) return;
    if (topology_.is_in_bore(b.index) && topology_.surface[a.surface].is_core)
      return;  // prisms both: their points tell
    const auto through = [&](int from, int to) {
      const Vec3<double>&p = scene_.corner[from], &q = scene_.corner[to];
      Vec3<double> at;
      if (pierces(p, q, b.index, at)) note({a.surface, b.surface, at, true});
    };
    if (a.kind == FeatureKind::edge) {
      const auto& corner = topology_.edge[a.index].corner;
      through(corner[0], corner[1]);
    } else {
      for (int i = 0; i < 3; ++i) through(topology_.triangle[a.index][i], topology_.triangle[a.index][(i + 1) % 3]);
    }
  }

  bool pierces(const Vec3<double>& p, const Vec3<double>& q, int t, Vec3<double>& at) const {
    const auto& c = topology_.triangle[t];
    const Vec3<double> x[3]{scene_.corner[c[0]], scene_.corner[c[1]], scene_.corner[c[2]]};
    const Vec3<double> n = cross(x[1] - x[0], x[2] - x[0]);
    const double area = norm(n), before = dot(p - x[0], n), behind = dot(q - x[0], n);
    const double least = clearly * area * norm(q - p);
    if (!(area > 0 && std::min(std::abs(before), std::abs(behind)) > least && before * behind < 0)) return false;
    const double s = before / (before - behind);
    at = (1 - s) * p + s * q;
    for (int i = 0; i < 3; ++i)
      if (!(dot(cross(x[(i + 1) % 3] - at, x[(i + 2) % 3] - at), n) > clearly * area * area)) return false;
    return true;
  }

  void note(const Containment& one) { found_.emplace(std::minmax(one.inner, one.outer), one); }

  const ContactScene& scene_;
  const PairRule& rule_;
  Team& team_;
  const SurfaceTopology topology_;
  std::vector<Box> box_;                              // [surface]
  std::vector<std::vector<std::vector<int>>> piece_;  // [surface][piece] corners
  std::map<std::pair<int, int>, Containment> found_;
};

}  // namespace

std::vector<Containment> find_containments(const ContactScene& scene, const PairRule& rule, Team& team) {
  return Search(scene, rule, team).run();
}

}  // namespace lithe

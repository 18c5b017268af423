#include "lithe/model/section_outline.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

namespace lithe {

namespace {

double cross(const SectionPoint& a, const SectionPoint& b, const SectionPoint& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
double signed_area(const SectionLoop& loop) {
  double sum = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) sum += cross(loop[0], loop[i], loop[(i + 1) % loop.size()]);
  return sum / 2;
}
SectionLoop turned(SectionLoop loop, bool counter_clockwise) {
  if ((signed_area(loop) > 0) != counter_clockwise) std::ranges::reverse(loop);
  return loop;
}
SectionLoop block(double y, double z) { return {{-y, -z}, {y, -z}, {y, z}, {-y, z}}; }

// Do the segments ab and cd share a point?
bool meet(const SectionPoint& a, const SectionPoint& b, const SectionPoint& c, const SectionPoint& d) {
  const double abc = cross(a, b, c), abd = cross(a, b, d), cda = cross(c, d, a), cdb = cross(c, d, b);
  if (((abc > 0 && abd < 0) || (abc < 0 && abd > 0)) && ((cda > 0 && cdb < 0) || (cda < 0 && cdb > 0))) return true;
  const auto on = [](const SectionPoint& p, const SectionPoint& q, const SectionPoint& r, double side) {
    return side == 0 && std::min(p[0], q[0]) <= r[0] && r[0] <= std::max(p[0], q[0]) && std::min(p[1], q[1]) <= r[1] &&
           r[1] <= std::max(p[1], q[1]);
  };
  return on(a, b, c, abc) || on(a, b, d, abd) || on(c, d, a, cda) || on(c, d, b, cdb);
}
bool inside(const SectionLoop& loop, const SectionPoint& p) {
  bool in = false;
  for (std::size_t i = 0, j = loop.size() - 1; i < loop.size(); j = i++)
    if ((loop[i][1] > p[1]) != (loop[j][1] > p[1]) &&
        p[0] < loop[i][0] + (p[1] - loop[i][1]) / (loop[j][1] - loop[i][1]) * (loop[j][0] - loop[i][0]))
      in = !in;
  return in;
}
std::string text(const SectionPoint& p) { return "[" + number_text(p[0]) + ", " + number_text(p[1]) + "]"; }

std::string loop_fault(const SectionLoop& loop) {
  const std::size_t n = loop.size();
  if (n < 3) return "an outline needs at least 3 points, but this has " + std::to_string(n);
  for (std::size_t i = 0; i < n; ++i)
    if (loop[i] == loop[(i + 1) % n])
      return "the point " + text(loop[i]) + " is given twice in a row; an outline closes by itself, so remove one";
  for (std::size_t i = 0; i < n; ++i) {
    const SectionPoint &a = loop[i], &b = loop[(i + 1) % n], &c = loop[(i + 2) % n];
    if (cross(a, b, c) == 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0)
      return "the outline turns back on itself at " + text(b) + "; give the points in order around the section";
    for (std::size_t j = i + 2; j < n; ++j)
      if (!(i == 0 && j == n - 1) && meet(a, b, loop[j], loop[(j + 1) % n]))
        return "the edge from " + text(a) + " to " + text(b) + " meets the edge from " + text(loop[j]) + " to " +
               text(loop[(j + 1) % n]) + "; give the points in order around the section";
  }
  if (signed_area(loop) == 0) return "this outline encloses no area";
  return "";
}
bool loops_meet(const SectionLoop& a, const SectionLoop& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (meet(a[i], a[(i + 1) % a.size()], b[j], b[(j + 1) % b.size()])) return true;
  return false;
}

}  // namespace

AreaMoments area_moments(const Outline& outline) {
  // Sums over the triangles (0, p, q) of every edge, first about a point of the outline, then about the centroid:
  // the moments of a section far from its origin lose no digits.
  AreaMoments m;
  SectionPoint origin = outline.loops[0][0];
  for (int pass = 0; pass < 2; ++pass) {
    double A = 0, y = 0, z = 0;
    m.yy = m.zz = m.yz = 0;
    for (const SectionLoop& loop : outline.loops)
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const SectionPoint &a = loop[i], &b = loop[(i + 1) % loop.size()];
        const double p[2] = {a[0] - origin[0], a[1] - origin[1]}, q[2] = {b[0] - origin[0], b[1] - origin[1]};
        const double w = p[0] * q[1] - p[1] * q[0];
        A += w / 2;
        y += w * (p[0] + q[0]) / 6;
        z += w * (p[1] + q[1]) / 6;
        m.yy += w * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]) / 12;
        m.zz += w * (p[1] * p[1] + p[1] * q[1] + q[1] * q[1]) / 12;
        m.yz += w * (2 * p[0] * p[1] + p[0] * q[1] + q[0] * p[1] + 2 * q[0] * q[1]) / 24;
      }
    m.area = A;
    m.centroid = origin = {origin[0] + y / A, origin[1] + z / A};
  }
  return m;
}

Symmetry symmetry(const Outline& outline) {
  const AreaMoments m = area_moments(outline);
  const double tolerance = 1e-9 * std::sqrt(m.yy + m.zz) / std::sqrt(m.area);
  // Corners are enough: with corners on the same places, different edges would have to cross.
  const auto maps_to_itself = [&](double sy, double sz) {
    for (const SectionLoop& loop : outline.loops)
      for (const SectionPoint& p : loop) {
        const double y = m.centroid[0] + sy * (p[0] - m.centroid[0]), z = m.centroid[1] + sz * (p[1] - m.centroid[1]);
        bool found = false;
        for (const SectionLoop& other : outline.loops)
          for (const SectionPoint& q : other) found |= std::hypot(q[0] - y, q[1] - z) <= tolerance;
        if (!found) return false;
      }
    return std::abs(m.yz) <= 1e-9 * (m.yy + m.zz) || sy * sz > 0;
  };
  return {maps_to_itself(-1, 1), maps_to_itself(1, -1), maps_to_itself(-1, -1)};
}

Outline outline(const Rectangle& s) { return {{block(s.width / 2, s.thickness / 2)}}; }

Outline outline(const Box& s) {
  const double top = s.top_wall.value_or(s.wall);
  return {{block(s.width / 2, s.height / 2), turned(block(s.width / 2 - s.wall, s.height / 2 - top), false)}};
}

Outline outline(const ISection& s) {
  const double h = s.height / 2, w = s.web / 2, top = s.width / 2, bottom = s.bottom_width.value_or(s.width) / 2;
  const double z_top = h - s.flange, z_bottom = -h + s.bottom_flange.value_or(s.flange);
  return {{{{-bottom, -h},
            {bottom, -h},
            {bottom, z_bottom},
            {w, z_bottom},
            {w, z_top},
            {top, z_top},
            {top, h},
            {-top, h},
            {-top, z_top},
            {-w, z_top},
            {-w, z_bottom},
            {-bottom, z_bottom}}}};
}

Outline outline(const ChannelSection& s) {
  const double h = s.height / 2, inner = h - s.flange;
  return {{{{0, -h},
            {s.width, -h},
            {s.width, -inner},
            {s.web, -inner},
            {s.web, inner},
            {s.width, inner},
            {s.width, h},
            {0, h}}}};
}

Outline outline(const AngleSection& s) {
  const double t = s.thickness;
  return {{{{0, 0}, {s.width, 0}, {s.width, t}, {t, t}, {t, s.height}, {0, s.height}}}};
}

Outline outline(const Polygon& s) {
  Outline all{{turned(s.points, true)}};
  for (const SectionLoop& hole : s.holes) all.loops.push_back(turned(hole, false));
  return all;
}

// Ears are cut off one by one (G. Meisters 1975), of all that can be the one that is least flat.
std::vector<std::array<int, 3>> triangles_of(const SectionLoop& loop) {
  std::vector<int> left;
  for (std::size_t i = 0; i < loop.size(); ++i) left.push_back(static_cast<int>(i));
  std::vector<std::array<int, 3>> triangles;
  const auto flatness = [&](int a, int b, int c) {
    const auto square = [&](int i, int j) {
      const double y = loop[i][0] - loop[j][0], z = loop[i][1] - loop[j][1];
      return y * y + z * z;
    };
    return cross(loop[a], loop[b], loop[c]) / std::max({square(a, b), square(b, c), square(c, a)});
  };
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t best = n;
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const int a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
      const double own = flatness(a, b, c);
      if (!(own > most)) continue;
      const bool empty = std::ranges::none_of(left, [&](int p) {
        if (p == a || p == b || p == c) return false;
        return cross(loop[a], loop[b], loop[p]) >= 0 && cross(loop[b], loop[c], loop[p]) >= 0 &&
               cross(loop[c], loop[a], loop[p]) >= 0;
      });
      if (empty) most = own, best = i;
    }
    LITHE_INVARIANT(best < n);  // every simple polygon has two ears
    triangles.push_back({left[(best + n - 1) % n], left[best], left[(best + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

OutlineFault find_fault(const Polygon& section) {
  if (std::string fault = loop_fault(section.points); !fault.empty()) return {fault, -1};
  for (std::size_t h = 0; h < section.holes.size(); ++h) {
    const SectionLoop& hole = section.holes[h];
    const int number = static_cast<int>(h);
    if (std::string fault = loop_fault(hole); !fault.empty()) return {fault, number};
    if (loops_meet(hole, section.points)) return {"this hole meets the outer edge; it must lie inside", number};
    if (!inside(section.points, hole[0])) return {"this hole lies outside the section", number};
    for (std::size_t other = 0; other < h; ++other)
      if (loops_meet(hole, section.holes[other]) || inside(section.holes[other], hole[0]) ||
          inside(hole, section.holes[other][0]))
        return {"this hole overlaps hole " + std::to_string(other) + "; draw them as one", number};
  }
  return {};
}

}  // namespace lithe

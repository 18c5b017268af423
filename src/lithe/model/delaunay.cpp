#include "lithe/model/delaunay.h"

#include <cmath>
#include <map>

#include "lithe/base/error.h"

namespace lithe {

namespace {

using Point = Delaunay::Point;
using Wide = long double;  // the signs below decide, and rounding must not

Wide side(const Point& a, const Point& b, const Point& c) {
  return (Wide(b[0]) - a[0]) * (Wide(c[1]) - a[1]) - (Wide(b[1]) - a[1]) * (Wide(c[0]) - a[0]);
}
// Above 0: p lies inside the circle through a, b and c.
Wide in_circle(const Point& a, const Point& b, const Point& c, const Point& p) {
  const Wide ay = Wide(a[0]) - p[0], az = Wide(a[1]) - p[1], by = Wide(b[0]) - p[0], bz = Wide(b[1]) - p[1],
             cy = Wide(c[0]) - p[0], cz = Wide(c[1]) - p[1];
  return (ay * ay + az * az) * (by * cz - bz * cy) - (by * by + bz * bz) * (ay * cz - az * cy) +
         (cy * cy + cz * cz) * (ay * bz - az * by);
}

}  // namespace

Point circumcentre(const Point& a, const Point& b, const Point& c) {
  const double by = b[0] - a[0], bz = b[1] - a[1], cy = c[0] - a[0], cz = c[1] - a[1];
  const double d = 2 * (by * cz - bz * cy), bb = by * by + bz * bz, cc = cy * cy + cz * cz;
  return {a[0] + (cz * bb - bz * cc) / d, a[1] + (by * cc - cy * bb) / d};
}

Delaunay::Delaunay() : points_{{-1e4, -1e4}, {1e4, -1e4}, {0, 1e4}} {
  triangles_.push_back({{-3, -2, -1}, {-1, -1, -1}, true});
}

int Delaunay::find(const Point& p) const {
  int t = last_;
  while (!triangles_[t].alive) t = static_cast<int>(triangles_.size()) - 1;
  // The walk turns to a neighbour behind which p lies; rounding may send it in circles, then all are looked at.
  for (int step = 0; step < 1000; ++step) {
    int next = t;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + step) % 3;
      const Triangle& triangle = triangles_[t];
      if (side(at(triangle.v[(i + 1) % 3]), at(triangle.v[(i + 2) % 3]), p) < 0 && triangle.n[i] >= 0)
        next = triangle.n[i];
    }
    if (next == t) return t;
    t = next;
  }
  for (t = 0; t < static_cast<int>(triangles_.size()); ++t) {
    const Triangle& triangle = triangles_[t];
    if (triangle.alive && side(at(triangle.v[0]), at(triangle.v[1]), p) >= 0 &&
        side(at(triangle.v[1]), at(triangle.v[2]), p) >= 0 && side(at(triangle.v[2]), at(triangle.v[0]), p) >= 0)
      return t;
  }
  LITHE_INVARIANT(!"the point lies in no triangle");
  return -1;
}

void Delaunay::insert(const Point& p) {
  const int first = find(p), v = count();
  points_.push_back(p);
  // The cavity: triangles whose circle holds p, and whose edges on the rim p can see.
  std::vector<int> cavity{first};
  triangles_[first].alive = false;
  struct Rim {
    int a, b, outside;
  };
  std::vector<Rim> rim;
  for (std::size_t i = 0; i < cavity.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const Triangle triangle = triangles_[cavity[i]];
      const int a = triangle.v[(k + 1) % 3], b = triangle.v[(k + 2) % 3], outside = triangle.n[k];
      if (outside >= 0 && !triangles_[outside].alive) continue;
      if (outside >= 0) {
        const Triangle& o = triangles_[outside];
        if (in_circle(at(o.v[0]), at(o.v[1]), at(o.v[2]), p) > 0 || side(at(a), at(b), p) <= 0) {
          triangles_[outside].alive = false;
          cavity.push_back(outside);
          continue;
        }
      }
      rim.push_back({a, b, outside});
    }
  std::erase_if(rim, [&](const Rim& r) { return r.outside >= 0 && !triangles_[r.outside].alive; });
  // A fan from p to the rim.
  std::map<int, int> starting;  // at that vertex of the rim: its new triangle
  const int base = static_cast<int>(triangles_.size());
  for (const Rim& r : rim) {
    const int t = static_cast<int>(triangles_.size());
    triangles_.push_back({{r.a, r.b, v}, {-1, -1, r.outside}, true});
    starting[r.a] = t;
    if (r.outside >= 0)
      for (int k = 0; k < 3; ++k) {
        Triangle& o = triangles_[r.outside];
        if (o.v[(k + 1) % 3] == r.b && o.v[(k + 2) % 3] == r.a) o.n[k] = t;
      }
  }
  LITHE_INVARIANT(starting.size() == rim.size());
  for (int t = base; t < static_cast<int>(triangles_.size()); ++t) {
    const int next = starting.at(triangles_[t].v[1]);
    triangles_[t].n[0] = next;
    triangles_[next].n[1] = t;
  }
  last_ = base;
}

}  // namespace lithe

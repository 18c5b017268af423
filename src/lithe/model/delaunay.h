// Delaunay triangulation of points in a plane, one point after the other (Bowyer 1981, Watson 1981). The points lie
// within a circle of radius 2 about 0.
#pragma once

#include <array>
#include <vector>

namespace lithe {

class Delaunay {
 public:
  using Point = std::array<double, 2>;
  struct Triangle {
    std::array<int, 3> v;  // counter-clockwise
    std::array<int, 3> n;  // neighbours opposite to v; -1: none
    bool alive = true;
  };

  Delaunay();
  // A point that is there already is an error of the caller.
  void insert(const Point& p);
  int count() const { return static_cast<int>(points_.size()) - frame; }
  const Point& point(int v) const { return points_[v + frame]; }
  // Those that are no longer alive stay in the list; numbers of vertices are those of `point`, below 0 for the frame.
  const std::vector<Triangle>& triangles() const { return triangles_; }
  bool touches_frame(int t) const {
    const auto& v = triangles_[t].v;
    return v[0] < 0 || v[1] < 0 || v[2] < 0;
  }

 private:
  static constexpr int frame = 3;  // corners of a triangle around all points

  int find(const Point& p) const;
  const Point& at(int v) const { return points_[v + frame]; }

  std::vector<Point> points_;
  std::vector<Triangle> triangles_;
  mutable int last_ = 0;  // where the search for the next point starts
};

Delaunay::Point circumcentre(const Delaunay::Point& a, const Delaunay::Point& b, const Delaunay::Point& c);

}  // namespace lithe

// What two surfaces have in common, seen as a whole. Every pair of features gave its own point; of an overlap the one
// counts through which the way out is shortest. A point of contact that is D deep, of a at x behind the plane of b at
// y, is none where b has another point of contact nearer to x than D, less deep, and behind that plane itself:
//
//   |y' - x| < D,    D' < D,    (y' - y) . n < 0.
//
// Then b is convex there, and x leaves it at y' before it comes to y. In a groove y' is in front of the plane, and both
// hold. The same from b's side. A corner that went through a face is held by it alone, not by those that it came to
// from behind.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/contact/narrow_phase.h"

namespace lithe {

class Manifold {
 public:
  explicit Manifold(const SurfaceTopology& topology);
  // All that is active and counts, sorted by surfaces and features.
  void gather(const std::vector<std::vector<Candidate>>& found, Team& team, std::vector<ContactPoint>& points);

 private:
  using Order = std::vector<const Candidate*>;

  void sort_by_surface(const std::vector<std::vector<Candidate>>& found);
  void thin_surfaces(int task);
  void thin(int first, int last);
  void drop_passed(int first, int last);
  bool is_undercut(const Candidate& deep, const Order& witnesses, int first, int last, bool of_b) const;
  bool has_faces(int surface) const { return topology_.surface[surface].triangles > 0; }

  const SurfaceTopology& topology_;
  std::vector<std::int32_t> first_;          // [surface + 1] into order_: candidates with that surface a
  Order order_;                              // by surfaces and features
  Order along_a_, along_b_;                  // of two surfaces, by the first coordinate of points of a, of b
  std::vector<std::uint8_t> kept_;           // [of order_]
  std::vector<std::int32_t> points_before_;  // [task + 1]
};

}  // namespace lithe

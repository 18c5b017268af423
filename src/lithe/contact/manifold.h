// What two surfaces have in common, seen as a whole, in the order of their features.
//
// Two edges that cross D deep are a way out of an overlap only if there is no shorter one beside it: none where another
// point of contact of b, less deep and of quite another direction (by more than 60 degrees), is nearer than D to where
// a's edge is, or one of a to where b's edge is. Two boxes upon each other, shifted, are held by their faces and not by
// the upright edge of one and the rim of the other. Likewise a corner that is D behind a face and less behind another
// one that it cannot meet: none where one of its edges crosses one of b less deep. And where two edges went through
// each other in this step, the other way out is none.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/contact/narrow_phase.h"

namespace lithe {

class Manifold {
 public:
  explicit Manifold(const SurfaceTopology& topology);
  // All that counts, sorted by surfaces and features.
  void gather(const std::vector<std::vector<Candidate>>& found, Team& team, std::vector<ContactPoint>& points);

 private:
  using Order = std::vector<const Candidate*>;

  void sort_by_surface(const std::vector<std::vector<Candidate>>& found);
  void thin_surfaces(int task);
  void thin(int first, int last);
  bool is_beyond(const Candidate& deep, int first, int last) const;
  bool has_crossing(const Candidate& deep, int first, int last) const;
  bool has_shorter(const Candidate& deep, const Order& along, int first, int last, bool of_b) const;

  const SurfaceTopology& topology_;
  std::vector<std::int32_t> first_;          // [surface + 1] into order_: candidates with that surface a
  Order order_;                              // by surfaces and features
  Order along_a_, along_b_;                  // of two surfaces, by the first coordinate of points of a, of b
  std::vector<std::uint8_t> kept_;           // [of order_]
  std::vector<std::int32_t> points_before_;  // [task + 1]
};

}  // namespace lithe

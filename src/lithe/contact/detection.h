// Contact detection: the points at which surfaces of a scene touch, or will within this step. Read detect() from above:
//
//   normal cones   normal_cones.h    which directions every feature can be touched from, now
//   broad phase    broad_phase.h     pairs of parts that come near each other
//   narrow phase   narrow_phase.h    points of contact of every pair
//   manifold       manifold.h        what two surfaces have in common
//   element pairs  element_pairs.h   instead of both, of two meshes with PointsOf::elements
//
// Positions are those of the middle of a step; `move` is the motion expected from there to its end, `before` (may be
// empty) where corners were at its begin. There is no length in all of this but those of the scene: what is near
// follows from moves and radii, what is zero from rounding.
//
// Deterministic: work is cut the same way for any number of threads, and points are sorted by surfaces and features.
// Memory is kept; once the number of candidates has been as large as it gets nothing is allocated.
#pragma once

#include <functional>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/contact/broad_phase.h"
#include "lithe/contact/element_pairs.h"
#include "lithe/contact/manifold.h"
#include "lithe/contact/narrow_phase.h"
#include "lithe/contact/scene.h"
#include "lithe/contact/surface_topology.h"

namespace lithe {

// May surfaces of these two groups touch each other? None: all do. Of one group none do, unless one touches itself.
using PairRule = std::function<bool(int, int)>;

class ContactDetection {
 public:
  // `topology`: the bodies at rest, without overlaps of their own.
  ContactDetection(const ContactScene& topology, PairRule rule, Team* team);
  ContactDetection(const ContactDetection&) = delete;
  ContactDetection& operator=(const ContactDetection&) = delete;

  // The points of contact of the scene now, until the next call.
  const std::vector<ContactPoint>& detect(const ContactScene& scene, Activation activation = Activation::speculative,
                                          PointsOf points_of = PointsOf::features);

 private:
  struct SurfaceBox {
    double low[3], high[3];
    std::int32_t surface;
  };
  // Surfaces whose boxes overlap and that may touch, into near_pairs_; false: some touch themselves, or are planes, or
  // they are many.
  bool find_near(const ContactScene& scene);
  template <class Meet>
  void parts_of(const SurfaceBox& a, const SurfaceBox& b, std::vector<std::int32_t>& room, Meet&& meet) const;
  bool may_touch(int surface, int other) const;
  void meet_planes(const ContactScene& scene, int chunk);

  Team* team_;
  SurfaceTopology topology_;
  PairRule rule_;
  NormalCones cones_;
  BroadPhase broad_phase_;
  NarrowPhase narrow_phase_;
  Manifold manifold_;
  ElementPairs element_pairs_;
  std::vector<std::vector<Candidate>> found_;            // [chunk]
  std::vector<std::vector<std::int32_t>> room_;          // [chunk]
  std::vector<std::int32_t> first_part_;                 // [surface + 1] its parts stand together
  std::vector<SurfaceBox> near_;                         // by their lower ends along x
  std::vector<std::array<std::int32_t, 2>> near_pairs_;  // into near_
  std::vector<ContactPoint> points_;
};

}  // namespace lithe

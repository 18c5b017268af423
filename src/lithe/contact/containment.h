// Bodies that are in one another so that detection does not see it, as no corner is near a face. Looked for before a
// run:
//
//   one lies wholly inside   all corners of a connected piece of its surface are inside the other one:
//     closed mesh            its winding number there, the sum of solid angles of its triangles / 4 pi, is 1
//                            (A. Van Oosterom, J. Strackee, IEEE Transactions on Biomedical Engineering 30 (1983))
//     rods, balls, planes    it is nearer to an axis than both radii, and no bore is around it; or behind
//   one sticks through       an edge of one, or a rod, goes through a triangle of the other one
#pragma once

#include <vector>

#include "lithe/contact/detection.h"

namespace lithe {

struct Containment {
  int inner, outer;  // surfaces
  Vec3<double> at;
  bool through;  // the inner one sticks through the outer one
};

// The first that is found of every two surfaces that may touch.
std::vector<Containment> find_containments(const ContactScene& scene, const PairRule& rule, Team& team);

}  // namespace lithe

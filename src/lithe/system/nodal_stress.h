// Von Mises stress at the nodes of bodies, the largest over the elements that meet there and, of beams and shells, over
// the faces of the section. What does not change from step to step (shape functions at the corners, reference geometry,
// laws) is kept, so that a run pays for the stress alone; elements are shared among the threads of a team.
#pragma once

#include <memory>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/system/system.h"

namespace lithe {

class NodalStress {
 public:
  explicit NodalStress(const System& system);
  ~NodalStress();
  // [node]  Pa; zeros for a body that has none (cables, rigid bodies).
  std::vector<double> von_mises(int body, const State& state, Team& team);

 private:
  struct Plan;
  const System& system_;
  std::vector<std::unique_ptr<Plan>> plans_;  // [body], made when first needed
  State strained_;                            // of a reduced body
};

}  // namespace lithe

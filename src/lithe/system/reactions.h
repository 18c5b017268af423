// What constraints and joints exert. With M a + f_int - f_ext + G^T lambda = 0 over all equations, an equation exerts
// -G^T lambda on the coordinates. Rows that were kept have their multipliers in the State; those of equations that were
// eliminated, W q = b, follow from what the forces leave over: W^T mu = -(M a + f_int - f_ext + G^T lambda).
#pragma once

#include <vector>

#include "lithe/system/system.h"

namespace lithe {

// Multipliers of the eliminated equations of some owners, and of all that share vectors with them.
class EliminatedMultipliers {
 public:
  EliminatedMultipliers(const System& system, const std::vector<int>& owners);
  ~EliminatedMultipliers();
  // `left_over` over all coordinates; mu[equation of System::eliminated], 0 where not needed.
  void solve(const System& system, const std::vector<double>& left_over, std::vector<double>& mu) const;

 private:
  struct Factor;
  std::vector<int> equations_;
  std::unique_ptr<Factor> factor_;
};

// M a + f_int - f_ext + G^T lambda; work.internal and work.external must hold at this state.
void forces_left_over(const System& system, const State& state, const Workspace& work, std::vector<double>& force);
// f += M x over all coordinates.
void add_inertia(const System& system, const std::vector<double>& x, std::vector<double>& f);

struct Wrench {
  Vec3<double> force{}, torque{};
};
// Force on b at its point, and torque about that point, of everything that joint number `joint` has equations for.
Wrench joint_reaction(const System& system, const State& state, int joint, const std::vector<double>& mu);
// What constraint number `constraint` exerts: force, and torque about a point, of a virtual turn of all that it holds.
Wrench constraint_reaction(const System& system, const State& state, int constraint, const Vec3<double>& about,
                           const std::vector<double>& mu);

}  // namespace lithe

// Friction and stops of joints as contacts of fewer rows than three, so that they stick and hold exactly. With s the
// travel or angle of the joint, g = ds/dx at the middle of a step, and c a length that makes a speed of an angle's
// rate,
//
//   friction  U_T = c ds/dt in one direction, R_N = (force + coefficient N) h / c given, mu = 1
//   stop      U_N = -+ c ds/dt, gap = c (upper - s), c (s - lower), no friction
//
// N is what the joint holds across its line, of the rows as they were solved last: contact takes turns with them.
#pragma once

#include <string>
#include <vector>

#include "lithe/dynamics/blocks/step_blocks.h"
#include "lithe/system/springs.h"

namespace lithe {

class JointContacts {
 public:
  struct Row {
    int spring;
    bool is_stop;
    double factor;       // c; negative: g is turned round
    double gap;          // m, of stops, in the middle
    double restitution;  // of stops
    double seen;         // m/s, at rates of the beginning
    std::int32_t first;  // into gradients(): of each vector that the spring couples
  };

  explicit JointContacts(const System& system);
  bool any() const { return !springs_.empty(); }
  // Refuses stops that a state begins beyond; what rounding puts there is none.
  void check_start(const State& state);
  // Rows of a step; stops that are farther than these rates, those of the beginning and without contact, could close
  // are left out.
  void find(const HalfStep& step, const std::vector<double>& free);
  const std::vector<Row>& rows() const { return rows_; }
  // Over the coordinates of these vectors, in the order of Springs::for_vectors.
  const Vec3<double>* gradient(const Row& row) const { return &gradients_[row.first]; }
  // Impulse at which a friction slides, in the units of its row; multipliers: of the rows of constraints.
  double limit(const Row& row, const HalfStep& step, const std::vector<double>& multipliers);
  const std::string& name(const Row& row) const { return system_.model.springs.items[row.spring].first; }

 private:
  // A length that makes a speed of the rate: 1 for a travel.
  double length_of(int spring) const;
  double across(int spring, const std::vector<double>& multipliers);

  const System& system_;
  std::vector<int> springs_;
  std::vector<Row> rows_;
  std::vector<Vec3<double>> gradients_;
  SpringSlopes slopes_;
  State held_;  // middle of the step with the multipliers
};

}  // namespace lithe

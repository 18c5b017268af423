// Springs between blocks of a half step, as rows that give way: with B the gradient of a strain, s = h/2 c + h^2/4 k of
// its slopes, sqrt(s) B dv + R = 0 is what their part s B^T B of A would do.
#pragma once

#include "lithe/dynamics/delassus.h"
#include "lithe/system/springs.h"

namespace lithe {

class SpringRows {
 public:
  explicit SpringRows(const System& system);
  // A row for each strain, behind the rows that are there.
  void append_to(BlockRows& rows);
  // sqrt(s) B at the middle of a step, and the sizes of these rows.
  void set(const HalfStep& step, BlockRows& rows, std::vector<double>& size);
  // sqrt(s) B (v' - v) + R.
  void find_rates(const std::vector<double>& begin, const std::vector<double>& end, const std::vector<double>& R,
                  std::vector<double>& rates) const;

 private:
  const System& system_;
  std::vector<int> springs_;  // that have rows
  int first_ = 0;             // their first row
  SpringSlopes slopes_;
  std::vector<Vec3<double>> gradient_;  // set() | [row][vector that the spring couples] | sqrt(s) B
};

}  // namespace lithe

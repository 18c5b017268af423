// What a factorisation tells by its pivots: the smallest one against its column, and their spread.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/linalg/linear_solver.h"

namespace lithe {

class PivotJudge {
 public:
  explicit PivotJudge(FactorReport& report) : report_(report) { report.smallest_pivot = least_; }
  // scale: largest entry of the pivot's column.
  void see(double pivot, double scale, int column) {
    const double size = std::abs(pivot), share = scale > 0 ? size / scale : 0;
    least_ = std::min(least_, size);
    most_ = std::max(most_, size);
    if (share >= report_.smallest_pivot) return;
    report_.smallest_pivot = share;
    report_.column = column;
  }
  void finish() {
    report_.reciprocal_condition = most_ > 0 ? least_ / most_ : 0;
    if (report_.smallest_pivot < singular_pivot) report_.reason = FactorReport::Reason::singular;
  }

 private:
  FactorReport& report_;
  double least_ = std::numeric_limits<double>::infinity(), most_ = 0;
};

}  // namespace lithe

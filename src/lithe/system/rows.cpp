#include "lithe/system/rows.h"

#include "lithe/system/constraint_equations.h"

namespace lithe {

void Bearings::add(const std::vector<Bearing>& list) {
  for (const Bearing& bearing : list) {
    argument.push_back(bearing.argument);
    position.push_back(bearing.position);
    sign.push_back(bearing.sign);
    arm.add(bearing.arm);
  }
  start.push_back(static_cast<std::int32_t>(argument.size()));
}

ConstraintRows::ConstraintRows(const std::vector<ConstraintRow>& list) {
  for (const ConstraintRow& row : list) {
    parts.add(row.part);
    constant.push_back(row.constant);
    target.push_back(row.target);
    owner.push_back(row.owner);
    bearings.add(row.bearings);
  }
}

}  // namespace lithe

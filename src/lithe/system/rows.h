// Equations of constraints as a System keeps them, flat arrays: rows c(q, t) = 0 that have multipliers or penalties,
// and what reactions need of those that left the unknowns. Signals are evaluated on the host.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/constraints/parts.h"
#include "lithe/model/signal.h"

namespace lithe {

struct Bearing;
struct ConstraintRow;

// For every equation a list of bearings (constraint_equations.h).
struct Bearings {
  std::vector<std::int32_t> start{0};  // [equation + 1]
  std::vector<std::int32_t> argument;  // [start]
  std::vector<std::uint8_t> position;  // [start]
  std::vector<double> sign;            // [start]
  Forms arm;                           // [start]
  void add(const std::vector<Bearing>& list);
};

// phi(x(q)) = constant + target(t).
struct ConstraintRows {
  Parts parts;                      // [row]
  std::vector<double> constant;     // [row]
  std::vector<Signal> target;       // [row]
  std::vector<std::int32_t> owner;  // [row] into System::owners
  Bearings bearings;                // [row]

  ConstraintRows() = default;
  explicit ConstraintRows(const std::vector<ConstraintRow>& list);
  std::size_t size() const { return parts.size(); }
  bool empty() const { return parts.size() == 0; }
};

// along . x(q) = constant; several equations may share their x.
struct EliminatedEquations {
  std::vector<std::int32_t> form;   // [equation] into x
  std::vector<Vec3<double>> along;  // [equation]
  std::vector<std::int32_t> owner;  // [equation] into System::owners
  Forms x;
  Bearings bearings;  // [form]

  int count() const { return static_cast<int>(form.size()); }
};

}  // namespace lithe

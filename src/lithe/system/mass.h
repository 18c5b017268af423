// The constant mass matrix over all coordinate vectors: M is the compact matrix m times the 3x3 unit matrix, stored by
// rows, both triangles. Products do not depend on the number of threads: each row is one sum in a fixed order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lithe/system/system.h"

namespace lithe {

class MassMatrix {
 public:
  explicit MassMatrix(const System& system);
  // y += factor M x, arrays [vector][3].
  void add_product(double factor, std::span<const double> x, std::span<double> y) const;
  // y = M x.
  void multiply(std::span<const double> x, std::span<double> y) const;
  void multiply(std::span<const double> x, std::span<double> y, Team& team) const;
  double mean_diagonal() const;  // over vectors that have mass
  // Compact, by rows.
  const std::vector<std::int32_t>& row_start() const { return row_start_; }
  const std::vector<std::int32_t>& column() const { return column_; }
  const std::vector<double>& value() const { return value_; }

 private:
  void row_product(int row, std::span<const double> x, double* sum) const;

  std::vector<std::int32_t> row_start_, column_;  // compact
  std::vector<double> value_;                     // kg, kg m, kg m^2
};

}  // namespace lithe

// Which row stands on which place of the diagonal, so that Q A has large entries there.
//
// Of maximum product (Duff and Koster 2001, the job that P3 takes from MC64): with c_ij = log max_i |a_ij| - log |a_ij|
// the assignment of least sum c. Its duals u, v have c_ij >= u_i + v_j, with equality where row i stands at column j,
// so that exp(u_i) |a_ij| exp(v_j) / max_i |a_ij| <= 1: with these scales matched entries are 1, and no other is
// larger.
#pragma once

#include <span>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

struct RowMatching {
  std::vector<std::int32_t> row_of;             // [column] the row that stands there; -1: none
  std::vector<double> row_scale, column_scale;  // of maximum product; else ones
  int size = 0;                                 // rows that found a column
  bool perfect() const { return size == static_cast<int>(row_of.size()); }
};

// Of a square matrix; entries that are zero do not count.
RowMatching match_product(const RowPattern& a, std::span<const double> values);
// As many rows as can be; those whose own diagonal entry is not zero stay where nothing else needs their place.
RowMatching match_cardinality(const RowPattern& a, std::span<const double> values);
// Columns of a rectangular matrix that has fewer rows than columns, each row's own: [row] column, -1: none.
std::vector<std::int32_t> own_columns(const RowPattern& a, std::span<const double> values);

}  // namespace lithe

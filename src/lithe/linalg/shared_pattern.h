// Sums of sparse matrices as sums of vectors: the second optimisation of P4, section 4.1, eqs. 7 and 8.
//
// B = t1 A1 + t2 A2 needs a merge of patterns for each sum. When A1 and A2 are stored in the union of their patterns
// once and for all, with zeros where they have no entry, then B has that pattern too and val_B = t1 val_A1 + t2 val_A2.
#pragma once

#include <span>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

// All entries of both; symmetric only if both are. A symmetric pattern counts as its two triangles.
SparsePattern unite(const SparsePattern& a, const SparsePattern& b);

// For each entry of `from` its place in `to`. Throws InputError when `to` lacks one. Both symmetric, or both not.
std::vector<std::int32_t> expand(const SparsePattern& from, const SparsePattern& to);

// values_to[positions[k]] = values_from[k]; the rest of values_to becomes zero. Once per constant matrix.
void spread(std::span<const std::int32_t> positions, std::span<const double> values_from, std::span<double> values_to);

// b = t1 a1 + t2 a2. b may be one of them.
void add_scaled(double t1, std::span<const double> a1, double t2, std::span<const double> a2, std::span<double> b);
// b += t a.
void add_scaled(double t, std::span<const double> a, std::span<double> b);

}  // namespace lithe

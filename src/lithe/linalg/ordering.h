// Orders of elimination that keep the factors sparse.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

enum class Ordering {
  automatic,  // what the library recommends
  natural,    // as numbered
  amd,        // approximate minimum degree of A + A^T
  colamd,     // approximate minimum degree of A^T A
  metis,      // nested dissection of A + A^T
  mmd,        // multiple minimum degree of A + A^T (superlu)
  mmd_ata,    // multiple minimum degree of A^T A (superlu)
  amf,        // approximate minimum fill (mumps)
  scotch      // nested dissection by SCOTCH (mumps)
};
const char* to_string(Ordering ordering);
// Throws InputError with a suggestion.
Ordering ordering_named(const std::string& name);

// order[k]: which row and column is eliminated k-th. For natural, amd, colamd and metis, for backends that take a given
// order. Deterministic. Throws RunError when memory does not suffice.
// Full patterns above `narrow` entries go with indices of 64 bits.
std::vector<int> elimination_order(const SparsePattern& pattern, Ordering ordering,
                                   std::int64_t narrow = std::numeric_limits<std::int32_t>::max());
// The same of a pattern that is full already.
template <class Index>
std::vector<int> elimination_order_full(const SparsePatternOf<Index>& full, Ordering ordering);

// Rank of a matrix with this pattern and independent values; below the size: singular whatever the values are.
int structural_rank(const SparsePattern& pattern, std::int64_t narrow = std::numeric_limits<std::int32_t>::max());

}  // namespace lithe

// The full pattern of a matrix whose upper triangle is stored, and where its values come from. For backends that know
// no symmetric storage. Expanded once; values are copied into place at each factorisation.
#pragma once

#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

struct FullPattern {
  FullPattern() = default;
  // Throws RunError when the full pattern is too large for 32-bit indices.
  explicit FullPattern(const SparsePattern& stored);

  SparsePattern pattern;             // not symmetric: all entries stored
  std::vector<std::int32_t> source;  // [nonzeros] place in the values of the stored pattern; empty: the same place
  std::size_t stored_nonzeros = 0;

  // full[nonzeros], sized by the caller.
  void gather(const std::vector<double>& values, double* full) const;
};

}  // namespace lithe

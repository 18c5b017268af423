// The full pattern of a matrix whose upper triangle is stored, and where its values come from. For backends that know
// no symmetric storage. Expanded once; values are copied into place at each factorisation.
#pragma once

#include <limits>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/linalg/sparse.h"

namespace lithe {

// Thrown where a matrix or its factors have more entries than indices of 32 bits count; 64 bits may do.
class TooManyEntries : public RunError {
 public:
  using RunError::RunError;
};

// Entries that indices of 32 bits count. Tests set a lower limit to send small matrices the way of large ones.
inline constexpr std::int64_t narrow_entries = std::numeric_limits<std::int32_t>::max();

// Of the full pattern.
std::int64_t full_nonzeros(const SparsePattern& stored);

template <class Index>
struct FullPatternOf {
  FullPatternOf() = default;
  // Throws TooManyEntries above the limit; 64 bits have none.
  explicit FullPatternOf(const SparsePattern& stored, std::int64_t limit = narrow_entries);

  SparsePatternOf<Index> pattern;    // not symmetric: all entries stored
  std::vector<std::int32_t> source;  // [nonzeros] place in the values of the stored pattern; empty: the same place
  std::size_t stored_nonzeros = 0;

  // full[nonzeros], sized by the caller.
  void gather(const std::vector<double>& values, double* full) const;
};
using FullPattern = FullPatternOf<std::int32_t>;
using WideFullPattern = FullPatternOf<std::int64_t>;

// visit(full pattern) with indices of 32 bits where they suffice, else of 64.
template <class Visit>
auto with_full_pattern(const SparsePattern& stored, std::int64_t limit, Visit visit) {
  if (full_nonzeros(stored) <= std::min(limit, narrow_entries)) return visit(FullPattern(stored));
  return visit(WideFullPattern(stored));
}

}  // namespace lithe

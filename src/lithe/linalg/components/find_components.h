// A symmetric pattern falls into connected components. Components whose unknowns, numbered in ascending order, have the
// same pattern are of one kind: copies of a body, chains of the same links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

struct Components {
  struct Kind {
    SparsePattern pattern;              // of one, its unknowns numbered from 0: upper triangle
    int multipliers = 0;                // the last so many of its unknowns
    std::vector<std::int32_t> members;  // components, ascending
  };
  std::vector<std::int32_t> start, unknown;  // [component + 1], [place] ascending within a component
  std::vector<Kind> kinds;                   // by their first members

  int count() const { return static_cast<int>(start.size()) - 1; }
  int size(int component) const { return start[component + 1] - start[component]; }
  std::span<const std::int32_t> of(int component) const {
    return std::span(unknown).subspan(start[component], static_cast<std::size_t>(size(component)));
  }
};

// `multipliers`: the last so many rows and columns of the whole.
Components find_components(const SparsePattern& pattern, int multipliers);

// Columns at the end that have no diagonal entry: multipliers as a model's matrix has them.
int columns_without_diagonal(const SparsePattern& pattern);

}  // namespace lithe

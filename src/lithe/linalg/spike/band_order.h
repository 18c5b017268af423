// Orders that bring the entries of a symmetric pattern close to the diagonal.
#pragma once

#include <span>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

// Neighbours of each vertex, ascending, without itself.
struct Graph {
  std::vector<std::int32_t> start{0};  // [vertex + 1]
  std::vector<std::int32_t> neighbour;
  int size() const { return static_cast<int>(start.size()) - 1; }
  int degree(int i) const { return start[i + 1] - start[i]; }
  std::span<const std::int32_t> of(int i) const {
    return std::span(neighbour).subspan(start[i], static_cast<std::size_t>(degree(i)));
  }
};
// Of B + B^T, where row i of B is row row_of[i] of a. What is zero now counts: it may be another number later.
Graph symmetric_graph(const RowPattern& a, std::span<const std::int32_t> row_of);
// Of the vertices first <= order[k] < last in a new order, numbered by k - first; edges to others are left out.
Graph part_of(const Graph& graph, std::span<const std::int32_t> order, std::span<const std::int32_t> place, int first,
              int last);

// order[k]: the vertex at place k; its inverse.
std::vector<std::int32_t> inverse(std::span<const std::int32_t> order);
// Largest |place_i - place_j| of neighbours.
int bandwidth(const Graph& graph, std::span<const std::int32_t> place);
// Sum over vertices of the distance to the first neighbour before them.
double profile(const Graph& graph, std::span<const std::int32_t> place);

// Reverse Cuthill-McKee, each component from a pseudo-peripheral vertex (George and Liu 1979). The order that vertices
// have is kept where this would widen the band.
std::vector<std::int32_t> reverse_cuthill_mckee(const Graph& graph);
// By the eigenvector of the graph's Laplacian to its second eigenvalue (Fiedler; Barnard, Pothen and Simon 1995), each
// component by itself.
std::vector<std::int32_t> spectral_order(const Graph& graph);

// The smallest K for which entries with |i - j| <= K hold the share `keep` of the sum of magnitudes (P3 eq. 12);
// sums: [distance] of magnitudes.
int kept_bandwidth(std::span<const double> sums, double keep);

}  // namespace lithe

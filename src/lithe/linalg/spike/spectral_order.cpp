// The order of a graph's vertices by the Fiedler vector: L x = lambda x, L the Laplacian, lambda the smallest
// eigenvalue but that of the constant vector. Neighbours differ by little there, because x^T L x is the sum of (x_i -
// x_j)^2 over edges.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/lanczos.h"
#include "lithe/linalg/spike/band_order.h"

namespace lithe {

namespace {

// Smaller components are ordered by their levels.
constexpr int smallest_component = 32;
// Makes L positive definite, in terms of its mean diagonal; small beside the eigenvalue that is looked for.
constexpr double shift = 1e-6;
// Of 1 / (lambda + shift): an order needs few digits.
constexpr double tolerance = 1e-4;

std::vector<std::int32_t> component_of(const Graph& graph, int root, std::vector<char>& seen) {
  std::vector<std::int32_t> vertices{root};
  seen[root] = 1;
  for (std::size_t k = 0; k < vertices.size(); ++k)
    for (const int j : graph.of(vertices[k]))
      if (!seen[j]) {
        seen[j] = 1;
        vertices.push_back(j);
      }
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

Graph alone(const Graph& graph, const std::vector<std::int32_t>& vertices, std::vector<std::int32_t>& number) {
  for (std::size_t k = 0; k < vertices.size(); ++k) number[vertices[k]] = static_cast<std::int32_t>(k);
  Graph part;
  for (const int i : vertices) {
    for (const int j : graph.of(i)) part.neighbour.push_back(number[j]);
    part.start.push_back(static_cast<std::int32_t>(part.neighbour.size()));
  }
  return part;
}

std::vector<double> fiedler_vector(const Graph& graph) {
  const int n = graph.size();
  SparsePattern pattern{n, {0}, {}, true};
  std::vector<double> laplacian, identity;
  for (int j = 0; j < n; ++j) {
    for (const int i : graph.of(j))
      if (i < j) {
        pattern.row.push_back(i);
        laplacian.push_back(-1);
        identity.push_back(0);
      }
    pattern.row.push_back(j);
    laplacian.push_back(graph.degree(j));
    identity.push_back(1);
    pattern.column_start.push_back(static_cast<std::int32_t>(pattern.row.size()));
  }
  const double small = shift * static_cast<double>(graph.neighbour.size()) / n;
  BorderedPencil pencil(std::move(pattern), std::move(laplacian), std::move(identity));
  if (pencil.factor(1, small, true) != 0)
    throw RunError("the spectral order failed: its matrix cannot be factored; use 'ordering: rcm'");
  const Eigenpairs constant{{1 / small}, {std::vector<double>(n, 1 / std::sqrt(small * n))}};
  const Eigenpairs found = lanczos(pencil, {.N = {0, 1},
                                            .metric = {1, small},
                                            .count = 1,
                                            .basis = std::min(n - 1, 20),
                                            .tolerance = tolerance,
                                            .found = &constant});
  if (found.size() == 0)
    throw RunError("the spectral order failed: Lanczos' method did not converge; use 'ordering: rcm'");
  return found.vectors[0];
}

}  // namespace

std::vector<std::int32_t> spectral_order(const Graph& graph) {
  std::vector<std::int32_t> order, number(graph.size());
  std::vector<char> seen(graph.size(), 0);
  for (int root = 0; root < graph.size(); ++root) {
    if (seen[root]) continue;
    const std::vector<std::int32_t> vertices = component_of(graph, root, seen);
    const Graph part = alone(graph, vertices, number);
    std::vector<std::int32_t> inner;
    if (part.size() < smallest_component) {
      inner = reverse_cuthill_mckee(part);
    } else {
      const std::vector<double> x = fiedler_vector(part);
      inner.resize(part.size());
      std::iota(inner.begin(), inner.end(), 0);
      std::stable_sort(inner.begin(), inner.end(), [&](int a, int b) { return x[a] < x[b]; });
    }
    for (const int k : inner) order.push_back(vertices[k]);
  }
  return order;
}

}  // namespace lithe

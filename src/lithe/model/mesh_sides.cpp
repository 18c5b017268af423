#include "lithe/model/mesh_sides.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/base/small.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/sides.h"

namespace lithe {

namespace {

// Nodes of an element that lie on a side; none of the top of a shell, all on its middle surface.
std::vector<int> nodes_of(const Mesh& mesh, const ElementInfo& info, const Side& side) {
  std::vector<int> nodes;
  for (int n = 0; n < info.nodes; ++n)
    if (side.axis >= info.dimension || info.on_side(n, info.side_number(side.axis, side.at)))
      nodes.push_back(mesh.elements[static_cast<std::size_t>(side.element) * info.nodes + n]);
  return nodes;
}

// Outward at its middle; of a middle surface along the third gradient.
Vec3<double> normal_of(const Mesh& mesh, ElementKind kind, const Side& side) {
  const SidePoint at = side_point(kind.info(), side.axis, side.at, {0, 0});
  double dS[3 * most_vectors];
  shape_derivatives(kind, at.xi, dS);
  const double half[3] = {0.5 * mesh.size[3ul * side.element], 0.5 * mesh.size[3ul * side.element + 1],
                          0.5 * mesh.size[3ul * side.element + 2]};
  const int per = mesh.node_vectors;
  Vec3<double> slope[2]{};
  for (int i = 0; i < vector_count(kind); ++i) {
    const double* x =
        mesh.vector(mesh.elements[static_cast<std::size_t>(side.element) * kind->nodes + i / per], i % per);
    for (int d = 0; d < 2; ++d) {
      const double slope_i =
          dS[3 * i] * at.along[d][0] + dS[3 * i + 1] * at.along[d][1] + dS[3 * i + 2] * at.along[d][2];
      for (int m = 0; m < 3; ++m) slope[d][m] += vector_scale(kind, half, i) * slope_i * x[m];
    }
  }
  return (side.at < 0 ? -1.0 : 1.0) * unit(cross(slope[0], slope[1]));
}

std::vector<Side> select(const Mesh& mesh, const ElementInfo& info, const SideSelection& wanted) {
  const std::string of = Words<SidesOf>::names[static_cast<int>(wanted.of)];
  const std::vector<Side>* known = mesh.sides.find(of);
  LITHE_INVARIANT(known);  // check_nodes()
  std::vector<char> in_set(mesh.node_count(), 1);
  if (!wanted.nodes.empty()) {
    std::fill(in_set.begin(), in_set.end(), 0);
    for (int n : *mesh.sets.find(wanted.nodes)) in_set[n] = 1;
  }
  const double least = std::cos(wanted.within * std::numbers::pi / 180);
  std::vector<Side> found;
  for (const Side& side : *known) {
    const std::vector<int> nodes = nodes_of(mesh, info, side);
    const bool inside = std::ranges::all_of(nodes, [&](int n) {
      bool in = in_set[n] != 0;
      for (int m = 0; m < 3 && wanted.box; ++m)
        in = in && mesh.vector(n)[m] >= (*wanted.box)[0][m] && mesh.vector(n)[m] <= (*wanted.box)[1][m];
      return in;
    });
    if (!inside) continue;
    if (wanted.normal && dot(normal_of(mesh, &info, side), unit(*wanted.normal)) < least) continue;
    found.push_back(side);
  }
  return found;
}

}  // namespace

std::vector<Side> boundary_sides(const Mesh& mesh, const ElementInfo& info) {
  std::vector<int> joined(mesh.node_count());
  std::iota(joined.begin(), joined.end(), 0);
  for (const MeshTie& tie : mesh.ties) joined[tie.b] = joined[tie.a];
  struct Candidate {
    std::array<int, 4> nodes;  // ascending, `none` where there are fewer
    int number;                // sides * element + side
  };
  constexpr int none = std::numeric_limits<int>::max();
  const int elements = static_cast<int>(mesh.elements.size()) / info.nodes;
  std::vector<Candidate> candidates;
  std::vector<int> bucket(joined.size() + 1, 0);  // by the first node: where its candidates begin
  const int per_element = info.sides(), vertices = info.cell == Cell::cube ? info.nodes : 4;
  for (int side = 0; side < per_element; ++side) {
    int own[4], count = 0;
    for (int n = 0; n < vertices; ++n)
      if (info.on_side(n, side)) {
        LITHE_INVARIANT(count < 4);
        own[count++] = n;
      }
    for (int e = 0; count > 0 && e < elements; ++e) {
      Candidate& c = candidates.emplace_back(Candidate{{none, none, none, none}, per_element * e + side});
      for (int k = 0; k < count; ++k)
        c.nodes[k] = joined[mesh.elements[static_cast<std::size_t>(e) * info.nodes + own[k]]];
      std::sort(c.nodes.begin(), c.nodes.begin() + count);
      ++bucket[c.nodes[0] + 1];
    }
  }
  std::partial_sum(bucket.begin(), bucket.end(), bucket.begin());
  std::vector<int> place(bucket.begin(), bucket.end() - 1), sorted(candidates.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) sorted[place[candidates[k].nodes[0]]++] = static_cast<int>(k);
  std::vector<char> shared(static_cast<std::size_t>(per_element) * elements, 0);
  for (std::size_t node = 0; node + 1 < bucket.size(); ++node)
    for (int k = bucket[node]; k < bucket[node + 1]; ++k)
      for (int l = bucket[node]; l < k; ++l) {
        const Candidate &one = candidates[sorted[k]], &other = candidates[sorted[l]];
        if (one.nodes == other.nodes) shared[one.number] = shared[other.number] = 1;
      }
  std::vector<Side> sides;
  for (int e = 0; e < elements; ++e)
    for (int side = 0; side < per_element; ++side)
      if (!shared[static_cast<std::size_t>(per_element) * e + side])
        sides.push_back({e, info.side_axis(side), info.side_at(side)});
  return sides;
}

void name_sides(Mesh& mesh, const ElementInfo& info, const Named<SideSelection>& selections) {
  if (!info.volume) return;
  const int elements = static_cast<int>(mesh.elements.size()) / info.nodes;
  const auto of_all = [&](const char* name, int axis, double at) {
    std::vector<Side> sides;
    for (int e = 0; e < elements; ++e) sides.push_back({e, axis, at});
    mesh.sides.add(name, std::move(sides));
  };
  if (info.dimension < 3) {
    of_all("top", 2, 1);
    of_all("bottom", 2, -1);
  }
  if (info.dimension == 1) {
    of_all("left", 1, 1);
    of_all("right", 1, -1);
  }
  if (info.dimension == 2) of_all("surface", 2, 0);
  std::vector<Side> boundary = boundary_sides(mesh, info);
  if (info.dimension < 3) std::erase_if(boundary, [&](const Side& side) { return side.axis >= info.dimension; });
  mesh.sides.add("boundary", std::move(boundary));
  for (std::size_t i = 0; i < selections.size(); ++i) {
    const auto& [name, wanted] = selections.items[i];
    mesh.sides.add(name, select(mesh, info, wanted));
  }
}

}  // namespace lithe

#include "lithe/system/held_gradients.h"

#include <cmath>

namespace lithe {

namespace {

// Of each of r_x, r_y, r_z at a node.
enum class Held { nothing, turn, direction, all };

// An edge of an element between two clamped nodes is clamped in its length, so that the gradient along it does not
// change. Of the others a rotation is held and stretch and shear are free: of r_x of a beam, which turns with the axis
// and not with the section, nothing; of what lies in a section the direction; where no clamped edge tells, of the
// gradients across one (or across the director of a shell) that they do not turn about it.
std::array<Held, 3> choose(const BodyInfo& body, Hold hold, const std::array<char, 3>& clamped_edge) {
  const int dimension = element_info(body.kind).dimension;
  if (hold == Hold::all || body.kind == ElementKind::rigid) return {Held::all, Held::all, Held::all};
  std::array<Held, 3> held{};
  int edges = 0;
  for (int k = 0; k < dimension; ++k)
    if (clamped_edge[k]) {
      held[k] = Held::all;
      ++edges;
    }
  if (body.kind->gradients() == 1) {
    if (edges == 0) held[0] = Held::direction;
  } else if (dimension == 1) {
    held[1] = held[2] = Held::direction;
  } else if (dimension == 2) {
    if (edges == 0) held[0] = held[1] = Held::turn;
    held[2] = Held::direction;
  } else if (edges < 2) {
    for (Held& h : held)
      if (h != Held::all) h = edges == 1 ? Held::turn : Held::direction;
  }
  return held;
}

}  // namespace

std::vector<std::array<char, 3>> edges_between(const BodyInfo& body, const std::vector<int>& nodes) {
  std::vector<char> in_set(body.mesh.node_count(), 0);
  for (int node : nodes) in_set[node] = 1;
  std::vector<std::array<char, 3>> edges(body.mesh.node_count(), {0, 0, 0});
  const ElementInfo& info = element_info(body.kind);
  for (std::size_t e = 0; e < body.mesh.elements.size(); e += info.nodes)
    for (int n = 0; n < info.nodes; ++n)
      for (int other = 0; other < info.nodes; ++other) {
        const int node = body.mesh.elements[e + n];
        if (!in_set[node] || !in_set[body.mesh.elements[e + other]]) continue;
        const auto from = element_corner(body.kind, n), to = element_corner(body.kind, other);
        int differs = 0, along = 0;
        for (int k = 0; k < 3; ++k)
          if (from[k] != to[k]) {
            along = k;
            ++differs;
          }
        if (differs == 1) edges[node][along] = 1;
      }
  return edges;
}

std::vector<HeldGradient> held_gradients(const System& system, const BodyInfo& body, int node, Hold hold,
                                         const std::array<char, 3>& edges) {
  std::vector<HeldGradient> list;
  const std::array<Held, 3> held = choose(body, hold, edges);
  const auto start = [&](int k) {
    const double* x = &system.q0[3ul * body.vector(node, 1 + k % 3)];
    return Vec3<double>{{x[0], x[1], x[2]}};
  };
  for (int k = 0; k + 1 < body.node_vectors; ++k) {
    if (held[k] == Held::nothing) continue;
    HeldGradient& one = list.emplace_back();
    one.vector = body.vector(node, 1 + k);
    one.all = held[k] == Held::all;
    if (one.all) continue;
    const Vec3<double> r = (1 / std::sqrt(dot(start(k), start(k)))) * start(k);
    if (held[k] == Held::turn) {  // about the third one, which is held
      const int third = held[(k + 1) % 3] == Held::turn ? k + 2 : k + 1;
      one.along = {cross(start(third), r)};
      continue;
    }
    const auto [n1, n2] = normals(r, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
    one.along = {n1, n2};
  }
  return list;
}

}  // namespace lithe

// Mesh of one body in its reference configuration, made by a generator: nodes with the vectors of the body's kind;
// elements with their nodes and dimensions; names for the places a user points at. Gradients are derivatives with
// respect to x, y, z that run over L, W, T of each element; all elements of a generated mesh share one L, W, T
// (docs/theory/meshes.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/model/model.h"

namespace lithe {

// A material point: natural coordinates in an element of a body.
struct MaterialPoint {
  int element = 0;
  Triple xi{0, 0, 0};
};

// A side of an element: the natural coordinate that is constant there (axis 0..2) and its value (-1, 0 or +1; 0: the
// mid-surface). An edge of a shell is a side with axis 0 or 1, its top surface a side with axis 2. Of a tetrahedron:
// the coordinate that is 0 there with the value -1, or axis 3 and 1 where their sum is 1.
struct Side {
  int element = 0;
  int axis = 0;
  double at = 0;
};

// Node b is joined to node a: all its vectors, or its position alone.
struct MeshTie {
  int a = 0, b = 0;
  bool all = true;
};

struct Mesh {
  int node_vectors = 1;            // of the kind: r; r, r_x; r, r_x, r_y, r_z
  std::vector<double> nodes;       // [node][node_vectors][3]  m and 1, where the body starts
  std::vector<double> free_nodes;  // the same free of stress; empty: as it starts
  std::vector<int> elements;       // [element][nodes per element]
  std::vector<double> size;        // [element][3]  L, W, T, m
  Named<std::vector<int>> sets;    // nodes
  Named<MaterialPoint> points;     // single places such as the centre of an end
  Named<std::vector<Side>> sides;  // edges and surfaces
  std::vector<MeshTie> ties;       // nodes joined by constraints
  std::vector<std::string> notes;  // what a file had that was left out or changed

  int node_count() const { return static_cast<int>(nodes.size() / (3ul * node_vectors)); }
  // Vector `which` of a node: 0 is its position.
  const double* vector(int node, int which = 0) const {
    return &nodes[3 * (static_cast<std::size_t>(node) * node_vectors + which)];
  }
  // All vectors of a node free of stress.
  const double* free_node(int node) const {
    return &(free_nodes.empty() ? nodes : free_nodes)[3ul * static_cast<std::size_t>(node) * node_vectors];
  }
};

// Kind of the elements of a body.
ElementKind body_kind(const AnyBody& body);

// Any body of a model that was validated: a rigid one has one node (its position and axes), a linkage its points.
Mesh make_mesh(const Model& model, const std::string& body_name);

}  // namespace lithe

// Where the nodes and elements of a flexible body come from; mesh.h makes them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/model/triple.h"

namespace lithe {

struct LineMesh {
  Triple from{0, 0, 0}, to{0, 0, 0};
  int elements = 1;
  std::optional<Triple> width_direction;
  std::array<double, 2> twist = {0, 0};           // deg, of the section at the start and at the end
  std::optional<double> unstretched_length = {};  // default: the distance of the ends
};
const Schema& schema(const LineMesh*);
struct ArcMesh {  // beams along a circular arc, optionally twisted about the axis
  Triple center{0, 0, 0}, normal{0, 0, 1}, start{1, 0, 0};
  double radius = 0, angle = 360, twist = 0;  // deg
  int elements = 1;
  std::optional<double> unstretched_length = {};  // default: that of the arc
};
const Schema& schema(const ArcMesh*);
struct PlateMesh {
  Triple corner{0, 0, 0}, length{1, 0, 0}, width{0, 1, 0};
  std::array<int, 2> elements{1, 1};
};
const Schema& schema(const PlateMesh*);
struct AnnularPlateMesh {
  Triple center{0, 0, 0}, normal{0, 0, 1}, start{1, 0, 0};
  double inner_radius = 0, outer_radius = 0, angle = 360;  // deg
  std::array<int, 2> elements{1, 1};                       // around, across
};
const Schema& schema(const AnnularPlateMesh*);
struct BlockMesh {
  Triple corner{0, 0, 0}, length{1, 0, 0}, width{0, 1, 0}, height{0, 0, 1};
  std::array<int, 3> elements{1, 1, 1};
};
const Schema& schema(const BlockMesh*);
struct PipeMesh {                                          // or a sector of one
  Triple from{0, 0, 0}, to{0, 0, 0};                       // of the axis
  std::optional<Triple> start;                             // direction from the axis to the first elements
  double inner_radius = 0, outer_radius = 0, angle = 360;  // deg
  std::array<int, 3> elements{1, 3, 1};                    // along, around, across
};
const Schema& schema(const PipeMesh*);
// Sides of a mesh given by its nodes: of those named by `of`, the ones that meet every condition.
enum class SidesOf { boundary, top, bottom, surface, left, right };
template <>
struct Words<SidesOf> {
  static constexpr std::array<const char*, 6> names{"boundary", "top", "bottom", "surface", "left", "right"};
};
struct SideSelection {
  SidesOf of = SidesOf::boundary;
  std::string nodes;                         // a set that holds all nodes of a side
  std::optional<Triple> normal;              // outward, at most `within` away
  double within = 30;                        // deg
  std::optional<std::array<Triple, 2>> box;  // lowest and highest corner, around all nodes of a side
};
const Schema& schema(const SideSelection*);
struct NodeMesh {                          // nodes and elements given one by one
  std::vector<std::vector<double>> nodes;  // vectors of the kind: r, r_x, r_y, r_z (cables: r, r_x)
  std::vector<std::vector<int>> elements;  // node numbers, from 0
  std::vector<Triple> size;                // L, W, T per element, or one for all; none: no vector is scaled
  Named<std::vector<int>> sets;
  Named<SideSelection> sides = {};
};
const Schema& schema(const NodeMesh*);
// Cables in two directions, tied at every crossing (P3); each row and each column is one continuous cable.
struct NetMesh {
  Triple corner{0, 0, 0}, along{1, 0, 0}, across{0, 1, 0};  // the last two are one cell
  std::array<int, 2> cells{1, 1};
  int elements = 1;  // along the side of a cell
};
const Schema& schema(const NetMesh*);
// A file of gmsh, Abaqus or CalculiX (docs/mesh_files.md).
struct FileMesh {
  std::string path;             // relative to the model's file
  std::string instance, group;  // empty: the only one, all
  std::string digest;           // of the file, as results keep it: another file is refused
};
const Schema& schema(const FileMesh*);
using MeshSource =
    std::variant<LineMesh, ArcMesh, PlateMesh, AnnularPlateMesh, BlockMesh, PipeMesh, NodeMesh, NetMesh, FileMesh>;

// More elements than this in one body are taken for a slip of the keyboard.
inline constexpr double largest_element_count = 5e7;
void check(const Spot& here, const MeshSource& mesh);

}  // namespace lithe

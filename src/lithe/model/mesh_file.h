// Meshes of solids from files: gmsh .msh (2.2 and 4.1, ASCII) and Abaqus or CalculiX .inp (docs/mesh_files.md).
//
//   MeshFile file = read_mesh_file("part.msh");                            // what the file says, all of it
//   BodyMesh mesh = select(file, ElementKind::tet10, "", "steel");         // what one body takes of it
//
// The reader is our own: both formats are lines of numbers, a library for them weighs a hundred megabytes, and what is
// wrong in a file is said with file, line, value and remedy.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lithe/base/named.h"
#include "lithe/elements/kinds.h"
#include "lithe/model/mesh_source.h"
#include "lithe/model/triangle_surface.h"
#include "lithe/model/triple.h"

namespace lithe {

struct Mesh;
struct Model;

// x -> rotation x + translation.
struct RigidPlacement {
  double rotation[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Triple translation{0, 0, 0};  // m

  Triple operator()(const Triple& x) const;
  bool is_identity() const;
  // Then around the axis from point a to point b; false: the points are the same.
  bool turn(const double* a, const double* b, double degrees);
};

// What a file says, in one form for all formats. Nodes and cells are counted from 0 in each part; the labels that they
// have in the file are kept for messages.
struct MeshFile {
  // A cell of a solid. Others are cells too, without nodes: so a set may name them, and a body that would lose them
  // says so.
  struct Cell {
    ElementKind kind;       // without info: a type that is not read
    int type = 0;           // in `types`: as the file names it
    std::size_t first = 0;  // of its nodes in Part::cell_nodes, in the order of the kind
    int label = 0;
    int place = 0;  // for where()
    bool known() const { return kind != ElementKind(); }
  };
  struct Type {
    std::string name;   // "C3D8R", "6-node prism"
    ElementKind kind;   // without info: not read
    bool solid = true;  // else it carries no volume: a shell, a beam, a spring
    bool plain = true;  // else a variant of the kind: reduced, hybrid, modified
  };
  struct Side {  // as ElementInfo counts sides
    int cell = 0;
    int side = 0;
    friend bool operator==(const Side&, const Side&) = default;
    friend auto operator<=>(const Side&, const Side&) = default;
  };
  struct Sets {
    Named<std::vector<int>> nodes;  // increasing
    Named<std::vector<int>> cells;  // increasing; what a user calls a group
    Named<std::vector<Side>> surfaces;
  };
  struct Part {
    std::string name;
    std::vector<Triple> nodes;     // m
    std::vector<int> node_labels;  // [node]
    std::vector<Cell> cells;
    std::vector<int> cell_nodes;  // [cell][nodes of its kind]
    Sets sets;
  };
  struct Instance {
    std::string name;  // empty: that of a file without instances
    int part = 0;
    RigidPlacement placement;
    Sets sets;  // those of the assembly; sets of the part hold too
  };

  std::string path;
  bool any_case = false;  // names differ by more than upper and lower case
  std::vector<Type> types;
  std::vector<Part> parts;
  std::vector<Instance> instances;
  std::vector<std::string> notes;  // what was skipped or changed

  std::vector<std::string> sources;  // the file and those that it includes
  std::vector<int> source_places;    // [source] place before its first line
  Where where(int place) const;
};

// A path relative to the folder of the file that says it.
std::string path_beside(const std::string& path, const Where& said);
// Where a body's file is: its path relative to the folder of the file that says it.
std::string mesh_file_path(const FileMesh& mesh, const Where& said);
// Of the bytes of a file.
std::string file_digest(const std::string& path);

// A surface with what follows from it.
struct SurfaceFile {
  TriangleSurface surface;
  SolidMoments moments;  // closed ones
};

// The format is found by the content, else by the ending. Throws InputError.
MeshFile read_mesh_file(const std::string& path);

// The files of a model, each read once however many bodies take a part of it.
class MeshFiles {
 public:
  const MeshFile& file(const std::string& path);
  // A surface that was checked, closed or not.
  const SurfaceFile& surface(const std::string& path, bool open);
  const std::string& digest(const std::string& path);
  // Is there such a file, and has it the digest that is kept of it (empty: none)?
  void check(const std::string& path, const std::string& kept_digest, const Where& said);

 private:
  std::map<std::string, MeshFile> files_;
  std::map<std::pair<std::string, bool>, SurfaceFile> surfaces_;
  std::map<std::string, std::string> digests_;
};
// make_mesh() (model/mesh.h) of one of many bodies.
Mesh make_mesh(const Model& model, const std::string& body, MeshFiles& files);

// The part that one body takes: elements of one kind, and what is named on them. Nodes in no element are left out,
// those that remain keep their order.
struct BodyMesh {
  struct Side {
    int element = 0;
    int side = 0;  // as ElementInfo counts sides
    friend bool operator==(const Side&, const Side&) = default;
  };
  std::vector<Triple> nodes;             // m
  std::vector<int> elements;             // [element][nodes of the kind]
  Named<std::vector<int>> sets;          // nodes
  Named<std::vector<int>> element_sets;  // elements
  Named<std::vector<Side>> sides;        // surfaces
  std::vector<int> node_labels;          // [node] in the file
  std::vector<int> element_labels;       // [element] in the file
  std::vector<std::string> notes;        // what was left out or changed
};

// Empty instance: the only one there is. Empty group: all cells. Throws InputError: no such instance or group, other
// kinds, inverted or duplicate elements.
BodyMesh select(const MeshFile& file, ElementKind kind, const std::string& instance, const std::string& group);

}  // namespace lithe

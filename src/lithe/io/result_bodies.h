// The bodies of a result: arrays that all of them share, and a table that says where the part of each lies in them. The
// number of datasets in a file does not depend on the number of bodies: HDF5 visits each of them whenever it flushes.
//
//   /bodies             [body]          a row each: name, kind, nodes, vectors (of a node), elements, element_nodes;
//                                       where its part begins: first_node, first_vector, first_element, first_index
//                                       (in connectivity), first_stress (in von_mises; -1: it has none); since
//                                       format 6 base (-1: it is not reduced), modes, first_mode (in reduced_...),
//                                       first_rotation (in rotation, counted in bodies)
//   /mesh/connectivity  [index]         node numbers of the elements, from 0 in each body
//   /mesh/size          [element][3]    m, L, W, T: lengths over which the gradients run
//   /mesh/reference     [vector][3]     m and 1, coordinates before the run
//   /mesh/bases         [base]          where there are reduced bodies: kind, method, source, vectors, modes; where its
//                                       part begins: first_vector (in base_shape), first_mode_vector (in base_modes)
//   /mesh/base_shape    [vector][3]     m and 1, Z
//   /mesh/base_modes    [mode vector][3]  E, the modes of a base one after another
//   /mesh/cells         [index]         of more than `most_grids` bodies: connectivity, numbered from 0 in each kind,
//   /mesh/cell_bodies   [element]       and the row of each element's body
//
// Bodies of one kind lie side by side, so that a reader may take them as one (xdmf.h), and reduced ones after all
// others: fields, which they have none of, end where the first of them begins.
#pragma once

#include <string>
#include <vector>

#include "lithe/base/hdf5.h"
#include "lithe/io/results.h"

namespace lithe {

// More bodies than this are told by their kinds in the companion: readers take in about ten thousand grids.
constexpr std::size_t most_grids = 100;

// Gives every body its place in the file.
void place_bodies(ResultInfo& info);

// Numbers of the bodies as they follow each other in the file.
std::vector<std::size_t> order_in_file(const ResultInfo& info);

// Bodies whose nodes, vectors and elements may be counted as those of one.
bool same_kind(const ResultBody& a, const ResultBody& b);

void write_bodies(hid_t file, const ResultInfo& info);
// Throws RunError where table and arrays do not fit together.
void read_bodies(hid_t file, ResultInfo& info);

// The part of a field that is a body's own.
struct FieldPart {
  std::string dataset;           // "fields/coordinates"; empty: there is no such field
  std::size_t first = 0;         // entry of a row
  std::vector<std::size_t> row;  // shape of the body's own row
  std::size_t entries() const;   // of a row
};
FieldPart field_part(const ResultBody& body, const std::string& field);

}  // namespace lithe

// An Abaqus or CalculiX deck as it was read, before names and labels are looked up: a set may name nodes that come
// later, so that waits for the end of the file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lithe/model/mesh_file_text.h"

namespace lithe {

// Who owns a set: a part or an instance. Instance 0 is the model itself, with the nodes and elements of no part.
struct DeckOwner {
  bool instance = true;
  int index = 0;
  friend auto operator<=>(const DeckOwner&, const DeckOwner&) = default;
};

// Labels first, first + step, ..., last, or the members of another set.
struct DeckEntry {
  int first = 0, last = 0, step = 1;
  bool generated = false;  // labels between may be missing
  bool of_cells = false;   // the nodes of the cells of a set
  std::string name;        // of the other set; empty: labels
  int place = 0;
};

struct DeckSet {
  std::string name;
  bool nodes = true;  // else cells
  DeckOwner owner;
  bool assembly = false;  // said in the assembly without INSTANCE: names of all instances are known
  std::vector<DeckEntry> entries;

  void add_label(int label, int place);
};

struct DeckSurface {
  struct Row {
    DeckEntry cells;
    int face = 0;  // S1 is 1; 0: those that no other element has
  };
  std::string name;
  DeckOwner owner;
  bool assembly = false;
  std::vector<Row> rows;
};

struct Deck {
  std::vector<std::vector<int>> node_places;  // [part][node]
  std::vector<DeckSet> sets;                  // as they come in the file
  std::vector<DeckSurface> surfaces;
  std::map<std::string, int> part_names, instance_names;  // in upper case
};

// Turns labels into positions and fills the sets of `file`.
void resolve_deck(const Deck& deck, MeshFile& file);

}  // namespace lithe

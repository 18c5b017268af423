// Labels and names of a deck become positions in the lists of its parts.
#include <algorithm>
#include <memory>
#include <utility>

#include "lithe/model/mesh_file_abaqus.h"
#include "lithe/model/mesh_file_sides.h"

namespace lithe {

namespace {

// Corners of the faces S1, S2, ... in the numbering of the deck.
constexpr int hexahedron_faces[6][3] = {{1, 2, 3}, {5, 8, 7}, {1, 5, 6}, {2, 6, 7}, {3, 7, 8}, {4, 8, 5}};
constexpr int tetrahedron_faces[4][3] = {{1, 2, 3}, {1, 4, 2}, {2, 4, 3}, {3, 4, 1}};

int side_of_face(const ElementInfo& info, int face) {
  const bool cube = info.cell == Cell::cube;
  if (face > (cube ? 6 : 4)) return -1;
  int corners[3];
  for (int i = 0; i < 3; ++i) corners[i] = (cube ? hexahedron_faces : tetrahedron_faces)[face - 1][i] - 1;
  return side_of_corners(info, corners, 3);
}

class DeckResolver {
 public:
  DeckResolver(const Deck& deck, MeshFile& file) : deck_(deck), file_(file) {}

  void resolve() {
    for (std::size_t p = 0; p < file_.parts.size(); ++p) resolve_part(p);
    for (const DeckSet& set : deck_.sets) add_set(set);
    for (const DeckSurface& surface : deck_.surfaces) add_surface(surface);
    for (auto& [owner, table] : tables_) store(owner, table);
    std::ranges::sort(file_.notes);
    file_.notes.erase(std::unique(file_.notes.begin(), file_.notes.end()), file_.notes.end());
  }

 private:
  template <class T>
  struct List {
    std::string name;
    std::vector<T> members;
    std::size_t compact = 1000;  // beyond it, members that come more than once are thrown out

    void add(const std::vector<T>& more) {
      members.insert(members.end(), more.begin(), more.end());
      if (members.size() <= compact) return;
      tidy();
      compact = 2 * members.size() + 1000;
    }
    void tidy() {
      std::ranges::sort(members);
      members.erase(std::unique(members.begin(), members.end()), members.end());
    }
  };
  template <class T>
  using Lists = std::map<std::string, List<T>>;  // by name in upper case
  struct Table {
    Lists<int> nodes, cells;
    Lists<MeshFile::Side> surfaces;
  };
  struct Indices {
    LabelIndex nodes, cells;
  };

  [[noreturn]] void fail(int place, const std::string& why) const { throw InputError(file_.where(place), why); }
  int part_of(DeckOwner owner) const { return owner.instance ? file_.instances[owner.index].part : owner.index; }
  std::string owner_name(DeckOwner owner) const {
    const std::string& name = owner.instance ? file_.instances[owner.index].name : file_.parts[owner.index].name;
    return name.empty() ? "the model" : (owner.instance ? "instance '" : "part '") + name + "'";
  }

  void resolve_part(std::size_t p) {
    MeshFile::Part& part = file_.parts[p];
    Indices& index = indices_.emplace_back();
    const auto twice_fails = [&](const char* what, int label, int first, int second) {
      const Where before = file_.where(first);
      fail(second, std::string(what) + " " + std::to_string(label) + " comes twice, first in line " +
                       std::to_string(before.line) + " of " + before.file + "; give each a label of its own");
    };
    int twice[2];
    const std::vector<int>& places = deck_.node_places[p];
    if (!index.nodes.build(part.node_labels, twice))
      twice_fails("node", part.node_labels[twice[1]], places[twice[0]], places[twice[1]]);
    std::vector<int> labels;
    labels.reserve(part.cells.size());
    for (const MeshFile::Cell& cell : part.cells) labels.push_back(cell.label);
    if (!index.cells.build(labels, twice))
      twice_fails("element", labels[twice[1]], part.cells[twice[0]].place, part.cells[twice[1]].place);
    for (const MeshFile::Cell& cell : part.cells)
      for (int i = 0; cell.known() && i < cell.kind->nodes; ++i) {
        int& node = part.cell_nodes[cell.first + i];
        const int found = index.nodes.find(node);
        if (found < 0)
          fail(cell.place, "element " + std::to_string(cell.label) + " names node " + std::to_string(node) +
                               ", which no *NODE of " + owner_name({false, static_cast<int>(p)}) + " has");
        node = found;
      }
  }

  static Lists<int>& lists(Table& table, bool nodes) { return nodes ? table.nodes : table.cells; }
  // Members of a set of an owner: its own, else that of its part. Null: there is none.
  const List<int>* find(DeckOwner owner, const std::string& key, bool nodes) {
    for (const DeckOwner where : {owner, DeckOwner{false, part_of(owner)}}) {
      const auto table = tables_.find(where);
      if (table == tables_.end()) continue;
      const Lists<int>& all = lists(table->second, nodes);
      if (const auto found = all.find(key); found != all.end()) return &found->second;
    }
    return nullptr;
  }

  void labels_of(DeckOwner owner, const DeckEntry& entry, bool nodes, std::vector<int>& out) {
    const Indices& all = indices_[part_of(owner)];
    const LabelIndex& index = nodes ? all.nodes : all.cells;
    if (entry.generated) {
      index.add_range(entry.first, entry.last, entry.step, out);
      const std::size_t wanted = (static_cast<std::size_t>(entry.last) - entry.first) / entry.step + 1;
      if (out.size() < wanted)
        file_.notes.push_back(std::to_string(wanted - out.size()) + " of the labels " + std::to_string(entry.first) +
                              " to " + std::to_string(entry.last) + " of a set (line " +
                              std::to_string(file_.where(entry.place).line) + ") do not exist");
      return;
    }
    for (long label = entry.first; label <= entry.last; ++label) {
      const int found = index.find(static_cast<int>(label));
      if (found < 0)
        fail(entry.place, std::string("there is no ") + (nodes ? "node " : "element ") + std::to_string(label) +
                              " in " + owner_name(owner) + "; correct the label, or remove it");
      out.push_back(found);
    }
  }

  // Calls add(owner, positions) for what an entry stands for.
  template <class Add>
  void members(DeckOwner owner, bool assembly, const DeckEntry& entry, bool nodes, Add&& add) {
    std::vector<int> found;
    if (entry.name.empty()) {
      labels_of(owner, entry, nodes, found);
      return add(owner, found);
    }
    const std::string key = upper(entry.name);
    if (!assembly) {
      if (const List<int>* list = find(owner, key, nodes)) return add(owner, list->members);
    } else {
      bool any = false;
      for (int i = 0; i < static_cast<int>(file_.instances.size()); ++i) {
        const auto table = tables_.find({true, i});
        if (table == tables_.end()) continue;
        const auto list = lists(table->second, nodes).find(key);
        if (list == lists(table->second, nodes).end()) continue;
        const std::vector<int> copy = list->second.members;  // add() may be adding to this very list
        add(DeckOwner{true, i}, copy);
        any = true;
      }
      if (any) return;
      // "instance.set", "instance.label".
      for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1)) {
        const auto instance = deck_.instance_names.find(key.substr(0, dot));
        if (instance == deck_.instance_names.end()) continue;
        DeckEntry rest = entry;
        rest.name = entry.name.substr(dot + 1);
        if (parse(rest.name, rest.first)) rest.last = rest.first, rest.name.clear();
        if (rest.name.empty() && rest.first < 1) break;
        return members({true, instance->second}, false, rest, nodes, add);
      }
    }
    fail(entry.place, std::string("there is no set of ") + (nodes ? "nodes " : "elements ") + in_quotes(entry.name) +
                          " up to here; define it before it is named");
  }

  void add_set(const DeckSet& set) {
    const std::string key = upper(set.name);
    const auto add = [&](DeckOwner owner, const std::vector<int>& positions) {
      const std::vector<int> copy = positions;
      List<int>& list = lists(tables_[owner], set.nodes)[key];
      if (list.name.empty()) list.name = set.name;
      list.add(copy);
    };
    for (const DeckEntry& entry : set.entries) {
      if (!entry.of_cells) {
        members(set.owner, set.assembly, entry, set.nodes, add);
        continue;
      }
      members(set.owner, set.assembly, entry, false, [&](DeckOwner owner, const std::vector<int>& cells) {
        const MeshFile::Part& part = file_.parts[part_of(owner)];
        std::vector<int> nodes;
        for (const int c : cells)
          if (part.cells[c].known())
            for (const int n : nodes_of(part, part.cells[c])) nodes.push_back(n);
        add(owner, nodes);
      });
    }
  }

  void add_surface(const DeckSurface& surface) {
    for (const DeckSurface::Row& row : surface.rows)
      members(surface.owner, surface.assembly, row.cells, false, [&](DeckOwner owner, const std::vector<int>& cells) {
        List<MeshFile::Side>& list = tables_[owner].surfaces[upper(surface.name)];
        if (list.name.empty()) list.name = surface.name;
        list.add(sides_of(surface, row, part_of(owner), cells));
      });
  }
  std::vector<MeshFile::Side> sides_of(const DeckSurface& surface, const DeckSurface::Row& row, int p,
                                       std::vector<int> cells) {
    const MeshFile::Part& part = file_.parts[p];
    std::vector<MeshFile::Side> sides;
    if (row.face == 0) {
      std::ranges::sort(cells);
      std::unique_ptr<SideFinder>& finder = finders_[p];
      if (!finder) finder = std::make_unique<SideFinder>(part, std::vector<char>(part.nodes.size(), 1));
      finder->add_free(cells, sides);
      return sides;
    }
    std::size_t others = 0;
    for (const int c : cells) {
      const MeshFile::Cell& cell = part.cells[c];
      if (!cell.known()) {
        ++others;
        continue;
      }
      const int side = side_of_face(cell.kind.info(), row.face);
      if (side < 0)
        fail(row.cells.place, "element " + std::to_string(cell.label) + " is a " + file_.types[cell.type].name +
                                  " and has no face S" + std::to_string(row.face) + "; its faces are S1 to S4");
      sides.push_back({c, side});
    }
    if (others > 0)
      file_.notes.push_back("surface " + in_quotes(surface.name) + ": sides of " + counted(others, "element") +
                            " of types that are not read are left out");
    return sides;
  }

  void store(DeckOwner owner, Table& table) {
    MeshFile::Sets& sets = owner.instance ? file_.instances[owner.index].sets : file_.parts[owner.index].sets;
    const auto move = [&]<class T>(Lists<T>& from, Named<std::vector<T>>& to) {
      for (auto& [key, list] : from) {
        list.tidy();
        if (!list.members.empty()) to.add(list.name, std::move(list.members));
      }
    };
    move(table.nodes, sets.nodes);
    move(table.cells, sets.cells);
    move(table.surfaces, sets.surfaces);
  }

  const Deck& deck_;
  MeshFile& file_;
  std::vector<Indices> indices_;  // [part]
  std::map<DeckOwner, Table> tables_;
  std::map<int, std::unique_ptr<SideFinder>> finders_;  // [part] all sides
};

}  // namespace

void resolve_deck(const Deck& deck, MeshFile& file) { DeckResolver(deck, file).resolve(); }

}  // namespace lithe

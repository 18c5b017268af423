// gmsh's .msh, versions 2.2 and 4.1, ASCII. Sections $Name ... $EndName; one record a line. What is not needed
// ($Periodic, $NodeData, ...) is skipped.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "lithe/model/mesh_file_sides.h"
#include "lithe/model/mesh_file_text.h"

namespace lithe {

namespace {

struct GmshType {
  int number, dimension, nodes, corners;
  const char* name;
};
constexpr GmshType gmsh_types[] = {
    {1, 1, 2, 2, "2-node line"},        {2, 2, 3, 3, "3-node triangle"},       {3, 2, 4, 4, "4-node quadrangle"},
    {4, 3, 4, 4, "4-node tetrahedron"}, {5, 3, 8, 8, "8-node hexahedron"},     {6, 3, 6, 6, "6-node prism"},
    {7, 3, 5, 5, "5-node pyramid"},     {8, 1, 3, 2, "3-node line"},           {9, 2, 6, 3, "6-node triangle"},
    {10, 2, 9, 4, "9-node quadrangle"}, {11, 3, 10, 4, "10-node tetrahedron"}, {12, 3, 27, 8, "27-node hexahedron"},
    {13, 3, 18, 6, "18-node prism"},    {14, 3, 14, 5, "14-node pyramid"},     {15, 0, 1, 1, "point"},
    {16, 2, 8, 4, "8-node quadrangle"}, {17, 3, 20, 8, "20-node hexahedron"},  {18, 3, 15, 6, "15-node prism"},
    {19, 3, 13, 5, "13-node pyramid"},  {29, 3, 20, 4, "20-node tetrahedron"},
};

ElementKind kind_of(int gmsh_type) {
  return gmsh_type == 4    ? ElementKind::tet4
         : gmsh_type == 5  ? ElementKind::hex8
         : gmsh_type == 11 ? ElementKind::tet10
                           : ElementKind();
}

class GmshReader {
 public:
  GmshReader(std::string_view text, MeshFile& file)
      : file_(file), part_(file.parts.emplace_back()), at_(text.data()), end_(at_ + text.size()) {
    file_.instances.emplace_back();
  }

  void read() {
    while (next_line()) {
      const std::string_view name = trimmed(line_text());
      if (name.empty()) continue;
      if (name.front() != '$') {
        if (version_ == 0) break;
        fail(in_quotes(name) + " stands between two sections; a section begins with $ and its name");
      }
      read_section(std::string(name.substr(1)));
    }
    if (version_ == 0) {
      line_ = 0;
      fail("there is no $MeshFormat: this is not a mesh of gmsh's formats 2.2 or 4.1; save it from gmsh as .msh");
    }
    for (const char* name : {"Nodes", "Elements"})
      if (!seen_[name]) {
        line_ = 0;
        fail(std::string("there is no section $") + name + ": the file is cut off or holds no mesh; save it again");
      }
    resolve();
    if (version_ < 3) merge_copies();
    check_labels();
    name_groups();
  }

 private:
  // Physical group: cells of a part (dimension 3), or records of `lower_`.
  struct Group {
    int dimension = 0, tag = 0;
    std::vector<int> members;
  };
  struct Lower {  // point, line, triangle, quadrangle of a group
    std::size_t first = 0;
    int nodes = 0, corners = 0;
  };

  [[noreturn]] void fail(const std::string& why) const { throw InputError(Where{file_.path, line_, ""}, why); }
  [[noreturn]] void fail_at(int place, const std::string& why) const { throw InputError(file_.where(place), why); }

  bool next_line() {
    if (at_ == end_) return false;
    begin_ = cursor_ = at_;
    line_end_ = std::find(at_, end_, '\n');
    at_ = line_end_ == end_ ? end_ : line_end_ + 1;
    ++line_;
    return true;
  }
  std::string_view line_text() const { return {begin_, static_cast<std::size_t>(line_end_ - begin_)}; }
  // A line inside of a section: with something in it.
  void need_line() {
    do {
      if (!next_line()) cut_off();
    } while (trimmed(line_text()).empty());
    if (trimmed(line_text()).front() == '$')
      fail("$" + section_ + " ends here, before all that its counts promise; save the mesh again");
  }
  [[noreturn]] void cut_off() const { fail("the file ends inside of $" + section_ + ": it is cut off; save it again"); }
  std::string_view word() {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (cursor_ != line_end_ && blank(*cursor_)) ++cursor_;
    const char* begin = cursor_;
    while (cursor_ != line_end_ && !blank(*cursor_)) ++cursor_;
    return {begin, static_cast<std::size_t>(cursor_ - begin)};
  }
  template <class Number>
  Number number(const char* what) {
    Number x{};
    if (const std::string_view w = word(); !parse(w, x)) {
      if (w.empty()) fail(std::string("the line ends where ") + what + " should follow");
      fail(in_quotes(w) + " is not " + what +
           (std::is_same_v<Number, int> ? " (a whole number below 2147483648)" : ""));
    }
    return x;
  }
  int integer(const char* what) { return number<int>(what); }
  int label(const char* what) {
    const int x = integer(what);
    if (x < 1) fail(std::string(what) + " is " + std::to_string(x) + "; labels are 1 or more");
    return x;
  }
  void end_line() {
    if (const std::string_view w = word(); !w.empty())
      fail(in_quotes(w) + " is more than this line of $" + section_ + " should hold");
  }
  // A count that the file can hold: each of the things takes some characters.
  int count(const char* what, int characters) {
    const int n = integer(what);
    if (n < 0) fail(std::string(what) + " is " + std::to_string(n) + "; it cannot be negative");
    if (n > (end_ - at_) / characters + 1)
      fail(std::string(what) + " is " + std::to_string(n) + ", but the file has only " + std::to_string(end_ - at_) +
           " characters more: it is cut off, or the count is wrong");
    return n;
  }

  // A count of words in the same line.
  int few(const char* what) {
    const int n = integer(what);
    if (n < 0 || n > line_end_ - cursor_)
      fail(std::string(what) + " is " + std::to_string(n) + ", but the line does not hold as many");
    return n;
  }

  void read_section(const std::string& name) {
    section_ = name;
    if (version_ == 0 && name != "MeshFormat" && name != "Comments")
      fail("$" + in_quotes(name) + " comes before $MeshFormat: this is not a mesh of gmsh's formats 2.2 or 4.1");
    const bool wanted =
        name == "MeshFormat" || name == "PhysicalNames" || name == "Entities" || name == "Nodes" || name == "Elements";
    if (name == "PartitionedEntities")
      fail("the mesh is partitioned; unpartition it in gmsh (Mesh > Unpartition) and save it again");
    if (!wanted) return skip_section();
    if (std::exchange(seen_[name], true)) fail("a second $" + name + "; a file has one mesh");
    if (name == "MeshFormat") read_format();
    else if (name == "PhysicalNames") read_names();
    else if (name == "Entities") read_entities();
    else if (name == "Nodes") version_ < 3 ? read_nodes_2() : read_nodes_4();
    else version_ < 3 ? read_elements_2() : read_elements_4();
    do {
      if (!next_line()) cut_off();
    } while (trimmed(line_text()).empty());
    if (trimmed(line_text()) != "$End" + name)
      fail(in_quotes(trimmed(line_text())) + " stands where $End" + name +
           " should: the counts of the section are wrong");
  }

  void skip_section() {
    const std::string last = "$End" + section_;
    while (next_line())
      if (trimmed(line_text()) == last) return;
    cut_off();
  }

  void read_format() {
    need_line();
    const std::string_view said = word();
    double version = 0;
    if (!parse(said, version)) fail(in_quotes(said) + " is not the version of a format; 2.2 and 4.1 are read");
    const int binary = integer("the file type");
    if (binary != 0)
      fail(
          "the mesh is binary; save it as ASCII: 'gmsh FILE -save -format msh41 -o part.msh' without -bin, or "
          "Mesh.Binary = 0");
    integer("the size of a number");
    end_line();
    if (!(version >= 2 && version < 3) && version != 4.1)
      fail("the format is " + in_quotes(said) + "; formats 2.2 and 4.1 are read: save with -format msh22 or msh41");
    version_ = version;
  }

  void read_names() {
    need_line();
    const int names = count("the number of names", 5);
    end_line();
    for (int i = 0; i < names; ++i) {
      need_line();
      const int dimension = integer("the dimension of a group"), tag = std::abs(integer("the tag of a group"));
      if (dimension < 0 || dimension > 3)
        fail("the dimension of a group is " + std::to_string(dimension) + ", not 0 to 3");
      const std::string_view rest(cursor_, line_end_ - cursor_);
      const std::size_t open = rest.find('"'), close = rest.rfind('"');
      if (open == std::string_view::npos || close <= open)
        fail("the name of the group should stand in quotes: \"steel\"");
      if (!names_.emplace(std::pair(dimension, tag), rest.substr(open + 1, close - open - 1)).second)
        fail("the group " + std::to_string(tag) + " of dimension " + std::to_string(dimension) + " has two names");
    }
  }

  void read_entities() {
    need_line();
    std::array<int, 4> counts{};
    for (int& n : counts) n = count("the number of entities", 2);
    end_line();
    for (int dimension = 0; dimension < 4; ++dimension)
      for (int i = 0; i < counts[dimension]; ++i) {
        need_line();
        const int tag = integer("the tag of an entity");
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) number<double>("a coordinate");
        const int physical = few("the number of physical tags");
        std::vector<int>& groups = entities_[{dimension, tag}];
        for (int k = 0; k < physical; ++k)
          if (const int group = std::abs(integer("a physical tag")); group != 0) groups.push_back(group);
        std::ranges::sort(groups);
        groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
      }
  }

  void read_position() {
    Triple& x = part_.nodes.emplace_back();
    for (double& component : x) component = number<double>("a coordinate");
  }
  void reserve_nodes(int nodes) {
    part_.nodes.reserve(nodes);
    part_.node_labels.reserve(nodes);
    node_places_.reserve(nodes);
  }
  void read_nodes_2() {
    need_line();
    const int nodes = count("the number of nodes", 7);
    end_line();
    reserve_nodes(nodes);
    for (int i = 0; i < nodes; ++i) {
      need_line();
      part_.node_labels.push_back(label("a node's number"));
      node_places_.push_back(line_);
      read_position();
      end_line();
    }
  }
  void read_nodes_4() {
    need_line();
    const int blocks = count("the number of blocks", 7), nodes = count("the number of nodes", 7);
    reserve_nodes(nodes);
    for (int b = 0; b < blocks; ++b) {
      need_line();
      integer("the dimension of an entity"), integer("the tag of an entity");
      const int parametric = integer("0 or 1 for parameters"), in_block = count("the number of nodes", 7);
      end_line();
      for (int i = 0; i < in_block; ++i) {
        need_line();
        part_.node_labels.push_back(label("a node's number"));
        node_places_.push_back(line_);
        end_line();
      }
      for (int i = 0; i < in_block; ++i) {
        need_line();
        read_position();
        if (parametric == 0) end_line();
      }
    }
    if (static_cast<int>(part_.nodes.size()) != nodes)
      fail("the blocks of $Nodes have " + std::to_string(part_.nodes.size()) + " nodes, its first line says " +
           std::to_string(nodes));
  }

  const GmshType* find_type(int number) const {
    const auto* found = std::ranges::find(gmsh_types, number, &GmshType::number);
    return found == std::end(gmsh_types) ? nullptr : found;
  }
  int type_index(int number) {
    const auto [found, fresh] = type_index_.try_emplace(number, static_cast<int>(file_.types.size()));
    if (fresh) {
      const GmshType* type = find_type(number);
      file_.types.push_back({type ? type->name : "gmsh type " + std::to_string(number), kind_of(number)});
    }
    return found->second;
  }
  Group& group(int dimension, int tag) {
    const auto [found, fresh] = group_index_.try_emplace({dimension, tag}, static_cast<int>(groups_.size()));
    if (fresh) groups_.push_back({dimension, tag, {}});
    return groups_[found->second];
  }

  // The rest of an element's line: its nodes. dimension: of the entity, -1 where the format does not say.
  void read_element(int number, int type_number, const GmshType* type, int dimension, const std::vector<int>& groups) {
    if (type) dimension = type->dimension;
    if (dimension >= 0 && dimension < 3) {
      if (groups.empty() || !type) return;
      lower_.push_back({lower_nodes_.size(), type->nodes, type->corners});
      for (int i = 0; i < type->nodes; ++i) lower_nodes_.push_back(label("a node of the element"));
      end_line();
      lower_places_.push_back(line_);
      for (const int tag : groups) group(dimension, tag).members.push_back(static_cast<int>(lower_.size()) - 1);
      return;
    }
    const ElementKind kind = kind_of(type_number);
    part_.cells.push_back({kind, type_index(type_number), part_.cell_nodes.size(), number, line_});
    for (const int tag : groups) group(3, tag).members.push_back(static_cast<int>(part_.cells.size()) - 1);
    if (kind == ElementKind()) return;
    for (int i = 0; i < kind->nodes; ++i) part_.cell_nodes.push_back(label("a node of the element"));
    end_line();
    if (kind == ElementKind::tet10) std::iter_swap(part_.cell_nodes.end() - 2, part_.cell_nodes.end() - 1);
  }
  void read_elements_2() {
    need_line();
    const int elements = count("the number of elements", 8);
    end_line();
    std::vector<int> groups;
    for (int i = 0; i < elements; ++i) {
      need_line();
      const int number = label("an element's number"), type = integer("the type of the element");
      const int tags = few("the number of tags");
      groups.clear();
      for (int k = 0; k < tags; ++k)
        if (const int tag = integer("a tag"); k == 0 && tag != 0) groups.push_back(std::abs(tag));
      read_element(number, type, find_type(type), -1, groups);
    }
  }
  void read_elements_4() {
    need_line();
    const int blocks = count("the number of blocks", 7), elements = count("the number of elements", 3);
    int all = 0;
    const std::vector<int> none;
    for (int b = 0; b < blocks; ++b) {
      need_line();
      const int dimension = integer("the dimension of an entity"), tag = integer("the tag of an entity");
      const int type = integer("the type of the elements"), in_block = count("the number of elements", 3);
      end_line();
      if (dimension < 0 || dimension > 3) fail("the dimension of an entity is " + std::to_string(dimension));
      const auto entity = entities_.find({dimension, tag});
      const GmshType* known = find_type(type);
      if (known && known->dimension != dimension)
        fail(std::string("a ") + known->name + " in an entity of dimension " + std::to_string(dimension));
      for (int i = 0; i < in_block; ++i) {
        need_line();
        read_element(label("an element's number"), type, known, dimension,
                     entity == entities_.end() ? none : entity->second);
      }
      all += in_block;
    }
    if (all != elements)
      fail("the blocks of $Elements have " + std::to_string(all) + " elements, its first line says " +
           std::to_string(elements));
  }

  // Nodes by their position in the list.
  void resolve() {
    LabelIndex index;
    int twice[2];
    if (!index.build(part_.node_labels, twice))
      fail_at(node_places_[twice[1]], "node " + std::to_string(part_.node_labels[twice[1]]) +
                                          " comes twice, first in line " + std::to_string(node_places_[twice[0]]) +
                                          "; give each node a number of its own");
    const auto position = [&](int& node, int place) {
      const int found = index.find(node);
      if (found < 0) fail_at(place, "the element names node " + std::to_string(node) + ", which $Nodes does not have");
      node = found;
    };
    for (const MeshFile::Cell& cell : part_.cells)
      if (cell.known())
        for (int i = 0; i < cell.kind->nodes; ++i) position(part_.cell_nodes[cell.first + i], cell.place);
    for (std::size_t k = 0; k < lower_.size(); ++k)
      for (int i = 0; i < lower_[k].nodes; ++i) position(lower_nodes_[lower_[k].first + i], lower_places_[k]);
  }

  // Format 2 writes an element once for each of its groups.
  void merge_copies() {
    std::vector<int> group_of(part_.cells.size(), -1);
    int solid_groups = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (groups_[g].dimension == 3) {
        ++solid_groups;
        for (const int cell : groups_[g].members) group_of[cell] = static_cast<int>(g);
      }
    if (solid_groups < 2) return;
    std::vector<int> kept(part_.cells.size());
    std::vector<char> copy(part_.cells.size(), 0);
    bool any = false;
    for_equal_cells(part_, [&](const std::vector<int>& cells) {
      // Of one group only the first: a real duplicate stays, to be found by who takes it.
      std::vector<int> taken{group_of[cells[0]]};
      for (std::size_t i = 1; i < cells.size(); ++i) {
        const int g = group_of[cells[i]];
        if (g < 0 || std::ranges::find(taken, g) != taken.end()) continue;
        taken.push_back(g);
        copy[cells[i]] = 1, kept[cells[i]] = cells[0];
        any = true;
      }
    });
    if (!any) return;
    std::vector<MeshFile::Cell> cells;
    for (std::size_t c = 0; c < part_.cells.size(); ++c)
      if (!copy[c]) {
        kept[c] = static_cast<int>(cells.size());
        cells.push_back(part_.cells[c]);
      }
    for (Group& g : groups_)
      if (g.dimension == 3)
        for (int& cell : g.members) cell = copy[cell] ? kept[kept[cell]] : kept[cell];
    part_.cells = std::move(cells);
  }

  void check_labels() {
    std::vector<int> labels;
    labels.reserve(part_.cells.size());
    for (const MeshFile::Cell& cell : part_.cells) labels.push_back(cell.label);
    int twice[2];
    if (LabelIndex index; !index.build(labels, twice))
      fail_at(part_.cells[twice[1]].place,
              "element " + std::to_string(labels[twice[1]]) + " comes twice, first in line " +
                  std::to_string(part_.cells[twice[0]].place) + "; give each element a number of its own");
  }

  std::string name_of(const Group& g) const {
    static constexpr const char* words[] = {"point_", "curve_", "surface_", "volume_"};
    const auto found = names_.find({g.dimension, g.tag});
    return found != names_.end() && !found->second.empty() ? found->second : words[g.dimension] + std::to_string(g.tag);
  }
  void name_groups() {
    std::map<std::string, std::vector<int>> nodes, cells;
    std::map<std::string, std::vector<MeshFile::Side>> surfaces;
    const SideFinder finder(part_, wanted_sides());
    for (const Group& g : groups_) {
      const std::string name = name_of(g);
      if (g.dimension == 3) {
        std::vector<int>& list = cells[name];
        list.insert(list.end(), g.members.begin(), g.members.end());
        continue;
      }
      std::size_t lost = 0;
      std::vector<int>& set = nodes[name];
      std::vector<MeshFile::Side>& sides = surfaces[name];
      for (const int k : g.members) {
        const int* first = &lower_nodes_[lower_[k].first];
        set.insert(set.end(), first, first + lower_[k].nodes);
        if (g.dimension == 2) lost += finder.find(first, lower_[k].corners, sides) == 0;
      }
      if (lost > 0)
        file_.notes.push_back("surface '" + name + "': " + std::to_string(lost) + " of " +
                              counted(g.members.size(), "face") +
                              " lie on no side of a hex8, tet4 or tet10; they count for the set of nodes alone");
    }
    add_sorted(nodes, part_.sets.nodes);
    add_sorted(cells, part_.sets.cells);
    add_sorted(surfaces, part_.sets.surfaces);
  }
  std::vector<char> wanted_sides() const {  // [node]
    std::vector<char> wanted(part_.nodes.size(), 0);
    for (const Group& g : groups_)
      if (g.dimension == 2)
        for (const int k : g.members)
          for (int i = 0; i < lower_[k].corners; ++i) wanted[lower_nodes_[lower_[k].first + i]] = 1;
    return wanted;
  }

  MeshFile& file_;
  MeshFile::Part& part_;
  const char *at_, *end_, *begin_ = nullptr, *cursor_ = nullptr, *line_end_ = nullptr;
  int line_ = 0;
  double version_ = 0;
  std::string section_;
  std::map<std::string, bool> seen_;
  std::map<std::pair<int, int>, std::string> names_;          // dimension, tag
  std::map<std::pair<int, int>, std::vector<int>> entities_;  // dimension, tag -> physical tags
  std::map<std::pair<int, int>, int> group_index_;
  std::vector<Group> groups_;
  std::map<int, int> type_index_;
  std::vector<int> node_places_;  // [node]
  std::vector<Lower> lower_;
  std::vector<int> lower_nodes_, lower_places_;
};

}  // namespace

void read_gmsh(std::string_view text, MeshFile& file) {
  add_source(file, file.path, text);
  GmshReader(text, file).read();
}

}  // namespace lithe

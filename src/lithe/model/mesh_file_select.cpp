#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/small.h"
#include "lithe/model/mesh_file_sides.h"
#include "lithe/model/mesh_file_text.h"

namespace lithe {

namespace {

using Instance = MeshFile::Instance;

// An element this thin for its edges is flat.
constexpr double flat = 1e-10;

std::string shortened(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string list;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) list += (i > 0 ? ", " : "") + names[i];
  return names.size() > most ? list + ", ... (" + std::to_string(names.size()) + " in all)" : list;
}

// " (did you mean 'x'?)", or those that there are.
std::string hint(const std::string& name, const std::vector<std::string>& known, const std::string& nouns) {
  const std::string near = suggestion(name, known);
  const std::string there = known.empty() ? "the file has no " + nouns : nouns + " of the file: " + shortened(known);
  return (near.starts_with(" (did") ? near : "") + "; " + there;
}

class Selection {
 public:
  Selection(const MeshFile& file, ElementKind kind, const std::string& group)
      : file_(file), kind_(kind), group_(group) {}

  BodyMesh make(const std::string& instance_name) {
    const Instance& instance = find_instance(instance_name);
    const MeshFile::Part& part = file_.parts[instance.part];
    take_cells(instance, part);
    check_shapes(part);
    check_copies(part);
    take_nodes(instance, part);
    take_sets(instance, part);
    return std::move(body_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw InputError(Where{file_.path, 0, ""}, why); }
  bool same(const std::string& a, const std::string& b) const {
    return a == b || (file_.any_case && upper(a) == upper(b));
  }
  template <class T>
  const std::vector<T>* find(const Named<std::vector<T>>& sets, const std::string& name) const {
    if (const auto* list = sets.find(name)) return list;
    for (const auto& [known, list] : sets.items)
      if (same(known, name)) return &list;
    return nullptr;
  }
  const std::vector<int>* find_group(const Instance& instance) const {
    const auto* list = find(instance.sets.cells, group_);
    return list ? list : find(file_.parts[instance.part].sets.cells, group_);
  }

  const Instance& find_instance(const std::string& name) const {
    std::vector<const Instance*> found;
    std::vector<std::string> known;
    for (const Instance& instance : file_.instances) {
      if (file_.parts[instance.part].cells.empty()) continue;
      if (!instance.name.empty()) known.push_back(instance.name);
      if (name.empty() ? group_.empty() || find_group(instance) : same(instance.name, name)) found.push_back(&instance);
    }
    if (!name.empty()) {
      if (found.empty()) fail("there is no instance '" + name + "'" + hint(name, known, "instances"));
      return *found.front();
    }
    if (found.size() == 1) return *found.front();
    if (found.empty()) no_group(nullptr);
    std::vector<std::string> several;
    for (const Instance* instance : found) several.push_back(instance->name.empty() ? "(the model)" : instance->name);
    fail((group_.empty() ? "the file has " + counted(found.size(), "instance")
                         : "group '" + group_ + "' is in " + counted(found.size(), "instance")) +
         "; say with 'instance' which one the body is: " + shortened(several));
  }

  [[noreturn]] void no_group(const Instance* only) const {
    std::vector<std::string> known;
    bool surface = false;
    const auto look = [&](const MeshFile::Sets& sets) {
      for (const std::string& name : sets.cells.names())
        if (std::ranges::find(known, name) == known.end()) known.push_back(name);
      surface = surface || find(sets.surfaces, group_) || find(sets.nodes, group_);
    };
    for (const Instance& instance : file_.instances)
      if (!only || &instance == only) {
        look(instance.sets);
        look(file_.parts[instance.part].sets);
      }
    fail("there is no group '" + group_ + "' of elements" + (surface ? " (there is a surface or a set of nodes)" : "") +
         hint(group_, known, "groups"));
  }

  // The cells of the body, all of its kind.
  void take_cells(const Instance& instance, const MeshFile::Part& part) {
    std::vector<int> all;
    if (group_.empty()) {
      all.resize(part.cells.size());
      for (std::size_t c = 0; c < all.size(); ++c) all[c] = static_cast<int>(c);
    } else {
      const std::vector<int>* list = find_group(instance);
      if (!list) no_group(&instance);
      all = *list;
    }
    std::vector<std::size_t> count(file_.types.size(), 0);
    for (const int c : all) ++count[part.cells[c].type];
    std::string wrong, skipped, variants;
    std::vector<ElementKind> kinds;
    std::size_t other = 0, right = 0;
    for (std::size_t t = 0; t < count.size(); ++t) {
      const MeshFile::Type& type = file_.types[t];
      if (count[t] == 0) continue;
      const std::string text = std::to_string(count[t]) + " " + type.name;
      const auto add = [&](std::string& list, const std::string& what) { list += (list.empty() ? "" : ", ") + what; };
      if (type.kind == kind_) {
        right += count[t];
        if (!type.plain) add(variants, text);
      } else if (type.kind != ElementKind()) {
        other += count[t];
        kinds.push_back(type.kind);
        add(wrong, text + " (" + type.kind->name + ")");
      } else if (type.solid) {
        add(wrong, text + " (not known)");
        other += count[t];
      } else {
        add(skipped, text);
      }
    }
    const std::string what = group_.empty() ? "the body" : "group '" + group_ + "'";
    if (other > 0) wrong_kinds(what, wrong, kinds, right, other);
    if (right == 0) fail(what + " has no elements with a volume" + (skipped.empty() ? "" : ", only " + skipped));
    if (!skipped.empty()) body_.notes.push_back("left out, as they have no volume: " + skipped);
    if (!variants.empty())
      body_.notes.push_back("read as plain, fully integrated " + std::string(kind_->name) + ": " + variants);
    for (const int c : all)
      if (part.cells[c].kind == kind_) cells_.push_back(c);
  }

  [[noreturn]] void wrong_kinds(const std::string& what, const std::string& wrong, std::vector<ElementKind> kinds,
                                std::size_t right, std::size_t other) const {
    const bool one = right == 0 && !kinds.empty() && wrong.find("not known") == std::string::npos &&
                     std::ranges::all_of(kinds, [&](ElementKind k) { return k == kinds[0]; });
    if (one)
      fail(what + " has " + wrong + ", but its element is " + kind_->name + "; write 'element: " + kinds[0]->name +
           "'");
    fail(
        what + " has " + std::to_string(right) + " " + kind_->name + " and " + std::to_string(other) +
        " of other types: " + wrong +
        "; a body has elements of one kind: hex8, tet4 and tet10 are read, give each of them a group and a body of its "
        "own, mesh the rest with them");
  }

  void check_shapes(const MeshFile::Part& part) const {
    const ElementInfo& info = kind_.info();
    double slopes[most_vectors][3];
    const double middle = info.cell == Cell::cube ? 0 : 0.25, xi[3] = {middle, middle, middle};
    info.derivative(xi, &slopes[0][0]);
    const MeshFile::Cell* first = nullptr;
    std::size_t bad = 0, negative = 0;
    double volume = 0;
    for (const int c : cells_) {
      const std::span<const int> nodes = nodes_of(part, part.cells[c]);
      int sorted[most_vectors];
      std::copy(nodes.begin(), nodes.end(), sorted);
      std::sort(sorted, sorted + info.nodes);
      if (const int* twice = std::adjacent_find(sorted, sorted + info.nodes); twice != sorted + info.nodes)
        throw InputError(file_.where(part.cells[c].place),
                         "element " + std::to_string(part.cells[c].label) + " names node " +
                             std::to_string(part.node_labels[*twice]) +
                             " twice: collapsed elements are not read; mesh this place otherwise");
      Mat3<double> J{};
      for (int n = 0; n < info.nodes; ++n)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) J[i][j] += part.nodes[nodes[n]][i] * slopes[n][j];
      const double size = det(J), edges = norm(column(J, 0)) * norm(column(J, 1)) * norm(column(J, 2));
      if (size > flat * edges) continue;
      ++bad;
      negative += size < -flat * edges;
      if (first) continue;
      first = &part.cells[c];
      volume = size * (info.cell == Cell::cube ? 8 : 1.0 / 6);
    }
    if (!first) return;
    const bool all = negative == cells_.size();
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", volume);
    throw InputError(
        file_.where(first->place),
        "element " + std::to_string(first->label) + " is inverted or flat: its volume is " + text + " m^3" +
            (bad == 1 ? "" : ", and so are " + std::to_string(bad - 1) + " more of " + std::to_string(cells_.size())) +
            (all ? "; the mesh was mirrored, or its nodes are not in the order of the format"
                 : "; repair the mesh where it is made"));
  }

  void check_copies(const MeshFile::Part& part) const {
    const MeshFile::Cell *first = nullptr, *second = nullptr;
    std::size_t copies = 0;
    for_equal_cells(part, cells_, [&](const std::vector<int>& cells) {
      copies += cells.size() - 1;
      if (second && part.cells[cells[1]].place > second->place) return;
      first = &part.cells[cells[0]], second = &part.cells[cells[1]];
    });
    if (second)
      throw InputError(file_.where(second->place),
                       "element " + std::to_string(second->label) + " has the same nodes as element " +
                           std::to_string(first->label) + ": mass and stiffness would count twice (" +
                           counted(copies, "such element") + "); remove one of them");
  }

  void take_nodes(const Instance& instance, const MeshFile::Part& part) {
    node_number_.assign(part.nodes.size(), -1);
    body_.elements.reserve(cells_.size() * kind_->nodes);
    body_.element_labels.reserve(cells_.size());
    for (const int c : cells_) {
      for (const int n : nodes_of(part, part.cells[c])) node_number_[n] = 0;
      body_.element_labels.push_back(part.cells[c].label);
    }
    std::vector<char> others(part.nodes.size(), 0);  // nodes of cells of other bodies
    for (const MeshFile::Cell& cell : part.cells)
      if (cell.known())
        for (const int n : nodes_of(part, cell)) others[n] = 1;
    std::size_t loose = 0;
    int first_loose = -1;
    for (std::size_t n = 0; n < part.nodes.size(); ++n) {
      if (node_number_[n] < 0) {
        if (!others[n] && loose++ == 0) first_loose = static_cast<int>(n);
        continue;
      }
      node_number_[n] = static_cast<int>(body_.nodes.size());
      body_.nodes.push_back(instance.placement.is_identity() ? part.nodes[n] : instance.placement(part.nodes[n]));
      body_.node_labels.push_back(part.node_labels[n]);
    }
    for (const int c : cells_)
      for (const int n : nodes_of(part, part.cells[c])) body_.elements.push_back(node_number_[n]);
    if (loose > 0)
      body_.notes.push_back(counted(loose, "node") + " in no element with a volume left out (the first is node " +
                            std::to_string(part.node_labels[first_loose]) + ")");
  }

  void take_sets(const Instance& instance, const MeshFile::Part& part) {
    std::vector<int> number(part.cells.size(), -1);
    for (std::size_t e = 0; e < cells_.size(); ++e) number[cells_[e]] = static_cast<int>(e);
    std::vector<std::string> lost;
    // Those of the assembly go before those of the part.
    for (const MeshFile::Sets* sets : {&instance.sets, &part.sets}) {
      add_lists(sets->nodes, body_.sets, lost, [&](int n, std::vector<int>& out) {
        if (node_number_[n] >= 0) out.push_back(node_number_[n]);
      });
      add_lists(sets->cells, body_.element_sets, lost, [&](int c, std::vector<int>& out) {
        if (number[c] >= 0) out.push_back(number[c]);
      });
      add_lists(sets->surfaces, body_.sides, lost, [&](MeshFile::Side side, std::vector<BodyMesh::Side>& out) {
        if (number[side.cell] >= 0) out.push_back({number[side.cell], side.side});
      });
    }
    std::ranges::sort(lost);
    lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
    if (!lost.empty() && group_.empty())
      body_.notes.push_back("names without a node or an element of the body left out: " + shortened(lost));
  }
  template <class From, class To, class Take>
  void add_lists(const Named<std::vector<From>>& from, Named<std::vector<To>>& to, std::vector<std::string>& lost,
                 Take&& take) {
    for (const auto& [name, list] : from.items) {
      std::vector<To> taken;
      for (const From& item : list) take(item, taken);
      if (taken.empty()) lost.push_back(name);
      else if (!to.find(name)) to.add(name, std::move(taken));
      else body_.notes.push_back("the set '" + name + "' of the part is hidden by that of the assembly");
    }
  }

  const MeshFile& file_;
  const ElementKind kind_;
  const std::string& group_;
  std::vector<int> cells_;        // of the part, increasing
  std::vector<int> node_number_;  // [node of the part] in the body; -1: not in it
  BodyMesh body_;
};

}  // namespace

BodyMesh select(const MeshFile& file, ElementKind kind, const std::string& instance, const std::string& group) {
  require(kind == ElementKind::hex8 || kind == ElementKind::tet4 || kind == ElementKind::tet10,
          file.path + ": a mesh file makes elements hex8, tet4 and tet10; the body has " + kind->name);
  return Selection(file, kind, group).make(instance);
}

}  // namespace lithe

// Abaqus and CalculiX decks: *KEYWORD, PARAMETER=VALUE lines, each with its data lines; ** is a comment. What says
// nothing about the mesh (materials, steps, ...) is skipped.
#include "lithe/model/mesh_file_abaqus.h"

#include <algorithm>
#include <filesystem>

namespace lithe {

namespace {

// Fields of a data line, between commas.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}
  bool next(std::string_view& field) {
    if (done_) return false;
    const std::size_t comma = rest_.find(',');
    field = trimmed(rest_.substr(0, comma));
    if (comma == std::string_view::npos) {
      done_ = true;
      return !field.empty();  // nothing after the last comma
    }
    rest_.remove_prefix(comma + 1);
    return true;
  }

 private:
  std::string_view rest_;
  bool done_ = false;
};

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : upper(text))
    if (c != ' ' && c != '\t') result += c;
  return result;
}

struct Keyword {
  std::string name;                                           // upper case, without blanks: "ENDPART"
  std::vector<std::pair<std::string, std::string>> settings;  // "TYPE", "C3D8"

  const std::string* find(std::string_view key) const {
    const auto found = std::ranges::find(settings, key, &std::pair<std::string, std::string>::first);
    return found == settings.end() ? nullptr : &found->second;
  }
};

Keyword parse_keyword(std::string_view line) {
  Keyword keyword;
  bool open = false;
  std::size_t begin = 1;
  for (std::size_t i = 1; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') open = !open;
    if (i < line.size() && (line[i] != ',' || open)) continue;
    const std::string_view piece = trimmed(line.substr(begin, i - begin));
    begin = i + 1;
    if (keyword.name.empty()) {
      keyword.name = without_blanks(piece);
      continue;
    }
    if (piece.empty()) continue;
    const std::size_t equal = piece.find('=');
    std::string_view value = equal == std::string_view::npos ? "" : trimmed(piece.substr(equal + 1));
    if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    keyword.settings.emplace_back(without_blanks(piece.substr(0, equal)), value);
  }
  return keyword;
}

// Elements with a volume; others (shells, beams, springs) may be left out of a solid body.
bool has_volume(const std::string& type) {
  for (const char* start : {"SC6", "SC8", "CSS8", "COH3D", "CIN3D", "F3D"})
    if (type.starts_with(start)) return true;
  return type.find("C3D") != std::string::npos;
}

MeshFile::Type element_type(const std::string& name) {
  for (const auto& [plain, kind] : {std::pair{"C3D8", ElementKind::hex8}, std::pair{"C3D4", ElementKind::tet4},
                                    std::pair{"C3D10", ElementKind::tet10}}) {
    const std::string_view stem = plain, type = name;
    const auto letter = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (type.starts_with(stem) && std::ranges::all_of(type.substr(stem.size()), letter))
      return {name, kind, true, type == stem};
  }
  return {name, ElementKind(), has_volume(name), true};
}

// Keywords that make or move nodes and elements in ways that are not read: to skip them would change the mesh.
constexpr const char* mesh_makers[] = {"NGEN",   "NFILL",  "NCOPY",     "NMAP",  "ELGEN",
                                       "ELCOPY", "SYSTEM", "PARAMETER", "IMPORT"};

class DeckReader {
 public:
  explicit DeckReader(MeshFile& file) : file_(file) {
    file_.any_case = true;
    file_.parts.emplace_back();
    file_.instances.emplace_back();
    deck_.node_places.emplace_back();
  }

  void read(std::string_view text) {
    read_source(file_.path, text);
    end_data();
    const char* open = scope_ == Scope::part ? "*PART" : scope_ == Scope::instance ? "*INSTANCE" : "*ASSEMBLY";
    if (scope_ != Scope::model)
      fail(std::string(open) + " " + in_quotes(scope_name_) + " has no end: the file is cut off; save it again");
    if (file_.instances.size() == 1)
      for (std::size_t p = 1; p < file_.parts.size(); ++p)
        file_.instances.push_back({file_.parts[p].name, static_cast<int>(p), {}, {}});
    resolve_deck(deck_, file_);
  }

 private:
  enum class Scope { model, part, assembly, instance };
  enum class Data { skipped, nodes, elements, set, surface, node_surface, placement };

  [[noreturn]] void fail(const std::string& why) const { throw InputError(file_.where(place_), why); }
  MeshFile::Part& part() { return file_.parts[owner_.instance ? 0 : owner_.index]; }
  std::vector<int>& node_places() { return deck_.node_places[owner_.instance ? 0 : owner_.index]; }

  void read_source(const std::string& path, std::string_view text) {
    if (text.find('\0') != std::string_view::npos)
      throw InputError(Where{path, 0, ""}, "this is a binary file; a deck (.inp) is text: save it as such");
    const int before = add_source(file_, path, text);
    const char *at = text.data(), *end = at + text.size();
    int line = 0;
    const auto next = [&](std::string_view& out) {  // lines with something in them
      while (at != end) {
        const char* stop = std::find(at, end, '\n');
        out = trimmed({at, static_cast<std::size_t>(stop - at)});
        at = stop == end ? end : stop + 1;
        place_ = before + ++line;
        if (!out.empty() && !out.starts_with("**")) return true;
      }
      return false;
    };
    open_.push_back(path);
    for (std::string_view here; next(here);) {
      if (here.front() != '*') {
        read_data(here);
        continue;
      }
      std::string whole(here);
      const int place = place_;
      while (whole.back() == ',' && at != end && next(here)) {
        if (here.front() == '*') fail("the keyword above ends with a comma, so this line should go on with it");
        whole += here;
      }
      place_ = place;
      read_keyword(parse_keyword(whole));
      place_ = before + line;
    }
    open_.pop_back();
  }

  void include(const Keyword& keyword) {
    const std::string* input = keyword.find("INPUT");
    if (!input || input->empty()) fail("*INCLUDE needs INPUT=FILE");
    const std::filesystem::path said = *input, folder = std::filesystem::path(open_.back()).parent_path();
    const std::string path = said.is_absolute() ? *input : (folder / said).string();
    if (std::ranges::find(open_, path) != open_.end()) fail(in_quotes(path) + " includes itself; remove one *INCLUDE");
    constexpr std::size_t most = 1000;
    if (file_.sources.size() >= most || open_.size() >= 50)
      fail("too many *INCLUDE: more than 1000 files, or 50 in one another");
    std::string text;
    try {
      text = load_text(path);
    } catch (const InputError& error) {
      fail(std::string("*INCLUDE: ") + error.what());
    }
    read_source(path, text);
  }

  const std::string& need(const Keyword& keyword, const char* key) const {
    const std::string* value = keyword.find(key);
    if (!value || value->empty()) fail("*" + keyword.name + " needs " + key + "=...");
    return *value;
  }

  void read_keyword(const Keyword& keyword) {
    const std::string& name = keyword.name;
    if (name == "INCLUDE") return include(keyword);  // data lines may go on in the file
    end_data();
    data_ = Data::skipped;
    if (name == "PART") begin_part(keyword);
    else if (name == "ENDPART") end_scope(Scope::part, Scope::model, "*PART");
    else if (name == "ASSEMBLY") {
      if (scope_ != Scope::model)
        fail("*ASSEMBLY inside of " + in_quotes(scope_name_) + "; an *END is missing before it");
      assembly_name_ = keyword.find("NAME") ? *keyword.find("NAME") : "";
      begin_scope(Scope::assembly, {}, assembly_name_);
    } else if (name == "ENDASSEMBLY") end_scope(Scope::assembly, Scope::model, "*ASSEMBLY");
    else if (name == "INSTANCE") begin_instance(keyword);
    else if (name == "ENDINSTANCE") end_scope(Scope::instance, Scope::assembly, "*INSTANCE");
    else if (name == "NODE" || name == "ELEMENT") begin_mesh(keyword);
    else if (name == "NSET" || name == "ELSET") begin_set(keyword);
    else if (name == "SURFACE") begin_surface(keyword);
    else if (std::ranges::find(mesh_makers, name) != std::end(mesh_makers))
      fail("*" + name +
           " makes or moves parts of the mesh in a way that is not read; write the deck with plain nodes "
           "and elements");
  }

  void begin_scope(Scope scope, DeckOwner owner, const std::string& name) {
    scope_ = scope, owner_ = owner, scope_name_ = name;
  }
  void end_scope(Scope ends, Scope outer, const char* keyword) {
    if (scope_ != ends) fail(std::string("there is no ") + keyword + " to end here");
    begin_scope(outer, {}, outer == Scope::assembly ? assembly_name_ : "");
  }
  int new_name(std::map<std::string, int>& names, const std::string& name, std::size_t number, const char* what) const {
    if (!names.emplace(upper(name), static_cast<int>(number)).second)
      fail(std::string("there are two ") + what + " " + in_quotes(name) + "; names must be unique");
    return static_cast<int>(number);
  }
  void begin_part(const Keyword& keyword) {
    if (scope_ != Scope::model) fail("*PART inside of " + in_quotes(scope_name_) + "; an *END is missing before it");
    const std::string& name = need(keyword, "NAME");
    begin_scope(Scope::part, {false, new_name(deck_.part_names, name, file_.parts.size(), "parts")}, name);
    file_.parts.emplace_back().name = name;
    deck_.node_places.emplace_back();
  }
  void begin_instance(const Keyword& keyword) {
    if (scope_ != Scope::assembly) fail("*INSTANCE outside of the assembly, or inside of another instance");
    const std::string &name = need(keyword, "NAME"), &part_name = need(keyword, "PART");
    const auto found = deck_.part_names.find(upper(part_name));
    if (found == deck_.part_names.end()) {
      std::vector<std::string> known;
      for (std::size_t p = 1; p < file_.parts.size(); ++p) known.push_back(file_.parts[p].name);
      fail("instance " + in_quotes(name) + ": there is no part " + in_quotes(part_name) + suggestion(part_name, known));
    }
    begin_scope(Scope::instance, {true, new_name(deck_.instance_names, name, file_.instances.size(), "instances")},
                name);
    file_.instances.push_back({name, found->second, {}, {}});
    data_ = Data::placement;
    placement_lines_ = 0;
  }

  void begin_mesh(const Keyword& keyword) {
    if (scope_ == Scope::instance)
      fail("*" + keyword.name + " inside of an instance is not read; put it into the part");
    if (keyword.find("INPUT"))
      fail("*" + keyword.name + " with INPUT is not read; write *INCLUDE, INPUT=... in the line below instead");
    const bool nodes = keyword.name == "NODE";
    if (nodes) {
      if (const std::string* system = keyword.find("SYSTEM"); system && upper(*system) != "R")
        fail("*NODE, SYSTEM=" + *system + " is not read; write the nodes in x, y, z");
    } else {
      const std::string type = without_blanks(need(keyword, "TYPE"));
      const auto [found, fresh] = type_index_.try_emplace(type, static_cast<int>(file_.types.size()));
      if (fresh) file_.types.push_back(element_type(type));
      type_ = found->second;
    }
    data_ = nodes ? Data::nodes : Data::elements;
    const std::string* set = keyword.find(nodes ? "NSET" : "ELSET");
    named_ = set && !set->empty();
    if (named_) new_set(*set, nodes);
  }
  void new_set(const std::string& name, bool nodes) {
    deck_.sets.push_back({name, nodes, owner_, scope_ == Scope::assembly || scope_ == Scope::model, {}});
  }
  void begin_set(const Keyword& keyword) {
    const bool nodes = keyword.name == "NSET";
    new_set(need(keyword, nodes ? "NSET" : "ELSET"), nodes);
    DeckSet& set = deck_.sets.back();
    if (const std::string* instance = keyword.find("INSTANCE")) {
      const auto found = deck_.instance_names.find(upper(*instance));
      if (found == deck_.instance_names.end()) fail("there is no instance " + in_quotes(*instance) + " up to here");
      set.owner = {true, found->second};
      set.assembly = false;
    }
    if (const std::string* cells = keyword.find("ELSET"); nodes && cells) {
      DeckEntry& entry = set.entries.emplace_back();
      entry.name = *cells, entry.of_cells = true, entry.place = place_;
    }
    generate_ = keyword.find("GENERATE") != nullptr;
    data_ = Data::set;
  }
  void begin_surface(const Keyword& keyword) {
    const std::string& name = need(keyword, "NAME");
    const std::string type = keyword.find("TYPE") ? upper(*keyword.find("TYPE")) : "ELEMENT";
    if (keyword.find("COMBINE") || keyword.find("CROP") || (type != "ELEMENT" && type != "NODE")) {
      file_.notes.push_back("surface " + in_quotes(name) +
                            " is left out: only surfaces of elements and of nodes are read");
      return;
    }
    if (type == "NODE") {
      new_set(name, true);
      data_ = Data::node_surface;
    } else {
      deck_.surfaces.push_back({name, owner_, scope_ == Scope::assembly || scope_ == Scope::model, {}});
      data_ = Data::surface;
    }
  }

  void read_data(std::string_view line) {
    switch (data_) {
      case Data::skipped:
        return;
      case Data::nodes:
        return read_node(line);
      case Data::elements:
        return read_element(line);
      case Data::set:
        return generate_ ? read_generated(line) : read_members(line);
      case Data::surface:
        return read_side(line);
      case Data::node_surface:
        return read_surface_node(line);
      case Data::placement:
        return read_placement(line);
    }
  }

  int label(std::string_view field, const char* what) const {
    int x = 0;
    if (!parse(field, x) || x < 1)
      fail(in_quotes(field) + " is not " + what + ": labels are whole numbers from 1 to 2147483647");
    return x;
  }
  double number(std::string_view field, const char* what) const {
    double x = 0;
    if (!parse(field, x)) fail(in_quotes(field) + " is not " + what + ": a number is wanted");
    return x;
  }

  void read_node(std::string_view line) {
    Fields fields(line);
    std::string_view field;
    fields.next(field);
    const int node = label(field, "the label of a node");
    Triple x{};
    for (double& component : x) {
      if (!fields.next(field)) fail("node " + std::to_string(node) + " has fewer than three coordinates; give x, y, z");
      component = number(field, "a coordinate");
    }
    part().nodes.push_back(x);
    part().node_labels.push_back(node);
    node_places().push_back(place_);
    if (named_) deck_.sets.back().add_label(node, place_);
  }

  // An element goes on in the next line where its line ends with a comma.
  void read_element(std::string_view line) {
    const ElementKind kind = file_.types[type_].kind;
    Fields fields(line);
    std::string_view field;
    if (!open_element_) {
      fields.next(field);
      const int number = label(field, "the label of an element");
      part().cells.push_back({kind, type_, part().cell_nodes.size(), number, place_});
      nodes_read_ = 0;
      if (named_) deck_.sets.back().add_label(number, place_);
    }
    open_element_ = line.back() == ',';
    if (kind == ElementKind()) return;
    const std::string name = "element ";
    while (fields.next(field)) {
      if (nodes_read_++ == kind->nodes)
        fail(name + std::to_string(part().cells.back().label) + " has more than the " + std::to_string(kind->nodes) +
             " nodes of " + file_.types[type_].name);
      part().cell_nodes.push_back(label(field, "the label of a node"));
    }
    if (nodes_read_ == kind->nodes) open_element_ = false;
    else if (!open_element_) short_element();
  }
  [[noreturn]] void short_element() {
    fail("element " + std::to_string(part().cells.back().label) + " has " + counted(nodes_read_, "node") + "; " +
         file_.types[type_].name + " has " + std::to_string(file_.types[type_].kind->nodes) +
         " (a line that goes on ends with a comma)");
  }
  void end_data() {
    if (std::exchange(open_element_, false) && file_.types[type_].kind != ElementKind()) short_element();
  }

  // A label, or the name of another set.
  DeckEntry entry(std::string_view field) const {
    DeckEntry result;
    result.place = place_;
    int x = 0;
    if (parse(field, x)) result.first = result.last = label(field, "the label of a member");
    else
      result.name =
          field.size() > 1 && field.front() == '"' && field.back() == '"' ? field.substr(1, field.size() - 2) : field;
    return result;
  }
  void read_members(std::string_view line) {
    Fields fields(line);
    for (std::string_view field; fields.next(field);) {
      if (field.empty()) continue;
      DeckEntry member = entry(field);
      if (member.name.empty()) deck_.sets.back().add_label(member.first, place_);
      else deck_.sets.back().entries.push_back(std::move(member));
    }
  }
  void read_generated(std::string_view line) {
    Fields fields(line);
    std::string_view field;
    DeckEntry range;
    range.generated = true, range.place = place_;
    fields.next(field);
    range.first = label(field, "the first label");
    if (!fields.next(field)) fail("GENERATE wants first, last, increment");
    range.last = label(field, "the last label");
    if (fields.next(field)) range.step = label(field, "the increment");
    if (range.last < range.first)
      fail("the last label " + std::to_string(range.last) + " is below the first, " + std::to_string(range.first));
    deck_.sets.back().entries.push_back(range);
  }
  void read_side(std::string_view line) {
    Fields fields(line);
    std::string_view field, face;
    fields.next(field);
    DeckSurface::Row row{entry(field), 0};
    if (row.cells.name.empty() && row.cells.first == 0)
      fail("an element or a set of elements is wanted, then S1 to S6");
    if (fields.next(face) && !face.empty()) {
      const std::string word = upper(face);
      if (word.size() != 2 || word[0] != 'S' || word[1] < '1' || word[1] > '6') {
        file_.notes.push_back("surface " + in_quotes(deck_.surfaces.back().name) + ": side " + in_quotes(face) +
                              " is left out; S1 to S6 of solids are read");
        return;
      }
      row.face = word[1] - '0';
    }
    deck_.surfaces.back().rows.push_back(std::move(row));
  }
  void read_surface_node(std::string_view line) {
    Fields fields(line);
    if (std::string_view field; fields.next(field) && !field.empty()) deck_.sets.back().entries.push_back(entry(field));
  }

  // Translation in the first line; then two points of an axis and the angle around it in degrees.
  void read_placement(std::string_view line) {
    std::vector<double> x;
    Fields fields(line);
    for (std::string_view field; fields.next(field);) x.push_back(field.empty() ? 0 : number(field, "a coordinate"));
    RigidPlacement& placement = file_.instances[owner_.index].placement;
    if (x.size() == 3 && placement_lines_ == 0) {
      for (int i = 0; i < 3; ++i) placement.translation[i] = x[i];
      placement_lines_ = 1;
    } else if (x.size() == 7 && placement_lines_ < 2) {
      if (!placement.turn(x.data(), x.data() + 3, x[6])) fail("the two points of the rotation's axis are the same");
      placement_lines_ = 2;
    } else {
      fail("instance " + in_quotes(scope_name_) + ": this line has " + counted(x.size(), "number") +
           "; a translation has 3, then a rotation 7 (two points of its axis and degrees)");
    }
  }
  MeshFile& file_;
  Deck deck_;
  std::vector<std::string> open_;  // files that include one another
  std::map<std::string, int> type_index_;
  int place_ = 0;
  Scope scope_ = Scope::model;
  DeckOwner owner_;
  std::string scope_name_, assembly_name_;
  Data data_ = Data::skipped;
  int type_ = 0, nodes_read_ = 0, placement_lines_ = 0;
  bool open_element_ = false, named_ = false, generate_ = false;
};

}  // namespace

void DeckSet::add_label(int label, int place) {
  if (!entries.empty()) {
    DeckEntry& run = entries.back();
    if (run.name.empty() && !run.generated && run.last + 1 == label) {
      run.last = label;
      return;
    }
  }
  DeckEntry& one = entries.emplace_back();
  one.first = one.last = label, one.place = place;
}

void read_abaqus(std::string_view text, MeshFile& file) { DeckReader(file).read(text); }

}  // namespace lithe

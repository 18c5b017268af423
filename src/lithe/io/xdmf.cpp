#include "lithe/io/xdmf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "lithe/base/error.h"
#include "lithe/base/version.h"
#include "lithe/elements/kinds.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/result_bodies.h"

namespace lithe {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

// What is told as one grid: a body, or of very many all of a kind, whose parts lie side by side in the file.
struct Piece {
  std::string name;
  const ResultBody* first;
  int nodes = 0, elements = 0;
};

std::vector<Piece> pieces(const ResultInfo& info) {
  std::vector<Piece> list;
  if (info.bodies.size() <= most_grids) {
    for (const ResultBody& body : info.bodies)
      if (!body.reduced()) list.push_back({body.name, &body, body.nodes, body.elements()});
    return list;
  }
  for (const std::size_t b : order_in_file(info)) {
    const ResultBody& body = info.bodies[b];
    if (body.reduced()) continue;
    if (list.empty() || !same_kind(*list.back().first, body)) {
      const auto twice =
          std::ranges::count_if(list, [&](const Piece& piece) { return piece.first->element == body.element; });
      list.push_back({body.element + (twice ? " " + std::to_string(twice + 1) : ""), &body});
    }
    list.back().nodes += body.nodes;
    list.back().elements += body.elements();
  }
  return list;
}

// A part of a dataset. The comment is not for people: ParaView's reader takes the first thing inside a geometry's
// DataItem for the name of its data, and a name seen before for the same data.
struct Slab {
  std::string dataset;
  const char* type;  // of its numbers
  std::vector<std::size_t> whole, start, stride, count;

  std::string item(const std::string& shape, std::size_t step) const {
    return fmt::format(
        R"(<DataItem ItemType="HyperSlab" Dimensions="{}"><!--step {}--><DataItem Dimensions="3 {}" Format="XML">{} {} {}</DataItem><DataItem Format="HDF" NumberType={} Dimensions="{}">{}</DataItem></DataItem>)",
        shape, step, whole.size(), fmt::join(start, " "), fmt::join(stride, " "), fmt::join(count, " "), type,
        fmt::join(whole, " "), dataset);
  }
};

constexpr const char *real = "\"Float\" Precision=\"8\"", *integer = "\"Int\" Precision=\"4\"";

std::size_t at(int n) { return static_cast<std::size_t>(n); }

// Where the arrays of a result lie.
struct Source {
  const ResultInfo& info;
  std::string file;  // "out.h5:/"
  std::size_t rows;  // of fields

  // Numbers that belong to the elements and do not grow.
  Slab of_elements(const std::string& dataset, int all, int first, std::size_t count) const {
    return {file + "mesh/" + dataset, integer, {at(all)}, {at(first)}, {1}, {count}};
  }
  Slab scalars(const Piece& piece, std::size_t row) const {
    return {
        file + "fields/von_mises", real, {rows, at(info.in_full.stress)}, {row, at(piece.first->place.stress)}, {1, 1},
        {1, at(piece.nodes)}};
  }
  // An entry for each node.
  Slab of_nodes(const char* field, const Piece& piece, std::size_t row) const {
    return {file + "fields/" + field,
            real,
            {rows, at(info.in_full.node), 3},
            {row, at(piece.first->place.node), 0},
            {1, 1, 1},
            {1, at(piece.nodes), 3}};
  }
  // Vector `which` of each node.
  Slab of_vectors(const char* field, const Piece& piece, std::size_t row, int which) const {
    return {file + "fields/" + field,           real,
            {rows, at(info.in_full.vector), 3}, {row, at(piece.first->place.vector + which), 0},
            {1, at(piece.first->vectors), 1},   {1, at(piece.nodes), 3}};
  }
  // Where positions are not recorded, bodies stand in their reference configuration.
  Slab positions(const Piece& piece, std::size_t row) const {
    if (info.position) return of_nodes("position", piece, row);
    return {file + "mesh/reference",       real,
            {at(info.end.vector), 3},      {at(piece.first->place.vector), 0},
            {at(piece.first->vectors), 1}, {at(piece.nodes), 3}};
  }
};

// How XDMF calls the cells of a kind; their nodes have the order of ours.
const char* cell_name(const ResultBody& body) {
  struct Shape {
    int dimension;
    Cell cell;
    int nodes;
    const char* name;
  };
  static constexpr Shape shapes[] = {{0, Cell::cube, 1, "Polyvertex\" NodesPerElement=\"1"},
                                     {1, Cell::cube, 2, "Polyline\" NodesPerElement=\"2"},
                                     {2, Cell::cube, 4, "Quadrilateral"},
                                     {3, Cell::cube, 8, "Hexahedron"},
                                     {3, Cell::tetrahedron, 4, "Tetrahedron"},
                                     {3, Cell::tetrahedron, 10, "Tetrahedron_10"}};
  std::vector<ElementKind> kinds = element_registry();
  kinds.insert(kinds.end(), {ElementKind::rigid, ElementKind::bar, ElementKind::point});
  for (const ElementKind kind : kinds)
    for (const Shape& shape : shapes)
      if (body.element == kind->name && shape.dimension == kind->dimension && shape.cell == kind->cell &&
          shape.nodes == body.element_nodes)
        return shape.name;
  throw InputError(fmt::format(
      "body '{}': elements of kind '{}' with {} nodes have no shape in XDMF; those of 'lithe list elements' have",
      body.name, body.element, body.element_nodes));
}

std::string topology(const Source& source, const Piece& piece) {
  const ResultBody& first = *piece.first;
  const bool by_kind = source.info.bodies.size() > most_grids;
  const Slab cells = source.of_elements(by_kind ? "cells" : "connectivity", source.info.end.index, first.place.index,
                                        at(piece.elements) * at(first.element_nodes));
  return fmt::format(R"(<Topology TopologyType="{}" NumberOfElements="{}">{}</Topology>)", cell_name(first),
                     piece.elements, cells.item(fmt::format("{} {}", piece.elements, first.element_nodes), 0));
}

std::string attributes(const Source& source, const Piece& piece, std::size_t row) {
  std::string text;
  const std::string scalar = std::to_string(piece.nodes), vector = scalar + " 3";
  const auto attribute = [&](const char* name, const char* type, const char* center, const std::string& item) {
    fmt::format_to(std::back_inserter(text),
                   "<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">{}</Attribute>\n", name, type, center,
                   item);
  };
  const ResultInfo& info = source.info;
  if (info.position)
    attribute("displacement", "Vector", "Node", source.of_nodes("displacement", piece, row).item(vector, row));
  if (info.velocity)
    attribute("velocity", "Vector", "Node", source.of_vectors("velocities", piece, row, 0).item(vector, row));
  if (piece.first->stress) attribute("von_mises", "Scalar", "Node", source.scalars(piece, row).item(scalar, row));
  if (piece.first->element == "rigid" && info.position) {
    static constexpr const char* axes[3] = {"x_axis", "y_axis", "z_axis"};
    for (int k = 0; k < 3; ++k)
      attribute(axes[k], "Vector", "Node", source.of_vectors("coordinates", piece, row, k + 1).item(vector, row));
  }
  if (info.bodies.size() > most_grids) {
    const Slab bodies =
        source.of_elements("cell_bodies", info.end.element, piece.first->place.element, at(piece.elements));
    attribute("body", "Scalar", "Cell", bodies.item(std::to_string(piece.elements), row));
  }
  return text;
}

// Points of contact of a row, each with its vectors. A row without any has one point where there was one last, with
// zeros: readers do not take in grids without points.
std::string contact_grid(const Source& source, std::size_t row, const std::vector<double>& ends) {
  const std::size_t all = source.info.contact_points, end = at(static_cast<int>(ends[row]));
  const std::size_t begin = row == 0 ? 0 : at(static_cast<int>(ends[row - 1])), count = end - begin;
  const std::size_t shown = std::max<std::size_t>(1, count),
                    first = count > 0 ? begin : std::max<std::size_t>(1, end) - 1;
  std::string text =
      fmt::format(R"(<Topology TopologyType="Polyvertex" NodesPerElement="1" NumberOfElements="{}"/>)", shown);
  const auto part = [&](const char* name, bool vector) {
    Slab slab{source.file + "contacts/" + name, real, {all}, {first}, {1}, {shown}};
    if (vector) slab = {slab.dataset, real, {all, 3}, {first, 0}, {1, 1}, {shown, 3}};
    return slab.item(vector ? fmt::format("{} 3", shown) : std::to_string(shown), row);
  };
  fmt::format_to(std::back_inserter(text), "\n<Geometry GeometryType=\"XYZ\">{}</Geometry>\n", part("point", true));
  for (const char* name : {"normal", "impulse", "slip", "gap"}) {
    const bool vector = std::string_view(name) != "gap";
    const std::string zeros = fmt::format(R"(<DataItem Format="XML" NumberType="Float" Dimensions="{}">{}</DataItem>)",
                                          vector ? "1 3" : "1", vector ? "0 0 0" : "0");
    fmt::format_to(std::back_inserter(text),
                   "<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n", name,
                   vector ? "Vector" : "Scalar", count > 0 ? part(name, vector) : zeros);
  }
  return text;
}

// Long runs are told by every second, fourth, ... step: readers take in about ten thousand grids.
std::size_t stride(std::size_t steps, std::size_t pieces) {
  const std::size_t most = std::max<std::size_t>(100, 10000 / std::max<std::size_t>(1, pieces));
  std::size_t stride = 1;
  while (steps > most * stride) stride *= 2;
  return stride;
}

// A grid of the companion: a row of the fields and what it is called.
struct Grid {
  std::size_t row = 0;   // of the fields
  std::size_t step = 0;  // of the result
  std::string time;
};

std::vector<Grid> grids(const ResultInfo& info, const std::vector<double>& times,
                        const std::vector<double>& field_rows) {
  std::vector<Grid> all;
  const std::size_t count = info.fields_apart ? field_rows.size() : times.size();
  for (std::size_t row = 0; row < count; ++row)
    all.push_back({row, info.fields_apart ? static_cast<std::size_t>(field_rows[row]) : row, ""});
  bool back = false, still = false;
  for (std::size_t i = 1; i < count; ++i) {
    const double before = times[all[i - 1].step], now = times[all[i].step];
    back = back || !(now >= before);
    still = still || now == before;
  }
  const bool numbered = back || (still && (!info.dynamic() || info.looks()));
  std::vector<Grid> shown;
  for (std::size_t i = 0; i < count; ++i) {
    if (!numbered && i + 1 < count && times[all[i + 1].step] == times[all[i].step]) continue;
    shown.push_back(all[i]);
    shown.back().time = numbered ? std::to_string(all[i].step) : number_text(times[all[i].step]);
  }
  return shown;
}

// Of a run in stages: the name of the grid's own, and its number as data of the grid.
std::string stage_of(const ResultInfo& info, std::size_t step) {
  if (info.stages.size() < 2) return "";
  std::size_t i = 0;
  while (i + 1 < info.stages.size() && info.stages[i + 1].rows > 0 &&
         step >= static_cast<std::size_t>(info.stages[i + 1].first_row))
    ++i;
  return fmt::format(
      "<Information Name=\"stage\" Value=\"{}\"/>\n<Attribute Name=\"stage\" AttributeType=\"Scalar\" "
      "Center=\"Grid\"><DataItem Format=\"XML\" NumberType=\"Int\" Dimensions=\"1\">{}</DataItem></Attribute>\n",
      escaped(info.stages[i].name), i);
}

}  // namespace

std::string companion_path(const std::string& results_path) {
  std::filesystem::path path(results_path);
  return path.replace_extension(".xdmf").string();
}

std::string xdmf_text(const ResultInfo& info, const std::vector<double>& times, const std::vector<double>& field_rows,
                      const std::vector<double>& contact_ends) {
  const std::vector<Grid> shown = grids(info, times, field_rows);
  const std::size_t rows = info.fields_apart ? field_rows.size() : times.size();
  const std::vector<Piece> told = pieces(info);
  const std::size_t every = stride(shown.size(), told.size());
  const Source source{info, escaped(std::filesystem::path(info.path).filename().string()) + ":/", rows};
  std::string text = "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<!-- lithe " +
                     std::string(version()) + " -->\n<Xdmf Version=\"2.0\">\n<Domain>\n";
  auto out = std::back_inserter(text);
  if (const auto reduced = std::ranges::count_if(info.bodies, &ResultBody::reduced); reduced > 0)
    fmt::format_to(out,
                   "<Information Name=\"reduced bodies\" Value=\"{} not shown: lithe expand {} -o FULL.h5 writes "
                   "their fields in full\"/>\n",
                   reduced, escaped(std::filesystem::path(info.path).filename().string()));
  for (const Piece& piece : told) {
    const std::string name = escaped(piece.name), cells = topology(source, piece);
    fmt::format_to(out, "<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", name);
    for (std::size_t i = 0; i < shown.size(); i += every) {
      const Grid& grid = shown[i];
      fmt::format_to(out, "<Grid Name=\"{}\" GridType=\"Uniform\"><Time Value=\"{}\"/>\n{}\n", name, grid.time, cells);
      fmt::format_to(out, "<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                     source.positions(piece, grid.row).item(std::to_string(piece.nodes) + " 3", grid.row));
      text += stage_of(info, grid.step);
      text += attributes(source, piece, grid.row);
      text += "</Grid>\n";
    }
    text += "</Grid>\n";
  }
  if (info.contact_points > 0) {
    text += "<Grid Name=\"contacts\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    for (std::size_t i = 0; i < shown.size(); i += every)
      fmt::format_to(out, "<Grid Name=\"contacts\" GridType=\"Uniform\"><Time Value=\"{}\"/>\n{}</Grid>\n",
                     shown[i].time, contact_grid(source, shown[i].row, contact_ends));
    text += "</Grid>\n";
  }
  return text + "</Domain>\n</Xdmf>\n";
}

void write_companion(const ResultInfo& info, const std::vector<double>& times, const std::vector<double>& field_rows,
                     const std::vector<double>& contact_ends) {
  replace_file(companion_path(info.path), xdmf_text(info, times, field_rows, contact_ends), "results");
}

}  // namespace lithe

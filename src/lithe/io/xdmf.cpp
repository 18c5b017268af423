#include "lithe/io/xdmf.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "lithe/base/version.h"
#include "lithe/io/replace_file.h"

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

// Cells by the number of an element's nodes: 1 vertex, 2 line, 4 quadrilateral, 8 hexahedron (same node order as ours).
std::string topology(const ResultBody& body, const std::string& source) {
  const auto elements = body.connectivity.size() / body.element_nodes;
  const char* type = body.element_nodes == 1   ? "Polyvertex\" NodesPerElement=\"1"
                     : body.element_nodes == 2 ? "Polyline\" NodesPerElement=\"2"
                     : body.element_nodes == 4 ? "Quadrilateral"
                                               : "Hexahedron";
  return fmt::format(
      R"(<Topology TopologyType="{}" NumberOfElements="{}"><DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{} {}">{}/connectivity</DataItem></Topology>)",
      type, elements, elements, body.element_nodes, source);
}

// Step `step` of a dataset [steps][nodes], [steps][nodes][3], or of vector `which` of [steps][nodes][vectors][3]. The
// comment is not for people: ParaView's reader takes the first thing inside a geometry's DataItem for the name of its
// data, and a name seen before for the same data.
struct Slab {
  std::string dataset;
  std::size_t steps;
  int nodes;
  int vectors = 0, which = 0;
  bool scalar = false;

  std::string at(std::size_t step) const {
    std::string shape, selection, whole;
    if (scalar) {
      shape = fmt::format("{}", nodes);
      selection = fmt::format("\"3 2\" Format=\"XML\">{} 0 1 1 1 {}", step, nodes);
      whole = fmt::format("{} {}", steps, nodes);
    } else if (vectors == 0) {
      shape = fmt::format("{} 3", nodes);
      selection = fmt::format("\"3 3\" Format=\"XML\">{} 0 0 1 1 1 1 {} 3", step, nodes);
      whole = fmt::format("{} {} 3", steps, nodes);
    } else {
      shape = fmt::format("{} 3", nodes);
      selection = fmt::format("\"3 4\" Format=\"XML\">{} 0 {} 0 1 1 1 1 1 {} 1 3", step, which, nodes);
      whole = fmt::format("{} {} {} 3", steps, nodes, vectors);
    }
    return fmt::format(
        R"(<DataItem ItemType="HyperSlab" Dimensions="{}"><!--step {}--><DataItem Dimensions={}</DataItem><DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{}">{}</DataItem></DataItem>)",
        shape, step, selection, whole, dataset);
  }
};

struct Attribute {
  const char* name;
  Slab slab;
};

std::vector<Attribute> attributes(const ResultInfo& info, const ResultBody& body, const std::string& source,
                                  std::size_t steps) {
  std::vector<Attribute> list;
  if (info.position) list.push_back({"displacement", {source + "/displacement", steps, body.nodes}});
  if (info.velocity) list.push_back({"velocity", {source + "/velocities", steps, body.nodes, body.vectors}});
  if (body.stress) list.push_back({"von_mises", {source + "/von_mises", steps, body.nodes, 0, 0, true}});
  if (body.element == "rigid" && info.position) {
    static constexpr const char* axes[3] = {"x_axis", "y_axis", "z_axis"};
    for (int k = 0; k < 3; ++k)
      list.push_back({axes[k], {source + "/coordinates", steps, body.nodes, body.vectors, k + 1}});
  }
  return list;
}

// Long runs are told by every second, fourth, ... step: readers take in about ten thousand grids.
std::size_t stride(std::size_t steps, std::size_t bodies) {
  const std::size_t most = std::max<std::size_t>(100, 10000 / std::max<std::size_t>(1, bodies));
  std::size_t stride = 1;
  while (steps > most * stride) stride *= 2;
  return stride;
}

// A grid of the companion: a row of the bodies' arrays and what it is called.
struct Grid {
  std::size_t row = 0;   // of the bodies' arrays
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
  const bool numbered = back || (still && !info.dynamic());
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

// Where positions are not recorded, bodies stand in their reference configuration.
std::string reference_positions(const ResultBody& body, const std::string& source, std::size_t row) {
  return fmt::format(
      R"(<DataItem ItemType="HyperSlab" Dimensions="{} 3"><!--step {}--><DataItem Dimensions="3 3" Format="XML">0 0 0 1 1 1 {} 1 3</DataItem><DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{} {} 3">{}/reference</DataItem></DataItem>)",
      body.nodes, row, body.nodes, body.nodes, body.vectors, source);
}

}  // namespace

std::string companion_path(const std::string& results_path) {
  std::filesystem::path path(results_path);
  return path.replace_extension(".xdmf").string();
}

std::string xdmf_text(const ResultInfo& info, const std::vector<double>& times, const std::vector<double>& field_rows) {
  const std::vector<Grid> shown = grids(info, times, field_rows);
  const std::size_t rows = info.fields_apart ? field_rows.size() : times.size();
  const std::size_t every = stride(shown.size(), info.bodies.size());
  const std::string file = escaped(std::filesystem::path(info.path).filename().string());
  std::string text = "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<!-- lithe " +
                     std::string(version()) + " -->\n<Xdmf Version=\"2.0\">\n<Domain>\n";
  auto out = std::back_inserter(text);
  for (const ResultBody& body : info.bodies) {
    const std::string name = escaped(body.name), source = file + ":/bodies/" + name;
    const std::string cells = topology(body, source);
    fmt::format_to(out, "<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", name);
    const Slab positions{source + "/position", rows, body.nodes};
    const std::vector<Attribute> fields = attributes(info, body, source, rows);
    for (std::size_t i = 0; i < shown.size(); i += every) {
      const Grid& grid = shown[i];
      fmt::format_to(out, "<Grid Name=\"{}\" GridType=\"Uniform\"><Time Value=\"{}\"/>\n{}\n", name, grid.time, cells);
      fmt::format_to(out, "<Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                     info.position ? positions.at(grid.row) : reference_positions(body, source, grid.row));
      text += stage_of(info, grid.step);
      for (const Attribute& field : fields)
        fmt::format_to(out, "<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n", field.name,
                       field.slab.scalar ? "Scalar" : "Vector", field.slab.at(grid.row));
      text += "</Grid>\n";
    }
    text += "</Grid>\n";
  }
  return text + "</Domain>\n</Xdmf>\n";
}

void write_companion(const ResultInfo& info, const std::vector<double>& times, const std::vector<double>& field_rows) {
  replace_file(companion_path(info.path), xdmf_text(info, times, field_rows), "results");
}

}  // namespace lithe

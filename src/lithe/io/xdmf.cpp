#include "lithe/io/xdmf.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace lithe {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

// Cells by the number of an element's nodes: 2 line, 4 quadrilateral, 8 hexahedron (same node order as ours).
std::string topology(const ResultBody& body, const std::string& source) {
  const auto elements = body.connectivity.size() / body.element_nodes;
  const char* type = body.element_nodes == 2   ? "Polyline\" NodesPerElement=\"2"
                     : body.element_nodes == 4 ? "Quadrilateral"
                                               : "Hexahedron";
  return fmt::format(
      R"(<Topology TopologyType="{}" NumberOfElements="{}"><DataItem Format="HDF" NumberType="Int" Precision="4" Dimensions="{} {}">{}/connectivity</DataItem></Topology>)",
      type, elements, elements, body.element_nodes, source);
}

// Step `step` of a dataset [steps][nodes] or [steps][nodes][3]. The comment is not for people: ParaView's reader takes
// the first thing inside a geometry's DataItem for the name of its data, and a name seen before for the same data.
std::string slab(const std::string& dataset, std::size_t step, std::size_t steps, int nodes, bool vector) {
  if (vector)
    return fmt::format(
        R"(<DataItem ItemType="HyperSlab" Dimensions="{1} 3"><!--step {2}--><DataItem Dimensions="3 3" Format="XML">{2} 0 0 1 1 1 1 {1} 3</DataItem><DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{3} {1} 3">{0}</DataItem></DataItem>)",
        dataset, nodes, step, steps);
  return fmt::format(
      R"(<DataItem ItemType="HyperSlab" Dimensions="{1}"><!--step {2}--><DataItem Dimensions="3 2" Format="XML">{2} 0 1 1 1 {1}</DataItem><DataItem Format="HDF" NumberType="Float" Precision="8" Dimensions="{3} {1}">{0}</DataItem></DataItem>)",
      dataset, nodes, step, steps);
}

bool increasing(const std::vector<double>& times) {
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1])) return false;
  return true;
}

}  // namespace

std::string companion_path(const std::string& results_path) {
  std::filesystem::path path(results_path);
  return path.replace_extension(".xdmf").string();
}

std::string xdmf_text(const ResultInfo& info, const std::vector<double>& times) {
  const bool real_time = increasing(times);
  const std::string file = escaped(std::filesystem::path(info.path).filename().string());
  std::string text =
      "<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n<Domain>\n";
  auto out = std::back_inserter(text);
  for (const ResultBody& body : info.bodies) {
    const std::string name = escaped(body.name), source = file + ":/bodies/" + name;
    const std::string cells = topology(body, source);
    fmt::format_to(out, "<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", name);
    for (std::size_t step = 0; step < times.size(); ++step) {
      auto at_step = [&](const char* field, bool vector) {
        return slab(source + "/" + field, step, times.size(), body.nodes, vector);
      };
      fmt::format_to(out, "<Grid Name=\"{}\" GridType=\"Uniform\"><Time Value=\"{}\"/>\n{}\n", name,
                     real_time ? number_text(times[step]) : std::to_string(step), cells);
      fmt::format_to(out, "<Geometry GeometryType=\"XYZ\">{}</Geometry>\n", at_step("position", true));
      fmt::format_to(out, "<Attribute Name=\"displacement\" AttributeType=\"Vector\" Center=\"Node\">{}</Attribute>\n",
                     at_step("displacement", true));
      if (body.element != "cable")
        fmt::format_to(out, "<Attribute Name=\"von_mises\" AttributeType=\"Scalar\" Center=\"Node\">{}</Attribute>\n",
                       at_step("von_mises", false));
      text += "</Grid>\n";
    }
    text += "</Grid>\n";
  }
  return text + "</Domain>\n</Xdmf>\n";
}

void write_companion(const ResultInfo& info, const std::vector<double>& times) {
  const std::string path = companion_path(info.path), draft = path + ".part";
  const std::string text = xdmf_text(info, times);
  std::FILE* file = std::fopen(draft.c_str(), "wb");
  bool ok = file != nullptr;
  if (file) {
    ok = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int error = errno;
    ok = std::fclose(file) == 0 && ok;
    if (!ok && errno == 0) errno = error;
  }
  if (ok) ok = std::rename(draft.c_str(), path.c_str()) == 0;
  if (!ok) {
    const std::string why = std::strerror(errno);
    std::remove(draft.c_str());
    throw RunError("results '" + path + "' cannot be written: " + why);
  }
}

}  // namespace lithe

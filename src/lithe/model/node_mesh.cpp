#include "lithe/model/node_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "lithe/model/section_shape.h"

namespace lithe {

namespace {

// Sizes and sections are typed by hand or computed by a script: equal to rounding is equal.
constexpr double same = 1e-9;

std::string number(std::size_t n) { return std::to_string(n); }

Triple position(const NodeMesh& mesh, int node) {
  const std::vector<double>& r = mesh.nodes[node];
  return {r[0], r[1], r[2]};
}

void check_node_lists(const Spot& here, const NodeMesh& mesh, const ElementInfo& info) {
  const std::size_t numbers = 3ul * info.node_vectors, count = mesh.nodes.size();
  if (count == 0) here["nodes"].fail("the list of nodes is empty; give the nodes of the elements");
  if (mesh.elements.empty()) here["elements"].fail("the list of elements is empty; give each element by its nodes");
  for (std::size_t n = 0; n < count; ++n)
    if (mesh.nodes[n].size() != numbers)
      here["nodes"][n].fail("node " + number(n) + " has " + number(mesh.nodes[n].size()) + " numbers; " +
                            article(info.name) + " needs " + number(numbers) + " (" + info.vector_list(false) + ")");
  for (const auto& [set, nodes] : mesh.sets.items)
    for (const int n : nodes)
      if (n < 0 || n >= static_cast<int>(count))
        here["sets"][set].fail("there is no node " + std::to_string(n) + "; the nodes are 0 to " + number(count - 1));
  if (mesh.size.empty() && !info.scaled()) return;
  if (mesh.size.empty())
    here.fail("'size' is missing: give L, W, T over which the gradients r_x, r_y, r_z run, one row or one per element");
  if (mesh.size.size() != 1 && mesh.size.size() != mesh.elements.size())
    here["size"].fail("this is a list of " + number(mesh.size.size()) + "; give one row, or one per element (" +
                      number(mesh.elements.size()) + ")");
}

void check_elements(const Spot& here, const NodeMesh& mesh, const ElementInfo& info) {
  const int count = static_cast<int>(mesh.nodes.size());
  std::vector<char> used(count, 0);
  std::map<std::vector<int>, std::size_t> seen;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::vector<int>& nodes = mesh.elements[e];
    const auto fail = [&](const std::string& why) { here["elements"][e].fail("element " + number(e) + " " + why); };
    if (static_cast<int>(nodes.size()) != info.nodes)
      fail("has " + number(nodes.size()) + " nodes; " + article(info.name) + " has " + std::to_string(info.nodes));
    for (const int n : nodes) {
      if (n < 0 || n >= count)
        fail("names node " + std::to_string(n) + ", but the nodes are 0 to " + std::to_string(count - 1));
      used[n] = 1;
    }
    std::vector<int> sorted = nodes;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      fail("names node " + std::to_string(*twice) +
           " twice, so it has no extent there; each of its nodes is another one");
    if (const auto [other, fresh] = seen.emplace(std::move(sorted), e); !fresh)
      fail("has the same nodes as element " + number(other->second) +
           ": mass and stiffness would count twice; remove one of them");
  }
  for (int n = 0; n < count; ++n)
    if (!used[n]) here["nodes"][n].fail("node " + std::to_string(n) + " belongs to no element; remove it");
}

// W and T of a rectangle's elements are its own, T of those of a plate or of layers is their thickness; a cable has its
// section from 'section' alone.
void check_sizes(const Spot& here, const Body& body, const NodeMesh& mesh) {
  const bool line = !body.element->volume;
  const Section* section = here.model().sections.find(body.section);
  for (std::size_t i = 0; i < mesh.size.size(); ++i) {
    const Triple& size = mesh.size[i];
    const auto name = [](int d) { return std::string(1, "LWT"[d]); };
    const auto require_same = [&](int d, double wanted, const std::string& what) {
      if (std::abs(size[d] - wanted) > same * wanted)
        here["size"][i].fail(name(d) + " is " + number_text(size[d]) + " m, but section '" + body.section +
                             "' has the " + what + " " + number_text(wanted) + " m; make them the same");
    };
    for (int d = 0; d < (line ? 1 : 3); ++d)
      if (!(size[d] > 0) && body.element->scaled())
        here["size"][i].fail(name(d) + " is " + number_text(size[d]) + ", so the element has zero " +
                             (d == 0 ? "length" : "volume") + "; give " + name(d) + " > 0");
    if (line) {
      const Circle* circle = std::get_if<Circle>(section);
      for (int d = 1; d < 3; ++d) {
        if (size[d] == 0) continue;
        if (circle) require_same(d, 2 * circle->radius, "diameter");
        else
          here["size"][i].fail(name(d) + " is " + number_text(size[d]) + " m, but " + article(body.element->name) +
                               " has its section from '" + body.section + "'; write [L, 0, 0]");
      }
    } else if (body.element->dimension == 1) {
      const std::array<double, 2> box = section_size(here.model().sections, *section);
      require_same(1, box[0], "width");
      require_same(2, box[1], "thickness");
    } else if (const auto* plate = std::get_if<Plate>(section)) {
      require_same(2, plate->thickness, "thickness");
    } else if (const auto* layered = std::get_if<Layered>(section)) {
      double layers = 0;
      for (const Layer& layer : layered->layers) layers += layer.thickness;
      require_same(2, layers, "layers' total thickness");
    }
  }
}

// The chord of a line element; one that is naturally straight, as a cable, is so and unstretched in its reference
// configuration: equal unit gradients along the chord of length L.
void check_lines(const Spot& here, const Body& body, const NodeMesh& mesh) {
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const int first = mesh.elements[e][0], second = mesh.elements[e][1];
    const Triple a = position(mesh, first), b = position(mesh, second);
    const Triple chord{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    if (!(norm(chord) > 1e-12 * std::max(norm(a), norm(b))))
      here["elements"][e].fail("element " + number(e) + " has zero length: nodes " + std::to_string(first) + " and " +
                               std::to_string(second) + " are both at " + text(a) + "; move one of them");
    if (!body.element->straight) continue;
    const double length = mesh.size[mesh.size.size() == 1 ? 0 : e][0];
    for (int m = 0; m < 3; ++m)
      for (const int n : {first, second})
        if (std::abs(mesh.nodes[n][3 + m] - chord[m] / length) > 1e-9)
          here["elements"][e].fail(
              std::string(body.element->name) + " element " + number(e) +
              " is curved or stretched in its reference configuration; " + article(body.element->name) +
              " is naturally straight with r_x along it and length L: use beam3243 for a curved reference");
  }
}

void check_sides(const Spot& here, const NodeMesh& mesh, const ElementInfo& info) {
  if (!mesh.sides.items.empty() && !info.volume)
    here["sides"].fail(article(info.name) + " has no sides; a line_load acts on the whole body");
  const bool shell = info.dimension == 2, beam = info.dimension == 1;
  const auto has_own = [&](SidesOf of) {  // sides that every mesh of the kind has
    using enum SidesOf;
    return of == boundary || ((of == top || of == bottom) && (shell || beam)) || (of == surface && shell) ||
           ((of == left || of == right) && beam);
  };
  for (const auto& [name, side] : mesh.sides.items) {
    const Spot keys = here["sides"][name];
    for (std::size_t k = 0; k < Words<SidesOf>::names.size(); ++k)
      if (name == Words<SidesOf>::names[k] && has_own(static_cast<SidesOf>(k)))
        keys.fail("every " + std::string(info.name) + " mesh has sides '" + name +
                  "' already, which a load may name; remove this entry, or choose another name for a part of them");
    if (!has_own(side.of))
      keys["of"].fail(article(info.name) + " has no '" + word(side.of) + "'; use boundary" +
                      (shell  ? ", top, bottom or surface"
                       : beam ? ", top, bottom, left or right"
                              : ""));
    if (!side.nodes.empty() && side.nodes != "all" && !mesh.sets.find(side.nodes))
      keys["nodes"].fail("there is no set of nodes '" + side.nodes + "'" + suggestion(side.nodes, mesh.sets.names()));
    if (side.normal) check_direction(keys, "normal", *side.normal);
    for (int m = 0; m < 3 && side.box; ++m)
      if (!((*side.box)[0][m] <= (*side.box)[1][m]))
        keys["box"].fail("along " + std::string(1, "xyz"[m]) + " it goes from " + number_text((*side.box)[0][m]) +
                         " to " + number_text((*side.box)[1][m]) + "; give its lowest and its highest corner");
  }
}

}  // namespace

void check_nodes(const Spot& here, const Body& body, const NodeMesh& mesh) {
  const ElementInfo& info = element_info(body.element);
  check_node_lists(here, mesh, info);
  check_elements(here, mesh, info);
  check_sizes(here, body, mesh);
  if (info.dimension == 1) check_lines(here, body, mesh);
  check_sides(here, mesh, info);
}

}  // namespace lithe

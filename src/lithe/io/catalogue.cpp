#include "lithe/io/catalogue.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lithe/contact/contact_solver.h"
#include "lithe/linalg/linear_solver.h"
#include "lithe/model/fitting.h"
#include "lithe/model/model.h"

namespace lithe {

namespace {

template <class List>
std::string joined(const List& list) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + std::string(item);
  return text.empty() ? "none" : text;
}

template <class Variant>
Catalogue of(const char* kind, const char* help) {
  return {kind, help, list_alternatives(type_of<Variant>())};
}

Catalogue list_elements() {
  Catalogue list{"elements", "element kinds (key 'element' of a body)", {}};
  for (const ElementKind kind : element_registry()) {
    const ElementInfo& info = element_info(kind);
    std::vector<std::string> rule;
    for (const int n : info.quadrature) rule.push_back(std::to_string(n));
    list.things.push_back({info.name,
                           info.help,
                           {{"nodes", std::to_string(info.nodes)},
                            {"coordinates", std::to_string(3 * info.nodes * info.node_vectors)},
                            {"quadrature", "[" + joined(rule) + "]"},
                            {"meshes", joined(info.meshes)},
                            {"sections", joined(fitting_sections(kind, false))},
                            {"strategies", joined(fitting_strategies(kind))}},
                           {}});
    if (info.section_form)
      list.things.back().facts.push_back(
          {"formulations",
           "section (default): for engineering, right on coarse meshes, thin or thick, any Poisson's ratio; strategy "
           "batched. continuum: as published (P0), for its tables and the other strategies; locks"});
  }
  return list;
}

Catalogue list_strategies() {
  Catalogue list{"strategies", "ways of computing forces and tangents (key 'strategy' of the model or a body)", {}};
  for (const Strategy& strategy : strategies()) {
    std::vector<std::string> kinds;
    for (const ElementKind element : element_registry()) {
      const std::vector<std::string> fitting = fitting_strategies(element);
      if (std::ranges::find(fitting, strategy.name) != fitting.end()) kinds.emplace_back(element->name);
    }
    list.things.push_back({strategy.name, strategy.description, {{"elements", joined(kinds)}}, {}});
  }
  return list;
}

Catalogue list_solvers() {
  Catalogue list{"solvers",
                 "solvers of linear systems, direct and iterative (key 'solver' of the analysis); auto chooses one, "
                 "and runs report "
                 "which and why",
                 {}};
  for (const AbsentSolver& absent : absent_linear_solvers())
    list.note += "this build has no '" + absent.name + "': " + absent.remedy + "\n";
  for (const SolverInfo& info : linear_solvers()) {
    std::vector<std::string> kinds, orderings;
    for (const MatrixKind kind : info.kinds) kinds.emplace_back(to_string(kind));
    for (const Ordering ordering : info.orderings) orderings.emplace_back(to_string(ordering));
    list.things.push_back({info.name,
                           info.help,
                           {{"matrices", joined(kinds)},
                            {"zero diagonal", info.zero_diagonal ? "yes" : "no"},
                            {"half solves", info.halves ? "yes" : "no"},
                            {"orderings", joined(orderings)}},
                           {}});
  }
  return list;
}

Catalogue list_contact_solvers() {
  Catalogue list{
      "contact_solvers", "what finds contact forces (key 'contact: {solver: ...}' of a dynamic analysis)", {}};
  for (const ContactSolverInfo& info : contact_solvers()) list.things.push_back({info.name, info.help, {}, {}});
  return list;
}

Catalogue list_groups() {
  return {"groups",
          "named lists of bodies and obstacles, for 'between' and 'except' of contacts",
          {{"[ball, floor]", "names", {}, {}}, {"[\"brick*\"]", "* stands for any part of a name", {}, {}}}};
}

Catalogue list_places() {
  return {
      "places",
      "forms of a place (keys 'at' and 'on')",
      {{"body.name", "a named point, node set, edge or surface of a body, such as beam.end or plate.x_min", {}, {}},
       {"body", "the whole body, where that makes sense (line_load on a line)", {}, {}},
       {"{body: B, node: N}", "node number N, from 0", {}, {}},
       {"{body: B, element: E, xi: [a, b, c]}", "material point of an element, coordinates from -1 to 1", {}, {}},
       {"{body: B, point: [x, y, z]}", "material point at these coordinates of the reference configuration", {}, {}}}};
}

}  // namespace

const std::vector<Catalogue>& catalogues() {
  static const std::vector<Catalogue> list{
      {"model", "keys at the top of a model", {list_description(schema(static_cast<const Model*>(nullptr)))}},
      of<AnyBody>("bodies", "types of bodies"),
      list_elements(),
      of<Material>("materials", "types of materials"),
      of<Section>("sections", "types of sections"),
      of<MeshSource>("meshes", "types of meshes (key 'mesh' of a body)"),
      of<Constraint>("constraints", "types of constraints"),
      of<Joint>("joints", "types of joints and prescribed motions"),
      of<SpringElement>("springs", "types of springs, dampers and bushings"),
      of<RigidShape>("shapes", "types of shapes (key 'shape' of a rigid body)"),
      {"obstacles",
       "keys of an obstacle; its shape is a plane or one of 'shapes'",
       {list_description(schema(static_cast<const Obstacle*>(nullptr)))}},
      list_groups(),
      {"contacts", "keys of a contact", {list_description(schema(static_cast<const Contact*>(nullptr)))}},
      {"initial_velocities",
       "keys of an initial velocity",
       {list_description(schema(static_cast<const InitialVelocity*>(nullptr)))}},
      of<Load>("loads", "types of loads"),
      of<Output>("outputs", "types of outputs, recorded at every step"),
      list_places(),
      list_strategies(),
      of<Analysis>("analyses", "types of analyses (key 'analysis')"),
      list_solvers(),
      {"krylov",
       "keys of 'krylov' of a dynamic analysis: how iterative solvers iterate",
       {list_description(schema(static_cast<const KrylovOptions*>(nullptr)))}},
      {"contact",
       "keys of 'contact' of a dynamic analysis: how contact forces are found",
       {list_description(schema(static_cast<const ContactSettings*>(nullptr)))}},
      list_contact_solvers(),
  };
  return list;
}

const Catalogue& find_catalogue(const std::string& kind) {
  std::vector<std::string> known;
  for (const Catalogue& list : catalogues()) {
    if (list.kind == kind) return list;
    known.push_back(list.kind);
  }
  throw InputError("'" + kind + "' cannot be listed" + suggestion(kind, known));
}

const ThingInfo& find_thing(const Catalogue& catalogue, const std::string& name) {
  std::vector<std::string> known;
  for (const ThingInfo& thing : catalogue.things) {
    if (thing.name == name) return thing;
    known.push_back(thing.name);
  }
  throw InputError("'" + name + "' is not among the " + catalogue.kind + suggestion(name, known));
}

std::string catalogue_json(const std::vector<Catalogue>& list) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const Catalogue& catalogue : list) {
    auto& things = all[catalogue.kind] = nlohmann::ordered_json::array();
    for (const ThingInfo& thing : catalogue.things) {
      nlohmann::ordered_json one{{"name", thing.name}, {"help", thing.help}};
      for (const auto& [key, text] : thing.facts) one[key] = text;
      if (!thing.options.empty()) {
        auto& options = one["options"] = nlohmann::ordered_json::array();
        for (const OptionInfo& o : thing.options)
          options.push_back({{"name", o.name},
                             {"type", o.type},
                             {"required", o.required},
                             {"default", o.fallback},
                             {"unit", o.unit},
                             {"allowed", o.allowed},
                             {"help", o.help}});
      }
      things.push_back(std::move(one));
    }
  }
  return all.dump(2);
}

}  // namespace lithe

// lithe list [KIND [NAME]]: everything a model may contain, from the definitions that read it.
#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "lithe/io/catalogue.h"

namespace lithe::app {

namespace {

std::size_t name_width(const std::vector<ThingInfo>& things) {
  std::size_t width = 0;
  for (const ThingInfo& thing : things) width = std::max(width, thing.name.size());
  return width;
}

void print_details(const ThingInfo& thing) {
  fmt::print("{}: {}\n", thing.name, thing.help);
  for (const auto& [key, text] : thing.facts) fmt::print("  {:<12} {}\n", key, text);
  for (const OptionInfo& o : thing.options) {
    fmt::print("  {:<20} {}{}\n", o.name, o.help, o.unit.empty() ? "" : " [" + o.unit + "]");
    std::string more = o.type;
    if (!o.allowed.empty()) more += ", " + o.allowed;
    if (o.required) more += "; required";
    else if (!o.fallback.empty()) more += "; default " + o.fallback;
    fmt::print("  {:<20}   {}\n", "", more);
  }
}

}  // namespace

void list(const ListOptions& options) {
  if (options.kind.empty()) {
    if (options.json) {
      fmt::print("{}\n", catalogue_json(catalogues()));
      return;
    }
    for (const Catalogue& catalogue : catalogues()) {
      fmt::print("{:<12} {}\n", catalogue.kind, catalogue.help);
      if (options.verbose)
        for (const ThingInfo& thing : catalogue.things) print_details(thing);
    }
    if (!options.verbose) fmt::print("\n`lithe list KIND` shows the names, `lithe list KIND NAME` the keys of one\n");
    return;
  }
  Catalogue catalogue = find_catalogue(options.kind);
  if (!options.name.empty()) catalogue.things = {find_thing(catalogue, options.name)};
  if (options.json) {
    fmt::print("{}\n", catalogue_json({catalogue}));
    return;
  }
  if (options.verbose || catalogue.things.size() == 1) {
    for (const ThingInfo& thing : catalogue.things) print_details(thing);
    return;
  }
  const std::size_t width = name_width(catalogue.things);
  for (const ThingInfo& thing : catalogue.things) fmt::print("{:<{}}  {}\n", thing.name, width, thing.help);
  fmt::print("{}", catalogue.note);
}

}  // namespace lithe::app

// Everything a model may contain, by kind: what `lithe list` shows. Filled from the registries and the Descriptions.
#pragma once

#include <string>
#include <vector>

#include "lithe/base/listing.h"

namespace lithe {

struct Catalogue {
  std::string kind, help;  // "elements", "kinds of elements"
  std::vector<ThingInfo> things;
  std::string note = {};  // what this build was made without, and the remedy; lines
};

const std::vector<Catalogue>& catalogues();
// Throws InputError with the nearest known name.
const Catalogue& find_catalogue(const std::string& kind);
const ThingInfo& find_thing(const Catalogue& catalogue, const std::string& name);

// The listing as JSON text.
std::string catalogue_json(const std::vector<Catalogue>& list);

}  // namespace lithe

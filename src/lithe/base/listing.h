// Lists what a Schema says, for `lithe list` and the reference pages: the same definition that reads a model.
#pragma once

#include <string>
#include <vector>

#include "lithe/base/describe.h"

namespace lithe {

struct OptionInfo {
  std::string name, type, fallback, unit, allowed, help;  // fallback: the default, "" if there is none
  bool required = false;
};

struct ThingInfo {
  std::string name, help;
  std::vector<std::pair<std::string, std::string>> facts;  // what is not an option: "nodes", "2"
  std::vector<OptionInfo> options;
};

// One line, as a user would write it.
std::string flow_text(const Value& value);
// How a type is called in a listing.
std::string type_text(const Type& type);

ThingInfo list_description(const Schema& schema);
// Of a choice.
std::vector<ThingInfo> list_alternatives(const Type& type);

}  // namespace lithe

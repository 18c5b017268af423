// A tree of what the user said, with the place where it was said: YAML files, --set options and Python dictionaries all
// become a Value; describe.h reads a Value into plain structs. A scalar keeps its text, so a message can quote it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/base/error.h"

namespace lithe {

struct Value {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string text;                                   // scalar
  bool quoted = false;                                // scalar in quotes: never a number or a bool
  bool told = false;                                  // of a part made before: doubts were told then
  std::vector<Value> items;                           // list
  std::vector<std::pair<std::string, Value>> fields;  // map, in the user's order
  Where where;

  static Value scalar(std::string text) {
    Value v;
    v.kind = Kind::scalar;
    v.text = std::move(text);
    return v;
  }
  static Value list() {
    Value v;
    v.kind = Kind::list;
    return v;
  }
  static Value map() {
    Value v;
    v.kind = Kind::map;
    return v;
  }
  const Value* find(std::string_view key) const {
    for (const auto& [name, value] : fields)
      if (name == key) return &value;
    return nullptr;
  }
  void set(std::string key, Value value) { fields.emplace_back(std::move(key), std::move(value)); }
};

// "a number", "a list of 3" and so on, for messages: what this value is.
std::string spoken(const Value& value);

// Scalars; throw InputError naming the place, the value and what is allowed. Numbers must be finite.
double to_double(const Value& value);
int to_int(const Value& value);
bool to_bool(const Value& value);
std::string to_string(const Value& value);
// Shortest text that reads back to the same double.
std::string number_text(double x);

}  // namespace lithe

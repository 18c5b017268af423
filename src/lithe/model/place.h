// Places on bodies.
#pragma once

#include <optional>
#include <string>

#include "lithe/base/described.h"
#include "lithe/model/triple.h"

namespace lithe {

// A place on a body: a named point or set ("beam.end"), a node, a material point of an element, or the material point
// that sits at given coordinates in the reference configuration.
struct At {
  std::string body;
  std::string name;            // of a point, a node set, an edge or a surface
  std::optional<int> node;     // 0-based
  std::optional<int> element;  // 0-based, with xi
  std::optional<Triple> xi;
  std::optional<Triple> point;
  Where where;
  bool is_ground() const { return body == "ground"; }
  bool has_place() const { return !name.empty() || node || element || point; }
  std::string text() const;  // as the user would say it
};

template <>
struct Custom<At> {
  static constexpr bool exists = true;
  static constexpr const char* text = "place: body.name, or {body, node | element and xi | point}";
  static constexpr const char* annotation = "Place";
  static void read(const Value& value, At& out);
  static Value write(const At& x);
};

}  // namespace lithe

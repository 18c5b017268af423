#include "lithe/base/listing.h"

namespace lithe {

namespace {

template <class Range, class Text>
std::string joined(const Range& range, const char* between, Text&& text_of) {
  std::string text;
  for (const auto& item : range) text += (text.empty() ? "" : between) + std::string(text_of(item));
  return text;
}

std::string list_item(const Value& item) { return item.kind == Value::Kind::null ? "null" : flow_text(item); }
std::string map_item(const Value::Field& field) { return field.first + ": " + flow_text(field.second); }

}  // namespace

std::string flow_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return "";
    case Value::Kind::scalar:
      return value.text;
    case Value::Kind::numbers:
      return flow_text(listed(value));
    case Value::Kind::list:
      return "[" + joined(value.items, ", ", list_item) + "]";
    case Value::Kind::map:
      return "{" + joined(value.fields, ", ", map_item) + "}";
  }
  return "";
}

std::string type_text(const Type& type) {
  using Kind = Type::Kind;
  switch (type.kind) {
    case Kind::number:
      return "number";
    case Kind::integer:
      return "whole number";
    case Kind::boolean:
      return "true | false";
    case Kind::text:
      return "text";
    case Kind::words:
      return joined(type.words.list(), " | ", [](const char* word) { return word; });
    case Kind::custom:
      return type.custom.text;
    case Kind::optional:
      return type_text(*type.inner);
    case Kind::list:
      if (type.alone)
        return type_text(*type.inner) + (type.inner->kind == Kind::words || type.inner->kind == Kind::text
                                             ? "; or a list of these"
                                             : "; or a list of such maps");
      return "list of (" + type_text(*type.inner) + ")";
    case Kind::array:
      return "list of " + std::to_string(type.count) + " (" + type_text(*type.inner) + ")";
    case Kind::named:
      return "map of names";
    case Kind::choice:
      return "map, type: " + joined(type.alternatives, " | ", [](const Schema* schema) { return schema->name; });
    case Kind::structure:
      return std::string("map (") + type.schema->name + ")";
  }
  return "";
}

ThingInfo list_description(const Schema& schema) {
  ThingInfo thing{schema.name, schema.help, {}, {}};
  for (const Member& member : schema.members) {
    const Field& field = member.field;
    OptionInfo info{member.key, type_text(*member.type), "", field.unit, field.allowed.text,
                    field.help, field.required};
    const bool nested =
        member.type->kind == Type::Kind::choice || member.type->kind == Type::Kind::named || member.type->alone;
    if (!nested && !field.required) info.fallback = flow_text(write(*member.type, member.in(schema.defaults.get())));
    if (info.fallback == "[]") info.fallback.clear();
    thing.options.push_back(std::move(info));
  }
  return thing;
}

std::vector<ThingInfo> list_alternatives(const Type& type) {
  std::vector<ThingInfo> list;
  for (const Schema* schema : type.alternatives) list.push_back(list_description(*schema));
  return list;
}

}  // namespace lithe

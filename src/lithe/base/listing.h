// Lists what a Description says, for `lithe list` and the reference pages: the same definition that reads a model.
#pragma once

#include <string>
#include <variant>
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

// How a type is called in a listing; specialise it for types with a form of their own.
template <class T>
struct TypeText;

namespace detail {

// One line, as a user would write it.
inline std::string flow_text(const Value& value) {
  std::string text;
  switch (value.kind) {
    case Value::Kind::null:
      return "";
    case Value::Kind::scalar:
      return value.text;
    case Value::Kind::list:
      for (const Value& item : value.items)
        text += (text.empty() ? "" : ", ") + (item.kind == Value::Kind::null ? "null" : flow_text(item));
      return "[" + text + "]";
    case Value::Kind::map:
      for (const auto& [key, item] : value.fields) text += (text.empty() ? "" : ", ") + key + ": " + flow_text(item);
      return "{" + text + "}";
  }
  return text;
}

template <class... A>
std::string alternatives_text(const std::variant<A...>*) {
  std::string text;
  ((text += (text.empty() ? "" : " | ") + std::string(Description<A>::name)), ...);
  return "map, type: " + text;
}

template <class T>
std::string type_text() {
  if constexpr (requires { Words<T>::names; }) {
    std::string text;
    for (const char* name : Words<T>::names) text += (text.empty() ? "" : " | ") + std::string(name);
    return text;
  } else if constexpr (std::is_same_v<T, double>) {
    return "number";
  } else if constexpr (std::is_same_v<T, int>) {
    return "whole number";
  } else if constexpr (std::is_same_v<T, bool>) {
    return "true | false";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "text";
  } else if constexpr (is_optional<T>::value) {
    return type_text<typename T::value_type>();
  } else if constexpr (is_vector<T>::value) {
    return "list of (" + type_text<typename T::value_type>() + ")";
  } else if constexpr (is_array<T>::value) {
    return "list of " + std::to_string(std::tuple_size_v<T>) + " (" + type_text<typename T::value_type>() + ")";
  } else if constexpr (is_named<T>::value) {
    return "map of names";
  } else if constexpr (is_variant<T>::value) {
    return alternatives_text(static_cast<const T*>(nullptr));
  } else if constexpr (Described<T>) {
    return std::string("map (") + Description<T>::name + ")";
  } else {
    return TypeText<T>::text;
  }
}

template <class T>
struct FieldLister {
  const T& defaults;
  std::vector<OptionInfo>& out;
  template <class Member>
  void operator()(const char* key, Member T::*member, const Field& field) {
    OptionInfo info{key, type_text<Member>(), "", field.unit, field.allowed.text, field.help, field.required};
    constexpr bool nested = is_variant<Member>::value || is_named<Member>::value;
    if constexpr (!nested)
      if (!field.required) info.fallback = flow_text(write_value(defaults.*member));
    if (info.fallback == "[]") info.fallback.clear();
    out.push_back(std::move(info));
  }
};

}  // namespace detail

template <class T>
ThingInfo list_description() {
  ThingInfo thing{Description<T>::name, Description<T>::help, {}, {}};
  const T defaults{};
  detail::FieldLister<T> lister{defaults, thing.options};
  Description<T>::fields(lister);
  return thing;
}

template <class... A>
std::vector<ThingInfo> list_alternatives(const std::variant<A...>*) {
  return {list_description<A>()...};
}

}  // namespace lithe

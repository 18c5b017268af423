// One definition of every option. A struct is described once:
//
//   template <> struct Description<LineMesh> {
//     static constexpr const char* name = "line";
//     static constexpr const char* help = "elements along a straight line";
//     template <class Visitor> static void fields(Visitor& visit) {
//       visit("from", &LineMesh::from, Field{.help = "start", .unit = "m", .required = true});
//       visit("elements", &LineMesh::elements, Field{.help = "number of elements", .allowed = positive});
//     }
//   };
//
// and that serves reading (YAML, --set, Python), writing (the copy of the model in a result), listing (`lithe list`)
// and the Python classes. A choice among described structs is a std::variant, told apart by the key `type` (the first
// alternative is the default). Named things are Named<T>, a list that keeps the user's order. Unknown keys are errors.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/base/value.h"

namespace lithe {

template <class T>
struct Description;

struct Allowed {
  bool (*holds)(double) = nullptr;
  const char* text = "";
};
inline constexpr Allowed anything{};
inline constexpr Allowed positive{[](double x) { return x > 0; }, "greater than 0"};
inline constexpr Allowed not_negative{[](double x) { return x >= 0; }, "0 or more"};
inline constexpr Allowed poisson_ratio{[](double x) { return x > -1 && x < 0.5; }, "between -1 and 0.5 (exclusive)"};
inline constexpr Allowed thread_count{[](double x) { return x >= 0 && x <= 1024; }, "0 (all cores) to 1024"};
inline constexpr Allowed fraction{[](double x) { return x > 0 && x < 1; }, "between 0 and 1 (exclusive)"};

struct Field {
  const char* help = "";
  const char* unit = "";
  bool required = false;
  Allowed allowed = anything;
  // Magnitudes outside [usual_low, usual_high] are probably in other units: a warning, not an error.
  double usual_low = 0, usual_high = 0;
};

// An ordered list of named things; names are unique (a duplicate is an input error).
template <class T>
struct Named {
  std::vector<std::pair<std::string, T>> items;
  std::vector<Where> where;  // parallel to items: where each was said

  T* find(std::string_view name) {
    for (auto& [key, value] : items)
      if (key == name) return &value;
    return nullptr;
  }
  const T* find(std::string_view name) const { return const_cast<Named*>(this)->find(name); }
  T& add(const std::string& name, T value, Where place = {}) {
    if (find(name)) throw InputError(place, "the name '" + name + "' is used twice; names must be unique");
    items.emplace_back(name, std::move(value));
    where.push_back(std::move(place));
    return items.back().second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& item : items) list.push_back(item.first);
    return list;
  }
  std::size_t size() const { return items.size(); }
};

// What reading noticed beside errors.
struct Reading {
  std::vector<std::string> warnings;
};

template <class T>
concept Described = requires {
  Description<T>::name;
};

// A type with a form of its own (a time function, an enumeration, a reference to a point) specialises Custom:
// static void read(const Value&, T&); static Value write(const T&); static const char* spoken().
template <class T>
struct Custom {
  static constexpr bool exists = false;
};

template <class T>
void read_value(const Value& value, T& out, const Field& field, Reading& reading);
template <class T>
Value write_value(const T& x);

namespace detail {

template <class T>
struct is_variant : std::false_type {};
template <class... A>
struct is_variant<std::variant<A...>> : std::true_type {};
template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};
template <class T>
struct is_array : std::false_type {};
template <class T, std::size_t n>
struct is_array<std::array<T, n>> : std::true_type {};
template <class T>
struct is_named : std::false_type {};
template <class T>
struct is_named<Named<T>> : std::true_type {};

inline void check_number(double x, const Value& value, const Field& field, Reading& reading) {
  if (field.allowed.holds && !field.allowed.holds(x))
    throw InputError(value.where, "this is " + value.text + ", but it must be " + field.allowed.text);
  if (!value.told && field.usual_high > 0 && x != 0 &&
      (std::abs(x) < field.usual_low || std::abs(x) > field.usual_high)) {
    Where where = value.where;
    reading.warnings.push_back(InputError(where, value.text + " " + field.unit + " is unusual for " + field.help +
                                                     " (usually " + number_text(field.usual_low) + " to " +
                                                     number_text(field.usual_high) + "): are the units SI?")
                                   .what());
  }
}

template <class T>
struct FieldReader {
  const Value& value;
  T& out;
  Reading& reading;
  bool is_alternative;  // the key `type` was read by the variant
  std::vector<std::string> known{};
  std::string missing{};  // told after unknown keys: a misspelt required key is both

  template <class Member>
  void operator()(const char* key, Member T::*member, const Field& field) {
    known.push_back(key);
    if (const Value* found = value.find(key)) read_value(*found, out.*member, field, reading);
    else if (field.required && missing.empty())
      missing = "'" + std::string(key) + "' is missing (" + field.help +
                (*field.unit ? std::string(", ") + field.unit : "") + ")";
  }
  void finish() const {
    for (std::size_t i = 0; i < value.fields.size(); ++i) {
      const auto& [key, given] = value.fields[i];
      for (std::size_t j = 0; j < i; ++j)
        if (value.fields[j].first == key) throw InputError(given.where, "the key '" + key + "' is given twice");
      if (is_alternative && key == "type") continue;
      bool ok = false;
      for (const auto& name : known) ok = ok || name == key;
      if (!ok) throw InputError(given.where, "'" + key + "' is not a key here" + suggestion(key, known));
    }
    if (!missing.empty()) throw InputError(value.where, missing);
  }
};

template <class T>
void read_struct(const Value& value, T& out, Reading& reading, bool is_alternative) {
  if (value.kind != Value::Kind::map)
    throw InputError(value.where, std::string("a map of keys is expected (") + Description<T>::help +
                                      "), but this is " + lithe::spoken(value));
  FieldReader<T> reader{value, out, reading, is_alternative};
  Description<T>::fields(reader);
  reader.finish();
}

template <class... A>
void read_variant(const Value& value, std::variant<A...>& out, Reading& reading) {
  if (value.kind != Value::Kind::map)
    throw InputError(value.where, "a map with the key 'type' is expected, but this is " + lithe::spoken(value));
  const Value* type = value.find("type");
  const std::vector<std::string> names{Description<A>::name...};
  const std::string wanted = type ? to_string(*type) : names.front();
  bool found = false;
  auto attempt = [&]<class Alternative>(std::type_identity<Alternative>) {
    if (found || wanted != Description<Alternative>::name) return;
    found = true;
    Alternative alternative;
    read_struct(value, alternative, reading, true);
    out = std::move(alternative);
  };
  (attempt(std::type_identity<A>{}), ...);
  if (!found) throw InputError(type->where, "type '" + wanted + "' is not known" + suggestion(wanted, names));
}

template <class T>
struct FieldWriter {
  const T& x;
  Value& out;
  template <class Member>
  void operator()(const char* key, Member T::*member, const Field&) {
    Value value = write_value(x.*member);
    if (value.kind != Value::Kind::null) out.set(key, std::move(value));
  }
};

}  // namespace detail

template <class T>
void read_value(const Value& value, T& out, const Field& field, Reading& reading) {
  if constexpr (Custom<T>::exists) {
    Custom<T>::read(value, out);
  } else if constexpr (std::is_same_v<T, double>) {
    out = to_double(value);
    detail::check_number(out, value, field, reading);
  } else if constexpr (std::is_same_v<T, int>) {
    out = to_int(value);
    detail::check_number(out, value, field, reading);
  } else if constexpr (std::is_same_v<T, bool>) {
    out = to_bool(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    out = to_string(value);
  } else if constexpr (detail::is_optional<T>::value) {
    if (value.kind == Value::Kind::null) {
      out.reset();
      return;
    }
    typename T::value_type inner{};
    read_value(value, inner, field, reading);
    out = std::move(inner);
  } else if constexpr (detail::is_vector<T>::value) {
    if (value.kind != Value::Kind::list)
      throw InputError(value.where, "a list is expected, but this is " + spoken(value));
    out.clear();
    for (const Value& item : value.items) {
      typename T::value_type inner{};
      read_value(item, inner, field, reading);
      out.push_back(std::move(inner));
    }
  } else if constexpr (detail::is_array<T>::value) {
    if (value.kind != Value::Kind::list || value.items.size() != out.size())
      throw InputError(value.where,
                       "a list of " + std::to_string(out.size()) + " is expected, but this is " + spoken(value));
    for (std::size_t i = 0; i < out.size(); ++i) read_value(value.items[i], out[i], field, reading);
  } else if constexpr (detail::is_named<T>::value) {
    if (value.kind != Value::Kind::map && value.kind != Value::Kind::null)  // `loads:` with nothing below: none
      throw InputError(value.where, "a map of names is expected, but this is " + spoken(value));
    out.items.clear();
    out.where.clear();
    for (const auto& [name, item] : value.fields) {
      typename std::remove_reference_t<decltype(out.items[0].second)> inner{};
      read_value(item, inner, field, reading);
      out.add(name, std::move(inner), item.where);
    }
  } else if constexpr (detail::is_variant<T>::value) {
    detail::read_variant(value, out, reading);
  } else {
    static_assert(Described<T>, "no Description of this type");
    detail::read_struct(value, out, reading, false);
  }
}

template <class T>
Value write_value(const T& x) {
  if constexpr (Custom<T>::exists) {
    return Custom<T>::write(x);
  } else if constexpr (std::is_same_v<T, double>) {
    return Value::scalar(number_text(x));
  } else if constexpr (std::is_same_v<T, int>) {
    return Value::scalar(std::to_string(x));
  } else if constexpr (std::is_same_v<T, bool>) {
    return Value::scalar(x ? "true" : "false");
  } else if constexpr (std::is_same_v<T, std::string>) {
    Value v = Value::scalar(x);
    v.quoted = true;
    return v;
  } else if constexpr (detail::is_optional<T>::value) {
    return x ? write_value(*x) : Value{};
  } else if constexpr (detail::is_vector<T>::value || detail::is_array<T>::value) {
    Value v = Value::list();
    for (const auto& item : x) v.items.push_back(write_value(item));
    return v;
  } else if constexpr (detail::is_named<T>::value) {
    Value v = Value::map();
    for (const auto& [name, item] : x.items) v.set(name, write_value(item));
    return v;
  } else if constexpr (detail::is_variant<T>::value) {
    return std::visit(
        [](const auto& alternative) {
          Value v = Value::map();
          v.set("type", Value::scalar(Description<std::decay_t<decltype(alternative)>>::name));
          for (auto& field : write_value(alternative).fields) v.fields.push_back(std::move(field));
          return v;
        },
        x);
  } else {
    static_assert(Described<T>, "no Description of this type");
    Value v = Value::map();
    detail::FieldWriter<T> writer{x, v};
    Description<T>::fields(writer);
    return v;
  }
}

// A closed set of words: specialise Words<Enum> with `static constexpr std::array<const char*, n> names` in the order
// of the enumerators, then `template <> struct Custom<Enum> : CustomWords<Enum> {};`.
template <class Enum>
struct Words;
template <class Enum>
struct CustomWords {
  static constexpr bool exists = true;
  static void read(const Value& value, Enum& out) {
    const std::string word = to_string(value);
    std::vector<std::string> known;
    for (std::size_t i = 0; i < Words<Enum>::names.size(); ++i) {
      if (word == Words<Enum>::names[i]) {
        out = static_cast<Enum>(i);
        return;
      }
      known.push_back(Words<Enum>::names[i]);
    }
    throw InputError(value.where, "'" + word + "' is not known" + suggestion(word, known));
  }
  static Value write(const Enum& x) { return Value::scalar(Words<Enum>::names[static_cast<int>(x)]); }
};
template <class Enum>
const char* word(Enum x) {
  return Words<Enum>::names[static_cast<int>(x)];
}

}  // namespace lithe

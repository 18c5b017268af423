// Types and structs as data. A Type says what a C++ type is made of and how to reach it behind a void*; a Schema lists
// the members of a struct. Both are made once for each type (type_of, LITHE_DESCRIBE), so that reading, writing,
// listing and the Python classes are ordinary functions over them, compiled once.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/base/field.h"
#include "lithe/base/one_or_more.h"

namespace lithe {

// Makes an object with its defaults.
struct Maker {
  void* (*create)() = nullptr;
  void (*destroy)(void*) = nullptr;

  std::shared_ptr<void> operator()() const { return {create(), destroy}; }
  template <class T>
  static Maker of() {
    return {[]() -> void* { return new T(); }, [](void* x) { delete static_cast<T*>(x); }};
  }
};

struct Type {
  enum class Kind {
    number,     // double
    integer,    // int
    boolean,    // bool
    text,       // std::string
    words,      // of a set, with Words
    custom,     // a form of its own, with Custom
    optional,   // std::optional of `inner`
    list,       // std::vector or OneOrMore of `inner`
    array,      // std::array of `count` `inner`
    named,      // Named of `inner`
    choice,     // std::variant of `alternatives`, told apart by the key `type`; the first is the default
    structure,  // described by `schema`
  };
  Kind kind = Kind::structure;
  Maker maker;

  const Type* inner = nullptr;  // optional, list, array, named
  std::size_t stride = 0;       // list, array: from one element to the next, bytes
  std::size_t count = 0;        // array
  bool alone = false;           // list: one thing may stand for a list of it (OneOrMore)
  struct WordsForm {
    std::vector<const char*> (*list)() = nullptr;
    const char* (*get)(const void*) = nullptr;
    void (*set)(void*, std::size_t) = nullptr;  // number in the list
  } words;
  const Schema* schema = nullptr;
  std::vector<const Schema*> alternatives;

  struct CustomForm {
    void (*read)(const Value&, void*) = nullptr;
    Value (*write)(const void*) = nullptr;
    const char *text = "", *annotation = "";
  } custom;
  struct OptionalForm {
    const void* (*get)(const void*) = nullptr;  // null: nothing is there
    void* (*emplace)(void*) = nullptr;
    void (*reset)(void*) = nullptr;
  } optional;
  struct SequenceForm {  // list and array; an array has its size
    std::size_t (*size)(const void*) = nullptr;
    void (*resize)(void*, std::size_t) = nullptr;  // to defaults
    const void* (*data)(const void*) = nullptr;
  } sequence;
  struct NamedForm {
    std::size_t (*size)(const void*) = nullptr;
    const std::string& (*name)(const void*, std::size_t) = nullptr;
    const void* (*item)(const void*, std::size_t) = nullptr;
    const Where* (*where)(const void*, std::size_t) = nullptr;         // null: not known
    std::size_t (*position)(const void*, std::string_view) = nullptr;  // NameIndex::none: there is no such name
    void (*clear)(void*) = nullptr;
    void* (*add)(void*, const std::string&, const Where&) = nullptr;  // a default one; throws for a name used twice
  } named;
  struct ChoiceForm {
    std::size_t (*index)(const void*) = nullptr;
    const void* (*get)(const void*) = nullptr;
    void* (*emplace)(void*, std::size_t) = nullptr;  // that alternative with its defaults
  } choice;

  // Elements of a list or an array.
  const void* element(const void* x, std::size_t i) const {
    return static_cast<const char*>(sequence.data(x)) + i * stride;
  }
  void* element(void* x, std::size_t i) const { return const_cast<void*>(element(static_cast<const void*>(x), i)); }
  // A list or array of numbers, or of rows of numbers: what an array of numbers is read into at once.
  bool is_numeric() const {
    return (kind == Kind::list || kind == Kind::array) &&
           (inner->kind == Kind::number || inner->kind == Kind::integer || inner->is_numeric());
  }
};

struct Member {
  const char* key = "";
  Field field;
  const Type* type = nullptr;
  std::size_t offset = 0;  // in the struct, bytes

  const void* in(const void* object) const { return static_cast<const char*>(object) + offset; }
  void* in(void* object) const { return static_cast<char*>(object) + offset; }
};

struct Schema {
  const char* name = "";  // as the key `type` says it: isotropic
  const char* help = "";
  const char* class_name = "";  // Isotropic
  std::vector<Member> members;
  Maker maker;
  std::shared_ptr<const void> defaults;

  std::vector<std::string> keys() const {
    std::vector<std::string> list;
    for (const Member& member : members) list.emplace_back(member.key);
    return list;
  }
};

template <class T>
const Type& type_of();

namespace detail {

template <class T>
struct Shape {
  using Inner = void;
};
template <class T>
struct Shape<std::optional<T>> {
  using Inner = T;
};
template <class T>
struct Shape<std::vector<T>> {
  using Inner = T;
};
template <class T, std::size_t n>
struct Shape<std::array<T, n>> {
  using Inner = T;
};
template <class T>
struct Shape<OneOrMore<T>> {
  using Inner = T;
};
template <class T>
struct Shape<Named<T>> {
  using Inner = T;
};
template <class T>
inline constexpr bool is_optional = std::is_same_v<T, std::optional<typename Shape<T>::Inner>>;
template <class T>
inline constexpr bool is_vector = std::is_same_v<T, std::vector<typename Shape<T>::Inner>>;
template <class T>
inline constexpr bool is_one_or_more = false;
template <class T>
inline constexpr bool is_one_or_more<OneOrMore<T>> = true;
template <class T>
inline constexpr bool is_named = std::is_same_v<T, Named<typename Shape<T>::Inner>>;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... A>
inline constexpr bool is_variant<std::variant<A...>> = true;

template <class T>
const T& as(const void* x) {
  return *static_cast<const T*>(x);
}
template <class T>
T& as(void* x) {
  return *static_cast<T*>(x);
}

template <class... A>
void describe_choice(Type& type, const std::variant<A...>*) {
  using V = std::variant<A...>;
  type.alternatives = {&schema(static_cast<const A*>(nullptr))...};
  type.choice.index = [](const void* x) { return as<V>(x).index(); };
  type.choice.get = [](const void* x) {
    return std::visit([](const auto& alternative) { return static_cast<const void*>(&alternative); }, as<V>(x));
  };
  type.choice.emplace = [](void* x, std::size_t i) {
    using Emplace = void* (*)(V&);
    static constexpr Emplace each[] = {[](V& v) -> void* { return &v.template emplace<A>(); }...};
    return each[i](as<V>(x));
  };
}

template <class T>
Type make_type() {
  using Kind = Type::Kind;
  using Inner = typename Shape<T>::Inner;
  Type type;
  type.maker = Maker::of<T>();
  if constexpr (!std::is_void_v<Inner>) type.inner = &type_of<Inner>();
  if constexpr (requires { Words<T>::names; }) {
    type.kind = Kind::words;
    type.words = {[] { return std::vector<const char*>(Words<T>::names.begin(), Words<T>::names.end()); },
                  [](const void* x) { return word(as<T>(x)); },
                  [](void* x, std::size_t i) { as<T>(x) = static_cast<T>(i); }};
  } else if constexpr (requires { Words<T>::list(); }) {
    type.kind = Kind::words;
    type.words = {Words<T>::list, [](const void* x) { return Words<T>::get(as<T>(x)); },
                  [](void* x, std::size_t i) { Words<T>::set(as<T>(x), i); }};
  } else if constexpr (Custom<T>::exists) {
    type.kind = Kind::custom;
    type.custom = {[](const Value& value, void* x) { Custom<T>::read(value, as<T>(x)); },
                   [](const void* x) { return Custom<T>::write(as<T>(x)); }, Custom<T>::text, Custom<T>::annotation};
  } else if constexpr (std::is_same_v<T, double>) {
    type.kind = Kind::number;
  } else if constexpr (std::is_same_v<T, int>) {
    type.kind = Kind::integer;
  } else if constexpr (std::is_same_v<T, bool>) {
    type.kind = Kind::boolean;
  } else if constexpr (std::is_same_v<T, std::string>) {
    type.kind = Kind::text;
  } else if constexpr (is_optional<T>) {
    type.kind = Kind::optional;
    type.optional = {[](const void* x) { return as<T>(x) ? static_cast<const void*>(&*as<T>(x)) : nullptr; },
                     [](void* x) -> void* { return &as<T>(x).emplace(); }, [](void* x) { as<T>(x).reset(); }};
  } else if constexpr (is_vector<T> || is_array<T>) {
    type.kind = is_vector<T> ? Kind::list : Kind::array;
    type.stride = sizeof(Inner);
    type.sequence.size = [](const void* x) { return as<T>(x).size(); };
    type.sequence.data = [](const void* x) -> const void* { return as<T>(x).data(); };
    if constexpr (is_array<T>) type.count = std::tuple_size_v<T>;
    else
      type.sequence.resize = [](void* x, std::size_t n) {
        as<T>(x).clear();
        as<T>(x).resize(n);
      };
  } else if constexpr (is_one_or_more<T>) {
    type.kind = Kind::list;
    type.alone = true;
    type.stride = sizeof(Inner);
    type.sequence = {[](const void* x) { return as<T>(x).size(); },
                     [](void* x, std::size_t n) { as<T>(x).items = std::vector<Inner>(n); },
                     [](const void* x) -> const void* { return as<T>(x).items.data(); }};
  } else if constexpr (is_named<T>) {
    type.kind = Kind::named;
    type.named = {[](const void* x) { return as<T>(x).size(); },
                  [](const void* x, std::size_t i) -> const std::string& { return as<T>(x).items[i].first; },
                  [](const void* x, std::size_t i) -> const void* { return &as<T>(x).items[i].second; },
                  [](const void* x, std::size_t i) { return i < as<T>(x).where.size() ? &as<T>(x).where[i] : nullptr; },
                  [](const void* x, std::string_view name) { return as<T>(x).position(name); },
                  [](void* x) { as<T>(x).clear(); },
                  [](void* x, const std::string& name, const Where& where) -> void* {
                    return &as<T>(x).add(name, Inner{}, where);
                  }};
  } else if constexpr (is_variant<T>) {
    type.kind = Kind::choice;
    describe_choice(type, static_cast<const T*>(nullptr));
  } else {
    type.schema = &schema(static_cast<const T*>(nullptr));
  }
  return type;
}

}  // namespace detail

template <class T>
const Type& type_of() {
  static const Type type = detail::make_type<T>();
  return type;
}

}  // namespace lithe

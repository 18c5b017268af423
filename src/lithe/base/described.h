// What a header says of its types so that describe.h can read, write and list them:
//
//   enum class Hold { section, all };
//   template <> struct Words<Hold> { static constexpr std::array<const char*, 2> names{"section", "all"}; };
//
//   struct Clamp { ... };
//   const Schema& schema(const Clamp*);       // defined by LITHE_DESCRIBE(Clamp, ...) in the source file
//
// A type with a form of its own (a time function, a reference to a place) specialises Custom.
#pragma once

#include <array>

#include "lithe/base/named.h"
#include "lithe/base/value.h"

namespace lithe {

struct Schema;
class Spot;  // where a rule that needs more than one field looks: void check(const Spot& here, const Clamp& clamp)

// A closed set of words, in the order of the enumerators.
template <class Enum>
struct Words {};
template <class Enum>
const char* word(Enum x) {
  return Words<Enum>::names[static_cast<std::size_t>(x)];
}

// A set of words that may grow: static std::vector<const char*> list(); static const char* get(const T&);
// static void set(T&, std::size_t word) in place of names.

// static constexpr bool exists = true;
// static void read(const Value&, T&);  static Value write(const T&);
// static constexpr const char* text = "how it is called in a listing", *annotation = "its type in Python";
template <class T>
struct Custom {
  static constexpr bool exists = false;
};

}  // namespace lithe

// One definition of every option. A struct is described once, in the source file beside its header:
//
//   LITHE_DESCRIBE(LineMesh, "line", "elements along a straight line") {
//     visit("from", &LineMesh::from, Field{.help = "start", .unit = "m", .required = true});
//     visit("elements", &LineMesh::elements, Field{.help = "number of elements", .allowed = positive});
//   }
//
// and that serves reading (YAML, --set, Python), writing (the copy of the model in a result), listing (`lithe list`)
// and the Python classes. A choice among described structs is a std::variant, told apart by the key `type` (the first
// alternative is the default). Named things are Named<T>, a list that keeps the user's order. Unknown keys are errors.
#pragma once

#include <type_traits>

#include "lithe/base/schema.h"

namespace lithe {

// Reads what the user said into `out`, of that type. Throws InputError with the place, the value and what is allowed.
void read(const Value& value, const Type& type, void* out, const Field& field, Reading& reading);
// `is_alternative`: the key `type` was read by the choice.
void read(const Value& value, const Schema& schema, void* out, Reading& reading, bool is_alternative = false);
Value write(const Type& type, const void* x);
Value write(const Schema& schema, const void* x);
// Of something made in code: every field by itself (finite, in its range), as reading would have checked it.
// `key`: what it is part of.
void check_fields(const Type& type, const void* x, Reading& reading, const char* key = nullptr);

template <class T>
void read_value(const Value& value, T& out, const Field& field, Reading& reading) {
  read(value, type_of<T>(), &out, field, reading);
}
template <class T>
Value write_value(const T& x) {
  return write(type_of<T>(), &x);
}

// Collects the members of T; the offset of a member is measured on `sample`.
template <class T>
struct Describer {
  Schema& schema;
  const T& sample;
  template <class M>
  void operator()(const char* key, M T::*member, const Field& field) {
    const auto* at = reinterpret_cast<const char*>(&(sample.*member));
    schema.members.push_back(
        {key, field, &type_of<M>(), static_cast<std::size_t>(at - reinterpret_cast<const char*>(&sample))});
  }
};

template <class T>
Schema make_schema(const char* name, const char* help, const char* class_name, void (*describe)(Describer<T>&)) {
  const Maker maker = Maker::of<T>();
  Schema schema{name, help, class_name, {}, maker, maker()};
  Describer<T> describer{schema, *static_cast<const T*>(schema.defaults.get())};
  describe(describer);
  return schema;
}

}  // namespace lithe

#define LITHE_DESCRIBE(T, name, help)                                                          \
  static void describe_##T([[maybe_unused]] ::lithe::Describer<T>& visit);                     \
  const ::lithe::Schema& schema(const T*) {                                                    \
    static const ::lithe::Schema made = ::lithe::make_schema<T>(name, help, #T, describe_##T); \
    return made;                                                                               \
  }                                                                                            \
  static void describe_##T([[maybe_unused]] ::lithe::Describer<T>& visit)

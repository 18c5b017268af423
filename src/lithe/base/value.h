// A tree of what the user said, with the place where it was said: YAML files, --set options and Python dictionaries all
// become a Value; describe.h reads a Value into plain structs. A scalar keeps its text, so a message can quote it; an
// array of numbers (a mesh of numpy's) stays one.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lithe/base/error.h"

namespace lithe {

// An array of at least one dimension, rows one after the other.
struct Numbers {
  std::vector<double> values;
  std::vector<std::size_t> shape;
};

struct Value {
  enum class Kind { null, scalar, list, map, numbers };
  struct Field;
  Kind kind = Kind::null;
  std::string text;                        // scalar
  bool quoted = false;                     // scalar in quotes: never a number or a bool
  bool told = false;                       // of a part made before: doubts were told then
  std::vector<Value> items;                // list
  std::vector<Field> fields;               // map, in the user's order
  std::shared_ptr<const Numbers> numbers;  // a list, or a list of lists, of numbers
  Where where;

  static Value scalar(std::string text);
  static Value list();
  static Value array(std::shared_ptr<const Numbers> numbers);
  static Value map();
  const Value* find(std::string_view key) const;
  void set(std::string key, Value value);
};

struct Value::Field {
  Field(std::string name, Value value) : first(std::move(name)), second(std::move(value)) {}
  std::string first;
  Value second;
};

// Where an item of a list was said: data of Python's have no file, and their paths are written as Python does.
Where item_where(const Where& list, std::size_t i);
// An array of numbers as a list of its rows or of its numbers; anything else as it is.
Value listed(const Value& value);
// "a number", "a list of 3" and so on, for messages: what this value is.
std::string spoken(const Value& value);

inline constexpr double largest_integer = 2e9;
inline constexpr double largest_number = 1e100;  // products of three are numbers still
// Scalars; throw InputError naming the place, the value and what is allowed.
double to_double(const Value& value);
int to_int(const Value& value);
bool to_bool(const Value& value);
std::string to_string(const Value& value);
// Shortest text that reads back to the same double.
std::string number_text(double x);

}  // namespace lithe

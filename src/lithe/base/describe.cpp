#include "lithe/base/describe.h"

#include <cmath>

namespace lithe {

namespace {

using Kind = Type::Kind;

void check_number(double x, const Value& value, const Field& field, Reading& reading) {
  if (field.allowed.holds && !field.allowed.holds(x))
    throw InputError(value.where, "this is " + value.text + ", but it must be " + field.allowed.text);
  if (!value.told && field.usual_high > 0 && x != 0 &&
      (std::abs(x) < field.usual_low || std::abs(x) > field.usual_high))
    reading.warnings.push_back(InputError(value.where, value.text + " " + field.unit + " is unusual for " + field.help +
                                                           " (usually " + number_text(field.usual_low) + " to " +
                                                           number_text(field.usual_high) + "): are the units SI?")
                                   .what());
}

// Nothing is wrong with this number and nothing doubtful.
bool is_usual(double x, bool whole, const Field& field) {
  return std::abs(x) <= largest_number && (!whole || (x == std::floor(x) && std::abs(x) <= largest_integer)) &&
         (!field.allowed.holds || field.allowed.holds(x)) &&
         (field.usual_high <= 0 || x == 0 || (std::abs(x) >= field.usual_low && std::abs(x) <= field.usual_high));
}

// How many lists of lists of numbers a type is.
std::size_t depth(const Type& type) { return type.is_numeric() ? 1 + depth(*type.inner) : 0; }

// An array of numbers into lists of that depth: straight, without a Value or a text for each number.
class NumbersReader {
 public:
  NumbersReader(const Value& value, const Field& field, Reading& reading)
      : value_(value),
        from_(value.numbers->values.data()),
        position_(shape().size()),
        field_(field),
        reading_(reading) {}

  void read(const Type& type, void* out, std::size_t level = 0) {
    const std::size_t n = shape()[level];
    if (type.kind == Kind::list) type.sequence.resize(out, n);
    else if (n != type.count)
      throw InputError(where(level), "a list of " + std::to_string(type.count) +
                                         " is expected, but this is a list of " + std::to_string(n));
    if (type.inner->kind == Kind::number) copy<double>(type, out, level);
    else if (type.inner->kind == Kind::integer) copy<int>(type, out, level);
    else
      for (std::size_t& i = position_[level] = 0; i < n; ++i) read(*type.inner, type.element(out, i), level + 1);
  }

 private:
  const std::vector<std::size_t>& shape() const { return value_.numbers->shape; }
  template <class Number>
  void copy(const Type& type, void* out, std::size_t level) {
    auto* to = static_cast<Number*>(type.element(out, 0));
    for (std::size_t& i = position_[level] = 0; i < shape()[level]; ++i) {
      const double x = *from_++;
      if (is_usual(x, std::is_integral_v<Number>, field_)) {
        to[i] = static_cast<Number>(x);
        continue;
      }
      Value single = Value::scalar(number_text(x));  // what is wrong with it is told as of any other value
      single.where = where(level + 1);
      single.told = value_.told;
      lithe::read(single, *type.inner, &to[i], field_, reading_);
    }
  }
  Where where(std::size_t levels) const {
    Where place = value_.where;
    for (std::size_t k = 0; k < levels; ++k) place = item_where(place, position_[k]);
    return place;
  }

  const Value& value_;
  const double* from_;
  std::vector<std::size_t> position_;  // of the number that is read now, level by level
  const Field& field_;
  Reading& reading_;
};

void read_words(const Value& value, const Type& type, void* out) {
  const std::string word = to_string(value);
  const std::vector<const char*> known = type.words.list();
  for (std::size_t i = 0; i < known.size(); ++i)
    if (word == known[i]) return type.words.set(out, i);
  throw InputError(value.where, "'" + word + "' is not known" + suggestion(word, {known.begin(), known.end()}));
}

void read_sequence(const Value& value, const Type& type, void* out, const Field& field, Reading& reading) {
  if (type.alone && value.kind != Value::Kind::list) {
    type.sequence.resize(out, 1);
    return read(value, *type.inner, type.element(out, 0), field, reading);
  }
  if (value.kind == Value::Kind::numbers) {
    if (depth(type) == value.numbers->shape.size()) NumbersReader(value, field, reading).read(type, out);
    else read_sequence(listed(value), type, out, field, reading);
    return;
  }
  if (type.kind == Kind::list) {
    if (value.kind != Value::Kind::list)
      throw InputError(value.where, "a list is expected, but this is " + spoken(value));
    type.sequence.resize(out, value.items.size());
  } else if (value.kind != Value::Kind::list || value.items.size() != type.count) {
    throw InputError(value.where,
                     "a list of " + std::to_string(type.count) + " is expected, but this is " + spoken(value));
  }
  for (std::size_t i = 0; i < value.items.size(); ++i)
    read(value.items[i], *type.inner, type.element(out, i), field, reading);
}

void read_named(const Value& value, const Type& type, void* out, const Field& field, Reading& reading) {
  if (value.kind != Value::Kind::map && value.kind != Value::Kind::null)  // `loads:` with nothing below: none
    throw InputError(value.where, "a map of names is expected, but this is " + spoken(value));
  type.named.clear(out);
  for (const auto& [name, item] : value.fields)
    read(item, *type.inner, type.named.add(out, name, item.where), field, reading);
}

void read_choice(const Value& value, const Type& type, void* out, Reading& reading) {
  if (value.kind != Value::Kind::map)
    throw InputError(value.where, "a map with the key 'type' is expected, but this is " + spoken(value));
  const Value* said = value.find("type");
  const std::string wanted = said ? to_string(*said) : type.alternatives.front()->name;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
    const Schema& schema = *type.alternatives[i];
    if (wanted == schema.name) return read(value, schema, type.choice.emplace(out, i), reading, true);
    names.emplace_back(schema.name);
  }
  throw InputError(said->where, "type '" + wanted + "' is not known" + suggestion(wanted, names));
}

Value quoted(const std::string& text) {
  Value v = Value::scalar(text);
  v.quoted = true;
  return v;
}

// The numbers of lists of equal lengths, one shape for all; false: they differ.
bool collect(const Type& type, const void* x, std::size_t level, Numbers& to, bool first) {
  const std::size_t n = type.sequence.size(x);
  if (first) to.shape.push_back(n);
  else if (to.shape[level] != n) return false;
  if (type.inner->kind == Kind::number) {
    const auto* data = static_cast<const double*>(type.element(x, 0));
    to.values.insert(to.values.end(), data, data + n);
  } else if (type.inner->kind == Kind::integer) {
    const auto* data = static_cast<const int*>(type.element(x, 0));
    to.values.insert(to.values.end(), data, data + n);
  } else {
    for (std::size_t i = 0; i < n; ++i)
      if (!collect(*type.inner, type.element(x, i), level + 1, to, first && i == 0)) return false;
  }
  return true;
}

Value write_sequence(const Type& type, const void* x) {
  const std::size_t n = type.sequence.size(x);
  if (type.alone && n == 1) return write(*type.inner, type.element(x, 0));
  if (n > 0 && depth(type) > 1) {
    auto numbers = std::make_shared<Numbers>();
    if (collect(type, x, 0, *numbers, true)) return Value::array(std::move(numbers));
  }
  Value v = Value::list();
  v.items.reserve(n);
  for (std::size_t i = 0; i < n; ++i) v.items.push_back(write(*type.inner, type.element(x, i)));
  return v;
}

Value placed(Value value, const Where& where) {
  value.where = where;
  const std::string prefix = where.path.empty() ? "" : where.path + ".";
  for (std::size_t i = 0; i < value.items.size(); ++i)
    value.items[i] = placed(std::move(value.items[i]), {where.file, where.line, prefix + std::to_string(i)});
  for (auto& [key, item] : value.fields) item = placed(std::move(item), {where.file, where.line, prefix + key});
  return value;
}

// Walks through something made in code; where it is, is put together where it is needed.
class FieldChecker {
 public:
  FieldChecker(Reading& reading, const char* key) : reading_(reading) {
    if (key) path_.push_back({key, 0});
  }

  void check(const Schema& schema, const void* x) {
    for (const Member& member : schema.members)
      at(member.key, [&] { check(*member.type, member.in(x), member.field); });
  }
  void check(const Type& type, const void* x, const Field& field) {
    switch (type.kind) {
      case Kind::number:
        if (!is_usual(*static_cast<const double*>(x), false, field)) read_again(type, x, field);
        return;
      case Kind::integer:
        if (!is_usual(*static_cast<const int*>(x), true, field)) read_again(type, x, field);
        return;
      case Kind::boolean:
      case Kind::words:
        return;
      case Kind::text:
      case Kind::custom:
        return read_again(type, x, field);
      case Kind::optional:
        if (const void* inner = type.optional.get(x)) check(*type.inner, inner, field);
        return;
      case Kind::list:
      case Kind::array:
        if (type.alone && type.sequence.size(x) == 1) return check(*type.inner, type.element(x, 0), field);
        for (std::size_t i = 0; i < type.sequence.size(x); ++i)
          at(i, [&] { check(*type.inner, type.element(x, i), field); });
        return;
      case Kind::named:
        for (std::size_t i = 0; i < type.named.size(x); ++i) {
          const Where* said = type.named.where(x, i);
          if (said && !said->file.empty()) said_ = said;
          at(type.named.name(x, i).c_str(), [&] { check(*type.inner, type.named.item(x, i), field); });
        }
        return;
      case Kind::choice:
        return check(*type.alternatives[type.choice.index(x)], type.choice.get(x));
      case Kind::structure:
        return check(*type.schema, x);
    }
  }

 private:
  struct Step {
    const char* key = nullptr;  // null: the number
    std::size_t number = 0;
  };
  template <class Action>
  void at(const char* key, Action&& action) {
    path_.push_back({key, 0});
    action();
    path_.pop_back();
  }
  template <class Action>
  void at(std::size_t number, Action&& action) {
    path_.push_back({nullptr, number});
    action();
    path_.pop_back();
  }
  // As if it had been said there: with reading's own messages.
  void read_again(const Type& type, const void* x, const Field& field) {
    Where where = said_ ? Where{said_->file, said_->line, ""} : Where{};
    for (const Step& step : path_)
      where.path += (where.path.empty() ? "" : ".") + (step.key ? std::string(step.key) : std::to_string(step.number));
    read(placed(write(type, x), where), type, type.maker().get(), field, reading_);
  }

  Reading& reading_;
  std::vector<Step> path_;
  const Where* said_ = nullptr;  // of the named thing that is looked at
};

// "; give {of: ..., nodes: ..., normal: ...}": what a map of this kind may hold, as long as it is short.
std::string known_keys(const Schema& schema) {
  constexpr std::size_t most = 6;
  if (schema.members.empty() || schema.members.size() > most) return "";
  std::string keys;
  for (const Member& member : schema.members) keys += (keys.empty() ? "" : ", ") + std::string(member.key) + ": ...";
  return "; give {" + keys + "}";
}

}  // namespace

void read(const Value& value, const Schema& schema, void* out, Reading& reading, bool is_alternative) {
  if (value.kind != Value::Kind::map)
    throw InputError(value.where, std::string("a map of keys is expected (") + schema.help + "), but this is " +
                                      spoken(value) + known_keys(schema));
  const Member* missing = nullptr;  // told after unknown keys: a misspelt required key is both
  for (const Member& member : schema.members)
    if (const Value* found = value.find(member.key)) read(*found, *member.type, member.in(out), member.field, reading);
    else if (member.field.required && !missing) missing = &member;
  const auto is_known = [&](const std::string& key) {
    if (is_alternative && key == "type") return true;
    for (const Member& member : schema.members)
      if (key == member.key) return true;
    return false;
  };
  for (std::size_t i = 0; i < value.fields.size(); ++i) {
    const auto& [key, given] = value.fields[i];
    if (!is_known(key))
      throw InputError(given.where, "'" + key + "' is not a key here" + suggestion(key, schema.keys()));
    for (std::size_t j = 0; j < i; ++j)
      if (value.fields[j].first == key) throw InputError(given.where, "the key '" + key + "' is given twice");
  }
  if (missing)
    throw InputError(value.where, "'" + std::string(missing->key) + "' is missing (" + missing->field.help +
                                      (*missing->field.unit ? std::string(", ") + missing->field.unit : "") + ")");
}

void read(const Value& value, const Type& type, void* out, const Field& field, Reading& reading) {
  switch (type.kind) {
    case Kind::number:
      *static_cast<double*>(out) = to_double(value);
      return check_number(*static_cast<double*>(out), value, field, reading);
    case Kind::integer:
      *static_cast<int*>(out) = to_int(value);
      return check_number(*static_cast<int*>(out), value, field, reading);
    case Kind::boolean:
      *static_cast<bool*>(out) = to_bool(value);
      return;
    case Kind::text:
      *static_cast<std::string*>(out) = to_string(value);
      return;
    case Kind::words:
      return read_words(value, type, out);
    case Kind::custom:
      return type.custom.read(value.kind == Value::Kind::numbers ? listed(value) : value, out);
    case Kind::optional:
      if (value.kind == Value::Kind::null) return type.optional.reset(out);
      return read(value, *type.inner, type.optional.emplace(out), field, reading);
    case Kind::list:
    case Kind::array:
      return read_sequence(value, type, out, field, reading);
    case Kind::named:
      return read_named(value, type, out, field, reading);
    case Kind::choice:
      return read_choice(value, type, out, reading);
    case Kind::structure:
      return read(value, *type.schema, out, reading);
  }
}

Value write(const Schema& schema, const void* x) {
  Value v = Value::map();
  for (const Member& member : schema.members) {
    Value value = write(*member.type, member.in(x));
    if (value.kind != Value::Kind::null) v.set(member.key, std::move(value));
  }
  return v;
}

Value write(const Type& type, const void* x) {
  switch (type.kind) {
    case Kind::number:
      return Value::scalar(number_text(*static_cast<const double*>(x)));
    case Kind::integer:
      return Value::scalar(std::to_string(*static_cast<const int*>(x)));
    case Kind::boolean:
      return Value::scalar(*static_cast<const bool*>(x) ? "true" : "false");
    case Kind::text:
      return quoted(*static_cast<const std::string*>(x));
    case Kind::words:
      return Value::scalar(type.words.get(x));
    case Kind::custom:
      return type.custom.write(x);
    case Kind::optional: {
      const void* inner = type.optional.get(x);
      return inner ? write(*type.inner, inner) : Value{};
    }
    case Kind::list:
    case Kind::array:
      return write_sequence(type, x);
    case Kind::named: {
      Value v = Value::map();
      for (std::size_t i = 0; i < type.named.size(x); ++i)
        v.set(type.named.name(x, i), write(*type.inner, type.named.item(x, i)));
      return v;
    }
    case Kind::choice: {
      const Schema& schema = *type.alternatives[type.choice.index(x)];
      Value v = Value::map();
      v.set("type", Value::scalar(schema.name));
      for (auto& field : write(schema, type.choice.get(x)).fields) v.fields.push_back(std::move(field));
      return v;
    }
    case Kind::structure:
      return write(*type.schema, x);
  }
  return {};
}

void check_fields(const Type& type, const void* x, Reading& reading, const char* key) {
  FieldChecker(reading, key).check(type, x, Field{});
}

}  // namespace lithe

#include "lithe/base/value.h"

#include <charconv>
#include <cmath>

namespace lithe {

Value Value::scalar(std::string text) {
  Value v;
  v.kind = Kind::scalar;
  v.text = std::move(text);
  return v;
}
Value Value::list() {
  Value v;
  v.kind = Kind::list;
  return v;
}
Value Value::array(std::shared_ptr<const Numbers> numbers) {
  Value v;
  v.kind = Kind::numbers;
  v.numbers = std::move(numbers);
  return v;
}
Value Value::map() {
  Value v;
  v.kind = Kind::map;
  return v;
}
const Value* Value::find(std::string_view key) const {
  for (const auto& [name, value] : fields)
    if (name == key) return &value;
  return nullptr;
}
void Value::set(std::string key, Value value) { fields.emplace_back(std::move(key), std::move(value)); }

Where item_where(const Where& list, std::size_t i) {
  Where where = list;
  const std::string number = std::to_string(i);
  if (list.file.empty()) where.path += "[" + number + "]";
  else where.path += (list.path.empty() ? "" : ".") + number;
  return where;
}

Value listed(const Value& value) {
  if (value.kind != Value::Kind::numbers) return value;
  const Numbers& all = *value.numbers;
  Value list = Value::list();
  list.where = value.where;
  list.told = value.told;
  const std::size_t n = all.shape[0], width = n ? all.values.size() / n : 0;
  const std::vector<std::size_t> row_shape(all.shape.begin() + 1, all.shape.end());
  for (std::size_t i = 0; i < n; ++i) {
    Value item;
    if (row_shape.empty()) {
      item = Value::scalar(number_text(all.values[i]));
    } else {
      const auto first = all.values.begin() + static_cast<std::ptrdiff_t>(i * width);
      item = Value::array(
          std::make_shared<const Numbers>(Numbers{{first, first + static_cast<std::ptrdiff_t>(width)}, row_shape}));
    }
    item.told = value.told;
    item.where = item_where(value.where, i);
    list.items.push_back(std::move(item));
  }
  return list;
}

std::string spoken(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return "nothing";
    case Value::Kind::scalar:
      return "'" + (value.text.size() > 80 ? value.text.substr(0, 77) + "..." : value.text) + "'";
    case Value::Kind::list:
      return "a list of " + std::to_string(value.items.size());
    case Value::Kind::numbers:
      return "a list of " + std::to_string(value.numbers->shape[0]);
    case Value::Kind::map:
      return "a map of " + std::to_string(value.fields.size());
  }
  return "";
}

double to_double(const Value& value) {
  const std::string& s = value.text;
  if (value.kind != Value::Kind::scalar || value.quoted)
    throw InputError(value.where, "a number is expected, but this is " + spoken(value));
  const char* first = s.data() + (!s.empty() && s[0] == '+' ? 1 : 0);
  double x = 0;
  const auto [end, status] = std::from_chars(first, s.data() + s.size(), x);
  if (s == ".nan" || s == ".inf" || s == "-.inf" || (status == std::errc() && !std::isfinite(x)))
    throw InputError(value.where, "a finite number is expected, but this is '" + s + "'");
  if (status != std::errc() || end != s.data() + s.size())
    throw InputError(value.where, "a number is expected, but this is " + spoken(value) +
                                      (s.find(',') != std::string::npos ? " (write decimals with a point)" : ""));
  if (std::abs(x) > largest_number)
    throw InputError(value.where, "this is " + s + ", but a number must be at most " + number_text(largest_number) +
                                      " in size, so that its products are numbers too; check its unit");
  return x;
}

int to_int(const Value& value) {
  const double x = to_double(value);
  if (x != std::floor(x)) throw InputError(value.where, "a whole number is expected, but this is '" + value.text + "'");
  if (std::abs(x) > largest_integer)
    throw InputError(value.where, "this is " + value.text + ", but a whole number must be at most " +
                                      number_text(largest_integer) + " in size");
  return static_cast<int>(x);
}

bool to_bool(const Value& value) {
  if (value.kind == Value::Kind::scalar && !value.quoted) {
    if (value.text == "true" || value.text == "True") return true;
    if (value.text == "false" || value.text == "False") return false;
  }
  throw InputError(value.where, "true or false is expected, but this is " + spoken(value));
}

std::string to_string(const Value& value) {
  if (value.kind != Value::Kind::scalar)
    throw InputError(value.where, "a text is expected, but this is " + spoken(value));
  for (const char c : value.text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
      throw InputError(value.where,
                       "the text holds the control character " + std::to_string(static_cast<int>(c)) + "; remove it");
  return value.text;
}

std::string number_text(double x) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, x);
  return {buffer, result.ptr};
}

}  // namespace lithe

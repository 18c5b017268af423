#include "lithe/base/value.h"

#include <charconv>
#include <cmath>

namespace lithe {

std::string spoken(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
      return "nothing";
    case Value::Kind::scalar:
      return "'" + (value.text.size() > 80 ? value.text.substr(0, 77) + "..." : value.text) + "'";
    case Value::Kind::list:
      return "a list of " + std::to_string(value.items.size());
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
  return x;
}

int to_int(const Value& value) {
  const double x = to_double(value);
  if (x != std::floor(x) || std::abs(x) > 2e9)
    throw InputError(value.where, "a whole number is expected, but this is '" + value.text + "'");
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

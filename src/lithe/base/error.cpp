#include "lithe/base/error.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace lithe {

namespace {

// "joint 'hinge': ..." at joints.hinge: the place says it already.
std::string_view without_name(const std::string& path, std::string_view message) {
  const std::size_t dot = path.rfind('.'), colon = message.find("': ");
  if (dot == std::string::npos || colon == std::string::npos) return message;
  const std::size_t quote = message.find('\'');
  const std::string_view name = std::string_view(path).substr(dot + 1);
  return quote < colon && message.substr(quote + 1, colon - quote - 1) == name ? message.substr(colon + 3) : message;
}

std::string located(const Where& where, const std::string& message) {
  std::string text;
  if (!where.file.empty()) text += where.file + ":" + (where.line > 0 ? std::to_string(where.line) + ":" : "") + " ";
  if (!where.path.empty()) text += where.path + ": ";
  return text.append(without_name(where.path, message));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

InputError::InputError(const Where& where, const std::string& message) : std::runtime_error(located(where, message)) {}

void require(bool ok, const std::string& message) {
  if (!ok) throw InputError(message);
}

void invariant_failed(const char* expression, const char* file, int line) {
  throw InvariantError(std::string("internal error: ") + expression + " does not hold (" + file + ":" +
                       std::to_string(line) + "); please report it");
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  std::size_t distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::size_t d = edit_distance(name, candidate);
    if (d < distance) {
      distance = d;
      best = &candidate;
    }
  }
  if (best) return " (did you mean '" + *best + "'?)";
  if (known.empty()) return "";
  std::string list;
  for (const auto& candidate : known) list += (list.empty() ? "" : ", ") + candidate;
  return " (known: " + list + ")";
}

}  // namespace lithe

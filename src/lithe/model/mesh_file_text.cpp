#include "lithe/model/mesh_file_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <numbers>

#include "lithe/base/small.h"
#include "lithe/base/value.h"

namespace lithe {

std::string load_text(const std::string& path) {
  namespace fs = std::filesystem;
  const Where here{path, 0, ""};
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(here, "there is no such mesh file; check 'path'");
  if (fs::is_directory(status)) throw InputError(here, "this is a folder; give the mesh file in it");
  if (!fs::is_regular_file(status)) throw InputError(here, "this is not a plain file; save the mesh to one");
  const auto size = fs::file_size(path, error);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (error || !file)
    throw InputError(here,
                     "the mesh file cannot be read (" + std::string(std::strerror(errno)) + "); check its rights");
  std::string text(size, '\0');
  if (std::fread(text.data(), 1, size, file.get()) != size)
    throw InputError(here, "the mesh file ended while it was read; save it again");
  return text;
}

int add_source(MeshFile& file, const std::string& path, std::string_view text) {
  const long lines = std::count(text.begin(), text.end(), '\n') + 2;
  const int before = file.source_places.empty() ? 0 : file.source_places.back();
  if (before + lines > std::numeric_limits<int>::max())
    throw InputError(Where{path, 0, ""}, "the file has more lines than can be counted; split it");
  // The last entry is where the next source begins.
  if (file.source_places.empty()) file.source_places.push_back(0);
  file.sources.push_back(path);
  file.source_places.push_back(static_cast<int>(before + lines));
  return before;
}

Where MeshFile::where(int place) const {
  const auto after = std::upper_bound(source_places.begin(), source_places.end(), place);
  const std::size_t i = after - source_places.begin();
  if (i == 0 || i > sources.size()) return {path, 0, ""};
  return {sources[i - 1], place - source_places[i - 1], ""};
}

Triple RigidPlacement::operator()(const Triple& x) const {
  Triple y = translation;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) y[i] += rotation[i][j] * x[j];
  return y;
}

// x -> a + R (x + translation - a) with R = c I + s [axis] + (1 - c) axis axis^T.
bool RigidPlacement::turn(const double* a, const double* b, double degrees) {
  const Vec3<double> arrow{{b[0] - a[0], b[1] - a[1], b[2] - a[2]}};
  if (!(norm(arrow) > 0)) return false;
  const Vec3<double> axis = unit(arrow);
  const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
  Mat3<double> R{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int m = 0; m < 3; ++m) R[i][m] = (1 - c) * axis[i] * axis[m] + (m == i ? c : 0);
    R[i][j] -= s * axis[k];
    R[i][k] += s * axis[j];
  }
  const Vec3<double> moved = R * (vec(translation) - Vec3<double>{{a[0], a[1], a[2]}});
  Mat3<double> before;
  for (int i = 0; i < 3; ++i) std::copy(rotation[i], rotation[i] + 3, before[i]);
  const Mat3<double> both = R * before;
  for (int i = 0; i < 3; ++i) {
    std::copy(both[i], both[i] + 3, rotation[i]);
    translation[i] = a[i] + moved[i];
  }
  return true;
}

bool RigidPlacement::is_identity() const {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (rotation[i][j] != (i == j) || translation[i] != 0) return false;
  return true;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t longest = 60;
  std::string result = "'";
  for (const char c : word.substr(0, longest)) result += c >= ' ' && c < 127 ? c : '?';
  return result + (word.size() > longest ? "...'" : "'");
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

bool parse(std::string_view word, double& x) {
  const auto good = [&](std::from_chars_result result, const char* end) {
    if (result.ptr != end) return false;
    if (result.ec == std::errc::result_out_of_range) {
      // Too small is zero; too large is caught below.
      x = std::abs(std::strtod(std::string(word).c_str(), nullptr)) < 1 ? 0 : 2 * largest_number;
      return x == 0;
    }
    return result.ec == std::errc() && std::abs(x) <= largest_number;
  };
  const char *begin = word.data(), *end = begin + word.size();
  if (good(std::from_chars(begin, end, x), end)) return true;
  // "+1.5", and Fortran's "1.5D-3".
  char copy[64];
  if (word.empty() || word.size() > sizeof copy) return false;
  std::copy(begin, end, copy);
  for (std::size_t i = 0; i < word.size(); ++i)
    if (copy[i] == 'd' || copy[i] == 'D') copy[i] = 'e';
  const bool plus = copy[0] == '+' && word.size() > 1 && copy[1] != '-' && copy[1] != '+';
  const std::string_view rest(copy + plus, word.size() - plus);
  word = rest;
  return good(std::from_chars(rest.data(), rest.data() + rest.size(), x), rest.data() + rest.size());
}

bool parse(std::string_view word, int& x) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const auto result = std::from_chars(word.data(), word.data() + word.size(), x);
  return result.ec == std::errc() && result.ptr == word.data() + word.size();
}

bool LabelIndex::build(const std::vector<int>& labels, int (&twice)[2]) {
  table_.clear();
  sorted_.clear();
  if (labels.empty()) return true;
  const int count = static_cast<int>(labels.size()), largest = *std::ranges::max_element(labels);
  if (largest / 8 <= count + 128) {
    table_.assign(largest + 1, -1);
    for (int i = 0; i < count; ++i) {
      if (table_[labels[i]] >= 0) {
        twice[0] = table_[labels[i]], twice[1] = i;
        return false;
      }
      table_[labels[i]] = i;
    }
    return true;
  }
  sorted_.reserve(count);
  for (int i = 0; i < count; ++i) sorted_.emplace_back(labels[i], i);
  std::ranges::sort(sorted_);
  for (int i = 1; i < count; ++i)
    if (sorted_[i].first == sorted_[i - 1].first) {
      twice[0] = sorted_[i - 1].second, twice[1] = sorted_[i].second;
      return false;
    }
  return true;
}

int LabelIndex::find(int label) const {
  if (!table_.empty()) return label >= 0 && label < static_cast<int>(table_.size()) ? table_[label] : -1;
  const auto found = std::ranges::lower_bound(sorted_, std::pair(label, 0));
  return found != sorted_.end() && found->first == label ? found->second : -1;
}

void LabelIndex::add_range(int first, int last, int step, std::vector<int>& out) const {
  if (!table_.empty()) {
    const long end = std::min<long>(last, static_cast<long>(table_.size()) - 1);
    for (long label = first; label <= end; label += step)
      if (label >= 0 && table_[label] >= 0) out.push_back(table_[label]);
    return;
  }
  for (auto at = std::ranges::lower_bound(sorted_, std::pair(first, 0)); at != sorted_.end() && at->first <= last; ++at)
    if ((static_cast<long>(at->first) - first) % step == 0) out.push_back(at->second);
}

int side_of_corners(const ElementInfo& info, const int* corners, int count) {
  for (int side = 0; side < info.sides(); ++side)
    if (std::all_of(corners, corners + count, [&](int n) { return info.on_side(n, side); })) return side;
  return -1;
}

}  // namespace lithe
